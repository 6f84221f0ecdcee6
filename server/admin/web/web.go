// Package web holds the pages as they were built by "make web": the administrators', and the players'. Their sources,
// in this folder, need npm; the server can be built without: then it has a page that says so.
package web

import (
	"embed"
	"encoding/json"
	"io/fs"
)

// Built files lie in the folder dist, which need not be there: the pattern always finds the page that says that.
//
//go:embed all:dist*
var files embed.FS

// Page returns the files of the administrators' page, index.html first of all; built reports whether it is the real
// one.
func Page() (page fs.FS, built bool) {
	if _, err := fs.Stat(files, "dist/index.html"); err != nil {
		return missing{}, false
	}
	page, err := fs.Sub(files, "dist")
	return page, err == nil
}

// PublicPage is the file that is the players' page.
const PublicPage = "public.html"

// Public returns the files that belong to the players' page, by name: files for administrators alone are not among
// them.
func Public() map[string][]byte {
	dist, built := Page()
	all := map[string][]byte{}
	take := func(name string) {
		if body, err := fs.ReadFile(dist, name); err == nil {
			all[name] = body
		}
	}
	if take(PublicPage); !built || all[PublicPage] == nil {
		all[PublicPage], _ = files.ReadFile("dist-missing-public.html")
		return all
	}
	take("icon.svg")
	take("licenses.md")
	for _, name := range needed(dist, PublicPage) {
		take(name)
	}
	return all
}

// A chunk is the built file of one entry, or of code that entries share, as the manifest of the build has it.
type chunk struct {
	File                    string
	CSS, Assets             []string
	Imports, DynamicImports []string
}

// needed lists the files that a page loads.
func needed(dist fs.FS, page string) (names []string) {
	text, err := fs.ReadFile(dist, ".vite/manifest.json")
	var chunks map[string]chunk
	if err != nil || json.Unmarshal(text, &chunks) != nil {
		return nil
	}
	seen := map[string]bool{}
	var add func(key string)
	add = func(key string) {
		c, has := chunks[key]
		if !has || seen[key] {
			return
		}
		seen[key] = true
		names = append(append(append(names, c.File), c.CSS...), c.Assets...)
		for _, other := range append(c.Imports, c.DynamicImports...) {
			add(other)
		}
	}
	add(page)
	return names
}

// missing is the page of a server that was built without one.
type missing struct{}

// Open implements [fs.FS].
func (missing) Open(name string) (fs.File, error) {
	if name == "index.html" {
		return files.Open("dist-missing.html")
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}
