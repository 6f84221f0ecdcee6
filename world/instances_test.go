package world

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// cave is a small layout: a labyrinth, a sword that lies about, a chest, and the newcomers' monster.
var cave = &Layout{Key: "cave", Start: coords.Position{X: 1.31, Y: 1.61, Z: 0.05, Yaw: 1.571},
	Pieces: []Piece{
		{Kind: Labyrinth{Map: 0x59D8}},
		{At: coords.Position{X: 5}, Kind: Post{1}},
		{At: coords.Position{X: -3, Y: 1, Z: 1}, Kind: GroundItem{Item: rules.Item{Class: 709, GameID: 140, Suffix: rules.NoSuffix,
			Count: 1}}},
		{At: coords.Position{X: 3, Y: 1, Z: 1}, Kind: GroundItem{Item: rules.Item{Class: rules.ClassChest,
			Suffix: rules.NoSuffix, Count: 1, Extra: []byte{2, 1}}},
			Things: []rules.Item{{Class: 650, Suffix: rules.NoSuffix, Count: 3}, {Class: 709, GameID: 140, Suffix: rules.NoSuffix,
				Count: 1, Slot: 4}}},
	},
	Lairs: []Spawner{{At: coords.Position{X: -20, Y: 1.64, Z: 19.1, Yaw: 3.85}, Level: 1, Tutorial: true}},
}

// caver returns a player that can enter the cave.
func caver(id PlayerID) Player {
	return Player{ID: id, Character: int64(id) + 1000, Name: fmt.Sprintf("Герой%d", id), Position: shipstone,
		Pools: rules.Pools{HP: 50, MaxHP: 100}}
}

// wakes makes players enter caves of their own.
func (s *stage) wakes(ids ...PlayerID) []Event {
	for _, id := range ids {
		s.Do(EnterInside{caver(id), cave})
	}
	return s.pass(TickPeriod)
}

// around lists the objects that a player sees, by their kinds.
func (s *stage) around(id PlayerID) (out []*object) {
	for e := range s.player(id).InSight(others) {
		out = append(out, e.object)
	}
	return out
}

// fresh is the first thing of a class that lies in sight of a player.
func (s *stage) lying(t testing.TB, id PlayerID, class int) *object {
	t.Helper()
	for _, o := range s.around(id) {
		if k, ok := o.Kind.(GroundItem); ok && k.Class == class {
			return o
		}
	}
	t.Fatalf("player %d sees no thing of class %d", id, class)
	return nil
}

// cells is how many instances there are, and how many cells are free, and fails if one is lost.
func (s *stage) cells(t testing.TB) (live int) {
	t.Helper()
	for _, in := range s.instances.byID {
		if in != nil {
			live++
		}
	}
	if free := len(s.instances.free); s.instances.byID != nil && live+free != rules.MostInstances || live != s.instances.live {
		t.Errorf("%d instances, counted as %d, and %d free cells", live, s.instances.live, free)
	}
	return live
}

func TestLifeCheck2_1ANewInstanceIsToldInOrder(t *testing.T) {
	s := newWild(t, Options{})
	events := s.wakes(1)
	if _, ok := events[0].(Entered); !ok {
		t.Fatalf("it begins with %s", describe(events[:1]))
	}
	first := of[*ObjectAppeared](events)
	if len(first) != 5 || first[0].Object.Kind != (Labyrinth{0x59D8}) {
		t.Fatalf("it shows %s", describe(events))
	}
	origin := first[0].Object.Position
	if k := (origin.X - 100) / 200; k != float32(math.Trunc(float64(k))) || origin.Y != 4500 {
		t.Errorf("the origin is %v", origin)
	}
	to := only[Teleported](t, events).To
	if to != (coords.Position{X: origin.X + 1.31, Y: 4501.61, Z: origin.Z + 0.05, Yaw: 1.571}) {
		t.Errorf("one begins at %v", to)
	}
	if _, last := events[len(events)-2].(Teleported); !last { // behind it only [Population]
		t.Errorf("it ends with %s", describe(events[len(events)-2:]))
	}
	s.sound(t)
}

func TestLifeCheck2_2TwoAtOnceDoNotSeeEachOther(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1, 2)
	a, b := s.player(1), s.player(2)
	if a.inside == b.inside || a.inside.origin == b.inside.origin {
		t.Fatal("they have one instance")
	}
	// To the millimetre at one place: one in an instance, one in the other, one in the open world.
	s.in(a.Position, 3)
	s.does(deedOf(func(w *World) { w.places.place(b, a.Position); w.places.space.Look(&b.Body) }))
	for _, p := range []*player{a, b, s.player(3)} {
		if len(p.Viewers()) > 0 {
			t.Errorf("player %d is seen by %v", p.ID, p.Viewers())
		}
	}
	if events := s.does(Say{From: 1, Channel: Normal, Text: "?"}); len(only[*Said](t, events).To) != 1 {
		t.Errorf("it is heard as %s", describe(events))
	}
	for _, o := range s.around(3) {
		t.Errorf("from the open world one sees %T", o.Kind)
	}
	s.sound(t)
}

// In a snapshot things are where they belong, and not in the instance at the place of which they stand.
func TestSnapshotsSayInWhichInstanceThingsAre(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1, 2)
	a, b := s.player(1).inside, s.player(2).inside
	open, other := &object{}, &object{}
	s.does(deedOf(func(w *World) {
		for _, o := range []*object{open, other} {
			o.Object = Object{ID: w.NextEntityID(), Position: s.player(1).Position, Kind: Portal{}}
		}
		w.places.put(open, nil)
		w.places.put(other, b)
	}))
	s.pass(time.Second)
	have := map[InstanceID]int{}
	for o := range s.Snapshot().Objects() {
		have[o.Instance]++
		if want := map[EntityID]InstanceID{open.ID: 0, other.ID: b.id}; o.Kind == (Portal{}) && o.Instance != want[o.ID] {
			t.Errorf("%d is in %d, expected %d", o.ID, o.Instance, want[o.ID])
		}
	}
	if have[a.id] != len(s.places.inhabitants(a)) || have[b.id] != have[a.id]+1 || have[0] == 0 {
		t.Errorf("objects by instance: %v", have)
	}
}

func TestLifeCheck2_3WithoutAFreeCellOneBeginsInTheCity(t *testing.T) {
	s := newWild(t, Options{Instances: 2})
	events := s.wakes(1, 2, 3)
	if e := only[InstanceRefused](t, events); e != (InstanceRefused{3, rules.NoCell}) || s.player(3).Position != shipstone {
		t.Errorf("%s, and it is at %v", describe(events), s.player(3).Position)
	}
	if told := of[Teleported](events); len(told) != 3 || told[2] != (Teleported{3, shipstone}) {
		t.Errorf("told where they are: %v", told)
	}
	s.does(Leave{ID: 1})
	s.pass(s.balance.Spawn.InstanceLinger + time.Second)
	if events := s.wakes(4); len(of[InstanceRefused](events)) > 0 || s.cells(t) != 2 {
		t.Errorf("when a cell is free: %s", describe(events))
	}
}

// All cells can be had at once, each once, and all come back.
func TestLifeCheck2_3AllCells(t *testing.T) {
	s := newStage(Options{})
	l := &Layout{Pieces: []Piece{{Kind: Labyrinth{1}}}}
	origins := map[coords.Position]bool{}
	for i := range rules.MostInstances + 1 {
		s.Do(EnterInside{caver(PlayerID(i + 1)), l})
	}
	s.pass(TickPeriod)
	for _, e := range s.all[players] {
		if in := e.inside; in != nil {
			origins[in.origin] = true
		}
	}
	if len(origins) != 3200 || s.player(3201).inside != nil || s.player(3200).inside == nil {
		t.Errorf("%d origins", len(origins))
	}
	for i := range rules.MostInstances {
		s.Do(Leave{ID: PlayerID(i + 1)})
	}
	s.pass(TickPeriod)
	s.pass(s.balance.Spawn.InstanceLinger + 2*time.Second)
	if live := s.cells(t); live != 0 || len(s.all[others]) != 0 {
		t.Errorf("%d instances and %d objects are left", live, len(s.all[others]))
	}
}

// ends waits until instances without players have ended, with the store's help.
func (m *tradeStage) ends(t testing.TB) {
	t.Helper()
	for range int(m.balance.Spawn.InstanceLinger/time.Second) + 5 {
		for _, r := range of[CommitRequest](m.pass(time.Second)) {
			ids, err := m.apply(r.Change)
			if err != nil {
				t.Fatal(err)
			}
			m.does(Committed{r.Seq, ids, nil})
		}
	}
}

func TestLifeCheck2_5AnInstanceEndsAMinuteAfterTheLast(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	before := len(s.all[others])
	events := s.does(Teleport{1, shipstone})
	if len(of[*Vanished](events)) != 5 || s.player(1).inside != nil {
		t.Errorf("leaving tells %s", describe(events))
	}
	s.pass(59 * time.Second)
	if s.cells(t) != 1 || len(s.all[others]) != before {
		t.Error("it is gone too early")
	}
	s.pass(2 * time.Second)
	if s.cells(t) != 0 || len(s.all[others]) != 0 {
		t.Errorf("it is still there, with %d objects", len(s.all[others]))
	}
	s.pass(5 * time.Minute) // an instance that is gone has no births
	if len(s.all[others]) != 0 || len(s.heap) > 8 {
		t.Errorf("%d objects and %d timers later", len(s.all[others]), len(s.heap))
	}
	s.sound(t)
}

func TestWhoComesBackInTimeKeepsTheInstance(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	id := s.player(1).inside.id
	s.does(Teleport{1, shipstone})
	s.pass(50 * time.Second)
	s.does(EnterInstance{ID: 1, Number: id})
	s.pass(50 * time.Second)
	s.does(Teleport{1, shipstone})
	s.pass(50 * time.Second)
	if s.cells(t) != 1 {
		t.Error("it has ended in the middle of the second minute")
	}
	s.pass(12 * time.Second)
	if s.cells(t) != 0 {
		t.Error("it has not ended")
	}
	events := s.does(EnterInstance{ID: 1, Number: id})
	refused(t, events, rules.NoInstance)
}

func TestOperatorsGoInAndOut(t *testing.T) {
	s := newWild(t, Options{Layouts: []*Layout{cave}})
	s.wakes(1)
	s.enter(2)
	s.does(TeleportBeside{2, 1})
	if s.player(2).inside != s.player(1).inside || len(s.player(1).Viewers()) != 1 {
		t.Fatal("who is put beside somebody in an instance is not in it")
	}
	s.does(Leave{ID: 1})
	s.pass(2 * time.Minute)
	if s.cells(t) != 1 {
		t.Error("it has ended with an operator inside")
	}
	s.does(Teleport{2, shipstone})
	s.pass(2 * time.Minute)
	if s.cells(t) != 0 {
		t.Error("it has not ended")
	}
	s.does(EnterInstance{ID: 2, Layout: "cave"})
	if in := s.player(2).inside; in == nil || s.player(2).Position != in.place(cave.Start) {
		t.Error("a new one cannot be entered from the world")
	}
	for _, n := range []InstanceID{-1, 3201, 1 << 40, 7} {
		refused(t, s.does(EnterInstance{ID: 2, Number: n}), rules.NoInstance)
	}
	refused(t, s.does(EnterInstance{ID: 2}), rules.NoInstance)
	s.sound(t)
}

func TestWhatOperatorsPutInAnInstanceIsInIt(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	p := s.player(1)
	events := s.does(Summon{Type: 1, Level: 1, At: p.Position}, Put{Object{0, p.Position, NPC{Key: "put"}}})
	if n := len(of[*ObjectAppeared](events)); n != 2 {
		t.Errorf("it is shown %d objects", n)
	}
	s.does(Teleport{1, shipstone})
	s.pass(2 * time.Minute)
	if n := len(s.all[others]); n != 0 {
		t.Errorf("%d objects are left", n)
	}
	s.does(Put{Object{0, coords.Position{X: 100, Y: 4500, Z: 100}, NPC{Key: "put"}}}) // where no instance is
	if e := s.all[others]; len(e) != 1 || e[0].inside != nil {
		t.Error("it is not in the open world")
	}
}

func TestLifeCheck2_6WhoLeavesInsideComesBackToAnother(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	was := s.player(1).inside
	left := only[Left](t, s.does(Leave{ID: 1})).Player
	if !rules.AmongInstances(left.Position) || was.players != 0 {
		t.Errorf("it leaves at %v", left.Position)
	}
	s.wakes(1)
	if is := s.player(1).inside; is == was || is.id == was.id {
		t.Error("it is in the old one")
	}
	for e := range s.player(1).InSight(others) {
		if e.inside != s.player(1).inside {
			t.Error("it sees what is in another")
		}
	}
	// A layout may say where one stands the next time.
	out := *cave
	out.Leave = shipstone
	s.Do(EnterInside{caver(2), &out})
	s.pass(TickPeriod)
	if left := only[Left](t, s.does(Leave{ID: 2})).Player; left.Position != shipstone {
		t.Errorf("it leaves at %v", left.Position)
	}
}

func TestLifeCheck2_7WhatLayInAnInstanceEndsAtTheNextStart(t *testing.T) {
	m := newFight(Options{})
	item := rules.Item{ID: 7, Class: 709, GameID: 140, Suffix: rules.NoSuffix, Count: 1}
	for i, at := range []coords.Position{{X: -1090, Y: 4501, Z: 1903}, shipstone} {
		item.ID += rules.ItemID(i)
		m.things[item.ID] = rules.StoredItem{Item: item, OnGround: &rules.OnGround{At: at}}
		m.Do(RestoreGroundItem{[]rules.Item{item}, rules.OnGround{At: at}, rules.AmongInstances(at)})
	}
	m.asks(t)
	if len(m.things) != 1 || len(m.all[others]) != 1 || m.all[others][0].At != shipstone {
		t.Errorf("%d things and %d objects are left", len(m.things), len(m.all[others]))
	}
}

func TestWhatPlayersDropInAnInstanceEndsWithIt(t *testing.T) {
	m := newFight(Options{})
	p := m.stored(1)
	p.Items = []rules.Item{weapon(kStartSword, 11, 26)}
	m.things[11] = rules.StoredItem{Item: p.Items[0], Owner: p.Character}
	m.Do(EnterInside{p, cave})
	m.Do(EnterInside{m.stored(2), cave})
	m.pass(TickPeriod)
	in := m.player(1).inside
	outside := m.player(1).Position
	outside.X = in.origin.X + 100.5
	m.does(deedOf(func(w *World) { at := outside; at.X--; w.places.place(w.player(1), at) }))
	if why := only[Refused](t, m.asks(t, Drop{1, 11, outside})).Why; why != rules.BadPlace {
		t.Errorf("outside of it: %v", why)
	}
	o := only[ItemDropped](t, m.asks(t, Drop{1, 11, m.player(1).Position})).Object
	if m.object(o).inside != in {
		t.Fatal("it lies elsewhere")
	}
	// Dropped while all players are gone, and the store so slow that the instance is over by then.
	m.asks(t, PickUp{1, Target{Object: o}})
	r := only[CommitRequest](t, m.does(Drop{1, 11, m.player(1).Position}))
	m.does(Teleport{1, shipstone})
	m.pass(2 * time.Minute)
	ids, err := m.apply(r.Change)
	if err != nil {
		t.Fatal(err)
	}
	end := only[CommitRequest](t, m.does(Committed{r.Seq, ids, nil}))
	if ids, err = m.apply(end.Change); err != nil {
		t.Fatal(err)
	}
	m.does(Committed{end.Seq, ids, nil})
	if len(m.things) != 0 || m.cells(t) != 1 {
		t.Errorf("the store has %d things, there are %d instances", len(m.things), m.cells(t))
	}
}

func TestLifeCheck2_8UnstickLeadsToTheStartAndThenToTheCity(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	p := s.player(1)
	in, start := p.inside, p.Position
	s.does(deedOf(func(w *World) { w.places.place(p, in.place(coords.Position{X: -40, Y: 1, Z: 30})) }))
	if to := only[Teleported](t, s.does(Unstick{1, shipstone})).To; to != start || p.inside != in {
		t.Errorf("it leads to %v", to)
	}
	s.enter(2)
	for _, id := range []PlayerID{1, 2} {
		events := s.does(Unstick{id, east(50)})
		if to := only[Teleported](t, events).To; to != east(50) || s.player(id).inside != nil {
			t.Errorf("player %d is led to %v", id, to)
		}
	}
}

func TestLifeCheck2_9NobodyWalksOut(t *testing.T) {
	s := newWild(t, Options{MaxSpeed: -1})
	s.wakes(1)
	p := s.player(1)
	at := p.Position
	for _, by := range []coords.Position{{X: 99}, {X: -102}, {Z: 101}, {Y: 150}, {Y: -200}} {
		to := coords.Position{X: at.X + by.X, Y: at.Y + by.Y, Z: at.Z + by.Z}
		p.settleBy = 0
		s.Move(1, to)
		if e := only[MoveRefused](t, s.pass(TickPeriod)); e.Why == nil || p.Position != at {
			t.Errorf("by %v: %+v", by, e)
		}
	}
	p.settleBy = 0
	s.Move(1, coords.Position{X: at.X - 40, Y: at.Y, Z: at.Z + 30})
	if events := s.pass(TickPeriod); len(of[MoveRefused](events)) > 0 {
		t.Errorf("within it: %s", describe(events))
	}
}

func TestLifeCheck2_11TheMonsterComesAgain(t *testing.T) {
	m := newFight(Options{})
	m.Do(EnterInside{m.stored(1), cave})
	m.pass(TickPeriod)
	p := m.player(1)
	beast := func() *monster {
		for _, o := range m.around(1) {
			if o.monster != nil {
				return o.monster
			}
		}
		return nil
	}
	b := beast()
	at := p.inside.place(cave.Lairs[0].At)
	if b == nil || b.MaxHP != 64 || b.HP != 64 || b.Type != 1069 || !b.Named() || b.object.Position != at {
		t.Fatalf("it is %+v", b)
	}
	e := only[*MonsterDied](t, m.die(t, b, p, hurtBy(p, 60, rules.Physical)))
	if c := e.Gains[0].Coins; c < 14 || c > 16 {
		t.Errorf("it leaves %d coins", c)
	}
	m.pass(29 * time.Second)
	if beast() != nil {
		t.Error("the next one comes too early")
	}
	m.pass(2 * time.Second)
	if n := beast(); n == nil || n.object.Position != at {
		t.Errorf("then there is %+v", n)
	}
}

func TestMonstersStayInTheirInstance(t *testing.T) {
	l := *cave
	l.Lairs = []Spawner{{At: coords.Position{X: 95, Y: 1.6}, Level: 2, Types: []int{1}}}
	s := newWild(t, Options{Hearing: 1})
	s.Do(EnterInside{caver(1), &l})
	s.pass(TickPeriod)
	p := s.player(1)
	s.does(deedOf(func(w *World) {
		w.places.place(p, p.inside.place(coords.Position{X: 90, Y: 1.6}))
		w.places.space.Look(&p.Body)
	}))
	p.Pools.HP, p.Pools.MaxHP = 1<<20, 1<<20
	for range 600 {
		s.pass(TickPeriod)
		for _, m := range s.monsters() {
			if !p.inside.holds(m.object.At) || m.object.inside != p.inside {
				t.Fatalf("a monster is at %v", m.object.At)
			}
		}
	}
	if len(s.monsters()) < 3 {
		t.Errorf("there are %d monsters", len(s.monsters()))
	}
	s.sound(t)
}

func TestWhoDiesInAnInstanceWakesAtItsStart(t *testing.T) {
	s := newWild(t, Options{Revival: func(coords.Position, int) coords.Position { return shipstone }})
	s.wakes(1)
	p := s.player(1)
	start, in := p.Position, p.inside
	s.does(deedOf(func(w *World) { w.vitals.hurt(p, Hit{HP: -100}) }))
	s.pass(6 * time.Second)
	if isDead(p) || p.Position != start || p.inside != in {
		t.Errorf("it is at %v", p.Position)
	}
}

func TestAFailureInAnInstanceFreesItsCell(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1)
	s.does(deedOf(func(w *World) { w.guard(1, func() { panic("for the test") }) }))
	s.does(Leave{ID: 1})
	s.pass(2 * time.Minute)
	if s.cells(t) != 0 || len(s.all[others]) != 0 {
		t.Errorf("%d instances and %d objects are left", s.cells(t), len(s.all[others]))
	}
	// The same character twice: no cell is lost by the second.
	s.wakes(2)
	s.does(EnterInside{caver(2), cave})
	if s.cells(t) != 1 {
		t.Error("a refused entry keeps a cell")
	}
}

func TestGroundIsLearnedForAllInstances(t *testing.T) {
	l := *cave
	l.Charted = coords.Position{X: -1100, Y: 4500, Z: 1900}
	g := &noted{}
	s := newWild(t, Options{Ground: g, MaxSpeed: -1})
	s.Do(EnterInside{caver(1), &l})
	s.pass(TickPeriod)
	in := s.player(1).inside
	for i := range 40 {
		s.Move(1, in.place(coords.Position{X: float32(i) / 10, Y: 1.5}))
		s.pass(TickPeriod)
	}
	if at := g.learned; at.X < -1100 || at.X > -1096 || at.Y != 4501.5 || at.Z != 1900 {
		t.Errorf("it is learned at %v", at)
	}
	y, _ := s.groundOf(&s.player(1).entity).Height(in.place(coords.Position{X: 1}), &s.player(1).Position)
	if y != 1.25+in.origin.Y || g.near == nil || g.near.X > -1090 || g.asked.X != -1099 {
		t.Errorf("%v, asked of %v near %v", y, g.asked, g.near)
	}
	way, _ := s.groundOf(&s.player(1).entity).Way(in.place(coords.Position{}), in.place(coords.Position{X: 2}), nil)
	if len(way) != 1 || way[0] != in.place(coords.Position{X: 1}) {
		t.Errorf("the way is %v", way)
	}
}

// noted is a ground that remembers its questions.
type noted struct {
	unknown
	learned, asked coords.Position
	near           *coords.Position
}

func (n *noted) Learn(at coords.Position) bool {
	n.learned = at
	return true
}
func (n *noted) Height(at coords.Position, near *coords.Position) (float32, bool) {
	n.asked, n.near = at, near
	return 4501.25, true
}
func (n *noted) Way(from, _ coords.Position, into []coords.Position) ([]coords.Position, bool) {
	from.X++
	return append(into, from), true
}

func TestInstancesAreInSnapshots(t *testing.T) {
	s := newWild(t, Options{})
	s.wakes(1, 2)
	s.does(Teleport{2, shipstone}, Publish{})
	got := s.Snapshot()
	if len(got.Instances) != 2 || got.Players[0].Instance != 1 || got.Players[1].Instance != 0 {
		t.Fatalf("%+v", got.Instances)
	}
	a, b := got.Instances[0], got.Instances[1]
	if a.Owner != "Герой1" || a.Layout != "cave" || !a.Emptied.IsZero() ||
		b.Emptied.IsZero() || a.Origin == b.Origin {
		t.Errorf("%+v", got.Instances)
	}
	s.does(Publish{})
	if again := s.Snapshot(); &again.Instances[0] != &got.Instances[0] {
		t.Error("they are listed anew though nothing has changed")
	}
	s.does(deedOf(func(w *World) { w.instances.instance(2).over, w.instancesTold = true, nil }), Publish{})
	if b := s.Snapshot().Instances[1]; !b.Ending {
		t.Errorf("then %+v", b)
	}
}

// Players come and go and drop and die at random: no cell is lost, and the same seed does the same.
func TestInstancesComeAndGo(t *testing.T) {
	run := func() string {
		s := newWild(t, Options{Instances: 12, Seed: 7, Layouts: []*Layout{cave}})
		log := ""
		for i := range 150 {
			id := PlayerID(1 + s.random.IntN(20))
			switch p := s.player(id); {
			case p == nil && s.failed[id] == nil:
				s.Do(EnterInside{caver(id), cave})
			case p != nil && s.random.IntN(3) == 0:
				s.Do(Leave{ID: id})
			case p != nil && s.random.IntN(2) == 0:
				s.Do(Teleport{id, shipstone})
			case p != nil:
				s.Do(EnterInstance{ID: id, Number: InstanceID(s.random.IntN(14)), Layout: "cave"})
			}
			for _, e := range s.pass(time.Duration(1+s.random.IntN(3)) * time.Second) {
				log += fmt.Sprintf("%d %T ", i, e)
			}
			s.cells(t)
		}
		for id := range PlayerID(21) {
			s.Do(Leave{ID: id})
		}
		s.pass(3 * time.Minute)
		if s.cells(t) != 0 || len(s.all[others]) != 0 {
			t.Errorf("%d instances and %d objects are left", s.cells(t), len(s.all[others]))
		}
		s.sound(t)
		return log
	}
	if a, b := run(), run(); a != b {
		t.Error("the same seed has done something else")
	}
}

// Instances without players have one timer each, the others none of their own; neither do anything in a tick.
func TestLifeCheck2_12AThousandInstancesCostLittle(t *testing.T) {
	const many = 1000
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s := newWild(t, Options{})
	for i := range many {
		s.Do(EnterInside{caver(PlayerID(i + 1)), cave})
	}
	s.pass(TickPeriod)
	ofPlayers := 0
	for _, e := range s.all[players] {
		ofPlayers += int(e.timers)
	}
	const world = 4 // of its own
	if n := len(s.heap); n > ofPlayers+world {
		t.Errorf("%d timers, of which players have %d", n, ofPlayers)
	}
	s.take()
	runtime.GC()
	runtime.ReadMemStats(&after)
	if each := (int64(after.HeapAlloc) - int64(before.HeapAlloc)) / many; each > 1<<20/4 {
		t.Errorf("one costs %d bytes, with its player", each)
	}
	for i := range many {
		s.Do(Leave{ID: PlayerID(i + 1)})
	}
	s.pass(20 * time.Second) // the monsters have gone to sleep
	if n := len(s.heap) - s.stale; n > many+world || s.cells(t) != many || s.minds.awake != 0 {
		t.Errorf("%d timers, %d instances, %d monsters awake", n, s.cells(t), s.minds.awake)
	}
	s.take()
	if n := testing.AllocsPerRun(20, func() { s.pass(TickPeriod) }); n > 2 {
		t.Errorf("a tick allocates %v times", n)
	}
	runtime.KeepAlive(s)
}
