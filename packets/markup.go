package packets

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clients take some texts for markup. Source: protocol ingame 15.1.

// Unseen reports whether a character has no picture of its own: controls, those that Windows-1251 lacks, soft hyphens.
func Unseen(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError || r == 0xAD }

// PlainText makes a text harmless: no tags, no signs of the client's markup, one line, no runs of spaces that would
// push the words behind them to where a line of its own begins. The result says the same to a reader.
func PlainText(s string) string {
	var b strings.Builder
	space := false
	put := func(r rune) {
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	for i := 0; i < len(s); {
		if n := tag(s[i:]); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if unicode.IsSpace(r) || Unseen(r) {
			space = true
			continue
		}
		if plain, ok := plainSigns[r]; ok {
			r = plain
		}
		put(r)
	}
	return b.String()
}

// plainSigns stand for the signs of the client's markup, which has tags like <l="…"> and, inside of texts, like
// [cl=EEEEEE], [img="…"] and [br], with backslashes before signs that are to be taken as they are.
var plainSigns = map[rune]rune{'<': '‹', '>': '›', '[': '(', ']': ')', '\\': '/'}

// tag is the length of the tag that a text begins with, 0 if it begins with none.
func tag(s string) int {
	if len(s) < 3 || s[0] != '<' {
		return 0
	}
	if c := strings.TrimPrefix(s[1:], "/"); c == "" || !asciiLetter(c[0]) {
		return 0
	}
	if end := strings.IndexAny(s[1:], "<>"); end > 0 && s[1+end] == '>' {
		return end + 2
	}
	return 0
}

func asciiLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
