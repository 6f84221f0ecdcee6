package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"sphereserver/bitpack"
	"sphereserver/packets"
)

// measureFrames is P7: how long it takes to encode and to decode the frame with which a character enters the world, beside a
// loop that moves the same bits and knows nothing of what they mean.
func measureFrames(_ context.Context, b *bench) error {
	// Two characters in turn, so that nothing can be guessed from the one before.
	var examples [2]example
	for i := range examples {
		var err error
		if examples[i], err = newExample(i); err != nil {
			return err
		}
	}
	size := len(examples[0].frame)
	buffer, scratch := make([]byte, 0, 2*size), make([]uint32, len(examples[0].widths))
	var decoded packets.Frame
	for _, c := range []struct {
		what       string
		ours, bare func(*example) error
	}{
		{"encode",
			func(e *example) error {
				_, err := packets.AppendServer(buffer, e.body, packets.Dialect2026)
				return err
			},
			func(e *example) error {
				bareEncode(buffer, e.values, e.widths)
				return nil
			}},
		{"decode",
			func(e *example) error { return decoded.Decode(e.frame, packets.FromServer, packets.Dialect2026) },
			func(e *example) error {
				bareDecode(scratch, e.frame, e.widths)
				return nil
			}},
	} {
		var allocations int64
		timed := func(work func(*example) error, allocations *int64) measurement {
			return func() (float64, error) {
				result, err := b.loop(func(t *testing.B) error {
					for i := range t.N {
						if err := work(&examples[i%2]); err != nil {
							return err
						}
					}
					return nil
				})
				*allocations = result.AllocsPerOp()
				return perOperation(result), err
			}
		}
		r, err := b.measure(fmt.Sprintf("%s a frame of %d bytes", c.what, size), seconds, ratioAtMost(2.0), ratioAtMost(1.3),
			timed(c.ours, &allocations), timed(c.bare, new(int64)))
		if err != nil {
			return err
		}
		r.AlsoGreat = &condition{"no allocations", allocations == 0}
		r.note("%s: %d allocations; two characters of one name in turn, into one frame that is used again", c.what, allocations)
	}
	return nil
}

// An example is a frame in all its forms.
type example struct {
	body   *packets.Body
	frame  []byte
	values []uint32 // of all fields
	widths []uint8  // and of each in bits
}

// newExample makes one of the examples, and sees that the bare loops do what they should.
func newExample(number int) (e example, err error) {
	m := snapshot(number)
	e.body = packets.EnterWorldFrame(packets.FirstPlayerIndex, packets.PregameClock, &m)
	if e.frame, err = packets.AppendServer(nil, e.body, packets.Dialect2026); err != nil {
		return e, err
	}
	e.widths = snapshotWidths(&m)
	r := bitpack.NewReader(e.frame)
	for _, n := range e.widths {
		e.values = append(e.values, r.Uint(int(n)))
	}
	if r.Err() != nil || r.Left() >= 8 {
		return e, fmt.Errorf("%d bits are left of the frame, %w", r.Left(), r.Err())
	}
	if bare := bareEncode(nil, e.values, e.widths); !bytes.Equal(bare, e.frame) {
		return e, errors.New("the bare loop does not make the frame that it should")
	}
	read := make([]uint32, len(e.widths))
	if bareDecode(read, e.frame, e.widths); !slices.Equal(read, e.values) {
		return e, errors.New("the bare loop does not read the frame as it should")
	}
	return e, nil
}

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
