package packets

import (
	"sphereserver/bitpack"
	"sphereserver/coords"
)

// A Ping is the client's position message: the one frame that a server must answer quickly, about every 2 s for each
// client, or the client reports that there is no link. So it has a reader and a writer that allocate nothing; the
// fields are those of [Body] and [PositionStream]. Source: protocol ingame 7.1.
type Ping struct {
	Origin   coords.Origin
	Clock    uint16 // of the client, 24 per second
	Player   ObjectID
	Position coords.Position // as sent: it may be anything, see coords.Position.Check
}

const (
	pingBytes  = 38
	pongBytes  = 18
	pingMarker = 12
)

// ReadPing returns the ping that a plain client frame is, if it is one.
func ReadPing(frame []byte) (p Ping, ok bool) {
	if len(frame) != pingBytes || frame[clientHeader]&1 == 0 || FrameChannel(frame, FromClient) != ChannelGameplay {
		return p, false
	}
	var f fields
	f.r = bitpack.NewReader(frame)
	f.r.Seek(clientHeader * 8)
	var b Body
	var s Section
	b.header(&f)
	s.head(&f)
	if s.Class != ClassPlayer || f.r.Uint(markerBits) != pingMarker {
		return p, false
	}
	var m PositionStream
	m.fields(&f)
	if m.Count != 4 || f.r.Err() != nil {
		return p, false
	}
	return Ping{b.Origin, b.Clock, s.Object, m.Position()}, true
}

// AppendPong appends the answer to a ping: its origin and player, and the server's clock, 3 per second. Source:
// protocol ingame 7.2.
func AppendPong(dst []byte, p Ping, clock uint16) []byte {
	dst = append(dst, pongBytes, 0, byte(ChannelGameplay&0xFF), byte(ChannelGameplay>>8), 0)
	f := fields{mode: writing, w: bitpack.NewWriter(dst)}
	b := Body{HasOrigin: true, Origin: p.Origin, Clock: clock & MaxClock}
	s := Section{Object: p.Player, Class: ClassPlayer}
	b.header(&f)
	s.head(&f)
	f.w.Uint(pingMarker, markerBits)
	var m PositionStream
	m.fields(&f)
	out, err := f.w.Finish()
	if err != nil {
		// A number read from as many bits fits into them again.
		panic(err)
	}
	return out
}

// PingBody returns the body of a ping, for clients.
func PingBody(player ObjectID, clock uint16, at coords.Position) *Body {
	m := &PositionStream{Count: 4}
	m.Values[0], m.Values[1], m.Values[2], m.Values[3] = at.X, at.Y, at.Z, at.Yaw
	return &Body{HasOrigin: true, Origin: at.Origin(), Clock: clock & MaxClock,
		Sections: []Section{{player, ClassPlayer, []Region{m}}}}
}

// A ClassicPong answers pings as the published article does: the request's own bytes, with a counter in place of two of
// them. The counter stands over the upper 13 bits of the clock and the lowest 3 bits of the player's id; the article's
// constant 0xE001 is right for ids that end in 111 alone, so the id's own bits are used here, which gives the same
// bytes for those. Source: protocol session 9.4, ingame 7.2.
type ClassicPong struct {
	counter uint16 // 1 to 0x1FFF, 0 before the first answer
	odd     bool
}

// Append appends the answer to a plain frame that [ReadPing] has accepted.
func (c *ClassicPong) Append(dst, ping []byte, player ObjectID) []byte {
	p := ping[clientHeader:]
	if c.counter == 0 {
		clock := (uint16(p[6]) | uint16(p[7])<<8) & 0x1FFF
		c.counter = 1 + (clock-1)/12
	}
	n := c.counter | uint16(player&7)<<13
	if c.counter++; c.counter > 0x1FFF {
		c.counter = 1
	}
	fifth := p[5]
	if c.odd {
		fifth ^= 0x80
	}
	c.odd = !c.odd
	return append(dst, pongBytes, 0, byte(ChannelGameplay&0xFF), byte(ChannelGameplay>>8), 0,
		p[0], p[1], p[2], p[3], p[4], fifth, byte(n), byte(n>>8), p[8], p[9], p[10], p[11], 0)
}
