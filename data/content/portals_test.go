package content

import (
	"strings"
	"testing"

	"sphereserver/coords"
)

func TestPortalsLeadToTheirPlaces(t *testing.T) {
	leading := 0
	for _, p := range Portals() {
		if _, ok := AreaOf(p.Position); !ok {
			t.Errorf("%s: in no area", p.Key)
		}
		if !p.Leads {
			continue
		}
		leading++
		place, ok := PlaceByKey(p.Place)
		if !ok || place.Area == "" || place.Position.Distance(p.To) > TownReach {
			t.Errorf("%s: leads to %v, not to %q", p.Key, p.To, p.Place)
		}
		if a, _ := AreaOf(p.To); a.Key != place.Area {
			t.Errorf("%s: leads into %q, and its place lies in %q", p.Key, a.Key, place.Area)
		}
	}
	if len(Portals()) != 61 || leading != 10 {
		t.Errorf("expected 61 portals, of which 10 lead somewhere, found %d and %d", len(Portals()), leading)
	}
}

func TestPortalFields(t *testing.T) {
	found := map[string]Portal{}
	for _, p := range Portals() {
		found[p.Key] = p
	}
	token := found["newcomers-token"]
	if token.Class != 127 || !token.Lying || !token.HasNumber || token.Number&0xFFFF != 1803 || token.Told ||
		token.Place != "torweal-token" ||
		token.To != (coords.Position{X: 2290.3, Y: 155.29, Z: -2388.89, Yaw: -0.889}) {
		t.Errorf("token: found %+v", token)
	}
	exit := found["torweal-tavern-exit"]
	if exit.Class != 60 || exit.Lying || exit.HasNumber || !exit.Told || exit.To.Yaw != -2.76594 ||
		exit.Place != "torweal" {
		t.Errorf("tavern: found %+v", exit)
	}
	if room := found["torweal-tavern-room-2"]; room.Number != 5016 || room.Leads || room.Angle != 64 ||
		room.Position.Yaw != coords.Angle8(64).Radians() {
		t.Errorf("room: found %+v", room)
	}
}

func TestPortalsTableIsReadStrictly(t *testing.T) {
	const (
		head = "key\tclass\tstate\tx\ty\tz\tangle\tnumber\tto_x\tto_y\tto_z\tto_yaw\ttold\tplace\terror\tsource\n"
		row  = "a\t60\tplain\t1\t150\t3\t0\t-\t5\t151\t6\t0.5\tyes\tshipstone\t0\there\n"
	)
	for name, c := range map[string]struct{ table, want string }{
		"a class that is no portal": {head + strings.Replace(row, "60", "213", 1),
			`portals:2: class: expected a class of doors, teleports or tokens, found "213"`},
		"a state that is not": {head + strings.Replace(row, "plain", "worn", 1),
			`portals:2: state: expected one of plain, lying, found "worn"`},
		"a place that is not": {head + strings.Replace(row, "shipstone", "nowhere", 1),
			`portals:2: expected the key of a place, found "nowhere"`},
		"half a destination": {head + strings.Replace(row, "151", "-", 1),
			`portals:2: to_y: expected a number, found "-"`},
		"told, and leads nowhere": {head + strings.Replace(row, "5\t151\t6\t0.5", "-\t-\t-\t-", 1),
			`portals:2: a leads nowhere, so expected no place and nothing told`},
		"a number and a destination": {head + strings.Replace(row, "0\t-", "0\t0x10", 1),
			`portals:2: a tells the client a number and where it leads; expected one of them`},
		"a key twice": {head + row + row, `portals:3: expected every key once, found a a second time`},
		"a height without an area": {head + strings.Replace(row, "151", "900", 1),
			`portals:2: y is 900, where no area is known`},
	} {
		if _, err := parsePortals("portals", c.table); err == nil || err.Error() != c.want {
			t.Errorf("%s: expected %q, found %v", name, c.want, err)
		}
	}
	if p, err := parsePortals("portals", head+row); err != nil || len(p) != 1 || p[0].To.Yaw != 0.5 {
		t.Errorf("a good table: %v", err)
	}
}
