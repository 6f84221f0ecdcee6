package world

import (
	"iter"
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A change is a change that the world itself makes to a player.
type change func(p *player)

// A pendingTx is a transaction on its way to be durable. No other transaction has its players or its object meanwhile.
type pendingTx struct {
	*tx
	seq    uint64
	object *object // that lies in the world, nil for none
	done   func()
	failed func() // nil: nothing more than to refuse
}

// A tx is a transaction in the making: of inventories, of the player that asks for it, and of other players.
type tx struct {
	rules.InventoryTx
	stake   // of the requesting player; the zero value for the world's own
	others  []stake
	command Command
	costly  bool // it takes HP or MP that p has now
	changes []rules.ItemChange
}

// A stake is the part of one player in a transaction. It is a delta: it is done to a copy for the store when it is
// asked for, and to the player, which may have gained something meanwhile, when it is durable.
type stake struct {
	p      *player
	money  int64           // gained
	become func(*Player)   // changes levels, progress and pools; nil: they are no part of the change
	to     coords.Position // where p is afterwards, if leads
	leads  bool
	before rules.Pools // as they were before become
}

// A ledger makes changes of belongings durable: requests of players, and changes by the world itself. No other
// transaction has the players or the object of one until the store has answered.
type ledger struct {
	*core
	world *World // for requests

	pendingTxs map[uint64]*pendingTx
	seq        uint64
}

// commit asks for a transaction to be made durable; done is called when it is, to tell the events.
func (lg *ledger) commit(d *tx, o *object, done func()) *pendingTx {
	lg.seq++
	pending := &pendingTx{tx: d, seq: lg.seq, object: o, done: done}
	change := d.change()
	for s := range d.stakes() {
		s.p.pending = pending
	}
	if o != nil {
		o.setPending(pending)
	}
	lg.pendingTxs[pending.seq] = pending
	lg.tell(CommitRequest{pending.seq, change})
	return pending
}

// Committed answers [CommitRequest]: the change is durable, or it has not been made and never will. There is exactly
// one answer to each CommitRequest.
type Committed struct {
	Seq uint64
	IDs []rules.ItemID // of the items in Change.Items, in order
	Err error
}

func (Committed) who() PlayerID { return 0 }

func (c Committed) do(w *World) {
	d := w.ledger.pendingTxs[c.Seq]
	if d == nil {
		return
	}
	delete(w.ledger.pendingTxs, c.Seq)
	p := d.p
	for s := range d.stakes() {
		s.p.pending = nil
	}
	if d.object != nil {
		d.object.setPending(nil)
	}
	if c.Err == nil && len(c.IDs) == len(d.changes) {
		d.Apply(c.IDs)
		for s := range d.stakes() {
			w.ledger.becomes(s)
		}
		if d.done != nil {
			d.done()
		}
		if p != nil {
			w.vitals.updateEquipment(p, d.tx)
		}
		w.ledger.tellOpeners(d)
	} else {
		if d.failed != nil {
			d.failed()
		}
		if p != nil && d.command != nil {
			w.ledger.refuse(p, d.command, rules.StoreFailed)
		}
	}
	for s := range d.stakes() {
		w.ledger.catchUp(s.p)
	}
}

// becomes applies a stake that is durable now to its player.
func (lg *ledger) becomes(s *stake) {
	p := s.p
	p.Money += s.money
	if s.before = p.Pools; s.become != nil {
		s.become(&p.Player)
	}
	if s.become != nil || s.leads {
		p.Revision++
		lg.markUnsaved(p) // states handed over to be saved are of the revision before
	}
}

// whenFree changes a player by the world itself: at once, or when the transaction under way for it is settled. That
// is never refused. It comes in order, and before all requests of the player.
func (lg *ledger) whenFree(p *player, do change) {
	if p.pending != nil || p.due.len() > 0 {
		p.due.push(do)
		return
	}
	do(p)
}

// catchUp does waiting changes and requests, until a transaction is under way again.
func (lg *ledger) catchUp(p *player) {
	for p.pending == nil {
		switch {
		case p.due.len() > 0:
			p.due.shift()(p)
		case p.waiting.len() > 0:
			lg.serve(p, p.waiting.shift())
		default:
			return
		}
	}
}

// A queue is in order what waits for something. It takes the room of a pointer, since most are empty.
type queue[T any] struct{ list *[]T }

func (q *queue[T]) len() int {
	if q.list == nil {
		return 0
	}
	return len(*q.list)
}

func (q *queue[T]) push(v T) {
	if q.list == nil {
		q.list = new([]T)
	}
	*q.list = append(*q.list, v)
}

// shift takes the first of a queue that is not empty.
func (q *queue[T]) shift() T {
	first := (*q.list)[0]
	if *q.list = slices.Delete(*q.list, 0, 1); len(*q.list) == 0 {
		q.list = nil
	}
	return first
}

// slots lists the changed slots of those inventories for which concerns is true.
func (d *tx) slots(concerns func(*rules.Side) bool) (out []SlotNow) {
	type spot struct {
		s    *rules.Side
		in   rules.ItemID
		slot int
	}
	var seen []spot
	note := func(s *rules.Side, in rules.ItemID, slot int, weightOnly bool) {
		at := spot{s, in, slot}
		c, ok := containerOf(&s.Inventory, in)
		if !ok || slices.Contains(seen, at) {
			return
		}
		seen = append(seen, at)
		now := SlotNow{In: c, Slot: slot}
		if t := s.At(in, slot); t != nil {
			now.Item, now.Weight, now.WeightOnly = t.ID, s.Weight(t), weightOnly
		}
		out = append(out, now)
	}
	for _, m := range d.Moves {
		if m.From != nil && concerns(m.From) && !d.along(&m) && m.From.At(m.Was.In, m.Was.Slot) == nil {
			note(m.From, m.Was.In, m.Was.Slot, false)
		}
	}
	for _, m := range d.Moves {
		if m.To != nil && concerns(m.To) && !d.along(&m) {
			note(m.To, m.Is.In, m.Is.Slot, m.From == m.To && m.Was.In == m.Is.In && m.Was.Slot == m.Is.Slot)
		}
	}
	for i := 0; i < len(seen); i++ { // grows: bags in bags
		s := seen[i].s
		if bag := s.Find(seen[i].in); bag != nil {
			if was := s.Before.Find(bag.ID); was == nil || s.Before.Weight(was) != s.Weight(bag) {
				note(s, bag.In, bag.Slot, true)
			}
		}
	}
	return out
}

// along reports whether an item has only gone along with the bag it is in.
func (d *tx) along(m *rules.Move) bool {
	if m.From == nil || m.To == nil || m.From == m.To || m.Was.In != m.Is.In || m.Was.In == 0 {
		return false
	}
	bag := d.Moved(m.Was.In)
	return bag != nil && bag.From == m.From && bag.To == m.To
}

// notGround reports whether a side is the player's own or its vault.
func notGround(s *rules.Side) bool { return s.Ground == nil }

func all(*rules.Side) bool { return true }

func exactly(side *rules.Side) func(*rules.Side) bool {
	return func(s *rules.Side) bool { return s == side }
}

func (lg *ledger) tellOpeners(d *pendingTx) {
	o := d.object
	if o == nil || !o.lies() || lg.object(o.ID) != o {
		return
	}
	e := BagChanged{Object: o.ID}
	for _, u := range o.users {
		if u != d.p && u.Sees(&o.Body) {
			e.To = append(e.To, u.ID)
		}
	}
	if len(e.To) == 0 {
		return
	}
	for _, m := range d.Moves {
		in, out := m.To != nil && m.To.Was == o.inventory, m.From != nil && m.From.Was == o.inventory
		if in && !out {
			e.Came = append(e.Came, m.Is)
		}
		if out && !in {
			e.Left = append(e.Left, m.Was)
		}
	}
	e.Slots = d.slots(func(s *rules.Side) bool { return s.Was == o.inventory })
	lg.tell(e)
}

func (lg *ledger) tx(p *player, c Command) *tx { return &tx{stake: stake{p: p}, command: c} }

// stakes iterates over the stakes of all players in a transaction.
func (d *tx) stakes() iter.Seq[*stake] {
	return func(yield func(*stake) bool) {
		if d.p != nil && !yield(&d.stake) {
			return
		}
		for i := range d.others {
			if !yield(&d.others[i]) {
				return
			}
		}
	}
}

func (d *tx) change() rules.Change {
	d.changes = d.Changes()
	out := rules.Change{Items: d.changes}
	for s := range d.stakes() {
		p := s.p
		if s.money != 0 {
			out.Money = append(out.Money, rules.MoneyChange{Character: p.Character, Was: p.Money, Is: p.Money + s.money})
		}
		if s.become != nil {
			is := p.Player
			s.become(&is)
			out.Progress = append(out.Progress, rules.ProgressChange{Character: p.Character, Revision: p.Revision + 1,
				Title: is.Title, Degree: is.Degree, Progress: is.Progress, Pools: is.Pools})
		}
		if s.leads {
			out.Places = append(out.Places, rules.PlaceChange{Character: p.Character, Revision: p.Revision + 1, Is: s.to})
		}
	}
	return out
}
