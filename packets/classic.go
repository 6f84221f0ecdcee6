package packets

import (
	_ "embed" // a recorded entry block
	"encoding/hex"
	"math"
	"strings"

	"sphereserver/bitpack"
	"sphereserver/coords"
)

// The classic dialect reproduces the frames of the published article byte for byte. They are the grammar's too, with
// constants for fields that the article had not found out.

// Constants of the article's enter-world frame. Source: protocol session 7.1.
const (
	classicLook    = 0x32313034
	classicCarried = -991654
	classicWeight  = 786432 // of slot 59: two bits that the article takes for a part of the HP
)

// A ClassicPlace is a player's place as the article's server tells it: it computed in doubles, and its encoder cuts
// off the bits that a float32 would round.
type ClassicPlace struct{ X, Y, Z, Yaw float64 }

// ClassicEnterWorld returns the enter-world frame in the article's fixed form: the given name, clan, place, occupied
// slots, HP, karma, levels, guild and money; constants for the rest; coordinates in the logarithmic form; HP and levels
// in 14 bits. Source: protocol session 7.1.
func ClassicEnterWorld(i PlayerIndex, m WorldSnapshot, at ClassicPlace) *Body {
	m.Look, m.Gender, m.Carried, m.Continent = classicLook, 0, classicCarried, 0
	m.X, m.Y, m.Z, m.Yaw = classicFloat(at.X), classicFloat(at.Y), classicFloat(at.Z), classicFloat(at.Yaw)
	m.Weights = append(make([]uint32, Slots-1), classicWeight)
	occupied := make([]uint16, Slots)
	copy(occupied, m.Occupied)
	occupied[57], occupied[58], occupied[59] = 1, 0, 1
	m.Occupied = occupied
	if m.Clan == "" {
		m.ClanRank = -1
	}
	b := Message(PregameClock, i.ID(), ClassPlayer, &m)
	// In the order of the fields that have forms: name 0, look 1, carried 2, HP 3, greatest HP 4, levels 5, guild 6.
	for _, wide := range []struct {
		ordinal  int
		v        int32
		selector uint8
	}{{1, m.Look, 3}, {3, m.HP, 2}, {4, m.MaxHP, 2}, {5, m.Levels, 2}, {6, m.Guild, 1}} {
		if wide.selector > bitpack.VarintSelector(wide.v) {
			b.forms = append(b.forms, form{wide.ordinal, wide.selector << 1})
		}
	}
	return b
}

func classicFloat(v float64) float32 { return math.Float32frombits(coords.EncodeClassic(v)) }

// The article's periodic frames. The first is its answer to a keepalive; the newer servers answer with a keepalive.
// Source: protocol session 9, ingame 7.5.
const (
	classicEchoMP  = 4089
	classicSixMP   = 4094
	classicEffect8 = 0xF6
	classicTime    = 0x4727749C
)

// ClassicEcho is the article's answer to a keepalive of the client.
func ClassicEcho(i PlayerIndex) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer, &SetStat{StatMP, classicEchoMP},
		&Manager{&PlayEffect{RegenerationEffect}})
}

// ClassicSixSeconds is the body that the article sends every 6 s: an MP of 4094 and an effect.
func ClassicSixSeconds(i PlayerIndex) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer, &SetStat{StatMP, classicSixMP},
		&Manager{&PlayEffect8{classicEffect8}})
}

// ClassicFifteenSeconds is the body that the article sends every 15 s: a clock frame addressed to the player by
// mistake, which the grammar reads as an impossible command.
func ClassicFifteenSeconds(i PlayerIndex) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer, &GameTime{classicTime})
}

// classicEntry are the frames of the article's "inventory", zeros in place of the player's index (bytes 7 and 8).
// Their texts carry memory of the server that they were recorded from, so they cannot be built from fields. Source:
// protocol session appendix A1.
//
//go:embed classic_entry.hex
var classicEntry string

// ClassicEntry returns the two writes that the article calls the inventory: an entry block with constant items, and 14
// requests to check files, cut after 1412 bytes in the middle of a frame. Source: protocol session 8.5 and appendix A1.
func ClassicEntry(i PlayerIndex) (first, second []byte) {
	const cut = 1412
	all := make([]byte, 0, 1769)
	for line := range strings.FieldsSeq(classicEntry) {
		frame, err := hex.DecodeString(line)
		if err != nil {
			panic("packets: constant entry block: " + err.Error())
		}
		frame[7], frame[8] = byte(i>>8), byte(i)
		all = append(all, frame...)
	}
	return all[:cut], all[cut:]
}
