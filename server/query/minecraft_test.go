package query

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets/mcquery"
)

var client = from("192.0.2.1:5000")

func basic(t testing.TB, r *minecraftResponder, now clock, token int32) (m mcquery.Basic) {
	t.Helper()
	out, what := r.respond(now, client, mcquery.AskBasic(9, token).Append(nil))
	if err := mcquery.Decode(out, &m); err != nil || what != answered {
		t.Fatalf("basic: %v, % X: %v", outcomeNames[what], out, err)
	}
	return m
}

func full(t testing.TB, r *minecraftResponder, now clock, token int32) (m mcquery.Full, wire []byte) {
	t.Helper()
	out, what := r.respond(now, client, mcquery.AskFull(9, token).Append(nil))
	if err := mcquery.Decode(out, &m); err != nil || what != answered {
		t.Fatalf("full: %v, % X: %v", outcomeNames[what], out, err)
	}
	return m, bytes.Clone(out)
}

// Source: protocol minecraft-query 11.
func TestMinecraftGoldenAnswers(t *testing.T) {
	b := new(board)
	b.set(Info{Name: "Test Server", Version: "1.20.4", Map: "world", Slots: 20, Port: 25565,
		Players: []Player{{Name: "Player_One"}, {Name: "Player_Two"}}})
	r := newMinecraftResponder(unlimited(), b)
	token := shake(t, r, 0, client)
	for _, v := range []struct{ request, answer string }{
		{"fefd0001020304%08x", `
			0001020304546573742053657276657200534d5000776f726c64003200323000
			dd633132372e302e302e3100`},
		{"fefd0001020304%08x00000000", `
			000102030473706c69746e756d008000686f73746e616d650054657374205365
			727665720067616d657479706500534d500067616d655f6964004d494e454352
			4146540076657273696f6e00312e32302e3400706c7567696e7300006d617000
			776f726c64006e756d706c61796572730032006d6178706c6179657273003230
			00686f7374706f727400323535363500686f73746970003132372e302e302e31
			000001706c617965725f0000506c617965725f4f6e6500506c617965725f5477
			6f0000`},
	} {
		out, what := r.respond(0, client, unhex(t, fmt.Sprintf(v.request, token)))
		if what != answered || !bytes.Equal(out, unhex(t, v.answer)) {
			t.Errorf("%s: %v\n% X", v.request, outcomeNames[what], out)
		}
	}
	out, _ := r.respond(0, client, unhex(t, "fefd0901020304"))
	if !bytes.HasPrefix(out, unhex(t, "0901020304")) || len(out) < 14 || len(out) > 16 || out[len(out)-1] != 0 {
		t.Errorf("handshake: % X", out)
	}
}

func TestMinecraftHandshakes(t *testing.T) {
	r := newMinecraftResponder(unlimited(), newBoard(1))
	for n := 7; n <= 64; n++ {
		request := append(unhex(t, "fefd0901020304"), make([]byte, n-7)...)
		if out, what := r.respond(0, client, request); what != answered || sessionOf(out) != 0x01020304 {
			t.Errorf("%d bytes: %v, % X", n, outcomeNames[what], out)
		}
	}
}

func TestMinecraftTokens(t *testing.T) {
	r := newMinecraftResponder(unlimited(), newBoard(1))
	token := shake(t, r, 0, client)
	for i := range 20 {
		basic(t, r, at(time.Duration(i)*29*time.Second/19), token)
	}
	request := mcquery.AskBasic(9, token).Append(nil)
	for _, v := range []struct {
		at   time.Duration
		from string
	}{{31 * time.Second, "192.0.2.1:5000"}, {0, "192.0.2.1:5001"}, {0, "192.0.2.2:5000"}} {
		if out, what := r.respond(at(v.at), from(v.from), request); out != nil || what != badToken {
			t.Errorf("after %v from %s: %v", v.at, v.from, outcomeNames[what])
		}
	}
	old := shake(t, r, at(40*time.Second), client)
	fresh := shake(t, r, at(41*time.Second), client)
	if _, what := r.respond(at(41*time.Second), client, mcquery.AskBasic(9, old).Append(nil)); what != badToken {
		t.Errorf("a replaced token: %v", outcomeNames[what])
	}
	basic(t, r, at(41*time.Second), fresh)
	// An older protocol has FF FF FF 01 where the token belongs.
	if _, what := r.respond(at(41*time.Second), client, unhex(t, "fefd0001020304ffffff01")); what != badToken {
		t.Errorf("no token: %v", outcomeNames[what])
	}
}

func TestMinecraftPaddingMeansNothing(t *testing.T) {
	r := newMinecraftResponder(unlimited(), newBoard(2))
	token := shake(t, r, 0, client)
	_, want := full(t, r, 0, token)
	for _, padding := range []string{"00000000", "ffffff01", "01020304", "fefd0900"} {
		out, what := r.respond(0, client, append(mcquery.AskBasic(9, token).Append(nil), unhex(t, padding)...))
		if what != answered || !bytes.Equal(out, want) {
			t.Errorf("%s: %v, % X", padding, outcomeNames[what], out)
		}
	}
	// Any other length is for the basic answer.
	for _, n := range []int{11, 12, 14, 16, 40, 64} {
		request := append(mcquery.AskBasic(9, token).Append(nil), make([]byte, n-11)...)
		out, what := r.respond(0, client, request)
		var m mcquery.Basic
		if err := mcquery.Decode(out, &m); err != nil || what != answered {
			t.Errorf("%d bytes: %v, %v", n, outcomeNames[what], err)
		}
	}
}

func TestMinecraftFullAnswerIsKept(t *testing.T) {
	b := newBoard(1)
	r := newMinecraftResponder(unlimited(), b)
	token := shake(t, r, 0, client)
	_, first := full(t, r, 0, token)
	i := *b.info.Load()
	i.Players = crowd(2)
	b.set(i)
	out, _ := r.respond(at(time.Second), client, mcquery.AskFull(0x80818283, token).Append(nil))
	if sessionOf(out) != 0x80818283 || !bytes.Equal(out[5:], first[5:]) {
		t.Errorf("a second later: % X", out)
	}
	if m := basic(t, r, at(time.Second), token); m.Players != "2" {
		t.Errorf("basic tells %s players", m.Players)
	}
	if m, _ := full(t, r, at(5*time.Second), token); len(m.Players) != 2 {
		t.Errorf("after 5 s: %q", m.Players)
	}
}

func TestMinecraftSessionsComeBack(t *testing.T) {
	r := newMinecraftResponder(unlimited(), newBoard(1))
	for _, s := range []uint32{0, 0x0F0F0F0F, 0x7F7F7F7F, 0xFFFFFFFF, 0x80818283} {
		out, _ := r.respond(0, client, mcquery.AskToken(s).Append(nil))
		var token mcquery.Token
		if err := mcquery.Decode(out, &token); err != nil || token.Session != s {
			t.Fatalf("session %08x: % X, %v", s, out, err)
		}
		n, _ := token.Number()
		for _, q := range []*mcquery.Request{mcquery.AskBasic(s, n), mcquery.AskFull(s, n)} {
			if out, what := r.respond(0, client, q.Append(nil)); what != answered || sessionOf(out) != s {
				t.Errorf("session %08x: % X", s, out)
			}
		}
	}
}

func TestMinecraftWithAnyNumberOfPlayers(t *testing.T) {
	for _, n := range []int{0, 1, 500, 1000, 10000} {
		for _, hide := range []bool{false, true} {
			o := unlimited()
			o.HideNames = hide
			r := newMinecraftResponder(o, newBoard(n))
			token := shake(t, r, 0, client)
			m, wire := full(t, r, 0, token)
			count := mcquery.Pair{Key: mcquery.KeyPlayers, Value: fmt.Sprint(n)}
			if !slices.Contains(m.Pairs, count) || len(wire) > 1400 || !bytes.HasSuffix(wire, []byte{0, 0}) {
				t.Errorf("%d players: %v in %d bytes", n, m.Pairs, len(wire))
			}
			if want := min(n, 60); !hide && len(m.Players) < want || hide && len(m.Players) != 0 {
				t.Errorf("%d players: %d listed", n, len(m.Players))
			}
			if m := basic(t, r, 0, token); m.Players != fmt.Sprint(n) || m.Slots != "10000" || m.Port != 25860 ||
				m.MOTD != "Сфера" {
				t.Errorf("%d players: %+v", n, m)
			}
		}
	}
}

func TestMinecraftTexts(t *testing.T) {
	long := strings.Repeat("ж", 200)
	b := new(board)
	b.set(Info{Name: "§a" + long, Version: long, Map: "a\x00" + long,
		Players: []Player{{Name: ""}, {Name: "§c"}, {Name: "§cВася\n"}, {Name: long}, {Name: "\xff"}}})
	r := newMinecraftResponder(unlimited(), b)
	token := shake(t, r, 0, client)
	m, wire := full(t, r, 0, token)
	texts := map[string]string{}
	for _, pair := range m.Pairs {
		texts[pair.Key] = pair.Value
	}
	for key, most := range map[string]int{mcquery.KeyName: 128, mcquery.KeyMap: 64, mcquery.KeyVersion: 32} {
		if v := texts[key]; len(v) > most || len(v) < most-1 || !utf8.ValidString(v) || strings.ContainsAny(v, "§\x00") {
			t.Errorf("%s: %d bytes, %q", key, len(v), v)
		}
	}
	if diff := cmp.Diff([]string{"Вася", strings.Repeat("ж", 16)}, m.Players); diff != "" {
		t.Error(diff)
	}
	if !bytes.HasSuffix(wire, []byte{0, 0}) {
		t.Errorf("% X", wire)
	}
	o := unlimited()
	o.Minecraft.Formatting = true
	r = newMinecraftResponder(o, b)
	if m := basic(t, r, 0, shake(t, r, 0, client)); !strings.HasPrefix(m.MOTD, "§aж") {
		t.Errorf("formatted: %q", m.MOTD)
	}
	// A name that has nothing else keeps its codes: clients take the field behind an empty one for it.
	b.set(Info{Name: "§c§l"})
	r = newMinecraftResponder(unlimited(), b)
	if m := basic(t, r, 0, shake(t, r, 0, client)); m.MOTD != "§c§l" {
		t.Errorf("codes alone: %q", m.MOTD)
	}
}

func TestMinecraftIsSilent(t *testing.T) {
	b := newBoard(1)
	r := newMinecraftResponder(unlimited(), b)
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 65 {
		for range 20 {
			datagram := make([]byte, n)
			for i := range datagram {
				datagram[i] = byte(random.Uint32())
			}
			if n >= 2 && datagram[0] == 0xFE && datagram[1] == 0xFD {
				continue
			}
			if out, what := r.respond(0, client, datagram); out != nil || what != malformed {
				t.Errorf("% X: % X", datagram, out)
			}
		}
	}
	for _, datagram := range []string{"fefd", "fefd0801020304", "fefd0001020304", "fefd0001020304075bcd", "fefd09010203",
		"01" + strings.Repeat("00", 32),
		"fefd0901020304" + strings.Repeat("00", 60)} {
		if out, what := r.respond(0, client, unhex(t, datagram)); out != nil || what != malformed {
			t.Errorf("%s: % X, %v", datagram, out, outcomeNames[what])
		}
	}
	token := shake(t, r, 0, client)
	b.set(Info{})
	if out, what := r.respond(0, client, mcquery.AskBasic(1, token).Append(nil)); out != nil || what != notReady {
		t.Errorf("not ready: % X, %v", out, outcomeNames[what])
	}
}

func TestMinecraftAsksNobodyBeforeTheToken(t *testing.T) {
	b := newBoard(1)
	r := newMinecraftResponder(unlimited(), b)
	token := shake(t, r, 0, client)
	r.respond(0, client, mcquery.AskFull(1, token+1).Append(nil))
	if n := b.asked.Load(); n != 0 {
		t.Errorf("the server was asked %d times", n)
	}
	basic(t, r, 0, token)
	if n := b.asked.Load(); n != 1 {
		t.Errorf("the server was asked %d times", n)
	}
}

func TestMinecraftLimitsForOneAddress(t *testing.T) {
	r := newMinecraftResponder(limited(), newBoard(1))
	token := shake(t, r, 0, client)
	for range 20 { // protocol minecraft-query 10: twenty a second, and ten handshakes
		basic(t, r, 0, token)
	}
	ask := mcquery.AskBasic(1, token).Append(nil)
	if _, what := r.respond(0, client, ask); what != addressLimit {
		t.Errorf("the twenty-first answer within a second: %v", outcomeNames[what])
	}
	answers := 1
	for i := range 1000 { // 10 s
		port := uint16(1000 + i%50)
		if _, what := r.respond(at(time.Duration(i)*10*time.Millisecond), netip.AddrPortFrom(client.Addr(), port),
			mcquery.AskToken(1).Append(nil)); what == answered {
			answers++
		}
	}
	if answers < 100 || answers > 111 {
		t.Errorf("%d answers in 10 s", answers)
	}
	if _, what := r.respond(at(10*time.Second), from("192.0.2.9:1"), mcquery.AskToken(1).Append(nil)); what != answered {
		t.Errorf("another address suffers: %v", outcomeNames[what])
	}
}

func TestMinecraftLimitsInAll(t *testing.T) {
	o := limited()
	o.Limits.Minecraft.SourceHandshakes, o.Limits.Minecraft.SourceAnswers = 0, 0
	r := newMinecraftResponder(o, newBoard(200))
	source := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 9)
	}
	answers := 0
	for i := range 5000 {
		if _, what := r.respond(0, source(i), mcquery.AskToken(1).Append(nil)); what == answered {
			answers++
		}
	}
	if answers != 200 {
		t.Errorf("%d handshakes at once", answers)
	}
	token := shake(t, r, at(time.Minute), client)
	for name, q := range map[string]*mcquery.Request{"basic": mcquery.AskBasic(1, token),
		"full": mcquery.AskFull(1, token)} {
		r.statuses = budget{}
		answers, size := 0, 0
		for range 5000 {
			if out, what := r.respond(at(time.Minute), client, q.Append(nil)); what == answered {
				answers++
				size += len(out)
			}
		}
		if answers > 500 || size > 512<<10 || answers < 350 {
			t.Errorf("%s: %d answers with %d bytes at once", name, answers, size)
		}
	}
}

func TestMinecraftRefusalsAllocateNothing(t *testing.T) {
	r := newMinecraftResponder(limited(), newBoard(1))
	wrong := mcquery.AskFull(1, 99999999).Append(nil)
	junk := []byte("\xFE\xFD\x05junk")
	r.respond(0, client, mcquery.AskToken(1).Append(nil))
	i := 0
	if n := testing.AllocsPerRun(2000, func() {
		i++
		a := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 9)
		r.respond(0, a, wrong)
		r.respond(0, a, junk)
		r.respond(0, client, wrong)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
