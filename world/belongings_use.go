package world

import "sphereserver/world/rules"

// UseItem uses a carried item: equipment is put on or taken off ([ItemMoved] follows), a bag is opened ([Opened]),
// anything else is [Used]. A spell that it holds works on the target, or else on the player.
type UseItem struct {
	ID     PlayerID
	Item   rules.ItemID
	Target Target // the zero value: none
}

func (c UseItem) who() PlayerID       { return c.ID }
func (c UseItem) names(n *namedSlots) { n.item(c.Item) }

// free is the use of a mantra or an ability, which is not used up. A theft moves belongings, and so does what is worn.
// MP and HP that a powder on its way costs are not there for another spell.
func (c UseItem) free(w *World, p *player) bool {
	t := p.carried.Find(c.Item)
	if t == nil || t.Class == rules.ClassTheft || p.pending != nil && p.pending.costly {
		return false
	}
	use, k := rules.ClassOf(t.Class).Use, w.tables.KindOf(t)
	worn := t.In == 0 && rules.IsWorn(t.Slot) || k != nil && len(k.Slots) > 0
	return use == rules.Ability || use.Kept() && !worn
}

func (c UseItem) ask(w *World, p *player) rules.RejectReason {
	t := p.carried.Find(c.Item)
	switch {
	case t == nil:
		return rules.NotYours
	case p.offers(t.ID):
		return rules.OnOffer
	}
	k := w.tables.KindOf(t)
	if rules.ClassOf(t.Class).Use == rules.Key && c.Target != (Target{}) {
		return w.travel.unlock(p, c.Target, t)
	}
	switch {
	case k != nil && (t.Class == rules.ClassTransport || t.Class == rules.ClassRebirth || t.Class == rules.ClassAbode):
		return w.travel.useAbility(p, c, t, k)
	case k != nil && (t.Class == rules.ClassWhirl || t.Class == rules.ClassSacrifice || t.Class == rules.ClassRaising):
		return w.spells.useAbility(p, c, t, k)
	case k != nil && t.Class == rules.ClassTheft:
		return w.spells.steal(p, c, t, k)
	case rules.ClassOf(t.Class).Use == rules.Ability:
		return w.spells.cast(p, c, t, k)
	case t.In == 0 && t.Slot == rules.SlotGuild:
		return rules.NoSlot
	case t.In == 0 && rules.IsWorn(t.Slot) && rules.ClassOf(t.Class).Room == 0:
		return w.belongings.takeOff(p, c, t)
	case k != nil && len(k.Slots) > 0 && (rules.ClassOf(t.Class).Room == 0 ||
		t.In == 0 && !rules.IsWorn(t.Slot) && !p.carried.Holds(t.ID)):
		return w.belongings.putOn(p, c, t, k)
	case rules.ClassOf(t.Class).Room > 0:
		return Open{p.ID, Container{Bag: t.ID}}.ask(w, p)
	}
	if rules.ClassOf(t.Class).Use == rules.Read {
		w.tell(Used{ID: p.ID, Item: *t, Left: t.Count})
		return 0
	}
	return w.useThing(p, c, t, k)
}

// useThing uses a thing that is neither worn nor opened nor read.
func (w *World) useThing(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	use := rules.ClassOf(t.Class).Use
	switch use {
	case rules.Token, rules.Return, rules.Permit, rules.Renewal, rules.Atonement:
		if why := w.spells.mayUse(p, k, t.Suffix); why != 0 { // a spell looks for itself, after its costs
			return why
		}
	}
	switch use {
	case rules.Token:
		return w.travel.useToken(p, c, t)
	case rules.Return:
		return w.travel.useStone(p, c, t)
	case rules.Permit:
		return w.travel.useLicence(p, c, t)
	case rules.Renewal:
		return w.vitals.useRenewal(p, c, t)
	case rules.Atonement:
		return w.vitals.atone(p, c, t)
	}
	return w.spells.cast(p, c, t, k)
}

func (be *belongings) takeOff(p *player, c UseItem, t *rules.Item) rules.RejectReason {
	slot, ok := p.carried.Free(0, rules.SlotInventory, rules.EndOfInventory)
	if !ok {
		return rules.NoRoom
	}
	return be.shift(p, c, &p.carried, t, 0, slot)
}

// putOn puts an item into the first free slot in which it is worn, or exchanges it with the item in the first such
// slot.
func (be *belongings) putOn(p *player, c UseItem, t *rules.Item, k *rules.Kind) rules.RejectReason {
	for _, slot := range k.Slots {
		if there := p.carried.At(0, slot); there == nil || be.tables.Stacks(t, there) {
			return be.shift(p, c, &p.carried, t, 0, slot)
		}
	}
	there := p.carried.At(0, k.Slots[0])
	return be.exchange(p, c, &p.carried, t.ID, there.ID)
}

// TakeInHand takes an item that lies in an inventory slot into the hand, where it stays in its slot; 0 empties the
// hand. [HandChanged] follows.
type TakeInHand struct {
	ID    PlayerID
	Item  rules.ItemID
	Fists bool // with Item 0: fists and not the empty hand
}

func (c TakeInHand) who() PlayerID { return c.ID }

func (c TakeInHand) free(w *World, p *player) bool { return c.check(w, p) == 0 }

func (c TakeInHand) ask(w *World, p *player) rules.RejectReason {
	if why := c.check(w, p); why != 0 {
		return why
	}
	p.hand, p.fists = c.Item, c.Item == 0 && c.Fists
	w.tell(HandChanged{p.ID, p.hand})
	w.vitals.recomputeStats(p)
	return 0
}

// check says why a player cannot take the item in its hand.
func (c TakeInHand) check(w *World, p *player) rules.RejectReason {
	if c.Item == 0 {
		return 0
	}
	t := p.carried.Find(c.Item)
	if t == nil {
		return rules.NotYours
	}
	k := w.tables.KindOf(t)
	switch {
	case t.In != 0 || !rules.InInventory(t.Slot) || k == nil || !k.Hand:
		return rules.NoSlot
	case !w.belongings.mayHold(p, t.ID):
		return w.vitals.lacks(p, t)
	}
	return 0
}

// mayHold reports whether the requirements of an item are met, if it is held.
func (be *belongings) mayHold(p *player, id rules.ItemID) bool {
	who := p.character()
	return be.tables.MayHold(&who, &p.carried, id)
}

// SpendPoints raises base values, in the order of [rules.Stats]; negative values count as 0. The first four cost
// points of the title, the others points of the degree. [StatsChanged] follows.
type SpendPoints struct {
	ID    PlayerID
	Spend rules.Stats
}

func (c SpendPoints) who() PlayerID { return c.ID }
func (SpendPoints) alsoDead()       {}

// limit is how many points there are, if they are too few.
func (c SpendPoints) limit(_ *World, p *player, why rules.RejectReason) int {
	switch why {
	case rules.NoTitlePoints:
		return p.Progress.TitlePoints
	case rules.NoDegreePoints:
		return p.Progress.DegreePoints
	}
	return 0
}

func (c SpendPoints) ask(w *World, p *player) rules.RejectReason {
	var title, degree int64
	for i, n := range c.Spend {
		if i < 4 {
			title += int64(max(n, 0))
		} else {
			degree += int64(max(n, 0))
		}
		switch {
		case title > int64(p.Progress.TitlePoints):
			return rules.NoTitlePoints
		case degree > int64(p.Progress.DegreePoints):
			return rules.NoDegreePoints
		}
	}
	if title+degree == 0 {
		return rules.NoUse
	}
	d := w.ledger.tx(p, c)
	d.become = func(p *Player) {
		for i, n := range c.Spend {
			p.Progress.Base[i] += max(n, 0)
		}
		p.Progress.TitlePoints -= int(title)
		p.Progress.DegreePoints -= int(degree)
	}
	w.ledger.commit(d, nil, func() { w.vitals.recomputeStats(p) })
	return 0
}
