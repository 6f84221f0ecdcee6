package world

import (
	"math"
	"slices"

	"sphereserver/world/rules"
)

// OrderMission is an operator's order about a player's mission. [Granted] follows.
type OrderMission struct {
	ID       PlayerID
	What     MissionOrder
	Goal     rules.MissionGoal // of one that is given
	Template string            // of one that is given, for any goal and level; "": any
	Tag      uint64
}

// A MissionOrder is an action of [OrderMission].
type MissionOrder uint8

// The orders.
const (
	CancelMission MissionOrder = iota
	FinishMission              // as if it were fulfilled
	OrderToGive                // as the nearest giver would, but to any player and at once
)

func (c OrderMission) who() PlayerID { return c.ID }
func (c OrderMission) tag() uint64   { return c.Tag }

func (c OrderMission) ask(w *World, p *player) rules.RejectReason {
	t, m := p.carried.At(0, rules.SlotMission), w.missions.mission(p)
	switch {
	case c.What == OrderToGive && t != nil:
		return rules.HasMission
	case c.What == OrderToGive:
		return w.missions.orderToGive(p, c)
	case t == nil || t.Class != rules.ClassMission || c.What == FinishMission && m == nil:
		return rules.NoMission
	case c.What == CancelMission:
		w.missions.loseMission(p, c, MissionCancelled)
		return 0
	}
	return w.missions.fulfil(p, w.ledger.tx(p, c), nil)
}

// fulfil takes the mission from a player in a transaction, and pays for it; at is where the others of its party get
// their part, nil for nowhere.
func (ms *missions) fulfil(p *player, d *tx, at *entity) rules.RejectReason {
	if ms.mission(p) == nil {
		return rules.NoMission
	}
	key := p.task.key
	done, ok := ms.takeKey(p, d, key)
	if !ok {
		return rules.NoMission
	}
	pays := ms.balance.Mission.Reward(&ms.balance.Experience, &done, 1)
	d.become = func(p *Player) { ms.pay(p, &pays) }
	d.money = min(pays.Money, rules.MaxMoney-p.Money)
	is := p.Player
	d.become(&is)
	r := earned{player: p, coins: d.money, levels: is.Title != p.Title || is.Degree != p.Degree}
	ms.ledger.commit(d, nil, func() {
		r.ended = ms.endMission(p, d, key, done)
		ms.tell(Gained{ms.gain(&r), p.Position})
		ms.granted(p, d.command)
		if at != nil {
			ms.share(at, p, done)
		}
	}).failed = func() { ms.lacksStore(p, d) }
	return 0
}

// waitsFor reports whether an object is the person that waits for a delivery of a player's mission, or is to be led.
func (ms *missions) waitsFor(p *player, o *object) bool {
	m := ms.mission(p)
	npc, ok := o.Kind.(NPC)
	switch {
	case m != nil && o.isWard():
		return o.ward.key == p.task.key
	case m == nil || !ok || o.inside != nil:
		return false
	case m.Kind() == rules.BringParcel:
		return npc.Name == m.Target && o.Position.Distance(m.At) < 1
	}
	return m.Returns() && npc.Giver != nil && npc.Name == m.From
}

// deliver gives a person the item of a player's mission, which fulfils it; or begins to lead the person.
//
// Source: protocol life 4.1, 4.4.
func (ms *missions) deliver(p *player, o *object) rules.RejectReason {
	m := ms.mission(p)
	switch {
	case !ms.waitsFor(p, o):
		return rules.NoMission
	case o.isWard():
		return ms.follow(p, o)
	}
	d := ms.ledger.tx(p, nil)
	if !ms.tables.Deliver(&d.InventoryTx, d.Side(&p.carried), m, p.offers) {
		return rules.NotFulfilled
	}
	return ms.fulfil(p, d, &o.entity)
}

// deliverNearby delivers to a person in reach that waits for it.
func (ms *missions) deliverNearby(p *player) rules.RejectReason {
	why := rules.NoMission
	if ms.mission(p) != nil {
		why = rules.NobodyWaits
	}
	for e := range p.InSight(others) {
		if o := e.object; ms.waitsFor(p, o) {
			if _, _, why = reach[NPC](ms.core, p, o.ID, rules.NoMission); why == 0 {
				return ms.deliver(p, o)
			}
		}
	}
	return why
}

// meet delivers to a person that a player begins to speak to, and reports whether the person waits for a delivery.
func (ms *missions) meet(p *player, o *object) bool {
	why := ms.deliver(p, o)
	if why == rules.NotFulfilled {
		ms.tell(MissionLacks{p.ID, why})
	}
	return why == 0 || why == rules.NotFulfilled
}

// regain gives a player the parcel of its mission after the monster that had it has died.
func (ms *missions) regain(p *player) {
	ms.ledger.whenFree(p, func(p *player) {
		m := ms.mission(p)
		if m == nil || m.Kind() != rules.RegainParcel || m.ParcelIn(&p.carried) != nil {
			return
		}
		d := ms.ledger.tx(p, nil)
		parcel, _ := m.Parcel()
		id, _, why := ms.tables.Pocket(&d.InventoryTx, d.Side(&p.carried), parcel)
		if why != 0 {
			ms.tell(MissionLacks{p.ID, why})
			return
		}
		ms.ledger.commit(d, nil, func() {
			ms.tell(MissionThing{p.ID, d.Moved(id).Is, d.slots(notGround)})
			if m := ms.mission(p); m != nil {
				ms.dismiss(p)
				ms.tell(PlaceMarked{p.ID, m.Back})
			}
		}).failed = func() { ms.lacksStore(p, d) }
	})
}

// lacksStore tells a player that nothing has come of its mission because the store has failed, unless that is the
// answer to its request.
func (ms *missions) lacksStore(p *player, d *tx) {
	if d.command == nil {
		ms.ledger.refuse(p, Mission{ID: p.ID, Word: HandOver}, rules.StoreFailed)
	}
}

// mayTakeParcel says why a player may not take a parcel that lies in a dungeon: only a player with its mission may,
// once.
func (ms *missions) mayTakeParcel(p *player, t *rules.Item) rules.RejectReason {
	m := ms.mission(p)
	if m == nil || m.ParcelIn(&p.carried) != nil {
		return rules.Promised
	}
	if own, ok := m.Parcel(); !ok || !own.Alike(t) {
		return rules.Promised
	}
	return 0
}

// orderToGive gives a player a mission of the nearest giver that has one of the goal.
func (ms *missions) orderToGive(p *player, c OrderMission) rules.RejectReason {
	var from *object
	least := math.Inf(1)
	for _, e := range ms.all[others] {
		npc, ok := e.object.Kind.(NPC)
		if !ok || npc.Giver == nil || e.inside != nil || !npc.Giver.Goals[c.Goal%rules.MissionGoals] {
			continue
		}
		if d := p.Position.Distance(e.At); d < least {
			from, least = e.object, d
		}
	}
	if from == nil {
		return rules.NoGiver
	}
	goal, place, ok := from.Kind.(NPC).Giver.Choose(c.Goal, rules.NearbyPlace)
	if !ok {
		return rules.NoMission
	}
	return ms.makeMission(p, c, from, goal, place, 0)
}

// onlyTemplate returns one template of all, if it is among them, made for a goal, and the level of its own that is
// nearest to another.
func onlyTemplate(all []rules.MissionTemplate, key string, goal rules.MissionGoal, level int) ([]rules.MissionTemplate,
	int) {
	at := slices.IndexFunc(all, func(t rules.MissionTemplate) bool { return t.Key == key })
	if at < 0 {
		return nil, level
	}
	t := all[at]
	t.Goals[goal] = true
	return []rules.MissionTemplate{t}, max(min(level, t.Max), t.Min)
}

// granted tells that an operator's order is done. For requests of players it does nothing.
func (ms *missions) granted(p *player, c Command) {
	if c, ok := c.(OrderMission); ok {
		ms.tell(Granted{ID: p.ID, Command: c, Money: p.Money})
	}
}
