package bot

import (
	"encoding/binary"
	"fmt"
	"time"

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
	if !c.options.Plain {
		packets.Obfuscate(out)
	}
	binary.LittleEndian.PutUint16(out[2:], packets.Checksum(out, c.Key))
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

func (c *Client) sendPing() error { return c.Send(packets.PingBody(c.ID(), 0, c.Position)) }

func (c *Client) noticePing(b *packets.Body, now time.Time) {
	for i := range b.Sections {
		for _, r := range b.Sections[i].Regions {
			m, ok := r.(*packets.PositionStream)
			if !ok || m.Count != 4 || b.Sections[i].Object != c.ID() {
				continue
			}
			if c.pings.add(b.Origin, now) {
				c.find(Unanswered, "%d position messages without an answer", outstanding)
			}
			c.tally.Pings.Add(1)
			c.pingedAt = m.Position()
			c.trackedBot.sent(c.pingedAt, now)
		}
	}
}

func (c *Client) sendKeepalive() error {
	c.watch.sent++
	return c.sendControl(&packets.Keepalive{})
}

func (c *Client) sendControl(m packets.Control) error {
	out, err := packets.AppendControl(c.out[:0], m, packets.FromClient, c.Key, c.nextSequence())
	if err != nil {
		return fmt.Errorf("bot: %w", err)
	}
	c.out = out
	return c.write(out)
}

func (c *Client) nextSequence() uint16 {
	c.sequence += 1 + uint16(c.rand.UintN(4))
	return c.sequence
}

func (c *Client) write(p []byte) error {
	if c.gone != nil {
		return c.gone
	}
	n, err := c.conn.Write(p)
	c.sent++
	c.tally.FramesOut.Add(1)
	c.tally.BytesOut.Add(uint64(n))
	if err != nil {
		return c.over(fmt.Errorf("bot: send: %w: %w", ErrClosed, err))
	}
	return nil
}
