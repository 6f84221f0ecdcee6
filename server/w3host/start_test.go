package w3host

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
)

// Protocol w3gs 7.2, 7.1.
func TestCountdown(t *testing.T) {
	s := newStage(t, 3, nil)
	a, b := s.join("A"), s.join("B")
	s.pass(2 * time.Second)
	s.forget()
	s.in(Countdown)
	began := s.g.now
	if want := []string{"countdown started"}; !slices.Equal(a.names(), want) {
		t.Errorf("A was sent %q", a.names())
	}
	a.say(a.change(w3gs.ChangeHandicap, 50), a.line(w3gs.LobbyChat, "good luck"))
	if len(b.chat) != 1 || a.closed {
		t.Errorf("B reads %q in the countdown, A closed %t", b.chat, a.closed)
	}
	if err := s.g.start(); err == nil || !strings.Contains(err.Error(), "found it countdown") {
		t.Errorf("a second start says %v", err)
	}
	s.forget()
	s.in(Loading)
	if d := s.g.now - began; d != 5*time.Second {
		t.Errorf("the countdown took %v", d)
	}
	if want := []string{"player left", "countdown ended", "player has loaded", "player has loaded"}; len(a.log) < 4 ||
		!slices.Equal(a.names()[len(a.log)-4:], want) {
		t.Errorf("A was sent %q", a.names())
	}
	if a.left[1] != w3gs.LeftLobby || a.slot().Handicap != 100 {
		t.Errorf("left %v, handicap %d", a.left, a.slot().Handicap)
	}
	if n := len(s.announced); n != 1 || *s.announced[0].(*w3gs.GameCancelled) != (w3gs.GameCancelled{Game: 1}) {
		t.Errorf("announced %v", s.announced)
	}
	s.in(Playing)
	s.pass(7 * time.Second)
	if n := len(s.announced); n != 1 {
		t.Errorf("announced %v", s.announced)
	}
}

func TestCountdownOfNoTime(t *testing.T) {
	s := newStage(t, 1, func(o *Options, g *GameOptions) { o.Countdown, g.StartWhen = 0, 0 })
	a := s.join("A")
	s.pass(10 * time.Millisecond)
	i := slices.Index(a.names(), "countdown started")
	if i < 0 || a.names()[i+1] != "player left" || a.names()[i+2] != "countdown ended" {
		t.Errorf("A was sent %q", a.names())
	}
}

func TestGamesStartByThemselves(t *testing.T) {
	s := newStage(t, 3, func(_ *Options, g *GameOptions) { g.StartWhen = 2 })
	s.join("A")
	s.pass(time.Second)
	if s.g.state != Lobby {
		t.Fatalf("with one of two: %s", s.g.state)
	}
	b := s.connect("B")
	b.noMapState = true
	b.say(b.joining(1, testKey))
	s.pass(time.Second)
	if s.g.state != Lobby {
		t.Fatalf("while somebody is not ready: %s", s.g.state)
	}
	b.say(&w3gs.MapState{Kind: w3gs.MapHave, Size: testMap().Size})
	s.pass(10 * time.Millisecond)
	if s.g.state != Countdown {
		t.Errorf("with two of two: %s", s.g.state)
	}
	full := newStage(t, 2, func(_ *Options, g *GameOptions) { g.StartWhen = 0 })
	full.join("A")
	full.pass(time.Second)
	if full.g.state != Lobby {
		t.Errorf("with an open slot: %s", full.g.state)
	}
	full.join("B")
	full.pass(time.Second)
	if full.g.state != Countdown {
		t.Errorf("full: %s", full.g.state)
	}
}

func TestLeavingDuringTheCountdown(t *testing.T) {
	s := newStage(t, 3, nil)
	a, b := s.join("A"), s.join("B")
	s.in(Countdown)
	s.forget()
	b.say(&w3gs.Leave{Reason: w3gs.LeftLobby})
	s.pass(time.Second)
	if want := []string{"player left", "slots"}; !slices.Equal(a.names(), want) {
		t.Errorf("A was sent %q", a.names())
	}
	s.in(Playing)

	s = newStage(t, 3, nil)
	a = s.join("A")
	s.in(Countdown)
	s.forget()
	a.hangUp()
	if !s.g.done || s.g.state != Over || len(s.announced) != 1 {
		t.Errorf("with nobody left: done %t, %s, announced %v", s.g.done, s.g.state, s.announced)
	}
}

// Protocol w3gs 7.3.
func TestLoading(t *testing.T) {
	s := newStage(t, 3, nil)
	a, b, c := s.join("A"), s.join("B"), s.join("C")
	b.noLoading, c.noLoading = true, true
	s.in(Loading)
	s.pass(time.Second)
	if !b.loaded[a.id] || !a.loaded[a.id] || s.g.state != Loading {
		t.Errorf("loaded: %v, %v in %s", a.loaded, b.loaded, s.g.state)
	}
	s.forget()
	a.say(&w3gs.Loaded{})
	if len(b.log) != 0 || a.closed {
		t.Errorf("a second Loaded is told as %q, closed %t", b.names(), a.closed)
	}
	a.say(act("early", 20))
	s.pass(40 * time.Second) // silent clients that load are left alone
	c.noPongs = true
	s.pass(40 * time.Second)
	if c.closed {
		t.Fatalf("C was closed for %s", c.p.reason)
	}
	s.forget()
	b.say(&w3gs.Loaded{})
	s.pass(38 * time.Second)
	if c.closed {
		t.Fatal("C was closed too early")
	}
	s.pass(2 * time.Second)
	if !c.closed || c.p.reason != NeverLoaded || a.left[c.id] != w3gs.LeftDisconnected {
		t.Errorf("C: closed %t for %s, told as %v", c.closed, c.p.reason, a.left)
	}
	if s.g.state != Playing || a.ticks == 0 || string(a.actions[:6]) != "\x02early" ||
		string(b.actions) != string(a.actions) {
		t.Errorf("in %s after %d ticks with %q", s.g.state, a.ticks, a.actions)
	}
}

func TestTheFirstTickComesATickAfterLoading(t *testing.T) {
	s := newStage(t, 2, nil)
	a := s.join("A")
	s.in(Playing)
	began := s.g.now
	s.pass(500 * time.Millisecond)
	if times := timesOf[*w3gs.Tick](a); len(times) != 5 || times[0] != began+100*time.Millisecond {
		t.Errorf("playing since %v, ticks at %v", began, times)
	}
}

// Protocol w3gs 7.5.
func TestTheOwnerEndsTheGame(t *testing.T) {
	for _, state := range []State{Lobby, Countdown, Loading, Playing} {
		s := newStage(t, 2, nil)
		a, b := s.join("A"), s.join("B")
		a.noLoading = state == Loading
		if state > Lobby {
			s.in(state)
		}
		s.forget()
		s.g.finish(HostStopping)
		s.settle()
		switch state {
		case Playing:
			if !a.over || !b.over || a.closed || s.g.done {
				t.Errorf("%s: over %t %t, closed %t, done %t", state, a.over, b.over, a.closed, s.g.done)
			}
			b.say(act("too late", 20), &w3gs.Leave{Reason: w3gs.LeftWon})
			if !b.accepted || !b.closed {
				t.Errorf("%s: leaving after the end: accepted %t, closed %t", state, b.accepted, b.closed)
			}
			s.pass(900 * time.Millisecond)
			if a.closed {
				t.Errorf("%s: closed too early", state)
			}
			s.pass(100 * time.Millisecond)
			if a.p.reason != GameEnded {
				t.Errorf("%s: ended for %s", state, a.p.reason)
			}
		default:
			want := w3gs.LeftLobby
			if state == Loading {
				want = w3gs.LeftDisconnected
			}
			if a.kicked != want || b.kicked != want || a.p.reason != HostStopping {
				t.Errorf("%s: kicked %d, %d for %s", state, a.kicked, b.kicked, a.p.reason)
			}
		}
		if !a.closed || !s.g.done {
			t.Errorf("%s: closed %t, done %t", state, a.closed, s.g.done)
		}
		if cancelled := len(s.announced) == 1; cancelled != (state <= Countdown) {
			t.Errorf("%s: announced %v", state, s.announced)
		}
	}
}

func TestRefreshes(t *testing.T) {
	s := newStage(t, 4, nil)
	s.forget()
	s.pass(26 * time.Second)
	if n := len(s.announced); n != 5 {
		t.Errorf("%d refreshes of an empty game in 26 s", n)
	}
	s.forget()
	a := s.join("A")
	s.pass(10 * time.Millisecond)
	if n := len(s.announced); n != 1 {
		t.Errorf("%d refreshes when somebody joins", n)
	}
	a.say(&w3gs.Leave{Reason: w3gs.LeftLobby})
	for range 10 { // changes at once are told once a second
		u := s.join("B")
		s.pass(10 * time.Millisecond)
		u.say(&w3gs.Leave{Reason: w3gs.LeftLobby})
	}
	s.pass(2 * time.Second)
	if n := len(s.announced); n > 3 {
		t.Errorf("%d refreshes for many changes", n)
	}
	if last := s.announced[len(s.announced)-1].(*w3gs.GameRefreshed); last.Players != 1 || last.Seats != 5 {
		t.Errorf("the last refresh is %+v", last)
	}
}
