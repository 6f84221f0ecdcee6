package w3host

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
)

// table brings n players into a game that is played.
func playingStage(t *testing.T, n int, change func(*Options, *GameOptions)) *stage {
	t.Helper()
	s := newStage(t, n, change)
	for i := range n {
		s.join(string(rune('A' + i)))
	}
	s.in(Playing)
	s.pass(50 * time.Millisecond)
	s.forget()
	return s
}

// Protocol w3gs 4.14: exactly one tick each 100 ms, empty or not, and actions of players in the order in which they
// came.
func TestTicks(t *testing.T) {
	s := playingStage(t, 3, nil)
	a, b, c := s.guests[0], s.guests[1], s.guests[2]
	for i := range 100 {
		for j, u := range []*guest{b, c, a} {
			u.say(act(fmt.Sprint(i, ".", j), 10))
		}
		s.pass(30 * time.Millisecond)
	}
	s.pass(100 * time.Millisecond)
	times := timesOf[*w3gs.Tick](a)
	if len(times) < 30 {
		t.Errorf("%d ticks in 3.1 s", len(times))
	}
	for i := range len(times) - 1 {
		if d := times[i+1] - times[i]; d != 100*time.Millisecond {
			t.Errorf("%v between two ticks", d)
		}
	}
	for _, tick := range newsOf[*w3gs.Tick](a) {
		if tick.Milliseconds != 100 {
			t.Errorf("a tick of %d ms", tick.Milliseconds)
		}
	}
	if !bytes.Equal(a.actions, b.actions) || !bytes.Equal(a.actions, c.actions) || len(a.actions) != 300*11 {
		t.Errorf("%d, %d and %d bytes of actions", len(a.actions), len(b.actions), len(c.actions))
	}
	for i := 0; i < len(a.actions); i += 11 {
		want := []*guest{b, c, a}[i/11%3].id
		if mark := fmt.Sprint(i/33, ".", i/11%3); a.actions[i] != byte(want) ||
			!strings.HasPrefix(string(a.actions[i+1:]), mark) {
			t.Fatalf("action %d is %q", i/11, a.actions[i:i+11])
		}
	}
	if a.closed || b.closed || c.closed {
		t.Error("somebody is out of step")
	}
}

// Protocol w3gs 12, check 5.
func TestLargeTicksAreSplit(t *testing.T) {
	s := playingStage(t, 2, nil)
	a, b := s.guests[0], s.guests[1]
	var want []byte
	for i := range 3 {
		for _, u := range []*guest{a, b} {
			m := act(fmt.Sprint(i), 900)
			u.say(m)
			want = append(append(want, byte(u.id)), m.Data...)
		}
	}
	s.pass(100 * time.Millisecond)
	if got := []string{"part of a tick", "part of a tick", "part of a tick", "part of a tick", "part of a tick",
		"tick"}; !slices.Equal(a.names(), got) {
		t.Errorf("A was sent %q", a.names())
	}
	if !bytes.Equal(a.actions, want) || !bytes.Equal(b.actions, want) {
		t.Error("actions differ")
	}
	for _, n := range []struct{ size, parts int }{{1443, 0}, {1444, 1}} { // two blocks of so many bytes of data and heads
		s.forget()
		a.say(act("x", 700), act("y", n.size-703))
		s.pass(100 * time.Millisecond)
		if got := len(newsOf[*w3gs.TickPart](a)); got != n.parts {
			t.Errorf("%d bytes: %d parts, expected %d", n.size+3, got, n.parts)
		}
	}
}

// A late loop sends the next tick earlier; a stalled one goes on from where it is.
func TestLateTicks(t *testing.T) {
	s := playingStage(t, 1, nil)
	a := s.guests[0]
	s.pass(50 * time.Millisecond) // a tick has just been sent
	s.forget()
	s.g.pass(170 * time.Millisecond)
	s.settle()
	s.pass(30 * time.Millisecond)
	if n := len(newsOf[*w3gs.Tick](a)); n != 2 {
		t.Errorf("%d ticks in 200 ms", n)
	}
	s.forget()
	s.g.pass(1900 * time.Millisecond)
	s.settle()
	if n := len(newsOf[*w3gs.Tick](a)); n != 2 {
		t.Errorf("%d ticks at once", n)
	}
	s.forget()
	s.pass(time.Second)
	if n := len(newsOf[*w3gs.Tick](a)); n != 10 {
		t.Errorf("%d ticks in the second after that", n)
	}
	// A suspended process is not the clients' silence.
	s.g.pass(time.Hour)
	s.settle()
	s.pass(time.Second)
	if a.closed {
		t.Errorf("closed for %s", a.p.reason)
	}
}

func TestTickPeriod(t *testing.T) {
	s := playingStage(t, 1, func(o *Options, _ *GameOptions) { o.Tick = 250 * time.Millisecond })
	s.pass(10 * time.Second)
	ticks := newsOf[*w3gs.Tick](s.guests[0])
	if len(ticks) != 40 || ticks[0].Milliseconds != 250 {
		t.Errorf("%d ticks of %d ms in 10 s", len(ticks), ticks[0].Milliseconds)
	}
}

// Protocol w3gs 4.13.
func TestActionsThatEndTheConnection(t *testing.T) {
	for _, v := range []struct {
		what string
		send func(u *guest)
		want Reason // ReasonUnknown: it goes on
	}{
		{"wrong CRC", func(u *guest) { u.raw([]byte{0xF7, 0x26, 12, 0, 1, 2, 3, 4, 5, 6, 7, 8}) }, NotTheProtocol},
		{"too long", func(u *guest) {
			packet := append([]byte{0xF7, 0x26, 0x09, 0x04}, make([]byte, 1029)...)
			u.raw(packet)
		}, NotTheProtocol},
		{"the longest", func(u *guest) { u.say(act("x", 1024)) }, ReasonUnknown},
		{"none", func(u *guest) { u.say(&w3gs.Action{}) }, ReasonUnknown},
		{"100 in a second", func(u *guest) {
			for range 100 {
				u.say(act("x", 1))
			}
		}, ReasonUnknown},
		{"101 in a second", func(u *guest) {
			for range 101 {
				u.say(act("x", 1))
			}
		}, TooManyActions},
		{"32 KiB in a second", func(u *guest) {
			for range 32 {
				u.say(act("x", 1024))
			}
		}, ReasonUnknown},
		{"33 KiB in a second", func(u *guest) {
			for range 33 {
				u.say(act("x", 1024))
			}
		}, TooManyActions},
	} {
		s := playingStage(t, 2, nil)
		a, b := s.guests[0], s.guests[1]
		v.send(a)
		s.pass(200 * time.Millisecond)
		if a.closed != (v.want != ReasonUnknown) || a.p.reason != v.want {
			t.Errorf("%s: closed %t for %s, expected %s", v.what, a.closed, a.p.reason, v.want)
		}
		if a.closed && b.left[a.id] != w3gs.LeftDisconnected || b.closed {
			t.Errorf("%s: B sees %v, closed %t", v.what, b.left, b.closed)
		}
		if v.what == "none" && len(b.actions) != 0 {
			t.Errorf("an action of nothing came: %q", b.actions)
		}
	}
	s := newStage(t, 2, nil)
	a := s.join("A")
	if a.say(act("x", 1)); !a.closed || a.p.reason != NotTheProtocol {
		t.Errorf("in the lobby: closed %t for %s", a.closed, a.p.reason)
	}
}

// A player is seen leaving between two ticks, and behind its last actions.
func TestLeavingTheGame(t *testing.T) {
	s := playingStage(t, 3, nil)
	a, b, c := s.guests[0], s.guests[1], s.guests[2]
	a.say(act("last", 10), &w3gs.Leave{Reason: w3gs.LeftLostAll})
	if !a.accepted || !a.closed || a.p.reason != Left {
		t.Errorf("accepted %t, closed %t for %s", a.accepted, a.closed, a.p.reason)
	}
	s.pass(200 * time.Millisecond)
	for _, u := range []*guest{b, c} {
		if want := []string{"tick", "player left", "tick"}; !slices.Equal(u.names(), want) ||
			u.left[a.id] != w3gs.LeftLostAll {
			t.Errorf("%s was sent %q, left %v", u.name, u.names(), u.left)
		}
	}
	s.forget()
	b.hangUp()
	if want := []string{"player left"}; !slices.Equal(c.names(), want) || c.left[b.id] != w3gs.LeftDisconnected {
		t.Errorf("C was sent %q, left %v", c.names(), c.left)
	}
	if s.g.done {
		t.Error("the game ended with one player in it")
	}
	c.say(&w3gs.Leave{Reason: w3gs.LeftWon})
	if !s.g.done || s.g.state != Over {
		t.Errorf("with nobody left: done %t, %s", s.g.done, s.g.state)
	}
}

// Protocol w3gs 12, check 8.
func TestOutOfStep(t *testing.T) {
	s := playingStage(t, 3, nil)
	s.pass(2 * time.Second)
	b := s.guests[1]
	b.wrongCheck = 1
	s.pass(300 * time.Millisecond)
	for i, u := range s.guests {
		if u.closed != (i == 1) {
			t.Errorf("%s: closed %t for %s", u.name, u.closed, u.p.reason)
		}
	}
	if b.p.reason != OutOfStep || s.guests[0].left[b.id] != w3gs.LeftLost || s.guests[2].left[b.id] != w3gs.LeftLost {
		t.Errorf("ended for %s, told as %v", b.p.reason, s.guests[0].left)
	}
	// Two values that differ: neither is known to be right.
	s.guests[2].wrongCheck = 7
	s.pass(300 * time.Millisecond)
	if !s.guests[0].closed || !s.guests[2].closed || !s.g.done {
		t.Errorf("closed %t, %t, done %t", s.guests[0].closed, s.guests[2].closed, s.g.done)
	}
}

func TestOutOfStepGroups(t *testing.T) {
	for _, v := range []struct {
		checks []uint32
		stay   []int
	}{
		{[]uint32{0, 0, 0, 0, 1}, []int{0, 1, 2, 3}},
		{[]uint32{5, 0, 5, 1, 2}, []int{0, 2}},
		{[]uint32{0, 0, 1, 1, 2}, nil},
		{[]uint32{0, 1, 2, 3, 4}, nil},
		{[]uint32{9, 9, 9, 9, 9}, []int{0, 1, 2, 3, 4}},
	} {
		s := playingStage(t, 5, nil)
		for i, u := range s.guests {
			u.wrongCheck = v.checks[i]
			u.late = time.Duration(i) * 130 * time.Millisecond // answers to several ticks are under way
		}
		s.pass(3 * time.Second)
		var stay []int
		for i, u := range s.guests {
			if !u.closed {
				stay = append(stay, i)
			}
		}
		if !slices.Equal(stay, v.stay) {
			t.Errorf("%v: %v stay, expected %v", v.checks, stay, v.stay)
		}
	}
}

func TestMoreAnswersThanTicks(t *testing.T) {
	s := playingStage(t, 2, nil)
	a := s.guests[0]
	s.pass(time.Second)
	a.say(&w3gs.TickDone{Check: a.state})
	if !a.closed || a.p.reason != TooManyAnswers {
		t.Errorf("closed %t for %s", a.closed, a.p.reason)
	}
}

// Protocol w3gs 12, check 7.
func TestWaiting(t *testing.T) {
	s := playingStage(t, 3, nil)
	a, b, c := s.guests[0], s.guests[1], s.guests[2]
	s.pass(time.Second)
	s.forget()
	b.noTickDone = true
	began := s.g.now
	s.until("they wait", func() bool { return s.g.state == Waiting })
	if d := s.g.now - began; d < 5*time.Second || d > 5200*time.Millisecond {
		t.Errorf("waiting began after %v", d)
	}
	for _, u := range s.guests {
		if w := newsOf[*w3gs.WaitStarted](u); len(w) != 1 || !slices.Equal(w[0].Laggers, []w3gs.Lagger{{Player: b.id}}) {
			t.Errorf("%s was sent %v", u.name, w)
		}
	}
	ticks := a.ticks
	a.say(act("while waiting", 20), a.line(w3gs.GameChat, "hurry"))
	s.pass(20 * time.Second)
	if a.ticks != ticks || b.ticks != ticks || len(b.chat) != 1 {
		t.Errorf("%d ticks while waiting, B reads %q", a.ticks-ticks, b.chat)
	}
	// It sends the answers that it owes, and from less than 25 ticks behind on the game goes on.
	b.noTickDone = false
	for i := 0; s.g.state == Waiting; i++ {
		if i > 60 {
			t.Fatal("it does not go on")
		}
		b.say(&w3gs.TickDone{Check: s.g.players[0].checks[0]})
	}
	if n := s.g.behind(b.p); n != 24 {
		t.Errorf("it goes on when B is %d behind", n)
	}
	if w := newsOf[*w3gs.WaitEnded](c); len(w) != 1 || w[0].Player != b.id || w[0].Milliseconds < 20000 ||
		w[0].Milliseconds > 20100 {
		t.Errorf("C was sent %v", w)
	}
	// The rest of the answers are right too, so that B stays in step.
	for s.g.behind(b.p) > 0 {
		b.say(&w3gs.TickDone{Check: s.g.players[0].checks[0]})
	}
	s.pass(time.Second)
	if a.ticks < ticks+9 || !strings.Contains(string(a.actions), "while waiting") || b.closed {
		t.Errorf("%d ticks after waiting, actions %q, B closed %t", a.ticks-ticks, a.actions, b.closed)
	}
	// Away for good.
	b.noTickDone = true
	s.until("they wait again", func() bool { return s.g.state == Waiting })
	b.noPongs = true
	s.pass(59 * time.Second)
	if b.closed {
		t.Fatalf("B was closed too early, for %s", b.p.reason)
	}
	s.pass(2 * time.Second)
	if !b.closed || b.p.reason != TooFarBehind || a.left[b.id] != w3gs.LeftDisconnected || s.g.state != Playing {
		t.Errorf("B: closed %t for %s, told as %v, now %s", b.closed, b.p.reason, a.left, s.g.state)
	}
	ticks = a.ticks
	s.pass(12 * time.Second)
	if a.ticks < ticks+110 || a.closed || c.closed {
		t.Errorf("%d ticks after that, closed %t, %t", a.ticks-ticks, a.closed, c.closed)
	}
}

func TestVotes(t *testing.T) {
	s := playingStage(t, 5, nil)
	a, b, c, d, e := s.guests[0], s.guests[1], s.guests[2], s.guests[3], s.guests[4]
	d.noTickDone, e.noTickDone = true, true
	a.say(&w3gs.DropVote{}) // counts for nothing before they wait
	s.until("they wait", func() bool { return s.g.state == Waiting })
	s.pass(44 * time.Second)
	a.say(&w3gs.DropVote{})
	b.say(&w3gs.DropVote{})
	s.pass(time.Second)
	if s.g.state != Waiting {
		t.Fatal("votes were counted too early")
	}
	a.say(&w3gs.DropVote{})
	a.say(&w3gs.DropVote{})
	d.say(&w3gs.DropVote{})
	if s.g.state != Waiting {
		t.Fatal("one of three was enough")
	}
	c.say(&w3gs.DropVote{})
	if s.g.state != Playing || d.p.reason != VotedOut || e.p.reason != VotedOut || a.left[d.id] != w3gs.LeftDisconnected {
		t.Errorf("two of three: %s, %s, %s, %v", s.g.state, d.p.reason, e.p.reason, a.left)
	}
	s.pass(time.Second)
	if a.closed || b.closed || c.closed {
		t.Error("the others are closed")
	}
}

func TestALaggerWhoLeaves(t *testing.T) {
	s := playingStage(t, 2, nil)
	a, b := s.guests[0], s.guests[1]
	b.noTickDone = true
	b.say(act("never sent", 20))
	s.until("they wait", func() bool { return s.g.state == Waiting })
	b.say(act("never sent", 20))
	b.hangUp()
	if s.g.state != Playing || a.left[b.id] != w3gs.LeftDisconnected {
		t.Errorf("%s, left %v", s.g.state, a.left)
	}
	n := bytes.Count(a.actions, []byte("never"))
	s.pass(time.Second)
	if bytes.Count(a.actions, []byte("never")) != n || a.closed {
		t.Errorf("actions of somebody who has left: %q, closed %t", a.actions, a.closed)
	}
}

// Protocol w3gs 7.4.
func TestSilenceInTheGame(t *testing.T) {
	s := playingStage(t, 2, nil)
	a, b := s.guests[0], s.guests[1]
	s.pass(10 * time.Second)
	if a.closed || b.closed {
		t.Fatal("closed too early")
	}
	// One player neither plays nor answers: the others wait, and drop it when that has taken too long.
	a.noTickDone, a.noPongs = true, true
	s.pass(70 * time.Second)
	if !a.closed || a.p.reason != TooFarBehind || b.closed {
		t.Errorf("A: closed %t for %s; B: closed %t", a.closed, a.p.reason, b.closed)
	}
}

func TestForgottenActions(t *testing.T) {
	s := playingStage(t, 3, nil)
	a, b, c := s.guests[0], s.guests[1], s.guests[2]
	s.g.state = Loading // where actions wait for the first tick
	for range 4 {
		a.say(act("A", 600))
		b.say(act("B", 600))
	}
	a.hangUp()
	s.g.state = Playing
	s.pass(100 * time.Millisecond)
	if got := bytes.Count(c.actions, []byte{byte(a.id), 'A'}); got != 0 {
		t.Errorf("%d actions of A", got)
	}
	if got := bytes.Count(c.actions, []byte{byte(b.id), 'B'}); got != 4 || len(newsOf[*w3gs.TickPart](c)) != 1 {
		t.Errorf("%d actions of B in %d parts", got, len(newsOf[*w3gs.TickPart](c)))
	}
}

// Actions cannot pile up for ever while nobody takes them.
func TestQueuedActionsAreBounded(t *testing.T) {
	s := playingStage(t, 2, func(o *Options, _ *GameOptions) { o.Limits.Queued = 100 << 10 })
	a, b := s.guests[0], s.guests[1]
	b.noTickDone = true
	s.until("they wait", func() bool { return s.g.state == Waiting })
	for range 120 {
		a.say(act("x", 1000))
		s.pass(50 * time.Millisecond)
	}
	if !a.closed || a.p.reason != TooManyActions {
		t.Errorf("closed %t for %s", a.closed, a.p.reason)
	}
}
