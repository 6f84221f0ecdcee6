package config

import (
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"sphereserver/server/session"
)

var updateDocs = flag.Bool("update-docs", false, "write docs/configuration.md and docs/configuration.ru.md")

// What the log and our own clients are told of a refusal names keys that there are.
func TestReasonsNameKeys(t *testing.T) {
	named := 0
	for r := session.ReasonUnknown; !strings.HasPrefix(r.String(), "Reason("); r++ {
		if name := r.Setting(); name != "" {
			if named++; !slices.ContainsFunc(Keys(), func(k *Key) bool { return k.Name == name }) {
				t.Errorf("%v is about %s, which is no key", r, name)
			}
		}
	}
	if named == 0 {
		t.Error("no reason names a key")
	}
}

// Every key is in the sample file, in both pages and in the flags, has an environment variable, and both languages.
func TestEveryKeyIsEverywhere(t *testing.T) {
	names, flags := map[string]bool{}, map[string]bool{}
	given, _ := Flags(Defaults())
	if len(given) != len(Keys()) {
		t.Errorf("%d keys have %d flags", len(Keys()), len(given))
	}
	for i, k := range Keys() {
		if names[k.Name] || flags[k.Flag] {
			t.Errorf("%s or --%s is there twice", k.Name, k.Flag)
		}
		names[k.Name], flags[k.Flag] = true, true
		if !regexp.MustCompile(`^[a-z]+\.[a-z0-9-]+$`).MatchString(k.Name) ||
			!regexp.MustCompile(`^[a-z0-9-]+$`).MatchString(k.Flag) {
			t.Errorf("%s, --%s: expected table.key in small letters", k.Name, k.Flag)
		}
		if !server.isTable(k.Table()) {
			t.Errorf("%s stands in a table that is not listed", k.Name)
		}
		if given[i].Key != k || given[i].Type() == "" {
			t.Errorf("%s has no flag", k.Name)
		}
		if k.English == "" || !regexp.MustCompile(`[а-я]`).MatchString(k.Russian) {
			t.Errorf("%s is not explained in both languages", k.Name)
		}
		for _, russian := range []bool{false, true} {
			line := regexp.MustCompile(`(?m)^#` + regexp.QuoteMeta(k.LastName()) + ` = .+$`)
			if !line.MatchString(Sample(russian)) || !strings.Contains(documentation(russian),
				"| `"+k.LastName()+"` | `--"+k.Flag+"` |") {
				t.Errorf("%s is missing in the sample or in the page", k.Name)
			}
		}
		s := Defaults()
		if err := k.Set(&s, k.Get(&s)); err != nil {
			t.Errorf("the default of %s is wrong: %v", k.Name, err)
		}
		if k.Kind() == Int || k.Kind() == Number || k.Kind() == Duration {
			if k.Min == "" || k.Max == "" {
				t.Errorf("%s has no range", k.Name)
			}
			for _, bound := range []string{k.Min, k.Max} {
				if err := k.Set(&s, bound); err != nil {
					t.Errorf("%s does not take its own bound: %v", k.Name, err)
				}
			}
		}
	}
}

func TestDocumentationIsUpToDate(t *testing.T) {
	for path, want := range map[string]string{
		"configuration.md": documentation(false), "configuration.ru.md": documentation(true),
		"balance.md": balanceDocumentation(false), "balance.ru.md": balanceDocumentation(true),
	} {
		path = filepath.Join("../../docs", path)
		if *updateDocs {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(path)
		if err != nil || string(text) != want {
			t.Errorf("%s is not what the keys say (%v): go test ./server/config -run Documentation -update-docs", path, err)
		}
	}
}

// The sample sets nothing; with its keys uncommented it sets every key to its default, at that line.
func TestSampleSetsTheDefaults(t *testing.T) {
	for _, russian := range []bool{false, true} {
		path := write(t, Sample(russian))
		c, err := Load(Sources{Defaults: Defaults(), File: path})
		if err != nil || len(c.sources) != 0 {
			t.Fatalf("sample: %v, sets %v", err, c.sources)
		}
		uncommented := regexp.MustCompile(`(?m)^#([a-z])`).ReplaceAllString(Sample(russian), "$1")
		path = write(t, uncommented)
		if c, err = Load(Sources{Defaults: Settings{}, File: path}); err != nil {
			t.Fatal(err)
		}
		defaults, lines := Defaults(), strings.Split(uncommented, "\n")
		for _, k := range Keys() {
			if got, want := k.Get(&c.Settings), k.Get(&defaults); got != want {
				t.Errorf("%s: expected %q, found %q", k.Name, want, got)
			}
			o := c.Origin(k)
			if o.From != "file" || !strings.HasPrefix(lines[o.Line-1], k.LastName()+" = ") {
				t.Errorf("%s comes from %v", k.Name, o)
			}
		}
	}
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), FileName)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMistakesAreFoundWithTheirPlaces(t *testing.T) {
	for _, v := range []struct{ text, want string }{
		{"[limits]\nmax-per-adress = 5", `:2:1: limits.max-per-adress: unknown key, did you mean limits.max-per-address?`},
		{"[limitz]\nmax-speed = 5", `:1:2: limitz: unknown table, did you mean limits?`},
		{"max-speed = 5", `:1:1: max-speed: unknown key, did you mean limits.max-speed?`},
		{"[server]\nlog-level = \"info\"", `:2:1: server.log-level: unknown key, did you mean log.level?`},
		{"[limits]\n\nmax-per-address = 0",
			`:3:19: limits.max-per-address: expected a whole number from 1 to 45201, found 0`},
		{"[limits]\nmax-per-address = \"8\"",
			`:2:19: limits.max-per-address: expected a whole number without quotes, found the text "8"`},
		{"[limits]\nmax-speed = true", `:2:13: limits.max-speed: expected a number, found true`},
		{"[timeouts]\nlogin = 10",
			`:2:9: timeouts.login: expected a time in quotes with its unit, like "10s" or "1h30m", found the number 10`},
		{"[timeouts]\nlogin = \"ten\"",
			`:2:9: timeouts.login: expected a time with its unit, like "10s" or "1h30m", from 10ms to 24h, found "ten"`},
		{"[log]\nlevel = \"inof\"",
			`:2:9: log.level: expected debug, info, warn or error, found "inof", did you mean "info"?`},
		{"[server]\nlisten = \"25860\"", `:2:10: server.listen: expected HOST:PORT, found "25860"`},
		{"[server]\nlisten = \":99999\"", `:2:10: server.listen: expected a port from 0 to 65535, found "99999"`},
		{"[server]\nstart = \"Atlantis\"", `expected the name of a place`},
		{"[server]\nstart = \"1 2 x\"", `expected the name of a place`},
		{"[server]\nname = \"a\\nb\"", `expected no control characters`},
		{"[server]\nname = [\"a\"]", `expected a text in quotes, found a list`},
		{"[server.name]\nx = 1", `:1:2: server.name: unknown table`},
		{"server.name.x = 1", `:1:1: server.name.x: unknown key`},
		{"[[server]]\nname = \"x\"", `:1:3: server: expected a table in single brackets`},
		{"server = { nane = \"x\" }", `:1:12: server.nane: unknown key, did you mean server.name?`},
		{"[server]\nname = \"x\"\nname = \"y\"", `:3:1: `},
		{"[server\n", `:1:8: `},
		{"[server]\nname = 2026-01-01", `expected a text in quotes, found a date`},
		{"[limits]\nmax-speed = nan", `expected a number from`},
		{"[backups]\nkeep = 1.5", `expected a whole number, found the number 1.5`},
	} {
		path := write(t, v.text)
		_, err := Load(Sources{Defaults: Defaults(), File: path})
		if err == nil || !strings.Contains(err.Error(), path+":") || !strings.Contains(err.Error(), v.want) {
			t.Errorf("%q:\nexpected %s\nfound    %v", v.text, v.want, err)
		}
	}
}

func TestAllMistakesOfAFileAreFound(t *testing.T) {
	path := write(t, "x = 1\n[limits]\nmax-speed = \"fast\"\nlogin-queue = 0\n[nonsense]\na = 1\n[server]\nname = 5\n")
	_, err := server.read(path)
	if problems, ok := err.(Problems); !ok || len(problems) != 5 {
		t.Errorf("expected 5 problems, found %v", err)
	}
}

func TestFlagBeatsEnvironmentBeatsFileBeatsDefault(t *testing.T) {
	path := write(t, "\uFEFF[server]\r\nname = \"из файла\"\r\n")
	k, _ := KeyNamed("server.name")
	env := map[string]string{}
	s := Sources{Defaults: Defaults(), Flags: map[string]string{},
		Env: func(n string) (string, bool) { v, ok := env[n]; return v, ok }}
	expect := func(value, origin string) {
		t.Helper()
		c, err := Load(s)
		if err != nil || c.Settings.Name != value || c.Origin(k).String() != origin {
			t.Errorf("expected %s from %s, found %v, %v", value, origin, c, err)
		}
	}
	expect("Sphere", "default")
	s.File = path
	expect("из файла", "file "+path+":2")
	env["SPHERE_NAME"] = "из среды"
	expect("из среды", "environment SPHERE_NAME")
	s.Flags["name"] = "flag"
	expect("flag", "flag --name")
	s.File = filepath.Join(t.TempDir(), "absent")
	if _, err := Load(s); err == nil || !strings.Contains(err.Error(), "absent") {
		t.Errorf("a file that was asked for and is not there: %v", err)
	}
	s.Optional = true
	expect("flag", "flag --name")
	env["SPHERE_MAX_SPEED"] = "fast"
	want := `environment variable SPHERE_MAX_SPEED: expected a number from -1000000 to 1000000, found "fast"`
	if _, err := Load(s); err == nil || err.Error() != want {
		t.Errorf("wrong variable: %v", err)
	}
}

// Newcomers begin where an operator says; in a dungeon, too, if that is said beside it.
func TestAStartIsNoDungeon(t *testing.T) {
	k, _ := KeyNamed("world.newcomers-dungeon")
	const asked = "SPHERE_NEWCOMERS_DUNGEON"
	for _, c := range []struct {
		flags  map[string]string
		env    map[string]string
		value  bool
		origin string
	}{
		{nil, nil, true, "default"},
		{map[string]string{"start": "shipstone"}, nil, false, "flag --start"},
		{map[string]string{"start": "shipstone", "newcomers-dungeon": "true"}, nil, true, "flag --newcomers-dungeon"},
		{map[string]string{"newcomers-dungeon": "false"}, nil, false, "flag --newcomers-dungeon"},
		{nil, map[string]string{"SPHERE_START": "torweal"}, false, "environment SPHERE_START"},
		{map[string]string{"start": "shipstone"}, map[string]string{asked: "true"}, true, "environment " + asked},
	} {
		env := func(name string) (string, bool) { text, ok := c.env[name]; return text, ok }
		got, err := Load(Sources{Defaults: Defaults(), Flags: c.flags, Env: env})
		if err != nil || got.Settings.Game.NewcomersDungeon != c.value || got.Origin(k).String() != c.origin {
			t.Errorf("%v: %v from %v, %v", c.flags, got.Settings.Game.NewcomersDungeon, got.Origin(k), err)
		}
	}
}

// What a flag would take is taken from a file too, and is told back as it was.
func TestTextsSurviveTheFile(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOf(rapid.Rune()).Draw(r, "text")
		var back struct{ X string }
		if err := toml.Unmarshal([]byte("X = "+quote(text)), &back); err != nil || back.X != text {
			r.Fatalf("%q comes back as %q: %v", text, back.X, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(Sample(false))
	f.Add("[limits]\nmax-speed = 1e3\nserver = {name = \"x\", listen = ':1'}\n[[a.b]]\n'c d'.\"e\" = [1, {f = 2}]")
	f.Add("a = 1979-05-27T07:32:00Z\n[server]\nname = \"\"\"\nx\"\"\"")
	f.Fuzz(func(t *testing.T, text string) {
		settings, problems := server.parse([]byte(text))
		for _, s := range settings {
			if err := s.key.Set(new(Settings), s.text); err != nil && len(problems) == 0 {
				t.Errorf("%s = %q was taken: %v", s.key.Name, s.text, err)
			}
		}
	})
}

// What the server finds out by itself, such as the ground and the continents, the defaults leave to it: it looks only for what
// is not there.
func TestDefaultsLeaveToTheServerWhatItFindsOut(t *testing.T) {
	for _, o := range []any{Defaults().Game, Defaults().Game.World} {
		v := reflect.ValueOf(o)
		for i := range v.NumField() {
			switch f := v.Field(i); f.Kind() {
			case reflect.Func, reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map:
				if !f.IsNil() {
					t.Errorf("%T has a %s", o, v.Type().Field(i).Name)
				}
			}
		}
	}
}
