package bot

import (
	"cmp"
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/world/rules"
)

// This file is how a hunter walks past grounds of monsters which it does not want to meet.

// travel sets out for a place that may be far, around the grounds on the way.
func (c *Client) travel(to coords.Position, now time.Time) {
	if to.Check() == nil {
		c.walker.follow(append(c.wayAround(to), to), now)
	}
}

// wayAround are points of a way to a place: one beside each ground on the straight line that has to be kept clear of,
// on the side on which the line passes it.
func (c *Client) wayAround(to coords.Position) (points []coords.Position) {
	b, from := c.options.Balance, c.Position
	area, ok := content.AreaOf(from)
	dx, dz := float64(to.X-from.X), float64(to.Z-from.Z)
	length := math.Hypot(dx, dz)
	clearance := b.Spawn.Radius + b.Mind.WanderRadius + b.Mind.Notice
	if !ok || length < clearance {
		return nil
	}
	dx, dz = dx/length, dz/length
	type pass struct{ along, aside float64 } // metres
	var passes []pass
	for i := range c.places() {
		s := &c.places()[i]
		x, z := float64(s.Position.X-from.X), float64(s.Position.Z-from.Z)
		p := pass{x*dx + z*dz, x*dz - z*dx}
		if math.Abs(p.aside) >= clearance || p.along <= 0 || p.along >= length || s.Area != area.Key || !c.shuns(s) ||
			min(math.Hypot(x, z), to.Distance(s.Position)) < clearance {
			continue
		}
		passes = append(passes, p)
	}
	slices.SortFunc(passes, func(p, q pass) int { return cmp.Compare(p.along, q.along) })
	for _, p := range passes {
		aside := p.aside - math.Copysign(clearance, p.aside)
		at := coords.Position{X: from.X + float32(p.along*dx+aside*dz), Z: from.Z + float32(p.along*dz-aside*dx),
			Y: from.Y + (to.Y-from.Y)*float32(p.along/length)}
		if at.Check() == nil {
			points = append(points, at)
		}
	}
	return points
}

// shuns reports whether the character had better not meet the monsters of a ground by accident: they would notice it,
// and they are several, or stronger.
func (c *Client) shuns(s *wild.Spawner) bool {
	b := c.options.Balance
	return s.Level+s.Spread > c.level()-b.Mind.NoticeLevels && !slices.Contains(s.Types, rules.PracticeTarget) &&
		(s.Level > b.Spawn.EasyLevel || s.Level+s.Spread > c.level()+bolder)
}
