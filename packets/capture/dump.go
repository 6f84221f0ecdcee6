package capture

import (
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"

	"sphereserver/packets"
)

// A dump is a print of bytes beside their offsets and letters: by xxd, hexdump -C, od -A x -t x1z, Wireshark's "as hex
// dump", tcpdump -X; or arrays of C.
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
	// tcpdumpHead is the line about a packet that stands before its bytes.
	tcpdumpHead = regexp.MustCompile(`^\S+ IP6? .* > `)
	// arrayOfC is an array's definition.
	arrayOfC = regexp.MustCompile(`^\s*[A-Za-z_][A-Za-z_0-9 \t*]*\[[^\]]*\]\s*=\s*\{`)
	// lengthOfC is the length that xxd -i writes behind an array.
	lengthOfC  = regexp.MustCompile(`(?m)^\s*(?:unsigned )?int [A-Za-z_0-9]+ = [0-9]+;\s*$`)
	commentOfC = regexp.MustCompile(`/\*.*?\*/|//[^\n]*`)
)

// undump returns the bytes of dumps, in hex; ok is false if the lines are anything else.
func undump(lines []string) (out []dump, ok bool) {
	if len(lines) > 0 && arrayOfC.MatchString(lines[0]) {
		return unarray(lines)
	}
	size, tcpdump := 0, false
	for i, l := range lines {
		if strings.TrimSpace(l) == "" || tcpdumpHead.MatchString(l) {
			continue
		}
		m := odLine.FindStringSubmatch(l)
		if m == nil {
			m = dumpLine.FindStringSubmatch(l)
		}
		if m == nil {
			return nil, false
		}
		at, err := strconv.ParseUint(m[2], 16, 32)
		digits := bytesOf(m[4])
		switch {
		case err != nil:
			return nil, false
		case at == 0 && digits != "":
			out, size = append(out, dump{line: i}), 0
			tcpdump = tcpdump || m[1] != ""
		case len(out) == 0 || int(at) != size:
			return nil, false
		}
		d := &out[len(out)-1]
		d.hex += digits + "\n"
		data, err := ParseHex(digits)
		if err != nil {
			return nil, false
		}
		size += len(data)
	}
	if tcpdump {
		for i := range out {
			out[i].unpack()
		}
	}
	return out, len(out) > 0
}

// bytesOf is the bytes of a line behind its offset.
func bytesOf(rest string) string {
	if m := hexdumpLine.FindStringSubmatch(rest); m != nil {
		return m[1]
	}
	rest = strings.TrimLeft(rest, " \t")
	if cut := lettersBegin.FindStringIndex(rest); cut != nil {
		rest = rest[:cut[0]]
	}
	return rest
}

// unarray is undump for arrays of C, one after the other.
func unarray(lines []string) (out []dump, ok bool) {
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
			return nil, false
		}
		out = append(out, dump{hex: rest[:end]})
		text = rest[end+1:]
	}
	return out, len(out) > 0 && strings.Trim(text, "; \n\r\t") == ""
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
