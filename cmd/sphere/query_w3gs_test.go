package main

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/packets/w3gs"
	"sphereserver/server/query"
)

// command runs one command as "sphere NAME".
func command(make func(*environment) *cobra.Command, args ...string) (code int, out, errs string) {
	return commandWith(false, "", make, args...)
}

func commandWith(russian bool, in string, make func(*environment) *cobra.Command, args ...string) (code int, out,
	errs string) {
	var o, e bytes.Buffer
	env := &environment{in: strings.NewReader(in), out: &o, err: &e, russian: russian}
	root := group("sphere", "", make(env))
	root.SilenceUsage, root.SilenceErrors = true, true
	root.SetArgs(append([]string{strings.Fields(make(env).Use)[0]}, args...))
	err := root.ExecuteContext(context.Background())
	var mistake *usageError
	switch {
	case errors.As(err, &mistake):
		return 2, o.String(), e.String() + err.Error()
	case err != nil:
		return 1, o.String(), e.String() + err.Error()
	}
	return 0, o.String(), e.String()
}

// aGame is an announced game, as a packet.
func aGame(t *testing.T, change func(*w3gs.GameInfo)) []byte {
	t.Helper()
	m := &w3gs.GameInfo{Product: w3gs.FrozenThrone, Version: 26, Game: 7, EntryKey: 0x1234ABCD, Name: "Пятница",
		Slots: 5, Seats: 4, Players: 2,
		Flags: w3gs.CustomGame, Seconds: 61, Port: 6113,
		Stat: w3gs.Stat{Settings: w3gs.UsualSettings, Width: 64, Height: 96, Check: 0xDEADBEEF,
			Path: `Maps\Test\(2)Tiny.w3x`, Host: "Grunt"}}
	m.Stat.SHA1[0] = 0xAB
	if change != nil {
		change(m)
	}
	packet, err := w3gs.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	return packet
}

func TestQueryReadsWarcraft(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var asked []string
	address := stranger(t, func(request []byte) [][]byte {
		m, err := w3gs.Decode(request)
		s, ok := m.(*w3gs.Search)
		if err != nil || !ok {
			t.Errorf("asked %x", request)
			return nil
		}
		mu.Lock()
		asked = append(asked, s.Product.String()+s.Version.String())
		mu.Unlock()
		if s.Product != w3gs.FrozenThrone || s.Version != 26 {
			return nil
		}
		return [][]byte{aGame(t, nil), aGame(t, func(m *w3gs.GameInfo) { m.Game, m.Name, m.Stat.NoSHA1 = 8, "other", true })}
	})
	code, out, err := command(w3gsQueryCommand, address)
	if code != 0 || err != "" {
		t.Fatalf("%d, %s", code, err)
	}
	expectLines(t, out, "game 7", "name Пятница", "host Grunt", "version The Frozen Throne 1.26", "players 2 of 4",
		"slots 5", `map Maps\Test\(2)Tiny.w3x`,
		"map size 64 × 96", "map xoro 0xDEADBEEF", "map SHA-1 ab00", "settings 0x802", "flags 0x1", "uptime 61 s",
		"entry key 0x1234ABCD", "join at 127.0.0.1:6113",
		"game 8", "name other", "join at", "answer game information, ")
	if strings.Count(out, "SHA-1") != 1 {
		t.Errorf("a SHA-1 that was left out is shown:\n%s", out)
	}
	code, out, err = command(w3gsQueryCommand, address, "--json", "--version", "26", "--product", "tft")
	var r warcraftResult
	if e := readJSON(out, &r); e != nil || code != 0 {
		t.Fatalf("%v, %d, %s\n%s", e, code, err, out)
	}
	if len(r.Games) != 2 || r.Games[0].Name != "Пятница" || r.Games[0].MapXoro != "0xDEADBEEF" ||
		r.Games[0].Seats != 4 || r.Games[1].MapSHA1 != "" || r.Protocol != "w3gs" {
		t.Errorf("%+v", r)
	}
	mu.Lock()
	defer mu.Unlock()
	if n := len(asked); n != 21 || asked[0] != "W3XP1.29" || asked[20] != "W3XP1.26" {
		t.Errorf("asked %q", asked)
	}
}

func TestQueryReadsWarcraftFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "answer.hex")
	if err := os.WriteFile(file,
		[]byte("f7 30 7c 00 50 58 33 57 1a 00 00 00 01 00 00 00 cd ab 34 12 66 61 6b 65 20 67 61 6d 65 00 00 ; head\n"+
			"0103090101014101a94101efbfaddf4dcb6171735d556573a1755d2933295569356f792f773379010d496f73750101"+
			"010101010101010101010101010101010101010101010100 # stat\n"+
			"040000000100000001000000040000003d000000e117\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, err := command(w3gsQueryCommand, "--read", file)
	if code != 0 {
		t.Fatalf("%d, %s", code, err)
	}
	expectLines(t, out, "game 1", "name fake game", "host Host", "players 1 of 4", "slots 4", "map size 64 × 64",
		"uptime 61 s")
}

// One odd datagram of a host does not hide its games.
func TestQueryShowsGamesBesideOddDatagrams(t *testing.T) {
	p, err := (&warcraftSearch{product: "tft", version: 26}).protocol(nil)
	if err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	q := &inquiry{env: &environment{out: &out, err: &notes}, protocol: p}
	err = q.show(reply{from: "192.0.2.1:6112",
		answers: [][]byte{{0xF7, 0x33, 8, 0, 1, 0, 0, 0}, aGame(t, nil), aGame(t, nil)[:60]}})
	if err != nil || strings.Count(notes.String(), "note: answer of 192.0.2.1:6112: ") != 2 ||
		!strings.Contains(notes.String(), "expected game information (0x30), found game cancelled (0x33)") {
		t.Errorf("%v, %s", err, notes.String())
	}
	expectLines(t, out.String(), "game 7", "name Пятница", "join at 192.0.2.1:6113", "answer game information, ")
}

// A fault of an answer is told with its place.
func TestQueryShowsDamagedWarcraftAnswers(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		answer []byte
		text   string
	}{
		{aGame(t, nil)[:60], "game information (0x30): byte 2: expected the packet's length 60, found "},
		{[]byte{0xF7, 0x33, 8, 0, 1, 0, 0, 0}, "byte 1: expected game information (0x30), found game cancelled (0x33)"},
		{[]byte("hello"), "byte 0: expected the mark 0xF7, found 0x68"},
		{[]byte{0xF7}, "packet: byte 1: expected a header of 4 bytes, found 1"},
		{bytes.Replace(aGame(t, nil), []byte{0xEF, 0xBF, 0xAD, 0xDF}, []byte{0xEE, 0xBF, 0xAD, 0xDF}, 1),
			"encoded stat string, byte "},
	} {
		code, out, err := command(w3gsQueryCommand, always(t, v.answer), "--version", "26")
		if code != 1 || out != "" || !strings.Contains(err, v.text) || !strings.HasPrefix(err, "answer of 127.0.0.1:") {
			t.Errorf("expected %q, found %d, %q, %q", v.text, code, out, err)
		}
	}
	silent := stranger(t, func([]byte) [][]byte { return nil })
	code, _, err := command(w3gsQueryCommand, silent, "--timeout", "20ms", "--retries", "1")
	if code != 1 || !strings.Contains(err, "no answer from "+silent+": asked 2 times") {
		t.Errorf("silence: %d, %q", code, err)
	}
}

func TestMistakesInWarcraftQueries(t *testing.T) {
	for _, v := range []struct {
		make func(*environment) *cobra.Command
		text string
		args []string
	}{
		{w3gsQueryCommand, "expected an address HOST:PORT, found nothing", nil},
		{w3gsQueryCommand, `--product: expected tft, roc or any, found "sc"`, []string{"127.0.0.1:6112", "--product", "sc"}},
		{w3gsQueryCommand, "--version: expected a minor version like 26, found -1", []string{"127.0.0.1:6112", "--version",
			"-1"}},
		{w3gsQueryCommand, "did you mean --version?", []string{"127.0.0.1:6112", "--versoin", "1"}},
		{lanQueryCommand, `expected no argument, found "x"`, []string{"x"}},
		{lanQueryCommand, `--to: expected an IPv4 address, found "::1"`, []string{"--to", "::1"}},
		{lanQueryCommand, "--timeout: expected more than 0", []string{"--timeout", "0s"}},
		{lanQueryCommand, "--retries: expected 0 or more", []string{"--retries", "-1"}},
		{lanQueryCommand, "--product: expected tft, roc or any", []string{"--product", "x"}},
	} {
		code, out, err := command(v.make, v.args...)
		if code != 2 || out != "" || !strings.Contains(err, v.text) {
			t.Errorf("%q: expected %q, found %d, %q", v.args, v.text, code, err)
		}
	}
}

// portOf is the port of an address.
func portOf(t *testing.T, address string) string {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// searchUntil looks for twice as long each time until all have answered: how soon they do is the machine's matter.
func searchUntil(all func(out, errs string) bool, args ...string) (code int, out, errs string) {
	for last := 300 * time.Millisecond; ; last *= 2 {
		code, out, errs = command(lanQueryCommand, slices.Concat(args, []string{"--timeout", last.String()})...)
		if all(out, errs) || last > time.Minute {
			return code, out, errs
		}
	}
}

func TestQueryFindsWhatIsOnTheNetwork(t *testing.T) {
	t.Parallel()
	o := query.DefaultOptions()
	o.ExemptLoopback = true
	var s *query.Server
	for range 10 { // another program may be quicker to take a free port
		free, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		game := free.LocalAddr().(*net.UDPAddr).AddrPort()
		free.Close()
		if s, err = query.Listen(game, o, documented{}); err == nil {
			break
		}
	}
	if s == nil {
		t.Fatal("no ports")
	}
	defer s.Close()
	games := stranger(t, func(request []byte) [][]byte {
		if m, _ := w3gs.Decode(request); m.(*w3gs.Search).Version != 26 {
			return nil
		}
		return [][]byte{aGame(t, nil), aGame(t, nil), aGame(t, func(m *w3gs.GameInfo) { m.Game = 8 }), []byte("hello")}
	})
	args := []string{"--to", "127.0.0.1", "--warcraft-port", portOf(t, games), "--ase-port",
		portOf(t, s.ASE().String()),
		"--minecraft-port", portOf(t, s.Minecraft().String())}
	code, out, err := searchUntil(func(out, errs string) bool {
		return strings.Count(out, "\n") >= 6 && strings.Contains(errs, "note")
	}, args...)
	if code != 0 || !strings.Contains(err, "note: answer of "+games+": byte 0: expected the mark 0xF7, found 0x68") ||
		strings.Count(err, "note") != 1 {
		t.Fatalf("%d, %s", code, err)
	}
	expectLines(t, out, "WARCRAFT III HOST PLAYERS MAP VERSION ADDRESS",
		`Пятница Grunt 2 of 4 Maps\Test\(2)Tiny.w3x The Frozen Throne 1.26 127.0.0.1:6113`,
		"Пятница", "SERVER GAME PLAYERS MAP VERSION ADDRESS", "Сфера")
	if n := strings.Count(out, "\n"); n != 6 {
		t.Errorf("%d lines:\n%s", n, out)
	}
	code, out, _ = searchUntil(func(out, _ string) bool {
		return strings.Count(out, "Пятница") >= 2 && strings.Contains(out, `"ase"`)
	}, append(args, "--json")...)
	type found struct {
		Warcraft []warcraftGame
		Servers  []serverJSON
	}
	var r found
	if e := readJSON(out, &r); e != nil || code != 0 || len(r.Warcraft) != 2 || len(r.Servers) != 1 {
		t.Fatalf("%v, %d, %+v", e, code, r)
	}
	if v := r.Servers[0]; v.Name != "Сфера" || v.Protocol != "ase" || v.Address != "127.0.0.1:25860" ||
		v.Players != 3.0 || v.Slots != 10000.0 {
		t.Errorf("%+v", v)
	}
	// One protocol alone finds it too.
	_, out, _ = searchUntil(func(out, _ string) bool { return strings.Contains(out, "Сфера") },
		append(args, "--json", "--ase-port", "0", "--warcraft-port", "0")...)
	r = found{}
	if e := readJSON(out, &r); e != nil || len(r.Servers) != 1 || r.Servers[0].Protocol != "minecraft" ||
		r.Servers[0].Name != "Сфера" {
		t.Errorf("%v, %+v", e, r)
	}
	code, _, err = command(lanQueryCommand, "--to", "127.0.0.1", "--timeout", "30ms", "--warcraft-port",
		portOf(t, stranger(t, func([]byte) [][]byte { return nil })),
		"--ase-port", "0", "--minecraft-port", "0")
	if code != 1 || !strings.Contains(err, "nobody has answered in 30ms") {
		t.Errorf("silence: %d, %q", code, err)
	}
}
