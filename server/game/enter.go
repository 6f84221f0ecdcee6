package game

import (
	"math/rand/v2"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// enter sends the enter-world frame. kept is what the account has in its vault. Next state: Entering.
func (s *Session) enter(c *data.Character, items, kept []rules.Item) {
	s.playing = c
	s.characters = [data.Slots]*data.Character{}
	s.prepare(items, kept)
	m := s.snapshot()
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
	values, look := world.Values(s.server.options.World.Rules, *p)
	p.Appearance = look
	for _, v := range values {
		s.values[v.Index] = int32(v.Value)
	}
	s.entrant = p
	for i := range p.Items {
		s.ids.add(idEntry{class: packets.Class(p.Items[i].Class), item: p.Items[i].ID}) // there are more ids than anybody can carry things
	}
}

// snapshot is the character as it enters.
func (s *Session) snapshot() packets.WorldSnapshot {
	c, p := s.playing, s.entrant
	at := p.Position
	m := packets.WorldSnapshot{Name: c.Name, Clan: c.ClanName, ClanRank: -1, Look: int32(look(c)), X: at.X, Y: at.Y, Z: at.Z, Yaw: at.Yaw,
		HP: s.values[packets.StatHP], MaxHP: s.values[packets.StatBaseMaxHP], Karma: uint8(p.Appearance.Karma),
		Levels: int32(c.DegreeLevel%levelCycle*100 + c.TitleLevel%levelCycle), Guild: guildNumber(c.Guild), GuildRank: uint8(c.GuildLevel), Money: uint32(c.Money)}
	if c.ClanName != "" {
		m.ClanRank = int8(c.ClanRank)
	}
	if c.Female {
		m.Gender = 1
	}
	for i := range p.Items {
		if t := &p.Items[i]; t.In == 0 && t.Slot >= 0 && t.Slot < packets.Slots {
			w := weigh(t, p.Items)
			m.Occupied[t.Slot] = 1
			m.Weights[t.Slot] = uint32(w) & (1<<20 - 1)
			m.Carried += w
		}
	}
	return m
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
		s.sendBelongings()
		s.send(packets.Message(s.server.clock(), s.id(), packets.ClassPlayer, s.stats()...))
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

// sendBelongings sends the entry block, then the record of each thing, bags before what is in them.
func (s *Session) sendBelongings() {
	p := s.entrant
	f := former{rules: s.server.kinds, ids: &s.ids, me: s.id()}
	f.about(s.id(), packets.ClassPlayer, contMan(&packets.ResetSlots{}))
	for i := range p.Items {
		if t := &p.Items[i]; t.In == 0 {
			f.fill(world.SlotNow{Slot: t.Slot, Item: t.ID, Weight: int(weigh(t, p.Items))})
		}
	}
	f.about(s.id(), packets.ClassPlayer, moneyRegion(p.Money))
	s.sendSections(f.sections)
	for _, spawn := range f.spawns(p.Items, s.id()) {
		s.sendSections([]packets.Section{spawn})
	}
	f.sections = nil
	for i := range p.Items {
		if t := &p.Items[i]; t.In != 0 {
			f.fill(world.SlotNow{In: world.Container{Bag: t.In}, Slot: t.Slot, Item: t.ID, Weight: int(weigh(t, p.Items))})
		}
	}
	if len(f.sections) > 0 {
		s.sendSections(f.sections)
	}
}

func (s *Session) sendSections(sections []packets.Section) {
	s.send(&packets.Body{Clock: s.server.clock(), Sections: sections})
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
