package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
)

// The measured server is the one that ships, but for limits that a load from one address would meet.
func TestTheGameServersLimitsAreLifted(t *testing.T) {
	o := gameOptions(gameSettings{Connections: 12345, Hashes: 3})
	l := o.Limits
	if l.Connections != 12345 || l.HashWorkers != 3 || !l.ExemptLoopback || l.LoginQueue < 12345 {
		t.Errorf("limits %+v", l)
	}
	if l.FramesPerSecond < 1e6 || l.FramesBurst < 1e6 || o.CreateAccounts {
		t.Errorf("a load meets a limit: %+v", l)
	}
	if shipped := gameOptions(gameSettings{}); shipped.Limits.HashWorkers < 1 {
		t.Errorf("%d passwords are checked at once", shipped.Limits.HashWorkers)
	}
	for _, d := range []time.Duration{o.Timeouts.Handshake, o.Timeouts.Login, o.Timeouts.Screen, o.Timeouts.Entering,
		o.Timeouts.Silence} {
		if d < barTimeout {
			t.Errorf("a client is sent away after %v", d)
		}
	}
}

// A server with bad settings says the fault in place of serving.
func TestServersRefuseBadSettings(t *testing.T) {
	for name, serve := range servers {
		if _, err := serve([]byte("{")); err == nil {
			t.Errorf("%s serves with half of a setting", name)
		}
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := serveGame(fmt.Appendf(nil, `{"Dir": %q}`, file)); err == nil {
		t.Error("a file is served as a data folder")
	}
	if err := obey(serveGame, nil, strings.NewReader(""), os.Stderr); err == nil {
		t.Error("a server without settings")
	}
}

// Characters are saved until it is told to end, each time with something that has changed.
func TestCharactersAreSavedBesidePlay(t *testing.T) {
	b := newTestBench(t)
	dir, err := b.prepared(t.Context(), apart, 3, cheapHash)
	if err != nil {
		t.Fatal(err)
	}
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	saving := saver{store: store}
	for _, n := range []int{0, 10, 1000} {
		if err := saving.save(n); err != nil {
			t.Fatal(err)
		}
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		characters, err := store.FindCharacters(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(characters, func(c data.Character) bool { return c.TitleXP < 2 }) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("not all were saved twice: %+v", characters)
		}
	}
	if err := saving.save(0); err != nil {
		t.Error(err)
	}
}

// A client's two pings are of places a step apart, whole, and read as such; nothing else is an answer to them or a
// step of another player.
func TestFramesOfTheLoad(t *testing.T) {
	frames, err := pings(7, 0x1234, apart.at(3))
	if err != nil {
		t.Fatal(err)
	}
	for i, frame := range frames {
		if want := packets.Checksum(frame, 0x1234); uint16(frame[2])|uint16(frame[3])<<8 != want {
			t.Errorf("checksum of ping %d is not %04X", i, want)
		}
		packets.Deobfuscate(frame)
		p, ok := packets.ReadPing(frame)
		if want := apart.at(3); !ok || p.Player != 7 || p.Position.X != want.X+float32(i) || p.Position.Z != want.Z {
			t.Errorf("ping %d: %+v, %t", i, p, ok)
		}
	}
	far := apart.at(3)
	far.X = 1e9
	if _, err := pings(7, 0, far); err == nil {
		t.Error("a ping from outside of the world")
	}
}

// Ours and the reference take turns; the waiting user is told of each run.
func TestMeasurementsTakeTurns(t *testing.T) {
	var progress strings.Builder
	b, err := newBench(quickSizes, 3, t.TempDir(), &progress)
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	var turns string
	side := func(name string, v float64) measurement {
		return func() (float64, error) {
			turns += name
			return v, nil
		}
	}
	rows := b.rowsOf(t.Context(), bar{"P3", func(_ context.Context, b *bench) error {
		_, err := b.measure("turns", seconds, ratioAtMost(2), ratioAtMost(1), side("o", 3), side("r", 2))
		return err
	}})
	if turns != "ororor" || len(rows) != 1 || rows[0].Ratio != 1.5 || rows[0].Verdict != met {
		t.Errorf("%s, %+v", turns, rows)
	}
	if text := progress.String(); strings.Count(text, "\n") != 7 ||
		!strings.Contains(text, "P3   turns: run 2 of 3: reference 2.00 s\n") {
		t.Errorf("told %q", text)
	}
	b.profiles = "/profiles"
	if got := filepath.ToSlash(b.profile()); got != "/profiles/P3.pprof" {
		t.Errorf("profile in %s", got)
	}
}

// A bar that is not measured on a system is no failure.
func TestBarsThatAreNotMeasuredHere(t *testing.T) {
	b := newTestBench(t)
	why := fmt.Errorf("%w: it needs a moon", errNotHere)
	rows := b.rowsOf(t.Context(), bar{"P1", func(context.Context, *bench) error { return why }})
	if len(rows) != 1 || rows[0].Verdict != notHere || len(rows[0].Notes) != 1 || rows[0].Notes[0] != why.Error() {
		t.Errorf("%+v", rows[0])
	}
}

// A crowd of clients that do not come leaves no server behind.
func TestACrowdThatDoesNotCome(t *testing.T) {
	b := newTestBench(t)
	lost := errors.New("lost their way")
	var server *child
	_, err := b.crowd(t.Context(), "serve-bare", bareSettings{}, ground{}, func(c *crowd) error {
		server = c.server
		return lost
	})
	if errors.Is(err, errNotHere) {
		elsewhere(t, err)
	}
	if !errors.Is(err, lost) {
		t.Fatal(err)
	}
	if _, err := server.ask("status"); err == nil {
		t.Error("the server is there still")
	}
}

// A password takes some time, and the measurement ends with its context.
func TestPasswordTime(t *testing.T) {
	v, err := passwordTime(t.Context(), 2, time.Millisecond)
	if err != nil || !(v > 0) {
		t.Errorf("%v, %v", v, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := passwordTime(ctx, 2, time.Second); !errors.Is(err, context.Canceled) {
		t.Errorf("after its end: %v", err)
	}
}
