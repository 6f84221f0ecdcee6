package sim_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A rateListener is a player that notes messages about rates, and their times.
type rateListener struct {
	*bot.Client
	h     *sim.House
	heard []string
}

// listen brings a player in.
func listen(h *sim.House, n int, name string) *rateListener {
	l := &rateListener{h: h}
	l.Client = h.Player(n, name, bot.Options{Tell: func(text string) {
		if said, ok := strings.CutPrefix(text, "the server says: "); ok && strings.Contains(said, " x") {
			l.heard = append(l.heard, time.Now().Format("02 15:04:05 ")+said)
		}
	}})
	return l
}

// until plays up to a moment.
func (l *rateListener) until(at time.Time) {
	l.h.T.Helper()
	if err := l.Idle(context.Background(), time.Until(at)); err != nil {
		l.h.T.Fatal(err)
	}
}

// wantHeard compares the messages since the last call.
func (l *rateListener) wantHeard(want ...string) {
	l.h.T.Helper()
	if !slices.Equal(l.heard, want) {
		l.h.T.Errorf("%v: heard\n%q, expected\n%q", time.Now(), l.heard, want)
	}
	l.heard = nil
}

// counts is the experience factor that the world has.
func counts(h *sim.House) float64 {
	h.Server.Command(world.Publish{})
	time.Sleep(2 * world.TickPeriod)
	return h.Server.World().Balance.Experience.Factor
}

func rate(t *testing.T, text string) rules.Rate {
	r, ok := rules.ParseRate(text, time.Local)
	if !ok {
		t.Fatalf("%q is no rate", text)
	}
	return r
}

// Rates of the file begin and end by the clock, to the second; players are told of it, and of the present rates when
// they enter. The simulation begins on Sunday, 2040-01-01.
func TestRatesOfTheFile(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Game: func(o *game.Options) {
		b := config.Defaults().Balance
		b.Rates[rules.ExperienceRate] = rules.RatePlan{rate(t, "1.5"), rate(t, "2 every sunday 12:10-12:20")}
		b.Rates[rules.DropRate] = rules.RatePlan{rate(t, "3 from 2040-01-01 12:10 to 2040-01-01 12:15")}
		o.World.Balance = &b
	}}, func(h *sim.House) {
		at := func(minute int) time.Time { return time.Date(2040, 1, 1, 12, minute, 0, 0, time.Local) }
		early := listen(h, 1, "Early")
		zone := at(0).Format("MST")
		early.until(at(5))
		early.wantHeard("01 12:00:00 Сейчас опыт x1.5.")
		early.until(at(10).Add(-time.Second))
		early.wantHeard()
		if got := counts(h); got != 1.5 {
			t.Errorf("factor %v before", got)
		}
		early.until(at(10).Add(time.Second))
		early.wantHeard("01 12:10:00 Теперь опыт x2 до 01.01.2040 12:20 "+zone+".",
			"01 12:10:00 Теперь добыча x3 до 01.01.2040 12:15 "+zone+".")
		if got := counts(h); got != 2 {
			t.Errorf("factor %v in it", got)
		}
		late := listen(h, 2, "Late")
		late.until(at(11))
		want := fmt.Sprintf("Сейчас опыт x2 до 01.01.2040 12:20 %s, добыча x3 до 01.01.2040 12:15 %[1]s.", zone)
		if len(late.heard) != 1 || !strings.HasSuffix(late.heard[0], want) {
			t.Errorf("who comes in later has heard %q", late.heard)
		}
		early.until(at(16))
		early.wantHeard("01 12:15:00 Снова как обычно: добыча x1.")
		b := config.Defaults().Balance // the file is read again, and has none any more
		h.Server.ChangeBalance(&b)
		early.until(at(17))
		early.wantHeard("01 12:16:00 Снова как обычно: опыт x1.")
		if got := counts(h); got != 1 {
			t.Errorf("factor %v afterwards", got)
		}
		early.until(at(30))
		early.wantHeard()
	})
}

// Rates that operators set begin and end to the second, two at once, over a restart and when they are called off. Where
// one counts that was set, the file has to wait.
func TestRatesThatWereSet(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: withMaster, Game: func(o *game.Options) {
		b := config.Defaults().Balance
		b.Rates[rules.ExperienceRate] = rules.RatePlan{rate(t, "4 every sunday 12:30-13:00")}
		o.World.Balance = &b
	}}, func(h *sim.House) {
		ctx, by := context.Background(), ops.Owner("operator")
		at := func(minute int) time.Time { return time.Date(2040, 1, 1, 12, minute, 0, 0, time.Local) }
		until := func(minute int) string { return "до " + at(minute).Format("02.01.2006 15:04 MST") }
		set := func(o ops.RateOrder) {
			h.T.Helper()
			if _, err := ops.OrderRate.Do(ctx, h.Server.Operators(), by, o); err != nil {
				h.T.Fatal(err)
			}
		}
		wantCount := func(want float64) {
			h.T.Helper()
			if got := counts(h); got != want {
				h.T.Errorf("%v: factor %v, expected %v", time.Now(), got, want)
			}
		}
		one := listen(h, 1, "One")
		one.until(at(1))
		set(ops.RateOrder{Rate: "xp", Factor: 2, Seconds: 10 * 60})
		set(ops.RateOrder{Rate: "drops", Factor: 3, Seconds: 10 * 60})
		set(ops.RateOrder{Rate: "xp", Factor: 3, From: at(20), Seconds: 20 * 60})
		one.until(at(2))
		one.wantHeard("01 12:01:00 Теперь опыт x2 "+until(11)+".", "01 12:01:00 Теперь добыча x3 "+until(11)+".")
		wantCount(2)

		if err := one.Close(); err != nil {
			t.Fatal(err)
		}
		h.Restart()
		two := listen(h, 2, "Two")
		two.until(at(11).Add(-time.Second))
		if len(two.heard) != 1 || !strings.HasSuffix(two.heard[0], "Сейчас опыт x2 "+until(11)+", добыча x3 "+until(11)+".") {
			t.Errorf("after the restart: heard %q", two.heard)
		}
		two.heard = nil
		wantCount(2)
		two.until(at(11).Add(time.Second))
		two.wantHeard("01 12:11:00 Снова как обычно: опыт x1.", "01 12:11:00 Снова как обычно: добыча x1.")
		wantCount(1)

		two.until(at(21))
		two.wantHeard("01 12:20:00 Теперь опыт x3 " + until(40) + ".")
		two.until(at(31)) // the file's 4 does not count as long as 3 does
		two.wantHeard()
		wantCount(3)
		if _, err := ops.EndRate.Do(ctx, h.Server.Operators(), by, ops.RateName{Rate: "experience"}); err != nil {
			t.Fatal(err)
		}
		two.until(at(32))
		two.wantHeard("01 12:31:00 Теперь опыт x4 " + until(60) + ".")
		wantCount(4)
		two.until(at(61))
		two.wantHeard("01 13:00:00 Снова как обычно: опыт x1.")
		if v := two.Violations(); len(v) > 0 {
			t.Error(v)
		}
	})
}

// A rate that ended while the server was down is none, and one that began then counts.
func TestRatesWhileTheServerIsDown(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: func(s *data.Store) {
		now := time.Now()
		for k, span := range map[rules.RateKind][2]time.Duration{rules.ExperienceRate: {-time.Hour, -time.Second},
			rules.DropRate: {-time.Hour, time.Hour}, rules.MoneyRate: {time.Minute, time.Hour}} {
			if err := s.SetRate(context.Background(), data.Rate{Kind: k, By: "chief", Rate: rules.Rate{Factor: 2,
				From: now.Add(span[0]), To: now.Add(span[1])}}); err != nil {
				t.Fatal(err)
			}
		}
	}}, func(h *sim.House) {
		balance := func() *rules.Balance {
			counts(h)
			return h.Server.World().Balance
		}
		usual := rules.DefaultBalance()
		if b := balance(); b.Experience.Factor != 1 || b.Loot.Factor != 2 || b.Mission.Money != usual.Mission.Money {
			t.Errorf("at the start %v, %v, %v", b.Experience.Factor, b.Loot.Factor, b.Mission.Money)
		}
		time.Sleep(time.Minute)
		if b := balance(); b.Mission.Money != 2*usual.Mission.Money {
			t.Errorf("a minute later %v", b.Mission.Money)
		}
	})
}

// What cannot be stored is refused and counts for nobody; what was stored but could not be read back counts soon. Two
// rates that are set at once for one time are one rate.
func TestRatesWithAStoreThatFails(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: withMaster}, func(h *sim.House) {
		order := func(factor float64) error {
			_, err := ops.OrderRate.Do(context.Background(), h.Server.Operators(), ops.Owner("operator"),
				ops.RateOrder{Rate: "xp", Factor: factor, Seconds: 3600})
			return err
		}
		h.Store.Fail(data.ErrUnavailable)
		if err := order(2); !errors.Is(err, data.ErrUnavailable) {
			t.Errorf("with a store that fails: %v", err)
		}
		h.Store.Fail(nil)
		if got := counts(h); got != 1 {
			t.Errorf("what is not stored counts: %v", got)
		}

		h.Store.Delay(time.Second)
		done := make(chan error, 2)
		for _, factor := range []float64{3, 4} {
			go func() { done <- order(factor) }()
		}
		one, other := <-done, <-done
		h.Store.Delay(0)
		if (one == nil) == (other == nil) {
			t.Errorf("two at once: %v and %v", one, other)
		}
		if got := counts(h); got != 3 && got != 4 {
			t.Errorf("factor %v", got)
		}
		if _, err := ops.EndRate.Do(context.Background(), h.Server.Operators(), ops.Owner("operator"),
			ops.RateName{Rate: "xp"}); err != nil {
			t.Fatal(err)
		}

		if err := h.Store.Store.SetRate(context.Background(), data.Rate{By: "chief", Rate: rules.Rate{Factor: 5,
			From: time.Now()}}); err != nil {
			t.Fatal(err)
		}
		h.Store.Fail(data.ErrUnavailable)
		h.Server.RatesChanged()
		if got := counts(h); got != 1 {
			t.Errorf("what cannot be read counts: %v", got)
		}
		h.Store.Fail(nil)
		time.Sleep(time.Minute + time.Second)
		if got := counts(h); got != 5 {
			t.Errorf("a minute later the factor is %v", got)
		}
	})
}
