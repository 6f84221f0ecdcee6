package api

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// monstersAnswer is the monsters of an area, or of a part of it.
type monstersAnswer struct {
	Count int             `json:"count"` // of the whole area
	Types map[string]text `json:"types"` // names of the present types
	// Of each: id, type, level, HP, greatest HP, x, y, z, 1 if it has a name, 1 if it was summoned.
	Monsters [][10]float64 `json:"monsters"`
	// Instead of those, where "cell" was asked for: x and z of the middle of each square, how many are in it, and the mean
	// of their levels.
	Cells [][4]float64 `json:"cells"`
}

// monsters lists the monsters of the area of a key, or of all; of a part of it if there is a box, or how many there are
// in squares.
func monsters(s *Server, r *request) (any, error) {
	out := monstersAnswer{Types: map[string]text{}, Monsters: [][10]float64{}, Cells: [][4]float64{}}
	area, side, id := r.asked.text["area"], float64(r.asked.number["cell"]), world.EntityID(r.asked.number["id"])
	box, err := r.box()
	if err != nil {
		return nil, err
	}
	cells := map[[2]float64]*[4]float64{}
	for o := range s.o.Game.World().Objects() {
		m, ok := o.Kind.(*world.Monster)
		if !ok {
			continue
		}
		at := geography.At(o.Position)
		if area != "" && at.Area != area {
			continue
		}
		out.Count++
		switch {
		case side > 0:
			x, z := (math.Floor(at.X/side)+0.5)*side, (math.Floor(at.Z/side)+0.5)*side
			c := cells[[2]float64{x, z}]
			if c == nil {
				c = &[4]float64{x, z, 0, 0}
				cells[[2]float64{x, z}] = c
			}
			c[3] = (c[3]*c[2] + float64(m.Level)) / (c[2] + 1)
			c[2]++
			continue
		case o.ID != id && box != nil && (at.X < box[0] || at.Z < box[1] || at.X > box[2] || at.Z > box[3]):
			continue
		}
		s.nameMonster(out.Types, m.Type)
		out.Monsters = append(out.Monsters, [10]float64{float64(o.ID), float64(m.Type), float64(m.Level), float64(m.HP),
			float64(m.MaxHP), at.X, at.Y, at.Z, one(m.Named()), one(m.Spawns == 0)})
	}
	for _, c := range cells {
		c[3] = math.Round(c[3]*10) / 10
		out.Cells = append(out.Cells, *c)
	}
	slices.SortFunc(out.Cells, func(a, b [4]float64) int { return slices.Compare(a[:], b[:]) })
	return out, nil
}

// box is the part of an area that was asked for, as least x and z and greatest x and z; nil for all of it.
func (r *request) box() (box *[4]float64, err error) {
	given := r.asked.text["box"]
	if given == "" {
		return nil, nil
	}
	parts := strings.Split(given, ",")
	box = new([4]float64)
	if len(parts) != len(box) {
		return nil, fault("box", boxText, given)
	}
	for i, part := range parts {
		if box[i], err = strconv.ParseFloat(part, 64); err != nil {
			return nil, fault("box", boxText, given)
		}
	}
	return box, nil
}

// nameMonster adds the names of a type of monsters.
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

// offAnswer is a spawner that is turned off.
type offAnswer struct {
	ops.Spawner
	Place text `json:"place"`
}

// spawnersOff lists the spawners that are turned off.
func spawnersOff(s *Server, r *request) (any, error) {
	all, err := perform(s, r, ops.ListSpawners, ops.SpawnerSearch{Off: true})
	out := make([]offAnswer, len(all))
	for i, one := range all {
		out[i] = offAnswer{one, ops.Where(one.At)}
	}
	return out, err
}

// spawnersAnswer is where the monsters of an area come from. There are thousands of such places, but few choices of
// types.
type spawnersAnswer struct {
	Types   map[string]text `json:"types"`   // names of the types that come from there
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
