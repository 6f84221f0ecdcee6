package script

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const twoPlayers = `сова = player("Сова", "сова/пароль")
филин = player("Филин", "филин/пароль")
`

// Every mistake that shows before a scenario is played is told with its line, the expected words, and the nearest
// right word.
func TestMistakesInScenariosAreExplained(t *testing.T) {
	for _, v := range []struct{ text, want string }{
		// Files.
		{"", "s.star:1: expected a call, found none"},
		{"# nothing\n\n", "s.star:2: expected a call, found none"},
		{"wait(1)\n\xFF\xFE", "s.star:2: expected UTF-8"},
		{strings.Repeat("#\n", MaxBytes), "s.star:1: expected at most 131072 bytes, found 262144"},
		{"load(\"other.star\", \"x\")", "s.star:1: load: a scenario is one file"},
		// The language.
		{"wait(1", "s.star:1: got end of file"},
		{"wait(1)\n  wait(2)", "s.star:2: got indent"},
		{"for i in range(3):\nwait(1)", "s.star:2: got identifier, want indent"},
		{"jump()", "s.star:1: undefined: jump"},
		{"wiat(1)", `s.star:1: undefined: wiat; did you mean "wait"?`},
		{"сова.leave()", "s.star:1: undefined: сова"},
		{twoPlayers + "сава.leave()", "s.star:3: undefined: сава (did you mean сова?)"},
		{"def f():\n  g()", "s.star:2: undefined: g"},
		{"open(\"/etc/passwd\")", "undefined: open"},
		{strings.Repeat("(", MaxBytes), "s.star:1: "},
		{strings.Repeat("-", MaxBytes) + "1", "s.star:1: "},
		// Verbs.
		{twoPlayers + "сова.walk(\"shipstone\")", `s.star:3: expected a verb, found walk; did you mean "walk_to"?`},
		{twoPlayers + "сова.see(филин)", `did you mean "sees"?`},
		{twoPlayers + "\n\nif True:\n    сова.jmp()", `s.star:6: expected a verb, found jmp`},
		{"x = " + strings.Repeat("ж", 100) + ".a()", "s.star:1: undefined: "},
		{"x = 1\nx." + strings.Repeat("ж", 100) + "()", "found " + strings.Repeat("ж", 60) + "…"},
		// Arguments: how many, and their names.
		{twoPlayers + "сова.leave(1)", "s.star:3: leave: got 1 arguments, want at most 0"},
		{twoPlayers + "сова.sees()", "s.star:3: sees: missing argument for other"},
		{twoPlayers + "сова.sees(филин, whithin=1)",
			`sees: expected sees(other, at=None, within=0.1, clan=None, **values), found whithin; did you mean "within"?`},
		{twoPlayers + "сова.is_at(\"shipstone\", whithin=1)",
			`is_at: expected is_at(at, within=1), found whithin; did you mean "within"?`},
		{twoPlayers + "сова.move(26)", "move: missing argument for to_slot"},
		{twoPlayers + "сова.has()", "has: expected values, like title=1"},
		{twoPlayers + "сова.attack(\"Волчёнок\")", `found "Волчёнок"; did you mean "волчонок"?`},
		{twoPlayers + "сова.has(mony=5)", `has: expected has(**values), found mony; did you mean "money"?`},
		{twoPlayers + "сова.has(5)", "has: got 1 arguments, want at most 0"},
		{"player(\"Сова\")", "s.star:1: player: missing argument for login"},
		{"player(\"Сова\", name=\"Филин\", login=\"a/b\")",
			"player: got multiple values for keyword argument \"name\""},
		{"wait()", "wait: missing argument for time"},
		// Kinds of arguments.
		{"player(5, \"a/b\")", "player: for parameter name: expected a text of at most 4096 bytes, found 5"},
		{"player(\"Сова\", \"пароль\")",
			`player: for parameter login: expected "LOGIN/PASSWORD", found "пароль"`},
		{"player(\"Сова\", \"сова/\")", `expected "LOGIN/PASSWORD"`},
		{"player(\"Сова\", \"a/b\", at=\"shipston\")", `expected a place, found "shipston"; did you mean "shipstone"?`},
		{twoPlayers + "сова.walk_to(5)",
			"walk_to: for parameter at: expected the key or name of a place, a player, or (X, Y, Z), found 5"},
		{twoPlayers + "сова.sees(\"Филин\")", `sees: for parameter other: expected a player, found "Филин"`},
		{twoPlayers + "сова.in_group(филин, 5)", "in_group: expected a player, found 5"},
		{twoPlayers + "сова.say(\"Привет\", on=\"norml\")",
			`expected a channel, found "norml"; did you mean "normal"?`},
		{twoPlayers + "сова.say(\"Привет\", on=5)", "expected a channel (near, whisper, normal"},
		{twoPlayers + "сова.say(\"" + strings.Repeat("a", 5000) + "\")", "expected a text of at most 4096 bytes"},
		{twoPlayers + "сова.has(title=\"high\")", `has: title: expected a whole number, found "high"`},
		{twoPlayers + "сова.value(\"luck\")", "value: for parameter stat: expected a value (hp, max_hp"},
		{twoPlayers + "сова.use_portal(\"newcomer-teleport\")", `did you mean "newcomers-teleport"?`},
		{twoPlayers + "сова.sees_npc(\"nobody-at-all\")", `expected the key of an NPC, found "nobody-at-all"`},
		{twoPlayers + "сова.pick_up(\"bred\")",
			`expected the name of an item, found "bred"; did you mean "b`},
		{twoPlayers + "сова.drop(60)", "drop: for parameter slot: expected the number of a slot, 0 to 59, found 60"},
		{twoPlayers + "сова.drop(1.5)", "expected the number of a slot"},
		{twoPlayers + "сова.carries(\"bread\", count=\"many\")", `expected how many, 0 or more, found "many"`},
		{twoPlayers + "сова.spend(\"fire\", 2000000)", "expected a number of points, found 2000000"},
		{twoPlayers + "сова.found_clan(5)", "expected the name of a clan, found 5"},
		{twoPlayers + "сова.set_speed(\"fast\")",
			`set_speed: for parameter metres: expected a number of metres, found "fast"`},
		{twoPlayers + "сова.turn(\"left\")", `expected a number, found "left"`},
		{twoPlayers + "сова.turn(1e9)", "expected a number, found 1e+09"},
		{"wait(\"2h\")", `wait: for parameter time: expected a time of at most 1h, found "2h"`},
		{"wait(7200)", "expected a time of at most 1h, found 7200"},
		{"wait(0)", `expected a time, like 2 (seconds) or "500ms", found 0`},
		{"wait(\"soon\")", `expected a time, like 2 (seconds) or "500ms", found "soon"`},
		{twoPlayers + "сова.does_not_see(филин, during=\"ever\")", "expected a time"},
		{"scene(\"left\")", `scene: for parameter dx: expected a number, found "left"`},
	} {
		_, err := Parse("s.star", v.text)
		var mistake *Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), v.want) {
			if len(v.text) > 150 {
				v.text = v.text[:150]
			}
			t.Errorf("%q: %v, expected it to say %q", v.text, err, v.want)
		}
	}
}

// All mistakes of a file are named at once, by their lines.
func TestAllMistakesAreNamed(t *testing.T) {
	_, err := Parse("s.star", twoPlayers+"сова.jmp()\nсава.leave()\nсова.move(26)\nwait(0)\n")
	if err == nil {
		t.Fatal("no mistake")
	}
	found := strings.Split(err.Error(), "\n")
	for i, want := range []string{"s.star:3: expected a verb, found jmp", "s.star:4: undefined: сава",
		"s.star:5: move: missing argument for to_slot", "s.star:6: wait: for parameter time"} {
		if i >= len(found) || !strings.HasPrefix(found[i], want) {
			t.Errorf("expected %q in line %d of\n%v", want, i, err)
		}
	}
	if _, err = Parse("s.star", strings.Repeat("jump()\n", 100)); strings.Count(err.Error(), "\n") != mostErrors-1 {
		t.Errorf("expected %d mistakes to be named, found\n%v", mostErrors, err)
	}
}

// A mistake that only shows in play is none before.
func TestWhatMayBeRightIsPlayed(t *testing.T) {
	for _, text := range []string{
		twoPlayers + "сова.walk_to(филин)\nсова.walk_to(scene(1, dz=-2))\nсова.walk_to((1, 2.5, -3))\nсова.is_at(\"Шипстоун\", 0.5)",
		twoPlayers + "сова.say(\"a\" + \"b\", on=[\"normal\"][0])\nsова = сова\nsова.leave()",
		twoPlayers + "сова.in_group()\nсова.in_group(*[филин])\nсова.has(**{\"title\": 1})\nсова.sees(филин, title=1, clan=None)",
		"def both(one, other):\n  one.sees(other)\n  other.sees(one)\n" + twoPlayers +
			"both(сова, филин)\nfor p in [сова, филин]:\n  p.leave()",
		twoPlayers + "n = \"a,b\".split(\",\")\nn.append(\"c\")\nprint(len(n), {}.get(1), сова.name)\nwhile n:\n  n.pop()",
		"wait(\"1.5s\")\nwait(0.25)\npatience(3)",
		twoPlayers + "сова.carries(\"Малая Сумка\")\nсова.carries(\"small bag\")\nсова.carries(\"bread\", 27, count=0)",
	} {
		if _, err := Parse("s.star", text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Every parameter of every verb is read by something, and every verb does something.
func TestEveryParameterHasAReader(t *testing.T) {
	for _, v := range table() {
		if (v.signature == "") != (v.do == nil) {
			t.Errorf("%s: nothing does it", v.signature)
		}
		for _, p := range v.params {
			if readers[p.name] == nil && p.many != "**" {
				t.Errorf("%s: nothing reads %s", v.signature, p.name)
			}
		}
	}
}

func TestWildcards(t *testing.T) {
	for _, v := range []struct {
		text, pattern string
		want          bool
	}{
		{"привет", "привет", true}, {"привет", "*", true}, {"", "*", true}, {"", "",
			true}, {"привет", "", false}, {"привет", "при*", true},
		{"привет", "*вет", true}, {"привет", "п*и*т", true}, {"привет", "*ри*",
			true}, {"привет", "*риз*", false}, {"аб", "аб*аб", false},
		{"абаб", "аб*аб", true}, {"а.б", "а?б", false}, {"привет", "**", true}, {"аа", "а*а*а", false},
	} {
		if got := like(v.text, v.pattern); got != v.want {
			t.Errorf("%q like %q: %t", v.text, v.pattern, got)
		}
	}
}

// The documents list every verb, as it is, and name every channel and value.
func TestEveryVerbIsDocumented(t *testing.T) {
	for _, name := range []string{"scripts.md", "scripts.ru.md"} {
		text, err := os.ReadFile(filepath.Join("../../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		var listed, want []string
		told := map[string]string{}
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, "|"); len(cells) == 4 && strings.Contains(cells[1], "(") {
				listed = append(listed, strings.Trim(cells[1], " `"))
				told[listed[len(listed)-1]] = strings.TrimSpace(cells[2])
			}
		}
		for _, v := range Verbs() {
			if v.Signature != "" {
				want = append(want, v.Signature)
				if help := v.Help.In(strings.Contains(name, ".ru.")); told[v.Signature] != help {
					t.Errorf("%s: %s is %q, expected %q", name, v.Signature, told[v.Signature], help)
				}
			}
		}
		if !slices.Equal(listed, want) {
			for i := range max(len(want), len(listed)) {
				if i >= len(want) || i >= len(listed) || want[i] != listed[i] {
					t.Errorf("%s: row %d of its tables: found %q, expected %q", name, i, at(listed, i), at(want, i))
					break
				}
			}
		}
		for _, ch := range channels {
			if !strings.Contains(string(text), "`"+ch.name+"`") {
				t.Errorf("%s does not name the channel %s", name, ch.name)
			}
		}
		for _, st := range stats {
			if !strings.Contains(string(text), "`"+st.name+"`") {
				t.Errorf("%s does not name the value %s", name, st.name)
			}
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("../../../testdata/scripts/*.star")
	if err != nil || len(files) < 3 {
		f.Fatalf("%d scenarios, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(twoPlayers + "сова.walk_to(scene(1))\nсова.say(\"a\\\"\")\nсова.does_not_see(филин, during=2)\nсова.has(**{})")
	f.Fuzz(func(t *testing.T, text string) {
		_, err := Parse("fuzz.star", text)
		var mistake *Error
		if err != nil && (!errors.As(err, &mistake) || mistake.Line < 1) {
			t.Errorf("%v", err)
		}
	})
}

// Mistakes are found wherever they stand; a method of another value that looks like a verb is none.
func TestMistakesAreFoundEverywhere(t *testing.T) {
	for text, want := range map[string]string{
		"def f(p):\n    for x in range(3):\n        if x:\n            p.walk(1)": "s.star:4: expected a verb, found walk",
		"f = lambda p: p.walk(1)":                                                             "s.star:1: expected a verb, found walk",
		twoPlayers + "[p.jump() for p in [сова]]":                                             "s.star:3: expected a verb, found jump",
		twoPlayers + "сова.sees(\n    филин,\n    at=\"shipston\",\n)":                        "s.star:3: sees: for parameter",
		twoPlayers + "{\"a\": сова.drop(99)}":                                                 "s.star:3: drop: for parameter slot",
		twoPlayers + "x = сова.value(\"hp\") if сова.value(\"mana\") else 0":                  `expected a value (hp`,
		twoPlayers + "def f():\n    load(\"a.star\", \"b\")":                                  "s.star:4: load statement within a function",
		twoPlayers + "print(сова.carried(\"bread\") + wait(\"x\"))":                           "wait: for parameter time",
		"x = \"a,b\".split(\",\")[0].title().format(1).removeprefix(\"a\")":                   "",
		"x = [1].append(2) or {}.setdefault(1, 2) or set([1]).union([2])":                     "",
		twoPlayers + "leave = сова.leave\nleave()":                                            "",
		twoPlayers + "f = {\"go\": сова.walk_to}\nf[\"go\"](\"anything goes\")":               "",
		"def wait_long(n):\n    \"\"\"Waits, n times.\"\"\"\n    [wait(1) for _ in range(n)]": "",
	} {
		_, err := Parse("s.star", text)
		switch {
		case want == "" && err != nil:
			t.Errorf("%s: %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: %v, expected %q", text, err, want)
		}
	}
}
