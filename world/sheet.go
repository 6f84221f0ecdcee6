package world

import "sphereserver/world/rules"

// A Sheet is what a player is and has become, as it is told of itself. Sheets are compared with ==.
type Sheet struct {
	Title, Degree    int // absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Progress         rules.Progress
	Pools            rules.Pools // without what is below one point
	Derived          rules.Derived
}

// sheet is a player's, with what follows from its levels and equipment.
func (p *Player) sheet(d *rules.Derived) Sheet {
	return Sheet{Title: p.Title, Degree: p.Degree, Karma: p.Appearance.Karma, Guild: p.Appearance.Guild,
		GuildRank: p.Appearance.GuildRank, Progress: p.Progress, Pools: shownPools(p.Pools), Derived: *d}
}

// shownPools are pools as they are told.
func shownPools(v rules.Pools) rules.Pools {
	v.HPPart, v.MPPart = 0, 0
	return v
}
