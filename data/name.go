package data

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
)

// Limits in bytes of Windows-1251, in which the client writes; every character is one byte there.
// protocol: session 5.4, 6.6.
const (
	MaxNameLen     = 19
	MaxLoginLen    = 50
	MaxPasswordLen = 100
)

// CheckName says which rule a character's name breaks: 1 to 19 letters, digits, '-' and '_', the first a letter, all
// letters of one alphabet, Latin or Cyrillic (of Windows-1251, so Ё and the letters of other languages count).
func CheckName(name string) error {
	n, err := checkText("name", name, MaxNameLen)
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
			return fmt.Errorf("name %q: expected letters of one alphabet, found Latin %q beside Cyrillic %q", name, latin, cyrillic)
		}
	}
	return nil
}

// CheckLogin says which rule a login breaks: 1 to 50 visible characters of Windows-1251, spaces only between others.
func CheckLogin(login string) error {
	n, err := checkText("login", login, MaxLoginLen)
	if err != nil {
		return err
	}
	for i, r := range []rune(login) {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("login %q: expected visible characters, found %q (character %d of %d)", login, r, i+1, n)
		}
	}
	if strings.HasPrefix(login, " ") || strings.HasSuffix(login, " ") {
		return fmt.Errorf("login %q: expected no space at its ends", login)
	}
	return nil
}

// CheckPassword says which rule a password breaks: 1 to 100 characters of Windows-1251 without control characters.
// The error never contains the password.
func CheckPassword(p string) error {
	n := 0
	for _, r := range p {
		n++
		if _, ok := charmap.Windows1251.EncodeRune(r); !ok {
			return fmt.Errorf("password: its character %d is not in Windows-1251, so no client can send it", n)
		}
		if unicode.IsControl(r) {
			return fmt.Errorf("password: its character %d is a control character", n)
		}
	}
	if n < 1 || n > MaxPasswordLen {
		return fmt.Errorf("password: expected 1 to %d characters, found %d", MaxPasswordLen, n)
	}
	return nil
}

// checkText checks what names and logins have in common and returns the length.
func checkText(what, text string, limit int) (int, error) {
	n := 0
	for _, r := range text {
		n++
		if n > limit {
			return 0, fmt.Errorf("%s %.40q: expected 1 to %d characters, found more", what, text, limit)
		}
		if _, ok := charmap.Windows1251.EncodeRune(r); !ok {
			return 0, fmt.Errorf("%s %q: its character %d, %q, is not in Windows-1251, which the client writes", what, text, n, r)
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
