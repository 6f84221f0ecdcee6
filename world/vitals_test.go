package world

import (
	"slices"
	"testing"

	"sphereserver/world/rules"
)

func TestWhatIsWornCounts(t *testing.T) {
	m := newTradeStage()
	m.joins(1, thing(kHelmet, 1, 0, 26, 1), thing(kRing, 2, 0, 27, 1))
	m.joins(2)
	p := m.player(1)
	if p.Pools.MaxHP != 110 || p.Pools.MaxMP != 100 {
		t.Fatalf("maxima at first: %+v, expected 110 and 100", p.Pools)
	}
	events := m.asks(t, MoveItem{1, Container{}, 26, 0})
	// 150 HP and a tenth of them for the half full stomach.
	if got := valuesOf(only[StatsChanged](t, events)); len(got) != 2 || got[statMaxHP] != 165 || got[statPhysical] != 4 {
		t.Errorf("told %v", got)
	}
	if look := told[AppearanceChanged](events); len(look) != 1 || look[0].Player.Appearance.Worn.Helmet != 'H' ||
		!slices.Equal(look[0].Viewers, []PlayerID{2}) {
		t.Errorf("looks told: %+v", look)
	}
	if seen := told[HealthSeen](events); len(seen) != 1 || seen[0].MaxHP != 165 {
		t.Errorf("health told: %+v", seen)
	}
	events = m.asks(t, MoveItem{1, Container{}, 27, 11})
	if got := valuesOf(only[StatsChanged](t, events)); len(got) != 1 || got[statStats] != 10 {
		t.Errorf("told %v", got)
	}
	if n := len(told[AppearanceChanged](events)); n != 0 {
		t.Error("a ring is seen")
	}
	m.Do(setPools{1, rules.Pools{HP: 160, MP: 40, Satiety: 50, MaxSatiety: 100}})
	events = m.asks(t, MoveItem{1, Container{}, 0, 30})
	if got := valuesOf(only[StatsChanged](t, events)); got[statMaxHP] != 110 || got[statHP] != 110 ||
		got[statPhysical] != 0 {
		t.Errorf("taken off: told %v", got)
	}
}

func TestRequirementsLostAndMetAgain(t *testing.T) {
	m := newTradeStage()
	// The base of 5 is lowered by 6 and raised by 5: the helmet needs the ring, and both are there.
	m.admits(Player{ID: 1, Items: []rules.Item{thing(kRing, 1, 0, 8, 1), thing(kHelmet, 2, 0, 0, 1),
		thing(kSword, 3, 0, 26, 1)}, Money: 10})
	p := m.player(1)
	if valuesIn(p.sheet())[statPhysical] != 4 || valuesIn(p.sheet())[statStats] != 5 {
		t.Fatalf("defence %d, strength %d: the ring should carry the helmet", valuesIn(p.sheet())[statPhysical],
			valuesIn(p.sheet())[statStats])
	}
	only[HandChanged](t, m.asks(t, TakeInHand{ID: 1, Item: 3}))
	if valuesIn(p.sheet())[statAttack] != -20 {
		t.Errorf("attack %d, expected that of the sword", valuesIn(p.sheet())[statAttack])
	}
	m.asks(t, MoveItem{1, Container{}, 8, 30})
	if valuesIn(p.sheet())[statPhysical] != 0 || valuesIn(p.sheet())[statMaxHP] != 110 ||
		valuesIn(p.sheet())[statAttack] != 0 {
		t.Errorf("without the ring: %v", p.sheet())
	}
	if p.carried.At(0, 0) == nil || p.hand != 3 || p.Appearance.Worn.Helmet == 0 {
		t.Error("what does not count any more is not worn any more")
	}
	m.asks(t, MoveItem{1, Container{}, 30, 9})
	if valuesIn(p.sheet())[statPhysical] != 4 || valuesIn(p.sheet())[statAttack] != -20 {
		t.Error("with the ring again it does not count again")
	}
}

func TestLevelsChangeWhatCounts(t *testing.T) {
	m := newTradeStage()
	m.admits(Player{ID: 1, Title: 4, Items: []rules.Item{thing(kShield, 1, 0, 2, 1), thing(kShield, 2, 0, 26, 1)},
		Progress: rules.Progress{TitlePoints: 20}})
	m.joins(2)
	p := m.player(1)
	if want := rules.MaxMP(4, 0) + 30; p.Pools.MaxMP != want {
		t.Fatalf("MP %d, expected %d", p.Pools.MaxMP, want)
	}
	events := m.asks(t, SetLevels{ID: 1, Title: 3, Degree: 2, Tag: 7})
	if g := only[Granted](t, events); g.Command.(SetLevels).Tag != 7 {
		t.Errorf("told %+v", g)
	}
	e := only[StatsChanged](t, events)
	want := map[int]int{statTitle: 3, statTitleXP: 0, statDegree: 2, statTitlePoints: 14, statDegreePoints: 7,
		statPoints: 21, statMaxHP: 297, statMaxMP: 250,
		statMagical: 0, statBaseHP: 270, statBaseMP: 250}
	for i, v := range want {
		if got, ok := valuesOf(e)[i]; i != statPoints && (!ok || got != v) {
			t.Errorf("value %d: told %v %d, expected %d", i, ok, got, v)
		}
	}
	if look := told[AppearanceChanged](events); len(look) != 1 || look[0].Player.Appearance.Title != 3 ||
		look[0].Player.Appearance.Degree != 2 {
		t.Errorf("looks told: %+v", look)
	}
	if s := m.sheets[1001]; s.Title != 3 || s.Degree != 2 || s.Progress.TitlePoints != 14 {
		t.Errorf("stored %+v", s)
	}
	refused(t, m.asks(t, MoveItem{1, Container{}, 26, 35}, PutInto{1, Target{Item: 1}, Container{}, 27},
		MoveItem{1, Container{}, 35, 2})[2:], rules.LacksTitle)
	m.asks(t, SetLevels{ID: 1, Title: 4, Degree: 2})
	only[ItemMoved](t, m.asks(t, MoveItem{1, Container{}, 35, 2}))
	for _, bad := range []SetLevels{{ID: 1, Title: -1}, {ID: 1, Degree: 240}} {
		refused(t, m.asks(t, bad), rules.NoLevel)
	}
}

func TestOperatorsSetPoints(t *testing.T) {
	m := newTradeStage()
	m.admits(Player{ID: 1, Progress: rules.Progress{TitlePoints: 20, DegreePoints: 3}})
	for _, v := range []struct{ title, degree, wantTitle, wantDegree int }{
		{7, -1, 7, 3}, {-1, rules.MaxPoints, 7, rules.MaxPoints}, {0, 0, 0, 0},
	} {
		events := m.asks(t, SetPoints{ID: 1, Title: v.title, Degree: v.degree, Tag: 7})
		if g := only[Granted](t, events); g.Command.(SetPoints).Tag != 7 {
			t.Errorf("told %+v", g)
		}
		only[StatsChanged](t, events)
		if p := m.player(1).Progress; p.TitlePoints != v.wantTitle || p.DegreePoints != v.wantDegree {
			t.Errorf("%+v: has %+v", v, p)
		}
		if s := m.sheets[1001].Progress; s.TitlePoints != v.wantTitle || s.DegreePoints != v.wantDegree {
			t.Errorf("%+v: stored %+v", v, s)
		}
	}
	refused(t, m.asks(t, SetPoints{ID: 1, Title: rules.MaxPoints + 1}), rules.WrongCount)
}

func TestNothingHelpsItself(t *testing.T) {
	// A helmet that needs 5 and a ring that needs nothing and gives 5: with base 0 the ring comes first in any order of
	// the slots.
	for _, id := range []rules.ItemID{1, 9} {
		o := func(things ...rules.Item) rules.Derived {
			h := rules.NewInventory(rules.Inventory{Owner: 1}, things)
			return testTables.Derive(&rules.Character{}, &h, 0)
		}
		if got := o(thing(kHelmet, id, 0, 0, 1), thing(kRing, 5, 0, 8, 1)); got.PhysicalDefence != 4 {
			t.Errorf("helmet %d does not count", id)
		}
		if got := o(thing(kHelmet, id, 0, 0, 1), thing(kRing, 5, 0, 8, 1),
			thing(kCursed, 6, 0, 9, 1)); got.PhysicalDefence != 0 || got.Stats[0] != -1 {
			t.Errorf("helmet %d counts though the curse takes its strength: %+v", id, got)
		}
	}
}

func TestHandHoldsOnlyWhatMayBeHeld(t *testing.T) {
	weak := Player{ID: 2, Items: []rules.Item{thing(kSword, 20, 0, 26, 1)}}
	for name, c := range map[string]struct {
		take TakeInHand
		why  rules.RejectReason
	}{
		"a ring":              {TakeInHand{ID: 1, Item: 2}, rules.NoSlot},
		"what is in a bag":    {TakeInHand{ID: 1, Item: 15}, rules.NoSlot},
		"somebody else's":     {TakeInHand{ID: 1, Item: 20}, rules.NotYours},
		"without strength":    {TakeInHand{ID: 2, Item: 20}, rules.Lacking},
		"a number too low":    {TakeInHand{ID: 1, Item: -4}, rules.NotYours},
		"a number not known":  {TakeInHand{ID: 1, Item: 999}, rules.NotYours},
		"what has no numbers": {TakeInHand{ID: 1, Item: 4}, rules.NoSlot},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, append(spread(), thing(kSword, 15, 6, 5, 1))...)
			m.admits(weak)
			refused(t, m.asks(t, c.take), c.why)
		})
	}
	m := newTradeStage()
	m.joins(1, spread()...)
	m.joins(2)
	events := m.asks(t, TakeInHand{ID: 1, Item: 1})
	if only[HandChanged](t, events) != (HandChanged{1, 1}) || m.player(1).Appearance.Worn.Sword != "sword601" ||
		len(told[AppearanceChanged](events)) != 1 {
		t.Errorf("told %s", describe(events))
	}
	if events := m.asks(t, MoveItem{1, Container{}, 26, 35}); len(of[HandChanged](events)) != 0 || m.player(1).hand != 1 {
		t.Error("the hand let go of what moved within the inventory")
	}
	if e := only[HandChanged](t, m.asks(t, PutInto{1, Target{Item: 1}, Container{Bag: 6}, 5})); e.Item != 0 ||
		m.player(1).Appearance.Worn.Sword != "" {
		t.Errorf("the hand holds what is in a bag: %+v", e)
	}
	if e := only[HandChanged](t, m.asks(t, TakeInHand{ID: 1, Fists: true})); e.Item != 0 || !m.player(1).fists {
		t.Errorf("told %+v", e)
	}
	if m.asks(t, TakeInHand{ID: 1, Item: 11}); valuesIn(m.player(1).sheet())[statMagic] != 0 {
		t.Error("a mantra that heals attacks")
	}
}

func TestPointsAreSpent(t *testing.T) {
	for name, c := range map[string]struct {
		spend rules.Stats
		why   rules.RejectReason
	}{
		"on both":           {spend: rules.Stats{1, 0, 3, 0, 0, 2}},
		"negative is none":  {spend: rules.Stats{2, -1 << 62, 0, 0, -5}},
		"too many":          {rules.Stats{5}, rules.NoTitlePoints},
		"too many together": {rules.Stats{2, 2, 1}, rules.NoTitlePoints},
		"of the degree":     {rules.Stats{4: 3}, rules.NoDegreePoints},
		"none":              {rules.Stats{}, rules.NoUse},
		"only negative":     {rules.Stats{-1, -2}, rules.NoUse},
		"as many as fit":    {rules.Stats{1<<63 - 1, 1<<63 - 1, 1<<63 - 1}, rules.NoTitlePoints},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1)
			before := m.state()
			events := m.asks(t, SpendPoints{1, c.spend})
			if c.why != 0 {
				refused(t, events, c.why)
				free := map[rules.RejectReason]int{rules.NoTitlePoints: 4, rules.NoDegreePoints: 2}[c.why]
				if limit := only[Refused](t, events).Limit; limit != free || !same(before, m.state()) {
					t.Errorf("something has changed, or it was told of %d points", limit)
				}
				return
			}
			sheet := m.player(1).Progress
			title, degree := 4, 2
			for i, n := range c.spend {
				n = max(n, 0)
				base := n
				if i == 0 {
					base += 5
				}
				if sheet.Base[i] != base {
					t.Errorf("base value %d is %d", i, sheet.Base[i])
				}
				if i < 4 {
					title -= n
				} else {
					degree -= n
				}
			}
			got := valuesOf(only[StatsChanged](t, events))
			if sheet.TitlePoints != title || sheet.DegreePoints != degree || got[statTitlePoints] != title ||
				got[statBase] != sheet.Base[0] || got[statStats] != sheet.Base[0] {
				t.Errorf("sheet %+v, told %v", sheet, got)
			}
			if m.sheets[1001].Progress != sheet {
				t.Errorf("stored %+v, expected %+v", m.sheets[1001].Progress, sheet)
			}
		})
	}
}

func TestValuesAreThoseOfEntering(t *testing.T) {
	m := newTradeStage()
	p := Player{ID: 1, Title: 63, Degree: 2, Items: []rules.Item{thing(kRing, 1, 0, 8, 1), thing(kHelmet, 2, 0, 0, 1)},
		Progress:   rules.Progress{TitlePoints: 3, DegreePoints: 2, TitleXP: 77, Karma: 40, Guild: 3, GuildRank: 2},
		Appearance: Appearance{Guild: 3, GuildRank: 2, Karma: 3}}
	m.admits(p)
	p.Pools = rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100}
	sheet, look := SheetOf(testTables, nil, p)
	if look.Worn.Helmet == 0 || sheet != m.player(1).sheet() {
		t.Errorf("sheet %+v, in the world %+v; look %+v", sheet, m.player(1).sheet(), look)
	}
	got := valuesIn(sheet)
	want := map[int]int{statTitle: 3, statTitleRebirths: 1, statDegree: 2, statGuild: 67, statGuildRank: 2,
		statPoints: 5, statKarma: 3, statKarmaPoints: 40, statTitleXP: 77}
	for i, v := range want {
		if got[i] != v {
			t.Errorf("value %d is %d, expected %d", i, got[i], v)
		}
	}
}

// What satiety does follows the balance at once.
func TestAChangedBalanceFeedsOtherwise(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	if p.Pools.MaxHP != 110 {
		t.Fatalf("half full it has %d HP", p.Pools.MaxHP)
	}
	b := *m.balance
	b.Effect.Fed[1] = 50
	e := only[StatsChanged](t, m.asks(t, SetBalance{&b}))
	if e.Was.Pools.MaxHP != 110 || e.Is.Pools.MaxHP != 150 || p.Pools.MaxHP != 150 {
		t.Errorf("told %+v", e)
	}
	b2 := b
	b2.Effect.FedFrom = [2]int{60, 90}
	m.asks(t, SetBalance{&b2})
	if p.Pools.MaxHP != 105 {
		t.Errorf("hungry it has %d HP", p.Pools.MaxHP)
	}
}
