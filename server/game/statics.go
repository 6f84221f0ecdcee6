package game

import (
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/world"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// spawnStatics puts everybody and everything of the content tables into the world.
func spawnStatics(w *world.World) {
	for _, t := range content.NPCs() {
		at := t.Position
		at.Yaw = t.Angle.Radians()
		w.Do(world.Put{Object: world.Object{ID: w.NextEntityID(), Position: at, Kind: world.NPC{Class: t.Class, Name: t.Name,
			Model: t.Model, Title: t.Title, Type: t.Type, Label: t.Role(true), Tier: t.Tier, Key: t.Key}}})
	}
	for _, p := range content.Portals() {
		at := p.Position
		at.Yaw = p.Angle.Radians()
		w.Do(world.Put{Object: world.Object{ID: w.NextEntityID(), Position: at,
			Kind: world.Portal{Class: p.Class, Number: p.Number,
				To: p.To, Place: p.Place, Key: p.Key}}})
	}
}

// ChangeBalance lets other numbers of fights count from now on. They are not to be changed afterwards. Spawners stay
// where they are.
func (s *Server) ChangeBalance(b *rules.Balance) { s.world.Do(world.SetBalance{Balance: b}) }

// addSpawners lets monsters come wherever they do, but not from the spawners of which the keys are in off.
func addSpawners(w *world.World, tables *rules.Tables, b *rules.Balance, off []string) {
	all := wild.Spawners(tables, &b.Spawn)
	add := world.AddSpawners{Spawners: make([]world.Spawner, len(all))}
	for i, s := range all {
		add.Spawners[i] = world.Spawner{Key: s.Key, At: s.Position, Level: s.Level, Spread: s.Spread, Types: s.Types,
			Tutorial: s.Alone}
	}
	w.Do(add)
	for _, key := range off {
		w.Do(world.SetSpawners{Key: key, Off: true})
	}
}

// groundOf is the ground as far as it was learned, and where people and portals stand.
func groundOf(learned []rules.GroundCell) *ground.Ground {
	g := ground.New(learned)
	for _, t := range content.NPCs() {
		g.Mark(t.Position)
	}
	for _, p := range content.Portals() {
		g.Mark(p.Position)
	}
	return g
}
