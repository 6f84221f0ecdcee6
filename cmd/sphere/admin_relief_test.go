//go:build system && unix

package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/landscape/landscapetest"
	"sphereserver/server/ops"
)

// anIsland is a continent with hills between the people of Hyperion, lakes, and a sea around them.
func anIsland() *landscapetest.Land {
	var people []coords.Position
	for _, n := range content.NPCs() {
		if n.Area == "hyperion" {
			people = append(people, n.Position)
		}
	}
	const sea = 149.5
	l := new(landscapetest.Land)
	l.Height = func(x, z float32) float32 {
		sum, weights, near := 0.0, 0.0, math.Inf(1)
		for _, p := range people {
			dx, dz := float64(p.X-x), float64(p.Z-z)
			d := max(0.3, dx*dx+dz*dz)
			near = min(near, d)
			sum += float64(p.Y) / (d * d)
			weights += 1 / (d * d)
		}
		near = math.Sqrt(near)
		hills := 0.0
		for over, high := 1.0, 34.0; over < 40; over, high = 2*over, high/2 {
			fx, fz := float64(x)*over, float64(z)*over
			hills += high * (math.Sin(fx/410+1.3*math.Sin(fz/330+over)) + math.Cos(fz/370+1.7*math.Sin(fx/520-over)))
		}
		away := min(1, max(0, near-40)/350)
		return float32(max(125, sum/weights+away*away*(hills+14)-max(0, near-450)/7))
	}
	l.Water = func(x, z float32) float32 {
		if l.Height(x, z) > sea+4 {
			return landscapetest.Dry
		}
		return sea
	}
	l.Step = 10
	for column := 50; column < 74; column++ {
		for row := 32; row < 60; row++ {
			l.Tiles = append(l.Tiles, [2]int{column, row})
		}
	}
	return l
}

// walkedWays is a file of heights as players have learned them on a land: roads, a square, steps of a lone player, a
// bridge, and a dungeon.
func walkedWays(l *landscapetest.Land) string {
	known, lines := map[[2]int]bool{}, []string{"sphere ground 1"}
	step := func(x, z, y float64) {
		at := [2]int{int(math.Floor(x / 2)), int(math.Floor(z / 2))}
		if !known[at] {
			known[at] = true
			lines = append(lines, fmt.Sprintf("%d %d 0 %.0f", at[0], at[1], 100*y))
		}
	}
	onLand := func(x, z float64) { step(x, z, max(149.5, float64(l.Height(float32(x), float32(z))))) }
	for s := 0.0; s < 1700; s++ {
		x, z := 2614-s*0.3+40*math.Sin(s/160), 1293-s
		for w := -2.0; w <= 2; w += 2 {
			onLand(x+w, z)
		}
		if s < 900 {
			onLand(2614-s, 1293-0.25*s+60*math.Sin(s/120))
		}
		if int(s)%7 == 0 && s < 1200 {
			onLand(2614+0.5*s, 1293-0.4*s+30*math.Sin(s/90))
		}
	}
	for i := range 900 {
		onLand(2584+2*float64(i%30), 1270+2*float64(i/30))
	}
	for i := range 40 * 4 {
		step(2660+2*float64(i%40), 1330+2*float64(i/40), 168)
	}
	for s := 0.0; s < 700; s++ {
		for w := -4.0; w <= 4; w += 2 {
			step(-360+100*math.Cos(s/110)+w, 960+140*math.Sin(s/60), 1500+8*math.Sin(s/70))
		}
	}
	return strings.Join(append(lines, fmt.Sprintf("end %d", len(lines)-1)), "\n") + "\n"
}

// importedLand is the data folder of an operator that has imported a client with that continent, on which players
// have walked.
func importedLand(t *testing.T) (dir string) {
	t.Helper()
	client, ways := madeUpClient(t), filepath.Join(t.TempDir(), "ways")
	dir = t.TempDir()
	land := anIsland()
	land.Write(t, client, "Landscape")
	commandLine{t, dir}.must("config", "init")
	sphereRuns(t, 0, "import", client, "--yes", "--data", dir)
	if err := os.WriteFile(ways, []byte(walkedWays(land)), 0o600); err != nil {
		t.Fatal(err)
	}
	sphereRuns(t, 0, "ground", "import", ways, "--data", dir)
	return dir
}

// TestBrowserMapOfAnImportedLand makes a browser look at the map of a server with an imported client, by the program
// test/admin/relief.js. Its screenshots lie in test/admin/out afterwards.
func TestBrowserMapOfAnImportedLand(t *testing.T) {
	node, chromium := pageTools(t)
	besideOthers(t)
	dir := importedLand(t)
	p := launch(t, "", dir, []string{"--listen", "127.0.0.1:0", "--no-ase", "--no-minecraft"})
	select {
	case <-p.lines:
	case <-p.done:
		t.Fatalf("the server has ended with %d:\n%s", p.code(), p.logs)
	case <-time.After(patience):
		t.Fatalf("the server is not ready:\n%s", p.logs)
	}
	out, err := filepath.Abs(filepath.Join(pageFolder, "out"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), pagePatience)
	defer cancel()
	c := exec.CommandContext(ctx, node, "relief.js", operate[ops.Report](p, "status").FirstLink, out)
	c.Dir, c.Env = pageFolder, append(os.Environ(), "CHROMIUM="+chromium)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = time.Second
	if told, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, told)
	}
}
