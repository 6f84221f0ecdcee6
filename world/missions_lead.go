package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A ward is a person that a player's mission is to lead: it follows the player along the way that the player walks.
//
// Source: protocol life 4.1; how it follows was never recorded and is ours.
type ward struct {
	key    rules.ItemID      // of the mission
	leader *player           // nil: it waits
	trail  []coords.Position // the leader's way, the oldest place first
	walks  bool              // its next step is due
	home   coords.Position   // where it waited first, which is the place that the player's map shows
	left   instant           // when it was left behind last
}

const (
	wardClass = 201
	leadEach  = 250 * time.Millisecond
	leadAlone = 30 * time.Second // after which it goes back to where it waited
	leadSpace = 2                // metres from the leader at which it stops
	trailStep = 1                // metres between two places of a way
	trailMost = 64               // places
)

// putWard puts the ward of a player's mission into an instance, or with nil into the open world.
func (ms *missions) putWard(p *player, in *instance, at coords.Position) {
	t := p.task
	t.ward = &object{Object: Object{ID: ms.freeID(), Position: at, Kind: NPC{Class: wardClass, Name: t.mission.Target,
		Key: "mission"}}, rare: &rare{ward: &ward{key: t.key, home: at}}}
	ms.places.put(t.ward, in)
}

// follow makes a ward follow the player that has its mission.
func (ms *missions) follow(p *player, o *object) rules.RejectReason {
	d, m := o.ward, ms.mission(p)
	if m == nil || p.task.key != d.key {
		return rules.NoMission
	}
	ms.tell(Follows{p.ID, m.Kind() == rules.FreePerson})
	if d.leader = p; !d.walks {
		d.walks = true
		ms.lead(&o.entity)
	}
	return 0
}

// Follows tells a player that the ward of its mission follows it from now on.
type Follows struct {
	ID     PlayerID
	Inside bool // to the way out of a dungeon; else to a teleport
}

func (Follows) event() {}

// lead makes a ward walk a step behind its leader. At its destination the mission is fulfilled.
func (ms *missions) lead(e *entity) {
	o, b := e.object, &ms.balance.Mission
	d := o.ward
	p := d.leader
	if d.walks = false; p == nil {
		return
	}
	m := ms.mission(p)
	if m == nil || p.task.key != d.key || p.gone() || p.leaving || isDead(p) || p.inside != o.inside ||
		!near(&p.entity, e, b.LeadFar*b.LeadFar) {
		d.leader, d.trail, d.left = nil, nil, ms.instant()
		ms.after(leadAlone, e, ms.goBack)
		return
	}
	if n := len(d.trail); n < trailMost && (n == 0 || d.trail[n-1].Distance(p.Position) >= trailStep) {
		d.trail = append(d.trail, p.Position)
	}
	if at := d.step(o.Position, p.Position, b.LeadSpeed*leadEach.Seconds()); at.Distance(o.Position) > 0 {
		at.Yaw = rules.Yaw(o.Position, at)
		ms.places.moveObject(o, at)
	}
	if ms.isLed(o, m) {
		d.leader, d.trail = nil, nil
		ms.ledger.whenFree(p, func(p *player) {
			if ms.mission(p) != nil && p.task.key == d.key {
				ms.fulfil(p, ms.ledger.tx(p, nil), e)
			}
		})
		return
	}
	d.walks = true
	ms.after(leadEach, e, ms.lead)
}

// goBack takes a ward that has been alone for long to where it waited first: its player, who may have died far away,
// would not find it elsewhere.
func (ms *missions) goBack(e *entity) {
	if d := e.object.ward; d.leader == nil && ms.instant().Sub(d.left) >= leadAlone-resolution {
		ms.places.moveObject(e.object, d.home)
	}
}

// step returns the place of a ward after so many metres along the trail.
func (d *ward) step(at, leader coords.Position, far float64) coords.Position {
	for len(d.trail) > 0 && far > 0 && at.Distance(leader) > leadSpace {
		next := d.trail[0]
		left := at.Distance(next)
		if left > far {
			part := float32(far / left)
			at.X += part * (next.X - at.X)
			at.Y += part * (next.Y - at.Y)
			at.Z += part * (next.Z - at.Z)
			return at
		}
		at, far, d.trail = next, far-left, d.trail[1:]
	}
	return at
}

// isLed reports whether a ward is where its mission ends: in a dungeon at the way out, in the open at a teleport.
func (ms *missions) isLed(o *object, m *rules.Mission) bool {
	for e := range ms.places.space.Around(o.Position, o.Instance, ms.options.Reach, others) {
		portal, _ := e.object.Kind.(Portal)
		ends := m.Kind() == rules.GuidePerson && rules.TakesTokens(portal.Class) ||
			m.Kind() == rules.FreePerson && portal.Class == rules.ClassDoorOut
		if ends && near(&o.entity, e, ms.options.Reach*ms.options.Reach) {
			return true
		}
	}
	return false
}
