package view

import (
	"math"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file says how other players look on the wire. All clients know a player by the same id, so one frame serves all.

// playerID is the id by which clients know a player.
func playerID(id world.PlayerID) packets.ObjectID { return packets.PlayerIndex(id).ID() }

// appendPerson appends the frames that show a client another player: spawn, gear, and the clan over the head.
//
// Source: protocol ingame 9.3, 9.10.
func appendPerson(dst []byte, clock uint16, d packets.Dialect, p *world.Player) ([]byte, error) {
	id := playerID(p.ID)
	dst, err := packets.AppendServer(dst, packets.Message(clock, id, packets.ClassPlayer, personSpawn(p)), d)
	if err == nil {
		dst, err = packets.AppendServer(dst, packets.Message(clock, id, packets.ClassPlayer, wornGear(&p.Appearance.Worn)), d)
	}
	if tag := clanTag(&p.Appearance); tag != nil && err == nil {
		dst, err = packets.AppendServer(dst, packets.Message(clock, id, packets.ClassPlayer, tag), d)
	}
	return dst, err
}

func personSpawn(p *world.Player) *packets.PlayerSpawn {
	look := &p.Appearance
	m := &packets.PlayerSpawn{X: p.Position.X, Y: p.Position.Y, Z: p.Position.Z,
		Angle: coords.EncodeAngle8(p.Position.Yaw),
		Look:  lookWord(look),
		Name:  p.Name, Clan: look.Clan, ClanRank: int8(look.ClanRank),
		HP: health(p.Pools.HP), MaxHP: health(p.Pools.MaxHP), Karma: uint8(look.Karma),
		Title: uint8(look.Title % rules.CycleLevels), Degree: uint8(look.Degree % rules.CycleLevels),
		Guild: guildNumber(look.Guild), GuildRank: uint8(look.GuildRank),
		TitleRebirths: uint8(look.Title / rules.CycleLevels), DegreeRebirths: uint8(look.Degree / rules.CycleLevels),
		Mark: look.Mark}
	if look.Female {
		m.Gender = 1
	}
	if look.Clan == "" {
		m.ClanRank = -1
	}
	return m
}

// lookWord is face, hair, hair colour and tattoo, a byte each.
func lookWord(l *world.Appearance) uint32 {
	return uint32(l.Face) | uint32(l.Hair)<<8 | uint32(l.HairColour)<<16 | uint32(l.Tattoo)<<24
}

func health(hp int) int32 { return int32(min(max(hp, 0), math.MaxInt32)) }

// wornGear shows the equipment of a player. Nothing is the digit 0, but 0 for shield and helmet.
func wornGear(w *rules.Worn) *packets.SetWornGear {
	m := &packets.SetWornGear{Sword: w.Sword, Axe: w.Axe, Crossbow: w.Crossbow}
	for i := range m.Codes {
		m.Codes[i] = packets.NothingWorn
	}
	for i, code := range [...]byte{packets.WornBoots: w.Boots, packets.WornPants: w.Pants, packets.WornArmour: w.Armour,
		packets.WornRobe: w.Robe, packets.WornGloves: w.Gloves} {
		if code != 0 {
			m.Codes[i] = code
		}
	}
	m.Codes[packets.WornShield], m.Codes[packets.WornHelmet] = w.Shield, w.Helmet
	return m
}

// clanTag shows the clan over a player's head; nil for none, and for a name that does not fit: the spawn has it all the
// same.
func clanTag(look *world.Appearance) packets.Region {
	if !fitsClanTag(look.Clan) {
		return nil
	}
	return &packets.TradeMan{Command: &packets.ClanTag{Rank: uint8(look.ClanRank), Clan: look.Clan}}
}

// clanChange tells of a change of the clan over a player's head; ok is false where that cannot be told.
//
// Source: a recording, see docs/protocol/clans.md: a founder is shown by its rank, a new member by 6, a former one by
// 5.
func clanChange(before, after *world.Appearance) (tag *packets.ClanTag, ok bool) {
	switch {
	case before.Clan == after.Clan && before.ClanRank == after.ClanRank:
		return nil, true
	case after.Clan == "":
		return &packets.ClanTag{Rank: packets.ClanLeft, Clan: before.Clan}, fitsClanTag(before.Clan)
	case before.Clan == after.Clan, before.Clan == "" && after.ClanRank == packets.ClanSenior:
		return &packets.ClanTag{Rank: uint8(after.ClanRank), Clan: after.Clan}, fitsClanTag(after.Clan)
	case before.Clan == "" && after.ClanRank == packets.ClanNeophyte:
		return &packets.ClanTag{Rank: packets.ClanJoined, Clan: after.Clan}, fitsClanTag(after.Clan)
	}
	return nil, false
}

// fitsClanTag reports whether there is a name of a clan and it fits a command of at most 15 bytes, with the rank
// before it and a NUL after it.
func fitsClanTag(clan string) bool { return clan != "" && packets.Len1251(clan) <= 13 }

// lookChange returns the messages about a change of a player's look, to a client that holds it. again says that this
// cannot be told, so that the player has to be removed and shown again.
//
// Source: protocol ingame 9.3: a second spawn is ignored, and there is no message for the rest.
func lookChange(before, after *world.Appearance) (regions []packets.Region, again bool) {
	a, b := *before, *after
	told := func(l *world.Appearance) { // clears the fields that can be told
		l.Worn, l.Karma, l.Title, l.Degree, l.Guild, l.GuildRank = rules.Worn{}, 0, 0, 0, 0, 0
		l.Clan, l.ClanRank = "", 0
	}
	told(&a)
	told(&b)
	tag, ok := clanChange(before, after)
	if a != b || !ok {
		return nil, true
	}
	for _, v := range [...]struct {
		stat          packets.Stat
		before, after int32
	}{
		{packets.StatKarma, int32(before.Karma), int32(after.Karma)},
		{packets.StatTitle, int32(before.Title % rules.CycleLevels), int32(after.Title % rules.CycleLevels)},
		{packets.StatDegree, int32(before.Degree % rules.CycleLevels), int32(after.Degree % rules.CycleLevels)},
		{packets.StatTitleRebirths, int32(before.Title / rules.CycleLevels), int32(after.Title / rules.CycleLevels)},
		{packets.StatDegreeRebirths, int32(before.Degree / rules.CycleLevels), int32(after.Degree / rules.CycleLevels)},
		{packets.StatGuild, guildNumber(before.Guild), guildNumber(after.Guild)},
		{packets.StatGuildRank, int32(before.GuildRank), int32(after.GuildRank)},
	} {
		if v.before != v.after {
			regions = append(regions, nameplate(v.stat, v.after))
		}
	}
	if tag != nil {
		regions = append(regions, &packets.TradeMan{Command: tag})
	}
	if before.Worn != after.Worn {
		regions = append(regions, wornGear(&after.Worn))
	}
	return regions, false
}

// nameplate sets a value of another player, in 16 bits unless it needs more.
func nameplate(stat packets.Stat, value int32) packets.Region {
	if value < 0 || value > math.MaxUint16 {
		return &packets.TradeMan{Command: &packets.NameplateStat32{Stat: stat, Value: uint32(value)}}
	}
	return &packets.TradeMan{Command: &packets.NameplateStat{Stat: stat, Value: uint16(value)}}
}

// healthChange shows the HP of another player, and the most that it can have if that is new.
func healthChange(hp, maxHP int, newMax bool) []packets.Region {
	regions := []packets.Region{nameplate(packets.StatHP, health(hp))}
	if newMax {
		regions = append(regions, nameplate(packets.StatMaxHP, health(maxHP)))
	}
	return regions
}

// A step is a frame that moves an entity, used again for each.
type step struct {
	body    packets.Body
	section [1]packets.Section
	region  [1]packets.Region
	update  packets.TransformUpdate
}

// to returns the step to a place. It is valid until the next.
//
// Source: protocol ingame 9.5.
func (m *step) to(clock uint16, id packets.ObjectID, class packets.Class, at coords.Position) *packets.Body {
	origin, update := packets.MoveTo(at)
	m.update = *update
	m.region[0] = &m.update
	m.section[0] = packets.Section{Object: id, Class: class, Regions: m.region[:]}
	m.body = packets.Body{HasOrigin: true, Origin: origin, Clock: clock, Sections: m.section[:]}
	return &m.body
}

// jump puts a player exactly somewhere.
func jump(at coords.Position) packets.Region {
	return &packets.TransformState{X: at.X, Y: at.Y, Z: at.Z, Angle: coords.EncodeAngle8(at.Yaw), Placement: packets.Plain}
}

// guildNumber is a guild as the wire has it.
func guildNumber(guild int) int32 {
	if guild == 0 {
		return 0
	}
	return int32(guild) + 64
}
