package game

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/server/session"
	"sphereserver/world"
)

// The operator's log and those who follow get each line that was said, in one line.
func TestChatIsLogged(t *testing.T) {
	var out bytes.Buffer
	g := newStage(t, func(o *Options) { o.ChatLog = &out })
	all := g.players(2)
	_, lines, stop, ok := g.server.FollowChat()
	if !ok {
		t.Fatal("nobody may follow")
	}
	all[0].speaks(world.Normal, "при\tвет\n2026")
	all[0].p().tellPlayer(all[1].name(), "тайна")
	g.pass(2 * session.WheelPeriod)
	stop()
	all[0].speaks(world.Trade, "мимо")
	g.pass(2 * session.WheelPeriod)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g.server.chatLog.run(ctx) // writes what waits

	login, name := all[0].s().Login(), all[0].name()
	var want []string
	for _, e := range []ChatEntry{{Channel: world.Normal, Login: login, Character: name, Text: "при вет 2026"},
		{Channel: world.Private, Login: login, Character: name, To: all[1].name(), Text: "тайна"},
		{Channel: world.Trade, Login: login, Character: name, Text: "мимо"}} {
		_, fields, _ := strings.Cut(e.String(), "\t")
		want = append(want, fields)
	}
	var logged, tailed []string
	for _, l := range strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n") {
		_, fields, _ := strings.Cut(l, "\t")
		logged = append(logged, fields)
	}
	for _, e := range g.server.ChatTail() {
		_, fields, _ := strings.Cut(e.String(), "\t")
		tailed = append(tailed, fields)
	}
	if fmt.Sprint(logged) != fmt.Sprint(want) || fmt.Sprint(tailed) != fmt.Sprint(want) || len(lines) != 2 {
		t.Errorf("logged   %q\nin tail  %q\nfollowed %d\nwant     %q", logged, tailed, len(lines), want)
	}
}

// What was said before a server stopped is in its log when it has.
func TestChatLogIsWholeWhenTheServerStops(t *testing.T) {
	var out bytes.Buffer
	g := newStage(t, func(o *Options) { o.ChatLog = &out })
	served := make(chan error, 1)
	go func() { served <- g.server.Serve() }()
	add := func() { g.server.chatLog.add(ChatEntry{Text: "x"}) }
	add()
	for deadline := time.Now().Add(time.Minute); len(g.server.chatLog.queue) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("nothing is written")
		}
	}
	for range 299 {
		add()
	}
	if err := g.server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(out.String(), "\n"); n != 300 {
		t.Errorf("%d of 300 lines are written", n)
	}
}

// A log that cannot keep up costs lines of the log, and nobody's time.
func TestChatLogNeverBlocks(t *testing.T) {
	c := newChatLog(new(bytes.Buffer), nil)
	slow := make(chan ChatEntry) // nobody reads
	c.followers[slow] = struct{}{}
	for i := range chatLogQueue + 100 {
		c.add(ChatEntry{Text: fmt.Sprint(i)})
	}
	if c.dropped.Load() != 100 {
		t.Errorf("%d lines dropped", c.dropped.Load())
	}
	tail := c.last()
	if len(tail) != chatTail || tail[0].Text != fmt.Sprint(chatLogQueue+100-chatTail) ||
		tail[chatTail-1].Text != fmt.Sprint(chatLogQueue+99) {
		t.Errorf("the tail has %d lines, from %q on", len(tail), tail[0].Text)
	}
}

// A line of the log cannot be made to look like two, whatever is in it.
func TestChatLogLinesAreNotForged(t *testing.T) {
	e := ChatEntry{Channel: 99, Login: "a\tb", Character: "c\nd", To: "\r", Text: "x\u2028y\x00z\x1b[31m"}
	if s := e.String(); strings.Count(s, "\t") != 5 || strings.ContainsAny(s, "\n\r\x00\x1b\u2028") ||
		!strings.Contains(s, "channel 99") {
		t.Errorf("%q", s)
	}
}

// Followers may come and go from anywhere.
func TestFollowersComeAndGo(t *testing.T) {
	g := newStage(t, nil)
	var stops []func()
	for range chatFollowers {
		_, _, stop, ok := g.server.FollowChat()
		if !ok {
			t.Fatal("refused too early")
		}
		stops = append(stops, stop)
	}
	if _, lines, stop, ok := g.server.FollowChat(); ok || lines != nil {
		t.Error("one too many")
	} else {
		stop()
	}
	var all sync.WaitGroup
	for _, stop := range stops {
		all.Go(stop)
		all.Go(func() { g.server.chatLog.add(ChatEntry{}) })
	}
	all.Wait()
	if _, _, _, ok := g.server.FollowChat(); !ok {
		t.Error("there is room again")
	}
}
