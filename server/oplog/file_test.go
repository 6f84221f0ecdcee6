package oplog

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// piecesOf reads the pieces of a log, the newest first.
func piecesOf(t *testing.T, path string) (all []string) {
	t.Helper()
	for n := 0; ; n++ {
		text, err := os.ReadFile((&File{path: path}).old(n))
		if err != nil {
			break
		}
		all = append(all, string(text))
	}
	if found, _ := filepath.Glob(path + "*"); len(found) != len(all) {
		t.Errorf("found %v, expected %d pieces", found, len(all))
	}
	return all
}

func smallFile(t *testing.T, short func() bool) (f *File, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "log")
	f, err := OpenFile(path, 0o600, short)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	f.piece = 10
	return f, path
}

func TestAFileHasSoManyPiecesAndNoMore(t *testing.T) {
	f, path := smallFile(t, nil)
	for i := range 100 {
		if _, err := fmt.Fprintf(f, "%04d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	all := piecesOf(t, path)
	if len(all) != 1+oldPieces || all[0] != "0098\n0099\n" || all[oldPieces] != "0078\n0079\n" {
		t.Errorf("found %q, expected the last %d pieces of two lines", all, 1+oldPieces)
	}
}

// A line that is longer than a piece is written all the same, and a log that is continued goes on in its piece.
func TestAFileIsContinued(t *testing.T) {
	f, path := smallFile(t, nil)
	for _, line := range []string{strings.Repeat("x", 20) + "\n", "a\n"} {
		if _, err := f.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if all := piecesOf(t, path); len(all) != 2 || all[0] != "a\n" || len(all[1]) != 21 {
		t.Errorf("found %q", all)
	}
}

func TestAFileLeavesTheLastRoomToOthers(t *testing.T) {
	short := false
	f, path := smallFile(t, func() bool { return short })
	for i := range 20 {
		short = i >= 10
		if _, err := fmt.Fprintf(f, "%04d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	if all := piecesOf(t, path); len(all) != 1 || all[0] != "0018\n0019\n" {
		t.Errorf("found %q, expected the last piece only", all)
	}
}

// A log that somebody takes away goes on in a new file, at once when told so.
func TestAFileThatIsTakenAwayBeginsAnew(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows keeps files that are in use")
	}
	f, path := smallFile(t, nil)
	fmt.Fprint(f, "before\n")
	if err := os.Rename(path, path+".taken"); err != nil {
		t.Fatal(err)
	}
	if err := f.Reopen(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, "after\n")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f.looked = f.looked.Add(-2 * fileLook) // as if so much time had gone by
	fmt.Fprint(f, "last\n")
	for name, want := range map[string]string{path: "last\n", path + ".taken": "before\n"} {
		if text, _ := os.ReadFile(name); string(text) != want {
			t.Errorf("%s has %q, expected %q", name, text, want)
		}
	}
}

// Where pieces cannot be renamed no line is lost, and none of the older pieces.
func TestAFileThatCannotBeTurnedGoesOn(t *testing.T) {
	short := false
	f, path := smallFile(t, func() bool { return short })
	if err := os.MkdirAll(filepath.Join(f.old(oldPieces), "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for i := range 100 {
		fmt.Fprintf(&want, "%04d\n", i)
		if _, err := fmt.Fprintf(f, "%04d\n", i); err != nil {
			t.Fatal(err)
		}
	}
	got := ""
	for n := range oldPieces {
		text, err := os.ReadFile(f.old(n))
		if err != nil {
			t.Fatal(err)
		}
		got = string(text) + got
	}
	if got != want.String() {
		t.Errorf("the pieces have %q", got)
	}
	short = true
	if _, err := fmt.Fprint(f, "last\n"); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); string(text) != "last\n" {
		t.Errorf("short of room: %q, %v", text, err)
	}
}
