package world

import (
	"math"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// bestiary has the monsters of the stage: one that bites, one that shoots, one that flies, one that only suffers, and
// that of newcomers.
func bestiary(t testing.TB) *rules.Tables {
	t.Helper()
	tables, err := rules.NewTables(nil, nil, []rules.Monster{
		{ID: 1, Class: 210, Karma: 1, Speed: 500, Range: 3, Delay: 7, HPBase: 80, Attack: 8, High: 59},
		{ID: 2, Class: 210, Karma: 1, Speed: 400, Range: 15, Delay: 4, HPBase: 60, Attack: 8, High: 59},
		{ID: 3, Class: 211, Karma: 1, Speed: 620, Range: 3, Delay: 4, HPBase: 88, Attack: 10, High: 59},
		{ID: 4, Class: 210, Karma: 5, Speed: 120, Range: 4, Delay: 20, HPBase: 32, High: 59},
		{ID: rules.NewcomersMonster, Class: 210, Karma: 1, Speed: 400, Range: 3, Delay: 7, HPBase: 64, Attack: 6, High: 59},
	})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// biters is a spawner of the first type at a place.
func biters(at coords.Position) Spawner {
	return Spawner{Key: "biters", At: at, Level: 2, Types: []int{1}}
}

// newWild is a stage with monsters.
func newWild(t testing.TB, o Options, of ...Spawner) *stage {
	t.Helper()
	o.Tables = bestiary(t)
	s := newStage(o)
	s.does(AddSpawners{of})
	return s
}

// monsters lists those in the world, in the order of their birth.
func (s *stage) monsters() (out []*monster) {
	for _, o := range s.objects() {
		if o.monster != nil {
			out = append(out, o.monster)
		}
	}
	return out
}

func TestSpawnerBringsMonsters(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	common := 0
	for i, m := range s.monsters() {
		if m.Named() {
			continue
		}
		common++
		if m.HP != 128 || m.MaxHP != 128 || m.Level != 2 || m.Type != 1 || m.Class != 210 {
			t.Errorf("it is %+v", m.Monster)
		}
		if d := flat(m.object.At, shipstone); d > 12 {
			t.Errorf("it stands %v m from its spawner", d)
		}
		for _, other := range s.monsters()[:i] {
			if d := flat(m.object.At, other.object.At); d < 2 {
				t.Errorf("two stand %v m apart", d)
			}
		}
	}
	if common != 3 {
		t.Errorf("%d common monsters have come", common)
	}
	if s.minds.awake != 0 || len(s.heap) > 3 {
		t.Errorf("%d are awake with nobody there, %d timers", s.minds.awake, len(s.heap))
	}
	s.enter(1)
	if len(s.views[1].objects) != len(s.monsters()) {
		t.Errorf("a player sees %d monsters of %d", len(s.views[1].objects), len(s.monsters()))
	}
	s.sound(t)
}

func TestNamedMonstersComeByChance(t *testing.T) {
	var of []Spawner
	for i := range 400 {
		of = append(of, biters(east(float32(i)*30)))
	}
	s := newWild(t, Options{}, of...)
	named := 0
	for _, m := range s.monsters() {
		if m.Named() {
			named++
			if m.HP != int(float32(80)*(1+0.6*1.5)) || m.Name >= 0 {
				t.Errorf("a named one is %+v", m.Monster)
			}
		}
	}
	if want := 36; named < want/2 || named > want*2 { // 3 % of 1,200 births
		t.Errorf("%d of %d are named, expected about %d", named, len(s.monsters()), want)
	}
}

func TestNewcomersMonsterStandsAtItsPlace(t *testing.T) {
	at := coords.Position{X: -1153.4, Y: 4501.64, Z: 1949.1, Yaw: 3.85}
	s := newWild(t, Options{}, Spawner{At: at, Level: 1, Tutorial: true})
	if all := s.monsters(); len(all) != 1 || all[0].object.At != at || all[0].Monster.HP != 64 || !all[0].Named() {
		t.Errorf("there are %d", len(all))
	}
}

func TestMonstersWakeAndSleep(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	n := len(s.monsters())
	s.in(east(90), 1)
	s.in(east(91), 2)
	if s.minds.awake != n {
		t.Fatalf("%d of %d are awake before two players", s.minds.awake, n)
	}
	s.does(Teleport{1, east(900)})
	s.pass(15 * time.Second)
	if s.minds.awake != n {
		t.Errorf("%d of %d are awake before one", s.minds.awake, n)
	}
	s.does(Leave{ID: 2})
	s.pass(9 * time.Second)
	if s.minds.awake != n {
		t.Errorf("%d of %d are awake soon after the last has gone", s.minds.awake, n)
	}
	s.pass(2 * time.Second)
	if s.minds.awake != 0 {
		t.Errorf("%d are awake long after the last has gone", s.minds.awake)
	}
	for i, g := range s.minds.groups {
		if len(g) > 0 {
			t.Errorf("group %d still has %d", i, len(g))
		}
	}
	s.sound(t)
}

func TestMonstersComeAgain(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	gone := s.monsters()[0]
	n := len(s.monsters())
	s.does(Remove{gone.object.Number})
	s.pass(59 * time.Second)
	if got := len(s.monsters()); got != n-1 {
		t.Errorf("%d are there within the minute, of %d", got, n)
	}
	s.pass(2 * time.Second)
	if got := len(s.monsters()); got < n {
		t.Errorf("%d are there after a minute, of %d", got, n)
	}
}

func TestSummon(t *testing.T) {
	s := newWild(t, Options{Zones: rules.NewZones(rules.ZonePlaces{Towns: []coords.Position{east(1000)}})})
	id := s.NextEntityID()
	s.does(Summon{ID: id, Type: 3, Level: 15, At: shipstone}, Summon{Type: 1, Level: 30, Named: true, At: shipstone},
		Summon{ID: id, Type: 3, Level: 15, At: shipstone}, Summon{ID: 5, Type: 3, Level: 15, At: shipstone},
		Summon{Type: 9, Level: 30, At: shipstone}, Summon{Type: 1, Level: 0, At: shipstone},
		Summon{Type: 1, Level: 121, At: shipstone}, Summon{Type: 1, Level: 1, At: coords.Position{Y: 1e6}},
		Summon{Type: 1, Level: 1, At: east(930)})
	all := s.monsters()
	if len(all) != 2 || all[0].object.Number != id || all[0].HP != 827 || all[1].Name >= 0 || all[0].Spawns != 0 {
		t.Errorf("there are %d", len(all))
	}
	s.does(Remove{all[0].object.Number})
	s.pass(time.Minute + time.Second)
	if len(s.monsters()) != 1 {
		t.Error("a summoned monster has come again")
	}
}

func TestSpawnersOffAndOn(t *testing.T) {
	other := biters(east(500))
	other.Key = "others"
	s := newWild(t, Options{}, biters(shipstone), other)
	n := len(s.monsters())
	s.enter(1)
	s.does(SetSpawners{At: shipstone, Radius: 100, Off: true}, Publish{})
	if told := s.Snapshot().Spawners; len(told) != 2 || !told[0].Off || told[1].Off || told[0].Key != "biters" {
		t.Fatalf("%+v", told)
	}
	left := len(s.monsters())
	if left >= n || left < 3 || len(s.views[1].objects) != 0 {
		t.Errorf("%d of %d are left, %d are seen", left, n, len(s.views[1].objects))
	}
	s.pass(2 * time.Minute)
	if len(s.monsters()) != left {
		t.Errorf("%d have come though the spawner is off", len(s.monsters())-left)
	}
	s.does(SetSpawners{Key: "biters"}, Publish{})
	if s.Snapshot().Spawners[0].Off {
		t.Error("the spawner is off still")
	}
	back := len(s.monsters())
	if back < left+3 {
		t.Errorf("%d have come though the spawner is on", back-left)
	}
	s.pass(2 * time.Minute)
	if len(s.monsters()) != back {
		t.Errorf("%d more have come", len(s.monsters())-back)
	}
	s.sound(t)
}

// Review D12: monsters for which there was no place when their spawner was turned on come as soon as there is one, and
// not only after the time of a respawn.
func TestASpawnerThatIsTurnedOnTriesAgain(t *testing.T) {
	balance := grown()
	balance.Spawn.NamedChance, balance.Spawn.Eyes, balance.Spawn.EyesTime = 0, 40, time.Hour
	s := newWild(t, Options{Balance: balance}, biters(shipstone))
	s.does(SetSpawners{Key: "biters", Off: true})
	for id := PlayerID(1); id <= 2; id++ { // back to back
		at := shipstone
		at.Yaw = math.Pi * float32(id)
		s.in(at, id)
		s.player(id).startled = s.instant()
	}
	s.does(SetSpawners{Key: "biters"})
	s.pass(5 * time.Second)
	if n := len(s.monsters()); n > 0 {
		t.Fatalf("%d have come before the eyes of players", n)
	}
	s.does(Leave{ID: 1}, Leave{ID: 2})
	s.pass(3 * time.Second)
	if n := len(s.monsters()); n != 3 {
		t.Errorf("%d have come though no player looks, expected 3", n)
	}
	s.sound(t)
}

func TestSpawnersFollowTheBalance(t *testing.T) {
	balance := grown()
	balance.Spawn.NamedChance = 0
	s := newWild(t, Options{Balance: balance}, biters(shipstone))
	s.enter(1)
	few := *balance
	few.Spawn.Common, few.Spawn.Respawn = 5, 10*time.Second
	s.does(SetBalance{&few})
	if n := len(s.monsters()); n != 3 {
		t.Errorf("%d at once", n)
	}
	s.pass(30 * time.Second)
	if n := len(s.monsters()); n != 5 {
		t.Errorf("%d have come, expected 5", n)
	}
	s.does(SetBalance{&few}, SetBalance{&few})
	s.pass(30 * time.Second)
	if n := len(s.monsters()); n != 5 {
		t.Errorf("%d are there when nothing has changed", n)
	}
	less := few
	less.Spawn.Common = 2
	s.does(SetBalance{&less}, deedOf(func(w *World) {
		for _, m := range s.monsters()[:4] {
			w.places.remove(m.object)
		}
	}))
	s.pass(30 * time.Second)
	if n := len(s.monsters()); n != 2 {
		t.Errorf("%d are there, expected 2", n)
	}
	s.sound(t)
}

func TestResettle(t *testing.T) {
	balance := grown()
	balance.Spawn.NamedChance, balance.Spawn.Respawn = 0, 10*time.Second
	other := biters(east(500))
	other.Key = "others"
	s := newWild(t, Options{Balance: balance}, biters(shipstone), other)
	s.enter(1)
	was := s.monsters()
	changed, fresh := biters(shipstone), biters(east(20))
	changed.Level, changed.Types, fresh.Key = 9, []int{2, 77}, "fresh"
	s.does(ReplaceSpawners{[]Spawner{changed, fresh}}, Publish{})
	now := s.monsters()
	if len(now) != 6 || now[0] != was[0] || now[0].Level != 2 || now[3].spawner.Key != "fresh" {
		t.Fatalf("%d monsters, the first of level %d", len(now), now[0].Level)
	}
	if told := s.Snapshot().Spawners; len(told) != 2 || told[0].Level != 9 || told[1].Key != "fresh" {
		t.Errorf("told %+v", told)
	}
	s.does(deedOf(func(w *World) { w.places.remove(now[0].object) }))
	s.pass(12 * time.Second)
	if now = s.monsters(); len(now) != 6 || now[5].Level != 9 || now[5].Type != 2 {
		t.Errorf("%d monsters, the last is %+v", len(now), now[len(now)-1].Monster)
	}
	// A spawner that comes back is as it was.
	s.does(ReplaceSpawners{[]Spawner{changed, fresh, other}})
	if n := len(s.monsters()); n != 9 {
		t.Errorf("%d monsters, expected 9", n)
	}
	s.does(SetSpawners{Key: "fresh", Off: true}, ReplaceSpawners{[]Spawner{changed, other}},
		ReplaceSpawners{[]Spawner{changed, fresh, other}})
	s.pass(30 * time.Second)
	if n := len(s.monsters()); n != 6 {
		t.Errorf("%d monsters, expected 6 with one spawner off", n)
	}
	s.sound(t)
}

// No snapshot, and no viewer, has HP from before a change.
func TestHPAreShownAsTheyAre(t *testing.T) {
	s := newWild(t, Options{}, biters(shipstone))
	m := s.monsters()[0]
	s.in(east(500), 1)
	s.setHP(m, 17)
	m.mind.rouse()
	m.mind.hurt = s.instant()
	s.does(Teleport{1, shipstone})
	s.take()
	s.does(Teleport{1, east(500)}, Publish{})
	for o := range s.Snapshot().Objects() {
		if o.ID == m.object.Number && o.Kind.(*Monster).HP != 17 {
			t.Errorf("the snapshot has %d HP", o.Kind.(*Monster).HP)
		}
	}
	for _, e := range of[*ObjectAppeared](s.does(Teleport{1, shipstone})) {
		if e.Object.ID == m.object.Number && e.Object.Kind.(*Monster).HP != 17 {
			t.Errorf("a viewer was shown %d HP", e.Object.Kind.(*Monster).HP)
		}
	}
}

// A shore is land of one height, west of Shipstone under water.
type shore struct{ unknown }

func (shore) Land(at coords.Position) (y float32, dry, known bool) {
	return 120, at.X > shipstone.X, true
}

func TestMonstersBeginOnLand(t *testing.T) {
	for kind, wet := range map[int]bool{1: false, 3: true} { // the third flies
		as := biters(shipstone)
		as.Types = []int{kind}
		swims := 0
		for seed := range 20 {
			s := newWild(t, Options{Ground: shore{}, Seed: seed}, as)
			if y := s.spawners.byIndex[0].At.Y; y != 120 {
				t.Fatalf("the spawner is at a height of %v", y)
			}
			for _, m := range s.monsters() {
				if m.object.At.X <= shipstone.X {
					swims++
				}
			}
		}
		if (swims > 0) != wet {
			t.Errorf("%d of type %d begin in water", swims, kind)
		}
	}
}

// A floor is known where somebody has walked, and nowhere else.
type floor struct {
	unknown
	at coords.Position
}

func (f *floor) Learn(at coords.Position) bool {
	f.at = at
	return true
}

func (f *floor) Nearest(at coords.Position, limit float64) (coords.Position, bool) {
	return f.at, f.at != coords.Position{} && flat(f.at, at) <= limit
}

// Indoors a spawner whose place is a guess stands where somebody has walked near it, and then stays there.
func TestIndoorsASpawnerStandsWhereSomebodyHasWalked(t *testing.T) {
	in := func(x float32) coords.Position { return coords.Position{X: 500 + x, Y: 1500, Z: 100} }
	as := biters(in(20))
	as.Guessed = true
	ground := &floor{}
	s := newWild(t, Options{Ground: ground}, as)
	s.in(in(0), 1)
	spawner := s.spawners.byIndex[0]
	walk := func(x, y float32) {
		at := in(x)
		at.Y += y
		s.Move(1, at)
		s.pass(time.Second)
	}
	if walk(2, 0.5); spawner.At != in(20) {
		t.Errorf("it stands at %v though nobody has walked near it", spawner.At)
	}
	if walk(13, 1); spawner.At.X != 513 || spawner.At.Y != 1501 {
		t.Errorf("it stands at %v", spawner.At)
	}
	walk(15, 1)
	s.pass(3 * time.Second)
	if spawner.At.X != 513 {
		t.Errorf("it has gone on to %v", spawner.At)
	}
	for _, m := range s.monsters() {
		if d := flat(m.mind.home, spawner.At); d > s.balance.Spawn.Indoors+0.1 && m.idle() {
			t.Errorf("a monster is at home %v m from it", d)
		}
	}
	again := newWild(t, Options{Ground: ground}, as)
	if at := again.spawners.byIndex[0].At; at != ground.at {
		t.Errorf("after a restart it stands at %v, known is %v", at, ground.at)
	}
}
