package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"sphereserver/server/config"
)

// A mention is a command, a flag or a key that a page names.
type mention struct {
	page  string // path in the repository
	line  int    // from 1
	text  string
	whole bool // a line of a console, which has to run as it stands
}

func (m mention) String() string { return fmt.Sprintf("%s:%d: %s", m.page, m.line, m.text) }

const repository = "../.."

// pages are the paths of all pages of documentation in the repository.
func pages(t *testing.T) (paths []string) {
	t.Helper()
	top, err := filepath.Glob(filepath.Join(repository, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(filepath.Join(repository, "docs"), func(name string, _ fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(name) == ".md" {
			top = append(top, name)
		}
		return err
	})
	if err != nil || len(top) < 40 {
		t.Fatalf("%d pages, %v", len(top), err)
	}
	return top
}

// A block is a block of code of a page.
type block struct {
	page, language string
	line           int // of its first line, from 1
	text           string
}

// codeOf splits a page into its blocks of code and the spans of code between them. In a table a "\|" stands for "|".
func codeOf(t *testing.T, file string) (blocks []block, spans []mention) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	page, err := filepath.Rel(repository, file)
	if err != nil {
		t.Fatal(err)
	}
	page = filepath.ToSlash(page)
	span := regexp.MustCompile("`([^`]+)`")
	line := 1
	for i, part := range strings.Split("\n"+string(text), "\n```") {
		if i%2 == 1 {
			language, code, _ := strings.Cut(part, "\n")
			blocks = append(blocks, block{page, language, line, code})
		} else {
			for _, at := range span.FindAllStringSubmatchIndex(part, -1) {
				text := strings.ReplaceAll(strings.Join(strings.Fields(part[at[2]:at[3]]), " "), `\|`, "|")
				spans = append(spans, mention{page, line + strings.Count(part[:at[2]], "\n") - 1, text, false})
			}
		}
		line += strings.Count(part, "\n") + 1
	}
	return blocks, spans
}

// consoles are the command lines of a page: lines of consoles without their comments and continued lines joined, and
// spans of code.
func consoles(t *testing.T, file string) (all []mention) {
	blocks, spans := codeOf(t, file)
	comment := regexp.MustCompile(`\s+#\s.*$`)
	for _, b := range blocks {
		if b.language != "console" {
			continue
		}
		lines := strings.Split(b.text, "\n")
		for i := 0; i < len(lines); i++ {
			at := b.line + i
			command, is := strings.CutPrefix(strings.TrimSpace(lines[i]), "$ ")
			if !is {
				command, is = strings.CutPrefix(lines[i], "> ")
			}
			for is && strings.HasSuffix(command, `\`) && i+1 < len(lines) {
				i++
				command = strings.TrimSuffix(command, `\`) + " " + strings.TrimSpace(lines[i])
			}
			if is {
				all = append(all, mention{b.page, at, comment.ReplaceAllString(command, ""), true})
			}
		}
	}
	return append(all, spans...)
}

// ofProgram finds a command line of the program in that of a shell: behind other commands, variables and a path, before
// a pipe.
var ofProgram = regexp.MustCompile(`^(?:echo [^|]*\| |[A-Z_]+=\S+ |docker exec -it sphere )*(?:\S*/)?` +
	`sphere ([^|]*(?:\S\|\S[^|]*)*)(?: \| .*)?$`)

// Every command of the program that a page names is there, takes the flags and, in a console, the arguments given.
func TestCommandsInDocumentsAreThere(t *testing.T) {
	t.Parallel()
	n := 0
	for _, page := range pages(t) {
		for _, m := range consoles(t, page) {
			if f := ofProgram.FindStringSubmatch(m.text); f != nil {
				n++
				for _, line := range alternatives(f[1]) {
					if err := parses(t, line, m.whole); err != nil {
						t.Errorf("%v: %v", m, err)
					}
				}
			}
		}
	}
	if n < 400 {
		t.Errorf("only %d commands", n)
	}
}

// Every command that the program itself names in its answers and in its help is there.
func TestCommandsInAnswersAreThere(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile(`(?:\\"|«)sphere ([a-z][^"»\\]*)`)
	n := 0
	for _, room := range []string{"cmd", "data", "server", "world"} {
		err := filepath.WalkDir(filepath.Join(repository, room), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Name() == "node_modules" {
				return fs.SkipDir
			}
			if err != nil || strings.HasSuffix(name, "_test.go") || !strings.HasSuffix(name, ".go") &&
				!strings.HasSuffix(name, ".ru.txt") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, f := range named.FindAllStringSubmatch(string(text), -1) {
				n++
				if strings.Contains(f[1], "%") {
					continue // what stands there is known later
				}
				for _, line := range alternatives(f[1]) {
					if err := parses(t, line, false); err != nil {
						t.Errorf("%s: sphere %s: %v", name, f[1], err)
					}
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if n < 50 {
		t.Errorf("only %d commands", n)
	}
	var look func(c *cobra.Command)
	look = func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			line, _, _ := strings.Cut(strings.TrimSpace(line), " > ")
			if f := ofProgram.FindStringSubmatch(line); f != nil {
				if err := parses(t, f[1], true); err != nil {
					t.Errorf("%s: %s: %v", c.CommandPath(), f[1], err)
				}
			}
		}
		for _, below := range c.Commands() {
			look(below)
		}
	}
	look(rootCommand(&environment{}))
}

// alternatives are the command lines that one stands for: "spawner off|on" are two. A word in capitals or in brackets
// stands for an argument, and means one.
func alternatives(line string) []string {
	for at, word := range strings.Split(line, " ") {
		if strings.Contains(word, "|") && !strings.ContainsAny(word, `"'[]`) {
			var all []string
			for one := range strings.SplitSeq(word, "|") {
				words := strings.Split(line, " ")
				words[at] = one
				all = append(all, alternatives(strings.Join(words, " "))...)
			}
			return all
		}
	}
	return []string{line}
}

// parses says what is wrong with a command line of the program. One that a sentence names may leave out arguments.
func parses(t *testing.T, line string, whole bool) error {
	t.Helper()
	args := slices.DeleteFunc(words(t, line), func(word string) bool { return word == "…" || word == "--help" })
	root := rootCommand(&environment{})
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	if len(args) > 0 && args[0] == "hash-passwords" {
		return nil // no command, but how the second process is called
	}
	c, rest, err := root.Find(args)
	if err != nil {
		return err
	}
	var needsValue *pflag.ValueRequiredError
	if err := c.ParseFlags(rest); err != nil && (whole || !errors.As(err, &needsValue)) {
		return flagError(c, err)
	}
	given := c.Flags().Args()
	if group := strings.HasSuffix(c.Use, " COMMAND"); group && len(given) > 0 {
		return fmt.Errorf("%q has no command %q", c.CommandPath(), given[0])
	} else if group && whole {
		return fmt.Errorf("%q is no whole command", c.CommandPath())
	}
	if c.Args != nil && (whole || len(given) > 0) {
		return c.Args(c, given)
	}
	return nil
}

// otherFlags are flags of other programs that pages name.
var otherFlags = []string{"cpu", "network", "only", "prefix", "quick", "rm", "summary"}

// Every flag, variable and key that a page names is there.
func TestFlagsAndKeysInDocumentsAreThere(t *testing.T) {
	flags, commands := map[string]bool{}, map[string]bool{}
	var learn func(c *cobra.Command)
	learn = func(c *cobra.Command) {
		note := func(f *pflag.Flag) { flags[f.Name] = true }
		c.Flags().VisitAll(note)
		c.PersistentFlags().VisitAll(note)
		commands[c.CommandPath()] = true
		for _, below := range c.Commands() {
			learn(below)
		}
	}
	root := rootCommand(&environment{})
	root.InitDefaultHelpFlag()
	learn(root)
	keys, tables := map[string]bool{}, map[string]bool{}
	table := ""
	for line := range strings.Lines(config.Sample(false) + config.BalanceSample(false)) {
		if name, _, is := strings.Cut(strings.TrimPrefix(line, "#"), " = "); is && !strings.Contains(name, " ") {
			keys[table+"."+name] = true
		} else if strings.HasPrefix(line, "[") {
			table = strings.Trim(line, "[]\n")
			tables[table] = true
		}
	}
	flag := regexp.MustCompile(`(?:^|\s)--([a-z][a-z-]*)`)
	key := regexp.MustCompile(`^([a-z]+)\.([a-z-]+)(?: = .*)?$`)
	variable := regexp.MustCompile(`^SPHERE_([A-Z_]+)(?:=.*)?$`)
	for _, page := range pages(t) {
		_, spans := codeOf(t, page)
		for _, m := range spans {
			for _, f := range flag.FindAllStringSubmatch(m.text, -1) {
				whole := !strings.HasSuffix(f[1], "-") // "--login-, --screen-timeout"
				if whole && !flags[f[1]] && !slices.Contains(otherFlags, f[1]) {
					t.Errorf("%v: there is no flag --%s", m, f[1])
				}
			}
			if k := key.FindStringSubmatch(m.text); k != nil && tables[k[1]] && !keys[k[1]+"."+k[2]] && !isFile(m.text) {
				t.Errorf("%v: there is no such key", m)
			}
			if v := variable.FindStringSubmatch(m.text); v != nil && !slices.Contains([]string{"CAPTURES", "MAX_PER_ADDRES",
				"SERVICE_HOST"}, v[1]) && !flags[strings.ToLower(strings.ReplaceAll(v[1], "_", "-"))] {
				t.Errorf("%v: there is no such variable", m)
			}
		}
	}
}

// isFile tells the name of a file from that of a key: "spawns.tsv".
func isFile(name string) bool {
	return slices.Contains([]string{".tsv", ".go", ".md", ".toml", ".log", ".txt", ".db"}, path.Ext(name))
}

// Every example of a configuration file is one.
func TestConfigurationsInDocumentsAreTaken(t *testing.T) {
	n := 0
	for _, page := range pages(t) {
		blocks, _ := codeOf(t, page)
		for _, b := range blocks {
			if b.language != "toml" {
				continue
			}
			n++
			file := filepath.Join(t.TempDir(), "example.toml")
			if err := os.WriteFile(file, []byte(b.text), 0o600); err != nil {
				t.Fatal(err)
			}
			from := config.Sources{Defaults: config.Defaults(), File: file}
			if strings.HasPrefix(path.Base(b.page), "balance.") {
				from.File, from.Balance = "", file
			}
			var err error
			if strings.Contains(b.text, "[[webhook]]") {
				_, err = config.ReadWebhooks(file)
			} else {
				_, err = config.Load(from)
			}
			if err != nil {
				t.Errorf("%s:%d: %v", b.page, b.line, err)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d examples", n)
	}
}

// Every target of make that a page names is there, and every test that is to be run.
func TestTargetsAndTestsInDocumentsAreThere(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(repository, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	targets, tests := 0, 0
	target := regexp.MustCompile(`^make((?: [a-z-]+)+)`)
	run := regexp.MustCompile(`^go test .*-(?:run|bench) `)
	for _, page := range pages(t) {
		for _, m := range consoles(t, page) {
			if f := target.FindStringSubmatch(m.text); f != nil {
				targets++
				for name := range strings.FieldsSeq(f[1]) {
					if !regexp.MustCompile(`(?m)^` + name + `:`).Match(makefile) {
						t.Errorf("%v: there is no target %s", m, name)
					}
				}
			}
			if run.MatchString(m.text) {
				tests++
				if missing := missingTest(t, words(t, m.text)); missing != "" {
					t.Errorf("%v: there is no %s", m, missing)
				}
			}
		}
	}
	if targets < 30 || tests < 20 {
		t.Errorf("only %d targets and %d tests", targets, tests)
	}
}

// missingTest is the test, benchmark or flag that a "go test" names and its packages do not have, "" if they have all.
func missingTest(t *testing.T, args []string) string {
	t.Helper()
	var source strings.Builder
	for _, arg := range args {
		if strings.HasPrefix(arg, "./") {
			files, err := filepath.Glob(filepath.Join(repository, arg, "*.go"))
			if err != nil || len(files) == 0 {
				return arg
			}
			for _, file := range files {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				source.Write(text)
			}
		}
	}
	declared := func(what, pattern string) bool {
		named := regexp.MustCompile(strings.Split(pattern, "/")[0])
		for _, f := range regexp.MustCompile(`\nfunc (`+what+`\w+)\(`).FindAllStringSubmatch(source.String(), -1) {
			if named.MatchString(f[1]) {
				return true
			}
		}
		return false
	}
	for i, arg := range args {
		switch {
		case arg == "-run" && args[i+1] != "^$" && !declared("(?:Test|Fuzz)", args[i+1]):
			return "test " + args[i+1]
		case arg == "-bench" && !declared("Benchmark", args[i+1]):
			return "benchmark " + args[i+1]
		case strings.HasPrefix(arg, "-update"), strings.HasPrefix(arg, "-sim."), arg == "-remake":
			if name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "="); !strings.Contains(source.String(), `"`+name+`"`) {
				return "flag " + arg
			}
		}
	}
	return ""
}

// Each page in Russian has the parts of the English one: headings, rows, points, blocks with their commands, flags and
// links.
func TestDocumentsSayTheSameInBothLanguages(t *testing.T) {
	parts := map[string]*regexp.Regexp{"headings": regexp.MustCompile(`(?m)^#+ `),
		"rows of tables": regexp.MustCompile(`(?m)^\|`), "points": regexp.MustCompile(`(?m)^ *(?:[*-]|\d+\.) `),
		"blocks":   regexp.MustCompile("(?m)^ *```\\w+"),
		"commands": regexp.MustCompile(`(?m)^ *[$>] \S+(?: [a-z-]+)?`), "flags": regexp.MustCompile(`--[a-z][a-z-]+`),
		"links": regexp.MustCompile(`\]\([^)#]*`)}
	inOther := regexp.MustCompile(`\[(?:По-русски|[Ii]n English|English|по-английски)\]\([^)]*\)`)
	n := 0
	for _, page := range pages(t) {
		english, is := strings.CutSuffix(page, ".ru.md")
		if !is {
			continue
		}
		n++
		var texts [2]string
		for i, name := range []string{english + ".md", page} {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			same := strings.NewReplacer(".ru.md", ".md", ".ru.png", ".png")
			texts[i] = same.Replace(inOther.ReplaceAllString(string(text), ""))
		}
		for name, part := range parts {
			found := func(text string) (all []string) {
				for _, f := range part.FindAllString(text, -1) {
					all = append(all, strings.TrimRight(f, " "))
				}
				if name == "flags" || name == "links" {
					slices.Sort(all)
				}
				return all
			}
			if diff := cmp.Diff(found(texts[0]), found(texts[1])); diff != "" {
				t.Errorf("%s: %s: -English +Russian\n%s", page, name, diff)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d pages", n)
	}
}
