package clientfiles

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// Limits of ours, many times a client's sizes.
const (
	maxFile  = 64 << 20 // bytes of one file
	maxFiles = 200_000  // files looked at
)

// A sort is the use of a file to us.
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

// ReadFile returns the content of a file of a client's folder, by its path with slashes. A file of more than limit
// bytes is an error, and errors are errors of Cause.
func ReadFile(root *os.Root, path string, limit int) ([]byte, error) {
	f, err := root.Open(filepath.FromSlash(path))
	if err != nil {
		return nil, Cause(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err == nil && len(raw) > limit {
		err = fmt.Errorf("expected at most %d bytes, found more", limit)
	}
	return raw, Cause(err)
}

// read returns the content of a file, unpacked if it was packed.
func read(root *os.Root, f file, r *Report) ([]byte, bool) {
	raw, err := ReadFile(root, f.path, maxFile)
	if err == nil && bytes.HasPrefix(raw, []byte(paramsMagic)) {
		raw, err = UnpackParams(raw)
	}
	if err != nil {
		r.problem(f.path, "", "not read: %s", strings.TrimPrefix(err.Error(), "data: "))
		return nil, false
	}
	return raw, true
}

// Cause is an error without the operation and the path, which the report has beside it.
func Cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// A line is one line of a text file that is not empty and no comment.
type line struct {
	number int // from 1
	text   string
}

// lines decodes Windows-1251 and cuts it into lines, without blank ones and those that begin with "//".
func lines(raw []byte) []line {
	text, err := charmap.Windows1251.NewDecoder().String(string(raw))
	if err != nil { // bytes without a letter become U+FFFD, so this does not happen
		return nil
	}
	var out []line
	n := 0
	for s := range strings.SplitSeq(text, "\n") {
		n++
		s = strings.TrimSuffix(s, "\r")
		if t := strings.TrimSpace(s); t != "" && !strings.HasPrefix(t, "//") {
			out = append(out, line{n, s})
		}
	}
	return out
}
