package script

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

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

func isAskedBy(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, "to be asked by "+a.other(),
		func(c *bot.Client) bool { return slices.Contains(c.Group.Applicants, a.other()) },
		func(c *bot.Client) string { return "was asked by " + list(c.Group.Applicants, "nobody") })
}

func inGroup(ctx context.Context, p *player, a *args) error {
	want := []string{p.name}
	for _, o := range a.others {
		want = append(want, o.name)
	}
	return p.until(ctx, "a group of "+list(want, ""), func(c *bot.Client) bool {
		return len(c.Group.Members) == len(want) && !slices.ContainsFunc(want,
			func(name string) bool { return !c.Group.Has(name) })
	}, members)
}

func inNoGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, "no group", func(c *bot.Client) bool { return len(c.Group.Members) == 0 }, members)
}

func leadsGroup(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, p.name+" to lead the group", func(c *bot.Client) bool { return c.Group.Leads(p.name) }, members)
}

func askForClan(ctx context.Context, p *player, a *args) error {
	if err := sees(ctx, p, a); err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error {
		if o := other(c, a.other(), true); o != nil {
			return c.ApplyToClan(o.ID)
		}
		return fmt.Errorf("%s %s", p.name, others(c))
	})
}

func takeIntoClan(ctx context.Context, p *player, a *args) error {
	applicant := func(c *bot.Client) packets.ObjectID {
		for _, id := range c.Clan.Applicants {
			if o := c.Objects[id]; o != nil && o.Player != nil && o.Player.Name == a.other() {
				return id
			}
		}
		return packets.NoObject
	}
	err := p.until(ctx, a.other()+" to ask for the clan",
		func(c *bot.Client) bool { return applicant(c) != packets.NoObject }, func(c *bot.Client) string {
			return fmt.Sprintf("was asked by %d players for its clan, but not by %s", len(c.Clan.Applicants), a.other())
		})
	if err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error { return c.AcceptIntoClan(applicant(c)) })
}

func clanText(c *bot.Client) string {
	if c.Clan.Name == "" {
		return "is in no clan"
	}
	return fmt.Sprintf("is in the clan %q", c.Clan.Name)
}

func inClan(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, fmt.Sprintf("the clan %q", *a.clan), func(c *bot.Client) bool {
		return c.Clan.Name != "" &&
			like(c.Clan.Name, *a.clan)
	}, clanText)
}

func inNoClan(ctx context.Context, p *player, _ *args) error {
	return p.until(ctx, "no clan", func(c *bot.Client) bool { return strings.TrimSpace(c.Clan.Name) == "" }, clanText)
}

func foundClan(_ context.Context, p *player, a *args) error {
	return p.do(func(c *bot.Client) error { return c.FoundClan(*a.clan) })
}

func leaveClan(_ context.Context, p *player, _ *args) error {
	return p.do(func(c *bot.Client) error { return c.LeaveClan(p.name) })
}
