package capture

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sphereserver/packets"
)

// A dump is a print of bytes beside their offsets and letters: by xxd, hexdump -C, od -A x -t x1z, Wireshark's "as hex
// dump", tcpdump -X; what one side says at a time in a TCP stream that Wireshark or tshark follows; or arrays of C or
// Go.
type dump struct {
	hex       string
	line      int               // the first one, counted from 0
	direction packets.Direction // 0: not known
}

var (
	// dumpLine begins with an offset: of at least four digits, with 0x before it, a colon behind it, or neither.
	dumpLine = regexp.MustCompile(`^\s*(0[xX])?([0-9a-fA-F]{4,8})(:|$|\s\s)(.*)$`)
	// odLine is a line of od -A x -t x1z, with one space behind its offset.
	odLine = regexp.MustCompile(`^()([0-9a-fA-F]{4,8})( )((?:[0-9a-fA-F]{2} ){1,16} *>.*<)$`)
	// lettersBegin ends the bytes of a line: letters stand behind two spaces at least.
	lettersBegin = regexp.MustCompile(`\s{2,}`)
	// hexdumpLine is a line of hexdump -C, which has two spaces between its bytes, too, or of od -t x1z.
	hexdumpLine = regexp.MustCompile(`^\s*((?:[0-9a-fA-F]{2} {1,2}){1,16}) *(?:\|.*\||>.*<)\s*$`)
	// halvesLine is a line with two spaces between its two halves, as Wireshark prints a TCP stream that it follows.
	halvesLine = regexp.MustCompile(`^\s*((?:[0-9a-fA-F]{2} ){8} [0-9a-fA-F]{2}(?: [0-9a-fA-F]{2}){0,7}) *(?:\s{2}.*)?$`)
	// wordsBegin is the first line of hexdump or od as they print without options: words, not bytes.
	wordsBegin = regexp.MustCompile(`^(?:0{7}\s|0{6}(?:\s+[0-9a-fA-F]{3,})+\s*$)`)
	// sixDigits is the last line of od -A x.
	sixDigits = regexp.MustCompile(`^[0-9a-fA-F]{6}\s*$`)
	// foreignLine is one of the lines of a dump in a form that is not read.
	foreignLine = regexp.MustCompile(`^(?:[0-9a-fA-F]{6,8}(?::|\s|$)|\*\s*$)`)
	// binaryLine is a line of xxd -b.
	binaryLine = regexp.MustCompile(`^0+: ([01]{8}(?: [01]{8})*) +(\S.*)$`)
	// reversedLine is a line of xxd -e, or of xxd.
	reversedLine = regexp.MustCompile(`^0+: ((?:[0-9a-f]{4} ?|[0-9a-f]{8} ?|[0-9a-f]{16} ?)+)  (.+)$`)
	// tcpdumpHead is the line about a packet that stands before its bytes.
	tcpdumpHead = regexp.MustCompile(`^\S+ IP6? .* > `)
	// arrayOfC is an array's definition, or that of a slice in Go.
	arrayOfC = regexp.MustCompile(
		`^\s*[A-Za-z_][A-Za-z_0-9 \t*]*(?:\[[^\]]*\]\s*=|:?=\s*\[[^\]]*\](?:byte|uint8))\s*\{`)
	// lengthOfC is the length that xxd -i writes behind an array.
	lengthOfC  = regexp.MustCompile(`(?m)^\s*(?:unsigned )?int [A-Za-z_0-9]+ = [0-9]+;\s*$`)
	commentOfC = regexp.MustCompile(`/\*.*?\*/|//[^\n]*`)
)

// foreignDump is an error if lines are a dump in a form that is not read. What it shows would else be taken for bytes.
func foreignDump(lines []string) error {
	form := ""
	end := len(lines)
	for end > 1 && strings.TrimSpace(lines[end-1]) == "" {
		end--
	}
	switch first, last := lines[0], lines[end-1]; {
	case wordsBegin.MatchString(first) && (first[6] == '0' || sixDigits.MatchString(last)):
		if _, n := undump(lines); n < len(lines) || !hexdumpLine.MatchString(first[7:]) {
			form = "hexdump or od without these options"
		}
	case isBinary(first):
		form = "xxd -b"
	case isReversed(first):
		form = "xxd -e"
	}
	if form == "" {
		return nil
	}
	return fmt.Errorf("expected the output of xxd, hexdump -C or od -A x -t x1z, found that of %s", form)
}

// isBinary reports whether a line shows as many letters as it has words of bits.
func isBinary(line string) bool {
	m := binaryLine.FindStringSubmatch(line)
	return m != nil && len(m[2]) == len(strings.Fields(m[1]))
}

// isReversed reports whether the letters of a line belong to its bytes only if those of each word are turned around.
func isReversed(line string) bool {
	m := reversedLine.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	var direct, reversed []byte
	for _, word := range strings.Fields(m[1]) {
		b, err := ParseHex(word)
		if err != nil {
			return false
		}
		direct = append(direct, b...)
		slices.Reverse(b)
		reversed = append(reversed, b...)
	}
	return !belong(m[2], direct) && belong(m[2], reversed)
}

// belong reports whether letters are those that a dump shows beside bytes.
func belong(letters string, b []byte) bool {
	letters = strings.TrimLeft(letters, " ") // two spaces more, or a space that is a letter
	want := make([]byte, len(b))
	for i, c := range b {
		if want[i] = c; c < ' ' || c > '~' {
			want[i] = '.'
		}
	}
	return strings.TrimSpace(letters) == strings.TrimSpace(string(want))
}

// undump returns the bytes of the dumps that lines begin with, in hex, and lines for those that hexdump leaves out; n
// is how many lines they take, 0 where the first is anything else.
func undump(lines []string) (out []dump, n int) {
	if len(lines) > 0 && arrayOfC.MatchString(lines[0]) {
		return unarray(lines)
	}
	var r dumpReader
	for n < len(lines) && r.line(n, lines[n]) {
		n++
	}
	if len(r.out) == 0 || n < len(lines) && dumpParts(lines[n]) != nil { // broken dumps are none
		return nil, 0
	}
	if r.tcpdump {
		for i := range r.out {
			r.out[i].unpack()
		}
	}
	return r.out, n
}

// beginsDump reports whether a dump begins with the first line, be it in a form that is not read.
func beginsDump(lines []string) bool {
	_, n := undump(lines[:min(2, len(lines))]) // a line of tcpdump about the packet, and its first bytes
	return n > 0 || arrayOfC.MatchString(lines[0]) || foreignDump(lines) != nil
}

// dumpParts are the prefix, the offset, what ends it, and the rest of a line of a dump; nil for any other line.
func dumpParts(l string) []string {
	if m := odLine.FindStringSubmatch(l); m != nil {
		return m
	}
	return dumpLine.FindStringSubmatch(l)
}

// A dumpReader reads the lines of dumps.
type dumpReader struct {
	out     []dump
	sides   [2]dumpSide // of lines at the margin, and of indented ones: the server's in a followed stream
	side    int         // of the line before
	tcpdump bool
	more    int // bytes that repetitions have added
}

// A dumpSide is the dumps of one indentation, whose offsets go on after lines of the other one.
type dumpSide struct {
	begun    bool
	size     int    // up to here, in bytes
	last     string // the line before, in hex
	width    int    // its bytes
	repeated bool   // all lines up to the next offset are like the one before
}

// line reads one; false if it belongs to no dump.
func (r *dumpReader) line(i int, l string) bool {
	switch text := strings.TrimSpace(l); {
	case text == "" || tcpdumpHead.MatchString(l):
		return true
	case text == "*" && r.sides[r.side].last != "":
		r.sides[r.side].repeated = true
		return true
	}
	m := dumpParts(l)
	if m == nil {
		return false
	}
	offset, err := strconv.ParseUint(m[2], 16, 32)
	at, digits := int(offset), bytesOf(m[4])
	side := 0
	if l[0] == ' ' || l[0] == '\t' {
		side = 1
	}
	if at > 0 && !r.sides[side].begun {
		side = r.side // a first line that was copied without its indentation
	}
	s := &r.sides[side]
	switch {
	case err != nil:
		return false
	case at == 0 && digits != "":
		r.out, *s = append(r.out, dump{line: i}), dumpSide{begun: true}
		r.tcpdump = r.tcpdump || m[1] != ""
	case !s.begun:
		return false
	case side != r.side:
		r.out = append(r.out, dump{line: i})
	}
	r.side = side
	d := &r.out[len(r.out)-1]
	if s.repeated && at > s.size && s.width > 0 {
		if r.more += at - s.size; r.more > maxLine {
			return false
		}
		n := (at - s.size) / s.width
		d.hex += strings.Repeat(s.last, n)
		s.size += n * s.width
	}
	data, err := ParseHex(digits)
	if s.repeated = false; at != s.size || err != nil {
		return false
	}
	s.last, s.width = digits+"\n", len(data)
	d.hex += s.last
	s.size += s.width
	return true
}

// bytesOf is the bytes of a line behind its offset.
func bytesOf(rest string) string {
	if m := hexdumpLine.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	if m := halvesLine.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	rest = strings.TrimLeft(rest, " \t")
	if cut := lettersBegin.FindStringIndex(rest); cut != nil {
		rest = rest[:cut[0]]
	}
	return rest
}

// unarray is undump for arrays of C, one after the other.
func unarray(lines []string) (out []dump, n int) {
	text := commentOfC.ReplaceAllStringFunc(strings.Join(lines, "\n"), func(c string) string {
		return strings.Repeat("\n", strings.Count(c, "\n"))
	})
	text = lengthOfC.ReplaceAllString(text, "")
	for {
		open := strings.IndexByte(text, '{')
		if open < 0 {
			break
		}
		before, rest := text[:open], text[open+1:]
		end := strings.IndexByte(rest, '}')
		if end < 0 || !arrayOfC.MatchString(strings.TrimLeft(before, "; \n\r\t")+"{") {
			return nil, 0
		}
		out = append(out, dump{hex: rest[:end]})
		text = rest[end+1:]
	}
	if len(out) == 0 || strings.Trim(text, "; \n\r\t") != "" {
		return nil, 0
	}
	return out, len(lines)
}

// unpack takes the headers of IP and TCP off a print of tcpdump -X.
func (d *dump) unpack() {
	data, err := ParseHex(d.hex)
	if err != nil || len(data) == 0 {
		return
	}
	head := 0
	switch data[0] >> 4 {
	case 4:
		head = int(data[0]&15) * 4
		if len(data) < 20 || data[9] != 6 {
			return
		}
		data = data[:min(len(data), int(binary.BigEndian.Uint16(data[2:])))] // padding of the card comes behind
	case 6:
		head = 40
		if len(data) < head || data[6] != 6 {
			return
		}
	default:
		return
	}
	if len(data) < head+20 {
		return
	}
	tcp := data[head:]
	payload := int(tcp[12]>>4) * 4
	if payload > len(tcp) {
		return
	}
	switch {
	case binary.BigEndian.Uint16(tcp) == DefaultPort:
		d.direction = packets.FromServer
	case binary.BigEndian.Uint16(tcp[2:]) == DefaultPort:
		d.direction = packets.FromClient
	}
	d.hex = hexText(tcp[payload:])
}
