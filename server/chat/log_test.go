package chat

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/world"
)

// The operator's log and its followers get each spoken line, in one line.
func TestLinesAreLogged(t *testing.T) {
	var out bytes.Buffer
	g := newRoom(t, 2)
	g.chat.said.out = &out
	all := g.all
	_, lines, stop, ok := g.chat.Follow()
	if !ok {
		t.Fatal("nobody may follow")
	}
	all[0].speaks(world.Normal, "при\tвет\n2026")
	all[0].whisper(all[1].name(), "тайна")
	g.pass(200 * time.Millisecond)
	stop()
	all[0].speaks(world.Trade, "мимо")
	g.pass(200 * time.Millisecond)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	g.chat.WriteLog(ctx) // writes waiting lines

	login, name := all[0].Login(), all[0].name()
	var want []string
	for _, e := range []Entry{{Channel: world.Normal, Login: login, Character: name, Text: "при вет 2026"},
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
	for _, e := range g.chat.Tail() {
		_, fields, _ := strings.Cut(e.String(), "\t")
		tailed = append(tailed, fields)
	}
	if fmt.Sprint(logged) != fmt.Sprint(want) || fmt.Sprint(tailed) != fmt.Sprint(want) || len(lines) != 2 {
		t.Errorf("logged   %q\nin tail  %q\nfollowed %d\nwant     %q", logged, tailed, len(lines), want)
	}
}

// Lines spoken before a server stopped are in its log when it has.
func TestLogIsWholeWhenTheServerStops(t *testing.T) {
	var out bytes.Buffer
	g := newRoom(t, 0)
	g.chat.said.out = &out
	ctx, stop := context.WithCancel(t.Context())
	var writing sync.WaitGroup
	writing.Go(func() { g.chat.WriteLog(ctx) })
	for range 300 {
		g.chat.said.add(Entry{Text: "x"})
	}
	stop()
	writing.Wait()
	if n := strings.Count(out.String(), "\n"); n != 300 {
		t.Errorf("%d of 300 lines are written", n)
	}
}

// A log that cannot keep up costs lines of the log, and nobody's time.
func TestLogNeverBlocks(t *testing.T) {
	c := newLog(new(bytes.Buffer), nil)
	slow := make(chan Entry) // nobody reads
	c.followers[slow] = struct{}{}
	for i := range logQueue + 100 {
		c.add(Entry{Text: fmt.Sprint(i)})
	}
	if c.dropped.Load() != 100 {
		t.Errorf("%d lines dropped", c.dropped.Load())
	}
	tail := c.last()
	if len(tail) != tailLines || tail[0].Text != fmt.Sprint(logQueue+100-tailLines) ||
		tail[tailLines-1].Text != fmt.Sprint(logQueue+99) {
		t.Errorf("the tail has %d lines, from %q on", len(tail), tail[0].Text)
	}
}

// No contents make a line of the log look like two.
func TestLogLinesAreNotForged(t *testing.T) {
	e := Entry{Channel: 99, Login: "a\tb", Character: "c\nd", To: "\r", Text: "x\u2028y\x00z\x1b[31m"}
	if s := e.String(); strings.Count(s, "\t") != 5 || strings.ContainsAny(s, "\n\r\x00\x1b\u2028") ||
		!strings.Contains(s, "channel 99") {
		t.Errorf("%q", s)
	}
}

// Followers may come and go from anywhere.
func TestFollowersComeAndGo(t *testing.T) {
	g := newRoom(t, 0)
	var stops []func()
	for range maxFollowers {
		_, _, stop, ok := g.chat.Follow()
		if !ok {
			t.Fatal("refused too early")
		}
		stops = append(stops, stop)
	}
	if _, lines, stop, ok := g.chat.Follow(); ok || lines != nil {
		t.Error("one too many")
	} else {
		stop()
	}
	var all sync.WaitGroup
	for _, stop := range stops {
		all.Go(stop)
		all.Go(func() { g.chat.said.add(Entry{}) })
	}
	all.Wait()
	if _, _, _, ok := g.chat.Follow(); !ok {
		t.Error("there is room again")
	}
}

// One account cannot fill the log, and neither takes room from another nor from the server.
func TestOneAccountDoesNotFillTheLog(t *testing.T) {
	var out bytes.Buffer
	c := newLog(&out, nil)
	flood := strings.Repeat("я", 2000)
	at := time.Now().Truncate(time.Minute)
	for i := range 100 {
		c.add(Entry{At: at, Login: "flooder", Text: flood})
		c.add(Entry{At: at, Login: "quiet", Text: fmt.Sprint("word ", i)})
	}
	c.add(Entry{At: at, Text: "from the server"})
	c.add(Entry{At: at.Add(time.Minute), Login: "flooder", Text: "a minute later"})
	for len(c.queue) > 0 {
		c.write(<-c.queue)
	}
	all := out.String()
	if n := strings.Count(all, flood); n*len(flood) > loggedBytes || n == 0 {
		t.Errorf("%d lines of the flood are logged", n)
	}
	for what, want := range map[string]int{"left out": 1, "word ": 100, "from the server": 1, "a minute later": 1} {
		if n := strings.Count(all, what); n != want {
			t.Errorf("%d lines with %q, expected %d", n, what, want)
		}
	}
	if c.dropped.Load() == 0 {
		t.Error("what is left out is not counted")
	}
}
