package api

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// TestThePagesOfDocumentationNameEveryRouteAndMetric keeps docs/admin.md and docs/admin.ru.md true.
func TestThePagesOfDocumentationNameEveryRouteAndMetric(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
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
				if strings.HasPrefix(r.path, admin.VerbPath("")) {
					continue // they have a table of their own
				}
				path := strings.TrimSuffix(r.path, "{$}")
				role := " | " + r.least().String() + " |"
				if r.public {
					role = " | |"
				}
				if !strings.Contains(string(text), "| `"+r.method+" "+path+"`"+role) && !strings.HasPrefix(path,
					"/debug/pprof/") || !strings.Contains(string(text), path) {
					t.Errorf("%s does not have %s %s for %s", page, r.method, path, r.least())
				}
			}
			for _, row := range regexp.MustCompile("(?m)^\\| `(GET|POST|DELETE) ([^`]+)`").FindAllStringSubmatch(string(text),
				-1) {
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
	})
}

var updateDocs = flag.Bool("update-docs", false, "write the table of verbs in docs/admin.md and docs/admin.ru.md anew")

// TestDocumentationOfVerbs keeps the table of verbs.
func TestDocumentationOfVerbs(t *testing.T) {
	var table strings.Builder
	for _, v := range ops.Verbs() {
		var fields []string
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v.NewRequest()).Elem()) {
			if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" && len(f.Index) <= 2 {
				fields = append(fields, name)
			}
		}
		fmt.Fprintf(&table, "| `%s` | %v | %s |\n", strings.TrimPrefix(admin.VerbPath(v.Name()), "/api/verbs/"), v.Least(),
			strings.Join(fields, ", "))
	}
	for _, name := range []string{"admin.md", "admin.ru.md"} {
		path := "../../../docs/" + name
		page, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		const begin, end = "<!-- verbs: begin -->\n", "<!-- verbs: end -->"
		before, rest, ok := strings.Cut(string(page), begin)
		have, after, ok2 := strings.Cut(rest, end)
		if !ok || !ok2 {
			t.Fatalf("%s: expected %q and %q around the table", path, begin, end)
		}
		head := have[:strings.Index(have, "|---|---|---|\n")+len("|---|---|---|\n")]
		switch want := head + table.String(); {
		case want == have:
		case !*updateDocs:
			t.Errorf("%s is not what the verbs are; go test ./server/admin/api -run Documentation -update-docs writes it", path)
		default:
			if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
