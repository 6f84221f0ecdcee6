package chat

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"sphereserver/world"
)

// A Entry is a line that was said, as operators see it.
type Entry struct {
	At        time.Time
	Channel   world.Channel
	Login     string // of the speaker, empty for the server
	Character string // likewise
	To        string // for a private line: its listener
	Text      string // the message, without the link on its writer
}

const (
	tailLines    = 500  // lines that are kept for [Service.Tail]
	logQueue     = 1024 // lines that wait to be written
	followQueue  = 64   // lines that wait for one follower
	maxFollowers = 64
	// loggedBytes is how much of one account is written in a minute: far more than anybody types.
	loggedBytes = 20 << 10
)

// A lineLog remembers the last lines, hands new ones to followers, and writes them to the operator's chat log. No
// caller waits: a line without room in a queue is dropped and counted.
type lineLog struct {
	out     io.Writer // nil: nothing is written
	log     *slog.Logger
	queue   chan Entry
	dropped atomic.Uint64 // lines that the log has missed

	mu        sync.Mutex
	minute    int64          // since 1970
	logged    map[string]int // bytes of each account in that minute
	tail      []Entry        // a ring once it is full
	first     int            // of the ring
	followers map[chan Entry]struct{}
}

func newLog(out io.Writer, log *slog.Logger) *lineLog {
	return &lineLog{out: out, log: log, queue: make(chan Entry, logQueue), logged: map[string]int{},
		followers: map[chan Entry]struct{}{}}
}

// add takes a line.
func (c *lineLog) add(e Entry) {
	c.mu.Lock()
	if len(c.tail) < tailLines {
		c.tail = append(c.tail, e)
	} else {
		c.tail[c.first] = e
		c.first = (c.first + 1) % tailLines
	}
	for f := range c.followers {
		select {
		case f <- e:
		default: // it is too slow, and has the tail to catch up with
		}
	}
	fits := c.shorten(&e)
	c.mu.Unlock()
	if c.out == nil {
		return
	}
	if !fits {
		c.dropped.Add(1)
		return
	}
	select {
	case c.queue <- e:
	default:
		c.dropped.Add(1)
	}
}

// shorten keeps one account from filling the log: lines beyond the limit of a minute are dropped, with one note.
func (c *lineLog) shorten(e *Entry) (fits bool) {
	if m := e.At.Unix() / 60; m != c.minute {
		c.minute = m
		clear(c.logged)
	}
	before := c.logged[e.Login]
	c.logged[e.Login] += len(e.Text) + len(e.Login) + len(e.Character) + len(e.To)
	switch {
	case e.Login == "" || c.logged[e.Login] <= loggedBytes: // the server may say what it likes
		return true
	case before > loggedBytes:
		return false
	}
	e.Text = fmt.Sprintf("[more than %d KiB in a minute: the rest of this minute is left out]", loggedBytes>>10)
	return true
}

// WriteLog writes spoken lines to [Options.Out] until ctx ends, and then the waiting ones.
func (s *Service) WriteLog(ctx context.Context) {
	c := s.said
	for {
		select {
		case e := <-c.queue:
			c.write(e)
		case <-ctx.Done():
			for len(c.queue) > 0 { // nobody else takes from it
				c.write(<-c.queue)
			}
			return
		}
	}
}

// write writes a line. One that cannot be written is lost; the first of several in a row is noted.
func (c *lineLog) write(e Entry) {
	if _, err := io.WriteString(c.out, e.String()+"\n"); err != nil {
		if c.dropped.Add(1) == 1 {
			c.log.Error("cannot write the chat log", "error", err)
		}
	}
}

var channelNames = map[world.Channel]string{world.Near: "near", world.Whisper: "whisper", world.Normal: "normal",
	world.Trade: "trade", world.Clan: "clan", world.Party: "group", world.ClanSay: "say to clan",
	world.PartySay: "say to group", world.Alliance: "alliance", world.Private: "private", world.Special: "special"}

// ChannelName is the name of the line's channel, as operators see it.
func (e Entry) ChannelName() string {
	if n, ok := channelNames[e.Channel]; ok {
		return n
	}
	return fmt.Sprintf("channel %d", uint8(e.Channel))
}

// String returns the line of the chat log: time, channel, login, character, listener, message, with tabs between
// them. No field has a tab or a line break, so no line can be forged.
func (e Entry) String() string {
	fields := []string{e.At.UTC().Format("2006-01-02T15:04:05.000Z"), e.ChannelName(), e.Login, e.Character, e.To, e.Text}
	for i, f := range fields {
		fields[i] = strings.Map(printable, f)
	}
	return strings.Join(fields, "\t")
}

// printable keeps runes that end no field and no line.
func printable(r rune) rune {
	if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// Tail returns the last lines that were said, oldest first, at most 500.
func (s *Service) Tail() []Entry {
	c := s.said
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last()
}

// last is the tail in its order.
func (c *lineLog) last() []Entry {
	return append(append(make([]Entry, 0, len(c.tail)), c.tail[c.first:]...), c.tail[:c.first]...)
}

// Follow returns the last lines like [Service.Tail], and every further one on a channel until stop is called. The
// channel holds 64 lines; a follower that has not taken them by then misses the next. When 64 others follow already, ok
// is false and there is no channel.
func (s *Service) Follow() (tail []Entry, lines <-chan Entry, stop func(), ok bool) {
	c := s.said
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.followers) >= maxFollowers {
		return nil, nil, func() {}, false
	}
	f := make(chan Entry, followQueue)
	c.followers[f] = struct{}{}
	return c.last(), f, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.followers, f)
	}, true
}
