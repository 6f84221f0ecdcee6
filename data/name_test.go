package data

import (
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"pgregory.net/rapid"

	"sphereserver/world/rules"
)

func TestCheckName(t *testing.T) {
	for _, name := range []string{"A", "Я", "Алёна", "ЁЖИК", "Vasya_Pupkin-2", "Абвгдежзийклмнопрст", "Ілля", "x1"} {
		if err := CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, rule := range map[string]string{
		"": "1 to 19 characters, found none", "Абвгдежзийклмнопрсту": "1 to 19 characters, found more",
		"1a": "a letter first", "-a": "a letter first", " a": "a letter first", "a b": "letters, digits, '-' and '_'", "a'b": "letters, digits",
		"Вaся": "one alphabet", "a\x00b": "control character", "a\nb": "control character", "a\u0098b": "Windows-1251", "日本": "Windows-1251",
		"Ä": "Windows-1251", "a\xff": "Windows-1251", "Всё™": "letters, digits", strings.Repeat("a", 4096): "found more", "и\u0306": "Windows-1251",
	} {
		if err := CheckName(name); err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", name, rule, err)
		} else if len(err.Error()) > 300 {
			t.Errorf("%.20q: an error of %d bytes", name, len(err.Error()))
		}
	}
}

func TestCheckLoginAndPassword(t *testing.T) {
	for _, login := range []string{"a", "user@example.com", "Вася Пупкин", "№1", strings.Repeat("я", 50)} {
		if err := CheckLogin(login); err != nil {
			t.Errorf("%q: %v", login, err)
		}
	}
	for login, rule := range map[string]string{
		"": "found none", " a": "no space at its ends", "a ": "no space at its ends", "a\tb": "control", "a\u00a0b": "visible", "a\u00adb": "visible",
		"日": "Windows-1251", strings.Repeat("я", 51): "found more",
	} {
		if err := CheckLogin(login); err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", login, rule, err)
		}
	}
	for _, p := range []string{"a", " ", "пароль", strings.Repeat("я", 100)} {
		if err := CheckPassword(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for p, rule := range map[string]string{"": "found 0", strings.Repeat("q", 101): "found 101", "secret\n": "control", "secret日": "Windows-1251"} {
		err := CheckPassword(p)
		if err == nil || !strings.Contains(err.Error(), rule) {
			t.Errorf("%q: expected %q, found %v", p, rule, err)
		} else if strings.Contains(err.Error(), "secret") {
			t.Errorf("the password is in the error %v", err)
		}
	}
}

// FuzzCheckName: what passes can be sent to the client as it is, and is one thing to the player's eye.
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
		if key := rules.NameKey(name); key != rules.NameKey(rules.FoldName(name)) || key != rules.NameKey(strings.ToUpper(name)) || key != rules.NameKey(key) {
			t.Fatalf("the key of %q depends on case", name)
		}
		if CheckLogin(name) != nil {
			t.Fatalf("%q may be a name and no login", name)
		}
	})
}

func TestEveryNameOfTheAlphabetIsAccepted(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		name := rapid.StringMatching(`[а-яА-ЯёЁ][а-яА-ЯёЁ0-9_-]{0,18}|[a-zA-Z][a-zA-Z0-9_-]{0,18}`).Draw(r, "name")
		if err := CheckName(name); err != nil {
			r.Fatal(err)
		}
	})
}
