package packets

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"
)

// keeps reads a frame that may be damaged: it is refused, or it is kept bit for bit. Its meaning is no matter.
func keeps(t testing.TB, frame []byte, dir Direction, d Dialect) {
	t.Helper()
	before := bytes.Clone(frame)
	f, err := DecodeFrame(frame, dir, d)
	if !bytes.Equal(before, frame) {
		t.Fatalf("%s %s: reading changed % X to % X", dir, d, before, frame)
	}
	if f == nil {
		if err == nil {
			t.Fatalf("%s %s: % X is neither a frame nor an error", dir, d, frame)
		}
		return
	}
	back, err := f.Append(nil, d)
	if err != nil || !bytes.Equal(back, frame) {
		t.Fatalf("%s %s: read as %v\n and written %v\n got % X\nwant % X", dir, d, words(f), err, back, frame)
	}
}

// sized sets the length field to the frame's length.
func sized(frame []byte) []byte {
	binary.LittleEndian.PutUint16(frame, uint16(len(frame)))
	return frame
}

// Each golden frame with each of its bits turned over.
func TestFlippedBits(t *testing.T) {
	for _, g := range goldens(t) {
		for bit := range len(g.frame) * 8 {
			frame := bytes.Clone(g.frame)
			frame[bit/8] ^= 1 << (bit % 8)
			for _, d := range g.only {
				keeps(t, frame, g.dir, d)
			}
		}
	}
}

// Each golden frame cut after each byte and with bytes added, with the length field as it was and corrected.
func TestCutAndLengthenedFrames(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, g := range goldens(t) {
		d := g.only[0]
		for n := 2; n < len(g.frame); n++ {
			keeps(t, g.frame[:n:n], g.dir, d)
			keeps(t, sized(bytes.Clone(g.frame[:n])), g.dir, d)
		}
		for n := range 40 {
			for _, fill := range []int{0, 0xFF, -1} {
				longer := append(bytes.Clone(g.frame), make([]byte, n)...)
				for i := len(g.frame); i < len(longer); i++ {
					longer[i] = byte(fill)
					if fill < 0 {
						longer[i] = byte(random.Uint32())
					}
				}
				keeps(t, sized(longer), g.dir, d)
			}
		}
	}
}

// Each golden frame from each bit on as random bits and as ones, and in the dialects that it is not of.
func TestRandomTails(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, g := range goldens(t) {
		for at := 5; at < len(g.frame); at++ {
			frame := bytes.Clone(g.frame)
			for i := at; i < len(frame); i++ {
				frame[i] = byte(random.Uint32())
			}
			keeps(t, frame, g.dir, dialects[at%3])
			keeps(t, frame, FromServer+FromClient-g.dir, dialects[at%3])
			for i := at; i < len(frame); i++ {
				frame[i] = 0xFF
			}
			keeps(t, frame, g.dir, dialects[at%3])
		}
	}
}
