package w3host

import (
	"errors"
	"sync"
)

// A mail is something that a game has to look at: a packet, or something to do.
type mail struct {
	from   *player
	packet int // bytes of it
	do     func(*game)
}

// A mailbox is where the event loops leave messages for a game. Packets are copied into one buffer; nothing else is
// allocated for them.
type mailbox struct {
	wake chan struct{} // something has come

	mu     sync.Mutex
	mails  []mail
	bytes  []byte
	closed bool
}

// A mailbox takes at most so much between two turns of the game. A message that does not fit ends its connection.
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

// put leaves a mail, with a copy of its packet if it is one. Only packets can be too many: the others are not more than
// connections and operators.
func (b *mailbox) put(m mail, packet []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return errMailboxClosed
	case m.do == nil && (len(b.mails) >= maxMails || len(b.bytes)+len(packet) > maxMailBytes):
		return errMailboxFull
	}
	m.packet = len(packet)
	b.bytes = append(b.bytes, packet...)
	b.mails = append(b.mails, m)
	select {
	case b.wake <- struct{}{}:
	default:
	}
	return nil
}

// take returns new mails, and takes back the memory that it returned before.
func (b *mailbox) take(mails []mail, bytes []byte) ([]mail, []byte) {
	clear(mails)
	b.mu.Lock()
	defer b.mu.Unlock()
	m, p := b.mails, b.bytes
	b.mails, b.bytes = mails[:0], bytes[:0]
	return m, p
}

// close refuses all mails from now on.
func (b *mailbox) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}
