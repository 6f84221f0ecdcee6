package script

import (
	"context"
	"fmt"
	"slices"

	"sphereserver/server/bot"
)

// channelName is the name of the channel that a line came on.
func channelName(l *bot.Line) string {
	for _, ch := range channels {
		if ch.shown == l.Channel && ch.parts == l.Parts {
			return ch.name
		}
	}
	return fmt.Sprintf("channel %d", l.Channel)
}

func say(_ context.Context, p *player, a *args) error {
	on := a.channel
	if on == nil {
		on = &channels[2]
	}
	return p.do(func(c *bot.Client) error { return c.Speak(on.number, a.text) })
}

// news are the lines that no step has spoken of, of the server or of players.
func (p *player) news(c *bot.Client, ofServer bool) (lines []*bot.Line) {
	for i := range c.Lines {
		if l := &c.Lines[i]; !p.known[l.Number] && (l.Sender == "") == ofServer {
			lines = append(lines, l)
		}
	}
	return lines
}

// catch says whether a new line is as it should be; it is known from then on.
func (p *player) catch(c *bot.Client, ofServer bool, fits func(*bot.Line) bool) bool {
	for _, l := range p.news(c, ofServer) {
		if fits(l) {
			p.known[l.Number] = true
			return true
		}
	}
	return false
}

// heard says what the player has heard that was not spoken of.
func (p *player) heard(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, false) {
		all = append(all, fmt.Sprintf("%s %q on %s", l.Sender, l.Message, channelName(l)))
	}
	return "heard " + list(all, "nothing new")
}

// read says what the server has told that was not spoken of.
func (p *player) read(c *bot.Client) string {
	var all []string
	for _, l := range p.news(c, true) {
		all = append(all, fmt.Sprintf("%q", l.Message))
	}
	return "read " + list(all, "nothing new")
}

func hears(ctx context.Context, p *player, a *args) error {
	expected := fmt.Sprintf("to hear %s %q", a.other(), a.text)
	if a.channel != nil {
		expected += " on " + a.channel.name
	}
	return p.until(ctx, expected, func(c *bot.Client) bool {
		return p.catch(c, false, func(l *bot.Line) bool {
			return l.Sender == a.other() && like(l.Message, a.text) && (a.channel == nil || a.channel.name == channelName(l))
		})
	}, p.heard)
}

func doesNotHear(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, "to hear nothing new of "+a.other(), func(c *bot.Client) bool {
		return slices.ContainsFunc(p.news(c, false), func(l *bot.Line) bool { return l.Sender == a.other() })
	}, p.heard)
}

func reads(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, fmt.Sprintf("to read %q", a.text), func(c *bot.Client) bool {
		return p.catch(c, true, func(l *bot.Line) bool { return like(l.Message, a.text) })
	}, p.read)
}

func doesNotRead(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a, fmt.Sprintf("not to read %q", a.text), func(c *bot.Client) bool {
		return slices.ContainsFunc(p.news(c, true), func(l *bot.Line) bool { return like(l.Message, a.text) })
	}, p.read)
}
