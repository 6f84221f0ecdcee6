package world

import "sphereserver/world/rules"

// wearWeapon wears the weapon of a blow that has hit. Source: protocol fight 7.5.
func (w *World) wearWeapon(p *player, weapon rules.ItemID) {
	if every := w.balance.Blow.WearHits; weapon != 0 && every > 0 {
		if p.blowsWorn++; p.blowsWorn >= every {
			p.blowsWorn = 0
			w.wearOut(p, func(t *rules.Item) bool { return t.ID == weapon })
		}
	}
}

// wearArmour wears the armour of a player that was hit.
func (w *World) wearArmour(p *player) {
	if every := w.balance.Blow.WearHits; every > 0 {
		if p.hitsWorn++; p.hitsWorn >= every {
			p.hitsWorn = 0
			w.wearOut(p, func(t *rules.Item) bool { return t.In == 0 && rules.IsArmour(t.Slot) })
		}
	}
}

// wearOut takes one of the durability of those items of a player of which which says so.
func (w *World) wearOut(p *player, which func(*rules.Item) bool) {
	w.whenFree(p, func(w *World, p *player) {
		d := w.tx(p, nil)
		s := d.Side(&p.carried)
		for i := range s.Items {
			if t := &s.Items[i]; which(t) && w.tables.WearsOut(t) {
				d.Edit(s, t.ID).Durability--
			}
		}
		if !d.Touched() {
			return
		}
		w.commit(d, nil, func() {
			worn := ItemsWorn{ID: p.ID}
			for _, m := range d.Moves {
				worn.Items = append(worn.Items, m.Is)
			}
			w.tell(worn)
		})
	})
}
