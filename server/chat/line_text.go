package chat

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"sphereserver/packets"
)

// A client composes its whole line: a link on the writer with a tooltip in its markup, then the message. Others print
// it as it is, so nothing of it may be believed: the name is ours, the markup stays only where it can't lie about the
// speaker.
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

// messageOf is the message of a composed line.
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

// ownLink reports whether a link's value names the writer and its markup is only a tooltip's: escaped brackets and
// quotes.
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
		case escaped || r == '<' || r == '>' || packets.Unseen(r):
			return false
		default:
			escaped = r == '\\'
		}
	}
	return !escaped
}

// isCommand reports whether a message is for the server and not for others: "/tell", "!who", but not "!!!" or "/ 2".
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
			return packets.PlainText(name[:i]) + "…"
		}
	}
	return packets.PlainText(name)
}
