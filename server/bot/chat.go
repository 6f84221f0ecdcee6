package bot

import (
	"strings"
	"time"

	"sphereserver/packets"
)

// linesKept is how many lines a client remembers.
const linesKept = 64

// hear takes a line that is whole.
func (c *Client) hear(l Line) {
	c.said++
	l.Number = c.said
	if len(c.Lines) == linesKept {
		c.Lines = append(c.Lines[:0], c.Lines[1:]...)
	}
	c.Lines = append(c.Lines, l)
	if l.Sender == "" {
		c.tell("the server says: %s", l.Message)
		return
	}
	c.tally.Heard.Add(1)
	c.tell("%s says (channel %d): %s", l.Sender, l.Channel, l.Message)
}

// finish hears a line that is whole.
func (c *Client) finish(u *partialLine) {
	l := u.line
	l.Text = u.text.String()
	if n := packets.Len1251(l.Text); n != u.length {
		c.find(StateDiffers, "a line of chat was announced with %d bytes, and has %d", u.length, n)
	}
	linked, shown, message, ok := splitLink(l.Text)
	l.Message = message
	switch {
	case !ok && l.Parts:
		c.find(StateDiffers, "a line on channel %d does not say whose it is: %q", l.Channel, l.Text)
		l.Sender = "?"
	case !ok:
	case linked != shown || !l.Parts && shown != l.Sender:
		c.find(StateDiffers, "a line of %q has a link to %q that shows %q", l.Sender, linked, shown)
	default:
		l.Sender = shown
	}
	c.hear(l)
}

// chat gathers the lines of chat objects.
//
// Source: protocol ingame 15.4.
func (c *Client) chat(s *packets.Section) {
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.ChatLine:
			if c.talk.objects == nil {
				c.talk.objects = map[packets.ObjectID]*partialLine{}
			}
			if u := c.talk.objects[s.Object]; u != nil {
				c.find(StateDiffers, "a line of %q under the id %s of one that is not whole", m.Sender, s.Object)
			}
			c.talk.objects[s.Object] = &partialLine{line: Line{Channel: m.Channel, Sender: m.Sender}, left: int(m.Chunks),
				length: int(m.Length), at: time.Now()}
		case *packets.ChatChunk:
			u := c.talk.objects[s.Object]
			if u == nil {
				c.find(UnknownObject, "text for the chat object %s, which has no line", s.Object)
				continue
			}
			if u.add(m.Text) {
				delete(c.talk.objects, s.Object)
				c.finish(u)
			}
		}
	}
}

// chatHeader begins a line in header and parts.
//
// Source: protocol ingame 15.4.
func (c *Client) chatHeader(m *packets.ChatHeader) {
	if c.talk.parts != nil {
		c.find(StateDiffers, "a line on channel %d before the one on channel %d was whole", m.Channel,
			c.talk.parts.line.Channel)
	}
	c.talk.parts = &partialLine{line: Line{Channel: m.Channel, Parts: true}, left: int(m.Parts), length: int(m.Length),
		at: time.Now()}
	if m.Parts == 0 {
		c.find(StateDiffers, "a line on channel %d without parts", m.Channel)
		c.talk.parts = nil
	}
}

func (c *Client) chatPart(m *packets.ChatPart) {
	u := c.talk.parts
	if u == nil {
		c.find(OutOfPlace, "part %d of a line on channel %d without a header", m.Index, m.Channel)
		return
	}
	if m.Channel != u.line.Channel {
		c.find(StateDiffers, "part %d is for channel %d, its header for channel %d", m.Index, m.Channel, u.line.Channel)
	}
	if u.add(strings.TrimRight(m.Text, "\x00")) {
		c.talk.parts = nil
		c.finish(u)
	}
}

// checkTalk finds lines of which nothing more comes.
func (c *Client) checkTalk(now time.Time) {
	for id, u := range c.talk.objects {
		if now.Sub(u.at) >= spawnPatience {
			c.find(Missing, "%d parts of a line of %q", u.left, u.line.Sender)
			delete(c.talk.objects, id)
		}
	}
	if u := c.talk.parts; u != nil && now.Sub(u.at) >= spawnPatience {
		c.find(Missing, "%d parts of a line on channel %d", u.left, u.line.Channel)
		c.talk.parts = nil
	}
}

// The link to a line's writer that clients put before what they say.
//
// Source: protocol ingame 15.1.
const (
	linkBegin   = `<l="player://`
	linkTooltip = `\[br\]\[img=\"sep,mid,0,4,0,2\"\]\[br\]\[cl=EEEEEE\]`
	linkClose   = `</l>: `
)

// splitLink takes a line apart: the player whom its link is to, the name that it shows, and what is said. Without a
// link all is said, and ok is false.
func splitLink(text string) (linked, shown, message string, ok bool) {
	rest, begun := strings.CutPrefix(text, linkBegin)
	if !begun {
		return "", "", text, false
	}
	end := 0
	for end < len(rest) && rest[end] != '"' {
		if rest[end] == '\\' {
			end++
		}
		end++
	}
	if end >= len(rest) {
		return "", "", text, false
	}
	linked, _, _ = strings.Cut(rest[:end], `\`)
	rest, quoted := strings.CutPrefix(rest[end:], `">`)
	shown, message, closed := strings.Cut(rest, linkClose)
	if !quoted || !closed {
		return "", "", text, false
	}
	return linked, shown, message, true
}
