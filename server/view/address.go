package view

import (
	"encoding/binary"

	"sphereserver/packets"
)

// A frame about one object or player begins, behind length and channel, with
//
//	bit 40          whether an origin follows the clock's place, 45 bits long
//	45 bits         the origin, if so
//	15 bits         clock
//	16 bits         id of what the frame is about
//
// so a message to many is encoded once, and the id patched in the copies.
//
// Source: protocol ingame 2.1.
const (
	originAt  = 5  // its lowest bit says that there is an origin
	idAt      = 7  // the byte at which the id begins without an origin
	movedIDAt = 12 // the byte in which it begins with one,
	idShift   = 5  // at this bit
)

// readdress puts a client's id for the subject of a frame, and the clock, into a copy of the frame. The clock of a
// frame with an origin is not touched: such frames are of one tick.
func readdress(frame []byte, clock uint16, id packets.ObjectID) {
	if frame[originAt]&1 == 0 {
		binary.LittleEndian.PutUint16(frame[originAt:], clock<<1)
		binary.LittleEndian.PutUint16(frame[idAt:], uint16(id))
		return
	}
	const mask = 0xFFFF << idShift
	was := uint32(frame[movedIDAt]) | uint32(frame[movedIDAt+1])<<8 | uint32(frame[movedIDAt+2])<<16
	is := was&^mask | uint32(uint16(id))<<idShift
	frame[movedIDAt], frame[movedIDAt+1], frame[movedIDAt+2] = byte(is), byte(is>>8), byte(is>>16)
}

// AddressAll rewrites frames about one player in place, so that they are about another.
func AddressAll(frames []byte, id packets.ObjectID) {
	for len(frames) > idAt+1 {
		binary.LittleEndian.PutUint16(frames[idAt:], uint16(id))
		frames = frames[max(idAt, min(int(binary.LittleEndian.Uint16(frames)), len(frames))):]
	}
}
