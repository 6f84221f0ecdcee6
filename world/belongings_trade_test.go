package world

import (
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

func TestBuy(t *testing.T) {
	for name, c := range map[string]struct {
		buy    Buy
		closed bool
		money  int64
		full   bool
		slot   int
		count  int
		why    rules.RejectReason
	}{
		"bag":                {buy: Buy{1, 0, 0, 120, 1}, slot: 28, count: 1, money: 880},
		"apples to a stack":  {buy: Buy{1, 0, 1, 2, 5}, slot: 26, count: 15, money: 990},
		"apples too many":    {buy: Buy{1, 0, 1, 2, 101}, why: rules.WrongCount},
		"apples beside":      {buy: Buy{1, 0, 1, 2, 100}, slot: 28, count: 100, money: 800},
		"two bags":           {buy: Buy{1, 0, 0, 120, 2}, why: rules.WrongCount},
		"none":               {buy: Buy{1, 0, 1, 2, 0}, why: rules.WrongCount},
		"fewer than none":    {buy: Buy{1, 0, 1, 2, -5}, why: rules.WrongCount},
		"another price":      {buy: Buy{1, 0, 1, 1, 5}, why: rules.NoArticle},
		"no article":         {buy: Buy{1, 0, 4, 2, 5}, why: rules.NoArticle},
		"negative article":   {buy: Buy{1, 0, -1, 2, 5}, why: rules.NoArticle},
		"with full hands":    {buy: Buy{1, 0, 0, 120, 1}, full: true, why: rules.NoRoom},
		"without a trade":    {buy: Buy{1, 0, 0, 120, 1}, closed: true, why: rules.NotOpen},
		"of another trader":  {buy: Buy{1, 99, 0, 120, 1}, why: rules.NotOpen},
		"without the money":  {buy: Buy{2, 0, 0, 120, 1}, why: rules.TooPoor},
		"by who trades not":  {buy: Buy{3, 0, 0, 120, 1}, why: rules.NotOpen},
		"with the last coin": {buy: Buy{1, 0, 3, 60, 1}, slot: 28, count: 1, money: 940},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			things := []rules.Item{thing(kApple, 1, 0, 26, 10), thing(kSword, 2, 0, 27, 1)}
			for i := range 8 {
				if c.full {
					things = append(things, thing(kSword, rules.ItemID(3+i), 0, 28+i, 1))
				}
			}
			m.joins(1, things...)
			m.admits(Player{ID: 2, Money: 119})
			m.joins(3)
			if !c.closed {
				m.asks(t, OpenTrade{1, m.trader}, OpenTrade{2, m.trader})
			}
			if c.buy.Trader == 0 {
				c.buy.Trader = m.trader
			}
			before := m.state()
			events := m.asks(t, c.buy)
			if c.why != 0 {
				refused(t, events, c.why)
				if e := only[Refused](t, events); c.why == rules.TooPoor && (e.Limit != 120 || e.Money != 119) {
					t.Errorf("it names %d coins, of %d", e.Limit, e.Money)
				}
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[Bought](t, events)
			if e.Money != c.money || m.player(1).Money != c.money || e.Total != 1000-c.money || e.Item.Slot != c.slot ||
				e.Item.Count != c.count || e.Count != c.buy.Count || e.Item.ID <= 0 {
				t.Errorf("told %+v", e)
			}
			if got := m.carries(1, 0, c.slot); got == nil || got.Count != c.count || got.Durability <= 0 ||
				e.Merged != (c.slot == 26) {
				t.Errorf("bought %+v", got)
			}
		})
	}
}

func TestGoodsAreTheSameAllDayForAll(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	m.joins(2)
	first := only[TradeOpened](t, m.asks(t, OpenTrade{1, m.trader}))
	if len(first.Goods) != 5 || first.Goods[1].Price != 2 || first.Goods[1].Item.Count != 100 {
		t.Fatalf("goods %+v", first.Goods)
	}
	if second := only[TradeOpened](t, m.asks(t, OpenTrade{2, m.trader})); !slices.EqualFunc(second.Goods, first.Goods,
		func(a, b Article) bool { return a.Price == b.Price && a.Item.Same(&b.Item) }) {
		t.Error("another has other goods")
	}
	ring := first.Goods[2].Item.Suffix
	m.now = m.now.Add(2 * time.Hour)
	// A player that trades keeps the goods that it was shown.
	if b := only[Bought](t, m.asks(t, Buy{1, m.trader, 2, 100, 1})); b.Item.Suffix != ring {
		t.Errorf("bought with suffix %d, shown %d", b.Item.Suffix, ring)
	}
	if third := of[TradeOpened](m.asks(t, OpenTrade{2, m.trader})); third[0].Goods[2].Item.Suffix == ring {
		t.Error("the goods of the next day are those of the day before")
	}
}

func TestOpenTradeIsRefused(t *testing.T) {
	m := newTradeStage()
	m.joins(1)
	quest, far := m.NextEntityID(), m.NextEntityID()
	m.asks(t, Put{Object{quest, east(1), NPC{Type: 4}}}, Put{Object{far, east(20), NPC{Type: 10}}})
	loose := m.scattered(t, dropLoot{Things: []rules.Item{thing(kRing, 0, 0, 0, 1)},
		Lying: rules.OnGround{At: east(1)}})[0]
	for name, c := range map[string]struct {
		trader EntityID
		why    rules.RejectReason
	}{
		"who sells nothing": {quest, rules.NoTrader}, "too far": {far, rules.TooFar}, "unknown": {777, rules.NotInSight},
		"a ring": {loose, rules.NoTrader}, "none": {0, rules.NotInSight},
	} {
		refused(t, m.asks(t, OpenTrade{1, c.trader}), c.why)
		_ = name
	}
	m.asks(t, OpenTrade{1, m.trader})
	m.walks(t, 1, east(40))
	refused(t, m.asks(t, Buy{1, m.trader, 0, 120, 1}), rules.TooFar)
	if e := only[TradeClosed](t, m.asks(t, CloseTrade{ID: 1})); !e.Asked {
		t.Errorf("told %+v", e)
	}
	if events := m.asks(t, CloseTrade{ID: 1}); len(events) != 0 {
		t.Errorf("told %s", describe(events))
	}
}

// walks moves a player at once, but not by a teleport.
func (m *tradeStage) walks(t *testing.T, id PlayerID, to coords.Position) {
	m.asks(t, deedOf(func(w *World) { w.places.place(w.player(id), to) }))
}

// A trade with a townsman, the look into a vault and that into a bag end when a player is put somewhere else or dies,
// and its client is told. What it asks for of them afterwards is refused, also beside the same townsman.
func TestTeleportsAndDeathEndATrade(t *testing.T) {
	for what, end := range map[string]func(m *tradeStage) []Command{
		"teleport":  func(*tradeStage) []Command { return []Command{Teleport{1, east(40)}} },
		"beside":    func(*tradeStage) []Command { return []Command{TeleportBeside{1, 2}} },
		"stuck":     func(*tradeStage) []Command { return []Command{Unstick{1, east(40)}} },
		"recalled":  func(*tradeStage) []Command { return []Command{Teleport{1, shipstone}} },
		"instance":  func(*tradeStage) []Command { return []Command{EnterInstance{ID: 1, Layout: "cave"}} },
		"a revival": func(*tradeStage) []Command { return []Command{deedOf(kills), Revive{ID: 1}} },
		"death":     func(*tradeStage) []Command { return []Command{deedOf(kills)} },
	} {
		t.Run(what, func(t *testing.T) {
			m := newTradeStage()
			m.options.Layouts = []*Layout{cave}
			m.joins(1, thing(kApple, 1, 0, 26, 10))
			m.joins(2)
			loose := m.scattered(t, dropLoot{Things: []rules.Item{thing(kSmallBag, 0, 0, 0, 1)},
				Lying: rules.OnGround{At: east(1)}})[0]
			m.asks(t, OpenTrade{1, m.trader}, OfferForSale{ID: 1, Item: 1}, Open{1, Container{Object: loose}})
			events := m.asks(t, end(m)...)
			if e := only[TradeClosed](t, events); e != (TradeClosed{1, m.trader, false}) {
				t.Errorf("told %+v", e)
			}
			if e := only[Closed](t, events); e.What.Object != loose || m.player(1).opened != nil {
				t.Errorf("told %+v", e)
			}
			why := rules.NotOpen
			if isDead(m.player(1)) {
				why = rules.Dead
			}
			m.walks(t, 1, shipstone)
			before := m.state()
			price := priceOfApples(m)
			for _, c := range []Command{Buy{1, m.trader, 1, 2, 1}, OfferForSale{ID: 1, Item: 1}, AcceptPrice{ID: 1, Price: price}} {
				refused(t, m.asks(t, c), why)
			}
			if !same(before, m.state()) {
				t.Error("something has changed")
			}
		})
	}
}

// kills kills the player 1.
func kills(w *World) { w.vitals.hurt(w.player(1), Hit{Cause: Trap, HP: -500}) }

// priceOfApples is what a trader pays for those of player 1.
func priceOfApples(m *tradeStage) int64 { return m.belongings.priceOf(m.player(1).carried.Find(1)) }

func TestSell(t *testing.T) {
	m := newTradeStage()
	m.joins(1, append(spread(), thing(kKey, 15, 0, 23, 1))...)
	m.joins(2, thing(kRing, 30, 0, 26, 1))
	refused(t, m.asks(t, OfferForSale{ID: 1, TradeSlot: 0, Item: 1}), rules.NotOpen)
	m.asks(t, OpenTrade{1, m.trader})
	for name, c := range map[string]struct {
		offer OfferForSale
		why   rules.RejectReason
	}{
		"full bag":      {OfferForSale{ID: 1, TradeSlot: 0, Item: 6}, rules.NotEmpty},
		"worthless":     {OfferForSale{ID: 1, TradeSlot: 0, Item: 15}, rules.Worthless},
		"of another":    {OfferForSale{ID: 1, TradeSlot: 0, Item: 30}, rules.NotYours},
		"slot too high": {OfferForSale{ID: 1, TradeSlot: 32, Item: 1}, rules.NoSlot},
		"slot too low":  {OfferForSale{ID: 1, TradeSlot: -1, Item: 1}, rules.NoSlot},
		"nothing":       {OfferForSale{ID: 1, TradeSlot: 0, Item: 0}, rules.NotYours},
	} {
		t.Run(name, func(t *testing.T) { refused(t, m.asks(t, c.offer), c.why) })
	}
	e := only[Offered](t, m.asks(t, OfferForSale{ID: 1, TradeSlot: 3, Item: 10}))
	if e.Price != 25 || e.TradeSlot != 3 || e.Trader != m.trader {
		t.Errorf("told %+v", e)
	}
	if e := only[Offered](t, m.asks(t, OfferForSale{ID: 1, TradeSlot: 4, Item: 8})); e.Price != 4 { // two potions of 8
		t.Errorf("told %+v", e)
	}
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 3, Price: 26}), rules.NoArticle)
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 5, Price: 25}), rules.NoSlot)
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 77, Price: 25}), rules.NoSlot)
	events := m.asks(t, AcceptPrice{ID: 1, TradeSlot: 3, Price: 25})
	s := only[Sold](t, events)
	if s.Price != 25 || s.At != m.player(1).Position || s.Money != 1025 || s.Item.ID != 10 ||
		!slices.Equal(s.Slots, []SlotNow{{Slot: 8}}) ||
		m.player(1).carried.Find(10) != nil {
		t.Errorf("told %+v", s)
	}
	if valuesOf(only[StatsChanged](t, events))[statStats] != 5 {
		t.Error("the ring that is sold still counts")
	}
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 3, Price: 25}), rules.NoSlot)
	m.asks(t, UseItem{ID: 1, Item: 8})
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 4, Price: 4}), rules.NoArticle) // one potion less than offered
	m.asks(t, OfferForSale{ID: 1, TradeSlot: 4, Item: 8}, GiveMoney{To: 1, Amount: rules.MaxMoney - 1025})
	refused(t, m.asks(t, AcceptPrice{ID: 1, TradeSlot: 4, Price: 2}), rules.TooRich)
}

func TestVault(t *testing.T) {
	m := newTradeStage()
	m.admits(Player{ID: 1, Items: spread(), VaultItems: []rules.Item{thing(kLargeBag, 50, 0, 3, 1),
		thing(kApple, 51, 50, 2, 4)}, Money: 5})
	vault := Container{Vault: true}
	refused(t, m.asks(t, PickUp{1, Target{Item: 50}}), rules.NotOpen)
	e := only[Opened](t, m.asks(t, OpenTrade{1, m.banker}))
	if e.What != vault || len(e.Items) != 2 ||
		!slices.Equal(e.Slots, []SlotNow{{In: vault, Slot: 3, Item: 50, Weight: 1032}}) {
		t.Errorf("told %+v", e)
	}
	put := only[PutAway](t, m.asks(t, PutInto{1, Target{Item: 6}, vault, 59}))
	if want := []SlotNow{{Slot: 22}, {In: vault, Slot: 59, Item: 6, Weight: 624}}; put.Into != vault ||
		!slices.Equal(put.Slots, want) || len(put.Item.Inside) != 2 {
		t.Errorf("told %+v", put)
	}
	refused(t, m.asks(t, PutInto{1, Target{Item: 1}, vault, 60}), rules.NoSlot)
	refused(t, m.asks(t, PutInto{1, Target{Item: 12}, vault, 0}), rules.IsBound)
	refused(t, m.asks(t, OfferForSale{ID: 1, TradeSlot: 0, Item: 1}), rules.NotOpen)
	only[ItemMoved](t, m.asks(t, MoveItem{1, vault, 59, 0}))
	took := only[TookUp](t, m.asks(t, PickUp{1, Target{Item: 51}}))
	if took.Items[0].From != (Container{Bag: 50}) || took.Items[0].Into.Count != 14 {
		t.Errorf("told %+v", took)
	}
	m.walks(t, 1, east(50))
	refused(t, m.asks(t, PickUp{1, Target{Item: 50}}), rules.TooFar)
	m.walks(t, 1, shipstone)
	if closed := m.asks(t, CloseTrade{ID: 1}); only[Closed](t, closed).What != vault {
		t.Errorf("told %s", describe(closed))
	}
	refused(t, m.asks(t, MoveItem{1, vault, 0, 1}), rules.NotOpen)
	m.Do(Leave{ID: 1})
	left := only[Left](t, m.pass(TickPeriod))
	if len(left.Player.VaultItems) != 4 || len(left.Player.Items) != len(spread())-3 {
		t.Errorf("leaves with %d things, %d in the vault", len(left.Player.Items), len(left.Player.VaultItems))
	}
}

func TestOperatorsGiveAndTake(t *testing.T) {
	for name, c := range map[string]struct {
		command Command
		why     rules.RejectReason
		came    int
		gone    int
		money   int64
	}{
		"three rings":       {command: Give{To: 1, Kind: kRing, Suffix: 2, Count: 3}, came: 3, money: 1000},
		"apples":            {command: Give{To: 1, Kind: kApple, Suffix: -1, Count: 100}, came: 1, money: 1000},
		"more than a stack": {command: Give{To: 1, Kind: kApple, Suffix: -1, Count: 101}, why: rules.WrongCount},
		"no kind":           {command: Give{To: 1, Kind: 999, Suffix: -1, Count: 1}, why: rules.NoKind},
		"no suffix":         {command: Give{To: 1, Kind: kRing, Suffix: 3, Count: 1}, why: rules.NoKind},
		"suffix below none": {command: Give{To: 1, Kind: kRing, Suffix: -2, Count: 1}, why: rules.NoKind},
		"none":              {command: Give{To: 1, Kind: kRing, Suffix: -1}, why: rules.WrongCount},
		"too many":          {command: Give{To: 1, Kind: kRing, Suffix: -1, Count: 11}, why: rules.WrongCount},
		"more than fit":     {command: Give{To: 1, Kind: kSword, Suffix: -1, Count: 4}, why: rules.NoRoom},
		"to nobody":         {command: Give{To: 9, Kind: kRing, Suffix: -1, Count: 1}, why: rules.NobodyThere},
		"inventory":         {command: Clear{ID: 1}, gone: 9, money: 1000},
		"everything":        {command: Clear{ID: 1, All: true}, gone: 14, money: 1000},
		"money":             {command: GiveMoney{To: 1, Amount: 5}, money: 1005},
		"money taken":       {command: GiveMoney{To: 1, Amount: -1000}, money: 0},
		"money missing":     {command: GiveMoney{To: 1, Amount: -1001}, why: rules.TooPoor},
		"too much money":    {command: GiveMoney{To: 1, Amount: rules.MaxMoney}, why: rules.TooRich},
		"far too much":      {command: GiveMoney{To: 1, Amount: 1<<63 - 1}, why: rules.TooRich},
		"far too little":    {command: GiveMoney{To: 1, Amount: -1 << 63}, why: rules.TooPoor},
	} {
		t.Run(name, func(t *testing.T) {
			m := newTradeStage()
			m.joins(1, spread()[:14]...)
			m.asks(t, Clear{ID: 2})
			if c.came > 0 || c.why == rules.NoRoom { // make room
				m.asks(t, PutInto{1, Target{Item: 1}, Container{Bag: 6}, 5}, PutInto{1, Target{Item: 2}, Container{Bag: 6}, 6})
			}
			before := m.state()
			events := m.asks(t, c.command)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			e := only[Granted](t, events)
			if len(e.Came) != c.came || len(e.Gone) != c.gone || e.Money != c.money || m.player(1).Money != c.money {
				t.Errorf("told %+v", e)
			}
		})
	}
}
