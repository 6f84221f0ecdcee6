package content

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"sphereserver/data/atomicfile"
	"sphereserver/world/rules"
)

// ContentFile is the name of the file within a data folder that holds the content imported from a client.
//
// It is text, one JSON object to a line. The first line is the header: format, version, source, number of lines and
// SHA-256 of all bytes behind it. Each other line is one record, an object with one member that names its type: kind,
// suffix, monster, place, text or model.
const ContentFile = "client-content.jsonl"

// contentFormat and contentVersion begin every content file that this program writes, and the only ones that it reads.
const (
	contentFormat  = "sphere-content"
	contentVersion = 1
	// maxContent, in bytes, is many times the content of a whole client.
	maxContent = 512 << 20
)

type contentHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Source  string `json:"source"`
	Records int    `json:"records"`
	SHA256  string `json:"sha256"`
}

// A record is one line: exactly one of its members is set.
type record struct {
	Kind      *rules.Kind    `json:"kind,omitempty"`
	Suffix    *rules.Suffix  `json:"suffix,omitempty"`
	Monster   *rules.Monster `json:"monster,omitempty"`
	Placement *Placement     `json:"place,omitempty"`
	Text      *textRecord    `json:"text,omitempty"`
	Model     *modelRecord   `json:"model,omitempty"`
}

type textRecord struct {
	File string `json:"file"`
	Text
}

type modelRecord struct {
	Name string `json:"name"`
	Model
}

// records lists the content line by line, always in the same order.
func (c *Content) records(yield func(record) bool) {
	ok := true
	add := func(r record) { ok = ok && yield(r) }
	for i := range c.Kinds {
		add(record{Kind: &c.Kinds[i]})
	}
	for i := range c.Suffixes {
		add(record{Suffix: &c.Suffixes[i]})
	}
	for i := range c.Monsters {
		add(record{Monster: &c.Monsters[i]})
	}
	for i := range c.Placements {
		add(record{Placement: &c.Placements[i]})
	}
	for _, file := range slices.Sorted(maps.Keys(c.Texts)) {
		for _, t := range c.Texts[file] {
			add(record{Text: &textRecord{file, t}})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Models)) {
		add(record{Model: &modelRecord{name, c.Models[name]}})
	}
}

// EncodeContent returns the bytes of a content file.
func EncodeContent(c *Content) ([]byte, error) {
	var body bytes.Buffer
	lines := json.NewEncoder(&body)
	lines.SetEscapeHTML(false)
	h := contentHeader{Format: contentFormat, Version: contentVersion, Source: c.Source}
	for r := range c.records {
		h.Records++
		if err := lines.Encode(r); err != nil {
			return nil, fmt.Errorf("catalogue: encode content: %w", err)
		}
	}
	sum := sha256.Sum256(body.Bytes())
	h.SHA256 = hex.EncodeToString(sum[:])
	first, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("catalogue: encode content: %w", err)
	}
	return append(append(first, '\n'), body.Bytes()...), nil
}

// DecodeContent is the inverse of [EncodeContent]. Damage of any kind is an error that says where.
func DecodeContent(file []byte) (Content, error) {
	var c Content
	var h contentHeader
	first, body, _ := bytes.Cut(file, []byte("\n"))
	if err := json.Unmarshal(first, &h); err != nil || h.Format != contentFormat {
		return c, fmt.Errorf("catalogue: line 1: expected the header of a content file, found %.60q", first)
	}
	if h.Version != contentVersion {
		return c, fmt.Errorf("catalogue: line 1: expected version %d, found %d", contentVersion, h.Version)
	}
	if sum := sha256.Sum256(body); hex.EncodeToString(sum[:]) != h.SHA256 {
		return c, fmt.Errorf("catalogue: the %d bytes after line 1 are damaged: expected SHA-256 %s, found %x", len(body),
			h.SHA256, sum)
	}
	c.Source = h.Source
	n := 0
	for line := range bytes.Lines(body) {
		n++
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return Content{}, fmt.Errorf("catalogue: line %d: %w", n+1, err)
		}
		if !c.add(r) {
			return Content{}, fmt.Errorf("catalogue: line %d: expected a kind, suffix, monster, place, text or model, "+
				"found %.60q", n+1, bytes.TrimSuffix(line, []byte("\n")))
		}
	}
	if n != h.Records {
		return Content{}, fmt.Errorf("catalogue: expected %d lines after the first, found %d", h.Records, n)
	}
	return c, nil
}

// add puts a record where it belongs; false when it is none.
func (c *Content) add(r record) bool {
	switch {
	case r.Kind != nil:
		c.Kinds = append(c.Kinds, *r.Kind)
	case r.Suffix != nil:
		c.Suffixes = append(c.Suffixes, *r.Suffix)
	case r.Monster != nil:
		c.Monsters = append(c.Monsters, *r.Monster)
	case r.Placement != nil:
		c.Placements = append(c.Placements, *r.Placement)
	case r.Text != nil:
		if c.Texts == nil {
			c.Texts = map[string][]Text{}
		}
		c.Texts[r.Text.File] = append(c.Texts[r.Text.File], r.Text.Text)
	case r.Model != nil:
		if c.Models == nil {
			c.Models = map[string]Model{}
		}
		c.Models[r.Model.Name] = r.Model.Model
	default:
		return false
	}
	return true
}

// WriteContent puts a content file into a data folder, which it creates if there is none. A reader sees the old file
// or the new one, never half of one, and when WriteContent has returned the new one is on the disk.
func WriteContent(dataDir string, c *Content) error {
	if _, err := Compose(c); err != nil {
		return err
	}
	text, err := EncodeContent(c)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dataDir, 0o700); err != nil {
		return fmt.Errorf("catalogue: create the data folder: %w", err)
	}
	if err := atomicfile.Write(filepath.Join(dataDir, ContentFile), text, 0o600); err != nil {
		return fmt.Errorf("catalogue: write content: %w", err)
	}
	return nil
}

// Open returns the catalogue of a data folder: the imported one, or [Default] when there is none. When the content
// file cannot be used the error says why, and the catalogue is the default one, so that a server can go on.
func Open(dataDir string) (*Catalogue, error) {
	path := filepath.Join(dataDir, ContentFile)
	c, err := readContent(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Default(), nil
	}
	var out *Catalogue
	if err == nil {
		out, err = Compose(&c)
	}
	if err != nil {
		return Default(), fmt.Errorf("%s: %w", path, err)
	}
	return out, nil
}

func readContent(path string) (Content, error) {
	f, err := os.Open(path)
	if err != nil {
		return Content{}, err
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, maxContent+1))
	if err == nil && len(file) > maxContent {
		err = fmt.Errorf("catalogue: expected at most %d bytes, found more", maxContent)
	}
	if err != nil {
		return Content{}, err
	}
	return DecodeContent(file)
}

// Compose makes a catalogue of imported content. Parts that a client's files do not have, or that could not be read,
// come from the default catalogue: items without a row, kinds with a number of the client, all suffixes or all
// monsters when none was imported. Kinds that we have made up are left out as soon as there are imported ones.
func Compose(imported *Content) (*Catalogue, error) {
	c := *imported
	has := map[int]bool{}
	for i := range c.Kinds {
		has[c.Kinds[i].ID] = true
	}
	c.Kinds = slices.Clone(c.Kinds)
	for _, k := range Default().Kinds() {
		if !has[k.ID] && (!k.Ours || len(imported.Kinds) == 0) {
			c.Kinds = append(c.Kinds, k)
		}
	}
	if len(c.Suffixes) == 0 {
		for _, letter := range Default().Letters() {
			c.Suffixes = append(c.Suffixes, Default().Suffixes(letter)...)
		}
	}
	if len(c.Monsters) == 0 {
		c.Monsters = Default().Monsters()
	}
	return New(c)
}
