package rules

// A Reset is a way in which a character begins again, in part.
//
// Source: protocol fight 9.4, life 10.
type Reset uint8

// The resets.
const (
	Rebirth    Reset = iota // a character at 60 begins the next cycle, at 15
	TitleDown               // title to 15, for each five levels one of the degree
	DegreeDown              // the other way round
	Unlearn                 // points spent on statistics can be spent again
	LeaveGuild              // the speciality is given up
)

// resetLicences are the resets that the licences of a class stand for. Source: protocol life 10.
var resetLicences = map[int]Reset{112: Unlearn, 113: LeaveGuild, 114: TitleDown, 115: DegreeDown, 133: Rebirth}

// ResetOf returns the reset that a licence of a class brings, whether or not it has been used before; false if the
// class is not of such licences.
func ResetOf(class int) (what Reset, ok bool) {
	what, ok = resetLicences[class]
	return what, ok
}

// Resets are those that a character has used and cannot use again: as bits, by [Reset].
type Resets uint8

// Used reports whether a character has made use of a reset.
func (r Resets) Used(what Reset) bool { return r&(1<<what) != 0 }

// barred reports whether a character cannot do a reset any more: of the title and of the degree there is one in all.
func (r Resets) barred(what Reset) bool {
	switch what {
	case TitleDown, DegreeDown:
		return r.Used(TitleDown) || r.Used(DegreeDown)
	}
	return r.Used(what)
}

// afterReset is the level, less one within its cycle, that a reset leaves.
const afterReset = 14

// Reset returns levels and progress after a reset, or the reason against it. A character that loses levels gets back
// all points that were spent on statistics, since fewer are to be spent; experience towards a level that is gone is
// gone, too. With a licence it does not matter what was reset before. A player that gives up the guild keeps all else.
func (t *Tables) Reset(what Reset, licensed bool, title, degree int, p Progress) (newTitle, newDegree int,
	_ Progress, _ RejectReason) {
	newTitle, newDegree = title, degree
	why := RejectReason(0)
	switch {
	case what == LeaveGuild && p.Guild == 0:
		return title, degree, p, NoGuild
	case what == LeaveGuild:
		p.Guild, p.GuildRank = 0, 0
		return title, degree, p, 0
	case !licensed && p.Resets.barred(what):
		why = AlreadyReset
	case what == Unlearn && p.Base == Stats{}:
		why = NothingSpent
	case what == Rebirth:
		newTitle, newDegree, why = reborn(title, degree)
	case what == TitleDown:
		newTitle, newDegree, why = lowered(title, degree, TitleLow)
	case what == DegreeDown:
		newDegree, newTitle, why = lowered(degree, title, DegreeLow)
	}
	if why == 0 && p.Guild != 0 && what != Unlearn {
		why = HasGuild
	}
	if why != 0 {
		return title, degree, p, why
	}
	for i, spent := range p.Base {
		if i < 4 {
			p.TitlePoints += spent
		} else {
			p.DegreePoints += spent
		}
	}
	p.Base = Stats{}
	points, other := t.Points(newTitle, newDegree)
	pointsWere, otherWere := t.Points(title, degree)
	p.TitlePoints = min(max(p.TitlePoints+points-pointsWere, 0), MaxPoints)
	p.DegreePoints = min(max(p.DegreePoints+other-otherWere, 0), MaxPoints)
	need := NeededXP(newTitle, newDegree)
	p.TitleXP = kept(p.TitleXP, need, title, newTitle)
	p.DegreeXP = kept(p.DegreeXP, need, degree, newDegree)
	if what != Rebirth && !licensed {
		p.Resets |= 1 << what
	}
	return newTitle, newDegree, p, 0
}

// kept is the experience left in a career: none if its level has fallen, and never enough for a level.
func kept(xp, need uint32, level, newLevel int) uint32 {
	if newLevel != level && inCycle(newLevel) <= inCycle(level) {
		return 0
	}
	return min(xp, need-1)
}

// reborn are the levels after a rebirth: a career that was at 60 begins its next cycle.
func reborn(title, degree int) (newTitle, newDegree int, why RejectReason) {
	last := func(level int) bool { return inCycle(level) == CycleLevels-1 }
	switch {
	case !last(title) && !last(degree):
		return title, degree, NotSixty
	case resets(title) == resets(MaxLevel) || resets(degree) == resets(MaxLevel):
		return title, degree, Greatest
	}
	next := func(level int) int {
		cycle := resets(level)
		if last(level) {
			cycle++
		}
		return cycle*CycleLevels + afterReset
	}
	return next(title), next(degree), 0
}

// lowered are the levels after one is given up for another, which stays in its cycle; low is the reason against it.
func lowered(level, other int, low RejectReason) (newLevel, newOther int, why RejectReason) {
	given := inCycle(level) - afterReset
	if given <= 0 {
		return level, other, low
	}
	return level - given, min(other+given/5, resets(other)*CycleLevels+CycleLevels-1), 0
}
