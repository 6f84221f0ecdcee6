package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The egg gives flags that the program has, and waits for a line that it prints.
func TestTheEggIsOfThisProgram(t *testing.T) {
	content, err := os.ReadFile("../../contrib/pterodactyl.json")
	if err != nil {
		t.Fatal(err)
	}
	var egg struct {
		Startup string
		Config  struct{ Startup, Stop string }
	}
	if err := json.Unmarshal(content, &egg); err != nil {
		t.Fatal(err)
	}
	serve, _, err := rootCommand(&environment{}).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Fields(egg.Startup)
	if len(words) < 3 || words[0] != "./sphere" || words[1] != "serve" {
		t.Errorf("it starts %q", egg.Startup)
	}
	for _, word := range words {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if strings.HasPrefix(word, "--") && serve.Flag(name) == nil {
			t.Errorf("there is no flag %s", word)
		}
	}
	var waits struct{ Done string }
	if err := json.Unmarshal([]byte(egg.Config.Startup), &waits); err != nil || waits.Done != "ready game=" || egg.Config.Stop != "^C" {
		t.Errorf("it waits for %q and stops by %q: %v", waits.Done, egg.Config.Stop, err)
	}
}
