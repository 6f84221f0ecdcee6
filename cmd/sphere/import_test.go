package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/data/content"
	"sphereserver/data/content/clientfiles"
)

// madeUpClient is a folder with a few files such as a client has, all made up.
func madeUpClient(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put := func(path, text string, packed bool) {
		t.Helper()
		encoded, err := charmap.Windows1251.NewEncoder().String(text)
		if err != nil {
			t.Fatal(err)
		}
		file := []byte(encoded)
		if packed {
			if file, err = clientfiles.PackParams(file); err != nil {
				t.Fatal(err)
			}
		}
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	row := func(cells map[int]string) string {
		all := make([]string, content.RowColumns)
		for at, cell := range cells {
			all[at] = cell
		}
		return strings.Join(all, "\t") + "\r\n"
	}
	put("params/group_swords_n.cfg", "// made up\r\n"+
		row(map[int]string{0: "3000", 1: "wp_sword1", 6: "9", 18: "-60", 36: "5000", 37: "140", 40: "900", 49: "TE03w",
			50: "A"})+
		row(map[int]string{0: "3001", 1: "wp_sword1", 40: "dear", 49: "TE03w", 50: "A"}), true)
	put("params/grouppref.cfg", row(map[int]string{0: "0", 1: "A", 18: "-1", 40: "130"}), true)
	put("params/group_wands.cfg", "5\twp_wand\r\n", true)
	put("language/wp_sword1.txt", "200 грома\r\n#3000\r\n01 Меч стража\r\n", false)
	put("language/wp_sword1_e.txt", "200 of thunder\r\n#3000\r\n01 Guard's sword\r\n", false)
	return dir
}

// inTurn leaves a test about the disk to runs without the race detector: commands without a server, refused starts,
// kills. It is done in turn, and SQLite takes minutes for it under the detector.
func inTurn(t *testing.T) {
	t.Helper()
	if raceDetector && testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
}

// sphereRuns runs a command line and expects an exit code.
func sphereRuns(t *testing.T, want int, args ...string) (out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	if code := run(args, strings.NewReader(""), &o, &e); code != want {
		t.Fatalf("sphere %v: exit %d, want %d: %s", args, code, want, e.String())
	}
	return o.String(), e.String()
}

func TestImportAndWhatIsFoundAfterwards(t *testing.T) {
	client, dir := madeUpClient(t), filepath.Join(t.TempDir(), "data")
	out, progress := sphereRuns(t, 0, "import", client, "--dry-run", "--data", dir)
	if !strings.Contains(out, "dry run: nothing was written") || !strings.Contains(progress, "read 5 of 5 files") {
		t.Errorf("dry run says %s%s", out, progress)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a dry run has made the data folder: %v", err)
	}
	_, errs := sphereRuns(t, 1, "import", client, "--data", dir)
	if _, err := os.Stat(dir); !strings.Contains(errs, "Of 21 tables 19 are missing") || !os.IsNotExist(err) {
		t.Errorf("most of a client is missing, and it is not asked, or something is made: %s, %v", errs, err)
	}
	out, _ = sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	for _, want := range []string{"swords_n  1     207       1        params/group_swords_n.cfg",
		"axes      0     86        0        missing",
		"rows: 2 read, 1 skipped; tables missing: 19 of 21", "language files: ru 1, en 1",
		`params/group_swords_n.cfg: line 3: row skipped: column 40 (price)`,
		"params/group_wands.cfg: not read", "written to " + filepath.Join(dir, content.ContentFile)} {
		if !strings.Contains(out, want) {
			t.Errorf("the report lacks %q:\n%s", want, out)
		}
	}
	out, _ = sphereRuns(t, 0, "catalogue", "find", "меч", "стража", "грома", "--data", dir)
	if !strings.Contains(out, "3000  0       Меч стража грома  Guard's sword of thunder  wp_sword1  3     "+
		"1170") {
		t.Errorf("found\n%s", out)
	}
	out, _ = sphereRuns(t, 0, "import", client, "--yes", "--data", dir, "--json")
	var report struct {
		Read     int
		Written  string
		Problems []map[string]string
	}
	if err := readJSON(out, &report); err != nil || report.Read != 4 || report.Written == "" ||
		len(report.Problems) != 2 {
		t.Errorf("JSON: %v, %+v", err, report)
	}
}

func TestImportOfNothingKeepsWhatWasThere(t *testing.T) {
	client, dir := madeUpClient(t), t.TempDir()
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	before, err := os.ReadFile(filepath.Join(dir, content.ContentFile))
	if err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "group_axes.cfg"), []byte("SPHR"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, errs := sphereRuns(t, 1, "import", broken, "--data", dir)
	if !strings.Contains(errs, "group_axes.cfg: not read") || !strings.Contains(errs, "nothing of use") {
		t.Errorf("says %s", errs)
	}
	after, err := os.ReadFile(filepath.Join(dir, content.ContentFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the content has changed: %v", err)
	}
	sphereRuns(t, 1, "import", filepath.Join(broken, "nowhere"), "--data", dir)
	sphereRuns(t, 2, "import")
}
