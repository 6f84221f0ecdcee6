package world

import (
	"math"

	"sphereserver/world/rules"
)

// OrderMission is what an operator does about a player's mission. [Granted] follows.
type OrderMission struct {
	ID   PlayerID
	What MissionOrder
	Goal rules.MissionGoal // of one that is given
	Tag  uint64
}

// A MissionOrder is one of the things that operators do about missions.
type MissionOrder uint8

// The orders.
const (
	CancelMission MissionOrder = iota
	FinishMission              // as if it were fulfilled
	OrderToGive                // as the nearest giver would, but to anybody and at once
)

func (c OrderMission) who() PlayerID { return c.ID }
func (OrderMission) byOperator()     {}

func (c OrderMission) ask(w *World, p *player) rules.RejectReason {
	t, m := p.carried.At(0, rules.SlotMission), w.mission(p)
	switch {
	case c.What == OrderToGive && t != nil:
		return rules.HasMission
	case c.What == OrderToGive:
		return w.orderToGive(p, c)
	case t == nil || t.Class != rules.ClassMission || c.What == FinishMission && m == nil:
		return rules.NoMission
	case c.What == CancelMission:
		w.loseMission(p, c, MissionGivenUp)
		return 0
	}
	return w.fulfil(p, w.tx(p, c), nil)
}

// fulfil has a transaction take the mission of a player, and pay for it; at is where the others of its party have a
// part in it, nil for nowhere.
func (w *World) fulfil(p *player, d *tx, at *entity) rules.RejectReason {
	if w.mission(p) == nil {
		return rules.NoMission
	}
	key := p.task.key
	done, ok := w.takeKey(p, d, key)
	if !ok {
		return rules.NoMission
	}
	pays := w.balance.Mission.Reward(&w.balance.Experience, &done, 1)
	d.become = func(p *Player) { w.pay(p, &pays) }
	d.money = min(pays.Money, rules.MaxMoney-p.Money)
	is := p.Player
	d.become(&is)
	r := earned{player: p, coins: d.money, levels: is.Title != p.Title || is.Degree != p.Degree}
	w.commit(d, nil, func() {
		r.ended = w.endMission(p, d, key, done)
		w.tell(Gained{w.gain(&r), p.Position})
		w.granted(p, d.command)
		if at != nil {
			w.share(at, p, done)
		}
	}).failed = func() { w.lacksStore(p, d) }
	return 0
}

// waitsFor says whether somebody is who is to be brought something for a player's mission, or to be led.
func (w *World) waitsFor(p *player, o *object) bool {
	m := w.mission(p)
	npc, ok := o.Kind.(NPC)
	switch {
	case m != nil && o.ward != nil:
		return o.ward.key == p.task.key
	case m == nil || !ok || o.inside != nil:
		return false
	case m.Kind() == rules.BringParcel:
		return npc.Name == m.Target && o.Position.Distance(m.At) < 1
	}
	return m.Returns() && npc.Giver != nil && npc.Name == m.From
}

// deliver has a player give somebody what his mission is about, which fulfils it; or lead him.
//
// Source: protocol life 4.1, 4.4.
func (w *World) deliver(p *player, o *object) rules.RejectReason {
	m := w.mission(p)
	switch {
	case !w.waitsFor(p, o):
		return rules.NoMission
	case o.ward != nil:
		return w.follow(p, o)
	}
	d := w.tx(p, nil)
	if !w.tables.Deliver(&d.InventoryTx, d.Side(&p.carried), m) {
		return rules.NotFulfilled
	}
	return w.fulfil(p, d, &o.entity)
}

// deliverNearby does the same with whoever near waits for it.
func (w *World) deliverNearby(p *player) rules.RejectReason {
	why := rules.NoMission
	for _, l := range p.links[others] {
		if o := l.other.object; w.waitsFor(p, o) {
			if _, _, why = reach[NPC](w, p, o.ID, rules.NoMission); why == 0 {
				return w.deliver(p, o)
			}
		}
	}
	return why
}

// meet hands over what somebody is to be brought to whom a player begins to speak, and says whether he waits for
// something.
func (w *World) meet(p *player, o *object) bool {
	why := w.deliver(p, o)
	if why == rules.NotFulfilled {
		w.tell(MissionLacks{p.ID, why})
	}
	return why == 0 || why == rules.NotFulfilled
}

// regain has a player whose mission that is get the parcel of a monster that has died.
func (w *World) regain(p *player) {
	w.whenFree(p, func(w *World, p *player) {
		m := w.mission(p)
		if m == nil || m.Kind() != rules.RegainParcel || m.ParcelIn(&p.carried) != nil {
			return
		}
		d := w.tx(p, nil)
		parcel, _ := m.Parcel()
		id, _, why := w.tables.Pocket(&d.InventoryTx, d.Side(&p.carried), parcel)
		if why != 0 {
			w.tell(MissionLacks{p.ID, why})
			return
		}
		w.commit(d, nil, func() {
			w.tell(MissionThing{p.ID, d.Moved(id).Is, d.slots(notGround)})
			if m := w.mission(p); m != nil {
				w.dismiss(p)
				w.tell(PlaceMarked{p.ID, m.Back})
			}
		}).failed = func() { w.lacksStore(p, d) }
	})
}

// lacksStore tells a player that nothing has come of its mission because the store has failed, unless that is the
// answer to its request.
func (w *World) lacksStore(p *player, d *tx) {
	if d.command == nil {
		w.refuse(p, Mission{ID: p.ID, Word: HandOver}, rules.StoreFailed)
	}
}

// mayTakeParcel says why a player may not take a parcel that lies in a dungeon: it is for whose mission it is, once.
func (w *World) mayTakeParcel(p *player, t *rules.Item) rules.RejectReason {
	m := w.mission(p)
	if m == nil || m.ParcelIn(&p.carried) != nil {
		return rules.Promised
	}
	if own, ok := m.Parcel(); !ok || !own.Alike(t) {
		return rules.Promised
	}
	return 0
}

// orderToGive gives a player a mission of the giver who is nearest to it.
func (w *World) orderToGive(p *player, c OrderMission) rules.RejectReason {
	var from *object
	least := math.Inf(1)
	for _, e := range w.all[others] {
		npc, ok := e.object.Kind.(NPC)
		if !ok || npc.Giver == nil || e.inside != nil || !npc.Giver.Goals[c.Goal%rules.MissionGoals] {
			continue
		}
		if d := p.Position.Distance(e.at); d < least {
			from, least = e.object, d
		}
	}
	if from == nil {
		return rules.NoGiver
	}
	return w.makeMission(p, c, from, c.Goal, rules.NearbyPlace)
}

// granted tells that an operator's order is done; of what players ask nothing.
func (w *World) granted(p *player, c Command) {
	if c, ok := c.(OrderMission); ok {
		w.tell(Granted{ID: p.ID, Command: c, Money: p.Money})
	}
}
