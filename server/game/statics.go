package game

import (
	"context"

	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/world"
	"sphereserver/world/ground"
	"sphereserver/world/rules"
)

// spawnStatics puts everybody and everything of the content tables into the world: on the ground, where it is known and
// the tables only guess.
func spawnStatics(w *world.World, land world.Ground) {
	for _, t := range content.NPCs() {
		at := t.Position
		at.Yaw = t.Angle.Radians()
		w.Do(world.Put{Object: world.Object{ID: w.NextEntityID(), Position: at, Kind: world.NPC{Class: t.Class, Name: t.Name,
			Model: t.Model, Title: t.Title, Type: t.Type, Label: t.Role(true), Tier: t.Tier, Key: t.Key,
			Rooms: roomsOf(t), Giver: t.Giver()}}})
	}
	for _, e := range content.Entrances() {
		if !e.Sends {
			w.Do(world.Put{Object: world.Object{ID: w.NextEntityID(), Position: e.At,
				Kind: world.Portal{Class: rules.ClassMissionEntrance, Number: uint32(e.Number)}}})
		}
	}
	for _, p := range content.Portals() {
		at := p.Position
		at.Yaw = p.Angle.Radians()
		if y, _, known := land.Land(at); known && p.Error > 0 {
			at.Y = y
		}
		w.Do(world.Put{Object: world.Object{ID: w.NextEntityID(), Position: at,
			Kind: world.Portal{Class: p.Class, Number: p.Number, To: p.To, Place: p.Place, Key: p.Key}}})
	}
}

// roomsOf are the rooms to let of a keeper.
func roomsOf(t content.NPC) world.Rooms {
	first, last := t.Rooms()
	return world.Rooms{First: first, Last: last}
}

// ChangeBalance changes the numbers of fights from now on, and those of spawners. b is not to be changed afterwards.
func (s *Server) ChangeBalance(b *rules.Balance) {
	s.changeRates(func(r *rateKeeper) { r.balance = b })
	s.settling.Lock()
	defer s.settling.Unlock()
	if s.options.Monsters && s.settled != b.Spawn {
		if err := s.settle(world.ReplaceSpawners{Spawners: spawners(s.options.World.Tables, &b.Spawn)}); err != nil {
			s.options.Log.Error("where monsters come from stays as it was", "error", err)
			return
		}
		s.settled = b.Spawn
	}
}

// settle makes the world change its spawners. Spawners that operators have turned off are off, also new ones.
func (s *Server) settle(change world.Command) error {
	off, err := s.store.SpawnersOff(context.Background())
	if err != nil {
		return err
	}
	s.world.Do(change)
	for _, key := range off {
		s.world.Do(world.SetSpawners{Key: key, Off: true})
	}
	return nil
}

// spawners are where monsters come from.
func spawners(tables *rules.Tables, b *rules.SpawnBalance) []world.Spawner {
	all := wild.Spawners(tables, b)
	out := make([]world.Spawner, len(all))
	for i, s := range all {
		out[i] = world.Spawner{Key: s.Key, At: s.Position, Level: s.Level, Spread: s.Spread, Types: s.Types,
			Tutorial: s.Tutorial, Alone: s.Alone, Mind: world.MindNamed(s.Mind), Guessed: !s.Tutorial && !s.Alone && !s.Known}
	}
	return out
}

// groundOf is the ground as far as it was learned, and where people and portals stand, above a land if there is one.
func groundOf(learned []rules.GroundCell, land ground.Land) *ground.Ground {
	g := ground.New(learned)
	if land != nil {
		g.LayOver(land)
	}
	for _, t := range content.NPCs() {
		g.Mark(t.Position)
	}
	for _, at := range wild.Surveyed() {
		g.Mark(at)
	}
	for _, p := range content.Portals() {
		if p.Error == 0 { // else its height is a guess
			g.Mark(p.Position)
		}
	}
	return g
}
