package bot

import (
	"maps"
	"slices"

	"sphereserver/packets"
)

// inOrder are the ids of all that the client holds: clients with equal seeds have to look at them in the same order.
func (c *Client) inOrder() []packets.ObjectID {
	if len(c.order) != len(c.Objects) {
		c.order = slices.AppendSeq(c.order[:0], maps.Keys(c.Objects))
		slices.Sort(c.order)
	}
	return c.order
}

// Nearest is the nearest of the objects that fit, nil for none; of two as near the one with the lower id.
func (c *Client) Nearest(fits func(*Object) bool) (found *Object) {
	nearest := 0.0
	for _, o := range c.Objects {
		if !fits(o) {
			continue
		}
		if d := c.Position.Distance(o.Position); found == nil || d < nearest || d == nearest && o.ID < found.ID {
			found, nearest = o, d
		}
	}
	return found
}

// First is the one with the lowest id of the objects that fit, nil for none.
func (c *Client) First(fits func(*Object) bool) (found *Object) {
	for _, o := range c.Objects {
		if (found == nil || o.ID < found.ID) && fits(o) {
			found = o
		}
	}
	return found
}

// nearestOf is the nearest object of a class that stands or lies in sight, nil for none.
func (c *Client) nearestOf(class packets.Class) *Object {
	return c.nearestStanding(func(o *Object) bool { return o.Class == class })
}

// nearestStanding is the nearest object that fits, and stands or lies in sight; nil for none.
func (c *Client) nearestStanding(fits func(*Object) bool) *Object {
	return c.Nearest(func(o *Object) bool { return o.Placement != packets.Contained && fits(o) })
}

// within is the object, if it is less than so many metres away; else nil.
func (c *Client) within(o *Object, metres float64) *Object {
	if o == nil || c.Position.Distance(o.Position) >= metres {
		return nil
	}
	return o
}
