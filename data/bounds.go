package data

import (
	"fmt"
	"math"

	"sphereserver/coords"
)

// A bounded value is one that has a range.
type bounded struct {
	what              string
	value, least, max int64
}

// checkBounds names the first value of something that is out of its range.
func checkBounds(values []bounded, of string, args ...any) error {
	for _, v := range values {
		if v.value < v.least || v.value > v.max {
			return wrap(fmt.Errorf("%s: expected %d to %d, found %d", v.what, v.least, v.max, v.value), of, args...)
		}
	}
	return nil
}

// maxCoordinate in metres is far beyond every map; the wire itself uses a million for "nowhere".
const maxCoordinate = 1e6

// CheckPosition refuses positions that no map has.
func CheckPosition(p coords.Position) error {
	for _, v := range []float32{p.X, p.Y, p.Z, p.Yaw} {
		if !(math.Abs(float64(v)) < maxCoordinate) { // true for NaN, too
			return fmt.Errorf("position: expected numbers between ±%.0f, found x %v, y %v, z %v, yaw %v", maxCoordinate, p.X,
				p.Y, p.Z, p.Yaw)
		}
	}
	return nil
}
