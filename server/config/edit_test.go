package config

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func key(t *testing.T, name string) *Key {
	t.Helper()
	k, ok := KeyNamed(name)
	if !ok {
		t.Fatalf("no key %s", name)
	}
	return k
}

func TestAKeyIsSetWhereItStands(t *testing.T) {
	for name, c := range map[string]struct{ key, value, before, after string }{
		"empty file": {"limits.max-per-address", "5", "", "\n[limits]\nmax-per-address = 5\n"},
		"other table": {"limits.max-per-address", "5", "[log]\nlevel = \"info\"",
			"[log]\nlevel = \"info\"\n\n[limits]\nmax-per-address = 5\n"},
		"its table": {"limits.max-per-address", "5", "[limits] # mine\n# max-per-address = 8\n",
			"[limits] # mine\nmax-per-address = 5\n# max-per-address = 8\n"},
		"its table, last": {"limits.max-per-address", "5", "[limits]", "[limits]\nmax-per-address = 5\n"},
		"its own line": {"limits.max-per-address", "5", "[limits]\nmax-per-address = 8 # eight\n",
			"[limits]\nmax-per-address = 5 # eight\n"},
		"dotted": {"limits.max-per-address", "5", "limits.max-per-address=8\n", "limits.max-per-address=5\n"},
		"text":   {"server.name", `a "b"`, "[server]\nname = 'x'\n", "[server]\nname = \"a \\\"b\\\"\"\n"},
		"duration": {"backups.every", "2h", "[backups]\nevery = \"1h\"\nkeep = 3\n",
			"[backups]\nevery = \"2h\"\nkeep = 3\n"},
		"switch":           {"server.take-over", "true", "[server]\ntake-over = false\n", "[server]\ntake-over = true\n"},
		"begins with mark": {"log.level", "warn", "\uFEFF[log]\nlevel = \"info\"\n", "[log]\nlevel = \"warn\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			k, s := key(t, c.key), Defaults()
			if err := k.Set(&s, c.value); err != nil {
				t.Fatal(err)
			}
			after, err := edit([]byte(c.before), k, &s)
			if err != nil || string(after) != c.after {
				t.Errorf("%q, %v; expected %q", after, err, c.after)
			}
		})
	}
}

func TestWhatCannotBeSetStaysAsItIs(t *testing.T) {
	for _, text := range []string{"limits = { max-per-address = 8 }\n", "[limits]\nmax-per-adress = 8\n", "[limits\n"} {
		s := Defaults()
		k := key(t, "limits.new-per-address")
		if after, err := edit([]byte(text), k, &s); err == nil {
			t.Errorf("%q became %q, expected an error", text, after)
		}
	}
}

func TestWritingAKeyCountsAtOnceAndSurvivesAReload(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	from := Sources{Defaults: Defaults(), File: path, Optional: true}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	l := Running(c, from, slog.New(slog.DiscardHandler))
	k := key(t, "server.name")
	changes, err := l.Write(k, "Новое имя")
	if err != nil || len(changes) != 1 || changes[0].New != "Новое имя" || changes[0].Restart {
		t.Fatalf("%+v, %v; expected the new name", changes, err)
	}
	if got := l.Settings().Name; got != "Новое имя" {
		t.Errorf("the name is %q", got)
	}
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), "Новое имя") {
		t.Errorf("the file is %q, %v", text, err)
	}
	if _, err := l.Write(k, "two\nlines"); err == nil {
		t.Error("two lines: expected an error")
	}
	if err := os.WriteFile(path, []byte("[server]\nnmae = \"x\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write(k, "Third"); err == nil {
		t.Error("a file with an unknown key: expected an error")
	}
	if text, _ := os.ReadFile(path); string(text) != "[server]\nnmae = \"x\"\n" {
		t.Errorf("the file with an error became %q", text)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*.tmp"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWithoutAFileThereIsNothingToWriteTo(t *testing.T) {
	from := Sources{Defaults: Defaults()}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Running(c, from, slog.New(slog.DiscardHandler)).Write(key(t, "server.name"), "x"); !errors.Is(err,
		ErrNoFile) {
		t.Errorf("%v, expected ErrNoFile", err)
	}
}
