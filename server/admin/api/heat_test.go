package api

import (
	"fmt"
	"net/http"
	"reflect"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/server/game"
	"sphereserver/world"
)

// noon is a time at which a span of heat begins.
var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// hot is the answer of heat for an area at a time.
func hot(h *heat, now time.Time, area int, of string, hours int) *heatAnswer {
	return h.answer(now, heatQuestion{area, map[string]int{"players": 0, "deaths": 1, "kills": 2, "money": 3}[of], hours})
}

func given(all ...game.Mark) func([]game.Mark) []game.Mark {
	return func(into []game.Mark) []game.Mark { return append(into[:0], all...) }
}

func TestHeatIsCountedByCells(t *testing.T) {
	h := newHeat(noon)
	ground := func(x, z float32) coords.Position { return coords.Position{X: x, Y: 155, Z: z} }
	haron, nowhere := coords.Position{X: 5, Y: 405, Z: 5}, coords.Position{Y: 6000}
	for i := range 3 {
		h.look(noon.Add(time.Duration(i)*time.Minute), []world.PlayerView{{Position: ground(0, 0)},
			{Position: ground(31.9, 31.9)}, {Position: ground(-0.1, 64)}, {Position: haron}, {Position: nowhere}}, 10*time.Second,
			given(game.Mark{Of: game.KillMark, At: ground(100, 100), Amount: 1},
				game.Mark{Of: game.DeathMark, At: ground(100, -100), Amount: 1},
				game.Mark{Of: game.MoneyMark, At: ground(100, 100), Amount: 50}))
	}
	now := noon.Add(3 * time.Minute)
	for _, c := range []struct {
		area int
		of   string
		want string
	}{
		{0, "players", "[[-1 2 30] [0 0 60]]"},
		{1, "players", "[[0 0 30]]"},
		{0, "kills", "[[3 3 3]]"},
		{0, "deaths", "[[3 -4 3]]"},
		{0, "money", "[[3 3 150]]"},
		{1, "money", "[]"},
	} {
		if a := hot(h, now, c.area, c.of, 1); fmt.Sprint(a.Cells) != c.want || a.Cell != 32 || !a.Since.Equal(noon) {
			t.Errorf("%d, %s: %+v, expected %s", c.area, c.of, a, c.want)
		}
	}
	if most := hot(h, now, 0, "players", 1).Most; most != 60 {
		t.Errorf("the greatest is %d", most)
	}
}

func TestHeatGrowsOld(t *testing.T) {
	h := newHeat(noon)
	die := game.Mark{Of: game.DeathMark, At: coords.Position{X: 5, Y: 155, Z: 5}, Amount: 1}
	for i := range 30 * 3 {
		h.look(noon.Add(time.Duration(i)*heatSpan), nil, 0, given(die))
	}
	now := noon.Add(30*time.Hour - time.Minute)
	for hours, want := range map[int]int64{1: 4, 6: 19, 24: 73} {
		a := hot(h, now, 0, "deaths", hours)
		if a.Most != want || now.Sub(a.Since) < time.Duration(hours)*time.Hour ||
			now.Sub(a.Since) >= time.Duration(hours)*time.Hour+heatSpan {
			t.Errorf("%d h: %+v, expected %d", hours, a, want)
		}
	}
	if len(h.spans) > 74 {
		t.Errorf("%d spans are kept", len(h.spans))
	}
	// After a day in which nothing happens nothing is left.
	now = now.Add(25 * time.Hour)
	h.look(now, nil, 0, given())
	if a := hot(h, now, 0, "deaths", 24); len(a.Cells) > 0 || len(h.spans) > 0 || h.cells != 0 {
		t.Errorf("%+v, %d spans, %d cells", a, len(h.spans), h.cells)
	}
}

func TestHeatIsBounded(t *testing.T) {
	h := newHeat(noon)
	h.most = 10
	at := func(i int) coords.Position { return coords.Position{X: float32(i) * heatCell, Y: 155} }
	kills := func(from, n int) (all []game.Mark) {
		for i := range n {
			all = append(all, game.Mark{Of: game.KillMark, At: at(from + i), Amount: 1})
		}
		return all
	}
	h.look(noon, nil, 0, given(kills(0, 6)...))
	h.look(noon.Add(heatSpan), nil, 0, given(kills(100, 6)...))
	a := hot(h, noon.Add(heatSpan), 0, "kills", 24)
	if len(a.Cells) != 6 || a.Cells[0][0] != 100 || !a.Since.Equal(noon.Add(heatSpan)) || h.cells != 6 {
		t.Errorf("%+v, %d cells", a, h.cells)
	}
	// Events of a span without room are not counted, and those with room are.
	h.look(noon.Add(heatSpan), nil, 0, given(kills(100, 40)...))
	a = hot(h, noon.Add(heatSpan), 0, "kills", 24)
	if len(a.Cells) != 10 || a.Cells[0] != [3]int64{100, 0, 2} || h.cells != 10 {
		t.Errorf("%+v, %d cells", a, h.cells)
	}
	for hours := range heatHours {
		for of := range heatKinds {
			h.answer(noon, heatQuestion{0, of, hours + 1})
		}
	}
	if len(h.answers) > heatAnswers {
		t.Errorf("%d answers are kept", len(h.answers))
	}
}

func TestHeatOfTheMap(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		helper := g.as(data.Helper)
		g.api.meter.heat.look(time.Now(), nil, 0,
			given(game.Mark{Of: game.DeathMark, At: coords.Position{X: 65, Y: 155}, Amount: 2}))
		var a heatAnswer
		helper.want(http.StatusOK, helper.send("GET", "/api/heat?area=hyperion&of=deaths&hours=6", nil), &a)
		if !reflect.DeepEqual(a.Cells, [][3]int64{{2, 0, 2}}) || a.Most != 2 || a.Cell != 32 || a.Since.IsZero() {
			t.Errorf("%+v", a)
		}
		for query, want := range map[string]int{
			"area=hyperion&of=deaths": 200, "area=rodos&of=money&hours=24": 200,
			"area=atlantis&of=deaths": 404, "of=deaths": 404, "area=%00%ff&of=kills": 400,
			"area=hyperion": 400, "area=hyperion&of=gold": 400, "area=hyperion&of=players,kills": 400,
			"area=hyperion&of=kills&hours=0": 400, "area=hyperion&of=kills&hours=25": 400, "area=hyperion&of=kills&hours=-1": 400,
			"area=hyperion&of=kills&hours=1e9": 400, "area=hyperion&of=kills&cell=1": 400,
		} {
			if got := helper.send("GET", "/api/heat?"+query, nil); got.status != want {
				t.Errorf("%s: status %d, %s; expected %d", query, got.status, got.body, want)
			}
		}
		if a := g.stranger().send("GET", "/api/heat?area=hyperion&of=deaths", nil); a.status != http.StatusUnauthorized {
			t.Errorf("a stranger gets %d", a.status)
		}
	})
}

// Events of the world are counted at their places: a player that dies there is a mark that the meter finds.
func TestMarksOfTheWorldAreTaken(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna")
		h := newHeat(noon)
		players := awaited(t, func() []world.PlayerView { return g.game.World().Players }, func(all []world.PlayerView) bool {
			return len(all) == 1
		})
		h.look(noon, players, meterStep, g.game.TakeMarks)
		y := players[0].Position.Y
		area := areaIndex(func(a content.Area) bool { return y >= a.From && y < a.Below })
		if a := hot(h, noon, area, "players", 1); len(a.Cells) != 1 || a.Most != 10 {
			t.Errorf("%+v", a)
		}
	})
}
