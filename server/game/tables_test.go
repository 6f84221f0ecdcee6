package game

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// named lists the matches of a pattern in the sources of a package, tests left out.
func named(t *testing.T, dir, pattern string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(text, -1) {
			names[string(m[1])] = true
		}
	}
	return names
}

// expectRows compares existing rows with those of a table.
func expectRows[V any](t *testing.T, there map[string]bool, table map[reflect.Type]V) {
	t.Helper()
	if len(there) < 40 {
		t.Fatalf("found only %d: the pattern does not fit the source any more", len(there))
	}
	for of := range table {
		name := of.Name()
		if of.Kind() == reflect.Pointer {
			name = of.Elem().Name()
		}
		if !there[name] {
			t.Errorf("the table has %v, which is not in the source", of)
		}
		delete(there, name)
	}
	for name := range there {
		t.Errorf("%s has no row: say in the table what is done with it, or that nothing is", name)
	}
}

func TestEveryEventHasARow(t *testing.T) {
	t.Parallel()
	expectRows(t, named(t, "../../world", `(?m)^func \((?:\w+ )?\*?(\w+)\) event\(\)`), onEvent)
}

func TestEveryClientCommandHasARow(t *testing.T) {
	t.Parallel()
	expectRows(t, named(t, "../../packets", `(?:fromClient|eitherWay)\(&\w+, \d+,\s+func\((?:\w+ )?\*(\w+)`), onCommand)
}
