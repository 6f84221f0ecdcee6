package public

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestTilesAreDrawnSeldomAndShownToAll(t *testing.T) {
	g := &scene{}
	s := g.serve(t, nil)
	now := time.Now()
	s.pictures.now = func() time.Time { return now }
	n := 0
	show := func(path string) (status int) {
		n++ // each visitor asks once
		return ask(s, path, from(fmt.Sprintf("10.0.%d.%d:1", n/256, n%256))).Code
	}
	const first = "/api/map/tiles/light/hyperion/2/0/-1"
	for range 100 {
		if status := show(first); status != http.StatusOK {
			t.Fatalf("status %d", status)
		}
	}
	let := 0
	for i := range 2 * drawnAtOnce {
		switch status := show(fmt.Sprintf("/api/map/tiles/dark/hyperion/2/%d/-1", i)); status {
		case http.StatusOK:
			let++
		case http.StatusServiceUnavailable:
		default:
			t.Fatalf("status %d", status)
		}
	}
	if let != drawnAtOnce-1 {
		t.Errorf("%d tiles more were drawn at once, expected %d", let, drawnAtOnce-1)
	}
	if status := show(first); status != http.StatusOK {
		t.Errorf("what was drawn already: status %d", status)
	}
	now = now.Add(time.Second)
	if status := show("/api/map/tiles/dark/hyperion/2/-3/-1"); status != http.StatusOK {
		t.Errorf("a second later: status %d", status)
	}
	w := ask(s, first)
	if tag := w.Header().Get("ETag"); ask(s, first, header("If-None-Match", tag)).Code != http.StatusNotModified ||
		w.Header().Get("Content-Type") != "image/png" || !strings.HasPrefix(w.Header().Get("Cache-Control"), "public, ") {
		t.Errorf("%v", w.Header())
	}
}

func TestTilesThatThereAreNot(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	for _, name := range []string{"", "light", "light/hyperion/2/0", "light/hyperion/2/0/0/0", "grey/hyperion/2/0/0",
		"light/nowhere/2/0/0", "light/hyperion/99/0/0", "light/hyperion/2/NaN/0", "light/hyperion/2/+1/0",
		"light/hyperion/2/9999999999999999999/0", "light/hyperion/2/9999/0", "light/hyperion/2/0/0.png", "//hyperion/2/0/0",
		"light/../../2/0/0"} {
		if w := ask(s, tilePath+name); w.Code != http.StatusNotFound {
			t.Errorf("%s: status %d", name, w.Code)
		}
	}
	if w := ask(s, tilePath+"light/hyperion/2/0/0", func(r *http.Request) { r.Method = "POST" }); w.Code != 405 {
		t.Errorf("POST: status %d", w.Code)
	}
}

func TestTilesThatCannotBeDrawnSayNotWhy(t *testing.T) {
	g := &scene{broken: errors.New("the disk is gone, /var/secret")}
	w := ask(g.serve(t, nil), tilePath+"light/hyperion/2/0/0")
	if w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("status %d, %s", w.Code, w.Body)
	}
}
