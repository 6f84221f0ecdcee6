package rules

import "time"

// MaxKarma is the greatest karma count, and the least one with the sign changed: a limit of ours, the recorded counts
// go beyond 5000. Source: protocol fight 8.4.
const MaxKarma = 1_000_000

// The karma types that the client shows. protocol: session 11.3.
const (
	KarmaVeryBad = 1
	KarmaBad     = 2
	KarmaNeutral = 3
	KarmaGood    = 4
	KarmaBenign  = 5
)

// KarmaType is the type of a karma count. protocol: session 11.2.
func KarmaType(count int) int {
	switch {
	case count < -1000:
		return KarmaVeryBad
	case count < -100:
		return KarmaBad
	case count <= 100:
		return KarmaNeutral
	case count <= 1000:
		return KarmaGood
	}
	return KarmaBenign
}

// AddKarma is a karma count after a change, kept within [MaxKarma] on both sides.
func AddKarma(count, change int) int {
	return min(max(count+change, -MaxKarma), MaxKarma)
}

// ForMonster is how killing a monster changes karma. The practice target is worth nothing. Source: protocol fight 4.3,
// 8.4.
func (b *KarmaBalance) ForMonster(m *Monster) int {
	if m.ID == PracticeTarget {
		return 0
	}
	return ofBand(&b.Monster, m.Karma)
}

// ForPlayer is how killing a player with a karma count changes the killer's. Source: protocol fight 8.4.
func (b *KarmaBalance) ForPlayer(victim int) int { return ofBand(&b.Player, KarmaType(victim)) }

// Killer is the character to blame for a death, 0 for none: the one that dealt the deadly hit, or else the one that has
// cast the deadly effect and left. Nobody is to blame for its own death.
func Killer(victim, striker, caster int64) int64 {
	killer := striker
	if killer == 0 {
		killer = caster
	}
	if killer == victim {
		return 0
	}
	return killer
}

// DefendsItself reports whether a character that was struck by another so long ago defends itself against it.
func (b *KarmaBalance) DefendsItself(ago time.Duration) bool { return ago <= b.SelfDefence }

// Blame is how killing a player with a karma count changes the killer's; nothing in self-defence. Wars of clans are not
// declared yet. Source: protocol fight 8.4, 12.2.
func (b *KarmaBalance) Blame(victim int, selfDefence bool) int {
	if selfDefence {
		return 0
	}
	return b.ForPlayer(victim)
}

// ForMantra is the karma that a mantra on another player earns, so long after the last that did: nothing too soon, and
// nothing for one that takes something, too. Source: protocol fight 8.4.
func (b *KarmaBalance) ForMantra(e *Effect, ago time.Duration) int {
	if e.Costs() || ago < b.KindEach {
		return 0
	}
	return b.Kindness
}

func ofBand(changes *[6]int, band int) int {
	if band < 0 || band >= len(changes) {
		return 0
	}
	return changes[band]
}

// The stones of karma: the lesser raises a bad karma by one type, the greater brings it to neutral. Which of the two
// does which is ours.
const (
	classLesserKarma  = 440
	classGreaterKarma = 445
)

// Atone is a karma count after the use of a stone of karma. A karma that is not bad stays as it is.
//
// Source: protocol life 10.
func Atone(class, count int) int {
	switch t := KarmaType(count); {
	case class == classLesserKarma && t == KarmaVeryBad:
		return -1000
	case class == classLesserKarma && t == KarmaBad:
		return -100
	case class == classGreaterKarma && t < KarmaNeutral:
		return 0
	}
	return count
}
