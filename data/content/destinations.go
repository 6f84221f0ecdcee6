package content

import (
	"fmt"
	"math"

	"sphereserver/world/rules"
)

// A Destination is where the tokens of a number lead.
type Destination struct {
	Number  uint16 // of the client's text that names it
	Kind    rules.DestinationKind
	Place   string  // key of the [Place] where one arrives; "" where it is not known
	Error   float64 // metres by which that may be off
	Meaning string  // the text, where the place is not known
}

var destinationKinds = map[string]rules.DestinationKind{"city": rules.CityDestination, "wild": rules.WildDestination,
	"castle": rules.CastleDestination, "other": 0}

var loadDestinations = embedded("destinations.tsv", parseDestinations)

// Destinations returns where tokens lead, by number. The slice is shared and not to be changed.
func Destinations() []Destination { return loadDestinations() }

var destinationColumns = []string{"number", "kind", "place", "error", "source", "meaning"}

// parseDestinations reads a table of destinations.
func parseDestinations(name, text string) ([]Destination, error) {
	var all []Destination
	err := readTable(name, text, destinationColumns, func(r *tableRow) {
		d := Destination{Number: uint16(r.number("number", 1, math.MaxUint16)),
			Kind:  destinationKinds[choice(r, "kind", "city", "wild", "castle", "other")],
			Place: r.optional("place"), Meaning: r.optional("meaning")}
		choice(r, "source", "recorded", "client")
		if d.Place != "" {
			d.Error = float64(r.metres("error"))
		}
		switch _, ok := PlaceByKey(d.Place); {
		case r.again(r.field("number")):
			r.fail("number", "every number once")
		case !ok && d.Place != "":
			r.fail("place", "the key of a place")
		case (d.Place == "") == (d.Meaning == ""):
			r.fail("meaning", "a place, or what the text says")
		}
		all = append(all, d)
	})
	return all, err
}

// DestinationOf is the place to which the tokens of a number lead; false where that is not known.
func DestinationOf(number uint16) (Place, bool) {
	for _, d := range Destinations() {
		if d.Number == number {
			return PlaceByKey(d.Place)
		}
	}
	return Place{}, false
}

// metres reads how far off something may be.
func (r *tableRow) metres(column string) float32 {
	v := r.float(column)
	if !(v >= 0 && v <= 1000) {
		r.fail(column, fmt.Sprintf("metres from 0 to %d", 1000))
		return 0
	}
	return v
}

// tokens is where tokens lead, by number.
func tokens() map[uint16]rules.Destination {
	out := map[uint16]rules.Destination{}
	for _, d := range Destinations() {
		if p, ok := PlaceByKey(d.Place); ok {
			out[d.Number] = rules.Destination{Kind: d.Kind, To: p.Position}
		}
	}
	return out
}
