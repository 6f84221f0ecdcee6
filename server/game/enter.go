package game

import (
	"math/rand/v2"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
)

// enter sends the enter-world frame. Next state: Entering.
func (s *Session) enter(c *data.Character, items []data.Item) {
	s.playing, s.items = c, items
	s.characters = [data.Slots]*data.Character{}
	s.numberItems()
	m := s.snapshot()
	if s.server.options.Dialect == packets.Classic {
		at := packets.ClassicPlace{X: float64(m.X), Y: float64(m.Y), Z: float64(m.Z), Yaw: float64(m.Yaw)}
		s.send(packets.ClassicEnterWorld(s.index, m, at))
	} else {
		s.send(packets.EnterWorldFrame(s.index, packets.PregameClock, &m))
	}
	s.become(Entering)
}

// numberItems gives the carried things ids of this session's own. Only their owner's client hears of them, so they need to
// differ from each other and from every player's id alone.
func (s *Session) numberItems() {
	s.itemIDs = make(map[data.ItemID]packets.ObjectID, len(s.items))
	next := uint32(0)
	for i := range s.items {
		s.itemIDs[s.items[i].ID] = itemID(next)
		next++
	}
}

// itemID returns the n-th id that no player can have: those of players are indexes from 0x4F6F on with their bytes swapped,
// so a low byte below 0x4F is never theirs.
func itemID(n uint32) packets.ObjectID {
	const low = uint32(packets.FirstPlayerIndex >> 8)
	const base = 0x1000 // above the few ids that have a meaning
	return packets.ObjectID(base + n/low<<8 | n%low)
}

// snapshot is the character as it enters.
func (s *Session) snapshot() packets.WorldSnapshot {
	c := s.playing
	at := s.server.place(c.Position)
	m := packets.WorldSnapshot{Name: c.Name, Clan: c.ClanName, ClanRank: -1, Look: int32(look(c)), X: at.X, Y: at.Y, Z: at.Z, Yaw: at.Yaw,
		HP: int32(c.HP), MaxHP: int32(data.MaxHP(c.TitleLevel, c.DegreeLevel)), Karma: uint8(data.KarmaType(c.KarmaCount)),
		Levels: int32(c.DegreeLevel%levelCycle*100 + c.TitleLevel%levelCycle), Guild: guildNumber(c), GuildRank: uint8(c.GuildLevel), Money: uint32(c.Money)}
	if c.ClanName != "" {
		m.ClanRank = int8(c.ClanRank)
	}
	if c.Female {
		m.Gender = 1
	}
	for i := range s.items {
		if it := &s.items[i]; it.Container == 0 && it.Slot >= 0 && it.Slot < packets.Slots {
			w := stackWeight(it)
			m.Occupied[it.Slot] = 1
			m.Weights[it.Slot] = uint32(w) & (1<<20 - 1)
			m.Carried += w
		}
	}
	return m
}

// levelCycle is how many levels there are between two rebirths.
const levelCycle = 60

// guildNumber is the guild as the wire has it.
func guildNumber(c *data.Character) int32 {
	if c.Guild == 0 {
		return 0
	}
	return int32(c.Guild) + 64
}

func stackWeight(it *data.Item) int32 { return int32(it.Weight * max(it.Count, 1)) }

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
		c := s.playing
		s.placed = true
		s.server.world.Do(world.Enter{Player: world.Player{ID: s.player(), Character: int64(c.ID), Name: c.Name, Account: s.user, Title: c.TitleLevel,
			Degree: c.DegreeLevel, Position: s.server.place(c.Position), Vitals: world.Vitals{HP: c.HP, MP: c.MP,
				MaxHP: data.MaxHP(c.TitleLevel, c.DegreeLevel), MaxMP: data.MaxMP(c.TitleLevel, c.DegreeLevel),
				Satiety: c.Satiety, MaxSatiety: c.MaxSatiety}}})
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

// sendBelongings sends the entry block, then the record of each thing.
func (s *Session) sendBelongings() {
	block := []packets.Region{&packets.ContMan{Command: &packets.ResetSlots{}}}
	for i := range s.items {
		if it := &s.items[i]; it.Container == 0 {
			block = append(block, &packets.ContMan{Command: &packets.FillSlot{Slot: uint8(it.Slot), Item: s.itemIDs[it.ID], Weight: stackWeight(it)}})
		}
	}
	block = append(block, &packets.Manager{Command: &packets.Money{Amount: uint32(s.playing.Money)}})
	s.send(packets.Message(s.server.clock(), s.id(), packets.ClassPlayer, block...))
	for i := range s.items {
		s.send(&packets.Body{Clock: s.server.clock(), Sections: []packets.Section{s.itemRecord(&s.items[i]).Spawn()}})
	}
}

// itemRecord is what the client is told of a thing.
func (s *Session) itemRecord(it *data.Item) *packets.ItemRecord {
	r := &packets.ItemRecord{ID: s.itemIDs[it.ID], Class: packets.Class(it.Class), GameID: it.GameID, Suffix: it.Suffix,
		Durability: it.Durability, MaxDurability: it.MaxDurability, Premium: it.Premium, Owner: packets.Unbound, Parent: s.id()}
	if it.Count > 1 {
		r.Count = it.Count
	}
	if it.Bound {
		r.Owner = uint32(s.id())
	}
	if it.Container != 0 {
		r.Parent = s.itemIDs[it.Container]
	}
	if len(it.Extra) > 0 {
		const itemExtra = 15
		r.Extra = &packets.UnknownCommand{Number: itemExtra, Data: it.Extra}
	}
	return r
}

// stats are all values of the character, in ascending order as recorded servers send them on entering.
//
// Source: protocol ingame 8.3 and 12.1.
func (s *Session) stats() []packets.Region {
	c := s.playing
	maxHP, maxMP := data.MaxHP(c.TitleLevel, c.DegreeLevel), data.MaxMP(c.TitleLevel, c.DegreeLevel)
	gender := 0
	if c.Female {
		gender = 1
	}
	values := []struct {
		stat  packets.Stat
		value int
	}{
		{packets.StatHP, c.HP}, {packets.StatMaxHP, maxHP}, {packets.StatMP, c.MP}, {packets.StatMaxMP, maxMP},
		{packets.StatSatiety, c.Satiety}, {packets.StatMaxSatiety, c.MaxSatiety},
		{packets.StatStrength, c.Strength}, {packets.StatAgility, c.Agility}, {packets.StatAccuracy, c.Accuracy},
		{packets.StatEndurance, c.Endurance}, {packets.StatEarth, c.Earth}, {packets.StatAir, c.Air}, {packets.StatWater, c.Water}, {packets.StatFire, c.Fire},
		{packets.StatUnknown14, 1}, {packets.StatUnknown15, 1},
		{packets.StatPhysicalDefence, 0}, {packets.StatMagicalDefence, 0}, {packets.StatPhysicalAttack, 0}, {packets.StatMagicalAttack, 0},
		{packets.StatInvisible, 0}, {packets.StatGuild, int(guildNumber(c))}, {packets.StatGuildRank, c.GuildLevel}, {packets.StatUnknown23, 0},
		{packets.StatBaseMaxHP, maxHP}, {packets.StatBaseMaxMP, maxMP}, {packets.StatBaseSatiety, c.MaxSatiety},
		{packets.StatBaseStrength, c.Strength}, {packets.StatBaseAgility, c.Agility}, {packets.StatBaseAccuracy, c.Accuracy},
		{packets.StatBaseEndurance, c.Endurance}, {packets.StatBaseEarth, c.Earth}, {packets.StatBaseAir, c.Air},
		{packets.StatBaseWater, c.Water}, {packets.StatBaseFire, c.Fire},
		{packets.StatUnknown35, 1}, {packets.StatUnknown36, 1},
		{packets.StatTitle, c.TitleLevel % levelCycle}, {packets.StatDegree, c.DegreeLevel % levelCycle},
		{packets.StatKarma, data.KarmaType(c.KarmaCount)}, {packets.StatKarmaPoints, c.KarmaCount},
		{packets.StatTitleXP, int(c.TitleXP)}, {packets.StatDegreeXP, int(c.DegreeXP)},
		{packets.StatFreeStatPoints, c.StatPoints}, {packets.StatFreeTitlePoints, c.TitlePoints}, {packets.StatFreeDegreePoints, c.DegreePoints},
		{packets.StatGender, gender}, {packets.StatUnknown51, 0},
		{packets.StatTitleRebirths, c.TitleLevel / levelCycle}, {packets.StatDegreeRebirths, c.DegreeLevel / levelCycle}, {packets.StatUnknown54, 1},
	}
	regions := make([]packets.Region, len(values))
	for i, v := range values {
		regions[i] = &packets.SetStat{Stat: v.stat, Value: int32(v.value)}
	}
	return regions
}

// inside begins life in the world. Next state: InWorld.
func (s *Session) inside(players int) {
	s.become(InWorld)
	s.server.count.inWorld.Add(1)
	s.log().Info("entered the world", "login", s.user, "character", s.playing.Name, "at", s.playing.Position)
	s.sendKeepalive()
	s.sendClock()
	if s.server.options.Dialect != packets.Classic {
		s.send(packets.Players(s.server.clock(), players, true))
	}
	// Each client has a schedule of its own: thousands that entered together must not be served in one burst.
	s.loop.after(rand.N(keepalivePeriod), s, (*Session).keepAlive)
	s.loop.after(rand.N(clockPeriod), s, (*Session).keepClock)
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
