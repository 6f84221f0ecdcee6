package capture

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode"

	"sphereserver/packets"
)

// A Recorded is one frame as a file keeps it.
type Recorded struct {
	File   string // base name, or the name with which the frame was given
	Line   int    // in a text file, from 1; 0 elsewhere
	Number int    // of the frame in the file, from 1

	Direction packets.Direction // 0 where the file does not say
	Wire      []byte            // as it travelled; nil where the file does not say
	Plain     []byte            // client frames de-obfuscated; nil where the file does not say
	Key       *uint16           // of the connection's checksums, where known
	// Whole is false where the frame was damaged or cut when it was written down.
	Whole bool

	Topic, Time, Label string // notes of the person that recorded it

	Connection     int // in a pcap, from 1
	Client, Server string

	rest   bool    // of bytes that begin with whole frames
	memory *memory // of its connection; nil for the whole file's
}

// Position names the place of the frame for people: file and line, or file and number.
func (r *Recorded) Position() string {
	switch {
	case r.Line > 0:
		return fmt.Sprintf("%s:%d", Clean(r.File), r.Line)
	case r.File != "":
		return fmt.Sprintf("%s frame %d", Clean(r.File), r.Number)
	}
	return fmt.Sprintf("frame %d", r.Number)
}

// Bytes returns the form of the frame that the file has, the wire's if it has both.
func (r *Recorded) Bytes() []byte {
	if len(r.Wire) > 0 {
		return r.Wire
	}
	return r.Plain
}

// DefaultPort is the game's TCP port.
const DefaultPort = 25860

// Options are facts that a file does not tell itself.
type Options struct {
	Column    string            // of a table: the one with the frames, by name or number; empty to find it
	Direction packets.Direction // of frames in files that do not tell it; 0 to find it
	Port      uint16            // of the server in a pcap; 0 for [DefaultPort]
	Plain     bool              // client frames are not obfuscated
}

// memory is the facts that the frames of a capture or connection have shown.
type memory struct {
	dialect    packets.Dialect
	hasDialect bool
	form       form
	hasForm    bool
}

// form is how the bytes of a frame in a file become those that the grammar reads.
type form uint8

const (
	asPlain          form = iota // the file calls them plain
	wireInClear                  // as they travelled, and not obfuscated
	wireDeobfuscated             // as they travelled, de-obfuscated
	misclassified                // the file calls them plain, yet they are obfuscated
)

// emit hands over a frame or an error; false means that no more are wanted.
type emit func(Recorded, error) bool

// whole reports whether the length field of a frame is the number of its bytes.
func whole(frame []byte) bool {
	return len(frame) >= packets.MinServerFrame && int(binary.LittleEndian.Uint16(frame)) == len(frame)
}

// split cuts frames that stand one after the other. The rest comes last, and is not whole.
func split(data []byte) (frames [][]byte) {
	for len(data) > 0 {
		n := len(data)
		if n >= packets.MinServerFrame {
			if m := int(binary.LittleEndian.Uint16(data)); m >= packets.MinServerFrame && m <= n {
				n = m
			}
		}
		frames = append(frames, data[:n:n])
		data = data[n:]
	}
	return frames
}

// Clean returns text with all characters escaped that could play with a terminal.
func Clean(s string) string {
	bad := func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }
	if strings.IndexFunc(s, bad) < 0 {
		return s
	}
	var out strings.Builder
	for _, r := range s {
		if bad(r) {
			fmt.Fprintf(&out, `\u%04X`, r)
			continue
		}
		out.WriteRune(r)
	}
	return out.String()
}

// parseDirection returns the direction that a word means, or 0.
func parseDirection(s string) packets.Direction {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "c2s", "client", "c":
		return packets.FromClient
	case "s2c", "server", "s":
		return packets.FromServer
	}
	return 0
}
