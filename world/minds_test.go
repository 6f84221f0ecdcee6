package world

import (
	"fmt"
	"math"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// lives lets a player enter that dies of nothing.
func (s *stage) lives(id PlayerID, at coords.Position) *player {
	s.does(Enter{Player{ID: id, Character: int64(id) + 1000, Name: fmt.Sprintf("Герой%d", id), Position: at,
		Pools: rules.Pools{HP: 1_000_000, MaxHP: 1_000_000, Satiety: 50, MaxSatiety: 100}}})
	return s.player(id)
}

// summon puts a monster of a type and level somewhere.
func (s *stage) summon(kind, level int, at coords.Position) *monster {
	id := s.NextEntityID()
	s.does(Summon{ID: id, Type: kind, Level: level, At: at})
	return s.object(id).monster
}

// watch lets time go by tick by tick, and calls look after each.
func (s *stage) watch(d time.Duration, look func()) {
	for end := s.now.Add(d); s.now.Before(end); {
		s.pass(TickPeriod)
		look()
	}
}

// swings calls do whenever a monster swings.
func (s *stage) swings(m *monster, do func()) func() {
	last := m.mind.strike
	return func() {
		if at := m.mind.strike; at != last {
			if !last.IsZero() && !at.IsZero() {
				do()
			}
			last = at
		}
	}
}

// walk has a player's client walk to a place.
func (s *stage) walk(id PlayerID, to coords.Position, speed float64, look func()) {
	for {
		at := s.player(id).At
		d := flat(at, to)
		if d < 0.01 {
			return
		}
		part := min(1, speed*TickPeriod.Seconds()/d)
		at.X += float32(part) * (to.X - at.X)
		at.Z += float32(part) * (to.Z - at.Z)
		s.Move(id, at)
		s.pass(TickPeriod)
		if look != nil {
			look()
		}
	}
}

func TestCheck16MonsterNoticesNearPlayers(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 2, shipstone)
	s.lives(1, east(26))
	m.mind.until = s.instant().Add(time.Hour) // it does not wander
	s.watch(time.Minute, func() {
		if m.object.At != shipstone {
			t.Fatalf("it went to %v", m.object.At)
		}
	})
	s.walk(1, east(10), 50, nil)
	s.pass(2 * time.Second)
	if d := flat(m.object.At, east(10)); d > 5 {
		t.Errorf("after 2 s it is %v m away", d)
	}
	s.pass(2 * time.Second)
	if d := flat(m.object.At, east(10)); d > 2.3 {
		t.Errorf("after 4 s it is %v m away", d)
	}
	if got, want := coords.EncodeAngle8(m.object.At.Yaw), coords.EncodeAngle8(3*math.Pi/2); got-want+3 > 6 {
		t.Errorf("it faces %d and not %d, to the east", got, want)
	}
	s.sound(t)
}

// A monster notices a player that is near it along the ground only up to notice-height above or below its feet, and each
// reaches the other up to there.
func TestMonstersNoticeByHeight(t *testing.T) {
	height := float32(rules.DefaultBalance().Mind.NoticeHeight)
	for _, kind := range []int{1, 3} { // one that walks and one that flies
		for _, c := range []struct {
			up      float32
			notices bool
		}{{0, true}, {height - 0.1, true}, {0.1 - height, true}, {height + 0.1, false}, {-height - 0.1, false}, {5 * height, false}} {
			s := newWild(t, Options{})
			m := s.summon(kind, 2, shipstone)
			at := east(1)
			at.Y = s.minds.feet(m) + c.up
			p := s.lives(1, at)
			if s.pass(2 * time.Second); (m.mind.target == p) != c.notices {
				t.Errorf("type %d notices a player %.1f m above its feet: %v", kind, c.up, m.mind.target == p)
			}
			if reaches := s.minds.reachable(p.At, m.object.At, s.minds.feet(m), float64(height)); reaches != c.notices {
				t.Errorf("type %d, %.1f m above its feet: it is reached: %v", kind, c.up, reaches)
			}
		}
	}
}

func TestCheck17MonsterKeepsItsDistance(t *testing.T) {
	s := newWild(t, Options{})
	bite, shot, fly := s.summon(1, 5, shipstone), s.summon(2, 5, east(3)), s.summon(3, 5, east(6))
	p := s.lives(1, east(9))
	var look []func()
	n := 0
	for _, m := range []*monster{bite, shot, fly} {
		last := m.object.At
		swings := s.swings(m, func() {
			n++
			if d := flat(m.object.At, p.At); d > float64(m.row.Range)+0.5 {
				t.Errorf("type %d swings at %v m", m.Type, d)
			}
		})
		look = append(look, swings, func() {
			if at := m.object.At; at.X != last.X || at.Z != last.Z {
				if d := flat(at, p.At); d < 1 {
					t.Errorf("type %d has come to %v m", m.Type, d)
				}
				last = at
			}
		})
	}
	all := func() {
		for _, l := range look {
			l()
		}
	}
	for i := range 12 {
		to := east(9)
		to.X += float32(8 * math.Sin(float64(i)))
		to.Z += float32(8 * math.Cos(float64(i)))
		s.walk(1, to, 4, all)
		s.watch(5*time.Second, all)
	}
	if n < 20 {
		t.Errorf("only %d swings", n)
	}
	s.sound(t)
}

func TestCheck18DelayBetweenSwings(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 2, shipstone)
	s.lives(1, east(2))
	var at []time.Time
	s.watch(70*time.Second, s.swings(m, func() { at = append(at, s.now) }))
	if len(at) < 8 {
		t.Fatalf("%d swings in 70 s", len(at))
	}
	for i := 1; i < len(at); i++ {
		if d := at[i].Sub(at[i-1]).Seconds(); math.Abs(d-7) > 0.34 {
			t.Errorf("swings %v s apart", d)
		}
	}
}

func TestFirstSwingComesAfterHalfTheDelay(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 2, shipstone)
	s.lives(1, east(2))
	s.minds.addThreat(m, s.player(1), 1, rules.Physical)
	begin := s.now
	swung := false
	s.watch(5*time.Second, s.swings(m, func() {
		if d := s.now.Sub(begin).Seconds(); !swung && math.Abs(d-3.5) > 0.7 {
			t.Errorf("the first swing comes after %v s", d)
		}
		swung = true
	}))
	if !swung {
		t.Error("no swing")
	}
}

func TestCheck19WhoRunsAwayIsLeftAlone(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	s.lives(1, east(13))
	m := s.monsters()[0]
	s.minds.addThreat(m, s.player(1), 5, rules.Physical)
	s.setHP(m, m.MaxHP-5)
	s.walk(1, east(75), 4.5, nil)
	s.pass(20 * time.Second)
	for _, m := range s.monsters() {
		if d := flat(m.object.At, m.mind.home); d > 6.1 || m.HP != m.MaxHP || m.mind.state > wandering || len(m.threat) > 0 {
			t.Errorf("%v m from home, %d of %d HP, state %d", d, m.HP, m.MaxHP, m.mind.state)
		}
	}
	s.sound(t)
}

func TestCheck20SpawnersMonstersHelp(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	s.lives(1, east(40))
	all := s.monsters()
	for i, m := range all { // near each other, and far enough from the player
		at := shipstone
		at.Z += float32(4 * i)
		s.places.moveObject(m.object, at)
		m.mind.until = s.instant().Add(time.Hour)
	}
	s.pass(time.Second)
	s.minds.addThreat(all[0], s.player(1), 3, rules.Magical)
	s.pass(6 * time.Second)
	for _, m := range all {
		if m.mind.target != s.player(1) || flat(m.object.At, east(40)) > 20 {
			t.Errorf("one does not help: %v m away, state %d", flat(m.object.At, east(40)), m.mind.state)
		}
	}
	s.pass(10 * time.Second)
	for i, m := range all {
		for _, other := range all[:i] {
			if d := flat(m.object.At, other.object.At); d < 1.15 {
				t.Errorf("two stand %v m apart", d)
			}
		}
	}
	s.sound(t)
}

// Each step of a monster is told to all who see it, so it makes none for some centimetres.
func TestMonstersMakeNoTinySteps(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 2, shipstone)
	s.lives(1, east(10))
	was, least := m.object.At, math.Inf(1)
	look := func() {
		if is := m.object.At; is != was {
			least = min(least, flat(was, is))
			was = is
		}
	}
	s.watch(10*time.Second, look)
	for at := float32(10); at < 16; at += 0.04 {
		s.Move(1, east(at))
		s.pass(time.Second / 5)
		look()
	}
	if least < leastStep-0.001 || flat(was, shipstone) < 10 {
		t.Errorf("a step of %.3f m; it went %.1f m", least, flat(was, shipstone))
	}
}

// A monster that strikes from far is not kept from it by a last step that is too small to be made.
func TestMonstersStrikeFromWhereTheyMakeNoSmallerStep(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(2, 5, shipstone)
	foe := s.lives(1, east(float32(m.row.Range)+leastStep/2))
	s.minds.addThreat(m, foe, 3, rules.Magical)
	s.pass(2 * time.Second)
	if m.mind.state != fighting || m.mind.strike.IsZero() || flat(m.object.At, shipstone) > 0 {
		t.Errorf("state %v at %v", m.mind.state, m.object.At)
	}
}

// Monsters that find their places around their foe taken go round the others as fast as they run, not at once.

func TestMonstersMakeRoomAtTheirSpeed(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	foe := s.lives(1, east(40))
	all := s.monsters()
	for i, at := range []coords.Position{east(38), east(38), east(38)} {
		at.Z += []float32{-0.6, 0.6, 0}[i]
		s.places.moveObject(all[i].object, at)
		s.minds.addThreat(all[i], foe, 3, rules.Magical)
	}
	late := all[len(all)-1]
	was, most := late.object.At, 0.0
	s.watch(10*time.Second, func() {
		most, was = max(most, flat(was, late.object.At)), late.object.At
	})
	if fair := s.balance.Mind.ChaseSpeed(late.row, 0)*0.35 + 0.01; most > fair { // from one decision to the next
		t.Errorf("goes %v m at once, fair are %v", most, fair)
	}
	s.sound(t)
}

// runWild has players run about among monsters, and returns where all of those are in the end.
func runWild(t *testing.T, seed int) (at []coords.Position) {
	s := newWild(t, Options{Seed: seed, Ground: slope{}}, biters(east(0)), biters(east(40)), biters(east(80)))
	for id := PlayerID(1); id <= 4; id++ {
		s.lives(id, east(20*float32(id)))
	}
	for tick := range 10_000 {
		for id := PlayerID(1); id <= 4; id++ {
			to := east(20 * float32(id))
			to.X += float32(30 * math.Sin(float64(tick)/90+float64(id)))
			to.Z += float32(30 * math.Cos(float64(tick)/70))
			s.Move(id, to)
		}
		if tick%311 == 0 {
			m := s.monsters()[tick%5]
			s.minds.addThreat(m, s.player(PlayerID(1+tick%4)), 1+tick%7, rules.Physical)
		}
		s.now = s.now.Add(TickPeriod)
		s.Tick(s.now)
		s.take()
	}
	s.sound(t)
	for _, m := range s.monsters() {
		at = append(at, m.object.At)
	}
	return at
}

func TestCheck21SameSeedSamePositions(t *testing.T) {
	a, b := runWild(t, 5), runWild(t, 5)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("two runs end at\n%v\n%v", a, b)
	}
	if c := runWild(t, 6); fmt.Sprint(a) == fmt.Sprint(c) {
		t.Error("another seed makes no difference")
	}
}

// turnsOf is how often a monster has decided.
func turnsOf(m *monster) int {
	if m.mind.thoughts == nil {
		return 0
	}
	return m.mind.turns
}

func TestCheck22MonstersComeAgainNotBeforeEyes(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	p := s.lives(1, shipstone)
	seen := func() (n int) {
		for _, m := range s.monsters() {
			if d := flat(m.object.At, p.At); turnsOf(m) == 0 && d < 10 && m.object.At.Z > p.At.Z {
				n++ // the player looks along z
			}
		}
		return n
	}
	for range 10 {
		for _, m := range s.monsters() {
			s.does(Remove{m.object.Number})
		}
		s.pass(59 * time.Second)
		if n := len(s.monsters()); n != 0 {
			t.Fatalf("%d have come too soon", n)
		}
		before := 0
		s.watch(3*time.Second, func() { before += seen() })
		if n := len(s.monsters()); n < 3 || before > 20 { // as long as it takes to the first decision
			t.Errorf("%d are there again, %d before eyes", n, before)
		}
	}
}

func TestCheck23NoMonsterInTown(t *testing.T) {
	town := shipstone
	s := newWild(t, Options{Zones: rules.NewZones(rules.ZonePlaces{Towns: []coords.Position{town}})}, biters(east(80)), biters(east(20)))
	if n := len(s.monsters()); n == 0 {
		t.Fatal("no monsters")
	}
	s.lives(1, east(88))
	look := func() {
		for _, m := range s.monsters() {
			if d := m.object.At.Distance(town); d < 75 {
				t.Fatalf("one stands %v m from the centre", d)
			}
		}
	}
	look()
	for _, m := range s.monsters() {
		s.minds.addThreat(m, s.player(1), 5, rules.Physical)
	}
	s.watch(5*time.Second, look)
	s.walk(1, east(60), 4, look)
	s.watch(10*time.Second, look)
	for _, m := range s.monsters() {
		if m.mind.state == chasing || m.mind.state == fighting {
			t.Error("one still goes after somebody in town")
		}
	}
	s.watch(2*time.Minute, look)
}

func TestCheck24StandingMonstersCostNoBytes(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	for _, m := range s.monsters() {
		m.row = &rules.Monster{ID: 1, Class: 210, HPBase: 80, Attack: 8, Range: 3, Delay: 7, Karma: 3} // it does not walk
	}
	s.lives(1, east(20))
	s.pass(time.Second)
	if moved := of[*Moved](s.pass(time.Minute)); len(moved) > 0 {
		t.Errorf("%d movements of who stands", len(moved))
	}
	m := s.summon(1, 5, east(10))
	told := map[uint64]int{}
	for range 200 {
		for _, e := range of[*Moved](s.pass(TickPeriod)) {
			if e.ID == m.object.Number {
				told[s.tick/6]++
			}
		}
	}
	for at, n := range told {
		if n > 2 {
			t.Errorf("%d movements in the 300 ms from tick %d", n, 6*at)
		}
	}
	if len(told) == 0 {
		t.Error("it has not moved at all")
	}
}

func TestMonstersFollowTheGround(t *testing.T) {
	s := newWild(t, Options{Ground: slope{}})
	at := shipstone
	at.Y = at.X / 2
	walks, flies := s.summon(1, 5, at), s.summon(3, 5, at)
	to := east(9)
	to.Y = to.X / 2
	s.lives(1, to)
	last := walks.object.At.Y
	s.watch(6*time.Second, func() {
		if d := math.Abs(float64(walks.object.At.Y - last)); d > 0.7001 {
			t.Errorf("it has risen by %v m at once", d)
		}
		last = walks.object.At.Y
	})
	if y := walks.object.At.Y; math.Abs(float64(y-walks.object.At.X/2)) > 0.01 {
		t.Errorf("it is at height %v over %v", y, walks.object.At.X/2)
	}
	if y := flies.object.At.Y; math.Abs(float64(y-flies.object.At.X/2)-2.5) > 0.01 {
		t.Errorf("it flies at height %v over %v", y, flies.object.At.X/2)
	}
}

func TestMonstersGiveUp(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	m.row = &rules.Monster{ID: 1, Class: 210, HPBase: 80, Attack: 8, Range: 3, Delay: 7, Karma: 1} // it does not walk
	s.lives(1, east(8))
	s.minds.addThreat(m, s.player(1), 5, rules.Physical)
	s.pass(2 * time.Second)
	if m.mind.state != chasing || m.mind.gaveUp() {
		t.Fatal("it gives up too soon")
	}
	s.pass(1500 * time.Millisecond)
	if !m.mind.gaveUp() {
		t.Fatal("it does not give up")
	}
	s.watch(6*time.Second, func() {
		if m.mind.state == fighting {
			t.Fatal("it fights somebody out of reach")
		}
	})
}

func TestStunnedMonstersDoNothing(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	s.lives(1, east(8))
	m.mind.stunned = s.instant().Add(5 * time.Second)
	s.pass(4 * time.Second)
	if m.object.At != shipstone {
		t.Error("a stunned one walks")
	}
	m.mind.stunned, m.mind.bound = 0, s.instant().Add(5*time.Second)
	s.pass(4 * time.Second)
	if at := m.object.At; at.X != shipstone.X || m.mind.state != chasing {
		t.Error("a bound one walks")
	}
	s.pass(5 * time.Second)
	if m.object.At.X == shipstone.X {
		t.Error("it never walks again")
	}
}

// A monster that does not come home is put there.
func TestMonstersArePutHome(t *testing.T) {
	s := newWild(t, Options{})
	m := s.summon(1, 5, shipstone)
	s.lives(1, east(40))
	s.places.moveObject(m.object, east(60))
	m.mind.state, m.mind.until, m.mind.bound = returning, s.instant().Add(time.Second), s.instant().Add(time.Hour)
	got := told[ObjectPlaced](s.pass(2 * time.Second))
	if len(got) != 1 || got[0].To != shipstone || len(got[0].Viewers) != 1 || m.mind.state != resting {
		t.Errorf("%+v", got)
	}
	s.sound(t)
}

// TestCheck25OnlyWhatIsAwakeThinks counts decisions: they are the cost of monsters on every machine. Five thousand
// monsters in sight decide three times a second, as many in each tick, and fifteen thousand out of sight never, nor
// are they waited for.
func TestCheck25OnlyWhatIsAwakeThinks(t *testing.T) {
	const crowds, awake, asleep = 20, 5000, 15_000
	s := newWild(t, Options{})
	crowd := func(i int) coords.Position { // each out of sight of the others
		return coords.Position{X: shipstone.X - 300*float32(i%5), Y: shipstone.Y, Z: shipstone.Z - 300*float32(i/5)}
	}
	var seen, unseen []*monster
	bring := func(n int, x, z float32) (out []*monster) {
		before := len(s.monsters())
		for i := range n {
			at := crowd(i % crowds)
			at.X += x + float32(i/crowds%20)
			at.Z += z + float32(i/crowds/20)
			s.Do(Summon{Type: 1, Level: 5, At: at})
		}
		s.does()
		return s.monsters()[before:]
	}
	seen = bring(awake, 20, 20)
	for i := range crowds {
		s.lives(PlayerID(i+1), crowd(i))
	}
	s.pass(3 * time.Second) // until all are shown
	timers := len(s.heap)
	unseen = bring(asleep, 150, 120)
	if len(seen) != awake || len(unseen) != asleep || s.minds.awake != awake || len(s.heap) != timers {
		t.Fatalf("%d and %d monsters, %d awake, %d timers for those asleep", len(seen), len(unseen), s.minds.awake,
			len(s.heap)-timers)
	}
	turns := func(all []*monster) (n int) {
		for _, m := range all {
			n += turnsOf(m)
		}
		return n
	}
	const seconds = 10
	before := make([]int, awake)
	for i, m := range seen {
		before[i] = m.mind.turns
	}
	last := turns(seen)
	s.watch(seconds*time.Second, func() {
		now := turns(seen)
		if n, fair := now-last, awake*len(decisions)/phases; n != fair {
			t.Errorf("%d decide in one tick, %d are its part", n, fair)
		}
		last = now
	})
	for i, m := range seen {
		if n := m.mind.turns - before[i]; n != seconds*len(decisions) {
			t.Fatalf("one has decided %d times in %d s", n, seconds)
		}
	}
	for i := range crowds {
		s.does(Leave{ID: PlayerID(i + 1)})
	}
	s.pass(s.balance.Mind.StayAwake + 2*time.Second)
	last = turns(seen)
	s.pass(5 * time.Second)
	if n := turns(seen) - last; n != 0 || s.minds.awake != 0 || turns(unseen) != 0 {
		t.Errorf("%d decisions whom nobody sees, %d of those nobody has seen, %d awake", n, turns(unseen), s.minds.awake)
	}
	for _, m := range seen {
		if m.mind.thoughts != nil || m.threat != nil {
			t.Fatalf("one that sleeps holds %+v and the threats %+v", m.mind.thoughts, m.threat)
		}
	}
}

// Up and down monsters and players reach equally far: over a cliff or through a floor neither does.
// Review D2: a monster reaches as far in all three dimensions as a player does.
func TestNobodyReachesThroughFloors(t *testing.T) {
	for _, v := range []struct {
		up      float32
		reaches bool
	}{{0, true}, {5, true}, {-5, true}, {12, false}, {-12, false}, {30, false}} {
		s := newWild(t, Options{})
		m := s.summon(1, 5, shipstone)
		at := east(1)
		at.Y += v.up
		p := s.lives(1, at)
		s.minds.addThreat(m, p, 5, rules.Physical)
		swings, hits := 0, 0
		s.watch(30*time.Second, s.swings(m, func() { swings++ }))
		for range 10 {
			for _, e := range s.does(Strike{ID: 1, Target: m.object.ID}) {
				if h, ok := e.(*MonsterHurt); ok && h.Damage > 0 {
					hits++
				}
			}
			s.pass(3 * time.Second)
		}
		if (swings > 0) != v.reaches || (hits > 0) != v.reaches {
			t.Errorf("%v m above it: %d swings, %d hits", v.up, swings, hits)
		}
	}
}
