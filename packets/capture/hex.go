package capture

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
)

// ParseHex returns the bytes of a text of hex digits. Between bytes there may be spaces, commas, semicolons, colons,
// dashes, bars, quotes and brackets; a byte may begin with 0x or \x. Errors name the character, counted from 1.
func ParseHex(s string) ([]byte, error) {
	out := make([]byte, 0, len(s)/2)
	half := -1        // first digit of a byte, waiting for its second
	word := 0         // digits since the last separator or prefix
	prefixed := false // a prefix stands before the word
	position := 0
	var last rune
	endWord := func() error {
		if half >= 0 {
			if word != 1 || !prefixed { // 0x5 is a byte, 5 is half of one
				return fmt.Errorf("character %d: expected a second hex digit of %X", position, half)
			}
			out = append(out, byte(half))
		}
		half, word, prefixed = -1, 0, false
		return nil
	}
	for _, r := range s {
		position++
		d := hexDigit(r)
		switch {
		case d >= 0:
			word++
			if half < 0 {
				half = d
				break
			}
			out = append(out, byte(half<<4|d))
			half = -1
		case (r == 'x' || r == 'X') && (half == 0 || last == '\\'):
			half, word, prefixed = -1, 0, true
		case (r == '\'' || r == '"') && half == 0xB && word == 1: // b'\x04' of Python
			half, word = -1, 0
		case unicode.IsSpace(r) || strings.ContainsRune(`\,;:-_|'"{}[]()`, r):
			if err := endWord(); err != nil {
				return nil, err
			}
		default:
			return nil, fmt.Errorf("character %d: expected a hex digit, found %q", position, r)
		}
		last = r
	}
	position++
	if err := endWord(); err != nil {
		return nil, err
	}
	return out, nil
}

func hexDigit(r rune) int {
	switch {
	case r >= '0' && r <= '9':
		return int(r - '0')
	case r >= 'a' && r <= 'f':
		return int(r-'a') + 10
	case r >= 'A' && r <= 'F':
		return int(r-'A') + 10
	}
	return -1
}

// ParseFrames returns the frames of a text of hex, of which there may be several one after the other. The rest comes
// last and is not whole. The text may be a print of xxd, hexdump -C, Wireshark or tcpdump -X, or arrays of C or Go.
func ParseFrames(s string, o Options) ([]Recorded, error) {
	lines := strings.Split(s, "\n")
	if err := foreignDump(lines); err != nil {
		return nil, err
	}
	dumps, n := undump(lines)
	if n < len(lines) {
		return parseFrames(s, o)
	}
	var out []Recorded
	for _, d := range dumps {
		if strings.TrimSpace(d.hex) == "" { // a packet without a payload
			continue
		}
		of := o
		of.Direction = cmp.Or(d.direction, o.Direction)
		frames, err := parseFrames(d.hex, of)
		if err != nil {
			return nil, err
		}
		for _, r := range frames {
			r.Number, r.Line = len(out)+1, d.line
			out = append(out, r)
		}
	}
	return out, nil
}

func parseFrames(s string, o Options) ([]Recorded, error) {
	data, err := ParseHex(s)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("no hex digits, expected a frame")
	}
	var out []Recorded
	for i, frame := range split(data) {
		r := Recorded{Number: i + 1, Direction: o.Direction, Whole: whole(frame)}
		r.rest = i > 0 && !r.Whole
		r.set(frame, o.Plain)
		out = append(out, r)
	}
	return out, nil
}

// set keeps a frame in one of its forms.
func (r *Recorded) set(frame []byte, plain bool) {
	if plain {
		r.Plain = frame
		return
	}
	r.Wire = frame
}
