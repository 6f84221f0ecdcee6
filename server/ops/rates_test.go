package ops

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
)

// Rates that were set count before those of the file, one after another; one that would overlap another is refused
// with the present ones, and nothing of it is stored.
func TestRatesOneAfterAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := made(t)
		now := time.Now()
		set := func(factor float64, from, span time.Duration) error {
			o := RateOrder{Rate: "drops", Factor: factor, Seconds: int(span / time.Second)}
			if from > 0 {
				o.From = now.Add(from)
			}
			_, err := by(t.Context(), s, OrderRate, o)
			return err
		}
		refused := func(err error, english, russian string) {
			t.Helper()
			var why Localized
			if !errors.Is(err, ErrInvalid) || !errors.As(err, &why) || why.In(false) != english || why.In(true) != russian {
				t.Errorf("expected %q, found %v", english, err)
			}
		}
		for _, err := range []error{set(2, 0, time.Hour), set(4, 2*time.Hour, time.Hour), set(5, 3*time.Hour, 0)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		hour := Until(now.Add(time.Hour))
		refused(set(3, 0, time.Minute), "That time has a rate already: drops x2 "+hour.English+". End it first.",
			"На это время уже задано: добыча x2 "+hour.Russian+". Сначала отмените его.")
		later := Since(now.Add(2*time.Hour)).English + " " + Until(now.Add(3*time.Hour)).English
		if err := set(3, time.Hour, 2*time.Hour); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), later) {
			t.Errorf("expected %q, found %v", later, err)
		}
		if err := set(3, 5*time.Hour, time.Hour); !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "for ever") {
			t.Errorf("found %v", err)
		}
		for _, v := range []struct {
			after        time.Duration
			factor, then float64
			changes      time.Duration // 0: never
			set          int
		}{{0, 2, 1.5, time.Hour, 3}, {time.Hour, 1.5, 4, 2 * time.Hour, 2}, {2 * time.Hour, 4, 5, 3 * time.Hour, 2},
			{3 * time.Hour, 5, 0, 0, 1}} {
			time.Sleep(time.Until(now.Add(v.after)))
			all := do(t, s, ListRates, Empty{})
			var changes time.Duration
			r := all[1]
			if !r.Changes.IsZero() {
				changes = r.Changes.Sub(now)
			}
			if len(all) != 4 || r.Factor != v.factor || r.Then != v.then || changes != v.changes || len(r.Set) != v.set {
				t.Errorf("after %v: %+v", v.after, r)
			}
		}
		ended := do(t, s, EndRate, RateName{"drops"})
		if len(ended) != 1 || ended[0].Factor != 5 || ended[0].By != tester.Name {
			t.Errorf("ended %+v", ended)
		}
		if _, err := by(t.Context(), s, EndRate, RateName{"drops"}); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("ended twice: %v", err)
		}
	})
}
