package main

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mostUp is the share of arrows between the files of a package that may go up.
const mostUp = 0.10

// Files of a package stand on floors: in the order that suits them best, few of the arrows between them go up. An arrow
// leads from a file to another one of which it calls functions or methods; calls through an interface lead to the file
// of the interface.
func TestCallsBetweenFilesGoDown(t *testing.T) {
	packages := packagesOf(t, "sphereserver/world", "sphereserver/server/view")
	for _, path := range []string{"sphereserver/world", "sphereserver/server/view"} {
		calls := packages.calls(t, path)
		order := floors(calls)
		total, up := 0, []string{}
		for from, caller := range order {
			for to, callee := range order {
				n := calls[caller][callee]
				if n > 0 && from != to {
					total++
				}
				if n > 0 && to < from {
					up = append(up, fmt.Sprintf("%s calls %s (%d)", caller, callee, n))
				}
			}
		}
		share := float64(len(up)) / float64(total)
		t.Logf("%s: %d of %d arrows between %d files go up, %.1f %%:\n%s", path, len(up), total, len(order), 100*share,
			strings.Join(up, "\n"))
		if share >= mostUp {
			t.Errorf("%s: expected less than %.0f %%", path, 100*mostUp)
		}
	}
}

// packageList is where the sources of packages are, and what the compiler has made of all that they import.
type packageList struct{ sources, exports map[string]string }

func packagesOf(t *testing.T, paths ...string) packageList {
	t.Helper()
	list := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}"},
		paths...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	l := packageList{map[string]string{}, map[string]string{}}
	for line := range strings.Lines(string(out)) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		l.exports[cells[0]], l.sources[cells[0]] = cells[1], cells[2]
	}
	return l
}

// calls counts the calls from each file of a package to each.
func (l packageList) calls(t *testing.T, path string) map[string]map[string]int {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(l.sources[path], "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset, counts := token.NewFileSet(), map[string]map[string]int{}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files, counts[filepath.Base(name)] = append(files, f), map[string]int{}
	}
	conf := types.Config{Importer: importer.ForCompiler(fset, "gc", func(of string) (io.ReadCloser, error) {
		return os.Open(l.exports[of])
	})}
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	pkg, err := conf.Check(path, fset, files, &info)
	if err != nil {
		t.Fatal(err)
	}
	fileOf := func(p token.Pos) string { return filepath.Base(fset.File(p).Name()) }
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, is := n.(*ast.CallExpr); is {
				if callee, is := called(&info, call.Fun); is && callee.Pkg() == pkg {
					counts[fileOf(f.Package)][fileOf(callee.Origin().Pos())]++
				}
			}
			return true
		})
	}
	return counts
}

// called is the function or method that a call names.
func called(info *types.Info, fun ast.Expr) (*types.Func, bool) {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		callee, is := info.Uses[f].(*types.Func)
		return callee, is
	case *ast.SelectorExpr:
		callee, is := info.Uses[f.Sel].(*types.Func)
		return callee, is
	case *ast.IndexExpr:
		return called(info, f.X)
	}
	return nil, false
}

// floors returns the files from the highest to the lowest, in an order in which few arrows go up: each file is moved to
// where it has the fewest, until none can be moved with a gain.
func floors(calls map[string]map[string]int) []string {
	order := slices.Sorted(maps.Keys(calls))
	leads := func(a, b string) int { return min(calls[a][b], 1) }
	for moved := true; moved; {
		moved = false
		for _, file := range slices.Clone(order) {
			at := slices.Index(order, file)
			rest := slices.Delete(slices.Clone(order), at, at+1)
			up := 0 // of the arrows of the file, if it is the highest: those that lead to it
			for _, other := range rest {
				up += leads(other, file)
			}
			here, best, least := up, 0, up
			for i, other := range rest { // below one more
				up += leads(file, other) - leads(other, file)
				if i+1 == at {
					here = up
				}
				if up < least {
					best, least = i+1, up
				}
			}
			if least < here {
				order, moved = slices.Insert(rest, best, file), true
			}
		}
	}
	return order
}
