package world

import (
	"slices"

	"sphereserver/world/rules"
)

// equip gives a player who enters what it has, and computes what follows from that.
func (w *World) equip(p *player) {
	p.carried = rules.NewInventory(rules.Inventory{Owner: p.Character}, p.Items)
	p.kept = rules.NewInventory(rules.Inventory{Vault: p.Vault}, p.VaultItems)
	p.Items, p.VaultItems = nil, nil
	who := p.character()
	p.derived = w.tables.Derive(&who, &p.carried, 0)
	p.Pools = p.derived.Limit(p.Pools)
	p.known = p.values(&p.derived)
	p.Appearance.Worn = p.derived.Worn
}

// character is what the rules have to know of a player.
func (p *Player) character() rules.Character {
	return rules.Character{Wearer: rules.Wearer{Title: p.Title, Degree: p.Degree, Karma: p.Appearance.Karma,
		Guild:     p.Appearance.Guild,
		GuildRank: p.Appearance.GuildRank, Stats: p.Progress.Base}, MaxHP: p.Pools.MaxHP, MaxMP: p.Pools.MaxMP}
}

// mayWear says whether a thing that would lie in a slot of a side counts there, or need not. It may go wherever
// nothing is asked of it.
func (w *World) mayWear(p *player, s *rules.Side, id rules.ItemID) bool {
	who := p.character()
	return w.tables.Counts(&who, &s.Inventory, p.hand, id)
}

// values are all values of a player.
func (p *Player) values(d *rules.Derived) (v [statCount]int) {
	v[statBaseHP], v[statBaseMP] = d.BaseHP, d.BaseMP
	v[statHP], v[statMaxHP], v[statMP], v[statMaxMP] = p.Pools.HP, p.Pools.MaxHP, p.Pools.MP, p.Pools.MaxMP
	v[statSatiety], v[statMaxSatiety], v[statBaseSatiety] = p.Pools.Satiety, p.Pools.MaxSatiety, p.Pools.MaxSatiety
	for i, base := range p.Progress.Base {
		v[statStats+i], v[statBase+i] = d.Stats[i], base
	}
	v[statPhysical], v[statMagical] = d.PhysicalDefence, d.MagicalDefence
	v[statAttack], v[statMagic] = d.Attack, d.Magic
	if p.Appearance.Guild != 0 {
		v[statGuild] = p.Appearance.Guild + 64
	}
	v[statGuildRank] = p.Appearance.GuildRank
	v[statTitle], v[statTitleRebirths] = p.Title%rules.CycleLevels, p.Title/rules.CycleLevels
	v[statDegree], v[statDegreeRebirth] = p.Degree%rules.CycleLevels, p.Degree/rules.CycleLevels
	v[statKarma], v[statKarmaPoints] = p.Appearance.Karma, p.Progress.Karma
	v[statTitleXP], v[statDegreeXP] = int(p.Progress.TitleXP), int(p.Progress.DegreeXP)
	v[statTitlePoints], v[statDegreePoints] = p.Progress.TitlePoints, p.Progress.DegreePoints
	v[statPoints] = p.Progress.TitlePoints + p.Progress.DegreePoints
	return v
}

// valueOrder is in which order a client is told of values: a title clears the experience that counts for it, and
// levels and experience are announced as they come.
//
// Source: protocol ingame 12.1.
var valueOrder = func() (order []int) {
	order = []int{statTitle, statTitleXP, statDegree, statDegreeXP, statPoints, statTitlePoints, statDegreePoints,
		statMaxHP, statMaxMP, statMaxSatiety}
	for i := range statCount {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order
}()

// derive computes what follows from a player's levels, base values and equipment, one of which has changed, and tells
// what is different.
func (w *World) derive(p *player) {
	before, who := p.Pools, p.character()
	p.derived = w.tables.Derive(&who, &p.carried, p.hand)
	p.Pools = p.derived.Limit(p.Pools)
	v := p.values(&p.derived)
	p.known[statHP], p.known[statMP], p.known[statSatiety] = before.HP, before.MP, before.Satiety
	var changed []StatValue
	for _, i := range valueOrder {
		if v[i] != p.known[i] || i == statTitleXP && v[statTitle] != p.known[statTitle] {
			changed = append(changed, StatValue{i, v[i]})
		}
	}
	p.known = v
	if len(changed) > 0 {
		w.tell(StatsChanged{p.ID, changed})
	}
	if p.Pools.HP != before.HP || p.Pools.MaxHP != before.MaxHP {
		w.showHealth(&p.entity)
	}
	look := p.Appearance
	look.Worn = p.derived.Worn
	w.changeLook(p, look)
}

// rewear computes a player's values anew if a draft has changed what it wears or holds.
func (w *World) rewear(p *player, d *draft) {
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
	w.checkHand(p)
	w.derive(p)
}

// checkHand empties the hand when what it held is not in the inventory any more.
func (w *World) checkHand(p *player) {
	if p.hand == 0 {
		return
	}
	if t := p.carried.Find(p.hand); t == nil || t.In != 0 || !rules.InInventory(t.Slot) {
		p.hand = 0
		w.tell(HandChanged{ID: p.ID})
	}
}

// Values computes all values of a player that the world knows of, as they will be when it enters, in ascending order;
// and how it then looks. It may be called from any goroutine.
func Values(tables *rules.Tables, p Player) ([]StatValue, Appearance) {
	w := New(Options{Tables: tables}, nil)
	in := &player{Player: p}
	w.equip(in)
	var out []StatValue
	for i, v := range in.known {
		if valueKnown[i] {
			out = append(out, StatValue{i, v})
		}
	}
	return out, in.Appearance
}

// valueKnown tells which values the world computes.
var valueKnown = func() (known [statCount]bool) {
	for i := statHP; i < statStats+8; i++ {
		known[i] = true
	}
	for i := statBaseHP; i < statBase+8; i++ {
		known[i] = true
	}
	for _, i := range []int{statPhysical, statMagical, statAttack, statMagic, statGuild, statGuildRank, statTitle,
		statDegree, statKarma, statKarmaPoints,
		statTitleXP, statDegreeXP, statPoints, statTitlePoints, statDegreePoints, statTitleRebirths, statDegreeRebirth} {
		known[i] = true
	}
	return known
}()
