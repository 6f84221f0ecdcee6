package world

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// The continents of the tests: one around Shipstone, and one far below it.
const (
	above = "above"
	below = "below"
)

func continentOf(at coords.Position) string {
	switch {
	case at.Y > 1000:
		return ""
	case at.Y < -100:
		return below
	}
	return above
}

var (
	cityAbove   = coords.Position{X: 1000, Y: 155, Z: 1000, Yaw: 1}
	wildAbove   = coords.Position{X: -1000, Y: 159, Z: 500}
	castleAbove = coords.Position{X: 700, Y: 159, Z: -900}
	cityBelow   = coords.Position{X: 50, Y: -340, Z: 50}
)

// The numbers of tokens in the tests.
const (
	toCityAbove = 1800 + iota
	toWildAbove
	toCastleAbove
	toCityBelow
	toNowhere // of which it is not known where it is
)

// newTravels is a world with destinations on two continents, and a teleport 4 m from Shipstone's middle.
func newTravels() (m *tradeStage, teleport EntityID) {
	tables := *testTables
	tables.Tokens = map[uint16]rules.Destination{toCityAbove: {Kind: rules.CityDestination, To: cityAbove},
		toWildAbove:   {Kind: rules.WildDestination, To: wildAbove},
		toCastleAbove: {Kind: rules.CastleDestination, To: castleAbove},
		toCityBelow:   {Kind: rules.CityDestination, To: cityBelow}}
	m = &tradeStage{stage: newStage(Options{Tables: &tables, Continent: continentOf,
		Revival: func(coords.Position, int) coords.Position { return cityAbove }}), modelStore: newModelStore()}
	m.trader, m.banker = m.NextEntityID(), m.NextEntityID()
	m.Do(Put{Object{m.trader, east(2), NPC{Type: 10, Key: "trader"}}})
	m.Do(Put{Object{m.banker, east(3), NPC{Type: bankerType, Key: "banker"}}})
	return m, m.putTeleport(east(4))
}

// token is one with a number.
func token(kind int, id, in rules.ItemID, slot, n int, number uint16) rules.Item {
	t := thing(kind, id, in, slot, n)
	t.Extra = rules.TokenExtra(number)
	return t
}

func roomKey(id, in rules.ItemID, slot int, number uint16) rules.Item {
	t := thing(kKey, id, in, slot, 1)
	t.Extra = rules.KeyExtra(number)
	return t
}

// of a class of which the tests have no kind.
func classed(class int, id rules.ItemID, slot, n int) rules.Item {
	return rules.Item{ID: id, Slot: slot, Class: class, Suffix: -1, Count: n, Durability: 100, MaxDurability: 100, Weight: 10}
}

// whole fails unless something is refused and nothing has changed by it.
func (m *tradeStage) whole(t *testing.T, why rules.RejectReason, c Command) {
	t.Helper()
	before := m.state()
	events := m.asks(t, c)
	if _, portal := c.(UsePortal); portal {
		if e := of[PortalRefused](events); len(e) != 1 || e[0].Why != why {
			t.Errorf("%+v: expected %q, found %s", c, why, describe(events))
		}
	} else {
		refused(t, events, why)
	}
	if !same(before, m.state()) {
		t.Errorf("%+v is refused, but something has changed", c)
	}
}

func TestLifeCheck1_2EachTokenLeadsWhereItsNumberSays(t *testing.T) {
	for number, to := range map[uint16]coords.Position{toCityAbove: cityAbove, toWildAbove: wildAbove,
		toCastleAbove: castleAbove} {
		m, teleport := newTravels()
		m.joins(1, token(kToken, 1, 0, 26, 1, number), token(kToken, 2, 0, 27, 1, toNowhere))
		m.whole(t, rules.LeadsNowhere, UseItem{1, 2, Target{Object: teleport}})
		events := m.asks(t, UseItem{1, 1, Target{Object: teleport}})
		if e := only[Used](t, events); *e.To != to || e.Left != 0 {
			t.Errorf("token %d: %s", number, describe(events))
		}
		m.sound(t)
	}
}

func TestLifeCheck1_3ATokenFartherThan10MetresIsRefused(t *testing.T) {
	m, near := newTravels()
	far, broken := m.putTeleport(east(30)), m.NextEntityID()
	m.Do(Put{Object{broken, east(5), Portal{Class: rules.ClassTeleportBroken, Key: "broken"}}})
	m.joins(1, token(kCharged, 1, 0, 26, 3, toCityAbove), thing(kApple, 2, 0, 27, 1))
	use := func(on Target) UseItem { return UseItem{1, 1, on} }
	m.whole(t, rules.TooFar, use(Target{Object: far}))
	for _, on := range []Target{{Object: broken}, {Object: m.trader}, {Object: m.banker}, {Item: 2}} {
		m.whole(t, rules.NoTeleport, use(on))
	}
	for _, on := range []Target{{Object: 1 << 30}, {Object: 77}} {
		m.whole(t, rules.NotInSight, use(on))
	}
	m.whole(t, rules.NotYours, UseItem{1, 99, Target{Object: near}})
	m.does(Teleport{1, east(-20)})
	m.whole(t, rules.NoTeleport, use(Target{}))
	m.whole(t, rules.TooFar, use(Target{Object: near}))
	// Ten metres are the limit.
	for metres, why := range map[float32]rules.RejectReason{10.1: rules.TooFar, 9.9: 0} {
		m, _ := newTravels()
		at := shipstone
		at.X, at.Z = at.X-500, at.Z-500 // away from the other teleport
		m.admits(Player{ID: 1, Position: at, Items: []rules.Item{token(kCharged, 1, 0, 26, 3, toCityAbove)}})
		at.X += metres
		use := UseItem{1, 1, Target{Object: m.putTeleport(at)}}
		m.does()
		if why != 0 {
			m.whole(t, why, use)
		} else if e := only[Used](t, m.asks(t, use)); *e.To != cityAbove || e.Left != 2 {
			t.Errorf("from %v m: %+v", metres, e)
		}
	}
}

func TestLifeCheck1_4ChargesGoOneByOne(t *testing.T) {
	m, teleport := newTravels()
	m.putTeleport(wildAbove)
	m.joins(1, token(kCharged, 1, 0, 26, 2, toWildAbove))
	// Twice in one tick: one charge. The second finds no teleport any more, or comes too soon.
	events := m.asks(t, UseItem{1, 1, Target{Object: teleport}}, UseItem{1, 1, Target{}})
	if used := of[Used](events); len(used) != 1 || used[0].Left != 1 {
		t.Errorf("twice in one tick: %s", describe(events))
	}
	if e := of[Refused](events); len(e) != 1 || e[0].Why != rules.UnderWay {
		t.Errorf("the second: %s", describe(events))
	}
	m.pass(journeyPause)
	if e := only[Used](t, m.asks(t, UseItem{1, 1, Target{}})); e.Left != 0 || m.player(1).carried.Find(1) != nil {
		t.Errorf("the last charge: %+v", e)
	}
	m.whole(t, rules.NotYours, UseItem{1, 1, Target{}})
}

// A journey is one change: its cost and its destination are stored together, and no older place after them.
func TestLifeCheck1_4AJourneyIsStoredWhole(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kCharged, 1, 0, 26, 2, toWildAbove))
	m.does(Teleport{1, east(1)})
	events := m.does(UseItem{1, 1, Target{Object: teleport}})
	request := only[CommitRequest](t, events)
	if p := request.Change.Places; len(request.Change.Items) != 1 || len(p) != 1 || p[0].Is != wildAbove ||
		p[0].Character != 1001 {
		t.Fatalf("asked to store %+v", request.Change)
	}
	// A state that is handed over meanwhile is of an older revision, so that it does not take the place of the new one.
	for _, e := range of[SaveDue](m.pass(10 * time.Second)) {
		if s := e.States[0]; s.Position == wildAbove || s.Revision >= request.Change.Places[0].Revision {
			t.Errorf("handed over: %+v", s)
		}
	}
	ids, err := m.apply(request.Change)
	if err != nil {
		t.Fatal(err)
	}
	m.does(Committed{request.Seq, ids, nil})
	if e := of[SaveDue](m.pass(3 * time.Second)); e[0].States[0].Position != wildAbove ||
		e[0].States[0].Revision != request.Change.Places[0].Revision {
		t.Errorf("then is handed over %+v", e[0])
	}
}

func TestLifeCheck1_4AJourneyThatCannotBeStoredIsNone(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kCharged, 1, 0, 26, 2, toWildAbove))
	request := only[CommitRequest](t, m.does(UseItem{1, 1, Target{Object: teleport}}))
	events := m.does(Committed{Seq: request.Seq, Err: errConflict})
	refused(t, events, rules.StoreFailed)
	if p := m.player(1); p.Position != shipstone || p.carried.Find(1).Count != 2 {
		t.Errorf("at %v with %+v", p.Position, p.carried.Find(1))
	}
}

// A player that leaves the game while a journey is being stored is there the next time.
func TestLifeCheck1_4WhoLeavesOnAJourneyArrives(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kCharged, 1, 0, 26, 2, toWildAbove))
	request := only[CommitRequest](t, m.does(UseItem{1, 1, Target{Object: teleport}}))
	m.does(Leave{ID: 1})
	ids, err := m.apply(request.Change)
	if err != nil {
		t.Fatal(err)
	}
	if e := only[Left](t, m.does(Committed{request.Seq, ids, nil})); e.Player.Position != wildAbove {
		t.Errorf("left at %v", e.Player.Position)
	}
}

func TestLifeCheck1_5NoTokenLeadsToAnotherContinent(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kToken, 1, 0, 26, 1, toCityBelow))
	m.whole(t, rules.OtherContinent, UseItem{1, 1, Target{Object: teleport}})
	deep := coords.Position{X: 5, Y: -340, Z: 5}
	m.putTeleport(deep)
	m.does(Teleport{1, deep})
	if e := only[Used](t, m.asks(t, UseItem{1, 1, Target{}})); *e.To != cityBelow {
		t.Errorf("on its continent it leads to %v", e.To)
	}
}

func TestLifeCheck1_6TheVeryBadGoByTheTokenOfSinners(t *testing.T) {
	m, teleport := newTravels()
	sinners := classed(441, 3, 28, 1)
	m.admits(Player{ID: 1, Items: []rules.Item{token(kToken, 1, 0, 26, 1, toCityAbove),
		token(kToken, 2, 0, 27, 1, toWildAbove), sinners}, Progress: rules.Progress{Karma: -5000}})
	m.whole(t, rules.KarmaTooBad, UseItem{1, 1, Target{Object: teleport}})
	if e := only[Used](t, m.asks(t, UseItem{1, 3, Target{Object: teleport}})); *e.To != cityAbove {
		t.Errorf("the sinner's token leads to %v", e.To)
	}
	m.does(Teleport{1, shipstone})
	m.pass(journeyPause)
	if e := only[Used](t, m.asks(t, UseItem{1, 2, Target{Object: teleport}})); *e.To != wildAbove {
		t.Errorf("a wild token leads the very bad to %v", e.To)
	}
	sinners.ID = 4
	m.joins(2, sinners)
	m.whole(t, rules.KarmaTooGood, UseItem{2, 4, Target{Object: teleport}})
}

func TestLifeCheck1_7ADoorOpensForItsKey(t *testing.T) {
	m, teleport := newTravels()
	door, keeper, exit := m.NextEntityID(), m.NextEntityID(), m.NextEntityID()
	m.Do(Put{Object{door, east(1), Portal{Class: rules.ClassDoor, Number: 5015, Key: "room"}}})
	m.Do(Put{Object{keeper, east(1), NPC{Type: 5, Key: "keeper", Rooms: Rooms{5015, 5016}}}})
	m.Do(Put{Object{exit, east(40), Portal{Class: rules.ClassDoor, Number: 5015, Key: "far"}}})
	m.joins(1, roomKey(1, 0, 26, 5016), thing(kSmallBag, 2, 0, 22, 1), roomKey(3, 2, 0, 5015))
	m.whole(t, rules.InBag, UsePortal{1, door}) // in a bag it does not count
	m.whole(t, rules.InBag, UseItem{1, 3, Target{Object: door}})
	m.whole(t, rules.WrongKey, UseItem{1, 1, Target{Object: door}})
	m.whole(t, rules.NoUse, UseItem{1, 1, Target{Object: teleport}}) // a key and no door
	m.whole(t, rules.NoUse, UseItem{1, 1, Target{Object: m.trader}})
	m.joins(2, thing(kKey, 4, 0, 26, 1))
	m.whole(t, rules.NeedsKey, UsePortal{2, door})
	m.whole(t, rules.WrongKey, UseItem{2, 4, Target{Object: door}})
	m.joins(3, roomKey(5, 0, 23, 5015), thing(kApple, 6, 0, 26, 1))
	m.whole(t, rules.TooFar, UseItem{3, 5, Target{Object: exit}})
	m.whole(t, rules.TooFar, UsePortal{3, exit})
	for _, c := range []Command{UsePortal{3, door}, UseItem{3, 5, Target{Object: door}},
		UseItem{3, 5, Target{Object: keeper}}} {
		if e := only[Opened](t, m.asks(t, c)); !e.What.Vault {
			t.Errorf("%+v opens %+v", c, e.What)
		}
		m.asks(t, Close{3, Container{Vault: true}})
	}
	m.asks(t, UsePortal{3, door})
	if e := only[PutAway](t, m.asks(t, PutInto{3, Target{Item: 6}, Container{Vault: true}, 0})); !e.Into.Vault {
		t.Errorf("put into %+v", e.Into)
	}
	m.walks(t, 3, east(-60))
	refused(t, m.asks(t, PutInto{3, Target{Item: 5}, Container{Vault: true}, 1}), rules.TooFar)
}

func TestLifeCheck1_8AGreatTeleportWantsItsLicence(t *testing.T) {
	m, _ := newTravels()
	great, back := m.NextEntityID(), m.NextEntityID()
	m.Do(Put{Object{great, east(3), Portal{Class: rules.ClassTeleportGreat, Number: rules.GreatToHaron, To: cityBelow,
		Place: "below", Key: "great"}}})
	m.Do(Put{Object{back, cityBelow, Portal{Class: rules.ClassTeleportGreat, Number: 981, To: cityAbove,
		Place: "above", Key: "back"}}})
	m.joins(1, classed(119, 1, 26, 1), classed(117, 2, 27, 1), classed(118, 3, 28, 1))
	m.whole(t, rules.NeedsLicence, UsePortal{1, great})
	m.asks(t, UseItem{ID: 1, Item: 1}) // that of another
	m.whole(t, rules.NeedsLicence, UsePortal{1, great})
	if e := only[Used](t, m.asks(t, UseItem{ID: 1, Item: 2})); e.Left != 0 || m.player(1).carried.Find(2) != nil {
		t.Errorf("the licence: %+v", e)
	}
	m.whole(t, rules.HasLicence, UseItem{ID: 1, Item: 3})
	if e := only[Teleported](t, m.does(UsePortal{1, great})); e.To != cityBelow {
		t.Errorf("it leads to %v", e.To)
	}
	if e := only[Teleported](t, m.does(UsePortal{1, back})); e.To != cityAbove {
		t.Errorf("back it leads to %v", e.To)
	}
	if s := m.sheets[1001]; !s.Progress.Licences.Has(rules.LicenceHaron) { // the licence comes back from the store
		t.Errorf("stored %+v", s.Progress)
	}
}

func TestLifeCheck1_10AStoneOfReturnNeedsRest(t *testing.T) {
	m, _ := newTravels()
	far := east(-900)
	m.admits(Player{ID: 1, Items: []rules.Item{classed(436, 1, 26, 2)}, Position: far})
	m.player(1).protected = 0
	m.World.vitals.hurt(m.player(1), Hit{HP: -5})
	m.take()
	m.pass(rules.Calm - time.Second)
	m.whole(t, rules.NotCalm, UseItem{ID: 1, Item: 1})
	m.pass(2 * time.Second)
	events := m.asks(t, UseItem{ID: 1, Item: 1})
	if e := only[Used](t, events); e.Left != 1 || *e.To != cityAbove {
		t.Errorf("told %s", describe(events))
	}
}

// A great stone takes those of the party along that are near, alive and calm.
func TestAGreatStoneTakesThePartyAlong(t *testing.T) {
	m, _ := newTravels()
	m.joins(1, classed(438, 1, 26, 1))
	for id := PlayerID(2); id <= 5; id++ {
		at := shipstone
		if id == 3 {
			at = east(90)
		}
		m.admits(Player{ID: id, Position: at})
	}
	m.does(PartyCreate{1})
	for id := PlayerID(2); id <= 4; id++ { // 5 is of no party
		m.does(PartyApply{id, "Герой1"})
		m.does(PartyAccept{1, m.player(id).Name})
	}
	m.World.vitals.hurt(m.player(4), Hit{HP: -5})
	m.take()
	events := m.asks(t, UseItem{ID: 1, Item: 1})
	var gone []PlayerID
	for _, e := range of[Teleported](events) {
		gone = append(gone, e.ID)
	}
	if !slices.Equal(gone, []PlayerID{2}) || only[Used](t, events).To == nil {
		t.Errorf("%v go along: %s", gone, describe(events))
	}
	m.sound(t)
}

// A player that has left the party before the stone is used up stays where it is.
func TestAGreatStoneTakesNobodyThatHasLeftTheParty(t *testing.T) {
	m, _ := newTravels()
	m.joins(1, classed(438, 1, 26, 1))
	m.joins(2)
	m.does(PartyCreate{1}, PartyApply{2, "Герой1"}, PartyAccept{1, "Герой2"})
	c := only[CommitRequest](t, m.does(UseItem{ID: 1, Item: 1}))
	m.does(PartyLeave{2})
	ids, err := m.apply(c.Change)
	if e := m.asks(t, Committed{c.Seq, ids, err}); len(of[Teleported](e)) != 0 || only[Used](t, e).To == nil {
		t.Errorf("told %s", describe(e))
	}
}

// Travel works like the use of the token, and lists the tokens.
func TestTravelByNumber(t *testing.T) {
	m, _ := newTravels()
	m.joins(1, thing(kSmallBag, 1, 0, 22, 1), token(kCharged, 2, 1, 0, 3, toWildAbove), token(kToken, 3, 0, 26, 1, toNowhere),
		classed(441, 4, 27, 1), thing(kApple, 5, 0, 28, 1))
	told := only[TravelTold](t, m.asks(t, Travel{ID: 1}))
	if !slices.Equal(told.Tokens, []CarriedToken{{toWildAbove, 3}, {toNowhere, 1}}) || !told.Teleport || told.Licences != 0 {
		t.Errorf("told %+v", told)
	}
	m.whole(t, rules.NoToken, Travel{1, toCityAbove})
	m.whole(t, rules.LeadsNowhere, Travel{1, toNowhere})
	if e := only[Used](t, m.asks(t, Travel{1, toWildAbove})); *e.To != wildAbove {
		t.Errorf("led to %v", e.To)
	}
	if told := only[TravelTold](t, m.asks(t, Travel{ID: 1})); told.Teleport || told.Tokens[0].Charges != 2 {
		t.Errorf("afterwards told %+v", told)
	}
}

// A token that is on offer to another player is not used, another of its number is.
func TestNobodyTravelsByATokenOnOffer(t *testing.T) {
	m, _ := newTravels()
	m.joins(1, token(kToken, 1, 0, 26, 1, toWildAbove))
	m.joins(2)
	m.asks(t, TradeWithPlayer{ID: 1, With: 2}, OfferForSale{ID: 1, Item: 1, Price: 1})
	m.whole(t, rules.OnOffer, Travel{1, toWildAbove})
	m.whole(t, rules.OnOffer, UseItem{ID: 1, Item: 1})
	m.joins(3, token(kToken, 2, 0, 26, 1, toWildAbove), token(kToken, 3, 0, 27, 1, toWildAbove))
	m.joins(4)
	m.asks(t, TradeWithPlayer{ID: 3, With: 4}, OfferForSale{ID: 3, Item: 2, Price: 1})
	if e := only[Used](t, m.asks(t, Travel{3, toWildAbove})); e.Item.ID != 3 || *e.To != wildAbove {
		t.Errorf("used %+v", e)
	}
}

func TestNobodyTravelsDeadOrTrading(t *testing.T) {
	m, teleport := newTravels()
	m.joins(1, token(kToken, 1, 0, 26, 1, toCityAbove))
	use := UseItem{1, 1, Target{Object: teleport}}
	m.asks(t, OpenTrade{1, m.trader})
	m.whole(t, rules.UnderWay, use)
	m.asks(t, CloseTrade{ID: 1})
	m.asks(t, OpenTrade{1, m.banker})
	m.whole(t, rules.UnderWay, use)
	m.whole(t, rules.NeedsToken, UsePortal{1, teleport})
	m.does(setPools{1, rules.Pools{MaxHP: 100}})
	m.whole(t, rules.Dead, use)
	m.whole(t, rules.Dead, UsePortal{1, teleport})
}

// TestLifeCheck1_12 uses tokens and keys on everything, and on numbers that no object has: only a token on a teleport
// moves a player, and refusals change nothing.
func TestLifeCheck1_12TokensOnAnything(t *testing.T) {
	m, teleport := newTravels()
	objects := []EntityID{teleport, m.trader, m.banker, 0, 1, 2, 1 << 20, math.MaxUint32}
	for i, class := range []int{60, 61, 62, 63, 64, 67, 127} {
		id := m.NextEntityID()
		m.Do(Put{Object{id, east(float32(i)), Portal{Class: class, Number: uint32(i) * 1000, Key: "p"}}})
		objects = append(objects, id)
	}
	r := rand.New(rand.NewPCG(7, 7))
	m.joins(1, token(kCharged, 1, 0, 26, 900, toCityAbove), token(kToken, 2, 0, 27, 1, toNowhere),
		roomKey(3, 0, 28, 5003), classed(441, 4, 29, 1), classed(440, 5, 30, 1))
	items := []rules.ItemID{1, 1, 1, 2, 3, 4, 5, 6, -1}
	for range 400 {
		before := m.player(1).Position
		on := Target{Object: objects[r.IntN(len(objects))]}
		if r.IntN(4) == 0 {
			on.Item = items[r.IntN(len(items))]
		}
		var c Command = UseItem{1, items[r.IntN(len(items))], on}
		if r.IntN(5) == 0 {
			c = UsePortal{1, objects[r.IntN(len(objects))]}
		}
		events := m.asks(t, c)
		used, _ := c.(UseItem)
		if m.player(1).Position != before && (used.Item != 1 || len(of[Used](events)) != 1) {
			t.Fatalf("%+v moves: %s", c, describe(events))
		}
		m.asks(t, Close{1, Container{Vault: true}})
		m.does(Teleport{1, shipstone})
		m.pass(journeyPause)
	}
	m.agrees(t)
	m.sound(t)
}

// Tokens, used on an object of each class that there is, whatever it is, move nobody and stay whole, but for the teleports
// on which they work.
func TestLifeCheck1_12TokensOnEveryClass(t *testing.T) {
	m, _ := newTravels()
	at := shipstone
	at.X, at.Z = at.X-500, at.Z-500
	m.admits(Player{ID: 1, Position: at, Items: []rules.Item{token(kCharged, 1, 0, 26, 900, toWildAbove)}})
	m.admits(Player{ID: 2, Position: at})
	const highestTag = 4095
	classes, works, lying := 0, 0, rules.ItemID(1000)
	for class := 1; class <= highestTag; class++ {
		kinds := []Kind{Portal{Class: class, Key: "p"}, NPC{Class: class, Key: "n"}, Labyrinth{class}, Post{class}}
		if rules.ClassOf(class) == rules.ClassOf(-1) && (class < 60 || class > 132) { // those of portals and posts are 60 to 132
			continue
		}
		classes++
		lying++
		item := rules.Item{ID: lying, Class: class, Suffix: rules.NoSuffix, Count: 1}
		m.things[item.ID] = rules.StoredItem{Item: item, OnGround: &rules.OnGround{At: at}}
		m.does(RestoreGroundItem{[]rules.Item{item}, rules.OnGround{At: at}, false})
		objects := []EntityID{m.all[others][len(m.all[others])-1].Number}
		for _, kind := range kinds {
			id := m.NextEntityID()
			m.Do(Put{Object{id, at, kind}})
			objects = append(objects, id)
		}
		m.does()
		for _, id := range objects {
			use := UseItem{1, 1, Target{Object: id}}
			if m.object(id) == nil {
				t.Fatalf("class %d: an object is not there", class)
			}
			portal, _ := m.object(id).Kind.(Portal)
			if !rules.TakesTokens(portal.Class) {
				if events := m.asks(t, use); len(of[Refused](events)) != 1 || len(of[Used](events))+len(of[Teleported](events)) != 0 ||
					m.player(1).Position != at || m.player(1).carried.Find(1).Count != 900-works {
					t.Fatalf("class %d as %T: %s", class, m.object(id).Kind, describe(events))
				}
				continue
			}
			works++
			if e := only[Used](t, m.asks(t, use)); *e.To != wildAbove {
				t.Errorf("class %d leads to %v", class, e.To)
			}
			m.does(Teleport{1, at})
			m.pass(journeyPause)
		}
		for _, id := range objects {
			m.does(deedOf(func(w *World) { w.places.remove(w.object(id)) }))
		}
		delete(m.things, item.ID)
	}
	m.whole(t, rules.NotInSight, UseItem{1, 1, Target{Object: 2}}) // another player
	if works != 2 || classes < 200 {
		t.Errorf("of %d classes %d take tokens", classes, works)
	}
	m.sound(t)
}
