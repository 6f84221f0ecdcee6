package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// belongings are the players' dealings with items: inventories, items on the ground, traders and vaults.
type belongings struct {
	*core
	places   *places
	ledger   *ledger
	vitals   *vitals
	minds    *minds
	spawners *spawners
	missions *missions

	stocks map[EntityID]stock          // of traders that were asked today
	quoted quotes[rules.ItemID, int64] // prices of repairs
}

// offers is how many items can be offered to a trader at once, from 0 on.
const offers = 32

// A trade is a player's trade with an NPC or another player, or its look into its vault.
type trade struct {
	with   EntityID // 0: none
	bank   bool
	goods  []rules.Offer // as they were when the trade began
	offers map[int]offered
	deal   *deal // with another player; nil: with an NPC

	repairs map[int]rules.ItemID // worn items that lie in a smith's window, by its slots
}

// noTrade is that of a player that has none. It is not to be changed.
var noTrade trade

// offered is an item for which a trader has named a price.
type offered struct {
	item  rules.ItemID
	count int
	price int64
}

// A stock is a trader's goods of today.
type stock struct {
	day   uint64
	goods []rules.Offer
	shown []Article // the same, as they are told
}

// bankerType is the occupation of keepers of vaults.
//
// Source: protocol ingame 11.2.
const bankerType = 17

// partner checks that a player still trades with a trader, not a banker.
func (be *belongings) partner(p *player, id EntityID) rules.RejectReason {
	if p.trade.with == 0 || p.trade.with != id || p.trade.bank {
		return rules.NotOpen
	}
	_, why := be.npc(p, id)
	return why
}

// atTrader reports whether a player trades with an NPC, or looks into its vault, within reach. A client does not say so
// when its player just walks away.
func (c *core) atTrader(p *player) bool {
	return p.trade.with != 0 && p.trade.deal == nil && c.traderReached(p) == 0
}

// traderReached says why a player cannot reach the NPC, or the door to its vault, with which it trades; 0 if it can.
func (c *core) traderReached(p *player) rules.RejectReason {
	if o := c.object(p.trade.with); o != nil {
		if _, door := o.Kind.(Portal); door {
			_, _, why := reach[Portal](c, p, p.trade.with, rules.NotOpen)
			return why
		}
	}
	_, _, why := reach[NPC](c, p, p.trade.with, rules.NoTrader)
	return why
}

// stock returns a trader's goods of today.
func (be *belongings) stock(id EntityID, t *NPC) stock {
	day := rules.GameDay(be.now)
	s, ok := be.stocks[id]
	if !ok || s.day != day {
		s = stock{day: day, goods: be.goods(t, be.object(id).Position, day)}
		s.shown = make([]Article, len(s.goods))
		for i := range s.goods {
			g := &s.goods[i]
			s.shown[i] = Article{be.tables.NewItem(g.Kind, g.Suffix, g.Count, g.Extra), g.Price}
		}
		be.stocks[id] = s
	}
	return s
}

// goods returns the goods of a trader at a place on a day of the game.
func (be *belongings) goods(t *NPC, at coords.Position, day uint64) []rules.Offer {
	return be.tables.ForSale(rules.ShopOf(t.Type, int(t.Name), t.Tier, day), &be.balance.Travel, rules.Stall{
		Continent: be.options.Continent(at), ContinentOf: be.options.Continent, FirstRoom: t.Rooms.First,
		LastRoom: t.Rooms.Last})
}

// OpenTrade begins to trade: with a trader [TradeOpened] follows, with a banker [Opened] for the vault.
type OpenTrade struct {
	ID     PlayerID
	Trader EntityID
}

func (c OpenTrade) who() PlayerID { return c.ID }

func (c OpenTrade) ask(w *World, p *player) rules.RejectReason {
	t, why := w.belongings.npc(p, c.Trader)
	if why != 0 {
		return why
	}
	met := w.missions.meet(p, w.object(c.Trader))
	if t.Giver != nil && t.Giver.Guild != 0 {
		if met {
			return 0
		}
		return w.missions.rise(p, c, w.object(c.Trader))
	}
	if t.Type == bankerType {
		return w.belongings.openVault(p, c.Trader)
	}
	s := w.belongings.stock(c.Trader, t)
	switch {
	case len(s.goods) > 0 || t.Giver != nil:
	case met:
		return 0
	default:
		return rules.NoTrader
	}
	w.ledger.closeTrade(p, p.trade.with == c.Trader)
	p.trade = &trade{with: c.Trader, goods: s.goods, offers: map[int]offered{}}
	w.tell(TradeOpened{p.ID, c.Trader, s.shown})
	return 0
}

// limit is the level that the refusal of a guild master names, 0 for none.
func (c OpenTrade) limit(w *World, p *player, why rules.RejectReason) int {
	if t, wrong := w.belongings.npc(p, c.Trader); wrong == 0 && t.Giver != nil && t.Giver.Guild != 0 {
		return guildLimit(p, t.Giver, why)
	}
	return 0
}

// openVault shows a player the vault of its account, for use.
func (be *belongings) openVault(p *player, banker EntityID) rules.RejectReason {
	if p.Vault == 0 {
		return rules.NoContainer
	}
	be.ledger.closeTrade(p, false)
	p.trade = &trade{with: banker, bank: true}
	be.tell(opened(p, Container{Vault: true}, &p.kept, 0))
	return 0
}

// CloseTrade ends a trade. [TradeClosed] follows if there was one, [PlayerTradeClosed] for both if it was between
// players.
type CloseTrade struct {
	ID     PlayerID
	Spoken bool // by chat: the client's window is still open
}

func (c CloseTrade) who() PlayerID { return c.ID }
func (CloseTrade) alsoDead()       {}

func (c CloseTrade) ask(w *World, p *player) rules.RejectReason {
	if c.Spoken && p.trade.with == 0 {
		return rules.NotTrading
	}
	w.belongings.declineDeal(p)
	w.ledger.closeTrade(p, !c.Spoken)
	return 0
}

// closeTrade ends a player's trade, if it has one. asked: its client has closed the window itself, or opens it again.
func (lg *ledger) closeTrade(p *player, asked bool) {
	switch t := p.trade; {
	case t.deal != nil:
		lg.endDeal(p, t.deal, asked)
	case t.with != 0:
		p.trade = &noTrade
		if t.bank {
			lg.tell(Closed{p.ID, Container{Vault: true}})
		}
		lg.tell(TradeClosed{p.ID, t.with, asked || t.bank})
	}
}

// Buy buys from the trader or the player with which the player trades. [Bought] follows, and [Sold] for the player that
// has sold it.
type Buy struct {
	ID     PlayerID
	Trader EntityID
	Slot   int // index in the goods, from 0
	Price  int // of one, as the player knows it
	Count  int
}

func (c Buy) who() PlayerID { return c.ID }

func (c Buy) ask(w *World, p *player) rules.RejectReason {
	if p.trade.deal != nil {
		return w.belongings.buyLot(p, c)
	}
	if why := w.belongings.partner(p, c.Trader); why != 0 {
		return why
	}
	if c.Slot < 0 || c.Slot >= len(p.trade.goods) || p.trade.goods[c.Slot].Price != c.Price {
		return rules.NoArticle
	}
	g := &p.trade.goods[c.Slot]
	if c.Count < 1 || c.Count > g.Count || c.Count > max(g.Kind.Stack, 1) {
		return rules.WrongCount
	}
	total := int64(c.Price) * int64(c.Count)
	if total < 0 || total > p.Money {
		return rules.TooPoor
	}
	d := w.ledger.tx(p, c)
	d.money -= total
	id, merged, why := w.tables.Pocket(&d.InventoryTx, d.Side(&p.carried),
		w.tables.NewItem(g.Kind, g.Suffix, c.Count, g.Extra))
	if why != 0 {
		return why
	}
	w.ledger.commit(d, nil, func() {
		w.tell(Bought{p.ID, d.Moved(id).Is, merged, c.Count, total, p.Money, d.slots(all)})
	})
	return 0
}

// limit is the price that the refusal of a player without the money names.
func (c Buy) limit(_ *World, _ *player, why rules.RejectReason) int {
	return needed(why, int64(c.Price), c.Count)
}

func (be *belongings) priceOf(t *rules.Item) int64 {
	k := be.tables.KindOf(t)
	if k == nil || rules.ClassOf(t.Class).Gift {
		return 0
	}
	worth, travels := be.balance.Travel.Worth(be.tables, t)
	if !travels {
		worth = be.tables.Worth(k, t.Suffix)
	}
	price := float64(worth) * float64(t.Count) * be.options.SellFraction
	return int64(min(max(price, 0), rules.MaxMoney))
}

func (be *belongings) sellable(p *player, id rules.ItemID) (*rules.Item, rules.RejectReason) {
	t := p.carried.Find(id)
	switch {
	case t == nil:
		return nil, rules.NotYours
	case p.carried.Holds(id):
		return nil, rules.NotEmpty
	}
	return t, p.mayLeave(&p.carried, t)
}

// OfferForSale asks the trader for a price: [Offered] follows. In a trade between players it offers the item to the
// other: [LotShown] follows for that player.
type OfferForSale struct {
	ID        PlayerID
	TradeSlot int // 0 to 31; between players 0 to 19
	Item      rules.ItemID
	Count     int   // between players; 0: all
	Price     int64 // of one, between players; below 0: none is named, as to a trader, and no player is offered it
}

func (c OfferForSale) who() PlayerID       { return c.ID }
func (c OfferForSale) names(n *namedSlots) { n.item(c.Item) }

func (c OfferForSale) ask(w *World, p *player) rules.RejectReason {
	if p.trade.deal != nil {
		return w.belongings.offerToPlayer(p, c)
	}
	if why := w.belongings.partner(p, p.trade.with); why != 0 {
		return why
	}
	if c.TradeSlot < 0 || c.TradeSlot >= offers {
		return rules.NoSlot
	}
	t, why := w.belongings.sellable(p, c.Item)
	if why != 0 {
		return why
	}
	w.belongings.offerToSmith(p, c.TradeSlot, t)
	price := w.belongings.priceOf(t)
	if price <= 0 {
		return rules.Worthless
	}
	p.trade.offers[c.TradeSlot] = offered{t.ID, t.Count, price}
	w.tell(Offered{p.ID, p.trade.with, c.TradeSlot, price, []SlotNow{slotOf(&p.carried, t)}})
	return 0
}

// AcceptPrice sells an offered item. [Sold] follows. In a trade between players it sells at the price that the other
// has bid, or else sets other terms: [LotShown] follows for that player.
type AcceptPrice struct {
	ID        PlayerID
	TradeSlot int
	Count     int // between players; 0: as many as are offered
	Price     int64
}

func (c AcceptPrice) who() PlayerID { return c.ID }

func (c AcceptPrice) ask(w *World, p *player) rules.RejectReason {
	if p.trade.deal != nil {
		return w.belongings.acceptBid(p, c)
	}
	if why := w.belongings.partner(p, p.trade.with); why != 0 {
		return why
	}
	o, ok := p.trade.offers[c.TradeSlot]
	if !ok {
		return rules.NoSlot
	}
	t, why := w.belongings.sellable(p, o.item)
	switch {
	case why != 0:
		return why
	case o.price != c.Price || t.Count != o.count:
		return rules.NoArticle
	case p.Money+o.price > rules.MaxMoney:
		return rules.TooRich
	}
	trader, was := p.trade.with, *t
	repair, repairs := p.trade.repairs[c.TradeSlot]
	delete(p.trade.offers, c.TradeSlot)
	delete(p.trade.repairs, c.TradeSlot)
	d := w.ledger.tx(p, c)
	d.money += o.price
	d.Take(d.Side(&p.carried), t.ID)
	w.ledger.commit(d, nil, func() {
		w.tell(Sold{p.ID, p.Position, trader, was, 0, o.price, p.Money, d.slots(all)})
	}).failed = func() {
		if p.trade.with == trader {
			p.trade.offers[c.TradeSlot] = o
			if repairs {
				p.trade.repairs[c.TradeSlot] = repair
			}
		}
	}
	return 0
}
