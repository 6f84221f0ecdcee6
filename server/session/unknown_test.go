package session

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
)

// keeping is a stage that notes which requests are kept.
func keeping(t *testing.T) (*stage, *bytes.Buffer) {
	kept := new(bytes.Buffer)
	return newStage(t, func(o *Options) { o.Unknown = slog.New(slog.NewTextHandler(kept, nil)) }), kept
}

// A request about a player is not kept, nor one from outside of the world: it may have people's own words.
func TestUnknownRequestsAreKept(t *testing.T) {
	g, kept := keeping(t)
	c := g.connect().in(InWorld)
	ask := func(c *conn, class packets.Class, r packets.Region) string {
		kept.Reset()
		c.say(packets.Message(0, 0x1234, class, r))
		return kept.String()
	}
	unknown := &packets.UnknownCommand{Number: 12, Data: []byte{0x2B, 0, 0xFF}}
	told := ask(c, 205, &packets.ContMan{Command: unknown})
	for _, want := range []string{"class=205", `command="ContMan 12"`, "length=3", "bytes=2b00ff"} {
		if !strings.Contains(told, want) {
			t.Errorf("%s is not in %q", want, told)
		}
	}
	if strings.Contains(told, c.s().Login()) {
		t.Errorf("who has sent it stands in %s", told)
	}
	bank := &packets.UnknownRegion{Number: 37, Data: packets.Bits{Len: 16, Data: []byte{1, 2}}}
	if told := ask(c, 239, bank); !strings.Contains(told, `command="region 37"`) || !strings.Contains(told, "bytes=0102") {
		t.Errorf("a region: %q", told)
	}
	if told := ask(c, packets.ClassPlayer, &packets.Manager{Command: unknown}); told != "" {
		t.Errorf("about a player: %s", told)
	}
	if told := ask(c, 205, &packets.ContMan{Command: &packets.Use{}}); told != "" {
		t.Errorf("what is known: %s", told)
	}
	early := g.connect().in(CharacterScreen)
	if told := ask(early, 205, &packets.ContMan{Command: unknown}); told != "" {
		t.Errorf("on the character screen: %s", told)
	}
}

// However much a client sends, a line stays short, a session has few, and all together have few a second.
func TestUnknownRequestsAreFew(t *testing.T) {
	g, kept := keeping(t)
	flood := func(s *Session) int {
		kept.Reset()
		for n := range 1000 {
			s.Unknown(205, fmt.Sprint("ContMan ", n), bytes.Repeat([]byte{0xAB}, n*16))
		}
		for line := range strings.Lines(kept.String()) {
			if len(line) > 2*unknownBytes+200 {
				t.Fatalf("a line has %d bytes", len(line))
			}
		}
		return strings.Count(kept.String(), "\n")
	}
	var all []*Session
	for range 4 {
		all = append(all, g.connect().in(InWorld).s())
	}
	for i, want := range []int{unknownPerSession, unknownPerSession, 0} { // that is the burst
		if n := flood(all[i]); n != want {
			t.Errorf("%d lines of session %d, expected %d", n, i, want)
		}
	}
	g.pass(3 * time.Second)
	if n := flood(all[3]); n < 2 || n > 4 {
		t.Errorf("%d lines after 3 s", n)
	}
}

func TestNobodyKeepsUnknownRequests(t *testing.T) {
	s := newStage(t, nil).connect().in(InWorld).s()
	s.Unknown(205, "ContMan 15", []byte{1})
	if s.unknown != 0 {
		t.Error("it is counted")
	}
}

// The number by which clients swap is not known: another one than ours is noted once, so that it becomes known.
func TestASwapByAnotherNumberIsNoted(t *testing.T) {
	log := new(bytes.Buffer)
	c := newStage(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) }).connect().in(InWorld)
	swap := func(number uint32) {
		c.say(c.own(&packets.Manager{Command: &packets.UnknownCommand{Number: number, Data: make([]byte, 20)}}))
	}
	for _, number := range []uint32{54, 29, 29} { // 54 is not 5 modulo 8
		swap(number)
	}
	if told := log.String(); strings.Count(told, "swap by another number") != 1 || !strings.Contains(told, "number=29") {
		t.Errorf("logged %s", told)
	}
}
