package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/server/game"
)

// runBotWith executes "sphere bot" with an input and these arguments.
func runBotWith(in string, args ...string) (out, progress string, err error) {
	var o, e bytes.Buffer
	c := botCommand(&environment{in: strings.NewReader(in), out: &o, err: &e})
	c.SetFlagErrorFunc(flagError) // as the root has it
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetArgs(args)
	err = c.ExecuteContext(context.Background())
	return o.String(), e.String(), err
}

// runScript executes "sphere bot script" with these arguments.
func runScript(in string, args ...string) (out string, err error) {
	out, _, err = runBotWith(in, append([]string{"script"}, args...)...)
	return out, err
}

// scriptStage serves until the test ends: new characters begin at start, and the account "мастер" is a game
// master's.
func scriptStage(t *testing.T, start string) string {
	t.Helper()
	store, err := data.Open(t.Context(), t.TempDir(), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	hash, err := data.HashPassword("пароль", data.DefaultHashParams)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.CreateAccount(t.Context(), "мастер", hash, data.GameMaster); err != nil {
		t.Fatal(err)
	}
	o := shippedOptions()
	o.Listen = "127.0.0.1:0"
	place, ok := content.FindPlace(start)
	if !ok {
		t.Fatalf("no place %s", start)
	}
	o.Start, o.NewcomersDungeon = place.Position, false
	return serveGame(t, store, o)
}

// shippedOptions are the settings that ship, at an address of the test.
func shippedOptions() game.Options {
	s := config.Defaults()
	o := s.Game
	o.World.Balance = &s.Balance
	return o
}

// serveGame serves with a store until the test ends, closes it then, and returns the address.
func serveGame(t *testing.T, store *data.Store, o game.Options) string {
	t.Helper()
	s, err := game.New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(s.Stop(ctx), <-served, store.Close()); err != nil {
			t.Error(err)
		}
	})
	return s.Addr().String()
}

func TestScriptsThatFailSaySo(t *testing.T) {
	t.Parallel()
	addr := scriptStage(t, "shipstone")
	const text = "a = player(\"Сова\", \"сова/пароль\")\na.has(title=7)\na.has(title=8)\nprint(\"still\", " +
		"\"\\x1b\")\na.has(title=1)\n"
	out, err := runScript(text, "-", "--connect", addr, "--patience", "100ms")
	if err == nil || !strings.Contains(err.Error(), "1 step failed") ||
		!strings.Contains(out,
			"   2  failed  Сова.has(title=7)\n              expected: title 7\n              instead: Сова has title 1\n") ||
		strings.Contains(out, "title 8") || !strings.Contains(out, "1 of 2 steps ok, 1 failed, 0 findings") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = runScript(text, "-", "--connect", addr, "--patience", "100ms", "--keep-going")
	if err == nil || !strings.Contains(out, "              still ·\n   5  ok      Сова.has(title=1)\n") ||
		!strings.Contains(out, "2 of 4 steps ok, 2 failed") {
		t.Errorf("%v\n%s", err, out)
	}
	out, err = runScript(text+"fail(\"enough\")", "-", "--connect", addr, "--patience", "100ms", "--keep-going")
	if err == nil || err.Error() != "-:6: fail: enough" || !strings.Contains(out, "2 of 4 steps ok, 2 failed") {
		t.Errorf("a mistake while it is played: %v\n%s", err, out)
	}
	if out, err := runScript("jump()", "-", "--connect", addr); err == nil || err.Error() != "-:1: undefined: jump" ||
		out != "" {
		t.Errorf("a mistake in the scenario: %v\n%s", err, out)
	}
	if out, err := runScript("", "--list"); err != nil || !strings.Contains(out,
		"\nThe scene\nplayer(name, login, at=None)                 log in") {
		t.Errorf("the list: %v\n%s", err, out)
	}
	if _, err := runScript("", filepath.Join(t.TempDir(), "none.star")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, args := range [][]string{{}, {"a", "b"}, {"-", "--dialect", "1998"}, {"-", "--patience", "0s"},
		{"-", "--ping-every", "-1s"}, {"-", "--keepgoing"}, {"a", "--list"}} {
		if _, err := runScript("wait(0.001)", args...); err == nil {
			t.Errorf("%q is accepted", args)
		} else if mistake := (*usageError)(nil); !errors.As(err, &mistake) {
			t.Errorf("%q: %v is no mistake in the command line", args, err)
		}
	}
}

func TestTheListOfVerbsIsInTheLanguageOfTheReader(t *testing.T) {
	var english, russian bytes.Buffer
	for out, w := range map[*bytes.Buffer]printer{&english: {&english, false}, &russian: {&russian, true}} {
		if err := listVerbs(w); err != nil || out.Len() == 0 {
			t.Fatal(err)
		}
	}
	if !strings.Contains(english.String(), ".wait_dead()                                 be dead\n") ||
		!strings.Contains(russian.String(), ".wait_dead()                                 быть мёртвым\n") ||
		strings.Count(english.String(), "\n") != strings.Count(russian.String(), "\n") {
		t.Errorf("%s\n%s", &english, &russian)
	}
	for line := range strings.Lines(russian.String()) {
		if strings.TrimSpace(line) != "" && !strings.ContainsFunc(line, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
			t.Errorf("%q has no Russian word", line)
		}
	}
}
