package game

import (
	"slices"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// helped are the pages of first help that a client was told to open.
func (c *conn) helped() (pages []int) {
	c.g.t.Helper()
	c.g.pass(200 * time.Millisecond)
	for _, m := range commandsOf[*packets.FirstHelp](c.frames()) {
		pages = append(pages, int(m.Page))
	}
	return pages
}

// Each page opens when a character does its subject for the first time, and never again.
//
// Source: protocol life 13.
func TestFirstHelpOpensOnce(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.FirstHelp, o.Dialect = true, packets.Dialect2022 })
	c := g.connect().in(session.InWorld)
	if pages := c.helped(); !slices.Equal(pages, []int{helpEntered}) {
		t.Errorf("who enters is shown %v", pages)
	}
	c.group(groupCreate)
	if pages := c.helped(); !slices.Equal(pages, []int{helpJoinedGroup}) {
		t.Errorf("who makes a group is shown %v", pages)
	}
	c.group(groupLeave)
	c.group(groupCreate)
	if pages := c.helped(); len(pages) != 0 {
		t.Errorf("who makes another is shown %v", pages)
	}
	id, account := c.s().Character().ID, c.s().Account()
	c.hangUp()
	g.until("it is saved", func() bool {
		online, _ := g.server.Online(account)
		return !online
	})
	if is, err := g.store.CharacterByID(t.Context(), id); err != nil || is.FirstHelp != 1<<helpEntered|1<<helpJoinedGroup {
		t.Errorf("stored is %b, %v", is.FirstHelp, err)
	}
}

func TestFirstHelpIsOffByDefault(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.Dialect = packets.Dialect2022 })
	c := g.connect().in(session.InWorld)
	if pages := c.helped(); len(pages) != 0 {
		t.Errorf("it is shown %v", pages)
	}
	c.p().FirstHelp(17)
	if pages := c.helped(); !slices.Equal(pages, []int{17}) {
		t.Errorf("asked for 17 it is shown %v", pages)
	}
}

// A page is about a gain: a kill that the killer sees, or not; not a murder, nor the pay for a mission.
func TestFirstHelpOfGains(t *testing.T) {
	t.Parallel()
	sheet := func(title, karma int, xp uint32) world.Sheet {
		return world.Sheet{Title: title, Progress: rules.Progress{Karma: karma, TitleXP: xp}}
	}
	for name, v := range map[string]struct {
		gain world.Gain
		page int // -1: none
	}{
		"a kill":             {world.Gain{Was: sheet(0, 0, 0), Is: sheet(0, 1, 3)}, helpWonFight},
		"the newcomers' one": {world.Gain{Coins: 14}, helpWonFight},
		"a level":            {world.Gain{Was: sheet(0, 0, 9), Is: sheet(1, 1, 0)}, helpRoseALevel},
		"a murder":           {world.Gain{Was: sheet(0, 0, 0), Is: sheet(0, -500, 0)}, -1},
		"a mission":          {world.Gain{Was: sheet(0, 0, 0), Is: sheet(0, 25, 20), Coins: 10, Mission: &world.MissionEnded{}}, -1},
	} {
		if page, ok := helpWith(&v.gain); ok != (v.page >= 0) || ok && page != v.page {
			t.Errorf("%s: page %d, %v; expected %d", name, page, ok, v.page)
		}
	}

	g := newStage(t, func(o *Options) { o.FirstHelp, o.Dialect = true, packets.Dialect2022 })
	c := g.connect().in(session.InWorld)
	c.helped()
	won := world.Gain{ID: c.p().id(), Was: sheet(0, 0, 0), Is: sheet(0, 1, 3)}
	g.server.view.BeginTick()
	g.server.help(&world.MonsterDied{Gains: []world.Gain{won}})
	g.server.view.EndTick()
	if pages := c.helped(); !slices.Equal(pages, []int{helpWonFight}) {
		t.Errorf("who sees its kill is shown %v", pages)
	}
}
