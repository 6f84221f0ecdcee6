package web

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
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

func TestThePlayersPageHasWhatItNeedsAndNoMore(t *testing.T) {
	all := Public()
	if text := strings.ToLower(string(all[PublicPage])); !strings.Contains(text, "<!doctype html>") {
		t.Fatalf("%.100q, expected a page", text)
	}
	if _, built := Page(); !built {
		return
	}
	for name, body := range all {
		if path.Dir(name) == "assets" && strings.Contains(string(body), "X-CSRF-Token") {
			t.Errorf("%s has the administrators' requests", name)
		}
		if path.Dir(name) == "assets" && strings.Contains(string(body), "deleteAccountExplains") {
			t.Errorf("%s has the administrators' words", name)
		}
		if path.Ext(name) != ".html" {
			continue
		}
		for _, part := range strings.Split(string(body), `"./`)[1:] {
			part, _, _ = strings.Cut(part, `"`)
			if all[part] == nil {
				t.Errorf("%s needs %s, which is not there", name, part)
			}
		}
	}
}

func TestTheManifestSaysWhatAPageNeeds(t *testing.T) {
	built := func(manifest string) fs.FS {
		return fstest.MapFS{".vite/manifest.json": {Data: []byte(manifest)}}
	}
	names := needed(built(`{"public.html": {"file": "assets/p.js", "css": ["assets/p.css"], "imports": ["_s.js"]},
		"_s.js": {"file": "assets/s.js", "imports": ["public.html"], "dynamicImports": ["_gone.js"]},
		"index.html": {"file": "assets/i.js"}}`), PublicPage)
	if !slices.Equal(names, []string{"assets/p.js", "assets/p.css", "assets/s.js"}) {
		t.Errorf("it needs %v", names)
	}
	for _, wrong := range []string{"", "{", "[]", `{"public.html": 5}`, "{}"} {
		if names := needed(built(wrong), PublicPage); len(names) > 0 {
			t.Errorf("%s: %v", wrong, names)
		}
	}
}
