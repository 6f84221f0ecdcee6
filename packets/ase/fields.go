package ase

import (
	"strconv"
	"unicode/utf8"

	"sphereserver/packets/internal/cursor"
)

const (
	headerBytes = 4
	// maxText is the longest text: its length byte counts itself. Source: protocol ase 2.
	maxText = 254
)

// fields is the cursor that walks over the fields of an answer, declared once for both ways.
type fields struct {
	cursor.Fields
	all string // the datagram, of which the texts that are read are parts
}

// writing returns a cursor behind the header of an answer.
func writing(dst []byte, header string, limit int) fields {
	return fields{Fields: cursor.Fields{Cursor: cursor.Write(append(dst, header...), headerBytes), Limit: limit}}
}

// text is a byte of length that counts itself, then the text. Source: protocol ase 2.
func (f *fields) text(name string, p *string) {
	if !f.Reading() {
		s := cut(*p, maxText)
		f.Append(byte(len(s) + 1))
		f.AppendText(s)
		return
	}
	at, left := f.Offset(), f.Left()
	var n byte
	f.byte(name, &n)
	switch {
	case left == 0: // said already
	case n == 0:
		f.DamagedAt(at, name, "length 0, at least 1 expected")
	case int(n) > left:
		f.DamagedAt(at, name, "length %d, the answer has %d bytes left", n, left)
	default:
		f.Seek(at + int(n))
		*p = f.all[at+1 : f.Offset()]
	}
}

// byte is one byte.
func (f *fields) byte(name string, p *byte) {
	if !cursor.Little(&f.Cursor, p) {
		f.Damaged(name, "the answer ends before it")
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

// number reads decimal text.
func number(text string) (int, bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil
}
