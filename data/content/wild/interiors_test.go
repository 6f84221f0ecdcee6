package wild

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/world/rules/rulestest"
)

// Each dungeon, castle dungeon and cemetery has monsters of its habitat, none where players arrive.
func TestInteriorsHaveMonsters(t *testing.T) {
	tables := content.Default().Tables
	n := 0
	for _, p := range content.Places() {
		letter := "D"
		switch p.Kind {
		case content.PlaceCemetery:
			letter = "C"
		case content.PlaceDungeon, content.PlaceCastleDungeon:
		default:
			continue
		}
		n++
		here, lives := 0, 0
		for _, s := range all() {
			if s.Area != p.Area || cellOf(s.Position) != cellOf(p.Position) {
				continue
			}
			here++
			if d := flat(s.Position, p.Position); d < 12 {
				t.Errorf("%s is %.0f m from where one comes into %s", s.Key, d, p.Key)
			}
			for _, id := range s.Types {
				if strings.Contains(tables.Monster(id).Habitat, letter) || s.Known {
					lives++
				}
			}
		}
		if here < 1 || lives == 0 {
			t.Errorf("%s has %d places where monsters come from, of which %d types live there", p.Key, here, lives)
		}
	}
	if n < 34 {
		t.Errorf("only %d dungeons and cemeteries are known", n)
	}
}

// What was recorded inside of dungeons stands where it was recorded.
func TestRecordedInteriors(t *testing.T) {
	_, rows := rulestest.Table(t, "spawns.tsv")
	found := 0
	for _, r := range rows {
		at := coords.Position{X: float32(float(t, r[2])), Y: float32(float(t, r[3])), Z: float32(float(t, r[4]))}
		if area, ok := content.AreaOf(at); !ok || area.Key != "dungeons" {
			continue
		}
		i := slices.IndexFunc(all(), func(s Spawner) bool { return s.Known && s.Position.Distance(at) < 0.1 })
		if i < 0 {
			t.Errorf("nothing stands at %v", at)
			continue
		}
		found++
		if s := all()[i]; r[0] == "monster" && (strconv.Itoa(s.Types[0]) != r[6] || strconv.Itoa(s.Level) != r[7]) {
			t.Errorf("at %v stands type %v of level %d, recorded %v of %v", at, s.Types, s.Level, r[6], r[7])
		}
	}
	if found != len(survey) {
		t.Errorf("%d of %d are recorded", found, len(survey))
	}
}

// Levels in dungeons are those of recorded ones, within 6 of them.
func TestLevelsOfInteriors(t *testing.T) {
	b := balance()
	for _, s := range survey {
		at := coords.Position{X: s.x, Y: s.y, Z: s.z}
		i := slices.IndexFunc(content.Places(), func(p content.Place) bool {
			return p.Area == "dungeons" && cellOf(p.Position) == cellOf(at)
		})
		if i < 0 {
			continue
		}
		ring := around(content.Places()[i], dungeon, newCensus(content.Default().Tables), b)
		if off := math.Abs(float64(ring[0].Level - s.level)); off > 6 {
			t.Errorf("%s: level %d by the rule, %d recorded", content.Places()[i].Key, ring[0].Level, s.level)
		}
	}
	more := *b
	more.Dungeon, more.DungeonPlaces = 0, 0
	for _, s := range Spawners(content.Default().Tables, &more) {
		if (s.Area == "dungeons" || s.Area == "castle-dungeons") && !s.Known {
			t.Fatalf("%s is there though the balance wants none", s.Key)
		}
	}
}
