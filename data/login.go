package data

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"

	"sphereserver/world/rules"
)

// Limits in bytes of Windows-1251, in which the client writes; every character is one byte there.
// protocol: session 5.4.
const (
	MaxLoginLen    = 50
	MaxPasswordLen = 100
)

// CheckLogin says which rule a login breaks: 1 to 50 visible characters of Windows-1251, spaces only between others.
func CheckLogin(login string) error {
	n, err := rules.CheckText("login", login, MaxLoginLen)
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
