package script

import (
	"cmp"
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

func channelName(l *bot.Line) string {
	for _, ch := range channels {
		if ch.shown == l.Channel && ch.parts == l.Parts {
			return ch.name
		}
	}
	return fmt.Sprintf("channel %d", l.Channel)
}

func say(p *player, a *args) error {
	on := cmp.Or(a.channel, &channels[2])
	return p.do(func(c *bot.Client) error { return c.Speak(on.number, a.text) })
}

// news are the lines of a sender, "" for the server, that no step has spoken of and that are as a pattern says.
func (p *player) news(c *bot.Client, a *args, pattern string) (lines []*bot.Line) {
	for i := range c.Lines {
		l := &c.Lines[i]
		if !p.known[l.Number] && l.Sender == a.other() && like(l.Message, pattern) &&
			(a.channel == nil || a.channel.name == channelName(l)) {
			lines = append(lines, l)
		}
	}
	return lines
}

// catch says whether a new line is as the call says; it is known from then on.
func (p *player) catch(a *args) func(*bot.Client) bool {
	return func(c *bot.Client) bool {
		found := p.news(c, a, a.text)
		if len(found) > 0 {
			p.known[found[0].Number] = true
		}
		return len(found) > 0
	}
}

// heard lists lines that the player has heard and that no step has caught.
func (p *player) heard(c *bot.Client) string {
	var all []string
	for _, l := range c.Lines {
		if l.Sender != "" && !p.known[l.Number] {
			all = append(all, fmt.Sprintf("%s %q on %s", l.Sender, l.Message, channelName(&l)))
		}
	}
	return "heard " + newest(all, "nothing new")
}

// read lists system messages that no step has caught.
func (p *player) read(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, &args{}, "*") {
		all = append(all, fmt.Sprintf("%q", l.Message))
	}
	return "read " + newest(all, "nothing new")
}

func hears(p *player, a *args) error {
	expected := fmt.Sprintf("to hear %s %q", a.other(), a.text)
	if a.channel != nil {
		expected += " on " + a.channel.name
	}
	return p.until(expected, p.catch(a), p.heard)
}

func doesNotHear(p *player, a *args) error {
	return p.never(a, "to hear nothing new of "+a.other(),
		func(c *bot.Client) bool { return len(p.news(c, a, "*")) > 0 }, p.heard)
}

func reads(p *player, a *args) error {
	return p.until(fmt.Sprintf("to read %q", a.text), p.catch(a), p.read)
}

func doesNotRead(p *player, a *args) error {
	return p.never(a, fmt.Sprintf("not to read %q", a.text),
		func(c *bot.Client) bool { return len(p.news(c, a, a.text)) > 0 }, p.read)
}
