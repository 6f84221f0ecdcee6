package bot

import (
	"fmt"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Send sends a gameplay frame with this body, its clock set to the client's; obfuscated unless the options say
// otherwise.
func (c *Client) Send(b *packets.Body) error {
	now := time.Now()
	b.Clock = c.clientClock(now)
	f := packets.Frame{Direction: packets.FromClient, Channel: packets.ChannelGameplay,
		Header: packets.ClientHeader{Sequence: c.nextSequence()}, Body: b}
	out, err := f.Append(c.out[:0], c.options.Dialect)
	if err != nil {
		return fmt.Errorf("bot: %w", err)
	}
	c.out = out
	seal(out, c.Key, !c.options.Plain)
	c.noticePing(b, now)
	c.noticeRequests(b, now)
	return c.write(out)
}

// SendCommands sends commands about the own character in one frame.
func (c *Client) SendCommands(regions ...packets.Region) error {
	return c.Send(packets.Message(0, c.ID(), packets.ClassPlayer, regions...))
}

// SendRaw sends bytes as they are: whatever a test wants a server to meet.
func (c *Client) SendRaw(p []byte) error { return c.write(p) }

func (c *Client) sendPing(now time.Time) error {
	c.out = appendPing(c.out[:0], c.ID(), c.clientClock(now), c.nextSequence(), c.Position)
	if len(c.out) == 0 {
		return fmt.Errorf("bot: position %v is outside of the world", c.Position)
	}
	seal(c.out, c.Key, !c.options.Plain)
	c.pingedAt = c.Position
	c.pingSent(c.Position.Origin(), now)
	c.trackedBot.sent(c.Position, now)
	return c.write(c.out)
}

func (c *Client) pingSent(origin coords.Origin, now time.Time) {
	if c.pings.add(origin, now) {
		c.find(Unanswered, "%d position messages without an answer", outstanding)
	}
	c.tally.Pings.Add(1)
}

// noticePing remembers a position message that was sent as a body.
func (c *Client) noticePing(b *packets.Body, now time.Time) {
	for i := range b.Sections {
		for _, r := range b.Sections[i].Regions {
			if m, ok := r.(*packets.PositionStream); ok && m.Count == 4 && b.Sections[i].Object == c.ID() {
				c.pingSent(b.Origin, now)
			}
		}
	}
}

func (c *Client) sendKeepalive() error {
	c.watch.sent++
	return c.sendControl(&packets.Keepalive{})
}
