package bitpack

import (
	"encoding/binary"
	"math"
)

// A Reader reads bits from a slice. The zero value reads nothing; use [NewReader] or [Reader.Reset].
type Reader struct {
	data []byte
	pos  int // next bit
	end  int // bits in data
	err  error
}

// NewReader returns a Reader of data. It keeps the slice and never writes to it.
func NewReader(data []byte) Reader {
	return Reader{data: data, end: len(data) * 8}
}

// Reset makes r read data from its first bit, forgetting any error.
func (r *Reader) Reset(data []byte) { *r = NewReader(data) }

// Err returns the first error, an [*Error], or nil.
func (r *Reader) Err() error { return r.err }

// Fail makes err the reader's error if it has none yet: for rules that only the caller knows.
func (r *Reader) Fail(err error) {
	if r.err == nil {
		r.err = err
	}
}

// Pos returns the position of the next bit.
func (r *Reader) Pos() int { return r.pos }

// Left returns how many bits have not been read.
func (r *Reader) Left() int { return r.end - r.pos }

// Seek moves to bit pos, 0 to the number of bits in the data; outside of that it fails.
func (r *Reader) Seek(pos int) {
	if pos < 0 || pos > r.end {
		r.short(pos - r.pos)
		return
	}
	r.pos = pos
}

// Limit makes the data end n bits from here, if it does not end sooner anyway, and returns the old end
// for [Reader.Unlimit]: the reader of an inner part cannot go beyond it.
func (r *Reader) Limit(n int) (end int) {
	end = r.end
	if n < r.end-r.pos {
		r.end = r.pos + max(n, 0)
	}
	return end
}

// Unlimit undoes a Limit.
func (r *Reader) Unlimit(end int) { r.end = min(end, len(r.data)*8) }

// Again returns a Reader of the same data without its error, at bit pos: for a caller that tries one layout after
// another.
func (r *Reader) Again(pos int) Reader {
	return Reader{data: r.data, end: r.end, pos: min(max(pos, 0), r.end)}
}

func (r *Reader) short(want int) {
	if r.err == nil {
		r.err = &Error{Op: "read", Bit: r.pos, Want: want, Have: r.end - r.pos, Err: ErrShort}
	}
	r.pos = r.end
}

// Uint reads an unsigned number of n bits, 0 to 32, least significant bit first. After an error it returns 0.
func (r *Reader) Uint(n int) uint32 {
	if n > r.end-r.pos || r.err != nil || uint(n) > MaxBits {
		r.short(n)
		return 0
	}
	i := r.pos >> 3
	shift := uint(r.pos & 7)
	r.pos += n
	// 32 bits at any of 8 shifts lie within 5 bytes; one 8-byte load serves all but the data's end.
	if i+8 <= len(r.data) {
		return uint32(binary.LittleEndian.Uint64(r.data[i:]) >> shift & (1<<uint(n) - 1))
	}
	var acc uint64
	for k := len(r.data) - 1; k >= i; k-- {
		acc = acc<<8 | uint64(r.data[k])
	}
	return uint32(acc >> shift & (1<<uint(n) - 1))
}

// Int reads a two's complement number of n bits, 1 to 32.
func (r *Reader) Int(n int) int32 {
	return int32(r.Uint(n)<<uint(MaxBits-n)) >> uint(MaxBits-n)
}

// Bool reads one bit.
func (r *Reader) Bool() bool { return r.Uint(1) != 0 }

// Float32 reads an IEEE-754 single, its 32 bits least significant first.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint(32)) }

// Peek returns the next n bits, 0 to 32, without consuming them; ok is false where fewer are left.
func (r *Reader) Peek(n int) (v uint32, ok bool) {
	if n > r.end-r.pos || r.err != nil {
		return 0, false
	}
	pos := r.pos
	v = r.Uint(n)
	r.pos = pos
	return v, true
}

// Bytes fills p with the next len(p) bytes.
func (r *Reader) Bytes(p []byte) {
	if len(p)*8 > r.end-r.pos || r.err != nil {
		r.short(len(p) * 8)
		return
	}
	i := r.pos >> 3
	shift := uint(r.pos & 7)
	r.pos += len(p) * 8
	if shift == 0 {
		copy(p, r.data[i:])
		return
	}
	src := r.data[i:]
	for len(p) >= 4 && len(src) >= 8 {
		binary.LittleEndian.PutUint32(p, uint32(binary.LittleEndian.Uint64(src)>>shift))
		p, src = p[4:], src[4:]
	}
	for k := range p {
		p[k] = src[k]>>shift | src[k+1]<<(8-shift)
	}
}

// Varint reads a number of sign, width selector and magnitude (6, 10, 17 or 34 bits) and the selector that it travelled
// with, 0 to 3. A magnitude of 31 bits with the sign set reaches -(2^31-1). Source: protocol ingame 2.2.
func (r *Reader) Varint() (v int32, selector uint8) {
	head := r.Uint(3)
	selector = uint8(head >> 1)
	v = int32(r.Uint(varintWidth[selector&3]))
	if head&1 != 0 {
		v = -v
	}
	return v, selector
}
