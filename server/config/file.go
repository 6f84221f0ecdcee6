package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"

	"sphereserver/data/lazyregexp"
)

// FileName is the configuration file in a data folder.
const FileName = "sphere.toml"

// maxFile in bytes is far more than all keys with their comments.
const maxFile = 1 << 20

// A Problem is something wrong in a file.
type Problem struct {
	File   string `json:"file"`
	Line   int    `json:"line"` // from 1; 0 when the file has none
	Column int    `json:"column"`
	Key    string `json:"key,omitempty"` // empty for a fault of the file itself
	Text   string `json:"text"`          // the expected and the found, in English

	russian string // the same
}

// problem is an error at a place.
func problem(line, column int, key string, err error) Problem {
	p := Problem{Line: line, Column: column, Key: key, Text: err.Error()}
	var both interface{ In(russian bool) string }
	if p.russian = p.Text; errors.As(err, &both) {
		p.russian = both.In(true)
	}
	return p
}

func (p Problem) Error() string { return p.In(false) }

// In writes the problem in a language.
func (p Problem) In(russian bool) string {
	at := fmt.Sprintf("%s:%d:%d: ", p.File, p.Line, p.Column)
	if p.Line == 0 {
		at = p.File + ": "
	}
	if p.Key != "" {
		at += p.Key + ": "
	}
	if russian && p.russian != "" {
		return at + p.russian
	}
	return at + p.Text
}

// Problems are all that is wrong in a file, in its order.
type Problems []Problem

func (ps Problems) Error() string { return ps.In(false) }

// In writes the problems in a language.
func (ps Problems) In(russian bool) string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.In(russian)
	}
	return strings.Join(texts, "; ")
}

// Misnamed are the files of a data folder that are nearly called as one of the operator's that is not there, and that
// nothing reads: in other letters, or with the ".txt" that Windows adds and hides. more are names besides those of this
// package.
func Misnamed(dir string, more ...string) (found Problems) {
	entries, _ := os.ReadDir(dir) // a folder that cannot be read is told of elsewhere
	for _, name := range append([]string{FileName, BalanceFile, WebhooksFile}, more...) {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			continue
		}
		for _, e := range entries {
			if strings.EqualFold(e.Name(), name) || strings.EqualFold(e.Name(), name+".txt") {
				err := wrong("nothing reads a file of this name", "файл с таким именем никто не читает")
				p := problem(0, 0, "", err.maybe(name))
				p.File = filepath.Join(dir, e.Name())
				found = append(found, p)
			}
		}
	}
	return found
}

// A setting is a key that a file sets.
type setting struct {
	key          *Key
	text         string // as a flag would have it
	line, column int
}

// readFile reads a file of the operator's by its parser. The error is [Problems], each with the file, or one of the
// file system.
func readFile[T any](path string, parse func(text []byte) (T, Problems)) (found T, err error) {
	f, err := os.Open(path)
	if err != nil {
		return found, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return found, err
	}
	return parseFile(path, text, parse)
}

// parseFile reads the text of a file of the operator's. The error is [Problems], each with the file.
func parseFile[T any](path string, text []byte, parse func(text []byte) (T, Problems)) (found T, err error) {
	if len(text) > maxFile {
		p := problem(0, 0, "", wrong("expected at most %d bytes", "нужно не больше %d байтов", maxFile))
		p.File = path
		return found, Problems{p}
	}
	read, problems := parse(bytes.TrimPrefix(text, []byte("\uFEFF"))) // the mark that Windows editors begin with
	if len(problems) == 0 {
		return read, nil
	}
	for i := range problems {
		problems[i].File = path
	}
	return found, problems
}

// parse reads the settings of a file, or all of its faults.
func (d *document) parse(text []byte) ([]setting, Problems) {
	if err := unreadable(text); err != nil {
		return nil, Problems{problem(0, 0, "", err)}
	}
	values := map[string]any{}
	if err := toml.Unmarshal(text, &values); err != nil {
		return nil, Problems{d.syntaxProblem(text, err)}
	}
	r := reader{document: d, values: values}
	r.parser.Reset(text)
	for r.parser.NextExpression() {
		r.expression(r.parser.Expression())
	}
	if err := r.parser.Error(); err != nil { // this takes all that the decoder has taken
		return nil, Problems{d.syntaxProblem(text, err)}
	}
	slices.SortStableFunc(r.problems, func(a, b Problem) int { return cmp.Or(a.Line-b.Line, a.Column-b.Column) })
	return r.settings, r.problems
}

// A reader goes through a file for the positions of the decoded values.
type reader struct {
	document *document
	parser   unstable.Parser
	values   map[string]any
	table    []string // that the lines now stand in
	skip     bool     // it is none of ours, which has been said
	settings []setting
	problems Problems
}

func (r *reader) expression(n *unstable.Node) {
	switch n.Kind {
	case unstable.Table, unstable.ArrayTable:
		names, line, column := r.name(n.Key())
		name := strings.Join(names, ".")
		r.table, r.skip = names, true
		switch {
		case !r.document.isTable(name):
			r.unknown(line, column, name, wrong("unknown table", "такого раздела нет"), r.document.tableNames())
		case n.Kind == unstable.ArrayTable:
			r.problem(line, column, name, wrong("expected a table in single brackets, found double ones",
				"раздел пишется в одинарных скобках, а не в двойных"))
		default:
			r.skip = false
		}
	case unstable.KeyValue:
		if !r.skip {
			r.keyValue(r.table, n)
		}
	}
}

func (r *reader) keyValue(within []string, n *unstable.Node) {
	names, line, column := r.name(n.Key())
	path := append(slices.Clone(within), names...)
	value := n.Value()
	name := strings.Join(path, ".")
	key, ok := r.document.key(name)
	if !ok && value.Kind == unstable.InlineTable { // limits = { max-speed = 60 }
		for children := value.Children(); children.Next(); {
			r.keyValue(path, children.Node())
		}
		return
	}
	if !ok {
		r.unknown(line, column, name, wrong("unknown key", "такого ключа нет"), r.document.keyNames())
		return
	}
	text, err := fileText(key, lookUp(r.values, path))
	if err == nil {
		err = key.Set(new(Settings), text)
	}
	if err != nil {
		if at := r.parser.Shape(value.Raw).Start; value.Raw.Length > 0 {
			line, column = at.Line, at.Column
		}
		r.problem(line, column, name, err)
		return
	}
	r.settings = append(r.settings, setting{key, text, line, column})
}

// name reads a dotted name and where it begins.
func (r *reader) name(parts unstable.Iterator) (names []string, line, column int) {
	for parts.Next() {
		n := parts.Node()
		if names == nil {
			at := r.parser.Shape(n.Raw).Start
			line, column = at.Line, at.Column
		}
		names = append(names, string(n.Data))
	}
	return names, line, column
}

func (r *reader) problem(line, column int, key string, err error) {
	r.problems = append(r.problems, problem(line, column, key, err))
}

// mostNamed is how many keys of a table are named beside one that is unknown.
const mostNamed = 8

func (r *reader) unknown(line, column int, name string, err valueError, known []string) {
	if near, ok := r.document.nearestName(name, known); ok {
		err = err.maybe(near)
	} else {
		names := known
		if table, _, within := strings.Cut(name, "."); within {
			names = slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !strings.HasPrefix(k, table+".") })
		}
		if len(names) > 0 && (len(names) <= mostNamed || slices.Equal(names, r.document.tableNames())) {
			all := strings.Join(names, ", ")
			err = valueError{err.english + "; there are " + all, err.russian + "; есть " + all}
		}
	}
	r.problem(line, column, name, err)
}

func (d *document) isTable(name string) bool { return slices.Contains(d.tableNames(), name) }

func (d *document) tableNames() (names []string) {
	for _, t := range d.tables {
		names = append(names, t.Name)
	}
	return names
}

func (d *document) keyNames() (names []string) {
	for _, k := range d.keys {
		names = append(names, k.Name)
	}
	return names
}

func lookUp(values map[string]any, path []string) any {
	var v any = values
	for _, name := range path {
		table, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = table[name]
	}
	return v
}

// fileText is a value of a file as a flag would have it, if it is of the kind that its key wants.
func fileText(k *Key, value any) (string, error) {
	kind := k.Kind()
	words := kinds[kind]
	found := valueError{"a table", "раздел"}
	switch v := value.(type) {
	case string:
		switch {
		case kind == Text || kind == Duration:
			return v, nil
		case kind == List:
			var s Settings
			if err := k.Set(&s, v); err != nil {
				return "", err
			}
			list := k.fileValue(&s)
			words.words, words.russian = "a list like "+list, "нужен список вида "+list
		case k.Set(new(Settings), v) == nil:
			words.words, words.russian = words.words+" without quotes", words.russian+" без кавычек"
		default:
			return "", k.unlike(v, strconv.Quote(v))
		}
		found = wrong("the text %q", "текст %q", v)
	case bool:
		if kind == Bool {
			return fmt.Sprint(v), nil
		}
		found = wrong("%v", "%v", v)
	case int64, float64:
		if _, whole := v.(int64); kind == Number || kind == Int && whole {
			return fmt.Sprint(v), nil
		}
		found = wrong("the number %v", "число %v", v)
		if meant, ok := k.meant(fmt.Sprint(v)); ok && kind == Duration {
			found = found.maybe(meant)
		}
		if n, fraction := v.(float64); fraction && kind == Int && n == math.Trunc(n) && math.Abs(n) < 1e9 {
			found = wrong("the number %.1f", "число %.1f", n).maybe(strconv.FormatFloat(n, 'f', 0, 64))
		}
	case []any:
		if kind == List || kind == Wholes {
			return listText(v, kind)
		}
		found = wrong("a list", "список")
	case time.Time, toml.LocalDate, toml.LocalDateTime, toml.LocalTime:
		found = wrong("a date or a time of day", "дата или время дня")
	}
	return "", valueError{"expected " + words.words + ", found " + found.english,
		words.russian + ", а не " + found.russian}
}

// commaInFraction is a number like 2,5 among the words of a text.
var commaInFraction = lazyregexp.Of(`\b[0-9]+,[0-9]+\b`)

func listText(list []any, kind Kind) (string, error) {
	words := make([]string, len(list))
	for i, v := range list {
		if n, ok := v.(int64); ok && kind == Wholes {
			words[i] = strconv.FormatInt(n, 10)
			continue
		}
		word, ok := v.(string)
		if kind == Wholes {
			return "", wrong("expected a list of whole numbers, found %v in it", "нужен список целых чисел, а в нём %v", v)
		}
		if fraction := commaInFraction().FindString(word); ok && fraction != "" {
			meant := strings.Replace(fraction, ",", ".", 1)
			return "", wrong("a fraction is written with a point: %s, found %q", "дробная часть отделяется точкой: %s, а не %q",
				meant, word)
		}
		if !ok || strings.Contains(word, ",") {
			return "", wrong("expected a list of texts without commas, found %v in it",
				"нужен список текстов без запятых, а в нём %v", v)
		}
		words[i] = word
	}
	return strings.Join(words, ","), nil
}

// quote is a text as TOML has it.
func quote(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7F || r == utf8.RuneError:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
