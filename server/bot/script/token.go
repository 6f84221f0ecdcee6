package script

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a word of a line, or a text in quotes.
type token struct {
	text   string
	quoted bool
}

// String shows the token as it is written.
func (t token) String() string {
	if t.quoted {
		return fmt.Sprintf("%q", t.text)
	}
	return t.text
}

// maxLine is how many bytes a line may have.
const maxLine = 4096

// tokenize cuts a line into words and texts. What follows a "#" before a word is a comment.
func tokenize(line string) (tokens []token, err error) {
	switch {
	case len(line) > maxLine:
		return nil, fmt.Errorf("expected at most %d bytes, found %d", maxLine, len(line))
	case !utf8.ValidString(line):
		return nil, fmt.Errorf("expected UTF-8, found bytes that are not")
	}
	for {
		line = strings.TrimLeftFunc(line, unicode.IsSpace)
		switch {
		case line == "" || line[0] == '#':
			return tokens, nil
		case line[0] == '"':
			var text string
			if text, line, err = quotedText(line[1:]); err != nil {
				return nil, err
			}
			tokens = append(tokens, token{text, true})
		default:
			end := strings.IndexFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '"' })
			if end < 0 {
				end = len(line)
			}
			tokens = append(tokens, token{text: line[:end]})
			line = line[end:]
		}
	}
}

// quotedText reads up to the closing quote. \" and \\ stand for a quote and a backslash.
func quotedText(line string) (text, rest string, err error) {
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '"':
			return b.String(), line[i+1:], nil
		case c == '\\' && i+1 < len(line) && (line[i+1] == '"' || line[i+1] == '\\'):
			i++
			b.WriteByte(line[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("expected a closing quote, found the end of the line")
}
