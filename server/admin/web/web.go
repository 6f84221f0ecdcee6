// Package web holds the administrators' page as it was built by "make web". Its sources, in this folder, need npm; the
// server can be built without: then it has a page that says so.
package web

import (
	"embed"
	"io/fs"
)

// What is built lies in the folder dist, which need not be there: the pattern always finds the page that says that.
//
//go:embed all:dist*
var files embed.FS

// Page returns the files of the page, index.html first of all; built says whether it is the real one.
func Page() (page fs.FS, built bool) {
	if _, err := fs.Stat(files, "dist/index.html"); err != nil {
		return missing{}, false
	}
	page, err := fs.Sub(files, "dist")
	return page, err == nil
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
