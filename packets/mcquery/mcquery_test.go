package mcquery

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func unhex(t testing.TB, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The examples of protocol minecraft-query 11.
const (
	session = 0x01020304
	token   = 123456789

	goldenTokenHex = "090102030431323334353637383900"
	goldenBasicHex = `
		0001020304546573742053657276657200534d5000776f726c64003200323000
		dd633132372e302e302e3100`
	goldenFullHex = `
		000102030473706c69746e756d008000686f73746e616d650054657374205365
		727665720067616d657479706500534d500067616d655f6964004d494e454352
		4146540076657273696f6e00312e32302e3400706c7567696e7300006d617000
		776f726c64006e756d706c61796572730032006d6178706c6179657273003230
		00686f7374706f727400323535363500686f73746970003132372e302e302e31
		000001706c617965725f0000506c617965725f4f6e6500506c617965725f5477
		6f0000`
)

var (
	goldenToken = Token{session, "123456789"}
	goldenBasic = Basic{Session: session, MOTD: "Test Server", Type: GameType, Map: "world", Players: "2", Slots: "20",
		Port: 25565,
		IP:   "127.0.0.1"}
	goldenFull = Full{Session: session, Pairs: []Pair{{KeyName, "Test Server"}, {KeyType, GameType}, {KeyGame, GameID},
		{KeyVersion, "1.20.4"}, {KeyPlugins, ""}, {KeyMap, "world"}, {KeyPlayers, "2"}, {KeySlots, "20"}, {KeyPort, "25565"},
		{KeyIP, "127.0.0.1"}}, Players: []string{"Player_One", "Player_Two"}}
)

func TestGoldenRequests(t *testing.T) {
	for _, v := range []struct {
		hex  string
		full bool
		want *Request
	}{
		{"fefd0901020304", false, AskToken(session)},
		{"fefd0001020304075bcd15", false, AskBasic(session, token)},
		{"fefd0001020304075bcd1500000000", true, AskFull(session, token)},
		{"fefd090102030400000000", false, &Request{Kind: Handshake, Session: session, Tail: []byte{0, 0, 0, 0}}},
		{"fefd0001020304075bcd15ffffff01", true, &Request{Kind: Status, Session: session, Token: token,
			Tail: []byte{255, 255, 255, 1}}},
		{"fefd00ffffffffffffffff000000", false, &Request{Kind: Status, Session: 0xFFFFFFFF, Token: -1,
			Tail: []byte{0, 0, 0}}},
	} {
		wire := unhex(t, v.hex)
		if got := v.want.Append([]byte("before")); string(got[:6]) != "before" || !bytes.Equal(got[6:], wire) {
			t.Errorf("%s: written % X", v.hex, got[6:])
		}
		got, err := DecodeRequest(wire)
		if err != nil {
			t.Errorf("%s: %v", v.hex, err)
		}
		if diff := cmp.Diff(*v.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", v.hex, diff)
		}
		if got.Full() != v.full {
			t.Errorf("%s: full is %v", v.hex, got.Full())
		}
	}
}

func TestGoldenAnswers(t *testing.T) {
	for _, g := range []struct {
		want, got Answer
		hex       string
		length    int
	}{
		{&goldenToken, new(Token), goldenTokenHex, 15}, {&goldenBasic, new(Basic), goldenBasicHex, 44},
		{&goldenFull, new(Full), goldenFullHex, 195},
	} {
		wire := unhex(t, g.hex)
		if len(wire) != g.length {
			t.Fatalf("the example has %d bytes, want %d", len(wire), g.length)
		}
		if got := g.want.Append([]byte("before")); string(got[:6]) != "before" || !bytes.Equal(got[6:], wire) {
			t.Errorf("%T written\n got % X\nwant % X", g.want, got[6:], wire)
		}
		if err := Decode(wire, g.got); err != nil {
			t.Errorf("%T: %v", g.want, err)
		}
		if diff := cmp.Diff(g.want, g.got); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
	}
	if n, err := goldenToken.Number(); n != token || err != nil {
		t.Errorf("token %d, %v", n, err)
	}
}

// The example of the public description of the protocol: a real server's answers of 2011.
func TestPublishedAnswers(t *testing.T) {
	basic := unhex(t, `
		00 00 00 00 01 41 20 4D 69 6E 65 63 72 61 66 74 20 53 65 72 76 65 72 00 53 4D 50 00 77 6F 72 6C
		64 00 32 00 32 30 00 DD 63 31 32 37 2E 30 2E 30 2E 31 00`)
	var b Basic
	if err := Decode(basic, &b); err != nil {
		t.Fatal(err)
	}
	want := Basic{Session: 1, MOTD: "A Minecraft Server", Type: GameType, Map: "world", Players: "2", Slots: "20",
		Port: 25565, IP: "127.0.0.1"}
	if diff := cmp.Diff(want, b); diff != "" {
		t.Error(diff)
	}
	full := unhex(t, `
		00 00 00 00 01 73 70 6C 69 74 6E 75 6D 00 80 00 68 6F 73 74 6E 61 6D 65 00 41 20 4D 69 6E 65 63
		72 61 66 74 20 53 65 72 76 65 72 00 67 61 6D 65 74 79 70 65 00 53 4D 50 00 67 61 6D 65 5F 69 64
		00 4D 49 4E 45 43 52 41 46 54 00 76 65 72 73 69 6F 6E 00 42 65 74 61 20 31 2E 39 20 50 72 65 72
		65 6C 65 61 73 65 20 34 00 70 6C 75 67 69 6E 73 00 00 6D 61 70 00 77 6F 72 6C 64 00 6E 75 6D 70
		6C 61 79 65 72 73 00 32 00 6D 61 78 70 6C 61 79 65 72 73 00 32 30 00 68 6F 73 74 70 6F 72 74 00
		32 35 35 36 35 00 68 6F 73 74 69 70 00 31 32 37 2E 30 2E 30 2E 31 00 00 01 70 6C 61 79 65 72 5F
		00 00 62 61 72 6E 65 79 67 61 6C 65 00 56 69 76 61 6C 61 68 65 6C 76 69 67 00 00`)
	var m Full
	if err := Decode(full, &m); err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(m.Pairs, Pair{KeyVersion, "Beta 1.9 Prerelease 4"}) || len(m.Pairs) != 10 {
		t.Errorf("%q", m.Pairs)
	}
	if diff := cmp.Diff([]string{"barneygale", "Vivalahelvig"}, m.Players); diff != "" {
		t.Error(diff)
	}
	if !bytes.Equal(m.Append(nil), full) || !bytes.Equal(b.Append(nil), basic) {
		t.Error("not written as it was")
	}
}

// Other server software writes other fixed parts, keys and orders.
func TestForeignFullAnswer(t *testing.T) {
	wire := []byte("\x00\x00\x00\x00\x07eleven byte" + "map\x00m\x00extra\x00\x00\x00" + "ten bytes." + "one\x00\x00")
	var m Full
	if err := Decode(wire, &m); err != nil {
		t.Fatal(err)
	}
	want := Full{Session: 7, Lead: "eleven byte", Pairs: []Pair{{"map", "m"}, {"extra", ""}}, Heading: "ten bytes.",
		Players: []string{"one"}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Error(diff)
	}
	if got := m.Append(nil); !bytes.Equal(got, wire) {
		t.Errorf("written % X", got)
	}
}

func TestNobodyOnline(t *testing.T) {
	m := goldenFull
	m.Players = nil
	if wire := m.Append(nil); !strings.HasSuffix(string(wire), "\x00\x00\x01player_\x00\x00\x00") {
		t.Errorf("% X", wire)
	}
}

func TestFullKeepsItsLimit(t *testing.T) {
	for _, n := range []int{0, 1, 500, 1000} {
		m := goldenFull
		m.Players = []string{"", "\x00hidden"}
		for i := range n {
			m.Players = append(m.Players, fmt.Sprintf("Игрок%d", i))
		}
		wire := m.AppendWithin([]byte("before"), 1400)[6:]
		var got Full
		if err := Decode(wire, &got); err != nil || len(wire) > 1400 || !bytes.HasSuffix(wire, []byte{0, 0}) {
			t.Errorf("%d players: %d bytes, %v", n, len(wire), err)
		}
		if n <= 1 && len(got.Players) != n || n > 1 && (len(got.Players) < 70 || len(wire) < 1380) {
			t.Errorf("%d players: %d listed in %d bytes", n, len(got.Players), len(wire))
		}
	}
}

// Minecraft's own server writes the low byte of each letter of its name, which is a NUL for U+4E00 and its like. Source:
// Minecraft's bugs MC-221987 and MC-231035.
func TestNamesWithNULsInside(t *testing.T) {
	for _, name := range []string{"Hi \x00 there", "\x00", "ends with \x00", "a\x00\x00b\x00"} {
		full, basic := goldenFull, goldenBasic
		full.NULs, basic.NULs = true, true
		basic.MOTD, full.Pairs = name, slices.Clone(full.Pairs)
		full.Pairs[0].Value = name
		var gotFull Full
		var gotBasic Basic
		for _, v := range []struct{ m, got Answer }{{&full, &gotFull}, {&basic, &gotBasic}} {
			wire := v.m.Append(nil)
			if err := Decode(wire, v.got); err != nil {
				t.Errorf("%q: %v", name, err)
			}
			if diff := cmp.Diff(v.m, v.got); diff != "" {
				t.Errorf("%q: -written +read\n%s", name, diff)
			}
			if err := Decode(wire[:len(wire)-3], v.got); err == nil {
				t.Errorf("%q: a cut answer is whole", name)
			}
		}
	}
}

func TestTextsEndAtTheirNUL(t *testing.T) {
	m := goldenBasic
	m.MOTD = "Test Server\x00and more"
	if got := m.Append(nil); !bytes.Equal(got, unhex(t, goldenBasicHex)) {
		t.Errorf("% X", got)
	}
}

func TestRequestsThatAreNone(t *testing.T) {
	for _, v := range []struct{ wire, want string }{
		{"", "byte 0: request: 0 bytes, at least 7 expected"},
		{"fefd0900", "byte 4: request: 4 bytes, at least 7 expected"},
		{"fefe0901020304", "byte 0: magic: expected FE FD"},
		{"01" + strings.Repeat("00", 32), "byte 0: magic: expected FE FD"},
		{"fefd0101020304", "byte 2: kind: expected 9 or 0"},
		{"fefd0001020304", "byte 7: request: 7 bytes, at least 11 expected of a status request"},
		{"fefd0001020304075bcd", "byte 10: request: 10 bytes, at least 11 expected of a status request"},
	} {
		wire := unhex(t, v.wire)
		if _, err := DecodeRequest(wire); err == nil || err.Error() != v.want {
			t.Errorf("%s\n got %v\nwant %s", v.wire, err, v.want)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = DecodeRequest(wire) }); n != 0 {
			t.Errorf("%s: %v allocations", v.wire, n)
		}
	}
}

func TestDamageNamesItsPlace(t *testing.T) {
	full, basic, tok := unhex(t, goldenFullHex), unhex(t, goldenBasicHex), unhex(t, goldenTokenHex)
	for _, v := range []struct {
		wire []byte
		m    Answer
		want string
	}{
		{nil, new(Token), "byte 0: kind: 1 bytes expected, 0 left"},
		{basic, new(Token), "byte 0: kind: expected 9, found 0"},
		{tok, new(Basic), "byte 0: kind: expected 0, found 9"},
		{tok[:3], new(Token), "byte 1: session: 4 bytes expected, 2 left"},
		{tok[:14], new(Token), "byte 5: token: no NUL in the 9 bytes that are left"},
		{basic[:33], new(Basic), "byte 32: host port: 2 bytes expected, 1 left"},
		{append(bytes.Clone(basic), 1, 2, 3), new(Basic), "byte 44: end: 3 bytes after the last field"},
		{full[:10], new(Full), "byte 5: first fixed part: 11 bytes expected, 5 left"},
		{full[:18], new(Full), "byte 16: pair 1: key: no NUL in the 2 bytes that are left"},
		{full[:100], new(Full), "byte 96: pair 6: value: no NUL in the 4 bytes that are left"},
		{full[:194], new(Full), "byte 194: player 3: name: no NUL in the 0 bytes that are left"},
	} {
		err := Decode(v.wire, v.m)
		var damage *Damage
		if !errors.As(err, &damage) || err.Error() != v.want {
			t.Errorf("% X\n got %v\nwant %s", v.wire, err, v.want)
		}
	}
	for _, text := range []string{"", "x", "99999999999", "-", "1.5"} {
		if _, err := (&Token{Text: text}).Number(); err == nil || !strings.HasPrefix(err.Error(), "byte 5: token: ") {
			t.Errorf("token %q: %v", text, err)
		}
	}
	if n, err := (&Token{Text: "-5"}).Number(); n != -5 || err != nil {
		t.Errorf("a negative token: %d, %v", n, err)
	}
}

// The part before the damage is told.
func TestDamagedAnswersAreReadAsFarAsTheyGo(t *testing.T) {
	wire := unhex(t, goldenFullHex)
	for n := range wire {
		var m Full
		if err := Decode(wire[:n], &m); err == nil {
			t.Errorf("%d bytes are whole", n)
		}
		named := slices.Contains(m.Pairs, Pair{KeyName, "Test Server"})
		if n >= 37 && !named || n >= 183 && len(m.Players) == 0 {
			t.Errorf("%d bytes: %+v", n, m)
		}
	}
}

func TestIdentity(t *testing.T) {
	text := rapid.StringMatching(`[^\x00]{0,20}`)
	word := rapid.StringMatching(`[^\x00]{1,20}`)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) string { return text.Draw(t, name) }
		s := rapid.Uint32().Draw(t, "session")
		full := &Full{Session: s}
		for range rapid.IntRange(0, 6).Draw(t, "pairs") {
			full.Pairs = append(full.Pairs, Pair{word.Draw(t, "key"), draw("value")})
		}
		for range rapid.IntRange(0, 6).Draw(t, "players") {
			full.Players = append(full.Players, word.Draw(t, "player"))
		}
		for _, v := range []struct{ m, got Answer }{
			{&Token{s, draw("token")}, new(Token)},
			{&Basic{s, draw("motd"), draw("type"), draw("map"), draw("players"), draw("slots"), rapid.Uint16().Draw(t, "port"),
				draw("ip"), false}, new(Basic)},
			{full, new(Full)},
		} {
			wire := v.m.Append(nil)
			if err := Decode(wire, v.got); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(v.m, v.got); diff != "" {
				t.Fatalf("-written +read\n%s", diff)
			}
			if again := v.got.Append(nil); !bytes.Equal(again, wire) {
				t.Fatalf("% X became % X", wire, again)
			}
		}
	})
}

// All datagrams that reach a server are requests that are written as the same bytes, or refused with a place inside
// of them.
func FuzzDecodeRequest(f *testing.F) {
	f.Add(AskToken(session).Append(nil))
	f.Add(AskBasic(session, token).Append(nil))
	f.Add(AskFull(session, token).Append(nil))
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, wire []byte) {
		r, err := DecodeRequest(wire)
		var damage *Damage
		if err != nil {
			if !errors.As(err, &damage) || damage.Offset > len(wire) {
				t.Fatalf("% X: %v", wire, err)
			}
			return
		}
		if back := r.Append(nil); !bytes.Equal(back, wire) {
			t.Fatalf("% X became % X", wire, back)
		}
	})
}

// All datagrams that reach a client are read or refused with a place inside of them, and one that was read whole is
// written as the same bytes.
func FuzzDecodeAnswer(f *testing.F) {
	for i, text := range []string{goldenTokenHex, goldenBasicHex, goldenFullHex} {
		f.Add(unhex(f, text), uint8(i))
	}
	f.Add([]byte("\x00\x00\x00\x00\x07eleven byte\x00ten bytes.\x00"), uint8(2))
	f.Add([]byte("\x00\x00\x00\x00\x07a\x00b\x00SMP\x00\x00\x00\x00\x00\x00\x00"), uint8(1))
	f.Add([]byte("\x00\x00\x00\x00\x07eleven bytehostname\x00a\x00\x00map\x00\x00\x00ten bytes.\x00"), uint8(2))
	f.Fuzz(func(t *testing.T, wire []byte, which uint8) {
		m := []Answer{new(Token), new(Basic), new(Full)}[which%3]
		err := Decode(wire, m)
		var damage *Damage
		if err != nil {
			if !errors.As(err, &damage) || damage.Offset < 0 || damage.Offset > len(wire) {
				t.Fatalf("% X: %v", wire, err)
			}
			return
		}
		if back := m.Append(nil); !bytes.Equal(back, wire) {
			t.Fatalf("% X became % X", wire, back)
		}
	})
}

func BenchmarkAppendFull(b *testing.B) {
	m := goldenFull
	m.Players = nil
	for range 60 {
		m.Players = append(m.Players, "Player")
	}
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = m.AppendWithin(buf[:0], 1400)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecodeRequest(b *testing.B) {
	wire := AskFull(session, token).Append(nil)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := DecodeRequest(wire); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFormattingIsLeftOut(t *testing.T) {
	for in, want := range map[string]string{"": "", "plain": "plain", "§aGreen§r": "Green", "§": "", "§§a": "a",
		"Сф§кера": "Сфера"} {
		if got := WithoutFormatting(in); got != want {
			t.Errorf("%q: %q", in, got)
		}
	}
}
