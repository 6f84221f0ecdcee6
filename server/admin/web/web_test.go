package web

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
)

func TestThereIsAlwaysAPage(t *testing.T) {
	page, built := Page()
	text, err := fs.ReadFile(page, "index.html")
	if err != nil || !strings.Contains(strings.ToLower(string(text)), "<!doctype html>") {
		t.Errorf("%v, %.100q; expected a page (built: %v)", err, text, built)
	}
}

func TestAServerThatWasBuiltWithoutThePageSaysHowToBuildIt(t *testing.T) {
	text, err := fs.ReadFile(missing{}, "index.html")
	if err != nil || !strings.Contains(string(text), "make web") {
		t.Errorf("%v, %q; expected how to build the page", err, text)
	}
	for _, name := range []string{"dist-missing.html", "web.go", "assets/x.js", "."} {
		if _, err := fs.ReadFile(missing{}, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v, expected that there is none", name, err)
		}
	}
}
