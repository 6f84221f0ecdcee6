package bot

import (
	"fmt"
	"time"

	"sphereserver/packets"
)

// answerPatience is how soon a request has to be answered, and the lock released that comes with it.
const answerPatience = 10 * time.Second

// requestOf is what a command of the client waits for; ok is false if that is nothing.
//
// Source: protocol ingame 10.4 to 10.8, 11, 12.5.
func (c *Client) requestOf(s *packets.Section, command packets.Command) (w pendingRequest, ok bool) {
	switch m := command.(type) {
	case *packets.MoveSlot:
		w = pendingRequest{what: fmt.Sprintf("move slot %d to slot %d", m.From, m.To), in: s.Object, ends: slotTold}
	case *packets.SwapItems:
		w = pendingRequest{what: fmt.Sprintf("swap slots %d and %d", m.Slot1, m.Slot2),
			in: c.holderOf(packets.ObjectID(m.Item1)), ends: slotTold}
	case *packets.PutIntoSlot:
		w = pendingRequest{what: fmt.Sprintf("put %s into slot %d", m.Item, m.Slot), in: s.Object, ends: slotTold}
	case *packets.PickUp:
		w = pendingRequest{what: fmt.Sprintf("pick up %s", packets.ObjectID(m.Item)), ends: slotTold}
	case *packets.Drop:
		w = pendingRequest{what: fmt.Sprintf("drop %s", m.Item), in: c.holderOf(m.Item), ends: slotTold}
	case *packets.Drag:
		w = pendingRequest{what: fmt.Sprintf("drag %s", m.Item), in: m.Item, ends: liesTold}
	case *packets.TakeInHand:
		w = pendingRequest{what: fmt.Sprintf("take %s in hand", m.Item), ends: releaseTold}
	case *packets.Use, *packets.UseOn:
		w = pendingRequest{what: fmt.Sprintf("use %s", s.Object), in: c.holderOf(s.Object),
			ends: slotTold | usedTold | openedTold | placeTold}
	case *packets.TradeWindow:
		w = pendingRequest{what: fmt.Sprintf("trade with %s", m.Trader), ends: windowTold | openedTold}
		return w, m.Trader != packets.NoObject
	case *packets.Buy:
		w = pendingRequest{what: fmt.Sprintf("buy %d of slot %d", m.Count, m.Slot), ends: boughtTold, price: m.Price,
			count: m.Count}
	case *packets.OfferItem:
		w = pendingRequest{what: fmt.Sprintf("offer %s", m.Item), ends: offerTold}
	case *packets.AcceptPrice:
		w = pendingRequest{what: fmt.Sprintf("sell for %d", m.Price), ends: soldTold, price: m.Price}
	case *packets.SpendPoints:
		w = pendingRequest{what: "spend points", ends: valueTold}
	default:
		return w, false
	}
	return w, true
}

// locks says whether the client locks itself with a command.
//
// Source: protocol ingame 13.1.
func locks(command packets.Command) bool {
	switch command.(type) {
	case *packets.Use, *packets.UseOn, *packets.PutIntoSlot, *packets.PickUp, *packets.Drop, *packets.Drag, *packets.SwapItems, *packets.TakeInHand,
		*packets.FistBlow:
		return true
	}
	return false
}

// noticeRequests remembers what a body of the client asks for. A body has one request: the last, for who opens a
// trade also uses the trader.
func (c *Client) noticeRequests(b *packets.Body, now time.Time) {
	if c.options.Dialect == packets.Classic || c.state != stateInWorld {
		return
	}
	var last pendingRequest
	wishing, locking := false, false
	for i := range b.Sections {
		s := &b.Sections[i]
		for _, r := range s.Regions {
			command, ok := packets.CommandOf(r)
			if !ok {
				continue
			}
			locking = locking || locks(command)
			if w, ok := c.requestOf(s, command); ok {
				last, wishing = w, true
			}
		}
	}
	if locking && c.options.Dialect == packets.Dialect2026 { // today's client; older ones have no lock
		c.busy.locked = append(c.busy.locked, now)
	}
	if wishing {
		last.at, c.busy.asked = now, now
		c.busy.requests = append(c.busy.requests, last)
		c.tally.Requests.Add(1)
	}
}

// Waits says whether requests about items wait for their answers.
func (c *Client) Waits() bool { return len(c.busy.requests) > 0 }

// heard ends the oldest request that something answers, and returns it; nil if there is none. A request that words
// have ended may be granted after all: the words were about something else then.
func (c *Client) heard(what answer) *pendingRequest {
	for i := range c.busy.requests {
		if c.busy.requests[i].ends&what != 0 {
			return c.endRequest(i)
		}
	}
	if w := c.busy.doubtful; w != nil && w.ends&what != 0 {
		c.busy.doubtful = nil
		return w
	}
	return nil
}

func (c *Client) endRequest(i int) *pendingRequest {
	w := c.busy.requests[i]
	c.busy.requests = append(c.busy.requests[:i], c.busy.requests[i+1:]...)
	return &w
}

// heardOfSlot ends the oldest request about slots, of the own character or of the container that the request is about.
func (c *Client) heardOfSlot(in packets.ObjectID) {
	for i := range c.busy.requests {
		if w := &c.busy.requests[i]; w.ends&slotTold != 0 && (in == c.ID() || in == w.in) {
			c.endRequest(i)
			return
		}
	}
}

// heardWords ends the oldest request: the server may have refused it.
func (c *Client) heardWords() {
	if len(c.busy.requests) > 0 {
		c.busy.doubtful = c.endRequest(0)
	}
}

// released ends the oldest lock. More releases than locks do no harm.
func (c *Client) released() {
	if len(c.busy.locked) > 0 {
		c.busy.locked = append(c.busy.locked[:0], c.busy.locked[1:]...)
	}
	c.heard(releaseTold)
}

// checkRequests finds requests without an answer, and locks that are not released. Only silence counts: the answer
// may lie unread.
func (c *Client) checkRequests() {
	late := func(at time.Time) bool { return !c.quiet.IsZero() && c.quiet.Sub(at) >= answerPatience }
	for len(c.busy.locked) > 0 && late(c.busy.locked[0]) {
		c.find(Unreleased, "the client has been locked since %v ago",
			c.quiet.Sub(c.busy.locked[0]).Round(100*time.Millisecond))
		c.busy.locked = append(c.busy.locked[:0], c.busy.locked[1:]...)
	}
	for len(c.busy.requests) > 0 && late(c.busy.requests[0].at) {
		c.find(NoReply, "%s, %v ago", c.busy.requests[0].what, c.quiet.Sub(c.busy.requests[0].at).Round(100*time.Millisecond))
		c.endRequest(0)
	}
}
