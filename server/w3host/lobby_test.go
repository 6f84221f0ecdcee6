package w3host

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets/w3gs"
)

// Protocol w3gs 7.1: the packets to a newcomer and to the others, and their order.
func TestJoin(t *testing.T) {
	s := newStage(t, 3, nil)
	if diff := cmp.Diff([]w3gs.Message{&w3gs.GameCreated{Product: w3gs.FrozenThrone, Version: 26, Game: 1}},
		s.announced); diff != "" {
		t.Errorf("announced: %s", diff)
	}
	a := s.join("Grunt")
	if want := []string{"welcome", "player", "map check", "slots", "ping"}; !slices.Equal(a.names(), want) {
		t.Errorf("the first one was sent %q, expected %q", a.names(), want)
	}
	if a.id != 2 || a.present[1] != "Sphere" || len(a.present) != 1 {
		t.Errorf("the first one is %d and sees %v", a.id, a.present)
	}
	if w := newsOf[*w3gs.Welcome](a)[0]; w.Address != a.p.address || w.Seed != testSeed || w.Starts != 3 ||
		w.Slots[0].Player != 2 ||
		w.Slots[0].Download != w3gs.UnknownDownload {
		t.Errorf("welcome is %+v", w)
	}
	s.pass(200 * time.Millisecond)
	if d := a.slot().Download; d != 100 {
		t.Errorf("who has the map is shown with %d percent", d)
	}
	s.forget()
	b := s.join("Peon")
	if want := []string{"welcome", "player", "player", "map check", "slots", "ping"}; !slices.Equal(b.names(), want) {
		t.Errorf("the second one was sent %q, expected %q", b.names(), want)
	}
	if want := []string{"player", "slots"}; !slices.Equal(a.names(), want) {
		t.Errorf("the first one was sent %q, expected %q", a.names(), want)
	}
	if b.id != 3 || b.present[2] != "Grunt" || a.present[3] != "Peon" {
		t.Errorf("the second one is %d: %v, %v", b.id, b.present, a.present)
	}
	s.pass(2 * time.Second)
	if want := (&w3gs.GameRefreshed{Game: 1, Players: 3, Seats: 4}); len(s.announced) == 0 ||
		!cmp.Equal(s.announced[len(s.announced)-1], w3gs.Message(want)) {
		t.Errorf("announced %v, expected %v", s.announced, want)
	}
}

// Protocol w3gs 12, check 6; 4.11.
func TestRefusedJoins(t *testing.T) {
	s := newStage(t, 2, nil)
	s.join("Grunt")
	for _, v := range []struct {
		what   string
		change func(*w3gs.Join)
		want   w3gs.Refusal
	}{
		{"wrong key", func(m *w3gs.Join) { m.EntryKey++ }, w3gs.RefusedInvalid},
		{"wrong game", func(m *w3gs.Join) { m.Game++ }, w3gs.RefusedInvalid},
		{"no name", func(m *w3gs.Join) { m.Name = "" }, w3gs.RefusedInvalid},
		{"long name", func(m *w3gs.Join) { m.Name = "0123456789abcdef" }, w3gs.RefusedInvalid},
		{"control character", func(m *w3gs.Join) { m.Name = "a\nb" }, w3gs.RefusedInvalid},
		{"taken name", func(m *w3gs.Join) { m.Name = "gRUNT" }, w3gs.RefusedInvalid},
		{"name of the host", func(m *w3gs.Join) { m.Name = "sphere" }, w3gs.RefusedInvalid},
	} {
		u := s.connect("Peon")
		m := u.joining(1, testKey)
		v.change(m)
		u.say(m)
		if u.refused != v.want || !u.closed || u.p.reason != Refused || len(u.log) != 1 {
			t.Errorf("%s: refused with %d, closed %t for %s; expected %d", v.what, u.refused, u.closed, u.p.reason, v.want)
		}
	}
	if u := s.join("0123456789abcde"); u.id != 3 {
		t.Errorf("a name of 15 bytes: player %d", u.id)
	}
	full := s.connect("Late")
	if full.say(full.joining(1, testKey)); full.refused != w3gs.RefusedFull {
		t.Errorf("full: refused with %d", full.refused)
	}
	s.in(Countdown)
	started := s.connect("Late")
	if started.say(started.joining(1, testKey)); started.refused != w3gs.RefusedStarted {
		t.Errorf("countdown: refused with %d", started.refused)
	}
	// The key comes before the state.
	wrong := s.connect("Late")
	if wrong.say(wrong.joining(1, 0)); wrong.refused != w3gs.RefusedInvalid {
		t.Errorf("countdown, wrong key: refused with %d", wrong.refused)
	}
	if len(s.g.players) != 2 {
		t.Errorf("%d players", len(s.g.players))
	}
}

// Slots, IDs and colours are free again when a player has left; the lowest are given first.
func TestLeavingTheLobby(t *testing.T) {
	s := newStage(t, 3, nil)
	a, b, c := s.join("A"), s.join("B"), s.join("C")
	s.pass(time.Second)
	b.say(b.change(w3gs.ChangeRace, uint8(w3gs.Undead)))
	s.forget()
	b.say(&w3gs.Leave{Reason: w3gs.LeftLobby})
	if !b.accepted || !b.closed || a.left[b.id] != w3gs.LeftLobby || c.left[b.id] != w3gs.LeftLobby {
		t.Errorf("accepted %t, closed %t, the others: %v, %v", b.accepted, b.closed, a.left, c.left)
	}
	s.pass(200 * time.Millisecond)
	if diff := cmp.Diff(s.host.Games[0].Slots[1], a.slots.Slots[1]); diff != "" {
		t.Errorf("the slot is not as it was: %s", diff)
	}
	a.hangUp()
	if c.left[2] != w3gs.LeftLobby {
		t.Errorf("a lost connection is told as %v", c.left)
	}
	if d := s.join("D"); d.id != 2 || d.p.slot != 0 {
		t.Errorf("the next is player %d in slot %d", d.id, d.p.slot)
	}
}

// With as many people as there are IDs the host's own player gives way, and returns.
func TestTwelvePlayersInTwelveSlots(t *testing.T) {
	s := newStage(t, 12, nil)
	for i := range 11 {
		s.join(fmt.Sprint("P", i))
	}
	first := s.guests[0]
	if i := s.g.info(); i.Slots != 12 || i.Seats != 12 || i.Players != 11 || first.present[1] != "Sphere" {
		t.Errorf("before the last: %d slots, %d seats, %d players, host %q", i.Slots, i.Seats, i.Players, first.present[1])
	}
	last := s.join("P11")
	if last.id != 1 || first.left[1] != w3gs.LeftLobby || first.present[1] != "P11" {
		t.Errorf("the last is %d; the first sees %v, %v", last.id, first.present, first.left)
	}
	if i := s.g.info(); i.Players != 12 {
		t.Errorf("%d players", i.Players)
	}
	u := s.connect("P12")
	if u.say(u.joining(1, testKey)); u.refused != w3gs.RefusedFull {
		t.Errorf("the thirteenth was refused with %d", u.refused)
	}
	s.guests[4].say(&w3gs.Leave{Reason: w3gs.LeftLobby})
	if first.present[6] != "Sphere" {
		t.Errorf("the host has not returned: %v", first.present)
	}
	s.join("P13")
	s.in(Playing)
	s.pass(time.Second)
	for _, u := range s.guests {
		if !u.closed && u.ticks < 9 {
			t.Errorf("%s had %d ticks", u.name, u.ticks)
		}
	}
}

// A full-size game of a version with 24 slots.
func TestManySlots(t *testing.T) {
	s := newStage(t, 24, func(o *Options, g *GameOptions) {
		o.Version = 29
		g.Slots = OpenSlots(24, 24, 29)
	})
	for i := range 24 {
		s.join(fmt.Sprint("P", i))
	}
	s.in(Playing)
	s.pass(time.Second)
	if n := s.guests[23].ticks; n < 9 {
		t.Errorf("%d ticks", n)
	}
}

// Protocol w3gs 4.10, with neither teams nor settings fixed.
func TestChangesInMelee(t *testing.T) {
	s := newStage(t, 4, nil)
	a, b := s.join("A"), s.join("B")
	try := func(kind w3gs.RequestKind, value uint8) w3gs.Slot {
		a.say(a.change(kind, value))
		s.pass(time.Second)
		return b.slots.Slots[0]
	}
	start := b.slots.Slots[0]
	for _, v := range []struct {
		kind  w3gs.RequestKind
		value uint8
		want  func(*w3gs.Slot) // nil for no change
	}{
		{w3gs.ChangeTeam, 1, func(s *w3gs.Slot) { s.Team = 1 }},
		{w3gs.ChangeTeam, 3, func(s *w3gs.Slot) { s.Team = 3 }},
		{w3gs.ChangeTeam, 4, nil},
		{w3gs.ChangeTeam, 12, nil}, // no observers
		{w3gs.ChangeTeam, 255, nil},
		{w3gs.ChangeColour, 1, nil}, // B's
		{w3gs.ChangeColour, 2, func(s *w3gs.Slot) { s.Colour = 2 }},
		{w3gs.ChangeColour, 11, func(s *w3gs.Slot) { s.Colour = 11 }},
		{w3gs.ChangeColour, 12, nil},
		{w3gs.ChangeRace, 0x02, func(s *w3gs.Slot) { s.Race = w3gs.Orc | w3gs.RaceSelectable }},
		{w3gs.ChangeRace, 0x20, func(s *w3gs.Slot) { s.Race = w3gs.Random | w3gs.RaceSelectable }},
		{w3gs.ChangeRace, 0x03, nil},
		{w3gs.ChangeRace, 0x10, nil},
		{w3gs.ChangeRace, 0x42, nil},
		{w3gs.ChangeRace, 0x00, nil},
		{w3gs.ChangeHandicap, 50, func(s *w3gs.Slot) { s.Handicap = 50 }},
		{w3gs.ChangeHandicap, 100, func(s *w3gs.Slot) { s.Handicap = 100 }},
		{w3gs.ChangeHandicap, 40, nil},
		{w3gs.ChangeHandicap, 55, nil},
		{w3gs.ChangeHandicap, 110, nil},
	} {
		want := b.slots.Slots[0]
		if v.want != nil {
			v.want(&want)
		}
		if got := try(v.kind, v.value); got != want {
			t.Errorf("%#x %d: %+v, expected %+v", v.kind, v.value, got, want)
		}
	}
	if start.Player != a.id || a.closed {
		t.Errorf("A is %+v, closed %t", start, a.closed)
	}
	// Colours stay different: a player that takes the colour of an open slot leaves the slot another one.
	try(w3gs.ChangeColour, 3)
	colours := map[uint8]bool{}
	for _, slot := range b.slots.Slots {
		if colours[slot.Colour] {
			t.Errorf("a colour twice: %+v", b.slots.Slots)
		}
		colours[slot.Colour] = true
	}
}

func TestChangesWithFixedTeams(t *testing.T) {
	forces := func(o *Options, g *GameOptions) {
		g.Layout = w3gs.CustomForces
		for i := range g.Slots {
			g.Slots[i].Team = uint8(i / 2)
		}
		g.Slots[3].Race = w3gs.Human
	}
	s := newStage(t, 4, forces)
	a, b := s.join("A"), s.join("B")
	a.say(a.change(w3gs.ChangeColour, 7), a.change(w3gs.ChangeRace, uint8(w3gs.Orc)), a.change(w3gs.ChangeHandicap, 60),
		a.change(w3gs.ChangeTeam, 1))
	s.pass(time.Second)
	want := w3gs.Slot{Player: a.id, Download: 100, State: w3gs.SlotTaken, Team: 1, Colour: 7,
		Race:  w3gs.Orc | w3gs.RaceSelectable,
		Level: w3gs.NormalComputer, Handicap: 60}
	if b.slots.Slots[2] != want || b.slots.Slots[0] != s.host.Games[0].Slots[0] {
		t.Errorf("A moved to %+v, expected %+v, from what is now %+v", b.slots.Slots[2], want, b.slots.Slots[0])
	}
	b.say(b.change(w3gs.ChangeTeam, 1))
	s.pass(time.Second)
	if slot := a.slots.Slots[3]; slot.Player != b.id || slot.Race != w3gs.Human || slot.Colour != 1 {
		t.Errorf("B moved to a slot of a fixed race: %+v", slot)
	}
	b.say(b.change(w3gs.ChangeTeam, 2))
	s.pass(time.Second)
	if a.slots.Slots[3].Player != b.id {
		t.Error("B moved to a team that is not there")
	}

	s = newStage(t, 4, func(o *Options, g *GameOptions) {
		forces(o, g)
		g.Layout = w3gs.EverythingFixed
	})
	a = s.join("A")
	a.say(a.change(w3gs.ChangeColour, 7), a.change(w3gs.ChangeRace, uint8(w3gs.Orc)), a.change(w3gs.ChangeHandicap, 60))
	s.pass(time.Second)
	a.say(a.change(w3gs.ChangeTeam, 1))
	s.pass(time.Second)
	want = s.host.Games[0].Slots[2]
	want.Player, want.Download, want.State = a.id, 100, w3gs.SlotTaken
	if got := a.slots.Slots[2]; got != want {
		t.Errorf("with everything fixed: %+v, expected %+v", got, want)
	}
}

func TestRandomRacesCannotBeChosen(t *testing.T) {
	s := newStage(t, 2, func(_ *Options, g *GameOptions) { g.Settings |= w3gs.RandomRaces })
	a := s.join("A")
	a.say(a.change(w3gs.ChangeRace, uint8(w3gs.Orc)))
	s.pass(time.Second)
	if r := a.slot().Race; r != w3gs.Random|w3gs.RaceSelectable {
		t.Errorf("race is %#x", r)
	}
}

func TestObservers(t *testing.T) {
	s := newStage(t, 3, func(o *Options, g *GameOptions) {
		g.Settings |= w3gs.ObserversFull
		g.Slots, g.Starts = OpenSlots(4, 2, o.Version), 2
	})
	a, b, c := s.join("A"), s.join("B"), s.join("C")
	s.pass(time.Second)
	if slot := c.slot(); slot.Team != 12 || slot.Colour != 12 {
		t.Errorf("the third of two players is %+v", slot)
	}
	c.say(c.change(w3gs.ChangeTeam, 0))
	s.pass(time.Second)
	if c.slot().Team != 12 {
		t.Error("three play with two start positions")
	}
	c.say(c.change(w3gs.ChangeColour, 5))
	a.say(a.change(w3gs.ChangeTeam, 12))
	s.pass(time.Second)
	if slot := a.slot(); slot.Team != 12 || slot.Colour != 12 || c.slot().Colour != 12 {
		t.Errorf("A watches as %+v, C as %+v", slot, c.slot())
	}
	c.say(c.change(w3gs.ChangeTeam, 0))
	s.pass(time.Second)
	if slot := c.slot(); slot.Team != 0 || slot.Colour > 11 || slot.Colour == b.slot().Colour {
		t.Errorf("C plays as %+v beside %+v", slot, b.slot())
	}
	// A newcomer takes the first open slot; when that would be one player too many, it watches.
	d := s.join("D")
	if slot := d.slot(); slot.Team != 12 {
		t.Errorf("D is %+v", slot)
	}
}

// Protocol w3gs 4.7: at most ten times a second, and once a second for downloads; nothing gets lost.
func TestSlotsAreToldNotTooOften(t *testing.T) {
	s := newStage(t, 12, func(o *Options, _ *GameOptions) { o.Limits.ChangePerSecond, o.Limits.ChangeBurst = 1000, 1000 })
	a := s.join("A")
	s.pass(time.Second)
	s.forget()
	for i := range 200 {
		a.say(a.change(w3gs.ChangeHandicap, uint8(50+10*(i%6))))
		s.pass(10 * time.Millisecond)
	}
	s.pass(time.Second)
	times := timesOf[*w3gs.SlotUpdate](a)
	for i := range len(times) - 1 {
		if d := times[i+1] - times[i]; d < slotsEvery {
			t.Fatalf("%v between two", d)
		}
	}
	if n := len(times); n < 18 || n > 21 {
		t.Errorf("%d times in 2 s", n)
	}
	if h := a.slot().Handicap; h != 50+10*(199%6) {
		t.Errorf("the last handicap is %d", h)
	}
}

func TestChangesAreLimited(t *testing.T) {
	s := newStage(t, 2, nil)
	a := s.join("A")
	s.pass(time.Second)
	for i := range 20 {
		a.say(a.change(w3gs.ChangeHandicap, uint8(50+10*(i%6))))
	}
	if h := s.g.slots[0].Handicap; h != 50+10*(7%6) || a.closed {
		t.Errorf("handicap is %d, closed %t, expected that of the eighth change", h, a.closed)
	}
}

// Protocol w3gs 4.9, 4.10.
func TestChat(t *testing.T) {
	s := newStage(t, 4, nil)
	a, b, c := s.join("A"), s.join("B"), s.join("C")
	s.pass(time.Second)
	s.forget()
	request := &w3gs.Request{Receivers: []w3gs.PlayerID{b.id, 1, 9, b.id, a.id}, Sender: a.id, Kind: w3gs.LobbyChat,
		Text: "привет"}
	a.say(request)
	packet, _ := w3gs.Append(nil, request)
	got, _ := w3gs.Append(nil, newsOf[*w3gs.Chat](b)[0])
	if !bytes.Equal(packet[2:], got[2:]) {
		t.Errorf("%x was passed on as %x", packet, got)
	}
	if len(newsOf[*w3gs.Chat](a)) != 1 || len(newsOf[*w3gs.Chat](b)) != 1 || len(c.log) != 0 {
		t.Errorf("the line came to %d, %d, %d", len(a.log), len(b.log), len(c.log))
	}
	s.forget()
	a.say(&w3gs.Request{Sender: a.id, Kind: w3gs.LobbyChat, Text: "to nobody"})
	a.say(&w3gs.Request{Receivers: []w3gs.PlayerID{b.id}, Sender: a.id, Kind: w3gs.GameChat, Text: "too early"})
	if len(b.log) != 0 || a.closed {
		t.Errorf("B was sent %q, A closed %t", b.names(), a.closed)
	}
	if !s.g.say("from the host") || s.g.hostID != 1 {
		t.Error("the host cannot speak")
	}
	s.settle()
	if want := []string{"Sphere: from the host"}; !slices.Equal(c.chat, want) {
		t.Errorf("C reads %q", c.chat)
	}
	c.say(&w3gs.Request{Receivers: []w3gs.PlayerID{b.id}, Sender: a.id, Kind: w3gs.LobbyChat, Text: "I am A"})
	if !c.closed || c.p.reason != NotTheProtocol || len(newsOf[*w3gs.Chat](b)) != 1 {
		t.Errorf("who speaks for another is closed %t for %s", c.closed, c.p.reason)
	}
	s.in(Playing)
	s.forget()
	b.say(b.line(w3gs.GameChat, "hello"))
	b.say(b.line(w3gs.LobbyChat, "too late"))
	if lines := newsOf[*w3gs.Chat](a); len(lines) != 1 || lines[0].Kind != w3gs.GameChat {
		t.Errorf("A was sent %v", lines)
	}
	if s.g.say("nobody listens") {
		t.Error("the host speaks in the game, where it has no player")
	}
}

func TestChatIsLimited(t *testing.T) {
	s := newStage(t, 2, nil)
	a, b := s.join("A"), s.join("B")
	s.pass(time.Second)
	for range 57 {
		a.say(a.line(w3gs.LobbyChat, "spam"))
	}
	if len(b.chat) != 8 || a.closed {
		t.Fatalf("%d of 57 lines came, closed %t", len(b.chat), a.closed)
	}
	a.say(a.line(w3gs.LobbyChat, "spam"))
	if !a.closed || a.p.reason != TooMuchChat {
		t.Errorf("after 50 dropped lines: closed %t for %s", a.closed, a.p.reason)
	}
	for range 100 { // four a second always pass
		b.say(b.line(w3gs.LobbyChat, "patience"))
		s.pass(250 * time.Millisecond)
	}
	if b.closed {
		t.Errorf("B was closed for %s", b.p.reason)
	}
}

// Protocol w3gs 7.1: a player is ready when it has the map and has answered a ping.
func TestReady(t *testing.T) {
	s := newStage(t, 4, nil)
	a := s.connect("A")
	a.noPongs = true
	a.say(a.joining(1, testKey))
	b := s.connect("B")
	b.noMapState = true
	b.say(b.joining(1, testKey))
	c := s.join("C")
	if err := s.g.start(); err == nil || !strings.Contains(err.Error(), "found 1 of 3") {
		t.Errorf("start says %v", err)
	}
	s.pass(9 * time.Second)
	if a.closed || b.closed {
		t.Error("closed too early")
	}
	s.pass(2 * time.Second)
	for _, u := range []*guest{a, b} {
		if !u.closed || u.kicked != w3gs.LeftLobby || u.p.reason != NotReady {
			t.Errorf("%s: closed %t, kicked %d, for %s", u.name, u.closed, u.kicked, u.p.reason)
		}
	}
	if c.closed || s.g.start() != nil {
		t.Error("C cannot start alone")
	}
}

// Protocol w3gs 4.1, 8.
func TestPings(t *testing.T) {
	s := newStage(t, 2, nil)
	a := s.connect("A")
	a.late = 120 * time.Millisecond
	a.say(a.joining(1, testKey))
	a.say(&w3gs.Pong{Clock: 1}) // as some clients do first
	if a.closed || a.p.ponged {
		t.Errorf("the first pong of 1: closed %t, counted %t", a.closed, a.p.ponged)
	}
	s.pass(21 * time.Second)
	if n := len(newsOf[*w3gs.Ping](a)); n != 5 {
		t.Errorf("%d pings in 21 s", n)
	}
	if l := a.p.latency; l < 120*time.Millisecond || l > 150*time.Millisecond {
		t.Errorf("latency is %v", l)
	}
	a.say(&w3gs.Pong{Clock: 7})
	if !a.closed || a.p.reason != TooManyAnswers {
		t.Errorf("more pongs than pings: closed %t for %s", a.closed, a.p.reason)
	}
}

func TestSilenceInTheLobby(t *testing.T) {
	s := newStage(t, 2, nil)
	a, b := s.join("A"), s.join("B")
	s.pass(10 * time.Second)
	a.noPongs = true
	s.pass(36 * time.Second)
	if !a.closed || a.p.reason != Silent || b.left[a.id] != w3gs.LeftLobby || b.closed {
		t.Errorf("closed %t for %s, B sees %v", a.closed, a.p.reason, b.left)
	}
}
