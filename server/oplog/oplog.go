// Package oplog is the operator's log: log/slog behind a queue, so that neither a full disk nor a stopped terminal can
// hold up the game.
package oplog

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// queueLimit is how many lines may wait for a slow sink. Further ones are dropped, and the next line that gets through
// is preceded by how many.
const queueLimit = 8192

// A Log is a logger with its queue and its sink.
type Log struct {
	*slog.Logger
	Level   *slog.LevelVar // may be changed at any time
	lines   chan []byte
	dropped atomic.Uint64
	done    chan struct{}

	mu     sync.Mutex // between Write and Close
	closed bool
}

// New returns a log that writes lines to w: key=value text for people, or JSON objects for machines.
func New(w io.Writer, level slog.Level, json bool) *Log {
	l := &Log{Level: new(slog.LevelVar), lines: make(chan []byte, queueLimit), done: make(chan struct{})}
	l.Level.Set(level)
	l.Logger = slog.New(handler(queue{l}, json, &slog.HandlerOptions{Level: l.Level}))
	go l.write(w, json)
	return l
}

func handler(w io.Writer, json bool, o *slog.HandlerOptions) slog.Handler {
	if json {
		return slog.NewJSONHandler(w, o)
	}
	return slog.NewTextHandler(w, o)
}

// queue is the io.Writer that handlers write to: each call is one whole line.
type queue struct{ l *Log }

func (q queue) Write(p []byte) (int, error) {
	line := printable(p)
	q.l.mu.Lock()
	defer q.l.mu.Unlock()
	if q.l.closed {
		return len(p), nil
	}
	select {
	case q.l.lines <- line:
	default:
		q.l.dropped.Add(1)
	}
	return len(p), nil
}

// printable is a copy of a line without control characters that a terminal could take for a command: the handlers of
// log/slog pass a delete (text) and the second set of control characters (JSON). Each is escaped as JSON does, so
// that JSON stays valid.
func printable(line []byte) []byte {
	if !bytes.ContainsFunc(line, unseen) {
		return bytes.Clone(line) // the handler uses it again
	}
	out := make([]byte, 0, len(line)+16)
	for _, r := range string(line) {
		if !unseen(r) {
			out = utf8.AppendRune(out, r)
			continue
		}
		for _, unit := range utf16.AppendRune(nil, r) {
			out = fmt.Appendf(out, `\u%04x`, unit)
		}
	}
	return out
}

func unseen(r rune) bool { return r >= 0x7F && !unicode.IsPrint(r) }

func (l *Log) write(w io.Writer, json bool) {
	defer close(l.done)
	for line := range l.lines {
		l.tellDropped(w, json)
		_, _ = w.Write(line) // there is nobody to tell
	}
	l.tellDropped(w, json)
}

// tellDropped writes how many lines have been dropped since it did so last, past the queue.
func (l *Log) tellDropped(w io.Writer, json bool) {
	if n := l.dropped.Swap(0); n > 0 {
		slog.New(handler(w, json, nil)).Warn("log lines dropped: the sink is too slow", "lines", n)
	}
}

// Close writes the lines that wait, for up to a second, and ends the log. Later lines are lost.
func (l *Log) Close() {
	l.mu.Lock()
	if !l.closed {
		l.closed = true
		close(l.lines)
	}
	l.mu.Unlock()
	select {
	case <-l.done:
	case <-time.After(time.Second):
	}
}
