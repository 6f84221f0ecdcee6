package game

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

// A ChatEntry is a line that was said, as operators see it.
type ChatEntry struct {
	At        time.Time
	Channel   world.Channel
	Login     string // of who said it, empty for the server
	Character string // likewise
	To        string // for a private line: who heard it
	Text      string // the message, without the link on its writer
}

const (
	chatTail        = 500  // lines that are kept for [Server.ChatTail]
	chatLogQueue    = 1024 // lines that wait to be written
	chatFollowQueue = 64   // lines that wait for one follower
	chatFollowers   = 64
)

// A chatLog remembers the last lines, hands new ones to followers, and writes them to the operator's chat log. Nobody
// who tells it waits: what finds no room in a queue is dropped and counted.
type chatLog struct {
	out     io.Writer // nil: nothing is written
	log     *slog.Logger
	queue   chan ChatEntry
	dropped atomic.Uint64 // lines that the log has missed

	mu        sync.Mutex
	tail      []ChatEntry // a ring once it is full
	first     int         // of the ring
	followers map[chan ChatEntry]struct{}
}

func newChatLog(out io.Writer, log *slog.Logger) *chatLog {
	return &chatLog{out: out, log: log, queue: make(chan ChatEntry, chatLogQueue),
		followers: map[chan ChatEntry]struct{}{}}
}

// add takes a line.
func (c *chatLog) add(e ChatEntry) {
	c.mu.Lock()
	if len(c.tail) < chatTail {
		c.tail = append(c.tail, e)
	} else {
		c.tail[c.first] = e
		c.first = (c.first + 1) % chatTail
	}
	for f := range c.followers {
		select {
		case f <- e:
		default: // it is too slow, and has the tail to catch up with
		}
	}
	c.mu.Unlock()
	if c.out == nil {
		return
	}
	select {
	case c.queue <- e:
	default:
		c.dropped.Add(1)
	}
}

// run writes lines until ctx ends, and then those that still wait.
func (c *chatLog) run(ctx context.Context) {
	for {
		select {
		case e := <-c.queue:
			c.write(e)
		case <-ctx.Done():
			for {
				select {
				case e := <-c.queue:
					c.write(e)
				default:
					return
				}
			}
		}
	}
}

// write writes a line. One that cannot be written is lost; the first of several in a row is noted.
func (c *chatLog) write(e ChatEntry) {
	if _, err := io.WriteString(c.out, e.String()+"\n"); err != nil {
		if c.dropped.Add(1) == 1 {
			c.log.Error("cannot write the chat log", "error", err)
		}
	}
}

var channelNames = map[world.Channel]string{world.Near: "near", world.Whisper: "whisper", world.Normal: "normal",
	world.Trade: "trade",
	world.Clan:  "clan", world.Group: "group", world.ClanSay: "say to clan", world.GroupSay: "say to group",
	world.Alliance: "alliance",
	world.Private:  "private", world.Special: "special"}

// channelName is the channel's name as operators see it.
func channelName(c world.Channel) string {
	if n, ok := channelNames[c]; ok {
		return n
	}
	return fmt.Sprintf("channel %d", uint8(c))
}

// String returns the line of the chat log: time, channel, login, character, to whom, message, with tabs between them.
// No field has a tab or a line break, so no line can be forged.
func (e ChatEntry) String() string {
	fields := []string{e.At.UTC().Format("2006-01-02T15:04:05.000Z"), channelName(e.Channel), e.Login, e.Character, e.To,
		e.Text}
	for i, f := range fields {
		fields[i] = strings.Map(printable, f)
	}
	return strings.Join(fields, "\t")
}

// printable keeps what ends no field and no line.
func printable(r rune) rune {
	if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
		return ' '
	}
	return r
}

// ChatTail returns the last lines that were said, oldest first, at most 500.
func (s *Server) ChatTail() []ChatEntry {
	c := s.chatLog
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last()
}

// last is the tail in its order.
func (c *chatLog) last() []ChatEntry {
	return append(append(make([]ChatEntry, 0, len(c.tail)), c.tail[c.first:]...), c.tail[:c.first]...)
}

// FollowChat returns the last lines like [Server.ChatTail], and every further one on a channel until stop is called.
// The channel holds 64 lines; a follower that has not taken them by then misses the next. When 64 others follow
// already, ok is false and there is no channel.
func (s *Server) FollowChat() (tail []ChatEntry, lines <-chan ChatEntry, stop func(), ok bool) {
	c := s.chatLog
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.followers) >= chatFollowers {
		return nil, nil, func() {}, false
	}
	f := make(chan ChatEntry, chatFollowQueue)
	c.followers[f] = struct{}{}
	return c.last(), f, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.followers, f)
	}, true
}
