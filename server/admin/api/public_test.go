package api

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/public"
)

// Nothing that administrators may ask for is behind the players' page, for any caller.
func TestThePlayersPageHasNoWayToTheAdministrators(t *testing.T) {
	g := newStage(t, nil)
	set := config.Defaults()
	set.Public = config.Public{Listen: "127.0.0.1:0", Names: true, PlayersOnMap: true, Top: true, Version: true}
	page, err := public.Listen(public.Options{Settings: &set, Game: g.game, Store: g.store, Maps: g.api.o.Maps,
		Log: g.log.Logger})
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close(context.Background())
	page.Ready()
	b := g.as(data.Administrator)
	secret := b.http.Jar.Cookies(must(http.NewRequest("GET", g.url, nil)).URL)[0]
	g.url = "http://" + page.Addr().String()
	shared := []string{"/api/status", "/api/map"} // by name alone
	n := 0
	for _, r := range slices.Concat(routes, verbRoutes) {
		path := strings.NewReplacer("{id}", "1", "{name}", "heap", "{file}", "x", "{$}", "").Replace(r.path)
		for _, method := range []string{"GET", "POST", "DELETE"} {
			n++
			a := b.send(method, path, nil, func(q *http.Request) {
				q.AddCookie(secret)
				q.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n%256)) // nobody may ask so often
			})
			want := http.StatusMethodNotAllowed
			switch {
			case method != "GET":
			case slices.Contains(shared, path):
				want = http.StatusOK
				if text := string(a.body); strings.Contains(text, "listeners") || strings.Contains(text, "goroutines") {
					t.Errorf("%s tells what only operators may know: %s", path, a.body)
				}
			default:
				want = http.StatusNotFound
			}
			if a.status != want || a.header.Get("Set-Cookie") != "" {
				t.Errorf("%s %s: status %d, expected %d", method, path, a.status, want)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d requests", n)
	}
}
