//go:build system && unix

package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/server/bot"
	"sphereserver/server/measure"
	"sphereserver/world/rules"
)

// Fault case 23: while another program holds the database, blows fall and are told as soon as before, though each
// player has a change of its belongings waiting for it. When it is let go, each player has what it was told.
func TestFaultLockedDatabaseDelaysNoBlow(t *testing.T) {
	besideOthers(t)
	n, held := size(3, 20), time.Duration(size(5, 30))*time.Second
	dir := t.TempDir()
	commandLine{t, dir}.must("account", "add", "master", "--password", password, "--role", "gamemaster")
	spawners := wild.Spawners(content.Default().Tables, &rules.DefaultBalance().Spawn)
	at := spawners[slices.IndexFunc(spawners, func(s wild.Spawner) bool {
		return slices.Equal(s.Types, []int{rules.PracticeTarget})
	})].Position
	p := serveIn(t, dir, "--start", fmt.Sprintf("%.2f %.2f %.2f", at.X, at.Y, at.Z), "--hash-workers", "2")
	master := p.player("master", 0, "Мастер")
	if err := master.Speak(2, fmt.Sprintf("/monster %d 60", rules.PracticeTarget)); err != nil {
		t.Fatal(err)
	}
	s := strikers{t: t, clients: []*bot.Client{master}}
	s.meet()
	s.clients = nil
	for i := range n {
		s.clients = append(s.clients, p.player(bot.SwarmName("Blow", i), 0, bot.SwarmName("Blow", i)))
	}
	s.meet()
	before := s.strike(held)
	release := lockDatabase(t, dir)
	during := s.strike(held)
	release()
	s.keep(p)
	const ticks = 2 * 50 * time.Millisecond
	if during.Count == 0 || full && during.Quantile(0.99) >= ticks {
		t.Errorf("%d blows were told, p99 %v", during.Count, during.Quantile(0.99))
	}
	p.stop()
	p.check()
	figure(t, "23", "the database held by another program for %v: %d blows of %d players told after %v (p50), %v (p99); "+
		"the same time before %d after %v and %v; nothing lost", held, during.Count, n, during.Quantile(0.5),
		during.Quantile(0.99), before.Count, before.Quantile(0.5), before.Quantile(0.99))
}

// Strikers are players around one practice target.
type strikers struct {
	t       *testing.T
	clients []*bot.Client
}

func (s *strikers) target(c *bot.Client) *bot.Object {
	return c.Nearest(func(o *bot.Object) bool { return o.Monster != nil && o.Monster.MaxHP > 1000 })
}

// meet waits until all see the target.
func (s *strikers) meet() {
	all(s.t, len(s.clients), func(i int) error {
		c := s.clients[i]
		return c.Until(s.t.Context(), func() bool { return s.target(c) != nil })
	})
}

// strike makes all strike for a while, each with something on its way to the store all the time, and returns after
// which times their blows were told. All blows must be.
func (s *strikers) strike(during time.Duration) (told measure.Distribution) {
	s.t.Helper()
	was := make([]*bot.Figures, len(s.clients))
	all(s.t, len(s.clients), func(i int) error {
		c := s.clients[i]
		was[i] = c.Figures()
		for slot, end := 26, time.Now().Add(during); time.Now().Before(end); {
			if !c.Waits() {
				slot = 26 + (slot-25)%14
				if err := c.Move(c.ID(), things(c)[0].Slot, slot); err != nil {
					return err
				}
			}
			if err := c.Strike(s.target(c).ID); err != nil {
				return err
			}
			if err := c.Idle(s.t.Context(), 2*time.Second); err != nil {
				return err
			}
		}
		return nil
	})
	for i, c := range s.clients {
		f := c.Figures()
		since := f.Echoes.Since(&was[i].Echoes)
		if blows := f.Blows - was[i].Blows; since.Count != blows {
			s.t.Errorf("%d blows, %d told", blows, since.Count)
		}
		for k, n := range since.Counts {
			told.Counts[k] += n
		}
		told.Count, told.Sum, told.Max = told.Count+since.Count, told.Sum+since.Sum, max(told.Max, since.Max)
	}
	return told
}

// things are the things in a player's inventory that can be moved.
func things(c *bot.Client) []bot.Item {
	return slices.DeleteFunc(c.Items(), func(it bot.Item) bool { return it.Slot < 26 || it.Slot >= 40 })
}

// keep waits for answers to all that was asked for, and compares what players have then with what they have when they
// come back.
func (s *strikers) keep(p *process) {
	s.t.Helper()
	all(s.t, len(s.clients), func(i int) error {
		c := s.clients[i]
		if err := c.Until(s.t.Context(), func() bool { return !c.Waits() }); err != nil {
			return err
		}
		if err := c.Idle(s.t.Context(), 3*time.Second); err != nil { // what was given up may be granted yet
			return err
		}
		for _, v := range c.Violations() {
			if v.Kind != bot.NoReply && v.Kind != bot.UnsolicitedChange { // of changes that waited
				return fmt.Errorf("found %+v", v)
			}
		}
		told := had(c)
		c.Abort()
		back, err := comeIn(s.t.Context(), p.game, bot.Options{}, bot.SwarmName("Blow", i), 0, "")
		if err != nil {
			return err
		}
		defer back.Abort()
		if has := had(back); !slices.Equal(has, told) {
			return fmt.Errorf("has %v, was told %v", has, told)
		}
		return nil
	})
}

// had are the slots and the kinds of what a player has.
func had(c *bot.Client) (all []string) {
	for _, it := range c.Items() {
		all = append(all, fmt.Sprint(it.Slot, it.Class, it.GameID, it.Count))
	}
	return all
}
