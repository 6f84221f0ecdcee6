package world

import (
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A behaviour is the part of a mind that differs between kinds of monsters. One value serves all monsters of a kind:
// the state of one monster is in the monster. All of them walk, fight and come home alike.
type behaviour interface {
	// fights reports whether the monster attacks.
	fights() bool
	// prey returns the player that an idle monster draws aggro on by itself, nil for none.
	prey(mi *minds, m *monster) *player
	// follows reports whether a monster chases a player that it has aggro on, and can see.
	follows(mi *minds, m *monster, p *player) bool
	// mayBe reports whether a monster may come to a place.
	mayBe(mi *minds, at coords.Position) bool
	// worthless reports whether a kill of the monster brings nothing.
	worthless() bool
}

// A Mind is a behaviour that a spawner gives its monsters, whatever their row says. The zero value gives none. Each is
// registered in the file of its behaviour, and known elsewhere by its name: see [MindNamed].
type Mind uint8

// registered are the behaviours that spawners can give, and their names.
var registered []struct {
	name string
	behaviour
}

// registerMind adds a behaviour that spawners can give.
func registerMind(name string, b behaviour) Mind {
	registered = append(registered, struct {
		name string
		behaviour
	}{name, b})
	return Mind(len(registered))
}

// MindNamed returns the registered mind of a name; the zero value, which is no mind of its own, for one that is not
// known.
func MindNamed(name string) Mind {
	for i := range registered {
		if registered[i].name == name {
			return Mind(i + 1)
		}
	}
	return 0
}

// behaves returns the behaviour of a monster.
func (m *monster) behaves() behaviour {
	switch {
	case m.given != 0:
		return registered[m.given-1].behaviour
	case m.row.Harmless():
		return practiceTarget{}
	}
	return beast{}
}

// A beast is most monsters: it draws aggro on players that come too near, if it is of that mind, and stays
// out of towns.
//
// Source: protocol fight 6.2.
type beast struct{}

func (beast) fights() bool { return true }

func (beast) prey(mi *minds, m *monster) *player {
	b := &mi.balance.Mind
	radius := b.NoticeRadius(m.row)
	if radius == 0 {
		return nil
	}
	return mi.nearestPrey(m, radius, func(p *player) bool { return beast{}.notices(mi, m, p) })
}

// notices reports whether a monster draws aggro on a player that is near enough.
func (beast) notices(mi *minds, m *monster, p *player) bool {
	b := &mi.balance.Mind
	up := math.Abs(float64(p.At.Y) - float64(mi.feet(m)))
	return up <= b.NoticeHeight && !b.LeavesAlone(m.Level, rules.Strength(p.Title, p.Degree)) &&
		mi.vitals.mayBeNoticed(p) && !mi.inTown(p.At)
}

func (beast) follows(mi *minds, _ *monster, p *player) bool { return !mi.inTown(p.At) }

func (beast) mayBe(mi *minds, at coords.Position) bool { return !mi.inTown(at) }

func (beast) worthless() bool { return false }

// A practiceTarget stands still and can be struck.
type practiceTarget struct{ beast }

func (practiceTarget) fights() bool                  { return false }
func (practiceTarget) prey(*minds, *monster) *player { return nil }
