package content

import (
	"testing"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestWhereTheDeadWake(t *testing.T) {
	place := func(key string) coords.Position {
		p, ok := PlaceByKey(key)
		if !ok {
			t.Fatalf("no place %s", key)
		}
		return p.Position
	}
	for _, c := range []struct {
		died  coords.Position
		karma int
		wakes coords.Position
	}{
		{coords.Position{X: 2000, Y: 150, Z: -2000}, 3, place("torweal")},
		{coords.Position{X: 2000, Y: 150, Z: -2000}, 5, place("torweal")},
		{coords.Position{X: 2000, Y: 150, Z: -2000}, rules.KarmaBad, place("wake-bad-torweal")},
		{coords.Position{X: 3600, Y: 150, Z: -3400}, rules.KarmaBad, place("wake-bad-sunpool")},
		{coords.Position{X: 3600, Y: 150, Z: -3400}, rules.KarmaVeryBad, place("wake-very-bad")},
		{coords.Position{X: -2000, Y: 400, Z: 2000}, 4, place("nomrad")},
		{coords.Position{X: 1000, Y: 400, Z: 2000}, rules.KarmaBad, place("gifes")}, // no other place is known there
		{coords.Position{X: 1000, Y: -340, Z: 2000}, 3, place("anhelm")},
		{coords.Position{X: -1098, Y: 4501, Z: 1900}, rules.KarmaBad, place("newcomers-dungeon")},
		{coords.Position{X: 400, Y: 1500, Z: -1000}, 3, place("sunpool")},
		{coords.Position{X: 400, Y: 900, Z: -1000}, 3, place("sunpool")}, // where no area is known
	} {
		if got := WakingPlace(c.died, c.karma); got != c.wakes {
			t.Errorf("who dies at %v with karma %d wakes at %v, expected %v", c.died, c.karma, got, c.wakes)
		}
	}
}

func TestPeacefulPlaces(t *testing.T) {
	peaceful := PeacefulPlaces(75, 25)
	for _, c := range Cities() {
		at := c.Position
		if at.X += 70; !peaceful(at) {
			t.Errorf("70 m from the middle of %s players fight", c.Key)
		}
	}
	for _, n := range NPCs() {
		if at := n.Position; n.Kind == Trader {
			if at.Z += 20; !peaceful(at) {
				t.Errorf("20 m from %s players fight", n.Key)
			}
		}
	}
	for at, want := range map[coords.Position]bool{
		{X: -1098, Y: 4501, Z: 1900}: true,
		{X: 100, Y: 1100, Z: 100}:    true,
		{X: 100, Y: 1500, Z: 100}:    false,
		{X: 2000, Y: 150, Z: -7000}:  false,
	} {
		if peaceful(at) != want {
			t.Errorf("%v is peaceful: %v", at, !want)
		}
	}
}
