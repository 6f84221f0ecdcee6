package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/w3host"
)

// A buffer may be read while others write to it.
type safeBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *safeBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *safeBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// A hosting is "sphere w3host", running.
type hosting struct {
	t        *testing.T
	in       *io.PipeWriter
	out, err safeBuffer
	stop     context.CancelFunc
	done     chan error
	tcp, udp string
}

func startHosting(t *testing.T, args ...string) *hosting {
	t.Helper()
	h := &hosting{t: t, done: make(chan error, 1)}
	in, write := io.Pipe()
	h.in = write
	root := group("sphere", "", w3hostCommand(&environment{in: in, out: &h.out, err: &h.err}))
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetArgs(append([]string{"w3host", "--listen", "127.0.0.1:0", "--countdown", "0s"}, args...))
	ctx, stop := context.WithCancel(t.Context())
	h.stop = stop
	go func() { h.done <- root.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		stop()
		write.Close()
	})
	ready := regexp.MustCompile(`ready games=\d+ tcp=(\S+) udp=(\S+)\n`)
	h.until("it is ready", func() bool {
		if m := ready.FindStringSubmatch(h.out.String()); m != nil {
			h.tcp, h.udp = m[1], m[2]
			return true
		}
		select {
		case err := <-h.done:
			h.t.Fatalf("has ended: %v", err)
		default:
		}
		return false
	})
	return h
}

func (h *hosting) until(what string, so func() bool) {
	h.t.Helper()
	for deadline := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			h.t.Fatalf("waited in vain until %s:\n%s\n%s", what, h.out.String(), h.err.String())
		}
	}
}

// tell types a line and waits for an answer that contains text.
func (h *hosting) tell(line, text string) {
	h.t.Helper()
	before := len(h.out.String())
	if _, err := io.WriteString(h.in, line+"\n"); err != nil {
		h.t.Fatal(err)
	}
	h.until(line+" is answered with "+text, func() bool { return strings.Contains(h.out.String()[before:], text) })
}

// ended waits for the end and returns the error.
func (h *hosting) ended() error {
	h.t.Helper()
	select {
	case err := <-h.done:
		return err
	case <-time.After(time.Minute):
		h.t.Fatal("it does not end")
		return nil
	}
}

// tinyMap are the flags of a map that nobody has to have.
var tinyMap = []string{"--map-path", `Maps\Test\(2)Tiny.w3x`, "--map-size", "4096", "--map-crc", "0xCAFEBABE",
	"--map-xoro", "0xDEADBEEF", "--map-dims", "64x64"}

// joinHosting joins a game over a socket and returns the connection.
func joinHosting(t *testing.T, h *hosting, name string, info warcraftGame) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", h.tcp)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	packet, _ := w3gs.Append(nil, &w3gs.Join{Game: info.Game, EntryKey: info.Key, Name: name})
	packet, _ = w3gs.Append(packet, &w3gs.MapState{Kind: w3gs.MapHave, Size: 4096})
	if _, err := conn.Write(packet); err != nil {
		t.Fatal(err)
	}
	return conn
}

func TestHostingWarcraft(t *testing.T) {
	t.Parallel()
	h := startHosting(t, append([]string{"--name", "Пятница", "--slots", "2", "--log-format", "json"},
		tinyMap...)...)
	code, out, err := command(w3gsQueryCommand, h.udp, "--json", "--version", "26")
	var r warcraftResult
	if e := readJSON(out, &r); e != nil || code != 0 || len(r.Games) != 1 ||
		r.Games[0].Name != "Пятница" || r.Games[0].Address != h.tcp {
		t.Fatalf("%v, %d, %s, %+v", e, code, err, r)
	}
	h.tell("games", "#1    Пятница  lobby  0 of 2  0")
	h.tell("start", "expected all players to be ready, found 0 of 0")
	h.tell("strat", `found "strat", did you mean "start"?`)
	h.tell("end #7", "game 7: no such game")
	h.tell("say", "expected something behind say, found nothing")
	h.tell("start now", `expected nothing more behind start, found "now"`)
	h.tell("kick #x", `expected the number of a game behind #, found "x"`)
	conn := joinHosting(t, h, "Grunt", r.Games[0])
	h.until("Grunt is in", func() bool { return strings.Contains(h.err.String(), `"player":"Grunt"`) })
	h.tell("say hello", "done")
	h.tell("games", "Grunt  not ready  slot 1")
	h.tell("status", `"name":"Grunt"`)
	var status w3host.Status
	lines := strings.Split(strings.TrimSpace(h.out.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &status); err != nil || len(status.Games) != 1 ||
		status.TCP != h.tcp {
		t.Errorf("%v, %+v", err, status)
	}
	h.tell("kick GRUNT", "done")
	var got []byte
	_ = conn.SetReadDeadline(time.Now().Add(time.Minute))
	if got, _ = io.ReadAll(conn); !bytes.Contains(got, []byte("hello\x00")) ||
		!bytes.HasSuffix(got, []byte{0xF7, 0x1C, 8, 0, 13, 0, 0, 0}) {
		t.Errorf("Grunt was sent %x", got)
	}
	h.stop()
	if err := h.ended(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", h.tcp); err == nil {
		t.Error("it still listens")
	}
}

func TestHostingSeveralGames(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "(4)Echo.w3x")
	if err := os.WriteFile(file, []byte("HM3W map"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startHosting(t, "--map", file, "--once", "--game", "name=First; start-when=-1", "--game",
		"name = Second; slots=6; starts=4; observers=full; download; slot=2 closed;")
	_, out, _ := command(w3gsQueryCommand, h.udp, "--json", "--version", "26")
	var r warcraftResult
	if e := readJSON(out, &r); e != nil || len(r.Games) != 2 {
		t.Fatalf("%v\n%s", e, out)
	}
	for _, g := range r.Games {
		want := warcraftGame{Name: "First", Slots: 5, Seats: 5, Settings: "0x802"}
		if g.Name == "Second" {
			want = warcraftGame{Name: "Second", Slots: 7, Seats: 6, Settings: "0x3802"}
		}
		if g.Name != want.Name || g.Slots != want.Slots || g.Seats != want.Seats || g.Settings != want.Settings ||
			g.Map != `Maps\Download\(4)Echo.w3x` {
			t.Errorf("%+v", g)
		}
	}
	h.tell("start", "expected the number of a game like #2, found none")
	h.tell("end #1", "done")
	h.tell("end #2", "done")
	if err := h.ended(); err != nil {
		t.Errorf("with --once: %v", err)
	}
}

func TestQuitting(t *testing.T) {
	h := startHosting(t, tinyMap...)
	if _, err := io.WriteString(h.in, "\nquit\n"); err != nil {
		t.Fatal(err)
	}
	if err := h.ended(); err != nil {
		t.Error(err)
	}
}

func TestMistakesInHosting(t *testing.T) {
	for _, v := range []struct {
		code int
		text string
		args []string
	}{
		{2, "expected --map or --map-path, found neither", nil},
		{2, "expected --map-size and --map-crc with --map-path", []string{"--map-path", "x"}},
		{1, "no such file", []string{"--map", filepath.Join(t.TempDir(), "none.w3x")}},
		{2, `--map-crc: expected a number like 0xDEADBEEF, found "x"`, append(tinyMap, "--map-crc", "x")},
		{2, "--map-xoro: expected a number", append(tinyMap, "--map-xoro", "0x123456789")},
		{2, "--map-sha1: expected 40 hex digits", append(tinyMap, "--map-sha1", "ab")},
		{2, `--map-dims: expected two numbers like 64x64, found "64"`, append(tinyMap, "--map-dims", "64")},
		{2, "slots: expected 1 to 12 with version 1.26, found 13", append(tinyMap, "--slots", "13")},
		{2, "start when: expected 0 to 4 players, found 9", append(tinyMap, "--start-when", "9")},
		{2, "--product: expected tft or roc", append(tinyMap, "--product", "sc")},
		{2, "--transport: expected gnet or net", append(tinyMap, "--transport", "quic")},
		{2, "--layout: expected melee, forces or fixed", append(tinyMap, "--layout", "x")},
		{2, "--observers: expected none", append(tinyMap, "--observers", "x")},
		{2, "--settings: expected a number", append(tinyMap, "--settings", "fast")},
		{2, "--announce: expected an IPv4 address and a port", append(tinyMap, "--announce", "192.0.2.1")},
		{2, "tick: expected 50ms to 250ms, found 1s", append(tinyMap, "--tick", "1s")},
		{2, "download: expected a map file, found none", append(tinyMap, "--download")},
		{2, "--log-level: expected debug", append(tinyMap, "--log-level", "x")},
		{2, "--log-format: expected text or json", append(tinyMap, "--log-format", "x")},
		{2, `--slot "9 closed": expected the number of a slot, 1 to 4, found "9"`, append(tinyMap, "--slot", "9 closed")},
		{2, `found "race=elf"`, append(tinyMap, "--slot", "1 race=elf")},
		{2, `--slot "": expected the number of a slot, found nothing`, append(tinyMap, "--slot", "")},
		{2, `--game "x=1": expected a flag of a game like slots, found "x"`, append(tinyMap, "--game", "x=1")},
		{2, `--game "slots": expected slots=VALUE, found "slots"`, append(tinyMap, "--game", "slots")},
		{2, `--game "slots=x": `, append(tinyMap, "--game", "slots=x")},
		{2, `--game "slots=99": --slots: expected 1 to 12`, append(tinyMap, "--game", "slots=99")},
		{2, "did you mean --map-size?", append(tinyMap, "--map-sice", "1")},
		{2, `expected no argument, found "x"`, append(tinyMap, "x")},
	} {
		code, out, err := command(w3hostCommand, v.args...)
		if code != v.code || out != "" || !strings.Contains(err, v.text) {
			t.Errorf("%q: expected %d and %q, found %d, %q", v.args, v.code, v.text, code, err)
		}
	}
}

func TestSlotFlags(t *testing.T) {
	slots := w3host.OpenSlots(4, 4, 26)
	for _, text := range []string{"1 team=2 colour=12 race=nightelf handicap=50", "2 closed", "3 computer=insane race=any",
		"4 team=observer"} {
		if err := changeSlot(slots, text, 26); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for i, want := range []w3gs.Slot{
		{Download: 255, Team: 1, Colour: 11, Race: w3gs.NightElf, Level: w3gs.NormalComputer, Handicap: 50},
		{Download: 255, State: w3gs.SlotClosed, Team: 1, Colour: 1, Race: w3gs.Random | w3gs.RaceSelectable,
			Level: w3gs.NormalComputer, Handicap: 100},
		{Download: 100, State: w3gs.SlotTaken, Computer: 1, Team: 2, Colour: 2, Race: w3gs.Random | w3gs.RaceSelectable,
			Level: w3gs.InsaneComputer, Handicap: 100},
		{Download: 255, Team: 12, Colour: 12, Race: w3gs.Random | w3gs.RaceSelectable, Level: w3gs.NormalComputer,
			Handicap: 100},
	} {
		if slots[i] != want {
			t.Errorf("slot %d is %+v, expected %+v", i+1, slots[i], want)
		}
	}
	for _, text := range []string{"1 team=0", "1 team=13", "1 handicap=55", "1 open=yes", "1 computer=best", "1 nonsense",
		"x", "0 open"} {
		if err := changeSlot(slots, text, 26); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
