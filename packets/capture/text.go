package capture

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"sphereserver/packets"
)

// maxLine is the longest line of a text file in bytes: two forms of the longest frame, with spaces.
const maxLine = 1 << 20

// A line is one line of a text file.
type line struct {
	number int
	text   string
	err    error // the line is longer than maxLine
}

// lines reads a text file line by line, with some of them in sight ahead.
type lines struct {
	r     *bufio.Reader
	ahead []line
	read  int
	err   error // of the file, io.EOF at its end
}

// peek returns up to n lines without consuming them.
func (l *lines) peek(n int) []line {
	for len(l.ahead) < n && l.err == nil {
		l.fill()
	}
	return l.ahead[:min(n, len(l.ahead))]
}

// next returns the next line; ok is false at the end.
func (l *lines) next() (next line, ok bool) {
	if len(l.peek(1)) == 0 {
		return line{}, false
	}
	next = l.ahead[0]
	l.ahead = l.ahead[1:]
	return next, true
}

func (l *lines) fill() {
	var text []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(text)+len(part) > maxLine; !long {
			text = append(text, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		l.err = err
		if err != nil && len(text) == 0 && !long {
			return
		}
		break
	}
	l.read++
	next := line{number: l.read, text: strings.TrimRight(string(text), "\r\n")}
	if l.read == 1 {
		next.text = strings.TrimPrefix(next.text, "\uFEFF")
	}
	if long {
		next.text, next.err = "", fmt.Errorf("line is longer than %d bytes", maxLine)
	}
	l.ahead = append(l.ahead, next)
}

// skipped reports whether a line holds nothing: it is empty or a comment.
func (l line) skipped() bool {
	t := strings.TrimSpace(l.text)
	return l.err == nil && (t == "" || strings.HasPrefix(t, "#"))
}

// hexDirection takes the direction off a line that begins with it.
func hexDirection(text string, o Options) (Options, string) {
	text = strings.TrimSpace(text)
	if len(text) > 3 {
		if dir := parseDirection(text[:3]); dir != 0 {
			o.Direction = dir
			return o, strings.TrimLeft(text[3:], ": \t")
		}
	}
	return o, text
}

// maxLabels is how many bytes a log has at most before a frame.
const maxLabels = 200

var (
	// timeFirst is a time, with its day or without, at the begin of a line.
	timeFirst = regexp.MustCompile(`^\[?(?:\d{2,4}[-/.]\d\d[-/.]\d\d[ T])?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?\s+`)
	// sender is a word for the side that sent a frame; its first letter tells which.
	sender = regexp.MustCompile(`(?i)(?:^|[^\pL\d])(c2s|s2c|cli|srv|server|клиент|сервер|[cs]\s*(?:->|→|>|:))`)
	// longHex is hex without spaces among other things.
	longHex = regexp.MustCompile(`(?:^|[^0-9A-Za-z])((?:[0-9A-Fa-f]{2}){4,})(?:[^0-9A-Za-z]|$)`)
)

// logLine takes what a log has before a frame off a line: a time, labels, the side that sent it. A line that is no
// such stays as it is.
func logLine(text string, o Options) (Options, string) {
	o, text = hexDirection(text, o)
	timed := timeFirst.FindString(text)
	text = text[len(timed):]
	at := -1
	for i := range text[:min(len(text), maxLabels)] {
		if i > 0 && !unicode.IsSpace(rune(text[i-1])) || unicode.IsSpace(rune(text[i])) {
			continue
		}
		frames, err := parseFrames(text[i:], o)
		if err != nil {
			continue
		}
		label := i == 0 || timed != "" || sender.MatchString(text[:i]) || !strings.ContainsAny(text[:i], "0123456789")
		if frames[len(frames)-1].Whole || at < 0 && label {
			at = i
		}
		if i == 0 || frames[len(frames)-1].Whole {
			break
		}
	}
	rest := ""
	if at >= 0 {
		rest = text[at:]
	} else if all := longHex.FindAllStringSubmatchIndex(text, -1); len(all) > 0 {
		at = all[len(all)-1][2]
		rest = text[at:all[len(all)-1][3]]
		frames, _ := parseFrames(rest, o)
		if !frames[len(frames)-1].Whole && !sender.MatchString(text[:at]) {
			return o, timed + text
		}
	} else {
		return o, timed + text
	}
	if m := sender.FindStringSubmatch(text[:at]); m != nil {
		o.Direction = packets.FromServer
		if strings.ContainsAny(m[1][:1], "cC") || strings.EqualFold(m[1], "клиент") {
			o.Direction = packets.FromClient
		}
	}
	return o, rest
}

// readHex reads lines of hex. Lines that follow one another without an empty one between are one frame where that
// makes more of them whole, and else frames of their own.
func readHex(l *lines, o Options, yield emit, at func(int, error) error) bool {
	for {
		var block []line
		size := 0
		for size <= maxLine {
			next, ok := l.next()
			if !ok || next.skipped() && len(block) > 0 && strings.TrimSpace(next.text) == "" {
				break
			}
			if next.skipped() {
				continue
			}
			block = append(block, next)
			size += len(next.text)
		}
		if len(block) == 0 {
			return true
		}
		if !readBlock(block, o, yield, at) {
			return false
		}
	}
}

// readDumps returns the frames of the dumps that lines begin with, and how many lines those take: none if they begin
// with anything else. A dump in a form that is not read is an error.
func readDumps(texts []string, o Options) ([]Recorded, int, error) {
	if err := foreignDump(texts); err != nil {
		n := 1
		for n < len(texts) && foreignLine.MatchString(texts[n]) {
			n++
		}
		return nil, n, err
	}
	_, n := undump(texts)
	frames, err := ParseFrames(strings.Join(texts[:n], "\n"), o)
	if err != nil {
		return nil, 0, nil
	}
	return frames, n, nil
}

// readBlock reads lines of hex between which dumps may stand.
func readBlock(block []line, o Options, yield emit, at func(int, error) error) bool {
	texts := make([]string, len(block))
	for i, l := range block {
		if texts[i] = l.text; l.err != nil {
			texts[i] = "\x00" // no line of a dump
		}
	}
	for len(block) > 0 {
		dumped, n, err := readDumps(texts, o)
		if err != nil && !yield(Recorded{}, at(block[0].number, err)) {
			return false
		}
		for _, r := range dumped {
			r.Line = block[r.Line].number
			if !yield(r, nil) {
				return false
			}
		}
		if n == 0 {
			for n = 1; n < len(block) && !beginsDump(texts[n:]); n++ {
			}
			if !readPlain(block[:n], o, yield, at) {
				return false
			}
		}
		block, texts = block[n:], texts[n:]
	}
	return true
}

// readPlain reads lines of hex that stand together.
func readPlain(block []line, o Options, yield emit, at func(int, error) error) bool {
	type result struct {
		frame Recorded
		err   error
	}
	// parse returns the frames of a text that begins in a line and how many bytes the whole ones have, or -1.
	parse := func(l line, text string, o Options) (out []result, whole int) {
		frames, err := ParseFrames(text, o)
		if err = cmp.Or(l.err, err); err != nil {
			return []result{{err: at(l.number, err)}}, -1
		}
		for _, f := range frames {
			f.Line = l.number
			out = append(out, result{frame: f})
			if f.Whole {
				whole += len(f.Bytes())
			}
		}
		return out, whole
	}
	var all []result
	var joined strings.Builder
	whole, good := 0, true
	for _, l := range block {
		options, text := logLine(l.text, o)
		joined.WriteString(text + "\n")
		results, n := parse(l, text, options)
		all = append(all, results...)
		whole, good = whole+n, good && n >= 0
	}
	if good && len(block) > 1 {
		options, _ := logLine(block[0].text, o)
		if together, n := parse(block[0], joined.String(), options); n > whole {
			all = together
		}
	}
	for _, r := range all {
		if !yield(r.frame, r.err) {
			return false
		}
	}
	return true
}
