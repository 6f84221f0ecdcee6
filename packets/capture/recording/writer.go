package recording

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"time"
)

// A Writer writes a recording. The first error sticks.
type Writer struct {
	z   *gzip.Writer
	buf []byte
	err error
}

// NewWriter writes the head and the facts about the whole.
func NewWriter(w io.Writer, about Info) (*Writer, error) {
	out := &Writer{z: gzip.NewWriter(w)}
	head := binary.LittleEndian.AppendUint16([]byte(Magic), Version)
	if _, out.err = out.z.Write(head); out.err != nil {
		return nil, out.err
	}
	return out, out.Note(Begins, 0, 0, about)
}

// Write writes a record.
func (w *Writer) Write(r Record) error {
	if w.err != nil {
		return w.err
	}
	if len(r.Data) > MaxData {
		return fmt.Errorf("recording: %s of %d bytes, at most %d", r.Kind, len(r.Data), MaxData)
	}
	b := append(w.buf[:0], byte(r.Kind))
	b = binary.LittleEndian.AppendUint32(b, r.Session)
	b = binary.LittleEndian.AppendUint64(b, uint64(max(r.At, 0)/time.Microsecond))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(r.Data)))
	b = append(b, r.Data...)
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(b))
	w.buf = b
	_, w.err = w.z.Write(b)
	return w.err
}

// Note writes a record of JSON.
func (w *Writer) Note(k Kind, session uint32, at time.Duration, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	return w.Write(Record{Kind: k, Session: session, At: at, Data: text})
}

// Flush hands over all records so far, so that they can be read even if no more come.
func (w *Writer) Flush() error {
	if w.err == nil {
		w.err = w.z.Flush()
	}
	return w.err
}

// Close ends the stream. It does not close the writer below.
func (w *Writer) Close() error {
	if err := w.z.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}
