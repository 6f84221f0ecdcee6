package ground

import (
	"math"
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A country is a land made up by functions.
type country struct {
	height func(x, z float32) float32
	water  float32
}

func (c country) Surface(at coords.Position) (s rules.Surface, known bool) {
	if !(at.X > -1000 && at.X < 1000 && at.Y < 1000) {
		return s, false
	}
	s.Height, s.Water = c.height(at.X, at.Z), c.water
	s.DX = c.height(at.X+0.5, at.Z) - c.height(at.X-0.5, at.Z)
	s.DZ = c.height(at.X, at.Z+0.5) - c.height(at.X, at.Z-0.5)
	return s, true
}

// valley is 150 m high, with a round lake of 24 m and a wall at x = 40 that has a gap.
var valley = country{water: 149, height: func(x, z float32) float32 {
	switch {
	case math.Hypot(float64(x), float64(z)) < 12:
		return 140
	case x > 38.5 && x < 41.5 && !(z > 20 && z < 26):
		return 160
	}
	return 150
}}

func over(land Land) *Ground {
	g := New(nil)
	g.LayOver(land)
	return g
}

func TestHeightIsThatOfTheLand(t *testing.T) {
	g := over(valley)
	expect(t, g, spot(20, 150.4, 3), nil, 150)
	expect(t, g, spot(20, 143, 3), nil, 150) // it comes up slowly
	expect(t, g, spot(20, 190, 3), nil, 150) // and nothing else is known
	expect(t, g, spot(3, 150, 3), nil, 149)  // swimming
	expect(t, g, spot(2000, 150, 3), nil, math.NaN())
	expect(t, g, spot(20, 1500, 3), nil, math.NaN())
	g.Learn(spot(20, 1500, 3))
	expect(t, g, spot(20, 1500, 3), nil, 1500)
}

func TestLearnedGroundIsALayerAboveTheLand(t *testing.T) {
	g := over(valley)
	for x := float32(-20); x <= 20; x++ { // a bridge over the lake
		g.Learn(spot(x, 154, 1))
	}
	g.Learn(spot(-5, 148, 31)) // steps down into a cellar
	g.Learn(spot(-5, 150.2, 35))
	expect(t, g, spot(3, 154, 1), nil, 154)
	expect(t, g, spot(3, 149.5, 1), nil, 149) // beneath it
	expect(t, g, spot(25, 154, 1), nil, 150)
	expect(t, g, spot(-5, 148.3, 31), nil, 148)
	expect(t, g, spot(-5, 150, 31), nil, 150)
	expect(t, g, spot(-5, 150.1, 35), nil, 150) // the land knows it better
	for i := range 10 {
		g.Learn(spot(3, 175+float32(i), 1)) // another one, far above
	}
	if y, _ := g.Height(spot(6, 176, 1), nil); y < 170 {
		t.Errorf("beside what was learned high above it is %v", y)
	}
}

// How deep water is through which monsters walk is a number of the balance, and counts when it is read again.
func TestMonstersWadeAsTheBalanceSays(t *testing.T) {
	g := over(country{water: 151, height: func(x, _ float32) float32 {
		if x > 0 {
			return 150
		}
		return 151
	}})
	shore, water := spot(-5, 151, 1), spot(5, 150, 1)
	b := rules.DefaultBalance().Mind
	for _, wade := range []float64{b.Wade, 0.9} {
		b.Wade = wade
		g.SetBalance(&b)
		walks := wade >= 1
		if got := g.Passes(shore, water); got != walks {
			t.Errorf("with %v m a monster goes into a metre of water: %t", wade, got)
		}
		if _, dry, known := g.Land(water); !known || dry != walks {
			t.Errorf("with %v m one can stand in a metre of water: %t", wade, dry)
		}
	}
}

func TestWaysLeadAroundWaterAndCliffs(t *testing.T) {
	g := over(valley)
	lead := func(from, to coords.Position) []coords.Position {
		t.Helper()
		way, tried := g.Way(from, to, make([]coords.Position, 0, 64))
		if !tried || len(way) == 0 {
			t.Fatalf("no way: %v, tried %v", way, tried)
		}
		at := from
		for _, p := range way {
			if s, _ := valley.Surface(p); g.deep(&s) || s.Height != 150 || at.Distance(p) > 3 {
				t.Errorf("the way leads from %v to %v", at, p)
			}
			if !g.Passes(at, p) {
				t.Errorf("nobody passes from %v to %v", at, p)
			}
			at = p
		}
		if at.Distance(to) > 2 {
			t.Errorf("it ends at %v", at)
		}
		return way
	}
	lead(spot(-17, 150, 1), spot(17, 150, 1))
	lead(spot(35, 150, 1), spot(45, 150, 1))
	if way, tried := g.Way(spot(-30, 150, 20), spot(30, 150, 20), nil); tried || len(way) > 0 {
		t.Errorf("straight over the land: %v, %v", way, tried)
	}
	if way, tried := g.Way(spot(17, 150, 1), spot(0, 149, 0), nil); tried || len(way) > 0 {
		t.Errorf("into the lake: %v, %v", way, tried)
	}
	g = over(country{water: 0, height: func(x, _ float32) float32 {
		if x > 39 {
			return 160
		}
		return 150
	}})
	if way, tried := g.Way(spot(35, 150, 1), spot(45, 160, 1), make([]coords.Position, 0, 64)); !tried || len(way) > 0 {
		t.Errorf("up a cliff without an end: %v, %v", way, tried)
	}
}

func TestABridgeIsAWay(t *testing.T) {
	g := over(valley)
	for x := float32(-15); x <= 15; x++ {
		g.Learn(spot(x, 151, 1))
	}
	if way, tried := g.Way(spot(-14, 151, 1), spot(14, 151, 1), nil); tried {
		t.Errorf("there is another way: %v", way)
	}
	if !g.Passes(spot(-13, 151, 1), spot(-11, 151, 1)) || !g.Passes(spot(5, 151, 1), spot(6, 151, 1)) {
		t.Error("nobody passes the bridge")
	}
}

func TestWhoPasses(t *testing.T) {
	g := over(valley)
	for _, c := range []struct {
		from, to coords.Position
		want     bool
	}{
		{spot(20, 150, 1), spot(21, 150, 1), true},
		{spot(13, 150, 0), spot(11, 150, 0), false},                             // into the lake
		{spot(3, 149, 0), spot(4, 149, 0), true},                                // swimming in it
		{spot(11, 149, 0), spot(13, 149, 0), true},                              // and comes out
		{spot(38, 150, 0), spot(40, 150, 0), false},                             // up the wall
		{spot(38.8, 160, 0), spot(38, 160, 0), true},                            // from a place where it is too steep
		{spot(38, 150, 23), spot(40, 150, 23), true},                            // through the gap
		{spot(5, 190, 0), spot(6, 190, 0), true},                                // on another storey
		{spot(3000, 150, 0), spot(3001, 150, 0), true},                          // where nothing is known
		{spot(20, 150, 1), coords.Position{X: float32(math.NaN()), Y: 3}, true}, // which is refused elsewhere
	} {
		if got := g.Passes(c.from, c.to); got != c.want {
			t.Errorf("from %v to %v: %v", c.from, c.to, got)
		}
	}
	if !New(nil).Passes(spot(13, 150, 0), spot(11, 150, 0)) {
		t.Error("nobody passes where no land is known")
	}
}

func TestFootings(t *testing.T) {
	g := over(valley)
	for _, c := range []struct {
		at   coords.Position
		want rules.Footing
	}{
		{spot(20, 150, 1), rules.OnFoot}, {spot(20, 152.9, 1), rules.OnFoot}, {spot(20, 153.1, 1), rules.AboveGround},
		{spot(20, 147.1, 1), rules.OnFoot}, {spot(20, 146.9, 1), rules.BelowGround}, {spot(0, 145, 0), rules.OnFoot},
		{spot(0, 149, 0), rules.OnFoot}, {spot(3000, 1, 0), rules.FootingUnknown},
	} {
		if got := g.Footing(c.at); got != c.want {
			t.Errorf("at %v: %v, expected %v", c.at, got, c.want)
		}
	}
	g.Learn(spot(20, 180, 1))
	if got := g.Footing(spot(20, 181, 1)); got != rules.OnFoot {
		t.Errorf("where somebody has walked: %v", got)
	}
	if got := New(nil).Footing(spot(20, 150, 1)); got != rules.FootingUnknown {
		t.Errorf("without a land: %v", got)
	}
}

func BenchmarkHeightOnLand(b *testing.B) {
	g := over(country{height: func(x, _ float32) float32 { return 150 }})
	at := spot(0, 150, 0)
	b.ReportAllocs()
	for b.Loop() {
		if at.X += 0.7; at.X > 60 {
			at.X = 0
		}
		g.Height(at, nil)
	}
}

func BenchmarkWayAroundALake(b *testing.B) {
	g := over(valley)
	room := make([]coords.Position, 0, 8)
	b.ReportAllocs()
	for b.Loop() {
		if way, tried := g.Way(spot(-17, 150, 1), spot(17, 150, 1), room); !tried || len(way) == 0 {
			b.Fatal("no way")
		}
	}
}

func TestLandIsKnownBelowAGuess(t *testing.T) {
	g := over(valley)
	g.Learn(spot(20, 190, 3)) // a tower
	for at, want := range map[coords.Position]struct {
		y   float32
		dry bool
	}{spot(20, 190, 3): {150, true}, spot(20, 20, 3): {150, true}, spot(3, 149, 3): {140, false}} {
		if y, dry, known := g.Land(at); y != want.y || dry != want.dry || !known {
			t.Errorf("at %v: %v, %v, %v", at, y, dry, known)
		}
	}
	for _, g := range []*Ground{g, New(nil)} {
		if _, _, known := g.Land(spot(2000, 150, 3)); known {
			t.Error("it is known where nothing is")
		}
	}
}
