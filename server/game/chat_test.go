package game

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
)

// write sends a line of chat as a client does, frame by frame.
func (c *conn) write(channel world.Channel, text string) {
	c.g.t.Helper()
	c.say(c.own(&packets.Manager{Command: &packets.ChatHeader{Channel: uint8(channel),
		Length: uint32(packets.Len1251(text)), Parts: 1}}))
	c.say(c.own(&packets.Manager{Command: &packets.ChatPart{Channel: uint8(channel), Text: text + "\x00"}}))
}

func (c *conn) name() string { return c.s().Character().Name }

// system are the system messages that have come; the client's own texts by their number: "#10302".
func (c *conn) system() (lines []string) {
	c.g.t.Helper()
	for _, command := range commandsOf[packets.Command](c.frames()) {
		switch m := command.(type) {
		case *packets.SystemMessage:
			lines = append(lines, m.Text)
		case *packets.SystemText:
			lines = append(lines, fmt.Sprintf("#%d", m.Text))
		}
	}
	return lines
}

// players are characters in the world that have heard nothing yet. There is room for the lines that tests write at
// once.
func (g *stage) players(n int) []*conn {
	g.t.Helper()
	all := make([]*conn, n)
	for i := range all {
		all[i] = g.connect().in(session.InWorld)
	}
	g.pass(time.Second)
	for _, c := range all {
		c.frames()
	}
	return all
}

func chatStage(t *testing.T) *stage {
	return newStage(t, func(o *Options) {
		o.Limits.FramesPerSecond, o.Limits.FramesBurst = 1000, 1000
		o.Limits.PerAddress, o.Limits.NewPerAddressBurst = 300, 300
		o.Timeouts.Silence = time.Hour // tests let minutes go by
	})
}

// A line of chat goes over the wire to its writer and to players near it, as a chat object for all or about each of
// them; a position message between its parts does not matter.
func TestChatOverTheWire(t *testing.T) {
	t.Parallel()
	g := chatStage(t)
	all := g.players(2)
	for _, c := range all {
		g.server.world.Do(world.ChangeClan{ID: c.pid(), Clan: "Клан", Rank: 3})
	}
	g.pass(2 * session.WheelPeriod)
	for on, want := range map[world.Channel]string{world.Normal: "object", world.Clan: "own"} {
		for _, c := range all {
			c.frames()
		}
		all[0].say(all[0].own(&packets.Manager{Command: &packets.ChatHeader{Channel: uint8(on), Length: 6, Parts: 1}}))
		all[0].ping(g.server.options.Start)
		all[0].say(all[0].own(&packets.Manager{Command: &packets.ChatPart{Channel: uint8(on), Text: "привет\x00"}}))
		g.pass(2 * session.WheelPeriod)
		for i, c := range all {
			have, frames := "nothing", c.frames()
			for _, f := range frames {
				if len(commandsOf[*packets.ChatPart]([]*packets.Frame{f})) > 0 && f.Body.Sections[0].Object == c.s().ID() {
					have = "own"
				}
			}
			if lines := regionsOf[*packets.ChatLine](frames); len(lines) == 1 && lines[0].Sender == all[0].name() {
				have = "object"
			}
			if have != want {
				t.Errorf("channel %d: player %d is told by %q, want %q", on, i, have, want)
			}
		}
	}
	for what, command := range map[string]func(){
		"in the chat":    func() { all[0].write(world.Normal, "/кто") },
		"by the console": func() { all[0].say(all[0].own(manager(&packets.Console{Command: "who"}))) },
	} {
		command()
		g.server.Wait()
		g.pass(time.Second)
		if lines := all[0].system(); len(lines) != 1 || !strings.HasPrefix(lines[0], "В мире: 2.") {
			t.Errorf("a command %s is answered %q", what, lines)
		}
	}
}
