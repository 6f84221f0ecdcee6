package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/server/config"
)

// Without a server, the orders of the configuration are those that the next one begins with.
func TestOrdersOfTheConfigurationWithoutAServer(t *testing.T) {
	l := populated(t)
	file := "[server]\nmaintenance = true\n\n[chat]\nmotto = \"Турнир\"\n"
	if err := os.WriteFile(filepath.Join(l.dir, config.FileName), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for want, args := range map[string][]string{
		"Турнир (from the configuration)":                    {"motd", "show"},
		"maintenance, by server.maintenance of the configur": {"maintenance", "list"},
	} {
		if got := l.must(args...); !strings.HasPrefix(got, want) {
			t.Errorf("%q: found %q, expected %q", args, got, want)
		}
	}
	l.fails(1, "Maintenance was not begun by command but in sphere.toml", "maintenance", "off")
	l.fails(1, "The message of the day was not set by command but in sphere.toml", "motd", "end")
}

// The message of the day and maintenance are set, shown and ended by command, on a server that runs and on one that
// does not.
func TestOrdersByCommand(t *testing.T) {
	for i, l := range []commandLine{{t, runningServer(t)}, populated(t)} {
		want := func(out string, args ...string) {
			t.Helper()
			if got := l.must(args...); !strings.HasPrefix(got, out) {
				t.Errorf("%q: found %q, expected %q", args, got, out)
			}
		}
		l.must("account", "add", "tester", "--password", "secret")
		want("there is no message of the day", "motd", "show")
		l.fails(1, "No message of the day was set by command.", "motd", "end")
		l.fails(1, "The field text is required.", "motd", "set", " ")
		l.fails(1, "expected at most 500 characters, found 501", "motd", "set", strings.Repeat("я", 501))
		l.fails(2, "expected a text, found nothing", "motd", "set")
		want("Турнир (set by ", "motd", "set", "Турнир")
		want("Турнир (set by ", "motd", "show")
		want("there is no message of the day", "motd", "end")

		want("no maintenance: everybody gets in", "maintenance", "list")
		l.fails(1, "There is no maintenance.", "maintenance", "off")
		l.fails(1, `account "testar" not found; did you mean "tester"?`, "maintenance", "on", "testar")
		l.fails(1, "One of the logins is empty.", "maintenance", "on", "")
		want("no maintenance: everybody gets in", "maintenance", "list") // nothing is half done
		want("maintenance, begun by ", "maintenance", "on")
		want("maintenance, begun by ", "maintenance", "on", "TESTER")
		if out := l.must("maintenance", "list"); !strings.Contains(out, "besides operators get in: tester\n") {
			t.Errorf("found %q", out)
		}
		if i == 0 { // no server, no status
			if out := l.must("status"); !strings.Contains(out, "maintenance") {
				t.Errorf("the status is\n%s", out)
			}
		}
		want("no maintenance: everybody gets in", "maintenance", "off")
		if out := l.must("audit"); !strings.Contains(out, "and tester get in") ||
			!strings.Contains(out, "ended the maintenance that was begun by command") || !strings.Contains(out, "set the message of the day: Турнир") {
			t.Errorf("the trail is\n%s", out)
		}
	}
}
