package chat

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/server/view"
)

func TestUnstuckTakesToTheNearestCity(t *testing.T) {
	g, p, _, _, _ := newCrew(t)
	umrad, _ := content.PlaceByKey("umrad")
	forest := coords.Position{X: umrad.Position.X + 500, Y: umrad.Position.Y, Z: umrad.Position.Z}
	stand := func(at coords.Position) {
		t.Helper()
		p.at(at)
		p.moves(at)
		g.forget()
	}
	place := func() coords.Position {
		g.pass(time.Second)
		return p.place()
	}
	stand(forest)
	p.dead = true
	p.wantLine("Мёртвые этого не могут", "/застрял")
	p.dead, p.Armed = false, true
	p.wantLine(fmt.Sprintf("#%d", view.TextEmptyHand), "/застрял")
	p.Armed = false
	p.wantLine(fmt.Sprintf("#%d", view.TextEvacuates), "/застрял")
	g.pass(8 * time.Second)
	if at := place(); at.Distance(forest) > 1 {
		t.Errorf("taken away too soon, to %v", at)
	}
	g.pass(2 * time.Second)
	if at := place(); at.Distance(umrad.Position) > 1 {
		t.Errorf("is at %v, want %v", at, umrad.Position)
	}
	if words := p.commands("/застрял"); !strings.Contains(strings.Join(words, ""),
		fmt.Sprintf("#%d", view.TextEvacuateLater)) {
		t.Errorf("again at once: told %q", words)
	}

	// A player that moves stays; two metres are no movement.
	g.pass(unstuckPause)
	stand(forest)
	p.commands("/unstuck")
	moved := forest
	moved.X += 1.9
	p.moves(moved)
	g.pass(2 * time.Second)
	if len(p.said) > 1 { // that it has begun
		t.Errorf("after 1.9 m: told %q", p.said)
	}
	moved.X += 0.2
	p.moves(moved)
	g.pass(2 * time.Second)
	if !slices.Contains(p.said, fmt.Sprintf("#%d", view.TextStaysHere)) {
		t.Errorf("after 2.1 m: told %q", p.said)
	}
	g.pass(10 * time.Second)
	if at := place(); at.Distance(moved) > 1 {
		t.Errorf("was taken away to %v", at)
	}

	// Who takes a weapon stays, too.
	g.pass(unstuckPause)
	stand(forest)
	p.commands("/unstuck")
	p.Armed = true
	g.pass(2 * time.Second)
	p.Armed = false
	g.pass(10 * time.Second)
	if at := place(); at.Distance(forest) > 1 || !slices.Contains(p.said, fmt.Sprintf("#%d", view.TextStaysHere)) {
		t.Errorf("with a weapon: is at %v, told %q", at, p.said)
	}

	// So does a player that is elsewhere than its client says.
	g.pass(unstuckPause)
	stand(forest)
	elsewhere := g.Start()
	p.ping = &elsewhere
	p.commands("/unstuck")
	g.pass(12 * time.Second)
	if at := place(); at.Distance(forest) > 1 || !slices.Contains(p.said, fmt.Sprintf("#%d", view.TextStaysHere)) {
		t.Errorf("with a place that the world does not believe: is at %v, told %q", at, p.said)
	}

	// In a dungeon there is no nearest city: the way leads to where new characters begin.
	g.pass(unstuckPause)
	stand(coords.Position{X: 1299, Y: 1499, Z: 35})
	p.commands("/unstuck")
	g.pass(12 * time.Second)
	if at := place(); at.Distance(g.Start()) > 1 {
		t.Errorf("is at %v, want %v", at, g.Start())
	}

	// A player that leaves is left alone.
	g.pass(unstuckPause)
	stand(forest)
	p.commands("/unstuck")
	p.leave()
	p.said = nil
	if g.pass(12 * time.Second); len(p.said) > 0 {
		t.Errorf("who has left is told %q", p.said)
	}
}
