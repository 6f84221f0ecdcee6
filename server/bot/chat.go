package bot

import (
	"maps"
	"slices"
	"strings"
	"time"

	"sphereserver/data/lazyregexp"
	"sphereserver/packets"
)

const linesKept = 64

func (c *Client) hear(l Line) {
	c.said++
	l.Number = c.said
	c.Lines = append(slices.Delete(c.Lines, 0, max(0, len(c.Lines)+1-linesKept)), l)
	if l.Sender == "" {
		c.missionLine(l.Message)
		c.tell("the server says: %s", l.Message)
		return
	}
	c.tally.Heard.Add(1)
	c.tell("%s says (channel %d): %s", l.Sender, l.Channel, l.Message)
}

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

// chat gathers the lines of chat objects. Source: protocol ingame 15.4.
func (c *Client) chat(s *packets.Section) {
	for _, r := range s.Regions {
		switch m := r.(type) {
		case *packets.ChatLine:
			if c.partialLines[s.Object] != nil {
				c.find(StateDiffers, "a line of %q under the id %s of one that is not whole", m.Sender, s.Object)
			}
			c.partialLines[s.Object] = &partialLine{line: Line{Channel: m.Channel, Sender: m.Sender}, left: int(m.Chunks),
				length: int(m.Length), at: time.Now()}
		case *packets.ChatChunk:
			if c.partialLines[s.Object] == nil {
				c.find(UnknownObject, "text for the chat object %s, which has no line", s.Object)
				continue
			}
			c.addPart(s.Object, m.Text)
		}
	}
}

// checkTalk finds lines of which nothing more comes.
func (c *Client) checkTalk(now time.Time) {
	for _, id := range slices.Sorted(maps.Keys(c.partialLines)) {
		u := c.partialLines[id]
		if now.Sub(u.at) < spawnPatience {
			continue
		}
		if delete(c.partialLines, id); u.line.Parts {
			c.find(Missing, "%d parts of a line on channel %d", u.left, u.line.Channel)
		} else {
			c.find(Missing, "%d parts of a line of %q", u.left, u.line.Sender)
		}
	}
}

// splitLink takes a line apart: the player that its link leads to, the name that it shows, and the message. Without a
// link all is message, and ok is false.
func splitLink(text string) (linked, shown, message string, ok bool) {
	parts := link().FindStringSubmatch(text)
	if parts == nil {
		return "", "", text, false
	}
	linked, _, _ = strings.Cut(parts[1], `\`)
	return linked, parts[2], parts[3], true
}

// chatParts gathers a line that comes as header and parts, and reports whether a command is about one.
// Source: protocol ingame 15.4.
func (c *Client) chatParts(command packets.Command) bool {
	last := c.partialLines[packets.NoObject]
	switch m := command.(type) {
	case *packets.ChatHeader:
		if last != nil {
			c.find(StateDiffers, "a line on channel %d before the one on channel %d was whole", m.Channel, last.line.Channel)
		}
		delete(c.partialLines, packets.NoObject)
		if m.Parts == 0 {
			c.find(StateDiffers, "a line on channel %d without parts", m.Channel)
			break
		}
		c.partialLines[packets.NoObject] = &partialLine{line: Line{Channel: m.Channel, Parts: true}, left: int(m.Parts),
			length: int(m.Length), at: time.Now()}
	case *packets.ChatPart:
		if last == nil {
			c.find(OutOfPlace, "part %d of a line on channel %d without a header", m.Index, m.Channel)
			break
		}
		if m.Channel != last.line.Channel {
			c.find(StateDiffers, "part %d is for channel %d, its header for channel %d", m.Index, m.Channel, last.line.Channel)
		}
		c.addPart(packets.NoObject, strings.TrimRight(m.Text, "\x00"))
	default:
		return false
	}
	return true
}

// addPart adds to a line, and hears it when it is whole.
func (c *Client) addPart(id packets.ObjectID, text string) {
	u := c.partialLines[id]
	u.text.WriteString(text)
	if u.left--; u.left <= 0 {
		delete(c.partialLines, id)
		c.finish(u)
	}
}

// link matches a client's line: the player that its link leads to, the name that it shows, and the message. Source:
// protocol ingame 15.1.
var link = lazyregexp.Of(`(?s)^<l="player://((?:[^"\\]|\\.)*)">(.*?)</l>: (.*)$`)

// Speak says something as the original client does: before it stands a link to the writer.
// Source: protocol ingame 15.1, 15.3.
func (c *Client) Speak(channel uint8, message string) error {
	const tooltip = `\[br\]\[img=\"sep,mid,0,4,0,2\"\]\[br\]\[cl=EEEEEE\]`
	name := c.Snapshot.Name
	return c.Say(channel, `<l="player://`+name+tooltip+name+`\[br\]">`+name+`</l>: `+message)
}
