package packets

import "encoding/binary"

// Gameplay frames of clients are obfuscated from byte 9 on, each frame on its own. Source: protocol ingame 1.5, session
// 1.9.
var obfuscationMask = [9]byte{0x4B, 0x0D, 0xEF, 0x60, 0xC9, 0x9A, 0x70, 0x0E, 0x03}

// obfuscatedFrom is the shortest frame that is obfuscated, in bytes.
const obfuscatedFrom = 13

// Obfuscate turns the body of a plain client frame into its form on the wire, in place. Frames of 12 bytes or less
// stay as they are. The checksum is over the result.
func Obfuscate(frame []byte) { mask(frame, false) }

// Deobfuscate undoes [Obfuscate], in place.
func Deobfuscate(frame []byte) { mask(frame, true) }

func mask(frame []byte, masked bool) {
	if len(frame) < obfuscatedFrom {
		return
	}
	var acc byte
	k := 0
	body := frame[clientHeader:]
	for i, was := range body {
		is := was ^ obfuscationMask[k] ^ acc
		body[i] = is
		plain := was
		if masked {
			plain = is
		}
		acc = plain*byte(i) + 2*acc
		if k++; k == len(obfuscationMask) {
			k = 0
		}
	}
}

// A Deobfuscator turns the frames of one client into plain ones. Clients obfuscate, but sessions with some early
// servers were in clear, so it has to be found out: a frame that names its player in the right place shows which of the
// two it is, and the others (an item's, a container's) go with what the connection has shown before. Source: protocol
// session 1.9, with that memory added.
type Deobfuscator struct {
	index   PlayerIndex
	habit   habit
	scratch *[]byte // nil: none yet
}

type habit uint8

const (
	unseen habit = iota
	obfuscates
	inClear
)

// NewDeobfuscator returns a Deobfuscator for the client that was given this index.
func NewDeobfuscator(index PlayerIndex) Deobfuscator { return Deobfuscator{index: index} }

// Share makes d put frames in clear into a buffer that others on the same goroutine use, too.
func (d *Deobfuscator) Share(buffer *[]byte) { d.scratch = buffer }

// Plain returns the frame in clear. Certain is false where nothing in the frame or before it has shown
// whether it was obfuscated. The result is frame itself, or a buffer that the next call uses again.
func (d *Deobfuscator) Plain(frame []byte) (plain []byte, certain bool) {
	if len(frame) < obfuscatedFrom || FrameChannel(frame, FromClient) != ChannelGameplay {
		return frame, true
	}
	clear := namesPlayer(frame, d.index)
	if clear && d.habit != obfuscates {
		d.habit = inClear
		return frame, true
	}
	if d.scratch == nil {
		d.scratch = new([]byte)
	}
	guess := append((*d.scratch)[:0], frame...)
	*d.scratch = guess
	Deobfuscate(guess)
	switch {
	case namesPlayer(guess, d.index):
		d.habit = obfuscates
		return guess, true
	case clear:
		return frame, true
	case d.habit == obfuscates:
		return guess, true
	case d.habit == inClear:
		return frame, true
	}
	// Nothing tells yet: the form that the grammar reads further is the better guess.
	if readable(guess) && !readable(frame) {
		return guess, false
	}
	return frame, false
}

// namesPlayer reports whether the first section of a plain frame is the player's own.
func namesPlayer(frame []byte, i PlayerIndex) bool {
	if frame[clientHeader]&1 == 0 {
		return PlayerIndex(binary.BigEndian.Uint16(frame[11:])) == i
	}
	if len(frame) < 20 {
		return false
	}
	// Bits 133 to 148: a position stands before the id.
	v := uint32(frame[16]) | uint32(frame[17])<<8 | uint32(frame[18])<<16
	return PlayerIndexOf(ObjectID(v>>5&0xFFFF)) == i
}

func readable(frame []byte) bool {
	var b Body
	return b.decode(frame, clientHeader*8, FromClient, Dialect2026) == nil && b.UnknownBits() == 0
}
