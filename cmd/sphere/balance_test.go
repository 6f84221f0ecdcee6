package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sphereserver/server/config"
)

func TestBalanceCommand(t *testing.T) {
	l := commandLine{t, filepath.Join(t.TempDir(), "data")}
	out := l.must("balance", "--seed", "3")
	for _, want := range []string{"sword", "crossbow", "LEVELS", "MONEY OUT", "1–5 ", "all"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in:\n%s", want, out)
		}
	}
	if again := l.must("balance", "--seed", "3"); again != out {
		t.Errorf("the same seed gives:\n%s\nand\n%s", out, again)
	}
	first := func() (kills int) {
		var found careers
		if err := json.Unmarshal([]byte(l.must("balance", "--json")), &found); err != nil || len(found.Careers) != 4 {
			t.Fatalf("%v: %+v", err, found)
		}
		for _, level := range found.Careers[0].Levels[:5] {
			kills += level.Kills
		}
		return kills
	}
	usual := first()
	balance := filepath.Join(l.dir, config.BalanceFile)
	if err := os.MkdirAll(l.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(balance, []byte("[experience]\nfactor = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if kills := first(); kills > usual/2 {
		t.Errorf("%d kills, with three times the experience %d", usual, kills)
	}
	if err := os.WriteFile(balance, []byte("[experience]\nfactr = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.fails(1, "did you mean experience.factor?", "balance")
}
