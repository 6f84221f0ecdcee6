// Package clientfiles reads the files of an operator's own client – tables of items, suffixes and monsters, language
// files, placements – into the content of a catalogue, and says what it could not read and why.
//
// The layouts are described in docs/protocol/client-files.md. Section numbers in comments are those of protocol
// gamerules.
package clientfiles

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sphereserver/data/content"
)

// Limits of ours, many times what a client has.
const (
	maxFile  = 64 << 20 // bytes of one file
	maxFiles = 200_000  // files looked at
)

// Options are how to import.
type Options struct {
	Progress func(read, total int) // called after each file, if not nil
}

// A sort is what a file is to us.
type sort int

const (
	ignored     sort = iota
	items            // group_<name>.cfg
	suffixes         // grouppref.cfg
	monsters         // group_monst.cfg
	model            // npc40.cfg, crt13.cfg
	placement        // *.mbd
	language         // <module>_e.txt
	strangeRows      // group_<something we do not know>.cfg
)

// A file is one file of the client that has a sort.
type file struct {
	sort     sort
	path     string // relative to the folder, with slashes
	name     string // of the table, the model, or the module of a language file
	language string // "ru", "en"
}

// Import reads a client's folder. Files that are damaged, missing or unknown are named in the report and cost nothing
// else. The error is for a folder that cannot be read at all, and for one in which nothing was found; there is a report
// even then.
func Import(ctx context.Context, folder string, o Options) (content.Content, *Report, error) {
	r := newReport(folder)
	root, err := os.OpenRoot(folder)
	if err != nil {
		return content.Content{}, r, fmt.Errorf("client files: %w", err)
	}
	defer root.Close()
	files, err := list(ctx, root, r)
	if err != nil {
		return content.Content{}, r, fmt.Errorf("client files: %w", err)
	}
	c := newCollection(r)
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return content.Content{}, r, err
		}
		c.take(root, f)
		if o.Progress != nil {
			o.Progress(i+1, len(files))
		}
	}
	out := c.finish()
	out.Source = fmt.Sprintf("imported from a client: %d kinds, %d suffixes, %d monsters", len(out.Kinds),
		len(out.Suffixes), len(out.Monsters))
	r.finish(&out)
	if r.Nothing() {
		return content.Content{}, r, fmt.Errorf("client files: nothing of use was found in %s: expected params/group_*.cfg and language files", folder)
	}
	return out, r, nil
}

// take reads one file and takes in what it says.
func (c *collection) take(root *os.Root, f file) {
	switch f.sort {
	case strangeRows:
		c.report.problem(f.path, "", "not read: no table of this name is known")
		return
	case items, monsters, suffixes:
		c.report.table(f.name).File = f.path // also when it turns out to be damaged
	}
	if raw, ok := read(root, f, c.report); ok {
		c.report.Read++
		c.read(f, raw)
	}
}

// list finds the files that have a sort: tables first, since language files name their rows. Of files with the same
// sort and name the one nearest to the folder counts.
func list(ctx context.Context, root *os.Root, r *Report) ([]file, error) {
	var out []file
	err := fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if path == "." {
				return err
			}
			r.problem(path, "", fmt.Sprintf("cannot be read: %v", cause(err)))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if r.Files++; r.Files > maxFiles {
			return fmt.Errorf("expected at most %d files, found more: is this a client's folder?", maxFiles)
		}
		if f := classify(path); f.sort != ignored {
			out = append(out, f)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(strings.Count(a.path, "/"), strings.Count(b.path, "/")),
			cmp.Compare(a.path, b.path))
	})
	type key struct {
		sort           sort
		name, language string
	}
	first := map[key]string{}
	return slices.DeleteFunc(out, func(f file) bool {
		if f.sort == placement { // each is another place
			return false
		}
		k := key{f.sort, f.name, f.language}
		if other, again := first[k]; again {
			r.problem(f.path, "", fmt.Sprintf("not read: %s has the same name", other))
			return true
		}
		first[k] = f.path
		return false
	}), nil
}

// placementFolders are the folders whose .mbd files are placements (13.4).
var placementFolders = []string{"mazes", "guildhalls", "events", "sst"}

// classify says what a file is, by its name alone.
func classify(path string) file {
	lower := strings.ToLower(filepath.ToSlash(path))
	folders := strings.Split(lower, "/")
	base := folders[len(folders)-1]
	bare, extension := strings.TrimSuffix(base, filepath.Ext(base)), filepath.Ext(base)
	f := file{path: filepath.ToSlash(path), name: bare}
	switch extension {
	case ".cfg":
		table, isTable := strings.CutPrefix(bare, "group_")
		switch {
		case bare == "grouppref":
			f.sort, f.name = suffixes, "pref"
		case isTable && table == "monst":
			f.sort, f.name = monsters, table
		case isTable && expectedRows(table) > 0:
			f.sort, f.name = items, table
		case isTable:
			f.sort, f.name = strangeRows, table
		case numbered(bare, "npc", "crt", "char"):
			f.sort = model
		}
	case ".mbd":
		for _, folder := range folders[:len(folders)-1] {
			if slices.ContainsFunc(placementFolders, func(p string) bool { return strings.HasPrefix(folder, p) }) {
				f.sort = placement
			}
		}
	case ".txt":
		if module, l := splitLanguage(bare); module != "" {
			f.sort, f.name, f.language = language, module, l
		}
	}
	return f
}

// numbered says whether a name is one of the words followed by a digit.
func numbered(name string, words ...string) bool {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(name, w); ok && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
			return true
		}
	}
	return false
}

// read returns the content of a file, unpacked if it was packed.
func read(root *os.Root, f file, r *Report) ([]byte, bool) {
	raw, err := readFile(root, f.path)
	if err == nil && strings.HasPrefix(string(raw[:min(4, len(raw))]), "SPHR") {
		raw, err = UnpackParams(raw)
	}
	if err != nil {
		r.problem(f.path, "", "not read: "+strings.TrimPrefix(err.Error(), "data: "))
		return nil, false
	}
	return raw, true
}

func readFile(root *os.Root, path string) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, cause(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, cause(err)
	}
	if len(raw) > maxFile {
		return nil, fmt.Errorf("expected at most %d bytes, found more", maxFile)
	}
	return raw, nil
}

// cause is an error without the operation and the path, which the report has beside it.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
