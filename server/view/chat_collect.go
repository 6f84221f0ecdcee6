package view

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"sphereserver/packets"
)

const (
	// ChatPartBytes is how many bytes of text a part of a line has, the last one aside.
	//
	// Source: protocol ingame 15.3.
	ChatPartBytes = 250
	// MaxChatLine is the longest line in bytes, markup included. The longest recorded one has about 1.1 KiB.
	MaxChatLine = 4096
	// chatPatience is how long the parts of one line may take. Clients send them at once.
	chatPatience = 10 * time.Second
)

// A ChatCollector puts a line of chat together from the header and the parts in which a client sends it. It holds
// only received texts; the sizes that a header claims cost nothing. The zero value waits for a header.
//
// Source: protocol ingame 15.3.
type ChatCollector struct {
	header packets.ChatHeader
	begun  time.Duration // of the loop's time
	open   bool          // a header has come and parts are missing
	next   uint16        // the part that is to come
	text   strings.Builder
	length int // of text, in bytes of Windows-1251
}

var (
	errChatUnfinished = errors.New("a new line before the last one was whole")
	errChatStray      = errors.New("a part without a header")
	errChatLate       = fmt.Errorf("a part more than %v after its header", chatPatience)
)

// Begin starts a line. An unfinished line before it is abandoned, and an error says so.
func (c *ChatCollector) Begin(h *packets.ChatHeader, now time.Duration) error {
	var err error
	if c.open {
		err = errChatUnfinished
	}
	c.abandon()
	// A line that fills its last part may be followed by an empty one: nobody has recorded such a line.
	whole := (int64(h.Length) + ChatPartBytes - 1) / ChatPartBytes
	switch parts := int64(h.Parts); {
	case h.Length == 0 || h.Length > MaxChatLine:
		return fmt.Errorf("a line of %d bytes, expected 1 to %d", h.Length, MaxChatLine)
	case parts != whole && (h.Length%ChatPartBytes != 0 || parts != whole+1):
		return fmt.Errorf("a line of %d bytes in %d parts, expected %d", h.Length, h.Parts, whole)
	}
	c.header, c.begun, c.open = *h, now, true
	return err
}

// Add takes a part. The text is whole when it comes back; an error says why the line was abandoned.
func (c *ChatCollector) Add(p *packets.ChatPart, now time.Duration) (text string, whole bool, err error) {
	if !c.open {
		return "", false, errChatStray
	}
	part := strings.TrimRight(p.Text, "\x00") // how many NULs follow it differs
	if err := c.fits(p, part, now); err != nil {
		c.abandon()
		return "", false, err
	}
	c.text.WriteString(part)
	c.length += utf8.RuneCountInString(part)
	if c.next++; c.next < c.header.Parts {
		return "", false, nil
	}
	text = c.text.String()
	c.abandon()
	return text, true, nil
}

// fits reports whether a part is the one that is to come.
func (c *ChatCollector) fits(p *packets.ChatPart, text string, now time.Duration) error {
	left := int(c.header.Length) - c.length
	have := utf8.RuneCountInString(text)
	switch {
	case now-c.begun > chatPatience:
		return errChatLate
	case p.Channel != c.header.Channel:
		return fmt.Errorf("part %d for channel %d, its header is for %d", p.Index, p.Channel, c.header.Channel)
	case p.Index != c.next:
		return fmt.Errorf("part %d, expected part %d", p.Index, c.next)
	case have != min(left, ChatPartBytes):
		return fmt.Errorf("part %d has %d bytes, expected %d", p.Index, have, min(left, ChatPartBytes))
	case strings.IndexByte(text, 0) >= 0:
		return fmt.Errorf("part %d has a NUL inside", p.Index)
	}
	return nil
}

func (c *ChatCollector) abandon() {
	c.open, c.next, c.length = false, 0, 0
	c.text.Reset() // frees it as well
}
