package main

import (
	"slices"
	"testing"
	"time"

	"sphereserver/server/config"
	"sphereserver/server/query"
	"sphereserver/world"
)

// Rules that an operator adds are told beside the usual ones, and change while the server runs.
func TestRulesForServerBrowsers(t *testing.T) {
	snapshot := &world.Snapshot{At: time.Now()}
	b := &browserSource{Game: query.Game{World: func() *world.Snapshot { return snapshot }}}
	s := config.Defaults()
	for _, rules := range [][]string{nil, {"site=https://sphere.example/?a=b", " tags = pvp "}, {"language=ru"}} {
		s.BrowserRules = rules
		b.change(s)
		want := []query.Rule{{Key: "site", Value: "https://sphere.example/?a=b"}, {Key: "tags", Value: "pvp"}}
		switch len(rules) {
		case 0:
			want = nil
		case 1:
			want = []query.Rule{{Key: "language", Value: "ru"}}
		}
		for range 2 { // the kept rules of a snapshot do not grow
			got := b.Info().Rules
			if got[0].Key != "uptime" || !slices.Equal(got[1:], want) {
				t.Errorf("of %q is told %v", rules, got)
			}
		}
	}
}
