package world

import (
	"testing"

	"sphereserver/world/rules"
)

func TestCheck33Rebirth(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 59, 29)
	q := m.fighter(t, 2, 58, 58)
	refused(t, m.asks(t, BeginAgain{ID: q.ID, What: rules.Rebirth}), rules.NotSixty)

	before := p.Progress
	e := only[StatsChanged](t, m.asks(t, BeginAgain{ID: p.ID, What: rules.Rebirth}))
	if e.Was.Title != 59 || e.Is.Title != 60+14 || e.Is.Degree != 14 || e.Is.Progress.Base != (rules.Stats{}) {
		t.Errorf("told %+v", e)
	}
	if p.Title != 74 || p.Appearance.Title != 74 || p.Progress.Karma != before.Karma || m.sheets[p.Character].Title != 74 {
		t.Errorf("it is %d, looks %d, the store has %+v", p.Title, p.Appearance.Title, m.sheets[p.Character])
	}

	refused(t, m.asks(t, BeginAgain{ID: p.ID, What: rules.Unlearn}), rules.NothingSpent)
	m.does(deedOf(func(*World) { p.Progress.TitlePoints = 3 }))
	m.asks(t, SpendPoints{ID: p.ID, Spend: rules.Stats{1}})
	events := m.asks(t, BeginAgain{ID: p.ID, What: rules.Unlearn})
	only[StatsChanged](t, events)
	if e := only[BeganAgain](t, events); e.Title != 75 || e.TitlePoints != p.Progress.TitlePoints || e.TitlePoints < 1 ||
		e.Back != [2]int{1, 0} {
		t.Errorf("told %+v", e)
	}
	refused(t, m.asks(t, BeginAgain{ID: p.ID, What: rules.Unlearn}), rules.AlreadyReset)
	refused(t, m.asks(t, BeginAgain{ID: p.ID, What: rules.Rebirth}), rules.NotSixty)
}
