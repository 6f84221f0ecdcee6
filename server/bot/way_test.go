package bot

import (
	"math"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/packets"
)

// weak is a client of level 1 in the open, which knows two grounds: a strong one at the way to the north, and one at
// its end.
func weak() (c *Client, end coords.Position) {
	start := coords.Position{X: 2000, Y: 157, Z: 0}
	at := func(x, z float32) coords.Position { return coords.Position{X: start.X + x, Y: start.Y, Z: start.Z + z} }
	const wolf = 1013
	spawner := func(p coords.Position) wild.Spawner {
		return wild.Spawner{Position: p, Area: "hyperion", Level: 12, Types: []int{wolf}}
	}
	b := *shippedBalance() // a copy has places of its own
	c = &Client{options: Options{Catalogue: content.Default(), Balance: &b}}
	c.Position, c.Stats = start, map[packets.Stat]int32{}
	c.spawners = []wild.Spawner{spawner(at(5, 150)), spawner(at(0, 300))}
	return c, at(0, 300)
}

// A hunter goes around a ground with monsters that would notice and beat it, on the nearer side; not around the one to
// which it goes, nor around any when it is too strong to be noticed.
func TestAHunterGoesAroundStrongMonsters(t *testing.T) {
	c, end := weak()
	way := c.wayAround(end)
	if len(way) != 1 || way[0].X >= c.Position.X {
		t.Fatalf("the way leads over %v", way)
	}
	b := c.options.Balance
	if d, want := way[0].Distance(c.spawners[0].Position), b.Spawn.Radius+b.Mind.Notice; d < want {
		t.Errorf("it passes the ground in %.1f m, expected %.1f at least", d, want)
	}
	c.Stats[packets.StatTitle] = 40
	if way := c.wayAround(end); len(way) != 0 {
		t.Errorf("a strong one goes over %v", way)
	}
}

// The expected cost of a fight counts those that will help.
func TestAHunterCountsCompany(t *testing.T) {
	c, _ := weak()
	beast := func(x float32) *Object {
		at := c.Position
		at.X += x
		return &Object{Position: at, Monster: &Monster{Type: 1013, Level: 12, HP: 700, MaxHP: 700}}
	}
	prey := beast(20)
	c.beasts = []*Object{prey, beast(25), beast(29), beast(60)}
	if n := c.company(prey); n != 2 {
		t.Errorf("%d others help", n)
	}
	c.beasts[1].Monster.Dying = true
	if n := c.company(prey); n != 1 {
		t.Errorf("%d others help when one is dying", n)
	}
	if once, twice := together(1), together(2); once != 1 || twice != 3 {
		t.Errorf("one costs %v, two cost %v", once, twice)
	}
	c.Position = prey.Position
	c.Stats[packets.StatHP] = 100
	if !c.hopeless() {
		t.Error("a fight against wolves of level 12 is not hopeless at level 1")
	}
	c.Stats[packets.StatHP] = math.MaxInt32
	if c.hopeless() {
		t.Error("a fight is hopeless with any HP")
	}
}
