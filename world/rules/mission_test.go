package rules

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
)

var hunting = []MissionTemplate{
	{Key: "k001", Goals: [MissionGoals]bool{true, true, true, true}, Min: 1, Max: 60, Types: []int{1}, Reward: 1},
	{Key: "b001", Goals: [MissionGoals]bool{MoneyGoal: true}, Min: 1, Max: 60, Reward: 2},
}

// field is a land with all places 200 m to the east of a landmark.
type field struct{}

func (field) Spot(at coords.Position) (coords.Position, bool) { at.X += 200; return at, true }
func (field) Person(at coords.Position) (int32, coords.Position, bool) {
	at.X += 200
	return 500, at, true
}

func missionTables(t *testing.T) *Tables {
	tables, err := NewTables(nil, nil, []Monster{{ID: 1, Attack: -1, High: 59, HPBase: 1}, {ID: 2, Attack: -1, Low: 9, High: 19,
		HPBase: 1}, {ID: 3, Attack: -1, High: 59, Karma: 4, HPBase: 1}, {ID: 4, High: 59, HPBase: 1}})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

func TestLifeMissionsComeFromTheirSeed(t *testing.T) {
	tables, b := missionTables(t), DefaultBalance()
	g := &MissionGiver{Near: Entrance{Number: 2000, At: coords.Position{X: 1}}, Far: []Entrance{{Number: 2020}}}
	seen := map[string]bool{}
	for seed := range uint64(200) {
		make := func() (Mission, bool) {
			return tables.NewMission(rand.New(rand.NewPCG(seed, 1)), b, hunting, g, MoneyGoal, NearbyPlace, 10, field{})
		}
		m, ok := make()
		if again, _ := make(); !ok || again != m {
			t.Fatalf("seed %d makes %+v, then %+v", seed, m, again)
		}
		if m.Level < 9 || m.Level > 11 || m.Target >= 0 || m.Entrance != 2000 {
			t.Fatalf("seed %d makes %+v", seed, m)
		}
		switch {
		case m.Inside() && (m.Type != 1 || m.At.X != 1):
			t.Errorf("in the dungeon %+v", m)
		case !m.Inside() && (m.Type > 2 || m.At.X != 201 || m.Reward != 2):
			t.Errorf("outside %+v", m)
		}
		seen[m.Template] = true
		key, ok := m.Key()
		if back, ok2 := MissionOf(&key); !ok || !ok2 || back != m || key.Slot != SlotMission || !key.Bound || key.Weight != 25 {
			t.Errorf("the key of %+v reads as %+v", m, back)
		}
	}
	if len(seen) != 2 {
		t.Errorf("only %v are made", seen)
	}
	m, _ := tables.NewMission(rand.New(rand.NewPCG(1, 1)), b, hunting, g, TitleGoal, HyperionPlace, 10, field{})
	if m.Entrance != 2020 || m.Template != "k001" {
		t.Errorf("far away: %+v", m)
	}
	alone := MissionGiver{Near: g.Near}
	m, _ = tables.NewMission(rand.New(rand.NewPCG(1, 1)), b, hunting, &alone, TitleGoal, HyperionPlace, 10, field{})
	if m.Entrance != 2000 {
		t.Errorf("far away, where there is one entrance only: %+v", m)
	}
	if m, ok := tables.NewMission(rand.New(rand.NewPCG(1, 1)), b, nil, g, TitleGoal, NearbyPlace, 10, field{}); ok {
		t.Errorf("of no templates: %+v", m)
	}
	g.Far = nil
	if m, ok := tables.NewMission(rand.New(rand.NewPCG(1, 1)), b, hunting, g, TitleGoal, HyperionPlace, 10, field{}); !ok ||
		m.Entrance != 2000 {
		t.Errorf("far away, of a giver that knows no other entrance: %+v, %t", m, ok)
	}
}

// A template counts for the levels from its first to its last, and only for its goals; no mission is about a monster
// that the tables have not.
func TestTemplatesOfMissionsFit(t *testing.T) {
	tables, b, g := missionTables(t), DefaultBalance(), &MissionGiver{}
	template := func(types ...int) []MissionTemplate {
		return []MissionTemplate{{Key: "k001", Goals: [MissionGoals]bool{MoneyGoal: true}, Min: 5, Max: 9, Types: types}}
	}
	for _, c := range []struct {
		all   []MissionTemplate
		goal  MissionGoal
		level int
		ok    bool
	}{{template(1), MoneyGoal, 4, false}, {template(1), MoneyGoal, 5, true}, {template(1), MoneyGoal, 9, true},
		{template(1), MoneyGoal, 10, false}, {template(1), TitleGoal, 5, false}, {template(77), MoneyGoal, 5, false}} {
		m, ok := tables.NewMission(rand.New(rand.NewPCG(1, 1)), b, c.all, g, c.goal, NearbyPlace, c.level, field{})
		if ok != c.ok {
			t.Errorf("goal %d, level %d, monsters %v: %+v, %t", c.goal, c.level, c.all[0].Types, m, ok)
		}
	}
	b.Mission.Spread = 3
	for seed := range uint64(50) {
		m, _ := tables.NewMission(rand.New(rand.NewPCG(seed, 1)), b, hunting[:1], g, TitleGoal, NearbyPlace, 1, field{})
		if m.Level < 1 || m.Level > 4 {
			t.Errorf("of level 1 ± 3 is %d", m.Level)
		}
	}
}

func TestGoalsHaveNamesInBothLanguages(t *testing.T) {
	for word, want := range map[string]MissionGoal{"title": TitleGoal, "степень": DegreeGoal, "Money": MoneyGoal,
		"КАРМА": KarmaGoal} {
		if got, ok := MissionGoalOf(word); !ok || got != want {
			t.Errorf("%s is goal %d, %t", word, got, ok)
		}
	}
	if got, ok := MissionGoalOf("glory"); ok {
		t.Errorf("glory is goal %d", got)
	}
}

func TestLifeCheck4_3GiversTakeWhomTheyMay(t *testing.T) {
	g := &MissionGiver{Goals: [MissionGoals]bool{TitleGoal: true, MoneyGoal: true}, Places: [MissionPlaces]bool{true},
		TitleMin: 5, TitleMax: 20, DegreeMin: 2, DegreeMax: 60, KarmaMin: KarmaNeutral, KarmaMax: KarmaGood}
	for _, c := range []struct {
		title, degree, karma int
		why                  RejectReason
		limit                int
	}{
		{5, 2, 0, 0, 0}, {4, 2, 0, TitleTooLow, 6}, {21, 2, 0, TitleTooHigh, 21}, {65, 2, 0, 0, 0}, {64, 2, 0, TitleTooLow, 6},
		{5, 1, 0, DegreeTooLow, 3}, {5, 2, -101, KarmaTooLow, 0}, {5, 2, 1001, KarmaTooGood, 0},
	} {
		if why := g.MayTake(c.title, c.degree, c.karma); why != c.why || g.Limit(why) != c.limit {
			t.Errorf("%+v: %v, limit %d", c, why, g.Limit(why))
		}
	}
	for _, c := range []struct{ goal, is MissionGoal }{{TitleGoal, TitleGoal}, {DegreeGoal, TitleGoal}, {MoneyGoal, MoneyGoal},
		{200, TitleGoal}} {
		if goal, place, ok := g.Choose(c.goal, 200); goal != c.is || place != NearbyPlace || !ok {
			t.Errorf("a wish for %d is one for %d at %d, %v", c.goal, goal, place, ok)
		}
	}
	if _, place, _ := g.Choose(TitleGoal, FarPlace); place != NearbyPlace {
		t.Errorf("who sends nobody far away does: %d", place)
	}
	g.Places[RodosPlace] = true
	if _, place, ok := g.Choose(TitleGoal, FarPlace); place != RodosPlace || !ok {
		t.Errorf("far away is %d, %v", place, ok)
	}
	if _, _, ok := (&MissionGiver{}).Choose(0, 0); ok {
		t.Error("who offers nothing has something")
	}
}

// A kill in a dungeon was recorded to give 20 at level 1.
func TestLifeMissionRewards(t *testing.T) {
	all := DefaultBalance()
	b, e := &all.Mission, &all.Experience
	for _, c := range []struct {
		m    Mission
		part float64
		want Reward
	}{
		{Mission{Goal: TitleGoal, Level: 1, Reward: 1}, 1, Reward{XP: 20}},
		{Mission{Goal: TitleGoal, Level: 1, Reward: 1}, 0.5, Reward{XP: 10}},
		{Mission{Goal: DegreeGoal, Level: 3, Reward: 1}, 1, Reward{Career: Magical, XP: 124}},
		{Mission{Goal: MoneyGoal, Level: 5, Reward: 2}, 1, Reward{Money: 80}},
		{Mission{Goal: KarmaGoal, Level: 5, Reward: 1}, 1, Reward{Karma: 25}},
		{Mission{Goal: TitleGoal, Level: 1, Reward: 1e300}, 1, Reward{XP: MaxMoney}},
		{Mission{Goal: MoneyGoal, Level: 5, Reward: math.Inf(1)}, 1, Reward{Money: MaxMoney}},
		{Mission{Goal: KarmaGoal, Level: 5, Reward: 1e19}, 1, Reward{Karma: MaxMoney}},
		{Mission{Goal: MoneyGoal, Level: 5, Reward: math.NaN()}, 1, Reward{}},
		{Mission{Goal: KarmaGoal, Level: 5, Guild: 3, Rank: 2}, 1, Reward{Guild: 3, Rank: 2}},
	} {
		if got := b.Reward(e, &c.m, c.part); got != c.want {
			t.Errorf("%+v times %v gives %+v", c.m, c.part, got)
		}
	}
	now := time.Unix(1000, 0)
	if m := (Mission{Ends: 1000}); !m.Over(now) || m.Over(now.Add(-time.Second)) {
		t.Error("it ends at another time")
	}
}

func TestNoKeyOfAMissionIsReadAsOne(t *testing.T) {
	for _, extra := range []string{"", "{", "null", "{}", `{"template":"k001"}`, `{"template":"k001","level":1,"goal":9}`,
		`{"template":"k001","level":1,"reward":-1}`, `{"template":"k0011","level":1}`, `{"template":"k001","level":1,"at":{"x":1e30}}`} {
		if m, ok := MissionOf(&Item{Class: ClassMission, Extra: []byte(extra)}); ok {
			t.Errorf("%s is read as %+v", extra, m)
		}
	}
	if _, ok := MissionOf(nil); ok {
		t.Error("no item is read as a mission")
	}
}

// Each kind has its target, its things to bring, and its place.
func TestLifeKindsOfMissions(t *testing.T) {
	kinds := []Kind{{ID: 900, GameID: 900, Class: 600, Tier: 1, Stack: 1}, {ID: 901, GameID: 901, Class: 601, Tier: 9, Stack: 1}}
	tables, err := NewTables(kinds, nil, missionTables(t).Monsters())
	if err != nil {
		t.Fatal(err)
	}
	b := DefaultBalance()
	g := &MissionGiver{Near: Entrance{Number: 2000, At: coords.Position{X: 1}, Sends: true}}
	for key, want := range map[string]struct {
		inside, hunts, returns, parcel bool
		x                              float32
	}{
		"k000": {inside: true, x: 1}, "b000": {hunts: true, x: 201}, "p000": {inside: true, returns: true, parcel: true, x: 1},
		"s000": {parcel: true, x: 201}, "q000": {hunts: true, returns: true, parcel: true, x: 201}, "c000": {returns: true, x: 1},
		"f000": {inside: true, x: 1}, "h000": {x: 201},
	} {
		all := []MissionTemplate{{Key: key, Goals: [MissionGoals]bool{MoneyGoal: true}, Min: 1, Max: 60, Reward: 1}}
		for seed := range uint64(20) {
			m, ok := tables.NewMission(rand.New(rand.NewPCG(seed, 1)), b, all, g, MoneyGoal, NearbyPlace, 3, field{})
			m.From = 77
			parcel, has := m.Parcel()
			if !ok || m.Inside() != want.inside || m.Hunts() != want.hunts || m.Returns() != want.returns || has != want.parcel ||
				m.At.X != want.x || m.Sends != want.inside || (m.Wants == 900) != (key == "c000") || (m.Count > 0) != (key == "c000") ||
				m.Count > b.Mission.CollectMax || (m.Target == 500) != (key == "s000") || (m.Type != 0) != (want.inside || want.hunts) {
				t.Fatalf("%s: %+v", key, m)
			}
			if !has {
				continue
			}
			from, to := uint32(m.Target), uint32(77)
			if key == "s000" {
				from, to = to, from
			}
			if e := parcel.Extra; !parcel.Bound || len(e) != 10 || binary.LittleEndian.Uint32(e[2:]) != from ||
				binary.LittleEndian.Uint32(e[6:]) != to {
				t.Errorf("%s: the parcel %+v", key, parcel)
			}
		}
	}
	// Gear of the level; one template takes only gear with a suffix.
	b.Loot.TierLevels = 5
	gear, err := NewTables([]Kind{{ID: 902, GameID: 902, Class: 500, Tier: 1, Stack: 1, Table: "weapon_n"},
		{ID: 903, GameID: 903, Class: ClassRing, Tier: 1, Stack: 1, Table: "ring_n", Group: "R"}},
		[]Suffix{{Letter: "R", Index: 0}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	wanted := map[string][]int{}
	for _, key := range []string{"c005", "c006"} {
		all := []MissionTemplate{{Key: key, Goals: [MissionGoals]bool{MoneyGoal: true}, Min: 1, Max: 60, Reward: 1}}
		for seed := range uint64(20) {
			m, ok := gear.NewMission(rand.New(rand.NewPCG(seed, 1)), b, all, g, MoneyGoal, NearbyPlace, 3, field{})
			if !ok || m.Count != 1 {
				t.Fatalf("%s: %+v", key, m)
			}
			if !slices.Contains(wanted[key], m.Wants) {
				wanted[key] = append(wanted[key], m.Wants)
			}
		}
	}
	if slices.Sort(wanted["c005"]); !slices.Equal(wanted["c005"], []int{902, 903}) || !slices.Equal(wanted["c006"], []int{903}) {
		t.Errorf("gear that is wanted: %v", wanted)
	}
	fine := Mission{Template: "c006", Wants: 903, Count: 1}
	for _, suffix := range []int{NoSuffix, 0} {
		ring := gear.NewItem(gear.Kind(903), suffix, 1, nil)
		ring.ID, ring.Slot = 1, SlotInventory
		var x InventoryTx
		h := NewInventory(Inventory{Owner: 1}, []Item{ring})
		if taken := gear.Deliver(&x, x.Side(&h), &fine, free); taken != (suffix >= 0) {
			t.Errorf("a ring of suffix %d is taken: %t", suffix, taken)
		}
	}
	// A mission that cannot be made gives way to one that can.
	bare := missionTables(t)
	all := []MissionTemplate{{Key: "c000", Goals: [MissionGoals]bool{MoneyGoal: true}, Min: 1, Max: 60}, hunting[1]}
	for seed := range uint64(20) {
		if m, ok := bare.NewMission(rand.New(rand.NewPCG(seed, 1)), b, all, g, MoneyGoal, NearbyPlace, 3, field{}); !ok ||
			m.Kind() != KillOutside {
			t.Fatalf("without things %+v", m)
		}
	}
	if m, ok := bare.NewMission(rand.New(rand.NewPCG(1, 1)), b, all[:1], g, MoneyGoal, NearbyPlace, 3, field{}); ok {
		t.Errorf("of nothing %+v", m)
	}
}

// free is a question about locked items to which the answer is always no.
func free(ItemID) bool { return false }

func TestLifeWhatAMissionTakes(t *testing.T) {
	tables := someTables(t)
	m := Mission{Template: "c000", Wants: kindBread, Count: 7, Level: 1}
	for _, c := range []struct {
		counts []int
		left   []int
		ok     bool
		locked ItemID
	}{{[]int{7}, nil, true, 0}, {[]int{9}, []int{2}, true, 0}, {[]int{3, 5}, []int{1}, true, 0},
		{[]int{3, 3}, nil, false, 0}, {nil, nil, false, 0}, {[]int{7}, nil, false, 10}, {[]int{9, 8}, []int{9, 1}, true, 10},
		{[]int{9, 8}, []int{2, 8}, true, 11}} {
		h := Inventory{Owner: 1}
		for i, n := range c.counts {
			h.Items = append(h.Items, tables.of(kindBread, ItemID(10+i), 0, 27+i, n))
		}
		h.Items = append(h.Items, tables.of(kindSword, 90, 0, 40, 1))
		var x InventoryTx
		s := x.Side(&h)
		if ok := tables.Deliver(&x, s, &m, func(id ItemID) bool { return id == c.locked }); ok != c.ok {
			t.Errorf("%+v: %v", c, ok)
			continue
		}
		var left []int
		for i := range s.Items[:max(len(s.Items)-1, 0)] {
			left = append(left, s.Items[i].Count)
		}
		if c.ok && !slices.Equal(left, c.left) {
			t.Errorf("of %v there is left %v", c.counts, left)
		}
	}
	// A bag with contents is not taken, and its contents are neither.
	wanted := Mission{Template: "c000", Wants: kindBag, Count: 1, Level: 1}
	for _, filled := range []bool{false, true} {
		bag := Inventory{Owner: 1, Items: []Item{tables.of(kindBag, 10, 0, 27, 1)}}
		if filled {
			bag.Items = append(bag.Items, tables.of(kindBread, 11, 10, 0, 1))
		}
		var x InventoryTx
		if taken := tables.Deliver(&x, x.Side(&bag), &wanted, free); taken == filled {
			t.Errorf("a bag, filled %t, is taken: %t", filled, taken)
		}
	}
	// The parcel goes with its key, however often it is there; that of another stays.
	m = Mission{Template: "p000", Target: -5, From: 77, Level: 1}
	key, _ := m.Key()
	parcel, _ := m.Parcel()
	other, _ := (&Mission{Template: "p000", Target: -6, From: 77}).Parcel()
	h := Inventory{Owner: 1}
	for i, it := range []Item{key, parcel, parcel, other} {
		if it.ID = ItemID(i + 1); i > 0 {
			it.Slot = 26 + i
		}
		h.Items = append(h.Items, it)
	}
	var x InventoryTx
	s := x.Side(&h)
	if x.EndMission(s, 1); len(s.Items) != 1 || s.Items[0].ID != 4 {
		t.Errorf("left are %+v", s.Items)
	}
}

func TestWhoGetsAMissionPassedOn(t *testing.T) {
	b := DefaultBalance().Mission
	now := time.Unix(1_000_000, 0)
	in := func(d time.Duration) int64 { return now.Add(d).Unix() }
	for name, c := range map[string]struct {
		m             Mission
		title, degree int
		want          RejectReason
	}{
		"just given":         {m: Mission{Level: 3, Ends: in(b.Lasts)}},
		"in the last second": {m: Mission{Level: 3, Ends: in(b.Lasts - b.Pass + time.Second)}},
		"a second later":     {m: Mission{Level: 3, Ends: in(b.Lasts - b.Pass)}, want: PassedTooLate},
		"over":               {m: Mission{Level: 3, Ends: in(0)}, want: PassedTooLate},
		"a second time":      {m: Mission{Level: 3, Ends: in(b.Lasts), Passed: true}, want: NotItsOwner},
		"of a guild":         {m: Mission{Level: 3, Ends: in(b.Lasts), Guild: 2}, want: TheyCannotTake},
		"at the limit":       {m: Mission{Level: 3, Ends: in(b.Lasts)}, title: 2 + b.PassLevels},
		"too high":           {m: Mission{Level: 3, Ends: in(b.Lasts)}, title: 3 + b.PassLevels, want: LevelsDiffer},
		"too low":            {m: Mission{Level: 2 + b.PassLevels, Ends: in(b.Lasts)}, want: LevelsDiffer},
		"of another career":  {m: Mission{Level: 3, Ends: in(b.Lasts)}, degree: 50},
		"of that career": {m: Mission{Level: 3, Ends: in(b.Lasts), Goal: DegreeGoal}, degree: 50,
			want: LevelsDiffer},
	} {
		if why := b.MayPass(&c.m, c.title, c.degree, now); why != c.want {
			t.Errorf("%s: %v, expected %v", name, why, c.want)
		}
	}
}

func TestAMissionIsPassedOnWithItsParcel(t *testing.T) {
	m := Mission{Template: "s000", Target: -5, From: 77, Level: 1}
	key, _ := m.Key()
	parcel, _ := m.Parcel()
	key.ID, parcel.ID, parcel.Slot = 1, 2, SlotInventory
	for name, c := range map[string]struct {
		has   []Item
		first int // inventory slot of the receiver that is free
		want  RejectReason
	}{
		"empty":     {first: SlotInventory},
		"full":      {first: EndOfInventory, want: TheyCannotTake},
		"a mission": {has: []Item{{ID: 3, Slot: SlotMission, Class: ClassMission}}, first: SlotInventory, want: TheyCannotTake},
	} {
		for slot := SlotInventory; slot < c.first; slot++ {
			c.has = append(c.has, Item{ID: ItemID(slot + 10), Slot: slot})
		}
		giver, taker := Inventory{Owner: 1, Items: []Item{key, parcel}}, Inventory{Owner: 2, Items: c.has}
		var x InventoryTx
		from, to := x.Side(&giver), x.Side(&taker)
		why := x.PassMission(from, to, 1)
		if why != c.want {
			t.Errorf("%s: %v, expected %v", name, why, c.want)
		}
		if is, ok := MissionOf(to.At(0, SlotMission)); why == 0 && (!ok || !is.Passed || is.Target != m.Target ||
			m.ParcelIn(&to.Inventory) == nil || len(from.Items) != 0 || len(x.Changes()) != 2) {
			t.Errorf("%s: %+v and %+v", name, from.Items, to.Items)
		}
	}
}

func TestLevelsOfMissions(t *testing.T) {
	for goal, want := range map[MissionGoal]int{TitleGoal: 4, DegreeGoal: 10} {
		if got := MissionLevel(goal, 3, 9); got != want {
			t.Errorf("goal %d: level %d, want %d", goal, got, want)
		}
	}
}

func TestGroupsShareMissionsOfTheirLevels(t *testing.T) {
	b := &ExperienceBalance{GroupLevels: 10}
	for _, c := range []struct {
		goal          MissionGoal
		title, degree int
		want          bool
	}{{TitleGoal, 18, 0, false}, {TitleGoal, 19, 59, true}, {TitleGoal, 39, 0, true}, {TitleGoal, 40, 0, false},
		{DegreeGoal, 19, 19, true}, {DegreeGoal, 19, 18, false}, {MoneyGoal, 0, 19, true}, {MoneyGoal, 0, 0, false}} {
		if got := b.Shares(&Mission{Goal: c.goal, Level: 30}, c.title, c.degree); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestTasksAreAboutKillingAndCollecting(t *testing.T) {
	for i, kind := range []byte{KillInside, KillOutside, Collect, BringParcel, RegainParcel, FreePerson, GuidePerson} {
		if m := (Mission{Template: string(kind) + "000"}); m.IsTask() != (i < 3) {
			t.Errorf("%q is a task: %v", m.Template, m.IsTask())
		}
	}
}
