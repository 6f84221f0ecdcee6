package w3host

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
)

var messageNames = [messages]string{"join", "leave", "pong", "loaded", "action", "tick done", "drop vote", "lobby chat",
	"game chat",
	"slot change", "map state", "map taken", "map refused", "useless", "strange"}

// String returns the kind's name.
func (m message) String() string { return messageNames[m] }

// examples are a message of each kind.
var examples = map[message]w3gs.Message{
	joinMessage:       &w3gs.Join{Name: "x"},
	leaveMessage:      &w3gs.Leave{},
	pongMessage:       &w3gs.Pong{},
	loadedMessage:     &w3gs.Loaded{},
	actionMessage:     &w3gs.Action{Data: []byte{1}},
	tickDoneMessage:   &w3gs.TickDone{},
	dropVoteMessage:   &w3gs.DropVote{},
	lobbyChatMessage:  &w3gs.Request{Receivers: []w3gs.PlayerID{1}, Sender: 2, Kind: w3gs.LobbyChat, Text: "x"},
	gameChatMessage:   &w3gs.Request{Receivers: []w3gs.PlayerID{1}, Sender: 2, Kind: w3gs.GameChat, Text: "x"},
	changeMessage:     &w3gs.Request{Receivers: []w3gs.PlayerID{1}, Sender: 2, Kind: w3gs.ChangeTeam},
	mapStateMessage:   &w3gs.MapState{Kind: w3gs.MapHave, Size: 4096},
	mapTakenMessage:   &w3gs.MapTaken{},
	mapRefusedMessage: &w3gs.MapRefused{},
	uselessMessage:    &w3gs.PeerSet{},
	strangeMessage:    &w3gs.Unknown{Code: 0x77},
}

// The table agrees with the phases in the registry: a message is skipped exactly where it has no place.
func TestTheMachineIsAsDocumented(t *testing.T) {
	phases := map[State]w3gs.Phase{Lobby: w3gs.Lobby, Countdown: w3gs.Lobby, Loading: w3gs.Loading, Playing: w3gs.Playing,
		Waiting: w3gs.Playing}
	for state, phase := range phases {
		for kind := range messages {
			m := examples[kind]
			if got := classify(m); got != kind {
				t.Fatalf("an example of %s is taken for %s", kind, got)
			}
			k, r := w3gs.KindOf(w3gs.OpcodeOf(m)), machine[kind][state]
			if k == nil || kind == joinMessage || kind == uselessMessage {
				continue
			}
			handled := r.do != nil || r.calm
			switch {
			case kind == actionMessage && state == Loading: // kept for the first tick
			case kind == actionMessage && phase == w3gs.Lobby:
				if !r.harsh {
					t.Errorf("%s of %s does not end the connection", state, kind)
				}
			// dropped where they are out of place
			case kind == lobbyChatMessage || kind == gameChatMessage || kind == changeMessage:
				if !handled {
					t.Errorf("%s is skipped in %s", kind, state)
				}
			case k.Phase&phase != 0 != handled && !(r.calm && k.Phase&phase == 0):
				t.Errorf("%s in %s: handled %t, documented for phases %b", kind, state, handled, k.Phase)
			}
		}
	}
	for kind := range messages {
		if machine[kind][Over].harsh || !machine[kind][Over].calm && machine[kind][Over].do == nil {
			t.Errorf("%s after the end is not dropped", kind)
		}
		if r := machine[kind][Joining]; (r.do != nil) != (kind == joinMessage) || r.harsh || r.calm {
			t.Errorf("%s before joining: %+v", kind, r)
		}
	}
	for o := range 256 { // messages that a host does not read are strange to it
		k := w3gs.KindOf(w3gs.Opcode(o))
		if k == nil {
			continue
		}
		if k.Way&w3gs.ToHost == 0 && classify(k.New()) != strangeMessage {
			t.Errorf("%s is taken from clients", k.Opcode)
		}
		if k.Way&w3gs.ToHost != 0 && classify(k.New()) == strangeMessage {
			t.Errorf("%s is not known from clients", k.Opcode)
		}
	}
}

// Every message in every state: one out of place changes nothing.
func TestEveryMessageInEveryState(t *testing.T) {
	for state := Lobby; state <= Over; state++ {
		for kind := range messages {
			if kind == leaveMessage || state == Lobby && (kind == mapStateMessage || kind == changeMessage) {
				continue // these may change something
			}
			s := newStage(t, 4, nil)
			a := s.join("A")
			b := s.join("B")
			s.pass(10 * time.Millisecond)
			b.noLoading = state == Loading
			switch state {
			case Lobby:
			case Over:
				s.in(Playing)
				s.g.finish(HostStopping)
				s.settle()
			case Waiting:
				s.in(Playing)
				b.noTickDone = true
				s.until("waiting", func() bool { return s.g.state == Waiting })
			default:
				s.in(state)
			}
			if s.g.state != state {
				t.Fatalf("is in %s, expected %s", s.g.state, state)
			}
			s.forget()
			a.say(examples[kind])
			r := machine[kind][state]
			tooMany := kind == tickDoneMessage && (state == Playing || state == Waiting) // there was no such tick
			if a.closed != (r.harsh || tooMany) {
				t.Errorf("%s in %s: closed %t for %s", kind, state, a.closed, a.p.reason)
			}
			if s.g.state != state || len(s.announced) > 0 {
				t.Errorf("%s in %s: now %s, announced %v", kind, state, s.g.state, s.announced)
			}
			if r.do == nil && !r.harsh && len(b.log) > 0 {
				t.Errorf("%s in %s: B was sent %q", kind, state, b.names())
			}
			if skipped := r.do == nil && !r.harsh && !r.calm; a.p.strange != 0 != skipped {
				t.Errorf("%s in %s: counted %d", kind, state, a.p.strange)
			}
		}
	}
}

// Protocol w3gs 6.
func TestStrangePackets(t *testing.T) {
	s := newStage(t, 2, nil)
	a, b := s.join("A"), s.join("B")
	for range 50 {
		a.say(&w3gs.Unknown{Code: 0x77, Body: []byte{1, 2, 3}})
	}
	if a.closed {
		t.Fatal("closed after 50")
	}
	a.say(&w3gs.Ping{}) // known, but not for a host
	if !a.closed || a.p.reason != StrangePackets || !strings.Contains(a.p.detail, "ping (0x01) in state lobby") {
		t.Errorf("closed %t for %s: %s", a.closed, a.p.reason, a.p.detail)
	}
	b.raw([]byte{0xF7, 0x21, 0x05, 0x00, 0x01}) // a known opcode with a wrong length
	if !b.closed || b.p.reason != NotTheProtocol {
		t.Errorf("closed %t for %s", b.closed, b.p.reason)
	}
}

func TestNames(t *testing.T) {
	if State(99).String() != "State(99)" || Reason(99).String() != "Reason(99)" {
		t.Error("unknown states and reasons have no name")
	}
	seen := map[string]bool{}
	for r := range reasons {
		name := r.String()
		if name == "" || seen[name] {
			t.Errorf("reason %d is named %q", r, name)
		}
		seen[name] = true
	}
	for _, s := range []State{Joining, Lobby, Countdown, Loading, Playing, Waiting, Over} {
		if s.String() == "" || seen[s.String()] {
			t.Errorf("state %d is named %q", s, s)
		}
	}
}

func TestOptions(t *testing.T) {
	good := testOptions(4)
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		text   string
		change func(*Options, *GameOptions)
	}{
		{"tick: expected 50ms to 250ms, found 40ms", func(o *Options, _ *GameOptions) { o.Tick = 40 * time.Millisecond }},
		{"countdown: expected 0s to 1m, found -1s", func(o *Options, _ *GameOptions) { o.Countdown = -time.Second }},
		{"download rate", func(o *Options, _ *GameOptions) { o.DownloadRate = 0 }},
		{"expected a game, found none", func(o *Options, _ *GameOptions) { o.Games = nil }},
		{"announce: expected an IPv4 address", func(o *Options,
			_ *GameOptions) {
			o.Announce = []netip.AddrPort{netip.MustParseAddrPort("[::1]:6112")}
		}},
		{"slots: expected 1 to 12 with version 1.26, found 13",
			func(_ *Options, g *GameOptions) { g.Slots = OpenSlots(13, 13, 29) }},
		{"slots: expected 1 to 12 with version 1.26, found 0", func(_ *Options, g *GameOptions) { g.Slots = nil }},
		{"start positions: expected 1 to 12, found 0", func(_ *Options, g *GameOptions) { g.Starts = 0 }},
		{"start positions: expected 4 for as many who play, found 3", func(_ *Options, g *GameOptions) { g.Starts = 3 }},
		{"host's name: expected 1 to 15 bytes", func(_ *Options, g *GameOptions) { g.Host = "0123456789abcdef" }},
		{`name: expected 1 to 31 bytes without control characters, found ""`,
			func(_ *Options, g *GameOptions) { g.Name = "" }},
		{`found "a\nb"`, func(_ *Options, g *GameOptions) { g.Name = "a\nb" }},
		{"download: expected a map file, found none", func(_ *Options, g *GameOptions) { g.Download = true }},
		{"slot 2: expected a team and a colour of 0 to 12, found 13 and 1",
			func(_ *Options, g *GameOptions) { g.Slots[1].Team = 13 }},
		{"expected one that is open, found none", func(_ *Options, g *GameOptions) {
			for i := range g.Slots {
				g.Slots[i].State = w3gs.SlotClosed
			}
		}},
		{"start when: expected 0 to 4 players, found 5", func(_ *Options, g *GameOptions) { g.StartWhen = 5 }},
		{"map check (0x3D): byte 8: expected a text of 1 to 255, found 0",
			func(_ *Options, g *GameOptions) { g.Map.Path = "" }},
	} {
		o := testOptions(4)
		v.change(&o, &o.Games[0])
		if err := o.Check(); err == nil || !strings.Contains(err.Error(), v.text) {
			t.Errorf("expected %q, found %v", v.text, err)
		}
	}
	if slots := OpenSlots(3, 2, 26); slots[2].Team != 12 || slots[1].Team != 1 || slots[1].Colour != 1 {
		t.Errorf("%+v", slots)
	}
}

// A mailbox keeps order, and refuses when it is full or closed.
func TestMailbox(t *testing.T) {
	b := newMailbox()
	p := new(player)
	var mails []mail
	var all []byte
	for round := range 3 {
		for i := range 5 {
			if err := b.put(mail{from: p}, []byte(fmt.Sprint(round, i))); err != nil {
				t.Fatal(err)
			}
		}
		_ = b.put(mail{do: func(*game) {}}, nil)
		mails, all = b.take(mails, all)
		if len(mails) != 6 || mails[5].do == nil || string(all) != fmt.Sprintf("%d 0%[1]d 1%[1]d 2%[1]d 3%[1]d 4", round) {
			t.Errorf("took %d with %q", len(mails), all)
		}
	}
	for range maxMails {
		if err := b.put(mail{from: p}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.put(mail{from: p}, nil); err != errMailboxFull {
		t.Errorf("more than it holds: %v", err)
	}
	_ = b.put(mail{do: func(*game) {}}, nil) // always taken
	if mails, _ = b.take(nil, nil); len(mails) != maxMails+1 {
		t.Errorf("%d mails", len(mails))
	}
	if b.put(mail{from: p}, make([]byte, maxMailBytes)) != nil || b.put(mail{from: p}, []byte{1}) != errMailboxFull {
		t.Error("more bytes than it holds, or fewer")
	}
	b.close()
	if b.put(mail{from: p}, nil) != errMailboxClosed || b.put(mail{do: func(*game) {}}, nil) != errMailboxClosed {
		t.Error("taken after it was closed")
	}
}
