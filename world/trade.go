package world

import (
	"time"

	"sphereserver/coords"
)

// offers is how many things can be offered to a trader at once.
const offers = 32

// bankerType is the occupation of who keeps vaults.
//
// Source: protocol ingame 11.2.
const bankerType = 17

// A trade is what a player has to do with a townsman.
type trade struct {
	with   ObjectID // 0: nobody
	bank   bool
	goods  []Offer // as they were when the trade began
	offers [offers]offered
}

// offered is something that a trader has named a price for.
type offered struct {
	item  ItemID
	count int
	price int64
}

// A stock is what a trader sells today.
type stock struct {
	day   uint64
	goods []Offer
	shown []Article // the same, as they are told
}

// townsman returns a townsman whom a player can speak to.
func (w *World) townsman(p *player, id ObjectID) (*NPC, RejectReason) {
	o := w.object(id)
	if o == nil || !o.seenBy(p) {
		return nil, NotInSight
	}
	t, ok := o.Kind.(NPC)
	switch {
	case !ok:
		return nil, NoTrader
	case p.Position.Distance(o.Position) > w.options.Reach:
		return nil, TooFar
	}
	return &t, 0
}

// partner checks that a player still trades with a trader, not a banker.
func (w *World) partner(p *player, id ObjectID) RejectReason {
	if p.trade.with == 0 || p.trade.with != id || p.trade.bank {
		return NotOpen
	}
	_, why := w.townsman(p, id)
	return why
}

// vaultOpen says why a player cannot get at its vault; 0 if it can.
func (w *World) vaultOpen(p *player) RejectReason {
	if !p.trade.bank || p.trade.with == 0 {
		return NotOpen
	}
	_, why := w.townsman(p, p.trade.with)
	return why
}

// stock is what a trader sells today.
func (w *World) stock(id ObjectID, t *NPC, now time.Time) stock {
	day := GameDay(now)
	s, ok := w.stocks[id]
	if !ok || s.day != day {
		s = stock{day: day, goods: w.rules.Stock(t, day)}
		s.shown = make([]Article, len(s.goods))
		for i := range s.goods {
			g := &s.goods[i]
			s.shown[i] = Article{w.newThing(g.Kind, g.Suffix, g.Count, nil), g.Price}
		}
		w.stocks[id] = s
	}
	return s
}

func (c OpenTrade) ask(w *World, p *player, now time.Time) RejectReason {
	t, why := w.townsman(p, c.Trader)
	if why != 0 {
		return why
	}
	if t.Type == bankerType {
		return w.openVault(p, c.Trader)
	}
	s := w.stock(c.Trader, t, now)
	if len(s.goods) == 0 {
		return NoTrader
	}
	w.closeTrade(p)
	p.trade = trade{with: c.Trader, goods: s.goods}
	w.tell(TradeOpened{p.ID, c.Trader, s.shown})
	return 0
}

// openVault lets a player see and use the vault of its account.
func (w *World) openVault(p *player, banker ObjectID) RejectReason {
	if p.Vault == 0 {
		return NoContainer
	}
	w.closeTrade(p)
	p.trade = trade{with: banker, bank: true}
	e := Opened{ID: p.ID, What: Container{Vault: true}, Banker: banker, Items: p.kept.within(0, nil)}
	e.Slots = contents(&p.kept, 0, e.What)
	w.tell(e)
	return 0
}

func (c CloseTrade) ask(w *World, p *player, _ time.Time) RejectReason {
	w.closeTrade(p)
	return 0
}

func (w *World) closeTrade(p *player) {
	if t := p.trade; t.with != 0 {
		p.trade = trade{}
		if t.bank {
			w.tell(Closed{p.ID, Container{Vault: true}})
		}
		w.tell(TradeClosed{p.ID, t.with})
	}
}

// newThing is a thing as it is made.
func (w *World) newThing(k *ItemKind, suffix, count int, extra []byte) Item {
	n := w.rules.Numbers(k, suffix)
	t := Item{Class: k.Class, GameID: k.GameID, Suffix: suffix, Count: count, Durability: n.Durability, MaxDurability: n.Durability,
		Premium: k.Premium, Weight: n.Weight, Extra: k.Extra}
	if n.Durability <= 0 {
		t.Durability, t.MaxDurability = 100, 100
	}
	if extra != nil {
		t.Extra = extra
	}
	return t
}

func (c Buy) ask(w *World, p *player, now time.Time) RejectReason {
	if why := w.partner(p, c.Trader); why != 0 {
		return why
	}
	if c.Slot < 0 || c.Slot >= len(p.trade.goods) || p.trade.goods[c.Slot].Price != c.Price {
		return NoArticle
	}
	g := &p.trade.goods[c.Slot]
	if c.Count < 1 || c.Count > g.Count || c.Count > max(g.Kind.Stack, 1) {
		return WrongCount
	}
	total := int64(c.Price) * int64(c.Count)
	if total < 0 || total > p.Money {
		return TooPoor
	}
	d := w.draft(p, c)
	d.money -= total
	id, merged, why := w.pocketNew(d, d.side(&p.carried), w.newThing(g.Kind, g.Suffix, c.Count, nil))
	if why != 0 {
		return why
	}
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Bought{p.ID, c.Trader, d.moved(id).is, merged, c.Count, total, p.Money, d.slots(all)})
	})
	return 0
}

// pocketNew puts a new thing into the inventory: onto a stack of the same if it fits, otherwise into the first free slot.
func (w *World) pocketNew(d *draft, s *side, t Item) (id ItemID, merged bool, why RejectReason) {
	for slot := slotInventory; slot < endOfInventory; slot++ {
		if there := s.at(0, slot); there != nil && w.stacks(&t, there) {
			id = there.ID
			d.edit(s, id).Count += t.Count
			return id, true, 0
		}
	}
	slot, ok := s.free(0, slotInventory, endOfInventory)
	if !ok {
		return 0, false, NoRoom
	}
	t.Slot = slot
	return d.add(s, t), false, 0
}

// priceOf is what a trader pays for a thing.
func (w *World) priceOf(t *Item) int64 {
	k := w.rules.Of(t)
	if k == nil {
		return 0
	}
	price := float64(w.rules.Numbers(k, t.Suffix).Price) * float64(t.Count) * w.options.SellFraction
	if !(price > 0) {
		return 0
	}
	return int64(min(price, MaxMoney))
}

// sellable returns a carried thing that may be sold.
func (w *World) sellable(p *player, id ItemID) (*Item, RejectReason) {
	t := p.carried.find(id)
	switch {
	case t == nil:
		return nil, NotYours
	case p.carried.holds(id):
		return nil, NotEmpty
	}
	return t, w.mayLeave(t, &p.carried)
}

func (c OfferForSale) ask(w *World, p *player, _ time.Time) RejectReason {
	if why := w.partner(p, p.trade.with); why != 0 {
		return why
	}
	if c.TradeSlot < 0 || c.TradeSlot >= offers {
		return NoSlot
	}
	t, why := w.sellable(p, c.Item)
	if why != 0 {
		return why
	}
	price := w.priceOf(t)
	if price <= 0 {
		return Worthless
	}
	p.trade.offers[c.TradeSlot] = offered{t.ID, t.Count, price}
	in, _ := p.carried.container(t.In)
	w.tell(Offered{p.ID, p.trade.with, c.TradeSlot, *t, price, []SlotNow{{In: in, Slot: t.Slot, Item: t.ID, Weight: p.carried.weight(t)}}})
	return 0
}

func (c AcceptPrice) ask(w *World, p *player, now time.Time) RejectReason {
	if why := w.partner(p, p.trade.with); why != 0 {
		return why
	}
	if c.TradeSlot < 0 || c.TradeSlot >= offers || p.trade.offers[c.TradeSlot].item == 0 {
		return NoSlot
	}
	o := p.trade.offers[c.TradeSlot]
	t, why := w.sellable(p, o.item)
	switch {
	case why != 0:
		return why
	case o.price != c.Price || t.Count != o.count:
		return NoArticle
	case p.Money+o.price > MaxMoney:
		return TooRich
	}
	trader, was := p.trade.with, *t
	p.trade.offers[c.TradeSlot] = offered{}
	d := w.draft(p, c)
	d.money += o.price
	d.take(d.side(&p.carried), t.ID)
	w.commit(d, nil, now, func(w *World, now time.Time) {
		w.tell(Sold{p.ID, trader, c.TradeSlot, was, o.price, p.Money, d.slots(all)})
		w.rewear(p, d)
	}).failed = func(w *World, now time.Time) {
		if p.trade.with == trader {
			p.trade.offers[c.TradeSlot] = o
		}
	}
	return 0
}

// noRules know nothing.
type noRules struct{}

func (noRules) Of(*Item) *ItemKind                         { return nil }
func (noRules) Kind(int) *ItemKind                         { return nil }
func (noRules) Numbers(*ItemKind, int) Numbers             { return Numbers{} }
func (noRules) Wear(*ItemKind, int, *Wearer) (Bonus, bool) { return Bonus{}, true }
func (noRules) Look([]Item, *Item) Worn                    { return Worn{} }
func (noRules) Stock(*NPC, uint64) []Offer                 { return nil }
func (noRules) Token(*Item) (to coords.Position, ok bool)  { return to, false }
func (noRules) Maxima(int, int) (hp, mp int)               { return 0, 0 }
func (noRules) Points(int, int) (title, degree int)        { return 0, 0 }
