package sim_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
)

// Players are told of a planned stop at once and before it, to the second; in the last minute only operators get in; a
// stop that is taken back is none, and a due one is said to the program.
func TestPlannedStop(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Prepare: withMaster}, func(h *sim.House) {
		by, ctx := ops.Owner("operator"), context.Background()
		type line struct {
			left time.Duration
			text string
		}
		var stop time.Time
		var heard []line
		player := h.Player(1, "Listener", bot.Options{Tell: func(text string) {
			if strings.Contains(text, "остан") {
				heard = append(heard, line{time.Until(stop).Round(time.Second), text})
			}
		}})
		idle := func(until time.Duration) {
			if err := player.Idle(ctx, time.Until(stop)-until); err != nil {
				h.T.Fatal(err)
			}
		}
		told := func() (at []time.Duration) {
			for _, l := range heard {
				at = append(at, l.left)
			}
			return at
		}
		enters := func(n int, name string) error {
			c, err := comesIn(h, n, bot.Identity{Login: name, Password: name, Name: name})
			if err == nil {
				err = c.Close()
			}
			return err
		}
		plan := func(in time.Duration) {
			o := ops.StopOrder{Seconds: new(int(in / time.Second)), Reason: "новая версия"}
			p, err := ops.StopServer.Do(ctx, h.Server.Operators(), by, o)
			if err != nil {
				h.T.Fatal(err)
			}
			heard, stop = nil, p.At
		}

		plan(7 * time.Minute)
		idle(90 * time.Second)
		if err := enters(2, "Early"); err != nil {
			h.T.Error(err)
		}
		idle(40 * time.Second)
		if err := enters(3, "Late"); !errors.Is(err, bot.ErrRefused) {
			h.T.Errorf("in the last minute: %v", err)
		}
		if err := enters(4, "master"); err != nil {
			h.T.Errorf("an operator in the last minute: %v", err)
		}
		idle(20 * time.Second)
		if _, err := ops.CancelStop.Do(ctx, h.Server.Operators(), by, ops.Empty{}); err != nil {
			h.T.Fatal(err)
		}
		idle(-time.Minute)
		want := []time.Duration{7 * time.Minute, 5 * time.Minute, time.Minute, 20 * time.Second}
		if !slices.Equal(told(), want) || !strings.Contains(heard[0].text, "новая версия") {
			h.T.Errorf("told %v, expected at %v", heard, want)
		}
		if err := enters(5, "Late"); err != nil {
			h.T.Errorf("after the stop was called off: %v", err)
		}
		if _, err := ops.CancelStop.Do(ctx, h.Server.Operators(), by, ops.Empty{}); !errors.Is(err, ops.ErrInvalid) {
			h.T.Errorf("what is not planned is called off: %v", err)
		}

		plan(15 * time.Second)
		idle(time.Second)
		select {
		case <-h.Server.StopDue():
			h.T.Error("due before its time")
		default:
		}
		idle(-time.Second)
		select {
		case <-h.Server.StopDue():
		default:
			h.T.Error("not due at its time")
		}
		if want := []time.Duration{15 * time.Second, 10 * time.Second}; !slices.Equal(told(), want) {
			h.T.Errorf("told %v, expected at %v", heard, want)
		}
		if v := player.Violations(); len(v) > 0 {
			h.T.Error(v)
		}
	})
}

// A stop can be called off until it is due, and not after.
func TestAStopIsCalledOffAtTheLastMoment(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		by, ctx := ops.Owner("operator"), context.Background()
		player := h.Player(1, "Listener", bot.Options{})
		plan := func() time.Time {
			p, err := ops.StopServer.Do(ctx, h.Server.Operators(), by, ops.StopOrder{Seconds: new(30)})
			if err != nil {
				h.T.Fatal(err)
			}
			return p.At
		}
		due := func() bool {
			select {
			case <-h.Server.StopDue():
				return true
			default:
				return false
			}
		}
		callOff := func(at time.Time) error {
			if err := player.Idle(ctx, time.Until(at)); err != nil {
				h.T.Fatal(err)
			}
			_, err := ops.CancelStop.Do(ctx, h.Server.Operators(), by, ops.Empty{})
			return err
		}
		if err := callOff(plan().Add(-time.Millisecond)); err != nil {
			h.T.Errorf("a millisecond before: %v", err)
		}
		if err := player.Idle(ctx, time.Minute); err != nil || due() {
			h.T.Errorf("%v; a stop that was called off is due: %t", err, due())
		}
		if c, err := comesIn(h, 2, bot.Identity{Login: "Late", Password: "Late", Name: "Late"}); err != nil || c.Close() != nil {
			h.T.Errorf("the door stays closed: %v", err)
		}
		err := callOff(plan().Add(time.Millisecond))
		if !errors.Is(err, ops.ErrInvalid) || !strings.Contains(err.Error(), "it has begun") || !due() {
			h.T.Errorf("%v; expected that it is too late", err)
		}
	})
}

// Of two stops at once there is one: the later order counts, and takes the place of the daily restart, too.
func TestOfTwoStopsAtOnceOneCounts(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		by, ctx := ops.Owner("operator"), context.Background()
		player := h.Player(1, "Listener", bot.Options{})
		order := func(seconds int) {
			if _, err := ops.StopServer.Do(ctx, h.Server.Operators(), by, ops.StopOrder{Seconds: &seconds}); err != nil {
				h.T.Fatal(err)
			}
		}
		restart := time.Now().Truncate(time.Minute).Add(5 * time.Minute)
		h.Server.ChangeRestart(time.Duration(restart.Hour())*time.Hour + time.Duration(restart.Minute())*time.Minute)
		if err := player.Idle(ctx, 11*time.Second); err != nil {
			h.T.Fatal(err)
		}
		if p := h.Server.PlannedStop(); p == nil || !p.Restart {
			h.T.Fatalf("planned is %+v, expected a restart", p)
		}
		order(60)
		order(600)
		at := h.Server.PlannedStop().At
		if p := h.Server.PlannedStop(); p.Restart || !p.At.After(restart) {
			h.T.Errorf("planned is %+v, expected the last order", p)
		}
		for _, until := range []time.Duration{8 * time.Minute, 4 * time.Minute, time.Second} { // past the first, and the restart
			if err := player.Idle(ctx, time.Until(at)-until); err != nil {
				h.T.Fatal(err)
			}
			select {
			case <-h.Server.StopDue():
				h.T.Errorf("due %v before the last order", until)
			default:
			}
		}
		if err := player.Idle(ctx, 2*time.Second); err != nil {
			h.T.Fatal(err)
		}
		<-h.Server.StopDue()
	})
}

// A stop at once tells its reason.
func TestStopAtOnceTellsItsReason(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		heard := ""
		player := h.Player(1, "Listener", bot.Options{Tell: func(text string) { heard = text }})
		o := ops.StopOrder{Seconds: new(0), Reason: "до завтра"}
		if _, err := ops.StopServer.Do(context.Background(), h.Server.Operators(), ops.Owner("operator"), o); err != nil {
			h.T.Fatal(err)
		}
		<-h.Server.StopDue()
		if err := player.Idle(context.Background(), time.Second); err != nil {
			h.T.Fatal(err)
		}
		if heard != "the server says: до завтра" {
			h.T.Errorf("heard %q", heard)
		}
	})
}

// The daily restart is planned ten minutes before, can be taken back for the day, and says that it is one.
func TestDailyRestart(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		var heard []string
		player := h.Player(1, "Listener", bot.Options{Tell: func(text string) {
			if strings.Contains(text, "перезапус") || strings.Contains(text, "restart") {
				heard = append(heard, text)
			}
		}})
		idle := func(d time.Duration) {
			if err := player.Idle(context.Background(), d); err != nil {
				h.T.Fatal(err)
			}
		}
		now := time.Now()
		due := now.Truncate(time.Minute).Add(20 * time.Minute)
		h.Server.ChangeRestart(time.Duration(due.Hour())*time.Hour + time.Duration(due.Minute())*time.Minute)
		idle(time.Until(due) - 11*time.Minute)
		if h.Server.PlannedStop() != nil || len(heard) > 0 {
			h.T.Errorf("planned eleven minutes before: %v", heard)
		}
		idle(2 * time.Minute)
		if p := h.Server.PlannedStop(); p == nil || !p.Restart || !p.At.Equal(due) || len(heard) != 1 {
			h.T.Fatalf("nine minutes before: %+v, told %q", p, heard)
		}
		h.Server.PlanStop(nil)
		idle(15 * time.Minute)
		if h.Server.PlannedStop() != nil {
			h.T.Error("a restart that was taken back was planned again")
		}
		h.Server.ChangeRestart(time.Duration(time.Now().Hour())*time.Hour + time.Duration(time.Now().Minute()+2)*time.Minute)
		idle(3 * time.Minute)
		select {
		case <-h.Server.StopDue():
		default:
			h.T.Error("not due at its time")
		}
	})
}
