package main

import (
	"strings"
	"testing"
	"time"
)

func TestCompletionOffersNamesAndWords(t *testing.T) {
	inTurn(t)
	l := populated(t)
	for _, v := range []struct {
		args  []string
		offer string
	}{
		{[]string{"account", "passwd", ""}, "вася петя"},
		{[]string{"account", "ban", "В"}, "вася"},
		{[]string{"character", "show", "со"}, "Сова"},
		{[]string{"character", "show", "Сова", ""}, ""},
		{[]string{"serve", "--log-level", ""}, "debug info warn error"},
		{[]string{"serve", "--dialect", ""}, "auto 2022 2026 classic"},
		{[]string{"config", "show", "--log-format="}, "text json"},
	} {
		got := l.completed(v.args)
		for begin := time.Now(); got == "" && v.offer != "" && time.Since(begin) < patience; {
			got = l.completed(v.args) // it gives up early, for the sake of the typing user
		}
		if got != v.offer {
			t.Errorf("%q: expected %q, found %q", v.args, v.offer, got)
		}
	}
	l.dir = t.TempDir() // nothing to offer, and nothing is made
	if _, out, _ := l.do("", "__complete", "account", "passwd", ""); strings.TrimSpace(out) != ":4" {
		t.Errorf("without a database: %q", out)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out := l.must("completion", shell); !strings.Contains(out, "sphere") {
			t.Errorf("%s: %q", shell, out)
		}
	}
}

// completed are the offers of a shell after some arguments.
func (l commandLine) completed(args []string) string {
	_, out, _ := l.do("", append([]string{"__complete"}, args...)...)
	var offered []string
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, ":") {
			offered = append(offered, line)
		}
	}
	return strings.Join(offered, " ")
}
