package w3host

import (
	"errors"
	"sync"
)

// A mail is something that a game has to look at: a packet, the end of a connection, or something to do.
type mail struct {
	from   *player
	packet int  // bytes of it
	gone   *End // the connection has ended so, unless the game has ended it before
	do     func(*game)
}

// A mailbox is where the event loops leave what is for a game. Packets are copied into one buffer; nothing else is
// allocated for them.
type mailbox struct {
	wake chan struct{} // something has come

	mu     sync.Mutex
	mails  []mail
	bytes  []byte
	closed bool
}

// A mailbox takes at most so much between two turns of the game. What does not fit ends the connection that it came
// from.
const (
	maxMails     = 8192
	maxMailBytes = 4 << 20
)

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// Errors of a mailbox.
var (
	errMailboxFull   = errors.New("the game's queue is full")
	errMailboxClosed = errors.New("the game is over")
)

// packet leaves a packet; it is copied.
func (b *mailbox) packet(from *player, packet []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return errMailboxClosed
	case len(b.mails) >= maxMails || len(b.bytes)+len(packet) > maxMailBytes:
		return errMailboxFull
	}
	b.bytes = append(b.bytes, packet...)
	b.put(mail{from: from, packet: len(packet)})
	return nil
}

// gone leaves word of the end of a connection, of which there are not more than connections. It reports false when the
// game is over.
func (b *mailbox) gone(from *player, end *End) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.put(mail{from: from, gone: end})
	return true
}

// ask leaves something to do, and reports whether it will be done.
func (b *mailbox) ask(do func(*game)) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return false
	}
	b.put(mail{do: do})
	return true
}

func (b *mailbox) put(m mail) {
	b.mails = append(b.mails, m)
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take returns what has come, and takes back what it returned before.
func (b *mailbox) take(mails []mail, bytes []byte) ([]mail, []byte) {
	clear(mails)
	b.mu.Lock()
	defer b.mu.Unlock()
	m, p := b.mails, b.bytes
	b.mails, b.bytes = mails[:0], bytes[:0]
	return m, p
}

// close refuses whatever comes from now on.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}
