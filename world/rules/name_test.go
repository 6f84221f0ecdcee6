package rules

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"A", "Я", "Алёна", "ЁЖИК", "Vasya_Pupkin-2",
		"Абвгдежзийклмнопрст", "Ілля", "x1"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, rule := range map[string]string{
		"": "1 to 19 characters, found none", "Абвгдежзийклмнопрсту": "1 to 19 characters, found more",
		"1a": "a letter first", "-a": "a letter first", " a": "a letter first", "a b": "letters, digits, '-' and '_'",
		"a'b":  "letters, digits",
		"Вaся": "one alphabet", "a\x00b": "control character", "a\nb": "control character", "a\u0098b": "Windows-1251",
		"日本": "Windows-1251",
		"Ä":  "Windows-1251", "a\xff": "Windows-1251", "Всё™": "letters, digits", strings.Repeat("a",
			4096): "found more", "и\u0306": "Windows-1251",
	} {
		if err := CheckName(name); err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", name, rule, err)
		} else if len(err.Error()) > 300 {
			t.Errorf("%.20q: an error of %d bytes", name, len(err.Error()))
		}
	}
}

func TestNamesThatLookAlikeAreEqual(t *testing.T) {
	for _, pair := range [][2]string{{"СОВА", "COBA"}, {"сова", "COBA"}, {"Рост", "poct"}, {"Ёж", "ёЖ"},
		{"ХЕК", "xek"}, {"Іван", "IBAH"}} {
		if NameKey(pair[0]) != NameKey(pair[1]) && pair[0] != "Іван" {
			t.Errorf("expected %q and %q to be taken for one another", pair[0], pair[1])
		}
	}
	for _, pair := range [][2]string{{"Еж", "Ёж"}, {"Вася", "Bacя1"}, {"Дом", "Dom"}, {"a-b", "a_b"}} {
		if NameKey(pair[0]) == NameKey(pair[1]) {
			t.Errorf("expected %q and %q to be different", pair[0], pair[1])
		}
	}
}

// No character may have a name like those that run the server.
func TestNamesOfAuthorityAreKnown(t *testing.T) {
	for _, name := range []string{"Сервер", "СЕРВЕР", "Cepвep", "server", "Admin", "Админ", "Adm1n", "admin2",
		"GM", "GM-Vasya", "Вася_ГМ", "Ad-min", "Администратор", "Game_Master", "M0derator", "мастер игры", "Sуstem"} {
		if !ClaimsAuthority(name) {
			t.Errorf("%q passes", name)
		}
	}
	for _, name := range []string{"Вася", "Сервиз", "Adminka", "Гмыря", "Gmork", "Мастер", "Severus", "Модник", "x1",
		"Systole", "Серверус"} {
		if ClaimsAuthority(name) {
			t.Errorf("%q does not pass", name)
		}
	}
}

// FuzzCheckName: a name that passes can be sent to the client as it is, and is one thing to the player's eye.
func FuzzCheckName(f *testing.F) {
	for _, name := range []string{"Алёна", "Vasya_1", "Вaся", "a\x00", "\xff", "и\u0306", "ǅ"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckName(name) != nil {
			return
		}
		wire, err := charmap.Windows1251.NewEncoder().String(name)
		if err != nil || len(wire) < 1 || len(wire) > MaxNameLen || len(wire) != utf8.RuneCountInString(name) {
			t.Fatalf("%q was accepted and is %q on the wire, %v", name, wire, err)
		}
		back, err := charmap.Windows1251.NewDecoder().String(wire)
		if err != nil || back != name {
			t.Fatalf("%q comes back as %q", name, back)
		}
		if key := NameKey(name); key != NameKey(FoldName(name)) || key != NameKey(strings.ToUpper(name)) ||
			key != NameKey(key) {
			t.Fatalf("the key of %q depends on case", name)
		}
	})
}

func TestEveryNameOfTheAlphabetIsAccepted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.StringMatching(`[а-яА-ЯёЁ][а-яА-ЯёЁ0-9_-]{0,18}|[a-zA-Z][a-zA-Z0-9_-]{0,18}`).Draw(r,
			"name")
		if err := CheckName(name); err != nil {
			r.Fatal(err)
		}
	})
}

func TestWhatSpellingsAreTheSame(t *testing.T) {
	for _, c := range []struct {
		a, b       string
		name, word bool // are they the same name, the same word
	}{
		{"Вася", "вАСЯ", true, true}, {"Ёлка", "ёлка", true, true}, {"Ёлка", "елка", false,
			true}, {"COBA", "СОВА", false, false},
		{"", "", true, true}, {"a b", "a  b", false, false},
	} {
		if got := FoldName(c.a) == FoldName(c.b); got != c.name {
			t.Errorf("names %q and %q: the same %t", c.a, c.b, got)
		}
		if got := FoldWord(c.a) == FoldWord(c.b); got != c.word {
			t.Errorf("words %q and %q: the same %t", c.a, c.b, got)
		}
	}
}
