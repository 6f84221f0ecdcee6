package capture

import (
	"bytes"
	"time"

	"sphereserver/packets"
)

// A framer cuts the bytes of one direction into frames. Where bytes are missing, or a length field cannot be right, it
// looks for the next place where frames begin again.
type framer struct {
	dir    packets.Direction
	buf    []byte
	marks  []mark // when the bytes came
	adrift bool   // no frame is known to begin at the start of buf
	stray  int    // bytes passed over since then
}

// A mark says when the bytes from an offset on came.
type mark struct {
	offset int
	at     time.Time
}

// push takes the next bytes. Frame gets every whole frame, which is its own, with the time of its first byte;
// strayed, how many bytes belonged to none.
func (c *framer) push(data []byte, at time.Time, lost int,
	frame func([]byte, time.Time), strayed func(lost, stray int)) {
	if lost > 0 {
		strayed(lost, c.stray+len(c.buf))
		c.buf, c.marks, c.stray, c.adrift = c.buf[:0], c.marks[:0], 0, true
	}
	c.marks = append(c.marks, mark{len(c.buf), at})
	c.buf = append(c.buf, data...)
	for {
		if c.adrift {
			n, found := seekFrame(c.buf, c.dir)
			c.drop(n)
			c.stray += n
			if !found {
				return
			}
			c.adrift = false
			if c.stray > 0 {
				strayed(0, c.stray)
				c.stray = 0
			}
		}
		one, err := packets.CutFrame(c.buf, c.dir)
		if err != nil {
			c.drop(1)
			c.adrift, c.stray = true, 1
			continue
		}
		if one == nil {
			return
		}
		frame(bytes.Clone(one), c.marks[0].at)
		c.drop(len(one))
	}
}

// drop forgets the first n bytes.
func (c *framer) drop(n int) {
	if n == 0 {
		return
	}
	c.buf = append(c.buf[:0], c.buf[n:]...)
	k := 0
	for k+1 < len(c.marks) && c.marks[k+1].offset <= n {
		k++
	}
	c.marks = append(c.marks[:0], c.marks[k:]...)
	for i := range c.marks {
		c.marks[i].offset = max(c.marks[i].offset-n, 0)
	}
	if len(c.buf) == 0 {
		c.marks = c.marks[:0]
	}
}

// seekFrame returns where a frame seems to begin: a length and a channel that can be, and if the frame that follows is
// in sight, the same there. Found is false where more bytes are needed; at is then how many can be passed over.
func seekFrame(buf []byte, dir packets.Direction) (at int, found bool) {
	need := ways[dir].min
	for ; len(buf)-at >= need; at++ {
		rest := buf[at:]
		if !plausible(rest, dir) {
			continue
		}
		n := int(rest[0]) | int(rest[1])<<8
		if len(rest)-n < need || plausible(rest[n:], dir) {
			return at, true
		}
	}
	return at, false
}

// plausible reports whether bytes can be the beginning of a frame.
func plausible(b []byte, dir packets.Direction) bool {
	w, n := ways[dir], int(b[0])|int(b[1])<<8
	if n < w.min || n > w.max || !knownChannel(b, dir) {
		return false
	}
	if packets.FrameChannel(b, dir) != packets.ChannelGameplay {
		return n <= 12 // all other channels are short
	}
	zero := w.header - 1
	return n > zero && (len(b) <= zero || b[zero] == 0)
}
