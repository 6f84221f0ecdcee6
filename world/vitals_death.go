package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// hurt takes HP or MP from a player and tells it. It reports whether the player died.
func (vt *vitals) hurt(p *player, h Hit) bool {
	wound, ok := vt.wound(p, h)
	if !ok {
		return false
	}
	vt.tell(wound.PlayerHit)
	vt.afterHit(p, &wound)
	return wound.Died
}

// A wound is a hit that has not been told yet.
type wound struct {
	PlayerHit
	seen  bool // others see other HP
	loses bool // a duel
}

// wound takes HP or MP from a player; it is the one way in which HP are lost. The caller tells it, alone or within
// another event, and then calls [vitals.afterHit]. If it is not ok, there is nothing to tell.
func (vt *vitals) wound(p *player, h Hit) (_ wound, ok bool) {
	if p.gone() || p.leaving || isDead(p) {
		return wound{}, false
	}
	v, least := &p.Pools, vt.fights.spares(p, h)
	before := *v
	v.HP = max(min(v.HP+h.HP, max(v.MaxHP, v.HP)), min(least, v.HP))
	v.MP = max(min(v.MP+h.MP, max(v.MaxMP, v.MP)), 0)
	if v.HP < before.HP {
		p.hurtAt = vt.instant()
	}
	if least > 0 { // the client counts with the hit that it is told
		h.HP = max(h.HP, v.HP-before.HP)
	}
	vt.markUnsaved(p)
	return wound{PlayerHit{p.ID, h, isDead(p), *v}, v.HP != before.HP, least > 0 && v.HP <= least}, true
}

// afterHit shows others a hit that has been told, and ends the player's life or duel by it.
func (vt *vitals) afterHit(p *player, e *wound) {
	if e.seen {
		vt.places.showHealth(p)
	}
	switch {
	case e.Died:
		vt.die(p, e.Hit)
	case e.loses:
		vt.fights.endDuel(p.duel, p)
	}
}

// mayBeHurt reports whether a player lives, is inside, and is not protected.
func (vt *vitals) mayBeHurt(p *player) bool {
	return p != nil && !p.gone() && !p.leaving && !isDead(p) && !vt.instant().Before(p.protected)
}

// mayBeNoticed reports whether a monster may notice a player: one that may be hurt and is not invisible.
func (vt *vitals) mayBeNoticed(p *player) bool { return vt.mayBeHurt(p) && !p.invisible() }

// die begins a death, when the HP of a player are 0. The death is told when its durable losses are so.
func (vt *vitals) die(p *player, h Hit) {
	vt.fights.endDuel(p.duel, p)
	vt.ledger.closeAll(p)
	vt.dieEffects(p)
	before := p.Pools
	p.Tally.Deaths++
	vt.markUnsaved(p)
	p.Pools.Satiety = max(p.Pools.Satiety-vt.balance.Death.Satiety, 0)
	vt.poolsChanged(p, before)
	for e := range p.InSight(others) {
		if m := e.object.monster; m != nil {
			m.forget(p.ID)
		}
	}
	vt.awaitRevival(p)
	g := grave{PlayerDied: PlayerDied{ID: p.ID, At: p.Position, By: h.By}, in: p.inside, until: vt.now.Add(storePatience)}
	vt.ledger.whenFree(p, func(p *player) { vt.bury(p, g) })
	vt.fights.applyKillPenalty(p, h)
}

// forget removes a player from a monster's threat list.
func (m *monster) forget(id PlayerID) {
	for i := range m.threat {
		if m.threat[i].by == id {
			m.threat = append(m.threat[:i], m.threat[i+1:]...)
			return
		}
	}
}

// A grave is a death with losses that wait until the player is free.
type grave struct {
	PlayerDied
	in    *instance
	until time.Time // then no item is lost, if the store has failed until then
	again bool      // it has failed, the death is told, and only the item is still to be lost
}

// bury takes from a dead player the experience that death costs, or the item that keeps it, karma for suicide, and
// perhaps an item. If the store fails, the experience is lost at once, and the rest is owed, also if the player
// leaves; but an item that keeps the experience has kept it then, and is not used up.
func (vt *vitals) bury(p *player, g grave) {
	b := vt.balance
	insurance := vt.insurance(p, &g)
	lose := func(p *Player) {
		if insurance == nil {
			p.Progress = b.Death.Bury(p.Title, p.Degree, p.Progress)
		}
	}
	become := func(p *Player) {
		lose(p)
		if g.By == EntityID(p.ID) {
			p.Progress.Karma = rules.AddKarma(p.Progress.Karma, b.Karma.Suicide)
		}
	}
	d, is := vt.ledger.tx(p, nil), p.Player
	if become(&is); !g.again && is.Progress != p.Progress {
		d.become = become
	}
	told := vt.useInsurance(d, insurance)
	bag := vt.loseThing(d, &g)
	if d.become == nil && bag == nil && insurance == nil {
		vt.tellDeath(p, &g)
		return
	}
	vt.ledger.commit(d, nil, func() {
		vt.tellDeath(p, &g)
		told()
		if bag != nil {
			t := d.Moved(bag.lost)
			o := vt.groundItems.bundle(bag.side.Inventory)
			vt.tell(ItemDropped{p.ID, t.Was, o.ID, o.Position, nil, d.slots(notGround)})
			vt.groundItems.lay(o, g.in)
		}
	}).failed = func() {
		if !g.again {
			lose(&p.Player)
			vt.markUnsaved(p)
		}
		vt.oweDeath(p, g, bag != nil)
	}
}

// oweDeath tells of a death whose losses the store has not taken, and has the player owe the karma and the item.
func (vt *vitals) oweDeath(p *player, g grave, item bool) {
	if !g.again && g.By == EntityID(p.ID) {
		vt.fights.oweKarma(p, vt.balance.Karma.Suicide, g.At)
	}
	vt.tellDeath(p, &g)
	if g.again = true; item && vt.now.Before(g.until) {
		p.has().graves = append(p.has().graves, g)
		vt.after(storeRetry, &p.entity, func(e *entity) { vt.dig(e.player) })
	}
}

// insurance is the item that keeps a dead player from losing experience; nil if it has none, or nothing to lose.
//
// Source: protocol life 10.
func (vt *vitals) insurance(p *player, g *grave) *rules.Item {
	if g.again || vt.balance.Death.Bury(p.Title, p.Degree, p.Progress) == p.Progress {
		return nil
	}
	for i := range p.carried.Items {
		t := &p.carried.Items[i]
		if t.In == 0 && rules.InInventory(t.Slot) && rules.ClassOf(t.Class).Use == rules.Insurance {
			return t
		}
	}
	return nil
}

// useInsurance adds the use of an item, nil for none, to a transaction; told tells of it once that is stored.
func (vt *vitals) useInsurance(d *tx, t *rules.Item) (told func()) {
	if t == nil {
		return func() {}
	}
	p, used := d.p, *t
	left := d.UseUp(d.Side(&p.carried), t.ID)
	return func() {
		slots := slices.DeleteFunc(d.slots(notGround), func(s SlotNow) bool {
			return s.In != Container{} || s.Slot != used.Slot
		})
		vt.tell(Used{ID: p.ID, Item: used, Left: left, Slots: slots})
	}
}

// dig takes from a player the items that its deaths still cost.
func (vt *vitals) dig(p *player) {
	graves := p.had().graves
	if len(graves) == 0 || p.leaving { // it is gone before its turn comes
		return
	}
	p.has().graves = nil
	for _, g := range graves {
		vt.ledger.whenFree(p, func(p *player) { vt.bury(p, g) })
	}
}

// tellDeath tells of a death, with the losses so far.
func (vt *vitals) tellDeath(p *player, g *grave) {
	g.Was, g.Is = vt.grow(p)
	switch {
	case !g.again:
		vt.tell(g.PlayerDied)
	case g.Was != g.Is:
		vt.tell(StatsChanged{p.ID, g.Was, g.Is})
	}
}

// A lostThing is an item that a dead player loses, in a bag.
type lostThing struct {
	side *rules.Side
	lost rules.ItemID
}

// loseThing puts the item that a death costs into a bag at the grave; nil if it costs none.
func (vt *vitals) loseThing(d *tx, g *grave) *lostThing {
	p := d.p
	if !g.again && !vt.balance.Death.CostsItem(vt.random, p.Progress.Karma) {
		return nil
	}
	lost := rules.DropAtDeath(vt.random, &p.carried)
	if lost == 0 {
		return nil
	}
	l := &lostThing{d.Ground(vt.groundItems.lootLies(g.At)), lost}
	l.side.Root = d.Add(l.side, lootBag)
	d.Carry(d.Side(&p.carried), l.side, l.lost, l.side.Root, 0)
	return l
}

// lootBag is the bag in which loot lies.
var lootBag = rules.Item{Class: rules.ClassLootBag, Suffix: rules.NoSuffix, Count: 1, Durability: 100,
	MaxDurability: 100}

// grow recomputes a player's values after a transaction has changed its levels, karma or worn items, and returns the
// sheet that the player was told last and the one that is true now. Viewers are told of the looks.
func (vt *vitals) grow(p *player) (was, is Sheet) {
	was = p.sheet()
	look := p.Appearance // may be older than the player was told: its equipment tells it of all changes
	look.Title, look.Degree, look.Karma = p.Title, p.Degree, rules.KarmaType(p.Progress.Karma)
	look.Guild, look.GuildRank = p.Progress.Guild, p.Progress.GuildRank
	vt.places.changeAppearance(p, look)
	before := p.Pools
	_, is = vt.derive(p)
	vt.showDerived(p, before)
	return was, is
}

// awaitRevival sets the timer that revives a dead player.
func (vt *vitals) awaitRevival(p *player) {
	p.revival = vt.instant().Add(vt.balance.Death.Revive)
	vt.after(vt.balance.Death.Revive, &p.entity, vt.revive)
}

// revive respawns a dead player where its karma says. Source: protocol fight 8.3.
func (vt *vitals) revive(e *entity) {
	p := e.player
	if !isDead(p) || vt.instant().Before(p.revival.Add(-resolution)) { // it was revived meanwhile, and has died again
		return
	}
	from, in := p.Position, p.inside
	if in != nil && in.layout.Leave != (coords.Position{}) {
		from, in = in.layout.Leave, nil // the dead come out of the dungeons of missions
	}
	to := from
	if in != nil {
		to = in.place(in.layout.Start)
	} else if vt.options.Revival != nil {
		if at := vt.options.Revival(from, rules.KarmaType(p.Progress.Karma)); at.Check() == nil {
			to = at
		}
	}
	vt.rise(p, to, vt.balance.Death.HP)
}

// rise respawns a dead player at a place, with so many HP.
func (vt *vitals) rise(p *player, to coords.Position, hp int) {
	vt.age(p) // while it is dead
	p.Pools.HP = max(min(hp, p.Pools.MaxHP), 1)
	p.protected = vt.instant().Add(vt.balance.Death.Protection)
	vt.places.transfer(p, to, PlayerRevived{p.ID, to, p.Pools})
	vt.places.showHealth(p)
}
