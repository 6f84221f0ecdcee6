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
	"sphereserver/server/ops"
)

// An inhabitant plays on a server that is killed now and then, and keeps account of the server's acknowledgements.
type inhabitant struct {
	login string
	rand  *rand.Rand
	known bool // the character screen came after a login
	slots [data.Slots]possession
	names int
}

// A possession is a character as far as its player knows.
type possession struct {
	state possessionState
	walker
	deleted time.Time // when the server closed the connection after a deletion
}

type possessionState uint8

const (
	absent  possessionState = iota
	present                 // the name was accepted, or the screen has shown it
	unsure                  // a request is under way
)

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
	h.known = true
	var have, free []int
	for i := range h.slots {
		s := &h.slots[i]
		shown := screen.Characters[i]
		if s.state == present && shown.Name != s.name || s.state == absent && !shown.Empty {
			return fmt.Errorf("%s: slot %d shows %q: %w", h.login, i, shown.Name, errLost)
		}
		if s.state == present {
			have = append(have, i)
		} else if s.state == absent {
			free = append(free, i)
		}
	}
	switch n := h.rand.IntN(10); {
	case len(free) > 0 && (n < 4 || len(have) == 0):
		return h.create(ctx, c, free[0])
	case len(have) > 1 && n == 4:
		s := &h.slots[have[0]]
		s.state = unsure
		if err := c.Delete(ctx, have[0]); err != nil {
			return err
		}
		s.deleted = time.Now()
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

var errLost = errors.New("what was acknowledged is lost")

func (h *inhabitant) create(ctx context.Context, c *bot.Client, i int) error {
	s := &h.slots[i]
	h.names++
	*s = possession{state: unsure, walker: walker{name: fmt.Sprintf("%s-%d", h.login, h.names)}}
	w, err := c.Create(ctx, i, bot.NewCharacter{Name: s.name})
	if err != nil {
		return err
	}
	s.state = present
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
	if err := s.walker.walk(ctx, time.Duration(50+h.rand.IntN(300))*time.Millisecond); c.Err() != nil {
		return err
	}
	return c.Close()
}

// A settlement is all inhabitants, and the findings about them.
type settlement struct {
	t           *testing.T
	inhabitants []*inhabitant
	kills       int
	restarts    []time.Duration
	oldest      time.Duration // position
	acked       struct{ accounts, characters, deletions int }
}

// run makes everybody play, over and over, until the server is killed.
func (s *settlement) run(ctx context.Context, addr string) (wait func()) {
	var wg sync.WaitGroup
	for _, h := range s.inhabitants {
		wg.Go(func() {
			for ctx.Err() == nil {
				err := h.live(ctx, addr)
				if errors.Is(err, errLost) || errors.Is(err, bot.ErrRefused) {
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

// audit compares the store with the acknowledgements before the kill.
func (s *settlement) audit(p *process, killed time.Time) {
	s.t.Helper()
	accounts, characters := map[string]bool{}, map[string]ops.Character{}
	for _, a := range operate[[]ops.Account](p, "account", "list") {
		accounts[a.Login] = true
	}
	for _, c := range operate[[]ops.Character](p, "character", "list") {
		characters[c.Name] = c
	}
	if r := operate[ops.Report](p, "status"); r.Stored.Items != 3*r.Stored.Characters ||
		r.Stored.Characters != len(characters) {
		s.t.Errorf("%+v are stored", r.Stored)
	}
	for _, h := range s.inhabitants {
		if h.known && !accounts[h.login] {
			s.t.Errorf("account %s is lost", h.login)
		}
		if h.known {
			s.acked.accounts++
		}
		for i := range h.slots {
			o := &h.slots[i]
			c, found := characters[o.name]
			if o.name == "" {
				continue
			}
			if found && (int(c.Slot) != i || c.Account != h.login) {
				s.t.Errorf("%s is found in slot %d of %s", o.name, c.Slot, c.Account)
			}
			switch {
			case o.state == present && !found:
				s.t.Errorf("character %s is lost", o.name)
			case o.state == present:
				s.acked.characters++
				s.look(o, coords.Position(c.Position), killed)
			case !o.deleted.IsZero() && o.deleted.Before(killed):
				s.acked.deletions++
				if found {
					s.t.Errorf("character %s was deleted and is back", o.name)
				}
			}
			// A change without acknowledgement has happened or not.
			o.state, o.deleted = absent, time.Time{}
			if found {
				o.state = present
				o.steps = []step{{coords.Position(c.Position), time.Now(), true}}
			} else {
				*o = possession{}
			}
		}
	}
}

// look compares a position with the steps.
func (s *settlement) look(o *possession, at coords.Position, killed time.Time) {
	bound := unhurried(5 * time.Second) // saved every 3 s
	if err := o.stands(at, killed, bound); err != nil {
		s.t.Error(err)
		return
	}
	i := slices.IndexFunc(o.steps, func(v step) bool { return v.at == at })
	for j := i + 1; j < len(o.steps); j++ {
		if o.steps[j].at == at {
			i = j
		}
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
	s := &settlement{t: t}
	for i := range size(12, 200) {
		s.inhabitants = append(s.inhabitants, &inhabitant{login: fmt.Sprintf("Житель%d", i),
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
		killed := time.Now()
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
		var took time.Duration
		p, took = p.again()
		s.restarts = append(s.restarts, took)
		if full && took > time.Second {
			t.Errorf("the server was back after %v", took)
		}
		s.audit(p, killed)
		p.check()
	}
	p.stop()
	p.check()
	slices.Sort(s.restarts)
	figure(t, "20", "%d kills under %d players: what was acknowledged was looked for after each (%d accounts, %d "+
		"characters, %d deletions in all), 0 lost; position at most %v old; ready again on the same port after %v "+
		"(median), %v (worst)",
		s.kills, len(s.inhabitants), s.acked.accounts, s.acked.characters, s.acked.deletions,
		s.oldest.Round(10*time.Millisecond),
		s.restarts[len(s.restarts)/2].Round(time.Millisecond), s.restarts[len(s.restarts)-1].Round(time.Millisecond))
}
