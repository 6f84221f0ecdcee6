// Package clientfiles reads the files of an operator's own client – tables of items, suffixes and monsters, language
// files, placements – into the content of a catalogue, and reports the unreadable parts and why.
//
// The layouts are described in docs/protocol/client-files.md. Section numbers in comments are protocol gamerules'.
package clientfiles

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sphereserver/data/content"
	"sphereserver/data/lazyregexp"
)

// Options are how to import.
type Options struct {
	Progress func(read, total int) // called after each file, if not nil
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
		return content.Content{}, r, fmt.Errorf("client files: nothing of use was found in %s: expected params/group_*.cfg "+
			"and language files", folder)
	}
	return out, r, nil
}

// take reads one file into the collection.
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

func (c *collection) read(f file, raw []byte) {
	switch f.sort {
	case items:
		c.rows(f, raw, func(text string) (bool, error) { return c.item(f.name, text) })
	case monsters:
		c.rows(f, raw, c.monster)
	case suffixes:
		c.rows(f, raw, c.suffix)
	case model:
		c.model(f, raw)
	case placement:
		c.placement(f, raw)
	case language:
		c.language(f, raw)
	}
}

// finish puts names to their kinds, and suffixes in order.
func (c *collection) finish() content.Content {
	for _, m := range slices.Sorted(maps.Keys(c.unknownModules)) {
		c.report.problem("", "", "%d rows are of module %q, whose class is not known: "+
			"they cannot be given to players", c.unknownModules[m], m)
	}
	ours := 0
	for i := range c.out.Kinds {
		k := &c.out.Kinds[i]
		k.Names = c.module(k.Module).names[k.ID]
		if k.ID >= content.OurFirst && k.ID <= content.OurLast {
			ours++
		}
	}
	if ours > 0 {
		c.report.problem("", "", "%d rows have ids from %d to %d, which the default catalogue uses "+
			"for kinds of its own", ours, content.OurFirst, content.OurLast)
	}
	for i := range c.out.Monsters {
		m := &c.out.Monsters[i]
		m.Names = c.module(m.Module).names[m.ID]
	}
	if len(c.out.Kinds) > 0 {
		c.renameRowless()
	}
	c.orderSuffixes()
	c.nameSuffixes()
	c.orderTexts()
	return c.out
}

// placementFolders are the folders with placements in their .mbd files (13.4).
var placementFolders = []string{"mazes", "guildhalls", "events", "sst"}

// modelName matches the names of parameter files of models.
var modelName = lazyregexp.Of(`^(npc|crt|char)[0-9]`)

// classify returns the sort of a file, by its name alone.
func classify(path string) file {
	lower := strings.ToLower(filepath.ToSlash(path))
	folders := strings.Split(lower, "/")
	base := folders[len(folders)-1]
	extension := filepath.Ext(base)
	bare := strings.TrimSuffix(base, extension)
	f := file{path: filepath.ToSlash(path), name: bare}
	switch extension {
	case ".cfg":
		table, isTable := strings.CutPrefix(bare, "group_")
		switch {
		case bare == "grouppref":
			f.sort, f.name = suffixes, "pref"
		case isTable && table == "monst":
			f.sort, f.name = monsters, table
		case isTable && table != "pref" && slices.ContainsFunc(expected, func(e tableSize) bool { return e.table == table }):
			f.sort, f.name = items, table
		case isTable:
			f.sort, f.name = strangeRows, table
		case modelName().MatchString(bare):
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

// list finds the files that have a sort: tables first, since language files name their rows. Of files with the same
// sort and name the one nearest to the folder counts.
func list(ctx context.Context, root *os.Root, r *Report) ([]file, error) {
	var out []file
	err := Walk(ctx, root, func(path string, err error) {
		r.problem(path, "", "cannot be read: %v", err)
	}, func(path string) {
		r.Files++
		if f := classify(path); f.sort != ignored {
			out = append(out, f)
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(out, func(a, b file) int {
		return cmp.Or(cmp.Compare(a.sort, b.sort), cmp.Compare(strings.Count(a.path, "/"), strings.Count(b.path, "/")),
			cmp.Compare(a.path, b.path))
	})
	return withoutTwins(out, r), nil
}

// Walk visits the files of a client's folder, at most 200,000. failed is told of those that cannot be read, and of
// folders; the error is that of the whole.
func Walk(ctx context.Context, root *os.Root, failed func(path string, err error), visit func(path string)) error {
	n := 0
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && path == ".":
			return err
		case err != nil:
			failed(path, Cause(err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		if n++; n > maxFiles {
			return fmt.Errorf("expected at most %d files, found more: is this a client's folder?", maxFiles)
		}
		visit(path)
		return nil
	})
}

// withoutTwins keeps the first of the files with the same sort and name, and reports the others.
func withoutTwins(all []file, r *Report) []file {
	type key struct {
		sort           sort
		name, language string
	}
	first := map[key]string{}
	return slices.DeleteFunc(all, func(f file) bool {
		if f.sort == placement { // each is another place
			return false
		}
		k := key{f.sort, f.name, f.language}
		if other, again := first[k]; again {
			r.problem(f.path, "", "not read: %s has the same name", other)
			return true
		}
		first[k] = f.path
		return false
	})
}
