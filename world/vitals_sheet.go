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

// toldSheet is a sheet without the derived values, which the world keeps of each player beside it.
type toldSheet struct {
	Title, Degree    int
	Karma            int
	Guild, GuildRank int
	Progress         rules.Progress
	Pools            rules.Pools
}

// told returns the part of a player's sheet that it is to be told now.
func (p *Player) told() toldSheet {
	return toldSheet{p.Title, p.Degree, p.Appearance.Karma, p.Appearance.Guild, p.Appearance.GuildRank, p.Progress,
		p.Pools}
}

// sheet returns a player's sheet as the player knows it, with the derived values as last computed.
func (p *player) sheet() Sheet {
	k := &p.known
	return Sheet{k.Title, k.Degree, k.Karma, k.Guild, k.GuildRank, k.Progress, k.Pools, p.derived}
}
