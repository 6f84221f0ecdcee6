package capture

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

// The recordings of the repository read and verify like any other capture: every frame is exact, and so is its
// checksum.
func TestRecordingsAreRead(t *testing.T) {
	files, err := filepath.Glob("../../testdata/recordings/*" + recording.Extension)
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		v := Verifier{Detector: NewDetector()}
		ways := map[packets.Direction]int{}
		for rec, err := range Read(name, bytes.NewReader(file), Options{}) {
			if err != nil {
				t.Fatal(err)
			}
			ways[rec.Direction]++
			r, findings := v.Check(rec)
			for _, f := range findings {
				t.Errorf("%s: %s %s", rec.Position(), f.Kind, f.Reason)
			}
			if words := Words(&r); rec.Direction == packets.FromClient && !strings.Contains(words, " ok (key 0x0E40)") ||
				strings.Contains(words, "secret") {
				t.Errorf("%s:\n%s", rec.Position(), words)
			}
		}
		if v.Totals.Frames == 0 || v.Totals.Exact != v.Totals.Frames || ways[packets.FromClient] == 0 ||
			ways[packets.FromServer] == 0 {
			t.Errorf("%s: %+v, %v", name, v.Totals, ways)
		}
	}
}

// Of a damaged recording all records before the damage are read, and the error says where it is.
func TestDamagedRecordingsAreReadAsFarAsTheyGo(t *testing.T) {
	file, err := os.ReadFile("../../testdata/recordings/walk" + recording.Extension)
	if err != nil {
		t.Fatal(err)
	}
	frames := 0
	var last error
	for _, err := range Read("walk", bytes.NewReader(file[:len(file)/2]), Options{}) {
		if err != nil {
			last = err
			continue
		}
		frames++
	}
	var damage *recording.DamageError
	if frames < 10 || !errors.As(last, &damage) || damage.Offset < 100 {
		t.Errorf("%d frames, %v", frames, last)
	}
}

func TestLostSessionsAreNamed(t *testing.T) {
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Info{Dialect: "2026"})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(w.Note(recording.Opened, 3, 0, recording.Session{Index: 0x4F6F, Key: 1}),
		w.Write(recording.Record{Kind: recording.Server, Session: 3, Data: []byte{4, 0, 0xF4, 1}}),
		w.Note(recording.Lost, 3, 0, recording.Loss{Why: "x"}), w.Note(recording.Ends, 0, 0, recording.Summary{}), w.Close())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for rec, err := range Read("some.sphrec", &file, Options{}) {
		if err != nil {
			got = append(got, err.Error())
		} else {
			got = append(got, rec.Position())
		}
	}
	if want := "some.sphrec frame 1|some.sphrec: session 3 is recorded no further after 0s"; strings.Join(got,
		"|") != want {
		t.Errorf("found %q", got)
	}
}
