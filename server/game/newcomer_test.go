package game

import (
	"maps"
	"testing"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A player that makes characters only to sell their first items gets nothing for it.
func TestTradersPayNothingForWhatEveryNewcomerHas(t *testing.T) {
	t.Parallel()
	for _, i := range starterItems() {
		if !rules.ClassOf(i.Class).Gift {
			t.Errorf("class %d can be sold", i.Class)
		}
	}
}

// Several starts are taken in turn, so that each has as many newcomers.
func TestNewcomersAreSpreadOverTheStarts(t *testing.T) {
	t.Parallel()
	a, b, c := coords.Position{X: 1}, coords.Position{X: 2}, coords.Position{X: 3}
	for _, v := range []struct {
		more []coords.Position
		want map[coords.Position]int
	}{
		{nil, map[coords.Position]int{a: 12}},
		{[]coords.Position{b, c}, map[coords.Position]int{a: 4, b: 4, c: 4}},
	} {
		s := &Server{options: Options{Start: a, MoreStarts: v.more}, world: world.New(world.Options{}, nil)}
		got := map[coords.Position]int{}
		for account := range data.AccountID(12) {
			got[s.newCharacter(account, session.Creation{}).Position]++
		}
		if !maps.Equal(got, v.want) {
			t.Errorf("%v: %v", v.more, got)
		}
	}
}
