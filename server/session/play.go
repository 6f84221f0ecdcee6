package session

import (
	"sphereserver/packets"
	"sphereserver/server/view"
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

// answerPing answers a position message at once, whatever it says, since the client gives up after about 10 s without;
// then it tells the world where the player is.
//
// Source: protocol ingame 7.1, 7.2.
func (s *Session) answerPing(in *incoming) {
	s.server.count.pings.Add(1)
	s.loop.begin(s)
	if s.classic != nil {
		s.loop.out = s.classic.Append(s.loop.out, in.plain, s.ID())
	} else {
		s.loop.out = packets.AppendPong(s.loop.out, in.ping, s.server.Clock())
	}
	if s.state != InWorld {
		s.maybeAcknowledged(in)
		return
	}
	at := in.ping.Position
	if err := at.Check(); err != nil {
		s.RefusePosition(err)
		return
	}
	s.player.Moved(at)
}

// RefusePosition notes that where the client says it is cannot be.
func (s *Session) RefusePosition(why error) {
	s.server.count.positionsRefused.Add(1)
	s.warnOnce(notePosition, "position refused", "error", why)
}

// releaseUse lets the client act again: it locks itself with every use, attack, take, drag and swap until it is
// answered, also when the request is refused or not understood.
//
// Source: protocol ingame 13.1.
func (s *Session) releaseUse(*incoming) {
	b := packets.Message(s.server.Clock(), s.ID(), packets.ClassPlayer, &packets.Manager{Command: &packets.ReleaseUse{}})
	b.End = true
	s.Send(b)
}

// Say shows a text to the player, in as many lines as it needs.
func (s *Session) Say(text string) {
	for _, line := range view.SystemLines(text) {
		s.Send(packets.Message(s.server.Clock(), s.ID(), packets.ClassPlayer, view.SystemMessage(line)))
	}
}
