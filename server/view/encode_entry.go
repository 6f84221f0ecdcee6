package view

import (
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file says how a player's own client is told of its character when it enters the world.

// constantStats are the values that the world does not know of. The meaning of most is unknown.
//
// Source: protocol ingame 8.3 and 12.1.
var constantStats = map[packets.Stat]int32{packets.StatUnknown14: 1, packets.StatUnknown15: 1, packets.StatUnknown35: 1,
	packets.StatUnknown36: 1, packets.StatUnknown54: 1}

// StatsRegions tells all values of a player, in ascending order as recorded servers send them on entering.
//
// Source: protocol ingame 8.3 and 12.1.
func StatsRegions(values *[64]int32, female bool) (regions []packets.Region) {
	for stat, value := range constantStats {
		values[stat] = value
	}
	if female {
		values[packets.StatGender] = 1
	}
	for stat := packets.StatHP; stat <= packets.StatUnknown54; stat++ {
		if stat <= packets.StatGender || stat >= packets.StatUnknown51 {
			regions = append(regions, &packets.SetStat{Stat: stat, Value: values[stat]})
		}
	}
	return regions
}

func moneyRegion(amount int64) packets.Region {
	return &packets.Manager{Command: &packets.Money{Amount: uint32(amount)}}
}

// EntrySnapshot is a player as it enters.
//
// Source: protocol session 7.
func EntrySnapshot(p *world.Player, values *[64]int32) packets.WorldSnapshot {
	at, look := p.Position, &p.Appearance
	m := packets.WorldSnapshot{Name: p.Name, Clan: look.Clan, ClanRank: -1, Look: int32(lookWord(look)),
		X: at.X, Y: at.Y, Z: at.Z, Yaw: at.Yaw, HP: values[packets.StatHP], MaxHP: values[packets.StatBaseMaxHP],
		Karma: uint8(look.Karma), Levels: int32(p.Degree%rules.CycleLevels*100 + p.Title%rules.CycleLevels),
		Guild: guildNumber(look.Guild), GuildRank: uint8(look.GuildRank), Money: uint32(p.Money),
		Occupied: make([]uint16, packets.Slots), Weights: make([]uint32, packets.Slots)}
	if look.Clan != "" {
		m.ClanRank = int8(look.ClanRank)
	}
	if look.Female {
		m.Gender = 1
	}
	for i := range p.Items {
		if t := &p.Items[i]; t.In == 0 && t.Slot >= 0 && t.Slot < packets.Slots {
			w := int32(rules.Weigh(t, p.Items))
			m.Occupied[t.Slot] = 1
			m.Weights[t.Slot] = uint32(w) & (1<<20 - 1)
			m.Carried += w
		}
	}
	return m
}

// KnowCarried gives ids to the carried items. It is called on its loop, before the player enters the world. There are
// more ids than anybody can carry items.
func (c *Client) KnowCarried(items []rules.Item) { (&itemEncoder{ids: &c.IDs}).learn(items, 0) }

// EncodeCarried returns the entry block, then the record of each item, bags before their contents, and the bank: one
// body each. It is called on the loop, before the player enters the world.
func EncodeCarried(tables *rules.Tables, c *Client, p *world.Player) (bodies [][]packets.Section) {
	f := itemEncoder{tables: tables, ids: &c.IDs, me: c.ID()}
	f.mine(containerRegion(&packets.ResetSlots{}))
	for i := range p.Items {
		if t := &p.Items[i]; t.In == 0 {
			f.fill(world.SlotNow{Slot: t.Slot, Item: t.ID, Weight: rules.Weigh(t, p.Items)})
		}
	}
	f.mine(moneyRegion(p.Money))
	bodies = append(bodies, f.sections)
	f.record(p.Items, c.ID())
	for _, record := range f.records {
		bodies = append(bodies, []packets.Section{record})
	}
	f.sections = nil
	if f.fillBags(p.Items, p.Items); len(f.sections) > 0 {
		bodies = append(bodies, f.sections)
	}
	f.sections = nil
	f.showVault()
	return append(bodies, f.sections)
}
