package world

import (
	"testing"

	"sphereserver/coords"
)

// A slope is a ground that rises with x.
type slope struct{ unknown }

func (slope) Height(at coords.Position, _ *coords.Position) (float32, bool) { return at.X / 2, true }

func TestGroundIsUnknownUnlessGiven(t *testing.T) {
	if _, known := New(Options{}, nil).options.Ground.Height(shipstone, nil); known {
		t.Error("a height is known without a map")
	}
	if y, known := New(Options{Ground: slope{}}, nil).options.Ground.Height(east(8), nil); y != east(8).X/2 || !known {
		t.Errorf("the height is %v, %v", y, known)
	}
}
