package world

import (
	"testing"

	"sphereserver/world/rules"
)

func TestCheck33Rebirth(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 59, 29)
	q := m.fighter(t, 2, 58, 58)
	refused(t, m.asks(t, ResetProgress{ID: q.ID, What: rules.Rebirth}), rules.NotSixty)

	refused(t, m.asks(t, ResetProgress{ID: q.ID, What: rules.Rebirth, Asks: true}), rules.NotSixty)

	before := p.Progress
	events := m.asks(t, ResetProgress{ID: p.ID, What: rules.Rebirth, Asks: true})
	if e := only[ResetPossible](t, events); e.What != rules.Rebirth || len(of[StatsChanged](events)) != 0 ||
		p.Title != 59 {
		t.Errorf("asked: told %s, the title is %d", describe(events), p.Title)
	}
	e := only[StatsChanged](t, m.asks(t, ResetProgress{ID: p.ID, What: rules.Rebirth}))
	if e.Was.Title != 59 || e.Is.Title != 60+14 || e.Is.Degree != 14 || e.Is.Progress.Base != (rules.Stats{}) {
		t.Errorf("told %+v", e)
	}
	if p.Title != 74 || p.Appearance.Title != 74 || p.Progress.Karma != before.Karma || m.sheets[p.Character].Title != 74 {
		t.Errorf("it is %d, looks %d, the store has %+v", p.Title, p.Appearance.Title, m.sheets[p.Character])
	}

	refused(t, m.asks(t, ResetProgress{ID: p.ID, What: rules.Unlearn}), rules.NothingSpent)
	m.does(deedOf(func(*World) { p.Progress.TitlePoints = 3 }))
	m.asks(t, SpendPoints{ID: p.ID, Spend: rules.Stats{1}})
	events = m.asks(t, ResetProgress{ID: p.ID, What: rules.Unlearn})
	only[StatsChanged](t, events)
	if e := only[ProgressReset](t, events); e.Title != 75 || e.TitlePoints != p.Progress.TitlePoints || e.TitlePoints < 1 ||
		e.Back != [2]int{1, 0} {
		t.Errorf("told %+v", e)
	}
	refused(t, m.asks(t, ResetProgress{ID: p.ID, What: rules.Unlearn}), rules.AlreadyReset)
	refused(t, m.asks(t, ResetProgress{ID: p.ID, What: rules.Rebirth}), rules.NotSixty)
}

// A licence is used up by a reset that is done, and only by that. A guild is left for good.
func TestLicencesAndGuilds(t *testing.T) {
	m := newTradeStage()
	var licences []rules.Item
	for i, class := range []int{112, 113, 114} {
		licences = append(licences, rules.Item{ID: rules.ItemID(class), Class: class, Slot: 26 + i, Suffix: rules.NoSuffix,
			Count: 1, Durability: 100, MaxDurability: 100})
	}
	const used = 1<<rules.Unlearn | 1<<rules.TitleDown
	m.admits(Player{ID: 1, Title: 30, Degree: 20, Items: licences, Appearance: Appearance{Guild: 3, GuildRank: 1},
		Progress: rules.Progress{Guild: 3, GuildRank: 1, Resets: used, TitlePoints: 200}})
	p := m.player(1)
	use := func(class int) []Event { return m.asks(t, UseItem{ID: 1, Item: rules.ItemID(class)}) }
	refused(t, use(114), rules.HasGuild)
	refused(t, m.asks(t, ResetProgress{ID: 1, What: rules.TitleDown}), rules.AlreadyReset)

	e := only[StatsChanged](t, use(113))
	if e.Was.Guild != 3 || e.Is.Guild != 0 || e.Is.GuildRank != 0 || p.Appearance.Guild != 0 ||
		m.sheets[p.Character].Progress.Guild != 0 || p.carried.Find(113) != nil {
		t.Errorf("told %+v, the store has %+v", e, m.sheets[p.Character])
	}
	refused(t, m.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild}), rules.NoGuild)

	if u := only[Used](t, use(114)); u.Left != 0 || p.carried.Find(114) != nil {
		t.Errorf("told %+v", u)
	}
	if p.Title != 14 || p.Degree != 20+3 || p.Progress.Resets != used {
		t.Errorf("levels %d and %d, resets %b", p.Title, p.Degree, p.Progress.Resets)
	}

	refused(t, use(112), rules.NothingSpent)
	m.asks(t, SpendPoints{ID: 1, Spend: rules.Stats{1}})
	only[ProgressReset](t, use(112))
	if p.Progress.Base != (rules.Stats{}) || p.carried.Find(112) != nil {
		t.Errorf("spent %v", p.Progress.Base)
	}
}
