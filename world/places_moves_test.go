package world

import (
	"math"
	"reflect"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
)

func TestWalkingIsToldAtMostEach100Milliseconds(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2, 3)
	s.in(east(1000), 4)
	s.pass(time.Second)
	var walks []Moved
	for i := range 40 { // 2 s, each tick another place
		s.Move(1, east(float32(i+1)/10))
		walks = append(walks, told[Moved](s.pass(TickPeriod))...)
	}
	if len(walks) != 20 {
		t.Errorf("told %d times in 2 s", len(walks))
	}
	for _, w := range walks {
		if w.ID != 1 || !slices.Equal(w.Viewers, []PlayerID{2, 3}) {
			t.Fatalf("told %+v", w)
		}
	}
	// The last place is told when its time comes.
	if got := told[Moved](s.pass(time.Second)); len(got) != 1 || got[0].To != east(4) {
		t.Errorf("afterwards told %+v", got)
	}
	s.sound(t)
}

func TestOnlyChangesAreTold(t *testing.T) {
	turned := func(yaw float32) coords.Position { p := shipstone; p.Yaw = yaw; return p }
	up := shipstone
	up.Y += 0.02
	for _, c := range []struct {
		name string
		to   coords.Position
		told int
	}{
		{"the same place", shipstone, 0},
		{"less than a centimetre", east(0.009), 0},
		{"more than a centimetre", east(0.02), 1},
		{"more than a centimetre up", up, 1},
		{"a turn within a step", turned(0.01), 0},
		{"a turn by a step", turned(0.03), 1},
		{"a whole turn", turned(2*math.Pi + 0.001), 0},
	} {
		s := newStage(Options{})
		s.in(shipstone, 1, 2)
		s.pass(time.Second)
		s.Move(1, c.to)
		if got := told[Moved](s.pass(time.Second)); len(got) != c.told || c.told == 1 && got[0].To != c.to {
			t.Errorf("%s: told %+v", c.name, got)
		}
	}
}

func TestSmallStepsAddUp(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	var last Moved
	for i := range 100 {
		s.Move(1, east(float32(i+1)*0.005))
		if got := told[Moved](s.pass(2 * TickPeriod)); len(got) > 0 {
			last = got[0]
		}
	}
	if d := last.To.Distance(east(0.5)); d > 0.02 {
		t.Errorf("others believe it %v m away", d)
	}
}

func TestWhoAppearsIsNotToldToWalkAtOnce(t *testing.T) {
	s := newStage(Options{MaxSpeed: -1})
	s.in(shipstone, 1, 3)
	s.in(east(103), 2)
	s.pass(time.Second)
	s.Move(1, east(20))
	events := s.pass(TickPeriod)
	if got := told[Appeared](events); len(got) != 2 || got[0].Player.Position != east(103) ||
		got[1].Player.Position != east(20) {
		t.Errorf("appeared %+v", got)
	}
	if got := told[Moved](events); !reflect.DeepEqual(got, []Moved{{1, east(20), []PlayerID{3}}}) {
		t.Errorf("walked %+v", got)
	}
	s.sound(t)
}

func TestRefusedMovesAreNotSeen(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	s.pass(time.Second)
	for _, to := range []coords.Position{east(9000), {X: float32(math.NaN())}, {Y: float32(math.Inf(1))}, {Yaw: 5000}} {
		s.Move(1, shipstone) // where it was put back
		s.Move(1, to)
		if events := s.pass(time.Second); len(of[*Moved](events)) != 0 || len(of[MoveRefused](events)) != 1 ||
			len(s.seen(2)) != 1 {
			t.Errorf("%v: told %v", to, events)
		}
	}
	s.Move(1, shipstone)
	s.Do(Teleport{1, east(50)})
	s.Move(1, shipstone) // before the teleport: counts
	s.pass(TickPeriod)
	s.Move(1, shipstone) // after it: sent before the client knew
	if got := told[Moved](s.pass(time.Second)); len(got) != 0 {
		t.Errorf("a position from before the teleport is seen: %+v", got)
	}
	s.sound(t)
}

func TestNothingIsToldAfterAJump(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	s.does(Teleport{1, east(10)})
	s.Move(1, east(10.005))
	if events := s.pass(time.Second); len(of[*Moved](events)) != 0 {
		t.Errorf("told %v", events)
	}
}

func TestWhoHasLeftIsNotAttendedTo(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	s.Move(1, east(0.5))
	s.Do(Leave{ID: 1})
	s.pass(TickPeriod)
	if s.places.space.Moving() != 0 || s.pass(0) != nil {
		t.Errorf("%d walkers", s.places.space.Moving())
	}
	s.sound(t)
}

// Events that are told many times in a tick allocate nothing.
func TestWalkingAllocatesNothing(t *testing.T) {
	w := New(Options{SaveEvery: time.Hour, MaxSpeed: -1}, &tally{})
	now := time.Unix(1_700_000_000, 0)
	for id := PlayerID(1); id <= 300; id++ {
		w.Do(Enter{Player{ID: id, Character: int64(id), Position: east(float32(id))}})
	}
	n := 0
	tick := func() {
		n++
		for id := PlayerID(1); id <= 300; id++ { // to and fro, in and out of sight of each other
			at := east(float32(id))
			at.Z += float32(math.Sin(float64(n)/20+float64(id)) * 80)
			w.Move(id, at)
		}
		now = now.Add(TickPeriod)
		w.heap = w.heap[:0] // the snapshot and the pools are told as values
		w.Tick(now)
	}
	for range 500 {
		tick()
	}
	if got := testing.AllocsPerRun(200, tick); got > 2 {
		t.Errorf("%v allocations in a tick of 300 walkers", got)
	}
	if len(w.ids)+len(w.events)+w.moved.used > 0 {
		t.Error("a tick has left something in the buffer")
	}
}

func TestTeleportBesideLeadsToWhereTheOtherIsThen(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1)
	s.in(east(5000), 2)
	events := s.does(Teleport{1, east(-3000)}, TeleportBeside{2, 1}, TeleportBeside{1, 99} /* nobody */)
	if got := of[Teleported](events); len(got) != 2 || got[1] != (Teleported{2, east(-3000)}) {
		t.Errorf("found %v", got)
	}
}

// Many positions in a tick, with anything between them, get a player no farther than one.
func TestPositionsInATickGoNoFartherThanOne(t *testing.T) {
	for name, bad := range map[string][]coords.Position{
		"hops": nil, "hops and impossible places": {{X: float32(math.NaN())}, {Y: 9000}, east(9000)}} {
		s := newStage(Options{MaxSpeed: 10, Slack: 40})
		s.enter(1)
		s.pass(time.Minute) // a player that has stood still has all its slack
		for i := range 500 {
			s.Move(1, east(float32(i+1)*10))
			for _, p := range bad {
				s.Move(1, p)
			}
		}
		s.pass(TickPeriod)
		if got := s.player(1).Position.Distance(shipstone); got > 40 {
			t.Errorf("%s in a tick: %.0f m", name, got)
		}
		start := s.now
		for i := range 2000 { // from where it was put back, always 9 m further
			at := s.player(1).Position
			at.X += 9
			s.Move(1, at)
			for _, p := range bad {
				s.Move(1, p)
			}
			if i%20 == 0 {
				s.pass(TickPeriod)
			}
		}
		if got, most := s.player(1).Position.Distance(shipstone), 80+10*s.now.Sub(start).Seconds(); got > most {
			t.Errorf("%s in %v: %.0f m, at most %.0f m", name, s.now.Sub(start), got, most)
		}
		s.sound(t)
	}
}

// Places that belong to different parts of the world are no walk from each other, however near and however slow.
func TestNobodyWalksIntoAnotherPartOfTheWorld(t *testing.T) {
	up := shipstone
	up.Y += 40
	apart := func(from, to coords.Position) bool { return to.Y > from.Y+30 }
	s := newStage(Options{Disconnected: apart})
	s.enter(1)
	s.pass(time.Minute)
	s.Move(1, up)
	events := s.pass(TickPeriod)
	if got := of[MoveRefused](events); len(got) != 1 || got[0].At != shipstone || got[0].Why == nil ||
		len(of[Teleported](events)) != 1 {
		t.Errorf("told %v", events)
	}
	s = newStage(Options{Disconnected: apart, MaxSpeed: -1})
	s.enter(1)
	s.Move(1, up)
	if s.pass(TickPeriod); s.player(1).Position != up {
		t.Error("without a limit of speed not everything is believed")
	}
}
