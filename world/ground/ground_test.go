package ground

import (
	"math"
	"math/rand/v2"
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func spot(x, y, z float32) coords.Position { return coords.Position{X: x, Y: y, Z: z} }

// known is a cell that was given.
func given(x, z int32, y float32) rules.GroundCell { return rules.GroundCell{X: x, Z: z, Y: y} }

func expect(t *testing.T, g *Ground, at coords.Position, near *coords.Position, want float64) {
	t.Helper()
	y, known := g.Height(at, near)
	if known != !math.IsNaN(want) || known && math.Abs(float64(y)-want) > 0.01 {
		t.Errorf("at %v it is %v, %v, expected %v", at, y, known, want)
	}
}

func TestNearestKnownPlaceOfAnyHeight(t *testing.T) {
	g := New([]rules.GroundCell{given(10, 0, 120), given(4, 0, 180)})
	if g.Learn(spot(1, 100, 9)); !g.Learn(spot(1, 140, 9)) || g.Learn(spot(1.5, 140.2, 9)) {
		t.Error("another storey is fresh, and the same place is not")
	}
	for _, c := range []struct {
		at    coords.Position
		limit float64
		y     float32 // 0: none
		far   float64
	}{
		{spot(19, 160, 1), 30, 120, 2},
		{spot(14, 110, 1), 30, 180, 5},
		{spot(14, 110, 1), 4, 0, 4},
		{spot(1, 130, 9), 30, 140.1, 0},
		{spot(1, 90, 9), 30, 100, 0},
		{spot(-4000, 90, 9), 30, 0, 30},
		{spot(1, 1500, 9), 30, 0, 0}, // in a dungeon above it
	} {
		p, known := g.Nearest(c.at, c.limit)
		far := math.Hypot(float64(p.X-c.at.X), float64(p.Z-c.at.Z))
		if known != (c.y != 0) || known && (math.Abs(float64(p.Y-c.y)) > 0.01 || math.Abs(far-c.far) > 0.01) {
			t.Errorf("from %v it is %v, %v m away, %v", c.at, p, far, known)
		}
	}
}

// However the known places lie among tiles, the nearest one is found: it is that of a search through all of them.
func TestNearestKnownPlaceIsThatOfBruteForce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var all []rules.GroundCell
		for range r.IntN(20) {
			all = append(all, given(int32(r.IntN(200)-100), int32(r.IntN(200)-100), float32(100+r.IntN(50))))
		}
		g := New(all)
		at := spot(float32(400*r.Float64()-200), 120, float32(400*r.Float64()-200))
		limit := 5 + 40*r.Float64()
		nearest := limit
		for _, c := range all {
			nearest = min(nearest, math.Hypot(float64(2*float32(c.X)+1-at.X), float64(2*float32(c.Z)+1-at.Z))) // its middle
		}
		p, known := g.Nearest(at, limit)
		if far := math.Hypot(float64(p.X-at.X), float64(p.Z-at.Z)); known != (nearest < limit) || known && far != nearest {
			t.Fatalf("of %v the nearest to %v is %v m away, found %v, %v", all, at, nearest, far, known)
		}
	}
}

func TestLearnedHeightIsTheMeanOfSamplesThatAgree(t *testing.T) {
	for _, c := range []struct {
		samples []float32
		want    float64
	}{
		{[]float32{150}, 150},
		{[]float32{150, 150.2}, 150.1},
		{[]float32{150, 150.2, 150.4, 150.5}, 150.275},
		{[]float32{150, 150.1, 151.5, 150.2}, 150.1},        // a jump
		{[]float32{151.5, 150.1}, 150.1},                    // of two that differ the lower
		{[]float32{150, 150, 150, 150, 151, 151, 151}, 151}, // the last four count
	} {
		g := New(nil)
		for _, y := range c.samples {
			g.Learn(spot(-3, y, 5))
		}
		expect(t, g, spot(-2.1, 150, 4.1), nil, c.want)
	}
}

func TestHeightsDoNotDrift(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	g, last := New(nil), [samples]float32{}
	for i := range 10_000 {
		last[i%samples] = 150 + 0.5*r.Float32()
		g.Learn(spot(1, last[i%samples], 1))
	}
	expect(t, g, spot(1, 150, 1), nil, float64(last[0]+last[1]+last[2]+last[3])/samples)
}

func TestStoreysAreApart(t *testing.T) {
	g := New(nil)
	for _, y := range []float32{10, 14, 30, 50, 70} { // the fifth has no room
		g.Learn(spot(1, y, 1))
	}
	if g.known != 4 {
		t.Errorf("%d storeys", g.known)
	}
	for _, c := range []struct{ y, want float64 }{{9, 10}, {11.9, 10}, {12.1, 14}, {29, 30}, {52, 50}, {40, math.NaN()}} {
		y, known := g.at(0, 0, float32(c.y))
		if known != !math.IsNaN(c.want) || known && y != float32(c.want) {
			t.Errorf("near %v it is %v, %v", c.y, y, known)
		}
	}
}

// byAll is the guess from a list of cells, looked at one after the other.
func byAll(cells []rules.GroundCell, at coords.Position) float64 {
	var u guess
	g := New(nil)
	for _, c := range cells {
		dx, dz := (float64(c.X)+0.5)*size-float64(at.X), (float64(c.Z)+0.5)*size-float64(at.Z)
		far := math.Hypot(dx, dz)
		if far <= radius*size && g.sameStorey(float64(c.Y-at.Y), far) {
			u.put(dx*dx+dz*dz, float64(c.Y))
		}
	}
	sum, weights := 0.0, 0.0
	for i := range u.n {
		sum += u.y[i] / max(u.d2[i], 0.25)
		weights += 1 / max(u.d2[i], 0.25)
	}
	return sum / weights
}

func TestGuessIsFromTheNearestSix(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{1, 3, 20, 300, 4000} {
		var cells []rules.GroundCell
		taken := map[[2]int32]bool{}
		for range n {
			c := given(int32(r.IntN(160)-80), int32(r.IntN(160)-80), 150+5*r.Float32())
			if !taken[[2]int32{c.X, c.Z}] {
				taken[[2]int32{c.X, c.Z}] = true
				cells = append(cells, c)
			}
		}
		g := New(cells)
		for range 300 {
			at := spot(400*r.Float32()-200, 152, 400*r.Float32()-200)
			if x, z := square(at); taken[[2]int32{x, z}] {
				continue
			}
			expect(t, g, at, nil, byAll(cells, at))
		}
	}
}

func TestGuessFromOneNeighbour(t *testing.T) {
	expect(t, New(nil), spot(0, 150, 0), nil, math.NaN())
	near := spot(10, 152, 0)
	expect(t, New(nil), spot(0, 150, 0), &near, 152)
	far := spot(61, 152, 0)
	expect(t, New(nil), spot(0, 150, 0), &far, math.NaN())
	above := spot(2, 155, 0)
	expect(t, New(nil), spot(0, 150, 0), &above, math.NaN())
	g := New([]rules.GroundCell{given(-6, 0, 148)}) // its middle is 11 m away, and near counts as 9 m
	at := spot(0, 150, 1)
	near = spot(10, 152, 1)
	expect(t, g, at, &near, (148.0/121+152.0/81)/(1.0/121+1.0/81))
}

func TestLearnedIsHandedOverOnce(t *testing.T) {
	g := New([]rules.GroundCell{given(5, 5, 100)})
	g.Mark(spot(1, 50, 1))
	if n := len(g.Learned()); n != 0 {
		t.Fatalf("%d were learned of what was given", n)
	}
	g.Learn(spot(1, 50.05, 1))
	g.Learn(spot(11, 100.05, 11))
	g.Learn(spot(21, 70, -21))
	g.Learn(spot(21, 71, -21))
	g.Learn(spot(21, 90, -21))
	got := g.Learned()
	want := []rules.GroundCell{{X: 0, Z: 0, Y: 50.05}, {X: 10, Z: -11, Y: 70}, {X: 10, Z: -11, Storey: 1, Y: 90}}
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%v, expected %v", got[i], want[i])
		}
	}
	g.Learn(spot(21, 70.05, -21))
	if got := g.Learned(); len(got) != 0 {
		t.Errorf("%v again", got)
	}
	again := New(want)
	expect(t, again, spot(21, 89, -21), nil, 90)
	expect(t, again, spot(21, 72, -21), nil, 70)
	for i := range 3 * batch {
		g.Learn(spot(1000+2*float32(i), 10, 0))
	}
	if a, b, c, d := len(g.Learned()), len(g.Learned()), len(g.Learned()), len(g.Learned()); a != batch || b != batch ||
		c != batch || d != 0 {
		t.Errorf("batches of %d, %d, %d, %d", a, b, c, d)
	}
}

func TestLearningWhatIsNoPlace(t *testing.T) {
	g := New(nil)
	g.Learn(spot(float32(math.NaN()), 0, 0))
	g.Learn(spot(0, float32(math.Inf(1)), 0))
	if g.known != 0 {
		t.Error("a place that is none was learned")
	}
}

// field is a ground known in a rectangle, but where there is a wall.
func field(wall func(x, z int32) bool, height func(x, z int32) float32) *Ground {
	g := New(nil)
	for x := int32(-20); x < 20; x++ {
		for z := int32(-20); z < 20; z++ {
			if !wall(x, z) {
				g.give(given(x, z, height(x, z)))
			}
		}
	}
	return g
}

func level(int32, int32) float32 { return 150 }

func TestWayGoesAroundWhatIsNotKnown(t *testing.T) {
	g := field(func(x, z int32) bool { return x == 0 && z > -4 && z < 12 }, level)
	from, to := spot(-5, 150, 1), spot(7, 150, 1)
	way, tried := g.Way(from, to, make([]coords.Position, 0, 40))
	if !tried || len(way) == 0 {
		t.Fatal("no way")
	}
	at := from
	for _, next := range way {
		if _, known := g.at(int32(math.Floor(float64(next.X)/2)), int32(math.Floor(float64(next.Z)/2)), 150); !known {
			t.Errorf("it leads over %v, which is not known", next)
		}
		if d := at.Distance(next); d > 4.3 {
			t.Errorf("a step of %v m", d)
		}
		at = next
	}
	if d := at.Distance(to); d > 1.5 {
		t.Errorf("it ends %v m from where it should", d)
	}
	short, _ := g.Way(from, to, make([]coords.Position, 0, 3))
	if len(short) != 3 || short[0] != way[0] || short[2] != way[2] {
		t.Errorf("its beginning is %v, not %v", short, way[:3])
	}
}

func TestWayIsStraightWhereItCanBe(t *testing.T) {
	free := func(int32, int32) bool { return false }
	room := make([]coords.Position, 0, 8)
	for name, c := range map[string]struct {
		g        *Ground
		from, to coords.Position
	}{
		"level":           {field(free, level), spot(-9, 150, 3), spot(9, 150, -7)},
		"gentle":          {field(free, func(x, _ int32) float32 { return 150 + 2*float32(x) }), spot(-9, 140, 3), spot(9, 158, 3)},
		"from unknown":    {field(free, level), spot(-90, 150, 3), spot(9, 150, 3)},
		"to unknown":      {field(free, level), spot(-9, 150, 3), spot(90, 150, 3)},
		"another storey":  {field(free, level), spot(-9, 170, 3), spot(9, 150, 3)},
		"the same square": {field(free, level), spot(1, 150, 1), spot(0.5, 150, 1)},
	} {
		if way, tried := c.g.Way(c.from, c.to, room); len(way) > 0 || tried {
			t.Errorf("%s: %v, %v", name, way, tried)
		}
	}
	cliff := field(free, func(x, z int32) float32 {
		if x >= 0 && z < 10 {
			return 152.9
		}
		return 150
	})
	if _, tried := cliff.Way(spot(-5, 150, 1), spot(5, 152.9, 1), room); !tried {
		t.Error("a cliff is climbed straight")
	}
	closed := field(func(x, z int32) bool { return x == 0 }, level)
	if way, tried := closed.Way(spot(-5, 150, 1), spot(5, 150, 1), room); len(way) > 0 || !tried {
		t.Errorf("through a wall: %v", way)
	}
}

func TestAskingAllocatesNothing(t *testing.T) {
	g := field(func(x, z int32) bool { return x == 0 && z > -4 && z < 12 }, level)
	room := make([]coords.Position, 0, 8)
	at := spot(-5, 150, 1)
	if n := testing.AllocsPerRun(100, func() {
		g.Height(at, nil)
		g.Height(spot(60, 150, 1), nil)
		g.Way(at, spot(7, 150, 1), room)
		g.Learn(at)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// The chosen numbers count from when they are chosen.
func TestChosenNumbersCount(t *testing.T) {
	var cells []rules.GroundCell
	for x := range int32(20) {
		cells = append(cells, rules.GroundCell{X: x, Y: 1.5 * float32(x)})
	}
	for x := range int32(20) { // a way around, in two more rows
		cells = append(cells, rules.GroundCell{X: x, Z: 1, Y: 1.5 * float32(x)}, rules.GroundCell{X: x, Z: 2, Y: 1.5 * float32(x)})
	}
	g := New(cells)
	for _, c := range []struct {
		what   string
		change func(*rules.MindBalance)
		found  bool
	}{
		{"as it ships", func(*rules.MindBalance) {}, true},
		{"with few squares", func(b *rules.MindBalance) { b.WayCells = 5 }, false},
		{"where nothing may be as steep", func(b *rules.MindBalance) { b.Steepest = 0.5 }, false},
	} {
		b := rules.DefaultBalance().Mind
		c.change(&b)
		g.SetBalance(&b)
		if found := g.search.run(g, node{from: -1}, 15, 1, 22.5) >= 0; found != c.found {
			t.Errorf("%s a way is found: %v", c.what, found)
		}
	}
	g.SetBalance(&rules.MindBalance{GuessSlope: 0})
	if _, known := g.Height(spot(71, 0, 1), nil); known {
		t.Error("a height is guessed from another storey")
	}
	g.SetBalance(&rules.MindBalance{GuessSlope: 3})
	if _, known := g.Height(spot(71, 0, 1), nil); !known {
		t.Error("a height is not guessed")
	}
}
