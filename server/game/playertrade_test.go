package game

import (
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// dealers are two players beside each other, each of which calls the other one "other". The first has bread and a
// sword.
func dealers(t *testing.T) (seller, buyer *possessor) {
	t.Helper()
	g := newStage(t, crowded)
	seller, buyer = g.possessing(0, bread(27, 10), sword(26)), g.possessing(1000)
	seller.names[buyer.s().ID()], buyer.names[seller.s().ID()] = "other", "other"
	seller.names[seller.item(27)], seller.names[seller.item(26)] = "bread", "sword"
	seller.hears()
	buyer.hears()
	return seller, buyer
}

// opens sends what a client sends when its player clicks another with an empty hand.
//
// Source: protocol life 7.1.
func (p *possessor) opens(other packets.ObjectID) []string {
	me := p.s().ID()
	p.say(&packets.Body{Sections: []packets.Section{
		{Object: me, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.Help{Value: 7})}},
		{Object: other, Class: packets.ClassPlayer,
			Regions: []packets.Region{contMan(&packets.Use{Player: me}), contMan(&packets.BecomeUser{Player: me})}},
		{Object: me, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.TradeWindow{Trader: other})}}}})
	return p.hears()
}

// The client's lock is released beside any answer.
var unlocked = without("player: ReleaseUse")

func TestLifeCheck3_1_3_3PlayersTrade(t *testing.T) {
	t.Parallel()
	seller, buyer := dealers(t)
	expectTold(t, "it opens", unlocked(seller.opens(buyer.s().ID())), "other: ResetSlots Flag=0",
		"player: TradeWindow Trader=other")
	expectTold(t, "for the other, too", buyer.hears(), "other: ResetSlots Flag=0", "player: TradeWindow Trader=other")

	seller.asks(manager(&packets.OfferItem{Slot: 3, Item: seller.item(27), Count: 4, Price: 5}))
	shown := buyer.hears()
	if len(shown) < 3 || !strings.HasPrefix(shown[0], "other: Goods Slot=3 Item=") ||
		!strings.HasSuffix(shown[0], "Count=4 Price=5") ||
		!slices.ContainsFunc(shown, func(s string) bool { return strings.HasSuffix(s, "PutInto Parent=other") }) ||
		!slices.ContainsFunc(shown, func(s string) bool { return strings.HasSuffix(s, "StackCount Count=4") }) {
		t.Errorf("an offer is shown as %q", shown)
	}

	other := seller.s().ID()
	bought := buyer.asks(manager(&packets.Buy{Trader: other, Slot: 3, Price: 5, Count: 3}))
	buyer.names[buyer.item(26)] = "loaf"
	if !slices.Contains(bought, "player: Money Amount=985") ||
		!slices.ContainsFunc(bought, func(s string) bool { return strings.HasSuffix(s, "Total=15 Count=3 Unknown=0") }) ||
		!slices.ContainsFunc(bought, func(s string) bool { return strings.HasSuffix(s, "PutInto Parent=player") }) ||
		!slices.ContainsFunc(bought, func(s string) bool {
			return strings.HasPrefix(s, "other: Goods Slot=3") && strings.HasSuffix(s, "Count=1 Price=5")
		}) {
		t.Errorf("bought: %q", bought)
	}
	expectTold(t, "the seller hears", seller.hears(),
		"player: Sold Item=bread Price=15 Trader=other Reserved=0 Reserved2=0 Class=bread",
		"player: SlotWeight Slot=27 Weight=56", "player: Money Amount=15", "bread: StackCount Count=7")

	// An offer without a price is one to a trader, whose window the client may still show.
	refused := seller.asks(manager(&packets.OfferItem{Slot: 0, Item: seller.item(26), Price: packets.NoPrice}))
	if heard := buyer.hears(); len(refused) == 0 || len(heard) > 0 {
		t.Errorf("offered for nothing: %q, the buyer hears %q", refused, heard)
	}
	seller.asks(manager(&packets.OfferItem{Slot: 0, Item: seller.item(26), Count: 1, Price: 100}))
	buyer.hears()
	for _, bid := range []packets.Region{
		&packets.TradeMan{Command: &packets.AcceptOffer{Slot: 0, Value: 88}},
		manager(&packets.BidHere{Slot: 0, Price: 89}),
		manager(&packets.Bid{Slot: 0, Price: 90, Partner: other}),
	} {
		told := append(buyer.asks(bid), seller.hears()...)
		if len(told) != 1 || !strings.HasPrefix(told[0], "player: PriceOffer Slot=0 Price=") {
			t.Errorf("a bid: %q", told)
		}
	}
	expectTold(t, "is accepted", seller.asks(manager(&packets.AcceptPrice{Slot: 0, Price: 90}),
		&packets.TradeMan{Command: &packets.AcceptOffer{Slot: 0, Value: packets.NoPrice}}),
		"player: Sold Item=sword Price=90 Trader=other Reserved=0 Reserved2=0 Class=start_sword",
		"sword: TransformState X=12000 Y=150 Z=-9000 Angle=0 Placement=1", "sword: LeaveContainer",
		"player: ClearSlot Slot=26", "player: Money Amount=105", "removal of sword")
	if got := buyer.hears(); !slices.Contains(got, "player: Money Amount=895") ||
		!slices.Contains(got, "other: ClearGoods Slot=0") {
		t.Errorf("the buyer hears %q", got)
	}

	seller.say(&packets.Body{Sections: []packets.Section{
		{Object: buyer.s().ID(), Class: packets.ClassPlayer,
			Regions: []packets.Region{contMan(&packets.CloseContainer{Player: other})}},
		{Object: other, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.TradeWindow{})}}}})
	if got := unlocked(seller.hears()); len(got) != 0 {
		t.Errorf("the player that closes it hears %q", got)
	}
	closed := buyer.hears()
	if n := len(closed); n < 2 || closed[n-2] != "other: CloseContainer Player=player" ||
		closed[n-1] != "player: TradeWindow Trader=nothing" {
		t.Errorf("the other hears %q", closed)
	}
}

// A theft as clients are told: of a thing by the client's own line before the thing is gone, of money in words.
func TestTheftAsClientsAreTold(t *testing.T) {
	t.Parallel()
	for _, v := range []struct {
		ability int
		money   int64
		items   []rules.Item
	}{
		{6215, 0, []rules.Item{{Slot: 26, Class: int(packets.ClassBread), Suffix: -1, Count: 3, Durability: 100, MaxDurability: 100}}},
		{6210, 1000, nil},
	} {
		g := newStage(t, sharp)
		thief := g.living(func(n *data.NewCharacter) {
			n.TitleLevel, n.DegreeLevel, n.Guild, n.GuildRank = 59, 59, 8, 5
			n.Items = []rules.Item{{Slot: 46, Class: rules.ClassTheft, GameID: v.ability, Suffix: -1, Count: 1, Durability: 100,
				MaxDurability: 100, Bound: true}}
		})
		victim := g.living(func(n *data.NewCharacter) { n.TitleLevel, n.Money, n.Items = 20, v.money, v.items })
		ability, err := g.store.Items(t.Context(), thief.p().character.ID)
		if err != nil || len(ability) != 1 {
			t.Fatal(ability, err)
		}
		g.pass(time.Second)
		thief.frames()
		victim.frames()
		g.server.world.Do(world.UseItem{ID: thief.pid(), Item: ability[0].ID,
			Target: world.Target{Object: world.EntityID(victim.pid())}})
		got, lost := thief.told(), victim.told()
		words := func(bodies []*packets.Body) (lines string) {
			for _, m := range commandsOfType[*packets.SystemMessage](bodies) {
				lines += m.Text
			}
			return lines
		}
		lines := commandsOfType[*packets.Stolen](lost)
		switch {
		case !strings.Contains(words(got), "Вы украли"):
			t.Errorf("%d: the thief is told %q", v.ability, words(got))
		case v.money > 0 && (!strings.Contains(words(lost), "крадёт у вас монет") || len(lines) != 0 ||
			len(commandsOfType[*packets.Money](lost)) != 1 || len(commandsOfType[*packets.Money](got)) != 1):
			t.Errorf("of money the victim is told %q and %+v", words(lost), lines)
		case v.money == 0 && (len(lines) != 1 || lines[0].From != thief.s().ID() || lines[0].Count != 1):
			t.Errorf("of a thing the victim is told %+v", lines)
		}
	}
}

// In a trade by chat, the buyer of a whole lot is not told that it is offered no longer; of one taken back it is.
func TestTheBuyerOfALotIsNotToldThatItIsTakenBack(t *testing.T) {
	t.Parallel()
	seller, buyer := dealers(t)
	// reads are the lines that the buyer reads until its client has a message, and a while after.
	reads := func(p *possessor, command string, until func(packets.Command) bool) string {
		t.Helper()
		var lines []string
		has := false
		listen := func() bool {
			for _, c := range commandsOf[packets.Command](buyer.frames()) {
				if m, ok := c.(*packets.SystemMessage); ok {
					lines = append(lines, m.Text)
				}
				has = has || until(c)
			}
			return has
		}
		p.p().Command(command)
		p.g.until("the answer to "+command, listen)
		p.g.pass(4 * time.Second) // also for the terms to be no longer new
		listen()
		return strings.Join(lines, "|")
	}
	is := func(want string) func(packets.Command) bool {
		return func(c packets.Command) bool { return packets.Name(c) == want }
	}
	reads(seller, "/trade "+buyer.name(), is("TradeWindow"))
	for _, russian := range []bool{true, false} {
		buyer.p().Russian = russian
		gone := text("больше не предлагает", "any more").In(russian)
		offers := text("предлагает № 1", "offers #1").In(russian)
		if got := reads(seller, "/offer 2 5 2", is("Goods")); !strings.Contains(got, offers) {
			t.Errorf("an offer is told as %q", got)
		}
		if got := reads(buyer, "/buy 1", is("ClearGoods")); strings.Contains(got, gone) {
			t.Errorf("the buyer reads %q", got)
		}
		reads(seller, "/offer 2 5 2", is("Goods"))
		if got := reads(seller, "/offer 2 nothing", is("ClearGoods")); !strings.Contains(got, gone) {
			t.Errorf("what is taken back is told as %q", got)
		}
	}
}
