package main

import (
	"os/exec"
	"strings"
	"testing"
)

// What a room may import of ours, besides itself. ARCHITECTURE.md has the picture.
var arrows = map[string][]string{
	"bitpack":     {},
	"coords":      {},
	"world/rules": {"coords"},
	"data":        {"world/rules", "coords", "bitpack"},
	"packets":     {"coords", "bitpack"},
	"world":       {"world/rules", "coords", "bitpack"},
	"server":      {"world", "world/rules", "packets", "data", "coords", "bitpack"},
	"cmd":         {"server", "world", "world/rules", "packets", "data", "coords", "bitpack"},
}

func TestImportsGoDownOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "sphereserver/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	room := func(path string) string {
		path = strings.TrimPrefix(path, "sphereserver/")
		if _, own := arrows[path]; own {
			return path // a room within another
		}
		name, _, _ := strings.Cut(path, "/")
		return name
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(line)
		from := room(fields[0])
		seen[from] = true
		allowed, known := arrows[from]
		if !known {
			t.Errorf("%s is in a room that the picture does not have", fields[0])
			continue
		}
		for _, path := range fields[1:] {
			if to := room(path); strings.HasPrefix(path, "sphereserver/") && to != from && !strings.Contains(" "+strings.Join(allowed, " ")+" ", " "+to+" ") {
				t.Errorf("%s imports %s: %s may import only %v of ours", fields[0], path, from, allowed)
			}
		}
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("no package in %s", name)
		}
	}
}
