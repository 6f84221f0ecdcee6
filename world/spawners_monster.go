package world

import (
	"math/rand/v2"

	"sphereserver/world/rules"
)

// A Monster is a monster as clients are shown it. As the [Kind] of an [Object] it is a *Monster: in an event it is
// the world's own memory, with the HP of now, in a [Snapshot] a copy.
type Monster struct {
	Type   int // row of the table of monsters
	Class  int // object class of the wire: 210 walks, 211 flies
	Level  int // from 1
	HP     int
	MaxHP  int
	Name   int32    // code of the name, protocol ingame 9.7; 0: it is a common one
	Spawns EntityID // its spawner, 0 for one that an operator has summoned
}

func (*Monster) kind() {}

// Named reports whether it has a name of its own.
func (m *Monster) Named() bool { return m.Name != 0 }

// monster is a monster with its mind, which clients are not shown. It hangs on an object with a Kind that points to
// its Monster. HP are changed by [core.setHP] alone.
type monster struct {
	Monster
	object  *object
	row     *rules.Monster
	chance  rand.PCG // its own: no other entity changes its chance
	mind    mind
	threat  []threat // players that have recently hurt it
	spawner *spawner // nil: it was summoned
	afflictions
	weakened int32 // HP that they take from the greatest
	hits     int32 // on it so far

	dying     bool // HP are 0, and the kill is being made durable
	ended     bool // it does nothing any more
	given     Mind // by its spawner
	worthless bool // a kill of it brings nothing
}

// A threat is a player on a monster's threat list, with its hits.
type threat struct {
	by     PlayerID
	last   instant
	lastBy rules.School

	noticed bool
	recent  [threatParts]contribution // by parts of [rules.MindBalance].ThreatTime, the newest first
	turned  instant                   // when the newest part began
}

// A contribution is a player's hits on a monster in a while.
type contribution struct {
	damage int
	blows  [2]int // hits by school
}

// random draws from a monster's chance.
func (m *monster) random() *rand.Rand { return rand.New(&m.chance) }

// grow gives a monster the HP of its level and kind.
func (m *monster) grow(b *rules.StrengthBalance) {
	m.MaxHP = b.MaxHP(m.row, m.Level, m.Named())
	m.HP = m.MaxHP
}
