package game

import (
	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// layoutOf is a dungeon of the content tables as the world makes instances of it; nil for one that is not known. hall
// is the place of the same dungeon with known ground.
func layoutOf(dungeon string, tables *rules.Tables, hall coords.Position) *world.Layout {
	pieces := content.Pieces(dungeon)
	if pieces == nil {
		return nil
	}
	l := &world.Layout{Key: dungeon, Charted: hall}
	for _, p := range pieces {
		piece := world.Piece{At: p.At, Sometimes: p.Sometimes}
		switch p.Kind {
		case content.PieceStart:
			l.Start = p.At
			continue
		case content.PieceMonster:
			l.Lairs = append(l.Lairs, world.Spawner{Key: dungeon, At: p.At, Level: 1, Types: []int{p.Number},
				Tutorial: p.Number == rules.NewcomersMonster})
			continue
		case content.PieceLabyrinth:
			piece.Kind = world.Labyrinth{Map: p.Number}
		case content.PiecePost:
			piece.Kind = world.Post{Number: p.Number}
		case content.PieceNPC:
			piece.Kind = world.NPC{Class: p.Class, Name: int32(p.Number), Key: dungeon}
		case content.PieceTeleport:
			piece.Kind = world.Portal{Class: p.Class, Number: uint32(p.Number), Key: dungeon + "-teleport"}
		case content.PieceItem:
			piece.Kind = world.GroundItem{Item: weighed(tables, []rules.Item{{Class: p.Class, GameID: p.Number,
				Suffix: rules.NoSuffix, Count: 1, Durability: 100, MaxDurability: 100,
				Extra: (&rules.Kind{Class: p.Class}).NewExtra()}})[0]}
		case content.PieceChest:
			piece.Kind = world.GroundItem{Item: rules.Item{Class: p.Class, Suffix: rules.NoSuffix, Count: 1, Durability: 100,
				MaxDurability: 100, Extra: []byte{byte(p.Number), 1}}}
			piece.Things = weighed(tables, p.Things)
		}
		l.Pieces = append(l.Pieces, piece)
	}
	return l
}

// weighed gives items the weights of their kinds, as far as those are known.
func weighed(tables *rules.Tables, items []rules.Item) []rules.Item {
	out := make([]rules.Item, len(items))
	for i, t := range items {
		if k := tables.KindOf(&t); k != nil {
			t.Weight = tables.NewItem(k, rules.NoSuffix, t.Count, t.Extra).Weight
		}
		out[i] = t
	}
	return out
}

// newcomersHall is the dungeon of newcomers that lies in the open world: where it begins, and its origin.
func newcomersHall() (start, origin coords.Position) {
	for _, p := range content.Places() {
		if p.Kind != content.PlaceStart {
			continue
		}
		if cell := rules.InstanceCell(p.Position); cell >= 0 {
			return p.Position, rules.InstanceOrigin(cell)
		}
	}
	return coords.Position{}, coords.Position{}
}

// begins says in which dungeon a character enters the world, nil for none, and where it stands otherwise.
func (s *Server) begins(c *data.Character) (*world.Layout, coords.Position) {
	at := s.place(c.Position)
	switch {
	case !rules.AmongInstances(at):
		return nil, at
	case s.newcomers != nil && c.Tutorial:
		return s.newcomers, s.options.Start
	case s.newcomers == nil && (!c.Tutorial || rules.InInstance(s.hall, at)): // that dungeon lies in the open world
		return nil, at
	}
	return nil, s.options.Start
}
