package world

import (
	"cmp"
	"time"

	"sphereserver/world/rules"
)

// This file is the trade between two players. Each offers lots to the other: the items stay in the inventory, locked,
// until the other buys them or the trade ends. A purchase is one transaction of both.
//
// Source: protocol life 7.1.

const (
	// lots is how many items a player offers to another at once, from slot 0 on.
	lots = 20
	// dealReach is how far from each other two players trade at most, in metres.
	dealReach = 5
	// dealWatch is how often a trade is looked at, whether the two are still near and at peace.
	dealWatch = time.Second
	// dealCalm is how long after a blow of its own, or on it, a player does not trade.
	dealCalm = 5 * time.Second
	// dealPause keeps a player from buying what it has not seen yet: by number a lot that has changed a moment ago, since
	// such a request names no price, and at all another item, or more of it, in the place of one that was shown before. It
	// is the least time between two trades that a player begins, too.
	dealPause = 3 * time.Second
	// mostOffers is how often a player changes its offers or bids in each dealWatch: its partner is told of each.
	mostOffers = 10
)

// A deal is a player's part in a trade with another player. Both have one.
type deal struct {
	partner *player
	spoken  bool // it was begun by chat, so that offers are told in words, too
	lots    map[int]*lot
	shown   [lots]shownLot
	offered int  // how often in this dealWatch, bids among them
	wanted  bool // the player has begun it, or has done something in it
}

// A shownLot is the last state of a slot that a player's partner has seen; an empty slot changes nothing of it.
type shownLot struct {
	item  rules.ItemID
	count int
	since instant // that another item, or fewer of this one, was seen there; 0: no other was
}

// A lot is an item that a player offers to another.
type lot struct {
	item    rules.ItemID
	count   int
	price   int64 // of one
	bid     int64 // of the partner, for one; 0: none
	changed instant
}

// TradeWithPlayer begins to trade with another player. [PlayerTradeOpened] follows for both.
type TradeWithPlayer struct {
	ID   PlayerID
	With PlayerID
	Name string // of the other, if With is 0: the request comes by chat
}

func (c TradeWithPlayer) who() PlayerID { return c.ID }

func (c TradeWithPlayer) ask(w *World, p *player) rules.RejectReason {
	q := w.player(c.With)
	if c.With == 0 {
		q = w.named(c.Name)
	}
	why := w.belongings.mayDeal(p, q)
	switch {
	case why != 0:
		return why
	case p.tradesWith(q):
		if p.trade.deal.wanted = true; c.With == 0 {
			return rules.AlreadyTrading
		}
		return 0
	case q.trade.deal != nil || w.atTrader(q):
		return rules.TheyAreBusy
	case w.hasDeclined(p, q, tradeWish):
		return rules.JustDeclined
	case w.instant().Sub(p.began) < dealPause:
		return rules.Busy
	}
	w.ledger.closeTrade(p, false)
	w.ledger.closeTrade(q, false) // it has walked away from a trader
	p.began = w.instant()
	spoken := c.With == 0
	p.trade = &trade{with: EntityID(q.ID), deal: &deal{partner: q, spoken: spoken, wanted: true, lots: map[int]*lot{}}}
	q.trade = &trade{with: EntityID(p.ID), deal: &deal{partner: p, spoken: spoken, lots: map[int]*lot{}}}
	w.tell(PlayerTradeOpened{p.ID, q.ID, q.Name, spoken})
	w.tell(PlayerTradeOpened{q.ID, p.ID, p.Name, spoken})
	w.belongings.watchDeal(p, p.trade.deal)
	return 0
}

// tradesWith reports whether two players trade with each other.
func (p *player) tradesWith(q *player) bool { return p.trade.deal != nil && p.trade.deal.partner == q }

// mayDeal says why two players cannot trade now; the second may be nil.
func (be *belongings) mayDeal(p, q *player) rules.RejectReason {
	switch {
	case q == nil || q.gone() || q.leaving || q.lingers:
		return rules.NobodyThere
	case p == q:
		return rules.Yourself
	case be.ignoring(q, p):
		return rules.IgnoresYou
	case !p.Sees(&q.Body) || !q.Sees(&p.Body):
		return rules.NobodyThere
	case isDead(p):
		return rules.Dead
	case p.inside != q.inside || p.Position.Distance(q.Position) > dealReach:
		return rules.TooFar
	case isDead(q) || q.duel != nil || be.fights(q):
		return rules.TheyAreBusy
	case p.duel != nil || be.fights(p):
		return rules.Fighting
	}
	return 0
}

// fights reports whether a player is in a fight.
func (be *belongings) fights(p *player) bool { return be.places.fought(p, dealCalm) }

// dealOf checks that a player trades with another, and returns its own part.
func (be *belongings) dealOf(p *player) (*deal, rules.RejectReason) {
	d := p.trade.deal
	if d == nil {
		return nil, rules.NotTrading
	}
	return d, be.mayDeal(p, d.partner)
}

// watchDeal ends a trade, now and from time to time, when the two cannot trade any more.
func (be *belongings) watchDeal(p *player, d *deal) {
	switch {
	case p.trade.deal != d:
	case be.mayDeal(p, d.partner) != 0:
		be.ledger.closeTrade(p, false)
	default:
		d.offered, d.partner.trade.deal.offered = 0, 0
		be.after(dealWatch, &p.entity, func(e *entity) { be.watchDeal(e.player, d) })
	}
}

// declineDeal notes that a player closes a trade that another has opened, and in which it has had no part: the other
// cannot open the next at once.
func (be *belongings) declineDeal(p *player) {
	if d := p.trade.deal; d != nil && !d.wanted {
		be.decline(d.partner, p, tradeWish)
	}
}

// endDeal ends the trade of two players. asked: the first one wanted it, and its client has closed the window itself.
func (lg *ledger) endDeal(p *player, d *deal, asked bool) {
	q := d.partner
	p.trade, q.trade = &noTrade, &noTrade
	lg.tell(PlayerTradeClosed{p.ID, q.ID, q.Name, d.spoken, asked})
	lg.tell(PlayerTradeClosed{q.ID, p.ID, p.Name, d.spoken, false})
}

// offerToPlayer makes a lot of an item, or another lot of it. [LotShown] follows for the partner.
func (be *belongings) offerToPlayer(p *player, c OfferForSale) rules.RejectReason {
	d, why := be.dealOf(p)
	if why != 0 {
		return why
	}
	if c.TradeSlot < 0 || c.TradeSlot >= lots {
		return rules.NoSlot
	}
	t := p.carried.Find(c.Item)
	l := &lot{item: c.Item, count: c.Count, price: c.Price}
	if t != nil && c.Count == 0 {
		l.count = t.Count
	}
	if why := mayOffer(p, t, l); why != 0 {
		return why
	}
	if here := d.lots[c.TradeSlot]; p.offers(c.Item) && (here == nil || here.item != c.Item) {
		return rules.OnOffer
	}
	return be.setLot(p, d, c.TradeSlot, l)
}

// setLot has a player offer a lot in a slot, unless its offers change too often.
func (be *belongings) setLot(p *player, d *deal, slot int, l *lot) rules.RejectReason {
	if d.offered >= mostOffers {
		return rules.Busy
	}
	d.offered++
	d.wanted = true
	was := d.itemIn(slot)
	d.lots[slot] = l
	be.showLot(p, d, slot, was)
	return 0
}

// itemIn is the item that is offered in a slot, 0 for none.
func (d *deal) itemIn(slot int) rules.ItemID {
	if l := d.lots[slot]; l != nil {
		return l.item
	}
	return 0
}

// partnersLot is the lot that another player offers the player in a slot; nil for none.
func (p *player) partnersLot(slot int) *lot {
	if d := p.trade.deal; d != nil {
		return d.partner.trade.deal.lots[slot]
	}
	return nil
}

// offers reports whether a player offers an item to another: it stays where it is, and is not used. All that takes
// items from an inventory asks this, except operators.
func (p *player) offers(id rules.ItemID) bool {
	if p.trade.deal == nil {
		return false
	}
	for _, l := range p.trade.deal.lots {
		if l.item == id {
			return true
		}
	}
	return false
}

// mayLeave says why an item of an inventory must stay in its slot.
func (p *player) mayLeave(h *rules.Inventory, t *rules.Item) rules.RejectReason {
	if p.offers(t.ID) {
		return rules.OnOffer
	}
	return h.MayLeave(t)
}

// mayOffer says why a player cannot offer an item, nil for none, to another at the terms of a lot.
func mayOffer(p *player, t *rules.Item, l *lot) rules.RejectReason {
	switch {
	case t == nil:
		return rules.NotYours
	case t.In != 0:
		return rules.InBag
	case !rules.InInventory(t.Slot) || rules.ClassOf(t.Class).Stays || t.Class == rules.ClassMission:
		return rules.NoSlot
	case t.Bound:
		return rules.IsBound
	case p.carried.Holds(t.ID):
		return rules.NotEmpty
	case l.count > t.Count:
		return rules.WrongCount
	}
	return rules.MayCost(l.price, 0, l.count)
}

// showLot tells the partner how a lot is now: see lotNow.
func (be *belongings) showLot(p *player, d *deal, slot int, was rules.ItemID) {
	be.tell(be.lotNow(p, d, slot, was))
}

// lotNow is how a lot is now, for the partner; was is the item that was offered in its slot before, 0 for none. A bid
// for it is void. An item that the player does not have any more is not offered any more.
func (be *belongings) lotNow(p *player, d *deal, slot int, was rules.ItemID) LotShown {
	e := LotShown{ID: d.partner.ID, By: p.ID, Name: p.Name, TradeSlot: slot, Was: was, Spoken: d.spoken}
	if t := p.carried.Find(d.itemIn(slot)); t != nil {
		l := d.lots[slot]
		l.count, l.bid, l.changed = min(l.count, t.Count), 0, be.instant()
		e.Item, e.Count, e.Price = *t, l.count, l.price
		seen := &d.shown[slot]
		if seen.item != 0 && (seen.item != l.item || seen.count < l.count) {
			seen.since = l.changed
		}
		seen.item, seen.count = l.item, l.count
	} else {
		delete(d.lots, slot)
	}
	return e
}

// OfferSlot offers another player an item by the inventory slot in which it lies, in the first free slot of the trade,
// or takes it back. [LotShown] follows for the partner, and [LotOffered].
type OfferSlot struct {
	ID    PlayerID
	Slot  int   // of the inventory, from 1
	Price int64 // of one
	Count int   // 0: all
	Back  bool  // it is offered no longer
}

func (c OfferSlot) who() PlayerID { return c.ID }

func (c OfferSlot) ask(w *World, p *player) rules.RejectReason {
	d, why := w.belongings.dealOf(p)
	if why != 0 {
		return why
	}
	t := p.carried.At(0, rules.SlotInventory+c.Slot-1)
	if t == nil || !rules.InInventory(t.Slot) {
		return rules.EmptySlot
	}
	free := 0
	for slot := lots - 1; slot >= 0; slot-- {
		switch l := d.lots[slot]; {
		case l == nil:
			free = slot
		case l.item == t.ID && c.Back:
			why := Withdraw{p.ID, slot}.ask(w, p)
			if why == 0 {
				w.tell(LotOffered{ID: p.ID, TradeSlot: slot})
			}
			return why
		case l.item == t.ID: // new terms
			return w.belongings.offerInto(p, c, t, slot)
		}
	}
	switch {
	case c.Back:
		return rules.NoArticle
	case d.lots[free] != nil:
		return rules.NoRoom
	}
	return w.belongings.offerInto(p, c, t, free)
}

// offerInto offers an item in a slot of the trade, as a player has asked by chat.
func (be *belongings) offerInto(p *player, c OfferSlot, t *rules.Item, slot int) rules.RejectReason {
	why := be.offerToPlayer(p, OfferForSale{p.ID, slot, t.ID, c.Count, c.Price})
	if why == 0 {
		be.tell(LotOffered{p.ID, slot, *t, cmp.Or(c.Count, t.Count), c.Price})
	}
	return why
}

// Withdraw takes back what a player offers another in a slot. [LotShown] without an item follows for the partner. To a
// trader it is no longer offered.
type Withdraw struct {
	ID        PlayerID
	TradeSlot int
}

func (c Withdraw) who() PlayerID { return c.ID }

func (c Withdraw) ask(w *World, p *player) rules.RejectReason {
	delete(p.trade.offers, c.TradeSlot)
	delete(p.trade.repairs, c.TradeSlot)
	d := p.trade.deal
	switch {
	case d == nil && p.trade.with != 0: // a townsman is told of nothing
		return 0
	case d == nil || d.lots[c.TradeSlot] == nil:
		return rules.NotOpen
	}
	was := d.itemIn(c.TradeSlot)
	delete(d.lots, c.TradeSlot)
	w.belongings.showLot(p, d, c.TradeSlot, was)
	return 0
}

// Bid offers another price for a lot of the player with which one trades. [BidMade] follows for that player, which
// sells at that price by [AcceptPrice].
type Bid struct {
	ID        PlayerID
	TradeSlot int
	Price     int64 // of one
}

func (c Bid) who() PlayerID { return c.ID }

func (c Bid) ask(w *World, p *player) rules.RejectReason {
	d, l, why := w.belongings.lotFor(p, c.TradeSlot)
	if why == 0 {
		why = rules.MayCost(c.Price, 1, l.count)
	}
	switch {
	case why != 0:
		return why
	case c.Price*int64(l.count) > p.Money:
		return rules.TooPoor
	case w.belongings.replaced(d.partner, c.TradeSlot):
		return rules.JustChanged
	case d.offered >= mostOffers:
		return rules.Busy
	}
	d.offered++
	d.wanted = true
	l.bid = c.Price
	w.tell(BidMade{d.partner.ID, p.ID, p.Name, c.TradeSlot, c.Price, d.spoken})
	return 0
}

// limit is the price that the refusal of a player without the money names.
func (c Bid) limit(_ *World, p *player, why rules.RejectReason) int {
	if l := p.partnersLot(c.TradeSlot); l != nil {
		return needed(why, c.Price, l.count)
	}
	return 0
}

// acceptBid sells a lot at the price that the partner has bid, or else gives it other terms.
func (be *belongings) acceptBid(p *player, c AcceptPrice) rules.RejectReason {
	d, why := be.dealOf(p)
	if why != 0 {
		return why
	}
	l := d.lots[c.TradeSlot]
	switch {
	case l == nil:
		return rules.NoSlot
	case l.bid != 0 && l.bid == c.Price && (c.Count == 0 || c.Count == l.count):
		return be.sellLot(p, d.partner, p, c, c.TradeSlot, l.count, l.bid)
	}
	is := &lot{item: l.item, count: cmp.Or(c.Count, l.count), price: c.Price}
	if why := mayOffer(p, p.carried.Find(l.item), is); why != 0 {
		return why
	}
	return be.setLot(p, d, c.TradeSlot, is)
}

// replaced reports whether what a player offers in a slot has been something else, or less, a moment ago.
func (be *belongings) replaced(p *player, slot int) bool {
	return be.instant().Sub(p.trade.deal.shown[slot].since) < dealPause
}

// lotFor is the offer of the partner to a player in a slot. If something else has taken of it, the rest is told.
func (be *belongings) lotFor(p *player, slot int) (own *deal, l *lot, why rules.RejectReason) {
	d, why := be.dealOf(p)
	if why != 0 {
		return nil, nil, why
	}
	theirs := d.partner.trade.deal
	if l = theirs.lots[slot]; l == nil {
		return nil, nil, rules.NoArticle
	}
	if t := d.partner.carried.Find(l.item); t == nil || t.Count < l.count {
		be.showLot(d.partner, theirs, slot, l.item)
		return nil, nil, rules.NoArticle
	}
	return d, l, 0
}

// buyLot buys from the player with which a player trades. If the terms are not those of the request, they are told
// again.
func (be *belongings) buyLot(p *player, c Buy) rules.RejectReason {
	d, l, why := be.lotFor(p, c.Slot)
	switch {
	case why != 0:
		return why
	case c.Trader != EntityID(d.partner.ID):
		return rules.NotOpen
	case l.price != int64(c.Price):
		why = rules.NoArticle
	case c.Count < 1 || c.Count > l.count:
		why = rules.WrongCount
	case be.replaced(d.partner, c.Slot):
		why = rules.JustChanged
	default:
		return be.sellLot(d.partner, p, p, c, c.Slot, c.Count, l.price)
	}
	be.showLot(d.partner, d.partner.trade.deal, c.Slot, l.item)
	return why
}

// BuyLot buys by number from the player with which one trades, at the price that was told. [Bought] follows, and
// [Sold] for the other.
type BuyLot struct {
	ID        PlayerID
	TradeSlot int
	Count     int // 0: all
}

func (c BuyLot) who() PlayerID { return c.ID }

func (c BuyLot) ask(w *World, p *player) rules.RejectReason {
	_, l, why := w.belongings.lotFor(p, c.TradeSlot)
	switch {
	case why != 0:
		return why
	case w.instant().Sub(l.changed) < dealPause:
		return rules.JustChanged
	}
	return w.belongings.buyLot(p, Buy{p.ID, p.trade.with, c.TradeSlot, int(l.price), cmp.Or(c.Count, l.count)})
}

// limit is the price that the refusal of a player without the money names.
func (c BuyLot) limit(_ *World, p *player, why rules.RejectReason) int {
	if l := p.partnersLot(c.TradeSlot); l != nil {
		return needed(why, l.price, cmp.Or(c.Count, l.count))
	}
	return 0
}

// sellLot sells a number of a lot, at a price for each, as one of the two has requested.
func (be *belongings) sellLot(seller, buyer, requester *player, by Command, slot, count int,
	price int64) rules.RejectReason {
	own := seller.trade.deal
	l := own.lots[slot]
	t, total := seller.carried.Find(l.item), price*int64(count)
	if why := maySell(seller, buyer, t, count, price); why == rules.TooPoor && requester == seller {
		return rules.TheyAreTooPoor
	} else if why != 0 {
		return why
	}
	requester.trade.deal.wanted = true
	d := be.ledger.tx(requester, by)
	other := stake{p: seller, money: total}
	if d.money = -total; requester == seller {
		d.money, other = total, stake{p: buyer, money: -total}
	}
	d.others = append(d.others, other)
	from, to := d.Side(&seller.carried), d.Side(&buyer.carried)
	was, left := *t, t.Count-count
	id, merged, why := d.handOver(be.tables, from, to, t, count)
	if why != 0 {
		return why
	}
	be.ledger.commit(d, nil, func() {
		be.vitals.updateEquipment(other.p, d)
		has := buyer.carried.Find(id)
		if has == nil {
			has = &d.Moved(id).Is
		}
		be.tell(Bought{buyer.ID, *has, merged, count, total, buyer.Money, d.slots(exactly(to))})
		be.tell(Sold{seller.ID, seller.Position, EntityID(buyer.ID), was, left, total, seller.Money,
			d.slots(exactly(from))})
		if seller.trade.deal == own && own.lots[slot] == l {
			be.shrinkLot(seller, own, slot, count)
		}
	})
	return 0
}

// maySell says why a number of an item, nil for none, cannot be sold at a price for each.
func maySell(seller, buyer *player, t *rules.Item, count int, price int64) rules.RejectReason {
	total := price * int64(count)
	switch {
	case t == nil || count > t.Count:
		return rules.NoArticle
	case total > buyer.Money:
		return rules.TooPoor
	case seller.Money+total > rules.MaxMoney:
		return rules.TooRich
	case seller.pending != nil || buyer.pending != nil:
		return rules.Busy
	}
	return mayOffer(seller, t, &lot{count: count, price: price})
}

// shrinkLot takes what was sold from a lot, and shows the rest.
func (be *belongings) shrinkLot(seller *player, own *deal, slot, sold int) {
	l := own.lots[slot]
	if l.count -= sold; l.count <= 0 {
		delete(own.lots, slot)
	}
	changed := l.changed
	e := be.lotNow(seller, own, slot, l.item)
	e.Sold = true
	be.tell(e)
	l.changed = changed // the buyer knows the rest
}

// handOver brings a number of a stack from one inventory into the other: onto a stack of the same, or into the first
// free slot. It returns the item that the other has then.
func (d *tx) handOver(tables *rules.Tables, from, to *rules.Side, t *rules.Item, count int) (id rules.ItemID,
	merged bool, why rules.RejectReason) {
	if count < t.Count {
		part := *t
		part.ID, part.Count = 0, count
		d.Edit(from, t.ID).Count -= count
		return tables.Pocket(&d.InventoryTx, to, part)
	}
	if there := tables.StackFor(&to.Inventory, t); there != nil {
		d.Merge(from, to, t.ID, there.ID)
		return there.ID, true, 0
	}
	slot, ok := to.Free(0, rules.SlotInventory, rules.EndOfInventory)
	if !ok {
		return 0, false, rules.NoRoom
	}
	if why := tables.MayLie(t, from.Was, to.Was, 0, slot); why != 0 {
		return 0, false, why
	}
	d.Carry(from, to, t.ID, 0, slot)
	return t.ID, false, 0
}

// Events of trades between players.
type (
	// PlayerTradeOpened tells a player that another trades with it now.
	PlayerTradeOpened struct {
		ID     PlayerID
		With   PlayerID
		Name   string // of With
		Spoken bool   // by chat
	}

	// LotOffered tells a player what it offers in a slot now that it has said so by chat.
	LotOffered struct {
		ID        PlayerID
		TradeSlot int
		Item      rules.Item // ID 0: nothing any more
		Count     int
		Price     int64 // of one
	}

	// LotShown tells a player what another offers it in a slot now.
	LotShown struct {
		ID        PlayerID
		By        PlayerID
		Name      string // of By
		TradeSlot int
		Was       rules.ItemID // that was offered in the slot before; 0: nothing
		Item      rules.Item   // ID 0: nothing any more
		Count     int          // to be had, 1 to that of the item
		Price     int64        // of one
		Sold      bool         // the player itself has just bought of it
		Spoken    bool
	}

	// BidMade tells a player that its partner would pay another price.
	BidMade struct {
		ID        PlayerID
		By        PlayerID
		Name      string // of By
		TradeSlot int
		Price     int64 // of one
		Spoken    bool
	}

	// PlayerTradeClosed tells a player that the trade with another is over. All offers are void.
	PlayerTradeClosed struct {
		ID     PlayerID
		With   PlayerID
		Name   string // of With
		Spoken bool
		Asked  bool // by the player itself
	}
)

func (PlayerTradeOpened) event() {}
func (LotOffered) event()        {}
func (LotShown) event()          {}
func (BidMade) event()           {}
func (PlayerTradeClosed) event() {}
