package world

import "sphereserver/world/rules"

// BeginAgain resets a player in part: it is reborn, gives up levels or its guild, or unlearns. [StatsChanged] follows.
type BeginAgain struct {
	ID   PlayerID
	What rules.Reset
}

func (c BeginAgain) who() PlayerID { return c.ID }

func (c BeginAgain) ask(w *World, p *player) rules.RejectReason {
	return w.vitals.beginAgain(p, w.ledger.tx(p, c), c.What, false, func() {})
}

// useRenewal uses up a licence, which resets a player in part, whatever it has reset before.
//
// Source: protocol life 10.
func (vt *vitals) useRenewal(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	what, _ := rules.ResetOf(t.Class)
	d, was := vt.ledger.tx(p, c), *t
	left := d.UseUp(d.Side(&p.carried), t.ID)
	return vt.beginAgain(p, d, what, true, func() {
		vt.tell(Used{ID: p.ID, Item: was, Target: c.Target, Left: left, Slots: d.slots(all)})
	})
}

// beginAgain makes a reset a part of a transaction and commits that; done tells the rest of it.
func (vt *vitals) beginAgain(p *player, d *tx, what rules.Reset, licensed bool, done func()) rules.RejectReason {
	title, degree, progress, why := vt.tables.Reset(what, licensed, p.Title, p.Degree, p.Progress)
	if why != 0 {
		return why
	}
	back := [2]int{progress.TitlePoints - p.Progress.TitlePoints, progress.DegreePoints - p.Progress.DegreePoints}
	// Nothing that lasts changes meanwhile: all of it waits for this.
	d.become = func(p *Player) { p.Title, p.Degree, p.Progress = title, degree, progress }
	vt.ledger.commit(d, nil, func() {
		done()
		was, is := vt.grow(p)
		vt.tell(StatsChanged{p.ID, was, is})
		vt.tell(BeganAgain{p.ID, what, title + 1, degree + 1, progress.TitlePoints, progress.DegreePoints, back})
	})
	return 0
}

// BeganAgain tells a player that a reset is done, with its levels from 1, and its points to spend.
type BeganAgain struct {
	ID            PlayerID
	What          rules.Reset
	Title, Degree int
	TitlePoints   int
	DegreePoints  int
	Back          [2]int // how many more points that is, of title and degree; below 0 for fewer
}

func (BeganAgain) event() {}
