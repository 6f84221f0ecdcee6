package game

import (
	"reflect"
	"slices"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"sphereserver/coords"
	"sphereserver/server/measure"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// TestEveryCounterIsDeclared reads the fields of counters: a count without a declaration would be in no status and in
// no metrics.
func TestEveryCounterIsDeclared(t *testing.T) {
	t.Parallel()
	var r measure.Registry
	c := newCounters(&r)
	fields, declared := reflect.ValueOf(c).Elem(), 0
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		switch f := fields.Field(i); f.Type() {
		case reflect.TypeFor[*measure.Counter]():
			if declared++; f.IsNil() {
				t.Errorf("%s is not declared", name)
			}
		case reflect.TypeFor[*measure.Histogram]():
			if f.IsNil() {
				t.Errorf("%s is not declared", name)
			}
		default:
			if name != "marks" && name != "refusedWishes" {
				t.Errorf("%s: expected a counter or a histogram", name)
			}
		}
	}
	if n := len(r.Values()); n != declared+1 { // and the longest tick
		t.Errorf("%d names for %d counters", n, declared)
	}
	c.refuse(rules.StoreFailed)
	c.tick(2*world.TickPeriod, world.TickPeriod)
	values := r.Values()
	if values["belongings_refused_could_not_be_stored"] != 1 || values["ticks_slow"] != 1 ||
		values["tick_worst_ns"] != uint64(2*world.TickPeriod) {
		t.Errorf("counted %v", values)
	}
	problems, err := testutil.CollectAndLint(&r)
	if err != nil || len(problems) > 0 {
		t.Errorf("names that are not usual: %v, %v", problems, err)
	}
}

// Gains of kills are counted once, by whichever event they are told.
func TestFightsAreCounted(t *testing.T) {
	t.Parallel()
	var r measure.Registry
	c := newCounters(&r)
	was := world.Sheet{Title: 0, Progress: rules.Progress{TitleXP: 40}}
	is := world.Sheet{Title: 1, Progress: rules.Progress{TitleXP: 5}}
	learned := world.Gain{ID: 7, Was: was, Is: is, Coins: 14}
	buried := world.Gain{ID: 8, Was: world.Sheet{Progress: rules.Progress{DegreeXP: 100}}, Is: world.Sheet{}}
	here, there := coords.Position{X: 1}, coords.Position{X: 2}
	for _, e := range []world.Event{
		&world.MonsterDied{At: there, Gains: []world.Gain{learned, {ID: 9, Coins: 5}}, Viewers: []world.PlayerID{7}},
		world.Gained{Gain: world.Gain{ID: 9, Coins: 5}, At: there}, world.Gained{Gain: buried},
		world.PlayerDied{ID: 7, At: here},
		world.Population{},
		world.Sold{Price: 30, At: here, Trader: world.MaxPlayerID + 1}, world.Sold{Price: 400, At: here, Trader: 7},
	} {
		c.fight(e)
	}
	// The first level takes 50: 10 to it and 5 beyond.
	for name, want := range map[string]uint64{"kills": 1, "deaths": 1, "money_created": 49, "experience_created": 15} {
		if got := r.Values()[name]; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	want := []Mark{{KillMark, there, 1}, {MoneyMark, there, 14}, {MoneyMark, there, 5}, {DeathMark, here, 1},
		{MoneyMark, here, 30}}
	if got := c.marks.take(nil); !slices.Equal(got, want) {
		t.Errorf("marks %v, want %v", got, want)
	}
	if got := c.marks.take(nil); len(got) != 0 {
		t.Errorf("taken twice: %v", got)
	}
}

// Marks that nobody takes have a bound, and cost nothing once there is room for them.
func TestMarksAreBounded(t *testing.T) {
	var m marks
	for range maxMarks + 5 {
		m.add(KillMark, coords.Position{}, 1)
	}
	taken := m.take(nil)
	if len(taken) != maxMarks {
		t.Errorf("%d marks, want %d", len(taken), maxMarks)
	}
	m.take(taken)
	if n := testing.AllocsPerRun(100, func() { m.add(KillMark, coords.Position{}, 1) }); n != 0 {
		t.Errorf("%v allocations for a mark", n)
	}
}
