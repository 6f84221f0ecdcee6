package capture

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
	"sphereserver/packets/packetstest/captures"
)

var exceptionRow = regexp.MustCompile(`(?m)^\| (\w+) \| (\d+) \| (\d+) \| (.+) \|$`)

// exceptions are the rows of testdata/exceptions.md: topic, number of the row and unknown bits.
func exceptions(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile("testdata/exceptions.md")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, m := range exceptionRow.FindAllStringSubmatch(string(text), -1) {
		if out[m[1]+" "+m[2]], err = strconv.Atoi(m[3]); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// Every recorded frame encodes to the bytes that it was decoded from, and means something to its last bit, but for
// those that the list explains.
func TestRecordings(t *testing.T) {
	v := Verifier{Detector: NewDetector()}
	got := map[string]int{}
	for rec, err := range Read("frames.tsv", captures.Open(t), Options{}) {
		if err != nil {
			t.Error(err)
			continue
		}
		r, found := v.Check(rec)
		if r.UnknownBits > 0 || r.Err != nil {
			got[fmt.Sprintf("%s %d", r.Topic, r.Number)] = r.UnknownBits
		}
		if r.Dialect == packets.Dialect2026 {
			t.Errorf("%s: read as of 2026, recorded in 2022 or 2023", r.Position())
		}
		for _, f := range found {
			if f.Kind == Inexact {
				t.Errorf("%s: %s", r.Position(), f.Reason)
			}
		}
	}
	if d := cmp.Diff(exceptions(t), got); d != "" {
		t.Errorf("rows with unknown bits, -listed +found:\n%s", d)
	}
	if n := v.Totals; n.Frames == 0 || n.Exact != n.Frames || n.NotWholeExact != n.NotWhole {
		t.Errorf("%+v", n)
	}
	t.Logf("\n%s", v.Totals.Summary())
}

// Facts that a table tells of its frames are found out as well where it does not tell them: the direction, and from
// the wire the plain form.
func TestRecordingsWithoutHints(t *testing.T) {
	g := NewDetector()
	memory := new(memory)
	n := 0
	for rec, err := range Read("frames.tsv", captures.Open(t), Options{}) {
		if err != nil || !rec.Whole || len(rec.Wire) == 0 || len(rec.Plain) == 0 {
			continue
		}
		n++
		bare := Recorded{Wire: rec.Wire, Whole: true, memory: memory}
		r := g.Read(bare)
		if r.Direction != rec.Direction || !bytes.Equal(r.Decoded, rec.Plain) {
			t.Errorf("%s: %s, % X; want %s, % X", rec.Position(), r.Direction, r.Decoded, rec.Direction, rec.Plain)
		}
	}
	t.Logf("%d frames", n)
}

// Recorded frames with a bit turned over or cut short are read, and put into words and valid JSON, bit for bit.
func TestDamagedRecordings(t *testing.T) {
	const step = 47 // bits; prime to 8, so that each bit of a byte has its turn
	at := 0
	for rec, err := range Read("frames.tsv", captures.Open(t), Options{}) {
		if err != nil || !rec.Whole {
			continue
		}
		frame := bytes.Clone(rec.Bytes())
		check := func(frame []byte, whole bool) {
			v := Verifier{Detector: NewDetector()}
			r, found := v.Check(Recorded{Direction: rec.Direction, Wire: frame, Whole: whole})
			for _, f := range found {
				if f.Kind == Inexact && r.Frame != nil {
					t.Fatalf("%s: % X: %s", rec.Position(), frame, f.Reason)
				}
			}
			Words(&r)
			if !json.Valid(AppendJSON(nil, &r)) {
				t.Fatalf("%s: % X is not valid as JSON", rec.Position(), frame)
			}
		}
		for at += step; at < len(frame)*8; at += step {
			frame[at/8] ^= 1 << (at % 8)
			check(frame, at >= 16)
			frame[at/8] ^= 1 << (at % 8)
			check(frame[:at/8], false)
		}
		at -= len(frame) * 8
	}
}
