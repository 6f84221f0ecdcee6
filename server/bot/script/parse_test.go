package script

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const twoPlayers = "player Сова as сова/пароль\nplayer Филин as филин/пароль\n"

func TestMistakesInScriptsAreExplained(t *testing.T) {
	for _, v := range []struct{ text, want string }{
		{"", "s.txt:1: expected a line that says something"},
		{"# nothing\n\n", "s.txt:2: expected a line that says something"},
		{"jump", "s.txt:1: expected player or scene or wait or patience or the name of a player, found jump"},
		{"payer Сова as a/b", "did you mean player?"},
		{twoPlayers + "Сова walk to +1 0 0", "s.txt:3: expected walks or"},
		{twoPlayers + "Сова walk to +1 0 0", "found walk; did you mean walks?"},
		{twoPlayers + "Сава walks to +1 0 0", "found Сава; did you mean Сова?"},
		{twoPlayers + "Сова", "found the end of the line"},
		{twoPlayers + "Сова says Привет", "expected a text in quotes, found Привет"},
		{twoPlayers + `Сова says "Привет`, "expected a closing quote"},
		{twoPlayers + `Сова says "Привет" on norml`, "expected one of the channels near, whisper, normal"},
		{twoPlayers + `Сова says "Привет" loudly`, "expected on or the end of the line, found loudly"},
		{twoPlayers + "Сова leaves now", "found now"},
		{twoPlayers + "Сова sees Сыч", "found Сыч"},
		{twoPlayers + "Сова walks to shipston", `did you mean "shipstone"?`},
		{twoPlayers + "Сова walks to 1 2", "expected the key or name of a place"},
		{twoPlayers + "Сова walks to 1e9 2 3", "expected the key or name of a place"},
		{twoPlayers + "Сова walks to 99999 2 3", "expected a place in the world: x is"},
		{twoPlayers + "Сова walks to NaN 0 0", "expected the key or name of a place"},
		{twoPlayers + "Сова has mana 5", "expected one of hp, max-hp"},
		{twoPlayers + "Сова has hp much", "expected a number or at"},
		{twoPlayers + "Сова uses portal newcomer-teleport", "did you mean newcomers-teleport?"},
		{twoPlayers + "Сова picks up bred", "did you mean"},
		{twoPlayers + "Сова drops slot 60", "expected the number of a slot, 0 to 59, found 60"},
		{twoPlayers + "Сова drops slot 1.5", "expected the number of a slot"},
		{twoPlayers + "Сова spends 1 points on luck", "expected one of strength, agility"},
		{twoPlayers + "Сова sees townsman nobody-at-all", "expected the key of a townsman, found nobody-at-all"},
		{twoPlayers + "Сова does not see Филин for ever", "expected a time like 2s or 500ms, found ever"},
		{"wait", "expected a time like 2s or 500ms, found the end of the line"},
		{"wait 2h", "expected a time of at most 1h0m0s"},
		{"wait -1s", "expected a time like"},
		{"player Сова as пароль", "expected LOGIN/PASSWORD, found пароль"},
		{"player Сова as сова/", "expected LOGIN/PASSWORD"},
		{"player wait as a/b", "expected a name, found wait"},
		{`player "Сова" as a/b`, `expected a name, found "Сова"`},
		{twoPlayers + "player Сова as a/b", "expected another name, found Сова a second time"},
		{"wait 1s\n\xFF\xFE", "s.txt:2: expected UTF-8"},
		{"wait 1s # " + strings.Repeat("x", 5000), "expected at most 4096 bytes"},
		{strings.Repeat("wait 1s\n", 10_001), "s.txt:10001: expected at most 10000 lines"},
		{strings.Repeat("#\n", 1<<20), "expected at most 1048576 bytes"},
		{"wait 1s " + strings.Repeat("ж", 200), "expected the end of the line, found " + strings.Repeat("ж", 60) + "…"},
	} {
		_, err := Parse("s.txt", v.text)
		var mistake *Error
		if !errors.As(err, &mistake) || !strings.Contains(err.Error(), v.want) {
			if len(v.text) > 100 {
				v.text = v.text[:100]
			}
			t.Errorf("%q: %v, expected it to say %q", v.text, err, v.want)
		}
	}
}

// Each sentence is read as its own form, with everything that can be left out and without.
func TestEveryFormIsRead(t *testing.T) {
	words := strings.NewReplacer("NAME...", "Филин Сыч", "NAME", "Сова", "NEW", "Ворон", "TEXT", `"a \"b\" \\ *"`, "LOGIN", "a/b", "WHERE", "shipstone +1 -2 3.5",
		"NUMBER", "-1.5", "TIME", "2 s", "CHANNEL", "group-say", "STAT", "max-hp", "PORTAL", "newcomers-token", "TOWNSMAN", "npc-141b", "THING", "bread", "SLOT", "27", "ABILITY", "fire")
	bare := func(pattern string) string {
		for {
			before, rest, ok := strings.Cut(pattern, "[")
			if !ok {
				return pattern
			}
			_, behind, _ := strings.Cut(rest, "]")
			pattern = before + behind
		}
	}
	for i, f := range forms {
		for _, pattern := range []string{bare(f.pattern), strings.NewReplacer("[", "", "]", "").Replace(f.pattern)} {
			line := words.Replace(pattern)
			tokens, err := tokenize(line)
			if err != nil {
				t.Fatal(err)
			}
			s := &sentence{tokens: tokens, players: []string{"Сова", "Филин", "Сыч"}}
			matched := -1
			for j := range forms {
				if end, ok := s.fits(parts(forms[j].pattern), new(args), 0); ok && end == len(tokens) {
					matched = j
					break
				}
			}
			if matched != i {
				t.Errorf("%s is read as form %d, expected %d", line, matched, i)
			}
		}
	}
}

func TestPlacesAndTimesOfScripts(t *testing.T) {
	for text, want := range map[string]where{
		"+1 -2 3":        {scene: true, offset: [3]float64{1, -2, 3}},
		"scene":          {scene: true},
		"scene -1 0 0.5": {scene: true, offset: [3]float64{-1, 0, 0.5}},
		"Филин -1 0 0":   {player: "Филин", offset: [3]float64{-1, 0, 0}},
	} {
		tokens, _ := tokenize("Сова walks to " + text)
		s := &sentence{tokens: tokens, players: []string{"Сова", "Филин"}}
		_, a, err := s.parse()
		if err != nil || *a.where != want {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
	for text, want := range map[string]float32{"-5 10 20": -5, "shipstone": 2614, "Шипстоун +1 0 0": 2614, `"Остров выбора"`: 3307} {
		tokens, err := tokenize("scene " + text)
		if err != nil {
			t.Fatal(err)
		}
		s := &sentence{tokens: tokens}
		_, a, err := s.parse()
		if err != nil || a.where.at.X != want {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
	for text, want := range map[string]time.Duration{"2s": 2 * time.Second, "2 s": 2 * time.Second, "500 ms": time.Second / 2, "1.5s": 3 * time.Second / 2, "2 min": 2 * time.Minute} {
		tokens, _ := tokenize("wait " + text)
		s := &sentence{tokens: tokens}
		if _, a, err := s.parse(); err != nil || a.span != want {
			t.Errorf("%s: %+v, %v", text, a, err)
		}
	}
}

func TestWildcards(t *testing.T) {
	for _, v := range []struct {
		text, pattern string
		want          bool
	}{
		{"привет", "привет", true}, {"привет", "*", true}, {"", "*", true}, {"", "", true}, {"привет", "", false}, {"привет", "при*", true},
		{"привет", "*вет", true}, {"привет", "п*и*т", true}, {"привет", "*ри*", true}, {"привет", "*риз*", false}, {"аб", "аб*аб", false},
		{"абаб", "аб*аб", true}, {"а.б", "а?б", false}, {"привет", "**", true}, {"аа", "а*а*а", false},
	} {
		if got := like(v.text, v.pattern); got != v.want {
			t.Errorf("%q like %q: %t", v.text, v.pattern, got)
		}
	}
}

// The documents list every sentence of the language, as it is.
func TestEveryFormIsDocumented(t *testing.T) {
	for _, name := range []string{"scripts.md", "scripts.ru.md"} {
		text, err := os.ReadFile(filepath.Join("../../../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, "|"); len(cells) == 4 && strings.Contains(cells[1], "`") {
				listed = append(listed, strings.Trim(cells[1], " `"))
			}
		}
		var want []string
		for _, f := range Forms() {
			want = append(want, f[0])
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
	files, err := filepath.Glob("../../../testdata/scripts/*.txt")
	if err != nil || len(files) < 3 {
		f.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add(twoPlayers + "Сова walks to +1 0 0\nСова says \"a\\\"\"\nСова does not see Филин for 2 s")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse("fuzz.txt", text)
		var mistake *Error
		switch {
		case err == nil && (len(s.Lines) == 0 || len(s.Lines) > maxLines):
			t.Errorf("%d lines", len(s.Lines))
		case err != nil && (!errors.As(err, &mistake) || mistake.Line < 1 || len(err.Error()) > 2000 || strings.Contains(err.Error(), "\n")):
			t.Errorf("%v", err)
		}
	})
}
