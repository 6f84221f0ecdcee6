package world

import (
	"time"

	"sphereserver/world/rules"
)

// ResetProgress resets a part of a player's progress: a rebirth, levels given up, spent points given back, or its guild
// left. [StatsChanged] follows; or [ResetPossible], if the player only asks, was not told of late, or if what it was
// told has changed since.
type ResetProgress struct {
	ID   PlayerID
	What rules.Reset
	Asks bool
}

func (c ResetProgress) who() PlayerID { return c.ID }

func (c ResetProgress) ask(w *World, p *player) rules.RejectReason {
	if c.Asks {
		w.vitals.warned.spend(p.ID)
	}
	return w.vitals.resetProgress(p, c, c.What, nil)
}

// resetQuestion is a reset whose terms a player can be told.
type resetQuestion struct {
	what    rules.Reset
	licence rules.ItemID // 0: without one
}

// resetTerms are the levels that a reset leaves, and the points to spend.
type resetTerms struct{ title, degree, titlePoints, degreePoints int }

// A resetWarning is of terms, and until when a yes is about it: a click hours later is about nothing.
type resetWarning struct {
	resetTerms
	until instant
}

// resetPatience is how long the second yes to a reset may take.
const resetPatience = time.Minute

// useRenewal uses up a licence, which resets a player in part, whatever it has reset before. The first use only tells
// of that.
//
// Source: protocol life 10; that the server asks, too, is ours.
func (vt *vitals) useRenewal(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	what, _ := rules.ResetOf(t.Class)
	return vt.resetProgress(p, c, what, t)
}

// atone uses up a stone of karma.
//
// Source: protocol life 10.
func (vt *vitals) atone(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	if rules.Atone(t.Class, p.Progress.Karma) == p.Progress.Karma {
		return rules.KarmaTooGood
	}
	d, used := vt.ledger.tx(p, c), *t
	left := d.UseUp(d.Side(&p.carried), t.ID)
	d.become = func(p *Player) { p.Progress.Karma = rules.Atone(used.Class, p.Progress.Karma) }
	vt.ledger.commit(d, nil, func() {
		vt.tell(Used{ID: p.ID, Item: used, Left: left, Slots: d.slots(all)})
		was, is := vt.grow(p)
		vt.tell(StatsChanged{p.ID, was, is})
	})
	return 0
}

// resetProgress resets a part of a player's progress, and uses up the licence for it, if there is one. It tells of the
// reset instead if the player was not told of just this one last.
func (vt *vitals) resetProgress(p *player, c request, what rules.Reset, licence *rules.Item) rules.RejectReason {
	title, degree, progress, why := vt.tables.Reset(what, licence != nil, p.Title, p.Degree, p.Progress)
	if why != 0 {
		return why
	}
	after := ProgressReset{p.ID, what, title + 1, degree + 1, progress.TitlePoints, progress.DegreePoints,
		[2]int{progress.TitlePoints - p.Progress.TitlePoints, progress.DegreePoints - p.Progress.DegreePoints}}
	if !vt.agreed(p, after, licence) {
		return 0
	}
	d, used := vt.ledger.tx(p, c), Used{ID: p.ID}
	if licence != nil {
		used.Item = *licence
		used.Left = d.UseUp(d.Side(&p.carried), licence.ID)
	}
	if what == rules.LeaveGuild {
		vt.tables.Enrol(&d.InventoryTx, d.Side(&p.carried), 0, 0)
	}
	// Nothing that lasts changes meanwhile: all of it waits for this.
	d.become = func(p *Player) { p.Title, p.Degree, p.Progress = title, degree, progress }
	vt.ledger.commit(d, nil, func() {
		if licence != nil {
			used.Slots = d.slots(all)
			vt.tell(used)
		}
		if what == rules.LeaveGuild {
			tellGuild(vt.core, p, d)
		}
		was, is := vt.grow(p)
		vt.tell(StatsChanged{p.ID, was, is})
		vt.tell(after)
	})
	return 0
}

// agreed reports whether a player was told last what a reset will leave. If not it is told now; the licence that it
// has used for that is not used up.
func (vt *vitals) agreed(p *player, after ProgressReset, licence *rules.Item) bool {
	q, terms := resetQuestion{what: after.What}, resetTerms{after.Title, after.Degree, after.TitlePoints, after.DegreePoints}
	if licence != nil {
		q.licence = licence.ID
	}
	told, asked := vt.warned[p.ID][q]
	vt.warned.spend(p.ID)
	if asked && told.resetTerms == terms && vt.instant().Before(told.until) {
		return true
	}
	vt.warned.tell(p.ID, q, resetWarning{terms, vt.instant().Add(resetPatience)})
	if licence != nil {
		vt.tell(Used{ID: p.ID, Item: *licence, Left: licence.Count})
	}
	vt.tell(ResetPossible{after, licence != nil})
	return false
}

// ProgressReset tells a player its levels, from 1, and its points to spend after a reset.
type ProgressReset struct {
	ID            PlayerID
	What          rules.Reset
	Title, Degree int
	TitlePoints   int
	DegreePoints  int
	Back          [2]int // how many more points that is, of title and degree; below 0 for fewer
}

func (ProgressReset) event() {}

// ResetPossible tells a player what a reset would leave, which it has not done yet.
type ResetPossible struct {
	ProgressReset
	Licensed bool // by a licence, which is used up then
}

func (ResetPossible) event() {}
