package rules

import (
	"strings"
	"time"
)

// The wire numbers of the slots of effects. Source: protocol ingame 14.
const (
	SlotEffects  = SlotMutators
	EndOfEffects = EndOfMutators // one more than the last
)

// An Effect is what lies on a character for a while: the columns of the item, or of the monster, that caused it.
//
// Source: protocol fight 11.1.
type Effect struct {
	Slot   int    // wire number, [SlotEffects] to EndOfEffects-1
	ID     int    // column 41
	Key    string // column 48, four letters: "mgss"
	Kind   EffectKind
	Tier   int   // of the item
	Length int   // column 42: the length code, as it is sent
	Bonus  Bonus // columns 22 to 35; of poison and regeneration these are no bonus, see [Effect.Bonuses]
	Caster int64 // number of the character, 0: none
	Left   time.Duration
}

// An EffectKind is whether an effect is meant well.
type EffectKind uint8

// The kinds, with the numbers of the wire.
const (
	GoodEffect    EffectKind = iota // mg
	BadEffect                       // mb, mm
	SpecialEffect                   // ms
)

// EffectOf returns the effect that using an item of a kind leaves, with the numbers of its suffix; false if it leaves
// none. Slot and Caster are still to be set.
//
// Source: protocol fight 11.1.
func EffectOf(k *Kind, n *Columns) (Effect, bool) {
	if n.Effect == 0 {
		return Effect{}, false
	}
	e := Effect{ID: n.Effect, Key: k.EffectKey, Kind: effectKind(k.EffectKey), Tier: k.Tier, Length: n.EffectLength,
		Bonus: n.Bonus}
	if strings.Trim(e.Key, "-") == "" && k.Class == ClassBlackMantra {
		e.Kind = BadEffect
	}
	e.Left = e.Whole()
	return e, true
}

// EffectOfMonster returns the effect that hits of a monster of a level can leave; false if they leave none.
//
// Source: protocol fight 11.3.
func EffectOfMonster(m *Monster, level int, b *EffectBalance) (Effect, bool) {
	if m.Effect == 0 {
		return Effect{}, false
	}
	e := Effect{ID: m.Effect, Key: m.EffectKey, Kind: effectKind(m.EffectKey), Length: m.Length, Bonus: m.Changes}
	part := b.MonsterColumn
	if e.behaviour() == overTime {
		part = b.MonsterPoison
	}
	scale := func(v *int) {
		switch grown := int(float64(*v) * float64(level) * part); {
		case grown != 0 || *v == 0:
			*v = grown
		case *v < 0:
			*v = -1
		default:
			*v = 1
		}
	}
	for _, v := range [...]*int{&e.Bonus.HP, &e.Bonus.MP, &e.Bonus.Attack, &e.Bonus.PhysicalDefence,
		&e.Bonus.MagicalDefence, &e.Bonus.Magic} {
		scale(v)
	}
	for i := range e.Bonus.Stats {
		scale(&e.Bonus.Stats[i])
	}
	e.Left = e.Whole()
	return e, true
}

// Weakened is how many of a monster's greatest HP an effect takes that changes them.
func (b *EffectBalance) Weakened(maxHP, change int) int {
	return min(max(-change, 0), int(b.MonsterHP*float64(maxHP)), maxHP-1)
}

// Rest is how long a spell of a thing cannot be cast again by the same character, beyond its use time.
//
// Source: protocol gamerules 13.2, column 43; that its unit is a minute is a guess of life 5.2.
func (b *EffectBalance) Rest(n *Columns) time.Duration {
	return time.Duration(max(n.Reuse, 0)) * b.Reuse
}

func effectKind(key string) EffectKind {
	switch {
	case strings.HasPrefix(key, "mg"), strings.HasPrefix(key, "mn"):
		return GoodEffect
	case strings.HasPrefix(key, "mb"), strings.HasPrefix(key, "mm"):
		return BadEffect
	}
	return SpecialEffect
}

// satedID is the number of an effect of our own, which no client is told: somebody is fed for a while. It lies in
// HiddenSlot, and nothing but time ends it.
const (
	satedID    = 0xFFFF
	HiddenSlot = 0
)

// SatedEffect is what a satiety potion leaves: for six hours nobody gets hungry, and has a tenth more HP.
//
// Source: protocol fight 9.5.
func SatedEffect() Effect {
	e := Effect{ID: satedID, Slot: HiddenSlot, Length: 72}
	e.Left = e.Whole()
	return e
}

// Sates says whether an effect is that of a satiety potion.
func (e *Effect) Sates() bool { return e.ID == satedID }

// A behaviour is what an effect does besides changing numbers. What is not here the client of a player does by itself:
// light, jumps, breathing under water. For monsters the server does it, which is ours.
type behaviour uint8

const (
	_         behaviour = iota // its columns are all
	overTime                   // its columns are HP and MP over the whole time
	stun                       // no blows
	fetters                    // no steps
	invisible                  // monsters do not notice; ends with a blow
	magicalCircle
	physicalCircle
	pranaShield
	vampire
	mirror
	freedom // nothing holds or slows
	steady  // nothing stuns or shakes
	slow    // of monsters
	blind   // monsters notice nobody, and miss more often
	clumsy  // monsters miss more often
	tame    // a pig: monsters do not strike
)

// behaviours are by id. Source: protocol ingame 14, fight 11.2.
var behaviours = map[int]behaviour{1005: overTime, 1006: overTime, 1007: overTime, 1008: overTime, 1021: overTime,
	2021: overTime, 1040: stun, 1036: fetters, 1023: invisible, 1030: invisible, 1004: magicalCircle, 1009: physicalCircle,
	1046: pranaShield, 1047: vampire, 1049: mirror, 1050: freedom, 1051: steady,
	1010: slow, 1011: slow, 1016: blind, 1017: blind,
	1012: clumsy, 1039: tame}

// shackles are the effects that hold or slow somebody, shocks those that stun or shake.
var (
	shackles = map[int]bool{1010: true, 1011: true, 1013: true, 1036: true}
	shocks   = map[int]bool{1012: true, 1039: true, 1040: true, 1044: true}
)

// harmful are the special effects that nobody lays on friends, though their keys do not say so.
var harmful = map[int]bool{1010: true, 1011: true, 1012: true, 1013: true, 1016: true, 1017: true, 1020: true,
	1036: true, 1037: true, 1039: true, 1040: true, 1043: true, 1044: true, 1048: true, 2021: true}

func (e *Effect) behaviour() behaviour { return behaviours[e.ID] }

// Whole is how long the effect lasts, from its beginning.
func (e *Effect) Whole() time.Duration { return time.Duration(secondsOf(e.Length)) * time.Second }

// Harmful says whether the effect is meant badly. Such an effect ends when who has it dies.
func (e *Effect) Harmful() bool { return e.Kind == BadEffect || harmful[e.ID] }

// Bonuses are what who has the effect gets of it, as of something worn.
func (e *Effect) Bonuses() Bonus {
	if e.behaviour() == overTime {
		return Bonus{}
	}
	return e.Bonus
}

// Costs says whether an effect that is meant well takes something as well, such as a defence: nobody lays it on
// strangers.
func (e *Effect) Costs() bool {
	b := e.Bonuses()
	return min(b.HP, b.MP, b.PhysicalDefence, b.MagicalDefence) < 0
}

// Ticks says whether the effect gives or takes HP and MP while it lasts.
func (e *Effect) Ticks() bool { return e.behaviour() == overTime }

// Gain is what an effect that ticks gives, or takes, in that part of its time in which what is left falls from before
// to after, when it works each so often. Over the whole time the shares are the columns, without fractions lost.
//
// Source: protocol fight 11.2.
func (e *Effect) Gain(before, after, each time.Duration) (hp, mp int) {
	if !e.Ticks() || each <= 0 || e.Whole() < each {
		return 0, 0
	}
	steps := int64(e.Whole() / each)
	from, to := min(int64((e.Whole()-before)/each), steps), min(int64((e.Whole()-after)/each), steps)
	share := func(total int) int { return int(int64(total)*to/steps - int64(total)*from/steps) }
	return share(e.Bonus.Stats[0]), share(e.Bonus.Stats[1])
}

// Stuns says whether who has the effect cannot strike, and Fetters whether it cannot walk.
func (e *Effect) Stuns() bool   { return e.behaviour() == stun }
func (e *Effect) Fetters() bool { return e.behaviour() == fetters }

// Slows, Blinds, Confuses and Tames say what else an effect does to a monster: it goes more slowly, notices nobody,
// misses more often, does not strike.
func (e *Effect) Slows() bool    { return e.behaviour() == slow }
func (e *Effect) Blinds() bool   { return e.behaviour() == blind }
func (e *Effect) Confuses() bool { return e.behaviour() == blind || e.behaviour() == clumsy }
func (e *Effect) Tames() bool    { return e.behaviour() == tame }

// Hides says whether monsters do not notice who has the effect.
func (e *Effect) Hides() bool { return e.behaviour() == invisible }

// Bars says whether an effect ends another when it begins, and keeps it away while it lasts: freedom what holds or
// slows, steadiness what stuns or shakes. Of the two no more is known than their names, so the rule is ours.
//
// Source: protocol ingame 14.
func (e *Effect) Bars(other *Effect) bool {
	switch e.behaviour() {
	case freedom:
		return shackles[other.ID]
	case steady:
		return shocks[other.ID]
	}
	return false
}

// Cleanses is how many effects an effect that does not stay takes away, 0 if it takes none. Source: protocol fight
// 11.2.
func (e *Effect) Cleanses() int {
	if e.ID < 1024 || e.ID > 1026 {
		return 0
	}
	return 2 * (e.ID - 1023)
}

// Grounds says whether an effect takes jumps away, [Effect.Lifts] whether it is one.
func (e *Effect) Grounds() bool { return e.ID == 1020 }
func (e *Effect) Lifts() bool   { return e.ID == 1014 || e.ID == 1015 }

// A Wards is what effects do with a blow at who has them.
type Wards struct {
	Physical, Magical bool // it does no damage in that school
	Prana             bool // a part is taken from MP
	Mirror            bool // a part goes back
	Vampire           bool // a part of blows of one's own heals
}

// A Warded is what wards make of the damage of a blow.
type Warded struct {
	Damage int // that is left
	Back   int // that comes upon the attacker
	Prana  int // MP that are taken instead
}

// Ward is what wards make of a blow at somebody with so many MP: one that is warded off does nothing, a mirror throws a
// part of the whole back, and prana takes a part of it upon itself. Source: protocol fight 11.
func (b *DamageBalance) Ward(w Wards, mp, damage int, school School) Warded {
	if school == Physical && w.Physical || school == Magical && w.Magical {
		return Warded{}
	}
	out := Warded{Damage: damage}
	if w.Mirror {
		out.Back = max(int(float64(damage)*b.Mirror), 0)
	}
	if w.Prana {
		out.Prana = max(min(int(float64(damage)*b.Prana), mp), 0)
		out.Damage -= out.Prana
	}
	return out
}

// WardsOf is what some effects do with blows.
func WardsOf(effects []Effect) (w Wards) {
	for i := range effects {
		switch effects[i].behaviour() {
		case physicalCircle:
			w.Physical = true
		case magicalCircle:
			w.Magical = true
		case pranaShield:
			w.Prana = true
		case mirror:
			w.Mirror = true
		case vampire:
			w.Vampire = true
		}
	}
	return w
}

// Lay finds where an effect comes to lie upon somebody who has others: it returns its slot, and the indexes of those
// that give way to it, at most two; -1 is none. It is false if the effect does not take hold.
//
// A stronger effect of the same id stays, otherwise the newer one takes its place; so it does with another id of the
// same key. When no slot is free, the oldest good one gives way.
//
// Source: protocol fight 11.2.
func Lay(have []Effect, e *Effect) (slot int, gives [2]int, ok bool) {
	gives = [2]int{-1, -1}
	n := 0
	var used [EndOfEffects - SlotEffects]bool
	for i := range have {
		h := &have[i]
		sameKey := h.Key == e.Key && strings.Trim(e.Key, "-") != ""
		switch {
		case h.ID == e.ID && h.Tier > e.Tier:
			return 0, gives, false
		case (h.ID == e.ID || sameKey) && n < len(gives):
			gives[n], n = i, n+1
			continue
		}
		if at := h.Slot - SlotEffects; at >= 0 && at < len(used) {
			used[at] = true
		}
	}
	if e.Sates() {
		return HiddenSlot, gives, true
	}
	for i := range used {
		if !used[i] {
			return SlotEffects + i, gives, true
		}
	}
	oldest := -1
	for i := range have {
		if h := &have[i]; h.Kind == GoodEffect && !h.Sates() && (oldest < 0 || h.age() > have[oldest].age()) {
			oldest = i
		}
	}
	if oldest < 0 {
		return 0, gives, false
	}
	gives[0] = oldest
	return have[oldest].Slot, gives, true
}

func (e *Effect) age() time.Duration { return e.Whole() - e.Left }

// Sound says whether an effect, as it was stored, can lie on somebody.
func (e *Effect) Sound() bool {
	placed := e.Slot >= SlotEffects && e.Slot < EndOfEffects
	if e.Sates() {
		placed = e.Slot == HiddenSlot
	}
	return placed && e.ID > 0 && e.ID <= 0xFFFF && len(e.Key) <= 4 &&
		e.Kind <= SpecialEffect && e.Tier >= 0 && e.Length >= 0 && e.Length <= 0xFF && e.Left > 0 && e.Left <= e.Whole() &&
		e.Caster >= 0 && e.Bonus.within(MaxPool)
}
