package bitpack

import (
	"encoding/binary"
	"slices"
)

type unsigned interface {
	~uint8 | ~uint16 | ~uint32
}

// WriteEach writes numbers of n bits each, 1 to 32, one behind the other: [Writer.Uint] for all of them at once.
func WriteEach[T unsigned](w *Writer, values []T, n int) {
	var all T
	for _, v := range values {
		all |= v
	}
	if uint64(all)>>uint(n) != 0 {
		for _, v := range values {
			w.Uint(uint32(v), n) // up to the error, and the bits behind it
		}
		return
	}
	acc, held := w.acc, w.held
	full := int(held) + n*len(values)
	w.out = slices.Grow(w.out, full/8+8)
	room := w.out[len(w.out):cap(w.out)]
	at := 0
	add := func(u uint64, n uint) {
		acc |= u << held
		if held += n; held >= 64 {
			binary.LittleEndian.PutUint64(room[at:], acc)
			at += 8
			held -= 64
			acc = u >> (n - held)
		}
	}
	// Two at a time, since each step waits for the one before.
	i := 0
	for ; i+1 < len(values); i += 2 {
		add(uint64(values[i])|uint64(values[i+1])<<uint(n), 2*uint(n))
	}
	if i < len(values) {
		add(uint64(values[i]), uint(n))
	}
	w.acc, w.held, w.out = acc, held, w.out[:len(w.out)+at]
}

// ReadEach fills values with numbers of n bits each, 1 to 32: [Reader.Uint] for all of them at once.
func ReadEach[T unsigned](r *Reader, values []T, n int) {
	if r.err != nil || n*len(values) > r.end-r.pos {
		for i := range values {
			values[i] = T(r.Uint(n)) // up to the error
		}
		return
	}
	pos, mask := r.pos, uint64(1)<<uint(n)-1
	i := 0
	for ; i < len(values) && pos>>3+8 <= len(r.data); i++ {
		values[i] = T(binary.LittleEndian.Uint64(r.data[pos>>3:]) >> uint(pos&7) & mask)
		pos += n
	}
	r.pos = pos
	for ; i < len(values); i++ {
		values[i] = T(r.Uint(n))
	}
}
