package game

import (
	"slices"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/session"
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

// Each page opens when a character does for the first time what it is about, and never again.
//
// Source: protocol life 13.
func TestFirstHelpOpensOnce(t *testing.T) {
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
