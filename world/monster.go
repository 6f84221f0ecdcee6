package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Monster is what fights. As the [Kind] of an [Object] it is a *Monster, what clients are shown: in an event it is the
// world's own memory, with the HP of now, in a [Snapshot] a copy.
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

// monster is what the world knows of a monster besides how it is shown: its mind. It hangs on an object.
type monster struct {
	object *object
	row    *rules.Monster
	mind   mind
	threat []threat // who has hurt it, of the last while
	hits   int      // on it so far, for the absolute HP
	dying  bool     // HP are 0, and the kill is being made durable
}

// A threat is what a player has done to a monster.
type threat struct {
	by     PlayerID
	damage int
	last   time.Time
	blows  [2]int // hits by school
	lastBy rules.School
}

// mind is the state of a monster between two decisions.
type mind struct{}

// provoke lets a monster know that a player has hurt or noticed it, and has it call for help. It is the one way from
// blows into minds.
func (w *World) provoke(m *monster, by *player, damage int, school rules.School) {}

// endOfMonster stops all that a monster does, when it dies or is removed, and has its spawner bring another in time.
func (w *World) endOfMonster(m *monster) {}

// A Spawner is a place where monsters come from.
type Spawner struct {
	Key      string // for operators: "h:2312:-2382"
	At       coords.Position
	Level    int // middle of its monsters' levels
	Spread   int // ± levels
	Types    []int
	Tutorial bool // the newcomers' dungeon: one of type 1069 at just this place
}

// AddSpawners puts spawners into the world; their monsters come in the same tick.
type AddSpawners struct{ Spawners []Spawner }

func (AddSpawners) who() PlayerID { return 0 }

func (c AddSpawners) do(w *World) {}
