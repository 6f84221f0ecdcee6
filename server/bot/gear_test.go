package bot_test

import (
	"strconv"
	"testing"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// given brings a hunter of a school into the world, gives it things by their classes and numbers, and runs it for a
// while.
func given(t *testing.T, s *running, school bot.School, things ...[2]int) *bot.Client {
	t.Helper()
	c := enter(t, s, "Hero", bot.Options{Hunt: true, School: school, AllowExternalChanges: true})
	for _, thing := range things {
		k := content.Default().Of(thing[0], thing[1], 0)
		if _, err := ops.GiveItem.Do(t.Context(), s.Operators(), ops.Owner(""), ops.Gift{
			CharacterName: ops.CharacterName{Name: "Hero"}, Item: strconv.Itoa(k.ID)}); err != nil {
			t.Fatal(err)
		}
	}
	ctx := short(t)
	end := time.Now().Add(90 * time.Second)
	if err := c.Hunt(ctx, func() bool { return time.Now().After(end) }); err != nil {
		t.Fatal(err)
	}
	return c
}

// A hunter puts on pieces that protect it better, and holds the better weapon of its school; it leaves things with
// requirements that it does not meet, and weapons of other schools.
func TestAHunterWearsWhatServesIt(t *testing.T) {
	const ring, helmet, sword, axe = 760, 757, 500, 501
	things := [][2]int{{ring, 15221}, {helmet, 15101}, {helmet, 15102}, {sword, 15001}, {axe, 15011}, {sword, 15003}}
	for school, held := range map[bot.School]packets.Class{bot.Swords: sword, bot.Axes: axe, bot.Fists: 0} {
		t.Run(school.String(), func(t *testing.T) {
			onAServer(t, func(t *testing.T, s *running) {
				c := given(t, s, school, things...)
				worn := func(slot int) int {
					if o := c.Objects[c.Slots[slot].Item]; o != nil {
						return int(o.Spawn.C)
					}
					return 0
				}
				if worn(8) != 15221 || worn(0) != 15101 {
					t.Errorf("the ring is %d, the helmet %d", worn(8), worn(0))
				}
				holds := packets.Class(0)
				if o := c.Objects[c.InHand()]; o != nil {
					holds = o.Class
				}
				if holds != held {
					t.Errorf("it holds %s", holds)
				}
			})
		})
	}
}
