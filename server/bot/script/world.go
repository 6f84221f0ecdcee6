package script

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

func walkTo(ctx context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		ctx, cancel := context.WithTimeout(ctx, c.TimeTo(*a.at)+p.runner.patience)
		defer cancel()
		return c.Walk(ctx, *a.at)
	})
}

func setOut(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error { return c.SetOut(*a.at) })
}

func setSpeed(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error { return c.SetSpeed(*a.number) })
}

func turn(ctx context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		at := c.Position
		at.Yaw = float32(*a.number * math.Pi / 180)
		return ping(ctx, p, c, at)
	})
}

func isSentAway(ctx context.Context, p *player, _ *args) error {
	if _, err := p.within(ctx, p.runner.patience, func(*bot.Client) bool { return false }); err == nil {
		return &Failure{"the server to end the connection of " + p.name, p.name + " is still connected"}
	} else if p.client == nil {
		return err
	}
	_ = p.leave(true)
	return nil
}

// tolerance is how far off, in metres, a place may be.
func (a *args) tolerance(byDefault float64) float64 {
	if a.number == nil {
		return byDefault
	}
	return *a.number
}

func isAt(ctx context.Context, p *player, a *args) error {
	off := a.tolerance(1)
	return p.until(ctx, fmt.Sprintf("%s at %s, give or take %v m", p.name, pointText(*a.at), off),
		func(c *bot.Client) bool {
			return c.Position.Distance(*a.at) <= off
		}, func(c *bot.Client) string {
			return fmt.Sprintf("is at %s, %.2f m from %s", pointText(c.Position), c.Position.Distance(*a.at), pointText(*a.at))
		})
}

func position(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		a.result = placeValue(c.Position)
		return nil
	})
}

// valuesText shows values, each as what gives says.
func valuesText(all []wanted, gives func(wanted) int) string {
	var out []string
	for _, w := range all {
		out = append(out, fmt.Sprintf("%s %d", w.stat.name, gives(w)))
	}
	return strings.Join(out, ", ")
}

func asWanted(w wanted) int { return w.value }

func has(ctx context.Context, p *player, a *args) error {
	return p.hasValues(ctx, a, "", func(have, want int) bool { return have == want })
}

func hasAtLeast(ctx context.Context, p *player, a *args) error {
	return p.hasValues(ctx, a, "at least ", func(have, want int) bool { return have >= want })
}

func (p *player) hasValues(ctx context.Context, a *args, how string, fits func(have, want int) bool) error {
	return p.until(ctx, how+valuesText(a.values, asWanted), func(c *bot.Client) bool {
		return !slices.ContainsFunc(a.values, func(w wanted) bool { return !fits(w.stat.own(c), w.value) })
	}, func(c *bot.Client) string {
		return "has " + valuesText(a.values, func(w wanted) int { return w.stat.own(c) })
	})
}

func value(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error {
		a.result = starlark.MakeInt(a.stat.own(c))
		return nil
	})
}

// other finds another player among what the client holds, nil if it is not shown; dressed, if what it wears has to be
// shown too.
func other(c *bot.Client, name string, dressed bool) *bot.Object {
	for _, o := range c.Objects {
		if o.Player != nil && o.Player.Name == name && (o.Gear != nil || !dressed) {
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
	off, expected := a.tolerance(0.1), "to see "+a.other()
	for _, w := range a.values {
		if w.stat.other == nil {
			return fmt.Errorf("the %s of others is not shown", w.stat.name)
		}
	}
	if a.at != nil {
		expected += fmt.Sprintf(" at %s, give or take %v m", pointText(*a.at), off)
	}
	if a.clan != nil {
		expected += fmt.Sprintf(" of the clan %q", *a.clan)
	}
	if len(a.values) > 0 {
		expected += " with " + valuesText(a.values, asWanted)
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		o := other(c, a.other(), true)
		return o != nil && (a.at == nil || o.Position.Distance(*a.at) <= off) &&
			(a.clan == nil || like(o.Player.Clan, *a.clan)) &&
			!slices.ContainsFunc(a.values, func(w wanted) bool { return w.stat.other(o.Player) != w.value })
	}, func(c *bot.Client) string {
		o := other(c, a.other(), true)
		if o == nil {
			return others(c)
		}
		found := fmt.Sprintf("sees %s at %s", a.other(), pointText(o.Position))
		if a.at != nil {
			found += fmt.Sprintf(", %.2f m from %s", o.Position.Distance(*a.at), pointText(*a.at))
		}
		if a.clan != nil {
			found += fmt.Sprintf(" of the clan %q", o.Player.Clan)
		}
		if len(a.values) > 0 {
			found += " with " + valuesText(a.values, func(w wanted) int { return w.stat.other(o.Player) })
		}
		return found
	})
}

func loses(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, "not to see "+a.other(), func(c *bot.Client) bool { return other(c, a.other(), false) == nil },
		others)
}

func doesNotSee(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, "not to see "+a.other(), func(c *bot.Client) bool {
		return other(c, a.other(),
			false) != nil
	}, others)
}

// of finds the landmark among what the client holds.
func (l *landmark) of(c *bot.Client) *bot.Object {
	const near = 0.01
	for _, o := range c.Objects {
		if o.Class == l.class && o.Spawn != nil && o.Position.Distance(l.at) <= near {
			return o
		}
	}
	return nil
}

// surroundings says what stands around.
func surroundings(c *bot.Client) string {
	classes := map[packets.Class]int{}
	for _, o := range c.Objects {
		if o.Spawn != nil && o.Spawn.Placement != packets.Contained && o.Parent == packets.NoObject {
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

func seesLandmark(ctx context.Context, p *player, a *args) error {
	l := a.landmark
	return p.until(ctx, fmt.Sprintf("to see %s at %s", l.key, pointText(l.at)),
		func(c *bot.Client) bool { return l.of(c) != nil }, surroundings)
}

func losesLandmark(ctx context.Context, p *player, a *args) error {
	l := a.landmark
	return p.until(ctx, "not to see "+l.key, func(c *bot.Client) bool { return l.of(c) == nil }, surroundings)
}

func usePortal(ctx context.Context, p *player, a *args) error {
	if err := seesLandmark(ctx, p, a); err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error {
		if o := a.landmark.of(c); o != nil {
			return c.Use(o.ID)
		}
		return fmt.Errorf("%s %s", p.name, surroundings(c))
	})
}

// Groups and clans.
