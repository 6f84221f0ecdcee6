package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sphereserver/data/atomicfile"
	"sphereserver/data/landscape"
	"sphereserver/server/game"
)

// importReportFile in the data folder lists the parts that an import has not understood, for a person that can mend it.
const importReportFile = "import-report.json"

// landStep is how many meshes are read between two lines of progress.
const landStep = 250

// importLand reads the landscapes of a client.
func importLand(ctx context.Context, env *environment, folder string) (*landscape.Landscape, *landscape.Report, error) {
	return landscape.Import(ctx, folder, landscape.Options{Progress: func(read, total int) {
		if read%landStep == 0 || read == total {
			env.progress().line("read %d of %d landscapes", read, total)
		}
	}})
}

// confirmLand asks whether landscapes with damage, or of fewer continents, are to replace the present ones.
func confirmLand(ctx context.Context, env *environment, r *landscape.Report) error {
	used := 0
	for _, c := range r.Continents {
		if c.Used {
			used++
		}
	}
	former, err := landscape.Open(env.dataDir)
	if err != nil {
		return nil // there is nothing to lose
	}
	had := len(former.Continents())
	former.Close()
	unused := len(r.Continents) - used
	switch {
	case used < had:
		return confirm(ctx, env, sentence{"The landscapes that are in force have %d continents, those of this client %d. " +
			"Put them into their place all the same?", []any{had, used}})
	case r.Damaged+unused == 0:
		return nil
	}
	return confirm(ctx, env, sentence{"Of the landscapes %d files are damaged and %d continents do not fit. " +
		"Put them into the place of those that are in force all the same?", []any{r.Damaged, unused}})
}

// keepReport writes the findings of an import to a file, if they are not all good, and returns its path.
func keepReport(env *environment, r importResult, faults ...error) (string, error) {
	problems := len(r.Problems) + r.More
	if r.Ground != nil {
		problems += len(r.Ground.Problems) + len(r.Ground.Zones)
	}
	why := errors.Join(faults...)
	if problems == 0 && why == nil {
		return "", nil
	}
	told := struct {
		Program string `json:"program"`
		Error   string `json:"error,omitempty"`
		importResult
	}{version, "", r}
	if why != nil {
		told.Error = why.Error()
	}
	text, err := json.MarshalIndent(told, "", "  ")
	if err != nil {
		return "", fmt.Errorf("report of the import: %w", err)
	}
	path := filepath.Join(env.dataDir, importReportFile)
	err = os.MkdirAll(env.dataDir, 0o700)
	if err == nil {
		err = atomicfile.Write(path, append(text, '\n'), 0o600)
	}
	if err != nil {
		return "", fmt.Errorf("report of the import: %w", err)
	}
	return path, nil
}

// printLand prints the findings about the landscapes.
func printLand(w printer, r *landscape.Report) {
	fmt.Fprintln(w)
	if len(r.Continents) == 0 {
		w.line("landscapes: none")
		return
	}
	table(w, w.words("CONTINENT", "TILES", "MISSING", "WITH WATER", "KNOWN HEIGHTS", "WITHIN 1.5 M", "MEDIAN, M",
		"LIFTED, M", "USED"),
		each(r.Continents, func(c landscape.ContinentReport) []string {
			return []string{c.Continent, strconv.Itoa(c.Tiles), strconv.Itoa(c.Missing), strconv.Itoa(c.Wet),
				strconv.Itoa(c.Known), strconv.Itoa(c.Within), fmt.Sprintf("%.2f", c.Median), fmt.Sprintf("%.1f", c.Shift),
				w.say(map[bool]string{true: "yes", false: "no"}[c.Used])}
		}))
	w.line("landscapes: %d different meshes, damaged files: %d", r.Meshes, r.Damaged)
	w.line("they lie so: %s; the next best way is %.2f m off in the median", r.Orientation, r.Next)
	for _, p := range r.Problems {
		fmt.Fprintf(w, "  %s\n", w.told(problemText(p)))
	}
	if r.More > 0 {
		fmt.Fprintf(w, "  %s\n", w.say("and %d more", r.More))
	}
}

// openLand gives the game the ground that was imported. Without it the game goes on with the ground that players have
// taught.
func (p *program) openLand(o *game.Options) {
	f, err := landscape.Open(p.dir)
	var old *landscape.OldError
	if errors.As(err, &old) {
		f, err = p.importLandAgain(old)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		p.log.Error("the imported ground cannot be used; heights are those that players teach", "error", err)
		return
	}
	p.closing(f.Close)
	p.land = f
	o.Land = landscape.NewView(f, func(err error) { p.log.Error("a tile of the ground cannot be read", "error", err) })
	p.log.Info("imported ground", "continents", landNames(f), "version", landscape.Version, "from", f.Folder())
}

// importLandAgain repeats the import of a landscape by another version of the importer, if the client is still there.
func (p *program) importLandAgain(old *landscape.OldError) (*landscape.File, error) {
	p.log.Info("the ground was imported by another version and is imported again", "from", old.Folder)
	l, _, err := landscape.Import(context.Background(), old.Folder, landscape.Options{})
	if err == nil {
		err = l.Write(p.dir)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; %v", old, err)
	}
	return landscape.Open(p.dir)
}

// landNames are the continents of which the ground was imported.
func landNames(f *landscape.File) string {
	return strings.Join(each(f.Continents(), func(c landscape.Continent) string { return c.Key }), ", ")
}
