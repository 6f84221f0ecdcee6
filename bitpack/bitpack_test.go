package bitpack

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bitString shows the bits that w wrote, in transmission order.
func bitString(t *testing.T, write func(*Writer)) string {
	t.Helper()
	w := NewWriter(nil)
	write(&w)
	n := w.Pos()
	out, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	var s strings.Builder
	for i := range n {
		s.WriteByte('0' + out[i/8]>>(i%8)&1)
	}
	return s.String()
}

// The bits are printed in protocol ingame 2.2 and session 10.10.
func TestVarintBits(t *testing.T) {
	for v, want := range map[int32]string{
		0: "000000", 1: "000100", 5: "000101", 7: "000111", -1: "100100", -2: "100010",
		8: "0100001000", 100: "0100010011", 127: "0101111111", -15: "1101111000",
		128: "00100000001000000", 1000: "00100010111110000", 16383: "00111111111111111",
		-3120: "10100001100001100", 16384: "0110000000000000010000000000000000",
		-100000: "1110000010101100001100000000000000", -991654: "1110110010110000100111100000000000",
	} {
		if got := bitString(t, func(w *Writer) { w.Varint(v) }); got != want {
			t.Errorf("%d is %s, documented %s", v, got, want)
		}
		r := NewReader(pack(want))
		if back, sel := r.Varint(); back != v || sel != VarintSelector(v) || r.Err() != nil {
			t.Errorf("%s reads as %d with selector %d, want %d (%v)", want, back, sel, v, r.Err())
		}
	}
}

func pack(bits string) []byte {
	out := make([]byte, (len(bits)+7)/8)
	for i, c := range bits {
		out[i/8] |= byte(c-'0') << (i % 8)
	}
	return out
}

func TestFloatAtAnyOffset(t *testing.T) {
	for offset := range 8 {
		w := NewWriter(nil)
		w.Uint(0, offset)
		w.Float32(669)
		out, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(out)
		r.Uint(offset)
		if got := r.Float32(); got != 669 {
			t.Errorf("offset %d: read %v", offset, got)
		}
	}
	w := NewWriter(nil)
	w.Float32(669)
	if out, _ := w.Finish(); !bytes.Equal(out, []byte{0x00, 0x40, 0x27, 0x44}) {
		t.Errorf("669 is % X, documented 00 40 27 44", out)
	}
}

// A Reader reads all that a Writer writes, at the same positions, by any mix of calls.
func TestReadBackIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type field struct {
			kind string
			u    uint32
			i    int32
			n    int
			b    []byte
		}
		kind := rapid.SampledFrom([]string{"uint", "int", "varint", "float", "bytes", "bool"})
		fields := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) field {
			f := field{kind: kind.Draw(t, "kind")}
			switch f.kind {
			case "uint":
				f.n = rapid.IntRange(0, 32).Draw(t, "n")
				f.u = uint32(rapid.Uint64Range(0, 1<<f.n-1).Draw(t, "u"))
			case "int":
				f.n = rapid.IntRange(1, 32).Draw(t, "n")
				f.i = int32(rapid.Int64Range(-1<<(f.n-1), 1<<(f.n-1)-1).Draw(t, "i"))
			case "varint":
				f.i = rapid.Int32Range(-math.MaxInt32, math.MaxInt32).Draw(t, "v")
			case "float":
				f.u = rapid.Uint32().Draw(t, "bits")
			case "bytes":
				f.b = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "b")
			case "bool":
				f.u = uint32(rapid.IntRange(0, 1).Draw(t, "bool"))
			}
			return f
		}), 0, 40).Draw(t, "fields")

		w := NewWriter([]byte("before"))
		var at []int
		for _, f := range fields {
			at = append(at, w.Pos())
			switch f.kind {
			case "uint":
				w.Uint(f.u, f.n)
			case "int":
				w.Int(f.i, f.n)
			case "varint":
				w.Varint(f.i)
			case "float":
				w.Uint(f.u, 32)
			case "bytes":
				w.Bytes(f.b)
			case "bool":
				w.Bool(f.u != 0)
			}
		}
		out, err := w.Finish()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(out, []byte("before")) {
			t.Fatal("what was in the slice has changed")
		}
		r := NewReader(out[len("before"):])
		for k, f := range fields {
			if r.Pos() != at[k] {
				t.Fatalf("field %d is read at bit %d, written at %d", k, r.Pos(), at[k])
			}
			ok := true
			switch f.kind {
			case "uint":
				if n := f.n; n > 0 {
					v, have := r.Peek(n)
					ok = have && v == f.u
				}
				ok = ok && r.Uint(f.n) == f.u
			case "int":
				ok = r.Int(f.n) == f.i
			case "varint":
				v, sel := r.Varint()
				ok = v == f.i && sel == VarintSelector(f.i)
			case "float":
				ok = math.Float32bits(r.Float32()) == f.u
			case "bytes":
				p := make([]byte, len(f.b))
				r.Bytes(p)
				ok = bytes.Equal(p, f.b)
			case "bool":
				ok = r.Bool() == (f.u != 0)
			}
			if !ok || r.Err() != nil {
				t.Fatalf("field %d %+v does not read back, %v", k, f, r.Err())
			}
		}
		if r.Left() > 7 {
			t.Fatalf("%d bits left over", r.Left())
		}
	})
}

func TestErrorsStickAndNameBits(t *testing.T) {
	r := NewReader([]byte{1, 2, 3})
	r.Uint(20)
	r.Uint(5)
	r.Uint(1)
	var e *Error
	if !errors.As(r.Err(), &e) || e.Bit != 20 || e.Want != 5 || e.Have != 4 || !errors.Is(e, ErrShort) {
		t.Errorf("got %+v, want a short read of 5 at bit 20 with 4 left", r.Err())
	}
	if got := r.Err().Error(); got != "read at bit 20: not enough bits: field needs 5, 4 left" {
		t.Error(got)
	}
	w := NewWriter(nil)
	w.Uint(1, 3)
	w.Uint(9, 3)
	w.Uint(1, 1)
	out, err := w.Finish()
	if out != nil || !errors.Is(err, ErrRange) ||
		err.Error() != "write at bit 3: value does not fit: field has 3 bits, value needs 4" {
		t.Errorf("got % X, %v", out, err)
	}
	for _, c := range []struct {
		v    int32
		n    int
		fits bool
	}{{-4, 3, true}, {3, 3, true}, {-5, 3, false}, {4, 3, false}, {math.MinInt32, 32, true}, {-1, 1, true}, {1, 1,
		false}} {
		w := NewWriter(nil)
		w.Int(c.v, c.n)
		if _, err := w.Finish(); (err == nil) != c.fits {
			t.Errorf("%d in %d bits: %v", c.v, c.n, err)
		}
	}
	w = NewWriter(nil)
	w.Varint(math.MinInt32)
	if _, err := w.Finish(); !errors.Is(err, ErrRange) {
		t.Errorf("-2^31 has no varint form, got %v", err)
	}
	for _, pos := range []int{-1, 25} {
		r := NewReader([]byte{1, 2, 3})
		r.Seek(pos)
		if r.Err() == nil {
			t.Errorf("seek to %d of 24 was allowed", pos)
		}
	}
}

// A reader of hostile data may fail, never panic, and never gives bits that are not there.
func FuzzReader(f *testing.F) {
	f.Add([]byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, []byte{3, 32, 40, 200, 7})
	f.Fuzz(func(t *testing.T, data, calls []byte) {
		r := NewReader(data)
		for _, c := range calls {
			before := r.Pos()
			switch c % 5 {
			case 0:
				r.Uint(int(c) % 33)
			case 1:
				r.Varint()
			case 2:
				r.Bytes(make([]byte, c))
			case 3:
				r.Int(int(c)%32 + 1)
			case 4:
				r.Seek(int(c) - 5)
				continue
			}
			if r.Pos() < before || r.Pos() > len(data)*8 {
				t.Fatalf("position went from %d to %d of %d", before, r.Pos(), len(data)*8)
			}
		}
	})
}

var sink uint32

func BenchmarkReader(b *testing.B) {
	data := bytes.Repeat([]byte{0x5A, 0xC3, 0x99}, 100)
	b.SetBytes(300)
	b.ReportAllocs()
	for b.Loop() {
		r := NewReader(data)
		for r.Left() >= 48 {
			sink += r.Uint(7) + r.Uint(18) + r.Uint(12) + r.Uint(11)
		}
	}
}

func BenchmarkWriter(b *testing.B) {
	out := make([]byte, 0, 512)
	b.SetBytes(300)
	b.ReportAllocs()
	for b.Loop() {
		w := NewWriter(out)
		for range 50 {
			w.Uint(100, 7)
			w.Uint(1000, 18)
			w.Uint(2000, 12)
			w.Uint(3, 11)
		}
		if _, err := w.Finish(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareAccumulator moves the same bits with a loop that checks nothing: the reference for Reader and Writer.
func BenchmarkBareAccumulator(b *testing.B) {
	data := bytes.Repeat([]byte{0x5A, 0xC3, 0x99}, 100)
	b.SetBytes(300)
	for b.Loop() {
		var acc uint64
		var held uint
		i := 0
		for range 50 {
			for _, n := range [4]uint{7, 18, 12, 11} {
				for held < n {
					acc |= uint64(data[i]) << held
					held += 8
					i++
				}
				sink += uint32(acc & (1<<n - 1))
				acc >>= n
				held -= n
			}
		}
	}
}
