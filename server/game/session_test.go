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
	"sphereserver/world/rules"
)

func TestWholeLifeOfASession(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.Timeouts.Silence = 2 * time.Minute })
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

// Fault case 10.
func TestImpossiblePositionsAreAnsweredAndNotKept(t *testing.T) {
	t.Parallel()
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

// The server puts a player back that it does not believe: its client is told so, and its words and its drops are from
// there.
func TestWhoIsNotBelievedIsPutBack(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	c := g.connect().in(session.InWorld)
	start := g.server.options.Start
	at := start
	at.X += 20
	c.ping(at)
	g.pass(time.Second)
	c.frames()
	up := at
	up.Y = 4501 // the newcomers' dungeons
	far := at
	far.Z += 300
	for _, bad := range []coords.Position{far, up} {
		g.pass(30 * time.Second)
		c.ping(at)
		g.pass(session.WheelPeriod)
		c.frames()
		c.ping(bad)
		g.pass(session.WheelPeriod)
		if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 1 || got[0].X != at.X || got[0].Y != at.Y ||
			got[0].Z != at.Z {
			t.Errorf("at %v it is put back by %+v", bad, got)
		}
		for range 3 { // it has not heard of that yet, or does not want to
			c.ping(bad)
			g.pass(session.WheelPeriod)
			if got := c.p().Here(); got != at {
				t.Errorf("its session has it at %v", got)
			}
		}
		if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 0 {
			t.Errorf("it is put back again at once: %+v", got)
		}
		g.pass(2 * time.Second) // it says nothing else, and has had its time
		c.ping(bad)
		g.pass(session.WheelPeriod)
		if got := commandsOf[*packets.SetCoordinates](c.frames()); len(got) != 1 {
			t.Errorf("who stays at %v is put back %d times", bad, len(got))
		}
	}
	if n := g.server.Counters()["positions_refused"]; n != 4 {
		t.Errorf("%d refused", n)
	}
	d := g.server.doubts.list()
	if len(d) != 1 || d[0].Count != 4 || d[0].Login == "" || d[0].Character == "" || d[0].Why == "" {
		t.Errorf("game masters are told of %+v", d)
	}
	c.hangUp()
	g.until("the character is saved", func() bool { return g.server.AccountsOnline() == 0 })
	if saved, err := g.store.CharacterByID(t.Context(), c.s().Character().ID); err != nil || saved.Position != at {
		t.Errorf("saved at %v, %v", saved.Position, err)
	}
}

func TestClassicDialectSendsTheArticlesBytes(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { o.Dialect = packets.Classic })
	c := g.connect().in(session.Entering)
	g.pass(session.WheelPeriod) // a part of the entry comes with the next turn
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
	t.Parallel()
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
	if in := g.server.InWorld(); len(in) != 1 {
		t.Errorf("in the world are %+v", in)
	}
	done := make(chan error, 1)
	go func() {
		done <- g.server.Disconnect(t.Context(), c.s().Account(), ops.Notice{Text: text("test", "test")})
	}()
	g.until("the session ends", func() bool { return g.server.AccountsOnline() == 0 })
	if in := g.server.InWorld(); len(in) != 0 { // although the snapshot of a second ago has it
		t.Errorf("in the world are still %+v", in)
	}
	if err := <-done; err != nil || c.s().Reason() != session.KickedByOperator {
		t.Errorf("%v, %v", err, c.s().Reason())
	}
	saved, err := g.store.CharacterByID(t.Context(), id)
	if err != nil || saved.Position != to {
		t.Errorf("saved at %v, %v", saved.Position, err)
	}
}

// The character screen shows the values with which a character enters: with satiety, and with what it wears.
func TestTheCharacterScreenShowsACharacterAsItEnters(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	p := g.living(func(n *data.NewCharacter) {
		n.HP, n.Satiety = 90, 50
		n.Items = []rules.Item{{Slot: rules.SlotHelmet, Class: 757, GameID: 15101, Suffix: rules.NoSuffix, Count: 1,
			Durability: 100, MaxDurability: 100}}
	})
	login, account := p.s().Login(), p.s().Account()
	p.hangUp()
	g.until("it has left", func() bool { return len(g.server.InWorld()) == 0 && g.server.Presence(account) == nil })
	again := g.connect().in(session.Handshaken)
	again.login(login, "secret")
	g.until("the screen", func() bool { return again.s().State() == session.CharacterScreen })
	g.pass(200 * time.Millisecond)
	r := commandsOf[*packets.CharacterRecord](again.frames())[0]
	again.choose(0, &packets.EnterWorld{})
	g.until("entering", func() bool { return again.s().State() == session.Entering })
	again.say(again.own(manager(&packets.Ready{Value: 0x34})))
	g.until("in the world", func() bool { return again.s().State() == session.InWorld })
	stats := map[packets.Stat]int32{}
	for _, m := range regionsOf[*packets.SetStat](again.frames()) {
		stats[m.Stat] = m.Value
	}
	if int32(r.MaxHP) != stats[packets.StatMaxHP] || int32(r.HP) != stats[packets.StatHP] || r.MaxHP != 110 ||
		int32(r.PhysicalDefence) != stats[packets.StatPhysicalDefence] || r.PhysicalDefence == 0 {
		t.Errorf("the screen shows HP %d of %d and defence %d; in the world there are %v", r.HP, r.MaxHP, r.PhysicalDefence, stats)
	}
}
