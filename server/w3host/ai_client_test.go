package w3host

import (
	"bytes"
	"fmt"
	"hash/crc32"

	"sphereserver/packets/w3gs"
)

// A aiClient is the memory of a client of ours, and answers as the original does. The stage and the clients on
// sockets have the same.
type aiClient struct {
	name    string
	id      w3gs.PlayerID
	slots   w3gs.SlotTable
	present map[w3gs.PlayerID]string // of the others, the host's own player among them
	left    map[w3gs.PlayerID]w3gs.LeaveReason
	refused w3gs.Refusal
	kicked  w3gs.LeaveReason
	chat    []string // "sender: text"
	mapSize uint32   // of its copy
	file    []byte   // downloaded
	want    w3gs.MapCheck

	started, over, accepted bool
	loaded                  map[w3gs.PlayerID]bool
	waiting                 map[w3gs.PlayerID]bool
	ticks                   int
	part                    bool   // a part of a tick has come,
	parts                   int    // and so many in all
	actions                 []byte // of all ticks: player and data
	state                   uint32 // its game: a CRC of actions and ticks

	// Its deviations from the original.
	noPongs, noMapState, noLoading, noTickDone bool
	unacknowledged                             bool   // map data
	wrongCheck                                 uint32 // is added to each check value
}

func newMind(name string) *aiClient {
	return &aiClient{name: name, present: map[w3gs.PlayerID]string{}, left: map[w3gs.PlayerID]w3gs.LeaveReason{},
		mapSize: testMap().Size,
		loaded:  map[w3gs.PlayerID]bool{}, waiting: map[w3gs.PlayerID]bool{}}
}

// String keeps failures short.
func (c *aiClient) String() string {
	return fmt.Sprintf("%s: player %d, present %v, left %v, kicked %d, refused %d, chat %q, %d ticks, %d bytes of "+
		"actions, %d of the map, waits for %v",
		c.name, c.id, c.present, c.left, c.kicked, c.refused, c.chat, c.ticks, len(c.actions), len(c.file), c.waiting)
}

// joining is the client's first packet.
func (c *aiClient) joining(game, key uint32) *w3gs.Join {
	return &w3gs.Join{Game: game, EntryKey: key, Port: 6112, Counter: 1, Name: c.name}
}

// see takes in a packet of the host. A packet that no host may send is an error.
func (c *aiClient) see(message w3gs.Message) error {
	if c.id == 0 {
		switch message.(type) {
		case *w3gs.Welcome, *w3gs.JoinRefused:
		default:
			return fmt.Errorf("%s before the welcome", w3gs.OpcodeOf(message))
		}
	}
	if c.part {
		switch message.(type) {
		case *w3gs.Tick, *w3gs.TickPart:
		default:
			return fmt.Errorf("%s within a tick", w3gs.OpcodeOf(message))
		}
	}
	switch m := message.(type) {
	case *w3gs.Welcome:
		c.id, c.slots = m.Player, m.SlotTable
	case *w3gs.SlotUpdate:
		if c.started {
			return fmt.Errorf("slots after the countdown")
		}
		if m.Seed != c.slots.Seed || len(m.Slots) != len(c.slots.Slots) {
			return fmt.Errorf("another seed or number of slots")
		}
		c.slots = m.SlotTable
		for _, s := range m.Slots {
			if s.Player != 0 && s.Player != c.id && c.present[s.Player] == "" {
				return fmt.Errorf("slot of player %d, who was not introduced", s.Player)
			}
		}
	case *w3gs.JoinRefused:
		c.refused = m.Reason
	case *w3gs.Kicked:
		c.kicked = m.Reason
	case *w3gs.Player:
		if m.Player == c.id || c.present[m.Player] != "" {
			return fmt.Errorf("player %d is introduced, who is there", m.Player)
		}
		if m.Inside.IsValid() || m.Outside.IsValid() {
			return fmt.Errorf("the address of player %d", m.Player)
		}
		c.present[m.Player] = m.Name
	case *w3gs.PlayerLeft:
		if c.present[m.Player] == "" {
			return fmt.Errorf("player %d leaves, who is not there", m.Player)
		}
		delete(c.present, m.Player)
		delete(c.waiting, m.Player)
		c.left[m.Player] = m.Reason
	case *w3gs.Chat:
		c.chat = append(c.chat, fmt.Sprintf("%s: %s", c.present[m.Sender], m.Text))
	case *w3gs.CountdownEnded:
		c.started = true
	case *w3gs.PlayerLoaded:
		c.loaded[m.Player] = true
	case *w3gs.TickPart:
		c.part = true
		c.parts++
		c.play(m.Blocks)
	case *w3gs.Tick:
		c.part = false
		if len(c.waiting) > 0 {
			return fmt.Errorf("a tick behind the waiting screen")
		}
		c.ticks++
		c.play(m.Blocks)
		c.state = crc32.Update(c.state, crc32.IEEETable, []byte{byte(m.Milliseconds)})
	case *w3gs.WaitStarted:
		for _, l := range m.Laggers {
			c.waiting[l.Player] = true
		}
	case *w3gs.WaitEnded:
		if !c.waiting[m.Player] {
			return fmt.Errorf("player %d is waited for no more, who was not", m.Player)
		}
		delete(c.waiting, m.Player)
	case *w3gs.GameOver:
		c.over = m.Player == c.id
	case *w3gs.LeaveAccepted:
		c.accepted = true
	case *w3gs.MapCheck:
		c.want = *m
	case *w3gs.MapData:
		if m.Receiver != c.id || int(m.Offset) > len(c.file) {
			return fmt.Errorf("map data for %d at %d, expected for %d at %d", m.Receiver, m.Offset, c.id, len(c.file))
		}
		c.file = append(c.file[:m.Offset], m.Data...)
	}
	return nil
}

// play applies actions to the client's game.
func (c *aiClient) play(blocks w3gs.Blocks) {
	for id, data := range blocks.All() {
		c.actions = append(append(c.actions, byte(id)), data...)
		c.state = crc32.Update(c.state, crc32.IEEETable, append([]byte{byte(id)}, data...))
	}
}

// answers are the client's answers to a message.
func (c *aiClient) answers(message w3gs.Message) []w3gs.Message {
	switch m := message.(type) {
	case *w3gs.Ping:
		if !c.noPongs {
			return []w3gs.Message{&w3gs.Pong{Clock: m.Clock}}
		}
	case *w3gs.MapCheck:
		if !c.noMapState {
			return []w3gs.Message{&w3gs.MapState{Kind: w3gs.MapHave, Size: c.mapSize}}
		}
	case *w3gs.MapData:
		if c.unacknowledged {
			break
		}
		if len(c.file) == int(c.want.Size) && crc32.ChecksumIEEE(c.file) == c.want.CRC {
			return []w3gs.Message{&w3gs.MapState{Kind: w3gs.MapHave, Size: c.want.Size}}
		}
		return []w3gs.Message{&w3gs.MapTaken{Sender: c.id, Receiver: m.Sender, Size: uint32(len(c.file))}}
	case *w3gs.CountdownEnded:
		if !c.noLoading {
			return []w3gs.Message{&w3gs.Loaded{}}
		}
	case *w3gs.Tick:
		if !c.noTickDone {
			return []w3gs.Message{&w3gs.TickDone{Check: c.state + c.wrongCheck}}
		}
	}
	return nil
}

// slot is the client's own slot, as it was told.
func (c *aiClient) slot() w3gs.Slot {
	for _, s := range c.slots.Slots {
		if s.Player == c.id {
			return s
		}
	}
	return w3gs.Slot{}
}

// line is a line of chat for all players that the client knows.
func (c *aiClient) line(kind w3gs.RequestKind, text string) *w3gs.Request {
	m := &w3gs.Request{Sender: c.id, Kind: kind, Text: text}
	for id := range w3gs.PlayerID(25) {
		if c.present[id] != "" {
			m.Receivers = append(m.Receivers, id)
		}
	}
	return m
}

// change is a wish for the client's own slot.
func (c *aiClient) change(kind w3gs.RequestKind, value uint8) *w3gs.Request {
	return &w3gs.Request{Receivers: []w3gs.PlayerID{1}, Sender: c.id, Kind: kind, Value: value}
}

// act is an action of n bytes that begins with a mark.
func act(mark string, n int) *w3gs.Action {
	return &w3gs.Action{Data: append([]byte(mark), bytes.Repeat([]byte{'.'}, n-len(mark))...)}
}
