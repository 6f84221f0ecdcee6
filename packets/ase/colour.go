package ase

import "strings"

// WithoutColours returns a name of a game without that game's codes for colours, or the name itself when nothing else
// is in it: "#RRGGBB" in Multi Theft Auto, "$" and a digit in Far Cry. Names of other games are returned as they are.
//
// Source: protocol ase 8.
func WithoutColours(game, name string) string {
	var length func(s string) int
	switch game {
	case "mta":
		length = hexColour
	case "farcry":
		length = digitColour
	default:
		return name
	}
	var b strings.Builder
	for i := 0; i < len(name); {
		if n := length(name[i:]); n > 0 {
			i += n
			continue
		}
		b.WriteByte(name[i])
		i++
	}
	if b.Len() == 0 {
		return name
	}
	return b.String()
}

// hexColour is the length of the code that s begins with, 0 for none.
func hexColour(s string) int {
	const length = len("#RRGGBB")
	if len(s) < length || s[0] != '#' {
		return 0
	}
	for _, c := range []byte(s[1:length]) {
		if !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f') {
			return 0
		}
	}
	return length
}

func digitColour(s string) int {
	if len(s) < 2 || s[0] != '$' || s[1] < '0' || s[1] > '9' {
		return 0
	}
	return 2
}
