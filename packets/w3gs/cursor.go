package w3gs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/netip"
	"strings"
	"sync"
)

// A FieldError says what is wrong with a packet, and where.
type FieldError struct {
	Packet string // name and opcode: "search (0x2F)"
	Part   string // of the packet, for what is encoded inside of it: "stat string"; else empty
	Offset int    // in bytes from the packet's, or the part's, first
	Err    error  // what was expected and what was found
}

// Error names packet, place and mistake.
func (e *FieldError) Error() string {
	where := fmt.Sprintf("byte %d", e.Offset)
	if e.Part != "" {
		where = fmt.Sprintf("%s, byte %d", e.Part, e.Offset)
	}
	if e.Packet == "" {
		return fmt.Sprintf("%s: %v", where, e.Err)
	}
	return fmt.Sprintf("%s: %s: %v", e.Packet, where, e.Err)
}

// Unwrap returns the mistake.
func (e *FieldError) Unwrap() error { return e.Err }

// ErrChecksum is wrapped by the error of a packet whose CRC does not fit its data.
var ErrChecksum = errors.New("wrong checksum")

// cursor walks over the fields of a message, declared once for both ways: it reads them or writes them. The first error
// sticks.
type cursor struct {
	reading bool
	b       []byte // the packet that is read; or all that has been written, the caller's bytes first
	at      int    // reading: where the next field begins
	start   int    // writing: where the packet begins
	part    string // see FieldError
	err     error
	scratch []byte // for what is encoded once more
}

var cursors = sync.Pool{New: func() any { return new(cursor) }}

// offset is how far into the packet the cursor has come.
func (c *cursor) offset() int {
	if c.reading {
		return c.at
	}
	return len(c.b) - c.start
}

func (c *cursor) fail(format string, args ...any) { c.failAt(c.offset(), fmt.Errorf(format, args...)) }

func (c *cursor) failAt(offset int, err error) {
	if c.err == nil {
		c.err = &FieldError{Part: c.part, Offset: offset, Err: err}
	}
	c.at = len(c.b) // nothing is read any more
}

// left is how many bytes are not read yet.
func (c *cursor) left() int { return len(c.b) - c.at }

// take reads n bytes; they are a part of the packet. Without so many it fails.
func (c *cursor) take(n int) []byte {
	if c.err != nil {
		return nil
	}
	if n > c.left() {
		c.fail("expected %d bytes, %d are left", n, c.left())
		return nil
	}
	p := c.b[c.at : c.at+n : c.at+n]
	c.at += n
	return p
}

// u8 is a number of one byte.
func u8[T ~uint8](c *cursor, p *T) {
	if !c.reading {
		c.b = append(c.b, byte(*p))
		return
	}
	if v := c.take(1); v != nil {
		*p = T(v[0])
	}
}

// u16 is a number of two bytes.
func u16[T ~uint16](c *cursor, p *T) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint16(c.b, uint16(*p))
		return
	}
	if v := c.take(2); v != nil {
		*p = T(binary.LittleEndian.Uint16(v))
	}
}

// u32 is a number of four bytes.
func u32[T ~uint32](c *cursor, p *T) {
	if !c.reading {
		c.b = binary.LittleEndian.AppendUint32(c.b, uint32(*p))
		return
	}
	if v := c.take(4); v != nil {
		*p = T(binary.LittleEndian.Uint32(v))
	}
}

// one32, zero8 and zero16 are numbers that have one known value.
func (c *cursor) one32() {
	v := uint32(1)
	u32(c, &v)
	if v != 1 {
		c.failAt(c.offset()-4, fmt.Errorf("expected 1, found %d", v))
	}
}

func (c *cursor) zero8() {
	var v uint8
	u8(c, &v)
	if v != 0 {
		c.failAt(c.offset()-1, fmt.Errorf("expected 0, found %d", v))
	}
}

func (c *cursor) zero16() {
	var v uint16
	u16(c, &v)
	if v != 0 {
		c.failAt(c.offset()-2, fmt.Errorf("expected 0, found %d", v))
	}
}

// bounded fails unless a length or count just read, or to be written, is in its bounds.
func (c *cursor) bounded(what string, n, lo, hi int) bool {
	if c.err == nil && (n < lo || n > hi) {
		c.fail("expected %s of %d to %d, found %d", what, lo, hi, n)
	}
	return c.err == nil
}

// count is a number of things, lo to hi; have are there to be written.
func (c *cursor) count(what string, have, lo, hi int) (n int, ok bool) {
	v := uint8(min(have, 255))
	u8(c, &v)
	if c.err == nil && (int(v) < lo || int(v) > hi) {
		c.failAt(c.offset()-1, fmt.Errorf("expected %s of %d to %d, found %d", what, lo, hi, v))
	}
	return int(v), c.err == nil
}

// text is bytes up to and with their NUL, lo to hi of them without it.
//
// Source: protocol w3gs 1.
func (c *cursor) text(p *string, lo, hi int) {
	if !c.reading {
		if strings.IndexByte(*p, 0) >= 0 {
			c.fail("text %q has a NUL inside", *p)
		}
		if c.bounded("a text", len(*p), lo, hi) {
			c.b = append(append(c.b, *p...), 0)
		}
		return
	}
	if c.err != nil {
		return
	}
	n := bytes.IndexByte(c.b[c.at:], 0)
	if n < 0 {
		c.fail("text has no end")
		return
	}
	if c.bounded("a text", n, lo, hi) {
		*p = string(c.take(n))
		c.at++
	}
}

// bytes fills or writes an array.
func (c *cursor) bytes(p []byte) {
	if !c.reading {
		c.b = append(c.b, p...)
		return
	}
	copy(p, c.take(len(p)))
}

// some is n bytes; read, they are a part of the packet.
func (c *cursor) some(p *[]byte, n int) {
	if !c.reading {
		c.b = append(c.b, *p...)
		return
	}
	if *p = c.take(n); n == 0 {
		*p = nil
	}
}

// rest is all that is left, lo to hi bytes; read, it is a part of the packet.
func (c *cursor) rest(p *[]byte, lo, hi int) {
	n := len(*p)
	if c.reading {
		n = c.left()
	}
	if c.bounded("data", n, lo, hi) {
		c.some(p, n)
	}
}

// summed is the CRC-32 of all that is left, and that, lo to hi bytes; read, they are a part of the packet.
func (c *cursor) summed(p *[]byte, lo, hi int) {
	var sum uint32
	if !c.reading {
		sum = crc32.ChecksumIEEE(*p)
	}
	at := c.offset()
	u32(c, &sum)
	c.rest(p, lo, hi)
	if !c.reading || c.err != nil {
		return
	}
	if want := crc32.ChecksumIEEE(*p); sum != want {
		c.failAt(at, fmt.Errorf("%w: expected 0x%08X for %d bytes, found 0x%08X", ErrChecksum, want, len(*p), sum))
	}
}

// extra is a count and that many bytes, which all known programs leave zero. Nil is written as one.
//
// Source: protocol w3gs 4.5, 4.11.
func (c *cursor) extra(p *[]byte) {
	if !c.reading && *p == nil {
		c.b = append(c.b, 1, 0)
		return
	}
	n := uint8(min(len(*p), 255))
	u8(c, &n)
	if c.reading {
		*p = []byte{}
	}
	if n > 0 {
		c.some(p, int(n))
	}
}

// players is a list of player IDs behind its count; read, it is a part of the packet.
func (c *cursor) players(p *[]PlayerID, lo int) {
	n, ok := c.count("a list of players", len(*p), lo, maxSlots)
	if !ok {
		return
	}
	if !c.reading {
		for _, id := range *p {
			c.b = append(c.b, byte(id))
		}
		return
	}
	ids := c.take(n)
	if cap(*p) < len(ids) {
		*p = make([]PlayerID, 0, len(ids))
	}
	*p = (*p)[:0]
	for _, id := range ids {
		*p = append(*p, PlayerID(id))
	}
}

// address is a socket address of 16 bytes. No address is 16 zeros.
//
//	bytes 0-1   family, 2 for IPv4
//	bytes 2-3   port, high byte first
//	bytes 4-7   address
//	bytes 8-15  zero
//
// Source: protocol w3gs 1.2.
func (c *cursor) address(p *netip.AddrPort) {
	if !c.reading {
		a := p.Addr().Unmap()
		switch {
		case !p.IsValid():
			c.b = append(c.b, make([]byte, 16)...)
		case !a.Is4():
			c.fail("expected an IPv4 address, found %s", *p)
		default:
			ip := a.As4()
			c.b = append(c.b, 2, 0, byte(p.Port()>>8), byte(p.Port()), ip[0], ip[1], ip[2], ip[3])
			c.b = append(c.b, make([]byte, 8)...)
		}
		return
	}
	at := c.at
	v := c.take(16)
	if v == nil {
		return
	}
	*p = netip.AddrPort{}
	family := binary.LittleEndian.Uint16(v)
	rest := 2 // from which byte on all is to be zero
	if family == 2 {
		rest = 8
		*p = netip.AddrPortFrom(netip.AddrFrom4([4]byte(v[4:8])), binary.BigEndian.Uint16(v[2:]))
	} else if family != 0 {
		c.failAt(at, fmt.Errorf("expected an address of family 2 or none, found family %d", family))
		return
	}
	for i := rest; i < 16; i++ {
		if v[i] != 0 {
			c.failAt(at+i, fmt.Errorf("expected 0 in an address of family %d, found %d", family, v[i]))
			return
		}
	}
}
