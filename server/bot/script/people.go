package script

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sphereserver/server/bot"
)

func members(c *bot.Client) Text {
	var all []Text
	for _, m := range c.Group.Members {
		one := named(m.Name)
		if m.Leader {
			one = one.and(say(" (leads)", " (лидер)"))
		}
		all = append(all, one)
	}
	return say("is in a group of %s", "состоит в группе: %s", list(all, nobody))
}

func isAskedBy(p *player, a *args) error {
	return p.until(say("to be asked by %s", "просьба от игрока %s", a.other()),
		func(c *bot.Client) bool { return slices.Contains(c.Group.Applicants, a.other()) },
		func(c *bot.Client) Text {
			return say("was asked by %s", "получает просьбы от: %s", list(names(c.Group.Applicants), nobody))
		})
}

func inGroup(p *player, a *args) error {
	want := []string{p.name}
	for _, o := range a.others {
		want = append(want, o.name)
	}
	return p.until(say("a group of %s", "группа: %s", list(names(want), nobody)), func(c *bot.Client) bool {
		return len(c.Group.Members) == len(want) &&
			!slices.ContainsFunc(want, func(name string) bool { return !c.Group.Has(name) })
	}, members)
}

func inNoGroup(p *player, _ *args) error {
	alone := func(c *bot.Client) bool { return len(c.Group.Members) == 0 }
	return p.until(say("no group", "никакой группы"), alone, members)
}

func leadsGroup(p *player, _ *args) error {
	return p.until(say("%s to lead the group", "%s — лидер группы", p.name),
		func(c *bot.Client) bool { return c.Group.Leads(p.name) }, members)
}

func askForClan(p *player, a *args) error {
	return p.reach(sight(a.other()), func(c *bot.Client) *bot.Object { return other(c, a.other(), true) }, others,
		func(c *bot.Client, o *bot.Object) error { return c.ApplyToClan(o.ID) })
}

func takeIntoClan(p *player, a *args) error {
	return p.reach(say("%s to ask for the clan", "просьба игрока %s о клане", a.other()), func(c *bot.Client) *bot.Object {
		if o := other(c, a.other(), false); o != nil && slices.Contains(c.Clan.Applicants, o.ID) {
			return o
		}
		return nil
	}, func(c *bot.Client) Text {
		return say("was asked by %d players for its clan, but not by %s", "получает просьбы о клане: %d, но не от игрока %s",
			len(c.Clan.Applicants), a.other())
	}, func(c *bot.Client, o *bot.Object) error { return c.AcceptIntoClan(o.ID) })
}

func clanText(c *bot.Client) Text {
	if c.Clan.Name == "" {
		return say("is in no clan", "не состоит в клане")
	}
	return say("is in the clan %q", "состоит в клане %q", c.Clan.Name)
}

func inClan(p *player, a *args) error {
	return p.until(say("the clan %q", "клан %q", *a.clan),
		func(c *bot.Client) bool { return c.Clan.Name != "" && like(c.Clan.Name, *a.clan) }, clanText)
}

func inNoClan(p *player, _ *args) error {
	return p.until(say("no clan", "никакого клана"),
		func(c *bot.Client) bool { return strings.TrimSpace(c.Clan.Name) == "" }, clanText)
}

func channelName(l *bot.Line) string {
	for _, ch := range channels {
		if ch.shown == l.Channel && ch.parts == l.Parts {
			return ch.name
		}
	}
	return fmt.Sprintf("channel %d", l.Channel)
}

func speak(p *player, a *args) error {
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

// catch reports whether a new line is as the call says; it is known from then on.
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
func (p *player) heard(c *bot.Client) Text {
	var all []Text
	for _, l := range c.Lines {
		if l.Sender != "" && !p.known[l.Number] {
			all = append(all, say("%s %q on %s", "%s %q в канале %s", l.Sender, l.Message, channelName(&l)))
		}
	}
	return say("heard %s", "слышит: %s", newest(all, nothingNew))
}

// read lists system messages that no step has caught. nothingNew stands for an empty list of what was heard or read.
var nothingNew = Text{"nothing new", "ничего нового"}

func (p *player) read(c *bot.Client) Text {
	var all []Text
	for _, l := range p.news(c, &args{}, "*") {
		all = append(all, named(fmt.Sprintf("%q", l.Message)))
	}
	return say("read %s", "читает: %s", newest(all, nothingNew))
}

func hears(p *player, a *args) error {
	expected := say("to hear %s %q", "услышать %s %q", a.other(), a.text)
	if a.channel != nil {
		expected = expected.and(say(" on %s", " в канале %s", a.channel.name))
	}
	return p.until(expected, p.catch(a), p.heard)
}

func doesNotHear(p *player, a *args) error {
	return p.never(a, say("to hear nothing new of %s", "не услышать ничего нового от игрока %s", a.other()),
		func(c *bot.Client) bool { return len(p.news(c, a, "*")) > 0 }, p.heard)
}

func reads(p *player, a *args) error {
	return p.until(say("to read %q", "прочесть %q", a.text), p.catch(a), p.read)
}

func doesNotRead(p *player, a *args) error {
	return p.never(a, say("not to read %q", "не прочесть %q", a.text),
		func(c *bot.Client) bool { return len(p.news(c, a, a.text)) > 0 }, p.read)
}
