package game

import (
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
)

var keepaliveFrame = []byte{packets.MinServerFrame, 0, byte(packets.ChannelKeepalive & 0xFF), byte(packets.ChannelKeepalive >> 8)}

// answerKeepalive answers at once: the client measures its latency with it.
//
// Source: protocol ingame 7.4.
func (s *Session) answerKeepalive(*incoming) {
	if s.server.options.Dialect == packets.Classic && s.state == InWorld {
		s.send(packets.ClassicEcho(s.index))
		return
	}
	s.sendKeepalive()
}

// answerPing answers a position message at once, whatever it says, since the client gives up after about 10 s without; then it
// tells the world where the player is.
//
// Source: protocol ingame 7.1, 7.2.
func (s *Session) answerPing(in *incoming) {
	s.server.count.pings.Add(1)
	s.loop.begin(s)
	if s.classic != nil {
		s.loop.out = s.classic.Append(s.loop.out, in.plain, s.id())
	} else {
		s.loop.out = packets.AppendPong(s.loop.out, in.ping, s.server.clock())
	}
	if s.state != InWorld {
		s.maybeAcknowledged(in)
		return
	}
	at := in.ping.Position
	if err := at.Check(); err != nil {
		s.server.count.positionsRefused.Add(1)
		s.note(notePosition, "position refused", "error", err)
		return
	}
	if s.pinged && at == s.lastPing {
		return
	}
	if s.server.world.Move(s.player(), at) {
		s.pinged, s.lastPing = true, at
		s.client.Standpoint.Set(at)
	}
}

// releaseUse lets the client act again: it locks itself with every use, attack, take, drag and swap until it is answered,
// also when the request is refused or not understood.
//
// Source: protocol ingame 13.1.
func (s *Session) releaseUse(*incoming) {
	b := packets.Message(s.server.clock(), s.id(), packets.ClassPlayer, &packets.Manager{Command: &packets.ReleaseUse{}})
	b.End = true
	s.send(b)
}

// enterRefused ends a session that the world does not let in.
func (s *Session) enterRefused(e world.EnterRefused) {
	s.placed = false
	s.end(WorldRefused, e.Why.Error())
}

// moveRefused notes that the world has not believed where the client says it is.
func (s *Session) moveRefused(e world.MoveRefused) {
	s.server.count.positionsRefused.Add(1)
	s.note(notePosition, "position refused", "error", e.Why)
}

// poolsTick tells the client HP and MP.
func (s *Session) poolsTick(e world.PoolsTick) {
	if s.server.options.Dialect == packets.Classic {
		s.send(packets.ClassicSixSeconds(s.index))
		return
	}
	s.send(packets.SixSeconds(s.id(), s.server.clock(), int32(e.Pools.MP), int32(e.Pools.HP), e.HPChanged))
}

// say shows a text to the player, in as many lines as it needs.
func (s *Session) say(text string) {
	for _, line := range view.SystemLines(text) {
		s.send(packets.Message(s.server.clock(), s.id(), packets.ClassPlayer, view.SystemMessage(line)))
	}
}
