package world

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
)

// Every type with the method of events is in the list of all events, once, in the form in which it is told.
func TestEventsAreAll(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var declared []string
	for _, name := range files {
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || m.Name.Name != "event" {
				continue
			}
			switch r := m.Recv.List[0].Type.(type) {
			case *ast.StarExpr:
				declared = append(declared, "*world."+r.X.(*ast.Ident).Name)
			case *ast.Ident:
				declared = append(declared, "world."+r.Name)
			}
		}
	}
	var listed []string
	for _, e := range Events() {
		listed = append(listed, reflect.TypeOf(e).String())
	}
	slices.Sort(declared)
	slices.Sort(listed)
	if !slices.Equal(declared, listed) {
		t.Errorf("declared %q, listed %q", declared, listed)
	}
}
