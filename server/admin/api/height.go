package api

import (
	"strconv"

	"sphereserver/coords"
	"sphereserver/server/geography"
)

// heightAnswer is how high the ground is at a place.
type heightAnswer struct {
	Y *float64 `json:"y"` // metres, of the water where there is some; null where it is not known
}

var numberText = both("Нужно число от %d до %d.", "Expected a number from %d to %d.")

// height tells how high the imported ground of an area is.
func height(s *Server, r *request) (any, error) {
	x, err := r.metres("x")
	if err != nil {
		return nil, err
	}
	z, err := r.metres("z")
	if err != nil || s.o.Land == nil {
		return heightAnswer{}, err
	}
	at, known, err := s.o.Land.Surface(r.asked.text["area"], x, z)
	if err != nil || !known {
		return heightAnswer{}, err
	}
	y := geography.Centimetres(max(at.Height, at.Water))
	return heightAnswer{&y}, nil
}

// metres is a coordinate along the ground that was asked for.
func (r *request) metres(name string) (float32, error) {
	v, err := strconv.ParseFloat(r.asked.text[name], 32)
	if err != nil || !(v >= coords.MinX && v < coords.MaxX+1) {
		return 0, fault(name, numberText, coords.MinX, coords.MaxX)
	}
	return float32(v), nil
}
