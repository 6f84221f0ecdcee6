package world

import (
	"testing"

	"sphereserver/world/rules"
)

// quiet is a sink that only answers requests for commits.
type quiet struct {
	w   *World
	ids []rules.ItemID
}

func (q *quiet) Happened(events []Event) {
	for _, e := range events {
		if p, ok := e.(CommitRequest); ok {
			q.ids = q.ids[:0]
			for _, c := range p.Change.Items {
				id := rules.ItemID(5000)
				if c.Was != nil {
					id = c.Was.ID
				}
				q.ids = append(q.ids, id)
			}
			q.w.Do(Committed{p.Seq, q.ids, nil})
		}
	}
}

func quietStage(things []rules.Item) (*World, *quiet) {
	q := &quiet{}
	w := New(Options{Tables: testTables}, q)
	q.w = w
	w.Do(Enter{Player{ID: 1, Character: 1, Name: "а", Position: shipstone, Items: things,
		Pools: rules.Pools{HP: 50, MaxHP: 100}, Progress: rules.Progress{Base: rules.Stats{5}}}})
	w.Do(Put{Object{MaxPlayerID + 900, east(1), NPC{Type: 10}}})
	w.Tick(newStage(Options{}).now)
	return w, q
}

func BenchmarkMoveThroughPlanAndSettle(b *testing.B) {
	w, _ := quietStage(outfitted(0))
	now := newStage(Options{}).now
	from, to := 0, 9
	b.ReportAllocs()
	for b.Loop() {
		w.Do(MoveItem{1, Container{Bag: 6}, from, to})
		w.Tick(now) // checks, and asks for it to be stored
		w.Tick(now) // does it
		from, to = to, from
	}
}

func BenchmarkOpenTrade(b *testing.B) {
	w, _ := quietStage(nil)
	now := newStage(Options{}).now
	b.ReportAllocs()
	for b.Loop() {
		w.Do(OpenTrade{1, MaxPlayerID + 900})
		w.Tick(now)
	}
}

// wearingMuch returns a player that wears twelve pieces and is seen by another.
func wearingMuch() (*World, *player) {
	things := append(outfitted(0), thing(kHelmet, 200, 0, 0, 1), thing(kRing, 201, 0, 9, 1), thing(kRing, 202, 0, 10, 1),
		thing(kRing, 203, 0, 11, 1), thing(kShield, 204, 0, 2, 1))
	w, _ := quietStage(things)
	w.Do(Enter{Player{ID: 2, Character: 2, Position: shipstone}})
	w.Tick(newStage(Options{}).now)
	w.places.space.Begin(w.tick+1, w.now) // it has been seen before
	return w, w.player(1)
}

func BenchmarkDerive(b *testing.B) {
	w, p := wearingMuch()
	who := p.character()
	b.ReportAllocs()
	for b.Loop() {
		w.tables.Derive(&who, &p.carried, p.hand)
	}
}

func BenchmarkHPChange(b *testing.B) {
	w, p := wearingMuch()
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		before := p.Pools
		p.Pools.HP = 40 + n%3
		w.vitals.poolsChanged(p, before)
		if n++; n%1000 == 0 {
			w.eventBuffer.reset()
		}
	}
}

func TestHPChangeAllocatesNothing(t *testing.T) {
	w, p := wearingMuch()
	n := 0
	hit := func() {
		before := p.Pools
		n++
		p.Pools.HP = 40 + n%3
		w.vitals.poolsChanged(p, before)
		if len(w.events) != 2 {
			t.Fatalf("%d events", len(w.events))
		}
		w.eventBuffer.reset()
	}
	hit()
	if got := testing.AllocsPerRun(100, hit); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
