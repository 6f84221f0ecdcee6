package rules

import "math/rand/v2"

// Bury is a character's progress after its death: a part of the experience of both careers goes, and no level. Weak
// characters lose nothing. Source: protocol fight 8.2.
func (b *DeathBalance) Bury(title, degree int, p Progress) Progress {
	if max(clampLevel(title), clampLevel(degree))+1 < b.FromLevel {
		return p
	}
	lost := func(xp uint32) uint32 { return min(uint32(float64(xp)*b.Experience), xp) }
	p.TitleXP -= lost(p.TitleXP)
	p.DegreeXP -= lost(p.DegreeXP)
	return p
}

// CostsItem draws whether a death costs an item: only with bad karma. Source: protocol fight 8.2.
func (b *DeathBalance) CostsItem(r *rand.Rand, karma int) bool {
	return KarmaType(karma) <= KarmaBad && r.Float64() < b.Thing
}

// DropAtDeath draws the item that a dead character loses: one in its inventory or in a bag there that is not bound and
// holds no others, but none that keeps experience at death; 0: there is none. Source: protocol fight 8.2.
func DropAtDeath(r *rand.Rand, carried *Inventory) ItemID {
	var may []ItemID
	for i := range carried.Items {
		t := &carried.Items[i]
		if (t.In != 0 || InInventory(t.Slot)) && !t.Bound && !carried.Holds(t.ID) && ClassOf(t.Class).Use != Insurance {
			may = append(may, t.ID)
		}
	}
	if len(may) == 0 {
		return 0
	}
	return may[r.IntN(len(may))]
}
