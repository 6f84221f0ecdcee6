package content

import (
	"testing"

	"sphereserver/coords"
)

func TestPartsOfTheWorldAreApart(t *testing.T) {
	shipstone, sunpool := coords.Position{X: 2614, Y: 157.8, Z: 1293}, coords.Position{X: 422, Y: 153.3, Z: -1284}
	dungeon, nowhere := coords.Position{X: -1098, Y: 4501, Z: 1900}, coords.Position{Y: 3000}
	for _, c := range []struct {
		from, to coords.Position
		apart    bool
	}{
		{shipstone, sunpool, false}, {shipstone, dungeon, true}, {dungeon, shipstone, true}, {dungeon, dungeon, false},
		{shipstone, nowhere, true}, {nowhere, shipstone, false}, {nowhere, nowhere, false},
	} {
		if got := Disconnected(c.from, c.to); got != c.apart {
			t.Errorf("from %v to %v: apart %t", c.from, c.to, got)
		}
	}
}
