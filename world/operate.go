package world

import "sphereserver/world/rules"

// granted tells that an order is done that has moved no items.
func (w *World) granted(p *player, c Command) { w.tell(Granted{ID: p.ID, Command: c, Money: p.Money}) }

// Give makes new items in a player's inventory. [Granted] follows, as for all orders of operators.
type Give struct {
	To     PlayerID
	Kind   int // number of the kind
	Suffix int // -1: none
	Count  int // of items that do not stack, at most 10
	Extra  []byte
	Tag    uint64 // lets the operator's side know the answer; as in all such orders
}

func (c Give) who() PlayerID { return c.To }
func (c Give) tag() uint64   { return c.Tag }

func (c Give) ask(w *World, p *player) rules.RejectReason {
	d := w.ledger.tx(p, c)
	ids, why := w.tables.Give(&d.InventoryTx, d.Side(&p.carried), c.Kind, c.Suffix, c.Count, c.Extra)
	if why != 0 {
		return why
	}
	w.ledger.commit(d, nil, func() {
		e := Granted{ID: p.ID, Command: c, Money: p.Money, Slots: d.slots(all)}
		for _, id := range ids {
			e.Came = append(e.Came, d.Moved(id).Is)
		}
		w.tell(e)
	})
	return 0
}

// Clear destroys items of a player.
type Clear struct {
	ID  PlayerID
	All bool // also those that it wears; otherwise only those in its inventory, bags there with their contents
	// Item is the only one that is destroyed, wherever it is, a bag with its contents; 0: see All.
	Item rules.ItemID
	Tag  uint64
}

func (c Clear) who() PlayerID { return c.ID }
func (c Clear) tag() uint64   { return c.Tag }

func (c Clear) ask(w *World, p *player) rules.RejectReason {
	d := w.ledger.tx(p, c)
	gone, why := d.Clear(d.Side(&p.carried), c.All, c.Item)
	if why != 0 {
		return why
	}
	if len(gone) == 0 {
		w.granted(p, c)
		return 0
	}
	w.ledger.commit(d, nil, func() {
		if p.task != nil && p.carried.At(0, rules.SlotMission) == nil {
			w.missions.dismiss(p)
			p.task = nil
		}
		w.tell(Granted{ID: p.ID, Command: c, Gone: gone, Money: p.Money, Slots: d.slots(all)})
	})
	return 0
}

// GiveMoney changes a player's money.
type GiveMoney struct {
	To     PlayerID
	Amount int64 // negative: taken
	Tag    uint64
}

func (c GiveMoney) who() PlayerID { return c.To }
func (c GiveMoney) tag() uint64   { return c.Tag }

func (c GiveMoney) ask(w *World, p *player) rules.RejectReason {
	if why := rules.MayGain(p.Money, c.Amount); why != 0 {
		return why
	}
	d := w.ledger.tx(p, c)
	d.money += c.Amount
	if c.Amount == 0 {
		w.granted(p, c)
		return 0
	}
	w.ledger.commit(d, nil, func() { w.granted(p, c) })
	return 0
}

// SetPoints sets the points that a player has to spend.
type SetPoints struct {
	ID            PlayerID
	Title, Degree int // to spend on the first four base values, and on the others; negative: as they are
	Tag           uint64
}

func (c SetPoints) who() PlayerID { return c.ID }
func (c SetPoints) tag() uint64   { return c.Tag }

func (c SetPoints) ask(w *World, p *player) rules.RejectReason {
	is, why := p.Progress.WithPoints(c.Title, c.Degree)
	if why != 0 {
		return why
	}
	d := w.ledger.tx(p, c)
	d.become = func(p *Player) { p.Progress.TitlePoints, p.Progress.DegreePoints = is.TitlePoints, is.DegreePoints }
	w.ledger.commit(d, nil, func() {
		w.granted(p, c)
		w.vitals.recomputeStats(p)
	})
	return 0
}

// SetLevels sets a player's levels, without experience for the next. Points that it has spent stay spent.
type SetLevels struct {
	ID            PlayerID
	Title, Degree int // absolute levels less one, 0 to 239
	Tag           uint64
}

func (c SetLevels) who() PlayerID { return c.ID }
func (c SetLevels) tag() uint64   { return c.Tag }

func (c SetLevels) ask(w *World, p *player) rules.RejectReason {
	if min(c.Title, c.Degree) < 0 || max(c.Title, c.Degree) > rules.MaxLevel {
		return rules.NoLevel
	}
	d := w.ledger.tx(p, c)
	d.become = func(p *Player) {
		p.Progress = w.tables.Relevel(p.Progress, p.Title, p.Degree, c.Title, c.Degree)
		p.Title, p.Degree = c.Title, c.Degree
	}
	w.ledger.commit(d, nil, func() {
		w.granted(p, c)
		look := p.Appearance
		look.Title, look.Degree = c.Title, c.Degree
		w.places.changeAppearance(p, look)
		w.vitals.recomputeStats(p)
	})
	return 0
}

// Heal gives a living player all HP and MP that it can have. It is refused for a dead one.
type Heal struct {
	ID  PlayerID
	Tag uint64
}

func (c Heal) who() PlayerID { return c.ID }
func (c Heal) tag() uint64   { return c.Tag }

func (c Heal) ask(w *World, p *player) rules.RejectReason {
	if isDead(p) {
		return rules.Dead
	}
	w.granted(p, c)
	w.vitals.heal(p, p, p.Pools.MaxHP, p.Pools.MaxMP)
	return 0
}

// Revive revives a dead player where it lies, with all its HP. It is refused for a living one. The losses of the
// death stay.
type Revive struct {
	ID  PlayerID
	Tag uint64
}

func (c Revive) who() PlayerID { return c.ID }
func (c Revive) tag() uint64   { return c.Tag }

func (c Revive) ask(w *World, p *player) rules.RejectReason {
	if !isDead(p) {
		return rules.Alive
	}
	w.granted(p, c)
	w.vitals.rise(p, p.Position, p.Pools.MaxHP)
	return 0
}
