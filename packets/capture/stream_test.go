package capture

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sphereserver/packets"
)

// Segments in any order, cut and repeated as the network likes, and with any first number, come out as they were
// sent.
func TestSegmentsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sent := rapid.SliceOfN(rapid.Byte(), 1, 400).Draw(t, "sent")
		first := rapid.OneOf(rapid.Uint32(), rapid.Uint32Range(1<<32-300, 1<<32-1), rapid.Uint32Range(1<<31-300,
			1<<31+300)).Draw(t, "first")
		var segments []segment
		cut := func(from, to int) {
			segments = append(segments, segment{sequence: first + uint32(from), data: sent[from:to]})
		}
		for from := 0; from < len(sent); {
			to := rapid.IntRange(from+1, len(sent)).Draw(t, "to")
			cut(from, to)
			from = to
		}
		for range rapid.IntRange(0, 10).Draw(t, "repeats") { // retransmissions, cut elsewhere
			from := rapid.IntRange(0, len(sent)-1).Draw(t, "from")
			cut(from, rapid.IntRange(from+1, len(sent)).Draw(t, "to"))
		}
		var s stream
		s.start(first)
		var got []byte
		for _, seg := range rapid.Permutation(segments).Draw(t, "order") {
			s.add(seg, func(data []byte, _ time.Time, lost int) {
				if lost != 0 {
					t.Fatalf("%d bytes lost", lost)
				}
				got = append(got, data...)
			})
		}
		if !bytes.Equal(got, sent) {
			t.Fatalf("sent % X, got % X", sent, got)
		}
		if len(s.held) != 0 || s.bytes != 0 {
			t.Fatalf("%d segments of %d bytes are held in the end", len(s.held), s.bytes)
		}
	})
}

func TestMissingBytesAreGivenUp(t *testing.T) {
	at := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		add func(s *stream, out deliver)
	}{
		"at the end": {func(s *stream, out deliver) { s.flush(out) }},
		"after a while": {func(s *stream, out deliver) {
			s.add(segment{20, []byte("later"), at.Add(maxHeldTime + time.Second)}, out)
		}},
		"when it becomes too much": {func(s *stream, out deliver) {
			for i := range uint32(maxHeldSegments + 1) {
				s.add(segment{1000 + 2*i, []byte{1}, at}, out)
			}
		}},
		"when it becomes too large": {func(s *stream, out deliver) {
			s.add(segment{1000, make([]byte, maxHeldBytes), at}, out)
		}},
	} {
		var s stream
		s.start(0)
		var got string
		out := func(data []byte, _ time.Time, lost int) { got += fmt.Sprintf("(%d)%.4s", lost, data) }
		s.add(segment{0, []byte("ab"), at}, out)
		s.add(segment{10, []byte("cd"), at}, out)
		s.add(segment{12, []byte("ef"), at}, out)
		if got != "(0)ab" {
			t.Errorf("%s: %s came though bytes are missing before it", name, got)
		}
		c.add(&s, out)
		if want := "(0)ab(8)cd(0)ef"; got[:min(len(got), len(want))] != want {
			t.Errorf("%s: %q, want %s", name, got, want)
		}
		if s.bytes > maxHeldBytes || len(s.held) > maxHeldSegments {
			t.Errorf("%s: %d segments of %d bytes are held", name, len(s.held), s.bytes)
		}
	}
}

// frames collects the frames that a framer makes of pieces.
func frames(dir packets.Direction, pieces ...string) string {
	c := framer{dir: dir}
	var got string
	for i, p := range pieces {
		lost := 0
		if p[0] == '!' {
			lost, p = 5, p[1:]
		}
		c.push([]byte(p), time.Unix(int64(i), 0), lost, func(f []byte, at time.Time) {
			got += fmt.Sprintf("%X@%d ", f,
				at.Unix())
		},
			func(lost, stray int) { got += fmt.Sprintf("lost %d stray %d ", lost, stray) })
	}
	return got + fmt.Sprintf("left %d", len(c.buf)+c.stray)
}

func TestCutter(t *testing.T) {
	const keep, gone = "\x04\x00\xF4\x01", "\x0B\x00\x2C\x01\x00\x00\x00\x34\x12\x00\x00"
	for _, c := range []struct {
		pieces []string
		want   string
	}{
		{[]string{keep + gone}, "0400F401@0 0B002C0100000034120000@0 left 0"},
		{[]string{keep[:1], keep[1:2], keep[2:] + gone[:3], gone[3:]}, "0400F401@0 0B002C0100000034120000@2 left 0"},
		{[]string{keep, gone[:4]}, "0400F401@0 left 4"},
		// Bytes are missing in the middle of a frame: it goes on with the next that seems to be one.
		{[]string{keep + gone[:4], "!" + gone[9:] + gone, keep},
			"0400F401@0 lost 5 stray 4 lost 0 stray 2 0B002C0100000034120000@1 0400F401@2 left 0"},
		// A length that cannot be right.
		{[]string{"\x01\x00\x05" + keep + keep}, "lost 0 stray 3 0400F401@0 0400F401@0 left 0"},
		{[]string{"\x00\x00\x00\x00\x00\x00\x00"}, "left 7"},
	} {
		if got := frames(packets.FromServer, c.pieces...); got != c.want {
			t.Errorf("%q: got %s, want %s", c.pieces, got, c.want)
		}
	}
	if got, want := frames(packets.FromClient, "\xFF\xFF\x00",
		"\x08\x00\x3F\x42\x2A\x01\xF4\x01"), "lost 0 stray 3 08003F422A01F401@1 left 0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A framer never invents bytes, and holds no more than one frame and one piece.
func FuzzCutter(f *testing.F) {
	f.Add([]byte("\x04\x00\xF4\x01\x0B\x00\x2C\x01\x00\x00\x00\x34\x12\x00\x00"), uint8(3), true)
	f.Add([]byte("\x08\x00\x3F\x42\x2A\x01\xF4\x01\xFF\xFF\xFF\x08\x00\x3F\x42\x2A\x01\xF4\x01"), uint8(5), false)
	f.Fuzz(func(t *testing.T, data []byte, step uint8, server bool) {
		dir := packets.FromClient
		if server {
			dir = packets.FromServer
		}
		c := framer{dir: dir}
		passed := 0
		n := int(step) + 1
		for i := 0; i < len(data); i += n {
			lost := 0
			if i%7 == 6 {
				lost = 1
			}
			c.push(data[i:min(i+n, len(data))], time.Unix(int64(i), 0), lost, func(frame []byte, _ time.Time) {
				if _, err := packets.CutFrame(frame, dir); err != nil {
					t.Fatalf("% X is no frame: %v", frame, err)
				}
				passed += len(frame)
			}, func(_, stray int) { passed += stray })
		}
		if got := passed + len(c.buf) + c.stray; got != len(data) {
			t.Fatalf("%d bytes went in, %d came out", len(data), got)
		}
		if len(c.buf) > packets.MaxServerFrame+n {
			t.Fatalf("%d bytes are held", len(c.buf))
		}
	})
}

// With any numbers that a hostile file puts on its segments, bytes come out at most once each, and little is held.
func TestHostileSegments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stream
		in, out := 0, 0
		take := func(data []byte, _ time.Time, lost int) {
			if len(data) == 0 || lost < 0 {
				t.Fatalf("%d bytes after %d lost", len(data), lost)
			}
			out += len(data)
		}
		for range rapid.IntRange(1, 60).Draw(t, "segments") {
			n := rapid.IntRange(0, 300).Draw(t, "size")
			in += n
			near := rapid.Map(rapid.IntRange(-400, 400), func(d int) uint32 { return s.next + uint32(d) })
			sequence := rapid.OneOf(rapid.Uint32(), near).Draw(t, "sequence")
			at := time.Unix(int64(rapid.IntRange(0, 30).Draw(t, "at")), 0)
			s.add(segment{sequence, make([]byte, n), at}, take)
			held := 0
			for _, h := range s.held {
				held += len(h.data)
			}
			if held != s.bytes || held > maxHeldBytes {
				t.Fatalf("%d bytes are held, %d counted", held, s.bytes)
			}
		}
		s.flush(take)
		if out > in || s.bytes != 0 {
			t.Fatalf("%d bytes went in, %d came out, %d are counted as held", in, out, s.bytes)
		}
	})
}
