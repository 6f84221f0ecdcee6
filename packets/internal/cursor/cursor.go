// Package cursor walks over the bytes of a message with fields that are declared once, for reading and for writing:
// All-Seeing Eye, Minecraft Query and Warcraft III. The game's own messages are of bits and have a cursor of their own.
package cursor

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A Cursor reads a message or writes one. The first failure sticks: nothing is read behind it, so that a declaration
// need not ask after each field.
type Cursor struct {
	reading bool
	buf     []byte // the message that is read; or all that has been written, the caller's bytes first
	pos     int    // reading: where the next field begins
	start   int    // writing: where the message begins
	err     error
}

// Read returns a cursor that reads a message from an offset on.
func Read(message []byte, offset int) Cursor { return Cursor{reading: true, buf: message, pos: offset} }

// Write returns a cursor that appends a message, of which the last head bytes of dst are the beginning.
func Write(dst []byte, head int) Cursor { return Cursor{buf: dst, start: len(dst) - head} }

// Reading reports whether fields are read, not written.
func (c *Cursor) Reading() bool { return c.reading }

// Offset is how far into the message the cursor has come, in bytes.
func (c *Cursor) Offset() int {
	if c.reading {
		return c.pos
	}
	return len(c.buf) - c.start
}

// Seek goes to an offset: writing, it takes back the bytes behind it.
func (c *Cursor) Seek(offset int) {
	if c.reading {
		c.pos = offset
		return
	}
	c.buf = c.buf[:c.start+offset]
}

// Left is how many bytes are not read yet, 0 after a failure.
func (c *Cursor) Left() int { return len(c.buf) - c.pos }

// Err is the first failure.
func (c *Cursor) Err() error { return c.err }

// Fail ends reading.
func (c *Cursor) Fail(err error) {
	if c.err == nil {
		c.err = err
	}
	if c.reading {
		c.pos = len(c.buf)
	}
}

// Written is the bytes written, behind the caller's bytes.
func (c *Cursor) Written() []byte { return c.buf }

// Append writes bytes.
func (c *Cursor) Append(b ...byte) { c.buf = append(c.buf, b...) }

// AppendText writes the bytes of a text.
func (c *Cursor) AppendText(s string) { c.buf = append(c.buf, s...) }

// AppendNUL writes the bytes of a text and a NUL.
func (c *Cursor) AppendNUL(s string) { c.buf = append(append(c.buf, s...), 0) }

// Appended takes the result of a function that has appended to [Cursor.Written].
func (c *Cursor) Appended(b []byte) { c.buf = b }

// Take reads n bytes; they are a part of the message. It returns nil, and reads nothing, where there are not as many.
func (c *Cursor) Take(n int) []byte {
	if n > c.Left() || c.err != nil {
		return nil
	}
	p := c.buf[c.pos : c.pos+n : c.pos+n]
	c.pos += n
	return p
}

// UntilNUL is how many bytes precede the next NUL, -1 without one.
func (c *Cursor) UntilNUL() int { return bytes.IndexByte(c.buf[c.pos:], 0) }

// Size is how many bytes a number of that type has.
func Size[T ~uint8 | ~uint16 | ~uint32]() int { return bits.Len32(uint32(^T(0))) / 8 }

// Little is a number, its low byte first. It returns false where not as many bytes are left.
func Little[T ~uint8 | ~uint16 | ~uint32](c *Cursor, p *T) bool {
	var number [4]byte
	size := Size[T]()
	if !c.reading {
		binary.LittleEndian.PutUint32(number[:], uint32(*p))
		c.buf = append(c.buf, number[:size]...)
		return true
	}
	v := c.Take(size)
	if v == nil {
		return false
	}
	copy(number[:], v)
	*p = T(binary.LittleEndian.Uint32(number[:]))
	return true
}

// Big32 is a number of four bytes, the high one first. It returns false where not as many bytes are left.
func Big32[T ~uint32 | ~int32](c *Cursor, p *T) bool {
	if !c.reading {
		c.buf = binary.BigEndian.AppendUint32(c.buf, uint32(*p))
		return true
	}
	v := c.Take(4)
	if v == nil {
		return false
	}
	*p = T(binary.BigEndian.Uint32(v))
	return true
}
