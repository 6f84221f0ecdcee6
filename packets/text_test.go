package packets

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"
)

// Every byte is a character of its own, and comes back: also 0x98, which Windows-1251 does not define.
func TestText1251IsItsInverse(t *testing.T) {
	seen := map[string]int{}
	for b := range 256 {
		s := Decode1251([]byte{byte(b)})
		if other, twice := seen[s]; twice {
			t.Errorf("bytes %02X and %02X are both %q", b, other, s)
		}
		seen[s] = b
		if back := Append1251(nil, s); len(back) != 1 || back[0] != byte(b) || Len1251(s) != 1 {
			t.Errorf("byte %02X is %q and comes back as % X", b, s, back)
		}
		want := string(charmap.Windows1251.DecodeByte(byte(b)))
		if b == 0x98 {
			want = "\u0098"
		}
		if s != want {
			t.Errorf("byte %02X is %q, expected %q", b, s, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		if back := Append1251([]byte("x"), Decode1251(b)); !bytes.Equal(back[1:], b) {
			t.Fatalf("% X came back as % X", b, back)
		}
	})
}

// Protocol session 0.2.
func TestText1251OfTheDocuments(t *testing.T) {
	for s, want := range map[string][]byte{"А": {0xC0}, "Я": {0xDF}, "а": {0xE0}, "я": {0xFF}, "Ё": {0xA8},
		"ё":    {0xB8},
		"Вася": {0xC2, 0xE0, 0xF1, 0xFF}, "ab": {'a', 'b'}} {
		if got := Append1251(nil, s); !bytes.Equal(got, want) {
			t.Errorf("%s is % X, documented % X", s, got, want)
		}
	}
}

// A character that the code page lacks becomes a question mark; the length stays true for any Go string.
func TestText1251Replaces(t *testing.T) {
	for s, want := range map[string]string{"日本": "??", "a\xFFb": "a?b", "😀": "?", "\u0080": "?"} {
		if got := Append1251(nil, s); string(got) != want {
			t.Errorf("%q is %q, want %q", s, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "s") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		if got := len(Append1251(nil, s)); got != Len1251(s) {
			t.Fatalf("%q has %d bytes, counted %d", s, got, Len1251(s))
		}
	})
}

// A text with no room in its field is refused, never cut.
func TestTextsThatAreTooLong(t *testing.T) {
	name := strings.Repeat
	for what, c := range map[string]struct {
		fits, long *Body
	}{
		"name of a record": {pregame(&CharacterRecord{Name: name("ж", 19)}), pregame(&CharacterRecord{Name: name("ж",
			20)})},
		"name on entering": {entering(WorldSnapshot{Name: name("ж", 254)}), entering(WorldSnapshot{Name: name("ж",
			255)})},
		"clan on entering": {entering(WorldSnapshot{Clan: name("ж", 15)}), entering(WorldSnapshot{Clan: name("ж",
			16)})},
		"name of a player": {player(0, &PlayerSpawn{Name: name("n", 255)}), player(0,
			&PlayerSpawn{Name: name("n", 256)})},
		"clan over a head": {player(0, tradeMan(&ClanTag{1, name("c", 13)})), player(0,
			tradeMan(&ClanTag{1, name("c", 14)}))},
		"a part of a line": {player(0, manager(&ChatPart{Text: name("c", 251)})),
			player(0, manager(&ChatPart{Text: name("c", 252)}))},
		"a line of the system": {player(0, manager(&SystemMessage{Mode: 7, Text: name("c", 247)})),
			player(0, manager(&SystemMessage{Mode: 7, Text: name("c", 248)}))},
		"a weapon": {player(0, &SetWornGear{Sword: name("s", 15)}), player(0,
			&SetWornGear{Sword: name("s", 16)})},
		"a weapon in Cyrillic": {player(0, &SetWornGear{Axe: "axe"}), player(0, &SetWornGear{Axe: "топор"})},
		"login and password":   {login(0, name("l", 50), name("p", 202)), login(0, name("l", 50), name("p", 203))},
	} {
		if _, err := AppendServer(nil, c.fits, Dialect2026); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		if got, err := AppendServer(nil, c.long, Dialect2026); err == nil {
			t.Errorf("%s: a text that is too long became % X", what, got)
		}
	}
}

// An operator's text comes to players as near as their alphabet allows, and a character without a likeness is named.
func TestTextIsFittedToWindows1251(t *testing.T) {
	for _, c := range []struct {
		text, want string
		lacks      rune
		at         int
	}{
		{"Привет, “мир” — «ёлочки»… №5", "Привет, “мир” — «ёлочки»… №5", 0, 0},
		{"Рыцарский меч × 2", "Рыцарский меч x 2", 0, 0},
		{"≥ 5 − 3 ≠ 1 → ½ ②", ">= 5 - 3 != 1 -> 1/2 2", 0, 0},
		{"Café über Łódź", "Cafe uber Lodz", 0, 0},
		{"и\u0306 не\u200bвидно\ufe0f", "й невидно", 0, 0}, // decomposed; with invisible characters between the letters
		{"Привет × «ёлочки» 😀", "Привет x «ёлочки» ¤", '😀', 19},
		{"中文", "¤¤", '中', 1},
		{"\xff", "¤", '\uFFFD', 1},
	} {
		fitted, lacks, at := Fit1251(c.text)
		if fitted != c.want || lacks != c.lacks || at != c.at {
			t.Errorf("%q is fitted to %q, lacks %q at %d; expected %q, %q at %d", c.text, fitted, lacks, at, c.want, c.lacks,
				c.at)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, _, _ := Fit1251(rapid.String().Draw(t, "text"))
		if back := Decode1251(Append1251(nil, s)); back != s {
			t.Fatalf("%q comes to players as %q", s, back)
		}
	})
}
