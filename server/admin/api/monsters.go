package api

import (
	"fmt"
	"strconv"

	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// monstersAnswer is the monsters of an area, of which there may be thousands.
type monstersAnswer struct {
	Types map[string]text `json:"types"` // what each type that is there is called
	// Of each: id, type, level, HP, greatest HP, x, y, z, 1 if it has a name, 1 if it was summoned.
	Monsters [][10]float64 `json:"monsters"`
}

// monsters lists the monsters of the area of a key, or of all.
func monsters(s *Server, r *request) (any, error) {
	out := monstersAnswer{Types: map[string]text{}, Monsters: [][10]float64{}}
	area := r.asked.text["area"]
	for o := range s.o.Game.World().Objects() {
		m, ok := o.Kind.(*world.Monster)
		if !ok {
			continue
		}
		at := geography.At(o.Position)
		if area != "" && at.Area != area {
			continue
		}
		s.nameMonster(out.Types, m.Type)
		out.Monsters = append(out.Monsters, [10]float64{float64(o.ID), float64(m.Type), float64(m.Level), float64(m.HP),
			float64(m.MaxHP), at.X, at.Y, at.Z, one(m.Named()), one(m.Spawns == 0)})
	}
	return out, nil
}

// nameMonster adds what a type of monsters is called.
func (s *Server) nameMonster(names map[string]text, kind int) {
	key := strconv.Itoa(kind)
	if _, known := names[key]; known {
		return
	}
	names[key] = both(key, key)
	if row := s.o.Game.Kinds().Monster(kind); row != nil {
		names[key] = both(row.Name("ru"), row.Name("en"))
	}
}

// one is 1 for true.
func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// spawnersOff lists the spawners that are turned off.
func spawnersOff(s *Server, r *request) (any, error) {
	return perform(s, r, ops.ListSpawners, ops.SpawnerSearch{Off: true})
}

// spawnersAnswer is where the monsters of an area come from. There are thousands of such places, but few choices of
// types.
type spawnersAnswer struct {
	Types   map[string]text `json:"types"`   // what each type that comes from there is called
	Choices [][]int         `json:"choices"` // of types
	Keys    []string        `json:"keys"`
	// Of each key: x, y, z, level in the middle, index of its choice, 1 if it is turned off.
	Spawners [][6]float64 `json:"spawners"`
}

// spawnersOfArea lists all spawners of the area of a key, or of all.
func spawnersOfArea(s *Server, r *request) (any, error) {
	all, err := perform(s, r, ops.ListSpawners, ops.SpawnerSearch{})
	if err != nil {
		return nil, err
	}
	out := spawnersAnswer{map[string]text{}, [][]int{}, []string{}, [][6]float64{}}
	area, known := r.asked.text["area"], map[string]int{}
	for _, from := range all {
		at := geography.At(from.At)
		if area != "" && at.Area != area {
			continue
		}
		name := fmt.Sprint(from.Types)
		choice, ok := known[name]
		if !ok {
			choice = len(out.Choices)
			known[name], out.Choices = choice, append(out.Choices, append([]int{}, from.Types...))
			for _, kind := range from.Types {
				s.nameMonster(out.Types, kind)
			}
		}
		out.Keys = append(out.Keys, from.Key)
		out.Spawners = append(out.Spawners, [6]float64{at.X, at.Y, at.Z, float64(from.Level), float64(choice), one(from.Off)})
	}
	return out, nil
}

// instances lists the instances of dungeons, with the players in them.
func instances(s *Server, r *request) (any, error) {
	return perform(s, r, ops.ListInstances, ops.Empty{})
}

// bodyAsIs takes the body for the whole request of a verb.
func bodyAsIs[R any](_ *Server, _ *request, b *R) (R, error) { return *b, nil }
