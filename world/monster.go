package world

import (
	"math/rand/v2"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Monster is what fights. As the [Kind] of an [Object] it is a *Monster, what clients are shown: in an event it is
// the world's own memory, with the HP of now, in a [Snapshot] a copy.
type Monster struct {
	Type   int   // row of the table of monsters
	Class  int   // object class of the wire: 210 walks, 211 flies
	Level  int   // from 1
	Name   int32 // code of the name, protocol ingame 9.7; 0: it is a common one
	HP     int
	MaxHP  int
	Spawns EntityID // its spawner, 0 for one that an operator has summoned
}

func (*Monster) kind() {}

// Named says whether it has a name of its own.
func (m *Monster) Named() bool { return m.Name != 0 }

// monster is what the world knows of a monster besides how it is shown: its mind. It hangs on an object, whose Kind
// points to its Monster. HP are changed by [World.setHP] alone.
type monster struct {
	Monster
	object  *object
	row     *rules.Monster
	random  *rand.Rand // of its own: what it does hangs on nobody else
	behaves behaviour
	mind    mind
	threat  []threat // players that have hurt it of late
	hits    int      // on it so far, for the absolute HP
	dying   bool     // HP are 0, and the kill is being made durable
	ended   bool     // it does nothing any more

	worthless bool // a kill of it brings nothing

	spawner *spawner // nil: it was summoned
	afflictions
	weakened int // HP that they take from the greatest
}

// A threat is what a player has done to a monster.
type threat struct {
	by     PlayerID
	last   time.Time
	lastBy rules.School

	noticed bool
	recent  [threatParts]contribution // by parts of [rules.MindBalance].ThreatTime, the newest first
	turned  time.Time                 // when the newest part began
}

// A contribution is what a player has done to a monster in a while.
type contribution struct {
	damage int
	blows  [2]int // hits by school
}

// newMonster is a monster that stands nowhere yet. Chance is its own from its birth on.
func (w *World) newMonster(row *rules.Monster, level int, random *rand.Rand) *monster {
	m := &monster{row: row, random: random, behaves: behaviourOf(row),
		Monster: Monster{Type: row.ID, Class: row.Class, Level: level}}
	if m.Class == 0 {
		m.Class = rules.ClassWalker
	}
	m.grow(&w.balance.Strength)
	return m
}

// grow gives a monster the HP of its level and kind.
func (m *monster) grow(b *rules.StrengthBalance) {
	m.MaxHP = b.MaxHP(m.row, m.Level, m.Named())
	m.HP = m.MaxHP
}

// putMonsterInto puts a monster into an instance, or with nil into the open world, at home there; an id of 0 means that
// the world gives one.
func (w *World) putMonsterInto(m *monster, id EntityID, at coords.Position, in *instance) {
	w.embody(m, id, at)
	w.put(m.object, in)
}

// embody makes the object that a monster is, at home at a place, which is not in the world yet.
func (w *World) embody(m *monster, id EntityID, at coords.Position) {
	if id == 0 {
		id = w.freeID()
	}
	w.given(id)
	m.mind.home = at
	m.object = &object{Object: Object{ID: id, Position: at, Kind: &m.Monster}, monster: m}
}

// setHP changes a monster's HP. The caller tells the viewers.
func (w *World) setHP(m *monster, hp int) {
	m.HP = hp
	if o := m.object; !o.gone {
		w.changeView(others, o.index)
	}
}

// endOfMonster stops all that a monster does, when it dies or is removed, and has its spawner bring another in time.
func (w *World) endOfMonster(m *monster) {
	if m.ended {
		return
	}
	m.ended = true
	w.sleep(m)
	m.mind.target = nil
	if s := m.spawner; s != nil {
		s.alive = slices.DeleteFunc(s.alive, func(other *monster) bool { return other == m })
		w.bringLater(s, m.Named())
	}
}

// Summon puts a monster into the world that no spawner has brought, unless its type is not known, its level is none, or
// its place is in a city or not in the world. At a place in an instance it comes into that.
type Summon struct {
	ID    EntityID // of [World.NextEntityID]; 0: the world gives one
	Type  int
	Level int // 1 to [MaxMonsterLevel]
	Named bool
	At    coords.Position
	// Worthless says that a kill of it brings nothing: no experience, no karma, no loot.
	Worthless bool
}

func (Summon) who() PlayerID { return 0 }

func (c Summon) do(w *World) {
	row := w.tables.Monster(c.Type)
	if row == nil || c.Level < 1 || c.Level > MaxMonsterLevel || c.At.Check() != nil || w.inTown(c.At) ||
		c.ID != 0 && c.ID <= MaxPlayerID || w.entities[c.ID] != nil {
		return
	}
	w.summons++
	m := w.newMonster(row, c.Level, w.randomOf(-1, w.summons))
	m.worthless = c.Worthless
	if c.Named {
		m.Name = rules.MonsterName(m.random)
		m.grow(&w.balance.Strength)
	}
	in := w.instanceAt(c.At)
	w.putMonsterInto(m, c.ID, w.onGround(m, c.At, nil, in), in)
}

// MaxMonsterLevel is the greatest level of a monster. Source: protocol fight 14, check 3.
const MaxMonsterLevel = 120
