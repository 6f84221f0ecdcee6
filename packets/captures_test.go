package packets

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"reflect"
	"strings"
	"testing"

	"sphereserver/packets/packetstest/captures"
)

type capturedFrame struct {
	line  int
	topic string
	dir   Direction
	whole bool
	wire  []byte
	plain []byte
	label string
}

// recorded reads the recorded frames.
func recorded(t testing.TB) []capturedFrame {
	t.Helper()
	var out []capturedFrame
	sc := bufio.NewScanner(captures.Open(t))
	sc.Buffer(nil, 1<<20)
	for line := 1; sc.Scan(); line++ {
		if line == 1 {
			continue
		}
		c := strings.Split(sc.Text(), "\t")
		f := capturedFrame{line: line, topic: c[0], dir: FromServer, whole: c[4] == "yes", label: c[7]}
		if c[1] == "C2S" {
			f.dir = FromClient
		}
		for col, p := range map[string]*[]byte{c[5]: &f.wire, c[6]: &f.plain} {
			var err error
			if *p, err = hex.DecodeString(col); err != nil {
				t.Fatalf("line %d: %v", line, err)
			}
		}
		out = append(out, f)
	}
	return out
}

// clear is the frame in clear.
func (c capturedFrame) clear() []byte {
	if len(c.plain) > 0 {
		return bytes.Clone(c.plain)
	}
	frame := bytes.Clone(c.wire)
	if c.dir == FromClient {
		Deobfuscate(frame)
	}
	return frame
}

// notUnderstood is how many of the recorded frames are known to have bits without a meaning.
const notUnderstood = 17

// Every recorded frame comes back bit for bit, and all but a few are understood to their last bit.
func TestCaptures(t *testing.T) {
	n, bad := 0, 0
	for _, c := range recorded(t) {
		if !c.whole {
			continue
		}
		n++
		frame := c.clear()
		f, err := DecodeFrame(frame, c.dir, Dialect2022)
		if err != nil {
			bad++
			t.Logf("line %d %s %s: %v\n\t%s\n\t% X", c.line, c.topic, c.dir, err, c.label, frame)
			if f == nil {
				continue
			}
		} else if f.Body != nil && f.Body.UnknownBits() > 0 {
			bad++
			t.Logf("line %d %s %s: %d unknown bits\n\t%s\n\t% X", c.line, c.topic, c.dir, f.Body.UnknownBits(), c.label, frame)
		}
		back, err := f.Append(nil, Dialect2022)
		if err != nil || !bytes.Equal(back, frame) {
			t.Errorf("line %d %s %s: %v\n% X\n% X", c.line, c.topic, c.dir, err, frame, back)
		}
	}
	if bad > notUnderstood {
		t.Errorf("%d of %d frames are not understood, %d known", bad, n, notUnderstood)
	}
}

// Each fifth recorded frame cut after each of its bytes, with each of its bits turned over and with ones from each byte
// on, in both generations: it is refused or kept bit for bit, and never takes more memory than its length allows.
func TestDamagedCaptures(t *testing.T) {
	for _, c := range recorded(t) {
		if !c.whole || c.line%5 != 0 {
			continue
		}
		frame := c.clear()
		damaged := func(frame []byte) {
			keeps(t, frame, c.dir, Dialect2022)
			keeps(t, frame, c.dir, Dialect2026)
		}
		for n := range frame {
			damaged(frame[:n:n])
			if n >= 2 {
				damaged(sized(bytes.Clone(frame[:n])))
			}
			for bit := range 8 {
				frame[n] ^= 1 << bit
				damaged(frame)
				frame[n] ^= 1 << bit
			}
		}
		for n := len(frame) - 1; n > clientHeader; n-- {
			frame[n] = 0xFF
			damaged(frame)
			if n%16 != 0 {
				continue
			}
			if got := allocated(func() { _, _ = DecodeFrame(frame, c.dir, Dialect2026) }); got > uint64(16*len(frame)+4096) {
				t.Errorf("line %d: ones from byte %d on take %d bytes of memory for %d", c.line, n, got, len(frame))
			}
		}
	}
}

// Each number and text of one recorded message of each kind and class set to the extremes of its width, one at a time,
// among what stands beside it: the frame is read again, in both generations, as the same messages with the new value,
// without a bit that means nothing.
func TestVariedCaptures(t *testing.T) {
	seen, varied := map[string]bool{}, 0
	for _, c := range recorded(t) {
		f, err := DecodeFrame(c.clear(), c.dir, Dialect2022)
		if !c.whole || err != nil || f.Body == nil || f.Body.UnknownBits() > 0 {
			continue
		}
		kinds := kindsOf(f.Body)
		try := func(what string, value any) {
			for _, d := range []Dialect{Dialect2022, Dialect2026} {
				wire, err := f.Append(nil, d)
				if err != nil {
					continue // the value does not fit into its field
				}
				varied++
				back, err := DecodeFrame(wire, c.dir, d)
				if err != nil || kindsOf(back.Body) != kinds || back.Body.UnknownBits() > 0 ||
					!reflect.DeepEqual(f.Body.Sections, back.Body.Sections) {
					t.Fatalf("line %d: %s with %v is read as %v, %v", c.line, what, value, words(back), err)
				}
			}
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				m := any(r)
				if command, ok := CommandOf(r); ok {
					m = command
				} else if _, ok := r.(*PositionStream); ok {
					continue // how many values it has tells which message it is
				}
				kind := s.Class.String() + " " + Name(m)
				if seen[kind] {
					continue
				}
				seen[kind] = true
				eachLeaf(reflect.ValueOf(m).Elem(), func(leaf reflect.Value, extremes []any) {
					was := reflect.ValueOf(leaf.Interface())
					for _, v := range extremes {
						leaf.Set(reflect.ValueOf(v).Convert(leaf.Type()))
						try(kind, v)
					}
					leaf.Set(was)
				})
			}
		}
	}
	t.Logf("%d frames, %d kinds of messages", varied, len(seen))
}

// kindsOf names the objects and messages of a body.
func kindsOf(b *Body) string {
	var s strings.Builder
	for _, section := range b.Sections {
		s.WriteString(section.Class.String())
		for _, r := range section.Regions {
			s.WriteString(" " + Name(r))
			if c, ok := CommandOf(r); ok {
				s.WriteString(" " + Name(c))
			}
		}
	}
	return s.String()
}

// widths are those of the numbers of the wire, in bits.
var widths = []int{0, 1, 2, 3, 4, 6, 7, 8, 10, 12, 14, 16, 18, 24, 31, 32}

// eachLeaf calls do for each number, truth and text in a message, with values at the edges of all widths that its type
// holds.
func eachLeaf(v reflect.Value, do func(leaf reflect.Value, extremes []any)) {
	var extremes []any
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; name != "Queued" && name != "Low" { // they are forms of a count
				eachLeaf(v.Field(i), do)
			}
		}
		return
	case reflect.Array, reflect.Slice:
		for i := range min(v.Len(), 2) {
			eachLeaf(v.Index(i), do)
		}
		return
	case reflect.Bool:
		extremes = []any{true, false}
	case reflect.Float32:
		extremes = []any{0, -32767.5, 6991.9, 1e-3, ContainedX}
	case reflect.String: // a model of one letter could be a number, but there is none
		extremes = []any{"Ыё", "A\\b \"<>", strings.Repeat("я", 7)}
	case reflect.Int8, reflect.Int16, reflect.Int32:
		for _, bits := range widths {
			if bits < v.Type().Bits() {
				extremes = append(extremes, 1<<bits-1, 1-1<<bits)
			}
		}
	default:
		for _, bits := range widths {
			if bits <= v.Type().Bits() {
				extremes = append(extremes, uint64(1)<<bits-1)
			}
		}
	}
	do(v, extremes)
}
