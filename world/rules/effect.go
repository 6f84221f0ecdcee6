package rules

import (
	"strings"
	"time"
)

// MaxEffects is how many effects lie on somebody at once, that of a satiety potion apart. Source: protocol ingame 14.
const MaxEffects = EndOfMutators - SlotMutators

// An Effect is an effect on a character for a while: the columns of the item, or of the monster, that caused it.
//
// Source: protocol fight 11.1.
type Effect struct {
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

// The kinds. Their numbers are stored.
const (
	GoodEffect    EffectKind = iota // mg
	BadEffect                       // mb, mm
	SpecialEffect                   // ms
)

// EffectOf returns the effect that using an item of a kind leaves, with the numbers of its suffix; false if it leaves
// none. Caster is still to be set.
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
	if e.is(OverTime) {
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

// Weakened is how many of a monster's greatest HP an effect takes with a change of HP.
func (b *EffectBalance) Weakened(maxHP, change int) int {
	return min(max(-change, 0), int(b.MonsterHP*float64(maxHP)), maxHP-1)
}

// Cooldown is how long a spell of an item cannot be cast again by the same character, beyond its use time.
//
// Source: protocol gamerules 13.2, column 43; that its unit is a minute is a guess of life 5.2.
func (b *EffectBalance) Cooldown(n *Columns) time.Duration {
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

// satedID is the number of an effect of our own: a player is fed for a while. It takes no other's place, and nothing
// but time ends it.
const satedID = 0xFFFF

// SatedEffect is the effect of a satiety potion: for six hours a player does not get hungry, and has a tenth more HP.
//
// Source: protocol fight 9.5.
func SatedEffect() Effect {
	e := Effect{ID: satedID, Length: 72}
	e.Left = e.Whole()
	return e
}

// Sates reports whether an effect is that of a satiety potion.
func (e *Effect) Sates() bool { return e.ID == satedID }

// A Trait is something that an effect does besides changing numbers. Other effects a player's client applies by
// itself: light, jumps, breathing under water. On monsters the server applies them, which is ours.
type Trait uint32

// The traits.
const (
	OverTime       Trait = 1 << iota // its columns are HP and MP over the whole time
	Harmful                          // it is not for friends, though its key does not say so
	Stun                             // no blows
	Fetter                           // no steps
	Invisibility                     // monsters do not notice; it ends with a blow
	Slow                             // of monsters: they walk more slowly
	Blind                            // monsters notice no player
	Clumsy                           // monsters miss more often
	Tame                             // a pig: monsters do not strike
	Hold                             // it holds or slows
	Shock                            // it stuns or shakes
	Freedom                          // nothing that holds or slows stays or comes
	Steadiness                       // nothing that stuns or shakes does
	Jump                             // of players, by their clients
	Grounding                        // ends jumps
	PhysicalCircle                   // wards, see [Wards]
	MagicalCircle
	PranaShield
	Mirror
	Lifesteal
)

// An EffectType is the name and the traits of effects of a number. A new one is a row of effectTypes.
type EffectType struct {
	Name     string
	Traits   Trait
	Cleanses int // how many others it takes away; it does not stay itself
}

// effectTypes are by id. Those that are not here do nothing but change their columns. Source: protocol ingame 14,
// fight 11.2.
var effectTypes = map[int]EffectType{
	1004: {"magical circle", MagicalCircle, 0},
	1005: {"poison", OverTime, 0},
	1006: {"regeneration", OverTime, 0},
	1007: {"poison of HP and prana", OverTime, 0},
	1008: {"regeneration of HP and prana", OverTime, 0},
	1009: {"physical circle", PhysicalCircle, 0},
	1010: {"heel", Slow | Hold | Harmful, 0},
	1011: {"quad", Slow | Hold | Harmful, 0},
	1012: {"coordination", Clumsy | Shock | Harmful, 0},
	1013: {"no jumping", Hold | Harmful, 0},
	1014: {"jump ×2", Jump, 0},
	1015: {"jump ×4", Jump, 0},
	1016: {"half blindness", Blind | Clumsy | Harmful, 0},
	1017: {"blindness", Blind | Clumsy | Harmful, 0},
	1020: {"removal of jumps", Grounding | Harmful, 0},
	1021: {"curse of Naath", OverTime, 0},
	1023: {"invisibility", Invisibility, 0},
	1024: {"cleansing", 0, 2},
	1025: {"cleansing", 0, 4},
	1026: {"cleansing", 0, 6},
	1030: {"invisibility at night", Invisibility, 0},
	1036: {"fetters", Fetter | Hold | Harmful, 0},
	1037: {"short sight", Harmful, 0},
	1039: {"pig", Tame | Shock | Harmful, 0},
	1040: {"stun", Stun | Shock | Harmful, 0},
	1043: {"rust", Harmful, 0},
	1044: {"whirlwind", Shock | Harmful, 0},
	1046: {"prana shield", PranaShield, 0},
	1047: {"vampire", Lifesteal, 0},
	1048: {"snowman", Harmful, 0},
	1049: {"mirror", Mirror, 0},
	1050: {"freedom", Freedom, 0},
	1051: {"steadiness", Steadiness, 0},
	2021: {"breach of a gate", OverTime | Harmful, 0},
}

// Type returns the type of the effect.
func (e *Effect) Type() EffectType { return effectTypes[e.ID] }

// is reports whether the effect has a trait, or one of several.
func (e *Effect) is(t Trait) bool { return effectTypes[e.ID].Traits&t != 0 }

// Whole is how long the effect lasts, from its beginning.
func (e *Effect) Whole() time.Duration { return time.Duration(secondsOf(e.Length)) * time.Second }

// Harmful reports whether the effect is a debuff, which ends with the death of its bearer. One that gives defence,
// such as a fort, is none, though it holds its bearer.
func (e *Effect) Harmful() bool {
	return e.Kind == BadEffect || e.is(Harmful) && e.Bonus.PhysicalDefence <= 0
}

// Bonuses are the bonuses of the effect, which count like those of worn items.
func (e *Effect) Bonuses() Bonus {
	if e.is(OverTime) {
		return Bonus{}
	}
	return e.Bonus
}

// Costs reports whether a buff takes something as well, such as a defence: then it cannot be cast on strangers.
func (e *Effect) Costs() bool {
	b := e.Bonuses()
	return min(b.HP, b.MP, b.PhysicalDefence, b.MagicalDefence) < 0
}

// Ticks reports whether the effect gives or takes HP and MP while it lasts.
func (e *Effect) Ticks() bool { return e.is(OverTime) }

// Gain is the HP and MP that an effect gives, or takes, while its time left falls from before to after, when it ticks
// each so often. Over the whole time the shares are the columns, without fractions lost.
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

// Stuns reports whether the effect stops blows.
func (e *Effect) Stuns() bool { return e.is(Stun) }

// Fetters reports whether the effect stops steps.
func (e *Effect) Fetters() bool { return e.is(Fetter) }

// Slows reports whether a monster with the effect goes more slowly: at [EffectBalance.MonsterSlow] of its speed.
func (e *Effect) Slows() bool { return e.is(Slow) }

// Blinds reports whether a monster with the effect notices no player.
func (e *Effect) Blinds() bool { return e.is(Blind) }

// Confuses reports whether a monster with the effect misses more often: with the chance [EffectBalance.MonsterMiss].
func (e *Effect) Confuses() bool { return e.is(Clumsy) }

// Tames reports whether a monster with the effect does not strike.
func (e *Effect) Tames() bool { return e.is(Tame) }

// Hides reports whether the effect keeps monsters from noticing its bearer.
func (e *Effect) Hides() bool { return e.is(Invisibility) }

// Bars reports whether an effect ends another when it begins, and keeps it away while it lasts: freedom effects that
// hold or slow, steadiness those that stun or shake. Of the two no more is known than their names, so the rule is
// ours.
//
// Source: protocol ingame 14.
func (e *Effect) Bars(other *Effect) bool {
	return e.is(Freedom) && other.is(Hold) || e.is(Steadiness) && other.is(Shock)
}

// Cleanses is how many effects an effect that does not stay takes away, 0 if it takes none. Source: protocol fight
// 11.2.
func (e *Effect) Cleanses() int { return e.Type().Cleanses }

// Grounds reports whether an effect takes jumps away.
func (e *Effect) Grounds() bool { return e.is(Grounding) }

// Lifts reports whether an effect is a jump, which a player's client applies.
func (e *Effect) Lifts() bool { return e.is(Jump) }

// A Wards is the wards of a player's effects against blows.
type Wards struct {
	Physical, Magical bool // it does no damage in that school
	Prana             bool // a part is taken from MP
	Mirror            bool // a part goes back
	Lifesteal         bool // a part of blows of one's own heals
}

// A Warded is the damage of a blow after the wards.
type Warded struct {
	Damage int // that is left
	Back   int // that comes upon the attacker
	Prana  int // MP that are taken instead
}

// Ward applies wards to a blow at a player with so many MP: one that is warded off does nothing, a mirror reflects a
// part of the whole, and prana takes a part of it. Source: protocol fight 11.
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

// WardsOf returns the wards of some effects.
func WardsOf(effects []Effect) (w Wards) {
	for i := range effects {
		e := &effects[i]
		w.Physical = w.Physical || e.is(PhysicalCircle)
		w.Magical = w.Magical || e.is(MagicalCircle)
		w.Prana = w.Prana || e.is(PranaShield)
		w.Mirror = w.Mirror || e.is(Mirror)
		w.Lifesteal = w.Lifesteal || e.is(Lifesteal)
	}
	return w
}

// Lay finds room for an effect on a player that has others: it returns the indexes of those that give way to it, at
// most two; -1 is none. It is false if the effect does not take hold.
//
// A stronger effect of the same id stays, otherwise the newer one takes its place; so it does with another id of the
// same key. When there are [MaxEffects], the oldest good one gives way.
//
// Source: protocol fight 11.2.
func Lay(have []Effect, e *Effect) (gives [2]int, ok bool) {
	gives = [2]int{-1, -1}
	n, stay := 0, 0
	for i := range have {
		h := &have[i]
		sameKey := h.Key == e.Key && strings.Trim(e.Key, "-") != ""
		switch {
		case h.ID == e.ID && h.Tier > e.Tier:
			return gives, false
		case (h.ID == e.ID || sameKey) && n < len(gives):
			gives[n], n = i, n+1
		case !h.Sates():
			stay++
		}
	}
	if e.Sates() || stay < MaxEffects {
		return gives, true
	}
	oldest := -1
	for i := range have {
		if h := &have[i]; h.Kind == GoodEffect && !h.Sates() && (oldest < 0 || h.age() > have[oldest].age()) {
			oldest = i
		}
	}
	gives[0] = oldest
	return gives, oldest >= 0
}

// Beside reports whether an effect can lie beside others: none of them is of its id, and there is room.
func (e *Effect) Beside(others []Effect) bool {
	n := 0
	for i := range others {
		if others[i].ID == e.ID {
			return false
		}
		if !others[i].Sates() {
			n++
		}
	}
	return e.Sates() || n < MaxEffects
}

func (e *Effect) age() time.Duration { return e.Whole() - e.Left }

// Sound reports whether a stored effect is valid.
func (e *Effect) Sound() bool {
	return e.ID > 0 && e.ID <= 0xFFFF && len(e.Key) <= 4 &&
		e.Kind <= SpecialEffect && e.Tier >= 0 && e.Length >= 0 && e.Length <= 0xFF && e.Left > 0 && e.Left <= e.Whole() &&
		e.Caster >= 0 && e.Bonus.within(MaxPool)
}
