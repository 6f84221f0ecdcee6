package api

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"sphereserver/data"
)

// TestThePagesOfDocumentationNameEveryRouteAndMetric keeps docs/admin.md and docs/admin.ru.md true.
func TestThePagesOfDocumentationNameEveryRouteAndMetric(t *testing.T) {
	g := newStage(t, nil)
	families, err := newRegistry(g.api).Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range []string{"admin.md", "admin.ru.md"} {
		text, err := os.ReadFile("../../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		for i := range routes {
			r := &routes[i]
			path := strings.TrimSuffix(r.path, "{$}")
			role := " | " + r.need.String() + " |"
			if r.need == data.Player {
				role = " | |"
			}
			if !strings.Contains(string(text), "| `"+r.method+" "+path+"`"+role) && !strings.HasPrefix(path, "/debug/pprof/") || !strings.Contains(string(text), path) {
				t.Errorf("%s does not have %s %s for %s", page, r.method, path, r.need)
			}
		}
		for _, row := range regexp.MustCompile("(?m)^\\| `(GET|POST|DELETE) ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
			known := false
			for i := range routes {
				known = known || routes[i].method == row[1] && strings.TrimSuffix(routes[i].path, "{$}") == row[2]
			}
			if !known {
				t.Errorf("%s has %s %s, which there is not", page, row[1], row[2])
			}
		}
		for _, f := range families {
			if name := f.GetName(); strings.HasPrefix(name, "sphere_") && !regexp.MustCompile("\\| `"+name+"[`{]").Match(text) {
				t.Errorf("%s does not have the metric %s", page, name)
			}
		}
	}
}
