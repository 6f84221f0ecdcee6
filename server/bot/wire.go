package bot

import (
	"encoding/binary"
	"fmt"
	"time"

	"sphereserver/bitpack"
	"sphereserver/coords"
	"sphereserver/packets"
)

// A stream cuts received bytes into frames.
type stream struct {
	buf  []byte
	r, w int // read and written up to
}

// streamBytes is enough for all common frames; longer ones make the buffer grow while they last.
const streamBytes = 1 << 10

// next returns the first whole frame, or nil. It is valid until space is called.
func (s *stream) next() ([]byte, error) {
	frame, err := packets.CutFrame(s.buf[s.r:s.w], packets.FromServer)
	s.r += len(frame)
	return frame, err
}

func (s *stream) space() []byte {
	switch {
	case s.r == s.w:
		s.r, s.w = 0, 0
		if len(s.buf) != streamBytes {
			s.buf = make([]byte, streamBytes)
		}
	case s.r > 0:
		s.w = copy(s.buf, s.buf[s.r:s.w])
		s.r = 0
	}
	if s.w == len(s.buf) {
		s.buf = append(s.buf, make([]byte, len(s.buf))...)
	}
	return s.buf[s.w:]
}

func (s *stream) got(n int) { s.w += n }

func (s *stream) left() int { return s.w - s.r }

// Parts of the server's frames, protocol ingame 1.2, 7.1 and 7.2.
const (
	pongBytes      = 18
	keepaliveBytes = 4
	bodyBit        = 40
	originXBits    = 16 // z too
	originYBits    = 13
	clockBits      = 15
	objectBits     = 18
	classBits      = 12
	markerBits     = 7
	streamMarker   = 12
	updateMarker   = 2
	nextMarker     = 63
)

// A reading walks over a server frame's body without decoding it.
type reading struct {
	r      bitpack.Reader
	moving bool // has an origin
	origin coords.Origin
	clock  uint16
}

// readHead reads a body's header; ok is false for frames of other channels.
func readHead(frame []byte) (h reading, ok bool) {
	if len(frame) < pongBytes || frame[2] != byte(packets.ChannelGameplay&0xFF) ||
		frame[3] != byte(packets.ChannelGameplay>>8) || frame[4] != 0 {
		return h, false
	}
	h.r = bitpack.NewReader(frame)
	h.r.Seek(bodyBit)
	if h.moving = h.r.Bool(); h.moving {
		h.origin.X = int32(h.r.Uint(originXBits)) + coords.MinX
		h.origin.Y = int32(h.r.Uint(originYBits)) + coords.MinY
		h.origin.Z = int32(h.r.Uint(originXBits)) + coords.MinX
	}
	h.clock = uint16(h.r.Uint(clockBits))
	return h, true
}

// section reads the head of a section and its first marker.
func (h *reading) section() (packets.ObjectID, packets.Class, uint32) {
	id := packets.ObjectID(h.r.Uint(objectBits))
	class := packets.Class(h.r.Uint(classBits))
	return id, class, h.r.Uint(markerBits)
}

// readPong reads the answer to a position message, if the frame is one. Source: protocol ingame 7.2.
func readPong(frame []byte) (origin coords.Origin, clock uint16, player packets.ObjectID, ok bool) {
	if len(frame) != pongBytes {
		return
	}
	h, ok := readHead(frame)
	if !ok || !h.moving {
		return origin, 0, 0, false
	}
	id, class, marker := h.section()
	if class != packets.ClassPlayer || marker != streamMarker || h.r.Uint(h.r.Left()) != 0 || h.r.Err() != nil {
		return origin, 0, 0, false
	}
	return h.origin, h.clock, id, true
}

func isKeepalive(frame []byte) bool {
	return len(frame) == keepaliveBytes && packets.FrameChannel(frame, packets.FromServer) == packets.ChannelKeepalive
}

// isClassicTime reports whether the frame is the article's 15-second frame, which no grammar reads: a clock that is
// addressed to the player by mistake. Source: protocol ingame 7.5.
func isClassicTime(frame []byte) bool {
	const head, tail = "\x10\x00\x2C\x01\x00\x00\x04", "\x08\x40\x81\x93\xEE\xE4\x08"
	return len(frame) == len(head)+2+len(tail) && string(frame[:len(head)]) == head && string(frame[len(head)+2:]) == tail
}

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

// SendRaw sends bytes as they are: anything that a test wants a server to meet.
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
			c.trail.add(c.pingedAt)
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
