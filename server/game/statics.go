package game

import (
	"sphereserver/data/content"
	"sphereserver/world"
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
