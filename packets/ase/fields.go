package ase

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	headerBytes = 4
	// maxText is the longest text: its length byte counts itself.
	//
	// Source: protocol ase 2.
	maxText = 254
)

// fields is the cursor that walks over the fields of an answer, declared once for both ways. The first damage that it
// reads sticks: what comes after it is left as it was.
type fields struct {
	writing bool

	in     string // the datagram, while reading
	pos    int    // read up to
	damage *Damage
	list   string // that is being read, "" outside of lists
	index  int    // in it

	out   []byte // while writing
	start int    // of the answer in out
	limit int    // of the answer in bytes, 0 for none
}

func read(datagram []byte, m Answer) error {
	f := fields{in: string(datagram)}
	m.fields(&f)
	return f.finish()
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

func write(dst []byte, m Answer, limit int) []byte {
	f := fields{writing: true, out: dst, start: len(dst), limit: limit}
	m.fields(&f)
	return f.out
}

func (f *fields) fail(field, format string, args ...any) {
	if f.list != "" {
		field = fmt.Sprintf("%s %d: %s", f.list, f.index+1, field)
	}
	f.damage = &Damage{f.pos, field, fmt.Sprintf(format, args...)}
}

// size is how long the answer is so far.
func (f *fields) size() int { return len(f.out) - f.start }

// more says whether there is something left to read.
func (f *fields) more() bool { return f.damage == nil && f.pos < len(f.in) }

// header is the answer's name, which the caller has looked at already.
func (f *fields) header(name string) {
	if f.writing {
		f.out = append(f.out, name...)
		return
	}
	f.pos = headerBytes
}

// text is a byte of length that counts itself, then the text.
//
// Source: protocol ase 2.
func (f *fields) text(name string, p *string) {
	if f.writing {
		s := cut(*p, maxText)
		f.out = append(f.out, byte(len(s)+1))
		f.out = append(f.out, s...)
		return
	}
	if f.damage != nil {
		return
	}
	left := len(f.in) - f.pos
	switch {
	case left == 0:
		f.fail(name, "the answer ends before it")
	case f.in[f.pos] == 0:
		f.fail(name, "length 0, at least 1 expected")
	case int(f.in[f.pos]) > left:
		f.fail(name, "length %d, the answer has %d bytes left", f.in[f.pos], left)
	default:
		end := f.pos + int(f.in[f.pos])
		*p = f.in[f.pos+1 : end]
		f.pos = end
	}
}

// byte is one byte.
func (f *fields) byte(name string, p *byte) {
	switch {
	case f.writing:
		f.out = append(f.out, *p)
	case f.damage != nil:
	case f.pos == len(f.in):
		f.fail(name, "the answer ends before it")
	default:
		*p = f.in[f.pos]
		f.pos++
	}
}

// cut shortens a text to n bytes at the border of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := n; i > n-utf8.UTFMax && i >= 0; i-- {
		if utf8.RuneStart(s[i]) {
			return s[:i]
		}
	}
	return s[:n] // no UTF-8
}

// separator stands between the parts of a map block.
const separator = "\x00"

// block is a map block: texts joined by NUL in one text.
//
// Source: protocol ase 5.1.
func (f *fields) block(p *MapBlock) {
	if !f.writing {
		var text string
		if f.text("map block", &text); f.damage == nil {
			parts := strings.Split(text, separator)
			p.Map, p.Facts = parts[0], parts[1:]
		}
		return
	}
	facts, room := p.Facts, maxBlock
	for i, fact := range facts {
		if room -= len(fact) + 1; room < 0 {
			room += len(fact) + 1
			facts = facts[:i]
			break
		}
	}
	name := cut(p.Map, room)
	at := len(f.out)
	f.out = append(f.out, 0)
	f.out = appendWithoutNUL(f.out, name)
	for _, fact := range facts {
		f.out = append(f.out, separator...)
		f.out = appendWithoutNUL(f.out, fact)
	}
	f.out[at] = byte(len(f.out) - at)
}

func appendWithoutNUL(dst []byte, s string) []byte {
	for i := range len(s) {
		if s[i] != 0 {
			dst = append(dst, s[i])
		}
	}
	return dst
}
