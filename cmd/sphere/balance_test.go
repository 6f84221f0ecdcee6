package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/server/career"
	"sphereserver/server/config"
)

func TestBalanceCommand(t *testing.T) {
	t.Parallel()
	inTurn(t)
	l := commandLine{t, filepath.Join(t.TempDir(), "data")}
	var found careers
	if err := json.Unmarshal([]byte(l.must("balance", "--to", "2", "--each", "1m", "--seed", "3", "--json")), &found); err != nil ||
		len(found.Careers) != 6 || len(found.Careers[0].Levels) == 0 {
		t.Fatalf("%v: %+v", err, found)
	}
	for i := range found.Careers { // a second level takes seconds; careers of more are played in package career
		found.Careers[i].Levels = append(found.Careers[i].Levels, career.Level{Level: 2})
	}
	var words strings.Builder
	found.show(printer{&words, false})
	out := words.String()
	for _, want := range []string{"sword", "crossbow", "fists", "white mantras", "LEVELS", "MONEY OUT", "1–2 ", "all"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in:\n%s", want, out)
		}
	}
	l.fails(2, "--to", "balance", "--to", "1")
	l.fails(2, "--each", "balance", "--each", "1s")
	balance := filepath.Join(l.dir, config.BalanceFile)
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(balance, []byte("[experience]\nfactr = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.fails(1, "did you mean experience.factor?", "balance")
}
