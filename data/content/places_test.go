package content

import (
	"math"
	"strings"
	"testing"

	"sphereserver/coords"
)

func TestEveryKindOfPlaceIsInTheTable(t *testing.T) {
	count := map[PlaceKind]int{}
	for _, p := range Places() {
		count[p.Kind]++
	}
	want := map[PlaceKind]int{PlaceCity: 8, PlaceStart: 1, PlaceWaking: 3, PlaceIsland: 1, PlaceArena: 1, PlaceToken: 1,
		PlaceCastle: 20,
		PlaceHall:   19, PlaceCastleDungeon: 17, PlaceDungeon: 14, PlaceCemetery: 3, PlaceTeleport: 26, PlaceTavern: 8}
	for _, k := range placeKinds {
		if count[k] != want[k] || want[k] == 0 {
			t.Errorf("%s: expected %d places, found %d", k, want[k], count[k])
		}
	}
	if len(Places()) != 122 || len(Cities()) != 8 {
		t.Errorf("expected 122 places and 8 cities, found %d and %d", len(Places()), len(Cities()))
	}
}

func TestPlacesLieInTheirAreas(t *testing.T) {
	for _, p := range Places() {
		if err := p.Position.Check(); err != nil {
			t.Errorf("%s: %v", p.Key, err)
		}
		if a, ok := AreaOf(p.Position); !ok || a.Key != p.Area {
			t.Errorf("%s: expected area %q, found %q", p.Key, p.Area, a.Key)
		}
		if !p.YawKnown && p.Position.Yaw != 0 {
			t.Errorf("%s: yaw is %v and not known", p.Key, p.Position.Yaw)
		}
		_, open := ContinentOf(p.Position)
		if inside := p.Kind == PlaceHall || p.Kind == PlaceCastleDungeon || p.Kind == PlaceDungeon ||
			p.Kind == PlaceCemetery ||
			p.Kind == PlaceTavern || p.Kind == PlaceStart; open == inside {
			t.Errorf("%s: a %s, and on a continent: %v", p.Key, p.Kind, open)
		}
	}
}

func TestFindPlace(t *testing.T) {
	for name, want := range map[string]string{
		"shipstone": "shipstone", "SHIPSTONE": "shipstone", "Шипстоун": "shipstone", "тОРВИЛ": "torweal",
		"Eikum-Kas": "eikum-kas", "eikum kas": "eikum-kas",
		"эйкум кас": "eikum-kas", "Зал замка Арис": "aris-hall",
		"подземелье блессендор": "blessendor-dungeon", "newcomers' dungeon": "newcomers-dungeon",
		" Tantal_Bridge ": "tantal-bridge", "трактир 5": "tavern-5", "bangville cemetery": "bangville-cemetery",
	} {
		p, ok := FindPlace(name)
		if !ok || p.Key != want {
			t.Errorf("%q: expected %s, found %q", name, want, p.Key)
		}
	}
	for _, name := range []string{"", "-", "nowhere", "Torwea", "шип"} {
		if p, ok := FindPlace(name); ok {
			t.Errorf("%q: expected nothing, found %s", name, p.Key)
		}
	}
	if p, ok := PlaceByKey("torweal"); !ok || p.Position != (coords.Position{X: 2292, Y: 155.3, Z: -2386}) || p.YawKnown ||
		p.Name(true) != "Торвил" || p.Name(false) != "Torweal" {
		t.Errorf("torweal: found %+v", p)
	}
	if p, ok := PlaceByKey("Torweal"); ok {
		t.Errorf("a key in other letters: found %s", p.Key)
	}
	if p, _ := PlaceByKey("anhelm"); p.Position.Yaw != -3 || !p.YawKnown {
		t.Errorf("anhelm: expected the yaw -3, found %v", p.Position.Yaw)
	}
}

func TestFindPlaceKnowsEveryName(t *testing.T) {
	for _, p := range Places() {
		for _, name := range []string{p.Key, strings.ToUpper(p.Russian), strings.ToLower(p.English)} {
			if found, ok := FindPlace(name); !ok || found.Key != p.Key {
				t.Errorf("%q: expected %s, found %q", name, p.Key, found.Key)
			}
		}
	}
}

func TestPlaceNameForgetsWaysOfWriting(t *testing.T) {
	for name, want := range map[string]string{"Ёлка": "елка", "«Eikum-Kas» №2": "eikumkas2", " ": ""} {
		if found := placeName(name); found != want {
			t.Errorf("%q: expected %q, found %q", name, want, found)
		}
	}
}

func TestNearestPlace(t *testing.T) {
	for name, want := range map[string][2]string{
		"Torwael": {"torweal", "torweal"}, "Торвилл": {"torweal", "Торвил"}, "шипстон": {"shipstone",
			"Шипстоун"}, "бангвилль": {"bangville", "Бангвиль"},
		"Eastern Forst": {"eastern-forest", "Eastern Forest"}, "ареа": {"arena", "Арена"},
	} {
		p, written, ok := NearestPlace(name)
		if !ok || p.Key != want[0] || written != want[1] {
			t.Errorf("%q: expected %s, written %q, found %q, written %q", name, want[0], want[1], p.Key, written)
		}
	}
	for _, name := range []string{"совсем другое место", "xyzzy", strings.Repeat("ш", 51)} {
		if p, written, ok := NearestPlace(name); ok {
			t.Errorf("%q: expected nothing, found %s, written %q", name, p.Key, written)
		}
	}
}

func TestNearestCity(t *testing.T) {
	for _, c := range []struct {
		at     coords.Position
		want   string
		metres float64
	}{
		{coords.Position{X: 2614, Y: 157.8, Z: 1293}, "shipstone", 0},
		{coords.Position{X: 2292, Y: 155.3, Z: -2286}, "torweal", 100},
		{coords.Position{X: -1993, Y: -104.5, Z: 757}, "umrad", 300},
		// the same spot from above, another continent
		{coords.Position{X: -1993, Y: -340, Z: 457}, "anhelm", math.Hypot(1404, 1270)},
		{coords.Position{X: 0, Y: 403, Z: 3000}, "gifes", math.Hypot(1890, 290)},
	} {
		city, metres, ok := NearestCity(c.at)
		if !ok || city.Key != c.want || math.Abs(metres-c.metres) > 0.01 {
			t.Errorf("%v: expected %s after %.2f m, found %q after %.2f m", c.at, c.want, c.metres, city.Key, metres)
		}
	}
	for _, y := range []float32{1100, 1500, 4501, 900, float32(math.NaN())} {
		if city, _, ok := NearestCity(coords.Position{Y: y}); ok {
			t.Errorf("y %v: expected no city, found %s", y, city.Key)
		}
	}
}

func TestAreas(t *testing.T) {
	for _, v := range []struct {
		y    float32
		want string
		open bool
	}{
		{157.8, "hyperion", true}, {153.3, "hyperion", true}, {402.8, "haron", true}, {366, "haron", true}, {-104.5, "phoebe",
			true},
		{-118.8, "phoebe", true}, {-340, "rodos", true}, {-356, "rodos", true}, {-1200, "rodos", true}, {1090, "halls",
			false}, {1103, "halls", false},
		{1500, "dungeons", false}, {1509, "dungeons", false}, {1701, "castle-dungeons", false}, {4501.6, "newcomers", false},
		{900, "", false}, {6991, "", false}, {float32(math.Inf(1)), "", false}, {float32(math.NaN()), "", false},
	} {
		p := coords.Position{X: 100, Y: v.y, Z: -100}
		if a, _ := AreaOf(p); a.Key != v.want {
			t.Errorf("y %v: expected area %q, found %q", v.y, v.want, a.Key)
		}
		if _, open := ContinentOf(p); open != v.open {
			t.Errorf("y %v: expected a continent: %v, found %v", v.y, v.open, open)
		}
	}
	if c := Continents(); len(c) != 4 || c[0].English != "Hyperion" || c[2].Russian != "Феб" || c[3].Key != "rodos" ||
		len(Areas()) != 8 {
		t.Errorf("continents: found %v", c)
	}
	for _, c := range Continents() {
		if !c.Open {
			t.Errorf("%s: not open", c.Key)
		}
	}
}

func TestPlacesTableIsReadStrictly(t *testing.T) {
	const (
		head = "key\tkind\tarea\tx\ty\tz\tyaw\tenglish\trussian\tsource\n"
		row  = "a\tcity\thyperion\t1\t150\t3\t-\tA\tА\there\n"
	)
	for name, c := range map[string]struct{ table, want string }{
		"a kind that is not": {head + strings.Replace(row, "city", "cities", 1),
			`places:2: kind: expected one of city, start, `},
		"another continent's height": {head + strings.Replace(row, "150", "403", 1),
			`places:2: area: expected one of haron, found "hyperion"`},
		"a height without an area": {head + strings.Replace(row, "150", "900", 1),
			`places:2: y is 900, where no area is known`},
		"a position that is not": {head + strings.Replace(row, "150", "NaN", 1), `places:2: y is NaN, expected`},
		"a yaw that is none": {head + strings.Replace(row, "-", "inf", 1),
			`places:2: yaw: expected radians from -1000 to 1000, found "inf"`},
		"a key of capitals": {head + "A" + row[1:],
			`places:2: key: expected small Latin letters, digits, and hyphens between them, found "A"`},
		"a key twice":  {head + row + row, `places:3: expected every key once, found a a second time`},
		"a name twice": {head + row + "b" + row[1:], `places:3: "A" is also what a is called`},
		"a name that no client shows": {head + strings.Replace(row, "А", "名", 1),
			`places:2: russian: expected visible letters of Windows-1251, found "名"`},
	} {
		_, err := parsePlaces("places", c.table)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: expected %q, found %v", name, c.want, err)
		}
	}
	if g, err := parsePlaces("places", head+row); err != nil || len(g.places) != 1 || g.places[0].Position.Y != 150 {
		t.Errorf("a good table: %v", err)
	}
}
