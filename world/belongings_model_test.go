package world

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// An account is the items and the money that have come into existence, less those that are gone, as events tell.
type account struct {
	things map[[2]int]int // by class and game id
	money  int64
}

func (a *account) come(t *rules.Item, n int) { a.things[[2]int{t.Class, t.GameID}] += n }

// book enters an event.
func (a *account) book(e Event, lootBags *int) {
	switch e := e.(type) {
	case Bought:
		a.come(&e.Item, e.Count)
		a.money -= e.Total
	case Sold:
		a.come(&e.Item, e.Left-e.Item.Count)
		a.money += e.Price
	case Used:
		a.come(&e.Item, e.Left-e.Item.Count)
	case TookUp:
		if e.Gone && slices.ContainsFunc(e.Items, func(t Taken) bool { return !t.FromGround }) {
			*lootBags--
		}
	case PutAway:
		if e.Gone && !e.Item.FromGround {
			*lootBags--
		}
	case Granted:
		switch c := e.Command.(type) {
		case Give:
			k := testKinds[c.Kind]
			a.come(&rules.Item{Class: k.Class, GameID: k.GameID}, c.Count)
		case GiveMoney:
			a.money += c.Amount
		}
		for i := range e.Gone {
			a.come(&e.Gone[i], -e.Gone[i].Count)
		}
	}
}

// holds fails unless the store has the items and the money of the account.
func (a *account) holds(t testing.TB, l *modelStore, lootBags int) {
	t.Helper()
	have := map[[2]int]int{}
	bags := 0
	for _, is := range l.things {
		if is.Class == rules.ClassLootBag {
			bags++
			continue
		}
		have[[2]int{is.Class, is.GameID}] += is.Count
	}
	var money int64
	for _, n := range l.money {
		money += n
	}
	for kind := range have {
		if have[kind] != a.things[kind] {
			t.Fatalf("of %v there are %d, accounted for are %d", kind, have[kind], a.things[kind])
		}
	}
	for kind, n := range a.things {
		if have[kind] != n {
			t.Fatalf("of %v there are %d, accounted for are %d", kind, have[kind], n)
		}
	}
	if money != a.money || bags != lootBags {
		t.Fatalf("%d coins and %d bags of loot, accounted for are %d and %d", money, bags, a.money, lootBags)
	}
}

// outfitted are belongings with everything in them, numbered from first on.
func outfitted(first rules.ItemID) []rules.Item {
	out := spread()
	for i := range out {
		out[i].ID += first
		if out[i].In != 0 {
			out[i].In += first
		}
	}
	return append(out, thing(kToken, first+20, first+6, 5, 1), thing(kCharged, first+21, first+6, 6, 3),
		thing(kPotion, first+22, 0, 35, 4), thing(kArrows, first+23, 0, 55, 500))
}

// stranger fails when a change touches an item or money that belongs to none of the players of its transaction.
func stranger(t testing.TB, d *pendingTx, c rules.Change) {
	t.Helper()
	owners, vaults := map[int64]bool{}, map[int64]bool{}
	for s := range d.stakes() {
		owners[s.p.Character], vaults[s.p.Vault] = true, true
	}
	for _, ch := range c.Items {
		for _, s := range []*rules.StoredItem{ch.Was, ch.Is} {
			if s != nil && (s.Owner != 0 && !owners[s.Owner] || s.Vault != 0 && !vaults[s.Vault]) {
				t.Fatalf("a change of %v touches %+v", owners, s)
			}
		}
	}
	for _, m := range c.Money {
		if !owners[m.Character] {
			t.Fatalf("somebody else's money: %+v", m)
		}
	}
}

func TestBelongingsAreNeitherLostNorDoubled(t *testing.T) {
	t.Parallel()
	steps := 12_000
	if testing.Short() {
		steps = 2_000
	}
	done := map[string]int{}
	names := slices.Sorted(maps.Keys(requests))
	// so that there is something to be had
	names = append(names, "Open", "Open", "Open", "PickUp", "PickUp", "PickUp", "PutInto", "PutInto", "Buy", "Buy",
		"GiveMoney")
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			liveThrough(t, rand.New(rand.NewPCG(seed, 77)), steps, false, names, done)
		})
	}
	for _, e := range []Event{ItemMoved{}, TookUp{}, PutAway{}, ItemDropped{}, Dragged{}, HandChanged{}, Used{},
		Opened{}, Closed{}, TradeOpened{}, Bought{}, Offered{}, Sold{}, Granted{},
		StatsChanged{}, Refused{}, Left{}, &Vanished{}, BagChanged{}, PlayerTradeOpened{}, LotShown{}, BidMade{},
		PlayerTradeClosed{}} {
		if done[fmt.Sprintf("%T", e)] == 0 && !testing.Short() {
			t.Errorf("no %T in all the time: the test does not test it", e)
		}
	}
	if n := done["bought of a player"]; n < 100 && !testing.Short() {
		t.Errorf("%d purchases of one player of another only", n)
	}
}

// Three players do little but trade with each other, one of them with nearly all the money that a player can have.
func TestTradesOfThreeAreSound(t *testing.T) {
	t.Parallel()
	steps := 10_000
	if testing.Short() {
		steps = 1_500
	}
	names := []string{"Buy", "Buy", "Buy", "Buy", "BuyLot", "BuyLot", "OfferSlot", "OfferSlot", "OfferForSale", "Withdraw",
		"Bid", "Bid", "Bid", "AcceptPrice", "AcceptPrice", "TradeWithPlayer", "CloseTrade", "MoveThing", "SwapThings", "PutInto",
		"Drop", "PickUp", "PickUp", "UseThing", "TakeInHand", "Travel", "Give", "Give", "Clear", "GiveMoney"}
	done := map[string]int{}
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			liveThrough(t, rand.New(rand.NewPCG(seed, 71)), steps, true, names, done)
		})
	}
	t.Log("FIGURE", done["bought of a player"], "purchases,", done["world.BidMade"], "bids,",
		done["world.PlayerTradeOpened"]/2, "trades")
	for _, name := range []string{"bought of a player", "world.BidMade", "world.PlayerTradeOpened"} {
		if n := done[name]; n < steps/40 {
			t.Errorf("%s: %d only", name, n)
		}
	}
}

// liveThrough lets four players ask for items by the named requests, with chance deciding how the store answers; or
// three dealers, one of them rich.
func liveThrough(t *testing.T, r *rand.Rand, steps int, dealers bool, names []string, done map[string]int) {
	players := 4
	if dealers {
		players = 3
	}
	m := newTradeStage()
	m.options.DespawnAfter = 20 * time.Second
	m.putTeleport(east(4))
	sum, lootBags := account{things: map[[2]int]int{}}, 0
	inside := map[PlayerID]bool{}
	var late []CommitRequest
	d := &dice{players: players}

	for id := range PlayerID(players) {
		p := Player{ID: id + 1, Items: outfitted(rules.ItemID(id) * 100), Money: 1000,
			Progress: rules.Progress{TitlePoints: 4, DegreePoints: 4, Base: rules.Stats{5}}}
		if dealers && id == 0 {
			p.Money = rules.MaxMoney - 1000
		}
		m.admits(p)
		inside[p.ID] = true
		sum.money += p.Money
		for i := range p.Items {
			sum.come(&p.Items[i], p.Items[i].Count)
		}
	}
	scatter := func() {
		s := dropLoot{Lying: rules.OnGround{At: east(float32(r.IntN(12))),
			Expires: m.now.Add(time.Duration(r.IntN(60)) * time.Second)}}
		for range 1 + r.IntN(3) {
			s.Things = append(s.Things, thing([]int{kTooth, kApple, kRing, kPotion}[r.IntN(4)], 0, 0, 0, 1))
		}
		if r.IntN(4) > 0 {
			s.Bag = &rules.Item{Class: rules.ClassLootBag, Suffix: -1, Count: 1}
		}
		m.Do(s)
	}
	settle := func(p CommitRequest) {
		deal := m.ledger.pendingTxs[p.Seq]
		if deal == nil {
			t.Fatalf("change %d is asked for by nobody", p.Seq)
		}
		if r.IntN(8) == 0 {
			m.Do(Committed{Seq: p.Seq, Err: errors.New("no")})
			return
		}
		ids, err := m.apply(p.Change)
		if err != nil {
			t.Fatalf("the store refuses: %v\n%+v", err, p.Change)
		}
		if deal.p == nil { // the world's own: strewn items, and expiring ones
			for i, ch := range p.Change.Items {
				n := 0
				if ch.Was != nil {
					n -= ch.Was.Count
				}
				if ch.Is != nil {
					n += ch.Is.Count
				}
				one := m.things[ids[i]].Item
				if ch.Was != nil {
					one = ch.Was.Item
				}
				if one.Class == rules.ClassLootBag {
					lootBags += n
				} else {
					sum.come(&one, n)
				}
			}
		}
		m.Do(Committed{p.Seq, ids, nil})
	}
	walk := func(id PlayerID, to coords.Position) { // which ends no trade and no look into a bag, as a teleport does
		if p := m.player(id); p != nil {
			m.Do(deedOf(func(w *World) { w.places.place(p, to) }))
		}
	}
	for step := range steps {
		m.choices(d)
		before, asked := any(nil), 0
		for range r.IntN(4) {
			d.shake(r)
			name := names[r.IntN(len(names))]
			if name == "Clear" && r.IntN(15) > 0 || name == "CloseTrade" && r.IntN(4) > 0 {
				continue
			}
			m.Do(requests[name](d))
			asked++
		}
		roll := r.IntN(60)
		if dealers && roll >= 5 && roll <= 8 {
			roll = 13 // with each other, not with townsfolk
		}
		switch roll {
		case 0, 9:
			scatter()
		case 1:
			id, to := PlayerID(1+r.IntN(players)), east(float32(r.IntN(16)))
			if r.IntN(4) == 0 {
				m.Do(Teleport{id, to})
			} else {
				walk(id, to)
			}
		case 2:
			id := PlayerID(1 + r.IntN(players))
			if inside[id] {
				m.Do(Leave{ID: id})
				inside[id] = false
			}
		case 3, 10, 11, 12:
			id := PlayerID(1 + r.IntN(players))
			if m.player(id) == nil && !inside[id] {
				m.Do(Enter{m.returning(id)})
				inside[id] = true
			}
		case 4:
			m.now = m.now.Add(5 * time.Second)
		case 5, 6, 7, 8:
			id := PlayerID(1 + r.IntN(players))
			m.Do(OpenTrade{id, []EntityID{m.trader, m.banker}[r.IntN(2)]})
		case 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24:
			m.deal(r, d)
		case 25: // two look into one bag, and one of them takes something
			if len(d.bags) == 0 {
				break
			}
			bag := m.object(d.bags[r.IntN(len(d.bags))])
			for _, i := range r.Perm(players)[:2] {
				id := PlayerID(1 + i)
				walk(id, bag.Position)
				m.Do(Open{id, Container{Object: bag.ID}})
				if len(bag.inventory.Items) > 0 {
					m.Do(PickUp{id, Target{Item: bag.inventory.Items[0].ID}})
				}
			}
		default:
			if asked == 1 && len(late) == 0 && step%8 == 0 {
				before = m.state()
			}
		}
		kept := late[:0]
		for _, p := range late {
			if r.IntN(3) == 0 {
				settle(p)
			} else {
				kept = append(kept, p)
			}
		}
		late = kept
		events := m.does()
		for _, e := range events {
			done[fmt.Sprintf("%T", e)]++
			if b, is := e.(Sold); is && b.Trader <= MaxPlayerID {
				done["bought of a player"]++
			}
			switch e := e.(type) {
			case CommitRequest:
				stranger(t, m.ledger.pendingTxs[e.Seq], e.Change)
				late = append(late, e)
			case Left:
				m.leftWith(t, e)
			case EntityFailed:
				t.Fatal(e)
			case Refused:
				if before != nil && !same(before, m.state()) {
					t.Fatalf("%T%+v is refused (%v), but something has changed", e.Command, e.Command, e.Why)
				}
			}
			sum.book(e, &lootBags)
		}
		m.agrees(t)
		m.sound(t)
		m.dealsAreSound(t)
		sum.holds(t, m.modelStore, lootBags)
		if err := m.checkThings(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			t.Fatalf("after step %d: %s", step, describe(events))
		}
	}
}

// returning is a player as the store has it.
func (m *tradeStage) returning(id PlayerID) Player {
	p := Player{ID: id, Character: int64(id) + 1000, Vault: int64(id) + 2000, Name: fmt.Sprintf("Герой%d", id),
		Position: shipstone, Money: m.money[int64(id)+1000], Revision: m.revisions[int64(id)+1000],
		Pools:    rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100},
		Progress: rules.Progress{TitlePoints: 4, DegreePoints: 4, Base: rules.Stats{5}}}
	if s, ok := m.sheets[p.Character]; ok {
		p.Progress, p.Title, p.Degree = s.Progress, s.Title, s.Degree
	}
	for _, id := range slices.Sorted(maps.Keys(m.things)) {
		switch t := m.things[id]; {
		case t.Owner == p.Character:
			p.Items = append(p.Items, t.Item)
		case t.Vault == p.Vault:
			p.VaultItems = append(p.VaultItems, t.Item)
		}
	}
	return p
}

// leftWith fails unless a player has left with the items and the money in the store.
func (m *tradeStage) leftWith(t testing.TB, e Left) {
	t.Helper()
	if !e.Inside {
		return
	}
	p := m.returning(e.Player.ID)
	byID := func(a, b rules.Item) int { return cmp.Compare(a.ID, b.ID) }
	equal := func(a, b []rules.Item) bool {
		slices.SortFunc(b, byID)
		return slices.EqualFunc(a, b, func(a, b rules.Item) bool { return a.Same(&b) })
	}
	if !equal(e.Player.Items, p.Items) || !equal(e.Player.VaultItems, p.VaultItems) || e.Player.Money != p.Money ||
		e.Player.Progress.Base != p.Progress.Base {
		t.Errorf("left with %+v, the store has %+v", e.Player, p)
	}
}
