package packets

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"sphereserver/bitpack"
	"sphereserver/coords"
)

// fields is the cursor that walks over the fields of a message, declared once for both ways: it reads
// them or writes them. The first error sticks.
type fields struct {
	mode    mode
	r       bitpack.Reader
	w       bitpack.Writer
	dialect Dialect
	dir     Direction
	class   Class         // of the section that is being walked
	origin  coords.Origin // of the body header; offsets count from it

	// forms keeps the choices of bytes that a field's value alone does not tell: recorded numbers in a wider form than
	// they need, texts without their NUL. Each is named by its ordinal among such fields of the frame.
	forms   []form
	ordinal int
	next    int    // of forms, while writing
	marks   *[]int // see [Body.append]

	// sections and regions gather the parts read; the body gets copies of the right size.
	sections []Section
	regions  []Region
	old      []Region // of a body that is read into again
}

type mode uint8

const (
	reading mode = iota
	writing
)

// A form is one departure from the canonical encoding of a field.
type form struct {
	ordinal int
	code    uint8 // a varint's sign and selector, unterminated, or terminated
}

const (
	unterminated = 0xFF
	terminated   = 0xFE
)

// departure returns the recorded form of the field that is being written, if it has one.
func (f *fields) departure() (code uint8, ok bool) {
	n := f.ordinal
	f.ordinal++
	if f.mode == writing && f.next < len(f.forms) && f.forms[f.next].ordinal == n {
		f.next++
		return f.forms[f.next-1].code, true
	}
	return 0, false
}

func (f *fields) depart(ordinal int, code uint8) {
	f.forms = append(f.forms, form{ordinal, code})
}

func (f *fields) mark() {
	if f.marks != nil {
		*f.marks = append(*f.marks, f.w.Pos())
	}
}

func (f *fields) err() error {
	if f.mode == reading {
		return f.r.Err()
	}
	return f.w.Err()
}

func (f *fields) fail(format string, args ...any) {
	if f.mode == reading {
		f.r.Fail(fmt.Errorf("bit %d: "+format, append([]any{f.r.Pos()}, args...)...))
		return
	}
	f.w.Fail(fmt.Errorf("bit %d: "+format, append([]any{f.w.Pos()}, args...)...))
}

type unsigned interface {
	~uint8 | ~uint16 | ~uint32 | ~int
}

// num is an unsigned number of n bits.
func num[T unsigned](f *fields, p *T, n int) {
	if f.mode == writing {
		if v := uint32(*p); !f.w.TryUint(v, n) {
			f.w.Uint(v, n)
		}
		return
	}
	*p = T(f.r.Uint(n))
}

// pair is two numbers of n and m bits, 32 at the most, in one step: for the most frequent fields of frames.
func pair[A, B unsigned](f *fields, a *A, n int, b *B, m int) {
	if f.mode == reading {
		v := f.r.Uint(n + m)
		*a, *b = A(v&(1<<n-1)), B(v>>n)
		return
	}
	x, y := uint32(*a), uint32(*b)
	if x>>n|y>>m != 0 {
		num(f, a, n) // for the error
		num(f, b, m)
		return
	}
	if v := x | y<<n; !f.w.TryUint(v, n+m) {
		f.w.Uint(v, n+m)
	}
}

// marker writes the marker before a region or between sections.
func (f *fields) marker(m uint32) {
	if !f.w.TryUint(m, markerBits) {
		f.w.Uint(m, markerBits)
	}
}

// signed is a two's complement number of n bits.
func signed[T ~int8 | ~int16 | ~int32](f *fields, p *T, n int) {
	if f.mode == writing {
		f.w.Int(int32(*p), n)
		return
	}
	*p = T(f.r.Int(n))
}

func (f *fields) bool(p *bool) {
	if f.mode == writing {
		f.w.Bool(*p)
		return
	}
	*p = f.r.Bool()
}

func (f *fields) float(p *float32) {
	if f.mode == writing {
		if v := math.Float32bits(*p); !f.w.TryUint(v, 32) {
			f.w.Uint(v, 32)
		}
		return
	}
	*p = f.r.Float32()
}

// varint is a number of 6, 10, 17 or 34 bits, protocol ingame 2.2.
func (f *fields) varint(p *int32) {
	n := f.ordinal
	code, departs := f.departure()
	switch f.mode {
	case reading:
		head, _ := f.r.Peek(3)
		v, sel := f.r.Varint()
		*p = v
		if sel != bitpack.VarintSelector(v) || head&1 != 0 && v == 0 {
			f.depart(n, uint8(head))
		}
	case writing:
		if departs && code != unterminated {
			// A value that was changed since keeps its own sign, and the width that it needs.
			f.w.VarintAs(*p, max(code>>1, bitpack.VarintSelector(*p)), *p < 0 || *p == 0 && code&1 != 0)
			return
		}
		f.w.Varint(*p)
	}
}

// count is the number of elements of an array, n bits wide.
func (f *fields) count(have, n int) int {
	num(f, &have, n)
	return have
}

var errNoNUL = errors.New("text does not end with NUL")

// text is an array of characters of the given width behind a count of countBits.
func (f *fields) text(p *string, countBits, width int) {
	f.chars(p, f.count(Len1251(*p), countBits), width)
}

// textNUL is a text behind a count of countBits that includes a terminating NUL.
func (f *fields) textNUL(p *string, countBits int) {
	ordinal := f.ordinal
	_, bare := f.departure()
	var buf [textBuffer]byte
	if f.mode == writing {
		b := Append1251(buf[:0], *p)
		if !bare {
			b = append(b, 0)
		}
		f.count(len(b), countBits)
		f.w.Bytes(b)
		return
	}
	b := f.readChars(buf[:0], f.count(0, countBits), 8)
	if len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	} else {
		f.depart(ordinal, unterminated)
	}
	setText(p, b)
}

// chars is n characters of the given width without a count.
func (f *fields) chars(p *string, n, width int) {
	var buf [textBuffer]byte
	if f.mode == reading {
		setText(p, f.readChars(buf[:0], n, width))
		return
	}
	if b := Append1251(buf[:0], *p); width == 8 {
		f.w.Bytes(b)
	} else {
		bitpack.WriteEach(&f.w, b, width)
	}
}

// textBuffer is how long a text may be that needs no memory of its own on its way.
const textBuffer = 128

// readChars appends n characters of the given width to b.
func (f *fields) readChars(b []byte, n, width int) []byte {
	if n*width > f.r.Left() || f.r.Err() != nil {
		f.r.Uint(min(n*width, bitpack.MaxBits)) // for its error
		f.r.Fail(fmt.Errorf("bit %d: text of %d characters, %d bits left", f.r.Pos(), n, f.r.Left()))
		return b
	}
	b = append(b, make([]byte, n)...)
	if width == 8 {
		f.r.Bytes(b[len(b)-n:])
	} else {
		bitpack.ReadEach(&f.r, b[len(b)-n:], width)
	}
	return b
}

// setText makes *p the text of bytes in Windows-1251; where it is that already, in a message that is read into again,
// it stays.
func setText(p *string, b []byte) {
	var buf [2 * textBuffer]byte
	if text := appendText(buf[:0], b); string(text) != *p {
		*p = string(text)
	}
}

// each is numbers of n bits, as many as values has.
func each[T ~uint8 | ~uint16 | ~uint32](f *fields, values []T, n int) {
	if f.mode == writing {
		bitpack.WriteEach(&f.w, values, n)
		return
	}
	bitpack.ReadEach(&f.r, values, n)
}

// bytes fills or writes a slice of fixed length.
func (f *fields) bytes(p []byte) {
	if f.mode == writing {
		f.w.Bytes(p)
		return
	}
	f.r.Bytes(p)
}

// rest is the rest of a command's array, as text with any NULs in it.
func (f *fields) rest(p *string) {
	n := Len1251(*p)
	if f.mode == reading {
		n = f.r.Left() / 8
	}
	f.chars(p, n, 8)
}

// restEnded is the rest of a command's array, as a text that a NUL may end, and does as a rule or does not.
func (f *fields) restEnded(p *string, rule bool) {
	ordinal := f.ordinal
	_, departs := f.departure()
	if f.mode == writing {
		f.rest(p)
		if rule != departs {
			f.w.Uint(0, 8)
		}
		return
	}
	var buf [textBuffer]byte
	b := f.readChars(buf[:0], f.r.Left()/8, 8)
	ended := len(b) > 0 && b[len(b)-1] == 0
	if ended {
		b = b[:len(b)-1]
	}
	switch {
	case ended && !rule:
		f.depart(ordinal, terminated)
	case !ended && rule:
		f.depart(ordinal, unterminated)
	}
	setText(p, b)
}

// restNUL is the rest of a command's array, as a text that its NUL ends.
func (f *fields) restNUL(p *string) {
	f.untilNUL(p)
	if f.mode == reading && f.r.Left() > 0 {
		f.r.Fail(errors.New("text has a NUL inside"))
	}
}

// untilNUL is a text up to and with its NUL.
func (f *fields) untilNUL(p *string) {
	if f.mode == reading {
		at, n := f.r.Pos(), 0
		for f.r.Left() >= 8 && f.r.Uint(8) != 0 {
			n++
		}
		if f.r.Err() == nil && f.r.Pos() == at+n*8 {
			f.r.Fail(errNoNUL)
			return
		}
		f.r.Seek(at)
		f.chars(p, n, 8)
		f.r.Uint(8)
		return
	}
	f.chars(p, Len1251(*p), 8)
	f.w.Uint(0, 8)
}

// padded is a text of at most n bytes, filled with NULs. Letters behind a NUL, left over from another text, stay in it.
func (f *fields) padded(p *string, n int) {
	if f.mode == reading {
		f.chars(p, n, 8)
		*p = strings.TrimRight(*p, "\x00")
		return
	}
	have := Len1251(*p)
	if have > n {
		f.fail("text of %d characters, at most %d", have, n)
		return
	}
	f.chars(p, have, 8)
	for range n - have {
		f.w.Uint(0, 8)
	}
}

// restBytes is the rest of a command's array.
func (f *fields) restBytes(p *[]byte) {
	if f.mode == reading {
		*p = make([]byte, f.r.Left()/8)
	}
	f.bytes(*p)
}

// constant is a number that has one known value: another value makes it a different message.
func constant[T unsigned](f *fields, want T, n int) {
	v := want
	num(f, &v, n)
	if v != want && f.err() == nil {
		f.fail("expected %#x, found %#x", uint32(want), uint32(v))
	}
}

// xyz is a place as three float32.
func (f *fields) xyz(x, y, z *float32) {
	f.float(x)
	f.float(y)
	f.float(z)
}

// An opcode is the number of 8 bits with which an array begins where one command has several arrays.
type opcode uint8

// walk is fields of commands in the widths that their types have there: numbers as many bits as they hold, ids of
// objects 24; texts and slices without a length of their own are the rest of the array.
func (f *fields) walk(all ...any) {
	for _, field := range all {
		switch p := field.(type) {
		case opcode:
			constant(f, p, 8)
		case *ObjectID:
			num(f, p, 24)
		case *uint8:
			num(f, p, 8)
		case *uint16:
			num(f, p, 16)
		case *uint32:
			num(f, p, 32)
		case *int16:
			signed(f, p, 16)
		case *int32:
			signed(f, p, 32)
		case *float32:
			f.float(p)
		case *coords.Angle8:
			num(f, p, 8)
		case *Stat:
			num(f, p, 8)
		case *Class:
			num(f, p, 16)
		case *Time:
			num(f, p, 32)
		case *string:
			f.restNUL(p)
		case *[]byte:
			f.restBytes(p)
		default:
			f.fail("a field of type %T has no width of its own", p)
		}
	}
}
