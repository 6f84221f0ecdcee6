package world

import "sphereserver/world/rules"

// steal takes coins or one thing from another player, by an ability of thieves. It counts as a blow, which is ours; it
// wins nothing in a duel.
//
// Source: protocol life 5.2, 5.4, check 7.9.
func (sl *spells) steal(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	s, used := cast{by: p, kind: k, numbers: k.Columns, kept: true}, *t
	id, _ := c.Target.Object.Player()
	q := sl.player(id)
	if why := sl.maySteal(&s, q, t.Suffix); why != 0 {
		return why
	}
	d := sl.ledger.tx(p, c)
	loot, coins := sl.loot(q, t.GameID)
	from, to := d.Side(&q.carried), d.Side(&p.carried)
	stolen := Stolen{By: p.ID, Name: p.Name, From: q.ID}
	if loot != nil {
		stolen.Thing, stolen.Count = *loot, 1
		if _, _, why := d.handOver(sl.tables, from, to, loot, 1); why != 0 {
			return why
		}
	} else if d.money = min(coins, rules.MaxMoney-p.Money); d.money == 0 {
		return rules.EmptySlot
	} else {
		stolen.Count = d.money
	}
	d.others = append(d.others, stake{p: q, money: -d.money})
	sl.ledger.commit(d, nil, func() {
		sl.vitals.updateEquipment(q, d)
		sl.tell(Used{ID: p.ID, Item: used, Left: used.Count})
		sl.startCooldown(&s)
		sl.combat.wrong(q, p)
		sl.tellStolen(stolen, p, to, d)
		sl.tellStolen(stolen, q, from, d)
	})
	return 0
}

// maySteal says why the caster cannot steal from q by an ability with this suffix; 0: it can. q may be nil.
func (sl *spells) maySteal(s *cast, q *player, suffix int) rules.RejectReason {
	p := s.by
	switch {
	case q == nil || q == p || q.gone() || q.leaving || !p.Sees(&q.Body):
		return rules.NoTarget
	case !sl.reaches(s, &q.entity):
		return rules.TooFar
	case p.duels(q):
		return rules.NoUse
	}
	why := sl.combat.mayFight(p, q)
	sl.combat.breakPeace(p, why)
	_, free := p.carried.Free(0, rules.SlotInventory, rules.EndOfInventory)
	switch {
	case why != 0:
		return why
	case !free:
		return rules.NoRoom
	case q.pending != nil:
		return rules.Busy
	}
	return sl.mayCast(s, suffix)
}

// tellStolen tells the thief or the victim what the theft has changed on its side.
func (sl *spells) tellStolen(e Stolen, to *player, side *rules.Side, d *tx) {
	e.ID, e.Money = to.ID, to.Money
	e.Slots = d.slots(exactly(side))
	for _, m := range d.Moves {
		if m.To == side {
			e.Came = append(e.Came, m.Is)
		} else if m.From == side {
			e.Gone = append(e.Gone, m.Was)
		}
	}
	sl.tell(e)
}

// loot draws what a theft takes: a thing, or coins.
func (sl *spells) loot(q *player, ability int) (thing *rules.Item, coins int64) {
	var things []*rules.Item
	for i := range q.carried.Items {
		t := &q.carried.Items[i]
		if rules.StealsThings(ability) && q.carried.MayBeStolen(t) && t.ID != q.hand && q.mayLeave(&q.carried, t) == 0 {
			things = append(things, t)
		}
	}
	coins = rules.StolenCoins(sl.random, q.Money)
	if len(things) == 0 || coins > 0 && sl.random.IntN(2) == 0 {
		return nil, coins
	}
	return things[sl.random.IntN(len(things))], 0
}

// Stolen tells the thief or the victim of a theft what is different for it now.
type Stolen struct {
	ID    PlayerID
	By    PlayerID
	Name  string // of By
	From  PlayerID
	Thing rules.Item   // as it was; ID 0: coins
	Count int64        // of the thing, or coins
	Came  []rules.Item // new, or in another number
	Gone  []rules.Item // no more
	Money int64        // of the player now
	Slots []SlotNow
}

func (Stolen) event() {}
