package rules

import (
	"testing"

	"sphereserver/coords"
)

func TestZones(t *testing.T) {
	b := &DuelBalance{City: 75, Trader: 25}
	z := NewZones(ZonePlaces{
		Towns: []coords.Position{{X: 1000, Y: 150, Z: -1000}}, Traders: []coords.Position{{X: -70, Y: 10, Z: 63.5}},
		Indoors: func(at coords.Position) (bool, bool) { return at.Y > 1000, at.X > 0 }})
	for _, v := range []struct {
		what           string
		at             coords.Position
		town, peaceful bool
		b              *DuelBalance
		metres         float64
	}{
		{"the middle of a town", coords.Position{X: 1000, Y: 150, Z: -1000}, true, true, b, 75},
		{"its edge", coords.Position{X: 1074.9, Y: 150, Z: -1000}, true, true, b, 75},
		{"beyond it", coords.Position{X: 1075, Y: 150, Z: -1000}, false, false, b, 75},
		{"on a hill of it", coords.Position{X: 1000, Y: 349, Z: -1000}, true, true, b, 75},
		{"far above it", coords.Position{X: 1000, Y: 351, Z: -1000}, false, false, b, 75},
		{"in a town of another size", coords.Position{X: 1100, Y: 150, Z: -1000}, true, true, &DuelBalance{City: 101}, 101},
		{"in a town of no size", coords.Position{X: 1000, Y: 150, Z: -1000}, false, false, &DuelBalance{}, 0},
		{"beside a trader, across a square", coords.Position{X: -60, Y: 10, Z: 64.5}, false, true, b, 75},
		{"away from a trader", coords.Position{X: -44, Y: 10, Z: 63.5}, false, false, b, 75},
		{"far away, of much peace", coords.Position{X: 900, Y: 10, Z: 63.5}, false, true, &DuelBalance{Trader: 1000}, 75},
		{"below a town, where there is peace", coords.Position{X: 1000, Y: 1500, Z: -1000}, false, true, b, 75},
		{"below a trader, where there is none", coords.Position{X: -70, Y: 1500, Z: 63.5}, false, false, b, 75},
	} {
		if town, peaceful := z.Town(v.at, v.metres), z.Peaceful(v.at, v.b); town != v.town || peaceful != v.peaceful {
			t.Errorf("%s: town %v, peaceful %v", v.what, town, peaceful)
		}
		var none *Zones
		if none.Town(v.at, v.metres) || none.Peaceful(v.at, v.b) {
			t.Errorf("%s: there are no zones", v.what)
		}
	}
}

func TestHabitats(t *testing.T) {
	at := func(x float32) coords.Position { return coords.Position{X: x, Y: 150} }
	towns := NewZones(ZonePlaces{Towns: []coords.Position{at(0)}})
	z := towns.With([]Habitat{{'F', at(0), 0}, {'M', at(300), 0}, {'C', at(250), 30}})
	below := at(0)
	below.Y = 1500
	for _, v := range []struct {
		what   string
		at     coords.Position
		metres float64
		want   byte
	}{
		{"the wood", at(0), 100, 'F'},
		{"its edge", at(-99), 100, 'F'},
		{"beyond", at(-100), 100, Plains},
		{"of a balance with larger woods", at(-100), 101, 'F'},
		{"between, nearer to the wood", at(149), 1000, 'F'},
		{"between, nearer to the mountains", at(151), 1000, 'M'},
		{"a cemetery comes before what is nearer", at(279), 1000, 'C'},
		{"and is as large as it is", at(280), 1000, 'M'},
		{"below", below, 1000, Plains},
	} {
		if got := z.Habitat(v.at, v.metres); got != v.want {
			t.Errorf("%s: %c, want %c", v.what, got, v.want)
		}
	}
	if !z.Town(at(0), 1) {
		t.Error("the town is gone")
	}
	for _, none := range []*Zones{nil, towns} {
		if got := none.Habitat(at(0), 1000); got != Plains {
			t.Errorf("without habitats it is %c", got)
		}
	}
}
