package script

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// other finds another player among what the client holds, nil if it is not shown, or not yet with what it wears.
func other(c *bot.Client, name string) *bot.Object {
	for _, o := range c.Objects {
		if o.Player != nil && o.Gear != nil && o.Player.Name == name {
			return o
		}
	}
	return nil
}

// others says whom the client sees.
func others(c *bot.Client) string {
	var all []string
	for _, o := range c.Objects {
		if o.Player != nil {
			all = append(all, fmt.Sprintf("%s at %s", o.Player.Name, pointText(o.Position)))
		}
	}
	slices.Sort(all)
	return "sees " + list(all, "nobody")
}

func sees(ctx context.Context, p *player, a *args) error {
	if a.where == nil {
		return p.until(ctx, func(c *bot.Client) bool { return other(c, a.names[1]) != nil }, others)
	}
	at, err := p.stage.resolve(ctx, a.where)
	if err != nil {
		return err
	}
	const byDefault = 0.1
	return p.until(ctx, func(c *bot.Client) bool {
		o := other(c, a.names[1])
		return o != nil && o.Position.Distance(at) <= a.tolerance(byDefault)
	}, func(c *bot.Client) string {
		if o := other(c, a.names[1]); o != nil {
			return fmt.Sprintf("sees %s at %s, %.2f m from %s", a.names[1], pointText(o.Position), o.Position.Distance(at), pointText(at))
		}
		return others(c)
	})
}

func seesStat(ctx context.Context, p *player, a *args) error {
	if a.stat.other == nil {
		return fmt.Errorf("the %s of others is not shown", a.stat.name)
	}
	want := int(*a.number)
	return p.until(ctx, func(c *bot.Client) bool {
		o := other(c, a.names[1])
		return o != nil && a.stat.other(o.Player) == want
	}, func(c *bot.Client) string {
		if o := other(c, a.names[1]); o != nil {
			return fmt.Sprintf("sees %s with %s %d", a.names[1], a.stat.name, a.stat.other(o.Player))
		}
		return others(c)
	})
}

func seesClan(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool {
		o := other(c, a.names[1])
		return o != nil && like(o.Player.Clan, a.text)
	}, func(c *bot.Client) string {
		if o := other(c, a.names[1]); o != nil {
			return fmt.Sprintf("sees %s of the clan %q", a.names[1], o.Player.Clan)
		}
		return others(c)
	})
}

// shown says whether the client holds another player, with gear or without.
func shown(c *bot.Client, name string) bool {
	for _, o := range c.Objects {
		if o.Player != nil && o.Player.Name == name {
			return true
		}
	}
	return false
}

func loses(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return !shown(c, a.names[1]) }, others)
}

func doesNotSee(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a.while(), func(c *bot.Client) bool { return shown(c, a.names[1]) }, others)
}

// A landmark is something that stands in the world: of the tables of portals and townsfolk.
type landmark struct {
	key   string
	class packets.Class
	at    coords.Position
}

// landmark returns what the key of a sentence is of.
func (a *args) landmark() landmark {
	if t, ok := data.TownsmanByKey(a.key); ok {
		return landmark{t.Key, packets.Class(t.Class), t.Position}
	}
	for _, t := range data.Portals() {
		if t.Key == a.key {
			return landmark{t.Key, packets.Class(t.Class), t.Position}
		}
	}
	return landmark{key: a.key}
}

// of finds the landmark among what the client holds.
func (l *landmark) of(c *bot.Client) *bot.Object {
	const near = 0.01
	for _, o := range c.Objects {
		if o.Class == l.class && o.Thing != nil && o.Position.Distance(l.at) <= near {
			return o
		}
	}
	return nil
}

// things says what stands around.
func things(c *bot.Client) string {
	classes := map[packets.Class]int{}
	for _, o := range c.Objects {
		if o.Thing != nil && o.Thing.Placement != packets.Contained && o.Parent == packets.NoObject {
			classes[o.Class]++
		}
	}
	var all []string
	for class, n := range classes {
		all = append(all, fmt.Sprintf("%d of class %s", n, class))
	}
	slices.Sort(all)
	return fmt.Sprintf("at %s sees %s", pointText(c.Position), list(all, "nothing"))
}

func seesThing(ctx context.Context, p *player, a *args) error {
	l := a.landmark()
	return p.until(ctx, func(c *bot.Client) bool { return l.of(c) != nil }, things)
}

func losesThing(ctx context.Context, p *player, a *args) error {
	l := a.landmark()
	return p.until(ctx, func(c *bot.Client) bool { return l.of(c) == nil }, things)
}

func usePortal(ctx context.Context, p *player, a *args) error {
	if err := seesThing(ctx, p, a); err != nil {
		return err
	}
	l := a.landmark()
	return p.do(ctx, func(c *bot.Client) error {
		o := l.of(c)
		if o == nil {
			return fmt.Errorf("%s %s", p.name, things(c))
		}
		return c.Use(o.ID)
	})
}

// Groups and clans.

func members(c *bot.Client) string {
	var all []string
	for _, m := range c.Group.Members {
		if m.Leader {
			m.Name += " (leads)"
		}
		all = append(all, m.Name)
	}
	return "is in a group of " + list(all, "nobody")
}

func isAsked(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return slices.Contains(c.Group.Applicants, a.names[1]) },
		func(c *bot.Client) string { return "was asked by " + list(c.Group.Applicants, "nobody") })
}

func inGroup(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool {
		for _, name := range a.names {
			if !c.Group.Has(name) {
				return false
			}
		}
		return len(c.Group.Members) == len(a.names)
	}, members)
}

func inNoGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return len(c.Group.Members) == 0 }, members)
}

func leadsGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return c.Group.Leads(p.name) }, members)
}

func asksForClan(ctx context.Context, p *player, a *args) error {
	if err := sees(ctx, p, &args{names: a.names}); err != nil {
		return err
	}
	return p.do(ctx, func(c *bot.Client) error {
		o := other(c, a.names[1])
		if o == nil {
			return fmt.Errorf("%s %s", p.name, others(c))
		}
		return c.ApplyToClan(o.ID)
	})
}

func takesIntoClan(ctx context.Context, p *player, a *args) error {
	applicant := func(c *bot.Client) packets.ObjectID {
		for _, id := range c.Clan.Applicants {
			if o := c.Objects[id]; o != nil && o.Player != nil && o.Player.Name == a.names[1] {
				return id
			}
		}
		return packets.NoObject
	}
	err := p.until(ctx, func(c *bot.Client) bool { return applicant(c) != packets.NoObject }, func(c *bot.Client) string {
		return fmt.Sprintf("was asked by %d players for its clan, but not by %s", len(c.Clan.Applicants), a.names[1])
	})
	if err != nil {
		return err
	}
	return p.do(ctx, func(c *bot.Client) error { return c.AcceptIntoClan(applicant(c)) })
}

func clanText(c *bot.Client) string {
	if c.Clan.Name == "" {
		return "is in no clan"
	}
	return fmt.Sprintf("is in the clan %q", c.Clan.Name)
}

func inClan(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return c.Clan.Name != "" && like(c.Clan.Name, a.text) }, clanText)
}

func inNoClan(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, func(c *bot.Client) bool { return strings.TrimSpace(c.Clan.Name) == "" }, clanText)
}
