package view

import (
	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
)

// This file shows how entities walk. Players are shown to all in the same bytes; all else that walks in one client's
// sight goes into one body, as recorded.

// A stepList is the steps of monsters and NPCs in one client's sight in this tick. Players' steps are not in it.
type stepList struct {
	client *Client
	steps  []packets.Move
	who    []world.EntityID
	lost   uint // of the client's table, at the first step
}

// mostSteps is how many steps go into one body, so that it goes into one write.
const mostSteps = 100

// walk notes a step for a client. It is told at the end of the tick, together with all others.
func (v *View) walk(c *Client, who world.EntityID, k *IDEntry, to coords.Position) {
	if c.stepList == nil {
		if n := len(v.stepLists); n < cap(v.stepLists) {
			v.stepLists = v.stepLists[:n+1]
		} else {
			v.stepLists = append(v.stepLists, nil)
		}
		at := &v.stepLists[len(v.stepLists)-1]
		if *at == nil {
			*at = new(stepList)
		}
		c.stepList = *at
		c.stepList.client, c.stepList.lost = c, c.IDs.lost
	}
	m := c.stepList
	m.steps = append(m.steps, packets.Move{Object: k.objectID(), Class: k.Class, To: to})
	m.who = append(m.who, who)
}

// sendSteps tells each client of all steps in its sight. A panic is that client's alone: see [Options.Rescue].
func (v *View) sendSteps() {
	for _, m := range v.stepLists {
		v.tellSteps(m)
		m.client.stepList = nil
		m.client, m.steps, m.who = nil, m.steps[:0], m.who[:0]
	}
	v.stepLists = v.stepLists[:0]
}

// tellSteps tells a client of all steps in its sight in one body, from where its own player stands. Objects that have
// died or vanished meanwhile do not move.
//
// Source: protocol fight 4.4.
func (v *View) tellSteps(m *stepList) {
	if v.Rescue != nil {
		defer v.Rescue(m)
	}
	c, steps := m.client, m.steps[:0]
	v.telling = c
	origin := v.whereabouts(c.id).Origin()
	v.telling = c               // also if it has been detached meanwhile
	all := m.lost == c.IDs.lost // are there still
	for i, s := range m.steps {
		switch {
		case !all && !c.IDs.stands(m.who[i], s.Object):
		case origin.Reaches(s.To):
			steps = append(steps, s)
		default:
			v.put(c, v.encodeIn(v.dialectOf(c), v.step.to(v.clock, s.Object, s.Class, s.To)))
		}
	}
	for len(steps) > 0 {
		n := min(len(steps), mostSteps)
		v.putMoves(c, origin, steps[:n])
		steps = steps[n:]
	}
}

func (v *View) putMoves(c *Client, origin coords.Origin, steps []packets.Move) {
	b := v.walkBox(c)
	out, err := packets.AppendMoves(b.frames, origin, v.clock, steps)
	if err != nil {
		v.Log.Error("cannot encode steps", "error", err) // a defect of ours
		return
	}
	b.frames = out
}

// setDown is a distance, in metres, that nothing walks in a tick: an object that moves farther was put there.
const setDown = 8

// Moved shows that an entity walks.
func (v *View) Moved(e *world.Moved) {
	if id, ok := e.ID.Player(); ok {
		v.showWalk(e.Viewers, id, v.encode(v.step.to(v.clock, playerID(id), packets.ClassPlayer, e.To)))
		return
	}
	for _, viewer := range e.Viewers {
		c := v.tells(viewer)
		if c == nil {
			continue
		}
		was, ok := c.IDs.moveTo(e.ID, e.To)
		switch {
		case !ok:
		case was.At.Distance(e.To) > setDown:
			v.sendBody(c, []packets.Section{{Object: was.objectID(), Class: was.Class, Regions: []packets.Region{
				&packets.TransformState{X: e.To.X, Y: e.To.Y, Z: e.To.Z, Angle: coords.EncodeAngle8(e.To.Yaw),
					Placement: packets.Lying}}}})
		default:
			v.walk(c, e.ID, &was, e.To)
		}
	}
}
