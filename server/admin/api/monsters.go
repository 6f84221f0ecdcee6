package api

import (
	"strconv"

	"sphereserver/data/content"
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
	area, kinds := r.asked.text["area"], s.o.Game.Kinds()
	for o := range s.o.Game.World().Objects() {
		m, ok := o.Kind.(*world.Monster)
		if !ok {
			continue
		}
		if at, _ := content.AreaOf(o.Position); area != "" && at.Key != area {
			continue
		}
		key := strconv.Itoa(m.Type)
		if _, known := out.Types[key]; !known {
			out.Types[key] = both(key, key)
			if row := kinds.Monster(m.Type); row != nil {
				out.Types[key] = both(row.Name("ru"), row.Name("en"))
			}
		}
		out.Monsters = append(out.Monsters, [10]float64{float64(o.ID), float64(m.Type), float64(m.Level), float64(m.HP),
			float64(m.MaxHP), centimetres(o.Position.X), centimetres(o.Position.Y), centimetres(o.Position.Z), one(m.Named()),
			one(m.Spawns == 0)})
	}
	return out, nil
}

// one is 1 for what is so.
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

// bodyAsIs takes the body for the whole request of a verb.
func bodyAsIs[R any](_ *Server, _ *request, b *R) (R, error) { return *b, nil }
