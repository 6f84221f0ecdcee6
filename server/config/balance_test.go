package config

import (
	"errors"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"sphereserver/world/rules"
)

// Every number of the balance has a key of its own: the keys together change all numbers.
func TestEveryNumberOfTheBalanceHasAKey(t *testing.T) {
	var s Settings
	pointed := map[any]string{}
	for _, k := range balance.keys {
		value := k.at(&s)
		switch list := value.(type) {
		case wordList[[]rules.TypeFactor]:
			value = list.to
		case wordList[rules.RatePlan]:
			value = list.to
		}
		if other := pointed[value]; other != "" {
			t.Errorf("%s and %s are the same", other, k.Name)
		}
		pointed[value] = k.Name
	}
	n := 0
	var walk func(v reflect.Value, at string)
	walk = func(v reflect.Value, at string) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i), at+"."+v.Type().Field(i).Name)
			}
			return
		case reflect.Array:
			for i := range v.Len() {
				fromOne := at == ".Karma.Monster" || at == ".Karma.Player" || at == ".Effect.Food"
				if !fromOne || i > 0 {
					walk(v.Index(i), at)
				}
			}
			return
		}
		if n++; pointed[v.Addr().Interface()] == "" {
			t.Errorf("balance%s has no key", at)
		}
	}
	walk(reflect.ValueOf(&s.Balance).Elem(), "")
	if n != len(balance.keys) {
		t.Errorf("%d numbers and %d keys", n, len(balance.keys))
	}
}

// sources checks the types of the program's packages, without what others they import. It knows which fields are read.
type sources struct {
	set     *token.FileSet
	checked map[string]*types.Package
	info    types.Info
}

// readers are the packages in which a number of the balance counts when it is read.
var readers = regexp.MustCompile(`^sphereserver/(world|data/content/wild|server/game|server/view)(/|$)`)

func (s *sources) Import(path string) (*types.Package, error) {
	if s.checked[path] != nil {
		return s.checked[path], nil
	}
	p := types.NewPackage(path, filepath.Base(path))
	p.MarkComplete()
	if room, ours := strings.CutPrefix(path, "sphereserver/"); ours {
		from, err := build.ImportDir(filepath.Join("../..", room), 0)
		if err != nil {
			return nil, err
		}
		var files []*ast.File
		for _, name := range from.GoFiles {
			file, err := parser.ParseFile(s.set, filepath.Join(from.Dir, name), nil, 0)
			if err != nil {
				return nil, err
			}
			files = append(files, file)
		}
		c := types.Config{Importer: s, Error: func(error) {}, IgnoreFuncBodies: !readers.MatchString(path)}
		p, _ = c.Check(path, s.set, files, &s.info) // what is imported from elsewhere is missing
	}
	s.checked[path] = p
	return p, nil
}

// Review D7: every number of the balance is read by something; defaults and keys read none.
func TestEveryNumberOfTheBalanceIsRead(t *testing.T) {
	s := sources{token.NewFileSet(), map[string]*types.Package{},
		types.Info{Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	for _, room := range []string{"world", "data/content/wild", "server/game", "server/view"} {
		if _, err := s.Import("sphereserver/" + room); err != nil {
			t.Fatal(err)
		}
	}
	read := map[types.Object]bool{}
	for _, is := range s.info.Selections {
		read[is.Obj()] = true
	}
	var walk func(of types.Type, at string)
	walk = func(of types.Type, at string) {
		list := of.Underlying().(*types.Struct)
		for f := range list.Fields() {
			if _, table := f.Type().Underlying().(*types.Struct); table {
				walk(f.Type(), at+"."+f.Name())
			}
			if !read[f] {
				t.Errorf("nothing reads balance%s.%s", at, f.Name())
			}
		}
	}
	walk(s.checked["sphereserver/world/rules"].Scope().Lookup("Balance").Type(), "")
}

// balanceKeepers are the fields that keep a balance or a part of it, each of which a balance that is read again
// replaces; or they are of something that is made anew for each question.
var balanceKeepers = map[string]bool{
	"core.balance": true, "Snapshot.Balance": true, "SetBalance.Balance": true, // all parts of the world have the same core
	"Options.Balance": true, "rateKeeper.balance": true, "Server.settled": true, // see TestABalanceReadAgainReachesAll
	"wilds.balance": true, "Settings.Balance": true,
}

// No copy of the balance is kept that a reload does not reach.
func TestNoCopyOfTheBalanceIsKept(t *testing.T) {
	part := regexp.MustCompile(`^\*?(rules\.)?\w*Balance$`)
	seen := map[string]bool{}
	for _, room := range []string{"world", "server", "data", "cmd"} {
		err := filepath.WalkDir(filepath.Join("../..", room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				strings.HasSuffix(path, "rules/balance.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				of, ok := n.(*ast.TypeSpec)
				if !ok {
					return true
				}
				s, ok := of.Type.(*ast.StructType)
				if !ok {
					return true
				}
				for _, f := range s.Fields.List {
					for _, name := range f.Names {
						if at := of.Name.Name + "." + name.Name; part.MatchString(types.ExprString(f.Type)) {
							if seen[at] = true; !balanceKeepers[at] {
								t.Errorf("%s: %s keeps numbers of the balance that a reload does not reach", path, at)
							}
						}
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for at := range balanceKeepers {
		if !seen[at] {
			t.Errorf("%s keeps no balance any more", at)
		}
	}
}

// The sample sets nothing; with its keys uncommented it sets every key to its default.
func TestBalanceSampleSetsTheDefaults(t *testing.T) {
	for _, russian := range []bool{false, true} {
		c, err := Load(Sources{Defaults: Defaults(), Balance: write(t, BalanceSample(russian))})
		if err != nil || len(c.sources) != 0 {
			t.Fatalf("sample: %v, sets %v", err, c.sources)
		}
		uncommented := regexp.MustCompile(`(?m)^#([a-z])`).ReplaceAllString(BalanceSample(russian), "$1")
		if c, err = Load(Sources{Balance: write(t, uncommented)}); err != nil {
			t.Fatal(err)
		}
		if want := *rules.DefaultBalance(); !reflect.DeepEqual(c.Settings.Balance, want) {
			t.Errorf("expected %+v, found %+v", want, c.Settings.Balance)
		}
		for _, k := range balance.keys {
			if o := c.Origin(k); o.From != "file" || k.Doc(russian) == "" || !k.Reload || k.Flag != "" {
				t.Errorf("%s: %v %+v", k.Name, o, k)
			}
		}
	}
}

// Attack A22: an empty table, like all that is no value of its key, is refused and not taken for nothing.
func TestWhatIsWrongInABalanceFile(t *testing.T) {
	for text, want := range map[string]string{
		"[damage]\nfist = 3\n":                       `:2:1: damage.fist: unknown key, did you mean damage.fists?`,
		"[damag]\nfists = 3\n":                       `:1:2: damag: unknown table, did you mean damage?`,
		"[death]\nrevive = 5\n":                      `:2:10: death.revive: expected a time in quotes`,
		"[death]\nexperience = 2\n":                  `:2:14: death.experience: expected a number from 0 to 1, found 2`,
		"[experience]\nkill = [1, 2.5]\n":            `expected a list of whole numbers, found 2.5 in it`,
		"[experience]\nkill = [1, -2]\n":             `expected whole numbers from 0 to 1000000000, found -2`,
		"[experience]\nkill = 3\n":                   `expected a list of whole numbers, found the number 3`,
		"[experience]\ntypes = [\"1000-999 1\"]\n":   `found "1000-999 1"`,
		"[experience]\ntypes = [\"1000 -1\"]\n":      `found "1000 -1"`,
		"[experience]\ntypes = [\"all 1\"]\n":        `found "all 1"`,
		"[damage]\nfists = {}\n":                     `damage.fists: expected a whole number, found a table`,
		"[damage]\nfists = { a = 1 }\n":              `damage.fists: expected a whole number, found a table`,
		"[server]\nname = \"x\"\n":                   `unknown table`,
		"[damage]\nfists = 3\n[damage]\nfists = 4\n": `:3:`,
		"[rates]\nmoney = 2\n":                       `rates.money: expected a list of texts, found the number 2`,
		"[rates]\nmoney = [\"0\"]\n":                 `expected a factor from 0.1 to 100 and perhaps when it counts, like "2"`,
		"[rates]\nmoney = [\"1e9\"]\n":               `found "1e9"`,
		"[rates]\nmoney = [\"2\", \"3\"]\n":          `expected rates that do not overlap, unlike "2" and "3"`,
		"[rates]\nmoney = [\"2 every weekend\", \"3 every sunday 20:00-22:00\"]\n": `unlike "2 every weekend" and "3 every ` +
			`sunday 20:00-22:00"`,
	} {
		_, err := Load(Sources{Balance: write(t, text)})
		var problems Problems
		if !errors.As(err, &problems) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
	if _, err := Load(Sources{Balance: filepath.Join(t.TempDir(), "none.toml")}); err != nil {
		t.Error(err)
	}
}

func TestBalanceIsReadAgain(t *testing.T) {
	path := write(t, "[damage]\nfists = 3\n[experience]\nkill = [1, 2]\ntypes = [\"5 2\", \"7-9 0.5\"]\n")
	from := Sources{Defaults: Defaults(), Balance: path}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	b := &c.Settings.Balance
	if b.Damage.Fists != 3 || !reflect.DeepEqual(b.Experience.Kill, []int{1, 2}) ||
		!reflect.DeepEqual(b.Experience.Types, []rules.TypeFactor{{From: 5, To: 5, Factor: 2},
			{From: 7, To: 9, Factor: 0.5}}) {
		t.Errorf("%+v", b)
	}
	l := Running(c, from, slog.New(slog.DiscardHandler))
	told := 0
	l.OnChange(func(s Settings) { told = s.Balance.Damage.Fists })
	if err := os.WriteFile(path, []byte("[damage]\nfists = 9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if changes, err := l.Reload(); err != nil || len(changes) != 3 || told != 9 || changes[0].Restart {
		t.Errorf("%v, %+v, told %d", err, changes, told)
	}
	if err := os.WriteFile(path, []byte("[damage]\nfists = -9\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Reload(); err == nil || told != 9 || l.Settings().Balance.Damage.Fists != 9 {
		t.Errorf("a wrong file: %v, told %d", err, told)
	}
}
