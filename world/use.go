package world

import "time"

// food is how much satiety eating one gives. The numbers are ours: the documents only say that there is satiety.
var food = map[int]int{
	650: 5, 651: 5, // apple, pear
	653: 10, 654: 10, 655: 15, 652: 20, // bread, fish, dried fish, jerky
	714: 3,   // champagne
	473: 100, // traveller's ration
}

// Classes of what is used in a way of its own.
const (
	classScroll    = 90
	classRecipe    = 91
	classMap       = 703
	classToken     = 66
	classTokenRing = 127 // of the newcomers' dungeon
	classCharged   = 3080
	firstPowder    = 431 // to 473: powders, potions, elixirs
	lastPowder     = 473
	classWhite     = 1000 // mantras, which are not used up
	classBlack     = 1001
)

func (c UseItem) ask(w *World, p *player, now time.Time) RejectReason {
	t := p.carried.find(c.Item)
	if t == nil {
		return NotYours
	}
	k := w.rules.Of(t)
	switch {
	case t.In == 0 && t.Slot >= slotAbilities && t.Slot < endOfAbilities:
		return NoUse
	case t.In == 0 && worn(t.Slot) && room(t.Class) == 0:
		return w.takeOff(p, c, t, now)
	case k != nil && len(k.Slots) > 0 && (room(t.Class) == 0 || t.In == 0 && !worn(t.Slot) && !p.carried.holds(t.ID)):
		return w.putOn(p, c, t, k, now)
	case room(t.Class) > 0:
		return Open{p.ID, Container{Bag: t.ID}}.ask(w, p, now)
	}
	switch t.Class {
	case classScroll, classRecipe, classMap: // read, and kept
		w.tell(Used{p.ID, *t, c.Target, t.Count, nil})
		return 0
	case classToken, classTokenRing, classCharged:
		return w.useToken(p, c, t, now)
	}
	return w.consume(p, c, t, k, now)
}

// takeOff brings what is worn into the first free slot of the inventory.
func (w *World) takeOff(p *player, c UseItem, t *Item, now time.Time) RejectReason {
	slot, ok := p.carried.free(0, slotInventory, endOfInventory)
	if !ok {
		return NoRoom
	}
	return w.shift(p, c, &p.carried, t, 0, slot, now)
}

// putOn brings a thing into the first free slot in which it is worn, or lets it trade places with what is in the first such slot.
func (w *World) putOn(p *player, c UseItem, t *Item, k *ItemKind, now time.Time) RejectReason {
	for _, slot := range k.Slots {
		if there := p.carried.at(0, slot); there == nil || w.stacks(t, there) {
			return w.shift(p, c, &p.carried, t, 0, slot, now)
		}
	}
	there := p.carried.at(0, k.Slots[0])
	return w.exchange(p, c, &p.carried, t.ID, &p.carried, there.ID, now)
}

// useToken brings the player where a token leads, and takes one charge of it.
func (w *World) useToken(p *player, c UseItem, t *Item, now time.Time) RejectReason {
	to, ok := w.rules.Token(t)
	if !ok || to.Check() != nil {
		return LeadsNowhere
	}
	d := w.draft(p, c)
	was, left := *t, d.use(d.side(&p.carried), t.ID)
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Used{p.ID, was, c.Target, left, d.slots(all)})
		w.rewear(p, d)
		if !p.leaving {
			w.teleport(p, to, now)
		} else {
			p.Position = to // where it will be next time
		}
	})
	return 0
}

// A benefit is what using a thing does to who uses it.
type benefit struct {
	hp, mp, satiety int
	costHP, costMP  int
}

// benefit is what a thing does to who uses it on itself, as far as that is known: food feeds, and what has a magic that heals, heals.
func (w *World) benefit(t *Item, k *ItemKind) (b benefit, ok bool) {
	b.satiety = food[t.Class]
	if k != nil && (t.Class >= firstPowder && t.Class <= lastPowder || t.Class == classWhite || t.Class == classBlack) {
		n := w.rules.Numbers(k, t.Suffix)
		b.hp, b.mp = max(n.Magic, 0), max(n.MPEffect, 0)
		b.costHP, b.costMP = max(-n.UseHP, 0), max(-n.UseMP, 0)
		if n.Magic < 0 {
			return b, false // it is meant to harm somebody
		}
	}
	return b, b.hp > 0 || b.mp > 0 || b.satiety > 0
}

// consume eats, drinks or speaks a thing.
func (w *World) consume(p *player, c UseItem, t *Item, k *ItemKind, now time.Time) RejectReason {
	b, ok := w.benefit(t, k)
	switch {
	case !ok:
		return NoUse
	case c.Target != Target{} && c.Target != Target{Item: t.ID}:
		return NoUse
	case p.Pools.MP < b.costMP || p.Pools.HP <= b.costHP && b.costHP > 0:
		return TooPoor
	}
	if k != nil {
		by := Wearer{Title: p.Title, Degree: p.Degree, Karma: p.Appearance.Karma, Guild: p.Appearance.Guild, GuildRank: p.Appearance.GuildRank}
		for i := range by.Stats {
			by.Stats[i] = p.known[statStats+i]
		}
		if _, ok := w.rules.Wear(k, t.Suffix, &by); !ok {
			return Lacking
		}
	}
	was := *t
	if t.Class == classWhite || t.Class == classBlack {
		w.tell(Used{p.ID, was, c.Target, t.Count, nil})
		w.benefits(p, b)
		return 0
	}
	d := w.draft(p, c)
	left := d.use(d.side(&p.carried), t.ID)
	d.vitals, d.sheeted = b.of(p.Pools), true
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Used{p.ID, was, c.Target, left, d.slots(all)})
		w.benefits(p, b)
		w.rewear(p, d)
	})
	return 0
}

// of is what vitals become. What is above its limit already stays.
func (b benefit) of(v Pools) Pools {
	v.HP = max(v.HP-b.costHP, 0)
	v.MP = max(v.MP-b.costMP, 0)
	v.HP = max(min(v.HP+b.hp, v.MaxHP), v.HP)
	v.MP = max(min(v.MP+b.mp, v.MaxMP), v.MP)
	v.Satiety = max(min(v.Satiety+b.satiety, v.MaxSatiety), v.Satiety)
	return v
}

// benefits does to a player what a thing does. The dead have nothing of it any more.
func (w *World) benefits(p *player, b benefit) {
	before := p.Pools
	if before.HP <= 0 && before.MaxHP > 0 {
		b.hp = 0
	}
	p.Pools = b.of(before)
	w.refit(p, before)
}

func (c TakeInHand) ask(w *World, p *player, _ time.Time) RejectReason {
	if c.Item == 0 {
		p.hand, p.fists = 0, c.Fists
	} else {
		t := p.carried.find(c.Item)
		if t == nil {
			return NotYours
		}
		k := w.rules.Of(t)
		switch {
		case t.In != 0 || t.Slot < slotInventory || t.Slot >= endOfInventory || k == nil || !k.Hand:
			return NoSlot
		case !w.mayHold(p, t.ID):
			return Lacking
		}
		p.hand, p.fists = t.ID, false
	}
	w.tell(HandChanged{p.ID, p.hand, p.fists})
	w.refit(p, p.Pools)
	return 0
}

// mayHold says whether the requirements of a thing are met, if it is held.
func (w *World) mayHold(p *player, id ItemID) bool {
	for _, piece := range w.outfit(&p.Player, p.carried.things, id).pieces {
		if piece.held {
			return piece.counts
		}
	}
	return false
}

func (c SpendPoints) ask(w *World, p *player, now time.Time) RejectReason {
	d := w.draft(p, c)
	var title, degree int64
	for i, n := range c.Spend {
		if n <= 0 {
			continue
		}
		if i < 4 {
			title += int64(n)
		} else {
			degree += int64(n)
		}
		if title > int64(p.Progress.TitlePoints) || degree > int64(p.Progress.DegreePoints) {
			return NoPoints
		}
		d.sheet.Base[i] += n
	}
	if title+degree == 0 {
		return NoPoints
	}
	d.sheet.TitlePoints -= int(title)
	d.sheet.DegreePoints -= int(degree)
	d.sheeted = true
	w.commit(d, nil, now, func(w *World, now time.Time) { w.refit(p, p.Pools) })
	return 0
}
