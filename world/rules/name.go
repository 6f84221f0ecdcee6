package rules

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// MaxNameLen is in bytes of Windows-1251, in which the client writes; every character is one byte there.
// protocol: session 6.6.
const MaxNameLen = 19

// CheckName says which rule a character's name breaks: 1 to 19 letters, digits, '-' and '_', the first a letter, all
// letters of one alphabet, Latin or Cyrillic (of Windows-1251, so Ё and the letters of other languages count).
func CheckName(name string) error {
	n, err := CheckText("name", name, MaxNameLen)
	if err != nil {
		return err
	}
	var latin, cyrillic rune
	for i, r := range []rune(name) {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin = r
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic = r
		case i == 0:
			return fmt.Errorf("name %q: expected a letter first, found %q", name, r)
		case r >= '0' && r <= '9', r == '-', r == '_':
		default:
			return fmt.Errorf("name %q: expected letters, digits, '-' and '_', found %q (character %d of %d)", name, r, i+1, n)
		}
		if latin != 0 && cyrillic != 0 {
			return fmt.Errorf("name %q: expected letters of one alphabet, found Latin %q beside Cyrillic %q", name, latin,
				cyrillic)
		}
	}
	return nil
}

// CheckText checks the common rules of names and logins, and returns the length.
func CheckText(what, text string, limit int) (int, error) {
	n := 0
	for _, r := range text {
		n++
		if n > limit {
			return 0, fmt.Errorf("%s %.40q: expected 1 to %d characters, found more", what, text, limit)
		}
		if _, ok := charmap.Windows1251.EncodeRune(r); !ok {
			return 0, fmt.Errorf("%s %q: its character %d, %q, is not in Windows-1251, which the client writes", what, text, n,
				r)
		}
		if unicode.IsControl(r) {
			return 0, fmt.Errorf("%s %q: its character %d, %q, is a control character", what, text, n, r)
		}
	}
	if n == 0 {
		return 0, fmt.Errorf("%s: expected 1 to %d characters, found none", what, limit)
	}
	return n, nil
}

// authorities are words that players take for those that run the server, in both languages.
var authorities = keysOf("сервер", "администратор", "администрация", "админ",
	"админы", "модератор", "модераторы", "модер", "модеры", "гм",
	"геймастер", "гейммастер", "мастеригры", "помощник", "оператор",
	"система", "поддержка", "техподдержка", "владелец", "разработчик",
	"консоль",
	"server", "administrator", "administration", "admin", "admins", "moderator", "moderators", "moder", "mod", "gm",
	"gamemaster", "helper", "operator", "system", "support", "owner", "developer", "console", "root")

func keysOf(words ...string) map[string]bool {
	keys := make(map[string]bool, len(words))
	for _, w := range words {
		keys[NameKey(w)] = true
	}
	return keys
}

// digitLetters are digits that are written for letters, and those letters.
var digitLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s")

// ClaimsAuthority reports whether a name is one by which players may be taken for those that run the server:
// "GM-Vasya", "Adm1n", "Сервер", with letters that look alike.
func ClaimsAuthority(name string) bool {
	key := NameKey(name)
	for _, spelling := range []string{key, digitLetters.Replace(key)} {
		parts := strings.FieldsFunc(spelling, func(r rune) bool { return !unicode.IsLetter(r) })
		if authorities[strings.Join(parts, "")] || slices.ContainsFunc(parts, func(p string) bool { return authorities[p] }) {
			return true
		}
	}
	return false
}

// FoldName is equal for names that differ in case only: one name stands for all of them. Ё stays another letter than Е.
func FoldName(name string) string { return strings.Map(unicode.ToLower, name) }

// FoldWord is equal for spellings of a word that people take for the same: cases, ё and е.
func FoldWord(word string) string { return strings.ReplaceAll(FoldName(word), "ё", "е") }

// NameKey is equal for names that a player may take for one another: they differ in case, or in letters of the two
// alphabets that look alike as capitals or as small letters. No two characters have the same key.
func NameKey(name string) string {
	return strings.Map(func(r rune) rune {
		r = unicode.ToLower(r)
		if latin, ok := lookAlike[r]; ok {
			return latin
		}
		return r
	}, name)
}

// lookAlike gives for a Cyrillic letter the Latin one that cannot be told from it, both in lower case; for в and
// others it is the capitals that look the same.
var lookAlike = map[rune]rune{
	'а': 'a', 'в': 'b', 'е': 'e', 'к': 'k', 'м': 'm', 'н': 'h', 'о': 'o', 'р': 'p', 'с': 'c', 'т': 't',
	'у': 'y',
	'х': 'x', 'і': 'i', 'ї': 'i', 'ј': 'j', 'ѕ': 's',
}
