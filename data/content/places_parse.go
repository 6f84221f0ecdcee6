package content

import (
	"fmt"
	"strconv"
	"strings"

	"sphereserver/coords"
)

// ParsePlace reads a place of the tables of places or landmarks by key or name, or coordinates "X Y Z" with a turn or
// without.
func ParsePlace(words string) (coords.Position, error) {
	if p, ok := FindPlace(words); ok {
		return p.Position, nil
	}
	if m, ok := FindLandmark(words); ok {
		return m.Position, nil
	}
	at, isPoint, err := ParsePoint(strings.Fields(words))
	switch {
	case isPoint:
		return at, err
	default:
		if _, near, ok := NearestPlace(words); ok {
			return at, fmt.Errorf("no place is called %q; did you mean %q?", words, near)
		}
		return at, fmt.Errorf("expected the name of a place, or \"X Y Z\", found %q", words)
	}
}

// ParsePoint reads coordinates; isPoint says that they are meant to be some.
func ParsePoint(words []string) (at coords.Position, isPoint bool, err error) {
	if len(words) != 3 && len(words) != 4 {
		return at, false, nil
	}
	for i, to := range []*float32{&at.X, &at.Y, &at.Z, &at.Yaw}[:len(words)] {
		v, err := strconv.ParseFloat(strings.TrimRight(words[i], ","), 32)
		if err != nil {
			return coords.Position{}, false, nil
		}
		*to = float32(v)
	}
	return at, true, at.Check()
}
