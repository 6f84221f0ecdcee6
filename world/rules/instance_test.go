package rules

import (
	"testing"

	"sphereserver/coords"
)

func TestRecordedOriginsAreCells(t *testing.T) {
	cells := map[coords.Position]int{}
	for i := range MostInstances {
		at := InstanceOrigin(i)
		if _, taken := cells[at]; taken || at.Check() != nil || !AmongInstances(at) {
			t.Fatalf("cell %d is at %v", i, at)
		}
		cells[at] = i
		for _, by := range []coords.Position{{}, {X: 99, Y: 99, Z: -99}, {X: -99, Y: -99, Z: 99}} {
			if got := InstanceCell(coords.Position{X: at.X + by.X, Y: at.Y + by.Y, Z: at.Z + by.Z}); got != i {
				t.Fatalf("%v from the origin of cell %d is in cell %d", by, i, got)
			}
		}
	}
	for _, at := range []coords.Position{{Y: 155}, {X: 4001, Y: 4500}, {X: -4001, Y: 4500}, {Y: 4500, Z: 4001}, {Y: 4801}} {
		if got := InstanceCell(at); got != -1 {
			t.Errorf("%v is in cell %d", at, got)
		}
	}
	if len(cells) != 3200 {
		t.Errorf("%d cells", len(cells))
	}
	for _, o := range [][3]float32{{-1100, 4500, 1900}, {-2900, 4500, 1900}, {-700, 4500, 700}, {-500, 4500, 700},
		{500, 4500, 700}, {1900, 4500, 700}, {100, 4500, 1300}, {900, 4500, 1300}, {1900, 4500, 1300}, {3700, 4500, 1100},
		{2700, 4500, 1100}, {-1700, 4500, 2100}, {3700, 4500, 2100}, {-2700, 4500, 2100}, {-900, 4500, 2100},
		{-1100, 4500, 2300}, {-900, 4700, -3700}} {
		if _, ok := cells[coords.Position{X: o[0], Y: o[1], Z: o[2]}]; !ok {
			t.Errorf("no cell is at %v, where one was recorded", o)
		}
	}
}

func TestAPlaceBelongsToItsCell(t *testing.T) {
	origin := InstanceOrigin(0)
	for _, c := range []struct {
		by coords.Position
		in bool
	}{
		{coords.Position{}, true}, {coords.Position{X: 100, Z: -100}, true}, {coords.Position{X: 100.5}, false},
		{coords.Position{Z: -101}, false}, {coords.Position{Y: 101}, false}, {coords.Position{Y: -5}, true},
	} {
		at := coords.Position{X: origin.X + c.by.X, Y: origin.Y + c.by.Y, Z: origin.Z + c.by.Z}
		if got := InInstance(origin, at); got != c.in {
			t.Errorf("%v from the origin: %t", c.by, got)
		}
	}
	for y, among := range map[float32]bool{155: false, 1700: false, 4399: false, 4501: true, 4701: true, 4801: false} {
		if got := AmongInstances(coords.Position{Y: y}); got != among {
			t.Errorf("at %v m: %t", y, got)
		}
	}
}
