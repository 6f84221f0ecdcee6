package rules

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"time"

	"sphereserver/coords"
)

// A MissionGoal is the reward for which a player takes a mission.
type MissionGoal uint8

// The goals, in the order of the client's lists. Source: protocol life 1.1.
const (
	TitleGoal MissionGoal = iota
	DegreeGoal
	MoneyGoal
	KarmaGoal
	MissionGoals
)

// missionGoals are the names of the goals.
var missionGoals = [MissionGoals]Names{{"en": "title", "ru": "титул"}, {"en": "degree", "ru": "степень"},
	{"en": "money", "ru": "деньги"}, {"en": "karma", "ru": "карма"}}

// Name is the name of a goal in a language; tables and commands use the English one.
func (g MissionGoal) Name(language string) string { return missionGoals[g%MissionGoals].In(language) }

// MissionGoalOf is the goal of a name in either language; false if there is none.
func MissionGoalOf(word string) (MissionGoal, bool) {
	word = FoldWord(word)
	for g, names := range missionGoals {
		if word == names["en"] || word == names["ru"] {
			return MissionGoal(g), true
		}
	}
	return 0, false
}

// A MissionPlace is where a mission leads.
type MissionPlace uint8

// The places, in the order of the client's lists. Source: protocol life 1.1.
const (
	NearbyPlace MissionPlace = iota
	HyperionPlace
	HeliosPlace
	RodosPlace
	PhoebePlace
	LeonPlace
	HaronPlace
	MissionPlaces

	FarPlace MissionPlace = 255 // as a wish: the continent of the giver
)

// The kinds of missions that there are, by the letters of their templates. Source: protocol life 4.1.
const (
	KillInside   = 'k' // the monster named, in a dungeon
	KillOutside  = 'b' // the monster named, in the open
	FetchParcel  = 'p' // from a dungeon to the giver
	BringParcel  = 's' // to the person named
	RegainParcel = 'q' // from the monster named, in the open, to the giver
	Collect      = 'c' // things, for the giver
	FreePerson   = 'f' // a ward, out of a dungeon
	GuidePerson  = 'h' // a ward, to a teleport, in the open
)

// The texts of two templates of [Collect] speak of gear, and of things with qualities. Source: protocol life 4.1.
const (
	collectGear = "c005"
	collectFine = "c006"
)

// A MissionTemplate is the plan from which missions are made.
type MissionTemplate struct {
	Key      string // the letter of its kind and three digits, which name the client's text
	Goals    [MissionGoals]bool
	Min, Max int     // levels of the career, from 1
	Types    []int   // of monsters, of [Collect] kinds of things; nil: all that live, or are found, at the level
	Reward   float64 // times that of others
	Text     Names
}

// Kind is the letter of the template's kind.
func (t *MissionTemplate) Kind() byte { return t.Key[0] }

// An Entrance is the way into a dungeon of missions.
type Entrance struct {
	Number int // of the client's text that names it, 2000 to 2148
	At     coords.Position
	Sends  bool // no entrance is known there: the giver sends players with a mission
}

// A MissionGiver is the offers and the conditions of a giver of missions.
type MissionGiver struct {
	Goals              [MissionGoals]bool
	Places             [MissionPlaces]bool
	TitleMin, TitleMax int // levels less one within their cycles, except the last, which is 60
	DegreeMin          int
	DegreeMax          int
	KarmaMin, KarmaMax int // types
	Guild              int // that it takes players into, and gives the ranks of; 0: none, and no goals then
	Near               Entrance
	Far                []Entrance // the others of the same continent; none where Near is the only one
}

// MayTake says why a player of these levels, absolute and less one, and of a karma count gets no mission of a giver;
// 0 if it does.
//
// Source: protocol life 1.1, 4.2.
func (g *MissionGiver) MayTake(title, degree, karma int) RejectReason {
	title, degree = inCycle(title), inCycle(degree)
	switch k := KarmaType(karma); {
	case title < g.TitleMin:
		return TitleTooLow
	case title > g.TitleMax:
		return TitleTooHigh
	case degree < g.DegreeMin:
		return DegreeTooLow
	case degree > g.DegreeMax:
		return DegreeTooHigh
	case k < g.KarmaMin:
		return KarmaTooLow
	case k > g.KarmaMax:
		return KarmaTooGood
	}
	return 0
}

// Limit is the level from 1 that a refusal of a giver names; 0 for those that name none.
func (g *MissionGiver) Limit(why RejectReason) int {
	switch why {
	case TitleTooLow:
		return g.TitleMin + 1
	case TitleTooHigh:
		return min(g.TitleMax+1, CycleLevels)
	case DegreeTooLow:
		return g.DegreeMin + 1
	case DegreeTooHigh:
		return min(g.DegreeMax+1, CycleLevels)
	}
	return 0
}

// Choose is the goal and the place that a giver takes a wish for: the first that it offers in place of one that it
// does not, and for [FarPlace] the first that is not [NearbyPlace].
func (g *MissionGiver) Choose(goal MissionGoal, place MissionPlace) (MissionGoal, MissionPlace, bool) {
	if goal >= MissionGoals || !g.Goals[goal] {
		goal = MissionGoal(slices.Index(g.Goals[:], true))
	}
	for p := HyperionPlace; place == FarPlace && p < MissionPlaces; p++ {
		if g.Places[p] {
			place = p
		}
	}
	if place >= MissionPlaces || !g.Places[place] {
		place = MissionPlace(slices.Index(g.Places[:], true))
	}
	return goal, place, goal < MissionGoals && place < MissionPlaces
}

// A Mission is a task of a player. It is stored in the key that its owner carries.
type Mission struct {
	Template string          `json:"template"`
	Goal     MissionGoal     `json:"goal"`
	Level    int             `json:"level"`  // of the monsters
	Type     int             `json:"type"`   // of the monsters
	Target   int32           `json:"target"` // code of the name of the target: killed, led, or given a parcel
	Entrance int             `json:"entrance"`
	Seal     uint32          `json:"seal"` // a number of unknown meaning
	At       coords.Position `json:"at"`   // of the entrance, or where the target is
	Sends    bool            `json:"sends,omitempty"`
	Reward   float64         `json:"reward"`           // times that of others
	Ends     int64           `json:"ends"`             // Unix seconds
	From     int32           `json:"from,omitempty"`   // code of the giver's name
	Back     coords.Position `json:"back,omitzero"`    // where the giver stands
	Wants    int             `json:"wants,omitempty"`  // kind of the things that are to be brought
	Count    int             `json:"count,omitempty"`  // of them
	Passed   bool            `json:"passed,omitempty"` // its owner has it from another player
	Opened   bool            `json:"opened,omitempty"` // its dungeon was entered once
	Guild    int             `json:"guild,omitempty"`  // that gives a rank for it; 0: none
	Rank     int             `json:"rank,omitempty"`   // from 0
}

// Kind is the letter of the mission's kind, 0 for none.
func (m *Mission) Kind() byte {
	if m.Template == "" {
		return 0
	}
	return m.Template[0]
}

// IsTask reports whether a guild gives missions of its kind for ranks: killing and collecting. Source: protocol life
// 5.4.
func (m *Mission) IsTask() bool {
	return m.Kind() == KillInside || m.Kind() == KillOutside || m.Kind() == Collect
}

// Inside reports whether it is done in a dungeon.
func (m *Mission) Inside() bool {
	return m.Kind() == KillInside || m.Kind() == FetchParcel || m.Kind() == FreePerson
}

// Hunts reports whether its target is a monster in the open.
func (m *Mission) Hunts() bool { return m.Kind() == KillOutside || m.Kind() == RegainParcel }

// Returns reports whether it ends with bringing something to its giver.
func (m *Mission) Returns() bool {
	return m.Kind() == FetchParcel || m.Kind() == RegainParcel || m.Kind() == Collect
}

// Fine reports whether a thing of a kind that is to be brought has to have a quality: a suffix, if the kind has any.
func (m *Mission) Fine(k *Kind) bool { return m.Template == collectFine && k.SuffixLetter() != "" }

// weightOfParcel is that of a parcel; it is ours.
const weightOfParcel = 100

// Parcel is the parcel of a mission; false if it has none. The parcel names its sender and its recipient.
//
// Source: protocol life 1.1; the first number, and which name comes first, is ours.
func (m *Mission) Parcel() (Item, bool) {
	from, to := m.Target, m.From
	switch m.Kind() {
	case BringParcel:
		from, to = to, from
	case FetchParcel, RegainParcel:
	default:
		return Item{}, false
	}
	extra := binary.LittleEndian.AppendUint32(make([]byte, 2), uint32(from))
	return Item{Class: ClassParcel, Suffix: NoSuffix, Count: 1, Durability: 100, MaxDurability: 100, Bound: true,
		Weight: weightOfParcel, Extra: binary.LittleEndian.AppendUint32(extra, uint32(to))}, true
}

// ParcelIn finds the parcel of a mission, nil if it is not there.
func (m *Mission) ParcelIn(h *Inventory) *Item {
	parcel, ok := m.Parcel()
	for i := range h.Items {
		if t := &h.Items[i]; ok && t.Class == ClassParcel && bytes.Equal(t.Extra, parcel.Extra) {
			return t
		}
	}
	return nil
}

// EndMission takes the key of a mission from its owner, and its parcel.
func (x *InventoryTx) EndMission(s *Side, key ItemID) {
	if m, ok := MissionOf(s.Find(key)); ok {
		for t := m.ParcelIn(&s.Inventory); t != nil; t = m.ParcelIn(&s.Inventory) {
			x.Take(s, t.ID)
		}
	}
	x.Take(s, key)
}

// MayPass says why a mission may not be passed on to a player of these levels, absolute and less one; 0 if it may.
//
// Source: protocol life 4, and texts 10077, 10395 and 10397 of the client; the limits are ours.
func (b *MissionBalance) MayPass(m *Mission, title, degree int, now time.Time) RejectReason {
	gap := MissionLevel(m.Goal, title, degree) - m.Level
	switch {
	case m.Passed:
		return NotItsOwner
	case m.Guild != 0:
		return TheyCannotTake
	case m.Over(now) || !now.Before(time.Unix(m.Ends, 0).Add(b.Pass-b.Lasts)):
		return PassedTooLate
	case max(gap, -gap) > b.PassLevels:
		return LevelsDiffer
	}
	return 0
}

// PassMission brings the key of a mission, and its parcel, from its owner to another player, which cannot pass it on.
func (x *InventoryTx) PassMission(from, to *Side, key ItemID) RejectReason {
	m, ok := MissionOf(from.Find(key))
	parcel := m.ParcelIn(&from.Inventory)
	m.Passed = true
	passed, sound := m.Key()
	switch {
	case !ok || !sound:
		return NoMission
	case to.At(0, SlotMission) != nil:
		return TheyCannotTake
	case parcel != nil:
		slot, free := to.Free(0, SlotInventory, EndOfInventory)
		if !free {
			return TheyCannotTake
		}
		x.Carry(from, to, parcel.ID, 0, slot)
	}
	x.Edit(from, key).Extra = passed.Extra
	x.Carry(from, to, key, 0, SlotMission)
	return 0
}

// Deliver takes the things that are to be brought from the owner of a mission, except a parcel, which goes with the
// key, bags that hold something, and locked items. False if something is missing: then nothing may come of the
// change.
func (t *Tables) Deliver(x *InventoryTx, s *Side, m *Mission, locked func(ItemID) bool) bool {
	if m.Kind() != Collect {
		return m.ParcelIn(&s.Inventory) != nil
	}
	left := m.Count
	for i := len(s.Items) - 1; i >= 0 && left > 0; i-- {
		it := &s.Items[i]
		if k := t.KindOf(it); k == nil || k.ID != m.Wants || it.In == 0 && !InInventory(it.Slot) ||
			m.Fine(k) && it.Suffix < 0 || s.Holds(it.ID) || locked(it.ID) {
			continue
		}
		if it.Count > left {
			x.Edit(s, it.ID).Count -= left
			return true
		}
		left -= it.Count
		x.Take(s, it.ID)
	}
	return left <= 0
}

// Over reports whether the time of a mission is over: at [Mission.Ends], to the second.
func (m *Mission) Over(now time.Time) bool { return now.Unix() >= m.Ends }

// weightOfKey is that of the key of a mission. Source: protocol life 4.2.
const weightOfKey = 25

// Key is the item that stores a mission.
func (m *Mission) Key() (Item, bool) {
	extra, err := json.Marshal(m)
	return Item{Slot: SlotMission, Class: ClassMission, Suffix: NoSuffix, Count: 1, Durability: 100, MaxDurability: 100,
		Bound: true, Weight: weightOfKey, Extra: extra}, err == nil
}

// MissionOf reads the mission of a key; false if the item is none.
func MissionOf(i *Item) (m Mission, ok bool) {
	if i == nil || i.Class != ClassMission || json.Unmarshal(i.Extra, &m) != nil || len(m.Template) != missionKey ||
		m.At.Check() != nil || m.Back.Check() != nil || m.Count < 0 || m.Level < 1 || m.Goal >= MissionGoals ||
		m.Guild != 0 && !IsGuild(m.Guild) || m.Rank < 0 || m.Rank >= GuildRanks || !(m.Reward >= 0) {
		return Mission{}, false
	}
	return m, true
}

const missionKey = 4 // letters of the key of a template

// MissionLevel is the level from 1 by which missions of a goal are made.
func MissionLevel(goal MissionGoal, title, degree int) int {
	switch goal {
	case TitleGoal:
		return inCycle(title) + 1
	case DegreeGoal:
		return inCycle(degree) + 1
	}
	return Strength(title, degree)
}

// Shares reports whether a party member with a title and a degree gets a part of the reward of a mission: as with
// kills, [ExperienceBalance].GroupLevels apart from its level at most. It is ours.
func (b *ExperienceBalance) Shares(m *Mission, title, degree int) bool {
	gap := MissionLevel(m.Goal, title, degree) - m.Level
	return max(gap, -gap) <= b.GroupLevels
}

// A MissionLand is the open world as missions are made from it. Both say false if there is nothing of the sort.
type MissionLand interface {
	// Spot is a place at a distance from a landmark.
	Spot(landmark coords.Position) (coords.Position, bool)
	// Person is a person around a landmark that may get a parcel: the code of its name, and its place.
	Person(landmark coords.Position) (name int32, at coords.Position, ok bool)
}

// NewMission makes a mission for a player of a level; false if there is none for the goal and level.
//
// Source: protocol life 4.4; the choice of target, level and things to bring is ours.
func (t *Tables) NewMission(r *rand.Rand, balance *Balance, all []MissionTemplate, g *MissionGiver, goal MissionGoal,
	place MissionPlace, level int, land MissionLand) (m Mission, ok bool) {
	b := &balance.Mission
	near := g.Near
	if place != NearbyPlace && len(g.Far) > 0 {
		near = g.Far[r.IntN(len(g.Far))]
	}
	var fit []*MissionTemplate
	for i := range all {
		if c := &all[i]; c.Goals[goal] && c.Min <= level && level <= c.Max {
			fit = append(fit, c)
		}
	}
	for len(fit) > 0 && !ok {
		i := r.IntN(len(fit))
		c := fit[i]
		fit = slices.Delete(fit, i, i+1)
		m = Mission{Template: c.Key, Goal: goal, Entrance: near.Number, At: near.At, Sends: near.Sends, Reward: c.Reward,
			Seal: r.Uint32(), Target: MonsterName(r), Level: max(level+r.IntN(2*b.Spread+1)-b.Spread, 1)}
		switch m.Kind() {
		case Collect:
			ok = t.want(r, balance, c, &m)
		case BringParcel:
			m.Target, m.At, ok = land.Person(near.At)
		case GuidePerson:
			m.At, ok = land.Spot(near.At)
		default:
			if ok = t.prey(r, c, &m); ok && m.Hunts() {
				m.At, ok = land.Spot(near.At)
			}
		}
		m.Sends = m.Sends && m.Inside()
	}
	return m, ok
}

// prey draws the type of the monsters of a mission; false if there is none.
func (t *Tables) prey(r *rand.Rand, c *MissionTemplate, m *Mission) bool {
	types := c.Types
	if len(types) == 0 {
		types = t.preyAt(m.Level)
	}
	if len(types) == 0 {
		return false
	}
	m.Type = types[r.IntN(len(types))]
	return t.Monster(m.Type) != nil
}

// want draws the things to collect: of the kinds of the template, or else one piece of gear of the level if its text
// is about that, or trophies of monsters of the level, or materials that are found where they are. False if there is
// nothing.
func (t *Tables) want(r *rand.Rand, b *Balance, c *MissionTemplate, m *Mission) bool {
	kinds := c.Types
	if len(kinds) == 0 && (c.Key == collectGear || c.Key == collectFine) {
		gear := t.gear(b.Loot.tier(m.Level), c.Key == collectFine)
		if len(gear) > 0 {
			m.Wants, m.Count = gear[r.IntN(len(gear))].ID, 1
		}
		return len(gear) > 0
	}
	if len(kinds) == 0 {
		for _, id := range t.preyAt(m.Level) {
			for _, trophy := range t.Monster(id).Trophies {
				if k := t.Kind(trophy.Kind); k != nil && k.Class > 0 && trophy.Chance > 0 && !slices.Contains(kinds, k.ID) {
					kinds = append(kinds, k.ID)
				}
			}
		}
	}
	if len(kinds) == 0 {
		for _, k := range t.choices(&find{classes: materials, lesser: true}, b.Loot.tier(m.Level)) {
			kinds = append(kinds, k.ID)
		}
	}
	if len(kinds) == 0 {
		return false
	}
	m.Wants = kinds[r.IntN(len(kinds))]
	m.Count = max(b.Mission.CollectMin, 1) + r.IntN(max(b.Mission.CollectMax-max(b.Mission.CollectMin, 1), 0)+1)
	return t.Kind(m.Wants) != nil
}

// preyAt lists the types of monsters that live at a level and may be the target of a mission: none with a death that
// costs karma.
func (t *Tables) preyAt(level int) (types []int) {
	for i := range t.monsters {
		if m := &t.monsters[i]; m.Low < level && level <= m.High+1 && m.Karma < KarmaNeutral && !m.Harmless() &&
			m.ID != NewcomersMonster {
			types = append(types, m.ID)
		}
	}
	return types
}

// A Reward is the reward of a mission: one of the three.
type Reward struct {
	Career School // of XP
	XP     int
	Money  int64
	Karma  int
	Guild  int // 1 to 14, 0: none
	Rank   int // of the guild, from 0
}

// Reward is the reward that the owner of a mission gets for it; others that have helped get a part.
//
// Source: protocol life 4.4.
func (b *MissionBalance) Reward(e *ExperienceBalance, m *Mission, part float64) (r Reward) {
	times := part * m.Reward
	r.Guild, r.Rank = m.Guild, m.Rank
	switch m.Goal {
	case TitleGoal, DegreeGoal:
		if m.Goal == DegreeGoal {
			r.Career = Magical
		}
		r.XP = int(payable(times * max(float64(b.LeastXP), b.Kills*e.base(m.Level))))
	case MoneyGoal:
		r.Money = int64(payable(times * (b.Money + b.MoneyLevel*float64(m.Level))))
	case KarmaGoal:
		r.Karma = int(payable(times * float64(b.Karma)))
	}
	return r
}

// payable is a reward that is no more than a character can own, and no less than nothing: greater numbers do not fit
// into whole ones.
func payable(reward float64) float64 {
	if !(reward >= 0) {
		return 0
	}
	return min(reward, MaxMoney)
}
