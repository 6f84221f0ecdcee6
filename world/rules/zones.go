package rules

import (
	"math"
	"slices"

	"sphereserver/coords"
)

// Zones are the parts of the world with rules other than those of the wild: towns, where no monster is, zones of
// peace, where players do not fight each other, and habitats of monsters. They are built once; the balance gives their
// sizes at each question. A nil *Zones has none.
type Zones struct {
	of      ZonePlaces
	traders map[[2]int][]coords.Position // by squares
}

const (
	// storey is how far above or below its middle a town, or the surroundings of a trader, reach: below are dungeons.
	storey = 200
	// traderSquare is the side of the squares in which traders are looked for, in metres.
	traderSquare = 64
)

// ZonePlaces are the places from which zones are made. A kind of zone of its own is a field more here, and a question
// of [Zones].
type ZonePlaces struct {
	Towns   []coords.Position // their middles
	Traders []coords.Position // and bankers, in the open
	// Indoors says of a place whether it is inside of something, and whether there is peace; nil: no place is inside.
	Indoors  func(coords.Position) (is, peaceful bool)
	Habitats []Habitat // in the open
}

// A Habitat is a part of the open country that is not plains.
type Habitat struct {
	Letter byte // see [Monster.Inhabits]
	Middle coords.Position
	Metres float64 // how far it reaches; 0: as far as the question says
}

// Plains is the habitat of all land that is no other.
const Plains = 'P'

// NewZones returns the zones of places. It keeps the slices.
func NewZones(of ZonePlaces) *Zones {
	z := &Zones{of: of, traders: map[[2]int][]coords.Position{}}
	for _, at := range of.Traders {
		square := squareOfTrader(at)
		z.traders[square] = append(z.traders[square], at)
	}
	return z
}

func squareOfTrader(at coords.Position) [2]int {
	return [2]int{int(math.Floor(float64(at.X) / traderSquare)), int(math.Floor(float64(at.Z) / traderSquare))}
}

// Town reports whether a place is less than so many metres from the middle of a town, along the ground. Source:
// protocol fight 12.2.
func (z *Zones) Town(at coords.Position, metres float64) bool {
	if z == nil {
		return false
	}
	for i := range z.of.Towns {
		if within(&z.of.Towns[i], &at, metres) {
			return true
		}
	}
	return false
}

// Peaceful reports whether players do not fight each other at a place: in towns, near traders outside of them, and
// indoors where there is peace.
//
// Source: protocol fight 12.2.
func (z *Zones) Peaceful(at coords.Position, b *DuelBalance) bool {
	if z == nil {
		return false
	}
	if z.of.Indoors != nil {
		if is, peaceful := z.of.Indoors(at); is {
			return peaceful
		}
	}
	if z.Town(at, b.City) {
		return true
	}
	middle, far := squareOfTrader(at), int(b.Trader/traderSquare)+1
	for x := middle[0] - far; x <= middle[0]+far; x++ {
		for y := middle[1] - far; y <= middle[1]+far; y++ {
			for i := range z.traders[[2]int{x, y}] {
				if within(&z.traders[[2]int{x, y}][i], &at, b.Trader) {
					return true
				}
			}
		}
	}
	return false
}

// With returns the zones and habitats besides.
func (z *Zones) With(habitats []Habitat) *Zones {
	more := *z
	more.of.Habitats = append(slices.Clone(z.of.Habitats), habitats...)
	return &more
}

// Habitat returns the letter of the habitat of a place: of one that knows how far it reaches, else of the nearest of
// the others that is less than so many metres away, else the plains.
func (z *Zones) Habitat(at coords.Position, metres float64) byte {
	letter := byte(Plains)
	if z == nil {
		return letter
	}
	for i := range z.of.Habitats {
		switch h := &z.of.Habitats[i]; {
		case h.Metres > 0 && within(&h.Middle, &at, h.Metres):
			return h.Letter
		case h.Metres == 0 && within(&h.Middle, &at, metres):
			letter = h.Letter
			metres = math.Hypot(float64(h.Middle.X)-float64(at.X), float64(h.Middle.Z)-float64(at.Z))
		}
	}
	return letter
}

// within reports whether a place is less than so many metres from a middle, along the ground, and on its storey.
func within(middle, at *coords.Position, metres float64) bool {
	return math.Abs(float64(middle.Y)-float64(at.Y)) < storey &&
		math.Hypot(float64(middle.X)-float64(at.X), float64(middle.Z)-float64(at.Z)) < metres
}
