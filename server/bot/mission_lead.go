package bot

import (
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// This file does the missions of a client in which a person is led.
//
// Source: protocol life 4.1; the manner of following is ours.

// An escort is the client's knowledge of its follower.
type escort struct {
	at     coords.Position // where it was seen last
	moved  time.Time       // when it came there, or was spoken to; zero: it has not been spoken to
	spoken int             // times without a step of it
	there  time.Time       // since when it is at its goal; zero: it is not
}

const (
	leadAhead    = 8  // metres that the character is ahead of it
	leadBehind   = 20 // metres at which the character waits for it
	leadEnd      = 3  // metres from the goal at which both are there
	stepPatience = 4 * time.Second
)

// lead speaks to the person of the mission, and leads it to the way out or to a teleport.
func (c *Client) lead(kind byte, now time.Time) error {
	q := &c.quest
	who := c.awaitedOf("who is to be led", c.mayLead, now)
	if who == nil {
		return nil
	}
	goal, ok := c.leadsTo(kind, who.Position)
	if !ok {
		return c.dropMission(notToBeHad, now)
	}
	e := &q.led
	if moved := who.Position.Distance(e.at) > 0.1; moved {
		e.at = who.Position
		if !e.moved.IsZero() {
			e.moved, e.spoken = now, 0
		}
	}
	switch {
	case who.Position.Distance(goal) > leadEnd:
		e.there = time.Time{}
	case e.there.IsZero():
		e.there = now
	case now.Sub(e.there) > c.patient(arrivalPatience):
		c.find(MissionFails, "who was to be led is at %s, and nothing comes of it", placeText(who.Position))
		q.tries = missionTries
		return nil
	}
	if e.moved.IsZero() || now.Sub(e.moved) > c.patient(stepPatience) {
		return c.askToFollow(who, now)
	}
	if c.Position.Distance(who.Position) > leadBehind {
		c.walker.follow(nil, now)
		return nil
	}
	c.goTo(toward(who.Position, goal, leadAhead), now)
	return nil
}

// mayLead reports whether the mission is to lead a person.
func (c *Client) mayLead(o *Object) bool {
	key := c.MissionKey()
	return key != nil && o != nil && o.Monster == nil && o.Name == key.Target.Name &&
		(c.quest.kind == rules.FreePerson || c.quest.kind == rules.GuidePerson)
}

// askToFollow speaks to the person of the mission.
func (c *Client) askToFollow(who *Object, now time.Time) error {
	if there, err := c.comeUpTo(who, now); !there {
		return err
	}
	e := &c.quest.led
	if e.spoken++; e.spoken > missionTries {
		c.find(MissionFails, "who is to be led does not follow, at %s", placeText(who.Position))
		c.quest.tries = missionTries
		return nil
	}
	e.moved, e.at = now, who.Position
	return c.speakTo(who, "lead", now)
}

// leadsTo returns the goal for a person at a place: in a dungeon the way out, in the open the nearest teleport. False
// if there is none.
func (c *Client) leadsTo(kind byte, from coords.Position) (to coords.Position, ok bool) {
	if kind == rules.FreePerson {
		if door := c.nearestOf(rules.ClassDoorOut); door != nil {
			return door.Position, true
		}
		return to, false
	}
	least := math.Inf(1)
	for i := range content.Portals() {
		p := &content.Portals()[i]
		if d := from.Distance(p.Position); rules.TakesTokens(p.Class) && d < least {
			to, least, ok = p.Position, d, true
		}
	}
	return to, ok
}

// toward is the place so many metres from one place to another.
func toward(from, to coords.Position, far float64) coords.Position {
	part := float32(min(far/max(from.Distance(to), far), 1))
	from.X += part * (to.X - from.X)
	from.Y += part * (to.Y - from.Y)
	from.Z += part * (to.Z - from.Z)
	return from
}
