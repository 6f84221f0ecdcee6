package w3gs

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"

	"sphereserver/packets/internal/cursor"
)

// The kinds of play, each with its section of protocol w3gs.
var (
	_ = register[Tick](0x0C, "tick", ToClient, Playing, 6, MaxPacket)                                // 4.14
	_ = register[TickPart](0x48, "part of a tick", ToClient, Playing, 8, MaxPacket)                  // 4.14
	_ = register[Action](0x26, "action", ToHost, Playing, 8, 8+MaxAction)                            // 4.13
	_ = register[TickDone](0x27, "tick done", ToHost, Playing, 9, 9)                                 // 4.15
	_ = register[WaitStarted](0x10, "waiting screen on", ToClient, Loading|Playing, 5, 5+5*maxSlots) // 4.16
	_ = register[WaitEnded](0x11, "waiting screen off", ToClient, Loading|Playing, 9, 9)             // 4.16
	_ = register[DropVote](0x29, "vote to drop", ToHost, Playing, 4, 4)                              // 4.16
	_ = register[GameOver](0x14, "game over", ToClient, Playing, 5, 5)                               // 4.12
	_ = register[CheckNotice](0x0D, "check value notice", ToClient, Playing, 14, 14+maxSlots)        // 4.18
	_ = register[DesyncNotice](0x0E, "desync notice", ToClient, Playing, HeaderSize, MaxPacket)      // 4.18
)

// MaxAction is the most data that one action may have. Source: protocol w3gs 4.13.
const MaxAction = 1024

// MaxBlocks is the most bytes of blocks that a host puts into one packet. Source: protocol w3gs 4.14.
const MaxBlocks = 1446

// Action is an action of a player in the game. Only the clients understand its data.
//
//	bytes 4-7  CRC-32 of the rest
//	rest       data
type Action struct{ Data []byte } // at most 1024 bytes; hosts drop an action without any

func (m *Action) fields(f *fields) { summed[uint32](f, &m.Data, 0, MaxAction) }

// Blocks are actions as ticks carry them: for each its player, a length of two bytes, and the data.
// Source: protocol w3gs 4.14.
type Blocks []byte

// blockHead is the length of a block without the action's data.
const blockHead = 3

// BlockLen is how many bytes an action's data takes in a tick.
func BlockLen(data int) int { return blockHead + data }

// Append adds an action.
func (b Blocks) Append(id PlayerID, data []byte) Blocks {
	b = append(b, byte(id))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(data)))
	return append(b, data...)
}

// All goes through the actions up to the first that is not whole; none is, in a tick that was decoded.
func (b Blocks) All() iter.Seq2[PlayerID, []byte] {
	return func(yield func(PlayerID, []byte) bool) {
		for len(b) >= blockHead {
			n := blockHead + int(binary.LittleEndian.Uint16(b[1:]))
			if n > len(b) || !yield(PlayerID(b[0]), b[blockHead:n:n]) {
				return
			}
			b = b[n:]
		}
	}
}

// check returns where the blocks end being whole, and the fault there.
func (b Blocks) check() (at int, err error) {
	for at < len(b) {
		left := len(b) - at
		if left < blockHead {
			return at, fmt.Errorf("expected a block of at least %d bytes, %d are left", blockHead, left)
		}
		n := int(binary.LittleEndian.Uint16(b[at+1:]))
		if n > left-blockHead {
			return at + 1, fmt.Errorf("expected a block of at most %d bytes, found %d", left-blockHead, n)
		}
		at += blockHead + n
	}
	return at, nil
}

// blocks are the low half of the CRC-32 of blocks, and the blocks.
func (f *fields) blocks(p *Blocks) {
	at := f.Offset() + cursor.Size[uint16]()
	if summed[uint16](f, (*[]byte)(p), 0, MaxPacket); f.Err() != nil {
		return
	}
	if i, err := p.check(); err != nil {
		f.failAt(at+i, err)
	}
}

// Tick makes time go by in all clients at once, and brings the actions of players since the last one, in the order in
// which the host got them.
//
//	bytes 4-5  milliseconds
//	bytes 6-7  low half of the CRC-32 of the blocks; left out when there are none
//	rest       blocks
type Tick struct {
	Milliseconds uint16 // of game time: 100 on a local network
	Blocks       Blocks
	// Summed says that an empty tick has its CRC of 0. Hosts leave it out.
	Summed bool
}

func (m *Tick) fields(f *fields) {
	num(f, &m.Milliseconds)
	if f.Reading() {
		m.Blocks = nil
		m.Summed = f.Left() == 2
		if f.Left() == 0 {
			return
		}
	} else if len(m.Blocks) == 0 && !m.Summed {
		return
	}
	f.blocks(&m.Blocks)
	if f.Err() == nil && m.Summed && len(m.Blocks) > 0 {
		f.fail("expected no blocks with Summed")
	}
}

// TickPart comes before a Tick with actions that do not fit into one packet. No time goes by with it.
type TickPart struct{ Blocks Blocks }

func (m *TickPart) fields(f *fields) {
	known[uint16](f, 0)
	f.blocks(&m.Blocks)
}

// TickDone is a client's answer to each Tick, in order.
type TickDone struct {
	Unknown uint8  // 0
	Check   uint32 // of the client's state of the game: equal for all that are in step
}

func (m *TickDone) fields(f *fields) {
	num(f, &m.Unknown)
	num(f, &m.Check)
}

// A Lagger is a player that the others wait for.
type Lagger struct {
	Player       PlayerID
	Milliseconds uint32 // waited so far
}

func (l *Lagger) fields(f *fields) {
	num(f, &l.Player)
	num(f, &l.Milliseconds)
}

// WaitStarted shows all players the players that they wait for. No tick comes until WaitEnded has come, or the
// player's PlayerLeft, for each of them.
type WaitStarted struct{ Laggers []Lagger }

func (m *WaitStarted) fields(f *fields) {
	n, ok := f.count("a list of players", len(m.Laggers), 0, maxSlots)
	if !ok {
		return
	}
	if f.Reading() {
		if f.Left() < 5*n {
			f.fail("expected %d players of 5 bytes, %d are left", n, f.Left())
			return
		}
		m.Laggers = slices.Grow(m.Laggers[:0], n)[:n]
	}
	for i := range m.Laggers {
		m.Laggers[i].fields(f)
	}
}

// WaitEnded says that a player has caught up.
type WaitEnded struct{ Lagger }

// DropVote is a vote to go on without the players that the others wait for.
type DropVote struct{ Bare }

// GameOver ends the game for its receiver.
type GameOver struct{ Player PlayerID } // the receiver

func (m *GameOver) fields(f *fields) { num(f, &m.Player) }

// CheckNotice is described by one source as sent when games differ. Our host does not.
type CheckNotice struct {
	Unknown uint32
	Four    uint8 // 4
	Check   uint32
	Players []PlayerID
}

func (m *CheckNotice) fields(f *fields) {
	num(f, &m.Unknown)
	num(f, &m.Four)
	num(f, &m.Check)
	f.players(&m.Players, 0)
}

// DesyncNotice is reported as sent when games differ; its content is not known. Our host does not send it.
type DesyncNotice struct{ Body []byte }

func (m *DesyncNotice) fields(f *fields) { f.body(&m.Body) }
