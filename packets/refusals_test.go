package packets

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sphereserver/bitpack"
	"sphereserver/coords"

	"pgregory.net/rapid"
)

// A number that its field cannot hold is found when it is written, not by a player: for every numeric field
// that is narrower than its Go type, by the widths of the documents.
func TestNumbersThatDoNotFit(t *testing.T) {
	checked := 0
	for _, l := range slices.Concat(regionTable(), commandTable()) {
		fresh, wrap := emptyMessage(l)
		leaves := leavesOf(fresh)
		field := -1
		for _, f := range l.fields {
			if f[0] == '=' || f == "n*f" {
				continue
			}
			field++
			width, _ := strconv.Atoi(f[1:])
			if f[0] != 'u' && f[0] != 's' {
				continue
			}
			var tooLarge any = uint64(1) << width
			if f[0] == 's' {
				tooLarge = int64(1) << (width - 1)
			}
			m, _ := emptyMessage(l)
			changed := slices.Clone(leaves)
			changed[field] = tooLarge
			setLeaves(m, changed)
			if !reflect.DeepEqual(leavesOf(m)[field], tooLarge) {
				continue // the Go type has no such number
			}
			checked++
			if got, err := AppendServer(nil, Message(0, 1, l.class, wrap(m)), Dialect2026); err == nil {
				t.Errorf("%s: %v in field %d of %d bits became % X", l.name, tooLarge, field, width, got)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d fields checked", checked)
	}
}

// emptyMessage returns a message of the layout's type and a function that makes a region of it.
func emptyMessage(l layout) (m any, wrap func(any) Region) {
	if l.kind == "" {
		r := newRegion(l.class, uint8(l.number))
		return r, func(m any) Region { return m.(Region) }
	}
	for _, f := range commandRegions[l.kind].set.forms[l.number] {
		if c := f.new(); Name(c) == l.name {
			// Some need one of a few numbers in their first field.
			if strings.HasPrefix(strings.Join(l.fields, " "), "in") {
				v := reflect.ValueOf(c).Elem().Field(0)
				first, _, _ := strings.Cut(l.fields[0][2:], ",")
				n, _ := strconv.ParseUint(first, 10, 8)
				v.SetUint(n)
			}
			return c, func(m any) Region { return commandRegions[l.kind].make(m.(Command)) }
		}
	}
	panic(fmt.Sprintf("%s is not registered", l.name))
}

// Protocol ingame 23: an origin outside of its bits is refused; coords.Position.Check tells beforehand.
func TestOriginBounds(t *testing.T) {
	try := func(o coords.Origin) ([]byte, error) {
		return AppendServer(nil, moving(0, o, section(hero, ClassPlayer, &TransformUpdate{})), Dialect2026)
	}
	inside := []coords.Origin{{}, {X: -32768}, {X: 32767}, {Y: -1200}, {Y: 6991}, {Z: -32768}, {Z: 32767},
		{X: -32768, Y: -1200, Z: -32768}, {X: 32767, Y: 6991, Z: 32767}}
	for _, o := range inside {
		frame, err := try(o)
		if err != nil {
			t.Errorf("%+v: %v", o, err)
			continue
		}
		if f, err := DecodeFrame(frame, FromServer, Dialect2026); err != nil || f.Body.Origin != o {
			t.Errorf("%+v came back as %+v, %v", o, f.Body.Origin, err)
		}
	}
	for _, o := range []coords.Origin{{X: -32769}, {X: 32768}, {Y: -1201}, {Y: 6992}, {Z: -32769}, {Z: 32768},
		{X: -1 << 31}, {Y: 1<<31 - 1}, {Z: 1 << 30}} {
		if frame, err := try(o); err == nil {
			t.Errorf("%+v became % X", o, frame)
		}
	}
}

// A command with an unknown number or array is kept and counted as understood: its frame goes on behind it.
func TestUnknownCommandsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"ContMan", "Manager", "TradeMan", "Owner", "Expiry", "RegionManager", "Bank",
			"Extended13", "Extended14"}).Draw(t, "kind")
		c := commandRegions[kind]
		dialect := rapid.SampledFrom(dialects).Draw(t, "dialect")
		dir := rapid.SampledFrom([]Direction{FromServer, FromClient}).Draw(t, "direction")
		width := min(commandWidth(kind, c.class, dialect), 20)
		number := rapid.Uint32Range(0, 1<<width-1).Draw(t, "number")
		data := rapid.SliceOfN(rapid.Byte(), 0, min(c.maxArray, 30)).Draw(t, "data")

		d := drawing{t: t}
		drawHeader(&d)
		drawSection(&d, c.class)
		array := bitString{}
		for _, b := range data {
			array.uint(uint64(b), 8)
		}
		writeCommand(&d.bits, kind, c.class, dialect, number, array.bits)
		d.bits.uint(4, 7) // a region behind it: an animation
		d.bits.uint(99, 7)
		wire := d.bits.frame(dir)

		f, err := DecodeFrame(wire, dir, dialect)
		if err != nil {
			t.Fatalf("% X: %v", wire, err)
		}
		regions := f.Body.Sections[0].Regions
		if len(regions) != 2 || *regions[1].(*AnimationState) != (AnimationState{99}) {
			t.Fatalf("% X: %v", wire, words(f))
		}
		found, _ := CommandOf(regions[0])
		if u, ok := found.(*UnknownCommand); ok && (u.Number != number || !bytes.Equal(u.Data, data) ||
			u.String() != fmt.Sprintf("unknown command %d, % X", number, data)) {
			t.Fatalf("%d % X was read as %v", number, data, u)
		}
		if back, err := f.Append(nil, dialect); err != nil || !bytes.Equal(back, wire) {
			t.Fatalf("% X came back as % X, %v", wire, back, err)
		}
	})
}

// An unknown region is kept with all that follows: how wide it is cannot be known. All its bits count as unknown.
func TestUnknownRegionsAreKept(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		class := rapid.SampledFrom([]Class{1, 2, 4, 5, 30, 210, 226, 500, 1234}).Draw(t, "class")
		number := rapid.Uint8Range(0, 61).Filter(func(n uint8) bool { return newRegion(class, n) == nil }).Draw(t, "number")
		d := drawing{t: t}
		drawHeader(&d)
		drawSection(&d, class)
		d.bits.uint(uint64(number)+1, 7)
		at := len(d.bits.bits)
		for _, b := range rapid.SliceOfN(rapid.Byte(), 0, 30).Draw(t, "data") {
			d.bits.uint(uint64(b), 8)
		}
		wire := d.bits.frame(FromServer)
		f, err := DecodeFrame(wire, FromServer, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		u, ok := f.Body.Sections[0].Regions[0].(*UnknownRegion)
		if want := (len(wire)-5)*8 - at; !ok || u.number() != number || u.Why != "" || f.Body.UnknownBits() != want {
			t.Fatalf("%v, %d bits, want %d", words(f), f.Body.UnknownBits(), want)
		}
		if back, err := f.Append(nil, Dialect2026); err != nil || !bytes.Equal(back, wire) {
			t.Fatalf("% X came back as % X, %v", wire, back, err)
		}
	})
}

// Bits behind the sections that are no padding are kept, and so is a section that is announced and not there.
func TestTailsAreKept(t *testing.T) {
	for name, c := range map[string]struct {
		bits    string
		unknown int
		end     bool
	}{
		"padding":             {"0:1 0:15 1:18 0:12", 0, false},
		"end and padding":     {"0:1 0:15 1:18 0:12 0:7", 0, true},
		"more zeros":          {"0:1 0:15 1:18 0:12 0:24", 26, false},
		"ones for padding":    {"0:1 0:15 1:18 0:12 3:2", 2, false},
		"something behind":    {"0:1 0:15 1:18 0:12 0:7 x01", 18, false},
		"half a section":      {"0:1 0:15 1:18 0:12 63:7 5:18", 26, false},
		"only an announced":   {"0:1 0:15 1:18 0:12 63:7", 10, false},
		"no section":          {"0:1 0:15", 0, false},
		"less than a section": {"0:1 0:15 x010203", 24, false},
		"a region of no bits": {"0:1 0:15 1:18 2:12 | 11:7 0:6 v0 | 20:7", 0, false},
	} {
		wire, err := writeBitString(FromServer, nil, c.bits)
		if err != nil {
			t.Fatal(err)
		}
		f, err := DecodeFrame(wire, FromServer, Dialect2026)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if f.Body.UnknownBits() != c.unknown || f.Body.End != c.end {
			t.Errorf("%s: %d unknown bits, end %v, expected %d and %v", name, f.Body.UnknownBits(), f.Body.End, c.unknown, c.end)
		}
		keeps(t, wire, FromServer, Dialect2026)
	}
}

// A number that is changed after it was read in a wider form is written with its new value.
func TestChangedNumbersForgetTheirForm(t *testing.T) {
	for name, value := range map[string]int32{"another sign": 7, "larger": 20000, "negative and larger": -20000,
		"zero": 0, "same": -5} {
		var s bitString
		s.uint(0, 16)
		s.uint(uint64(hero), 18)
		s.uint(2, 12)
		s.uint(11, 7)
		s.uint(0, 6)
		s.varint(-5, 1) // 10 bits, though 6 would do
		f, err := DecodeFrame(s.frame(FromServer), FromServer, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		m := f.Body.Sections[0].Regions[0].(*SetStat)
		m.Value = value
		frame, err := f.Append(nil, Dialect2026)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		again, err := DecodeFrame(frame, FromServer, Dialect2026)
		if err != nil || again.Body.Sections[0].Regions[0].(*SetStat).Value != value {
			t.Errorf("%s: %d came back as %v, %v", name, value, words(again), err)
		}
	}
}

// Errors name the place and the fault: a person with a hex dump finds them.
func TestErrorsNameThePlace(t *testing.T) {
	wire, err := writeBitString(FromServer, nil, `0:1 0:15 0x1A2B:18 500:12 62:7 f1 f2`)
	if err != nil {
		t.Fatal(err)
	}
	f, err := DecodeFrame(wire, FromServer, Dialect2026)
	if err == nil {
		t.Fatal("a spawn of two coordinates was read")
	}
	for _, part := range []string{"sword 0x1A2B", "region 61 (SpawnSnapshot)", "bit 157", "needs 32, 3 left"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q does not say %q", err, part)
		}
	}
	if u := f.Body.Sections[0].Regions[0].(*UnknownRegion); u.Number != 61 || !strings.Contains(err.Error(), u.Why) {
		t.Errorf("kept as %+v", u)
	}
	_, err = AppendServer(nil, player(0, &ReceiveHit{Flags: 8}), Dialect2026)
	if want := fmt.Sprintf("encode body: write at bit 81: %v: field has 3 bits, value needs 4",
		bitpack.ErrRange); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
