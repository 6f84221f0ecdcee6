package game

import (
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// maxDoubts bounds the accounts of which it is remembered that their moves were not believed. The one of which that is
// longest ago makes room.
const maxDoubts = 1024

// doubts remember the accounts with moves that were not believed. They may be used from any goroutine.
type doubts struct {
	mu sync.Mutex
	of map[data.AccountID]*ops.Doubt
}

func (d *doubts) add(account data.AccountID, login, character string, e *world.MoveRefused, now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.of == nil {
		d.of = map[data.AccountID]*ops.Doubt{}
	}
	one := d.of[account]
	if one == nil {
		if len(d.of) >= maxDoubts {
			d.forgetOldest()
		}
		one = &ops.Doubt{Account: account, First: now}
		d.of[account] = one
	}
	one.Login, one.Character, one.Last, one.At, one.To, one.Why = login, character, now, e.At, e.To, e.Why.Error()
	one.Count++
}

// forgetOldest makes room; d.mu is held.
func (d *doubts) forgetOldest() {
	var oldest *ops.Doubt
	for _, one := range d.of {
		if oldest == nil || one.Last.Before(oldest.Last) {
			oldest = one
		}
	}
	delete(d.of, oldest.Account)
}

// list returns all, in no order.
func (d *doubts) list() []ops.Doubt {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := make([]ops.Doubt, 0, len(d.of))
	for _, one := range d.of {
		out = append(out, *one)
	}
	return out
}
