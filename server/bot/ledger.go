package bot

import (
	"fmt"
	"strings"
	"time"

	"sphereserver/packets"
)

// A Ledger has the lasting values of a character, besides its belongings: it has to have them when it comes back.
// Unknown values are left out.
type Ledger struct {
	values [len(lasting)]int32
	known  [len(lasting)]bool
	hp     int32 // the last that was told
	fought bool  // a moment ago, so that they are others by now
	most   int32
}

// lasting are the values that only a player's acts change. Source: protocol ingame 12.1.
var lasting = [...]packets.Stat{packets.StatTitle, packets.StatDegree, packets.StatTitleXP, packets.StatDegreeXP,
	packets.StatKarma, packets.StatKarmaPoints, packets.StatFreeTitlePoints, packets.StatFreeDegreePoints,
	packets.StatBaseStrength, packets.StatBaseAgility, packets.StatBaseAccuracy, packets.StatBaseEndurance,
	packets.StatBaseEarth, packets.StatBaseAir, packets.StatBaseWater, packets.StatBaseFire}

const (
	// killPatience is how long the gains of a blow may take: they are told when they are stored.
	killPatience = time.Second
	// calm is how long after a hit the HP are the last told ones.
	calm = 10 * time.Second
	// noticing is how near, in metres, a monster may be that attacks while a client leaves.
	noticing = 25
	// restedHP is how many parts of the greatest HP come back by rest while a client leaves and enters.
	restedHP = 20
)

func (c *Client) ledger() (l Ledger) {
	for i, s := range lasting {
		l.values[i], l.known[i] = c.Stats[s]
	}
	l.hp, l.most = c.Stats[packets.StatHP], c.Stats[packets.StatMaxHP]
	l.fought = c.fought()
	return l
}

// fought reports whether the character is dead or hurt, or may be by the time that it has left: then nobody knows
// where it stands.
func (c *Client) fought() bool {
	if c.fight.dead || c.dead() || !c.fight.hitAt.IsZero() && time.Since(c.fight.hitAt) < calm {
		return true
	}
	for _, o := range c.beasts {
		if o.Position.Distance(c.Position) < noticing {
			return true
		}
	}
	return false
}

// differs says how the ledger differs from an expected one, "" for not at all.
func (l Ledger) differs(from Ledger) string {
	var all []string
	for i, s := range lasting {
		if l.known[i] && from.known[i] && l.values[i] != from.values[i] {
			all = append(all, fmt.Sprintf("%s %d, expected %d", s, l.values[i], from.values[i]))
		}
	}
	// A character that gets hungry meanwhile has fewer at most.
	if more := l.hp - min(from.hp, l.most); from.most > 0 && !from.fought && (more < 0 || more > from.most/restedHP+1) {
		all = append(all, fmt.Sprintf("HP %d, expected %d", l.hp, from.hp))
	}
	return strings.Join(all, "; ")
}
