package session

import (
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// enter gives the session its player. Next state: Entering.
func (s *Session) enter(c *data.Character, items, vault []rules.Item) {
	s.playing = c.Playing()
	s.characters = [data.Slots]*data.Character{}
	s.player = s.server.options.NewPlayer(s, c, items, vault)
	s.setState(Entering)
}

// EnteredWorld begins life in the world, with so many players. Next state: InWorld.
func (s *Session) EnteredWorld(players int) {
	s.setState(InWorld)
	s.Log().Info("entered the world", "login", s.user, "character", s.playing.Name, "at", s.playing.Position)
	s.sendKeepalive()
	s.Send(s.clock())
	if s.server.options.Dialect != packets.Classic {
		s.Send(packets.Players(s.Clock(), players, true))
	}
	// Each client has a schedule of its own: thousands that entered together must not be served in one burst.
	first := keepaliveEarly + time.Duration(s.loop.random.Int64N(int64(keepalivePeriod-keepaliveEarly)))
	s.keptAlive = s.loop.now + first - keepalivePeriod
	s.loop.after(first, s, (*Session).keepAlive)
	s.loop.after(time.Duration(s.loop.random.Int64N(int64(clockPeriod))), s, (*Session).keepClock)
}

// Periods of messages that the server sends by itself, protocol ingame 7.5. The frame of every 6 s comes from the
// world.
const (
	keepalivePeriod = 3 * time.Second
	clockPeriod     = 15 * time.Second
)

// keepaliveEarly is how much earlier than it is due a keepalive goes out beside the answer to a ping, since a write of
// its own costs as much as that answer does.
const keepaliveEarly = time.Second

func (s *Session) keepAlive() {
	s.keepAliveAfter(keepalivePeriod)
	s.loop.after(s.keptAlive+keepalivePeriod-s.loop.now, s, (*Session).keepAlive)
}

// keepAliveAfter sends a keepalive if the last one is so old.
func (s *Session) keepAliveAfter(d time.Duration) {
	if s.loop.now-s.keptAlive >= d {
		s.keptAlive = s.loop.now
		s.sendKeepalive()
	}
}

func (s *Session) keepClock() {
	s.SendSoon(s.clock())
	s.loop.after(clockPeriod, s, (*Session).keepClock)
}

// clock tells the time of the game.
func (s *Session) clock() *packets.Body {
	if s.server.options.Dialect == packets.Classic {
		return packets.ClassicFifteenSeconds(s.index)
	}
	return packets.Clock(s.Clock(), s.server.gameTime())
}
