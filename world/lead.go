package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A ward is somebody whom a mission is about: he follows who has the mission, on the way on which that one walks.
//
// Source: protocol life 4.1; how he follows was never recorded and is ours.
type ward struct {
	key    rules.ItemID      // of the mission
	leader *player           // nil: he waits
	trail  []coords.Position // the leader's way, the oldest place first
	walks  bool              // his next step is due
}

const (
	wardClass = 201
	leadEach  = 250 * time.Millisecond
	leadSpace = 2  // metres from the leader at which he stops
	trailStep = 1  // metres between two places of a way
	trailMost = 64 // places
)

// putWard puts somebody there whom a player's mission is about: into an instance, or with nil into the open world.
func (ms *missions) putWard(p *player, in *instance, at coords.Position) {
	t := p.task
	t.ward = &object{Object: Object{ID: ms.freeID(), Position: at, Kind: NPC{Class: wardClass, Name: t.mission.Target,
		Key: "mission"}}, ward: &ward{key: t.key}}
	ms.space.put(t.ward, in)
}

// follow has somebody follow the player whose mission is about him.
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

// Follows tells a player that the one whom its mission is about follows it from now on.
type Follows struct {
	ID     PlayerID
	Inside bool // to the way out of a dungeon; else to a teleport
}

func (Follows) event() {}

// lead lets somebody walk a step behind his leader. Where he is to be, the mission is fulfilled.
func (ms *missions) lead(e *entity) {
	o, b := e.object, &ms.balance.Mission
	d := o.ward
	p := d.leader
	if d.walks = false; p == nil {
		return
	}
	m := ms.mission(p)
	if m == nil || p.task.key != d.key || p.gone || p.leaving || isDead(p) || p.inside != o.inside ||
		!near(&p.entity, e, b.LeadFar*b.LeadFar) {
		d.leader, d.trail = nil, nil
		return
	}
	if n := len(d.trail); n < trailMost && (n == 0 || d.trail[n-1].Distance(p.Position) >= trailStep) {
		d.trail = append(d.trail, p.Position)
	}
	if at := d.step(o.Position, p.Position, b.LeadSpeed*leadEach.Seconds()); elsewhere(&at, &o.Position) {
		at.Yaw = rules.Yaw(o.Position, at)
		ms.space.moveObject(o, at)
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

// step is where somebody is who has walked so far along the trail.
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

// isLed says whether somebody is where his mission ends: in a dungeon at the way out, in the open at a teleport.
func (ms *missions) isLed(o *object, m *rules.Mission) bool {
	ms.space.cells = ms.space.grid.around(o.Position, o.inside, ms.options.Reach, ms.space.cells[:0])
	for _, c := range ms.space.cells {
		for _, e := range c.of[others] {
			portal, _ := e.object.Kind.(Portal)
			ends := m.Kind() == rules.GuidePerson && rules.TakesTokens(portal.Class) ||
				m.Kind() == rules.FreePerson && portal.Class == rules.ClassDoorOut
			if ends && near(&o.entity, e, ms.options.Reach*ms.options.Reach) {
				return true
			}
		}
	}
	return false
}
