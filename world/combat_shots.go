package world

import "sphereserver/world/rules"

// hasArrow reports whether a player has an arrow in its slot that it has not shot yet.
func (p *player) hasArrow() bool {
	arrows := p.carried.At(0, rules.SlotAmmunition)
	return arrows != nil && arrows.Count > int(p.owesArrows)
}

// useArrow has a player pay the arrow of a shot. A blow waits for no store, so its arrow is paid after it: a crash
// between the two gives the arrow back, and the player was not told that it had gone. [Shot] tells of it.
func (cb *combat) useArrow(p *player) {
	if p.owesArrows++; !p.paysArrows {
		p.paysArrows = true
		cb.ledger.whenFree(p, cb.payArrows)
	}
}

// payArrows takes the arrows that a free player owes, all at once. A store that fails is asked again.
func (cb *combat) payArrows(p *player) {
	p.paysArrows = false
	arrows := p.carried.At(0, rules.SlotAmmunition)
	if arrows == nil { // taken out while the store failed: after the next shot they are paid, too
		return
	}
	d, was, left := cb.ledger.tx(p, nil), *arrows, arrows.Count
	s, n := d.Side(&p.carried), min(int(p.owesArrows), arrows.Count)
	for range n {
		left = d.UseUp(s, was.ID)
	}
	cb.ledger.commit(d, nil, func() {
		p.owesArrows -= uint16(n)
		cb.tell(Shot{p.ID, was, left, d.slots(all)})
	}).failed = func() {
		if !p.paysArrows {
			p.paysArrows = true
			cb.after(storeRetry, &p.entity, func(e *entity) { cb.ledger.whenFree(e.player, cb.payArrows) })
		}
	}
}
