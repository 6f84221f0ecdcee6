package world

import (
	"time"

	"sphereserver/world/rules"
)

// grantedAtOnce is how many items that do not stack an operator makes at once.
const grantedAtOnce = 10

// Give makes new items in a player's inventory. [Granted] follows, as for all that operators do.
type Give struct {
	To     PlayerID
	Kind   int // number of the kind
	Suffix int // -1: none
	Count  int // of items that do not stack, at most 10
	Extra  []byte
	Tag    uint64 // for who asks, to know the answer; as in all that operators do
}

func (c Give) who() PlayerID { return c.To }

func (Give) byOperator() {}

func (c Give) ask(w *World, p *player, now time.Time) rules.RejectReason {
	k := w.tables.Kind(c.Kind)
	if k == nil || c.Suffix < -1 || c.Suffix >= len(w.tables.Suffixes(k.SuffixLetter())) || k.Class <= 0 {
		return rules.NoKind
	}
	pieces, each := 1, c.Count
	if k.Stack <= 1 {
		pieces, each = c.Count, 1
	}
	if c.Count < 1 || pieces > grantedAtOnce || each > max(k.Stack, 1) {
		return rules.WrongCount
	}
	d := w.draft(p, c)
	s := d.Side(&p.carried)
	var ids []rules.ItemID
	for range pieces {
		id, _, why := w.tables.Pocket(&d.InventoryTx, s, w.tables.NewItem(k, c.Suffix, each, c.Extra))
		if why != 0 {
			return why
		}
		ids = append(ids, id)
	}
	w.commit(d, nil, now, func(w *World, now time.Time) {
		e := Granted{ID: p.ID, Command: c, Money: p.Money, Slots: d.slots(all)}
		for _, id := range ids {
			e.Came = append(e.Came, d.Moved(id).Is)
		}
		w.tell(e)
	})
	return 0
}

// Clear takes what a player carries out of existence.
type Clear struct {
	ID  PlayerID
	All bool // also what it wears; otherwise only what is in its inventory, bags there with their contents
	Tag uint64
}

func (c Clear) who() PlayerID { return c.ID }

func (Clear) byOperator() {}

func (c Clear) ask(w *World, p *player, now time.Time) rules.RejectReason {
	d := w.draft(p, c)
	s := d.Side(&p.carried)
	var gone []rules.Item
	for _, t := range p.carried.Within(0, nil) {
		if t.In == 0 && (c.All || !rules.IsWorn(t.Slot)) {
			gone = append(gone, d.Destroy(s, t.ID)...)
		}
	}
	if len(gone) == 0 {
		w.tell(Granted{ID: p.ID, Command: c, Money: p.Money})
		return 0
	}
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Granted{ID: p.ID, Command: c, Gone: gone, Money: p.Money, Slots: d.slots(all)})
		w.updateEquipment(p, d)
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

func (GiveMoney) byOperator() {}

func (c GiveMoney) ask(w *World, p *player, now time.Time) rules.RejectReason {
	switch {
	case c.Amount > rules.MaxMoney-p.Money:
		return rules.TooRich
	case c.Amount < -p.Money:
		return rules.TooPoor
	}
	d := w.draft(p, c)
	d.money += c.Amount
	if c.Amount == 0 {
		w.tell(Granted{ID: p.ID, Command: c, Money: p.Money})
		return 0
	}
	w.commit(d, nil, now, func(w *World, now time.Time) { w.tell(Granted{ID: p.ID, Command: c, Money: p.Money}) })
	return 0
}

// SetLevels sets a player's levels, without experience for the next. Points that it has spent stay spent.
type SetLevels struct {
	ID            PlayerID
	Title, Degree int // absolute levels less one, 0 to 239
	Tag           uint64
}

func (c SetLevels) who() PlayerID { return c.ID }

func (SetLevels) byOperator() {}

func (c SetLevels) ask(w *World, p *player, now time.Time) rules.RejectReason {
	if min(c.Title, c.Degree) < 0 || max(c.Title, c.Degree) > rules.MaxLevel {
		return rules.NoLevel
	}
	d := w.draft(p, c)
	wasTitle, wasDegree := w.tables.Points(p.Title, p.Degree)
	title, degree := w.tables.Points(c.Title, c.Degree)
	d.become = func(p *Player) {
		p.Title, p.Degree = c.Title, c.Degree
		p.Progress.TitleXP, p.Progress.DegreeXP = 0, 0
		p.Progress.TitlePoints = max(0, p.Progress.TitlePoints+title-wasTitle)
		p.Progress.DegreePoints = max(0, p.Progress.DegreePoints+degree-wasDegree)
	}
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Granted{ID: p.ID, Command: c, Money: p.Money})
		look := p.Appearance
		look.Title, look.Degree = c.Title, c.Degree
		w.changeAppearance(p, look)
		w.recomputeStats(p)
	})
	return 0
}
