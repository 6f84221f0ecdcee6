package main

import (
	"fmt"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Sizes of a ping, of its answer, and of a message of a player's place, in bytes.
const (
	pingBytes   = 38
	pongBytes   = 18
	updateBytes = 23
)

// bareAnswer is the reference's answer: it looks like an answer to a ping.
var bareAnswer = packets.AppendPong(nil, packets.Ping{}, 0)

// bareUpdate is the message of the reference for movement: it looks like a step of another player.
var bareUpdate = newUpdate()

func newUpdate() []byte {
	origin, step := packets.MoveTo(place())
	b := packets.Message(0, 7, packets.ClassPlayer, step)
	b.HasOrigin, b.Origin = true, origin
	frame, err := packets.AppendServer(nil, b, packets.Dialect2026)
	if err != nil || !isUpdate(frame) {
		panic(fmt.Sprintf("bench: an update of %d bytes: %v", len(frame), err))
	}
	return frame
}

// isUpdate reports whether a whole frame of a server tells a player's place.
func isUpdate(frame []byte) bool { return len(frame) == updateBytes && hasOrigin(frame) }

func hasOrigin(frame []byte) bool {
	const flags = 5 // byte of the first bits of the body
	return frame[flags]&1 != 0
}

// pings are the frames that a client sends in turn: here, and a step away, so that the world has something to do.
func pings(id packets.ObjectID, key uint16, at coords.Position) (frames [2][]byte, err error) {
	for i := range frames {
		at.X += float32(i)
		frames[i], err = packets.AppendClient(nil, packets.PingBody(id, 0, at), packets.Dialect2026, key, uint16(i))
		if err != nil {
			return frames, err
		}
		if len(frames[i]) != pingBytes {
			return frames, fmt.Errorf("a ping has %d bytes, expected %d", len(frames[i]), pingBytes)
		}
	}
	return frames, nil
}
