package world

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// seen lists the players that a viewer sees, by the events that it was told.
func (s *stage) seen(viewer PlayerID) []PlayerID {
	var out []PlayerID
	for id := range s.views[viewer].players {
		out = append(out, id)
	}
	slices.Sort(out)
	return out
}

func TestWhoEntersSeesThoseInSightAndIsSeen(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1)
	s.in(east(100), 2)
	s.in(east(100.1), 3)
	above := shipstone
	above.Y += 99
	s.in(above, 4)
	for viewer, want := range map[PlayerID][]PlayerID{1: {2, 4}, 2: {1, 3}, 3: {2}, 4: {1}} {
		if got := s.seen(viewer); !slices.Equal(got, want) {
			t.Errorf("%d sees %v, want %v", viewer, got, want)
		}
	}
	s.sound(t)
}

func TestEnteringIsToldBeforeWhatIsSeen(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1)
	events := s.in(shipstone, 2)
	if _, first := events[0].(Entered); !first || len(of[*Appeared](events)) != 2 {
		t.Errorf("told %v", events)
	}
	p := told[Appeared](events)[0].Player
	if want := "Герой"; p.Name[:len(want)] != want || p.Pools.HP != 50 {
		t.Errorf("appeared as %+v", p)
	}
}

func TestNothingComesAndGoesAtTheEdgeOfSight(t *testing.T) {
	s := newStage(Options{MaxSpeed: -1})
	s.in(shipstone, 1)
	s.in(east(99), 2)
	step := func(d float32) []Event {
		s.Move(2, east(d))
		return s.pass(time.Second)
	}
	for _, d := range []float32{101, 99, 109, 101, 109.9} {
		if events := step(d); len(of[*Vanished](events))+len(of[*Appeared](events)) != 0 {
			t.Errorf("at %v m: %v", d, events)
		}
	}
	if got := told[Vanished](step(112)); !reflect.DeepEqual(got, []Vanished{{2, 1}, {1, 2}}) {
		t.Errorf("at 112 m: %v", got)
	}
	for _, d := range []float32{109, 101} {
		if events := step(d); len(of[*Appeared](events)) != 0 {
			t.Errorf("back at %v m: %v", d, events)
		}
	}
	if got := of[*Appeared](step(99)); len(got) != 2 {
		t.Errorf("back at 99 m: %v", got)
	}
	s.sound(t)
}

func TestSlowWalkersLookAroundToo(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1)
	s.in(east(100.5), 2)
	s.Move(2, east(99.9)) // 0.6 m, and then it stands
	if s.pass(time.Second); len(s.seen(1)) != 1 || len(s.seen(2)) != 1 {
		t.Errorf("see %v and %v", s.seen(1), s.seen(2))
	}
}

func TestTeleportShowsTheNewPlace(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	s.in(east(90), 3)
	s.in(east(5000), 4)
	old, far := Object{Position: shipstone, Kind: NPC{}}, Object{Position: east(5000), Kind: NPC{}}
	s.does(Put{old}, Put{far})
	events := s.does(Teleport{1, east(5001)})
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, fmt.Sprintf("%T", e))
	}
	want := []string{"world.Teleported", "*world.Vanished", "*world.Vanished", "*world.Vanished", "*world.Vanished",
		"*world.Vanished",
		"*world.Appeared", "*world.Appeared", "*world.ObjectAppeared"}
	if !slices.Equal(kinds, want) {
		t.Errorf("told %v", kinds)
	}
	if got := s.seen(1); !slices.Equal(got, []PlayerID{4}) {
		t.Errorf("sees %v", got)
	}
	// Viewers from before that still see it are told its place now, and by nothing else.
	events = s.does(Teleport{2, east(60)})
	if got := told[TeleportSeen](events); !reflect.DeepEqual(got, []TeleportSeen{{2, east(60), []PlayerID{3}}}) ||
		len(events) != 2 {
		t.Errorf("told %v", events)
	}
	s.sound(t)
}

func TestLeavingVanishesFirst(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2, 3)
	events := s.does(Leave{ID: 2})
	if got := told[Vanished](events); !reflect.DeepEqual(got, []Vanished{{3, 2}, {1, 2}}) {
		t.Errorf("vanished %v", got)
	}
	if _, last := events[len(events)-1].(Left); !last {
		t.Errorf("told %v", events)
	}
	s.sound(t)
}

func TestWhatIsRefusedChangesNothing(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	for _, c := range []Command{Leave{ID: 9}, Teleport{9, shipstone}, Teleport{1, coords.Position{Y: 1e9}},
		changeAppearance{ID: 9}, setPools{ID: 9},
		Remove{9}, Put{Object{Position: shipstone}}, Put{Object{Kind: Portal{}, Position: coords.Position{X: 1e9}}},
		Say{From: 9}, UsePortal{By: 9}, PartyCreate{9}, PartyApply{9, "a"}, PartyAccept{9, "a"}, PartyExpel{9, "a"},
		PartyLeave{9}} {
		events := s.does(c)
		if _, leaves := c.(Leave); len(events) != 0 && !leaves {
			t.Errorf("%#v is told as %v", c, events)
		}
	}
	if got := of[EnterRefused](s.does(Enter{Player{Character: 5, Position: shipstone}})); len(got) != 1 {
		t.Error("player 0 entered")
	}
	s.sound(t)
}

func TestACrowdIsSeenInPart(t *testing.T) {
	s := newStage(Options{ViewLimit: 10, MaxSpeed: -1})
	for id := PlayerID(1); id <= 40; id++ {
		s.in(shipstone, id)
	}
	check := func() (sighted int) {
		for id := PlayerID(1); id <= 40; id++ {
			if s.views[id] == nil {
				continue
			}
			seen := s.seen(id)
			sighted += len(seen)
			if len(seen) > 10 {
				t.Fatalf("%d sees %d others", id, len(seen))
			}
			for _, other := range seen {
				if !slices.Contains(s.seen(other), id) {
					t.Fatalf("%d sees %d, not the other way", id, other)
				}
			}
		}
		return sighted
	}
	if got := check(); got < 300 {
		t.Errorf("%d sightings of 400 possible", got)
	}
	// Those that stand there see each other as soon as there is room.
	for id := PlayerID(1); id <= 30; id++ {
		s.Do(Leave{ID: id})
	}
	if s.pass(2 * time.Second); check() != 90 {
		t.Errorf("ten who remain have %d sightings, want 90", check())
	}
	s.sound(t)
}

func TestLooksAndHealthAreShown(t *testing.T) {
	s := newStage(Options{})
	s.in(shipstone, 1, 2)
	s.in(east(500), 3)
	look := Appearance{Clan: "Клан", Hair: 5}
	got := told[AppearanceChanged](s.does(changeAppearance{1, look, 3, 4}))
	if len(got) != 1 || got[0].Player.Appearance != look || got[0].Player.Title != 3 || got[0].Player.Degree != 4 ||
		got[0].Before != (Appearance{}) ||
		!slices.Equal(got[0].Viewers, []PlayerID{2}) {
		t.Errorf("told %+v", got)
	}
	if events := s.does(changeAppearance{1, look, 3, 4}, changeAppearance{3, look, 0, 0}); len(events) != 0 {
		t.Errorf("the same look, and a look that nobody sees, are told as %v", events)
	}
	v := rules.Pools{HP: 7, MaxHP: 90, MP: 1, MaxMP: 2}
	if got := told[HealthSeen](s.does(setPools{1, v})); !reflect.DeepEqual(got, []HealthSeen{{1, 7, 90, []PlayerID{2}}}) {
		t.Errorf("told %+v", got)
	}
	v.MP = 2
	if events := s.does(setPools{1, v}); len(events) != 1 || told[PoolsChanged](events)[0].Now != v {
		t.Errorf("MP are told as %v", events)
	}
	due := of[SaveDue](s.pass(s.options.SaveEvery))
	if len(due) != 1 || len(due[0].States) != 1 || due[0].States[0].Pools != v {
		t.Errorf("to be saved: %v", due)
	}
	// Regeneration is seen too.
	s.Move(1, shipstone)
	s.Do(setPools{1, rules.Pools{HP: 50, MaxHP: 1000, Satiety: 100}})
	if got := told[HealthSeen](s.pass(2 * rules.RegenerationPeriod)); len(got) != 3 {
		t.Errorf("two periods are seen as %v", got)
	}
	// A viewer that begins to see a player now is shown the newest state at once.
	events := s.does(Teleport{3, shipstone}, changeAppearance{1, Appearance{Karma: 2}, 0, 0})
	for _, a := range told[Appeared](events) {
		if a.Player.ID == 1 && a.Player.Appearance.Karma != 2 {
			t.Errorf("appears as %+v", a.Player.Appearance)
		}
	}
	if got := told[AppearanceChanged](events); len(got) != 1 || !slices.Equal(got[0].Viewers, []PlayerID{2}) {
		t.Errorf("told %+v", got)
	}
	s.sound(t)
}

func TestUselessOptionsHaveDefaults(t *testing.T) {
	for _, o := range []Options{{}, {Sight: -5, Hearing: -1, Reach: -1, ViewLimit: -3, PartySize: -1},
		{Sight: math.NaN(), Hearing: math.NaN(), Reach: math.NaN()}} {
		if got := o.withDefaults(); got.Sight != 100 || got.Hearing != 100 || got.Reach != 10 || got.ViewLimit != 256 ||
			got.PartySize != 8 {
			t.Errorf("%+v means %+v", o, got)
		}
	}
	for _, sight := range []float64{1e-30, math.Inf(1)} { // the grid has cells of a sensible size
		s := newStage(Options{Sight: sight})
		s.in(shipstone, 1)
		s.in(east(0.5), 2)
		if got := s.seen(1); len(got) != 1 {
			t.Errorf("with a sight of %v sees %v", sight, got)
		}
	}
}

// A crowd walks, jumps, comes, leaves and changes by chance; the streams of events are compared with the results of
// brute force.
func TestSightIsThatOfBruteForce(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			s := newStage(Options{MaxSpeed: -1, Sight: 50})
			c := crowd{stage: s, r: rand.New(rand.NewPCG(seed, 1)), near: map[[2]PlayerID]int{}, far: map[[2]PlayerID]int{},
				still: map[PlayerID]int{}}
			for range 300 {
				c.step()
				if c.compare(); len(s.wrong) > 0 {
					break
				}
			}
			s.sound(t)
			if len(c.near) == 0 || c.sightings == 0 {
				t.Error("nobody has met")
			}
		})
	}
}

// A crowd does things by chance.
type crowd struct {
	*stage
	r *rand.Rand
	// for how many ticks pairs have been so; the second of a pair may be an object, with its ID and 1000
	near, far map[[2]PlayerID]int
	still     map[PlayerID]int // for how many ticks players have stood
	lastAt    [61]coords.Position
	sightings int
}

func (c *crowd) anywhere() coords.Position {
	return coords.Position{X: c.r.Float32()*400 - 200, Y: 155 + float32(c.r.IntN(2))*30, Z: c.r.Float32()*300 - 150,
		Yaw: c.r.Float32() * 6}
}

func (c *crowd) step() []Event {
	for id := PlayerID(1); id <= 60; id++ {
		p := c.player(id)
		switch dice := c.r.IntN(1000); {
		case p == nil:
			if dice < 30 {
				c.Do(Enter{Player{ID: id, Character: int64(id), Name: fmt.Sprint("p", id), Position: c.anywhere(),
					Pools: rules.Pools{HP: 5, MaxHP: 9}}})
			}
		case dice < 5:
			c.Do(Leave{ID: id})
			if c.r.IntN(4) == 0 {
				c.Do(Enter{Player{ID: id, Character: int64(id), Position: c.anywhere()}})
			}
		case dice < 10:
			c.Do(Teleport{id, c.anywhere()})
		case dice < 15:
			to := p.Position
			to.X += 10
			c.Do(Teleport{id, to})
		case dice < 25:
			c.Do(changeAppearance{id, Appearance{Karma: c.r.IntN(3)}, 1, 1})
		case dice < 35:
			c.Do(setPools{id, rules.Pools{HP: c.r.IntN(3), MaxHP: 9}})
		case dice < 45:
			c.Do(Say{From: id, Channel: Channel(c.r.IntN(17)), Text: "?"})
		case dice < 50:
			c.Do(UsePortal{id, EntityID(c.r.IntN(30))})
		case dice < 60:
			c.Do(Put{Object{Position: c.anywhere(), Kind: Portal{Place: "there", To: c.anywhere()}}})
		case dice < 70 && len(c.objects()) > 0:
			c.Do(Remove{c.objects()[c.r.IntN(len(c.objects()))].ID})
		case dice < 500 && id%3 != 0 || dice < 100:
			to, far := p.Position, float32([]float64{0.004, 0.3, 3}[c.r.IntN(3)])
			to.X += (c.r.Float32() - 0.5) * far
			to.Z += (c.r.Float32() - 0.5) * far
			c.Move(id, to)
		}
	}
	return c.pass(TickPeriod)
}

// compare notes wrong or late events of the viewers.
func (c *crowd) compare() {
	const second = int(time.Second / TickPeriod)
	holds := func(pair [2]PlayerID, held bool, distance float64) {
		if c.near[pair]++; distance > 50 {
			c.near[pair] = 0
		}
		if c.far[pair]++; distance <= 55 {
			c.far[pair] = 0
		}
		switch {
		case !held && c.near[pair] > second:
			c.breaks("%d has not seen %d for a second", pair[0], pair[1])
		case held && c.far[pair] > second:
			c.breaks("%d sees %d too far away", pair[0], pair[1])
		case held && c.near[pair] == 0 && distance > 55+2.5+3:
			c.breaks("%d sees %d at %.1f m", pair[0], pair[1], distance)
		}
	}
	for _, p := range c.inside() {
		id := p.ID
		if c.still[id]++; p.Position != c.lastAt[id] {
			c.still[id], c.lastAt[id] = 0, p.Position
		}
	}
	for id := PlayerID(1); id <= 60; id++ {
		p, v := c.player(id), c.views[id]
		if (p == nil) != (v == nil) {
			c.breaks("%d is told to be inside: %v", id, v != nil)
			continue
		}
		if p == nil {
			for pair := range c.near {
				if pair[0] == id || pair[1] == id {
					delete(c.near, pair)
					delete(c.far, pair)
				}
			}
			continue
		}
		for other := PlayerID(1); other <= 60; other++ {
			if q := c.player(other); q != nil && q != p {
				sees := v.players[other]
				holds([2]PlayerID{id, other}, sees != nil, p.Position.Distance(q.Position))
				if back := c.views[other]; back != nil && (back.players[id] != nil) != (sees != nil) {
					c.breaks("%d sees %d: %v, but not the other way", id, other, sees != nil)
				}
				if sees != nil {
					c.sightings++
					c.compareShown(id, sees, q)
				}
			}
		}
		for other := range v.players {
			if c.player(other) == nil {
				c.breaks("%d sees %d who is not inside", id, other)
			}
		}
		for _, o := range c.objects() {
			holds([2]PlayerID{id, PlayerID(o.ID) + 1000}, v.objects[o.ID], p.Position.Distance(o.Position))
		}
		for o := range v.objects {
			if c.object(o) == nil {
				c.breaks("%d sees the object %d that is gone", id, o)
			}
		}
	}
}

// compareShown compares a player with its state as a viewer was told.
func (c *crowd) compareShown(viewer PlayerID, sees *shown, q *player) {
	if sees.look != q.Appearance || sees.hp != q.Pools.HP || sees.maxHP != q.Pools.MaxHP {
		c.breaks("%d knows %d as %+v", viewer, q.ID, sees)
	}
	if c.still[q.ID] >= 3 && sees.at.Distance(q.Position) > 0.03 {
		c.breaks("%d believes %d at %v, it has stood at %v", viewer, q.ID, sees.at, q.Position)
	}
}

// The same commands at the same times do the same, in the same order.
func TestDeterminism(t *testing.T) {
	play := func(seed uint64) (all []Event) {
		s := newStage(Options{MaxSpeed: -1, ViewLimit: 8})
		c := crowd{stage: s, r: rand.New(rand.NewPCG(seed, 2))}
		for range 200 {
			for _, name := range []PlayerID{1, 2, 3, 4} {
				s.Do([]Command{PartyCreate{name}, PartyApply{name, "p2"}, PartyAccept{name, "p3"}, PartyLeave{name}}[c.r.IntN(4)])
			}
			all = append(all, c.step()...)
		}
		return all
	}
	for seed := range uint64(4) {
		if first, second := play(seed), play(seed); !reflect.DeepEqual(first, second) {
			t.Fatalf("seed %d: two runs differ", seed)
		}
	}
}

// strew puts objects around a place, each a little farther away than the one before.
func (s *stage) strew(n int, around coords.Position) {
	for i := range n {
		at, angle := around, float64(i)
		at.X += float32(90 * float64(i) / float64(n) * math.Sin(angle))
		at.Z += float32(90 * float64(i) / float64(n) * math.Cos(angle))
		s.Do(Put{Object{Position: at, Kind: NPC{Class: 213}}})
	}
	s.pass(TickPeriod)
}

// A player that comes to a place with very many items is shown the nearest first, a part in each tick, and never more
// than the limit.
func TestMuchThatLiesIsShownByAndBy(t *testing.T) {
	busy := false
	s := newStage(Options{ThingLimit: 1000, Busy: func(PlayerID) bool { return busy }})
	s.strew(3000, shipstone)
	farthest := func(events []Event) (far float64, n int) {
		for _, e := range told[ObjectAppeared](events) {
			far, n = max(far, e.Object.Position.Distance(shipstone)), n+1
		}
		return far, n
	}
	before := 0.0
	for shown := 0; shown < 1000; {
		var events []Event
		if shown == 0 {
			events = s.enter(1)
		} else {
			events = s.pass(TickPeriod)
		}
		far, n := farthest(events)
		if n == 0 || n > 256 || far < before || far > 90*float64(shown+n)/3000+2*s.options.Sight/64 {
			t.Fatalf("after %d objects %d are shown, the farthest of them %.1f m away, before %.1f m", shown, n, far, before)
		}
		before, shown = far, shown+n
	}
	if _, n := farthest(s.pass(3 * time.Second)); n != 0 {
		t.Errorf("%d more than the limit are shown", n)
	}
	// Objects that are put there now wait, too, until there is room, and until the client has read its data.
	busy = true
	s.does(Teleport{1, east(9000)})
	s.does(Teleport{1, shipstone})
	if got := len(s.views[1].objects); got != 0 {
		t.Errorf("a client that is behind is shown %d objects", got)
	}
	busy = false
	if s.pass(2 * time.Second); len(s.views[1].objects) != 1000 {
		t.Errorf("afterwards it is shown %d objects", len(s.views[1].objects))
	}
	s.Move(1, shipstone)
	for i := range 12 { // away, at 8 m/s: objects left behind make room
		s.Move(1, east(float32(i+1)*8))
		s.pass(time.Second)
	}
	s.pass(2 * time.Second)
	near := 0
	for _, o := range s.objects() {
		if o.At.Distance(s.player(1).Position) <= s.options.Sight {
			near++
		}
	}
	if got := len(s.views[1].objects); got < min(near, 1000) || got > 1000 {
		t.Errorf("%d objects are shown of %d in sight", got, near)
	}
	s.sound(t)
}
