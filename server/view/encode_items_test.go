package view

import (
	"slices"
	"strings"
	"testing"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

const (
	intoBag   = ": TransformState X=1e+06 Placement=2"
	bagObject = world.EntityID(world.MaxPlayerID + 1)
	npcObject = world.EntityID(world.MaxPlayerID + 2)
)

var (
	bagItem = rules.Item{ID: 20, Class: 401, Suffix: rules.NoSuffix, Count: 1}
	here    = coords.Position{X: 10, Y: 20, Z: 30}
)

func TestMovesInsideOfAContainer(t *testing.T) {
	s := newStage(t)
	bread, crust := thing(1, 26, 3), thing(2, 27, 2)
	s.carries(me, map[string]rules.Item{"bread": bread, "crust": crust})
	bread.Slot = 30
	s.ItemMoved(world.ItemMoved{ID: me, Item: bread, From: 26, Slots: []world.SlotNow{{Slot: 26}, holding(bread)}})
	s.expect("a move", me, "player: FillSlot Slot=26", "player: FillSlot Slot=30 Item=bread Weight=24")
	s.ItemMoved(world.ItemMoved{ID: me, Item: bread, From: 30, Slots: []world.SlotNow{holding(bread)}})
	s.expect("onto itself", me, "player: FillSlot Slot=30 Item=bread Weight=24")
	bread.Slot, crust.Slot = 27, 30
	s.ItemMoved(world.ItemMoved{ID: me, Item: bread, From: 30, Other: &crust,
		Slots: []world.SlotNow{holding(bread), holding(crust)}})
	s.expect("a swap", me, "player: FillSlot Slot=30", "player: FillSlot Slot=27 Item=bread Weight=24",
		"player: FillSlot Slot=30 Item=crust Weight=16")
	whole := bread
	whole.Count = 5
	s.ItemMoved(world.ItemMoved{ID: me, Item: crust, From: 30, Merged: &whole, Slots: []world.SlotNow{{Slot: 30},
		{Slot: 27, Item: whole.ID, Weight: 40, WeightOnly: true}}})
	s.expect("onto a stack", me, "player: FillSlot Slot=30", "player: SlotWeight Slot=27 Weight=40",
		"bread: StackCount Count=5", "removal of crust")
	if _, ok := s.viewers[me].IDs.Item(crust.ID); ok {
		t.Error("what is no more has an id")
	}
	s.Refused(world.Refused{ID: me, Slots: []world.SlotNow{holding(whole), {Slot: 31}, {Slot: 32, Item: 99}}})
	s.expect("a refusal", me, "player: FillSlot Slot=27 Item=bread Weight=40", "player: FillSlot Slot=31")
	s.expect("who has nothing to do with it", friend)
}

func TestWhatWearsOutIsToldAnew(t *testing.T) {
	s := newStage(t)
	sword := rules.Item{ID: 1, Class: 506, GameID: 1, Suffix: rules.NoSuffix, Count: 1, Slot: 26, Durability: 3650,
		MaxDurability: 3650}
	s.carries(me, map[string]rules.Item{"sword": sword})
	sword.Durability--
	s.ItemsWorn(world.ItemsWorn{ID: me, Items: []rules.Item{sword, thing(9, 27, 1)}})
	s.expect("wear", me, "sword: SpawnSnapshot X=1e+06 Placement=2 A=3649 B=3650 C=1 D=-2", "sword: PutInto Parent=player",
		"sword: Property Value=4294967295")
	sword.Durability++
	s.ItemsRepaired(world.ItemsRepaired{ID: me, Items: []rules.Item{sword}, Price: 3, Money: 97})
	s.expect("repair", me, "player: Money Amount=97", "|", "sword: SpawnSnapshot X=1e+06 Placement=2 A=3650 B=3650 C=1 D=-2",
		"sword: PutInto Parent=player", "sword: Property Value=4294967295")
}

func TestDroppedAndTakenUp(t *testing.T) {
	s := newStage(t)
	bread := thing(1, 26, 1)
	s.carries(me, map[string]rules.Item{"bread": bread})
	known, _ := s.viewers[me].IDs.Item(1)
	s.ItemDropped(world.ItemDropped{ID: me, Item: bread, Object: bagObject, At: here, Slots: []world.SlotNow{{Slot: 26}}})
	s.expect("a drop", me, "bread: TransformState X=10 Y=21 Z=30 Placement=1", "bread: LeaveContainer",
		"player: ClearSlot Slot=26", "bread: TransformState X=10 Y=20 Z=30 Placement=1")
	lies := &world.Object{ID: bagObject, Position: here, Kind: world.GroundItem{Item: bread}}
	s.ObjectAppeared(&world.ObjectAppeared{Viewer: me, Object: lies})
	s.expect("who has dropped it knows it", me)
	if k, ok := s.viewers[me].IDs.Object(bagObject); !ok || k.ID != known.ID || k.Kind != GroundItemEntry || k.Item != 0 {
		t.Errorf("dropped it is known as %+v, was %+v", k, known)
	}
	s.ObjectAppeared(&world.ObjectAppeared{Viewer: friend, Object: lies})
	s.expect("another is shown it", friend, "item 1: SpawnSnapshot X=10 Y=20 Z=30 Placement=1 A=100 B=100",
		"item 1: Property Value=4294967295")

	bread.Slot = 30
	taken := world.Taken{Item: thing(1, 0, 1), From: world.Container{Object: bagObject}, FromGround: true, Into: bread}
	s.TookUp(world.TookUp{ID: friend, Object: bagObject, Gone: true, Slots: []world.SlotNow{holding(bread)},
		Items: []world.Taken{taken}})
	s.expect("taken", friend, "item 1: TransformState X=10 Y=20 Z=30 Placement=2", "item 1: PutInto Parent=player",
		"player: FillSlot Slot=30 Item=item 1 Weight=8")
	s.Vanished(&world.Vanished{Viewer: me, ID: bagObject})
	s.expect("who sees that", me, "removal of bread")
	s.Vanished(&world.Vanished{Viewer: me, ID: bagObject})
	s.expect("what it does not hold", me)
}

// A bag that is taken up brings its contents: records of a few in each body, then the slot of each.
func TestABagIsTakenUpWithWhatIsInIt(t *testing.T) {
	s := newStage(t)
	s.sees(me, "bag", &world.Object{ID: bagObject, Position: here, Kind: world.GroundItem{Item: bagItem}})
	taken := world.Taken{Item: bagItem, From: world.Container{Object: bagObject}, FromGround: true, Into: bagItem}
	taken.Into.Slot = 26
	for i := range recordsAtOnce + 1 {
		inside := thing(rules.ItemID(30+i), i, 1)
		inside.In = bagItem.ID
		taken.Inside = append(taken.Inside, inside)
	}
	s.TookUp(world.TookUp{ID: me, Items: []world.Taken{taken}, Object: bagObject, Gone: true,
		Slots: []world.SlotNow{{Slot: 26, Item: bagItem.ID, Weight: 40}}})
	got := s.hears(me)
	if !slices.Equal(got[:3], []string{"bag: TransformState X=10 Y=20 Z=30 Placement=2", "bag: PutInto Parent=player",
		"player: FillSlot Slot=26 Item=bag Weight=40"}) {
		t.Errorf("taken with %q", got)
	}
	bodies := strings.Split(strings.Join(got, "\n"), "|")
	for i, want := range []struct {
		what  string
		times int
	}{
		{"bag:", 2}, {"PutInto Parent=bag", recordsAtOnce}, {"PutInto Parent=bag", 1}, {"bag: FillSlot", recordsAtOnce + 1},
	} {
		if i >= len(bodies) || strings.Count(bodies[i], want.what) != want.times {
			t.Fatalf("body %d of %q has not %d times %q", i, bodies, want.times, want.what)
		}
	}
	for _, in := range taken.Inside {
		if k, ok := s.viewers[me].IDs.Item(in.ID); !ok || k.Holder != 0 {
			t.Errorf("%d is known as %+v, %v", in.ID, k, ok)
		}
	}
	s.ItemDropped(world.ItemDropped{ID: me, Item: taken.Into, Object: bagObject + 9, At: here, Inside: taken.Inside,
		Slots: []world.SlotNow{{Slot: 26}}})
	if got := s.hears(me); strings.Count(strings.Join(got, " "), "removal") != recordsAtOnce+1 {
		t.Errorf("dropped again: %q", got)
	}
}

func TestABagThatLiesOpen(t *testing.T) {
	s := newStage(t)
	inside := thing(30, 2, 4)
	inside.In = bagItem.ID
	in := world.Container{Object: bagObject}
	slot := world.SlotNow{In: in, Slot: 2, Item: 30, Weight: 32}
	for _, id := range []world.PlayerID{me, friend} {
		s.sees(id, "bag", &world.Object{ID: bagObject, Position: here, Kind: world.GroundItem{Item: bagItem}})
		s.Opened(world.Opened{ID: id, What: in, Items: []rules.Item{inside}, Slots: []world.SlotNow{slot}})
		s.expect("opened", id, "bag: ResetSlots", "bag: FillSlot Slot=2 Item=item 2 Weight=32", "|",
			"item 2: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "item 2: PutInto Parent=bag",
			"item 2: Property Value=4294967295", "item 2: StackCount Count=4")
	}
	s.Opened(world.Opened{ID: me, What: in, Slots: nil})
	s.expect("opened when it is empty", me, "removal of item 2", "bag: ResetSlots")
	s.Opened(world.Opened{ID: stranger, What: in, Items: []rules.Item{inside}, Slots: []world.SlotNow{slot}})
	s.expect("who does not see it", stranger)

	// The friend puts bread into it and takes out the old item; a player that looks into it is told both.
	bread := thing(1, 26, 1)
	s.carries(friend, map[string]rules.Item{"bread": bread})
	put := bread
	put.In, put.Slot = bagItem.ID, 5
	s.PutAway(world.PutAway{ID: friend, Into: in, Item: world.Taken{Item: bread, Into: put},
		Slots: []world.SlotNow{{Slot: 26}, {In: in, Slot: 5, Item: 1, Weight: 8}}})
	s.expect("put into it", friend, "player: ClearSlot Slot=26", "bread"+intoBag, "bread: PutInto Parent=bag",
		"bag: FillSlot Slot=5 Item=bread Weight=8")
	changed := world.BagChanged{Object: bagObject, To: []world.PlayerID{me, stranger}, Came: []rules.Item{put},
		Left: []rules.Item{inside}, Slots: []world.SlotNow{{In: in, Slot: 2}, {In: in, Slot: 5, Item: 1, Weight: 8}}}
	s.BagChanged(changed)
	s.expect("who looks into it", me, "bag: ClearSlot Slot=2", "bag: FillSlot Slot=5 Item=item 3 Weight=8", "|",
		"item 3: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "item 3: PutInto Parent=bag",
		"item 3: Property Value=4294967295")
	s.expect("who does not", stranger)
	s.Closed(world.Closed{ID: me, What: in})
	s.expect("closed", me, "removal of item 3")
	if left := s.viewers[me].IDs.HeldBy(bagObject); len(left) != 0 {
		t.Errorf("what was in it is known: %v", left)
	}
}

func TestTheVaultIsInTheBank(t *testing.T) {
	s := newStage(t)
	bread, kept := thing(1, 26, 1), thing(2, 4, 1)
	s.carries(me, map[string]rules.Item{"bread": bread})
	vault := world.Container{Vault: true}
	(&itemEncoder{ids: &s.viewers[me].IDs, me: s.viewers[me].ID()}).showVault()
	s.Opened(world.Opened{ID: me, What: vault, Items: []rules.Item{kept},
		Slots: []world.SlotNow{{In: vault, Slot: 4, Item: 2, Weight: 8}}})
	s.expect("opened", me, "item 2: ResetSlots", "item 2: FillSlot Slot=4 Item=item 3 Weight=8", "|",
		"item 3: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "item 3: PutInto Parent=item 2",
		"item 3: Property Value=4294967295")
	s.PutAway(world.PutAway{ID: me, Item: world.Taken{Item: bread, Into: thing(1, 5, 1)}, Into: vault,
		Slots: []world.SlotNow{{Slot: 26}, {In: vault, Slot: 5, Item: 1, Weight: 8}}})
	s.expect("put into it", me, "player: ClearSlot Slot=26", "bread"+intoBag, "bread: PutInto Parent=item 2",
		"item 2: FillSlot Slot=5 Item=bread Weight=8")
	s.TookUp(world.TookUp{ID: me, Items: []world.Taken{{Item: kept, From: vault, Into: thing(2, 30, 1)}},
		Slots: []world.SlotNow{{In: vault, Slot: 4}, {Slot: 30, Item: 2, Weight: 8}}})
	s.expect("taken out", me, "item 2: ClearSlot Slot=4", "item 3"+intoBag, "item 3: PutInto Parent=player",
		"player: FillSlot Slot=30 Item=item 3 Weight=8")
	s.Closed(world.Closed{ID: me, What: vault})
	s.expect("closed", me, "removal of bread", "item 2: ResetSlots")

	s.Opened(world.Opened{ID: me, What: vault, Items: []rules.Item{bread},
		Slots: []world.SlotNow{{In: vault, Slot: 5, Item: 1, Weight: 8}}})
	s.hears(me)
	s.Granted(world.Granted{ID: me, Command: world.ShowAgain{ID: me}})
	s.expect("shown again", me, "removal of item 4", "removal of item 2",
		"item 5: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "item 5: PutInto Parent=player", "item 5: ResetSlots")
	if left := s.viewers[me].IDs.HeldBy(InVault); len(left) != 0 {
		t.Errorf("what was in it is known: %v", left)
	}
}

func TestTrades(t *testing.T) {
	s := newStage(t)
	s.sees(me, "trader", &world.Object{ID: npcObject, Position: here,
		Kind: world.NPC{Class: int(packets.ClassTrader), Type: content.OccupationTavern}})
	bread := thing(1, 26, 5)
	s.carries(me, map[string]rules.Item{"bread": bread})
	goods := make([]world.Article, articlesAtOnce+2)
	for i := range goods {
		goods[i] = world.Article{Item: thing(0, 0, 1), Price: 10 + i}
	}
	s.TradeOpened(world.TradeOpened{ID: me, Trader: npcObject, Goods: goods})
	bodies := strings.Split(strings.Join(s.hears(me), "\n"), "|")
	if len(bodies) != 2+(len(goods)+recordsAtOnce-1)/recordsAtOnce ||
		strings.Count(bodies[0], "trader: Goods") != articlesAtOnce || !strings.HasPrefix(bodies[0], "trader: ResetSlots") ||
		strings.Count(bodies[1], "trader: Goods") != 2 ||
		!strings.HasSuffix(strings.TrimSpace(bodies[1]), "player: TradeWindow Trader=trader") {
		t.Errorf("the trade opens with %q", bodies)
	}
	s.Bought(world.Bought{ID: me, Item: bread, Merged: true, Count: 3, Total: 30, Money: 70,
		Slots: []world.SlotNow{{Slot: 26, Item: 1, Weight: 40, WeightOnly: true}}})
	s.expect("more of the same", me, "player: SlotWeight Slot=26 Weight=40", "bread: StackCount Count=5",
		"player: Money Amount=70", "player: Bought Item=bread Total=30 Count=3")
	s.viewers[me].names = map[packets.ObjectID]string{s.viewers[me].ID(): "player"}
	crust := thing(2, 27, 1)
	s.Bought(world.Bought{ID: me, Item: crust, Count: 1, Total: 5, Money: 65,
		Slots: []world.SlotNow{holding(crust)}})
	s.expect("something new", me, "player: FillSlot Slot=27 Item=item 1 Weight=8", "player: Money Amount=65",
		"player: Bought Item=item 1 Total=5 Count=1", "|",
		"item 1: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "item 1: PutInto Parent=player",
		"item 1: Property Value=4294967295")
	s.Offered(world.Offered{ID: me, Trader: npcObject, TradeSlot: 3, Price: 4,
		Slots: []world.SlotNow{holding(crust)}})
	s.expect("an offer", me, "player: FillSlot Slot=27 Item=item 1 Weight=8",
		"player: PriceOffer Slot=3 Price=4 Trader=item 2")
	s.Sold(world.Sold{ID: me, Trader: npcObject, Item: crust, Price: 4, Money: 69,
		Slots: []world.SlotNow{{Slot: 27}}})
	s.expect("a sale", me, "player: Sold Item=item 1 Price=4 Trader=item 2 Class=bread",
		"item 1: TransformState X=10 Y=20 Z=30 Placement=1", "item 1: LeaveContainer", "player: ClearSlot Slot=27",
		"player: Money Amount=69", "removal of item 1")
	s.TradeClosed(world.TradeClosed{ID: me, Trader: npcObject, Asked: true})
	if got := s.hears(me); len(got) != len(goods) || !strings.HasPrefix(got[0], "removal of") {
		t.Errorf("the trade closes with %q", got)
	}
	s.TradeClosed(world.TradeClosed{ID: me, Trader: npcObject})
	s.expect("the world closes it", me, "item 2: CloseContainer Player=player", "player: TradeWindow")
	s.TradeOpened(world.TradeOpened{ID: friend, Trader: npcObject, Goods: goods})
	s.expect("who does not see the trader", friend)
}

func TestUses(t *testing.T) {
	s := newStage(t)
	bread, token := thing(1, 26, 2), thing(2, 27, 1)
	token.Class = rules.ClassTokenStart
	s.carries(me, map[string]rules.Item{"bread": bread, "token": token})
	s.Used(world.Used{ID: me, Item: bread, Left: 1,
		Slots: []world.SlotNow{{Slot: 26, Item: 1, Weight: 8, WeightOnly: true}}})
	s.expect("one of two", me, "bread: Used Player=player", "player: SlotWeight Slot=26 Weight=8",
		"bread: StackCount Count=1")
	s.viewers[me].Standpoint.Set(here)
	s.Used(world.Used{ID: me, Item: bread, Slots: []world.SlotNow{{Slot: 26}}})
	s.expect("the last", me, "bread: Used Player=player", "bread: TransformState X=10 Y=20 Z=30 Placement=1",
		"bread: LeaveContainer", "player: ClearSlot Slot=26", "removal of bread")
	s.Used(world.Used{ID: me, Item: bread})
	s.expect("what it does not hold", me)

	// A token and where it leads are told in one body; if it leads nowhere, the token alone.
	s.Used(world.Used{ID: me, Item: token, To: &here})
	used := []string{"token: Used Player=player", "player: PlayEffect Effect=84"}
	s.expect("a token", me, append(slices.Clone(used), "player: SetCoordinates X=10 Y=20 Z=30")...)
	s.Used(world.Used{ID: me, Item: token})
	s.expect("a token whose user has gone", me, used...)
	s.Used(world.Used{ID: me, Item: thing(3, 28, 1), To: &here})
	s.expect("a token that it does not hold", me, "player: SetCoordinates X=10 Y=20 Z=30")
	s.Teleported(world.Teleported{ID: me, To: here})
	s.expect("a teleport by itself", me, "player: SetCoordinates X=10 Y=20 Z=30")
}

func TestWhatOperatorsDoIsShown(t *testing.T) {
	s := newStage(t)
	bread, crust := thing(1, 26, 3), thing(2, 27, 2)
	s.carries(me, map[string]rules.Item{"bread": bread, "crust": crust})
	fresh := thing(3, 28, 1)
	s.Granted(world.Granted{ID: me, Command: world.Give{To: me}, Came: []rules.Item{bread, fresh}, Money: 5,
		Slots: []world.SlotNow{{Slot: 26, Item: 1, Weight: 24, WeightOnly: true}, holding(fresh)}})
	s.expect("given", me, "bread: StackCount Count=3", "player: SlotWeight Slot=26 Weight=24",
		"player: FillSlot Slot=28 Item=item 3 Weight=8", "|", "item 3: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100",
		"item 3: PutInto Parent=player", "item 3: Property Value=4294967295")
	s.Granted(world.Granted{ID: me, Command: world.Clear{ID: me}, Gone: []rules.Item{crust},
		Slots: []world.SlotNow{{Slot: 27}}})
	s.expect("cleared", me, "player: ClearSlot Slot=27", "removal of crust")
	s.Granted(world.Granted{ID: me, Command: world.GiveMoney{To: me}, Money: 5})
	s.expect("money", me, "player: Money Amount=5")
}

// Carried items are told on entering: the slots of the player, a body for each record, the slots of bags.
func TestWhatIsCarriedOnEntering(t *testing.T) {
	s := newStage(t)
	inside := thing(3, 0, 2)
	inside.In = bagItem.ID
	p := &world.Player{Items: []rules.Item{bagItem, thing(1, 26, 1), inside}, Money: 12}
	c := s.viewers[me]
	c.KnowCarried(p.Items)
	bodies := EncodeCarried(s.Tables, c.Client, p)
	var got []string
	for _, b := range bodies {
		got = append(got, strings.Join(c.inWords(b), ", "))
	}
	if len(got) != 6 || got[5] != "item 4: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100, item 4: PutInto Parent=player, "+
		"item 4: ResetSlots" || got[0] != "player: ResetSlots, player: FillSlot Item=item 1 Weight=16, "+
		"player: FillSlot Slot=26 Item=item 2 Weight=8, player: Money Amount=12" ||
		!strings.Contains(got[3], "PutInto Parent=item 1") || got[4] != "item 1: FillSlot Item=item 3 Weight=16" {
		t.Errorf("told %q", got)
	}
	var values [stats]int32
	m := EntrySnapshot(p, &values)
	if m.Occupied[0] != 1 || m.Occupied[26] != 1 || m.Occupied[1] != 0 || m.Carried != 24 || m.Money != 12 {
		t.Errorf("snapshot %+v", m)
	}
}
