package world

import "sphereserver/world/rules"

// A Sheet is what a player is and has become, as it is told of itself. Sheets are compared with ==.
type Sheet struct {
	Title, Degree    int // absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Progress         rules.Progress
	Pools            rules.Pools
	Derived          rules.Derived
}

// toldSheet is a sheet but for what is derived, which the world keeps of each player beside it.
type toldSheet struct {
	Title, Degree    int
	Karma            int
	Guild, GuildRank int
	Progress         rules.Progress
	Pools            rules.Pools
}

// told is what a player is to be told of itself now.
func (p *Player) told() toldSheet {
	return toldSheet{p.Title, p.Degree, p.Appearance.Karma, p.Appearance.Guild, p.Appearance.GuildRank, p.Progress,
		p.Pools}
}

// sheet is the player's as it knows it, once what follows from its levels and equipment has been computed.
func (p *player) sheet() Sheet {
	k := &p.known
	return Sheet{k.Title, k.Degree, k.Karma, k.Guild, k.GuildRank, k.Progress, k.Pools, p.derived}
}
