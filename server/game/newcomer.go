package game

import (
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// newCharacter is the character of a creation.
//
// Source: protocol session 6.7.
func (s *Server) newCharacter(account data.AccountID, r session.Creation) data.NewCharacter {
	at := s.options.Start
	if more := s.options.MoreStarts; len(more) > 0 {
		if n := int(account) % (len(more) + 1); n > 0 {
			at = more[n-1]
		}
	}
	items := starterItems()
	if s.newcomers != nil {
		at = s.entry
		items = items[1:] // the sword lies in the dungeon
	}
	newcomer := rules.Pools{MaxHP: rules.MaxHP(0, 0), MaxMP: rules.MaxMP(0, 0), Satiety: startSatiety}
	sheet, _ := world.SheetOf(s.options.World.Tables, s.World().Balance, world.Player{Pools: newcomer})
	title, degree := rules.TotalPoints(0, 0)
	return data.NewCharacter{
		Character: data.Character{
			Account: account, Slot: r.Slot, Name: r.Name, Female: r.Female,
			Face: byte(r.Look), Hair: byte(r.Look >> 8), HairColour: byte(r.Look >> 16), Tattoo: byte(r.Look >> 24),
			Progress: rules.Progress{TitlePoints: title, DegreePoints: degree},
			HP:       sheet.Pools.MaxHP, MP: rules.MaxMP(0, 0), Satiety: startSatiety, MaxSatiety: 100,
			Position: at, Tutorial: true,
		},
		Items: items,
	}
}

// startSatiety is the satiety of new characters.
const startSatiety = 50

// starterItems are the items of a new character: a set of ours, so that there is an inventory to see. Weights are
// those of recorded items.
func starterItems() []rules.Item {
	return []rules.Item{
		{Slot: 26, Class: int(packets.ClassStartSword), GameID: 1, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100,
			Weight: 5000},
		{Slot: 27, Class: int(packets.ClassBread), Suffix: -1, Count: 10, Durability: 100, MaxDurability: 100, Weight: 8},
		{Slot: 20, Class: int(packets.ClassInkpot), Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 100},
	}
}
