package query

import (
	"strings"
	"testing"
	"time"

	"sphereserver/packets/ase"
)

// A source can hide names and show them again; clients are told so as soon as their answers are built anew.
func TestSourceHidesNamesWhileItRuns(t *testing.T) {
	b := newBoard(5)
	r := newASEResponder(unlimited(), b)
	for i, hide := range []bool{false, true, false} {
		info := b.Info()
		info.HideNames = hide
		b.set(info)
		now := at(time.Duration(i) * 2 * aseKeep)
		whole, _ := asked[*ase.EYE1](t, r, now, ase.AskEYE1)
		names, _ := asked[*ase.EYE2](t, r, now, ase.AskEYE2)
		if players, _, _ := whole.Counts(); players != 5 || hide != (len(whole.List) == 0) ||
			hide != (strings.Join(names.Names, "") == "") {
			t.Errorf("hidden %v: %d players, listed %v, %q", hide, players, whole.List, names.Names)
		}
		m := newMinecraftResponder(unlimited(), b)
		if told, _ := full(t, m, 0, shake(t, m, 0, client)); hide != (len(told.Players) == 0) {
			t.Errorf("hidden %v: Minecraft Query lists %q", hide, told.Players)
		}
	}
}
