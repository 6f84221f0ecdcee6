package game

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/world"
)

func TestDoubtsAreCountedByAccountAndBounded(t *testing.T) {
	var d doubts
	at := time.Unix(1_800_000_000, 0)
	for i := range 3 {
		e := world.MoveRefused{At: coords.Position{X: 1}, To: coords.Position{X: float32(i)}, Why: errors.New("too fast")}
		d.add(7, "vasya", fmt.Sprint("Owl", i), &e, at.Add(time.Duration(i)*time.Second))
	}
	one := d.list()[0]
	if one.Count != 3 || one.Character != "Owl2" || one.First != at || one.Last != at.Add(2*time.Second) ||
		one.To.X != 2 || one.Why != "too fast" || one.Login != "vasya" || one.Account != 7 {
		t.Errorf("found %+v", one)
	}
	for i := range maxDoubts {
		d.add(data.AccountID(100+i), "", "", &world.MoveRefused{Why: errors.New("x")}, at.Add(time.Hour))
	}
	for _, one := range d.list() {
		if one.Account == 7 {
			t.Error("the oldest has not made room")
		}
	}
	if n := len(d.list()); n != maxDoubts {
		t.Errorf("%d are remembered", n)
	}
}
