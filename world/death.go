package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// hurt takes HP or MP from a player and tells it. It reports whether the player died.
func (w *World) hurt(p *player, h Hit) bool {
	wound, ok := w.wound(p, h)
	if !ok {
		return false
	}
	w.tell(wound.PlayerHit)
	w.afterHit(p, &wound)
	return wound.Died
}

// A wound is a hit that has not been told yet.
type wound struct {
	PlayerHit
	seen  bool // others see other HP
	loses bool // a duel
}

// wound takes HP or MP from a player; it is the one way in which HP are lost. The caller tells it, by itself or as a
// part of what has happened, and has [World.afterHit] follow. Nothing is to be told if it is not ok.
func (w *World) wound(p *player, h Hit) (_ wound, ok bool) {
	if p.gone || p.leaving || isDead(p) {
		return wound{}, false
	}
	v, least := &p.Pools, w.spares(p, h)
	before := *v
	v.HP = max(min(v.HP+h.HP, max(v.MaxHP, v.HP)), min(least, v.HP))
	v.MP = max(min(v.MP+h.MP, max(v.MaxMP, v.MP)), 0)
	p.known.Pools = *v
	if v.HP < before.HP {
		p.hurtAt = w.now.UnixNano()
	}
	w.markUnsaved(p)
	return wound{PlayerHit{p.ID, h, isDead(p), *v}, v.HP != before.HP, least > 0 && v.HP <= least}, true
}

// afterHit is what follows when a hit has been told.
func (w *World) afterHit(p *player, e *wound) {
	if e.seen {
		w.showHealth(&p.entity)
	}
	switch {
	case e.Died:
		w.die(p, e.Hit)
	case e.loses:
		w.endDuel(p.duel, p)
	}
}

// mayBeHurt says whether a player lives, is inside, and is not protected.
func (w *World) mayBeHurt(p *player) bool {
	return p != nil && !p.gone && !p.leaving && !isDead(p) && !w.now.Before(p.protected)
}

// mayBeNoticed says whether a monster may notice a player: one that may be hurt and is not invisible.
func (w *World) mayBeNoticed(p *player) bool { return w.mayBeHurt(p) && !p.invisible() }

// die is what follows when the HP of a player are 0. What lasts is told when it is durable.
func (w *World) die(p *player, h Hit) {
	w.endDuel(p.duel, p)
	w.dieEffects(p)
	before := p.Pools
	p.Pools.Satiety = max(p.Pools.Satiety-w.balance.Death.Satiety, 0)
	w.poolsChanged(p, before)
	for _, l := range p.links[others] {
		if m := l.other.object.monster; m != nil {
			m.forget(p.ID)
		}
	}
	killer := w.killerOf(p, h)
	p.aggressors = p.aggressors[:0]
	w.awaitRevival(p)
	g := grave{PlayerDied: PlayerDied{ID: p.ID, At: p.Position, By: h.By}, in: p.inside, until: w.now.Add(storePatience)}
	w.whenFree(p, func(w *World, p *player) { w.bury(p, g) })
	if killer != nil {
		if to := w.viewersBefore(&p.entity); len(to) > 0 {
			w.tell(KillSeen{p.Name, killer.Name, slices.Clone(to)})
		}
		w.applyKillPenalty(killer, p)
	} else if h.Owed != 0 && h.Owed != p.Character {
		w.blameAbsent(h.Owed, p)
	}
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

// A grave is what has to be known of a death when the dead lose what they lose, which may be later.
type grave struct {
	PlayerDied
	in    *instance
	until time.Time // then nothing is lost, if the store has failed until then
	again bool      // it has failed, and the death is told
}

// bury takes from the dead what they lose.
func (w *World) bury(p *player, g grave) {
	b := w.balance
	become := func(p *Player) {
		p.Progress = b.Death.Bury(p.Title, p.Degree, p.Progress)
		if g.By == EntityID(p.ID) {
			p.Progress.Karma = rules.AddKarma(p.Progress.Karma, b.Karma.Suicide)
		}
	}
	d, is := w.tx(p, nil), p.Player
	if become(&is); is.Progress != p.Progress {
		d.become = become
	}
	bag := w.loseThing(d, g.At)
	if d.become == nil && bag == nil {
		w.tellDeath(p, &g)
		return
	}
	w.commit(d, nil, func() {
		w.tellDeath(p, &g)
		if bag != nil {
			t := d.Moved(bag.lost)
			o := w.bundle(bag.side.Inventory)
			w.tell(ItemDropped{p.ID, t.Was, o.ID, o.Position, nil, d.slots(notGround)})
			w.lay(o, g.in)
		}
	}).failed = func() {
		w.tellDeath(p, &g)
		if g.again = true; w.now.Before(g.until) {
			w.after(storeRetry, &p.entity, func(w *World, e *entity) {
				w.whenFree(e.player, func(w *World, p *player) { w.bury(p, g) })
			})
		}
	}
}

// tellDeath tells of a death with what has been lost by it until now.
func (w *World) tellDeath(p *player, g *grave) {
	g.Was, g.Is = w.grow(p)
	switch {
	case !g.again:
		w.tell(g.PlayerDied)
	case g.Was != g.Is:
		w.tell(StatsChanged{p.ID, g.Was, g.Is})
	}
}

// A lostThing is something that the dead leave in a bag.
type lostThing struct {
	side *rules.Side
	lost rules.ItemID
}

// loseThing puts something that a dead player of bad karma carries into a bag at its place; nil if it loses nothing.
// Source: protocol fight 8.2.
func (w *World) loseThing(d *tx, at coords.Position) *lostThing {
	p, b := d.p, w.balance
	if rules.KarmaType(p.Progress.Karma) > rules.KarmaBad || w.random.Float64() >= b.Death.Thing {
		return nil
	}
	var may []rules.ItemID
	for i := range p.carried.Items {
		t := &p.carried.Items[i]
		if (t.In != 0 || rules.InInventory(t.Slot)) && !t.Bound && !p.carried.Holds(t.ID) {
			may = append(may, t.ID)
		}
	}
	if len(may) == 0 {
		return nil
	}
	l := &lostThing{d.Ground(w.lootLies(at)), may[w.random.IntN(len(may))]}
	l.side.Root = d.Add(l.side, lootBag)
	d.Carry(d.Side(&p.carried), l.side, l.lost, l.side.Root, 0)
	return l
}

// lootBag is the bag in which loot lies.
var lootBag = rules.Item{Class: rules.ClassLootBag, Suffix: rules.NoSuffix, Count: 1, Durability: 100,
	MaxDurability: 100}

// lootLies is how loot lies that is everybody's.
func (w *World) lootLies(at coords.Position) rules.OnGround {
	return rules.OnGround{At: at, Expires: w.now.Add(w.balance.Loot.Expires)}
}

// grow computes what follows from levels, karma and what is worn, after a transaction has changed them, and returns
// what the player was told last and what it is now. Who sees it is told.
func (w *World) grow(p *player) (was, is Sheet) {
	was = p.sheet()
	look := p.Appearance // may be older than what the player was told: its equipment tells it of all that has changed
	look.Title, look.Degree, look.Karma = p.Title, p.Degree, rules.KarmaType(p.Progress.Karma)
	w.changeAppearance(p, look)
	before := p.Pools // as hits and regeneration have told of them
	was.Pools = before
	_, is = w.derive(p)
	w.showDerived(p, before)
	return was, is
}

// awaitRevival has a dead player live again in time.
func (w *World) awaitRevival(p *player) {
	p.revival = w.now.Add(w.balance.Death.Revive)
	w.after(w.balance.Death.Revive, &p.entity, (*World).revive)
}

// revive respawns a dead player where its karma says. Source: protocol fight 8.3.
func (w *World) revive(e *entity) {
	p := e.player
	if !isDead(p) || w.now.Before(p.revival.Add(-resolution)) { // it was revived meanwhile, and has died again
		return
	}
	to := p.Position
	if w.options.Revival != nil {
		if at := w.options.Revival(p.Position, rules.KarmaType(p.Progress.Karma)); at.Check() == nil {
			to = at
		}
	}
	if in := p.inside; in != nil {
		to = in.place(in.layout.Start)
	}
	w.rise(p, to, w.balance.Death.HP)
}

// rise respawns a dead player at a place, with so many HP.
func (w *World) rise(p *player, to coords.Position, hp int) {
	w.age(p) // while it is dead
	p.Pools.HP = max(min(hp, p.Pools.MaxHP), 1)
	p.known.Pools = p.Pools
	p.protected = w.now.Add(w.balance.Death.Protection)
	w.markUnsaved(p)
	w.transfer(p, to, PlayerRevived{p.ID, to, p.Pools})
	w.showHealth(&p.entity)
}
