package view

import "sync"

// An Outbox is the world's output for one session in one tick: frames, and between them, in their order, calls for
// the session's loop. The world's goroutine fills it; then its loop empties it. A session's outboxes come to its loop
// in the order of the ticks.
type Outbox struct {
	to     *Client
	frames []byte
	calls  []deferredCall
	urgent bool // there is more in it than where others walk
}

// A deferredCall is to be made when the frames before it have gone out.
type deferredCall struct {
	at int // in Outbox.frames
	do func()
}

// A batch is the world's output for one loop in one tick: one outbox for each session.
type batch struct {
	boxes []*Outbox
	queue *LoopQueue
	run   func() // handOut, bound once
}

// Outboxes and batches are used again, unless a crowd has made them uncommonly large: a player that comes into one is
// shown 256 others at once, and any outbox may be that player's next time.
var (
	outboxes = sync.Pool{New: func() any { return new(Outbox) }}
	batches  sync.Pool
)

const (
	keptFrames = 3 << 10 // bytes; a crowd's steps of half a second are about 1 KiB
	keptCalls  = 16
)

func (b *Outbox) recycle() {
	clear(b.calls)
	b.to, b.frames, b.calls, b.urgent = nil, b.frames[:0], b.calls[:0], false
	if cap(b.frames) <= keptFrames && cap(b.calls) <= keptCalls {
		outboxes.Put(b)
	}
}

// Empty sends the frames and makes the calls, until the session ends.
func (b *Outbox) Empty(to Owner) {
	if !b.urgent {
		to.SendBytesSoon(b.frames)
		return
	}
	sent := 0
	for _, c := range b.calls {
		if c.at > sent {
			to.SendBytes(b.frames[sent:c.at])
			sent = c.at
		}
		if c.do(); to.Ending() {
			return
		}
	}
	if len(b.frames) > sent {
		to.SendBytes(b.frames[sent:])
	}
}

// newBatch returns an empty batch for a loop.
func newBatch(q *LoopQueue) *batch {
	all, ok := batches.Get().(*batch)
	if !ok {
		all = new(batch)
		all.run = all.handOut
	}
	all.queue = q
	return all
}

// handOut hands the outboxes of a batch to their sessions, on their loop.
func (all *batch) handOut() {
	for i, b := range all.boxes {
		b.to.owner.Receive(b)
		b.recycle()
		all.boxes[i] = nil
	}
	all.queue.passed()
	emptied := all.queue.emptied
	all.end()
	emptied()
}

// end gives a batch back that is empty, or that a loop which has stopped never empties.
func (all *batch) end() {
	clear(all.boxes)
	all.boxes, all.queue = all.boxes[:0], nil
	batches.Put(all)
}
