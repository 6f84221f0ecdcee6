package world

import "sphereserver/world/rules"

// hasArrow reports whether a player has an arrow in its slot that it has not shot yet, and that the transaction under
// way leaves there: a player that sells its arrows shoots none of them meanwhile.
func (p *player) hasArrow() bool {
	arrows := p.carried.At(0, rules.SlotAmmunition)
	if arrows == nil {
		return false
	}
	left := *arrows
	if p.pending != nil {
		if m := p.pending.Moved(arrows.ID); m != nil {
			if m.To != m.From {
				return false
			}
			left = m.Is
		}
	}
	return left.In == 0 && left.Slot == rules.SlotAmmunition && left.Count > int(p.owesArrows)
}

// useArrow has a player pay the arrow of a shot. A blow waits for no store, so its arrow is paid after it: a crash
// between the two gives the arrow back, and the player was not told that it had gone. [Shot] tells of it.
func (cb *combat) useArrow(p *player) {
	if p.owesArrows++; !p.paysArrows {
		p.paysArrows = true
		cb.ledger.whenFree(p, cb.payArrows)
	}
}

// payArrows takes the arrows that a free player owes, all at once. A store that fails is asked again. Arrows that have
// left their slot before that, as by a death, are not owed any more.
func (cb *combat) payArrows(p *player) {
	arrows, owed := p.carried.At(0, rules.SlotAmmunition), int(p.owesArrows)
	if p.owesArrows, p.paysArrows = 0, false; arrows == nil {
		return
	}
	d, was, left := cb.ledger.tx(p, nil), *arrows, arrows.Count
	s := d.Side(&p.carried)
	for range min(owed, was.Count) {
		left = d.UseUp(s, was.ID)
	}
	cb.ledger.commit(d, nil, func() { cb.tell(Shot{p.ID, was, left, d.slots(all)}) }).failed = func() {
		p.owesArrows += uint16(owed)
		if !p.paysArrows {
			p.paysArrows = true
			cb.after(storeRetry, &p.entity, func(e *entity) { cb.ledger.whenFree(e.player, cb.payArrows) })
		}
	}
}
