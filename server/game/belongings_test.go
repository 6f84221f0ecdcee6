package game

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A possessor is a player with items, in an empty area, and the messages to its client, in words.
type possessor struct {
	*conn
	names map[packets.ObjectID]string
}

// possessing brings a player into the world with its money and items.
func (g *stage) possessing(money int64, items ...rules.Item) *possessor {
	g.t.Helper()
	return g.living(func(n *data.NewCharacter) { n.Money, n.Items = money, items })
}

// living brings a player into the world: a new character with the changes of change.
func (g *stage) living(change func(*data.NewCharacter)) *possessor {
	return g.livingTogether(1, change)[0]
}

// livingTogether is some of these, which enter at once.
func (g *stage) livingTogether(n int, change func(*data.NewCharacter)) []*possessor {
	g.t.Helper()
	var all []*possessor
	for range n {
		all = append(all, g.enters(change))
	}
	for _, p := range all {
		g.until("the screen", func() bool { return p.s().State() == session.CharacterScreen })
		p.choose(0, &packets.EnterWorld{})
	}
	for _, p := range all {
		g.until("entering", func() bool { return p.s().State() == session.Entering })
		p.say(p.own(manager(&packets.Ready{Value: 0x34})))
	}
	for _, p := range all {
		g.until("in the world", func() bool { return p.s().State() == session.InWorld || p.closed })
		p.names = map[packets.ObjectID]string{p.s().ID(): "player"}
	}
	g.pass(200 * time.Millisecond)
	for _, p := range all {
		p.got = nil
		p.ping(emptyArea)
	}
	return all
}

// arriving is a new player that has just said that it has loaded the world, and has read nothing that followed.
func (g *stage) arriving() *possessor { return g.arrivingAs(func(*data.NewCharacter) {}) }

// arrivingAs is the same for a character that has been changed.
func (g *stage) arrivingAs(change func(*data.NewCharacter)) *possessor {
	g.t.Helper()
	p := g.enters(change)
	g.until("the screen", func() bool { return p.s().State() == session.CharacterScreen })
	p.choose(0, &packets.EnterWorld{})
	g.until("entering", func() bool { return p.s().State() == session.Entering })
	p.got, p.names = nil, map[packets.ObjectID]string{p.s().ID(): "player"}
	p.say(p.own(manager(&packets.Ready{Value: 0x34})))
	return p
}

// enters makes a player's account and character, and logs in.
func (g *stage) enters(change func(*data.NewCharacter)) *possessor {
	g.t.Helper()
	c := g.connect()
	login := "owner" + c.s().Index().String()
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		g.t.Fatal(err)
	}
	a, err := g.store.CreateAccount(g.t.Context(), login, hash, data.Player)
	if err != nil {
		g.t.Fatal(err)
	}
	n := g.server.newCharacter(a.ID, session.Creation{Name: heroName(int(c.s().Index())), Look: maleLook})
	n.Position, n.Items = coords.Position(emptyArea), nil
	change(&n)
	if _, _, err := g.store.CreateCharacter(g.t.Context(), n); err != nil {
		g.t.Fatal(err)
	}
	c.in(session.Handshaken)
	c.login(login, "secret")
	return &possessor{conn: c}
}

// item is the id by which the client knows the item in one of its own slots.
func (p *possessor) item(slot int) packets.ObjectID {
	p.g.t.Helper()
	items, err := p.g.store.Items(p.g.t.Context(), p.s().Character().ID)
	if err != nil {
		p.g.t.Fatal(err)
	}
	for _, it := range items {
		if k, ok := p.p().client.IDs.Item(rules.ItemID(it.ID)); ok && it.Slot == slot && it.In == 0 {
			return packets.ObjectID(k.ID)
		}
	}
	p.g.t.Fatalf("slot %d is empty", slot)
	return 0
}

// commands gives a command of the chat, and returns the messages that come back.
func (p *possessor) commands(command string) []string {
	p.g.t.Helper()
	p.p().Command(command)
	p.g.until("the command is done", func() bool { return !p.p().Busy })
	p.g.server.Wait()
	return p.hears()
}

// hears lets time go by and returns the messages that the client got since, but for regular ones.
func (p *possessor) hears() (out []string) {
	p.g.t.Helper()
	p.g.pass(300 * time.Millisecond)
	var sections []packets.Section
	for _, f := range p.frames() {
		if f.Body != nil && f.Body.Sections[0].Class != packets.ClassMain && f.Body.Sections[0].Class != packets.ClassStat &&
			!regenerates(f.Body) {
			sections = append(sections, f.Body.Sections...)
		}
	}
	return inWords(sections, p.names)
}

// regenerates reports whether a body is a regeneration, which comes every six seconds.
func regenerates(b *packets.Body) (effect bool) {
	commandsIn(b, func(_ *packets.Section, c packets.Command) {
		switch e := c.(type) {
		case *packets.PlayEffect8:
			effect = true
		case *packets.PlayEffect:
			effect = effect || e.Effect == packets.RegenerationEffect
		}
	})
	return effect
}

// asks sends a request and returns the answer.
func (p *possessor) asks(regions ...packets.Region) []string {
	p.g.t.Helper()
	p.say(p.own(regions...))
	return p.hears()
}

func bread(slot, count int) rules.Item {
	return rules.Item{Slot: slot, Class: int(packets.ClassBread), Suffix: -1, Count: count, Durability: 100,
		MaxDurability: 100, Weight: 8}
}

func sword(slot int) rules.Item {
	return rules.Item{Slot: slot, Class: int(packets.ClassStartSword), GameID: 1, Suffix: -1, Count: 1, Durability: 100,
		MaxDurability: 100, Weight: 5000}
}

func expectTold(t *testing.T, what string, have []string, want ...string) {
	t.Helper()
	if !slices.Equal(have, want) {
		t.Errorf("%s:\n  %s\nwant\n  %s", what, strings.Join(have, "\n  "), strings.Join(want, "\n  "))
	}
}

func TestThingsInTheInventory(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26), bread(27, 10), bread(28, 5))
	a, b, c := p.item(26), p.item(27), p.item(28)
	p.names[a], p.names[b], p.names[c] = "sword", "bread", "crust"
	me := p.s().ID()

	expectTold(t, "a move", p.asks(contMan(&packets.MoveSlot{Player: me, From: 26, To: 30})),
		"player: FillSlot Slot=26 Item=nothing Weight=0", "player: FillSlot Slot=30 Item=sword Weight=5000")
	expectTold(t, "onto itself", p.asks(contMan(&packets.MoveSlot{Player: me, From: 30, To: 30})),
		"player: FillSlot Slot=30 Item=sword Weight=5000")
	expectTold(t, "out of an empty slot", p.asks(contMan(&packets.MoveSlot{Player: me, From: 26, To: 31})),
		"player: FillSlot Slot=26 Item=nothing Weight=0", "player: FillSlot Slot=31 Item=nothing Weight=0",
		"player: SystemMessage Mode=7 Reserved=0 Colour=4281518230 Text=Здесь ничего нет.")
	expectTold(t, "onto something else", p.asks(contMan(&packets.MoveSlot{Player: me, From: 30, To: 27})),
		"player: FillSlot Slot=30 Item=sword Weight=5000", "player: FillSlot Slot=27 Item=bread Weight=80",
		"player: SystemMessage Mode=7 Reserved=0 Colour=4281518230 Text=Это место занято.")
	expectTold(t, "a swap", p.asks(manager(&packets.SwapItems{Item1: uint32(a), Item2: uint32(b), Slot1: 30, Slot2: 27,
		Value: 0xFFFFFFFF})),
		"player: FillSlot Slot=30 Item=nothing Weight=0", "player: FillSlot Slot=27 Item=sword Weight=5000",
		"player: FillSlot Slot=30 Item=bread Weight=80")
	back := binary.LittleEndian.AppendUint32(nil, uint32(a))
	for _, v := range []uint32{uint32(b), 27, 30, 0xFFFFFFFF} {
		back = binary.LittleEndian.AppendUint32(back, v)
	}
	for _, number := range []uint32{28, 54} { // not 5 modulo 8
		expectTold(t, "no swap", p.asks(manager(&packets.UnknownCommand{Number: number, Data: back})))
	}
	expectTold(t, "a swap by another number", p.asks(manager(&packets.UnknownCommand{Number: 29, Data: back})),
		"player: FillSlot Slot=27 Item=nothing Weight=0", "player: FillSlot Slot=30 Item=sword Weight=5000",
		"player: FillSlot Slot=27 Item=bread Weight=80")
	expectTold(t, "and again", p.asks(manager(&packets.SwapItems{Item1: uint32(a), Item2: uint32(b), Slot1: 30, Slot2: 27})),
		"player: FillSlot Slot=30 Item=nothing Weight=0", "player: FillSlot Slot=27 Item=sword Weight=5000",
		"player: FillSlot Slot=30 Item=bread Weight=80")
	expectTold(t, "a stack onto another", p.asks(contMan(&packets.MoveSlot{Player: me, From: 28, To: 30})),
		"player: FillSlot Slot=28 Item=nothing Weight=0", "player: SlotWeight Slot=30 Weight=120",
		"bread: StackCount Count=15", "removal of crust")
	expectTold(t, "an id that was not given", p.asks(manager(&packets.SwapItems{Item1: 0x4444, Item2: uint32(b)})),
		"player: SystemText Text=10059 Colour=4281518230")
	expectTold(t, "eating", p.asksAbout(b, packets.ClassBread, &packets.Use{Player: me}),
		"bread: Used Player=player", "player: SlotWeight Slot=30 Weight=112", "bread: StackCount Count=14",
		"player: SetStat Stat=satiety Value=65")
	items, err := g.store.Items(t.Context(), p.s().Character().ID)
	if err != nil || len(items) != 2 || items[0].Slot != 27 || items[1].Count != 14 {
		t.Errorf("stored %+v, %v", items, err)
	}
}

// asksAbout sends a command about an item.
func (p *possessor) asksAbout(id packets.ObjectID, class packets.Class, commands ...packets.Command) []string {
	p.g.t.Helper()
	var regions []packets.Region
	for _, c := range commands {
		regions = append(regions, contMan(c))
	}
	p.say(packets.Message(0, id, class, regions...))
	return p.hears()
}

// An item comes to lie where its client says, if that is beside the player.
func TestDropBesideThePlayer(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26), bread(27, 3))
	me := p.s().ID()
	p.names[p.item(26)], p.names[p.item(27)] = "sword", "bread"
	expectTold(t, "beside", p.asks(manager(&packets.Drop{Item: p.item(26), X: 12001, Y: 160, Z: -9000.5, Angle: 64, Player: me})),
		"sword: TransformState X=12001 Y=150 Z=-9000.5 Angle=64 Placement=1", "sword: LeaveContainer",
		"player: ClearSlot Slot=26", "sword: TransformState X=12001 Y=149 Z=-9000.5 Angle=0 Placement=1")
	expectTold(t, "too far", p.asks(manager(&packets.Drop{Item: p.item(27), X: 12002, Y: 150, Z: -9000, Player: me})),
		"bread: TransformState X=12000 Y=150 Z=-9000 Angle=0 Placement=1", "bread: LeaveContainer",
		"player: ClearSlot Slot=27", "bread: TransformState X=12000 Y=149 Z=-9000 Angle=0 Placement=1")
}

// A player can take an item that another drops: both are told in the right order, the one by the id that the item has
// had, the other by a spawn and a removal.
func TestDropAndPickUpBetweenTwo(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26))
	q := g.possessing(0)
	p.hears()
	id, me := p.item(26), p.s().ID()
	p.names[id] = "sword"
	q.names[me] = "other"
	q.hears()
	expectTold(t, "a drop", p.asks(manager(&packets.Drop{Item: id, X: packets.ContainedX, Player: me})),
		"sword: TransformState X=12000 Y=150 Z=-9000 Angle=0 Placement=1", "sword: LeaveContainer",
		"player: ClearSlot Slot=26",
		"sword: TransformState X=12000 Y=149 Z=-9000 Angle=0 Placement=1")
	expectTold(t, "the other sees", q.hears(), "item 2: SpawnSnapshot X=12000 Y=149 Z=-9000 Angle=0 Placement=1 A=100 "+
		"B=100 C=1 D=-2",
		"item 2: Property Index=0 Value=4294967295")
	expectTold(t, "a drag", p.asks(manager(&packets.Drag{Item: id, X: 12003, Y: 149, Z: -9000})),
		"sword: TransformState X=12003 Y=149 Z=-9000 Angle=0 Placement=1")
	expectTold(t, "the other sees", q.hears(), "item 2: TransformState X=12003 Y=149 Z=-9000 Angle=0 Placement=1")
	far := g.possessing(0)
	far.goTo(coords.Position{X: emptyArea.X + 60, Y: emptyArea.Y, Z: emptyArea.Z})
	far.hears()
	var lies packets.ObjectID
	for _, k := range far.p().client.IDs.Entries(anyEntry) {
		if k.Kind == view.GroundItemEntry {
			lies = packets.ObjectID(k.ID)
		}
	}
	p.hears()
	q.hears()
	expectTold(t, "from too far away", far.asks(manager(&packets.PickUp{Item: uint32(lies)})),
		"player: SystemText Text=10563 Colour=4281518230")

	var its packets.ObjectID
	for _, k := range q.p().client.IDs.Entries(anyEntry) {
		if k.Kind == view.GroundItemEntry {
			its = packets.ObjectID(k.ID)
		}
	}
	expectTold(t, "the other takes it", q.asks(contMan(&packets.PutIntoSlot{Player: q.s().ID(), Item: its, Slot: 30})),
		"item 2: TransformState X=12003 Y=149 Z=-9000 Angle=0 Placement=2", "item 2: PutInto Parent=player",
		"player: FillSlot Slot=30 Item=item 2 Weight=5000")
	expectTold(t, "who has dropped it sees", p.hears(), "removal of sword")
	if got := far.hears(); !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "removal of") }) {
		t.Errorf("the third sees %q", got)
	}
	if items, err := g.store.Items(t.Context(), q.s().Character().ID); err != nil || len(items) != 1 ||
		items[0].Slot != 30 {
		t.Errorf("stored %+v, %v", items, err)
	}
}

// While the store cannot write, nothing changes, everybody is told so, and stays.
func TestAFullDiskRefusesChanges(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26))
	p.names[p.item(26)] = "sword"
	g.server.store = fullStore{g.store}
	expectTold(t, "a move", p.asks(contMan(&packets.MoveSlot{Player: p.s().ID(), From: 26, To: 30})),
		"player: FillSlot Slot=26 Item=sword Weight=5000", "player: FillSlot Slot=30 Item=nothing Weight=0",
		"player: SystemMessage Mode=7 Reserved=0 Colour=4281518230 Text="+thingRefusals[rules.StoreFailed].Russian)
	g.server.store = g.store
	expectTold(t, "after there is room again", p.asks(contMan(&packets.MoveSlot{Player: p.s().ID(), From: 26, To: 30})),
		"player: FillSlot Slot=26 Item=nothing Weight=0", "player: FillSlot Slot=30 Item=sword Weight=5000")
	if c := g.server.Counters(); c["belongings_failed"] != 1 || c["belongings_changes"] != 1 ||
		c["belongings_refused_could_not_be_stored"] != 1 {
		t.Errorf("counted %v", c)
	}
}

type fullStore struct{ Store }

func (fullStore) Apply(context.Context, rules.Change) ([]rules.ItemID, error) {
	return nil, data.ErrUnavailable
}

// A player that leaves while a change is being made durable is saved after it, with the items that it has then.
func TestLeavingWaitsForWhatIsBeingStored(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(100, sword(26))
	slow := &slowStore{Store: g.store, release: make(chan struct{})}
	g.server.store, g.hasty = slow, true
	g.server.world.Do(world.GiveMoney{To: p.pid(), Amount: 50})
	g.until("the store is asked", func() bool { return slow.asked.Load() > 0 })
	account, id := p.s().Account(), p.s().Character().ID
	p.hangUp()
	g.pass(2 * time.Second)
	if g.server.Presence(account) == nil {
		t.Fatal("the account is free before the change is stored")
	}
	close(slow.release)
	g.until("the character is saved", func() bool { return g.server.Presence(account) == nil })
	if c, err := g.store.CharacterByID(t.Context(), id); err != nil || c.Money != 150 {
		t.Errorf("saved %d coins, %v", c.Money, err)
	}
}

type slowStore struct {
	Store
	asked   atomic.Int32
	release chan struct{}
}

func (s *slowStore) Apply(ctx context.Context, c rules.Change) ([]rules.ItemID, error) {
	s.asked.Add(1)
	<-s.release
	return s.Store.Apply(ctx, c)
}

func TestTradingWithATrader(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	npc := g.server.world.NextEntityID()
	g.server.world.Do(world.Put{Object: world.Object{ID: npc, Position: emptyArea,
		Kind: world.NPC{Class: int(packets.ClassTrader), Type: content.OccupationTavern}}})
	const jerky packets.Class = 652
	meal := bread(26, 2)
	meal.Class = int(jerky)
	p := g.possessing(1000, meal)
	k, ok := p.p().client.IDs.Object(npc)
	if !ok {
		t.Fatal("the trader is not seen")
	}
	trader, me := packets.ObjectID(k.ID), p.s().ID()
	p.names[trader], p.names[p.item(26)] = "trader", "meal"
	window := func() []string {
		p.say(&packets.Body{Sections: []packets.Section{
			{Object: me, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.Help{Value: 7})}},
			{Object: trader, Class: packets.ClassTrader,
				Regions: []packets.Region{contMan(&packets.Use{Player: me}), contMan(&packets.BecomeUser{Player: me})}},
			{Object: me, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.TradeWindow{Trader: trader})}}}})
		return p.hears()
	}
	got := window()
	lines := slices.DeleteFunc(slices.Clone(got), func(s string) bool { return !strings.HasPrefix(s, "trader: Goods") })
	if len(got) < 10 || got[0] != "trader: ResetSlots Flag=0" ||
		got[1+len(lines)] != "player: TradeWindow Trader=trader" || len(p.p().client.IDs.HeldBy(npc)) != len(lines) {
		t.Fatalf("the trade opens with %q", got)
	}
	price := func(class int) (slot uint8, price uint32) {
		stock := g.server.Kinds().Stock(rules.ShopOf(content.OccupationTavern, 0, 0, rules.GameDay(g.now)))
		for i, o := range stock {
			if o.Kind.Class == class {
				return uint8(i), uint32(o.Price)
			}
		}
		t.Fatal("not sold")
		return
	}
	slot, each := price(int(jerky))
	expectTold(t, "more of the same", p.asks(manager(&packets.Buy{Trader: trader, Slot: slot, Price: each, Count: 3})),
		"player: SlotWeight Slot=26 Weight=40", "meal: StackCount Count=5",
		fmt.Sprintf("player: Money Amount=%d", 1000-3*each),
		fmt.Sprintf("player: Bought Item=meal Total=%d Count=3 Unknown=0", 3*each))
	expectTold(t, "at another price", p.asks(manager(&packets.Buy{Trader: trader, Slot: slot, Price: each - 1, Count: 3})),
		"player: SystemMessage Mode=7 Reserved=0 Colour=4281518230 Text="+thingRefusals[rules.NoArticle].Russian)
	money := 1000 - 3*each
	offer := p.asks(manager(&packets.OfferItem{Slot: 1, Item: p.item(26), Price: packets.NoPrice}))
	pays := uint32(g.server.Kinds().Worth(g.server.Kinds().Of(int(jerky), 0, 0), -1)) * 5 / 4
	expectTold(t, "an offer", offer, "player: FillSlot Slot=26 Item=meal Weight=40",
		fmt.Sprintf("player: PriceOffer Slot=1 Price=%d Trader=trader", pays))
	expectTold(t, "a sale", p.asks(manager(&packets.AcceptPrice{Slot: 1, Price: pays}),
		&packets.TradeMan{Command: &packets.AcceptOffer{Slot: 1, Value: 0xFFFFFFFF}}),
		fmt.Sprintf("player: Sold Item=meal Price=%d Trader=trader Reserved=0 Reserved2=0 Class=jerky", pays),
		"meal: TransformState X=12000 Y=150 Z=-9000 Angle=0 Placement=1", "meal: LeaveContainer",
		"player: ClearSlot Slot=26",
		fmt.Sprintf("player: Money Amount=%d", money+pays), "removal of meal")
	p.say(&packets.Body{Sections: []packets.Section{
		{Object: trader, Class: packets.ClassTrader, Regions: []packets.Region{contMan(&packets.CloseContainer{Player: me})}},
		{Object: me, Class: packets.ClassPlayer, Regions: []packets.Region{manager(&packets.TradeWindow{})}}}})
	if got := p.hears(); len(got) != len(lines) || len(p.p().client.IDs.HeldBy(npc)) != 0 {
		t.Errorf("the trade closes with %q", got)
	}

	// Elsewhere the window is closed, and what is asked for in it refused.
	window()
	at := emptyArea
	at.X += 5
	g.server.world.Do(world.Teleport{ID: p.p().id(), To: at})
	got = p.hears()
	if n := slices.Index(got, "trader: CloseContainer Player=player"); n < 0 || got[n+1] != "player: TradeWindow Trader=nothing" ||
		len(p.p().client.IDs.HeldBy(npc)) != 0 {
		t.Errorf("a teleport closes the trade with %q", got)
	}
	expectTold(t, "bought elsewhere", p.asks(manager(&packets.Buy{Trader: trader, Slot: slot, Price: each, Count: 1})),
		"player: SystemMessage Mode=7 Reserved=0 Colour=4281518230 Text="+thingRefusals[rules.NotOpen].Russian)
}

// A vault is opened at a banker, and keeps its items for all characters of the account.
func TestTheVault(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	npc := g.server.world.NextEntityID()
	g.server.world.Do(world.Put{Object: world.Object{ID: npc, Position: emptyArea,
		Kind: world.NPC{Class: 225, Type: content.OccupationBank}}})
	p := g.possessing(0, sword(26))
	k, _ := p.p().client.IDs.Object(npc)
	me, id := p.s().ID(), p.item(26)
	p.names[id] = "sword"
	open := func() []string {
		return p.asksAbout(packets.ObjectID(k.ID), 225, &packets.Use{Player: me}, &packets.BecomeUser{Player: me})
	}
	bank := func() packets.ObjectID {
		v, _ := firstEntry(p.p(), func(k *view.IDEntry) bool { return k.Kind == view.VaultEntry })
		p.names[packets.ObjectID(v.ID)] = "vault"
		return packets.ObjectID(v.ID)
	}
	bank()
	p.s().Die(emptyArea, time.Hour) // to the session
	for _, r := range []packets.Region{contMan(&packets.BecomeUser{Player: me}),
		contMan(&packets.MissionRequest{Data: []byte{1}}), &packets.Bank{Command: &packets.BankQuestion{Value: 0x78}}} {
		about, class := packets.ObjectID(k.ID), packets.Class(225)
		if _, of := r.(*packets.Bank); of {
			about, class = bank(), packets.ClassBank
		}
		p.say(packets.Message(0, about, class, r))
		expectTold(t, "asked by the dead", p.hears())
	}
	p.s().Live()
	p.say(packets.Message(0, bank(), packets.ClassBank, &packets.Bank{Command: &packets.BankQuestion{Value: 0x78}}))
	expectTold(t, "asked for money and size", p.hears(), "vault: BankMoney Money=0 Second=0",
		"vault: BankSize Which=1 Size=4", "vault: BankSize Which=2 Size=5")
	if got := open(); len(got) != 1 || got[0] != "vault: ResetSlots Flag=0" {
		t.Fatalf("the vault opens with %q", got)
	}
	p.say(packets.Message(0, bank(), packets.ClassBank, contMan(&packets.PutIntoSlot{Player: me, Item: id, Slot: 4})))
	expectTold(t, "put into it", p.hears(), "player: ClearSlot Slot=26",
		"sword: TransformState X=1e+06 Y=0 Z=0 Angle=0 Placement=2", "sword: PutInto Parent=vault",
		"vault: FillSlot Slot=4 Item=sword Weight=5000")
	expectTold(t, "closed", p.asks(manager(&packets.TradeWindow{})), "removal of sword",
		"vault: ResetSlots Flag=0")
	if kept, err := g.store.Vault(t.Context(), p.s().Account()); err != nil || len(kept) != 1 || kept[0].Slot != 4 {
		t.Errorf("stored %+v, %v", kept, err)
	}
	open()
	var inside packets.ObjectID
	for _, k := range p.p().client.IDs.HeldBy(view.InVault) {
		inside = packets.ObjectID(k.ID)
	}
	p.names[inside] = "it"
	bank()
	expectTold(t, "taken out again", p.asks(manager(&packets.PickUp{Item: uint32(inside)})), "vault: ClearSlot Slot=4",
		"it: TransformState X=1e+06 Y=0 Z=0 Angle=0 Placement=2", "it: PutInto Parent=player",
		"player: FillSlot Slot=26 Item=it Weight=5000")
}

// Items that lie in the world when the server ends lie there when it starts again, bags with their contents.
func TestThingsLieThereAfterARestart(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26), bread(27, 3))
	me := p.s().ID()
	p.asks(manager(&packets.Drop{Item: p.item(26), Player: me}))
	g.drop(loot{Bag: &rules.Item{Class: 401, Suffix: -1}, Things: []rules.Item{{Class: 653, Suffix: -1, Count: 4}},
		Lying: rules.OnGround{At: emptyArea}})
	p.hears()
	w := world.New(world.Options{}, nil)
	lying, err := g.store.Lying(t.Context())
	if err != nil || len(lying) != 3 {
		t.Fatalf("stored %+v, %v", lying, err)
	}
	putLying(w, lying)
	w.Tick(g.now)
	w.Tick(g.now.Add(2 * time.Second))
	kinds := map[bool]int{}
	for o := range w.Snapshot().Objects() {
		lies, _ := o.Kind.(world.GroundItem)
		kinds[lies.IsBag()]++
	}
	if kinds[true] != 1 || kinds[false] != 1 {
		t.Errorf("there are %v", kinds)
	}
}

// The hand holds the item that the last command of a frame names.
func TestTheHandHoldsWhatWasNamedLast(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26))
	attack := func(got []string) (values []string) {
		for _, s := range got {
			if v, ok := strings.CutPrefix(s, "player: SetStat Stat=physical attack Value="); ok {
				values = append(values, v)
			}
		}
		return values
	}
	id := p.item(26)
	got := p.asks(manager(&packets.Animation{Number: 12}), manager(&packets.TakeInHand{Item: packets.EmptyHand}),
		manager(&packets.Animation{Number: 8}),
		manager(&packets.TakeInHand{Item: id}))
	if v := attack(got); len(v) != 1 || !strings.HasPrefix(v[0], "-") {
		t.Errorf("a sword in the hand: %q", got)
	}
	got = p.asks(manager(&packets.TakeInHand{Item: id}), manager(&packets.TakeInHand{Item: packets.EmptyHand}))
	if v := attack(got); !slices.Equal(v, []string{"0"}) {
		t.Errorf("an empty hand: %q", got)
	}
}

// Who is stuck is told in the client's words that it takes an empty hand to be taken away.
func TestUnstuckTakesAnEmptyHand(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26))
	for _, c := range []struct {
		hand packets.ObjectID
		want view.TextNumber
	}{{p.item(26), view.TextEmptyHand}, {fistsItem, view.TextEvacuates}} {
		p.asks(manager(&packets.TakeInHand{Item: c.hand}))
		p.frames()
		p.p().Command("/unstuck")
		var got [][2]int
		g.until("it is answered", func() bool {
			for _, f := range p.frames() {
				if f.Body != nil {
					got = append(got, texts([]*packets.Body{f.Body})...)
				}
			}
			return len(got) > 0
		})
		if len(got) != 1 || got[0][0] != int(c.want) {
			t.Errorf("with %v in the hand: %v, expected %d", c.hand, got, c.want)
		}
	}
}

// Whatever moves or trades a thing frees a client of 2026 first, refused or not; those of 2022 know no lock.
func TestMovesAndTradeReleaseTheLock(t *testing.T) {
	t.Parallel()
	for _, d := range []packets.Dialect{packets.Dialect2022, packets.Dialect2026} {
		g := newStage(t, func(o *Options) { o.Dialect = d })
		p := g.possessing(0, sword(26))
		me := p.s().ID()
		for what, request := range [][]packets.Region{
			{contMan(&packets.MoveSlot{Player: me, To: 28, From: 26})},
			{contMan(&packets.MoveSlot{Player: me, To: 0, From: 28})},
			{manager(&packets.Buy{Trader: 0x1500, Price: 1, Count: 1})},
			{manager(&packets.OfferItem{Item: p.item(26), Price: packets.NoPrice})},
			{manager(&packets.AcceptPrice{Price: 1}),
				&packets.TradeMan{Command: &packets.AcceptOffer{Value: packets.NoPrice}}},
		} {
			p.told()
			p.say(p.own(request...))
			told := p.told()
			n := len(commandsOfType[*packets.ReleaseUse](told))
			if first := n == 0 || slices.Equal(kinds(told[0]), []string{"ReleaseUse"}); n != releases(d) || !first {
				t.Errorf("%v: request %d frees its client %d times", d, what, n)
			}
		}
	}
}
