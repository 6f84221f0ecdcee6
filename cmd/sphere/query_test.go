package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets/ase"
	"sphereserver/packets/capture"
	"sphereserver/packets/mcquery"
	"sphereserver/server/query"
)

// inquire runs "sphere query".
func inquire(in string, args ...string) (code int, out, errs string) {
	return inquireIn(false, in, args...)
}

// inquireUntil asks with twice the patience each time until an error says some words: how soon a stranger answers is the
// machine's matter.
func inquireUntil(words string, args ...string) (code int, out, errs string) {
	for wait := 50 * time.Millisecond; ; wait *= 2 {
		code, out, errs = inquire("", append(args, "--timeout", wait.String())...)
		if strings.Contains(errs, words) || wait > time.Minute {
			return code, out, errs
		}
	}
}

func inquireIn(russian bool, in string, args ...string) (code int, out, errs string) {
	return commandWith(russian, in, queryCommand, args...)
}

// answers runs "sphere query", which has to succeed.
func answers(t *testing.T, args ...string) string {
	t.Helper()
	code, out, err := inquire("", args...)
	if code != 0 {
		t.Fatalf("%q: exit code %d, %s\n%s", args, code, err, out)
	}
	return out
}

// A serverJSON is what programs read of a server.
type serverJSON struct {
	Protocol, Address, Kind                string
	Bytes                                  int
	Milliseconds                           float64
	Name, PlainName, Game, Type, Map, Host string
	Port, Players, Slots, Password         any
	IP                                     string
	Rules                                  []pair
	List                                   json.RawMessage
}

// A warcraftGame is what programs read of a game.
type warcraftGame struct {
	Address          string
	Game             uint32
	Key              uint32 `json:"entry_key"`
	Name, Map        string
	MapXoro, MapSHA1 string
	Settings         string
	Seats, Slots     uint32
}

type warcraftResult struct {
	Protocol string
	Games    []warcraftGame
}

// stranger is a foreign server: it answers each datagram with the bytes of respond, nil for silence.
func stranger(t *testing.T, respond func(request []byte) [][]byte) (address string) {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	var done sync.WaitGroup
	done.Go(func() {
		buf := make([]byte, 2048)
		for {
			n, from, err := conn.ReadFromUDPAddrPort(buf)
			if err != nil {
				return
			}
			for _, answer := range respond(buf[:n]) {
				_, _ = conn.WriteToUDPAddrPort(answer, from)
			}
		}
	})
	t.Cleanup(func() {
		conn.Close()
		done.Wait()
	})
	return conn.LocalAddr().String()
}

// always answers everything with the same bytes.
func always(t *testing.T, answer []byte) string {
	return stranger(t, func([]byte) [][]byte { return [][]byte{answer} })
}

const aseSamples = "../../packets/ase/testdata"

func eyeSample(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(aseSamples, name))
	if err != nil {
		t.Fatal(err)
	}
	_, digits, _ := strings.Cut(string(text), "\n")
	b, err := capture.ParseHex(digits)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// expectLines checks that lines are in a text, in this order. How many spaces are between words does not matter.
func expectLines(t *testing.T, text string, lines ...string) {
	t.Helper()
	have := strings.Split(text, "\n")
	at := 0
	for _, want := range lines {
		for ; at < len(have) && !strings.HasPrefix(strings.Join(strings.Fields(have[at]), " "), want); at++ {
		}
		if at == len(have) {
			t.Errorf("no line %q, or too late, in\n%s", want, text)
			return
		}
	}
}

func TestQueryReadsFarCry(t *testing.T) {
	address := always(t, eyeSample(t, "farcry.hex"))
	expectLines(t, answers(t, "ase", address), "server JAMAIQUE 1.1 FR", "game farcry", "port 49001", "type FFA",
		"map mp_monkeybay_n", "version 0.0.0.0",
		"password no", "players 10 of 12", "answer EYE1, 631 bytes in ", "RULE VALUE", "gr_ScoreLimit 0",
		"gr_NextMap mp_radio", "sv_punkbuster 1",
		"PLAYER TEAM SCORE PING TIME", "PEGASE65 players 3 60 8m", "<zeroboys> Duke players 3 55 3m", "Jack Carver "+
			"players 8 45 6m")
	r := serverJSON{}
	if err := readJSON(answers(t, "ase", address, "--json"), &r); err != nil {
		t.Fatal(err)
	}
	var list []eyePlayer
	if err := readJSON(string(r.List), &list); err != nil {
		t.Fatal(err)
	}
	if r.Name != "$3JAM$6AI$4QUE $21.1 FR" || r.PlainName != "JAMAIQUE 1.1 FR" || r.Port != 49001.0 || r.Players != 10.0 ||
		r.Slots != 12.0 || len(r.Rules) != 14 ||
		len(list) != 10 || list[1] != (eyePlayer{Name: "Jason Bourne", Team: "players", Score: "17", Ping: "65",
		Time: "8m"}) || r.Kind != "EYE1" ||
		r.Address != address || r.Password != false {
		t.Errorf("%+v", r)
	}
}

func TestQueryReadsMultiTheftAuto(t *testing.T) {
	for name, want := range map[string][]string{
		"mta-eye1.hex": {"server server", "game mta", "port 12345", "password yes", "players online of max_online",
			"PLAYER TEAM SKIN SCORE PING TIME",
			"nick team skin score ping time"},
		"mta-eye2.hex": {"server server", "port 12345", "map map", "version ver", "password no", "players 10 of 15",
			"build 1/0", "uptime uptime",
			"http port http_port", "answer EYE2, 95 bytes", "nick", "bot", "2 of 10 players are named"},
		"mta-eye3.hex": {"server server", "game mta", "type type", "map map", "version ver", "players 10 of 15",
			"answer EYE3, 37 bytes"},
	} {
		out := answers(t, "ase", "--read", filepath.Join(aseSamples, name))
		expectLines(t, out, want...)
		if wire := always(t, eyeSample(t, name)); !strings.Contains(answers(t, "ase", wire, "--kind", "EYE2"), "server") {
			t.Errorf("%s over the wire", name)
		}
	}
}

func TestStandardInputHasARussianName(t *testing.T) {
	t.Setenv("LC_ALL", "ru_RU.UTF-8")
	for in, want := range map[string]string{"zz": "стандартный ввод: знак 1", "45594531": "ответ стандартного ввода повреждён"} {
		var out, err bytes.Buffer
		if run([]string{"query", "ase", "--read", "-"}, strings.NewReader(in), &out, &err); !strings.Contains(err.String(), want) {
			t.Errorf("%q: expected %q, found %q", in, want, err.String())
		}
	}
}

func TestQueryReadsFiles(t *testing.T) {
	raw := filepath.Join(t.TempDir(), "answer.bin")
	if err := os.WriteFile(raw, eyeSample(t, "farcry.hex"), 0o666); err != nil {
		t.Fatal(err)
	}
	expectLines(t, answers(t, "ase", "--read", raw), "server JAMAIQUE 1.1 FR", "answer EYE1, 631 bytes")
	dump := "# a dump\n00 01 02 03 04 54 65 73 74 00 53 4D 50 00 77 00 ;Test.SMP.w.\n32 00 32 30 00 DD 63 31 32 37 " +
		"2E 30 2E 30 2E 31 00\n"
	code, out, err := inquire(dump, "minecraft", "--kind", "basic", "--read", "-")
	if code != 0 {
		t.Fatal(err)
	}
	expectLines(t, out, "server Test", "type SMP", "map w", "players 2 of 20", "host 127.0.0.1", "port 25565",
		"answer basic, 33 bytes")
	if code, _, err := inquire("zz", "ase", "--read", "-"); code != 1 || !strings.Contains(err, "character 1") {
		t.Errorf("%d, %s", code, err)
	}
	if code, _, err := inquire("", "ase", "--read", filepath.Join(t.TempDir(), "none")); code != 1 ||
		!strings.Contains(err, "none") {
		t.Errorf("%d, %s", code, err)
	}
}

// ownSource is the source of our own server.
type ownSource struct{}

func (ownSource) Info() query.Info {
	return query.Info{Name: "Сфера §cтест", Version: "v0.1", Map: "Hyperion", Slots: 100, Port: 25860,
		Players: []query.Player{{Name: "Вася", Level: 75}},
		Rules:   []query.Rule{{Key: "language", Value: "ru"}}}
}

// listenQuery answers queries about source until the test ends.
func listenQuery(t *testing.T, source query.Source) *query.Server {
	t.Helper()
	free, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	game := free.LocalAddr().(*net.UDPAddr).AddrPort()
	free.Close()
	o := query.DefaultOptions()
	o.ExemptLoopback = true
	s, err := query.Listen(game, o, source)
	if err != nil {
		t.Skip(err) // another program was quicker to take the port
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestQueryAsksOurServer(t *testing.T) {
	s := listenQuery(t, ownSource{})
	eye, craft := s.ASE().String(), s.Minecraft().String()
	expectLines(t, answers(t, "ase", eye), "server Сфера §cтест", "game sphere", "port 25860", "map Hyperion",
		"players 1 of 100", "language ru",
		"PLAYER SCORE TIME", "Вася 75 0")
	expectLines(t, answers(t, "ase", eye, "--kind", "eye2"), "server", "build 9/0", "uptime 0 s", "http port 0",
		"Вася")
	expectLines(t, answers(t, "ase", eye, "--kind", "eye3"), "server", "players 1 of 100", "answer EYE3")
	expectLines(t, answers(t, "ase", eye, "--kind", "version"), "version V0.1", "answer version, 4 bytes")
	expectLines(t, answers(t, "minecraft", craft), "server Сфера тест", "game MINECRAFT", "type SMP",
		"map Hyperion", "version v0.1", "players 1 of 100",
		"host 127.0.0.1", "port 25860", "answer full", "PLAYER", "Вася")
	var r serverJSON
	if err := readJSON(answers(t, "minecraft", craft, "--kind", "basic", "--json"), &r); err != nil {
		t.Fatal(err)
	}
	r.Milliseconds, r.Bytes = 0, 0
	want := serverJSON{Protocol: "minecraft", Address: craft, Kind: "basic", Name: "Сфера тест", Type: "SMP", Map: "Hyperion", Players: 1.0,
		Slots: 100.0, Port: 25860.0, IP: "127.0.0.1"}
	if diff := cmp.Diff(want, r); diff != "" {
		t.Error(diff)
	}
}

func TestQueryTellsWhatIsWrong(t *testing.T) {
	farcry := eyeSample(t, "farcry.hex")
	for _, v := range []struct {
		answer []byte
		args   []string
		err    string
		out    string
	}{
		{[]byte("HELLO"), []string{"ase"}, `byte 0: header: expected EYE1, EYE2 or EYE3, found "HELL"`, ""},
		{[]byte("EY"), []string{"ase"}, "byte 2: header: 2 bytes, at least 4 expected", ""},
		{farcry[:600], []string{"ase"}, "byte 598: player 9: time: length 3, the answer has 2 bytes left", "JAMAIQUE 1.1 FR"},
		{farcry[:600], []string{"ase", "--json"}, "byte 598: player 9: time: length 3, the answer has 2 bytes left",
			`"damage": "byte 598`},
		{farcry[:20], []string{"ase"}, "byte 17: server name: length 24, the answer has 3 bytes left",
			"port    49001\nanswer  EYE1, 20 bytes"},
		{eyeSample(t, "mta-eye3.hex")[:35], []string{"ase"}, "byte 35: players: the answer ends before it",
			"version  ver\nanswer   EYE3, 35 bytes"},
		{[]byte("junk"), []string{"minecraft"}, "token: byte 0: kind: expected 9, found 106", ""},
	} {
		address := always(t, v.answer)
		code, out, err := inquire("", append(v.args, address)...)
		if code != 1 || !strings.Contains(err, v.err) || !strings.Contains(out, v.out) || v.out == "" && out != "" {
			t.Errorf("%q: exit code %d, %s\n%s", v.answer, code, err, out)
		}
	}
}

// craft is a foreign Minecraft server; respond makes its status answers of the session.
func craft(t *testing.T, token string, respond func(session uint32) [][]byte) string {
	return stranger(t, func(request []byte) [][]byte {
		r, err := mcquery.DecodeRequest(request)
		switch {
		case err != nil:
			t.Errorf("% X: %v", request, err)
		case r.Kind == mcquery.Handshake:
			return [][]byte{(&mcquery.Token{Session: r.Session, Text: token}).Append(nil)}
		default:
			return respond(r.Session)
		}
		return nil
	})
}

func TestQueryMinecraftStrangers(t *testing.T) {
	full := func(session uint32) []byte {
		return (&mcquery.Full{Session: session, Pairs: []mcquery.Pair{{Key: "hostname", Value: "\xC0\xC1"},
			{Key: "numplayers", Value: "many"},
			{Key: "mood", Value: "good"}}, Players: []string{"§aA", "B"}}).Append(nil)
	}
	// Late answers to earlier requests, and of other sessions, are passed over.
	address := craft(t, "-5", func(s uint32) [][]byte {
		return [][]byte{(&mcquery.Token{Session: s, Text: "7"}).Append(nil), full(s ^ 1), full(s)}
	})
	expectLines(t, answers(t, "minecraft", address), "server ÀÁ", "players many of", "mood good", "PLAYER", "A", "B")

	address = craft(t, "9513307", func(s uint32) [][]byte { return [][]byte{full(s ^ 0x01000000)} })
	code, _, err := inquireUntil("byte 1: session: expected ", "minecraft", address, "--retries", "1")
	if code != 1 || !strings.Contains(err, "asked 2 times") || !strings.Contains(err, "byte 1: session: expected ") {
		t.Errorf("another session: %d, %s", code, err)
	}
	address = craft(t, "9513307", func(s uint32) [][]byte { return [][]byte{full(s)[:40]} })
	code, out, err := inquire("", "minecraft", address)
	if code != 1 || !strings.Contains(err, "damaged at byte ") || !strings.Contains(err, "no NUL") ||
		!strings.Contains(out, "ÀÁ") {
		t.Errorf("cut off: %d, %s\n%s", code, err, out)
	}
	// Of an answer in several parts the first is shown, in whatever order they come.
	part := func(s uint32, n byte) []byte {
		b := full(s)
		b[mcquery.HeaderBytes+len("splitnum\x00")] = n
		return b
	}
	address = craft(t, "9513307", func(s uint32) [][]byte { return [][]byte{part(s, 0x81)[:30], part(s, 0)} })
	expectLines(t, answers(t, "minecraft", address), "server ÀÁ", "PLAYER", "A", "B")
	address = craft(t, "9513307", func(s uint32) [][]byte { return [][]byte{part(s, 0x81)[:30]} })
	code, _, err = inquireUntil("part 2 of an answer in several parts", "minecraft", address, "--retries", "1")
	if code != 1 || !strings.Contains(err, "part 2 of an answer in several parts") {
		t.Errorf("the second part alone: %d, %s", code, err)
	}
	// A server that has one kind of answer only is shown by that, and one of Minecraft's own with a letter lost.
	address = craft(t, "1234567", func(s uint32) [][]byte {
		return [][]byte{(&mcquery.Basic{Session: s, MOTD: "one kind", Type: "SMP", Players: "3", Slots: "9"}).Append(nil)}
	})
	expectLines(t, answers(t, "minecraft", address), "server one kind", "players 3 of 9", "answer basic, ")
	address = craft(t, "1234567", func(s uint32) [][]byte {
		return [][]byte{(&mcquery.Full{Session: s, NULs: true, Pairs: []mcquery.Pair{{Key: "hostname", Value: "two\x00kinds"},
			{Key: "gametype", Value: "SMP"}, {Key: "numplayers", Value: "3"}, {Key: "maxplayers", Value: "9"}}}).Append(nil)}
	})
	for _, kind := range []string{"full", "basic"} {
		expectLines(t, answers(t, "minecraft", address, "--kind", kind), "server two·kinds", "type SMP", "players 3 of 9",
			"answer full, ")
	}
	address = craft(t, "x", nil)
	if code, _, err := inquire("", "minecraft", address); code != 1 || !strings.Contains(err,
		`byte 5: token: expected a decimal number of 32 bits, found "x"`) {
		t.Errorf("no token: %d, %s", code, err)
	}
	address = stranger(t, func(request []byte) [][]byte { return [][]byte{{9, 1}} })
	if code, _, err := inquire("", "minecraft", address); code != 1 || !strings.Contains(err, "byte 1: session") {
		t.Errorf("a very short answer: %d, %s", code, err)
	}
}

func TestQueryAsksAgain(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	address := stranger(t, func(request []byte) [][]byte {
		if asked.Add(1) < 3 {
			return nil
		}
		return [][]byte{eyeSample(t, "mta-eye3.hex")}
	})
	answers(t, "ase", address, "--timeout", "300ms", "--retries", "200") // it ends with the first answer
	if n := asked.Load(); n < 3 {
		t.Errorf("asked %d times", n)
	}
	var unheard atomic.Int64
	silent := stranger(t, func([]byte) [][]byte { unheard.Add(1); return nil })
	code, _, err := inquire("", "ase", silent, "--timeout", "20ms", "--retries", "2")
	// The last datagram may be read when nobody waits for an answer any more.
	for end := time.Now().Add(time.Minute); unheard.Load() < 3 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if code != 1 || !strings.Contains(err, "no answer from "+silent+": asked 3 times, waited up to 20ms each time") ||
		unheard.Load() != 3 {
		t.Errorf("%d, %s, asked %d", code, err, unheard.Load())
	}
	if code, _, err := inquire("", "ase", closed(t), "--timeout", "20ms", "--retries", "0"); code != 1 ||
		!strings.Contains(err, "no answer from ") {
		t.Errorf("nobody there: %d, %s", code, err)
	}
}

// Of the port of a game nothing comes: the usual one beside it is asked, and said.
func TestQueryAsksBesideTheGame(t *testing.T) {
	address := stranger(t, func([]byte) [][]byte { return [][]byte{eyeSample(t, "mta-eye3.hex")} })
	host, port, _ := net.SplitHostPort(address)
	n, _ := strconv.Atoi(port)
	if n <= ase.DefaultPortOffset {
		t.Skip("no port below")
	}
	game := net.JoinHostPort(host, strconv.Itoa(n-ase.DefaultPortOffset))
	code, out, err := inquire("", "ase", game, "--timeout", "10s", "--retries", "0")
	if code != 0 || !strings.Contains(err, "no answer from "+game+"; this one is from "+address) {
		t.Errorf("%d, %s%s", code, out, err)
	}
}

// A name that has addresses of both versions of IP is asked at both.
func TestQueryAsksByBothVersionsOfIP(t *testing.T) {
	at := map[string]string{"udp": closed(t), "udp6": always(t, eyeSample(t, "mta-eye3.hex"))}
	q := &inquiry{protocol: &protocol{requests: [][]byte{[]byte("s")}}, timeout: askTimeout}
	q.dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if address != "both.example:22126" || at[network] == "" {
			return nil, &net.AddrError{Err: network, Addr: address}
		}
		return new(net.Dialer).DialContext(ctx, "udp", at[network])
	}
	for range 2 {
		if r, err := q.ask(t.Context(), "both.example:22126"); err != nil || len(r.answers) != 1 {
			t.Errorf("%v, %v", r, err)
		}
		at["udp"], at["udp6"] = at["udp6"], at["udp"]
	}
	clear(at)
	if _, err := q.ask(t.Context(), "both.example:22126"); err == nil || err.Error() != "address both.example:22126: udp" {
		t.Errorf("no address: %v", err)
	}
}

// closed is an address where nobody listens.
func closed(t *testing.T) string {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return c.LocalAddr().String()
}

func TestQueryMistakes(t *testing.T) {
	for _, v := range []struct {
		text string
		args []string
	}{
		{"query: expected one of ase, lan, minecraft, w3gs", []string{"x"}},
		{`did you mean "minecraft"?`, []string{"minecaft"}},
		{"query ase: expected an address HOST:PORT, found nothing", []string{"ase"}},
		{`expected an address HOST:PORT, found "127.0.0.1"`, []string{"ase", "127.0.0.1"}},
		{`expected an address HOST:PORT, found ":5"`, []string{"ase", ":5"}},
		{`expected an address HOST:PORT, found "x:0"`, []string{"minecraft", "x:0"}},
		{`expected an address HOST:PORT, found "x:99999"`, []string{"minecraft", "x:99999"}},
		{`expected nothing after "127.0.0.1:1", found "x"`, []string{"ase", "127.0.0.1:1", "x"}},
		{`expected no argument, found "127.0.0.1:1"`, []string{"ase", "127.0.0.1:1", "--read", "x"}},
		{`--timeout: expected more than 0, found 0s`, []string{"ase", "127.0.0.1:1", "--timeout", "0"}},
		{`--retries: expected 0 or more, found -1`, []string{"ase", "127.0.0.1:1", "--retries", "-1"}},
		{`--kind: expected eye1, eye2, eye3 or version, found "eye4"`, []string{"ase", "127.0.0.1:1", "--kind", "eye4"}},
		{`--kind: expected full or basic, found "long"`, []string{"minecraft", "127.0.0.1:1", "--kind", "long"}},
		{`did you mean --retries?`, []string{"ase", "127.0.0.1:1", "--retrie", "1"}},
	} {
		if code, out, err := inquire("", v.args...); code != 2 || !strings.Contains(err, v.text) || out != "" {
			t.Errorf("%q: expected %q, found %d, %q, %q", v.args, v.text, code, err, out)
		}
	}
}

func TestQueryStopsWhenInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	address := stranger(t, func([]byte) [][]byte { cancel(); return nil })
	q := &inquiry{protocol: &protocol{requests: [][]byte{[]byte("s")}}, timeout: askTimeout, retries: 1000,
		dial: new(net.Dialer).DialContext}
	_, err := q.ask(ctx, address)
	if err == nil || !strings.Contains(err.Error(), "interrupted") {
		t.Error(err)
	}
}

func TestReadable(t *testing.T) {
	for in, want := range map[string]string{"": "", "Сфера": "Сфера", "caf\xE9": "café", "\xC0\xC1": "ÀÁ",
		"cr\xE9\xE9e": "créée", "\xD1\xF4\xE5\xF0\xE0 2": "Сфера 2", "\xB8\xE6\xE8\xEA": "ёжик", "Сфер\xD0": "Сфер",
		"лес 木\xE6\x9C": "лес 木"} {
		if got := readable(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
	for in, want := range map[string]any{"42": 42, "-1": -1, "": nil, "x": "x", "\xC0": "À"} {
		if got := numberOrText(in); got != want {
			t.Errorf("%q: %v", in, got)
		}
	}
}
