package oplog

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// A Line is one line of the log, for readers while the server runs.
type Line struct {
	Number  uint64            `json:"number"` // counts up, without gaps
	At      time.Time         `json:"at"`
	Level   slog.Level        `json:"level"`
	Message string            `json:"message"`
	Attrs   map[string]string `json:"attrs,omitempty"`

	// Errors are the attributes that are errors in both languages, by their names.
	Errors map[string]error `json:"-"`
}

const (
	tailLines = 2000
	tailText  = 2000 // bytes of a message or of a value
	tailAttrs = 32
)

// A Tail remembers the last lines of a log.
type Tail struct {
	mu    sync.Mutex
	lines []Line // a ring once it is full
	next  uint64 // number of the next line
}

// Keep makes a log remember its last 2000 lines from now on.
func Keep(l *Log) *Tail {
	t := new(Tail)
	l.Logger = slog.New(&tailHandler{Handler: l.Logger.Handler(), tail: t})
	return t
}

func (t *Tail) add(line Line) {
	t.mu.Lock()
	defer t.mu.Unlock()
	line.Number = t.next
	t.next++
	if len(t.lines) < tailLines {
		t.lines = append(t.lines, line)
	} else {
		t.lines[line.Number%tailLines] = line
	}
}

// From returns the lines from a number on that are still remembered, oldest first, and the number that the next one
// will have.
func (t *Tail) From(number uint64) (lines []Line, next uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	number = max(number, t.next-uint64(len(t.lines)))
	for ; number < t.next; number++ {
		lines = append(lines, t.lines[number%tailLines])
	}
	return lines, t.next
}

// tailHandler hands lines to a tail before it handles them.
type tailHandler struct {
	slog.Handler
	tail   *Tail
	prefix string
	attrs  map[string]string
}

// Handle implements [slog.Handler].
func (h *tailHandler) Handle(ctx context.Context, r slog.Record) error {
	line := Line{At: r.Time, Level: r.Level, Message: cut(r.Message)}
	if len(h.attrs)+r.NumAttrs() > 0 {
		line.Attrs = h.with(r.Attrs)
	}
	for a := range r.Attrs {
		err, is := a.Value.Any().(error)
		if both := (interface{ In(russian bool) string })(nil); is && errors.As(err, &both) {
			if line.Errors == nil {
				line.Errors = map[string]error{}
			}
			line.Errors[h.prefix+a.Key] = err
		}
	}
	h.tail.add(line)
	return h.Handler.Handle(ctx, r)
}

// with are the attributes of the handler and further ones.
func (h *tailHandler) with(further func(func(slog.Attr) bool)) map[string]string {
	attrs := make(map[string]string)
	maps.Copy(attrs, h.attrs)
	for a := range further {
		note(attrs, h.prefix, a)
	}
	return attrs
}

// WithAttrs implements [slog.Handler].
func (h *tailHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &tailHandler{Handler: h.Handler.WithAttrs(attrs), tail: h.tail, prefix: h.prefix,
		attrs: h.with(slices.Values(attrs))}
}

// WithGroup implements [slog.Handler].
func (h *tailHandler) WithGroup(name string) slog.Handler {
	return &tailHandler{Handler: h.Handler.WithGroup(name), tail: h.tail, prefix: h.prefix + name + ".", attrs: h.attrs}
}

// note writes an attribute down, those of a group one by one.
func note(attrs map[string]string, prefix string, a slog.Attr) {
	v := a.Value.Resolve()
	if v.Kind() == slog.KindGroup {
		if a.Key != "" {
			prefix += a.Key + "."
		}
		for _, in := range v.Group() {
			note(attrs, prefix, in)
		}
		return
	}
	if len(attrs) < tailAttrs && a.Key != "" {
		attrs[prefix+a.Key] = cut(v.String())
	}
}

// cut shortens a text that is too long to be remembered.
func cut(text string) string {
	if len(text) > tailText {
		text = text[:tailText] + "…"
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
