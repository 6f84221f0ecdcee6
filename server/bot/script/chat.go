package script

import (
	"cmp"
	"fmt"

	"sphereserver/server/bot"
)

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

// heard says what the player has heard that was not spoken of.
func (p *player) heard(c *bot.Client) string {
	var all []string
	for _, l := range c.Lines {
		if l.Sender != "" && !p.known[l.Number] {
			all = append(all, fmt.Sprintf("%s %q on %s", l.Sender, l.Message, channelName(&l)))
		}
	}
	return "heard " + list(all, "nothing new")
}

// read says what the server has told that was not spoken of.
func (p *player) read(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, &args{}, "*") {
		all = append(all, fmt.Sprintf("%q", l.Message))
	}
	return "read " + list(all, "nothing new")
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
