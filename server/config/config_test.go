package config

import (
	"errors"
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

	"sphereserver/server/game"
	"sphereserver/server/session"
	"sphereserver/world"
)

var updateDocs = flag.Bool("update-docs", false, "write docs/configuration.md and docs/configuration.ru.md")

// Tests of package game cannot import this one, and begin with its own defaults: those are what ships but for the
// world's numbers, which New fills in, and for two that a test asks for if it wants them.
func TestTheGameHasTheDefaultsThatShip(t *testing.T) {
	want := game.DefaultOptions()
	want.World, want.Monsters, want.NewcomersDungeon = world.DefaultOptions(), true, true
	if got := Defaults().Game; !reflect.DeepEqual(got, want) {
		t.Errorf("shipped are %+v, package game has %+v", got, want)
	}
}

// Refusals in the log and to our own clients name existing keys.
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
		{"[server]\nname = Сфера\n", `did you mean "Сфера"?`},
		{"[limits]\nmax-per-address = 8.0\n", `found the number 8.0, did you mean 8?`},
		{"[server]\nadmit = \"a,b\"\n", `expected a list like ["a", "b"], found the text "a,b"`},
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

// TestMistakesOfBeginnersAreToldInBothLanguages has texts of people that have not seen TOML before, and the
// corrections that they are told.
func TestMistakesOfBeginnersAreToldInBothLanguages(t *testing.T) {
	for _, v := range []struct{ text, english, russian string }{
		{"[experience]\nfactor = 3,0 # three\n", `:2:11: experience.factor: a fraction is written with a point: 3.0, found "3,0"`,
			`дробная часть отделяется точкой: 3.0, а не "3,0"`},
		{"[rates]\nexperience = [\"2,5 every weekend\"]\n", `a point: 2.5, found "2,5 every weekend"`,
			`точкой: 2.5, а не "2,5 every weekend"`},
		{"[walk]\nstep = 2\n", "walk: unknown table; there are strength, rates,", "такого раздела нет; есть strength, rates,"},
		{"[experience]\nfactor = \"3,5\"\n", `a point: 3.5, found "3,5"`, `точкой: 3.5, а не "3,5"`},
		{"[experience]\nfactor = .5\n", `did you mean 0.5?`, `может быть, 0.5?`},
		{"[rates]\nexperience = \"0\"\n", `found "0"`, `а не "0"`},
		{"[rates]\nxp = [\"2\"]\n", `there are rates.experience, rates.drops`, `есть rates.experience, rates.drops`},
		{"[experience]\nfactor = 05\n", `did you mean 5?`, `может быть, 5?`},
		{"[experience]\nfactor = 3%\n", `did you mean 0.03?`, `может быть, 0.03?`},
		{"[experience]\nfactor = 10 000\n", `did you mean 10000?`, `может быть, 10000?`},
		{"[experience]\nfactor = \n", `expected a value after the sign =`, `после знака = нужно значение`},
		{"[experience]\nfactor = many\n", `expected a number from 0 to 1000000, found "many"`,
			`нужно число от 0 до 1000000, а не "many"`},
		{"[blows]\nsplash-self = да\n", `expected true or false, found "да", did you mean true?`,
			`нужно true или false, а не "да"; может быть, true?`},
		{"[spawns]\nrespawn = \"30с\"\n", `did you mean "30s"?`,
			`нужно время с единицей, например 10s или 1h30m, от 1s до 24h, а не "30с"; может быть, "30s"?`},
		{"[spawns]\nrespawn = «5 минут»\n", `did you mean "5m"?`,
			`например "10s" или "1h30m", от 1s до 24h, а не "«5 минут»"; может быть, "5m"?`},
		{"[spawns]\nrespawn = 1 сут\n", `did you mean "24h"?`, `может быть, "24h"?`},
		{"[spawns]\nrespawn = 30\n", `found the number 30, did you mean "30s"?`, `а не число 30; может быть, "30s"?`},
		{"[опыт]\n", `tables have names in Latin letters, found "опыт"; there are strength,`,
			`разделы называются латинскими буквами, а не "опыт"; есть strength,`},
		{"[spаwns]\n", `did you mean spawns?`, `может быть, spawns?`},
		{"[experience]\nмножитель = 3\n", `keys have names in Latin letters`, `ключи называются латинскими буквами`},
		{"[experience]\nfactor 3\n", `expected KEY = VALUE or [TABLE], found "factor 3"`, `нужно КЛЮЧ = ЗНАЧЕНИЕ`},
		{"= 3\n", `keys have names in Latin letters, found ""`, `а не ""`},
		{"[experience\nfactor = 3\n", `expected [experience]`, `нужно [experience]`},
		{"[experience] factor = 3\n", `expected [experience] in a line of its own`, `[experience] должно стоять в отдельной`},
		{"[experience]\nfactor = 3\n\nfactor = 4\n", `:4:1: experience.factor: it stands in line 2 already`,
			`это уже есть в строке 2`},
		{"[loot]\n[death]\n[loot]\n", `it stands in line 1 already`, `это уже есть в строке 1`},
		{"[experience]\nkill = [1, 2\n", `a list has no closing bracket`, `в списке нет закрывающей скобки`},
		{"[experience]\ntypes = [\"1000 abc\"]\n", `expected types and a factor`, `нужны типы и множитель`},
		{"[death]\nhp = \"C:\\windows\"\n", `a path stands in single quotes: 'C:\windows'`, `путь пишут в одинарных: 'C:\windows'`},
		{"[experience]\nkill = 5\n", `expected a list of whole numbers, found the number 5`, `нужен список целых чисел, а не число 5`},
		{"\xFF\xFE[\x00", `UTF-16`, `UTF-16`},
		{"# \xEE\xEF\xFB\xF2\n", `not in UTF-8`, `не в кодировке UTF-8`},
	} {
		_, err := Load(Sources{Defaults: Defaults(), Balance: write(t, v.text)})
		var problems Problems
		if !errors.As(err, &problems) {
			t.Errorf("%q: %v", v.text, err)
			continue
		}
		for russian, want := range map[bool]string{false: v.english, true: v.russian} {
			if got := problems.In(russian); !strings.Contains(got, want) {
				t.Errorf("%q:\nexpected %s\nfound    %s", v.text, want, got)
			}
		}
	}
}

func TestValuesThatContradictEachOtherAreRefused(t *testing.T) {
	for _, v := range []struct{ text, english, russian string }{
		{"[monsters]\nwander-min = \"60s\"\nwander-max = \"10s\"\n",
			`:3:1: monsters.wander-max: monsters.wander-min ("1m") is above monsters.wander-max ("10s")`,
			`monsters.wander-min ("1m") больше, чем monsters.wander-max ("10s")`},
		{"[loot]\nstack-max = 1\nstack-min = 2\n", `:3:1: loot.stack-min: loot.stack-min (2) is above loot.stack-max (1)`, ``},
		{"[loot]\nthings-1 = 0\nthings-2 = 0\nthings-3 = 0\nthings-4 = 0\n",
			`:5:1: loot.things-4: all of loot.things-… are 0, so there is nothing to draw from; for nothing at all set loot.bag = 0`,
			`все loot.things-… равны 0, выбирать не из чего; если не нужно ничего, задайте loot.bag = 0`},
		{"[experience]\nkill = []\n", `experience.kill: expected at least one value`, `нужно хотя бы одно значение`},
	} {
		_, err := Load(Sources{Defaults: Defaults(), Balance: write(t, v.text)})
		var problems Problems
		if !errors.As(err, &problems) || len(problems) != 1 || !strings.Contains(problems.In(false), v.english) ||
			!strings.Contains(problems.In(true), v.russian) {
			t.Errorf("%q:\nexpected %s\nfound    %v", v.text, v.english, err)
		}
	}
	for text, want := range map[string]string{
		"[server]\nlisten = \":8860\"\n[admin]\nlisten = \":8860\"\n":               "server.listen and admin.listen are one address, :8860",
		"[admin]\nlisten = \"\"\n[public]\nlisten = \"\"\n":                         "",
		"[server]\nlisten = \":8860\"\n":                                            "server.listen and admin.listen are one address, 127.0.0.1:8860",
		"[server]\nlisten = \"127.0.0.2:8860\"\n":                                   "",
		"[admin]\nlisten = \":0\"\n[public]\nlisten = \":0\"\n":                     "",
		"[admin]\ncert = \"c.pem\"\n":                                               "2:1: admin.cert: admin.cert is set without admin.key: TLS needs both",
		"[public]\ncert = \"\"\nkey = \"k.pem\"\n":                                  "public.key is set without public.cert: TLS needs both",
		"[public]\ncert = \"c.pem\"\nkey = \"k.pem\"\n":                             "",
		"[browsers]\nase-port = 25860\n":                                            "port 25860 answers Minecraft Query already",
		"[browsers]\nase-port = 25860\nno-minecraft = true\n":                       "",
		"[browsers]\nase-port = 25860\nminecraft-port = 5\n":                        "",
		"[server]\nlisten = \":9\"\n[browsers]\nase-port = 7\nminecraft-port = 7\n": "port 7 answers",
	} {
		_, err := Load(Sources{Defaults: Defaults(), File: write(t, text)})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: expected %q, found %v", text, want, err)
		}
	}
	defaults := Defaults()
	if found := slices.Concat(server.contradictions(&defaults, nil), balance.contradictions(&defaults, nil)); len(found) > 0 {
		t.Errorf("what ships contradicts itself: %v", found)
	}
	for _, name := range slices.Concat(filled, slices.Concat(sliced(ascending)...)) {
		if _, ok := balance.key(name); !ok {
			t.Errorf("%s is no key", name)
		}
	}
}

// Flags and variables are compared as those of a file are, with each other and with it.
func TestFlagsThatContradictOtherSettingsAreRefused(t *testing.T) {
	for _, v := range []struct {
		file, env     string // SPHERE_LISTEN
		flags         map[string]string
		want, russian string
	}{
		{flags: map[string]string{"listen": "127.0.0.1:5", "admin-listen": "127.0.0.1:5"},
			want:    "--admin-listen: server.listen and admin.listen are one address, 127.0.0.1:5",
			russian: "server.listen и admin.listen — один и тот же адрес, 127.0.0.1:5"},
		{flags: map[string]string{"listen": "127.0.0.1:5", "admin-listen": ":5"}, want: "--admin-listen: server.listen and admin.listen"},
		{flags: map[string]string{"listen": "127.0.0.1:5", "admin-listen": "127.0.0.2:5"}},
		{flags: map[string]string{"listen": "127.0.0.1:0", "admin-listen": "127.0.0.1:0"}},
		{file: "[public]\nlisten = \"localhost:5\"\n", env: "LocalHost:5",
			want: "environment variable SPHERE_LISTEN: server.listen and public.listen are one address"},
		{file: "[admin]\nkey = \"k.pem\"\ncert = \"c.pem\"\n", flags: map[string]string{"admin-key": ""},
			want: "--admin-key: admin.cert is set without admin.key", russian: "admin.cert задан без admin.key, а для TLS нужны оба"},
		{flags: map[string]string{"listen": ":5", "ase-port": "5"}, want: "--ase-port: port 5 answers Minecraft Query already"},
		{flags: map[string]string{"listen": ":5", "ase-port": "5", "no-minecraft": "true"}},
		{file: "[browsers]\nase-port = 25860\nno-minecraft = true\n", flags: map[string]string{"no-minecraft": "false"},
			want: "--no-minecraft: port 25860 answers"},
	} {
		from := Sources{Defaults: Defaults(), Flags: v.flags, Env: func(name string) (string, bool) {
			return v.env, v.env != "" && name == "SPHERE_LISTEN"
		}}
		if v.file != "" {
			from.File = write(t, v.file)
		}
		_, err := Load(from)
		var source *SourceError
		if v.want == "" && err == nil {
			continue
		}
		if !errors.As(err, &source) || v.want == "" || !strings.HasPrefix(err.Error(), v.want) {
			t.Errorf("%v: expected %q, found %v", v.flags, v.want, err)
		} else if got := source.Err.(interface{ In(bool) string }).In(true); !strings.Contains(got, v.russian) {
			t.Errorf("expected %q, found %q", v.russian, got)
		}
	}
}

func sliced(pairs [][2]string) (out [][]string) {
	for _, p := range pairs {
		out = append(out, p[:])
	}
	return out
}

func TestFilesThatNothingReadsAreFound(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"sphere.toml.txt", "balance.toml", "balance.toml.txt", "webhooks.toml.TXT", "Missions.tsv", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"sphere.toml.txt", "webhooks.toml.TXT", "Missions.tsv"}
	if _, err := os.Stat(filepath.Join(dir, "missions.tsv")); err == nil {
		want = want[:2] // the file system does not tell large letters from small ones
	}
	found := Misnamed(dir, "missions.tsv")
	if len(found) != len(want) {
		t.Fatalf("found %v", found)
	}
	for i, p := range found {
		if filepath.Base(p.File) != want[i] {
			t.Errorf("found %v, expected %s", p, want[i])
		}
	}
	if text := found[0].In(true); !strings.HasSuffix(text, "файл с таким именем никто не читает; может быть, sphere.toml?") {
		t.Error(text)
	}
}

func TestAllMistakesOfAFileAreFound(t *testing.T) {
	path := write(t, "x = 1\n[limits]\nmax-speed = \"fast\"\nlogin-queue = 0\n[nonsense]\na = 1\n[server]\nname = 5\n")
	_, err := readFile(path, server.parse)
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

// A value that a flag would take is taken from a file, too, and is told back as it was.
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

// The defaults leave some values to the server, such as the ground and the continents: it looks only for missing
// ones.
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
