package world

import "testing"

func TestGroundIsUnknownUnlessGiven(t *testing.T) {
	if _, known := New(Options{}, nil).options.Ground(0, 0); known {
		t.Error("a height is known without a map")
	}
	slope := func(x, _ float32) (float32, bool) { return x / 2, true }
	if y, known := New(Options{Ground: slope}, nil).options.Ground(8, 1); y != 4 || !known {
		t.Errorf("the height is %v, %v", y, known)
	}
}
