package bot

import (
	"fmt"
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot/compare"
)

// A client of a swarm compares what it was shown with where the others truly are.
//
// Nothing is said of what may still be on its way: the server knows of a client what its position messages said, so
// somebody may be anywhere where such a message of the last moments put it. A violation is what no such place
// explains, at two looks in a row.

const (
	// sightPatience is how soon somebody in sight has to be shown, somebody out of sight removed, and a movement told; the
	// scene's slack is added.
	sightPatience = time.Second
	// sightMargin is how many metres nearer than the edge of sight somebody is sure to be in it, or farther to be out of
	// it: the server looks again each time when somebody has walked a metre.
	sightMargin = 2.5
	// vanishFactor is how many times farther than others appear they vanish.
	vanishFactor = 1.1
	// comparedAtOnce is how many of those whom the client holds, and of those around, one look compares.
	comparedAtOnce = 32
	// attention is how late a client may be with anything if it is to judge others.
	attention = 500 * time.Millisecond
)

// A verdict is what is wrong with a sighting.
type verdict struct {
	kind ViolationKind
	text string
}

// compareSightings looks at some of those whom the client holds or should hold.
func (c *Client) compareSightings(now time.Time) {
	if c.trackedBot == nil {
		return
	}
	c.trackedBot.people.Store(int64(c.people))
	c.trackedBot.leads.Store(c.Group.Leads(c.Snapshot.Name))
	s := c.options.groundTruth
	from := now.Add(-sightPatience - s.slack)
	var room [trackLength]coords.Position
	mine, known := c.trackedBot.since(from, room[:0])
	if !known || c.behind(now) {
		clear(c.suspects)
		return
	}
	for id := range c.suspects {
		c.judge(id, c.sighting(id, from, mine), now)
	}
	n := 0
	for id := range c.Objects {
		if n++; n > comparedAtOnce {
			break
		}
		c.judge(id, c.sighting(id, from, mine), now)
	}
	var buf [comparedAtOnce]*trackedBot
	for _, a := range s.around(c.Position, comparedAtOnce, now, c.rand, buf[:0]) {
		if a != c.trackedBot && c.Objects[a.id] == nil {
			c.judge(a.id, c.absence(a, from, mine), now)
		}
	}
}

// behind says whether the client, or what it reads, is late: it cannot judge then.
func (c *Client) behind(now time.Time) bool {
	if !c.awaited.IsZero() && now.Sub(c.awaited) > attention || c.pings.last.Latency > attention {
		return true
	}
	oldest, waiting := c.pings.oldest()
	return waiting && now.Sub(oldest.at) > attention
}

// judge keeps a verdict in mind, and makes it a violation if it is the same at a second look.
func (c *Client) judge(id packets.ObjectID, v *verdict, now time.Time) {
	c.tally.Compared.Add(1)
	was := c.suspects[id]
	switch {
	case v == nil:
		delete(c.suspects, id)
	case was == nil || was.kind != v.kind:
		if c.suspects == nil {
			c.suspects = map[packets.ObjectID]*suspicion{}
		}
		c.suspects[id] = &suspicion{kind: v.kind, since: now}
	case !was.told && now.Sub(was.since) >= checkEvery*9/10:
		was.told = true
		c.find(v.kind, "%s", v.text)
	}
}

func verdictOf(kind ViolationKind, format string, args ...any) *verdict {
	return &verdict{kind, fmt.Sprintf(format, args...)}
}

// sighting judges an object that the client holds, or a suspect. nil: nothing is wrong, or that cannot be told.
func (c *Client) sighting(id packets.ObjectID, from time.Time, mine []coords.Position) *verdict {
	o, a := c.Objects[id], c.options.groundTruth.bots[uint16(id)].Load()
	switch {
	case o == nil && a == nil:
		return nil
	case o == nil:
		return c.absence(a, from, mine)
	case o.Player == nil:
		return c.itemAway(o, mine)
	case a == nil:
		return nil // no client of this swarm
	}
	p := o.Player
	if _, gone := a.here(); !gone.IsZero() {
		if p.Name != a.name || gone.After(from) {
			return nil
		}
		return verdictOf(NotDespawned, "%s %q, who has left the world", id, p.Name)
	}
	var room [trackLength]coords.Position
	theirs, known := a.since(from, room[:0])
	if !known {
		return nil
	}
	switch nearest, _ := distances(mine, theirs); {
	case p.Name != a.name || p.Look != a.look || (p.Gender != 0) != a.female:
		return verdictOf(WrongPerson, "%s is shown as %q, look %08X, gender %d; it is %q, look %08X, female %t", id, p.Name,
			p.Look, p.Gender, a.name, a.look, a.female)
	case nearest > c.options.groundTruth.vanish():
		return verdictOf(NotDespawned, "%s %q, %.1f m away", id, p.Name, nearest)
	case !stood(o.Position, theirs):
		return verdictOf(WrongPosition, "%s %q is shown at %s, %.2f m from where it is: %s", id, p.Name,
			placeText(o.Position), o.Position.Distance(theirs[0]), placeText(theirs[0]))
	}
	return nil
}

// itemAway finds an item of the world that is too far away to be shown.
func (c *Client) itemAway(o *Object, mine []coords.Position) *verdict {
	nearest, _ := distances(mine, []coords.Position{o.Position})
	if o.Spawn == nil || o.Placement == packets.Contained || o.Parent != packets.NoObject ||
		nearest <= c.options.groundTruth.vanish() {
		return nil
	}
	return verdictOf(NotDespawned, "%s %s, %.1f m away", o.Class, o.ID, nearest)
}

// absence judges that somebody is not held.
func (c *Client) absence(a *trackedBot, from time.Time, mine []coords.Position) *verdict {
	s := c.options.groundTruth
	// A crowd is shown in part. Somebody has just left it, perhaps.
	full := int64(s.crowd - s.crowd/8)
	if a == c.trackedBot || int64(c.people) >= full || a.people.Load() >= full {
		return nil
	}
	var room [trackLength]coords.Position
	theirs, known := a.since(from, room[:0])
	_, farthest := distances(mine, theirs)
	if !known || farthest >= s.sight-sightMargin {
		return nil
	}
	return verdictOf(Unseen, "%s %q, %.1f m away", a.id, a.name, farthest)
}

// vanish is how far away, in metres, nobody is shown any more.
func (s *groundTruth) vanish() float64 { return s.sight*vanishFactor + sightMargin }

// distances are the shortest and the longest way between places of two players.
func distances(a, b []coords.Position) (nearest, farthest float64) {
	nearest = math.Inf(1)
	for _, p := range a {
		for _, q := range b {
			d := p.Distance(q)
			nearest, farthest = min(nearest, d), max(farthest, d)
		}
	}
	return nearest, farthest
}

// stood says whether one of the places is the shown one.
func stood(shown coords.Position, places []coords.Position) bool {
	return slices.ContainsFunc(places, func(p coords.Position) bool { return compare.SamePlace(shown, p) })
}
