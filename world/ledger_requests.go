package world

import (
	"math"

	"sphereserver/world/rules"
)

// A worldCommand is a command that is done at once.
type worldCommand interface {
	Command
	do(w *World)
}

// An act is a command of a player that is done at once, unless the player is not inside.
type act interface {
	Command
	act(w *World, p *player)
}

// An arrangement is an act that concerns parties. [PartyRefused] answers one that is not allowed.
type arrangement interface {
	Command
	arrange(w *World, p *player) rules.RejectReason
}

// A request is a command of a player or an operator that concerns belongings. [Refused] answers one that is not
// allowed, which changes nothing. A durable change is told by [CommitRequest] first, and done when [Committed] says
// that it is durable. Until then further requests of the player wait, eight at most. A request of a player that is
// not inside is dropped; one of an operator for such a player is refused.
//
// Beside ask, a request may have these methods: names lists the slots that a refusal restates, limit is the number
// that it names; tag is that of an operator's order, alsoDead says that the dead may; free says that it can be done
// now without a durable change, so that it does not wait.
type request interface {
	Command
	// ask checks the request, and does it or begins to.
	ask(w *World, p *player) rules.RejectReason
}

// mostWaiting is how many requests of a player wait while one is made durable.
const mostWaiting = 8

// request does a player's request, at once or when it is free.
func (lg *ledger) request(p *player, r request) {
	switch {
	case p == nil || p.leaving:
		lg.tooLate(r)
	case p.pending == nil || lg.waitsForNothing(p, r):
		lg.serve(p, r)
	case p.waiting.len() < mostWaiting:
		p.waiting.push(r)
	default:
		lg.refuse(p, r, rules.Busy)
	}
}

// waitsForNothing reports whether a request can be served while a transaction of the player is under way: fights wait
// for no store. A request that would be refused now waits, since the transaction may change that.
func (lg *ledger) waitsForNothing(p *player, r request) bool {
	f, may := r.(interface{ free(*World, *player) bool })
	return may && f.free(lg.world, p)
}

// tooLate drops a request of a player that is not inside, or refuses an operator's.
func (lg *ledger) tooLate(r request) {
	if _, is := TagOf(r); is {
		lg.tell(Refused{ID: r.who(), Command: r, Why: rules.NobodyThere})
	}
}

// dropWaiting drops the requests that wait, since the player leaves.
func (lg *ledger) dropWaiting(p *player) {
	for p.waiting.len() > 0 {
		lg.tooLate(p.waiting.shift())
	}
}

// TagOf is the tag of an operator's order; false if a command is none.
func TagOf(c Command) (tag uint64, is bool) {
	o, is := c.(interface{ tag() uint64 })
	if is {
		tag = o.tag()
	}
	return tag, is
}

func (lg *ledger) serve(p *player, r request) {
	why := lg.deadMay(p, r)
	if why == 0 {
		why = r.ask(lg.world, p)
	}
	if why != 0 {
		lg.refuse(p, r, why)
	}
}

// deadMay refuses requests that a dead player may not make.
func (lg *ledger) deadMay(p *player, r request) rules.RejectReason {
	if _, ordered := TagOf(r); ordered || p.Pools.HP > 0 || p.Pools.MaxHP == 0 {
		return 0
	}
	if _, may := r.(interface{ alsoDead() }); may {
		return 0
	}
	return rules.Dead
}

func (lg *ledger) refuse(p *player, r Command, why rules.RejectReason) {
	n := namedSlots{p: p}
	if r, ok := r.(interface{ names(*namedSlots) }); ok {
		r.names(&n)
	}
	limit := 0
	if r, ok := r.(interface {
		limit(*World, *player, rules.RejectReason) int
	}); ok {
		limit = r.limit(lg.world, p, why)
	}
	lg.tell(Refused{p.ID, r, why, n.slots, limit, p.Money})
}

// needed is the price that a refusal names, if it is about money: that of so many at a price for each. 0: none.
func needed(why rules.RejectReason, price int64, count int) int {
	if total := price * int64(count); why == rules.TooPoor && total > 0 {
		return int(min(total, math.MaxInt))
	}
	return 0
}
