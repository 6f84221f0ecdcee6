package data

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// Rates stay as they were set, over a restart, until they end; no two of a kind hold at one moment.
func TestRatesStay(t *testing.T) {
	dir, now := t.TempDir(), time.Now().Truncate(time.Millisecond)
	s, ctx := open(t, dir, Options{}), t.Context()
	in := func(from, to time.Duration) rules.Rate {
		r := rules.Rate{Factor: 2, From: now.Add(from), To: now.Add(to)}
		if to == 0 {
			r.To = time.Time{}
		}
		return r
	}
	for _, v := range []struct {
		kind  rules.RateKind
		rate  rules.Rate
		taken bool
	}{
		{rules.DropRate, in(-2*time.Hour, -time.Hour), false}, // which has ended
		{rules.DropRate, in(-time.Hour, time.Hour), false},
		{rules.DropRate, in(0, 2*time.Hour), true},
		{rules.DropRate, in(-2*time.Hour, 0), true},
		{rules.DropRate, in(time.Hour, 2*time.Hour), false},
		{rules.DropRate, in(2*time.Hour, 0), false},
		{rules.DropRate, in(3*time.Hour, 4*time.Hour), true},
		{rules.DropRate, in(3*time.Hour, 0), true},
		{rules.MoneyRate, in(0, 0), false},
	} {
		err := s.SetRate(ctx, Rate{v.kind, v.rate, "chief"})
		if errors.Is(err, ErrRateTaken) != v.taken || err != nil && !v.taken {
			t.Errorf("%v %+v: %v", v.kind, v.rate, err)
		}
	}
	for _, bad := range []float64{0, 0.09, 100.1, 1e9, -1} {
		if err := s.SetRate(ctx, Rate{rules.RespawnRate, rules.Rate{Factor: bad, From: now}, "chief"}); err == nil {
			t.Errorf("factor %v is stored", bad)
		}
	}
	s.Close()
	s = open(t, dir, Options{})
	held := func() (out []string) {
		for _, r := range must(s.Rates(ctx))(t) {
			until := "for ever"
			if !r.To.IsZero() {
				until = r.To.Sub(now).String()
			}
			out = append(out, fmt.Sprint(r.Kind.Name("en"), " ", r.Factor, " ", r.From.Sub(now), " ", until, " ", r.By))
		}
		return out
	}
	want := []string{"drops 2 -1h0m0s 1h0m0s chief", "money 2 0s for ever chief", "drops 2 1h0m0s 2h0m0s chief",
		"drops 2 2h0m0s for ever chief"}
	if got := held(); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("after a restart\n%q, expected\n%q", got, want)
	}
	if err := s.EndRates(ctx, rules.DropRate); err != nil {
		t.Error(err)
	}
	if err := s.EndRates(ctx, rules.DropRate); !errors.Is(err, ErrNotFound) {
		t.Errorf("what is not set is ended: %v", err)
	}
	if got := held(); fmt.Sprint(got) != fmt.Sprint(want[1:2]) {
		t.Errorf("in the end %q", got)
	}
}
