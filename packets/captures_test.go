package packets

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
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

// captures reads the recorded frames, which are not part of the repository: they lie beside it in
// a folder named as below, or where SPHERE_CAPTURES says.
func captures(t testing.TB) []capturedFrame {
	t.Helper()
	dir := os.Getenv("SPHERE_CAPTURES")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared", "captures")
	}
	file, err := os.Open(filepath.Join(dir, "frames.tsv"))
	if err != nil {
		t.Skipf("no recorded captures: %v", err)
	}
	defer file.Close()
	var out []capturedFrame
	sc := bufio.NewScanner(file)
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
	for _, c := range captures(t) {
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
	for _, c := range captures(t) {
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
