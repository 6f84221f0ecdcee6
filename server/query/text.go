package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleaned returns a text as others may have it: without control characters and broken UTF-8, and at most some bytes and
// characters long, 0 for any number of characters. Most texts are returned as they are.
// Source: protocol ase 8, minecraft-query 7.
func cleaned(s string, maxBytes, maxChars int) string {
	if maxChars == 0 {
		maxChars = maxBytes
	}
	chars, good := 0, true
	for i, r := range s {
		size := runeBytes(s, i, r)
		if i+size > maxBytes || chars == maxChars || !told(r, size) {
			good = false
			break
		}
		chars++
	}
	if good {
		return s
	}
	var b strings.Builder
	chars = 0
	for i, r := range s {
		size := runeBytes(s, i, r)
		if !told(r, size) {
			continue
		}
		if b.Len()+size > maxBytes || chars == maxChars {
			break
		}
		b.WriteString(s[i : i+size])
		chars++
	}
	return b.String()
}

// runeBytes is the length of the character r at s[i:], 1 for a byte that is none.
func runeBytes(s string, i int, r rune) int {
	if r == utf8.RuneError {
		_, size := utf8.DecodeRuneInString(s[i:])
		return size
	}
	return utf8.RuneLen(r)
}

// told says whether a character of some bytes may be sent.
func told(r rune, size int) bool {
	return !unicode.IsControl(r) && (r != utf8.RuneError || size > 1)
}

// sectionSign begins a formatting code of Minecraft: it and the character behind it are not shown.
const sectionSign = '§'

// unformatted returns a text without formatting codes.
func unformatted(s string) string {
	if !strings.ContainsRune(s, sectionSign) {
		return s
	}
	var b strings.Builder
	skip := false
	for _, r := range s {
		switch {
		case skip:
			skip = false
		case r == sectionSign:
			skip = true
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// notAQuery returns a version whose first letter, capital if need be, is none that asks something: a server that gets
// it as a datagram, because somebody has forged the sender of a request, does not answer it.
func notAQuery(version string) string {
	if version == "" || version[0] < 'a' || version[0] > 'z' {
		return version
	}
	return string(version[0]-'a'+'A') + version[1:]
}
