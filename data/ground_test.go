package data

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sphereserver/world/rules"
)

var someGround = []rules.GroundCell{{X: -5, Z: 7, Y: 150.25}, {X: -5, Z: 7, Storey: 1, Y: 160}, {X: 9, Z: -3, Y: -20.5}}

// groundFolder is a data folder that knows some heights.
func groundFolder(t *testing.T, cells ...rules.GroundCell) string {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveGround(t.Context(), cells); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func groundOf(t *testing.T, dir string) []rules.GroundCell {
	t.Helper()
	s, err := Open(t.Context(), dir, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	cells, err := s.Ground(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return cells
}

func TestGroundLasts(t *testing.T) {
	dir := groundFolder(t, someGround...)
	if got := groundOf(t, dir); !slices.Equal(got, someGround) {
		t.Errorf("%v, expected %v", got, someGround)
	}
	s, err := Open(t.Context(), dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	newer := rules.GroundCell{X: -5, Z: 7, Y: 151}
	if err := s.SaveGround(t.Context(), []rules.GroundCell{newer}); err != nil {
		t.Fatal(err)
	}
	if got, _ := s.Ground(t.Context()); len(got) != 3 || got[0] != newer {
		t.Errorf("%v", got)
	}
	for _, bad := range []rules.GroundCell{{X: 1 << 20}, {Y: 1e6}, {Storey: 4}, {Storey: -1}} {
		if err := s.SaveGround(t.Context(), []rules.GroundCell{bad}); err == nil {
			t.Errorf("%v was stored", bad)
		}
	}
}

func TestGroundMovesAsOneFile(t *testing.T) {
	from, path := groundFolder(t, someGround...), filepath.Join(t.TempDir(), "heights")
	if n, err := ExportGround(t.Context(), from, path, nil); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	if _, err := ExportGround(t.Context(), from, path, nil); err == nil {
		t.Error("a file was replaced")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := ExportGround(t.Context(), from, "-", &out); err != nil || out.String() != string(text) {
		t.Errorf("%v: %q", err, out.String())
	}

	to := groundFolder(t, rules.GroundCell{X: -5, Z: 7, Y: 161}, rules.GroundCell{X: 1, Z: 1, Y: 10})
	if n, err := ImportGround(t.Context(), to, bytes.NewReader(text)); n != 3 || err != nil {
		t.Fatal(n, err)
	}
	want := []rules.GroundCell{{X: -5, Z: 7, Y: 160}, {X: -5, Z: 7, Storey: 1, Y: 150.25}, {X: 1, Z: 1, Y: 10},
		{X: 9, Z: -3, Y: -20.5}}
	if got := groundOf(t, to); !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}

func TestBadGroundFilesChangeNothing(t *testing.T) {
	dir := groundFolder(t, someGround...)
	for name, text := range map[string]string{
		"empty":           "",
		"something else":  "hello\n",
		"half":            "sphere ground 1\n1 1 0 100\n",
		"wrong count":     "sphere ground 1\n1 1 0 100\nend 2\n",
		"after the end":   "sphere ground 1\n1 1 0 100\nend 1\n2 2 0 100\n",
		"words":           "sphere ground 1\n1 one 0 100\nend 1\n",
		"outside":         "sphere ground 1\n99999999 1 0 100\nend 1\n",
		"a storey beyond": "sphere ground 1\n1 1 4 100\nend 1\n",
		"too high":        "sphere ground 1\n1 1 0 99999999\nend 1\n",
	} {
		if _, err := ImportGround(t.Context(), dir, strings.NewReader(text)); err == nil {
			t.Errorf("%s: it was imported", name)
		}
	}
	long := "sphere ground 1\n" + strings.Repeat("1", 1<<17)
	if _, err := ImportGround(t.Context(), dir, strings.NewReader(long)); err == nil ||
		!strings.Contains(err.Error(), "line 2: expected at most 65536 bytes") {
		t.Errorf("a line without end: %v", err)
	}
	if got := groundOf(t, dir); !slices.Equal(got, someGround) {
		t.Errorf("%v", got)
	}
	if _, err := ImportGround(t.Context(), dir, brokenReader{}); err == nil {
		t.Error("what cannot be read was imported")
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, context.Canceled }

func TestGroundIsToldByPlaceAndHeight(t *testing.T) {
	s, err := Open(t.Context(), groundFolder(t, someGround...), Options{NoUpdate: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, c := range []struct {
		from, to    [2]int32
		least, most float32
		want        []rules.GroundCell
	}{
		{[2]int32{-9, -9}, [2]int32{9, 9}, -500, 500, someGround},
		{[2]int32{-5, 7}, [2]int32{-5, 7}, -500, 500, someGround[:2]},
		{[2]int32{-5, 7}, [2]int32{-5, 7}, 150.25, 160, someGround[:1]},
		{[2]int32{-5, 8}, [2]int32{9, 9}, -500, 500, nil},
	} {
		var got []rules.GroundCell
		err := s.EachGround(t.Context(), c.from, c.to, c.least, c.most, func(g rules.GroundCell) { got = append(got, g) })
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v, %v", c, got, err)
		}
	}
}
