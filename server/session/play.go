package session

import (
	"reflect"

	"sphereserver/packets"
)

var keepaliveFrame = []byte{packets.MinServerFrame, 0, byte(packets.ChannelKeepalive & 0xFF),
	byte(packets.ChannelKeepalive >> 8)}

// answerKeepalive answers at once: the client measures its latency with it.
//
// Source: protocol ingame 7.4.
func (s *Session) answerKeepalive(*incoming) {
	if s.server.options.Dialect == packets.Classic && s.state == InWorld {
		s.Send(packets.ClassicEcho(s.index))
		return
	}
	s.sendKeepalive()
}

// answerPing answers any position message at once, since the client gives up after about 10 s without; then it tells
// the world where the player is.
//
// Source: protocol ingame 7.1, 7.2.
func (s *Session) answerPing(in *incoming) {
	s.server.count.pings.Add(1)
	s.loop.begin(s)
	if s.classic != nil {
		s.loop.out = s.classic.Append(s.loop.out, in.plain, s.ID())
	} else {
		s.loop.out = packets.AppendPong(s.loop.out, in.ping, s.Clock())
	}
	if s.state != InWorld {
		s.maybeAcknowledged(in)
		return
	}
	s.keepAliveAfter(keepalivePeriod - keepaliveEarly)
	at := in.ping.Position
	if err := at.Check(); err != nil {
		s.RefusePosition(err)
		return
	}
	s.player.Moved(at)
}

// RefusePosition counts and logs a position that the client cannot have.
func (s *Session) RefusePosition(why error) {
	s.server.count.positionsRefused.Add(1)
	s.warnOnce(notePosition, "position refused", "error", why)
}

// releaseUse releases the client's lock: it locks itself with every use, attack, take, drag and swap until it is
// answered, also when the request is refused or not understood.
//
// Source: protocol ingame 13.1, fight 1.3.
func (s *Session) releaseUse(*incoming) {
	if s.generation.dialect != packets.Dialect2026 { // older clients know no such message
		return
	}
	b := s.loop.release
	b.Clock, b.Sections[0].Object = s.Clock(), s.ID()
	s.Send(b)
}

// releaseEntering is releaseUse while the world is being loaded, when any frame may stand for the acknowledgement.
func (s *Session) releaseEntering(in *incoming) {
	s.releaseUse(in)
	s.maybeAcknowledged(in)
}

// act does the requests of a frame, in their order. A command that locks the client frees it first, whatever its
// outcome, and so does an unknown command, since it may lock. The dead get no other answer, but may still talk, belong
// to groups and clans, close things and spend points.
//
// Source: protocol ingame 13.1, 23, fight 8.1.
func (s *Session) act(in *incoming) {
	if in.kind == UseMessage || in.unknown {
		s.releaseUse(in)
	}
	for _, c := range in.commands {
		if c.row.Do != nil && !(c.row.living && s.Dead()) {
			c.row.Do(s.player, c.about, c.command)
		}
	}
}

// LastOfItsType reports whether a command is the last of its type in the frame that is being handled.
func (s *Session) LastOfItsType(c packets.Command) bool {
	last := c
	for _, in := range s.loop.in.commands {
		if reflect.TypeOf(in.command) == reflect.TypeOf(c) {
			last = in.command
		}
	}
	return last == c
}

// acknowledged sends the messages that follow the client's acknowledgement, and brings the player into the world.
// Next state: InWorld, when the world has admitted it.
//
// Source: protocol session 8, ingame 8.3.
func (s *Session) acknowledged(*incoming) {
	if s.acked {
		return
	}
	s.acked = true
	if s.server.options.Dialect == packets.Classic {
		first, second := packets.ClassicEntry(s.index)
		s.SendBytes(first)
		s.loop.after(s.server.options.Delays.Settle, s, func(s *Session) { s.SendBytes(second) })
	} else {
		s.player.Introduce()
	}
	s.loop.after(s.server.options.Delays.Settle, s, func(s *Session) { s.player.Enter() })
}

// maybeAcknowledged takes any gameplay frame for the acknowledgement when the real one does not follow soon. A recorded
// client sent it 0.92 s after the first frame, so a second would be too tight.
//
// Source: protocol session 7.4.
func (s *Session) maybeAcknowledged(*incoming) {
	if s.acked || s.waiting {
		return
	}
	s.waiting = true
	s.loop.after(s.server.options.Delays.AnyAck, s, func(s *Session) {
		if s.state == Entering {
			s.acknowledged(nil)
		}
	})
}

// tellDebt tells the player how much its client has not read yet.
func (s *Session) tellDebt() {
	if s.player != nil && !s.ending {
		s.player.Owes(s.conn.Pending())
	}
}

func (s *Session) sendKeepalive() { s.SendBytes(keepaliveFrame) }
