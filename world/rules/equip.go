package rules

import (
	"slices"
	"strconv"
)

// Items that a character wears or holds count if their requirements are met by base values plus the bonuses of all
// others that count. An item that does not count any more, because a level or a bonus has gone, stays in its place,
// is still to be seen, and gives nothing; when its requirements are met again it counts again. An item that has worn
// out counts no more than that.
//
// Source of the requirements: protocol gamerules 7.2, of the attack 5.1.

// A Character is a character without its equipment.
type Character struct {
	Wearer             // its Stats are base values
	MaxHP, MaxMP int   // with which it has come: for tables without levels
	Effects      Bonus // of all effects: they count like worn items
	Sated        bool  // by a satiety potion
}

// Derived are the values that follow from a character's levels, base values and equipment. They change with those,
// and with nothing else.
type Derived struct {
	BaseHP, BaseMP                  int   // greatest, of the levels alone
	HP, MP                          int   // greatest, with equipment, without satiety
	Stats                           Stats // with equipment
	Attack, Magic                   int   // with the item in the hand; negative
	PhysicalDefence, MagicalDefence int
	WornAttack, WornMagic           int   // of worn items alone; negative
	Holds                           bool  // the item in the hand counts
	Title                           uint8 // less one within its cycle

	levels bool // HP and MP follow from levels
	sated  int  // percent more HP
}

// Worn is a character's visible equipment, as codes and names of models that the client's tables give. The zero value
// is nothing.
//
// Source: protocol ingame 9.3, region 6.
type Worn struct {
	Sword, Axe, Crossbow                               string // names of models
	Boots, Pants, Armour, Robe, Gloves, Shield, Helmet byte
}

// A piece is one item of an equipment.
type piece struct {
	item   *Item
	kind   *Kind
	bonus  Bonus
	counts bool
	held   bool
}

// equipment is the items that a character wears and holds, and the sum of those that count.
type equipment struct {
	pieces []piece
	bonus  Bonus
}

// piecesAtOnce is how many pieces are looked at without asking for memory: more than there are slots to wear something
// in.
const piecesAtOnce = 48

// Derive computes the values that follow from a character's levels, base values and equipment. hand is the item in
// the hand, 0 for none.
func (t *Tables) Derive(who *Character, carried *Inventory, hand ItemID) Derived {
	var memory [piecesAtOnce]piece
	e := equipment{pieces: memory[:0]}
	t.equip(&e, who, carried, hand)
	d := Derived{BaseHP: who.MaxHP, BaseMP: who.MaxMP, HP: who.MaxHP, MP: who.MaxMP, Stats: who.Stats,
		Attack: e.bonus.Attack, PhysicalDefence: e.bonus.PhysicalDefence, MagicalDefence: e.bonus.MagicalDefence,
		WornAttack: e.bonus.Attack, WornMagic: e.bonus.Magic, Title: uint8(inCycle(who.Title)), levels: t.Levels}
	if who.Sated {
		d.sated = SatedBonus
	}
	if t.Levels {
		d.BaseHP, d.BaseMP = MaxHP(who.Title, who.Degree), MaxMP(who.Title, who.Degree)
		d.HP, d.MP = d.BaseHP+e.bonus.HP, d.BaseMP+e.bonus.MP
	}
	for i := range d.Stats {
		d.Stats[i] += e.bonus.Stats[i]
	}
	for i := range e.pieces {
		if p := &e.pieces[i]; p.held && p.counts {
			d.Holds = true
			n := t.Numbers(p.kind, p.item.Suffix)
			d.Attack += n.Attack
			if n.Magic < 0 {
				d.Magic = n.Magic + e.bonus.Magic
			}
		}
	}
	return d
}

// Limit sets the greatest HP and MP, and cuts HP and MP to them.
func (d *Derived) Limit(p Pools, b *EffectBalance) Pools {
	if d.levels {
		p.MaxHP = min(max(d.HP+d.HP*(b.FedBonus(p.Satiety)+d.sated)/100, 1), MaxPool)
		p.MaxMP = min(max(d.MP, 0), MaxPool)
		p.HP, p.MP = min(p.HP, p.MaxHP), min(p.MP, p.MaxMP)
	}
	return p
}

// Counts reports whether an item meets the requirements of its place, or has none there.
func (t *Tables) Counts(who *Character, carried *Inventory, hand, id ItemID) bool {
	i := carried.Find(id)
	if carried.Owner == 0 || i == nil || i.In != 0 || !IsWorn(i.Slot) {
		return true
	}
	p := t.pieceOf(who, carried, hand, id)
	return p == nil || p.counts
}

// MayHold reports whether the requirements of an item would be met if it were held.
func (t *Tables) MayHold(who *Character, carried *Inventory, id ItemID) bool {
	p := t.pieceOf(who, carried, id, id)
	return p != nil && p.counts
}

func (t *Tables) pieceOf(who *Character, carried *Inventory, hand, id ItemID) *piece {
	var e equipment
	t.equip(&e, who, carried, hand)
	for i := range e.pieces {
		if e.pieces[i].item.ID == id {
			return &e.pieces[i]
		}
	}
	return nil
}

// equip finds the items that count. It starts with base values and effects, adds items that have their requirements met
// until there are no more to add, and takes away those that have lost them by that, for good: bonuses may be negative.
func (t *Tables) equip(e *equipment, who *Character, carried *Inventory, hand ItemID) {
	base := &who.Wearer
	e.bonus = who.Effects
	for i := range carried.Items {
		it := &carried.Items[i]
		held := it.ID == hand && hand != 0
		if it.In != 0 || !held && !IsWorn(it.Slot) || it.Broken() {
			continue
		}
		k := t.KindOf(it)
		if k == nil || held && !k.Hand || !held && !slices.Contains(k.Slots, it.Slot) && !IsMutator(it.Slot) {
			continue
		}
		e.pieces = append(e.pieces, piece{item: it, kind: k, held: held})
	}
	by := *base
	for grown := true; grown; {
		grown = false
		for i := range e.pieces {
			if p := &e.pieces[i]; !p.counts && t.fits(e, p, base, &by) {
				p.counts, grown = true, true
				e.bonus.Add(&p.bonus, 1)
			}
		}
	}
	for shrunk := true; shrunk; {
		shrunk = false
		for i := range e.pieces {
			if p := &e.pieces[i]; p.counts && !t.fits(e, p, base, &by) {
				e.bonus.Add(&p.bonus, -1)
				p.counts, shrunk = false, true
			}
		}
	}
}

// fits reports whether the requirements of a piece are met by base values and all else that counts, and finds its
// bonus then.
func (t *Tables) fits(e *equipment, p *piece, base, by *Wearer) bool {
	by.Stats = base.Stats
	for i := range by.Stats {
		by.Stats[i] += e.bonus.Stats[i]
		if p.counts {
			by.Stats[i] -= p.bonus.Stats[i] // nothing helps itself
		}
	}
	b, ok := t.Wear(p.kind, p.item.Suffix, by)
	if ok && !p.counts {
		p.bonus = b
	}
	return ok
}

// Lacks says which requirement of an item a character does not meet, 0 if it meets all.
func (t *Tables) Lacks(k *Kind, suffix int, by *Wearer) RejectReason {
	n := t.Numbers(k, suffix)
	if why := by.Lacks(&n.Need); why != 0 {
		return why
	}
	if !by.MayWear(k) {
		return LacksGuild
	}
	return 0
}

// Wear returns the bonus of an item for its wearer, weakened for weak characters; false if the requirements are not
// met.
func (t *Tables) Wear(k *Kind, suffix int, by *Wearer) (Bonus, bool) {
	n := t.Numbers(k, suffix)
	if by.Lacks(&n.Need) != 0 || !by.MayWear(k) {
		return Bonus{}, false
	}
	if ClassOf(k.Class).Use.Kept() { // its bonuses are the columns of its effect
		return Bonus{}, true
	}
	return Weaken(n.Bonus, n.Effect != 0, k.Rank(), by.Rank()), true
}

// Worn returns a character's visible equipment.
func (t *Tables) Worn(carried *Inventory, hand ItemID) (w Worn) {
	for i := range carried.Items {
		it := &carried.Items[i]
		if it.ID == hand && hand != 0 {
			switch ClassOf(it.Class).Held {
			case Sword:
				w.Sword = t.heldModel(it)
			case Axe:
				w.Axe = t.heldModel(it)
			case Crossbow:
				w.Crossbow = t.heldModel(it)
			}
		}
		if it.In == 0 {
			if at := wornPlace(&w, it); at != nil {
				*at = t.wearCode(it)
			}
		}
	}
	return w
}

// wornPlace returns the field for the look of a worn item; nil if others do not see it.
func wornPlace(w *Worn, i *Item) *byte {
	switch i.Slot {
	case SlotHelmet:
		return &w.Helmet
	case SlotShield:
		return &w.Shield
	case SlotChest:
		if ClassOf(i.Class).Robe {
			return &w.Robe
		}
		return &w.Armour
	case SlotGloves:
		return &w.Gloves
	case SlotPants:
		return &w.Pants
	case SlotBoots:
		return &w.Boots
	}
	return nil
}

// wearCode is the code by which clients know how an item looks when it is worn, 0 for not at all. It is taken for the
// first of the visual numbers of the client's own item table, if that is a single character: a guess, so without that
// table nothing is shown.
func (t *Tables) wearCode(i *Item) byte {
	if k := t.Of(i.Class, i.GameID, 0); k != nil {
		if code := k.Look[0]; len(code) == 1 && code[0] > ' ' && code[0] < 0x7F {
			return code[0]
		}
	}
	return 0
}

// maxModelName is how long the name of the model of a held item is at most.
const maxModelName = 15

// heldModel is the model of a held item, empty if it is not known.
func (t *Tables) heldModel(i *Item) string {
	k := t.Of(i.Class, i.GameID, 0)
	if k == nil || len(k.Model) > maxModelName || strconv.QuoteToASCII(k.Model) != `"`+k.Model+`"` {
		return ""
	}
	return k.Model
}
