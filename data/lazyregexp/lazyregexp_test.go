package lazyregexp_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A wrong pattern would be found when somebody needs it, and not when the program starts.
func TestEachPatternCompiles(t *testing.T) {
	found := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if text, is := patternOf(n); is {
				found++
				if _, err := regexp.Compile(text); err != nil {
					t.Errorf("%s: %v", path, err)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || found == 0 {
		t.Errorf("%d patterns; %v", found, err)
	}
}

// patternOf is the pattern of a call of Of: its literals, in their order.
func patternOf(n ast.Node) (text string, is bool) {
	call, is := n.(*ast.CallExpr)
	if !is {
		return "", false
	}
	of, is := call.Fun.(*ast.SelectorExpr)
	if !is || of.Sel.Name != "Of" {
		return "", false
	}
	if pkg, is := of.X.(*ast.Ident); !is || pkg.Name != "lazyregexp" {
		return "", false
	}
	ast.Inspect(call.Args[0], func(n ast.Node) bool {
		if l, is := n.(*ast.BasicLit); is {
			part, _ := strconv.Unquote(l.Value)
			text += part
		}
		return true
	})
	return text, true
}
