package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A client composes its whole line: a link on the writer with a tooltip in its markup, then the message. Others print
// it as it is, so nothing of it may be believed: the name is ours, the markup stays only where it can't lie about who
// speaks.
//
// Source: protocol ingame 15.1.
const (
	linkBegin  = `<l="`
	linkValue  = "player://"
	linkEnd    = "</l>:"
	maxTooltip = 1024 // bytes of a link's value; recorded ones have about 450
)

// splitLine takes a line apart: the value of its link, the name that it shows, and the message. A line without a whole
// link is all message.
func splitLine(line string) (value, shown, message string) {
	rest, ok := strings.CutPrefix(line, linkBegin)
	if !ok {
		return "", "", line
	}
	end := endOfQuoted(rest)
	value = rest[:end]
	rest, closed := strings.CutPrefix(rest[end:], `">`)
	shown, message, named := strings.Cut(rest, linkEnd)
	if !closed || !named {
		return "", "", line
	}
	return value, shown, strings.TrimPrefix(message, " ")
}

// endOfQuoted is where the quote stands that no backslash precedes, or the length of the text.
func endOfQuoted(s string) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(s)
}

// messageOf is what a composed line says.
func messageOf(line string) string {
	_, _, message := splitLine(line)
	return message
}

// composeLine is a line that others may be shown. The link keeps its tooltip only if both names in it are the writer's.
func composeLine(name, value, shown, message string) string {
	if shown != name || !ownLink(value, name) {
		value = linkValue + name
	}
	return linkBegin + value + `">` + name + linkEnd + " " + message
}

// ownLink says whether a link's value names the writer and its markup is only a tooltip's: escaped brackets and quotes.
func ownLink(value, name string) bool {
	tooltip, ok := strings.CutPrefix(value, linkValue+name)
	if !ok || len(value) > maxTooltip || tooltip != "" && !strings.HasPrefix(tooltip, `\[`) ||
		strings.Contains(tooltip, "://") {
		return false
	}
	escaped := false
	for _, r := range tooltip {
		switch {
		case strings.ContainsRune(`[]"`, r):
			if !escaped {
				return false
			}
			escaped = false
		case escaped || r == '<' || r == '>' || unseen(r):
			return false
		default:
			escaped = r == '\\'
		}
	}
	return !escaped
}

// unseen says whether a character has no picture of its own: controls, those that Windows-1251 lacks, soft hyphens.
func unseen(r rune) bool { return unicode.IsControl(r) || r == utf8.RuneError || r == 0xAD }

// Clean makes a message harmless: no tags, nothing that the client's markup is made of, one line, no runs of
// spaces that would push what follows to where a line of its own begins. What remains says the same to a reader.
func Clean(s string) string {
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
		if unicode.IsSpace(r) || unseen(r) {
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
// [cl=EEEEEE], [img="…"] and [br], with backslashes before what is to be taken as it is.
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

// isCommand says whether a message is for the server and not for others: "/tell", "!who", but not "!!!" or "/ 2".
func isCommand(message string) bool {
	if message == "" || message[0] != '/' && message[0] != '!' {
		return false
	}
	r, _ := utf8.DecodeRuneInString(message[1:])
	return unicode.IsLetter(r)
}

// shortName is a name that a player has typed, as it may be shown: one that is too long for a name is cut.
func shortName(name string) string {
	const most = 32
	n := 0
	for i := range name {
		if n++; n > most {
			return Clean(name[:i]) + "…"
		}
	}
	return Clean(name)
}
