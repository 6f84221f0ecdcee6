package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"sphereserver/data/atomicfile"
)

// ErrNoFile says that a configuration has no file to write to.
var ErrNoFile = errors.New("no configuration file")

// Write sets a key in the file, which stays as it is otherwise, and reads it again. When that fails the file is as it
// was before.
func (l *Live) Write(k *Key, text string) ([]Change, error) {
	l.writing.Lock()
	defer l.writing.Unlock()
	path := l.sources.File
	if path == "" {
		return nil, ErrNoFile
	}
	old, err := os.ReadFile(path)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		return nil, err
	}
	set := Defaults()
	if err := k.Set(&set, text); err != nil {
		return nil, err
	}
	edited, err := edit(old, k, &set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := replaceFile(path, edited); err != nil {
		return nil, err
	}
	changes, err := l.Reload()
	if err == nil {
		return changes, nil
	}
	if missing {
		return nil, errors.Join(err, os.Remove(path))
	}
	return nil, errors.Join(err, replaceFile(path, old))
}

// edit sets a key in the text of a file, where it stands, or else at the beginning of its table.
func edit(text []byte, k *Key, set *Settings) ([]byte, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if _, problems := server.parse(text); len(problems) > 0 {
		return nil, problems
	}
	value := k.fileValue(set)
	line := k.LastName() + " = " + value + "\n"
	from, to, found, err := placeOf(text, k)
	switch {
	case err != nil:
		return nil, err
	case found:
		line = value
	case from == 0:
		from = len(text)
		line = "\n[" + k.Table() + "]\n" + line
		fallthrough
	default:
		if to = from; from > 0 && text[from-1] != '\n' {
			line = "\n" + line
		}
	}
	edited := slices.Concat(text[:from], []byte(line), text[to:])
	settings, problems := server.parse(edited)
	var got Settings
	i := slices.IndexFunc(settings, func(s setting) bool { return s.key == k })
	if len(problems) > 0 || i < 0 || k.Set(&got, settings[i].text) != nil || k.Get(&got) != k.Get(set) {
		return nil, wrong("%s cannot be set in this file; change it by hand",
			"%s в этом файле отсюда не изменить; поправьте его вручную", k.Name)
	}
	return edited, nil
}

// placeOf finds the value of a key in a text: its bytes, or where a line with it can be put in its table; 0 where that
// has none.
func placeOf(text []byte, k *Key) (from, to int, found bool, err error) {
	var p unstable.Parser
	p.Reset(text)
	var table []string
	for p.NextExpression() {
		n := p.Expression()
		var names []string
		var last unstable.Range
		for parts := n.Key(); parts.Next(); {
			names = append(names, string(parts.Node().Data))
			last = parts.Node().Raw
		}
		switch n.Kind {
		case unstable.Table:
			table = names
			if strings.Join(names, ".") == k.Table() {
				from = len(text)
				if i := bytes.IndexByte(text[last.Offset:], '\n'); i >= 0 {
					from = int(last.Offset) + i + 1
				}
			}
		case unstable.KeyValue:
			name := strings.Join(append(slices.Clone(table), names...), ".")
			if name != k.Name {
				continue
			}
			raw := n.Value().Raw
			if raw.Length == 0 {
				return 0, 0, false, wrong("%s is written in a way that cannot be changed here; change it by hand",
					"%s записан так, что отсюда его не изменить; поправьте файл вручную", k.Name)
			}
			return int(raw.Offset), int(raw.Offset + raw.Length), true, nil
		}
	}
	return from, from, false, p.Error()
}

// replaceFile writes a file whole or not at all. A new one is for its owner and group; one that is there keeps its
// mode.
func replaceFile(path string, text []byte) error { return atomicfile.Write(path, text, modeOf(path)) }

func modeOf(path string) fs.FileMode {
	if info, err := os.Stat(path); err == nil {
		return info.Mode().Perm()
	}
	return 0o640
}
