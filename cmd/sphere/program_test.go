package main

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"sphereserver/data"
	"sphereserver/server/config"
)

// openHere opens a program in a data folder, with settings as on a command line.
func openHere(t *testing.T, dir string, out io.Writer, change func(*config.Settings)) (*program, error) {
	t.Helper()
	set := config.Defaults()
	set.Game.Listen, set.Admin.Listen = "127.0.0.1:0", "127.0.0.1:0"
	change(&set)
	from := config.Sources{Defaults: set}
	found, err := config.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	return openProgram(dir, found, from, out)
}

// sink is a writer for many goroutines.
type sink struct {
	mu   sync.Mutex
	text strings.Builder
}

func (s *sink) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *sink) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

func TestAProgramOpensRunsAndStops(t *testing.T) {
	dir := t.TempDir()
	for range 2 { // the second one finds all that the first one has had
		var log sink
		p, err := openHere(t, dir, &log, func(s *config.Settings) { s.ChatLog = true })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := data.Lock(dir); err == nil {
			t.Error("the data folder can be had by another one")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		if err := p.run(ctx, nil, nil, func() { cancel(errors.New("enough")) }); err != nil {
			t.Error(err)
		}
		if _, err := net.Dial("tcp", p.game.Addr().String()); err != nil {
			t.Errorf("it does not listen before it is stopped: %v", err)
		}
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		for _, want := range []string{"msg=ready", "why=enough", "msg=stopped"} {
			if !strings.Contains(log.String(), want) {
				t.Errorf("the log has no %s:\n%s", want, log.String())
			}
		}
	}
}

func TestAProgramIsReloadedAndEndsWithItsTerminal(t *testing.T) {
	var log sink
	p, err := openHere(t, t.TempDir(), &log, func(*config.Settings) {})
	if err != nil {
		t.Fatal(err)
	}
	reload, gone := make(chan struct{}), make(chan struct{})
	err = p.run(t.Context(), reload, gone, func() {
		go func() {
			reload <- struct{}{}
			close(gone)
		}()
	})
	if err := errors.Join(err, p.stop()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "the terminal was closed") {
		t.Error(log.String())
	}
}

// What cannot be opened leaves nothing open: the folder is free for the next one.
func TestAProgramThatDoesNotOpenLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for name, change := range map[string]func(*config.Settings){
		"the game": func(s *config.Settings) { s.Game.Listen = taken.Addr().String() },
		"the page": func(s *config.Settings) { s.Admin.Listen = taken.Addr().String() },
		"the log":  func(s *config.Settings) { s.Log.File = dir },
	} {
		if p, err := openHere(t, dir, io.Discard, change); err == nil {
			t.Errorf("%s opened", name)
			_ = p.stop()
		}
		lock, err := data.Lock(dir)
		if err != nil {
			t.Fatalf("after %s: %v", name, err)
		}
		if err := lock.Unlock(); err != nil {
			t.Error(err)
		}
	}
}
