package ase

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// crowd is an answer with n players.
func crowd(n int, name func(i int) string) *EYE1 {
	m := goldenEYE1
	m.Players, m.List = fmt.Sprint(n), nil
	for i := range n {
		m.List = append(m.List, Player{Name: name(i), Score: "1", Time: "2"})
	}
	return &m
}

func TestEYE1KeepsItsLimit(t *testing.T) {
	for _, n := range []int{0, 1, 200, 1000} {
		m := crowd(n, func(i int) string { return fmt.Sprintf("Player%d", i) })
		wire := m.AppendWithin([]byte("before"), 1350)[6:]
		got, err := Decode(wire)
		if err != nil || len(wire) > 1350 {
			t.Fatalf("%d players: %d bytes, %v", n, len(wire), err)
		}
		players, _, _ := got.Counts()
		listed := len(got.(*EYE1).List)
		if players != n || n <= 1 && listed != n || n > 1 && (listed < 50 || listed >= n) {
			t.Errorf("%d players: %d told, %d listed", n, players, listed)
		}
		if n > 1 && len(wire) < 1350-30 {
			t.Errorf("%d players: only %d bytes used", n, len(wire))
		}
	}
}

// No answer has the length that some clients take for a part of a longer one.
func TestEYE1IsNeverASplitAnswer(t *testing.T) {
	hits := 0
	for _, limit := range []int{1350, 1364, 1400, 8192} {
		for n := range 301 {
			m := crowd(n, func(i int) string { return strings.Repeat("x", (i*7+n)%23) })
			if len(m.Append(nil)) == splitSize {
				hits++
			}
			if wire := m.AppendWithin(nil, limit); len(wire) == splitSize || len(wire) > limit {
				t.Errorf("limit %d: %d players make %d bytes", limit, n, len(wire))
			} else if _, err := Decode(wire); err != nil {
				t.Error(err)
			}
		}
	}
	// Rules alone can reach the length too.
	for last := range 200 {
		m := goldenEYE1
		m.List, m.Rules = nil, nil
		for i := range 6 {
			m.Rules = append(m.Rules, Rule{fmt.Sprint(i), strings.Repeat("v", 200)})
		}
		m.Rules = append(m.Rules, Rule{"last", strings.Repeat("v", last)})
		if len(m.Append(nil)) == splitSize {
			hits++
		}
		if wire := m.AppendWithin(nil, 8192); len(wire) == splitSize {
			t.Errorf("a last rule of %d makes %d bytes", last, len(wire))
		}
	}
	if hits == 0 {
		t.Error("no case would have had the length")
	}
}

func TestRulesKeepTheLimitAndHaveKeys(t *testing.T) {
	m := goldenEYE1
	m.Rules = []Rule{{"", "no key"}, {"a", ""}, {"b", "c"}}
	got, err := Decode(m.AppendWithin(nil, 1350))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Rule{{"a", ""}, {"b", "c"}}, got.(*EYE1).Rules); diff != "" {
		t.Error(diff)
	}
	for range 100 {
		m.Rules = append(m.Rules, Rule{strings.Repeat("k", 100), strings.Repeat("v", 100)})
	}
	wire := m.AppendWithin(nil, 1350)
	if got, err = Decode(wire); err != nil || len(wire) > 1350 || len(got.(*EYE1).Rules) < 5 {
		t.Errorf("%d bytes, %d rules, %v", len(wire), len(got.(*EYE1).Rules), err)
	}
}

func TestTextsOfAnyLength(t *testing.T) {
	for _, v := range []struct{ name, want string }{
		{"", ""}, {"x", "x"}, {strings.Repeat("x", 254), strings.Repeat("x", 254)},
		{strings.Repeat("x", 255), strings.Repeat("x", 254)}, {strings.Repeat("x", 300), strings.Repeat("x", 254)},
		{strings.Repeat("ж", 127), strings.Repeat("ж", 127)}, {strings.Repeat("ж", 128), strings.Repeat("ж", 127)},
		{"x" + strings.Repeat("ж", 150), "x" + strings.Repeat("ж", 126)}, {strings.Repeat("€", 100),
			strings.Repeat("€", 84)},
		{strings.Repeat("🙂", 100), strings.Repeat("🙂", 63)}, {strings.Repeat("\x80", 300), strings.Repeat("\x80", 254)},
		{"a\x00b", "a\x00b"},
	} {
		m := crowd(1, func(int) string { return v.name })
		got, err := Decode(m.Append(nil))
		if err != nil {
			t.Fatalf("%q: %v", v.name, err)
		}
		if name := got.(*EYE1).List[0].Name; name != v.want || utf8.ValidString(v.name) && !utf8.ValidString(name) {
			t.Errorf("%q was read as %q", v.name, name)
		}
	}
}

func TestEYE2KeepsItsLimit(t *testing.T) {
	for _, n := range []int{0, 1, 500, 1000, 5000} {
		m := goldenEYE2
		m.Map.Map, m.Names = strings.Repeat("м", 200), nil
		for i := range n {
			m.Names = append(m.Names, fmt.Sprintf("Игрок%d", i))
		}
		wire := m.AppendWithin(nil)
		got, err := Decode(wire)
		if err != nil || len(wire) > 1340 {
			t.Fatalf("%d players: %d bytes, %v", n, len(wire), err)
		}
		read := got.(*EYE2)
		if n <= 1000 && len(read.Names) != n || n > 1000 && len(read.Names) < 900 {
			t.Errorf("%d players: %d entries", n, len(read.Names))
		}
		for i, name := range read.Names {
			if name != "" && name != m.Names[i] || i < min(n, 3) && n <= 500 && name == "" {
				t.Errorf("%d players: number %d is %q", n, i, name)
			}
		}
		if length := 1 + len(read.Map.Map) + len(strings.Join(read.Map.Facts, ".")) + 1; length > 251 {
			t.Errorf("the map block's length is %d", length)
		}
		if !utf8.ValidString(read.Map.Map) || len(read.Map.Facts) != 7 {
			t.Errorf("map block %q", read.Map)
		}
	}
}

func TestMapBlockStaysShort(t *testing.T) {
	m := goldenEYE3
	m.Map = MapBlock{"name\x00with", []string{"1\x00/2", strings.Repeat("f", 100), strings.Repeat("f", 100),
		strings.Repeat("f", 100)}}
	got, err := Decode(m.Append(nil))
	if err != nil {
		t.Fatal(err)
	}
	want := MapBlock{"namewith", []string{"1/2", strings.Repeat("f", 100), strings.Repeat("f", 100)}}
	if diff := cmp.Diff(want, got.(*EYE3).Map); diff != "" {
		t.Error(diff)
	}
}

func TestCounts(t *testing.T) {
	for _, v := range []struct {
		facts          []string
		players, slots int
	}{
		{[]string{"500/1000"}, 500, 1000}, {[]string{"65535/65535"}, 65535, 65535}, {[]string{"65536/1"}, 3, 4}, {nil, 3, 4},
		{[]string{"-1/5"}, 3, 4}, {[]string{"10"}, 3, 4}, {[]string{"a/b"}, 3, 4}, {[]string{""}, 3, 4},
	} {
		m := EYE3{Map: MapBlock{"m", v.facts}, Players: 3, Slots: 4}
		if p, s, ok := m.Counts(); p != v.players || s != v.slots || !ok {
			t.Errorf("%q: %d of %d, %v", v.facts, p, s, ok)
		}
	}
	if _, _, ok := (&EYE1{Players: "online", Slots: "5"}).Counts(); ok {
		t.Error("words are counts")
	}
	if _, ok := goldenEYE2.Map.Fact(HTTPPort + 1); ok {
		t.Error("a fact that is not there")
	}
	for password, want := range map[string]bool{"0": false, "": false, "1": true} {
		if (&EYE1{Password: password}).Locked() != want {
			t.Errorf("password %q", password)
		}
	}
}

func TestDamageNamesItsPlace(t *testing.T) {
	golden := unhex(t, goldenEYE1Hex)
	change := func(at int, b byte) []byte {
		out := bytes.Clone(golden)
		out[at] = b
		return out
	}
	for _, v := range []struct {
		wire []byte
		want string
	}{
		{nil, "byte 0: header: 0 bytes, at least 4 expected"},
		{[]byte("EYE"), "byte 3: header: 3 bytes, at least 4 expected"},
		{[]byte("EYE4..."), `byte 0: header: expected EYE1, EYE2 or EYE3, found "EYE4"`},
		{[]byte("EYE2\x01\x01"), "byte 6: header: 6 bytes, at least 15 expected"},
		{golden[:4], "byte 4: game: the answer ends before it"},
		{golden[:10], "byte 8: game port: length 6, the answer has 2 bytes left"},
		{change(8, 0), "byte 8: game port: length 0, at least 1 expected"},
		{change(14, 0xFF), "byte 14: server name: length 255, the answer has 82 bytes left"},
		{golden[:57], "byte 54: rule 1: value: length 5, the answer has 3 bytes left"},
		{golden[:59], "byte 59: rule 2: key: the answer ends before it"},
		{golden[:61], "byte 61: player 1: name: the answer ends before it"},
		{golden[:95], "byte 94: player 2: time: length 2, the answer has 1 bytes left"},
		{append(bytes.Clone(golden), 0xC0), "byte 96: player 3: flags: C0 names no text"},
		{append(unhex(t, goldenEYE3Hex), 1, 2), "byte 43: end: 2 bytes after the last field"},
		{unhex(t, goldenEYE3Hex)[:42], "byte 42: slots: the answer ends before it"},
		{append(unhex(t, goldenEYE2Hex), 9, 'x'), "byte 84: player 3: name: length 9, the answer has 2 bytes left"},
	} {
		_, err := Decode(v.wire)
		var damage *Damage
		if !errors.As(err, &damage) {
			t.Errorf("% X: %v", v.wire, err)
			continue
		}
		if err.Error() != v.want {
			t.Errorf("% X\n got %v\nwant %s", v.wire, err, v.want)
		}
	}
}

// The part before the damage is told.
func TestDamagedAnswersAreReadAsFarAsTheyGo(t *testing.T) {
	wire := unhex(t, goldenEYE1Hex)
	for n := headerBytes; n < len(wire); n++ {
		got, err := Decode(wire[:n])
		if got == nil {
			t.Fatalf("%d bytes: nothing", n)
		}
		m := got.(*EYE1)
		if n >= 26 && m.Name != "Test server" || len(m.List) > 2 {
			t.Errorf("%d bytes: %+v", n, m)
		}
		if err == nil && !m.WithoutRules && len(m.List) == 2 {
			t.Errorf("%d bytes are whole: %+v", n, m)
		}
	}
}

func TestWithoutColours(t *testing.T) {
	for _, v := range []struct{ game, name, want string }{
		{"mta", "#FF0000Red#00ff00Green", "RedGreen"}, {"mta", "#FF0000", "#FF0000"}, {"mta", "#12345", "#12345"},
		{"mta", "#GG0000x", "#GG0000x"}, {"mta", "a#aBcDeF", "a"}, {"farcry", "$3ABC$6DE", "ABCDE"}, {"farcry", "$", "$"},
		{"farcry", "$x$1", "$x"}, {"sphere", "#FF0000$1Вася", "#FF0000$1Вася"}, {"mta", "", ""},
	} {
		if got := WithoutColours(v.game, v.name); got != v.want {
			t.Errorf("%s %q: %q", v.game, v.name, got)
		}
	}
}

// texts are those that travel unchanged.
func texts(longest int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return string(rapid.SliceOfN(rapid.Byte(), 0, longest).Draw(t, "bytes"))
	})
}

func TestIdentity(t *testing.T) {
	check := func(t *rapid.T, m Answer) {
		wire := m.Append(nil)
		got, err := Decode(wire)
		if err != nil {
			t.Fatal(err)
		}
		if again := got.Append(nil); !bytes.Equal(again, wire) {
			t.Fatalf("% X became % X", wire, again)
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Fatalf("-written +read\n%s", diff)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := texts(maxText)
		draw := func(name string) string { return text.Draw(t, name) }
		m := &EYE1{Game: draw("game"), Port: draw("port"), Name: draw("name"), Type: draw("type"), Map: draw("map"),
			Version:  draw("version"),
			Password: draw("password"), Players: draw("players"), Slots: draw("slots")}
		for range rapid.IntRange(0, 5).Draw(t, "rules") {
			m.Rules = append(m.Rules, Rule{"k" + texts(maxText-1).Draw(t, "key"), draw("value")})
		}
		for range rapid.IntRange(0, 5).Draw(t, "players") {
			p := Player{Flags: Flags(rapid.ByteRange(1, 255).Draw(t, "flags")) | HasName, Name: draw("name")}
			if p.Flags&HasScore != 0 {
				p.Score = draw("score")
			}
			m.List = append(m.List, p)
		}
		check(t, m)
	})
	rapid.Check(t, func(t *rapid.T) {
		text := texts(100)
		draw := func(name string) string { return text.Draw(t, name) }
		part := rapid.StringMatching(`[^\x00]{0,8}`)
		block := MapBlock{part.Draw(t, "map"), rapid.SliceOfN(part, 0, 7).Draw(t, "facts")}
		if len(block.Facts) == 0 {
			block.Facts = []string{}
		}
		password, players, slots := rapid.Byte().Draw(t, "password"), rapid.Byte().Draw(t, "players"), rapid.Byte().Draw(t,
			"slots")
		check(t, &EYE3{draw("game"), draw("name"), draw("type"), block, draw("version"), password, players, slots})
		long := draw("long") + "at least some bytes"
		check(t, &EYE2{draw("game"), draw("port"), long, draw("type"), block, draw("version"), password, 1, players, slots,
			append([]string(nil), rapid.SliceOfN(text, 0, 5).Draw(t, "names")...)})
	})
}

// All datagrams are read or refused with a place inside of them, and one that was read whole is written as the same
// bytes, but for map blocks that are longer than we may write.
func FuzzDecode(f *testing.F) {
	for _, hex := range []string{goldenEYE1Hex, goldenEYE2Hex, goldenEYE3Hex} {
		f.Add(unhex(f, hex))
	}
	for _, name := range samples {
		f.Add(sample(f, name))
	}
	f.Add([]byte("EYE1\x00"))
	f.Add([]byte("EYE2\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF"))
	f.Add(append([]byte("EYE1\x01\x01\x01\x01\x01\x01\x01\x01\x01\x01"), bytes.Repeat([]byte{0x3F}, 300)...))
	f.Fuzz(func(t *testing.T, wire []byte) {
		m, err := Decode(wire)
		var damage *Damage
		if err != nil {
			if !errors.As(err, &damage) || damage.Offset < 0 || damage.Offset > len(wire) {
				t.Fatalf("% X: %v", wire, err)
			}
		}
		if m == nil {
			return
		}
		back := m.Append(nil)
		if err == nil && !bytes.Equal(back, wire) && len(back) >= len(wire) {
			t.Fatalf("% X became % X", wire, back)
		}
		again, err := Decode(back)
		if m.Header() == "EYE2" && len(back) < minEYE2 || errors.As(err, &damage) && damage.Field == "header" {
			return
		}
		if err != nil || !bytes.Equal(again.Append(nil), back) {
			t.Fatalf("% X, from % X: %v", back, wire, err)
		}
		if e, ok := m.(*EYE1); ok {
			if within := e.AppendWithin(nil, 8192); len(within) == splitSize {
				t.Fatal("the length of a split answer")
			}
		}
	})
}

func BenchmarkAppendEYE1(b *testing.B) {
	m := crowd(50, func(i int) string { return "Player" })
	buf := m.AppendWithin(nil, 1350)
	b.ReportAllocs()
	for b.Loop() {
		buf = m.AppendWithin(buf[:0], 1350)
	}
	b.SetBytes(int64(len(buf)))
}

func BenchmarkDecodeEYE1(b *testing.B) {
	wire := sample(b, "farcry.hex")
	b.SetBytes(int64(len(wire)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(wire); err != nil {
			b.Fatal(err)
		}
	}
}
