package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/session"
)

// dungeonRows are where the newcomers' dungeon with both chests was recorded, from its origin at (-700, 4500, 700), and
// monsterRow where its monster was, at (500, 4500, 700).
var dungeonRows = []int{810, 811, 812, 813}

const monsterRow = 829

// dungeonIsThatOfRecordings compares the sight of a newcomer with the recorded one: which objects in which order, and
// every field of them, places from the origin to the centimetre. It returns the words of the page about it.
func dungeonIsThatOfRecordings(t *testing.T) string {
	var told, monster []*packets.Frame
	for _, f := range originals(t) {
		switch {
		case slices.Contains(dungeonRows, f.row):
			told = append(told, &packets.Frame{Body: f.body})
		case f.row == monsterRow:
			monster = append(monster, &packets.Frame{Body: f.body})
		}
	}
	ofTavern := func(s *sighting) bool {
		return s.contained || s.class == packets.ClassChest && s.spawn.X == -700
	}
	recorded := slices.DeleteFunc(sightings(told), ofTavern)
	for _, s := range recorded {
		s.fromOrigin(-700, 4500, 700)
	}
	for _, s := range sightings(monster) {
		s.fromOrigin(500, 4500, 700)
		recorded = append(recorded, s)
	}
	var ours []*sighting
	for seed := 1; len(ours) < len(recorded) && seed < 9; seed++ { // half of the dungeons have the second chest
		g := newStage(t, func(o *Options) { inDungeons(o); o.World.Seed, o.Dialect = seed, packets.Dialect2022 })
		c := g.connect().in(session.InWorld)
		g.pass(time.Second)
		ours = slices.DeleteFunc(sightings(c.frames()), func(s *sighting) bool { return s.contained })
	}
	if len(ours) != len(recorded) {
		t.Fatalf("%d objects were recorded, ours are %d", len(recorded), len(ours))
	}
	origin := ours[0].spawn
	for i, s := range ours {
		s.fromOrigin(origin.X, origin.Y, origin.Z)
		if was, is := s.inWords(), recorded[i].inWords(); was != is {
			t.Errorf("object %d of the newcomers' dungeon:\n  recorded %s\n  ours     %s", i, is, was)
		}
	}
	return fmt.Sprintf(dungeonText, len(recorded))
}

// inWords tells all of an object but its name.
func (s *sighting) inWords() string {
	words := []string{fmt.Sprintf("%v %+v", s.class, s.spawn)}
	for _, r := range s.more {
		c, ok := packets.CommandOf(r)
		if turn, is := c.(*packets.ChestTurn); is { // a whole turn was recorded as a little more than that
			words = append(words, fmt.Sprintf("turned by %.2f", turn.Yaw))
			continue
		}
		if _, name := c.(*packets.DisplayName); ok && !name {
			words = append(words, fmt.Sprintf("%T %+v", c, c))
		}
	}
	return strings.Join(words, ", ")
}

const dungeonText = `
## The newcomers' dungeon

What a newcomer is shown of its dungeon was recorded in one piece, but for the monster, which was recorded elsewhere: %d objects. Ours are
the same, in the same order, to the last field and to the centimetre from the origin, but for the names of the guide, the other person and the
monster, which differ in recordings too; and three objects about the chests of a tavern's hall, which are left out.
`
