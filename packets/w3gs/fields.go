package w3gs

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"sphereserver/packets/internal/cursor"
)

// A FieldError is a fault of a packet, and its place.
type FieldError struct {
	Packet string // name and opcode: "search (0x2F)"
	Part   string // of the packet, for fields that are encoded inside of it: "stat string"; else empty
	Offset int    // in bytes from the packet's, or the part's, first
	Err    error  // the expected and the found value
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

// ErrChecksum is wrapped by the error of a packet with a CRC that does not fit its data.
var ErrChecksum = errors.New("wrong checksum")

// fields is the cursor that walks over the fields of a message, declared once for both ways.
type fields struct {
	cursor.Cursor
	part    string // see FieldError
	scratch []byte // for fields that are encoded once more
}

// pool keeps cursors with their scratch.
var pool = sync.Pool{New: func() any { return new(fields) }}

func (f *fields) fail(format string, args ...any) {
	if f.Err() == nil {
		f.failAt(f.Offset(), fmt.Errorf(format, args...))
	}
}

func (f *fields) failAt(offset int, err error) {
	f.Fail(&FieldError{Part: f.part, Offset: offset, Err: err})
}

// end fails where bytes are left.
func (f *fields) end() {
	if n := f.Left(); f.Reading() && n > 0 {
		f.fail("expected the end, %d bytes are left", n)
	}
}

// take reads n bytes; they are a part of the packet.
func (f *fields) take(n int) []byte {
	p := f.Take(n)
	if p == nil && n > 0 {
		f.fail("expected %d bytes, %d are left", n, f.Left())
	}
	return p
}

// num is numbers of 8, 16 or 32 bits.
func num[T ~uint8 | ~uint16 | ~uint32](f *fields, numbers ...*T) {
	for _, p := range numbers {
		if !cursor.Little(&f.Cursor, p) {
			f.fail("expected %d bytes, %d are left", cursor.Size[T](), f.Left())
		}
	}
}

// known is a number that has one known value.
func known[T uint8 | uint16 | uint32](f *fields, want T) {
	at, v := f.Offset(), want
	if num(f, &v); v != want {
		f.failAt(at, fmt.Errorf("expected %d, found %d", want, v))
	}
}

// bounded fails unless a length or count just read, or to be written, is in its bounds.
func (f *fields) bounded(what string, n, lo, hi int) bool {
	if f.Err() == nil && (n < lo || n > hi) {
		f.fail("expected %s of %d to %d, found %d", what, lo, hi, n)
	}
	return f.Err() == nil
}

// count is a number of things, lo to hi; have are there to be written.
func (f *fields) count(what string, have, lo, hi int) (n int, ok bool) {
	v := uint8(min(have, 255))
	num(f, &v)
	if f.Err() == nil && (int(v) < lo || int(v) > hi) {
		f.failAt(f.Offset()-1, fmt.Errorf("expected %s of %d to %d, found %d", what, lo, hi, v))
	}
	return int(v), f.Err() == nil
}

// text is bytes up to and with their NUL, lo to hi of them without it. Source: protocol w3gs 1.
func (f *fields) text(p *string, lo, hi int) {
	if !f.Reading() {
		if strings.IndexByte(*p, 0) >= 0 {
			f.fail("text %q has a NUL inside", *p)
		}
		if f.bounded("a text", len(*p), lo, hi) {
			f.AppendNUL(*p)
		}
		return
	}
	n := f.UntilNUL()
	if n < 0 {
		f.fail("text has no end")
		return
	}
	if f.bounded("a text", n, lo, hi) {
		*p = string(f.Take(n))
		f.Take(1)
	}
}

// bytes fills or writes an array.
func (f *fields) bytes(p []byte) {
	if !f.Reading() {
		f.Append(p...)
		return
	}
	copy(p, f.take(len(p)))
}

// some is n bytes; read, they are a part of the packet.
func (f *fields) some(p *[]byte, n int) {
	if !f.Reading() {
		f.Append(*p...)
		return
	}
	if *p = f.take(n); n == 0 {
		*p = nil
	}
}

// rest is all that is left, lo to hi bytes; read, it is a part of the packet.
func (f *fields) rest(p *[]byte, lo, hi int) {
	n := len(*p)
	if f.Reading() {
		n = f.Left()
	}
	if f.bounded("data", n, lo, hi) {
		f.some(p, n)
	}
}

// body is a whole packet behind its header, of which nothing is known.
func (f *fields) body(p *[]byte) { f.rest(p, 0, MaxPacket-HeaderSize) }

// summed is the CRC-32 of all that is left, or the low half of it, and that, lo to hi bytes; read, they are a part of
// the packet.
func summed[T uint16 | uint32](f *fields, p *[]byte, lo, hi int) {
	at := f.Offset()
	var sum T
	if !f.Reading() {
		sum = T(crc32.ChecksumIEEE(*p))
	}
	num(f, &sum)
	f.rest(p, lo, hi)
	if !f.Reading() || f.Err() != nil {
		return
	}
	if want := T(crc32.ChecksumIEEE(*p)); sum != want {
		digits := 2 * cursor.Size[T]()
		f.failAt(at, fmt.Errorf("%w: expected 0x%0*X for %d bytes, found 0x%0*X", ErrChecksum, digits, want, len(*p),
			digits, sum))
	}
}

// extra is a count and that many bytes, which all known programs leave zero. Nil is written as one.
// Source: protocol w3gs 4.5, 4.11.
func (f *fields) extra(p *[]byte) {
	if !f.Reading() && *p == nil {
		f.Append(1, 0)
		return
	}
	n := uint8(min(len(*p), 255))
	num(f, &n)
	if f.Reading() {
		*p = []byte{}
	}
	if n > 0 {
		f.some(p, int(n))
	}
}

// players is a list of player IDs behind its count.
func (f *fields) players(p *[]PlayerID, lo int) {
	n, ok := f.count("a list of players", len(*p), lo, maxSlots)
	if !ok {
		return
	}
	if !f.Reading() {
		for _, id := range *p {
			f.Append(byte(id))
		}
		return
	}
	ids := f.take(n)
	*p = slices.Grow((*p)[:0], len(ids))
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
func (f *fields) address(p *netip.AddrPort) {
	if !f.Reading() {
		var b [16]byte
		if a := p.Addr().Unmap(); a.Is4() {
			ip := a.As4()
			b = [16]byte{2, 0, byte(p.Port() >> 8), byte(p.Port()), ip[0], ip[1], ip[2], ip[3]}
		} else if p.IsValid() {
			f.fail("expected an IPv4 address, found %s", *p)
			return
		}
		f.Append(b[:]...)
		return
	}
	at, v := f.Offset(), f.take(16)
	if v == nil {
		return
	}
	*p = netip.AddrPort{}
	zeros := 2 // from which byte on all is to be zero
	family := binary.LittleEndian.Uint16(v)
	if family == 2 {
		zeros = 8
		*p = netip.AddrPortFrom(netip.AddrFrom4([4]byte(v[4:8])), binary.BigEndian.Uint16(v[2:]))
	} else if family != 0 {
		f.failAt(at, fmt.Errorf("expected an address of family 2 or none, found family %d", family))
		return
	}
	for i := zeros; i < len(v); i++ {
		if v[i] != 0 {
			f.failAt(at+i, fmt.Errorf("expected 0 in an address of family %d, found %d", family, v[i]))
			return
		}
	}
}
