package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"sphereserver/bitpack"
	"sphereserver/packets"
)

// measureFrames is P7: how long it takes to encode and to decode the frame with which a character enters the world, beside a
// loop that moves the same bits and knows nothing of what they mean.
func measureFrames(_ context.Context, b *bench) ([]*row, error) {
	if err := setBenchtime(b.sizes.window / 5); err != nil {
		return nil, err
	}
	// Two characters in turn, so that nothing can be guessed from the one before.
	var examples [2]example
	for i := range examples {
		var err error
		if examples[i], err = newExample(i); err != nil {
			return nil, err
		}
	}
	turn := 0
	next := func() *example {
		turn ^= 1
		return &examples[turn]
	}
	size := len(examples[0].frame)
	buffer := make([]byte, 0, 2*size)
	scratch := make([]uint32, len(examples[0].widths))
	var decoded packets.Frame
	var rows []*row
	for _, c := range []struct {
		what       string
		ours, bare func() error
	}{
		{"encode",
			func() error {
				_, err := packets.AppendServer(buffer, next().body, packets.Dialect2026)
				return err
			},
			func() error {
				s := next()
				bareEncode(buffer, s.values, s.widths)
				return nil
			}},
		{"decode",
			func() error { return decoded.Decode(next().frame, packets.FromServer, packets.Dialect2026) },
			func() error {
				s := next()
				bareDecode(scratch, s.frame, s.widths)
				return nil
			}},
	} {
		r := &row{Number: b.now, Unit: seconds, Bar: ratioAtMost(2.0), Great: ratioAtMost(1.3),
			What: fmt.Sprintf("%s a frame of %d bytes", c.what, size)}
		var allocations int64
		err := b.takeTurns(r, func() (float64, error) {
			result, err := benchmark(c.ours)
			allocations = result.AllocsPerOp()
			return perOperation(result), err
		}, func() (float64, error) {
			result, err := benchmark(c.bare)
			return perOperation(result), err
		})
		if err != nil {
			return rows, err
		}
		r.AlsoGreat = &condition{"no allocations", allocations == 0}
		r.note("%s: %d allocations", c.what, allocations)
		rows = append(rows, r)
	}
	rows[len(rows)-1].note("two characters of one name in turn, into one frame that is used again")
	return rows, nil
}

// An example is a frame in all its forms.
type example struct {
	body   *packets.Body
	frame  []byte
	values []uint32 // of all fields
	widths []uint8  // and of each in bits
}

// newExample makes one of the examples, and sees that the bare loops do what they should.
func newExample(number int) (s example, err error) {
	m := snapshot(number)
	s.body = packets.EnterWorldFrame(packets.FirstPlayerIndex, packets.PregameClock, &m)
	if s.frame, err = packets.AppendServer(nil, s.body, packets.Dialect2026); err != nil {
		return s, err
	}
	s.widths = snapshotWidths(&m)
	if s.values, err = fieldValues(s.frame, s.widths); err != nil {
		return s, err
	}
	if bare := bareEncode(nil, s.values, s.widths); !bytes.Equal(bare, s.frame) {
		return s, errors.New("the bare loop does not make the frame that it should")
	}
	read := make([]uint32, len(s.widths))
	if bareDecode(read, s.frame, s.widths); !slices.Equal(read, s.values) {
		return s, errors.New("the bare loop does not read the frame as it should")
	}
	return s, nil
}

// setBenchtime is how long one benchmark runs.
func setBenchtime(d time.Duration) error {
	testing.Init()
	return flag.Set("test.benchtime", d.String())
}

func benchmark(work func() error) (testing.BenchmarkResult, error) {
	var failure error
	result := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			if err := work(); err != nil {
				failure = err
				return
			}
		}
	})
	return result, failure
}

func perOperation(r testing.BenchmarkResult) float64 { return r.T.Seconds() / float64(max(r.N, 1)) }

// snapshot is a character in the middle of its life. Those of other numbers differ in what changes in play.
func snapshot(number int) packets.WorldSnapshot {
	at := place()
	at.X += float32(number)
	more := int32(number)
	m := packets.WorldSnapshot{Name: "Странник", Clan: "Кочевники", ClanRank: 2, Look: 0x30313233, X: at.X, Y: at.Y, Z: at.Z, Yaw: 1.5,
		Carried: 17000 + more, HP: 750 + more, MaxHP: 812, Karma: 3, Levels: 3342, Guild: 67, GuildRank: 5, Money: 123456 + uint32(more)}
	for i := range m.Occupied {
		if i%3 == number {
			m.Occupied[i], m.Weights[i] = 1, uint32(5000+i)
		}
	}
	return m
}

// snapshotWidths are the widths in bits of all that a frame with a snapshot consists of.
func snapshotWidths(m *packets.WorldSnapshot) []uint8 {
	w := []uint8{16, 16, 8} // frame header: length, channel, zero
	add := func(widths ...uint8) { w = append(w, widths...) }
	times := func(n int, width uint8) {
		for range n {
			add(width)
		}
	}
	varint := func(v int32) { add(3, [4]uint8{3, 7, 14, 31}[bitpack.VarintSelector(v)]) }

	add(1, 15, 18, 12, 7) // no position, clock, object, class, marker
	add(8)
	times(packets.Len1251(m.Name)+1, 8)
	add(4)
	times(packets.Len1251(m.Clan), 8)
	add(3)
	varint(m.Look)
	add(2, 32, 32, 32, 32)
	varint(m.Carried)
	add(8)
	times(len(m.Occupied), 16)
	add(8)
	times(len(m.Weights), 20)
	varint(m.HP)
	varint(m.MaxHP)
	add(3)
	varint(m.Levels)
	add(6)
	varint(m.Guild)
	add(4, 32)
	return w
}

// fieldValues reads fields of these widths, which must be all there is.
func fieldValues(frame []byte, widths []uint8) ([]uint32, error) {
	r := bitpack.NewReader(frame)
	values := make([]uint32, len(widths))
	for i, n := range widths {
		values[i] = r.Uint(int(n))
	}
	if r.Err() == nil && r.Left() >= 8 {
		return nil, fmt.Errorf("%d bits are left of the frame", r.Left())
	}
	return values, r.Err()
}

// bareEncode is the reference: values of these widths through a 64-bit accumulator, without a look at any of them.
func bareEncode(dst []byte, values []uint32, widths []uint8) []byte {
	var acc uint64
	var held uint8
	for i, n := range widths {
		acc |= uint64(values[i]) << held
		if held += n; held >= 32 {
			dst = binary.LittleEndian.AppendUint32(dst, uint32(acc))
			acc >>= 32
			held -= 32
		}
	}
	for ; held > 0; held -= min(held, 8) {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// bareDecode is the reference of the other way.
func bareDecode(values []uint32, frame []byte, widths []uint8) {
	var acc uint64
	var held uint8
	at := 0
	for i, n := range widths {
		if held < n {
			if at+4 <= len(frame) {
				acc |= uint64(binary.LittleEndian.Uint32(frame[at:])) << held
				at += 4
				held += 32
			} else {
				for ; at < len(frame); at++ {
					acc |= uint64(frame[at]) << held
					held += 8
				}
			}
		}
		values[i] = uint32(acc & (math.MaxUint32 >> (32 - n)))
		acc >>= n
		held -= n
	}
}
