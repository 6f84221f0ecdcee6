package query

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleaned returns a text as others may have it: without control characters and broken UTF-8, and at most some bytes and
// characters long, 0 for any number of characters. Most texts are returned as they are. Source: protocol ase 8,
// minecraft-query 7.
func cleaned(s string, maxBytes, maxChars int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	chars := 0
	for i, r := range s {
		if i+utf8.RuneLen(r) > maxBytes || maxChars > 0 && chars == maxChars {
			return s[:i]
		}
		chars++
	}
	return s
}

// notAQuery returns a version that begins no request, with a capital letter if need be: a server that gets it as a
// datagram, because the sender of a request was forged, does not answer it.
func notAQuery(version string) string {
	if version == "" || version[0] < 'a' || version[0] > 'z' {
		return version
	}
	return string(version[0]-'a'+'A') + version[1:]
}
