package query

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/coords"
	"sphereserver/world"
)

func TestMapIsTheContinent(t *testing.T) {
	for _, v := range []struct {
		y    float32
		want string
	}{
		{157.8, "Hyperion"}, {153.3, "Hyperion"}, {402.8, "Haron"}, {-104.5, "Phoebe"}, {-108.8, "Phoebe"}, {-340, "Rodos"},
		{-356, "Rodos"},
		{1099, ""}, {1700, ""}, {4501.6, ""},
	} {
		start := coords.Position{X: 100, Y: v.y, Z: -100}
		g := &Game{Start: start, World: func() *world.Snapshot { return new(world.Snapshot) }}
		if got := g.Info().Map; got != v.want {
			t.Errorf("y %v: %q, want %q", v.y, got, v.want)
		}
	}
}

func TestGameTellsOfTheWorld(t *testing.T) {
	started := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	snapshot := &world.Snapshot{}
	g := &Game{Name: "Сфера", Version: "0.1", Slots: 100, Port: 25860, Started: started,
		Start: coords.Position{X: 2614, Y: 157.8, Z: 1293},
		Rules: []Rule{{"language", "ru"}}, World: func() *world.Snapshot { return snapshot }}
	if i := g.Info(); !i.ready() || i.Map != "Hyperion" || len(i.Players) != 0 || i.Uptime <= 0 {
		t.Errorf("before the first tick: %+v", i)
	}
	snapshot = &world.Snapshot{At: started.Add(time.Hour), Players: []world.PlayerView{
		{ID: 1, Name: "Вася", Account: "secret", Title: 74, Position: coords.Position{Y: -340},
			Entered: started.Add(30 * time.Minute)},
		{ID: 2, Name: "Петя", Position: coords.Position{Y: 155}, Entered: started.Add(2 * time.Hour)},
		{ID: 3, Name: "Женя", Position: coords.Position{Y: 4500}, Entered: started},
	}}
	want := Info{Name: "Сфера", Version: "0.1", Map: "Hyperion, Rodos", Slots: 100, Port: 25860, Uptime: time.Hour,
		Players: []Player{{"Вася", 75, 30 * time.Minute}, {"Петя", 1, 0}, {"Женя", 1, time.Hour}},
		Rules:   []Rule{{"uptime", "3600"}, {"language", "ru"}}}
	got := g.Info()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if again := g.Info(); &again.Players[0] != &got.Players[0] {
		t.Error("one snapshot was described twice")
	}
	if n := testing.AllocsPerRun(100, func() { g.Info() }); n != 0 {
		t.Errorf("%v allocations to tell what is known", n)
	}
}
