package career

import (
	"reflect"
	"testing"

	"sphereserver/world/rules"
)

// someTables have a weapon for each school, a piece of armour, and monsters of all levels.
func someTables(t *testing.T) *rules.Tables {
	t.Helper()
	kinds := []rules.Kind{
		{ID: 1, GameID: 1, Class: 506, Columns: rules.Columns{Attack: -15, Range: 2, UseTime: 150}},
		{ID: 10, GameID: 10, Class: 500, Columns: rules.Columns{Attack: -40, Range: 2, UseTime: 150, Price: 50}},
		{ID: 11, GameID: 11, Class: 500, Columns: rules.Columns{Attack: -200, Range: 2, UseTime: 150, Price: 5000,
			Need: rules.Need{Title: 19, Stats: rules.Stats{60}}}},
		{ID: 20, GameID: 20, Class: 501, Columns: rules.Columns{Attack: -100, Range: 2, UseTime: 400, Price: 60}},
		{ID: 30, GameID: 30, Class: 502, Columns: rules.Columns{Attack: -60, Range: 30, UseTime: 350, Price: 60}},
		{ID: 31, GameID: 31, Class: 1001, Columns: rules.Columns{Magic: -60, UseMP: -10, Range: 15, UseTime: 300, Price: 60}},
		{ID: 40, GameID: 40, Class: 750, Columns: rules.Columns{Bonus: rules.Bonus{PhysicalDefence: 10, HP: 50}, Price: 80}},
		{ID: 50, GameID: 50, Class: 470, Columns: rules.Columns{Magic: 60, Price: 8}},
		{ID: 60, GameID: 60, Class: 601, Columns: rules.Columns{Price: 100}},
		{ID: 70, Class: 653, Columns: rules.Columns{Price: 2}},
		{ID: 80, Class: 503, Columns: rules.Columns{Price: 4}},
	}
	for i := range kinds {
		kinds[i].Complete()
	}
	tables, err := rules.NewTables(kinds, nil, []rules.Monster{
		{ID: 1000, High: 59, HPBase: 60, Attack: -6, Speed: 400, Range: 3, Delay: 4},
		{ID: rules.PracticeTarget, High: 59, HPBase: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	tables.Levels = true
	return tables
}

func TestCareersAreTheSameForTheSameSeed(t *testing.T) {
	tables, b := someTables(t), rules.DefaultBalance()
	for _, school := range Schools() {
		one, other := Simulate(tables, b, 0.25, school, 7), Simulate(tables, b, 0.25, school, 7)
		if !reflect.DeepEqual(one, other) {
			t.Errorf("%s: two careers of one seed differ", school.Name)
		}
		if third := Simulate(tables, b, 0.25, school, 8); reflect.DeepEqual(one, third) {
			t.Errorf("%s: careers of two seeds do not differ", school.Name)
		}
	}
}

func TestCareersArePlausible(t *testing.T) {
	tables, b := someTables(t), rules.DefaultBalance()
	for _, school := range Schools() {
		c := Simulate(tables, b, 0.25, school, 1)
		if n := len(c.Levels); n < rules.CycleLevels-2 || n > rules.CycleLevels-1 || c.Stuck { // a kill may bring two
			t.Errorf("%s: %d levels, stuck %v", school.Name, len(c.Levels), c.Stuck)
			continue
		}
		in, out := int64(0), int64(0)
		for i, l := range c.Levels {
			in, out = in+l.MoneyIn, out+l.MoneyOut
			if i > 0 && l.Level <= c.Levels[i-1].Level || l.Hours <= 0 || l.Kills <= 0 || l.ToKill <= 0 || l.ToDie < 0 || l.Prey < 1 || in < 0 || out < 0 {
				t.Errorf("%s: %+v", school.Name, l)
			}
		}
		if first, last := c.Levels[0], c.Levels[40]; first.Hours > 5 || first.Hours >= last.Hours {
			t.Errorf("%s: level 1 took %.1f hours, level 41 %.1f", school.Name, first.Hours, last.Hours)
		}
		if out == 0 || in == 0 {
			t.Errorf("%s: %d money came and %d went", school.Name, in, out)
		}
	}
}

// An operator's change shows: twice the experience takes fewer kills, harder monsters another prey.
func TestTheBalanceChangesCareers(t *testing.T) {
	tables := someTables(t)
	kills := func(b *rules.Balance) (n int) {
		for _, l := range Simulate(tables, b, 0.25, Schools()[0], 1).Levels {
			n += l.Kills
		}
		return n
	}
	usual, generous := rules.DefaultBalance(), rules.DefaultBalance()
	generous.Experience.Factor = 2
	if a, b := kills(usual), kills(generous); b > a*3/4 {
		t.Errorf("%d kills, and %d with twice the experience", a, b)
	}
	poor := rules.DefaultBalance()
	poor.Experience.Factor = 0
	if c := Simulate(tables, poor, 0.25, Schools()[0], 1); !c.Stuck || len(c.Levels) != 1 {
		t.Errorf("without experience: %+v", c)
	}
}

func TestNobodyGoesOnWithoutMonsters(t *testing.T) {
	for _, tables := range []*rules.Tables{{}, {Levels: true}} {
		for _, school := range Schools() {
			if c := Simulate(tables, rules.DefaultBalance(), 0.25, school, 1); !c.Stuck || len(c.Levels) != 1 ||
				c.Levels[0].Kills != 0 {
				t.Errorf("%s: %+v", school.Name, c)
			}
		}
	}
}
