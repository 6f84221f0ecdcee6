//go:build system && unix

package main

import (
	"strings"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/data/landscape/landscapetest"
	"sphereserver/server/bot"
)

// A server that is started as an operator does has the imported ground below its monsters and its players, learns the
// ground that these teach, and has it after a restart.
func TestTheServerStandsOnTheGround(t *testing.T) {
	inTurn(t)
	besideOthers(t)
	client, dir := madeUpClient(t), t.TempDir()
	landscapetest.Hyperion().Write(t, client, "Landscape")
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	p := serveIn(t, dir)
	start := content.Cities()[0].Position
	c, err := comeIn(t.Context(), p.game, bot.Options{PingEvery: 200 * time.Millisecond}, "ходок", 0, "Ходок")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Abort()
	to := c.Position
	to.X += 8
	if err := c.Walk(patient(t), to); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the places of a player are compared with the ground", func() bool {
		n := p.status().Counters
		return n["places_on_ground"]+n["places_above_ground"]+n["places_below_ground"] > 0
	})
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	p.stop()
	taught, _ := sphereRuns(t, 0, "ground", "export", "-", "--data", dir)
	if n := strings.Count(taught, "\n") - 2; n < 2 {
		t.Errorf("who has walked 8 m from %v has taught %d places: %s", start, n, taught)
	}
	p = serveIn(t, dir)
	p.stop()
	if again, _ := sphereRuns(t, 0, "ground", "export", "-", "--data", dir); again != taught {
		t.Errorf("after a restart %s", again)
	}
}
