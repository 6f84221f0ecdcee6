package bitpack

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// A Writer appends bits to a slice. Bits gather in a 64-bit accumulator and leave it eight bytes at a
// time, so the slice is complete only after [Writer.Finish].
type Writer struct {
	out  []byte
	acc  uint64
	held uint // bits in acc, at most 63 between calls
	base int  // len(out) at the start: positions count from there
	err  error
}

// NewWriter returns a Writer that appends to dst, beginning with the first bit of the next byte.
func NewWriter(dst []byte) Writer {
	return Writer{out: dst, base: len(dst)}
}

// Reset makes w append to dst, forgetting any error.
func (w *Writer) Reset(dst []byte) { *w = NewWriter(dst) }

// Err returns the first error, or nil.
func (w *Writer) Err() error { return w.err }

// Fail makes err the writer's error if it has none yet: for rules that only the caller knows.
func (w *Writer) Fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// Pos returns how many bits have been written since NewWriter or Reset.
func (w *Writer) Pos() int { return (len(w.out)-w.base)*8 + int(w.held) }

// Uint writes the low n bits of v, 0 to 32, least significant bit first. A value that needs more than n
// bits is an error, found here and not by a player.
func (w *Writer) Uint(v uint32, n int) {
	if uint(n) > MaxBits || !w.TryUint(v, n) {
		w.spill(v, n)
	}
}

// TryUint is Uint where that is a matter of the accumulator alone, about half of all cases; where it returns false
// Uint is to be called. It is small enough to be inlined, and does not look whether n is 0 to 32.
func (w *Writer) TryUint(v uint32, n int) bool {
	held := w.held + uint(n)
	if held > 63 || uint64(v)>>uint(n) != 0 {
		return false
	}
	w.acc |= uint64(v) << w.held
	w.held = held
	return true
}

// spill is Uint where the accumulator gets full, or where the value does not fit.
func (w *Writer) spill(v uint32, n int) {
	if uint(n) > MaxBits || uint64(v)>>uint(n) != 0 {
		w.wide(v, n)
		return
	}
	w.out = binary.LittleEndian.AppendUint64(w.out, w.acc|uint64(v)<<w.held)
	w.acc = uint64(v) >> (64 - w.held)
	w.held += uint(n) - 64
}

func (w *Writer) wide(v uint32, n int) {
	w.Fail(&Error{Op: "write", Bit: w.Pos(), Want: n, Have: bits.Len32(v), Err: ErrRange})
}

// Int writes v as a two's complement number of n bits, 1 to 32.
func (w *Writer) Int(v int32, n int) {
	if min := int64(-1) << uint(n-1); int64(v) < min || int64(v) > -min-1 {
		w.Fail(&Error{Op: "write", Bit: w.Pos(), Want: n, Have: bits.Len32(uint32(max(v, ^v))) + 1, Err: ErrRange})
		return
	}
	w.Uint(uint32(v)&uint32(1<<uint(n)-1), n)
}

// Bool writes one bit.
func (w *Writer) Bool(v bool) {
	var b uint32
	if v {
		b = 1
	}
	w.Uint(b, 1)
}

// Float32 writes the 32 bits of an IEEE-754 single, least significant first.
func (w *Writer) Float32(v float32) { w.Uint(math.Float32bits(v), 32) }

// Bytes writes whole bytes at the current bit.
func (w *Writer) Bytes(p []byte) {
	for len(p) >= 4 {
		w.Uint(binary.LittleEndian.Uint32(p), 32)
		p = p[4:]
	}
	for _, b := range p {
		w.Uint(uint32(b), 8)
	}
}

var varintWidth = [4]int{3, 7, 14, 31}

// VarintSelector returns the smallest width selector that holds v: 0, 1, 2 or 3.
func VarintSelector(v int32) uint8 {
	switch m := magnitude(v); {
	case m < 1<<3:
		return 0
	case m < 1<<7:
		return 1
	case m < 1<<14:
		return 2
	}
	return 3
}

func magnitude(v int32) uint32 {
	if v < 0 {
		return uint32(-int64(v))
	}
	return uint32(v)
}

// Varint writes v in the smallest form that holds it. The one value without a form is -2^31.
func (w *Writer) Varint(v int32) { w.VarintAs(v, VarintSelector(v), v < 0) }

// VarintAs writes v with the given width selector and sign bit: recorded frames hold numbers in wider forms
// than they need, and negative zeros.
func (w *Writer) VarintAs(v int32, selector uint8, negative bool) {
	head := uint32(selector) << 1
	if negative {
		head |= 1
	}
	n := varintWidth[selector&3]
	m := magnitude(v)
	if m>>uint(n) != 0 || n > MaxBits-3 {
		w.Uint(head, 3)
		w.Uint(m, n)
		return
	}
	if u := head | m<<3; !w.TryUint(u, n+3) {
		w.Uint(u, n+3)
	}
}

// Patch makes n bits at bit pos, which were written as zeros, the number v: for counts that are known only behind the
// items that they count.
func (w *Writer) Patch(pos int, v uint32, n int) {
	if uint(n) > MaxBits || uint64(v)>>uint(n) != 0 {
		w.Fail(&Error{Op: "write", Bit: pos, Want: n, Have: bits.Len32(v), Err: ErrRange})
		return
	}
	rest := uint64(v) << uint(pos&7)
	i := w.base + pos>>3
	for ; rest != 0 && i < len(w.out); i++ {
		w.out[i] |= byte(rest)
		rest >>= 8
	}
	if rest != 0 {
		w.acc |= rest << uint((i-len(w.out))*8)
	}
}

// Finish fills the last byte with zero bits and returns the slice, or the first error and nil.
func (w *Writer) Finish() ([]byte, error) {
	for w.held > 0 {
		w.out = append(w.out, byte(w.acc))
		w.acc >>= 8
		w.held -= min(8, w.held)
	}
	if w.err != nil {
		return nil, w.err
	}
	return w.out, nil
}
