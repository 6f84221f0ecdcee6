package script

import (
	"fmt"
	"slices"
	"strings"

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

func isAskedBy(p *player, a *args) error {
	return p.until("to be asked by "+a.other(),
		func(c *bot.Client) bool { return slices.Contains(c.Group.Applicants, a.other()) },
		func(c *bot.Client) string { return "was asked by " + list(c.Group.Applicants, "nobody") })
}

func inGroup(p *player, a *args) error {
	want := []string{p.name}
	for _, o := range a.others {
		want = append(want, o.name)
	}
	return p.until("a group of "+list(want, ""), func(c *bot.Client) bool {
		return len(c.Group.Members) == len(want) &&
			!slices.ContainsFunc(want, func(name string) bool { return !c.Group.Has(name) })
	}, members)
}

func inNoGroup(p *player, _ *args) error {
	return p.until("no group", func(c *bot.Client) bool { return len(c.Group.Members) == 0 }, members)
}

func leadsGroup(p *player, _ *args) error {
	return p.until(p.name+" to lead the group", func(c *bot.Client) bool { return c.Group.Leads(p.name) }, members)
}

func askForClan(p *player, a *args) error {
	return p.reach("to see "+a.other(), func(c *bot.Client) *bot.Object { return other(c, a.other(), true) }, others,
		func(c *bot.Client, o *bot.Object) error { return c.ApplyToClan(o.ID) })
}

func takeIntoClan(p *player, a *args) error {
	return p.reach(a.other()+" to ask for the clan", func(c *bot.Client) *bot.Object {
		if o := other(c, a.other(), false); o != nil && slices.Contains(c.Clan.Applicants, o.ID) {
			return o
		}
		return nil
	}, func(c *bot.Client) string {
		return fmt.Sprintf("was asked by %d players for its clan, but not by %s", len(c.Clan.Applicants), a.other())
	}, func(c *bot.Client, o *bot.Object) error { return c.AcceptIntoClan(o.ID) })
}

func clanText(c *bot.Client) string {
	if c.Clan.Name == "" {
		return "is in no clan"
	}
	return fmt.Sprintf("is in the clan %q", c.Clan.Name)
}

func inClan(p *player, a *args) error {
	return p.until(fmt.Sprintf("the clan %q", *a.clan),
		func(c *bot.Client) bool { return c.Clan.Name != "" && like(c.Clan.Name, *a.clan) }, clanText)
}

func inNoClan(p *player, _ *args) error {
	return p.until("no clan", func(c *bot.Client) bool { return strings.TrimSpace(c.Clan.Name) == "" }, clanText)
}
