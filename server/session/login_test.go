package session

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets"
)

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
			hash, err := data.HashPassword("right", datatest.Cheap)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := g.store.CreateAccount(t.Context(), "known", hash, data.Player); err != nil {
				t.Fatal(err)
			}
			l := g.connect().in(Handshaken)
			g.pass(time.Second)
			l.got = nil
			l.login(c.login, c.password)
			g.until("the login is refused", func() bool { return l.closed })
			if !bytes.Equal(l.got, refused) || l.s().Reason() != LoginRefused {
				t.Errorf("got % X, %v", l.got, l.s().Reason())
			}
		})
	}
}

// Each form of the login that protocol session has is answered: that of 5.1 in clear and obfuscated, and with a refusal
// those of test clients, of old decoders, of another player, and what is cut or none at all.
func TestEachFormOfTheLoginIsAnswered(t *testing.T) {
	refused := []byte{0x0E, 0, 0x2C, 1, 0, 0, 4, 0x4F, 0x6F, 8, 0x40, 0xA0, 0, 0}
	const wire = "2200 4BBC26012C01009B0AA7A364B024E7E8169FC23EB6367D15F1E6F2C982B99A70"
	bytesOf := func(text string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	// testClient writes login, 1, password, 0 from bit 146 on, without the grammar's head, with the index where the client
	// generation C26 has it, and its channel in bytes 6 and 7 or in 2 and 3.
	testClient := func(channelAt int) []byte {
		f := make([]byte, 18)
		f[channelAt], f[channelAt+1] = 0x2C, 1
		copy(f[9:], []byte{8, 0x40, 0x4F, 0x6F})
		if channelAt == 2 {
			copy(f[7:], []byte{0x4F, 0x6F})
		}
		rest := byte(0)
		for _, b := range []byte("Tester1\x01qwe123\x00") {
			f = append(f, rest|b<<2)
			rest = b >> 6
		}
		f = append(f, rest)
		f[0] = byte(len(f))
		packets.Obfuscate(f)
		return f
	}
	cut := bytesOf(wire)[:25]
	cut[0] = 25
	for _, c := range []struct {
		name    string
		frame   []byte
		refused bool
	}{
		{"5.1 in clear", bytesOf("2200F9BC26012C0100D0074F6F08404041FC5395CDD195C9C500C4DD95C5C8CC0000"), false},
		{"5.1 obfuscated", bytesOf(wire), false},
		{"5.1 cut", cut, true},
		{"5.1 of another player", bytesOf("2200F9BC26012C0100D0074F7008404041FC5395CDD195C9C500C4DD95C5C8CC0000"), true},
		{"L1", bytesOf("1F00000000002C010000004F6F00000000005394CCD0C501C3DC94C5C9CD00"), true},
		{"C26", testClient(2), true},
		{"C26 with its channel in place", testClient(6), true},
		{"no login", bytesOf("1A00 0000 0000 2C01 00 D007 4F6F 0840 23 23 0000000000 0000000000"), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			g := newStage(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			l := g.connect().in(Handshaken)
			if l.s().Index() != 0x4F6F {
				t.Fatalf("the index is %v", l.s().Index())
			}
			g.pass(time.Second)
			l.got = nil
			l.receive(c.frame)
			g.until("there is an answer", func() bool { return l.closed || l.s().State() == CharacterScreen })
			switch {
			case l.closed != c.refused:
				t.Errorf("state %v, %v", l.s().State(), l.s().Reason())
			case !c.refused && l.s().Login() != "Tester1":
				t.Errorf("the login is %q", l.s().Login())
			case c.refused && (!bytes.Equal(l.got, refused) || !strings.Contains(log.String(), "login of an unknown form")):
				t.Errorf("got % X, %v; logged %s", l.got, l.s().Reason(), log.String())
			}
		})
	}
}

// strangePasswords hash as they like, and remember the calls.
type strangePasswords struct {
	err    error
	hashes chan string
}

func (s *strangePasswords) Hash(context.Context, string) (string, error) { return "", s.err }

func (s *strangePasswords) Verify(_ context.Context, hash, _ string) (bool, error) {
	s.hashes <- hash
	return s.err == nil, s.err
}

// For an unknown account a hash is verified that costs as much as any other, and no answer lets in.
func TestAnUnknownLoginTakesAsLong(t *testing.T) {
	asked := &strangePasswords{hashes: make(chan string, 1)}
	g := newStage(t, func(o *Options) { o.CreateAccounts, o.Passwords = false, asked })
	l := g.connect().in(Handshaken)
	l.login("unknown", "x")
	g.until("the login is refused", func() bool { return l.closed })
	if l.s().Reason() != LoginRefused {
		t.Errorf("%v", l.s().Reason())
	}
	hash := <-asked.hashes
	if ok, stale, err := data.VerifyPassword(hash, "x"); ok || stale || err != nil {
		t.Errorf("%v, stale %v, %v", ok, stale, err)
	}
}

func TestALoginWhosePasswordCannotBeHashedIsRefused(t *testing.T) {
	asked := &strangePasswords{err: errors.New("no"), hashes: make(chan string, 1)}
	g := newStage(t, func(o *Options) { o.Passwords = asked })
	l := g.connect().in(Handshaken)
	l.login("new", "x")
	g.until("the login is refused", func() bool { return l.closed })
	if len(commandsOf[*packets.CannotConnect](l.frames())) != 1 || l.s().Reason() != StoreFailed {
		t.Errorf("%v", l.s().Reason())
	}
}

func TestOneAccountOnce(t *testing.T) {
	for _, takeOver := range []bool{false, true} {
		g := newStage(t, func(o *Options) { o.TakeOver = takeOver })
		first := g.connect().in(InWorld)
		at := coords.Position{X: 2600, Y: 157, Z: 1290}
		first.ping(at)
		second := g.connect().in(Handshaken)
		second.login(first.s().Login(), "secret")
		g.until("the second login is decided", func() bool {
			return second.closed ||
				second.s().State() == CharacterScreen
		})
		if first.closed != takeOver || second.closed == takeOver {
			t.Errorf("take over %v: first closed %v (%v), second closed %v (%v)", takeOver, first.closed, first.s().Reason(),
				second.closed, second.s().Reason())
		}
		if takeOver {
			// Changes of the older session are not lost.
			if got := second.s().characters[0]; got == nil || coords.Position(got.Position) != at {
				t.Errorf("the newer login sees %+v", got)
			}
		}
	}
}

func TestCharacterScreen(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(CharacterScreen)
	g.pass(time.Second)
	rejected := func(why string, slot int, name string, look int32) {
		t.Helper()
		c.got = nil
		c.choose(slot, &packets.CreateCharacter{Name: name, Look: look})
		g.until(why+" is refused", func() bool { return len(c.got) > 0 })
		if len(commandsOf[*packets.NameRejected](c.frames())) != 1 || c.s().State() != CharacterScreen {
			t.Errorf("%s: state %v", why, c.s().State())
		}
	}
	rejected("slot 3", 3, "Hero", maleLook)
	rejected("no name", 0, "", maleLook)
	rejected("a long name", 0, "Abcdefghijklmnopqrst", maleLook)
	rejected("a name with a control character", 0, "He\nro", maleLook)
	rejected("a look that is not offered", 0, "Hero", 0x00303030)
	rejected("a name of authority", 0, "Cepвep", maleLook)
	rejected("another", 0, "GM_Hero", maleLook)
	other := g.connect().in(Entering)
	rejected("a taken name", 0, other.s().Character().Name, maleLook)

	c.choose(0, &packets.CreateCharacter{Name: "Hero", Look: maleLook})
	g.until("the character is made", func() bool { return c.s().State() == Entering })
	c.hangUp()
	g.until("the account is free", func() bool { return g.manager.Presence(c.s().Account()) == nil })

	again := func() *conn {
		l := g.connect().in(Handshaken)
		l.login(c.s().Login(), "secret")
		g.until("the screen is there", func() bool { return l.s().State() == CharacterScreen })
		return l
	}
	l := again()
	rejected2 := l.s().characters[0]
	if rejected2 == nil {
		t.Fatal("the character is not there")
	}
	l.choose(2, &packets.EnterWorld{})
	g.run()
	if !l.closed || l.s().Reason() != EmptySlot {
		t.Errorf("an empty slot: %v", l.s().Reason())
	}
	g.until("the account is free", func() bool { return g.manager.Presence(c.s().Account()) == nil })
	l = again()
	l.say(l.own(owner(&packets.DeleteSlot{Number: 1})))
	g.until("the deletion closes", func() bool { return l.closed })
	g.run()
	if l.s().Reason() != CharacterDeleted {
		t.Errorf("deletion: %v", l.s().Reason())
	}
	g.until("the account is free", func() bool { return g.manager.Presence(c.s().Account()) == nil })
	if l = again(); l.s().characters[0] != nil {
		t.Error("the character is still there")
	}
}

// Requests that carry no more than old servers look at are understood too, protocol session 6.3.
func TestSparseRequestsOfTheScreen(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(Entering)
	c.hangUp()
	g.until("the account is free", func() bool { return g.manager.AccountsOnline() == 0 })
	for _, frame := range [][]byte{
		append([]byte{0x15, 0, 0, 0, 1, 0, 0x2C, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4}, make([]byte, 3)...),
		append([]byte{0x2A, 0, 0, 0, 1, 0, 0x2C, 1, 0, 0, 0, 0, 0, 8, 0x40, 0x80, 0x0D, 4}, make([]byte, 24)...),
	} {
		l := g.connect().in(Handshaken)
		l.login(c.s().Login(), "secret")
		g.until("the screen is there", func() bool { return l.s().State() == CharacterScreen })
		packets.Obfuscate(frame)
		l.receive(frame)
		g.until("the request is done", func() bool { return l.closed || l.s().State() == Entering })
		if (frame[0] == 0x15) != (l.s().State() == Entering) {
			t.Errorf("% X: state %v, %v", frame, l.s().State(), l.s().Reason())
		}
		if !l.closed {
			l.hangUp()
		}
		g.until("the account is free", func() bool { return g.manager.AccountsOnline() == 0 })
	}
}

// Each new character comes with items, so an account makes only so many.
func TestAccountsMakeFewCharactersInAnHour(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Limits.NewCharacters = 2 })
	make := func(slot int) *conn {
		c := g.connect().in(Handshaken)
		c.login("maker", "secret")
		g.until("the screen is there", func() bool { return c.s().State() == CharacterScreen })
		g.pass(time.Second)
		c.got = nil
		c.choose(slot, &packets.CreateCharacter{Name: "Hero" + string(rune('a'+slot)), Look: maleLook})
		g.until("there is an answer", func() bool { return len(c.got) > 0 })
		return c
	}
	for slot := range 2 {
		c := make(slot)
		if c.s().State() != Entering {
			t.Fatalf("character %d: %v", slot, c.s().State())
		}
		c.hangUp()
		g.until("the account is free", func() bool { return g.manager.Presence(c.s().Account()) == nil })
	}
	c := make(2)
	if len(commandsOf[*packets.NameRejected](c.frames())) != 1 || c.s().State() != CharacterScreen {
		t.Errorf("the third character: %v", c.s().State())
	}

	// A name that is none is refused as well: the client waits for an answer.
	c.choose(2, &packets.UnknownCommand{Number: 7, Data: append([]byte("He\x00ro\x00"), 0x30, 0x30, 0x30, 0x30)})
	g.until("there is an answer", func() bool { return len(c.got) > 0 })
	if len(commandsOf[*packets.NameRejected](c.frames())) != 1 || c.s().State() != CharacterScreen {
		t.Errorf("a name with a NUL inside: %v", c.s().State())
	}

	l, now := newCharacterLimiter(DefaultLimits()), time.Now()
	made := 0
	for range 24 * 60 { // a day, and a try each minute
		if now = now.Add(time.Minute); l.mayMake(1, now) {
			l.made(1, now)
			made++
		}
	}
	if most := 24*10 + 10; made > most || made < most-10 || !l.mayMake(2, now) {
		t.Errorf("made %d characters in a day, want about %d", made, most)
	}
}

// A change that an operator stores after the account was read and before the session has it counts, too.
func TestWhatChangesDuringALoginCounts(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(Handshaken)
	c.login("risen", "secret")
	c.s().SetRole(data.Helper)
	c.s().SetMute(data.Mute{Reason: "noise", At: time.Now()})
	c.s().SetRole(data.GameMaster)
	g.until("the screen is there", func() bool { return c.s().State() == CharacterScreen })
	if r := c.s().Record(); r.Role != data.GameMaster || r.Mute == nil || r.Mute.Reason != "noise" {
		t.Errorf("the session has %+v", r)
	}
}

// A password that an operator has changed while it was checked lets nobody in, and leaves the account free.
func TestAPasswordChangedDuringALogin(t *testing.T) {
	g := newStage(t, nil)
	read, err := g.store.CreateAccount(t.Context(), "owner", "the older", data.Player)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.store.SetPassword(t.Context(), read.ID, "the newer"); err != nil {
		t.Fatal(err)
	}
	late, now := read, g.connect().in(Handshaken).s()
	if _, err := g.manager.claim(t.Context(), g.connect().in(Handshaken).s(), &late); err != errWrongPassword {
		t.Errorf("expected that the older password is refused, found %v", err)
	}
	read.PasswordHash = "the newer"
	if _, err := g.manager.claim(t.Context(), now, &read); err != nil {
		t.Error(err)
	}
}
