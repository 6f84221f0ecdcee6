package world

import (
	"slices"

	"sphereserver/world/rules"
)

// What a player wears, and what it holds in its hand, counts if its requirements are met by base values plus the bonuses of all else that
// counts. What does not count any more, because a level or a bonus has gone, stays where it is, is still to be seen, and gives nothing; when its
// requirements are met again it counts again.
//
// Source of the requirements: protocol gamerules 7.2, of the attack 5.1.

// equip gives a player who enters what it has, and computes its values.
func (w *World) equip(p *player) {
	p.carried = rules.NewInventory(rules.Inventory{Owner: p.Character}, p.Items)
	p.kept = rules.NewInventory(rules.Inventory{Vault: p.Vault}, p.VaultItems)
	p.Items, p.VaultItems = nil, nil
	p.known, p.Pools = w.values(&p.Player, p.carried.Items, 0)
	if w.ruled {
		p.Appearance.Worn = w.wornBy(p.carried.Items, 0)
	}
}

// An outfit is what a player wears and holds, and what counts of it.
type outfit struct {
	bonus  rules.Bonus
	pieces []piece
}

// outfit finds what counts. It starts with base values alone, adds whatever has its requirements met until there is nothing more to add, and
// takes away what has lost them by that, for good: bonuses may be negative.
func (w *World) outfit(who *Player, things []rules.Item, hand rules.ItemID) outfit {
	var o outfit
	w.pieces = w.pieces[:0]
	for i := range things {
		t := &things[i]
		held := t.ID == hand && hand != 0
		if t.In != 0 || !held && !rules.IsWorn(t.Slot) {
			continue
		}
		k := w.rules.Of(t)
		if k == nil || held && !k.Hand || !held && !slices.Contains(k.Slots, t.Slot) && !rules.IsMutator(t.Slot) {
			continue
		}
		w.pieces = append(w.pieces, piece{thing: t, kind: k, held: held})
	}
	o.pieces = w.pieces
	by := rules.Wearer{Title: who.Title, Degree: who.Degree, Karma: who.Appearance.Karma, Guild: who.Appearance.Guild, GuildRank: who.Appearance.GuildRank}
	fits := func(p *piece) (ok bool) {
		by.Stats = who.Progress.Base
		for i := range by.Stats {
			by.Stats[i] += o.bonus.Stats[i]
			if p.counts {
				by.Stats[i] -= p.bonus.Stats[i] // nothing helps itself
			}
		}
		b, ok := w.rules.Wear(p.kind, p.thing.Suffix, &by)
		if ok && !p.counts {
			p.bonus = b
		}
		return ok
	}
	for grown := true; grown; {
		grown = false
		for i := range o.pieces {
			if p := &o.pieces[i]; !p.counts && fits(p) {
				p.counts, grown = true, true
				o.bonus.Add(&p.bonus, 1)
			}
		}
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for i := range o.pieces {
			if p := &o.pieces[i]; p.counts && !fits(p) {
				o.bonus.Add(&p.bonus, -1)
				p.counts, shrunk = false, true
			}
		}
	}
	return o
}

// mayWear says whether a thing that would lie in a slot of a side counts there, or need not. It may go wherever nothing is asked of it.
func (w *World) mayWear(p *player, s *rules.Side, id rules.ItemID) bool {
	t := s.Find(id)
	if s.Owner == 0 || t == nil || t.In != 0 || !rules.IsWorn(t.Slot) {
		return true
	}
	for _, piece := range w.outfit(&p.Player, s.Items, p.hand).pieces {
		if piece.thing.ID == id {
			return piece.counts
		}
	}
	return true
}

// values computes all values of a player.
func (w *World) values(who *Player, things []rules.Item, hand rules.ItemID) (v [statCount]int, maxima rules.Pools) {
	o := w.outfit(who, things, hand)
	maxima = who.Pools
	v[statBaseHP], v[statBaseMP] = maxima.MaxHP, maxima.MaxMP
	if w.ruled {
		hp, mp := w.rules.Maxima(who.Title, who.Degree)
		v[statBaseHP], v[statBaseMP] = hp, mp
		hp += o.bonus.HP
		maxima.MaxHP = min(max(hp+hp*rules.SatietyBonus(maxima.Satiety)/100, 1), rules.MaxPool)
		maxima.MaxMP = min(max(mp+o.bonus.MP, 0), rules.MaxPool)
		maxima.HP, maxima.MP = min(maxima.HP, maxima.MaxHP), min(maxima.MP, maxima.MaxMP)
	}
	v[statHP], v[statMaxHP], v[statMP], v[statMaxMP] = maxima.HP, maxima.MaxHP, maxima.MP, maxima.MaxMP
	v[statSatiety], v[statMaxSatiety], v[statBaseSatiety] = maxima.Satiety, maxima.MaxSatiety, maxima.MaxSatiety
	for i, base := range who.Progress.Base {
		v[statStats+i], v[statBase+i] = base+o.bonus.Stats[i], base
	}
	v[statPhysical], v[statMagical] = o.bonus.PhysicalDefence, o.bonus.MagicalDefence
	v[statAttack] = o.bonus.Attack
	for i := range o.pieces {
		if p := &o.pieces[i]; p.held && p.counts {
			n := w.rules.Numbers(p.kind, p.thing.Suffix)
			v[statAttack] += n.Attack
			if n.Magic < 0 {
				v[statMagic] = n.Magic + o.bonus.Magic
			}
		}
	}
	if who.Appearance.Guild != 0 {
		v[statGuild] = who.Appearance.Guild + 64
	}
	const cycle = 60
	v[statGuildRank] = who.Appearance.GuildRank
	v[statTitle], v[statTitleRebirths] = who.Title%cycle, who.Title/cycle
	v[statDegree], v[statDegreeRebirth] = who.Degree%cycle, who.Degree/cycle
	v[statKarma], v[statKarmaPoints] = who.Appearance.Karma, who.Progress.Karma
	v[statTitleXP], v[statDegreeXP] = int(who.Progress.TitleXP), int(who.Progress.DegreeXP)
	v[statTitlePoints], v[statDegreePoints] = who.Progress.TitlePoints, who.Progress.DegreePoints
	v[statPoints] = who.Progress.TitlePoints + who.Progress.DegreePoints
	return v, maxima
}

// valueOrder is in which order a client is told of values: a title clears the experience that counts for it, and levels and experience are
// announced as they come.
//
// Source: protocol ingame 12.1.
var valueOrder = func() (order []int) {
	order = []int{statTitle, statTitleXP, statDegree, statDegreeXP, statPoints, statTitlePoints, statDegreePoints, statMaxHP, statMaxMP, statMaxSatiety}
	for i := range statCount {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order
}()

// refit computes a player's values anew, and tells what is different. before are its vitals as they were told.
func (w *World) refit(p *player, before rules.Pools) {
	v, vitals := w.values(&p.Player, p.carried.Items, p.hand)
	p.Pools = vitals
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
	if vitals.HP != before.HP || vitals.MaxHP != before.MaxHP {
		w.showHealth(&p.entity)
	}
	if w.ruled {
		look := p.Appearance
		look.Worn = w.wornBy(p.carried.Items, p.hand)
		w.changeLook(p, look)
	}
}

// wornBy is what others see of what somebody wears and holds.
func (w *World) wornBy(things []rules.Item, hand rules.ItemID) Worn {
	var held *rules.Item
	w.dressed = w.dressed[:0]
	for i := range things {
		t := &things[i]
		if t.ID == hand && hand != 0 {
			held = t
		}
		if t.In == 0 && rules.IsWorn(t.Slot) {
			w.dressed = append(w.dressed, *t)
		}
	}
	slices.SortFunc(w.dressed, func(a, b rules.Item) int { return a.Slot - b.Slot })
	return w.rules.Look(w.dressed, held)
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
	w.refit(p, p.Pools)
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

// Values computes all values of a player that the world knows of, as they will be when it enters, in ascending order; and how it then
// looks. It may be called from any goroutine, if the methods of the rules may.
func Values(r Rules, p Player) ([]StatValue, Appearance) {
	w := New(Options{Rules: r}, nil)
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
	for _, i := range []int{statPhysical, statMagical, statAttack, statMagic, statGuild, statGuildRank, statTitle, statDegree, statKarma, statKarmaPoints,
		statTitleXP, statDegreeXP, statPoints, statTitlePoints, statDegreePoints, statTitleRebirths, statDegreeRebirth} {
		known[i] = true
	}
	return known
}()
