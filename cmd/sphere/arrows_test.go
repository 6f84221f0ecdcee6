package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Our packages that a room may import, besides itself. ARCHITECTURE.md has the picture.
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

// siblings are the packages that a package may import of its own room. A package that is not listed imports none.
// They go down only, too: no circle is possible in Go, but a sibling that everybody may import soon is everybody's.
var siblings = map[string][]string{
	"data":                         {"data/atomicfile"},
	"data/content":                 {"data/atomicfile"},
	"data/content/clientfiles":     {"data/content", "data/lazyregexp"},
	"data/content/chart":           {"data/content"},
	"data/content/wild":            {"data/content", "data/content/chart"},
	"data/datatest":                {"data", "data/datatest/inmemory"},
	"data/landscape":               {"data/atomicfile", "data/content", "data/content/clientfiles"},
	"data/landscape/landscapetest": {"data/content"},
	"data/relief":                  {"data/content", "data/landscape"},

	"packets/ase":               {"packets/internal/cursor"},
	"packets/mcquery":           {"packets/internal/cursor"},
	"packets/w3gs":              {"packets/internal/cursor"},
	"packets/capture":           {"packets", "packets/capture/recording"},
	"packets/capture/recording": {"packets"},
	"packets/packetstest":       {"packets"}, // for tests

	"server/admin": {"server/ops"},
	"server/admin/api": {"server/admin", "server/admin/web", "server/config", "server/game",
		"server/geography", "server/measure", "server/chat", "server/oplog", "server/ops", "server/passwords",
		"server/ratelimit", "server/session", "server/tiles", "server/webserver"},
	"server/bot":        {"server/bot/compare", "server/measure"},
	"server/bot/replay": {"server/bot", "server/bot/compare", "server/ratelimit"},
	"server/bot/script": {"server/bot"},
	"server/career": {"server/bot", "server/game", "server/ops", "server/passwords", "server/sim/memnet",
		"server/sim/simstore"},
	"server/config": {"server/game", "server/query", "server/session"}, // for their options
	"server/chat":   {"server/measure", "server/ops", "server/ratelimit", "server/view"},
	"server/game": {"server/chat", "server/measure", "server/ops", "server/ratelimit", "server/session",
		"server/transport",
		"server/view"},
	"server/sim": {"server/bot", "server/config", "server/game", "server/passwords", "server/sim/memnet",
		"server/sim/simstore"}, // for tests
	"server/session": {"server/measure", "server/ops", "server/passwords", "server/ratelimit", "server/transport",
		"server/view"},
	"server/geography": {"server/ops"}, // for its texts
	"server/public": {"server/admin/web", "server/config", "server/geography", "server/ops", "server/ratelimit",
		"server/tiles", "server/webserver"},
	"server/query": {"server/ratelimit", "server/udp"},
	"server/tiles": {"server/geography"},

	"server/transport/transporttest": {"server/transport"}, // for tests

	"server/webserver": {"server/ratelimit"},
	"server/webhook":   {"server/chat", "server/config", "server/game", "server/ops"},
	"server/w3host":    {"server/measure", "server/ratelimit", "server/transport", "server/udp"},

	"world": {"world/space"},
}

func TestImportsGoDownOnly(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "sphereserver/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := map[string]bool{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		fields := strings.Fields(strings.ReplaceAll(line, "sphereserver/", "./"))
		from := strings.TrimPrefix(fields[0], "./")
		seen[from], seen[room(from)] = true, true
		allowed, known := arrows[room(from)]
		if !known {
			t.Errorf("%s is in a room that the picture does not have", from)
			continue
		}
		for _, imported := range fields[1:] {
			to, ours := strings.CutPrefix(imported, "./")
			switch {
			case !ours:
			case room(to) == room(from):
				if !slices.Contains(siblings[from], to) {
					t.Errorf("%s imports its sibling %s, which is not in the list: %v", from, to, siblings[from])
				}
			case !slices.Contains(allowed, room(to)):
				t.Errorf("%s imports %s: %s may import only %v of ours", from, to, room(from), allowed)
			}
		}
	}
	for name := range arrows {
		if !seen[name] {
			t.Errorf("no package in %s", name)
		}
	}
	for name := range siblings {
		if !seen[name] {
			t.Errorf("there is no package %s", name)
		}
	}
}

// ARCHITECTURE.md names each package of ours, and says of each module that we import why.
func TestTheArchitectureNamesPackagesAndModules(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(repository, "ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := func(name string) bool {
		return regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).Match(text)
	}
	ours, err := exec.Command("go", "list", "sphereserver/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for name := range strings.FieldsSeq(string(ours)) {
		if !named(path.Base(name)) {
			t.Errorf("ARCHITECTURE.md does not name the package %s", name)
		}
	}
	mod, err := os.ReadFile(filepath.Join(repository, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`/v[0-9]+$`)
	required := regexp.MustCompile(`(?m)^(?:require |\t)(\S+) v\S+$`).FindAllSubmatch(mod, -1) // without those that are indirect
	if len(required) == 0 {
		t.Fatal("go.mod requires nothing")
	}
	for _, m := range required {
		name := string(m[1])
		short := path.Base(version.ReplaceAllString(name, ""))
		if strings.HasPrefix(name, "golang.org/x/") {
			short = name
		}
		if !named(short) {
			t.Errorf("ARCHITECTURE.md does not say why we import %s", name)
		}
	}
}

// room is the room of a package: its top folder, or a room within another.
func room(path string) string {
	if _, own := arrows[path]; own {
		return path
	}
	name, _, _ := strings.Cut(path, "/")
	return name
}
