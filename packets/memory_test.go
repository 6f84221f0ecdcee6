package packets

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// allocated is how many bytes of memory f takes from the heap: the least of three times, as the first may fill a
// pool, and as the runtime's own work meanwhile is counted too.
func allocated(f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Memory is a function of the bytes received, never of the bytes claimed: every count of every message as large as its
// bits allow, with up to 8 bytes behind it.
func TestClaimedCounts(t *testing.T) {
	n := 0
	for _, l := range slices.Concat(regionTable(), commandTable()) {
		for _, d := range dialects {
			for _, frame := range claims(l, d) {
				n++
				if got := allocated(func() { _, _ = DecodeFrame(frame, l.dirs()[0], d) }); got > uint64(16*len(frame)+4096) {
					t.Errorf("%s: % X takes %d bytes", l.name, frame, got)
				}
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d frames", n)
	}
}

// claims are frames of one message in which a count is too large: of its array, or of a text or list in it.
func claims(l layout, dialect Dialect) [][]byte {
	if !l.fits(l.class, dialect) {
		return nil
	}
	var head bitString
	head.uint(0, 16)
	head.uint(0x1234, 18)
	head.uint(uint64(l.class), 12)
	var counts []bitString
	if l.kind != "" {
		c := commandRegions[l.kind]
		s := bitString{slices.Clone(head.bits)}
		s.uint(uint64(c.number)+1, 7)
		s.uint(uint64(l.number), commandWidth(l.kind, l.class, dialect))
		s.uint(1<<c.count-1, c.count)
		counts = append(counts, s)
	} else {
		s := bitString{slices.Clone(head.bits)}
		s.uint(uint64(l.number)+1, 7)
		for i, field := range l.fields {
			var n int
			fmt.Sscan(field[1:], &n)
			switch {
			case strings.ContainsRune("tzc", rune(field[0])), i+1 < len(l.fields) && l.fields[i+1] == "n*f":
				claim := bitString{slices.Clone(s.bits)}
				claim.uint(1<<n-1, n)
				counts = append(counts, claim)
				s.uint(0, n)
			case field[0] == 'v':
				s.varint(0, 0)
			case field[0] == '=':
				s.uint(60, 8)
			case field[0] == 'f':
				s.uint(0, 32)
			default:
				s.uint(0, n)
			}
		}
	}
	var out [][]byte
	for _, s := range counts {
		for n := range 9 {
			behind := bitString{slices.Clone(s.bits)}
			for range n {
				behind.uint(0xFF, 8)
			}
			out = append(out, behind.frame(l.dirs()[0]))
		}
	}
	return out
}

// The same for recorded frames that turn into ones after any byte.
func TestMemoryOfDamagedFrames(t *testing.T) {
	for _, g := range goldens(t) {
		for at := 5; at < len(g.frame); at += 1 + len(g.frame)/50 {
			frame := bytes.Clone(g.frame)
			for i := at; i < len(frame); i++ {
				frame[i] = 0xFF
			}
			if got := allocated(func() { _, _ = DecodeFrame(frame, g.dir, g.only[0]) }); got > uint64(16*len(frame)+4096) {
				t.Errorf("%s from byte %d: takes %d bytes for %d", g.name, at, got, len(frame))
			}
		}
	}
}

// The densest frames that a client can send, of its greatest length: an object or a message in as few bits as it takes.
func TestMemoryOfDenseFrames(t *testing.T) {
	for name, part := range map[string]func(*bitString){
		"removals":  func(s *bitString) { s.uint(1, 18); s.uint(0, 12); s.uint(63, 7) },
		"positions": func(s *bitString) { s.uint(12, 7); s.uint(0, 4) },
		"commands":  func(s *bitString) { writeCommand(s, "Manager", 2, Dialect2026, 200, nil) },
		"releases":  func(s *bitString) { writeCommand(s, "Manager", 2, Dialect2026, 67, nil) },
		"numbers":   func(s *bitString) { s.uint(11, 7); s.uint(0, 12) },
		"snapshots": func(s *bitString) { s.uint(8, 7) },
	} {
		var s bitString
		s.uint(0, 16)
		if name != "removals" {
			s.uint(1, 18)
			s.uint(2, 12)
		}
		for len(s.bits) < (MaxClientFrame-clientHeader-1)*8-37 {
			part(&s)
		}
		frame := s.frame(FromClient)
		got := allocated(func() { _, _ = DecodeFrame(frame, FromClient, Dialect2026) })
		t.Logf("%s: %d bytes of memory for each received", name, got/uint64(len(frame)))
		if got > uint64(128*len(frame)) {
			t.Errorf("%s: a frame of %d bytes takes %d", name, len(frame), got)
		}
	}
}
