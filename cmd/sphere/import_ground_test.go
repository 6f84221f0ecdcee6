package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/data/content"
	"sphereserver/data/landscape"
	"sphereserver/data/landscape/landscapetest"
	"sphereserver/server/config"
)

func TestImportOfLandscapes(t *testing.T) {
	t.Parallel()
	client, dir := madeUpClient(t), filepath.Join(t.TempDir(), "data")
	landscapetest.Hyperion().Write(t, client, "Landscape")
	out, errs := sphereRuns(t, 0, "import", client, "--dry-run", "--data", dir)
	if !strings.Contains(out, "hyperion") || !strings.Contains(out, "dry run") || !strings.Contains(errs, "landscapes") ||
		fileThere(dir) {
		t.Errorf("says %s%s", out, errs)
	}
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	f, err := landscape.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, known := landscape.NewView(f, func(err error) { t.Error(err) }).Surface(content.Cities()[0].Position)
	f.Close()
	if !known || math.Abs(float64(s.Height-content.Cities()[0].Position.Y)) > 3 {
		t.Errorf("%v, %v", s, known)
	}

	// Damaged land takes the place of whole land only after a question, and is reported.
	path := filepath.Join(dir, landscape.FileName)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	broken, err := filepath.Glob(filepath.Join(client, "Landscape", "*.lnd"))
	if err != nil || os.Truncate(broken[0], 100) != nil {
		t.Fatal(err)
	}
	sphereRuns(t, 0, "import", madeUpClient(t), "--yes", "--data", dir) // has none
	if _, errs = sphereRuns(t, 1, "import", client, "--data", dir); !strings.Contains(errs, "nothing was changed") {
		t.Errorf("says %s", errs)
	}
	if err := os.RemoveAll(filepath.Join(client, "params")); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(client, "language")); err != nil {
		t.Fatal(err)
	}
	if _, errs = sphereRuns(t, 1, "import", client, "--data", dir); !strings.Contains(errs, "1 files are damaged") {
		t.Errorf("says %s", errs)
	}
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) {
		t.Errorf("the ground has changed: %v", err)
	}
	out, _ = sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	report, err := os.ReadFile(filepath.Join(dir, importReportFile))
	if err != nil || !strings.Contains(out, importReportFile) ||
		!strings.Contains(string(report), "byte 100: expected a header of 26816 bytes") {
		t.Errorf("says %s, the report %s: %v", out, report, err)
	}

	// A folder of which nothing is understood leaves all as it was, and its findings are told.
	if err := os.Truncate(filepath.Join(client, "Landscape", "map.bin"), 1000); err != nil {
		t.Fatal(err)
	}
	if before, err = os.Stat(path); err != nil {
		t.Fatal(err)
	}
	_, errs = sphereRuns(t, 1, "import", client, "--yes", "--data", dir)
	if after, err := os.Stat(path); err != nil || !os.SameFile(before, after) ||
		!strings.Contains(errs, "byte 1000: expected 6400 records of 22 bytes") {
		t.Errorf("says %s: %v", errs, err)
	}
}

// cuts cancels a context when something is written that has a word in it.
type cuts struct {
	word   string
	cancel context.CancelFunc
}

func (c cuts) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.word) {
		c.cancel()
	}
	return len(p), nil
}

// An import that is interrupted while landscapes are read has changed nothing, with any findings by then.
func TestAnInterruptedImportChangesNothing(t *testing.T) {
	client, dir := madeUpClient(t), filepath.Join(t.TempDir(), "data")
	landscapetest.Hyperion().Write(t, client, "Landscape")
	if err := os.WriteFile(filepath.Join(client, "Landscape", "stray.lnd"), []byte("no mesh"), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	env := &environment{in: strings.NewReader(""), out: io.Discard, err: cuts{"landscapes", cancel}, dataDir: dir}
	err := importClient(ctx, env, client, false, true)
	if ctx.Err() == nil || err == nil || !strings.Contains(err.Error(), "nothing was changed") || fileThere(dir) {
		t.Errorf("%v; the data folder is there: %v", err, fileThere(dir))
	}
}

// A client of fewer continents takes the place of the present land only after a question.
func TestAPoorerClientIsAskedAbout(t *testing.T) {
	client, dir := madeUpClient(t), filepath.Join(t.TempDir(), "data")
	landscapetest.Hyperion().Write(t, client, "Landscape")
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	env := &environment{in: strings.NewReader("no\n"), out: io.Discard, err: io.Discard, dataDir: dir}
	poor := landscape.Report{Continents: []landscape.ContinentReport{}}
	if err := confirmLand(t.Context(), env, &poor); err == nil || !strings.Contains(err.Error(), "nothing was changed") {
		t.Errorf("%v, expected that nothing was changed", err)
	}
	same := landscape.Report{Continents: []landscape.ContinentReport{{Continent: "hyperion", Used: true}}}
	if err := confirmLand(t.Context(), env, &same); err != nil {
		t.Errorf("for as many: %v", err)
	}
}

func TestServerGoesOnWithoutAGroundThatIsDamaged(t *testing.T) {
	t.Parallel()
	client, dir := madeUpClient(t), t.TempDir()
	landscapetest.Hyperion().Write(t, client, "Landscape")
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	opens := func() (imported bool, log string) {
		t.Helper()
		found, err := config.Load(config.Sources{Defaults: config.Defaults()})
		if err != nil {
			t.Fatal(err)
		}
		found.Settings.Game.Listen, found.Settings.Admin.Listen = "127.0.0.1:0", ""
		var out strings.Builder
		p, err := openProgram(dir, found, config.Sources{}, io.Writer(&out))
		if err != nil {
			t.Fatal(err)
		}
		s := p.status()
		if err := p.close(); err != nil {
			t.Fatal(err)
		}
		return s.Ground != nil, out.String()
	}
	if imported, log := opens(); !imported || !strings.Contains(log, "imported ground") {
		t.Errorf("the ground is not in force: %s", log)
	}
	path := filepath.Join(dir, landscape.FileName)
	p := healthy(t)
	p.dataDir = dir
	examined := func(state, says string) {
		t.Helper()
		p.findings = nil
		examineLand(t.Context(), p)
		if f := p.findings[0]; f.State != state || !strings.Contains(f.Text+f.Do, says) {
			t.Errorf("%+v", f)
		}
	}
	examined(fine, "hyperion")
	older := func() { // the file of another importer
		t.Helper()
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const first = 16
		text := file[first:][:binary.LittleEndian.Uint32(file[8:])]
		copy(text, fmt.Sprintf(`{"version":%d`, landscape.Version+1))
		binary.LittleEndian.PutUint32(file[12:], crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	older()
	examined(warned, client)
	if imported, log := opens(); !imported || !strings.Contains(log, "imported again") {
		t.Errorf("it was not imported again: %s", log)
	}
	examined(fine, "hyperion")
	older()
	if err := os.RemoveAll(client); err != nil {
		t.Fatal(err)
	}
	if imported, log := opens(); imported || !strings.Contains(log, "cannot be used") {
		t.Errorf("what another importer has made is in force: %s", log)
	}
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if imported, log := opens(); imported || !strings.Contains(log, "cannot be used") {
		t.Errorf("a damaged ground is in force: %s", log)
	}
	examined(isWrong, "sphere import")
}
