package mcquery

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

const magic0, magic1 = 0xFE, 0xFD

// fields is the cursor that walks over the fields of a message, declared once for both ways. The first damage that it
// reads sticks: what comes after it is left as it was.
type fields struct {
	writing bool

	in     []byte // while reading
	pos    int    // read up to
	damage *Damage
	list   string // that is being read, "" outside of lists
	index  int    // in it

	out   []byte // while writing
	start int    // of the message in out
	limit int    // of the message in bytes, 0 for none
}

func (f *fields) fail(field, format string, args ...any) {
	if f.list != "" {
		field = fmt.Sprintf("%s %d: %s", f.list, f.index+1, field)
	}
	f.damage = &Damage{f.pos, field, fmt.Sprintf(format, args...)}
}

// finish returns the damage as an error.
func (f *fields) finish() error {
	if f.damage != nil {
		return f.damage
	}
	if f.pos < len(f.in) {
		f.fail("end", "%d bytes after the last field", len(f.in)-f.pos)
		return f.damage
	}
	return nil
}

func (f *fields) size() int { return len(f.out) - f.start }

// take returns the next n bytes, or nil when there are not as many.
func (f *fields) take(name string, n int) []byte {
	if f.damage != nil {
		return nil
	}
	if left := len(f.in) - f.pos; left < n {
		f.fail(name, "%d bytes expected, %d left", n, left)
		return nil
	}
	f.pos += n
	return f.in[f.pos-n : f.pos]
}

// magic begins every request.
func (f *fields) magic() {
	if f.writing {
		f.out = append(f.out, magic0, magic1)
		return
	}
	f.take("magic", 2) // the caller has looked at it
}

func (f *fields) kind(p *Kind) {
	if f.writing {
		f.out = append(f.out, byte(*p))
	} else if b := f.take("kind", 1); b != nil {
		*p = Kind(b[0])
	}
}

// expect is a kind that is known before.
func (f *fields) expect(k Kind) {
	found := k
	if f.kind(&found); found != k {
		f.pos--
		f.fail("kind", "expected %d, found %d", byte(k), byte(found))
	}
}

func (f *fields) session(p *uint32) {
	if f.writing {
		f.out = binary.BigEndian.AppendUint32(f.out, *p)
	} else if b := f.take("session", 4); b != nil {
		*p = binary.BigEndian.Uint32(b)
	}
}

func (f *fields) token(p *int32) {
	if f.writing {
		f.out = binary.BigEndian.AppendUint32(f.out, uint32(*p))
	} else if b := f.take("token", 4); b != nil {
		*p = int32(binary.BigEndian.Uint32(b))
	}
}

// port is the one little-endian number.
//
// Source: protocol minecraft-query 1.
func (f *fields) port(p *uint16) {
	if f.writing {
		f.out = binary.LittleEndian.AppendUint16(f.out, *p)
	} else if b := f.take("host port", 2); b != nil {
		*p = binary.LittleEndian.Uint16(b)
	}
}

// rest is all that is left.
func (f *fields) rest(p *[]byte) {
	if f.writing {
		f.out = append(f.out, *p...)
		return
	}
	if f.damage == nil && f.pos < len(f.in) {
		*p = f.in[f.pos:]
		f.pos = len(f.in)
	}
}

// text is bytes up to a NUL. One with a NUL inside is written up to that.
func (f *fields) text(name string, p *string) {
	if f.writing {
		s, _, _ := strings.Cut(*p, "\x00")
		f.out = append(f.out, s...)
		f.out = append(f.out, 0)
		return
	}
	if f.damage != nil {
		return
	}
	n := bytes.IndexByte(f.in[f.pos:], 0)
	if n < 0 {
		f.fail(name, "no NUL in the %d bytes that are left", len(f.in)-f.pos)
		return
	}
	*p = string(f.in[f.pos : f.pos+n])
	f.pos += n + 1
}

// fixed is a text of fixed length. Other servers write something else than the usual one there: that is kept, and the empty text
// stands for the usual one.
func (f *fields) fixed(name, usual string, p *string) {
	if f.writing {
		if *p == "" || len(*p) != len(usual) {
			f.out = append(f.out, usual...)
			return
		}
		f.out = append(f.out, *p...)
		return
	}
	if b := f.take(name, len(usual)); b != nil && string(b) != usual {
		*p = string(b)
	}
}

// pairs are keys with values up to an empty key, which has no value.
func (f *fields) pairs(p *[]Pair) {
	var end Pair
	if f.writing {
		for i := range *p {
			if pair := &(*p)[i]; pair.Key != "" && pair.Key[0] != 0 {
				pair.fields(f)
			}
		}
		end.fields(f)
		return
	}
	f.list = "pair"
	for f.index = 0; ; f.index++ {
		pair := end
		if pair.fields(f); f.damage != nil || pair.Key == "" {
			break
		}
		*p = append(*p, pair)
	}
	f.list = ""
}

// players are names up to an empty one. Those that do not fit into the limit, with that one, are left out.
func (f *fields) players(p *[]string) {
	var end string
	if f.writing {
		for _, name := range *p {
			if name == "" || name[0] == 0 {
				continue
			}
			at := len(f.out)
			if f.text("name", &name); f.limit > 0 && f.size()+1 > f.limit {
				f.out = f.out[:at]
				break
			}
		}
		f.text("name", &end)
		return
	}
	f.list = "player"
	for f.index = 0; ; f.index++ {
		name := end
		if f.text("name", &name); f.damage != nil || name == "" {
			break
		}
		*p = append(*p, name)
	}
	f.list = ""
}
