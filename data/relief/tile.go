// Package relief draws maps to look at: shaded relief, water and contours of the ground that was imported from a
// client, and over it where players have walked. Where nothing was imported, where players have walked is all of it.
package relief

import (
	"context"
	"errors"
	"fmt"
	"math"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules"
)

const (
	// Size is the side of a tile, in pixels.
	Size = 256
	// MinZoom and MaxZoom are the least and the greatest zoom of tiles. At zoom 0 a metre is a pixel, at each further
	// one two.
	MinZoom, MaxZoom = -5, 2
	// overviewZoom is the greatest zoom of tiles of the overview: nearer ones read the land itself.
	overviewZoom = -4
	// farZoom is the same for where players have walked.
	farZoom = -3
)

// ErrNoTile is the error of a tile outside of the world, or of an unknown area or zoom.
var ErrNoTile = errors.New("relief: there is no such tile")

// A Tile is a square of a map, in the usual count of maps on pages: X to the east and Y to the south from where x and
// z are 0.
type Tile struct {
	Area       string // key of a [content.Area]
	Dark       bool   // for a dark page
	Zoom, X, Y int
}

func (t Tile) String() string {
	return fmt.Sprintf("%s %d/%d/%d", t.Area, t.Zoom, t.X, t.Y)
}

// metres is the width of a pixel.
func (t Tile) metres() float64 { return math.Ldexp(1, -t.Zoom) }

// area is the area of the tile; false when there is no such tile.
func (t Tile) area() (content.Area, bool) {
	const most = -coords.MinX // along x and z
	if t.Zoom < MinZoom || t.Zoom > MaxZoom {
		return content.Area{}, false
	}
	if n := int(math.Ceil(most / (Size * t.metres()))); t.X < -n || t.X >= n || t.Y < -n || t.Y >= n {
		return content.Area{}, false
	}
	for _, a := range content.Areas() {
		if a.Key == t.Area {
			return a, true
		}
	}
	return content.Area{}, false
}

// Exists reports whether there is such a tile, if only an empty one.
func (t Tile) Exists() bool {
	_, exists := t.area()
	return exists
}

// Learned is where players have walked.
type Learned interface {
	// EachGround tells the known ground in the squares from one corner to another, both included, at heights from least
	// and below most, by their x.
	EachGround(ctx context.Context, from, to [2]int32, least, most float32, tell func(rules.GroundCell)) error
}
