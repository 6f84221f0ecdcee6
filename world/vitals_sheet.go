package world

import "sphereserver/world/rules"

// A Sheet is a player's levels, values and pools as it is told of itself. Sheets are compared with ==.
type Sheet struct {
	Title, Degree    int // absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Progress         rules.Progress
	Pools            rules.Pools
	Derived          rules.Derived
}

// toldSheet is a sheet without the pools and the derived values, which the world keeps of each player beside it. Its
// numbers take half the room that those of a [Sheet] do: there is one of each player.
type toldSheet struct {
	title, degree, karma, guild, guildRank int16
	guilds                                 [2]int16  // of the progress: guild and rank
	points                                 [2]uint16 // to spend, [rules.MaxPoints] at the most
	base                                   [len(rules.Stats{})]int32
	karmaCount                             int32
	xp                                     [2]uint32
	resets                                 rules.Resets
	licences                               rules.Licences
}

// told returns the part of a player's sheet that it is to be told now.
func (p *Player) told() toldSheet {
	a, is := &p.Appearance, &p.Progress
	t := toldSheet{int16(p.Title), int16(p.Degree), int16(a.Karma), int16(a.Guild), int16(a.GuildRank),
		[2]int16{int16(is.Guild), int16(is.GuildRank)}, [2]uint16{uint16(is.TitlePoints), uint16(is.DegreePoints)},
		[len(rules.Stats{})]int32{}, int32(is.Karma), [2]uint32{is.TitleXP, is.DegreeXP}, is.Resets, is.Licences}
	for i, v := range is.Base {
		t.base[i] = int32(v)
	}
	return t
}

// sheet returns a player's sheet as the player knows it, with the pools of now, and the derived values as last
// computed.
func (p *player) sheet() Sheet {
	k := &p.known
	s := Sheet{int(k.title), int(k.degree), int(k.karma), int(k.guild), int(k.guildRank),
		rules.Progress{TitleXP: k.xp[0], DegreeXP: k.xp[1], TitlePoints: int(k.points[0]), DegreePoints: int(k.points[1]),
			Karma: int(k.karmaCount), Resets: k.resets, Licences: k.licences, Guild: int(k.guilds[0]),
			GuildRank: int(k.guilds[1])}, p.Pools, p.derived}
	for i, v := range k.base {
		s.Progress.Base[i] = int(v)
	}
	return s
}
