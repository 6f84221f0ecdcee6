package config

import (
	"bytes"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestReloadChangesWhatMayChange(t *testing.T) {
	path := write(t, "[server]\nname = \"A\"\n")
	from := Sources{Defaults: Defaults(), File: path, Flags: map[string]string{"backups-keep": "5"}}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	live := Running(c, from, slog.New(slog.NewTextHandler(&log, nil)))
	var heard []Settings
	live.OnChange(func(s Settings) { heard = append(heard, s) })
	rewrite := func(text string) ([]Change, error) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		told, was := len(heard), live.Config()
		foreseen, wrong := live.Preview()
		if live.Config() != was || len(heard) != told {
			t.Errorf("a preview of %q has changed something", text)
		}
		changes, err := live.Reload()
		if !slices.Equal(foreseen, changes) || (wrong == nil) != (err == nil) {
			t.Errorf("foreseen is %v, %v, and came %v, %v", foreseen, wrong, changes, err)
		}
		return changes, err
	}

	changes, err := rewrite("[log]\nlevel = \"debug\"\n[server]\nname = \"B\"\nlisten = \":1\"\n[backups]\nkeep = 9\n")
	if err != nil || len(changes) != 3 || len(heard) != 1 {
		t.Fatalf("changes %v, %v, heard %d times", changes, err, len(heard))
	}
	want := []Change{{"server.name", "A", "B", false, Origin{"file", path, 4, ""}},
		{"server.listen", ":25860", ":1", true, Origin{"file", path, 5, ""}},
		{"log.level", "info", "debug", false, Origin{"file", path, 2, ""}}}
	for i := range want {
		if changes[i] != want[i] {
			t.Errorf("expected %v, found %v", want[i], changes[i])
		}
	}
	if s := heard[0]; s.Name != "B" || s.Log.Level != slog.LevelDebug || s.Game.Listen != ":25860" || s.Backups.Keep != 5 {
		t.Errorf("heard %v", s)
	}
	listen, _ := KeyNamed("server.listen")
	if o := live.Config().Origin(listen); o.From != "default" {
		t.Errorf("the address that counts comes from %v", o)
	}

	for _, wrong := range []string{"[server]\nname = \"C\"\nnonsense = 1\n", "[server]\nname = 5\n", "["} {
		log.Reset()
		if _, err := rewrite(wrong); err == nil || live.Settings().Name != "B" || len(heard) != 1 {
			t.Errorf("%q: %v, %v", wrong, err, live.Settings().Name)
		}
		if !strings.Contains(log.String(), path+":") || !strings.Contains(log.String(), "nothing was changed") {
			t.Errorf("logged %q", log.String())
		}
	}
	os.Remove(path)
	if _, err := live.Reload(); err == nil || live.Settings().Name != "B" {
		t.Errorf("the file is gone: %v", err)
	}
	if changes, err = rewrite("[server]\nname = \"B\"\n[log]\nlevel = \"debug\"\n"); err != nil || len(changes) != 0 ||
		len(heard) != 1 {
		t.Errorf("nothing has changed: %v, %v", changes, err)
	}
}

// A file that is broken while the server runs is told of, and counts no more than before.
func TestFilesThatAreBrokenMeanwhileAreToldOf(t *testing.T) {
	path := write(t, "[experience]\nfactor = 2\n")
	from := Sources{Defaults: Defaults(), Balance: path}
	c, err := Load(from)
	if err != nil {
		t.Fatal(err)
	}
	l := Running(c, from, slog.New(slog.DiscardHandler))
	if err := l.Fault(); err != nil {
		t.Errorf("a good file: %v", err)
	}
	for text, bad := range map[string]bool{"[experience]\nfactor = 2,5\n": true, "[experience]\nfactor = 2.55\n": false} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Duration(len(text))*time.Hour)); err != nil {
			t.Fatal(err)
		}
		if err := l.Fault(); (err != nil) != bad {
			t.Errorf("%q: %v", text, err)
		}
		if l.Settings().Balance.Experience.Factor != 2 {
			t.Error("to look at a file has changed what counts")
		}
	}
}
