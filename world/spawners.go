package world

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// A Spawner is a place from which monsters come.
type Spawner struct {
	Key      string // for operators: "h:2312:-2382"
	At       coords.Position
	Level    int // middle of its monsters' levels
	Spread   int // ± levels
	Types    []int
	Guessed  bool  // its height is a guess: known ground near it is better
	Tutorial bool  // the newcomers' dungeon: one of type 1069 at just this place
	Alone    bool  // one of just this level, at just this place
	Mind     Mind  // of its monsters; the zero value: that of their row
	Name     int32 // of its monster; 0: none of its own
}

// alone reports whether a spawner has one monster, at just its place.
func (s *Spawner) alone() bool { return s.Tutorial || s.Alone }

// spawner is the state of a spawner.
type spawner struct {
	Spawner
	id      EntityID
	off     bool
	gone    bool // nothing comes from there any more, see [ReplaceSpawners]
	index   int  // in spawners.byIndex
	births  int
	alive   []*monster   // the oldest first
	far     float64      // if its height was guessed, how far away the known ground is from which it comes now, in metres
	round   int          // counts restarts: births that were due before a restart do not happen
	due     int          // common monsters that will come
	inside  *instance    // nil: in the open world
	mission rules.ItemID // key of the mission of its target, 0 for none
}

// begin restarts a spawner: births that were due do not happen.
func (s *spawner) begin() {
	s.round++
	s.due = 0
}

// spawners bring the monsters of the world.
type spawners struct {
	*core
	places *places
	minds  *minds

	byIndex []*spawner
	guessed map[square][]*spawner // those of guessed heights, by their squares
	summons int                   // monsters that operators and chests have called so far
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
		w.spawners.addSpawner(as)
	}
}

func (sw *spawners) addSpawner(as Spawner) {
	if as.At.Check() != nil {
		return
	}
	s := &spawner{Spawner: as, id: sw.NextEntityID(), index: len(sw.byIndex)}
	if y, _, known := sw.options.Ground.Land(as.At); known && !as.alone() && as.At.Y <= indoors {
		s.At.Y, s.Guessed = y, false
	}
	if s.Guessed {
		sw.beginGuessed(s)
	}
	sw.byIndex = append(sw.byIndex, s)
	sw.spawnersTold = nil
	sw.fill(s, false)
}

// A spawner within groundNear of known ground takes its height; newly known ground takes its place if it is nearer by
// groundNearer. For a change of less than groundStep its monsters need not move. Indoors, where there are walls, a
// spawner within floorNear of where somebody has walked stands there. In metres.
const (
	groundNear   = 30
	groundNearer = 8
	groundStep   = 1
	floorNear    = 9
)

// near is within how many metres known ground counts for a spawner of a guessed height.
func (s *spawner) near() float64 {
	if s.At.Y > indoors {
		return floorNear
	}
	return groundNear
}

// A square of the land is as wide as spawners of guessed heights are looked for around a place.
type square struct{ x, z int32 }

func squareAt(x, z float32) square {
	number := func(metres float32) int32 { return int32(math.Floor(float64(metres) / (2 * groundNear))) }
	return square{number(x), number(z)}
}

// beginGuessed gives a spawner of a guessed height that of known ground near it, if any, and notes it for ground that
// is learned later.
func (sw *spawners) beginGuessed(s *spawner) {
	s.far = groundNear + groundNearer
	if at, known := sw.options.Ground.Nearest(s.At, s.near()); known && sw.sameLand(s, at) {
		s.takeGround(at)
	}
	if sw.guessed == nil {
		sw.guessed = map[square][]*spawner{}
	}
	in := squareAt(s.At.X, s.At.Z)
	sw.guessed[in] = append(sw.guessed[in], s)
}

// sameLand reports whether a place is on the land of a spawner, and not in a dungeon below.
func (sw *spawners) sameLand(s *spawner, at coords.Position) bool {
	if sw.options.Continent == nil {
		return true
	}
	return sw.options.Continent(at) == sw.options.Continent(s.At)
}

// learn notes that a player has walked on the ground at a place: spawners near it of guessed height take that height.
func (sw *spawners) learn(e *entity, at coords.Position) {
	if !sw.groundOf(e).Learn(at) || e.inside != nil {
		return
	}
	low, high := squareAt(at.X-groundNear, at.Z-groundNear), squareAt(at.X+groundNear, at.Z+groundNear)
	for x := low.x; x <= high.x; x++ {
		for z := low.z; z <= high.z; z++ {
			for _, s := range sw.guessed[square{x, z}] {
				if far := flat(s.At, at); far <= s.near() && far <= s.far-min(groundNearer, s.far/2) && sw.sameLand(s, at) {
					sw.stand(s, at)
				}
			}
		}
	}
}

// takeGround gives a spawner the height of known ground, and indoors also its place.
func (s *spawner) takeGround(at coords.Position) {
	if s.far = flat(s.At, at); s.At.Y > indoors {
		s.At.X, s.At.Z, s.far = at.X, at.Z, 0
	}
	s.At.Y = at.Y
}

// stand gives a spawner the height of the ground near it, and its monsters too, unless they fight.
func (sw *spawners) stand(s *spawner, at coords.Position) {
	was := s.At
	s.takeGround(at)
	sw.spawnersTold = nil
	by := s.At.Y - was.Y
	for _, m := range s.alive {
		m.mind.home.Y += by
		if m.mind.thoughts != nil {
			m.mind.goal.Y += by
		}
	}
	if math.Abs(float64(by)) < groundStep && flat(was, s.At) < groundStep || s.off || s.gone {
		return
	}
	sw.after(TickPeriod, nil, func(_ *entity) {
		s.begin()
		for i := len(s.alive) - 1; i >= 0; i-- {
			if m := s.alive[i]; !m.dying && m.idle() {
				sw.places.remove(m.object)
			}
		}
		if !s.off && !s.gone {
			sw.fill(s, true)
		}
	})
}

// ReplaceSpawners replaces all spawners. One whose key is among the new ones keeps its living monsters; later ones have
// the new levels and types. All others are turned off, and their monsters vanish unless they are dying.
type ReplaceSpawners struct{ Spawners []Spawner }

func (ReplaceSpawners) who() PlayerID { return 0 }

func (c ReplaceSpawners) do(w *World) {
	had := make(map[string]*spawner, len(w.spawners.byIndex))
	for _, s := range w.spawners.byIndex {
		had[s.Key] = s
	}
	stays := make(map[*spawner]bool, len(had))
	for _, as := range c.Spawners {
		s := had[as.Key]
		if s == nil {
			w.spawners.addSpawner(as)
			continue
		}
		stays[s] = true
		s.Level, s.Spread, s.Types = as.Level, as.Spread, w.spawners.known(as.Types, s.Tutorial)
		if s.gone {
			s.gone = false
			w.spawners.turn(s)
		}
	}
	for _, s := range w.spawners.byIndex {
		if had[s.Key] == s && !stays[s] && !s.gone {
			s.gone = true
			w.spawners.turn(s)
		}
	}
	w.spawnersTold = nil
}

// turn fills a spawner that has just been turned on, and empties one that has been turned off.
func (sw *spawners) turn(s *spawner) {
	s.begin()
	if !s.off && !s.gone {
		sw.fill(s, true)
		return
	}
	for i := len(s.alive) - 1; i >= 0; i-- {
		if m := s.alive[i]; !m.dying {
			sw.places.remove(m.object)
		}
	}
}

// refill fills up all spawners when the balance allows them more monsters than before.
func (sw *spawners) refill() {
	for _, s := range sw.byIndex {
		common, _ := s.count()
		for n := common + s.due; n < sw.balance.Spawn.CommonOf(s.Level) && !s.off && !s.gone && !s.alone(); n++ {
			sw.bringLater(s, false)
		}
	}
}

// fill spawns as many monsters as a spawner may have. Those that find no place come after its respawn time, with hurry
// after a second.
func (sw *spawners) fill(s *spawner, hurry bool) {
	if s.alone() {
		sw.bring(s, hurry)
		return
	}
	n := sw.balance.Spawn.CommonOf(s.Level)
	s.alive = slices.Grow(s.alive, max(n-len(s.alive), 0))
	for range n {
		sw.bring(s, hurry)
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

// bring brings a common monster of a spawner, and by chance a named one too, unless it has enough of them.
func (sw *spawners) bring(s *spawner, hurry bool) {
	b := &sw.balance.Spawn
	if s.off || s.gone {
		return
	}
	if s.alone() {
		if len(s.alive) == 0 {
			sw.birth(s, s.Tutorial || s.Name != 0)
		}
		return
	}
	common, named := s.count()
	if common >= b.CommonOf(s.Level) {
		return
	}
	m := sw.birth(s, false)
	switch {
	case m != nil:
		if named == 0 && m.random().Float64() < b.NamedChance {
			sw.birth(s, true)
		}
	case hurry: // a player or a monster stands in the way
		sw.bringAfter(s, TickPeriod*20)
	default:
		sw.bringAfter(s, b.Respawn)
	}
}

// bringLater sets the timer for another monster in place of one that is gone. A named one comes by chance only.
func (sw *spawners) bringLater(s *spawner, named bool) {
	switch {
	case s.Tutorial && s.inside != nil:
		sw.bringAfter(s, sw.balance.Spawn.TutorialRespawn)
	case !named || s.alone():
		sw.bringAfter(s, sw.balance.Spawn.Respawn)
	}
}

func (sw *spawners) bringAfter(s *spawner, d time.Duration) {
	round := s.round
	s.due++
	sw.after(d, nil, func(_ *entity) {
		if s.round == round {
			s.due--
			sw.bring(s, true)
		}
	})
}

// chanceOf is the chance of the n-th monster of a spawner, -1 for none.
func (sw *spawners) chanceOf(spawner, n int) rand.PCG {
	return *rand.NewPCG(uint64(sw.options.Seed), uint64(spawner+1)<<32|uint64(uint32(n)))
}

// birth makes a monster of a spawner; nil if there is no place for it now, or none of its types is known.
func (sw *spawners) birth(s *spawner, named bool) *monster {
	if s.births == 0 {
		s.Types = sw.known(s.Types, s.Tutorial)
	}
	if len(s.Types) == 0 {
		return nil
	}
	s.births++
	m := &monster{chance: sw.chanceOf(s.index, s.births)}
	row := sw.tables.Monster(s.Types[m.random().IntN(len(s.Types))])
	level := s.Level
	if !s.alone() {
		level = row.LevelNear(m.random(), s.Level, s.Spread)
	}
	sw.define(m, row, max(level, 1))
	m.given = s.Mind
	m.worthless = m.behaves().worthless()
	at, ok := s.At, true
	switch {
	case !s.alone():
		at, ok = sw.birthplace(s, m)
	case s.Alone:
		at = sw.minds.onGround(m, at, nil, s.inside)
	}
	if !ok || !m.behaves().mayBe(sw.minds, at) {
		return nil
	}
	if named {
		if m.Name = s.Name; m.Name == 0 {
			m.Name = rules.MonsterName(m.random())
		}
		m.grow(&sw.balance.Strength)
	}
	m.spawner, m.Spawns = s, s.id
	s.alive = append(s.alive, m)
	sw.putMonsterInto(m, 0, at, s.inside)
	return m
}

// known returns those types of which the tables have a row.
func (sw *spawners) known(types []int, tutorial bool) (known []int) {
	if tutorial {
		types = []int{rules.NewcomersMonster}
	}
	known = make([]int, 0, len(types))
	for _, t := range types {
		if sw.tables.Monster(t) != nil {
			known = append(known, t)
		}
	}
	return known
}

// birthplace draws a place for a monster: in no city, not in deep water, not near another of the spawner, and not in
// a player's view unless no monster has appeared there for a while.
func (sw *spawners) birthplace(s *spawner, m *monster) (coords.Position, bool) {
	b := &sw.balance.Spawn
	radius := b.Radius
	if s.At.Y > indoors {
		radius = b.Indoors
	}
	var seen coords.Position
	var by *player
	for try := range birthTries {
		at := s.At
		angle, d := 2*math.Pi*m.random().Float64(), radius*math.Sqrt(m.random().Float64())
		at.X += float32(d * math.Sin(angle))
		at.Z += float32(d * math.Cos(angle))
		at.Yaw = float32(2 * math.Pi * m.random().Float64())
		at = sw.minds.onGround(m, at, &s.At, s.inside)
		// Where there is little room, the last tries do not mind another monster.
		if at.Check() != nil || !s.inside.holds(at) || !m.behaves().mayBe(sw.minds, at) || sw.drowns(m, at, s.inside) ||
			try < birthTries*3/4 && s.crowded(at, b.Apart) {
			continue
		}
		p, strict := sw.eyesOn(at, s.inside)
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
	sw.eachEyes(seen, s.inside, func(p *player) { p.startled = sw.instant() })
	return seen, true
}

// drowns reports whether a monster would begin in deep water.
func (sw *spawners) drowns(m *monster, at coords.Position, in *instance) bool {
	_, dry, known := in.ground(sw.options.Ground).Land(at)
	return known && !dry && !m.row.Flies()
}

// crowded reports whether another of a spawner's monsters is too near to a place.
func (s *spawner) crowded(at coords.Position, apart float64) bool {
	for _, m := range s.alive {
		if flat(m.object.At, at) < apart || flat(m.mind.home, at) < apart {
			return true
		}
	}
	return false
}

// eyesOn returns a player with a place in its view, nil for none, and whether a monster has appeared there not long
// ago.
func (sw *spawners) eyesOn(at coords.Position, in *instance) (by *player, strict bool) {
	sw.eachEyes(at, in, func(p *player) {
		if by == nil {
			by = p
		}
		strict = strict || p.startled != 0 && sw.instant().Sub(p.startled) < sw.balance.Spawn.EyesTime
	})
	return by, strict
}

// eachEyes calls do for all players that look at a place from near.
func (sw *spawners) eachEyes(at coords.Position, in *instance, do func(*player)) {
	near := sw.balance.Spawn.Eyes
	for e := range sw.places.space.Around(at, in.number(), near, players) {
		if space.DistSq(&e.At, &at) > near*near {
			continue
		}
		yaw := float64(e.At.Yaw)
		dx, dz := float64(at.X)-float64(e.At.X), float64(at.Z)-float64(e.At.Z)
		if -math.Sin(yaw)*dx+math.Cos(yaw)*dz > 0 {
			do(e.player)
		}
	}
}

// flat is the distance between two places along the ground in metres.
func flat(a, b coords.Position) float64 {
	return math.Hypot(float64(a.X)-float64(b.X), float64(a.Z)-float64(b.Z))
}

// SetSpawners turns spawners off and on. Monsters of a spawner that is turned off vanish, except dying ones.
type SetSpawners struct {
	Key    string          // the one of this key; empty: all within Radius metres of At, along the ground
	At     coords.Position //
	Radius float64
	Off    bool
}

func (SetSpawners) who() PlayerID { return 0 }

func (c SetSpawners) do(w *World) {
	for _, s := range w.spawners.byIndex {
		if c.Key != "" && s.Key != c.Key || c.Key == "" && !(flat(s.At, c.At) <= c.Radius) || s.off == c.Off {
			continue
		}
		s.off = c.Off
		w.spawnersTold = nil
		w.spawners.turn(s)
	}
}

// A SpawnerView is the state of a spawner in a snapshot.
type SpawnerView struct {
	Key   string
	At    coords.Position
	Level int   // middle of its monsters' levels
	Types []int // not to be changed
	Off   bool
}

// spawnerViews is all spawners for a snapshot, the same as in the last one unless something has changed.
func (sw *spawners) spawnerViews() []SpawnerView {
	if sw.spawnersTold == nil {
		sw.spawnersTold = make([]SpawnerView, 0, len(sw.byIndex))
		for _, s := range sw.byIndex {
			if !s.gone {
				sw.spawnersTold = append(sw.spawnersTold, SpawnerView{s.Key, s.At, s.Level, s.Types, s.off})
			}
		}
	}
	return sw.spawnersTold
}

// newMonster makes a monster that stands nowhere yet. Its random numbers are its own from its birth on.
func (sw *spawners) newMonster(row *rules.Monster, level int, chance rand.PCG) *monster {
	m := &monster{chance: chance}
	sw.define(m, row, level)
	return m
}

// define gives a new monster its kind and its level.
func (sw *spawners) define(m *monster, row *rules.Monster, level int) {
	m.row, m.Monster = row, Monster{Type: row.ID, Class: row.Class, Level: level}
	if m.Class == 0 {
		m.Class = rules.ClassWalker
	}
	m.grow(&sw.balance.Strength)
}

// putMonsterInto puts a monster into an instance, or with nil into the open world, at home there; an id of 0 means
// that the world gives one.
func (sw *spawners) putMonsterInto(m *monster, id EntityID, at coords.Position, in *instance) {
	sw.embody(m, id, at)
	sw.places.put(m.object, in)
}

// embody makes the object of a monster, at home at a place, but does not put it into the world.
func (sw *spawners) embody(m *monster, id EntityID, at coords.Position) {
	if id == 0 {
		id = sw.freeID()
	}
	sw.given(id)
	m.mind.home = at
	m.object = &object{Object: Object{ID: id, Position: at, Kind: &m.Monster}, monster: m}
}

// endOfMonster ends a monster when it dies or is removed, and sets the timer of its spawner for another.
func (sw *spawners) endOfMonster(m *monster) {
	if m.ended {
		return
	}
	m.ended = true
	sw.minds.sleep(m)
	if m.mind.thoughts != nil {
		m.mind.target = nil
	}
	if s := m.spawner; s != nil {
		s.alive = slices.DeleteFunc(s.alive, func(other *monster) bool { return other == m })
		sw.bringLater(s, m.Named())
	}
}

// Summon puts a monster without a spawner into the world, unless its type is not known, its level is none, or its
// place is in a city or not in the world. At a place in an instance it comes into that.
type Summon struct {
	ID    EntityID // of [World.NextEntityID]; 0: the world gives one
	Type  int
	Level int // 1 to [MaxMonsterLevel]
	Named bool
	At    coords.Position
	// Worthless says that a kill of it brings nothing: no experience, no karma, no loot.
	Worthless bool
}

func (Summon) who() PlayerID { return 0 }

func (c Summon) do(w *World) {
	row := w.tables.Monster(c.Type)
	if row == nil || c.Level < 1 || c.Level > MaxMonsterLevel || c.At.Check() != nil || w.inTown(c.At) ||
		c.ID != 0 && c.ID <= MaxPlayerID || w.entities[c.ID] != nil {
		return
	}
	w.spawners.summons++
	m := w.spawners.newMonster(row, c.Level, w.spawners.chanceOf(-1, w.spawners.summons))
	m.worthless = c.Worthless
	if c.Named {
		m.Name = rules.MonsterName(m.random())
		m.grow(&w.balance.Strength)
	}
	in := w.instances.instanceAt(c.At)
	w.spawners.putMonsterInto(m, c.ID, w.minds.onGround(m, c.At, nil, in), in)
}

// MaxMonsterLevel is the greatest level of a monster. Source: protocol fight 14, check 3.
const MaxMonsterLevel = 120
