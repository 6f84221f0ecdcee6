package capture

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var updateDocs = flag.Bool("update-docs", false,
	"write the output of the examples in the documentation anew; look at the difference before you keep it")

const (
	repository = "../.."
	wirePages  = "docs/protocol"
)

// An example is a command in the documentation, with its output below it:
//
//	```console
//	$ sphere capture decode 04 00 F4 01
//	S2C 4 bytes  keepalive
//	  Keepalive
//	```
//
// A backslash at the end of a line continues the command.
type example struct {
	page     string // path in the repository
	line     int    // of the command, from 1
	hex      string
	from, to int // lines of the output, counted from 0, to not included
	output   []string
}

func (e example) String() string { return fmt.Sprintf("%s:%d", e.page, e.line) }

// documents returns the lines of every page of documentation by its path in the repository.
func documents(t *testing.T) map[string][]string {
	t.Helper()
	pages, err := filepath.Glob(filepath.Join(repository, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(repository, "docs"), func(name string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		page, err := filepath.Rel(repository, name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(page)] = strings.Split(string(text), "\n")
	}
	return out
}

// decodesHex tells an example from the same command for a file.
var decodesHex = regexp.MustCompile(`^(?:\S*/)?sphere capture decode ((?:[0-9A-Fa-f]{2})+(?: .*)?)$`)

// examplesOf returns the examples of a page.
func examplesOf(page string, lines []string) []example {
	var out []example
	console := false
	open := -1 // example in out with the output that is being read
	end := func(at int) {
		if open < 0 {
			return
		}
		e := &out[open]
		for e.to = at; e.to > e.from && strings.TrimSpace(lines[e.to-1]) == ""; e.to-- {
		}
		e.output = lines[e.from:e.to]
		open = -1
	}
	for i := 0; i < len(lines); i++ {
		switch text := lines[i]; {
		case strings.HasPrefix(text, "```"):
			end(i)
			console = !console && strings.TrimSpace(text) == "```console"
		case console && strings.HasPrefix(text, "$ "):
			end(i)
			first := i
			command := strings.TrimPrefix(text, "$ ")
			for strings.HasSuffix(command, `\`) && i+1 < len(lines) {
				i++
				command = strings.TrimSuffix(command, `\`) + " " + lines[i]
			}
			if m := decodesHex.FindStringSubmatch(command); m != nil {
				out = append(out, example{page: page, line: first + 1, hex: m[1], from: i + 1})
				open = len(out) - 1
			}
		}
	}
	return out
}

// decode prints the output of the command.
func (e example) decode() (string, error) {
	frames, err := ParseFrames(e.hex, Options{})
	if err != nil {
		return "", err
	}
	detector := NewDetector()
	var out []string
	for _, f := range frames {
		r := detector.Read(f)
		out = append(out, Words(&r))
	}
	return strings.TrimRight(strings.Join(out, "\n"), "\n"), nil
}

// otherProtocols are pages of protocols that the capture tool does not read.
var otherProtocols = map[string]bool{"ase.md": true, "minecraft-query.md": true, "w3gs.md": true}

// The documentation shows the output of the tool.
func TestExamplesInTheDocumentation(t *testing.T) {
	pages := documents(t)
	for page, lines := range pages {
		examples := examplesOf(page, lines)
		if path.Dir(page) == wirePages && !otherProtocols[path.Base(page)] && len(examples) == 0 {
			t.Errorf("%s has no example that a reader can repeat with sphere capture decode", page)
		}
		shift := 0
		for _, e := range examples {
			got, err := e.decode()
			if err != nil {
				t.Errorf("%s: %v", e, err)
				continue
			}
			fresh := strings.Split(got, "\n")
			if *updateDocs {
				lines = slices.Replace(lines, e.from+shift, e.to+shift, fresh...)
				shift += len(fresh) - len(e.output)
			} else if diff := cmp.Diff(e.output, fresh); diff != "" {
				t.Errorf("%s: -page +tool\n%s", e, diff)
			}
		}
		if *updateDocs && len(examples) > 0 {
			if err := os.WriteFile(filepath.Join(repository, page), []byte(strings.Join(lines, "\n")), 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}

// registered finds the types in the tables of package packets: region[SetStat](), fromClient(&…, func(m *Use, …,
// fromServer(&…, (*LoginTime).fields).
var registered = regexp.MustCompile(`= (region|fromServer|fromClient|eitherWay)(?:\[|\([^*\n]*\n?[^*\n]*\*)(\w+)`)

// The pages about the wire name every message that the code knows.
func TestPagesNameEveryMessage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository, "packets", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	pages := documents(t)
	n := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range registered.FindAllStringSubmatch(string(source), -1) {
			page, message := wirePages+"/commands.md", m[2]
			if m[1] == "region" {
				page = wirePages + "/body.md"
			}
			n++
			if !strings.Contains(strings.Join(pages[page], "\n"), "`"+message+"`") {
				t.Errorf("%s does not name `%s` of %s", page, message, filepath.Base(name))
			}
		}
	}
	if n < 140 {
		t.Errorf("found %d messages in the code, expected more than 140: has their registration changed?", n)
	}
}

// Links between pages lead somewhere, and to a heading if they name one.
func TestLinksInTheDocumentation(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)
	pages := documents(t)
	for page, lines := range pages {
		for i, text := range lines {
			for _, m := range link.FindAllStringSubmatch(text, -1) {
				target := page
				if m[1] != "" {
					target = path.Join(path.Dir(page), m[1])
				}
				if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(target))); err != nil {
					t.Errorf("%s:%d: %s leads nowhere", page, i+1, m[1])
				} else if m[2] != "" && !slices.ContainsFunc(pages[target], func(line string) bool {
					return anchor(line) == m[2]
				}) {
					t.Errorf("%s:%d: %s has no heading #%s", page, i+1, target, m[2])
				}
			}
		}
	}
}

// anchor is the name that a heading has in links, "" for other lines.
func anchor(line string) string {
	text := strings.TrimLeft(line, "#")
	if text == line {
		return ""
	}
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(text))
}
