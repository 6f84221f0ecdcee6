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
	switch {
	case q == nil || q == p || q.gone() || q.leaving || !p.Sees(&q.Body):
		return rules.NoTarget
	case !sl.reaches(&s, &q.entity):
		return rules.TooFar
	case p.duels(q):
		return rules.NoUse
	}
	why := sl.combat.mayFight(p, q)
	sl.combat.breakPeace(p, why)
	if _, free := p.carried.Free(0, rules.SlotInventory, rules.EndOfInventory); why == 0 && !free {
		why = rules.NoRoom
	}
	if why == 0 && q.pending != nil {
		why = rules.Busy
	}
	if why == 0 {
		why = sl.mayCast(&s, t.Suffix)
	}
	if why != 0 {
		return why
	}
	d := sl.ledger.tx(p, c)
	loot, coins := sl.loot(q, t.GameID)
	from, to := d.Side(&q.carried), d.Side(&p.carried)
	stolen := Stolen{By: p.ID, From: q.ID}
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
		for _, side := range []struct {
			of *player
			s  *rules.Side
		}{{p, to}, {q, from}} {
			e := stolen
			e.ID, e.Money, e.Name = side.of.ID, side.of.Money, p.Name
			e.Slots = d.slots(func(s *rules.Side) bool { return s == side.s })
			for _, m := range d.Moves {
				if m.To == side.s {
					e.Came = append(e.Came, m.Is)
				} else if m.From == side.s {
					e.Gone = append(e.Gone, m.Was)
				}
			}
			sl.tell(e)
		}
	})
	return 0
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
