package recording

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"math"
	"time"
)

// A DamageError says where a recording cannot be read any further. The records before it are whole.
type DamageError struct {
	Offset int64 // of the first byte that is wrong or missing, in the file without its compression
	Record int   // that it belongs to, from 1; 0 for the head
	Err    error
}

// Error names the place and the fault there.
func (e *DamageError) Error() string {
	where := "head"
	if e.Record > 0 {
		where = fmt.Sprintf("record %d", e.Record)
	}
	return fmt.Sprintf("recording: %s at byte %d (uncompressed): %v", where, e.Offset, e.Err)
}

// Unwrap is the fault.
func (e *DamageError) Unwrap() error { return e.Err }

// Faults of a recording.
var (
	ErrNotRecording = errors.New("this is no recording of sessions")
	ErrCut          = errors.New("the file is cut off")
	ErrNoEnd        = errors.New("the file has no last record: the recording was not ended in order")
	ErrChecksum     = errors.New("the checksum does not match")
)

var gzipMagic = []byte{0x1F, 0x8B}

// Read returns the records of a recording, in gzip or without it. Damage is an error at the end, a [*DamageError];
// all records before it are whole. A record and its data are the caller's.
func Read(r io.Reader) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		in, err := open(r)
		if err != nil {
			yield(Record{}, &DamageError{Err: err})
			return
		}
		in.records(yield)
	}
}

type reader struct {
	r      io.Reader
	offset int64
	number int // of the record
}

func open(r io.Reader) (*reader, error) {
	b := bufio.NewReader(r)
	head, err := b.Peek(len(gzipMagic))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(head, gzipMagic) {
		return &reader{r: b}, nil
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecording, err)
	}
	return &reader{r: bufio.NewReader(z)}, nil
}

func (in *reader) records(yield func(Record, error) bool) {
	if err := in.head(); err != nil {
		yield(Record{}, err)
		return
	}
	for ended := false; ; {
		r, err := in.next()
		switch {
		case errors.Is(err, io.EOF) && ended:
			return
		case errors.Is(err, io.EOF):
			yield(Record{}, &DamageError{in.offset, in.number, ErrNoEnd})
			return
		case err != nil:
			yield(Record{}, err)
			return
		}
		ended = r.Kind == Ends
		if !yield(r, nil) {
			return
		}
	}
}

func (in *reader) head() error {
	head, err := in.take(headBytes)
	switch {
	case errors.Is(err, io.EOF) || err == nil && string(head[:len(Magic)]) != Magic:
		return &DamageError{Err: ErrNotRecording}
	case err != nil:
		return err
	}
	if v := binary.LittleEndian.Uint16(head[len(Magic):]); v != Version {
		return &DamageError{Offset: int64(len(Magic)), Err: fmt.Errorf("version %d, expected %d", v, Version)}
	}
	return nil
}

// take reads n bytes. At the end of the file the error is io.EOF where there are none at all, else a [*DamageError].
func (in *reader) take(n int) ([]byte, error) {
	b := make([]byte, n)
	have, err := io.ReadFull(in.r, b)
	if err != nil && !(errors.Is(err, io.EOF) && have == 0) {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = ErrCut
		}
		return nil, &DamageError{in.offset + int64(have), in.number, err}
	}
	if err == nil {
		in.offset += int64(n)
	}
	return b, err
}

// next reads a record; io.EOF stands for the end of the file.
func (in *reader) next() (Record, error) {
	in.number++
	start := in.offset
	head, err := in.take(recordBytes)
	if err != nil {
		return Record{}, err
	}
	at, n := binary.LittleEndian.Uint64(head[5:]), binary.LittleEndian.Uint32(head[13:])
	if n > MaxData {
		return Record{}, &DamageError{start + 13, in.number, fmt.Errorf("a length of %d bytes, at most %d", n, MaxData)}
	}
	data, err := in.take(int(n) + sumBytes)
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = &DamageError{in.offset, in.number, ErrCut}
		}
		return Record{}, err
	}
	data, sum := data[:n:n], binary.LittleEndian.Uint32(data[n:])
	if crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, data) != sum {
		return Record{}, &DamageError{start, in.number, ErrChecksum}
	}
	if at > math.MaxInt64/uint64(time.Microsecond) {
		return Record{}, &DamageError{start + 5, in.number, fmt.Errorf("a time of %d microseconds", at)}
	}
	return Record{Kind(head[0]), binary.LittleEndian.Uint32(head[1:]), time.Duration(at) * time.Microsecond, data}, nil
}

// Decode reads the JSON of a record that is no frame.
func Decode[T any](r Record) (T, error) {
	var value T
	if err := json.Unmarshal(r.Data, &value); err != nil {
		return value, fmt.Errorf("recording: %s: %w", r.Kind, err)
	}
	return value, nil
}
