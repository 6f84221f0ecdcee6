package world

import "sphereserver/world/rules"

// wearWeapon wears the weapon of a blow that has hit. Source: protocol fight 7.5.
func (vt *vitals) wearWeapon(p *player, weapon rules.ItemID) {
	if every := vt.balance.Blow.WearHits; weapon != 0 && every > 0 {
		if p.blowsWorn++; int(p.blowsWorn) >= every {
			p.blowsWorn = 0
			vt.wearOut(p, func(t *rules.Item) bool { return t.ID == weapon })
		}
	}
}

// wearArmour wears the armour of a player that was hit.
func (vt *vitals) wearArmour(p *player) {
	if every := vt.balance.Blow.WearHits; every > 0 {
		if p.hitsWorn++; int(p.hitsWorn) >= every {
			p.hitsWorn = 0
			vt.wearOut(p, func(t *rules.Item) bool { return t.In == 0 && rules.IsArmour(t.Slot) })
		}
	}
}

// wearOut takes one of the durability of a player's items for which which is true.
func (vt *vitals) wearOut(p *player, which func(*rules.Item) bool) {
	vt.ledger.whenFree(p, func(p *player) {
		d := vt.ledger.tx(p, nil)
		s := d.Side(&p.carried)
		for i := range s.Items {
			if t := &s.Items[i]; which(t) && vt.tables.WearsOut(t) {
				d.Edit(s, t.ID).Durability--
			}
		}
		if !d.Touched() {
			return
		}
		vt.ledger.commit(d, nil, func() {
			worn := ItemsWorn{ID: p.ID}
			for _, m := range d.Moves {
				worn.Items = append(worn.Items, m.Is)
			}
			vt.tell(worn)
		})
	})
}
