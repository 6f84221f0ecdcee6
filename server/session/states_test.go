package session

import (
	"encoding/binary"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/packets/packetstest"
)

// Fault case 7: every message in every state does what the table says, and nothing else.
func TestEveryMessageInEveryState(t *testing.T) {
	if testing.Short() {
		t.Skip("one thing after the other: there is nothing to race")
	}
	send := map[Message]func(*conn){
		ReplyMessage:     func(c *conn) { c.control(&packets.GreetingReply{Value: 3}) },
		KeepaliveMessage: func(c *conn) { c.control(&packets.Keepalive{}) },
		CountMessage:     func(c *conn) { c.control(&packets.SentCount{Frames: 5}) },
		StrangeMessage:   func(c *conn) { c.control(&packets.UnknownControl{On: 999, Data: []byte{1, 2, 3}}) },
		PingMessage:      func(c *conn) { c.ping(coords.Position{X: 2614, Y: 157, Z: 1293}) },
		LoginMessage:     func(c *conn) { c.login("somebody", "else") },
		SelectMessage:    func(c *conn) { c.choose(0, &packets.EnterWorld{}) },
		CreateMessage:    func(c *conn) { c.choose(1, &packets.CreateCharacter{Name: "Another", Look: maleLook}) },
		DeleteMessage:    func(c *conn) { c.say(c.own(owner(&packets.DeleteSlot{Number: 1}))) },
		ReadyMessage:     func(c *conn) { c.say(c.own(manager(&packets.Ready{Value: 0x34}))) },
		UseMessage: func(c *conn) {
			c.say(packets.Message(0, 0x1234, packets.ClassPowder, &packets.ContMan{Command: &packets.Use{Player: c.s().ID()}}))
		},
		OtherMessage: func(c *conn) { c.say(c.own(manager(&packets.Animation{Number: 8}))) },
		UndecodableMessage: func(c *conn) {
			c.say(c.own(&packets.UnknownRegion{Number: 4, Data: packets.Bits{Len: 16, Data: []byte{0xFF, 0xFF}}}))
		},
	}
	for s := Connected; s < Closing; s++ {
		for m := range messages {
			if s == LoggingIn || m == UndecodableMessage && s == Connected {
				continue // passes by itself
			}
			t.Run(s.String()+"/"+m.String(), func(t *testing.T) {
				g := newStage(t, nil)
				c := g.connect()
				if s > Connected {
					c.in(s)
				}
				before, odd, lost := c.s().State(), c.s().unexpected, g.manager.count.undecodable.Load()
				send[m](c)
				if n := g.manager.count.undecodable.Load() - lost; (n == 1) != (m == UndecodableMessage) || n > 1 {
					t.Errorf("%d frames are counted as undecodable", n)
				}
				rule := stateTable[s].rules[m]
				switch {
				case rule.fatal:
					if g.run(); !c.closed || c.s().Reason() != NotTheProtocol {
						t.Errorf("not closed: %v", c.s().Reason())
					}
				case rule.do == nil:
					if c.s().State() != before || c.s().unexpected != odd+1 || c.closed {
						t.Errorf("state %v, %d messages out of place, closed %v", c.s().State(), c.s().unexpected, c.closed)
					}
				default:
					if c.s().unexpected != odd {
						t.Errorf("counted as out of place")
					}
				}
				locked := (s == InWorld || s == Entering) && (m == UseMessage || m == UndecodableMessage)
				if n := len(commandsOf[*packets.ReleaseUse](c.frames())); locked && n != 1 || !locked && n != 0 {
					t.Errorf("the lock is released %d times", n)
				}
				g.pass(2 * time.Second)
			})
		}
	}
}

// A blow that arrives cut frees its client like a whole one; clients of 2022, which know no lock, are told of none.
func TestWhatDoesNotDecodeFreesItsClient(t *testing.T) {
	for _, d := range []packets.Dialect{packets.Dialect2026, packets.Dialect2022} {
		g := newStage(t, func(o *Options) { o.Dialect, o.Auto = d, false })
		c := g.connect()
		c.in(InWorld)
		blow := packets.Message(0, 0x1234, packets.ClassStartSword, &packets.ContMan{Command: &packets.UseOn{Player: c.s().ID(),
			Target: 0x2345}})
		whole, err := packets.AppendClient(nil, blow, d, 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		if d == packets.Dialect2026 {
			want = 1
		}
		for cut := range 8 {
			c.frames()
			frame := slices.Clone(whole[:len(whole)-cut])
			binary.LittleEndian.PutUint16(frame, uint16(len(frame)))
			c.receive(frame)
			if freed := len(commandsOf[*packets.ReleaseUse](c.frames())); freed != want {
				t.Errorf("%v: cut by %d bytes it is freed %d times", d, cut, freed)
			}
		}
	}
}

// Fault cases 5 and 6: each state has an end, in all, however slowly bytes trickle in.
func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		state State
		after time.Duration
		want  Reason
		say   func(*conn)
	}{
		{Connected, 30 * time.Second, HandshakeTimeout, nil},
		{Handshaken, 2 * time.Minute, LoginTimeout, func(l *conn) { l.control(&packets.Keepalive{}) }},
		{CharacterScreen, 30 * time.Minute, ScreenTimeout, nil},
		{Entering, 60 * time.Second, EnteringTimeout, func(l *conn) { l.control(&packets.Keepalive{}) }},
		{InWorld, 60 * time.Second, Silent, nil},
	} {
		t.Run(c.state.String(), func(t *testing.T) {
			g := newStage(t, nil)
			l := g.connect()
			if c.state > Connected {
				l.in(c.state)
			}
			start := g.now
			for !l.closed && g.now.Sub(start) < 2*c.after {
				g.pass(time.Second)
				if c.say != nil && !l.closed {
					c.say(l)
				}
			}
			if took := g.now.Sub(start); l.s().Reason() != c.want || took < c.after-2*time.Second ||
				took > c.after+2*time.Second {
				t.Errorf("ended after %v for %v, want %v for %v", took, l.s().Reason(), c.after, c.want)
			}
		})
	}
}

// Fault case 26: neither a suspended process nor a jump of the clock is the clients' silence.
func TestSuspendedProcessLosesNobody(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	c.ping(coords.Position{X: 2614, Y: 157, Z: 1293})
	g.now = g.now.Add(time.Hour)
	g.pass(time.Second)
	if c.closed {
		t.Fatalf("closed for %v after an hour's sleep", c.s().Reason())
	}
	g.now = g.now.Add(-3 * time.Hour)
	g.pass(5 * time.Second)
	if c.closed {
		t.Fatalf("closed for %v after the clock was set back", c.s().Reason())
	}
}

func TestForeignPlayersAreNotSpokenFor(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	g.pass(time.Second)
	c.frames()
	c.say(packets.PingBody(0x1234, 1, coords.Position{X: 1}))
	c.say(packets.Message(0, 0x5555, packets.ClassPlayer, manager(&packets.PickUp{Item: 1})))
	if len(c.got) != 0 || g.metrics.Values()["pings_foreign"] != 1 {
		t.Errorf("answered % X", c.got)
	}
	// What uses the other player has locked its own client, which has to be freed.
	for _, use := range []packets.Command{&packets.Use{Player: c.s().ID()}, &packets.UnknownCommand{Number: 7, Data: []byte{1}}} {
		c.say(packets.Message(0, 0x5555, packets.ClassPlayer, &packets.ContMan{Command: use}))
		if n := len(commandsOf[*packets.ReleaseUse](c.frames())); n != 1 {
			t.Errorf("%s of another player frees the client %d times", packets.Name(use), n)
		}
	}
}

// A frame of very many commands counts as many frames.
func TestAFloodMayComeInFewFrames(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	var many []packets.Region
	for range 100 {
		many = append(many, &packets.ContMan{Command: &packets.Use{Player: c.s().ID()}})
	}
	for range 3 {
		c.say(packets.Message(0, 0x1234, packets.ClassPowder, many...))
	}
	if n := g.metrics.Values()["frames_dropped"]; n != 0 {
		t.Errorf("%v of the first frames are dropped", n)
	}
	for range 5 {
		c.say(packets.Message(0, 0x1234, packets.ClassPowder, many...))
	}
	if n := g.metrics.Values()["frames_dropped"]; n == 0 {
		t.Error("no frame is dropped")
	}
}

// Fault case 12.
func TestFloodsAreCut(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	frames := 0
	for ; !c.closed && frames < 20000; frames++ {
		c.control(&packets.Keepalive{})
		if frames%500 == 499 {
			g.pass(WheelPeriod)
		}
	}
	if c.s().Reason() != TooManyFrames || frames > 1000 {
		t.Errorf("closed after %d frames for %v", frames, c.s().Reason())
	}
	// A lively client is not a flood: 25 frames a second for a minute.
	c = g.connect().in(InWorld)
	for range 60 {
		for range 25 {
			c.control(&packets.Keepalive{})
		}
		g.pass(time.Second)
	}
	if c.closed {
		t.Errorf("a lively client was closed for %v", c.s().Reason())
	}
}

// Fault case 13.
func TestSlowReadersAreCut(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	c.Unsent = g.manager.options.Limits.Pending - 2
	c.control(&packets.Keepalive{})
	if c.s().Reason() != SlowReader {
		t.Errorf("reason %v", c.s().Reason())
	}
}

func TestStreamsThatAreNoneOfTheGame(t *testing.T) {
	for _, c := range [][]byte{{0, 0}, {1, 0, 0, 0}, {2, 0}, {3, 0, 0}, {7, 0, 1, 2, 3, 4, 5}, {0xFF, 0xFF, 1},
		{0x01, 0x10}, []byte("GET / HTTP/1.1\r\n\r\n")} {
		g := newStage(t, nil)
		l := g.connect()
		valid, _ := packets.AppendControl(nil, &packets.GreetingReply{Value: 3}, packets.FromClient, packets.GreetingKey, 1)
		l.receive(append(valid, c...))
		if g.run(); !l.closed || l.s().Reason() != NotTheProtocol {
			t.Errorf("% X: %v", c, l.s().Reason())
		}
	}
}

func TestAnyFrameStandsForTheAcknowledgement(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(Entering)
	c.ping(coords.Position{X: 2614, Y: 157, Z: 1293})
	if len(packetstest.Regions[*packets.PositionStream](c.frames())) != 1 {
		t.Error("a ping while entering was not answered")
	}
	g.pass(500 * time.Millisecond)
	if c.s().State() == InWorld {
		t.Error("did not wait for the real acknowledgement")
	}
	g.pass(2 * time.Second)
	if c.s().State() != InWorld {
		t.Errorf("state %v", c.s().State())
	}
}
