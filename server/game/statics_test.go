package game

import (
	"testing"

	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// The world knows all minds that spawners name.
func TestMindsOfSpawnersAreKnown(t *testing.T) {
	b := rules.DefaultBalance().Spawn
	b.Guards = 1
	for _, s := range wild.Spawners(content.Default().Tables, &b) {
		if s.Mind != "" && world.MindNamed(s.Mind) == 0 {
			t.Fatalf("%s has the mind of a %s", s.Key, s.Mind)
		}
	}
	if is := world.MindNamed("dragon"); is != 0 {
		t.Errorf("a name that is not registered is mind %d", is)
	}
	guards := 0
	for _, s := range spawners(content.Default().Tables, &b) {
		if s.Mind != 0 {
			guards++
		}
	}
	if want := len(content.Cities()); guards != want {
		t.Errorf("%d guards stand in %d cities", guards, want)
	}
}
