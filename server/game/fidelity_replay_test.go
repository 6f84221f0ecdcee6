package game

import (
	"reflect"
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

// A replayCase is an exchange in our world.
type replayCase struct {
	*exchange
	t      *testing.T
	line   *conn
	ids    map[packets.ObjectID]packets.ObjectID // ours, by the recorded ones
	stored map[packets.ObjectID]*rules.Item      // carried by the player, by recorded ids
	ground []loot
	lying  map[packets.ObjectID]int // index in ground and, above, place in its bag
	npc    *world.Object
	// teleport is the recorded target of a token, stood the one in our world.
	teleport packets.ObjectID
	stood    *world.Object
	trade    recordedTrade
	at       coords.Position
	money    int64
}

// recordedTrade knows the articles of a recorded trade, and the price that the trader paid for one.
type recordedTrade struct {
	goods []rules.Offer
	price int // of every item that is sold; 0: none is sold

	monsters []rules.Monster // besides
}

// article is a kind of which only the recorded values are known.
func article(class, gameID, weight int) *rules.Kind {
	return &rules.Kind{Class: class, GameID: gameID, Stack: 1000, Columns: rules.Columns{Weight: weight, Durability: 100}}
}

// tables are our own, with recorded kinds in place of those with the same numbers. sold is of any kind.
func (r *recordedTrade) tables(sold map[packets.ObjectID]*rules.Item) (*rules.Tables, error) {
	own := content.Default()
	type number struct{ class, gameID int }
	taken := map[number]bool{}
	var kinds []rules.Kind
	add := func(k rules.Kind) {
		if n := (number{k.Class, k.GameID}); !taken[n] {
			taken[n] = true
			k.ID = 1_000_000 + len(kinds)
			kinds = append(kinds, k)
		}
	}
	for i := range r.goods {
		add(*r.goods[i].Kind)
	}
	for _, it := range sold {
		if r.price > 0 {
			k := article(it.Class, it.GameID, it.Weight)
			k.Price = r.price
			add(*k)
		}
	}
	for _, k := range own.Kinds() {
		if !taken[number{k.Class, k.GameID}] {
			kinds = append(kinds, k)
		}
	}
	var suffixes []rules.Suffix
	for _, letter := range own.Letters() {
		suffixes = append(suffixes, own.Suffixes(letter)...)
	}
	t, err := rules.NewTables(kinds, suffixes, r.monsters)
	if err != nil {
		return nil, err
	}
	t.Levels, t.Tokens, t.Stock = true, own.Tokens, func(rules.Shop) []rules.Offer { return r.goods }
	return t, nil
}

// each calls do for each command of the answer.
func (x *exchange) each(do func(s *packets.Section, c packets.Command)) {
	commandsIn(&packets.Body{Sections: x.answer}, do)
}

// class is the class of an object of the answer.
func (x *exchange) class(id packets.ObjectID) packets.Class {
	for i := range x.answer {
		if x.answer[i].Object == id && x.answer[i].Class != packets.ClassNone {
			return x.answer[i].Class
		}
	}
	return packets.ClassBread
}

// state is where the answer puts an object first.
func (x *exchange) state(id packets.ObjectID) *packets.TransformState {
	for i := range x.answer {
		for _, r := range x.answer[i].Regions {
			if m, ok := r.(*packets.TransformState); ok && x.answer[i].Object == id {
				return m
			}
		}
	}
	return nil
}

func (r *replayCase) carry(id packets.ObjectID, slot uint8, class packets.Class, weight int) *rules.Item {
	it := &rules.Item{Slot: int(slot), Class: int(class), Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100,
		Weight: weight}
	r.stored[id] = it
	return it
}

func lie(at *packets.TransformState) coords.Position {
	return coords.Position{X: at.X, Y: at.Y, Z: at.Z}
}

// thingOf is an item as the answer shows it.
func (x *exchange) thingOf(id packets.ObjectID) rules.Item {
	t := rules.Item{Class: int(x.class(id)), Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100}
	x.each(func(s *packets.Section, c packets.Command) {
		switch c := c.(type) {
		case *packets.FillSlot:
			if c.Item == id {
				t.Weight = int(c.Weight)
			}
		case *packets.StackCount:
			if s.Object == id {
				t.Count = int(c.Count)
			}
		case *packets.Bought:
			if c.Item == id {
				t.Count = int(c.Count)
			}
		}
	})
	for i := range x.answer {
		for _, r := range x.answer[i].Regions {
			if m, ok := r.(*packets.SpawnSnapshot); ok && x.answer[i].Object == id && m.C != 0 {
				t.GameID, t.Suffix, t.Durability, t.MaxDurability = int(m.C), max(int(m.D), -1), int(m.A), int(m.B)
			}
		}
	}
	if t.Count > 1 && t.Weight%t.Count == 0 {
		t.Weight /= t.Count
	}
	return t
}

// prepare makes the world as it was before the request.
func (r *replayCase) prepare() {
	r.at = coords.Position{X: 2000, Y: 150, Z: -7000}
	switch c := r.command.(type) {
	case *packets.MoveSlot:
		r.each(func(_ *packets.Section, f packets.Command) {
			if f, ok := f.(*packets.FillSlot); ok && f.Item != 0 {
				r.carry(f.Item, c.From, packets.ClassBread, int(f.Weight))
			}
		})
	case *packets.PutIntoSlot:
		at := r.state(c.Item)
		r.at = lie(at)
		r.ground = []loot{{Things: []rules.Item{r.thingOf(c.Item)}, Lying: rules.OnGround{At: r.at}}}
		r.lying[c.Item] = 0
	case *packets.PickUp:
		r.bag(func(bag packets.ObjectID) []packets.ObjectID {
			slot := 0
			r.each(func(s *packets.Section, c packets.Command) {
				if c, ok := c.(*packets.ClearSlot); ok && s.Object == bag {
					slot = int(c.Slot)
				}
			})
			list := make([]packets.ObjectID, slot+2) // something else is left in it
			for i := range list {
				list[i] = packets.ObjectID(0xF000 + i)
			}
			list[slot] = packets.ObjectID(c.Item)
			return list
		})
		r.each(func(s *packets.Section, f packets.Command) {
			if f, ok := f.(*packets.FillSlot); ok && s.Object == r.who {
				r.occupy(int(f.Slot))
			}
		})
	case *packets.Drop:
		r.at = lie(r.state(c.Item))
		r.at.Yaw = r.state(c.Item).Angle.Radians()
		r.each(func(_ *packets.Section, f packets.Command) {
			if f, ok := f.(*packets.ClearSlot); ok {
				r.carry(c.Item, f.Slot, r.class(c.Item), 100)
			}
		})
	case *packets.BecomeUser:
		r.bag(func(bag packets.ObjectID) (list []packets.ObjectID) {
			r.each(func(s *packets.Section, c packets.Command) {
				if f, ok := c.(*packets.FillSlot); ok && s.Object == bag {
					list = append(list, f.Item)
				}
			})
			return list
		})
	case *packets.TradeWindow:
		r.trader(c.Trader, r.class(c.Trader))
		r.each(func(s *packets.Section, g packets.Command) {
			if g, ok := g.(*packets.Goods); ok {
				t := r.thingOf(g.Item)
				r.trade.goods = append(r.trade.goods, rules.Offer{Kind: article(t.Class, t.GameID, 8),
					Suffix: t.Suffix, Count: t.Count, Price: int(g.Price)})
			}
		})
	case *packets.Buy:
		var stack *rules.Item
		r.trader(c.Trader, packets.ClassTrader)
		r.each(func(_ *packets.Section, b packets.Command) {
			switch b := b.(type) {
			case *packets.Bought:
				r.trade.goods = make([]rules.Offer, int(c.Slot)+1)
				t := r.thingOf(b.Item)
				for i := range r.trade.goods {
					r.trade.goods[i] = rules.Offer{Kind: article(t.Class, t.GameID, max(t.Weight, 1)),
						Suffix: -1, Count: 1000, Price: int(c.Price)}
				}
				r.money += int64(b.Total)
			case *packets.Money:
				r.money += int64(b.Amount)
			case *packets.FillSlot:
				r.occupy(int(b.Slot))
			case *packets.SlotWeight: // a stack that grows
				r.each(func(s *packets.Section, n packets.Command) {
					if n, ok := n.(*packets.StackCount); ok {
						it := r.carry(s.Object, b.Slot, s.Class, int(b.Weight)/int(n.Count))
						it.GameID, it.Count = 601, int(n.Count)-int(c.Count)
						stack = it
					}
				})
			}
		})
		for i := range r.trade.goods {
			if k := r.trade.goods[i].Kind; stack != nil {
				k.Class, k.GameID, k.Weight = stack.Class, stack.GameID, stack.Weight
			}
		}
	case *packets.AcceptPrice:
		r.each(func(_ *packets.Section, a packets.Command) {
			switch a := a.(type) {
			case *packets.Sold:
				r.trader(a.Trader, packets.ClassTrader)
				at := r.state(a.Item)
				r.at = lie(at)
				r.npc.Position = r.at
				r.npc.Position.Yaw = at.Angle.Radians()
				r.carry(a.Item, 0, a.Class, 100)
				r.trade.goods = []rules.Offer{{Kind: article(int(packets.ClassBread), 1, 1), Suffix: -1, Count: 1, Price: 1}}
				r.trade.price = int(a.Price) * 4
				r.money -= int64(a.Price)
			case *packets.ClearSlot:
				for _, it := range r.stored {
					it.Slot = int(a.Slot)
				}
			case *packets.Money:
				r.money += int64(a.Amount)
			}
		})
	case *packets.UseOn:
		r.teleport = r.command.(*packets.UseOn).Target
		r.ids[r.teleport] = 0
		if at := r.state(r.about.Object); at != nil {
			r.at = lie(at)
			r.at.Yaw = at.Angle.Radians()
		}
		r.each(func(_ *packets.Section, a packets.Command) {
			if a, ok := a.(*packets.ClearSlot); ok {
				r.carry(r.about.Object, a.Slot, r.about.Class, 10).Extra = []byte{rules.ExitToken & 0xFF, rules.ExitToken >> 8, 0,
					1}
			}
		})
	}
}

// occupy has something lie in all slots of the inventory before one.
func (r *replayCase) occupy(before int) {
	for slot := firstInventory; slot < before; slot++ {
		r.carry(packets.ObjectID(0xF100+slot), uint8(slot), packets.ClassStartSword, 1)
	}
}

// bag puts a bag of a monster at the player's feet. items lists its contents, by slot.
func (r *replayCase) bag(things func(bag packets.ObjectID) []packets.ObjectID) {
	bag := r.about.Object
	if r.about.Class != packets.ClassLootBag {
		for i := range r.answer {
			if r.answer[i].Class == packets.ClassLootBag {
				bag = r.answer[i].Object
			}
		}
	}
	s := loot{Bag: &rules.Item{Class: int(packets.ClassLootBag), Suffix: -1}, Lying: rules.OnGround{At: r.at}}
	for i, id := range things(bag) {
		s.Things = append(s.Things, r.thingOf(id))
		r.lying[id] = i
	}
	r.ground = append(r.ground, s)
	r.lying[bag] = -1
}

func (r *replayCase) trader(id packets.ObjectID, class packets.Class) {
	r.npc = &world.Object{Position: r.at, Kind: world.NPC{Class: int(class), Type: content.OccupationWeapons}}
	r.ids[id] = 0
}

// play plays the case, and returns our server's answers.
func (r *replayCase) play() []packets.Section {
	r.prepare()
	if len(r.stored) == 0 && len(r.ground) == 0 && r.npc == nil {
		r.t.Fatalf("row %d: nothing is known of how the world was", r.row)
	}
	tables, err := r.trade.tables(r.stored)
	if err != nil {
		r.t.Fatal(err)
	}
	g := newStage(r.t, func(o *Options) { crowded(o); o.Dialect, o.World.Tables = packets.Dialect2022, tables })
	c := r.enter(g)
	r.line = c
	for _, s := range r.ground {
		g.drop(s)
	}
	if r.npc != nil {
		r.npc.ID = g.server.world.NextEntityID()
		g.server.world.Do(world.Put{Object: *r.npc})
	}
	if r.teleport != 0 {
		r.stood = &world.Object{ID: g.server.world.NextEntityID(), Position: r.at,
			Kind: world.Portal{Class: rules.ClassTeleport, Key: "teleport"}}
		g.server.world.Do(world.Put{Object: *r.stood})
	}
	g.pass(2 * time.Second)
	c.ping(r.at)
	g.pass(200 * time.Millisecond)
	r.learn()
	switch request := r.command.(type) {
	case *packets.PickUp: // out of a bag that was opened before
		c.say(packets.Message(0, r.ids[r.bagID()], packets.ClassLootBag, contMan(&packets.Use{Player: c.s().ID()})))
		g.pass(200 * time.Millisecond)
		r.learn()
	case *packets.Buy:
		c.say(c.own(manager(&packets.TradeWindow{Trader: r.ids[request.Trader]})))
		g.pass(200 * time.Millisecond)
	case *packets.AcceptPrice:
		r.each(func(_ *packets.Section, a packets.Command) {
			if a, ok := a.(*packets.Sold); ok {
				c.say(c.own(manager(&packets.TradeWindow{Trader: r.ids[a.Trader]})))
				g.pass(200 * time.Millisecond)
				c.say(c.own(manager(&packets.OfferItem{Item: r.ids[a.Item], Price: packets.NoPrice})))
			}
		})
		g.pass(200 * time.Millisecond)
	}
	c.got = nil
	c.say(r.translate(r.request))
	g.pass(500 * time.Millisecond)
	var out []packets.Section
	for _, f := range c.frames() {
		if f.Body == nil || regenerates(f.Body) {
			continue
		}
		for _, s := range f.Body.Sections {
			left := r.teleport != 0 && s.Object == r.ids[r.teleport] // it is out of sight elsewhere
			if s.Class != packets.ClassMain && s.Class != packets.ClassStat && !left {
				out = append(out, s)
			}
		}
	}
	r.learn()
	return out
}

func (r *replayCase) bagID() (bag packets.ObjectID) {
	for id, place := range r.lying {
		if place < 0 {
			bag = id
		}
	}
	return bag
}

// enter brings a character with the recorded belongings into the world.
func (r *replayCase) enter(g *stage) *conn {
	c := g.connect()
	hash, err := data.HashPassword("secret", datatest.Cheap)
	if err != nil {
		r.t.Fatal(err)
	}
	a, err := g.store.CreateAccount(r.t.Context(), "tester", hash, data.Player)
	if err != nil {
		r.t.Fatal(err)
	}
	n := g.server.newCharacter(a.ID, session.Creation{Name: "Hero", Look: maleLook})
	n.Position, n.Money, n.Items, n.Tutorial = coords.Position(r.at), r.money, nil, false
	for _, it := range r.stored {
		n.Items = append(n.Items, *it)
	}
	if _, _, err := g.store.CreateCharacter(r.t.Context(), n); err != nil {
		r.t.Fatalf("row %d: %v", r.row, err)
	}
	c.in(session.Handshaken)
	c.login("tester", "secret")
	g.until("the screen", func() bool { return c.s().State() == session.CharacterScreen })
	c.choose(0, &packets.EnterWorld{})
	g.until("entering", func() bool { return c.s().State() == session.Entering || c.closed })
	if c.closed {
		r.t.Fatalf("row %d: %v", r.row, c.s().Reason())
	}
	c.say(c.own(manager(&packets.Ready{Value: 0x34})))
	g.until("in the world", func() bool { return c.s().State() == session.InWorld || c.closed })
	return c
}

// learn finds our ids of the recorded entities.
func (r *replayCase) learn() {
	r.ids[r.who] = r.line.s().ID()
	items, err := r.line.g.store.Items(r.t.Context(), r.line.s().Character().ID)
	if err != nil {
		r.t.Fatal(err)
	}
	for id, it := range r.stored {
		for _, have := range items {
			if k, ok := r.line.p().client.IDs.Item(rules.ItemID(have.ID)); ok && have.Slot == it.Slot {
				r.ids[id] = packets.ObjectID(k.ID)
			}
		}
	}
	for _, k := range r.line.p().client.IDs.Entries(anyEntry) {
		switch k.Kind {
		case view.NPCEntry:
			for id := range r.ids {
				if r.npc != nil && id != r.who && r.class(id) == k.Class || r.npc != nil && r.stored[id] == nil && id != r.who {
					r.ids[id] = packets.ObjectID(k.ID)
				}
			}
		case view.PortalEntry:
			if r.stood != nil && k.Object == r.stood.ID {
				r.ids[r.teleport] = packets.ObjectID(k.ID)
			}
		case view.GroundItemEntry, view.GroundBagEntry:
			for id, place := range r.lying {
				if place == 0 && k.Kind == view.GroundItemEntry || place < 0 && k.Kind == view.GroundBagEntry {
					r.ids[id] = packets.ObjectID(k.ID)
				}
			}
		case view.ItemEntry:
			for id, place := range r.lying {
				if k.Holder != 0 && place >= 0 && r.itemSlot(k.Item) == place {
					r.ids[id] = packets.ObjectID(k.ID)
				}
			}
		}
	}
}

func (r *replayCase) itemSlot(id rules.ItemID) int {
	items, err := r.line.g.store.Lying(r.t.Context())
	if err != nil {
		r.t.Fatal(err)
	}
	for _, it := range items {
		if it.ID == rules.ItemID(id) && it.In != 0 {
			return it.Slot
		}
	}
	return -2
}

// translate makes the recorded request one of our client.
func (r *replayCase) translate(b *packets.Body) *packets.Body {
	out := &packets.Body{Clock: b.Clock}
	for _, s := range b.Sections {
		mine := packets.Section{Object: r.ours(s.Object), Class: s.Class}
		for _, region := range s.Regions {
			c, _ := packets.CommandOf(region)
			v := reflect.New(reflect.TypeOf(c).Elem())
			v.Elem().Set(reflect.ValueOf(c).Elem())
			for i := range v.Elem().NumField() {
				f := v.Elem().Field(i)
				if id, ok := f.Interface().(packets.ObjectID); ok && id != packets.EmptyHand {
					f.Set(reflect.ValueOf(r.ours(id)))
				}
			}
			if p, ok := v.Interface().(*packets.PickUp); ok {
				p.Item = uint32(r.ours(packets.ObjectID(p.Item)))
			}
			again := v.Interface().(packets.Command)
			if _, ok := region.(*packets.ContMan); ok {
				mine.Regions = append(mine.Regions, contMan(again))
			} else if _, ok := region.(*packets.TradeMan); ok {
				mine.Regions = append(mine.Regions, &packets.TradeMan{Command: again})
			} else {
				mine.Regions = append(mine.Regions, manager(again))
			}
		}
		out.Sections = append(out.Sections, mine)
	}
	return out
}

func (r *replayCase) ours(id packets.ObjectID) packets.ObjectID {
	if mine, ok := r.ids[id]; ok {
		return mine
	}
	return id
}
