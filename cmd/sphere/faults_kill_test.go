//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/sim"
)

// An inhabitant makes characters on a server that is killed now and then, walks with them and deletes them. The ledger
// keeps account of the server's acknowledgements.
type inhabitant struct {
	login  string
	rand   *rand.Rand
	ledger *sim.Ledger
	slots  [data.Slots]walker
	names  int
}

// live plays until the connection ends.
func (h *inhabitant) live(ctx context.Context, addr string) error {
	c, err := bot.Dial(ctx, addr, bot.Options{Seed: h.rand.Uint64()})
	if err != nil {
		return err
	}
	defer c.Abort()
	screen, err := c.Login(ctx, h.login, password)
	if err != nil {
		return err
	}
	if err := h.ledger.Admitted(h.login, &screen); err != nil {
		return err
	}
	have, free := h.ledger.Slots(h.login)
	switch n := h.rand.IntN(10); {
	case len(free) > 0 && (n < 4 || len(have) == 0):
		return h.create(ctx, c, free[0])
	case len(have) > 1 && n == 4:
		name := h.slots[have[0]].name
		h.ledger.Changes(h.login, have[0], name)
		if err := c.Delete(ctx, have[0]); err != nil {
			return err
		}
		h.ledger.Deleted(h.login, have[0], name)
		return nil
	case len(have) > 0:
		i := have[h.rand.IntN(len(have))]
		if _, err := c.Select(ctx, i); err != nil {
			return err
		}
		return h.walk(ctx, c, i)
	}
	return nil
}

func (h *inhabitant) create(ctx context.Context, c *bot.Client, i int) error {
	h.names++
	s := &h.slots[i]
	*s = walker{name: fmt.Sprintf("%s-%d", h.login, h.names)}
	h.ledger.Changes(h.login, i, s.name)
	w, err := c.Create(ctx, i, bot.NewCharacter{Name: s.name})
	if err != nil {
		return err
	}
	h.ledger.Created(h.login, i, s.name)
	s.steps = []step{{w.Position, time.Now(), true}}
	return h.walk(ctx, c, i)
}

// walk is in the world for a while, and then, perhaps, logs out.
func (h *inhabitant) walk(ctx context.Context, c *bot.Client, i int) error {
	if err := c.Enter(ctx); err != nil {
		return err
	}
	s := &h.slots[i]
	s.client = c
	stay := 8 * time.Second
	if h.rand.IntN(2) == 0 {
		stay = time.Duration(h.rand.IntN(1500)) * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, stay)
	defer cancel()
	if err := s.walk(ctx, time.Duration(50+h.rand.IntN(300))*time.Millisecond); c.Err() != nil {
		return err
	}
	return c.Close()
}

// A settlement is all inhabitants, and the findings about them.
type settlement struct {
	t           *testing.T
	ledger      *sim.Ledger
	inhabitants []*inhabitant
	kills       int
	restarts    []time.Duration
	oldest      time.Duration // position
}

// run makes everybody play, over and over, until the server is killed.
func (s *settlement) run(ctx context.Context, addr string) (wait func()) {
	var wg sync.WaitGroup
	for _, h := range s.inhabitants {
		wg.Go(func() {
			for ctx.Err() == nil {
				err := h.live(ctx, addr)
				if errors.Is(err, sim.ErrLost) || errors.Is(err, bot.ErrRefused) {
					s.t.Errorf("%s: %v", h.login, err)
					return
				}
				if err != nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
	return wg.Wait
}

// audit compares what a killed server has left with the acknowledgements before.
func (s *settlement) audit(p *process) {
	s.t.Helper()
	p.left(func(store *data.Store) {
		found, err := store.FindCharacters(s.t.Context(), "")
		if err != nil {
			s.t.Fatal(err)
		}
		at := map[string]coords.Position{}
		for _, c := range found {
			at[c.Name] = coords.Position(c.Position)
			if items, err := store.Items(s.t.Context(), c.ID); err != nil || len(items) != 3 {
				s.t.Errorf("%s has %v, %v", c.Name, items, err)
			}
		}
		for _, h := range s.inhabitants {
			have, _ := h.ledger.Slots(h.login)
			for _, i := range have {
				if at, found := at[h.slots[i].name]; found {
					s.look(&h.slots[i], at)
				}
			}
		}
		s.ledger.Audit(store, true)
		for _, h := range s.inhabitants { // those that the store knows go on from there
			have, _ := h.ledger.Slots(h.login)
			for _, i := range have {
				h.slots[i].steps = []step{{at[h.slots[i].name], time.Now(), true}}
			}
		}
	})
}

// look compares a position with the steps.
func (s *settlement) look(o *walker, at coords.Position) {
	killed := s.ledger.Killed
	if err := o.stands(at, killed, unhurried(5*time.Second)); err != nil { // saved every 3 s
		s.t.Error(err)
		return
	}
	i := len(o.steps) - 1
	for o.steps[i].at != at {
		i--
	}
	if i+1 < len(o.steps) && o.steps[i+1].answered {
		s.oldest = max(s.oldest, killed.Sub(o.steps[i+1].sent))
	}
}

// Fault case 20: kill -9 at any moment, over and over, under players that make accounts and characters, walk and
// delete. Every change that the server had acknowledged is there, positions are a few seconds old at the most, and
// the same port serves again at once.
func TestFaultKilledServerLosesNothingAcknowledged(t *testing.T) {
	besideOthers(t)
	s := &settlement{t: t, ledger: sim.NewLedgerOf(t)}
	for i := range size(12, 200) {
		s.inhabitants = append(s.inhabitants, &inhabitant{login: fmt.Sprintf("Житель%d", i), ledger: s.ledger,
			rand: rand.New(rand.NewPCG(uint64(i), 20))})
	}
	r := rand.New(rand.NewPCG(20, uint64(time.Now().UnixNano())))
	p := serveIn(t, t.TempDir(), "--hash-workers", "2")
	kills := size(4, 200)
	for s.kills < kills && !t.Failed() {
		ctx, cancel := context.WithCancel(t.Context())
		wait := s.run(ctx, p.game)
		after := time.Duration(r.IntN(2000)) * time.Millisecond
		if s.kills%8 == 3 {
			after += time.Duration(size(2500, 5000)) * time.Millisecond // long enough for places to be saved twice
		}
		time.Sleep(after)
		s.ledger.Killed = time.Now()
		p.kill()
		s.kills++
		cancel()
		wait()
		if r.IntN(8) == 0 { // and once more while it starts
			again := launch(t, "", p.dir, append(slices.Clone(p.args), "--listen", p.game))
			time.Sleep(time.Duration(r.IntN(60)) * time.Millisecond)
			again.kill()
			s.kills++
		}
		s.audit(p)
		var took time.Duration
		p, took = p.again()
		s.restarts = append(s.restarts, took)
		if full && took > time.Second {
			t.Errorf("the server was back after %v", took)
		}
		p.check()
	}
	p.stop()
	p.check()
	slices.Sort(s.restarts)
	figure(t, "20", "%d kills under %d players: what was acknowledged was looked for after each (%d accounts, %d "+
		"characters, %d deletions in all), 0 lost; position at most %v old; ready again on the same port after %v "+
		"(median), %v (worst)",
		s.kills, len(s.inhabitants), s.ledger.Accounts.Accounts, s.ledger.Accounts.Characters,
		s.ledger.Accounts.Deletions,
		s.oldest.Round(10*time.Millisecond),
		s.restarts[len(s.restarts)/2].Round(time.Millisecond), s.restarts[len(s.restarts)-1].Round(time.Millisecond))
}
