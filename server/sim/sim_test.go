package sim_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

func TestOneWalks(t *testing.T) {
	t.Parallel()
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		c := h.Player(1, "Walker", bot.Options{})
		began := time.Now()
		if err := c.Idle(h.T.Context(), 10*time.Minute); err != nil {
			h.T.Fatal(err)
		}
		if took := time.Since(began); took < 10*time.Minute || took > 10*time.Minute+time.Second {
			h.T.Errorf("ten minutes took %v", took)
		}
		if v := c.Violations(); len(v) > 0 {
			h.T.Error(v)
		}
	})
}

// One seed gives the same bytes at the same nanoseconds, on a busy machine, too; another gives others.
func TestTwiceAlike(t *testing.T) {
	seed := uint64(7)
	if testing.Short() {
		seed = 1
	}
	first, known := evenings.Load(seed) // it is one of those of TestEvenings
	if !known {
		first = playEvening(t, seed)
	}
	var again, other string
	t.Run("runs", func(t *testing.T) {
		t.Run("again", func(t *testing.T) {
			t.Parallel()
			again = playEvening(t, seed)
		})
		t.Run("other", func(t *testing.T) {
			t.Parallel()
			other = playEvening(t, seed+8) // with the same faults
		})
	})
	if first != again {
		t.Errorf("two runs of one seed differ: %s and %s", first, again)
	}
	if again == other {
		t.Error("another seed changes nothing")
	}
}

func TestAStoreThatFailsAndIsSlow(t *testing.T) {
	t.Parallel()
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		ctx := context.Background()
		broken := errors.New("the disk is gone")
		h.Store.Fail(broken)
		if _, err := h.Store.AccountByLogin(ctx, "nobody"); !errors.Is(err, broken) {
			h.T.Errorf("a store that fails said %v", err)
		}
		h.Store.Fail(nil)
		h.Store.Delay(time.Second)
		began := time.Now()
		if _, err := h.Store.AccountByLogin(ctx, "nobody"); !errors.Is(err, data.ErrNotFound) {
			h.T.Errorf("a slow store said %v", err)
		}
		if took := time.Since(began); took < time.Second || took > time.Second+time.Millisecond {
			h.T.Errorf("a slow store took %v", took)
		}
		short, cancel := context.WithTimeout(ctx, time.Millisecond)
		defer cancel()
		if _, err := h.Store.AccountByLogin(short, "nobody"); !errors.Is(err, context.DeadlineExceeded) {
			h.T.Errorf("a request whose time is over said %v", err)
		}
	})
}

// Each request of the server fails when the store does, but for reads beside the way of a login.
func TestEachWriteCanFail(t *testing.T) {
	t.Parallel()
	reads := strings.Fields("AccountByID Accounts AuditTrail Backup CharacterByID CharacterByName Check Counts DeletedByID " +
		"DeletedByName DeletedCharacters Dialects FindCharacters Ground IgnoredNames LastAddresses Lying NoteByID Notes " +
		"SpawnersOff")
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		broken := errors.New("the disk is gone")
		h.Store.Fail(broken)
		defer h.Store.Fail(nil)
		for all, i := reflect.TypeFor[game.Store](), 0; i < all.NumMethod(); i++ {
			m := all.Method(i)
			if m.Type.NumIn() == 0 || m.Type.In(0) != reflect.TypeFor[context.Context]() || slices.Contains(reads, m.Name) {
				continue
			}
			args := []reflect.Value{reflect.ValueOf(context.Background())}
			for i := 1; i < m.Type.NumIn(); i++ {
				args = append(args, reflect.Zero(m.Type.In(i)))
			}
			out := reflect.ValueOf(h.Store).MethodByName(m.Name).Call(args)
			if err, _ := out[len(out)-1].Interface().(error); !errors.Is(err, broken) {
				h.T.Errorf("%s says %v", m.Name, err)
			}
		}
	})
}

// A crash leaves all saved changes, and no others.
func TestACrashLeavesWhatWasSaved(t *testing.T) {
	t.Parallel()
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		before := h.Crash()
		c := h.Player(1, "Hero", bot.Options{})
		after := h.Crash()
		if err := c.Idle(h.T.Context(), time.Second); err != nil {
			h.T.Fatal(err)
		}
		h.Opened(before, func(s *data.Store) {
			if _, err := s.AccountByLogin(context.Background(), "Hero"); !errors.Is(err, data.ErrNotFound) {
				h.T.Errorf("before it was made the account is there: %v", err)
			}
		})
		h.Opened(after, func(s *data.Store) {
			account, err := s.AccountByLogin(context.Background(), "Hero")
			if err != nil {
				h.T.Fatal(err)
			}
			cs, err := s.Characters(context.Background(), account.ID)
			if err != nil || len(cs) != 1 || cs[0].Name != "Hero" {
				h.T.Errorf("the character that was made: %v, %v", cs, err)
			}
		})
	})
}

// With the settings that ship, a walk teaches the server the ground, which is stored.
func TestAWalkTeachesTheGround(t *testing.T) {
	t.Parallel()
	sim.Run(t, sim.Options{Game: together}, func(h *sim.House) {
		c := h.Player(1, "Scout", bot.Options{})
		from := c.Position
		to := from
		to.X, to.Y = to.X+40, to.Y+2
		if err := c.Walk(context.Background(), to); err != nil {
			h.T.Fatal(err)
		}
		if err := c.Idle(context.Background(), 10*time.Second); err != nil {
			h.T.Fatal(err)
		}
		cells, err := h.Store.Ground(context.Background())
		if err != nil || !slices.ContainsFunc(cells, func(c rules.GroundCell) bool {
			const half = rules.GroundCellSize / 2.0
			x, z := float64(c.X)*rules.GroundCellSize+half, float64(c.Z)*rules.GroundCellSize+half
			return math.Hypot(x-float64(to.X), z-float64(to.Z)) < 2 && math.Abs(float64(c.Y-to.Y)) < 0.5
		}) {
			h.T.Errorf("of the ground at %v nothing is stored among %d places: %v", to, len(cells), err)
		}
	})
}
