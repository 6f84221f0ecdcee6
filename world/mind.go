package world

import (
	"cmp"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// mindState is what a monster is about. Dead is [monster].ended, and stunned [mind].stunned. Source: protocol fight 6.2.
type mindState uint8

const (
	resting mindState = iota
	wandering
	chasing
	fighting
	returning
)

// mind is the state of a monster between two decisions.
type mind struct {
	state   mindState
	awake   bool
	home    coords.Position
	thought time.Time // when it decided last
	turns   int       // decisions
	lonely  time.Time // since when nobody sees it; zero: somebody does
	until   time.Time // when resting, wandering or returning ends

	stunned time.Time // until then it does nothing
	bound   time.Time // until then it does not walk
}

// minds are the monsters that are awake: by the phase of their decisions, each group by id.
type minds struct {
	awake  int
	groups [phases][]*monster
	due    []*monster // in this tick, used again
}

// A monster decides three times a second: in steps 0, 6 and 13 of its phase, of which there are as many as ticks in a
// second. So as many decide in each tick.
const phases = int(time.Second / TickPeriod)

var decisions = [...]int{0, 6, 13}

func phaseOf(m *monster) int { return int(m.object.id) % phases }

func byID(a, b *monster) int { return cmp.Compare(a.object.id, b.object.id) }

// wakeFor wakes an entity that is a monster when a player begins to see it.
func (w *World) wakeFor(e, viewer *entity) {
	if e.object != nil && e.object.monster != nil && viewer.sort == players {
		w.wake(e.object.monster)
	}
}

// wake lets a monster decide from now on.
func (w *World) wake(m *monster) {
	if m.mind.awake || m.ended {
		return
	}
	group := &w.groups[phaseOf(m)]
	i, _ := slices.BinarySearchFunc(*group, m, byID)
	*group = slices.Insert(*group, i, m)
	w.awake++
	m.mind.awake = true
	m.mind.thought, m.mind.lonely = w.now, time.Time{}
	w.beginRest(m)
}

// sleep lets it decide no more.
func (w *World) sleep(m *monster) {
	if !m.mind.awake {
		return
	}
	group := &w.groups[phaseOf(m)]
	if i, found := slices.BinarySearchFunc(*group, m, byID); found {
		*group = slices.Delete(*group, i, i+1)
	}
	w.awake--
	m.mind.awake = false
}

// think has those monsters decide whose phase it is, in the order of their ids.
func (w *World) think() {
	if w.awake == 0 {
		return
	}
	w.due = w.due[:0]
	for _, step := range decisions {
		phase := (int(w.tick%uint64(phases)) + phases - step) % phases
		w.due = append(w.due, w.groups[phase]...)
	}
	slices.SortFunc(w.due, byID)
	for _, m := range w.due {
		if m.mind.awake {
			w.guard(m.object.id, func() { w.decide(m) })
		}
	}
	clear(w.due)
}

// decide lets a monster decide what it does until its next turn.
func (w *World) decide(m *monster) {
	if w.nobodySees(m) {
		return
	}
}

// nobodySees sends a monster to sleep that nobody has seen for a while, and says whether it sleeps.
func (w *World) nobodySees(m *monster) bool {
	d := &m.mind
	switch {
	case len(m.object.viewers) > 0:
		d.lonely = time.Time{}
	case d.lonely.IsZero():
		d.lonely = w.now
	case w.now.Sub(d.lonely) >= w.balance.Mind.StayAwake && !m.dying:
		w.sleep(m)
		w.reset(m)
		return true
	}
	return false
}

// reset makes a monster that sleeps as it was at its birth.
func (w *World) reset(m *monster) {
	m.threat, m.hits = nil, 0
	w.setHP(m, m.MaxHP)
	if m.object.at != m.mind.home {
		w.moveObject(m.object, m.mind.home)
	}
}

// moveObject puts an object somewhere.
func (w *World) moveObject(o *object, to coords.Position) {
	w.moveTo(&o.entity, to)
	w.markMoved(&o.entity)
}

// beginRest lets a monster stand for a while.
func (w *World) beginRest(m *monster) {
	b := &w.balance.Mind
	m.mind.state = resting
	m.mind.until = w.now.Add(rules.Between(m.random, b.WanderMin, b.WanderMax))
}

// provoke lets a monster know that a player has hurt or noticed it, and has it call for help. It is the one way from
// blows into minds.
func (w *World) provoke(m *monster, by *player, damage int, school rules.School) {}

// threatParts is into how many parts the time is divided for which damage threatens.
const threatParts = 6

// onGround puts a place to the height that the ground has there, as far as that is known; near is a place whose height
// is known, nil for none.
func (w *World) onGround(m *monster, at coords.Position, near *coords.Position) coords.Position {
	if y, known := w.options.Ground(at.X, at.Z); known {
		at.Y = y
	}
	if m.row.Flies() {
		at.Y += float32(w.balance.Mind.FlyHeight)
	}
	return at
}
