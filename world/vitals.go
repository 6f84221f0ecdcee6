package world

import (
	"cmp"

	"sphereserver/coords"
	"sphereserver/world/rules"
	"sphereserver/world/space"
)

// vitals are HP and MP, and their causes: levels, equipment, effects, hits; and death and revival.
type vitals struct {
	*core
	places      *places
	ledger      *ledger
	groundItems *groundItems
	fights      fights
	warned      quotes[resetQuestion, resetWarning] // of the resets that players asked about last
}

// fights are questions of vitals to the part in which players and monsters fight.
type fights interface {
	// spares is how many HP a hit leaves a player.
	spares(p *player, h Hit) int
	endDuel(d *duel, loser *player)
	oweKarma(p *player, change int, at coords.Position)
	applyKillPenalty(p *player, h Hit)
	hurtMonster(m *monster, by *player, damage int, school rules.School) (took int)
}

// inventoryState is the state of a player's items, and of its requests about them.
type inventoryState struct {
	carried rules.Inventory
	kept    rules.Inventory // its vault
	hand    rules.ItemID

	pending *pendingTx     // the transaction under way for it
	due     queue[change]  // of the world's own, after that
	waiting queue[request] // of its own, after those

	opened  *object       // the bag that lies in the world into which it looks
	trade   *trade        // noTrade: it has none
	derived rules.Derived // of levels, base values and equipment
	known   toldSheet     // beside derived
}

// equip gives an entering player its items, and computes its values.
func (vt *vitals) equip(p *player) {
	p.trade = &noTrade
	p.carried = rules.NewInventory(rules.Inventory{Owner: p.Character}, p.Items)
	p.kept = rules.NewInventory(rules.Inventory{Vault: p.Vault}, p.VaultItems)
	p.Items, p.VaultItems = nil, nil
	p.begin(vt.now)
	who := p.character()
	p.derived = vt.tables.Derive(&who, &p.carried, 0)
	p.Pools = p.derived.Limit(p.Pools, &vt.balance.Effect)
	p.known = p.told()
	p.Appearance.Worn = vt.tables.Worn(&p.carried, 0)
}

func (p *player) character() rules.Character {
	return rules.Character{Wearer: rules.Wearer{Title: p.Title, Degree: p.Degree, Karma: p.Appearance.Karma,
		Guild: p.Progress.Guild, GuildRank: p.Progress.GuildRank, Stats: p.Progress.Base},
		MaxHP: p.Pools.MaxHP, MaxMP: p.Pools.MaxMP, Effects: p.bonus(), Sated: p.any((*rules.Effect).Sates)}
}

// mayWear says why an item does not count in its slot of a side, 0 if it does; slots that are not worn require nothing.
func (vt *vitals) mayWear(p *player, s *rules.Side, id rules.ItemID) rules.RejectReason {
	who := p.character()
	if vt.tables.Counts(&who, &s.Inventory, p.hand, id) {
		return 0
	}
	return vt.lacks(p, s.Find(id))
}

// lacks says which requirement of an item a player does not meet: [rules.Lacking] if it is no single one.
func (vt *vitals) lacks(p *player, t *rules.Item) rules.RejectReason {
	who := p.character()
	if k := vt.tables.KindOf(t); k != nil {
		return cmp.Or(vt.tables.Lacks(k, t.Suffix, &who.Wearer), rules.Lacking)
	}
	return rules.Lacking
}

// recomputeStats computes a player's values after a change of its levels, base values or equipment, and tells the
// differences.
func (vt *vitals) recomputeStats(p *player) {
	before := p.Pools
	if was, is := vt.derive(p); is != was {
		vt.tell(StatsChanged{p.ID, was, is})
	}
	vt.showDerived(p, before)
}

// derive computes the values, and returns the sheet that the player knows and the sheet of now.
func (vt *vitals) derive(p *player) (was, is Sheet) {
	who, was := p.character(), p.sheet()
	p.derived = vt.tables.Derive(&who, &p.carried, p.hand)
	p.Pools = p.derived.Limit(p.Pools, &vt.balance.Effect)
	p.known = p.told()
	return was, p.sheet()
}

// showDerived shows viewers the differences in HP and looks.
func (vt *vitals) showDerived(p *player, before rules.Pools) {
	if p.Pools.HP != before.HP || p.Pools.MaxHP != before.MaxHP {
		vt.places.showHealth(p)
	}
	look := p.Appearance
	look.Worn = vt.tables.Worn(&p.carried, p.hand)
	vt.places.changeAppearance(p, look)
}

// updateEquipment recomputes a player's values if a transaction has changed the items that it wears or holds.
func (vt *vitals) updateEquipment(p *player, d *tx) {
	needs := false
	for _, m := range d.Moves {
		for _, t := range [...]*rules.Item{&m.Was, &m.Is} {
			if t.ID != 0 && (t.ID == p.hand || t.In == 0 && rules.IsWorn(t.Slot)) {
				needs = true
			}
		}
	}
	if !needs {
		return
	}
	vt.checkHand(p)
	vt.recomputeStats(p)
}

// checkHand empties the hand when its item is not in the inventory any more.
func (vt *vitals) checkHand(p *player) {
	if p.hand == 0 {
		return
	}
	if t := p.carried.Find(p.hand); t == nil || t.In != 0 || !rules.InInventory(t.Slot) {
		p.hand = 0
		vt.tell(HandChanged{ID: p.ID})
	}
}

// SheetOf returns the sheet of a player as it will be when it enters, and how it then looks. A nil balance is that
// which ships. It may be called from any goroutine.
func SheetOf(tables *rules.Tables, b *rules.Balance, p Player) (Sheet, Appearance) {
	w := New(Options{Tables: tables, Balance: b}, nil)
	in := &player{Player: p}
	w.vitals.equip(in)
	return in.sheet(), in.Appearance
}

// poolsChanged tells the changes of a player's pools. It does not look at the equipment: HP change many times a
// second in a fight.
func (vt *vitals) poolsChanged(p *player, before rules.Pools) {
	p.Pools = p.derived.Limit(p.Pools, &vt.balance.Effect)
	now := &p.Pools
	if *now != before {
		vt.markUnsaved(p)
		vt.tell(vt.pools.put(PoolsChanged{p.ID, before, *now}))
	}
	if now.HP != before.HP || now.MaxHP != before.MaxHP {
		vt.places.showHealth(p)
	}
}

// regenerate gives a player the points of one period.
func (vt *vitals) regenerate(e *entity) {
	p := e.player
	if !p.heard {
		return
	}
	before := p.Pools
	p.Pools.Regenerate()
	if p.Pools != before {
		vt.markUnsaved(p)
	}
	hp := p.Pools.HP != before.HP
	vt.tell(PoolsTick{p.ID, p.Pools, hp})
	if hp {
		vt.places.showHealth(p)
	}
	vt.starve(p)
}

// starve makes a player hungrier by one period, more so if it has walked.
func (vt *vitals) starve(p *player) {
	moved := space.DistSq(&p.stood, &p.At) > 1
	p.stood = p.At
	each := vt.balance.Effect.Hunger(moved)
	if p.any((*rules.Effect).Sates) || isDead(p) || p.Pools.Satiety <= 0 || each <= 0 {
		return
	}
	if p.hunger += float64(rules.RegenerationPeriod) / float64(each); p.hunger >= 1-1e-9 {
		before := p.Pools
		p.hunger = 0
		p.Pools.Satiety--
		vt.poolsChanged(p, before)
	}
}
