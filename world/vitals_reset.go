package world

import "sphereserver/world/rules"

// BeginAgain resets a player in part: it is reborn, gives up levels or unlearns. [StatsChanged] follows.
type BeginAgain struct {
	ID   PlayerID
	What rules.Reset
}

func (c BeginAgain) who() PlayerID { return c.ID }

func (c BeginAgain) ask(w *World, p *player) rules.RejectReason {
	title, degree, progress, why := w.tables.Reset(c.What, p.Title, p.Degree, p.Appearance.Guild, p.Progress)
	if why != 0 {
		return why
	}
	back := [2]int{progress.TitlePoints - p.Progress.TitlePoints, progress.DegreePoints - p.Progress.DegreePoints}
	d := w.ledger.tx(p, c)
	// Nothing that lasts changes meanwhile: all of it waits for this.
	d.become = func(p *Player) { p.Title, p.Degree, p.Progress = title, degree, progress }
	w.ledger.commit(d, nil, func() {
		was, is := w.vitals.grow(p)
		w.tell(StatsChanged{p.ID, was, is})
		w.tell(BeganAgain{p.ID, c.What, title + 1, degree + 1, progress.TitlePoints, progress.DegreePoints, back})
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
