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
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"

	"sphereserver/packets/capture/recording"
)

// Read returns the frames of a file in any of the known forms, which it tells apart by their first bytes. An error
// stands in the place of an unreadable frame; reading goes on after it where that is possible.
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
	if len(head) == 4 && isPcap(head) {
		readPcap(name, r, o, yield)
		return
	}
	begins, _ := r.Peek(r.Buffered())
	if at := bytes.IndexByte(begins, 0); at >= 0 { // which is in no text, and soon in all else
		yield(Recorded{}, fmt.Errorf("%s is neither text nor a pcap or a recording: byte %d is 0", Clean(name), at+1))
		return
	}
	readText(name, r, o, yield)
}

var gzipMagic = []byte{0x1F, 0x8B}
