package world

import "sphereserver/world/rules"

// An Appearance is what others see of a player besides where it is and how it is. Looks are compared with ==.
//
// Source: protocol ingame 9.3.
type Appearance struct {
	Face, Hair, HairColour, Tattoo byte
	Female                         bool

	Clan     string // empty for none
	ClanRank int    // 0 senior to 4 candidate, -1 none

	Title, Degree    int // as they are shown: absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Worn             rules.Worn
	Mark             bool // overhead
}

// A Role is what a player may do beyond playing, each with the rights of those before it.
type Role uint8

// The roles.
const (
	Anyone Role = iota
	Helper
	GameMaster
	Administrator
)
