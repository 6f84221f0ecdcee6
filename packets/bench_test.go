package packets

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sphereserver/coords"
)

// BenchmarkPing is the server's work for a position message: cut it off the stream, bring it into clear, read it.
func BenchmarkPing(b *testing.B) {
	g := goldenByName(b, "ingame-7.1-position")
	stream := append(bytes.Clone(g.wire), 8, 0)
	u := NewDeobfuscator(PlayerIndexOf(hero))
	b.Run("read", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			frame, _ := CutFrame(stream, FromClient)
			plain, _ := u.Plain(frame)
			if _, ok := ReadPing(plain); !ok {
				b.Fatal("no position message")
			}
		}
	})
	// The same by the grammar, as every other message is read.
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			frame, _ := CutFrame(stream, FromClient)
			plain, _ := u.Plain(frame)
			if _, err := DecodeFrame(plain, FromClient, Dialect2026); err != nil {
				b.Fatal(err)
			}
		}
	})
	p, _ := ReadPing(g.frame)
	dst := make([]byte, 0, 64)
	b.Run("answer", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			dst = AppendPong(dst[:0], p, 2472)
		}
	})
	body := answer(2472)
	b.Run("answer-encode", func(b *testing.B) { benchmarkAppend(b, body) })
}

func benchmarkAppend(b *testing.B, bodies ...*Body) {
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		dst = dst[:0]
		for _, body := range bodies {
			var err error
			if dst, err = AppendServer(dst, body, Dialect2026); err != nil {
				b.Fatal(err)
			}
		}
	}
	b.SetBytes(int64(len(dst)))
}

// BenchmarkEnterWorld is bar P7, which cmd/bench prints: the frame with which a character enters the world, in at most twice the
// time of the bare loops and without allocations.
func BenchmarkEnterWorld(b *testing.B) {
	body := entering(enteringStrannik())
	bare := fieldsOf(body)
	frame, err := AppendServer(nil, body, Dialect2026)
	if err != nil {
		b.Fatal(err)
	}
	for _, v := range []struct {
		name string
		run  func(*testing.B)
	}{
		{"encode", func(b *testing.B) { benchmarkAppend(b, body) }},
		{"encode-bare", func(b *testing.B) { benchmarkBareWrite(b, bare) }},
		{"decode", func(b *testing.B) {
			var decoded Frame // is used again
			b.ReportAllocs()
			for b.Loop() {
				if err := decoded.Decode(frame, FromServer, Dialect2026); err != nil {
					b.Fatal(err)
				}
			}
		}},
		{"decode-bare", func(b *testing.B) { benchmarkBareRead(b, frame, bare) }},
	} {
		b.Run(v.name, func(b *testing.B) {
			v.run(b)
			b.ReportMetric(float64(len(frame)), "bytes")
		})
	}
}

func BenchmarkThreeRecords(b *testing.B) {
	benchmarkAppend(b, pregame(vasya()), pregame(strannik()), pregame(EmptyRecord()))
}

func BenchmarkFullStatistics(b *testing.B) {
	benchmarkAppend(b, player(512, snapshotStats(2, 4)...))
}

// crowd is a frame of 298 bytes: 26 objects move.
func crowd() *Body {
	b := moving(1000, coords.Origin{X: 2614, Y: 157, Z: 1293})
	for i := range 26 {
		_, m := MoveTo(coords.Position{X: 2614.25 + float32(i), Y: 157.8, Z: 1293.5 - float32(i), Yaw: float32(i)})
		b.Sections = append(b.Sections, section(ObjectID(0x1000+i), ClassMonster, m))
	}
	return b
}

// The same bits through a bare accumulator show the cost of the declarations.
func BenchmarkFrame300(b *testing.B) {
	body := crowd()
	bare := fieldsOf(body)
	frame, err := AppendServer(nil, body, Dialect2026)
	if err != nil || len(frame) != 298 {
		b.Fatal(len(frame), err)
	}
	b.Run("encode", func(b *testing.B) { benchmarkAppend(b, body) })
	b.Run("encode-bare", func(b *testing.B) { benchmarkBareWrite(b, bare) })
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(frame)))
		for b.Loop() {
			if _, err := DecodeFrame(frame, FromServer, Dialect2026); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("decode-bare", func(b *testing.B) { benchmarkBareRead(b, frame, bare) })
}

// A bareField is a number and its width.
type bareField struct {
	value uint32
	width uint8
}

// fieldsOf are the numbers that a body becomes, one by one, with the widths of layout_table_test.go.
func fieldsOf(b *Body) []bareField {
	var out []bareField
	add := func(v uint64, n int) { out = append(out, bareField{uint32(v & (1<<n - 1)), uint8(n)}) }
	add(map[bool]uint64{true: 1}[b.HasOrigin], 1)
	if b.HasOrigin {
		add(uint64(b.Origin.X+32768), 16)
		add(uint64(b.Origin.Y+1200), 13)
		add(uint64(b.Origin.Z+32768), 16)
	}
	add(uint64(b.Clock), 15)
	for i, s := range b.Sections {
		if i > 0 {
			add(markerNext, 7)
		}
		add(uint64(s.Object), 18)
		add(uint64(s.Class), 12)
		for _, r := range s.Regions {
			add(uint64(r.number())+1, 7)
			bareRegion(r, add)
		}
	}
	return out
}

func bareRegion(r Region, add func(v uint64, n int)) {
	table := regionTable()
	l := table[slices.IndexFunc(table, func(l layout) bool { return l.name == Name(r) })]
	leaves := leavesOf(r)
	for _, f := range l.fields {
		n, _ := strconv.Atoi(f[1:])
		leaf := leaves[0]
		leaves = leaves[1:]
		switch f[0] {
		case 'a':
			_, width, _ := strings.Cut(f, ":")
			n, _ = strconv.Atoi(width)
			values := leaf.([]uint64)
			add(uint64(len(values)), 8)
			for _, v := range values {
				add(v, n)
			}
		case 'u':
			add(leaf.(uint64), n)
		case 's':
			add(uint64(leaf.(int64)), n)
		case 'f':
			add(leaf.(uint64), 32)
		case 'v':
			v := leaf.(int64)
			selector := smallestSelector(v)
			add(uint64(selector)<<1, 3) // no number here is negative
			add(uint64(v), varintBits[selector])
		default:
			text := leaf.([]byte)
			if f[0] == 'z' {
				text = append(text, 0)
			}
			add(uint64(len(text)), n)
			for _, c := range text {
				add(uint64(c), 8)
			}
		}
	}
}

func benchmarkBareWrite(b *testing.B, list []bareField) {
	dst := make([]byte, 0, 1024)
	b.ReportAllocs()
	for b.Loop() {
		dst = bareWrite(dst[:0], list)
	}
	b.SetBytes(int64(len(dst)))
}

// bareWrite is all that writing a frame of these numbers takes.
func bareWrite(dst []byte, list []bareField) []byte {
	dst = append(dst, 0, 0, 0x2C, 1, 0)
	var acc uint64
	var held uint
	for _, f := range list {
		acc |= uint64(f.value) << held
		held += uint(f.width)
		if held >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			held -= 32
		}
	}
	for ; held > 0; held -= min(8, held) {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	binary.LittleEndian.PutUint16(dst, uint16(len(dst)))
	return dst
}

// bareRead is all that reading them takes.
func bareRead(values []uint32, frame []byte, list []bareField) {
	at := serverHeader * 8
	for i, f := range list {
		var word uint64
		if k := at >> 3; k+8 <= len(frame) {
			word = binary.LittleEndian.Uint64(frame[k:])
		} else {
			for n := len(frame) - 1; n >= k; n-- {
				word = word<<8 | uint64(frame[n])
			}
		}
		values[i] = uint32(word >> (at & 7) & (1<<f.width - 1))
		at += int(f.width)
	}
}

func benchmarkBareRead(b *testing.B, frame []byte, list []bareField) {
	values := make([]uint32, len(list))
	b.ReportAllocs()
	b.SetBytes(int64(len(frame)))
	for b.Loop() {
		bareRead(values, frame, list)
	}
}

// The bare loops do the same work: they make and read the same frames.
func TestBareLoops(t *testing.T) {
	for name, body := range map[string]*Body{"crowd": crowd(), "entering": entering(enteringStrannik())} {
		want, err := AppendServer(nil, body, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		list := fieldsOf(body)
		if got := bareWrite(nil, list); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got % X\nwant % X", name, got, want)
		}
		values := make([]uint32, len(list))
		bareRead(values, want, list)
		for i, f := range list {
			if values[i] != f.value {
				t.Fatalf("%s: field %d is %d, want %d", name, i, values[i], f.value)
			}
		}
	}
}
