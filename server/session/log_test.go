package session

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"sphereserver/packets"
)

// Strangers that come and go fill no disk: a connection without an attempt to log in is no line of the log.
func TestStrangersAreNotLogged(t *testing.T) {
	var log bytes.Buffer
	g := newStage(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	for range 5 {
		g.connect().hangUp()
	}
	if log.Len() > 0 {
		t.Errorf("the log has\n%s", &log)
	}
	g.connect().in(CharacterScreen).hangUp()
	g.run()
	for _, want := range []string{`msg="logged in"`, "msg=disconnected"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log has no %s:\n%s", want, &log)
		}
	}
}

// A client that has one name after the other refused is one line of the log.
func TestRefusedCharactersAreLoggedOnce(t *testing.T) {
	var log bytes.Buffer
	g := newStage(t, func(o *Options) { o.Log = slog.New(slog.NewTextHandler(&log, nil)) })
	c := g.connect().in(CharacterScreen)
	for range 20 {
		c.choose(0, &packets.CreateCharacter{Look: maleLook})
	}
	g.run()
	if n := strings.Count(log.String(), `msg="character refused"`); n != 1 {
		t.Errorf("%d lines of\n%s", n, &log)
	}
}
