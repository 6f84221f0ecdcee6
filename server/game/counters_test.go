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
