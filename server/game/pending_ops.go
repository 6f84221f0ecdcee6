package game

import (
	"sync"

	"sphereserver/world"
	"sphereserver/world/rules"
)

// pendingOps are requests of operators that the world works on.
type pendingOps struct {
	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan outcome
}

// An outcome is the result of an operator's request.
type outcome struct {
	money int64 // of the character now
	why   rules.RejectReason
}

// begin numbers a request.
func (o *pendingOps) begin() (tag uint64, answer chan outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting == nil {
		o.waiting = map[uint64]chan outcome{}
	}
	o.last++
	answer = make(chan outcome, 1)
	o.waiting[o.last] = answer
	return o.last, answer
}

// done answers a request of an operator; false if the command is none.
func (o *pendingOps) done(c world.Command, money int64, why rules.RejectReason) bool {
	tag, is := world.TagOf(c)
	if !is {
		return false
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if answer := o.waiting[tag]; answer != nil {
		answer <- outcome{money, why}
		delete(o.waiting, tag)
	}
	return true
}

// forget is for a request that nobody waits for any more.
func (o *pendingOps) forget(tag uint64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.waiting, tag)
}
