package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sphereserver/data/content"
	"sphereserver/server/config"
	"sphereserver/world/career"
	"sphereserver/world/rules"
)

func TestBalanceCommand(t *testing.T) {
	inTurn(t)
	l := commandLine{t, filepath.Join(t.TempDir(), "data")}
	out := l.must("balance", "--seed", "3")
	for _, want := range []string{"sword", "crossbow", "LEVELS", "MONEY OUT", "1–5 ", "all"} {
		if !strings.Contains(out, want) {
			t.Errorf("expected %q in:\n%s", want, out)
		}
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
	if kills := first(); kills >= usual {
		t.Errorf("%d kills, with three times the experience %d", usual, kills)
	}
	if err := os.WriteFile(balance, []byte("[experience]\nfactr = 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	l.fails(1, "did you mean experience.factor?", "balance")
}

var updateCareers = flag.Bool("update-docs", false, "write docs/careers.md and docs/careers.ru.md")

// The pages have the values of the shipped numbers and the built-in tables.
func TestCareersInDocuments(t *testing.T) {
	inTurn(t)
	in, b := content.Default(), rules.DefaultBalance()
	result := careers{Seed: 1, Source: in.Content.Source, Careers: each(career.Schools(),
		func(school career.School) career.Career {
			return career.Simulate(in.Tables, b, config.Defaults().Game.World.SellFraction, school, 1)
		})}
	for path, russian := range map[string]bool{"careers.md": false, "careers.ru.md": true} {
		head, err := os.ReadFile(filepath.Join("testdata", path))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		env := &environment{out: &out, russian: russian}
		result.show(env.answers())
		table := regexp.MustCompile(`(?m) +$`).ReplaceAllString(out.String(), "")
		want := string(head) + "\n```console\n$ sphere balance\n" + table + "```\n"
		path = filepath.Join("../../docs", path)
		if *updateCareers {
			if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s is not what the command prints (%v): go test ./cmd/sphere -run CareersInDocuments -update-docs", path,
				err)
		}
	}
}
