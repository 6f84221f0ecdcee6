package packets

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var dialects = []Dialect{Dialect2026, Dialect2022, Classic}

// A drawn is the expected reading of a random region.
type drawn struct {
	region string // the type of the region
	name   string // and of its command, where it has one
	leaves []any
}

// drawRegion appends a region to d's bits: marker, number of the command, count, fields.
func drawRegion(d *drawing, l layout, class Class, dialect Dialect) drawn {
	if l.kind == "" {
		d.bits.uint(uint64(l.number)+1, 7)
		d.leaves = nil
		d.draw(l)
		return drawn{l.name, l.name, d.leaves}
	}
	c := commandRegions[l.kind]
	array := drawing{t: d.t, room: c.maxArray - fixedBytes(l)}
	array.draw(l)
	writeCommand(&d.bits, l.kind, class, dialect, l.number, array.bits.bits)
	return drawn{l.kind, l.name, array.leaves}
}

func writeCommand(s *bitString, kind string, class Class, dialect Dialect, number uint32, array []byte) {
	c := commandRegions[kind]
	s.uint(uint64(c.number)+1, 7)
	s.uint(uint64(number), commandWidth(kind, class, dialect))
	s.uint(uint64(len(array)/8), c.count)
	s.bits = append(s.bits, array...)
}

func commandWidth(kind string, class Class, dialect Dialect) int {
	if c := commandRegions[kind]; dialect != Dialect2026 || class == ClassPlayer {
		return c.command
	}
	return commandRegions[kind].wide
}

// fixedBytes is how many bytes the numbers of a command take: the rest is room for its texts.
func fixedBytes(l layout) int {
	bits := 0
	for _, f := range l.fields {
		var n int
		switch f[0] {
		case 'u', 's':
			fmt.Sscan(f[1:], &n)
		case 'f':
			n = 32
		case '=':
			var v int
			fmt.Sscanf(f, "=%d:%d", &v, &n)
		case 'i':
			n = 8
		}
		bits += n
	}
	return bits / 8
}

// fits reports whether the dialect has room for the number of the command.
func (l layout) fits(class Class, dialect Dialect) bool {
	return l.kind == "" || l.number < 1<<min(commandWidth(l.kind, class, dialect), 31)
}

func drawHeader(d *drawing) {
	d.bits.uint(0, 1)
	d.bits.uint(rapid.Uint64Range(0, MaxClock).Draw(d.t, "clock"), 15)
}

func drawSection(d *drawing, class Class) (object ObjectID) {
	object = ObjectID(rapid.Uint32Range(0, 1<<18-1).Draw(d.t, "object"))
	d.bits.uint(uint64(object), 18)
	d.bits.uint(uint64(class), 12)
	return object
}

// check compares a found region with the drawn one, and a message made of the same values.
func (w drawn) check(t *rapid.T, r Region) Region {
	t.Helper()
	m := any(r)
	if c, ok := CommandOf(r); ok {
		m = c
	}
	if Name(r) != w.region || Name(m) != w.name {
		t.Fatalf("%s %s was read as %s %s %v", w.region, w.name, Name(r), Name(m), leavesOf(m))
	}
	if diff := cmp.Diff(w.leaves, leavesOf(m)); diff != "" {
		t.Fatalf("%s: -written +read\n%s", w.name, diff)
	}
	fresh := reflect.New(reflect.TypeOf(m).Elem()).Interface()
	setLeaves(fresh, w.leaves)
	if c, ok := fresh.(Command); ok && w.region != w.name {
		return commandRegions[w.region].make(c)
	}
	return fresh.(Region)
}

// Random values of every message, written bit by bit after the documents' tables, are read as those values; the same
// values in Go types are written as those bits.
func TestEveryLayout(t *testing.T) {
	for _, l := range slices.Concat(regionTable(), commandTable()) {
		t.Run(fmt.Sprintf("%s-%s-%d", l.name, l.class, l.number), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkLayout(t, l, false) })
		})
	}
}

// Recorded frames hold numbers in wider forms than they need, minus zeros, and texts without their NUL. Such a
// frame is kept bit for bit, and says the same.
func TestEveryLayoutInWiderForms(t *testing.T) {
	for _, l := range regionTable() {
		rapid.Check(t, func(t *rapid.T) { checkLayout(t, l, true) })
	}
}

func checkLayout(t *rapid.T, l layout, wild bool) {
	dialect := rapid.SampledFrom(dialects).Draw(t, "dialect")
	dir := rapid.SampledFrom(l.dirs()).Draw(t, "direction")
	if !l.fits(l.class, dialect) {
		dialect = Dialect2026
	}
	d := drawing{t: t, wild: wild}
	drawHeader(&d)
	drawSection(&d, l.class)
	want := drawRegion(&d, l, l.class, dialect)
	wire := d.bits.frame(dir)

	f, err := DecodeFrame(wire, dir, dialect)
	if err != nil {
		t.Fatalf("% X: %v", wire, err)
	}
	if f.Body.UnknownBits() > 0 || len(f.Body.Sections) != 1 || len(f.Body.Sections[0].Regions) != 1 {
		t.Fatalf("% X: %d unknown bits, %v", wire, f.Body.UnknownBits(), words(f))
	}
	region := want.check(t, f.Body.Sections[0].Regions[0])
	if back, err := f.Append(nil, dialect); err != nil || !bytes.Equal(back, wire) {
		t.Fatalf("read and written:\n got % X, %v\nwant % X", back, err, wire)
	}
	if d.departed != (len(f.Body.forms) > 0) {
		t.Fatalf("wider forms %v, kept %v", d.departed, f.Body.forms)
	}
	if d.departed {
		return
	}
	f.Body.Sections[0].Regions[0] = region
	if got, err := f.Append(nil, dialect); err != nil || !bytes.Equal(got, wire) {
		t.Fatalf("written from values:\n got % X, %v\nwant % X", got, err, wire)
	}
}

// Bodies of several objects, with a place or without, ended or not, are read section by section.
func TestManySections(t *testing.T) {
	byClass := map[Class][]layout{}
	for _, l := range slices.Concat(regionTable(), commandTable()) {
		byClass[l.class] = append(byClass[l.class], l)
	}
	classes := slices.Sorted(func(yield func(Class) bool) {
		for c := range byClass {
			if !yield(c) {
				return
			}
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		dialect := rapid.SampledFrom(dialects).Draw(t, "dialect")
		dir := rapid.SampledFrom([]Direction{FromServer, FromClient}).Draw(t, "direction")
		d := drawing{t: t, wild: rapid.Bool().Draw(t, "wild")}
		want := Body{HasOrigin: rapid.Bool().Draw(t, "origin")}
		drawOrigin(&d, &want)
		var regions []drawn
		for i := range rapid.IntRange(1, 6).Draw(t, "sections") {
			if i > 0 {
				d.bits.uint(63, 7)
			}
			s := Section{Class: rapid.SampledFrom(classes).Draw(t, "class")}
			s.Object = drawSection(&d, s.Class)
			for range rapid.IntRange(0, 4).Draw(t, "regions") {
				l := rapid.SampledFrom(byClass[s.Class]).Draw(t, "layout")
				if l.dir&dir != 0 && l.fits(s.Class, dialect) {
					regions = append(regions, drawRegion(&d, l, s.Class, dialect))
					s.Regions = append(s.Regions, nil)
				}
			}
			want.Sections = append(want.Sections, s)
		}
		ended := rapid.Bool().Draw(t, "end")
		if ended {
			d.bits.uint(0, 7)
		}
		wire := d.bits.frame(dir)

		f, err := DecodeFrame(wire, dir, dialect)
		if err != nil {
			t.Fatalf("% X: %v", wire, err)
		}
		n := 0
		for i := range f.Body.Sections {
			for k, r := range f.Body.Sections[i].Regions {
				if n == len(regions) {
					t.Fatalf("one more %s", Name(r))
				}
				f.Body.Sections[i].Regions[k] = regions[n].check(t, r)
				want.Sections[i].Regions[k] = f.Body.Sections[i].Regions[k]
				n++
			}
		}
		want.End = f.Body.End // seven zero bits that fill the last byte are padding as well
		if diff := cmp.Diff(want, *f.Body, sameBody, sameFloats); diff != "" {
			t.Fatalf("-written +read\n%s", diff)
		}
		if back, err := f.Append(nil, dialect); err != nil || !bytes.Equal(back, wire) {
			t.Fatalf("written from values:\n got % X, %v\nwant % X", back, err, wire)
		}
	})
}

func drawOrigin(d *drawing, b *Body) {
	d.bits.uint(map[bool]uint64{true: 1}[b.HasOrigin], 1)
	if b.HasOrigin {
		x, y, z := rapid.Uint64Range(0, 1<<16-1).Draw(d.t, "x"), rapid.Uint64Range(0, 1<<13-1).Draw(d.t, "y"),
			rapid.Uint64Range(0, 1<<16-1).Draw(d.t, "z")
		d.bits.uint(x, 16)
		d.bits.uint(y, 13)
		d.bits.uint(z, 16)
		b.Origin.X, b.Origin.Y, b.Origin.Z = int32(x)-32768, int32(y)-1200, int32(z)-32768
	}
	b.Clock = uint16(rapid.Uint64Range(0, MaxClock).Draw(d.t, "clock"))
	d.bits.uint(uint64(b.Clock), 15)
}

// sameFloats compares the bits, since a NaN is not equal to itself.
var sameFloats = cmp.Comparer(func(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) })
