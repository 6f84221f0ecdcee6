package view

import (
	"fmt"
	"math"
	"sync"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file says how objects look on the wire. Each client knows an object by an id of its own, which is put into a
// copy of one frame.

// spawnObject returns the record that makes a client create an object, and the use that the client can make of it.
//
// Source: protocol ingame 9.1.
func spawnObject(o *world.Object, tables *rules.Tables, d packets.Dialect) (EntryKind, packets.Section, error) {
	spawn := &packets.SpawnSnapshot{X: o.Position.X, Y: o.Position.Y, Z: o.Position.Z,
		Angle: coords.EncodeAngle8(o.Position.Yaw)}
	standing := func(class int, regions []packets.Region) packets.Section {
		return packets.Section{Class: packets.Class(class), Regions: append([]packets.Region{spawn}, regions...)}
	}
	switch k := o.Kind.(type) {
	case world.NPC:
		kind := NPCEntry
		if k.Type == content.OccupationBank {
			kind = BankerEntry
		}
		spawn.A, spawn.B = 5, 5
		return kind, standing(k.Class, npcRegions(spawn, &k)), nil
	case world.Portal:
		spawn.A, spawn.B = 100, 100
		return PortalEntry, standing(k.Class, portalRegions(spawn, &k)), nil
	case *world.Monster:
		return MonsterEntry, standing(k.Class, monsterRegions(spawn, k, d)), nil
	case world.Labyrinth:
		spawn.A, spawn.B = 100, 100
		return SceneryEntry, standing(int(packets.ClassLabyrinth),
			[]packets.Region{containerRegion(&packets.LabyrinthMap{Map: uint16(k.Map)})}), nil
	case world.Post:
		spawn.A, spawn.B = 100, 100
		return SceneryEntry, standing(int(packets.ClassTutorial),
			[]packets.Region{containerRegion(&packets.TutorialNumber{Number: uint8(k.Number)})}), nil
	case world.GroundItem:
		kind := GroundItemEntry
		if k.Class == rules.ClassChest {
			spawn.A, spawn.B = 100, 100
			return GroundBagEntry, standing(k.Class, chestRegions(&k, o.Position)), nil
		}
		if k.IsBag() {
			kind = GroundBagEntry
		}
		return kind, lyingSpawn(tables, &k.Item, o.Position), nil
	}
	return 0, packets.Section{}, fmt.Errorf("object %d: a %T cannot be shown", o.ID, o.Kind)
}

func npcRegions(spawn *packets.SpawnSnapshot, k *world.NPC) (regions []packets.Region) {
	regions = append(regions, &packets.TradeMan{Command: &packets.DisplayName{Code: k.Name}})
	if packets.Class(k.Class) == packets.ClassGuide {
		spawn.Placement = packets.Lying
		return append(regions, &packets.ContMan{Command: &packets.Subtype{}})
	}
	if k.Model != "" {
		regions = append(regions, &packets.ContMan{Command: &packets.Model{Name: k.Model}})
	}
	if k.Giver != nil && k.Giver.Guild == 0 {
		regions = append(regions, giverLists(k.Giver)...)
	}
	if k.Title != "" {
		regions = append(regions, &packets.Manager{Command: &packets.Title{Key: k.Title}})
	}
	if k.Type != 0 {
		regions = append(regions, &packets.Manager{Command: &packets.Occupation{Number: content.OccupationNumber(k.Type)}})
	}
	return regions
}

// turn is by how much the pitch and roll of recorded chests are told, in radians: a whole turn the other way round.
const turn = -2 * math.Pi

// chestRegions follow the spawn of a chest: its model, and where and how that stands.
//
// Source: protocol life 1.1.
func chestRegions(k *world.GroundItem, at coords.Position) []packets.Region {
	header := &packets.ChestModel{Number: 2, Unknown: 1}
	if len(k.Extra) > 0 {
		header.Number = k.Extra[0]
	}
	yaw := math.Mod(float64(at.Yaw), -turn)
	if yaw > math.Pi {
		yaw += turn
	}
	return []packets.Region{containerRegion(header), containerRegion(&packets.ChestPlace{X: at.X, Y: at.Y, Z: at.Z}),
		containerRegion(&packets.ChestTurn{Yaw: float32(yaw), Pitch: turn, Roll: turn})}
}

// portalRegions follow the spawn of a portal. The values that the world does not need are in the table that it comes
// from.
func portalRegions(spawn *packets.SpawnSnapshot, k *world.Portal) (regions []packets.Region) {
	row := portalRows()[k.Key]
	token := isToken(packets.Class(k.Class))
	if token || row != nil && row.Lying {
		spawn.Placement = packets.Lying
		regions = append(regions, &packets.ContMan{Command: &packets.Property{Value: packets.Unbound}})
	}
	switch {
	case row != nil && row.Told:
		regions = append(regions, &packets.ContMan{Command: &packets.DoorYaw{Number: packets.Unbound, Yaw: k.To.Yaw}},
			&packets.ContMan{Command: &packets.DoorTarget{X: k.To.X, Y: k.To.Y, Z: k.To.Z}})
	case k.Number == 0 && (row == nil || !row.HasNumber):
	case token:
		regions = append(regions, &packets.ContMan{Command: &packets.TokenDestination{Destination: uint16(k.Number),
			Unknown: uint16(k.Number >> 16)}})
	case k.Class == rules.ClassMissionEntrance:
		regions = append(regions, containerRegion(&packets.Subtype{Number: uint16(k.Number)}))
	case k.Class == rules.ClassTeleportGreat:
		texts := &packets.TeleportTexts{Name: uint16(k.Number), Target: uint16(k.Number + targetText)}
		regions = append(regions, &packets.ContMan{Command: texts})
	default:
		regions = append(regions, &packets.ContMan{Command: &packets.DoorNumber{Number: k.Number}})
	}
	return regions
}

// targetText is the number of the text of a great teleport's target, less the number of its name. Source: protocol
// life 1.1.
const targetText = 1000

// portalRows are the portals of the content table by key.
var portalRows = sync.OnceValue(func() map[string]*content.Portal {
	all := content.Portals()
	rows := make(map[string]*content.Portal, len(all))
	for i := range all {
		rows[all[i].Key] = &all[i]
	}
	return rows
})
