package game

import (
	"bytes"
	"math"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ops"
	"sphereserver/server/session"
)

func TestWholeLifeOfASession(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect()
	if got, want := c.got, []byte{0x0A, 0, 0xC8, 0, 0x6C, 0x07, 0, 0, 0x40, 0x0E}; !bytes.Equal(got, want) {
		t.Fatalf("greeting % X, want % X", got, want)
	}
	c.got = nil
	c.control(&packets.GreetingReply{Value: 3})
	if len(c.got) != 0 {
		t.Error("credentials come without their pause")
	}
	g.pass(150 * time.Millisecond)
	if len(c.got) != 56 || !bytes.HasPrefix(c.got, []byte{0x38, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0x40, 0x20, 0x10}) {
		t.Fatalf("credentials % X", c.got)
	}
	c.got = nil
	c.login("Иван", "пароль7")
	g.until("the character screen is there", func() bool { return len(c.got) == 82+3*packets.RecordBytes })
	if records := commandsOf[*packets.CharacterRecord](c.frames()); len(records) != 3 ||
		records[0].Look != packets.EmptySlotLook {
		t.Fatalf("records %+v", records)
	}

	c.choose(1, &packets.CreateCharacter{Name: "Вася", Look: packets.FemaleLook(0x33323130)})
	g.until("the character is made", func() bool { return c.s().State() == session.Entering })
	frames := c.frames()
	if len(commandsOf[*packets.NameAccepted](frames)) != 1 {
		t.Error("the name was not accepted")
	}
	snapshot := regionsOf[*packets.WorldSnapshot](frames)
	if len(snapshot) != 1 || snapshot[0].Name != "Вася" || snapshot[0].Gender != 1 || snapshot[0].Look != 0x33323130 ||
		snapshot[0].X != 2614 ||
		snapshot[0].Occupied[26] != 1 || snapshot[0].Weights[27] != 80 || snapshot[0].Carried != 5180 ||
		snapshot[0].ClanRank != -1 || snapshot[0].HP != 110 {
		t.Fatalf("enters as %+v", snapshot)
	}
	c.say(c.own(&packets.Owner{Command: &packets.WorldLoaded{}}))
	c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the player is in the world", func() bool { return c.s().State() == session.InWorld })
	frames = c.frames()
	filled := map[packets.ObjectID]uint8{}
	for _, f := range commandsOf[*packets.FillSlot](frames) {
		filled[f.Item] = f.Slot
	}
	spawned := 0
	for _, f := range frames {
		if f.Body == nil {
			continue
		}
		for _, s := range f.Body.Sections {
			if _, ok := filled[s.Object]; ok {
				spawned++
			}
		}
	}
	stats := map[packets.Stat]int32{}
	for _, s := range regionsOf[*packets.SetStat](frames) {
		stats[s.Stat] = s.Value
	}
	if len(filled) != 3 || spawned != 3 || stats[packets.StatMaxHP] != 110 || stats[packets.StatKarma] != 3 ||
		len(stats) != 51 ||
		len(commandsOf[*packets.Money](frames)) != 1 || len(regionsOf[*packets.PlayerCountSpawn](frames)) != 1 ||
		len(regionsOf[*packets.GameTime](frames)) != 1 {
		t.Errorf("the world's data: slots %v, spawned %d, %d stats %v", filled, spawned, len(stats), stats)
	}

	at := coords.Position{X: 2620.5, Y: 157.75, Z: 1290.25, Yaw: 1.5}
	c.ping(at)
	pong := c.frames()
	if len(pong) != 1 || !pong[0].Body.HasOrigin || pong[0].Body.Origin != at.Origin() ||
		pong[0].Body.Sections[0].Object != c.s().ID() {
		t.Fatalf("the answer to a ping is %+v", pong)
	}
	c.control(&packets.Keepalive{})
	if !bytes.Equal(c.got, []byte{4, 0, 0xF4, 1}) {
		t.Errorf("the answer to a keepalive is % X", c.got)
	}
	c.got = nil

	// Every 3, 6 and 15 s something comes by itself.
	g.server.options.Timeouts.Silence = 2 * time.Minute
	g.pass(60 * time.Second)
	if c.closed {
		t.Fatalf("closed: %v", c.s().Reason())
	}
	keepalives := 0
	frames = c.frames()
	for _, f := range frames {
		if f.Channel == packets.ChannelKeepalive {
			keepalives++
		}
	}
	if clocks := len(regionsOf[*packets.GameTime](frames)); keepalives < 18 || keepalives > 22 || clocks < 3 ||
		clocks > 5 {
		t.Errorf("%d keepalives and %d clocks in a minute", keepalives, clocks)
	}
	if effects := commandsOf[*packets.PlayEffect8](frames); len(effects) < 9 || len(effects) > 11 {
		t.Errorf("%d frames of six seconds in a minute", len(effects))
	}

	index := c.s().Index()
	c.hangUp()
	g.until("the character is saved", func() bool { return g.server.AccountsOnline() == 0 })
	account, err := g.store.AccountByLogin(t.Context(), "ИВАН")
	if err != nil {
		t.Fatal(err)
	}
	characters, err := g.store.Characters(t.Context(), account.ID)
	if err != nil || len(characters) != 1 || characters[0].Slot != 1 || coords.Position(characters[0].Position) != at ||
		characters[0].Played < time.Minute {
		t.Fatalf("saved %+v, %v", characters, err)
	}

	// Tomorrow.
	c = g.connect()
	if c.s().Index() == index {
		t.Error("the index was used again at once")
	}
	c.control(&packets.GreetingReply{Value: 3})
	c.login("иван", "пароль7")
	g.until("the character screen is there", func() bool { return c.s().State() == session.CharacterScreen })
	c.choose(1, &packets.EnterWorld{})
	g.until("the character enters", func() bool { return c.s().State() == session.Entering })
	snapshot = regionsOf[*packets.WorldSnapshot](c.frames())
	if len(snapshot) != 1 || snapshot[0].X != at.X || snapshot[0].Z != at.Z || snapshot[0].Yaw != at.Yaw ||
		snapshot[0].Occupied[26] != 1 {
		t.Errorf("comes back as %+v", snapshot)
	}
}

func TestRefusedLogins(t *testing.T) {
	refused := []byte{0x0E, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0x40, 0xA0, 0, 0}
	for name, c := range map[string]struct {
		change          func(*Options)
		login, password string
	}{
		"wrong password":     {nil, "known", "wrong"},
		"empty login":        {nil, "", "x"},
		"empty password":     {nil, "known", ""},
		"control characters": {nil, "a\x01b", "x"},
		"unknown login":      {func(o *Options) { o.CreateAccounts = false }, "unknown", "x"},
	} {
		t.Run(name, func(t *testing.T) {
			g := newStage(t, c.change)
			hash, err := data.HashPassword("right", data.HashParams{MemoryKiB: 8, Time: 1, Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.store.CreateAccount(t.Context(), "known", hash, data.Player); err != nil {
				t.Fatal(err)
			}
			l := g.connect().in(session.Handshaken)
			g.pass(time.Second)
			l.got = nil
			l.login(c.login, c.password)
			g.until("the login is refused", func() bool { return l.closed })
			if !bytes.Equal(l.got, refused) || l.s().Reason() != session.LoginRefused {
				t.Errorf("got % X, %v", l.got, l.s().Reason())
			}
		})
	}
}

func TestOneAccountOnce(t *testing.T) {
	for _, takeOver := range []bool{false, true} {
		g := newStage(t, func(o *Options) { o.TakeOver = takeOver })
		first := g.connect().in(session.InWorld)
		at := coords.Position{X: 2600, Y: 157, Z: 1290}
		first.ping(at)
		second := g.connect().in(session.Handshaken)
		second.login(first.s().Login(), "secret")
		g.until("the second login is decided", func() bool {
			return second.closed ||
				second.s().State() == session.CharacterScreen
		})
		if first.closed != takeOver || second.closed == takeOver {
			t.Errorf("take over %v: first closed %v (%v), second closed %v (%v)", takeOver, first.closed, first.s().Reason(),
				second.closed, second.s().Reason())
		}
		if takeOver {
			// What the older session did is not lost.
			if got := second.s().Characters()[0]; got == nil || coords.Position(got.Position) != at {
				t.Errorf("the newer login sees %+v", got)
			}
		}
	}
}

func TestCharacterScreen(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.CharacterScreen)
	g.pass(time.Second)
	rejected := func(why string, slot int, name string, look int32) {
		t.Helper()
		c.got = nil
		c.choose(slot, &packets.CreateCharacter{Name: name, Look: look})
		g.until(why+" is refused", func() bool { return len(c.got) > 0 })
		if len(commandsOf[*packets.NameRejected](c.frames())) != 1 || c.s().State() != session.CharacterScreen {
			t.Errorf("%s: state %v", why, c.s().State())
		}
	}
	rejected("slot 3", 3, "Hero", maleLook)
	rejected("no name", 0, "", maleLook)
	rejected("a long name", 0, "Abcdefghijklmnopqrst", maleLook)
	rejected("a name with a control character", 0, "He\nro", maleLook)
	rejected("a look that is not offered", 0, "Hero", 0x00303030)
	other := g.connect().in(session.Entering)
	rejected("a taken name", 0, other.s().Character().Name, maleLook)

	c.choose(0, &packets.CreateCharacter{Name: "Hero", Look: maleLook})
	g.until("the character is made", func() bool { return c.s().State() == session.Entering })
	c.hangUp()
	g.until("the account is free", func() bool { return g.server.Presence(c.s().Account()) == nil })

	again := func() *line {
		l := g.connect().in(session.Handshaken)
		l.login(c.s().Login(), "secret")
		g.until("the screen is there", func() bool { return l.s().State() == session.CharacterScreen })
		return l
	}
	l := again()
	rejected2 := l.s().Characters()[0]
	if rejected2 == nil {
		t.Fatal("the character is not there")
	}
	l.choose(2, &packets.EnterWorld{})
	g.run()
	if !l.closed || l.s().Reason() != session.EmptySlot {
		t.Errorf("an empty slot: %v", l.s().Reason())
	}
	g.until("the account is free", func() bool { return g.server.Presence(c.s().Account()) == nil })
	l = again()
	l.say(l.own(&packets.Owner{Command: &packets.DeleteSlot{Number: 1}}))
	g.until("the deletion closes", func() bool { return l.closed })
	g.run()
	if l.s().Reason() != session.CharacterDeleted {
		t.Errorf("deletion: %v", l.s().Reason())
	}
	g.until("the account is free", func() bool { return g.server.Presence(c.s().Account()) == nil })
	if l = again(); l.s().Characters()[0] != nil {
		t.Error("the character is still there")
	}
}

// Requests that carry no more than old servers look at are understood too, protocol session 6.3.
func TestSparseRequestsOfTheScreen(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.Entering)
	c.hangUp()
	g.until("the account is free", func() bool { return g.server.AccountsOnline() == 0 })
	for _, frame := range [][]byte{
		append([]byte{0x15, 0, 0, 0, 1, 0, 0x2C, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}, make([]byte, 3)...),
		append([]byte{0x2A, 0, 0, 0, 1, 0, 0x2C, 1, 0, 0, 0, 0, 0, 8, 0x40, 0x80, 0x0D, 4}, make([]byte, 24)...),
	} {
		l := g.connect().in(session.Handshaken)
		l.login(c.s().Login(), "secret")
		g.until("the screen is there", func() bool { return l.s().State() == session.CharacterScreen })
		packets.Obfuscate(frame)
		l.receive(frame)
		g.until("the request is done", func() bool { return l.closed || l.s().State() == session.Entering })
		if (frame[0] == 0x15) != (l.s().State() == session.Entering) {
			t.Errorf("% X: state %v, %v", frame, l.s().State(), l.s().Reason())
		}
		if !l.closed {
			l.hangUp()
		}
		g.until("the account is free", func() bool { return g.server.AccountsOnline() == 0 })
	}
}

// Fault case 7: every message in every state does what the table says, and nothing else.
func TestEveryMessageInEveryState(t *testing.T) {
	send := map[session.Message]func(*line){
		session.ReplyMessage:     func(c *line) { c.control(&packets.GreetingReply{Value: 3}) },
		session.KeepaliveMessage: func(c *line) { c.control(&packets.Keepalive{}) },
		session.CountMessage:     func(c *line) { c.control(&packets.SentCount{Frames: 5}) },
		session.StrangeMessage:   func(c *line) { c.control(&packets.UnknownControl{On: 999, Data: []byte{1, 2, 3}}) },
		session.PingMessage:      func(c *line) { c.ping(coords.Position{X: 2614, Y: 157, Z: 1293}) },
		session.LoginMessage:     func(c *line) { c.login("somebody", "else") },
		session.SelectMessage:    func(c *line) { c.choose(0, &packets.EnterWorld{}) },
		session.CreateMessage:    func(c *line) { c.choose(1, &packets.CreateCharacter{Name: "Another", Look: maleLook}) },
		session.DeleteMessage:    func(c *line) { c.say(c.own(&packets.Owner{Command: &packets.DeleteSlot{Number: 1}})) },
		session.ReadyMessage:     func(c *line) { c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}})) },
		session.UseMessage: func(c *line) {
			c.say(packets.Message(0, 0x1234, packets.ClassPowder, &packets.ContMan{Command: &packets.Use{Player: c.s().ID()}}))
		},
		session.OtherMessage: func(c *line) { c.say(c.own(&packets.Manager{Command: &packets.Animation{Number: 8}})) },
		session.UndecodableMessage: func(c *line) {
			c.say(c.own(&packets.UnknownRegion{Number: 4, Data: packets.Bits{Len: 16, Data: []byte{0xFF, 0xFF}}}))
		},
	}
	for s := session.Connected; s < session.Closing; s++ {
		for m := range session.Messages {
			if s == session.LoggingIn || m == session.UndecodableMessage && s == session.Connected {
				continue // passes by itself
			}
			t.Run(s.String()+"/"+m.String(), func(t *testing.T) {
				g := newStage(t, nil)
				c := g.connect()
				if s > session.Connected {
					c.in(s)
				}
				before, odd := c.s().State(), c.s().OutOfPlace()
				send[m](c)
				rule := session.RuleFor(s, m)
				switch {
				case rule.Fatal():
					if g.run(); !c.closed || c.s().Reason() != session.NotTheProtocol {
						t.Errorf("not closed: %v", c.s().Reason())
					}
				case !rule.Handled():
					if c.s().State() != before || c.s().OutOfPlace() != odd+1 || c.closed {
						t.Errorf("state %v, %d messages out of place, closed %v", c.s().State(), c.s().OutOfPlace(), c.closed)
					}
				default:
					if c.s().OutOfPlace() != odd {
						t.Errorf("counted as out of place")
					}
				}
				if m == session.UseMessage && s == session.InWorld && len(commandsOf[*packets.ReleaseUse](c.frames())) != 1 {
					t.Error("the client stays locked")
				}
				g.pass(2 * time.Second)
			})
		}
	}
}

// Fault cases 5 and 6: each state has an end, in all, whatever trickles in.
func TestTimeouts(t *testing.T) {
	for _, c := range []struct {
		state session.State
		after time.Duration
		want  session.Reason
		say   func(*line)
	}{
		{session.Connected, 10 * time.Second, session.HandshakeTimeout, nil},
		{session.Handshaken, 120 * time.Second, session.LoginTimeout, func(l *line) { l.control(&packets.Keepalive{}) }},
		{session.CharacterScreen, 30 * time.Minute, session.ScreenTimeout, nil},
		{session.Entering, 60 * time.Second, session.EnteringTimeout, func(l *line) { l.control(&packets.Keepalive{}) }},
		{session.InWorld, 60 * time.Second, session.Silent, nil},
	} {
		t.Run(c.state.String(), func(t *testing.T) {
			g := newStage(t, nil)
			l := g.connect()
			if c.state > session.Connected {
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
	c := g.connect().in(session.InWorld)
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

// Fault case 10.
func TestImpossiblePositionsAreAnsweredAndNotKept(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	c.frames()
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, bad := range []coords.Position{{X: nan}, {Y: nan}, {Z: nan}, {Yaw: nan}, {X: inf}, {Z: -inf}, {X: 1e20},
		{Y: 7000}, {X: -30000, Z: 30000}} {
		b := packets.PingBody(c.s().ID(), 1, bad)
		b.Origin = coords.Origin{}
		c.say(b)
		g.pass(session.WheelPeriod)
		if got := regionsOf[*packets.PositionStream](c.frames()); len(got) != 1 {
			t.Errorf("%v was not answered", bad)
		}
	}
	if g.server.Counters()["positions_refused"] != 9 {
		t.Errorf("%d refused", g.server.Counters()["positions_refused"])
	}
	g.pass(2 * time.Second)
	if got := g.server.World().Players[0].Position; got != g.server.options.Start || c.closed {
		t.Errorf("stands at %v, closed %v", got, c.closed)
	}
}

func TestForeignPlayersAreNotSpokenFor(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	g.pass(time.Second)
	c.frames()
	c.say(packets.PingBody(0x1234, 1, coords.Position{X: 1}))
	c.say(packets.Message(0, 0x5555, packets.ClassPlayer, &packets.Manager{Command: &packets.PickUp{Item: 1}}))
	if len(c.got) != 0 || g.server.Counters()["pings_foreign"] != 1 {
		t.Errorf("answered % X", c.got)
	}
}

// Fault case 12.
func TestFloodsAreCut(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	frames := 0
	for ; !c.closed && frames < 20000; frames++ {
		c.control(&packets.Keepalive{})
		if frames%500 == 499 {
			g.pass(session.WheelPeriod)
		}
	}
	if c.s().Reason() != session.TooManyFrames || frames > 1000 {
		t.Errorf("closed after %d frames for %v", frames, c.s().Reason())
	}
	// A lively client is not a flood: 25 frames a second for a minute.
	c = g.connect().in(session.InWorld)
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
	c := g.connect().in(session.InWorld)
	c.pending = g.server.options.Limits.Pending - 2
	c.control(&packets.Keepalive{})
	if c.s().Reason() != session.SlowReader {
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
		if g.run(); !l.closed || l.s().Reason() != session.NotTheProtocol {
			t.Errorf("% X: %v", c, l.s().Reason())
		}
	}
}

func TestAnyFrameStandsForTheAcknowledgement(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.Entering)
	c.ping(coords.Position{X: 2614, Y: 157, Z: 1293})
	if len(regionsOf[*packets.PositionStream](c.frames())) != 1 {
		t.Error("a ping while entering was not answered")
	}
	g.pass(500 * time.Millisecond)
	if c.s().State() == session.InWorld {
		t.Error("did not wait for the real acknowledgement")
	}
	g.pass(2 * time.Second)
	if c.s().State() != session.InWorld {
		t.Errorf("state %v", c.s().State())
	}
}

func TestClassicDialectSendsTheArticlesBytes(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Dialect = packets.Classic })
	c := g.connect().in(session.Entering)
	frames := c.got
	c.got = nil
	if i := bytes.Index(frames, []byte{0x1A, 0x98, 0x18, 0x19}); i < 0 {
		t.Errorf("enter-world without the article's constant: % X", frames)
	}
	c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the player is in the world", func() bool { return c.s().State() == session.InWorld })
	first, second := packets.ClassicEntry(c.s().Index())
	if !bytes.HasPrefix(c.got, append(append([]byte{}, first...), second...)) {
		t.Errorf("the entry is not the article's: % X", c.got[:40])
	}
	c.got = nil
	c.control(&packets.Keepalive{})
	if want := []byte{0x14, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0xC0, 0x42, 0x60, 0xFE, 0xD3, 0x90, 0x10, 0xB0, 0x17,
		0}; !bytes.Equal(c.got, want) {
		t.Errorf("echo % X", c.got)
	}
	c.got = nil
	c.ping(coords.Position{X: 669, Y: 4602, Z: 931})
	if len(c.got) != 18 {
		t.Errorf("pong % X", c.got)
	}
	g.pass(20 * time.Second)
	for _, want := range [][]byte{{0x13, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0xC0, 0x42, 0xA0, 0xFF, 0xD3, 0x90, 8, 0xB0,
		7},
		{0x10, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0x40, 0x81, 0x93, 0xEE, 0xE4, 8}, {4, 0, 0xF4, 1}} {
		if !bytes.Contains(c.got, want) {
			t.Errorf("% X never came", want)
		}
	}
}

func TestOperatorsReachLiveSessions(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	g.pass(2 * time.Second)
	c.frames()
	id := c.s().Character().ID
	if on, who := g.server.Online(c.s().Account()); !on || who != id {
		t.Errorf("online %v as %v", on, who)
	}
	to := coords.Position{X: -1993, Y: -104.5, Z: 457, Yaw: 1}
	if err := operate(t.Context(), g, ops.MoveCharacter,
		ops.Move{CharacterName: ops.CharacterName{ID: id}, Position: to}); err != nil {
		t.Fatal(err)
	}
	g.pass(2 * time.Second)
	if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 1 || got[0].X != to.X || got[0].Yaw != 1 {
		t.Errorf("the client is told %+v", got)
	}
	done := make(chan error, 1)
	go func() { done <- g.server.Disconnect(t.Context(), c.s().Account(), "test") }()
	g.until("the session ends", func() bool { return g.server.AccountsOnline() == 0 })
	if err := <-done; err != nil || c.s().Reason() != session.KickedByOperator {
		t.Errorf("%v, %v", err, c.s().Reason())
	}
	saved, err := g.store.CharacterByID(t.Context(), id)
	if err != nil || saved.Position != to {
		t.Errorf("saved at %v, %v", saved.Position, err)
	}
}
