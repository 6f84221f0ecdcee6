package script

import (
	"context"
	"fmt"
	"time"

	"sphereserver/server/bot"
)

// A channel is one of the chat's, by the name that scripts have for it.
//
// Source: protocol ingame 15.2.
type channel struct {
	name   string
	number uint8
	shown  uint8 // number that hearers are told
	parts  bool  // whether they get it as header and parts
}

var channels = []channel{{"near", 0, 0, false}, {"whisper", 1, 1, false}, {"normal", 2, 2, false}, {"trade", 3, 3, false}, {"clan", 4, 4, true},
	{"group", 5, 5, true}, {"clan-say", 11, 11, true}, {"group-say", 12, 12, true}, {"alliance", 13, 13, true}, {"private", 15, 15, true},
	{"special", 16, 5, false}}

// channelName is the name of the channel that a line came on.
func channelName(l *bot.Line) string {
	for _, ch := range channels {
		if ch.shown == l.Channel && ch.parts == l.Parts {
			return ch.name
		}
	}
	return fmt.Sprintf("channel %d", l.Channel)
}

func say(_ context.Context, _ *player, a *args, c *bot.Client) error {
	on := a.channel
	if on == nil {
		on = &channels[2]
	}
	return c.Speak(on.number, a.text)
}

// news are the lines that no line of the script has spoken of, of the server or of players.
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
	return p.until(ctx, func(c *bot.Client) bool {
		return p.catch(c, false, func(l *bot.Line) bool {
			return l.Sender == a.names[1] && like(l.Message, a.text) && (a.channel == nil || a.channel.name == channelName(l))
		})
	}, p.heard)
}

func doesNotHear(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a.while(), func(c *bot.Client) bool {
		for _, l := range p.news(c, false) {
			if l.Sender == a.names[1] {
				return true
			}
		}
		return false
	}, p.heard)
}

func reads(ctx context.Context, p *player, a *args) error {
	return p.until(ctx, func(c *bot.Client) bool {
		return p.catch(c, true, func(l *bot.Line) bool { return like(l.Message, a.text) })
	}, p.read)
}

func doesNotRead(ctx context.Context, p *player, a *args) error {
	return p.never(ctx, a.while(), func(c *bot.Client) bool {
		for _, l := range p.news(c, true) {
			if like(l.Message, a.text) {
				return true
			}
		}
		return false
	}, p.read)
}

// while is how long something is not to happen.
func (a *args) while() time.Duration {
	if a.span == 0 {
		return time.Second
	}
	return a.span
}
