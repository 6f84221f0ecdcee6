package rules

// A Wearer is the part of a character by which requirements of items are checked.
type Wearer struct {
	Title, Degree    int   // absolute levels less one
	Karma            int   // band, 1 very bad … 5 benign
	Guild, GuildRank int   // 1 to 14, 0: none; 0 to 5
	Stats            Stats // bought with points, plus bonuses of worn items
}

// Rank is the rank of the character for [Weaken]: 1 to 12 (7.4).
func (w *Wearer) Rank() int { return 1 + max(inCycle(w.Title), inCycle(w.Degree))/5 }

// Lacks says which of an item's requirements the character does not meet, 0 if it meets all (7.2). Those of several
// items do not add up: each is checked for itself.
func (w *Wearer) Lacks(n *Need) RejectReason {
	switch {
	case n.Title > 0 && inCycle(w.Title) < n.Title:
		return LacksTitle
	case n.Degree > 0 && inCycle(w.Degree) < n.Degree:
		return LacksDegree
	case n.KarmaMin > 0 && w.Karma < n.KarmaMin:
		return KarmaTooBad
	case n.KarmaMax > 0 && w.Karma > n.KarmaMax:
		return KarmaTooGood
	}
	for i, need := range n.Stats {
		if need > 0 && w.Stats[i] < need {
			return Lacking
		}
	}
	return 0
}

// MayWear reports whether the character's guild allows an item of a kind: emblems are for members of the rank (7.2).
func (w *Wearer) MayWear(k *Kind) bool {
	guild, rank, ok := GuildOf(k.GameID)
	return k.Class != ClassGuildEmblem || !ok || w.Guild == guild && w.GuildRank >= rank
}
