package world

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// dealChoices are the lots that a player may buy of another now, and the bids that it may make.
func (m *tradeStage) dealChoices(p *player, d *dice) {
	if p.trade.deal == nil {
		return
	}
	theirs, own := p.trade.deal.partner.trade.deal.lots, p.trade.deal.lots
	for _, slot := range slices.Sorted(maps.Keys(theirs)) {
		l := theirs[slot]
		good := Buy{p.ID, p.trade.with, slot, int(l.price), 1 + slot%max(l.count, 1)}
		stale := good
		stale.Price++
		d.lots[p.ID] = append(d.lots[p.ID], good, good, stale)
		d.bids[p.ID] = append(d.bids[p.ID], Bid{p.ID, slot, 1 + l.price/2})
	}
	for _, slot := range slices.Sorted(maps.Keys(own)) {
		if l := own[slot]; l.bid != 0 {
			d.offers[p.ID] = AcceptPrice{ID: p.ID, TradeSlot: slot, Price: l.bid}
		}
	}
}

// deal has two players begin to trade, or one of two that do offer or buy something.
func (m *tradeStage) deal(r *rand.Rand, d *dice) {
	all := slices.DeleteFunc(m.inside(), func(p *player) bool { return isDead(p) || p.leaving })
	if len(all) < 2 {
		return
	}
	p := all[r.IntN(len(all))]
	d.shake(r)
	switch {
	case p.trade.deal == nil:
		q := all[r.IntN(len(all))]
		if q.trade.deal != nil && r.IntN(4) > 0 {
			return
		}
		m.Do(CloseTrade{ID: q.ID})
		m.Do(Teleport{q.ID, p.Position})
		m.Do(TradeWithPlayer{ID: p.ID, With: q.ID})
		for slot := range 4 {
			m.Do(OfferSlot{q.ID, 1 + r.IntN(10), int64(r.IntN(60)), slot, false})
		}
	case len(d.lots[p.ID]) > 0 && r.IntN(2) == 0:
		m.Do(d.lots[p.ID][r.IntN(len(d.lots[p.ID]))])
	default:
		m.Do(OfferSlot{p.ID, r.IntN(30), int64(r.IntN(60)), r.IntN(3), false})
	}
}

// dealsAreSound fails unless each trade between players has two sides, and every item stays where it was offered.
func (m *tradeStage) dealsAreSound(t testing.TB) {
	t.Helper()
	for _, p := range m.inside() {
		d := p.trade.deal
		if d == nil {
			continue
		}
		if q := d.partner; q.gone() || q.trade.deal == nil || q.trade.deal.partner != p || p.trade.with != EntityID(q.ID) ||
			q == p {
			t.Fatalf("player %d trades with %d, which does not", p.ID, d.partner.ID)
		}
		seen := map[rules.ItemID]bool{}
		for slot, l := range d.lots {
			if seen[l.item] || slot < 0 || slot >= lots || l.count < 1 || l.price < 0 {
				t.Fatalf("player %d offers %+v in slot %d", p.ID, l, slot)
			}
			seen[l.item] = true
		}
	}
}

// dealStage has two players that trade: Герой1, with a sword 10 in inventory slot 26 and ten apples 11 beside it, and
// Герой2 with nothing but 1000 coins, as the first one.
func dealStage(t *testing.T) *tradeStage {
	t.Helper()
	m := newTradeStage()
	m.joins(1, thing(kSword, 10, 0, rules.SlotInventory, 1), thing(kApple, 11, 0, rules.SlotInventory+1, 10))
	m.joins(2)
	m.joins(3)
	opened := of[PlayerTradeOpened](m.asks(t, TradeWithPlayer{ID: 1, With: 2}))
	if len(opened) != 2 || opened[0] != (PlayerTradeOpened{1, 2, "Герой2", false}) ||
		opened[1] != (PlayerTradeOpened{2, 1, "Герой1", false}) {
		t.Fatalf("opened %+v", opened)
	}
	return m
}

func TestLifeCheck3_2OffersAreShown(t *testing.T) {
	m := dealStage(t)
	e := only[LotShown](t, m.asks(t, OfferForSale{1, 4, 11, 3, 7}))
	if e.ID != 2 || e.By != 1 || e.TradeSlot != 4 || e.Item.ID != 11 || e.Count != 3 || e.Price != 7 || e.Was != 0 {
		t.Errorf("shown %+v", e)
	}
	if e := only[LotShown](t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 4, Count: 10, Price: 6})); e.Count != 10 ||
		e.Price != 6 || e.Was != 11 {
		t.Errorf("new terms are shown as %+v", e)
	}
	if e := only[LotShown](t, m.asks(t, Withdraw{1, 4})); e.Item.ID != 0 || e.Was != 11 || e.TradeSlot != 4 {
		t.Errorf("taken back: %+v", e)
	}
}

func TestLifeCheck3_3_3_9BuyingIsOneTransaction(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 11, 0, 7})
	events := m.asks(t, Buy{2, 1, 0, 7, 3})
	b, s := only[Bought](t, events), only[Sold](t, events)
	if b.ID != 2 || b.Count != 3 || b.Total != 21 || b.Money != 979 || b.Item.Count != 3 ||
		b.Item.ID == 11 {
		t.Errorf("bought %+v", b)
	}
	if s.ID != 1 || s.Trader != 2 || s.Item.ID != 11 || s.Left != 7 || s.Price != 21 || s.Money != 1021 {
		t.Errorf("sold %+v", s)
	}
	if e := only[LotShown](t, events); e.Count != 7 || e.Item.Count != 7 {
		t.Errorf("the rest is shown as %+v", e)
	}
	events = m.asks(t, Buy{2, 1, 0, 7, 7}) // onto the same stack
	if b := only[Bought](t, events); !b.Merged || b.Item.Count != 10 || b.Money != 930 {
		t.Errorf("bought %+v", b)
	}
	if e := only[LotShown](t, events); e.Item.ID != 0 {
		t.Errorf("nothing is left, and shown is %+v", e)
	}
	m.asks(t, OfferForSale{1, 0, 10, 1, 100})
	m.pass(dealPause)
	if b := only[Bought](t, m.asks(t, Buy{2, 1, 0, 100, 1})); b.Item.ID != 10 || b.Merged || m.things[10].Owner != 1002 {
		t.Errorf("the sword is %+v, in the store %+v", b.Item, m.things[10])
	}
	if m.money[1001]+m.money[1002] != 2000 {
		t.Errorf("of 2000 coins there are %d and %d", m.money[1001], m.money[1002])
	}
}

// A store that fails leaves both as they were, and the offer stands.
func TestAPurchaseThatIsNotStored(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 10, 1, 100})
	before := m.state()
	request := only[CommitRequest](t, m.does(Buy{2, 1, 0, 100, 1}))
	refused(t, m.asks(t, Committed{Seq: request.Seq, Err: errors.New("no")}), rules.StoreFailed)
	if !same(before, m.state()) {
		t.Error("something has changed")
	}
	only[Bought](t, m.asks(t, Buy{2, 1, 0, 100, 1}))
}

func TestLifeCheck3_4OfferedItemsAreLocked(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 11, 2, 1})
	own := Container{}
	for _, c := range []Command{MoveItem{1, own, 27, 30}, SwapItems{1, 11, 10, 27, 26}, SwapItems{1, 10, 11, 26, 27},
		Drop{1, 11, shipstone}, UseItem{ID: 1, Item: 11}, OfferForSale{1, 1, 11, 1, 1},
		PutInto{1, Target{Item: 11}, own, 31}} {
		before := m.state()
		refused(t, m.asks(t, c), rules.OnOffer)
		if !same(before, m.state()) {
			t.Errorf("%T%+v changes something", c, c)
		}
	}
	m.asks(t, Withdraw{1, 0})
	only[ItemMoved](t, m.asks(t, MoveItem{1, own, 27, 30}))
}

func TestLifeCheck3_5OtherTermsAreRefused(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 11, 5, 7})
	for _, row := range []struct {
		buy Buy
		why rules.RejectReason
	}{{Buy{2, 1, 0, 6, 1}, rules.NoArticle}, {Buy{2, 1, 0, 7, 6}, rules.WrongCount},
		{Buy{2, 1, 0, 7, 0}, rules.WrongCount}} {
		events := m.asks(t, row.buy)
		refused(t, events, row.why)
		if e := only[LotShown](t, events); e.Price != 7 || e.Count != 5 {
			t.Errorf("%+v: told again as %+v", row.buy, e)
		}
	}
	refused(t, m.asks(t, Buy{2, 1, 1, 7, 1}), rules.NoArticle)
	refused(t, m.asks(t, Buy{2, 3, 0, 7, 1}), rules.NotOpen)
}

// An operator takes what is on offer: it is shown as gone at the next request.
func TestAnOfferThatIsTakenAway(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 10, 1, 100})
	m.asks(t, Clear{ID: 1, Item: 10})
	events := m.asks(t, Buy{2, 1, 0, 99, 1})
	refused(t, events, rules.NoArticle)
	if e := only[LotShown](t, events); e.Item.ID != 0 || e.Was != 10 {
		t.Errorf("shown %+v", e)
	}
	m.asks(t, OfferForSale{1, 0, 11, 1, 1})
}

func TestLifeCheck3_6_3_11NoMoneyAndNoRoom(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 10, 1, 1001})
	events := m.asks(t, Buy{2, 1, 0, 1001, 1})
	if refused(t, events, rules.TooPoor); only[Refused](t, events).Limit != 1001 || only[Refused](t, events).Money != 1000 {
		t.Errorf("refused %+v", only[Refused](t, events))
	}
	m.asks(t, OfferForSale{1, 0, 10, 1, 1})
	for range rules.EndOfInventory - rules.SlotInventory {
		m.asks(t, Give{To: 2, Kind: kRing, Suffix: -1, Count: 1})
	}
	refused(t, m.asks(t, Buy{2, 1, 0, 1, 1}), rules.NoRoom)
	m.asks(t, Clear{ID: 2}, GiveMoney{To: 1, Amount: rules.MaxMoney - 1000})
	refused(t, m.asks(t, Buy{2, 1, 0, 1, 1}), rules.TooRich)
	refused(t, m.asks(t, OfferForSale{1, 1, 11, 2, rules.MaxMoney}), rules.TooRich)
	if m.things[10].Owner != 1001 {
		t.Error("the sword has gone")
	}
}

func TestLifeCheck3_7OneTradeAtATime(t *testing.T) {
	m := dealStage(t)
	refused(t, m.asks(t, TradeWithPlayer{ID: 3, With: 1}), rules.TheyAreBusy)
	refused(t, m.asks(t, TradeWithPlayer{ID: 3, Name: "герой2"}), rules.TheyAreBusy)
	refused(t, m.asks(t, TradeWithPlayer{ID: 3, With: 3}), rules.Yourself)
	refused(t, m.asks(t, TradeWithPlayer{ID: 3, Name: "Никто"}), rules.NobodyThere)
	if e := of[PlayerTradeClosed](m.asks(t, TradeWithPlayer{ID: 2, With: 3})); len(e) != 2 {
		t.Errorf("another trade ends the first: %+v", e)
	}
	if m.player(1).trade.with != 0 || !m.player(3).tradesWith(m.player(2)) {
		t.Error("the second trade is not open, or the first still is")
	}
}

// A player is busy with a trader or with its vault for as long as it can reach them: no client says that its player has
// walked away.
func TestAPlayerThatHasLeftItsTraderIsNotBusy(t *testing.T) {
	for name, who := range map[string]func(*tradeStage) EntityID{
		"trader": func(m *tradeStage) EntityID { return m.trader }, "banker": func(m *tradeStage) EntityID { return m.banker },
	} {
		m := newTradeStage()
		m.joins(1)
		m.joins(2)
		m.asks(t, OpenTrade{2, who(m)})
		refused(t, m.asks(t, TradeWithPlayer{ID: 1, With: 2}), rules.TheyAreBusy)
		if why := m.combat.mayDuel(m.player(1), m.player(2)); why != rules.Busy {
			t.Errorf("at the %s: %v", name, why)
		}
		for at := float32(3); at <= 40; at += 3 {
			m.Move(1, east(at))
			m.Move(2, east(at))
			m.pass(time.Second)
		}
		if why := m.combat.mayDuel(m.player(1), m.player(2)); why == rules.Busy {
			t.Errorf("far from the %s it is busy", name)
		}
		if m.asks(t, TradeWithPlayer{ID: 1, With: 2}); !m.player(1).tradesWith(m.player(2)) {
			t.Errorf("far from the %s it cannot trade", name)
		}
	}
}

func TestLifeCheck3_8TradesEnd(t *testing.T) {
	for name, end := range map[string]func(*tradeStage){
		"walking away":  func(m *tradeStage) { m.Move(2, east(6)) },
		"teleport":      func(m *tradeStage) { m.Do(Teleport{1, east(30)}) },
		"logging out":   func(m *tradeStage) { m.Do(Leave{ID: 1}) },
		"the other one": func(m *tradeStage) { m.Do(Leave{ID: 2}) },
		"closing it":    func(m *tradeStage) { m.Do(CloseTrade{ID: 2}) },
		"an NPC":        func(m *tradeStage) { m.Do(OpenTrade{1, m.trader}) },
		"death":         func(m *tradeStage) { m.vitals.hurt(m.player(1), Hit{Cause: Trap, HP: -500}) },
		"a fight":       func(m *tradeStage) { m.vitals.hurt(m.player(2), Hit{Cause: Trap, HP: -1}) },
	} {
		t.Run(name, func(t *testing.T) {
			m := dealStage(t)
			m.asks(t, OfferForSale{1, 0, 10, 1, 1})
			end(m)
			closed := of[PlayerTradeClosed](m.pass(TickPeriod))
			for range int(2*dealWatch/TickPeriod) - 1 {
				closed = append(closed, of[PlayerTradeClosed](m.pass(TickPeriod))...)
			}
			if len(closed) != 2 || closed[0].ID == closed[1].ID {
				t.Errorf("closed %+v", closed)
			}
			for _, p := range m.inside() {
				if p.trade.deal != nil || p.offers(10) {
					t.Errorf("player %d still trades", p.ID)
				}
			}
		})
	}
}

func TestLifeCheck3_10WhatCannotBeOffered(t *testing.T) {
	m := newTradeStage()
	bound := thing(kSword, 10, 0, rules.SlotInventory, 1)
	bound.Bound = true
	m.joins(1, append(outfitted(100), bound)...)
	m.joins(2)
	m.asks(t, TradeWithPlayer{ID: 1, With: 2})
	refused(t, m.asks(t, OfferForSale{1, 0, 10, 1, 1}), rules.IsBound)
	refused(t, m.asks(t, OfferForSale{1, 0, 9999, 1, 1}), rules.NotYours)
	refused(t, m.asks(t, OfferForSale{2, 0, 10, 1, 1}), rules.NotYours)
	for _, slot := range []int{lots, -1} {
		refused(t, m.asks(t, OfferForSale{1, slot, 102, 1, 1}), rules.NoSlot)
	}
	for i := range m.player(1).carried.Items {
		item := m.player(1).carried.Items[i]
		switch worn := item.In == 0 && !rules.InInventory(item.Slot); {
		case item.In != 0:
			refused(t, m.asks(t, OfferForSale{1, 0, item.ID, 1, 1}), rules.InBag)
		case worn:
			refused(t, m.asks(t, OfferForSale{1, 0, item.ID, 1, 1}), rules.NoSlot)
		}
	}
}

// A bid is accepted by its price; other terms than it was made for void it.
func TestBids(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 11, 5, 7})
	if e := only[BidMade](t, m.asks(t, Bid{2, 0, 4})); e.ID != 1 || e.By != 2 || e.TradeSlot != 0 || e.Price != 4 {
		t.Errorf("bid %+v", e)
	}
	if b := only[Bought](t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 0, Price: 4})); b.Count != 5 || b.Total != 20 {
		t.Errorf("bought %+v", b)
	}
	m.asks(t, OfferForSale{1, 1, 11, 5, 7}, Bid{2, 1, 4}, OfferForSale{1, 1, 11, 1, 7})
	if e := only[LotShown](t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 1, Price: 4})); e.Price != 4 || e.Count != 1 {
		t.Errorf("a bid for five apples buys one: %+v", e)
	}
	m.asks(t, Bid{2, 1, 4})
	if e := only[LotShown](t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 1, Price: 4, Count: 3})); e.Price != 4 || e.Count != 3 {
		t.Errorf("a bid for one apple buys three: %+v", e)
	}
	m.asks(t, Bid{2, 1, 2})
	if e := only[LotShown](t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 1, Price: 3, Count: 3})); e.Price != 3 || e.Count != 3 {
		t.Errorf("a bid of 2 buys at 3: %+v", e)
	}
	events := m.asks(t, Bid{2, 1, 100_000})
	if refused(t, events, rules.TooPoor); only[Refused](t, events).Limit != 300_000 {
		t.Errorf("a bid beyond the purse is refused by %+v", only[Refused](t, events))
	}
	m.asks(t, OfferForSale{1, 2, 10, 1, 7})
	for price, why := range []rules.RejectReason{rules.PriceTooLow, 0} {
		if e := of[Refused](m.asks(t, Bid{2, 2, int64(price)})); len(e) > 0 != (why != 0) || why != 0 && e[0].Why != why {
			t.Errorf("a bid of %d is answered by %+v", price, e)
		}
	}
	refused(t, m.asks(t, Bid{2, 2, -1}), rules.PriceTooLow)
	refused(t, m.asks(t, Bid{2, 2, rules.MaxMoney}), rules.TooPoor)
	refused(t, m.asks(t, Bid{2, 2, rules.MaxMoney + 1}), rules.TooRich)
	refused(t, m.asks(t, OfferForSale{1, 2, 10, 1, -1}), rules.PriceTooLow)
	refused(t, m.asks(t, OfferForSale{1, 2, 10, -1, 1}), rules.WrongCount)
	refused(t, m.asks(t, Bid{2, 7, 1}), rules.NoArticle)
}

func TestLifeCheck3_12TradeByChat(t *testing.T) {
	m := dealStage(t)
	m.asks(t, CloseTrade{ID: 1})
	refused(t, m.asks(t, TradeWithPlayer{ID: 1, Name: "герой2"}), rules.Busy) // windows of another do not flicker
	m.pass(dealPause)
	if e := of[PlayerTradeOpened](m.asks(t, TradeWithPlayer{ID: 1, Name: "герой2"})); len(e) != 2 || !e[0].Spoken {
		t.Fatalf("opened %+v", e)
	}
	if e := only[LotShown](t, m.asks(t, OfferSlot{ID: 1, Slot: 2, Price: 7, Count: 4})); e.TradeSlot != 0 ||
		e.Item.ID != 11 || e.Count != 4 || !e.Spoken {
		t.Errorf("shown %+v", e)
	}
	refused(t, m.asks(t, OfferSlot{ID: 1, Slot: 20, Price: 7}), rules.EmptySlot)
	refused(t, m.asks(t, BuyLot{2, 0, 0}), rules.JustChanged)
	m.pass(dealPause)
	if b := only[Bought](t, m.asks(t, BuyLot{2, 0, 0})); b.Count != 4 || b.Total != 28 {
		t.Errorf("bought %+v", b)
	}
	m.asks(t, OfferSlot{ID: 1, Slot: 1, Price: 7})
	if e := only[LotShown](t, m.asks(t, OfferSlot{ID: 1, Slot: 1, Back: true})); e.Item.ID != 0 {
		t.Errorf("taken back: %+v", e)
	}
	refused(t, m.asks(t, OfferSlot{ID: 1, Slot: 1, Back: true}), rules.NoArticle)
	for range 20 {
		m.pass(time.Second)
	}
	if m.player(1).trade.deal == nil {
		t.Error("a trade of two that stand still has ended")
	}
}

// Another item at the same price in the place of one that was seen is not bought unseen, nor is a bid made for it.
func TestAnotherItemInItsPlace(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 10, 1, 50}, Withdraw{1, 0}, OfferForSale{1, 0, 11, 1, 50}, OfferForSale{1, 0, 11, 1, 50})
	events := m.asks(t, Buy{2, 1, 0, 50, 1})
	refused(t, events, rules.JustChanged)
	if e := only[LotShown](t, events); e.Item.ID != 11 {
		t.Errorf("told again as %+v", e)
	}
	refused(t, m.asks(t, Bid{2, 0, 40}), rules.JustChanged)
	m.pass(dealPause)
	m.asks(t, OfferForSale{1, 0, 11, 10, 50}) // ten, where one was
	refused(t, m.asks(t, Bid{2, 0, 40}), rules.JustChanged)
	m.pass(dealPause)
	if b := only[Bought](t, m.asks(t, Buy{2, 1, 0, 50, 1})); b.Item.Class != testKinds[kApple].Class || b.Count != 1 {
		t.Errorf("bought %+v", b)
	}
}

// A mission takes of what is on offer: the partner is told what is left.
func TestAnOfferThatHasShrunk(t *testing.T) {
	m := dealStage(t)
	m.asks(t, OfferForSale{1, 0, 11, 8, 7})
	d := m.ledger.tx(nil, nil) // as a mission takes it
	d.Edit(d.Side(&m.player(1).carried), 11).Count = 6
	m.ledger.commit(d, nil, nil)
	m.asks(t)
	events := m.asks(t, Buy{2, 1, 0, 7, 8})
	refused(t, events, rules.NoArticle)
	if e := only[LotShown](t, events); e.Count != 6 || e.Item.Count != 6 || e.Was != 11 {
		t.Errorf("told again as %+v", e)
	}
	if b := only[Bought](t, m.asks(t, Buy{2, 1, 0, 7, 6})); b.Count != 6 {
		t.Errorf("bought %+v", b)
	}
}

// No player floods another with changes of its offers, nor with trades that open and close.
func TestOffersDoNotFlood(t *testing.T) {
	m := dealStage(t)
	m.pass(dealWatch)
	var shown int
	for i := range 40 {
		shown += len(of[LotShown](m.does(OfferForSale{1, 0, 11, 1, int64(i)})))
	}
	if watches := 40 * int(TickPeriod) / int(dealWatch); shown > mostOffers*(watches+1) {
		t.Errorf("%d changes were told", shown)
	}
	refused(t, m.asks(t, slices.Repeat([]Command{OfferForSale{1, 0, 11, 1, 0}}, mostOffers+1)...), rules.Busy)
	refused(t, m.asks(t, slices.Repeat([]Command{Bid{2, 0, 1}}, mostOffers+1)...), rules.Busy)
	only[LotShown](t, m.asks(t, Withdraw{1, 0})) // that is always done: the window shows it at once
}

// By chat the window of the player that closes a trade is still open.
func TestTradesClosedByChat(t *testing.T) {
	m := dealStage(t)
	for _, e := range of[PlayerTradeClosed](m.asks(t, CloseTrade{ID: 1, Spoken: true})) {
		if e.Asked {
			t.Errorf("%+v", e)
		}
	}
}

// A player that closes a trade which another has opened, and in which it has done nothing, has declined it: the other
// does not open the next at once.
func TestATradeThatIsNotWanted(t *testing.T) {
	m := dealStage(t)
	m.asks(t, CloseTrade{ID: 2})
	m.pass(dealPause)
	refused(t, m.asks(t, TradeWithPlayer{ID: 1, With: 2}), rules.JustDeclined)
	m.asks(t, TradeWithPlayer{ID: 2, With: 1}) // it may want one itself
	if !m.player(2).tradesWith(m.player(1)) {
		t.Error("who has declined cannot ask")
	}
	m.asks(t, OfferForSale{1, 0, 11, 1, 7}, CloseTrade{ID: 1})
	m.pass(dealPause)
	m.asks(t, TradeWithPlayer{ID: 2, With: 1})
	if !m.player(2).tradesWith(m.player(1)) {
		t.Error("who had a part in a trade has not declined it")
	}
	m.pass(rules.DeclineCooldown)
	m.asks(t, CloseTrade{ID: 2}, TradeWithPlayer{ID: 1, With: 2})
	if !m.player(2).tradesWith(m.player(1)) {
		t.Error("it cannot be asked again")
	}
}
