package game

import "sync"

// An outbox is what the world has for one session in one tick: frames, and between them, in their order, what is to be done on
// the session's loop. The world's goroutine fills it; then its loop empties it. A session's outboxes come to its loop in the
// order of the ticks.
type outbox struct {
	to     *Session
	frames []byte
	cues   []cue
}

// A cue is something to be done when the frames before it have gone out.
type cue struct {
	at int // in outbox.frames
	do func(*Session)
}

// A batch is what the world has for one loop in one tick: one outbox for each session.
type batch struct{ boxes []*outbox }

// Outboxes and batches are used again, unless a crowd has made them uncommonly large.
var (
	outboxes = sync.Pool{New: func() any { return new(outbox) }}
	batches  = sync.Pool{New: func() any { return new(batch) }}
)

const (
	keptFrames = 16 << 10 // bytes
	keptCues   = 16
)

func (b *outbox) recycle() {
	clear(b.cues)
	b.to, b.frames, b.cues = nil, b.frames[:0], b.cues[:0]
	if cap(b.frames) <= keptFrames && cap(b.cues) <= keptCues {
		outboxes.Put(b)
	}
}

// empty sends the frames and does the rest.
func (b *outbox) empty(s *Session) {
	sent := 0
	for _, c := range b.cues {
		if c.at > sent {
			s.sendBytes(b.frames[sent:c.at])
			sent = c.at
		}
		if c.do(s); s.ending {
			return
		}
	}
	if len(b.frames) > sent {
		s.sendBytes(b.frames[sent:])
	}
}

// take empties the outboxes of a batch.
func (l *loop) take(all *batch) {
	for i, b := range all.boxes {
		if !b.to.ending {
			l.safely(b.to, b.empty)
		}
		b.recycle()
		all.boxes[i] = nil
	}
	l.flush()
	all.boxes = all.boxes[:0]
	batches.Put(all)
}
