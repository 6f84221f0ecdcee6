//go:build system && unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// An owner moves, drops and takes things on a server that is killed now and then, and keeps account of what it has.
type owner struct {
	login string
	name  string
	rand  *rand.Rand

	asking  bool               // a request is under way
	has     map[int]rules.Item // by slot, as acknowledged last: class and count
	changes *atomic.Int64      // acknowledged
}

// holdings are what a client believes to have.
func holdings(c *bot.Client) map[int]rules.Item {
	out := map[int]rules.Item{}
	for _, it := range c.Items() {
		out[it.Slot] = rules.Item{Class: int(it.Class), Count: max(it.Count, 1)}
	}
	return out
}

// live plays until the connection ends, or until it goes by itself in the middle of something.
func (o *owner) live(ctx context.Context, addr string) error {
	o.asking = true // what it has is not known before it is in the world
	c, err := comeIn(ctx, addr, bot.Options{Seed: o.rand.Uint64()}, o.login, 0, o.name)
	if err != nil {
		return err
	}
	defer c.Abort()
	if err := c.Idle(ctx, 50*time.Millisecond); err != nil {
		return err
	}
	o.has, o.asking = holdings(c), false
	for n := o.rand.IntN(60); ctx.Err() == nil; n-- {
		request := o.request(c)
		if request == nil {
			if err := c.Idle(ctx, 20*time.Millisecond); err != nil {
				return err
			}
			continue
		}
		o.asking = true
		if err := c.SendCommands(request); err != nil {
			return err
		}
		if n == 0 {
			return nil // cut off in the middle of it
		}
		if _, err := c.Expect(ctx, answered); err != nil {
			return err
		}
		for _, f := range c.Violations() {
			return fmt.Errorf("%s: %v: %w", o.login, f, errLost)
		}
		o.has, o.asking = holdings(c), false
		o.changes.Add(1)
	}
	return nil
}

// answered says whether a frame tells of a slot of one's own, or that something is refused.
func answered(f *packets.Frame) bool {
	if f.Body == nil {
		return false
	}
	for _, s := range f.Body.Sections {
		for _, r := range s.Regions {
			c, _ := packets.CommandOf(r)
			switch c.(type) {
			case *packets.FillSlot, *packets.ClearSlot, *packets.SlotWeight, *packets.SystemMessage:
				return s.Class == packets.ClassPlayer
			}
		}
	}
	return false
}

// request is something to do with things.
func (o *owner) request(c *bot.Client) packets.Region {
	items := c.Items()
	slot := func() uint8 { return uint8(26 + o.rand.IntN(10)) }
	switch n := o.rand.IntN(4); {
	case n == 0 && len(items) > 0:
		if it := items[o.rand.IntN(len(items))]; it.Slot >= 26 {
			return &packets.Manager{Command: &packets.Drop{Item: it.ID, Player: c.ID()}}
		}
	case n < 3:
		for _, obj := range c.Objects {
			if obj.Spawn != nil && obj.Spawn.Placement == packets.Lying && obj.Parent == packets.NoObject &&
				(obj.Class == packets.ClassBread || obj.Class == packets.ClassStartSword) {
				return &packets.Manager{Command: &packets.PickUp{Item: uint32(obj.ID)}}
			}
		}
	}
	return &packets.ContMan{Command: &packets.MoveSlot{Player: c.ID(), From: slot(), To: slot()}}
}

// Fault cases 19 and 20: clients that are cut off in the middle of a request, and kill -9 at any moment, while players
// move, drop and take things. What was acknowledged is there, and there are as many things as ever.
func TestFaultKilledServerKeepsEveryThing(t *testing.T) {
	besideOthers(t)
	var changes atomic.Int64
	var owners []*owner
	for i := range size(8, 60) {
		owners = append(owners, &owner{login: fmt.Sprintf("Хозяин%d", i), name: fmt.Sprintf("Owner-%d", i),
			changes: &changes,
			rand:    rand.New(rand.NewPCG(uint64(i), 19))})
	}
	r := rand.New(rand.NewPCG(19, uint64(time.Now().UnixNano())))
	p := serveIn(t, t.TempDir(), "--hash-workers", "2")
	kills := size(3, 100)
	for n := 0; n < kills && !t.Failed(); n++ {
		killUnder(p, owners, func() { time.Sleep(time.Duration(1500+r.IntN(1500)) * time.Millisecond) })
		auditThings(t, p.dir, owners)
		p, _ = p.again()
	}
	p.stop()
	auditThings(t, p.dir, owners)
	p.check()
	figure(t, "19, 20", "%d kills under %d players who moved, dropped and took things and were cut off in the middle: "+
		"%d acknowledged requests, 0 lost; no thing more or less", kills, len(owners), changes.Load())
}

// auditThings compares what is stored with what was acknowledged, and counts it.
func auditThings(t *testing.T, dir string, owners []*owner) {
	t.Helper()
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	lying, err := store.Lying(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := rules.Bare(lying)
	found, err := store.FindCharacters(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found {
		items, err := store.Items(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
		for _, o := range owners {
			if o.name != c.Name || o.asking {
				continue
			}
			if len(items) != len(o.has) {
				t.Errorf("%s had %v, and %+v is stored", o.name, o.has, items)
			}
			for _, it := range items {
				if have := o.has[it.Slot]; have.Class != it.Class || have.Count != it.Count {
					t.Errorf("%s had %+v in slot %d, and %+v is stored", o.name, have, it.Slot, it)
				}
			}
		}
	}
	pieces := map[int]int{}
	for _, it := range all {
		pieces[it.Class] += it.Count
	}
	if n := len(found); pieces[506] != n || pieces[653] != 10*n || pieces[704] != n {
		t.Errorf("%d characters, and of swords, bread and inkpots there are %v", n, pieces)
	}
}
