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
		frame := c.plain
		if len(frame) == 0 {
			frame = bytes.Clone(c.wire)
			if c.dir == FromClient {
				Deobfuscate(frame)
			}
		}
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
