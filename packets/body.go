package packets

import (
	"errors"
	"fmt"
	"sync"

	"sphereserver/bitpack"
	"sphereserver/coords"
)

// MaxClock is the greatest value of a body's clock, after which it begins again at 0. The server's clock runs at 3 per
// second, the client's at 24. Source: protocol ingame 3.1.
const MaxClock = 1<<15 - 1

// Markers between the parts of a body.
const (
	markerBits = 7
	markerEnd  = 0  // no more sections
	markerNext = 63 // another section follows
)

// A Body is the content of every gameplay frame, in both directions and before and after entering the world:
//
//	has position   1 bit
//	origin         45 bits, only with a position
//	clock          15 bits
//	sections       joined by marker 63, each: object id 18, class 12, regions (marker = number + 1, fields)
//	end            marker 0, may be left out; zero bits up to a whole byte
//
// Source: protocol ingame 2.
type Body struct {
	HasOrigin bool
	Origin    coords.Origin
	Clock     uint16
	Sections  []Section
	// End writes the marker after the last region though less than a byte of padding would do.
	End bool
	// Tail is the bits behind the sections that are neither the end marker nor padding.
	Tail Bits

	forms   []form
	regions []Region // of all sections, when the body was read
}

// A Section is the regions of a body about one object. Class 0 without a region removes the object.
type Section struct {
	Object  ObjectID
	Class   Class
	Regions []Region
}

// A Region is one message about an object.
type Region interface {
	number() uint8 // 0 to 61: the marker on the wire less one
	fields(*fields)
}

// RegionNumber is the number of a region, 0 to 61.
func RegionNumber(r Region) uint8 { return r.number() }

// Bits are bits of unknown meaning, kept so that a frame encodes to the same bytes.
type Bits struct {
	Len  int    // in bits
	Data []byte // first bit lowest; unused bits of the last byte are 0
}

// UnknownRegion is a region without a known layout. Its width is unknown too, so it holds the body to its end.
type UnknownRegion struct {
	Number uint8
	Data   Bits
	// Why is the fault when the layout is known but the data does not follow it.
	Why string
}

func (m *UnknownRegion) number() uint8 { return m.Number }
func (m *UnknownRegion) fields(f *fields) {
	if f.mode == reading {
		m.Data = readBits(&f.r, f.r.Left())
		return
	}
	writeBits(&f.w, m.Data)
}

func readBits(r *bitpack.Reader, n int) Bits {
	b := Bits{Len: n, Data: make([]byte, (n+7)/8)}
	r.Bytes(b.Data[:n/8])
	if n%8 != 0 {
		b.Data[n/8] = byte(r.Uint(n % 8))
	}
	return b
}

func writeBits(w *bitpack.Writer, b Bits) {
	w.Bytes(b.Data[:b.Len/8])
	if b.Len%8 != 0 {
		w.Uint(uint32(b.Data[b.Len/8]), b.Len%8)
	}
}

// header walks over the fields before the sections.
func (b *Body) header(f *fields) {
	f.bool(&b.HasOrigin)
	if b.HasOrigin {
		origin(f, &b.Origin)
	}
	f.origin = b.Origin
	num(f, &b.Clock, 15)
}

func origin(f *fields, o *coords.Origin) {
	x, y, z := o.X-coords.MinX, o.Y-coords.MinY, o.Z-coords.MinX
	originAxis(f, &x, 16)
	originAxis(f, &y, 13)
	originAxis(f, &z, 16)
	if f.mode == reading { // a body that is being written may be so by others too
		o.X, o.Y, o.Z = x+coords.MinX, y+coords.MinY, z+coords.MinX
	}
}

func originAxis(f *fields, v *int32, n int) {
	u := uint32(*v) // below the world it becomes too large for n bits, which the writer refuses
	num(f, &u, n)
	*v = int32(u)
}

func (s *Section) head(f *fields) {
	pair(f, &s.Object, objectBits, &s.Class, classBits)
	f.class = s.Class
}

// errNoHeader is wrapped by the error of a body that ends in its header: there is nothing of it to keep.
var errNoHeader = errors.New("body header")

// sectionBits is the least that a section takes.
const (
	objectBits  = 18
	classBits   = 12
	sectionBits = objectBits + classBits
)

var cursors = sync.Pool{New: func() any { return new(fields) }}

func newCursor(m mode, dir Direction, d Dialect) *fields {
	f := cursors.Get().(*fields)
	*f = fields{mode: m, dir: dir, dialect: d, forms: f.forms[:0], sections: f.sections[:0], regions: f.regions[:0]}
	return f
}

// decode reads the body that begins at bit start of frame.
func (b *Body) decode(frame []byte, start int, dir Direction, d Dialect) error {
	f := newCursor(reading, dir, d)
	defer cursors.Put(f)
	f.r.Reset(frame)
	f.r.Seek(start)
	f.old = b.regions
	b.HasOrigin, b.Origin, b.End, b.Tail = false, coords.Origin{}, false, Bits{}
	err := b.read(f)
	b.keep(f)
	return err
}

// keep takes the fields that were read out of the cursor, which will be used again.
func (b *Body) keep(f *fields) {
	b.forms = append(b.forms[:0], f.forms...)
	b.Sections = append(b.Sections[:0], f.sections...)
	b.regions = append(b.regions[:0], f.regions...)
	regions := b.regions
	for i := range b.Sections {
		s := &b.Sections[i]
		if n := len(s.Regions); n > 0 {
			s.Regions, regions = regions[:n:n], regions[n:]
		} else {
			s.Regions = nil
		}
	}
	clear(f.sections)
	clear(f.regions)
	f.old = nil
	f.r.Reset(nil)
}

func (b *Body) read(f *fields) error {
	b.header(f)
	if err := f.r.Err(); err != nil {
		return fmt.Errorf("%w: %w", errNoHeader, err)
	}
	for {
		if f.r.Left() < sectionBits {
			return b.readTail(f)
		}
		var s Section
		s.head(f)
		first := len(f.regions)
		more, err := s.readRegions(f)
		s.Regions = f.regions[first:]
		f.sections = append(f.sections, s)
		if err != nil {
			return fmt.Errorf("%s %s: %w", s.Class, s.Object, err)
		}
		if !more {
			return b.readTail(f)
		}
	}
}

// readRegions reads up to the end of the section; more says that another one follows.
func (s *Section) readRegions(f *fields) (more bool, err error) {
	for f.r.Left() >= markerBits {
		at := f.r.Pos()
		marker := f.r.Uint(markerBits)
		switch marker {
		case markerEnd:
			f.r.Seek(at)
			return false, nil
		case markerNext:
			if f.r.Left() < sectionBits {
				f.r.Seek(at) // announced but not there: kept with the tail
				return false, nil
			}
			return true, nil
		}
		number := uint8(marker - 1)
		r := f.region(s.Class, number)
		at, ordinal, forms := f.r.Pos(), f.ordinal, len(f.forms)
		r.fields(f)
		if err = f.r.Err(); err != nil {
			f.r = f.r.Again(at)
			f.ordinal, f.forms = ordinal, f.forms[:forms]
			if clock := s.misdirectedClock(f, number); clock != nil {
				f.regions = append(f.regions, clock)
				continue
			}
			// The rest is kept as it is, so that even a damaged frame can be shown and sent on.
			u := &UnknownRegion{Number: number}
			if f.begunOnly() {
				err = nil
			} else {
				err = fmt.Errorf("region %d (%s): %w", number, Name(r), err)
				u.Why = err.Error()
			}
			u.fields(f)
			f.regions = append(f.regions, u)
			return false, err
		}
		f.regions = append(f.regions, r)
	}
	return false, nil
}

// misdirectedClock reads the [GameTime] that old servers send every 15 s as if it were a player's, where the grammar
// has an impossible command. Source: protocol session 9.1, ingame 7.5.
func (s *Section) misdirectedClock(f *fields, number uint8) Region {
	m := new(GameTime)
	if number != m.number() || s.Class != ClassPlayer || f.dir != FromServer || len(f.regions) > 0 ||
		f.r.Left() < 32 || f.r.Left() >= 32+markerBits {
		return nil
	}
	at := f.r.Pos()
	m.fields(f)
	if !f.begunOnly() {
		f.r.Seek(at)
		return nil
	}
	return m
}

// begunOnly says that nothing but zeros of padding follows a marker: the old servers' teleport ends with the beginning
// of a further region, which clients pass over. Source: protocol ingame 18.1.
func (f *fields) begunOnly() bool {
	if f.r.Left() >= 8 {
		return false
	}
	v, ok := f.r.Peek(f.r.Left())
	return ok && v == 0
}

// readTail tells padding and the end marker from unknown bits.
func (b *Body) readTail(f *fields) error {
	n := f.r.Left()
	if v, ok := f.r.Peek(min(n, 7)); n < 8 && ok && v == 0 {
		return nil
	}
	tail := readBits(&f.r, n)
	zero := true
	for _, c := range tail.Data {
		zero = zero && c == 0
	}
	switch {
	case zero && n < 8:
	case zero && n < 8+markerBits:
		b.End = true
	default:
		b.Tail = tail
	}
	return f.r.Err()
}

// UnknownBits is how many bits of the body have no known meaning: unknown regions, what ends an [AreaUse], and the
// tail. Commands with unknown numbers do not count, since their frame is understood.
func (b *Body) UnknownBits() int {
	n := 0
	for _, s := range b.Sections {
		for _, r := range s.Regions {
			switch m := r.(type) {
			case *UnknownRegion:
				n += m.Data.Len
			case *AreaUse:
				n += m.Rest.Len
			}
		}
	}
	return n + b.Tail.Len
}

// append appends the body. Marks, unless nil, gets where its header and then each region ends, in bits.
func (b *Body) append(dst []byte, dir Direction, d Dialect, marks *[]int) ([]byte, error) {
	f := newCursor(writing, dir, d)
	defer cursors.Put(f)
	// Reading leaves its forms in the body; the pooled slice is not for writing.
	own := f.forms
	defer func() { f.forms = own }()
	f.forms, f.marks = b.forms, marks
	f.w.Reset(dst)
	b.write(f)
	out, err := f.w.Finish()
	f.w.Reset(nil)
	if err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return out, nil
}

func (b *Body) write(f *fields) {
	b.header(f)
	f.mark()
	for i := range b.Sections {
		if i > 0 {
			f.marker(markerNext)
		}
		s := &b.Sections[i]
		s.head(f)
		for _, r := range s.Regions {
			f.marker(uint32(r.number()) + 1)
			r.fields(f)
			f.mark()
		}
	}
	if b.End {
		f.w.Uint(markerEnd, markerBits)
	}
	writeBits(&f.w, b.Tail)
}

// Message returns a body with one section.
func Message(clock uint16, id ObjectID, class Class, regions ...Region) *Body {
	return &Body{Clock: clock, Sections: []Section{{id, class, regions}}}
}

// Removal returns a section that removes an object from the client's world. Source: protocol ingame 9.4.
func Removal(id ObjectID) Section { return Section{Object: id} }
