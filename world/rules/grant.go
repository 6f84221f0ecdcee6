package rules

// Orders of an operator about a character, in the world or in the store.

// GrantedAtOnce is how many items that do not stack an operator makes at once.
const GrantedAtOnce = 10

// Give puts new items of a kind into the inventory of a side, with the kind's extra payload if none is given, and
// returns their IDs in the change.
func (t *Tables) Give(x *InventoryTx, s *Side, kind, suffix, count int, extra []byte) ([]ItemID, RejectReason) {
	k := t.Kind(kind)
	if k == nil || suffix < NoSuffix || suffix >= len(t.Suffixes(k.SuffixLetter())) || k.Class <= 0 {
		return nil, NoKind
	}
	pieces, each := 1, count
	if k.Stack <= 1 {
		pieces, each = count, 1
	}
	if count < 1 || pieces > GrantedAtOnce || each > max(k.Stack, 1) {
		return nil, WrongCount
	}
	var ids []ItemID
	for range pieces {
		id, _, why := t.Pocket(x, s, t.NewItem(k, suffix, each, extra))
		if why != 0 {
			return nil, why
		}
		ids = append(ids, id)
	}
	return ids, 0
}

// Clear ends all items in the inventory of a side, or all that are carried, bags with their contents; or only one
// item, if that is not 0. It returns the items that are gone.
func (x *InventoryTx) Clear(s *Side, all bool, only ItemID) (gone []Item, why RejectReason) {
	if only != 0 {
		if s.Find(only) == nil {
			return nil, NotYours
		}
		return x.Destroy(s, only), 0
	}
	for _, i := range s.Within(0, nil) {
		if i.In == 0 && (all || !IsWorn(i.Slot)) {
			gone = append(gone, x.Destroy(s, i.ID)...)
		}
	}
	return gone, 0
}

// MayGain says why a character cannot get so much money, or lose it if the amount is negative; 0 if it can.
func MayGain(has, amount int64) RejectReason {
	switch {
	case amount > MaxMoney-has:
		return TooRich
	case amount < -has:
		return TooPoor
	}
	return 0
}

// Relevel is a progress after other levels are set: there is no experience for the next one, and points that are
// spent stay spent.
func (t *Tables) Relevel(p Progress, wasTitle, wasDegree, title, degree int) Progress {
	pointsWere, otherWere := t.Points(wasTitle, wasDegree)
	points, other := t.Points(title, degree)
	p.TitleXP, p.DegreeXP = 0, 0
	p.TitlePoints = max(0, p.TitlePoints+points-pointsWere)
	p.DegreePoints = max(0, p.DegreePoints+other-otherWere)
	return p
}

// WithPoints is a progress with other points to spend; negative ones stay as they are.
func (p Progress) WithPoints(title, degree int) (Progress, RejectReason) {
	if max(title, degree) > MaxPoints {
		return p, WrongCount
	}
	if title >= 0 {
		p.TitlePoints = title
	}
	if degree >= 0 {
		p.DegreePoints = degree
	}
	return p, 0
}
