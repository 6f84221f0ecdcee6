package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Rates are set, listed, seen in the status and ended by command, on a server that runs and on one that does not.
func TestRatesByCommand(t *testing.T) {
	for _, l := range []commandLine{{t, runningServer(t)}, populated(t)} {
		l.fails(2, "expected a factor from 0.1 to 100, found \"0\"", "rate", "set", "xp", "0")
		l.fails(2, "expected a factor from 0.1 to 100, found \"1e9\"", "rate", "set", "xp", "1e9")
		l.fails(2, "expected a factor from 0.1 to 100, found \"NaN\"", "rate", "set", "xp", "NaN")
		l.fails(2, "expected a day like 2026-12-31", "rate", "set", "xp", "2", "--from", "soon")
		l.fails(2, "expected a time like 30m", "rate", "set", "xp", "2", "--for", "soon")
		l.fails(2, `found "1,5h", did you mean "90m"?`, "rate", "set", "xp", "2", "--for", "1,5h")
		l.fails(2, `did you mean "xp 2"?`, "rate", "set", "2", "xp")
		l.fails(2, `a number that is not negative, found "-1"`, "rate", "set", "xp", "-1")
		l.fails(1, "found \"exprience\"; did you mean \"experience\"?", "rate", "set", "exprience", "2")
		l.fails(1, "at most 366 d, found 400 d", "rate", "set", "xp", "2", "--for", "400d")
		l.fails(1, "No rate of experience is set.", "rate", "end", "xp")
		day := time.Now().AddDate(0, 0, 2).Format("2006-01-02")
		if out := l.must("rate", "set", "xp", "2", "--for", "1d"); !strings.HasPrefix(out, "experience x2 from ") ||
			!strings.Contains(out, " until "+time.Now().AddDate(0, 0, 1).Format("2006-01-02 ")) {
			t.Errorf("found %q", out)
		}
		out := l.must("rate", "set", "опыт", "3", "--from", day)
		if !strings.HasPrefix(out, "experience x3 from "+day+" 00:00 ") || !strings.HasSuffix(out, " until it is ended\n") {
			t.Errorf("found %q", out)
		}
		l.fails(1, "That time has a rate already: experience x2 until ", "rate", "set", "xp", "5", "--for", "1m")
		list := l.must("rate", "list")
		for _, want := range []string{"experience  x2 ", " x1 ", "x2 from ", "x3 from " + day, "respawn"} {
			if !strings.Contains(list, want) {
				t.Errorf("no %q in\n%s", want, list)
			}
		}
		if out := l.must("rate", "end", "xp"); strings.Count(out, "ended: experience x") != 2 {
			t.Errorf("found %q", out)
		}
		if out := l.must("audit", "--action", "rate"); !strings.Contains(out, "set experience x2 until ") ||
			!strings.Contains(out, "ended the rate of experience") {
			t.Errorf("the trail is\n%s", out)
		}
	}
}

// The status tells of rates that count.
func TestRatesInTheStatus(t *testing.T) {
	l := commandLine{t, runningServer(t)}
	l.must("rate", "set", "drops", "1.5")
	if out := l.must("status"); !strings.Contains(out, "drops x1.5") {
		t.Errorf("the status is\n%s", out)
	}
}

// The balance file is read again by command, after a look at the changes.
func TestBalanceIsReadAgainByCommand(t *testing.T) {
	t.Parallel()
	l := commandLine{t, runningServer(t)}
	write := func(text string) {
		if err := os.WriteFile(filepath.Join(l.dir, "balance.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want := func(what string, args ...string) {
		t.Helper()
		if out := l.must(args...); out != what {
			t.Errorf("%q: found %q, expected %q", args, out, what)
		}
	}
	want("nothing has changed\n", "config", "reload", "--check")
	write("[rates]\ndrops = [\"2\"]\n")
	for range 2 {
		want("rates.drops: \"\", would be \"2\"\n", "config", "reload", "--check")
	}
	want("rates.drops: \"\", now \"2\"\n", "config", "reload")
	if out := l.must("rate", "list"); !strings.Contains(out, "drops       x2") {
		t.Errorf("found\n%s", out)
	}
	write("[rates]\ndrops = [\"2\", \"3\"]\n")
	for _, args := range [][]string{{"config", "reload", "--check"}, {"config", "reload"}} {
		l.fails(1, "balance.toml:2:1: rates.drops: expected rates that do not overlap, unlike \"2\" and \"3\"", args...)
	}
	if out := l.must("audit", "--action", "config"); strings.Count(out, "configuration files read again") != 2 {
		t.Errorf("the trail is\n%s", out)
	}
}
