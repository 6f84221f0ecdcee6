package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

var (
	warcraftExample = regexp.MustCompile("(?s)```console\n\\$ (?:echo ([^|\n]*) \\| )?sphere (w3host|query w3gs|query " +
		"lan) ([^\n]*)\n(.*?)```")
	// Words that differ from one time to the next.
	warcraftChance = regexp.MustCompile(`[0-9.]+ ms|uptime +\d+ s|entry key +0x[0-9A-F]+`)
)

// Every example on the page prints the text there, but for times and random numbers.
func TestWarcraftExamplesInDocuments(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/protocol/w3gs.md")
	if err != nil {
		t.Fatal(err)
	}
	var h *hosting
	var actual, told *strings.Replacer
	seen := map[string]int{}
	for _, e := range warcraftExample.FindAllStringSubmatch(string(text), -1) {
		in, name, args, want := e[1], e[2], words(t, e[3]), e[4]
		seen[name]++
		if name == "w3host" {
			h = startHosting(t, args...)
			actual = strings.NewReplacer("127.0.0.1:6112", h.udp)
			told = strings.NewReplacer(h.tcp, "127.0.0.1:6112", h.udp, "127.0.0.1:6112")
			if got := told.Replace(h.out.String()); got != want {
				t.Errorf("sphere w3host prints %q, the page has %q", got, want)
			}
			continue
		}
		if h == nil {
			t.Fatal("no host before the first question")
		}
		for i := range args {
			args[i] = actual.Replace(args[i])
		}
		makers := map[string]func(*environment) *cobra.Command{"query w3gs": w3gsQueryCommand, "query lan": lanQueryCommand}
		mask := func(s string) string { return warcraftChance.ReplaceAllString(told.Replace(s), "…") }
		ask := func(more ...string) string {
			_, out, failure := commandWith(false, in, makers[name], slices.Concat(args, more)...)
			if failure != "" {
				out += "sphere: " + failure + "\n"
			}
			return mask(out)
		}
		got := ""
		if name == "query lan" { // how soon all have answered is the machine's matter
			args = append(args, "--warcraft-port", portOf(t, h.udp), "--ase-port", "0", "--minecraft-port", "0")
			for last := 300 * time.Millisecond; got != mask(want) && last < time.Minute; last *= 2 {
				got = ask("--timeout", last.String())
			}
		} else {
			got = ask()
		}
		if diff := cmp.Diff(mask(want), got); diff != "" {
			t.Errorf("sphere %s %s: -page +program\n%s", name, e[3], diff)
		}
	}
	if seen["w3host"] != 1 || seen["query w3gs"] != 2 || seen["query lan"] != 1 {
		t.Errorf("the page has examples %v", seen)
	}
}

// words splits a command line as a shell does, as far as the page needs it.
func words(t *testing.T, line string) (out []string) {
	t.Helper()
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := " "
		if line[0] == '"' || line[0] == '\'' {
			end, line = line[:1], line[1:]
		}
		word, rest, ok := strings.Cut(line, end)
		if !ok && end != " " {
			t.Fatalf("no end of %q", line)
		}
		out, line = append(out, word), rest
	}
	return out
}
