package ops

import (
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/content"
)

func TestWhere(t *testing.T) {
	shipstone := content.Cities()[0].Position
	for _, c := range []struct {
		dx, dz           float32
		russian, english string
	}{
		{0, 0, "Шипстоун", "Shipstone"},
		{5, 5, "Шипстоун", "Shipstone"},
		{0, 35, "Шипстоун, 35 м к северу", "Shipstone, 35 m to the north"},
		{0, -35, "Шипстоун, 35 м к югу", "Shipstone, 35 m to the south"},
		{40, 0, "Шипстоун, 40 м к востоку", "Shipstone, 40 m to the east"},
		{-40, 0, "Шипстоун, 40 м к западу", "Shipstone, 40 m to the west"},
		{30, 30, "Шипстоун, 42 м к северо-востоку", "Shipstone, 42 m to the north-east"},
		{-30, -30, "Шипстоун, 42 м к юго-западу", "Shipstone, 42 m to the south-west"},
	} {
		at := shipstone
		at.X, at.Z = at.X+c.dx, at.Z+c.dz
		if have := Where(at).Russian; have != c.russian {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.russian)
		}
		if have := Where(at).English; have != c.english {
			t.Errorf("%v %v: %q, want %q", c.dx, c.dz, have, c.english)
		}
	}
	token, _ := content.FindPlace("torweal-token")
	if have := Where(token.Position).Russian; !strings.HasPrefix(have, "Торвил") || strings.Contains(have, "жетон") {
		t.Errorf("where a token leads: %q", have)
	}
	room := coords.Position{X: -1498, Y: 4501, Z: -3899} // some 6 km from the place with a name
	if have := Where(room).Russian; have != "подземелья новичков" {
		t.Errorf("in a dungeon of newcomers: %q", have)
	}
	if have := Where(coords.Position{Y: 6000}).English; have != "nowhere known" {
		t.Errorf("in the sky: %q", have)
	}
}
