package game

import (
	"math/rand/v2"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// enter sends the enter-world frame. kept is what the account has in its vault. Next state: Entering.
func (s *Session) enter(c *data.Character, items, kept []rules.Item) {
	s.playing = c
	s.characters = [data.Slots]*data.Character{}
	s.prepare(items, kept)
	m := view.EntrySnapshot(s.entrant, &s.values)
	if s.server.options.Dialect == packets.Classic {
		at := packets.ClassicPlace{X: float64(m.X), Y: float64(m.Y), Z: float64(m.Z), Yaw: float64(m.Yaw)}
		s.send(packets.ClassicEnterWorld(s.index, m, at))
	} else {
		s.send(packets.EnterWorldFrame(s.index, packets.PregameClock, &m))
	}
	s.become(Entering)
}

// prepare makes the player that will enter the world, and gives what it carries ids of this session's own.
func (s *Session) prepare(items, kept []rules.Item) {
	c := s.playing
	p := &world.Player{ID: s.player(), Character: int64(c.ID), Name: c.Name, Account: s.user, Role: world.Role(s.role),
		Title: c.TitleLevel, Degree: c.DegreeLevel, Position: s.server.place(c.Position), Pools: vitalsOf(c), Appearance: lookOf(c),
		Items: rules.BagsFirst(items), VaultItems: rules.BagsFirst(kept), Vault: int64(s.account), Money: c.Money, Progress: c.Progress()}
	values, look := world.Values(s.server.options.World.Tables, *p)
	p.Appearance = look
	for _, v := range values {
		s.values[v.Index] = int32(v.Value)
	}
	s.entrant = p
	s.client = view.NewClient(s.player(), s.user, s, &s.loop.queue)
	s.server.view.Attach(s.client)
	s.client.KnowCarried(p.Items)
}

// acknowledged sends what follows the client's acknowledgement, and lets the player into the world. Next state: InWorld, when
// the world has let it in.
//
// Source: protocol session 8, ingame 8.3.
func (s *Session) acknowledged(*incoming) {
	if s.acked {
		return
	}
	s.acked = true
	if s.server.options.Dialect == packets.Classic {
		first, second := packets.ClassicEntry(s.index)
		s.sendBytes(first)
		s.loop.after(s.server.options.Delays.Settle, s, func(s *Session) { s.sendBytes(second) })
	} else {
		s.sendCarried()
		s.send(packets.Message(s.server.clock(), s.id(), packets.ClassPlayer, view.StatsRegions(&s.values, s.playing.Female)...))
	}
	s.loop.after(s.server.options.Delays.Settle, s, func(s *Session) {
		s.placed = true
		s.server.world.Do(world.Enter{Player: *s.entrant})
		s.entrant = nil
	})
}

// maybeAcknowledged takes any gameplay frame for the acknowledgement when the real one does not follow soon. A recorded client
// sent it 0.92 s after the first frame, so a second would be too tight.
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

// sendCarried sends what the player carries.
func (s *Session) sendCarried() {
	for _, sections := range view.EncodeCarried(s.server.options.World.Tables, s.client, s.entrant) {
		s.send(&packets.Body{Clock: s.server.clock(), Sections: sections})
	}
}

// inside begins life in the world. Next state: InWorld.
func (s *Session) inside(e world.Entered) {
	s.become(InWorld)
	s.entered.Store(true)
	s.log().Info("entered the world", "login", s.user, "character", s.playing.Name, "at", s.playing.Position)
	s.sendKeepalive()
	s.sendClock()
	if s.server.options.Dialect != packets.Classic {
		s.send(packets.Players(s.server.clock(), e.Players, true))
	}
	// Each client has a schedule of its own: thousands that entered together must not be served in one burst.
	s.loop.after(rand.N(keepalivePeriod), s, (*Session).keepAlive)
	s.loop.after(rand.N(clockPeriod), s, (*Session).keepClock)
	s.enterClans()
}

// Periods of what the server sends by itself, protocol ingame 7.5. The frame of every 6 s comes from the world.
const (
	keepalivePeriod = 3 * time.Second
	clockPeriod     = 15 * time.Second
)

func (s *Session) keepAlive() {
	s.sendKeepalive()
	s.loop.after(keepalivePeriod, s, (*Session).keepAlive)
}

func (s *Session) keepClock() {
	s.sendClock()
	s.loop.after(clockPeriod, s, (*Session).keepClock)
}

func (s *Session) sendKeepalive() { s.sendBytes(keepaliveFrame) }

func (s *Session) sendClock() {
	if s.server.options.Dialect == packets.Classic {
		s.send(packets.ClassicFifteenSeconds(s.index))
		return
	}
	s.send(packets.Clock(s.server.clock(), s.server.gameTime()))
}
