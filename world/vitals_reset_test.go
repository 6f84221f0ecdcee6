package world

import (
	"testing"
	"time"

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
	m.asks(t, ResetProgress{ID: p.ID, What: rules.Unlearn, Asks: true})
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

	only[ResetPossible](t, use(113))
	e := only[StatsChanged](t, use(113))
	if e.Was.Guild != 3 || e.Is.Guild != 0 || e.Is.GuildRank != 0 || p.Appearance.Guild != 0 ||
		m.sheets[p.Character].Progress.Guild != 0 || p.carried.Find(113) != nil {
		t.Errorf("told %+v, the store has %+v", e, m.sheets[p.Character])
	}
	refused(t, m.asks(t, ResetProgress{ID: 1, What: rules.LeaveGuild}), rules.NoGuild)

	only[ResetPossible](t, use(114))
	if u := only[Used](t, use(114)); u.Left != 0 || p.carried.Find(114) != nil {
		t.Errorf("told %+v", u)
	}
	if p.Title != 14 || p.Degree != 20+3 || p.Progress.Resets != used {
		t.Errorf("levels %d and %d, resets %b", p.Title, p.Degree, p.Progress.Resets)
	}

	refused(t, use(112), rules.NothingSpent)
	m.asks(t, SpendPoints{ID: 1, Spend: rules.Stats{1}})
	only[ResetPossible](t, use(112))
	only[ProgressReset](t, use(112))
	if p.Progress.Base != (rules.Stats{}) || p.carried.Find(112) != nil {
		t.Errorf("spent %v", p.Progress.Base)
	}
}

// A reset is done by a second yes to just what was told last, once: no licence goes and no level before.
func TestResetsAreToldBeforeTheyAreDone(t *testing.T) {
	m := newTradeStage()
	licence := func(id rules.ItemID, class, slot int) rules.Item {
		return rules.Item{ID: id, Class: class, Slot: slot, Suffix: rules.NoSuffix, Count: 1, Durability: 100,
			MaxDurability: 100}
	}
	m.admits(Player{ID: 1, Title: 30, Degree: 20, Items: []rules.Item{licence(10, 114, 26), licence(11, 112, 27)},
		Progress: rules.Progress{TitlePoints: 200}})
	p := m.player(1)
	m.asks(t, SpendPoints{ID: 1, Spend: rules.Stats{7}})
	tells := func(step string, c Command, want ResetPossible) {
		t.Helper()
		events := m.asks(t, c)
		want.ID = 1
		if e := only[ResetPossible](t, events); e != want || p.Title != 30 || len(p.carried.Items) != 2 {
			t.Errorf("%s: told %+v, expected %+v; title %d, carries %d", step, e, want, p.Title, len(p.carried.Items))
		}
		if of := of[Used](events); want.Licensed && (len(of) != 1 || of[0].Left != 1 || len(of[0].Slots) != 0) {
			t.Errorf("%s: of the licence it is told %+v", step, of)
		}
	}
	yes, down := ResetProgress{ID: 1, What: rules.Unlearn}, ResetProgress{ID: 1, What: rules.TitleDown}
	unlearn := ResetPossible{ProgressReset{What: rules.Unlearn, Title: 31, Degree: 21, TitlePoints: 200, Back: [2]int{7}}, false}
	lower := func(licensed bool) (told ResetPossible) {
		title, degree, progress, _ := m.tables.Reset(rules.TitleDown, true, p.Title, p.Degree, p.Progress)
		return ResetPossible{ProgressReset{What: rules.TitleDown, Title: title + 1, Degree: degree + 1,
			TitlePoints: progress.TitlePoints, DegreePoints: progress.DegreePoints,
			Back: [2]int{progress.TitlePoints - p.Progress.TitlePoints, progress.DegreePoints}}, licensed}
	}
	tells("a yes without a question", yes, unlearn)
	tells("about something else", down, lower(false))
	tells("the first again", yes, unlearn)
	tells("a licence is asked about by itself", UseItem{ID: 1, Item: 11}, ResetPossible{unlearn.ProgressReset, true})
	tells("which is no question about the command", yes, unlearn)
	m.does(deedOf(func(*World) { p.Progress.TitlePoints += 2 }))
	unlearn.TitlePoints += 2
	tells("more has come", yes, unlearn)
	tells("asked twice", ResetProgress{ID: 1, What: rules.Unlearn, Asks: true}, unlearn)
	m.pass(resetPatience)
	tells("too late", yes, unlearn)
	m.pass(resetPatience - time.Second)
	if e := only[ProgressReset](t, m.asks(t, yes)); e.TitlePoints != 202 {
		t.Errorf("done: %+v", e)
	}
	tells("a licence", UseItem{ID: 1, Item: 10}, lower(true))
	if only[ProgressReset](t, m.asks(t, UseItem{ID: 1, Item: 10})); p.Title != 14 || p.carried.Find(10) != nil {
		t.Errorf("by a licence: title %d", p.Title)
	}
	m.asks(t, SpendPoints{ID: 1, Spend: rules.Stats{1}})
	m.asks(t, UseItem{ID: 1, Item: 11})
	if m.asks(t, Leave{ID: 1}); len(m.vitals.warned) > 0 {
		t.Errorf("of a player that has left there is kept %v", m.vitals.warned)
	}
}

// goods is a stack of a class without a kind, such as the catalogue of an operator's client brings.
func goods(class int, id rules.ItemID, slot, n int) rules.Item {
	return rules.Item{ID: id, Slot: slot, Class: class, Suffix: -1, Count: n, Durability: 100, MaxDurability: 100}
}

func TestStonesOfKarmaAreUsedUp(t *testing.T) {
	m := newFight(Options{})
	m.admits(Player{ID: 1, Items: []rules.Item{goods(440, 10, 26, 2), goods(445, 11, 27, 1)},
		Progress: rules.Progress{Karma: -3000}})
	p := m.player(1)
	use := func(id rules.ItemID) []Event { return m.asks(t, UseItem{ID: 1, Item: id}) }

	events := m.does(UseItem{ID: 1, Item: 10})
	r := only[CommitRequest](t, events)
	if len(r.Change.Progress) != 1 || r.Change.Progress[0].Progress.Karma != -1000 || p.Progress.Karma != -3000 ||
		len(of[Used](events))+len(of[StatsChanged](events)) > 0 {
		t.Fatalf("before it is stored: %s", describe(events))
	}
	refused(t, m.asks(t, Committed{Seq: r.Seq, Err: errConflict}), rules.StoreFailed)
	if p.Progress.Karma != -3000 || p.carried.Find(10).Count != 2 {
		t.Errorf("not stored: karma %d, %+v", p.Progress.Karma, p.carried.Items)
	}
	events = use(10)
	if s := only[StatsChanged](t, events); only[Used](t, events).Left != 1 || s.Is.Progress.Karma != -1000 ||
		m.sheets[p.Character].Progress.Karma != -1000 || p.Appearance.Karma != rules.KarmaBad {
		t.Errorf("told %s", describe(events))
	}
	if use(11); p.Progress.Karma != 0 || p.carried.Find(11) != nil || p.Appearance.Karma != rules.KarmaNeutral {
		t.Errorf("karma %d", p.Progress.Karma)
	}
	refused(t, use(10), rules.KarmaTooGood)
	if p.carried.Find(10).Count != 1 {
		t.Error("a refused stone is used up")
	}
}

// What is used up demands what its kind demands, as a spell does.
func TestStonesThatAskForALevel(t *testing.T) {
	kind := rules.Kind{ID: 1, Class: 440, Columns: rules.Columns{Need: rules.Need{Title: 9}}}
	tables, err := rules.NewTables([]rules.Kind{kind}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &tradeStage{stage: newStage(Options{Tables: tables}), modelStore: newModelStore()}
	stone := tables.NewItem(tables.Kind(kind.ID), rules.NoSuffix, 1, nil)
	stone.ID, stone.Slot = 10, 26
	m.admits(Player{ID: 1, Items: []rules.Item{stone}, Progress: rules.Progress{Karma: -3000}})
	p := m.player(1)
	refused(t, m.asks(t, UseItem{ID: 1, Item: 10}), rules.LacksTitle)
	if p.Progress.Karma != -3000 || p.carried.Find(10) == nil {
		t.Errorf("karma %d, %+v", p.Progress.Karma, p.carried.Items)
	}
	p.Title = 29
	if m.asks(t, UseItem{ID: 1, Item: 10}); p.Progress.Karma != -1000 {
		t.Errorf("karma %d", p.Progress.Karma)
	}
}

// An item of class 434 is used up by a death that would cost experience, and by no other.
func TestExperienceIsKeptAtDeath(t *testing.T) {
	balance := sharp()
	balance.Death.Thing = 1
	for name, c := range map[string]struct {
		title int
		karma int
		fails bool
		slot  int // of the item
		kept  bool
		left  int
	}{
		"kept":                     {title: 29, slot: 26, kept: true, left: 1},
		"with a bag for a robber":  {title: 29, slot: 26, karma: -500, kept: true, left: 1},
		"the store fails":          {title: 29, slot: 26, fails: true, kept: true, left: 2},
		"who is too weak to lose":  {title: 3, slot: 26, kept: true, left: 2},
		"one in a bag is not used": {title: 29, slot: 0, left: 2},
	} {
		t.Run(name, func(t *testing.T) {
			m := newFight(Options{Balance: balance})
			item, bag := goods(434, 10, c.slot, 2), goods(401, 11, 22, 1)
			if c.slot == 0 {
				item.In = bag.ID
			}
			m.admits(Player{ID: 1, Title: c.title, Items: []rules.Item{bag, item, thing(kApple, 12, 0, 28, 4)},
				Progress: rules.Progress{Karma: c.karma, TitleXP: 1000, Base: rules.Stats{5}}})
			p := m.player(1)
			kill := deedOf(func(w *World) { w.vitals.hurt(p, Hit{HP: -30000}) })
			var events []Event
			if c.fails {
				events = m.failing(time.Second, m.does(kill))
			} else {
				events = m.asks(t, kill)
			}
			died := only[PlayerDied](t, events)
			if kept := died.Is.Progress.TitleXP == 1000; kept != c.kept || kept != (p.Progress.TitleXP == 1000) {
				t.Errorf("experience %d", p.Progress.TitleXP)
			}
			if left := p.carried.Find(10).Count; left != c.left {
				t.Errorf("%d are left", left)
			}
			if used := of[Used](events); len(used) != 2-c.left || len(used) == 1 && (used[0].Left != 1 || len(used[0].Slots) != 1) {
				t.Errorf("used %+v", used)
			}
			if dropped := len(of[ItemDropped](events)); dropped != 0 != (c.karma < -100) {
				t.Errorf("%d items are lost", dropped)
			}
		})
	}
}
