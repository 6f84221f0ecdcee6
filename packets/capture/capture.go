// Package capture reads recorded traffic (hex, tables, pcap, recordings of our server), puts each frame into words or
// JSON, and checks that decoding and encoding are exact inverses on it.
//
//	file ── Read ── Recorded ── Detector.Read ── Reading ── Words, JSON, Verifier
//
// It is made for tools: it trusts nothing that it reads and keeps everything, but it does not hurry.
package capture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"unicode"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

// A Recorded is one frame as a file keeps it.
type Recorded struct {
	File   string // base name, or what the frame was given as
	Line   int    // in a text file, from 1; 0 elsewhere
	Number int    // of the frame in the file, from 1

	Direction packets.Direction // 0 where the file does not say
	Wire      []byte            // as it travelled; nil where the file does not say
	Plain     []byte            // client frames de-obfuscated; nil where the file does not say
	Key       *uint16           // of the connection's checksums, where known
	// Whole is false where the frame was damaged or cut when it was written down.
	Whole bool

	Topic, Time, Label string // notes of whoever recorded it

	Connection     int // in a pcap, from 1
	Client, Server string

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

// Options say what a file does not say itself.
type Options struct {
	Column    string            // of a table: the one with the frames, by name or number; empty to find it
	Direction packets.Direction // of frames whose file does not tell it; 0 to find it
	Port      uint16            // of the server in a pcap; 0 for [DefaultPort]
	Plain     bool              // client frames are not obfuscated
}

// Read returns the frames of a file in any of the known forms, which it tells apart by their first bytes. An error
// stands in the place of what could not be read; reading goes on after it where that is possible.
func Read(name string, r io.Reader, o Options) iter.Seq2[Recorded, error] {
	if o.Port == 0 {
		o.Port = DefaultPort
	}
	return func(yield func(Recorded, error) bool) {
		n := 0
		read(name, bufio.NewReaderSize(r, 64<<10), o, func(rec Recorded, err error) bool {
			if err == nil {
				n++
				rec.File, rec.Number = filepath.Base(name), n
			}
			return yield(rec, err)
		})
	}
}

// emit hands over a frame or an error; false means that nobody wants more.
type emit func(Recorded, error) bool

func read(name string, r *bufio.Reader, o Options, yield emit) {
	head, err := r.Peek(4)
	if len(head) == 0 {
		if !errors.Is(err, io.EOF) {
			yield(Recorded{}, fmt.Errorf("read %s: %w", Clean(name), err))
			return
		}
		yield(Recorded{}, fmt.Errorf("%s is empty: expected frames as hex, a table, a pcap or a recording", Clean(name)))
		return
	}
	if bytes.HasPrefix(head, gzipMagic) {
		z, err := gzip.NewReader(r)
		if err != nil {
			yield(Recorded{}, fmt.Errorf("%s looks like gzip: %w", Clean(name), err))
			return
		}
		r = bufio.NewReaderSize(z, 64<<10)
		head, _ = r.Peek(4)
	}
	if magic, _ := r.Peek(len(recording.Magic)); string(magic) == recording.Magic {
		readRecording(name, r, yield)
		return
	}
	if len(head) == 4 && pcapMagics[binary.LittleEndian.Uint32(head)] {
		readPcap(name, r, o, yield)
		return
	}
	readText(name, r, o, yield)
}

var gzipMagic = []byte{0x1F, 0x8B}

// whole says whether the length field of a frame is the number of its bytes.
func whole(frame []byte) bool {
	return len(frame) >= packets.MinServerFrame && int(binary.LittleEndian.Uint16(frame)) == len(frame)
}

// split cuts frames that stand one after the other. What is left over is not whole.
func split(data []byte) (frames [][]byte, rest []byte) {
	for len(data) >= packets.MinServerFrame {
		n := int(binary.LittleEndian.Uint16(data))
		if n < packets.MinServerFrame || n > len(data) {
			break
		}
		frames = append(frames, data[:n:n])
		data = data[n:]
	}
	return frames, data
}

// Clean returns text with everything that could play with a terminal escaped.
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
