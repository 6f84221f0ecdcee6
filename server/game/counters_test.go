package game

import (
	"reflect"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"sphereserver/server/measure"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// TestEveryCounterIsDeclared reads the fields of counters: what is counted without a declaration would be in no status
// and in no metrics.
func TestEveryCounterIsDeclared(t *testing.T) {
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
			if name != "sessions" && name != "refusedWishes" {
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

// What kills bring is counted once, whoever is told of it how.
func TestFightsAreCounted(t *testing.T) {
	var r measure.Registry
	c := newCounters(&r)
	was := world.Sheet{Title: 0, Progress: rules.Progress{TitleXP: 40}}
	is := world.Sheet{Title: 1, Progress: rules.Progress{TitleXP: 5}}
	learned := world.Gain{ID: 7, Was: was, Is: is, Coins: 14}
	buried := world.Gain{ID: 8, Was: world.Sheet{Progress: rules.Progress{DegreeXP: 100}}, Is: world.Sheet{}}
	for _, e := range []world.Event{
		&world.MonsterDied{Gains: []world.Gain{learned, {ID: 9, Coins: 5}}, Viewers: []world.PlayerID{7}},
		world.Gained{Gain: world.Gain{ID: 9, Coins: 5}}, world.Gained{Gain: buried}, world.PlayerDied{ID: 7}, world.Population{},
	} {
		c.fight(e)
	}
	// The first level takes 50: 10 to it and 5 beyond.
	for name, want := range map[string]uint64{"kills": 1, "deaths": 1, "money_created": 19, "experience_created": 15} {
		if got := r.Values()[name]; got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
