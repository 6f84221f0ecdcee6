package world

import (
	"math"
	"math/rand/v2"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Spawner is a place where monsters come from.
type Spawner struct {
	Key      string // for operators: "h:2312:-2382"
	At       coords.Position
	Level    int // middle of its monsters' levels
	Spread   int // ± levels
	Types    []int
	Guessed  bool  // its height is a guess: the first ground that becomes known near it is better
	Tutorial bool  // the newcomers' dungeon: one of type 1069 at just this place
	Alone    bool  // one of just this level, at just this place
	Guard    bool  // it guards a town, and a kill of it brings nothing
	Name     int32 // that it has then; 0: none of its own
}

// alone says whether one monster comes from there, at just its place.
func (s *Spawner) alone() bool { return s.Tutorial || s.Alone }

// spawner is what the world knows of one.
type spawner struct {
	Spawner
	id     EntityID
	index  int // in World.spawners
	births int
	alive  []*monster // the oldest first
	off    bool
	far    float64 // if its height was guessed, how far away the known ground is from which it is now, in metres
	gone   bool    // nothing comes from there any more, see [Resettle]
	round  int     // counts how often it began anew: births that were due before do not happen
	due    int     // common monsters that will come

	inside  *instance    // nil: in the open world
	mission rules.ItemID // key of the mission whose target comes from there, 0 for none
}

// begin has a spawner begin anew: what was due is not.
func (s *spawner) begin() {
	s.round++
	s.due = 0
}

// spawners is what a world has to do with where monsters come from.
type spawners struct {
	spawners []*spawner
	guessed  map[[2]int]([]*spawner) // those of guessed heights, by the squares that their surroundings touch
	summons  int                     // monsters that operators have called so far

	spawnersTold []SpawnerView // of the last snapshot, nil when something has changed
}

// indoors is the height above which a place is in a dungeon. Source: protocol fight 4.6.
const indoors = 500

// birthTries is how often a place for a monster is drawn.
const birthTries = 16

// AddSpawners puts spawners into the world; their monsters come in the same tick. A spawner that is not in the world,
// or in a city, brings nothing.
type AddSpawners struct{ Spawners []Spawner }

func (AddSpawners) who() PlayerID { return 0 }

func (c AddSpawners) do(w *World) {
	for _, as := range c.Spawners {
		w.addSpawner(as)
	}
}

func (w *World) addSpawner(as Spawner) {
	if as.At.Check() != nil {
		return
	}
	s := &spawner{Spawner: as, id: w.NextEntityID(), index: len(w.spawners.spawners)}
	if y, _, known := w.options.Ground.Land(as.At); known && !as.alone() && as.At.Y <= indoors {
		s.At.Y, s.Guessed = y, false
	}
	if s.Guessed {
		w.beginGuessed(s)
	}
	w.spawners.spawners = append(w.spawners.spawners, s)
	w.spawnersTold = nil
	w.fill(s, false)
}

// Known ground is that of a spawner within groundNear; what becomes known takes its place if it is nearer by
// groundNearer. On groundStep less or more those who live there need not move. In metres.
const (
	groundNear   = 30
	groundNearer = 8
	groundStep   = 1
)

// surroundings calls do for the squares around a place that spawners of guessed heights are kept by.
func surroundings(at coords.Position, do func(square [2]int)) {
	low := [2]int{squareOf(at.X - groundNear), squareOf(at.Z - groundNear)}
	high := [2]int{squareOf(at.X + groundNear), squareOf(at.Z + groundNear)}
	for x := low[0]; x <= high[0]; x++ {
		for z := low[1]; z <= high[1]; z++ {
			do([2]int{x, z})
		}
	}
}

func squareOf(metres float32) int { return int(math.Floor(float64(metres) / (2 * groundNear))) }

// beginGuessed gives a spawner of a guessed height that of the ground near it, if some is known, and has it wait for
// ground that will be.
func (w *World) beginGuessed(s *spawner) {
	s.far = groundNear + groundNearer
	y, far, known := w.options.Ground.Nearest(s.At, groundNear)
	if known && w.sameLand(s, coords.Position{X: s.At.X, Y: y, Z: s.At.Z}) {
		s.At.Y, s.far = y, far
	}
	if w.spawners.guessed == nil {
		w.spawners.guessed = map[[2]int][]*spawner{}
	}
	surroundings(s.At, func(square [2]int) { w.spawners.guessed[square] = append(w.spawners.guessed[square], s) })
}

// sameLand says whether somebody at a place is on the land of a spawner, and not in a dungeon below.
func (w *World) sameLand(s *spawner, at coords.Position) bool {
	if w.options.Continent == nil {
		return true
	}
	return w.options.Continent(at) == w.options.Continent(s.At)
}

// learn notes that somebody has walked on the ground at a place: spawners near it whose height was guessed take that.
func (w *World) learn(e *entity, at coords.Position) {
	if !w.groundOf(e).Learn(at) || e.inside != nil {
		return
	}
	for _, s := range w.spawners.guessed[[2]int{squareOf(at.X), squareOf(at.Z)}] {
		if far := flat(s.At, at); far <= groundNear && far <= s.far-min(groundNearer, s.far/2) && w.sameLand(s, at) {
			w.stand(s, at.Y, far)
		}
	}
}

// stand gives a spawner the height of the ground near it, and its monsters too, unless they fight.
func (w *World) stand(s *spawner, y float32, far float64) {
	by := y - s.At.Y
	s.At.Y, s.far = y, far
	w.spawnersTold = nil
	for _, m := range s.alive {
		m.mind.home.Y += by
		m.mind.goal.Y += by
	}
	if math.Abs(float64(by)) < groundStep || s.off || s.gone {
		return
	}
	w.after(TickPeriod, nil, func(w *World, _ *entity) {
		s.begin()
		for i := len(s.alive) - 1; i >= 0; i-- {
			if m := s.alive[i]; !m.dying && m.idle() {
				w.remove(m.object)
			}
		}
		if !s.off && !s.gone {
			w.fill(s, true)
		}
	})
}

// Resettle says anew where monsters come from. A spawner whose key is among the new ones stays, with the monsters that
// it has, and brings others of the new levels and types from now on. The others are no more, but for monsters that are
// dying.
type Resettle struct{ Spawners []Spawner }

func (Resettle) who() PlayerID { return 0 }

func (c Resettle) do(w *World) {
	had := make(map[string]*spawner, len(w.spawners.spawners))
	for _, s := range w.spawners.spawners {
		had[s.Key] = s
	}
	stays := make(map[*spawner]bool, len(had))
	for _, as := range c.Spawners {
		s := had[as.Key]
		if s == nil {
			w.addSpawner(as)
			continue
		}
		stays[s] = true
		s.Level, s.Spread, s.Types = as.Level, as.Spread, w.known(as.Types, s.Tutorial)
		if s.gone {
			s.gone = false
			w.turn(s)
		}
	}
	for _, s := range w.spawners.spawners {
		if had[s.Key] == s && !stays[s] && !s.gone {
			s.gone = true
			w.turn(s)
		}
	}
	w.spawnersTold = nil
}

// turn has a spawner that has just been turned on or off bring all that it may have, or nothing.
func (w *World) turn(s *spawner) {
	s.begin()
	if !s.off && !s.gone {
		w.fill(s, true)
		return
	}
	for i := len(s.alive) - 1; i >= 0; i-- {
		if m := s.alive[i]; !m.dying {
			w.remove(m.object)
		}
	}
}

// refill has all spawners bring what they lack when they may have more than before.
func (w *World) refill() {
	for _, s := range w.spawners.spawners {
		common, _ := s.count()
		for n := common + s.due; n < w.balance.Spawn.CommonOf(s.Level) && !s.off && !s.gone && !s.alone(); n++ {
			w.bringLater(s, false)
		}
	}
}

// fill has a spawner bring all that it may have; those for which there is no place come later, in a hurry soon.
func (w *World) fill(s *spawner, hurry bool) {
	if s.alone() {
		w.bring(s, hurry)
		return
	}
	for range w.balance.Spawn.CommonOf(s.Level) {
		w.bring(s, hurry)
	}
}

// count is how many common and named monsters of a spawner live.
func (s *spawner) count() (common, named int) {
	for _, m := range s.alive {
		if m.Named() {
			named++
		} else {
			common++
		}
	}
	return common, named
}

// bring has a spawner bring a common monster, and by chance a named one too, unless it has enough of them.
func (w *World) bring(s *spawner, hurry bool) {
	b := &w.balance.Spawn
	if s.off || s.gone {
		return
	}
	if s.alone() {
		if len(s.alive) == 0 {
			w.birth(s, s.Tutorial || s.Name != 0)
		}
		return
	}
	common, named := s.count()
	if common >= b.CommonOf(s.Level) {
		return
	}
	m := w.birth(s, false)
	switch {
	case m != nil:
		if named == 0 && m.random.Float64() < b.NamedChance {
			w.birth(s, true)
		}
	case hurry: // somebody stands in the way
		w.bringAfter(s, TickPeriod*20)
	default:
		w.bringAfter(s, b.Respawn)
	}
}

// bringLater has a spawner bring another monster for one that is gone. A named one comes by chance only.
func (w *World) bringLater(s *spawner, named bool) {
	switch {
	case s.Tutorial && s.inside != nil:
		w.bringAfter(s, w.balance.Spawn.TutorialRespawn)
	case !named || s.alone():
		w.bringAfter(s, w.balance.Spawn.Respawn)
	}
}

func (w *World) bringAfter(s *spawner, d time.Duration) {
	round := s.round
	s.due++
	w.after(d, nil, func(w *World, _ *entity) {
		if s.round == round {
			s.due--
			w.bring(s, true)
		}
	})
}

// randomOf is the chance of the n-th monster of a spawner, -1 for none.
func (w *World) randomOf(spawner, n int) *rand.Rand {
	return rand.New(rand.NewPCG(uint64(w.options.Seed), uint64(spawner+1)<<32|uint64(uint32(n))))
}

// birth brings a monster; nil if there is no place for it now, or nothing known of its type.
func (w *World) birth(s *spawner, named bool) *monster {
	if s.births == 0 {
		s.Types = w.known(s.Types, s.Tutorial)
	}
	if len(s.Types) == 0 {
		return nil
	}
	s.births++
	r := w.randomOf(s.index, s.births)
	row := w.tables.Monster(s.Types[r.IntN(len(s.Types))])
	level := s.Level
	if !s.alone() {
		level = row.LevelNear(r, s.Level, s.Spread)
	}
	m := w.newMonster(row, max(level, 1), r)
	if s.Guard {
		m.behaves, m.worthless = townGuard{}, true
	}
	at, ok := s.At, true
	switch {
	case !s.alone():
		at, ok = w.birthplace(s, m)
	case s.Alone:
		at = w.onGround(m, at, nil, s.inside)
	}
	if !ok || !m.behaves.mayBe(w, at) {
		return nil
	}
	if named {
		if m.Name = s.Name; m.Name == 0 {
			m.Name = rules.MonsterName(r)
		}
		m.grow(&w.balance.Strength)
	}
	m.spawner, m.Spawns = s, s.id
	s.alive = append(s.alive, m)
	w.putMonsterInto(m, 0, at, s.inside)
	return m
}

// known is those types of which the tables have a row.
func (w *World) known(types []int, tutorial bool) (known []int) {
	if tutorial {
		types = []int{rules.NewcomersMonster}
	}
	for _, t := range types {
		if w.tables.Monster(t) != nil {
			known = append(known, t)
		}
	}
	return known
}

// birthplace draws a place for a monster: in no city, not in deep water, not near another of the spawner, and not before
// somebody's eyes unless nothing has appeared there for a while.
func (w *World) birthplace(s *spawner, m *monster) (coords.Position, bool) {
	b := &w.balance.Spawn
	radius := b.Radius
	if s.At.Y > indoors {
		radius = b.Indoors
	}
	var seen coords.Position
	var by *player
	for try := range birthTries {
		at := s.At
		angle, d := 2*math.Pi*m.random.Float64(), radius*math.Sqrt(m.random.Float64())
		at.X += float32(d * math.Sin(angle))
		at.Z += float32(d * math.Cos(angle))
		at.Yaw = float32(2 * math.Pi * m.random.Float64())
		at = w.onGround(m, at, &s.At, s.inside)
		// Where there is little room, the last tries do not mind another monster.
		if at.Check() != nil || !s.inside.holds(at) || !m.behaves.mayBe(w, at) || w.drowns(m, at, s.inside) ||
			try < birthTries*3/4 && s.crowded(at, b.Apart) {
			continue
		}
		p, strict := w.eyesOn(at, s.inside)
		if p == nil {
			return at, true
		}
		if by == nil && !strict {
			seen, by = at, p
		}
	}
	if by == nil {
		return coords.Position{}, false
	}
	w.eachEyes(seen, s.inside, func(p *player) { p.startled = w.now.UnixNano() })
	return seen, true
}

// drowns says whether a monster would begin in deep water.
func (w *World) drowns(m *monster, at coords.Position, in *instance) bool {
	_, dry, known := in.ground(w).Land(at)
	return known && !dry && !m.row.Flies()
}

// crowded says whether another of a spawner's monsters is too near to a place.
func (s *spawner) crowded(at coords.Position, apart float64) bool {
	for _, m := range s.alive {
		if flat(m.object.at, at) < apart || flat(m.mind.home, at) < apart {
			return true
		}
	}
	return false
}

// eyesOn returns somebody before whose eyes a place is, and whether something has appeared there not long ago.
func (w *World) eyesOn(at coords.Position, in *instance) (by *player, strict bool) {
	w.eachEyes(at, in, func(p *player) {
		if by == nil {
			by = p
		}
		strict = strict || p.startled != 0 && w.now.UnixNano()-p.startled < int64(w.balance.Spawn.EyesTime)
	})
	return by, strict
}

// eachEyes calls do for all players who look at a place from near.
func (w *World) eachEyes(at coords.Position, in *instance, do func(*player)) {
	near := w.balance.Spawn.Eyes
	w.cells = w.grid.around(at, in, near, w.cells[:0])
	for _, c := range w.cells {
		for _, e := range c.of[players] {
			if d := distSq(&e.at, &at); d > near*near {
				continue
			}
			yaw := float64(e.at.Yaw)
			dx, dz := float64(at.X)-float64(e.at.X), float64(at.Z)-float64(e.at.Z)
			if -math.Sin(yaw)*dx+math.Cos(yaw)*dz > 0 {
				do(e.player)
			}
		}
	}
}

// flat is the distance between two places along the ground in metres.
func flat(a, b coords.Position) float64 {
	return math.Hypot(float64(a.X)-float64(b.X), float64(a.Z)-float64(b.Z))
}

// inTown says whether a place is so near to the middle of a town that no monster may be there.
func (w *World) inTown(at coords.Position) bool {
	return w.options.Zones.Town(at, w.balance.Spawn.TownFree)
}

// SetSpawners turns spawners off and on. The monsters of those that are off vanish, but for those that are dying.
type SetSpawners struct {
	Key    string          // the one of this key; empty: all within Radius metres of At, along the ground
	At     coords.Position //
	Radius float64
	Off    bool
}

func (SetSpawners) who() PlayerID { return 0 }

func (c SetSpawners) do(w *World) {
	for _, s := range w.spawners.spawners {
		if c.Key != "" && s.Key != c.Key || c.Key == "" && !(flat(s.At, c.At) <= c.Radius) || s.off == c.Off {
			continue
		}
		s.off = c.Off
		w.spawnersTold = nil
		w.turn(s)
	}
}

// A SpawnerView is what others may know of a spawner, as it was.
type SpawnerView struct {
	Key   string
	At    coords.Position
	Level int   // middle of its monsters' levels
	Types []int // not to be changed
	Off   bool
}

// spawnerViews is all spawners for a snapshot, the same as in the last one unless something has changed.
func (w *World) spawnerViews() []SpawnerView {
	if w.spawnersTold == nil {
		w.spawnersTold = make([]SpawnerView, 0, len(w.spawners.spawners))
		for _, s := range w.spawners.spawners {
			if !s.gone {
				w.spawnersTold = append(w.spawnersTold, SpawnerView{s.Key, s.At, s.Level, s.Types, s.off})
			}
		}
	}
	return w.spawnersTold
}
