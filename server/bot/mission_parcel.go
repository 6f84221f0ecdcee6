package bot

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// This file does a client's missions of parcels, and hands things over.
//
// Source: protocol life 4.1, 4.4.

// comeUpTo goes to something at its own height, and reports whether the character is there and the server knows it.
func (c *Client) comeUpTo(o *Object, now time.Time) (there bool, err error) {
	if c.Position.Distance(o.Position) > armsLength {
		c.chase(o, armsLength, now)
		return false, nil
	}
	c.walker.follow(nil, now)
	if c.pingedAt != c.Position {
		err = c.sendPing()
	}
	return err == nil, err
}

// isMarked reports whether something stands where the mission leads.
func (c *Client) isMarked(o *Object) bool {
	at := coords.Position{X: c.quest.place.X, Y: o.Position.Y, Z: c.quest.place.Z}
	return c.quest.marked && at.Distance(o.Position) < markPatch
}

// isGiver reports whether something gives missions.
func isGiver(o *Object) bool {
	for _, class := range giverClasses {
		if o.Class == class {
			return true
		}
	}
	return false
}

// awaitedOf is the nearest person that fits; without one the character goes where the mission leads, and nil is
// returned.
func (c *Client) awaitedOf(what string, fits func(*Object) bool, now time.Time) *Object {
	q := &c.quest
	o := c.nearestStanding(fits)
	switch {
	case o != nil:
		q.since = now
	case !q.inside && !c.approachMark(now):
		q.since = now
	case now.Sub(q.since) > c.patient(entryPatience):
		c.find(MissionFails, "%s is not shown at %s", what, placeText(c.Position))
		q.tries = missionTries
	}
	return o
}

// handOver brings the thing of the mission to the person that fits.
func (c *Client) handOver(what string, fits func(*Object) bool, now time.Time) error {
	if c.waitsFor(what+" does not take what it was sent for", now) {
		return nil
	}
	o := c.awaitedOf(what, fits, now)
	if o == nil {
		return nil
	}
	if there, err := c.comeUpTo(o, now); !there {
		return err
	}
	c.quest.asked = now
	return c.speakTo(o, "hand", now)
}

// speakTo begins to speak to a person about the mission: as the client does, or by command.
func (c *Client) speakTo(o *Object, word string, now time.Time) error {
	if c.rand.IntN(likesTheCommand) == 0 {
		return c.missionCommand(word, now)
	}
	return c.OpenTrade(o.ID)
}

// bringParcel brings the parcel to the person named.
func (c *Client) bringParcel(key *Object, now time.Time) error {
	return c.handOver("who waits for a parcel", func(o *Object) bool {
		return o.Name == key.Target.Name && o.Monster == nil && c.isMarked(o)
	}, now)
}

// returnParcel comes out of the dungeon, if it is in one, and brings the parcel to the giver of the mission.
func (c *Client) returnParcel(now time.Time) error {
	if c.quest.inside {
		return c.leaveMission(now)
	}
	return c.toGiver(now)
}

// toGiver brings the thing of the mission to its giver.
func (c *Client) toGiver(now time.Time) error {
	return c.handOver("who has given a mission", func(o *Object) bool { return isGiver(o) && c.isMarked(o) }, now)
}

// fetchParcel takes the parcel that lies in the dungeon.
func (c *Client) fetchParcel(now time.Time) error {
	if c.waitsFor("the parcel of a mission cannot be taken", now) {
		return nil
	}
	o := c.awaitedOf("the parcel of a mission", func(o *Object) bool { return o.Class == rules.ClassParcel }, now)
	if o == nil {
		return nil
	}
	if room, err := c.roomForParcel(now); !room {
		return err
	}
	if there, err := c.comeUpTo(o, now); !there {
		return err
	}
	c.quest.asked = now
	return c.PickUp(o.ID)
}

// regainParcel kills the monster that has the parcel, which the character gets then.
func (c *Client) regainParcel(key *Object, now time.Time) error {
	if room, err := c.roomForParcel(now); !room {
		return err
	}
	return c.seekTarget(key, now)
}

// roomForParcel reports whether there is room for a parcel. Without any the character makes some, or gives the
// mission up.
func (c *Client) roomForParcel(now time.Time) (bool, error) {
	if _, free := c.FreeSlot(); free {
		return true, nil
	}
	made, err := c.makeRoom(now)
	if err == nil && !made {
		err = c.dropMission(noRoom, now)
	}
	return false, err
}

// makeRoom puts down something that the character can do without, and reports whether there is anything of the sort.
func (c *Client) makeRoom(now time.Time) (bool, error) {
	o := c.first(c.sellable)
	if o == nil {
		return false, nil
	}
	c.hunter.shun(o.ID, now) // if it cannot be put down, something else has to go
	return true, c.Drop(o.ID)
}

// parcelTaken notes that the character has got a parcel, if it has.
func (c *Client) parcelTaken(o *Object) {
	if q := &c.quest; o.Class == rules.ClassParcel && o.Parent == c.ID() {
		q.asked, q.tries, q.since = time.Time{}, 0, time.Now()
	}
}
