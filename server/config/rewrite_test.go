package config

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

func TestTheBalanceFileIsRewrittenWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), BalanceFile)
	from := Sources{Defaults: Defaults(), Balance: path}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	live := Running(c, from, slog.New(slog.DiscardHandler))
	var heard []float64
	live.OnChange(func(s Settings) { heard = append(heard, s.Balance.Experience.Factor) })
	expect := func(name, want string) {
		t.Helper()
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			text = nil
		} else if err != nil {
			t.Fatal(err)
		}
		if string(text) != want {
			t.Errorf("%s has %q, expected %q", filepath.Base(name), text, want)
		}
	}
	sumNow := func() string {
		t.Helper()
		_, sum, err := live.Balance()
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	rewrite := func(text string, check bool) []string {
		t.Helper()
		changes, err := live.RewriteBalance([]byte(text), sumNow(), check)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var out []string
		for _, ch := range changes {
			out = append(out, ch.Key+" "+ch.Old+" "+ch.New)
		}
		return out
	}

	if sumNow() != "" {
		t.Error("a file that is not there has a sum")
	}
	const first, second = "# ours\n[experience]\nfactor = 2\n", "# ours\n[experience]\nfactor = 3.5\n"
	if got := rewrite(first, true); !slices.Equal(got, []string{"experience.factor 1 2"}) {
		t.Errorf("foreseen is %v", got)
	}
	if expect(path, ""); len(heard) != 0 {
		t.Error("what was only foreseen counts")
	}
	rewrite(first, false)
	expect(path, first)
	expect(path+OldSuffix, "")
	if got := rewrite(second, false); !slices.Equal(got, []string{"experience.factor 2 3.5"}) {
		t.Errorf("the change is %v", got)
	}
	expect(path, second)
	expect(path+OldSuffix, first)
	if !slices.Equal(heard, []float64{2, 3.5}) {
		t.Errorf("heard %v", heard)
	}

	for _, c := range []struct{ text, russian string }{
		{"[experience]\nfactor = 3,0\n", ":2:11: experience.factor: дробная часть отделяется точкой: 3.0, а не \"3,0\""},
		{"[experience]\nfactr = 3\n", ":2:1: experience.factr: такого ключа нет; может быть, experience.factor?"},
		{"[loot]\nstack-min = 9\nstack-max = 3\n", ":3:1: loot.stack-max: loot.stack-min (9) больше, чем loot.stack-max (3)"},
		{strings.Repeat("#", maxFile+1), "нужно не больше 1048576 байтов"},
		{"\xFF\xFE", "файл в кодировке UTF-16; сохраните его в UTF-8"},
	} {
		for _, check := range []bool{true, false} {
			_, err := live.RewriteBalance([]byte(c.text), sumNow(), check)
			var problems Problems
			if !errors.As(err, &problems) || !strings.Contains(problems.In(true), c.russian) ||
				!strings.HasPrefix(problems.In(true), BalanceFile+":") {
				t.Errorf("%.40q: %v, expected %q", c.text, err, c.russian)
			}
		}
	}
	if _, err := live.RewriteBalance([]byte(first), "another", false); err != ErrChanged {
		t.Errorf("%v, expected that the file has changed", err)
	}
	seen := sumNow()
	const byHand = "[experience]\nfactor = 4,5\n" // somebody else, with a mistake
	if err := os.WriteFile(path, []byte(byHand), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := live.RewriteBalance([]byte(first), seen, false); err != ErrChanged {
		t.Errorf("%v, expected that the file has changed", err)
	}
	expect(path, byHand)
	expect(path+OldSuffix, first)
	if !slices.Equal(heard, []float64{2, 3.5}) {
		t.Errorf("heard %v", heard)
	}
	rewrite(first, false) // a file with a mistake can be mended
	expect(path, first)
	expect(path+OldSuffix, byHand)
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := rewrite("", false); !slices.Equal(got, []string{"experience.factor 2 1"}) {
		t.Errorf("an empty file changes %v", got)
	}
	for _, name := range []string{path, path + OldSuffix} {
		if info, err := os.Stat(name); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v, expected the mode that the file had", name, info.Mode(), err)
		}
	}
}

// A setting of the other file that waits for a restart is no change of the balance file.
func TestWhatWaitsForARestartIsNoChangeOfTheBalance(t *testing.T) {
	dir := t.TempDir()
	from := Sources{Defaults: Defaults(), File: filepath.Join(dir, FileName), Optional: true,
		Balance: filepath.Join(dir, BalanceFile)}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	live := Running(c, from, slog.New(slog.DiscardHandler))
	if err := os.WriteFile(from.File, []byte("[server]\nsave-every = \"5s\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if changes, err := live.Reload(); err != nil || len(changes) != 1 || !changes[0].Restart {
		t.Fatalf("%+v, %v", changes, err)
	}
	changes, err := live.RewriteBalance([]byte("[experience]\nfactor = 2\n"), "", true)
	if err != nil || len(changes) != 1 || changes[0].Key != "experience.factor" {
		t.Errorf("foreseen is %+v, %v", changes, err)
	}
}

func TestWithoutADataFolderThereIsNoBalanceFile(t *testing.T) {
	live := Running(&Config{Settings: Defaults()}, Sources{Defaults: Defaults()}, slog.New(slog.DiscardHandler))
	if _, err := live.RewriteBalance(nil, "", true); err != ErrNoFile {
		t.Error(err)
	}
}

// A disk that takes nothing leaves the file and what counts as they were.
func TestABalanceFileThatCannotBeWrittenChangesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, BalanceFile)
	if err := os.WriteFile(path, []byte("[experience]\nfactor = 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	from := Sources{Defaults: Defaults(), Balance: path}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	live := Running(c, from, slog.New(slog.DiscardHandler))
	_, sum, err := live.Balance()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path+OldSuffix, 0o700); err != nil { // the old text has no place
		t.Fatal(err)
	}
	if _, err := live.RewriteBalance([]byte("[experience]\nfactor = 3\n"), sum, false); err == nil ||
		strings.Contains(err.Error(), dir) || !strings.Contains(err.Error(), BalanceFile+OldSuffix) {
		t.Errorf("%v, expected an error with the name of the file alone", err)
	}
	if text, _ := os.ReadFile(path); string(text) != "[experience]\nfactor = 2\n" || live.Settings().Balance.Experience.Factor != 2 {
		t.Errorf("the file has %q, and %v counts", text, live.Settings().Balance.Experience.Factor)
	}
}
