package world

// A StatValue is one value of a character as its own client counts them.
//
// Source: protocol ingame 12.1.
type StatValue struct {
	Index int // on the wire
	Value int // attack is negative
}

// Indexes of [StatValue].
const (
	statHP = iota
	statMaxHP
	statMP
	statMaxMP
	statSatiety
	statMaxSatiety
	statStats         // to 13
	statPhysical      = 16
	statMagical       = 17
	statAttack        = 18
	statMagic         = 19
	statGuild         = 21
	statGuildRank     = 22
	statBaseHP        = 24
	statBaseMP        = 25
	statBaseSatiety   = 26
	statBase          = 27 // to 34
	statTitle         = 37
	statDegree        = 38
	statKarma         = 39
	statKarmaPoints   = 40
	statTitleXP       = 41
	statDegreeXP      = 42
	statPoints        = 43
	statTitlePoints   = 44
	statDegreePoints  = 45
	statTitleRebirths = 52
	statDegreeRebirth = 53

	statCount = 64
)
