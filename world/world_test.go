package world

import (
	"math"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestEnterAndLeave(t *testing.T) {
	s := newStage(Options{})
	if got := of[Entered](s.enter(1)); len(got) != 1 || got[0] != (Entered{1, shipstone, 1}) {
		t.Fatalf("entering tells %v", got)
	}
	if got := of[EnterRefused](s.enter(1)); len(got) != 1 {
		t.Error("the same player entered twice")
	}
	s.Do(Enter{Player{ID: 2, Character: 1001, Position: shipstone}})
	if got := of[EnterRefused](s.pass(TickPeriod)); len(got) != 1 || got[0].ID != 2 {
		t.Error("the same character entered twice")
	}
	s.Do(Enter{Player{ID: 3, Character: 3, Position: coords.Position{X: float32(math.NaN())}}})
	if got := of[EnterRefused](s.pass(TickPeriod)); len(got) != 1 {
		t.Error("entered at no place")
	}
	s.pass(time.Minute)
	s.Do(Leave{ID: 1})
	got := of[Left](s.pass(TickPeriod))
	if len(got) != 1 || !got[0].Inside || got[0].Player.Position != shipstone || got[0].Played < time.Minute ||
		got[0].Played > time.Minute+time.Second {
		t.Errorf("leaving tells %+v", got)
	}
	s.Do(Leave{ID: 1})
	if got := of[Left](s.pass(TickPeriod)); len(got) != 1 || got[0].Inside {
		t.Errorf("leaving without being inside tells %+v", got)
	}
	s.enter(1)
	s.pass(time.Second)
	if got := s.Snapshot().Players; len(got) != 1 || got[0].Name != "Герой1" || got[0].Position != shipstone {
		t.Errorf("snapshot is %+v", got)
	}
}

func TestMovesAreBelievedWithinReason(t *testing.T) {
	s := newStage(Options{MaxSpeed: 10, Slack: 40, SaveEvery: time.Second})
	s.enter(1)
	s.pass(2 * time.Second)
	near := shipstone
	near.X += 35
	s.Move(1, near)
	events := s.pass(TickPeriod)
	if got := of[MoveRefused](events); len(got) != 0 {
		t.Fatalf("a plausible move was refused: %v", got[0].Why)
	}
	far := near
	far.Z += 1000
	s.Move(1, far)
	events = s.pass(TickPeriod)
	if got := of[MoveRefused](events); len(got) != 1 || got[0].To != far {
		t.Fatal("a jump over a kilometre was believed")
	}
	if got := of[Teleported](events); len(got) != 1 || got[0].To != near {
		t.Errorf("whom the world does not believe is put back by %+v, want %v", got, near)
	}
	s.Move(1, far)
	if events := s.pass(TickPeriod); len(events) != 1 || of[MoveRefused](events)[0].Why != nil {
		t.Errorf("of who has not come back yet is told %v", events)
	}
	for _, bad := range []coords.Position{{X: float32(math.NaN())}, {X: float32(math.Inf(1))}, {Y: 9000}, {Z: -40000}} {
		s.Move(1, near)
		s.Move(1, bad)
		if got := of[MoveRefused](s.pass(TickPeriod)); len(got) != 1 {
			t.Errorf("%v was believed", bad)
		}
	}
	s.pass(time.Second)
	if got := s.Snapshot().Players[0].Position; got != near {
		t.Errorf("stands at %v after refused moves, want %v", got, near)
	}
	s.Move(99, near) // no such player
	s.pass(TickPeriod)
}

func TestTeleportIgnoresPositionsFromBefore(t *testing.T) {
	s := newStage(Options{})
	s.enter(1)
	to := coords.Position{X: -1993, Y: -104.5, Z: 457}
	s.Do(Teleport{1, to})
	if got := of[Teleported](s.pass(TickPeriod)); len(got) != 1 || got[0].To != to {
		t.Fatalf("teleport tells %v", got)
	}
	old := shipstone
	old.X++
	s.Move(1, old)
	if got := of[MoveRefused](s.pass(time.Second)); len(got) != 1 || got[0].Why != nil || got[0].At != to {
		t.Errorf("of a position from before the teleport is told %+v", got)
	}
	if got := s.Snapshot().Players[0].Position; got != to {
		t.Fatalf("stands at %v, want %v", got, to)
	}
	near := to
	near.Z += 3
	s.Move(1, near)
	s.pass(time.Second + TickPeriod)
	if got := s.Snapshot().Players[0].Position; got != near {
		t.Errorf("stands at %v, want %v", got, near)
	}
	s.Do(Teleport{1, coords.Position{Y: 1e9}})
	s.Do(Teleport{5, to})
	if got := of[Teleported](s.pass(TickPeriod)); len(got) != 0 {
		t.Error("teleported out of the world, or nobody")
	}
}

// A position from before a short teleport is within reach of where that leads, and still does not undo it.
func TestShortTeleportIgnoresPositionsFromBefore(t *testing.T) {
	s := newStage(Options{MaxSpeed: 10, Slack: 36})
	s.enter(1)
	s.pass(time.Minute)
	old, to := shipstone, shipstone
	old.X += 0.5
	to.X += 25
	s.Do(Teleport{1, to})
	s.pass(TickPeriod)
	s.Move(1, old)
	if got := of[MoveRefused](s.pass(TickPeriod)); len(got) != 1 || got[0].Why != nil || got[0].At != to {
		t.Errorf("of a position from before the teleport is told %+v", got)
	}
	s.Move(1, to)
	if got := of[MoveRefused](s.pass(time.Second + TickPeriod)); len(got) != 0 || s.Snapshot().Players[0].Position != to {
		t.Errorf("stands at %v, want %v; is told %+v", s.Snapshot().Players[0].Position, to, got)
	}
}

// 100 HP and satiety 50 give (0.04+0.33)·6·(0.3+50/114) per period, rounded. Protocol fight 9.5.
func TestRegeneration(t *testing.T) {
	s := newStage(Options{})
	s.enter(1)
	if got := of[PoolsTick](s.pass(20 * time.Second)); len(got) != 0 {
		t.Error("regenerates before anything was heard from the client")
	}
	s.Move(1, shipstone)
	ticks := of[PoolsTick](s.pass(60 * time.Second))
	if len(ticks) != 10 {
		t.Fatalf("%d ticks in a minute, want 10", len(ticks))
	}
	for i, tick := range ticks {
		if hp, mp := 52+2*i, 13+3*i; tick.Pools.HP != hp || tick.Pools.MP != mp || !tick.HPChanged {
			t.Errorf("period %d: HP %d, MP %d, want %d and %d", i, tick.Pools.HP, tick.Pools.MP, hp, mp)
		}
	}
	full := s.pass(10 * time.Minute)
	last := of[PoolsTick](full)[len(of[PoolsTick](full))-1]
	if last.Pools.HP != 100 || last.Pools.MP != 100 || last.HPChanged {
		t.Errorf("ends at %+v", last)
	}
}

func TestMovedAreHandedOverOnce(t *testing.T) {
	s := newStage(Options{SaveEvery: 3 * time.Second})
	s.enter(1)
	s.enter(2)
	full := rules.Pools{HP: 100, MaxHP: 100, MP: 100, MaxMP: 100} // nothing to regain
	s.Do(setPools{1, full})
	s.Do(setPools{2, full})
	s.pass(4 * time.Second)
	at := shipstone
	for range 20 {
		at.X++
		s.Move(1, at)
		s.pass(TickPeriod)
	}
	var states []rules.LiveState
	for _, m := range of[SaveDue](s.pass(3 * time.Second)) {
		states = append(states, m.States...)
	}
	if len(states) != 1 || states[0].Character != 1001 || states[0].Position != at {
		t.Errorf("handed over %v", states)
	}
	if got := of[SaveDue](s.pass(10 * time.Second)); len(got) != 0 {
		t.Errorf("handed over again: %v", got)
	}
	// A leave saves the player, and no older place comes after it.
	at.X++
	s.Move(2, at)
	s.pass(TickPeriod)
	s.Do(Leave{ID: 2})
	if got := of[SaveDue](s.pass(10 * time.Second)); len(got) == 1 && len(got[0].States) > 0 {
		t.Errorf("a place of somebody who has left was handed over: %v", got)
	}
}

func TestPopulationIsToldSeldom(t *testing.T) {
	s := newStage(Options{})
	s.pass(10 * time.Second)
	var told []Population
	for id := range PlayerID(100) {
		told = append(told, of[Population](s.enter(id+1))...)
	}
	told = append(told, of[Population](s.pass(5*time.Second))...)
	if len(told) > 6 || told[len(told)-1].Players != 100 {
		t.Errorf("told %v", told)
	}
}

func TestFullQueueDropsMovesOnly(t *testing.T) {
	s := newStage(Options{QueueLimit: 10})
	for range 20 {
		s.Move(1, shipstone)
	}
	if s.Dropped() != 10 {
		t.Errorf("dropped %d, want 10", s.Dropped())
	}
	for id := range PlayerID(50) {
		s.Do(Enter{Player{ID: id + 1, Character: int64(id), Position: shipstone}})
	}
	if got := of[Entered](s.pass(TickPeriod)); len(got) != 50 {
		t.Errorf("%d entered, want 50", len(got))
	}
}

func TestRunSurvivesNothingButTellsPanics(t *testing.T) {
	w := New(Options{}, panicking{})
	w.Do(Leave{ID: 1})
	done := make(chan error, 1)
	go func() { done <- w.Run(t.Context(), nil) }()
	select {
	case err := <-done:
		if err == nil {
			t.Error("a panic of the world ended it without an error")
		}
	case <-time.After(time.Minute):
		t.Fatal("a panic of the world did not end it")
	}
}

type panicking struct{}

func (panicking) Happened([]Event) { panic("defect") }

// Pages ask for the numbers in force as soon as they listen, which may be before the first tick.
func TestTheFirstSnapshotHasTheBalance(t *testing.T) {
	if s := New(Options{}, nil).Snapshot(); s.Balance == nil {
		t.Error("there is no balance before the first tick")
	}
}
