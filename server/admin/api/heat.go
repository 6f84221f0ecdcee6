package api

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/game"
	"sphereserver/world"
)

const (
	heatCell    = 32 // metres along x and z of a cell
	heatSpan    = 20 * time.Minute
	heatHours   = 24
	heatCells   = 1 << 19 // of all times together; the oldest go when there are more
	heatAnswers = 32      // that are kept until something new is counted
)

// heatKinds are the kinds of heat, as requests name them.
var heatKinds = []string{"players", "deaths", "kills", "money"}

const ofPlayers = 0

// heatOf are the kinds of marks as kinds of heat.
var heatOf = map[game.MarkKind]int{game.DeathMark: 1, game.KillMark: 2, game.MoneyMark: 3}

// A heat counts, by cells of the ground, how long players were there, and the events there: in memory only, so that a
// restart begins from nothing.
type heat struct {
	mu      sync.Mutex
	began   time.Time
	spans   []heatTime // oldest first
	cells   int        // of all of them
	most    int        // cells; 0: heatCells
	answers map[heatQuestion]*heatAnswer
	marks   []game.Mark // memory for the next
}

// A heatTime has the counts from a time on.
type heatTime struct {
	from time.Time
	of   [4]map[heatPlace]int64
}

// A heatPlace is a cell.
type heatPlace struct {
	area int8 // index in content.Areas
	x, z int16
}

type heatQuestion struct {
	area, of, hours int
}

// heatAnswer is where it was hot.
type heatAnswer struct {
	Since time.Time `json:"since"` // when the counting began, at least as long ago as was asked for if possible
	Cell  int       `json:"cell"`  // metres along x and z
	Most  int64     `json:"most"`  // greatest amount of a cell
	// Of each cell: x and z of its corner in cells, and the amount: seconds of players, deaths, kills or coins.
	Cells [][3]int64 `json:"cells"`
}

// newHeat begins to count.
func newHeat(now time.Time) *heat {
	return &heat{began: now, answers: map[heatQuestion]*heatAnswer{}}
}

// look takes over the events since the last call, and the places of the players, for the time since then.
func (h *heat) look(
	now time.Time, players []world.PlayerView, lasted time.Duration, take func([]game.Mark) []game.Mark,
) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.marks = take(h.marks)
	for i := range players {
		h.add(now, ofPlayers, players[i].Position, int64(lasted/time.Second))
	}
	for i := range h.marks {
		m := &h.marks[i]
		h.add(now, heatOf[m.Of], m.At, m.Amount)
	}
	for len(h.spans) > 0 && now.Sub(h.spans[0].from) >= heatHours*time.Hour+heatSpan {
		h.forget()
	}
	clear(h.answers)
}

func (h *heat) add(now time.Time, of int, at coords.Position, amount int64) {
	area := areaIndex(func(a content.Area) bool { return at.Y >= a.From && at.Y < a.Below })
	if area < 0 || at.Check() != nil {
		return
	}
	from := now.Truncate(heatSpan)
	if n := len(h.spans); n == 0 || h.spans[n-1].from.Before(from) {
		t := heatTime{from: from}
		for i := range t.of {
			t.of[i] = map[heatPlace]int64{}
		}
		h.spans = append(h.spans, t)
	}
	cells := h.spans[len(h.spans)-1].of[of]
	place := heatPlace{int8(area), inCells(at.X), inCells(at.Z)}
	if _, known := cells[place]; !known {
		for most := cmp.Or(h.most, heatCells); h.cells >= most; {
			if len(h.spans) == 1 {
				return
			}
			h.forget()
		}
		h.cells++
	}
	cells[place] += amount
}

// forget drops the oldest.
func (h *heat) forget() {
	for _, cells := range h.spans[0].of {
		h.cells -= len(cells)
	}
	if h.spans = slices.Delete(h.spans, 0, 1); len(h.spans) > 0 {
		h.began = h.spans[0].from
	}
}

func inCells(metres float32) int16 { return int16(math.Floor(float64(metres) / heatCell)) }

// answer returns the counts of an area within so many hours.
func (h *heat) answer(now time.Time, q heatQuestion) *heatAnswer {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a := h.answers[q]; a != nil {
		return a
	}
	a := &heatAnswer{Since: h.began, Cell: heatCell, Cells: [][3]int64{}}
	begin := now.Add(-time.Duration(q.hours) * time.Hour).Truncate(heatSpan)
	if a.Since.Before(begin) {
		a.Since = begin
	}
	sum := map[heatPlace]int64{}
	for _, t := range h.spans {
		if t.from.Before(begin) {
			continue
		}
		for place, amount := range t.of[q.of] {
			if int(place.area) == q.area {
				sum[place] += amount
			}
		}
	}
	places := slices.SortedFunc(maps.Keys(sum), func(p, q heatPlace) int {
		return cmp.Or(cmp.Compare(p.x, q.x), cmp.Compare(p.z, q.z))
	})
	for _, p := range places {
		a.Cells = append(a.Cells, [3]int64{int64(p.x), int64(p.z), sum[p]})
		a.Most = max(a.Most, sum[p])
	}
	if len(h.answers) >= heatAnswers {
		clear(h.answers)
	}
	h.answers[q] = a
	return a
}

// areaIndex is the index of an area in content.Areas; -1 for none.
func areaIndex(is func(content.Area) bool) int { return slices.IndexFunc(content.Areas(), is) }

// heatMap answers where in an area players are, die, kill and get money.
func heatMap(s *Server, r *request) (any, error) {
	key := r.asked.text["area"]
	area := areaIndex(func(a content.Area) bool { return a.Key == key })
	if area < 0 {
		return nil, errNoSuch.with(key)
	}
	return s.meter.heat.answer(time.Now(), heatQuestion{area, slices.Index(heatKinds, r.asked.text["of"]),
		r.asked.number["hours"]}), nil
}
