package content

import (
	"fmt"
	"math"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Portal takes its user elsewhere: a door, a teleport, a token.
type Portal struct {
	Key      string // stable, of small Latin letters, digits and hyphens
	Class    int    // class tag
	Angle    coords.Angle8
	Position coords.Position // its yaw is Angle
	Lying    bool            // can be picked up, as tokens
	// of ContMan 15: number of a door's key; of a token, the destination in the low 16 bits
	Number    uint32
	HasNumber bool
	To        coords.Position // where it leads
	Leads     bool            // To is known
	Told      bool            // the client is told To with ContMan 15; else the server alone knows
	Place     string          // key of the place at To, or ""
	Error     float32         // metres by which x and z may be off; if not 0 the height is a guess
	Source    string          // section of the wire's description, or that it was recorded
}

// Classes of portals. Source: protocol gamerules 14.
const (
	classDoorIn, classDoorOut   = 60, 61
	classToken, classTokenStart = 66, 127
)

var portalClasses = map[int64]bool{classDoorIn: true, classDoorOut: true, rules.ClassTeleportGreat: true,
	rules.ClassTeleport: true, rules.ClassTeleportBroken: true, rules.ClassTeleportWild: true, classToken: true,
	classTokenStart: true}

var loadPortals = embedded("portals.tsv", parsePortals)

// Portals returns all portals with known places, in the order of the table. The slice is shared and not to be changed.
func Portals() []Portal { return loadPortals() }

var portalColumns = []string{"key", "class", "state", "x", "y", "z", "angle", "number", "to_x", "to_y", "to_z",
	"to_yaw", "told", "place", "error", "source"}

// parsePortals reads a table of portals.
func parsePortals(name, text string) ([]Portal, error) {
	var portals []Portal
	err := readTable(name, text, portalColumns, func(r *tableRow) {
		p := Portal{Key: r.key("key"), Lying: choice(r, "state", "plain", "lying") == "lying", Angle: r.angle("angle"),
			Position: r.position("x", "y", "z"), HasNumber: r.known("number"), Leads: r.known("to_x"),
			Told: choice(r, "told", "yes", "no") == "yes", Place: r.optional("place"), Error: r.metres("error"),
			Source: r.text("source")}
		class := r.number("class", 0, 4095)
		if p.Class = int(class); !portalClasses[class] {
			r.fail("class", "a class of doors, teleports or tokens")
		}
		p.Position.Yaw = p.Angle.Radians()
		if p.HasNumber {
			p.Number = uint32(r.number("number", 0, math.MaxUint32))
		}
		if p.Leads {
			p.To = r.position("to_x", "to_y", "to_z")
			p.To.Yaw = r.yaw("to_yaw")
		}
		if r.err == nil {
			r.err = p.check(r.where)
		}
		portals = append(portals, p)
	})
	return portals, err
}

// check returns the first fault of a portal as a whole.
func (p *Portal) check(where string) error {
	if !p.Leads && (p.Told || p.Place != "") {
		return fmt.Errorf("%s: %s leads nowhere, so expected no place and nothing told", where, p.Key)
	}
	if p.Told && p.HasNumber {
		return fmt.Errorf("%s: %s tells the client a number and where it leads; expected one of them", where, p.Key)
	}
	if p.Place != "" {
		if _, ok := PlaceByKey(p.Place); !ok {
			return fmt.Errorf("%s: expected the key of a place, found %q", where, p.Place)
		}
	}
	for _, at := range []coords.Position{p.Position, p.To} {
		if _, ok := AreaOf(at); !ok && (at == p.Position || p.Leads) {
			return fmt.Errorf("%s: y is %v, where no area is known", where, at.Y)
		}
	}
	return nil
}
