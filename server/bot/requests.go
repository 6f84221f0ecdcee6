package bot

import (
	"fmt"
	"slices"
	"time"

	"sphereserver/packets"
)

// answerPatience is how soon a request has to be answered, and the lock released that comes with it.
const answerPatience = 10 * time.Second

// blowPatience is how soon the lock of a blow has to be released: a player that strikes each second or two notices
// more.
const blowPatience = time.Second

// requestOf is the request of a command of the client; ok is false if it waits for no answer. Source: protocol ingame
// 10.4 to 10.8, 11, 12.5.
func (c *Client) requestOf(s *packets.Section, command packets.Command) (w pendingRequest, ok bool) {
	var what string
	var ends answer
	in, used, price, count := packets.NoObject, packets.NoObject, uint32(0), uint32(0)
	switch m := command.(type) {
	case *packets.MoveSlot:
		what, in, ends = fmt.Sprintf("move slot %d to slot %d", m.From, m.To), s.Object, slotTold
	case *packets.SwapItems:
		what, ends = fmt.Sprintf("swap slots %d and %d", m.Slot1, m.Slot2), slotTold
		in = c.holderOf(packets.ObjectID(m.Item1))
	case *packets.PutIntoSlot:
		what, in, ends = fmt.Sprintf("put %s into slot %d", m.Item, m.Slot), s.Object, slotTold
	case *packets.PickUp:
		what, ends = fmt.Sprintf("pick up %s", packets.ObjectID(m.Item)), slotTold
	case *packets.Drop:
		what, in, ends = fmt.Sprintf("drop %s", m.Item), c.holderOf(m.Item), slotTold
	case *packets.Drag:
		what, in, ends = fmt.Sprintf("drag %s", m.Item), m.Item, liesTold
	case *packets.TakeInHand:
		if c.options.Dialect == packets.Dialect2026 { // nothing else answers it
			what, ends = fmt.Sprintf("take %s in hand", m.Item), releaseTold
		}
	case *packets.Use:
		what, in, used = fmt.Sprintf("use %s", s.Object), c.holderOf(s.Object), s.Object
		ends = slotTold | usedTold | openedTold | placeTold
	case *packets.TradeWindow:
		if m.Trader != packets.NoObject {
			what, ends = fmt.Sprintf("trade with %s", m.Trader), windowTold|vaultTold
		}
	case *packets.Buy:
		what, ends, price, count = fmt.Sprintf("buy %d of slot %d", m.Count, m.Slot), boughtTold, m.Price, m.Count
	case *packets.OfferItem:
		what, ends = fmt.Sprintf("offer %s", m.Item), offerTold
	case *packets.AcceptPrice:
		what, ends, price = fmt.Sprintf("sell for %d", m.Price), soldTold, m.Price
	case *packets.MissionRequest:
		what, ends = "ask for a mission", slotTold
	case *packets.SpendPoints:
		what, ends = "spend points", valueTold
	}
	return pendingRequest{what: what, in: in, used: used, ends: ends, price: price, count: count}, ends != 0
}

// locks reports whether the client locks itself with a command. Source: protocol ingame 13.1.
func locks(command packets.Command) bool {
	switch command.(type) {
	case *packets.Use, *packets.UseOn, *packets.PutIntoSlot, *packets.PickUp, *packets.Drop, *packets.Drag,
		*packets.SwapItems, *packets.TakeInHand, *packets.FistBlow:
		return true
	}
	return false
}

// isBlow reports whether a command strikes, or uses something on a target. Of the answer only the release is sure: a
// blow that does not count has no other. Source: protocol fight 7.6.
func isBlow(command packets.Command) bool {
	switch command.(type) {
	case *packets.UseOn, *packets.FistBlow:
		return true
	}
	return false
}

// noticeRequests remembers the request of a body of the client. A body has one request: the last, since a client that
// opens a trade also uses the trader.
func (c *Client) noticeRequests(b *packets.Body, now time.Time) {
	if c.options.Dialect == packets.Classic || c.state != stateInWorld {
		return
	}
	var last pendingRequest
	wishing, locking, blow := false, false, false
	for i := range b.Sections {
		s := &b.Sections[i]
		for _, r := range s.Regions {
			command, ok := packets.CommandOf(r)
			if !ok {
				continue
			}
			locking, blow = locking || locks(command), blow || isBlow(command)
			if w, ok := c.requestOf(s, command); ok {
				last, wishing = w, true
			}
		}
	}
	if locking && c.options.Dialect == packets.Dialect2026 { // today's client; older ones have no lock
		c.busy.locked = append(c.busy.locked, lock{now, blow})
	}
	if blow {
		c.busy.asked = now // it may cost an arrow or a powder
	}
	if wishing {
		last.at, last.ofDead, c.busy.asked = now, c.dead(), now
		c.busy.requests = append(c.busy.requests, last)
		c.tally.Requests.Add(1)
	}
}

// Waits reports whether requests about items wait for their answers.
func (c *Client) Waits() bool { return len(c.busy.requests) > 0 }

// heard ends the oldest request that something answers, and returns it; nil if there is none. A request that words
// have ended may be granted after all: the words were about something else then.
func (c *Client) heard(what answer) *pendingRequest {
	if w := c.answered(func(w *pendingRequest) bool { return w.ends&what != 0 }); w != nil {
		return w
	}
	if w := c.busy.doubtful; w != nil && w.ends&what != 0 {
		c.busy.doubtful, c.update.asked = nil, true
		return w
	}
	return nil
}

// heardWords ends the oldest request: the server may have refused it.
func (c *Client) heardWords() {
	if w := c.answered(func(w *pendingRequest) bool { return w.stays == 0 }); w != nil {
		c.busy.doubtful = w
	}
}

// released ends the oldest lock. More releases than locks do no harm.
func (c *Client) released() {
	c.busy.locked = slices.Delete(c.busy.locked, 0, min(1, len(c.busy.locked)))
	c.heard(releaseTold)
}

// checkRequests finds requests without an answer, and locks that are not released. Only silence counts: the answer
// may lie unread.
func (c *Client) checkRequests() {
	waits := func(since time.Time) time.Duration { return c.quiet.Sub(since).Round(100 * time.Millisecond) }
	late := func(at time.Time) bool { return !c.quiet.IsZero() && c.quiet.Sub(at) >= c.patient(answerPatience) }
	for len(c.busy.locked) > 0 {
		first := c.busy.locked[0]
		if !late(first.at) && (!first.blow || c.quiet.Sub(first.at) < c.patient(blowPatience) || c.behind(time.Now())) {
			break
		}
		c.find(Unreleased, "the client has been locked since %v ago", waits(first.at))
		c.busy.locked = slices.Delete(c.busy.locked, 0, 1)
	}
	for len(c.busy.requests) > 0 && late(c.busy.requests[0].at) {
		w := c.answered(anyRequest)
		if !w.ofDead {
			c.find(NoReply, "%s, %v ago", w.what, waits(w.at))
		}
	}
}

// answered ends the oldest request that fits, and returns it; nil if there is none.
func (c *Client) answered(fits func(*pendingRequest) bool) *pendingRequest {
	for i := range c.busy.requests {
		if w := c.busy.requests[i]; fits(&w) {
			c.busy.requests = slices.Delete(c.busy.requests, i, i+1)
			return &w
		}
	}
	return nil
}

func anyRequest(*pendingRequest) bool { return true }
