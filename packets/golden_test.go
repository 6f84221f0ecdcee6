package packets

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the words of golden frames anew; read them before committing")

// A golden is one frame of ../testdata/golden, with a README.md that tells the format.
type golden struct {
	file  string
	name  string
	dir   Direction
	only  []Dialect // in which the frame means the words
	says  string
	frame []byte // plain
	wire  []byte // of client frames that were recorded or printed obfuscated
	// Unknown is how many bits have no known meaning, and why.
	unknown    int
	why        string
	words      []string
	at, length int // lines of the words in the file
}

const goldenDir = "../testdata/golden"

// goldens reads all golden frames, in the order of their files.
func goldens(t testing.TB) []*golden {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(goldenDir, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden frames in %s: %v", goldenDir, err)
	}
	var all []*golden
	for _, file := range files {
		gs, err := readGoldens(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, gs...)
	}
	return all
}

func goldenByName(t testing.TB, name string) *golden {
	t.Helper()
	all := goldens(t)
	i := slices.IndexFunc(all, func(g *golden) bool { return g.name == name })
	if i < 0 {
		t.Fatalf("no golden frame %q", name)
	}
	return all[i]
}

func readGoldens(file string) ([]*golden, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var all []*golden
	var g *golden
	for n, line := range strings.Split(string(text), "\n") {
		head, rest, _ := strings.Cut(line, " ")
		switch {
		case line == "" || head == "#":
			continue
		case head == "==":
			if g, err = goldenHead(rest); err == nil {
				g.file = file
				all = append(all, g)
			}
		case g == nil:
			err = fmt.Errorf("expected ==")
		case head == ">":
			if g.length == 0 {
				g.at = n
			}
			g.length = n - g.at + 1
			g.words = append(g.words, rest)
		case head == "wire":
			g.wire, err = hex.DecodeString(strings.ReplaceAll(rest, " ", ""))
		case head == "bits":
			g.frame, err = writeBitString(g.dir, g.frame, rest)
		case head == "unknown":
			number, why, _ := strings.Cut(rest, " ")
			g.why = why
			g.unknown, err = strconv.Atoi(number)
		default:
			var more []byte
			more, err = hex.DecodeString(strings.ReplaceAll(line, " ", ""))
			g.frame = append(g.frame, more...)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n+1, err)
		}
		if g.length == 0 {
			g.at = n + 1
		}
	}
	return all, nil
}

var goldenHeadForm = regexp.MustCompile(`^(\S+) \| (S2C|C2S) \| (\S+) \| (.+)$`)

func goldenHead(s string) (*golden, error) {
	m := goldenHeadForm.FindStringSubmatch(s)
	if m == nil {
		return nil, fmt.Errorf("expected == name | direction | dialects | meaning, found %q", s)
	}
	g := &golden{name: m[1], dir: FromServer, says: m[4]}
	if m[2] == "C2S" {
		g.dir = FromClient
	}
	if m[3] == "any" {
		g.only = []Dialect{Dialect2026, Dialect2022, Classic}
		return g, nil
	}
	for _, name := range strings.Split(m[3], ",") {
		d, err := ParseDialect(name)
		if err != nil {
			return nil, err
		}
		g.only = append(g.only, d)
	}
	return g, nil
}

// Every golden frame says the same as the file, leaves no bit without a meaning, and encodes to the same bytes.
func TestGoldenFrames(t *testing.T) {
	for _, g := range goldens(t) {
		for _, d := range g.only {
			t.Run(g.name+"/"+d.String(), func(t *testing.T) {
				f, err := DecodeFrame(g.frame, g.dir, d)
				if err != nil && g.why == "" {
					t.Fatal(err)
				}
				if f.Body != nil && f.Body.UnknownBits() != g.unknown {
					t.Errorf("%d bits without a meaning, expected %d", f.Body.UnknownBits(), g.unknown)
				}
				back, err := f.Append([]byte("before"), d)
				if err != nil || !bytes.Equal(back[len("before"):], g.frame) {
					t.Errorf("encoded anew: %v\n got % X\nwant % X", err, back[min(6, len(back)):], g.frame)
				}
				if got := words(f); *update {
					g.words = got
				} else if diff := cmp.Diff(g.words, got); diff != "" {
					t.Errorf("-file +frame\n%s", diff)
				}
			})
		}
	}
	if *update {
		writeGoldenWords(t, goldens(t))
	}
}

func writeGoldenWords(t *testing.T, all []*golden) {
	for i := 0; i < len(all); {
		file := all[i].file
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		shift := 0
		for ; i < len(all) && all[i].file == file; i++ {
			g := all[i]
			f, _ := DecodeFrame(g.frame, g.dir, g.only[0])
			var fresh []string
			for _, w := range words(f) {
				fresh = append(fresh, "> "+w)
			}
			lines = slices.Replace(lines, g.at+shift, g.at+shift+g.length, fresh...)
			shift += len(fresh) - g.length
		}
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// The checksum of a client frame is over its bytes as they travel.
func TestGoldenFramesOnTheWire(t *testing.T) {
	n := 0
	for _, g := range goldens(t) {
		if g.wire == nil {
			continue
		}
		n++
		wire := bytes.Clone(g.frame)
		Obfuscate(wire)
		if !bytes.Equal(wire[4:], g.wire[4:]) {
			t.Errorf("%s: on the wire\n got % X\nwant % X", g.name, wire, g.wire)
		}
		plain := bytes.Clone(g.wire)
		Deobfuscate(plain)
		if !bytes.Equal(plain[4:], g.frame[4:]) {
			t.Errorf("%s: plain\n got % X\nwant % X", g.name, plain, g.frame)
		}
	}
	if n < 10 {
		t.Errorf("only %d frames with their form on the wire", n)
	}
}
