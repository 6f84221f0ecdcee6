package world

import "sphereserver/world/rules"

// ResetProgress resets a part of a player's progress: a rebirth, levels given up, spent points given back, or its guild
// left. [StatsChanged] follows; if the player only asks, [ResetPossible].
type ResetProgress struct {
	ID   PlayerID
	What rules.Reset
	Asks bool
}

func (c ResetProgress) who() PlayerID { return c.ID }

func (c ResetProgress) ask(w *World, p *player) rules.RejectReason {
	if c.Asks {
		_, _, _, why := w.tables.Reset(c.What, false, p.Title, p.Degree, p.Progress)
		if why == 0 {
			w.tell(ResetPossible{p.ID, c.What})
		}
		return why
	}
	return w.vitals.resetProgress(p, w.ledger.tx(p, c), c.What, false, func() {})
}

// useRenewal uses up a licence, which resets a player in part, whatever it has reset before.
//
// Source: protocol life 10.
func (vt *vitals) useRenewal(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	what, _ := rules.ResetOf(t.Class)
	d, was := vt.ledger.tx(p, c), *t
	left := d.UseUp(d.Side(&p.carried), t.ID)
	return vt.resetProgress(p, d, what, true, func() {
		vt.tell(Used{ID: p.ID, Item: was, Left: left, Slots: d.slots(all)})
	})
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

// resetProgress adds a reset to a transaction and commits that. done is called when it is stored.
func (vt *vitals) resetProgress(p *player, d *tx, what rules.Reset, licensed bool, done func()) rules.RejectReason {
	title, degree, progress, why := vt.tables.Reset(what, licensed, p.Title, p.Degree, p.Progress)
	if why != 0 {
		return why
	}
	back := [2]int{progress.TitlePoints - p.Progress.TitlePoints, progress.DegreePoints - p.Progress.DegreePoints}
	if what == rules.LeaveGuild {
		vt.tables.Enrol(&d.InventoryTx, d.Side(&p.carried), 0, 0)
	}
	// Nothing that lasts changes meanwhile: all of it waits for this.
	d.become = func(p *Player) { p.Title, p.Degree, p.Progress = title, degree, progress }
	vt.ledger.commit(d, nil, func() {
		done()
		if what == rules.LeaveGuild {
			tellGuild(vt.core, p, d)
		}
		was, is := vt.grow(p)
		vt.tell(StatsChanged{p.ID, was, is})
		vt.tell(ProgressReset{p.ID, what, title + 1, degree + 1, progress.TitlePoints, progress.DegreePoints, back})
	})
	return 0
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

// ResetPossible tells a player that nothing is against a reset, which it has not done yet.
type ResetPossible struct {
	ID   PlayerID
	What rules.Reset
}

func (ResetPossible) event() {}
