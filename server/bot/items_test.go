package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

const (
	fakeTrader packets.ObjectID = 0x1100
	fakeWare   packets.ObjectID = 0x1101
	fakeBag    packets.ObjectID = 0x1102
	fakeGift   packets.ObjectID = 0x1103
)

func fill(slot uint8, item packets.ObjectID, weight int32) packets.Region {
	return contMan(&packets.FillSlot{Slot: slot, Item: item, Weight: weight})
}

func clearSlot(slot uint8) packets.Region { return contMan(&packets.ClearSlot{Slot: slot}) }

func section(id packets.ObjectID, class packets.Class, regions ...packets.Region) packets.Section {
	return packets.Section{Object: id, Class: class, Regions: regions}
}

func (f *fake) mine(regions ...packets.Region) packets.Section {
	return section(f.index.ID(), packets.ClassPlayer, regions...)
}

// together sends sections as one body.
func (f *fake) together(sections ...packets.Section) { f.send(&packets.Body{Sections: sections}) }

func (f *fake) release() { f.own(manager(&packets.ReleaseUse{})) }

var stored = &packets.TransformState{X: packets.ContainedX, Placement: packets.Contained}

func lies() packets.Region {
	return &packets.TransformState{X: fakePlace.X, Y: fakePlace.Y - 1, Z: fakePlace.Z, Placement: packets.Lying}
}

// thingFrames gives the right answers to each request about items.
func (f *fake) thingFrames(c packets.Command) {
	switch c := c.(type) {
	case *packets.MoveSlot:
		if c.From == c.To {
			f.own(fill(c.To, packets.NoObject, 0))
			return
		}
		f.own(fill(c.From, packets.NoObject, 0), fill(c.To, fakeBread, 80))
	case *packets.SwapItems:
		f.release()
		f.own(fill(26, packets.NoObject, 0), fill(27, fakeSword, 5000), fill(26, fakeBread, 80))
	case *packets.Drop:
		f.release()
		f.together(section(fakeBread, packets.ClassBread, lies(), contMan(&packets.LeaveContainer{})),
			f.mine(clearSlot(27)), section(fakeBread, packets.ClassBread, lies()))
	case *packets.PickUp:
		f.release()
		f.together(section(fakeBread, packets.ClassBread, stored, contMan(&packets.PutInto{Parent: f.index.ID()})),
			f.mine(fill(30, fakeBread, 80)))
	case *packets.Use:
		f.release()
		if f.object != fakeBread {
			return // a client that opens a trade also uses the trader
		}
		f.together(section(fakeBread, packets.ClassBread, contMan(&packets.Used{Player: f.index.ID()})),
			f.mine(contMan(&packets.SlotWeight{Slot: 27, Weight: 72})),
			section(fakeBread, packets.ClassBread, contMan(&packets.StackCount{Count: 9})))
	case *packets.TakeInHand:
		f.release()
	case *packets.TradeWindow:
		if c.Trader != packets.NoObject {
			f.together(section(fakeTrader, packets.ClassTrader, contMan(&packets.ResetSlots{}),
				&packets.TradeMan{Command: &packets.Goods{Slot: 0, Item: fakeWare, Price: 11}}),
				f.mine(manager(&packets.TradeWindow{Trader: fakeTrader})))
			ware := itemRecord{id: fakeWare, class: packets.ClassBread, count: 1000, parent: fakeTrader}
			f.together(ware.spawn())
		}
	case *packets.Buy:
		f.own(fill(28, fakeGift, 24), manager(&packets.Money{Amount: fakeMoney - 33}),
			manager(&packets.Bought{Item: fakeGift, Total: 33, Count: 3}))
		f.spawn(itemRecord{id: fakeGift, class: packets.ClassBread, count: 3})
	case *packets.OfferItem:
		f.own(fill(26, fakeSword, 5000), manager(&packets.PriceOffer{Slot: c.Slot, Price: 40, Trader: fakeTrader}))
	case *packets.AcceptPrice:
		f.together(f.mine(manager(&packets.Sold{Item: fakeSword, Price: 40, Trader: fakeTrader,
			Class: packets.ClassStartSword})),
			section(fakeSword, packets.ClassStartSword, lies(), contMan(&packets.LeaveContainer{})),
			f.mine(clearSlot(26), manager(&packets.Money{Amount: fakeMoney + 40})), packets.Removal(fakeSword))
	case *packets.SpendPoints:
		f.own(&packets.SetStat{Stat: packets.StatBaseStrength, Value: 3})
	}
}

// spawnTrader shows the client a trader.
func (f *fake) spawnTrader() {
	f.about(fakeTrader, packets.ClassTrader, &packets.SpawnSnapshot{X: fakePlace.X, Y: fakePlace.Y, Z: fakePlace.Z},
		manager(&packets.Occupation{Number: 50005}))
}

// deal makes a client do something with its items at a fake, and returns it after a while.
func deal(t *testing.T, change func(*fake), do func(context.Context, *bot.Client) error,
	look func(*testing.T, *bot.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f, conn := newFake(t)
		f.entered, f.asked = f.spawnTrader, f.thingFrames
		if change != nil {
			change(f)
		}
		f.start()
		defer f.stop()
		c := bot.New(conn, bot.Options{Idle: true})
		defer c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(c.Handshake(ctx), c.Appear(ctx, bot.Identity{Login: "l", Password: "p", Name: "Hero",
			Slot: 1})); err != nil {
			t.Fatal(err)
		}
		if err := c.Until(ctx, func() bool {
			return c.Objects[fakeTrader] != nil &&
				c.Objects[fakeTrader].Occupation != 0
		}); err != nil {
			t.Fatal(err)
		}
		if do != nil {
			if err := do(ctx, c); err != nil {
				t.Error(err)
			}
		}
		if err := c.Idle(ctx, 20*time.Second); err != nil {
			t.Error(err)
		}
		look(t, c)
	})
}

// asking makes a step that waits for its answer of each request.
func asking(steps ...func(*bot.Client) error) func(context.Context, *bot.Client) error {
	return func(ctx context.Context, c *bot.Client) error {
		for _, step := range steps {
			if err := step(c); err != nil {
				return err
			}
			short, cancel := context.WithTimeout(ctx, 2*time.Second)
			_ = c.Until(short, func() bool { return !c.Waits() }) // an answer may be missing
			cancel()
			if err := c.Idle(ctx, 100*time.Millisecond); err != nil {
				return err
			}
		}
		return nil
	}
}

func move(c *bot.Client) error  { return c.Move(c.ID(), 27, 30) }
func swap(c *bot.Client) error  { return c.Swap(26, 27) }
func drop(c *bot.Client) error  { return c.Drop(fakeBread) }
func fetch(c *bot.Client) error { return c.PickUp(fakeBread) }
func eat(c *bot.Client) error   { return c.Use(fakeBread) }
func hold(c *bot.Client) error  { return c.Take(fakeSword) }
func open(c *bot.Client) error  { return c.OpenTrade(fakeTrader) }
func buy(c *bot.Client) error   { return c.Buy(0, 3) }
func offer(c *bot.Client) error { return c.OfferForSale(0, fakeSword) }
func agree(c *bot.Client) error { return c.AcceptOffer() }
func leave(c *bot.Client) error { return c.CloseTrade() }
func train(c *bot.Client) error { return c.SpendPoints([8]int32{3}) }

// Requests that are answered rightly give no violations, and the client believes the messages.
func TestRequestsAboutThingsThatAreAnsweredRightly(t *testing.T) {
	for name, v := range map[string]struct {
		steps []func(*bot.Client) error
		items []string
		money uint32
	}{
		"moved":              {[]func(*bot.Client) error{move}, []string{"26 1", "30 10"}, fakeMoney},
		"swapped":            {[]func(*bot.Client) error{swap}, []string{"26 10", "27 1"}, fakeMoney},
		"dropped":            {[]func(*bot.Client) error{drop}, []string{"26 1"}, fakeMoney},
		"dropped, picked up": {[]func(*bot.Client) error{drop, fetch}, []string{"26 1", "30 10"}, fakeMoney},
		"eaten":              {[]func(*bot.Client) error{eat}, []string{"26 1", "27 9"}, fakeMoney},
		"held":               {[]func(*bot.Client) error{hold}, []string{"26 1", "27 10"}, fakeMoney},
		"bought": {[]func(*bot.Client) error{open, buy, leave}, []string{"26 1", "27 10", "28 3"},
			fakeMoney - 33},
		"sold":   {[]func(*bot.Client) error{open, offer, agree, leave}, []string{"27 10"}, fakeMoney + 40},
		"points": {[]func(*bot.Client) error{train}, []string{"26 1", "27 10"}, fakeMoney},
	} {
		t.Run(name, func(t *testing.T) {
			deal(t, nil, asking(v.steps...), func(t *testing.T, c *bot.Client) {
				for _, f := range c.Violations() {
					t.Error(f)
				}
				var got []string // slot and number
				for _, b := range c.Belongings().Items {
					got = append(got, fmt.Sprintf("%s %d", b.Place, b.Count))
				}
				if !slices.Equal(got, v.items) || c.Money != v.money || c.Waits() {
					t.Errorf("has %q and %d coins, expected %q and %d; waits %t", got, c.Money, v.items, v.money, c.Waits())
				}
			})
		})
	}
}

// A client that leaves waits for its requests.
func TestBelongingsAtLeavingAreThoseAfterTheLastAnswer(t *testing.T) {
	slow := func(f *fake) {
		right := f.asked
		f.asked = func(c packets.Command) {
			m, ok := c.(*packets.MoveSlot)
			switch {
			case ok && m.From == m.To:
				f.own(fill(26, fakeSword, 5000))
			case ok:
				f.in.Go(func() {
					time.Sleep(3 * time.Second)
					right(c)
				})
			default:
				right(c)
			}
		}
	}
	deal(t, slow, func(_ context.Context, c *bot.Client) error {
		if err := move(c); err != nil {
			return err
		}
		if b := c.Depart().Belongings; b == nil || len(b.Items) != 2 || b.Items[1].Place != "30" {
			t.Errorf("leaves with %v", b)
		}
		return nil
	}, func(t *testing.T, c *bot.Client) {
		for _, f := range c.Violations() {
			t.Error(f)
		}
	})
	deal(t, instead(func(*fake, *packets.MoveSlot) {}), func(_ context.Context, c *bot.Client) error {
		if c.Depart().Belongings == nil {
			t.Error("nothing was asked for, and the belongings are not known")
		}
		if err := move(c); err != nil {
			return err
		}
		if b := c.Depart().Belongings; b != nil {
			t.Errorf("without an answer it leaves with %v", b)
		}
		return nil
	}, func(*testing.T, *bot.Client) {})
}

// instead answers requests of one sort in another way.
func instead[C packets.Command](answer func(*fake, C)) func(*fake) {
	return func(f *fake) {
		right := f.asked
		f.asked = func(c packets.Command) {
			if m, ok := c.(C); ok {
				answer(f, m)
				return
			}
			right(c)
		}
	}
}

// unasked tells something when nobody has asked.
func unasked(tell func(*fake)) func(*fake) {
	return func(f *fake) {
		f.entered = func() {
			f.spawnTrader()
			time.AfterFunc(5*time.Second, func() { tell(f) })
		}
	}
}

// paid carries a key and a thing of a class from the start, and pays the mission for both when nobody has asked.
func paid(class int) func(*fake) {
	thing := itemRecord{id: fakeGift, class: packets.Class(class)}
	key := itemRecord{id: fakeBag, class: packets.ClassMission}
	return func(f *fake) {
		f.snapshot = func(m *packets.WorldSnapshot) {
			m.Occupied[29], m.Weights[29], m.Occupied[rules.SlotMission], m.Weights[rules.SlotMission] = 1, 8, 1, 25
			m.Carried += 8 + 25
		}
		f.entry = func() {
			f.sendBindings()
			f.own(fill(29, fakeGift, 8), fill(rules.SlotMission, fakeBag, 25))
			for _, r := range []itemRecord{swordRecord, breadRecord, thing, key} {
				f.spawn(r)
			}
			f.enter()
		}
		f.entered = func() {
			f.spawnTrader()
			time.AfterFunc(8*time.Second, func() {
				f.together(packets.Removal(fakeBag), packets.Removal(fakeGift),
					f.mine(manager(&packets.SystemText{Text: 73}), clearSlot(rules.SlotMission), clearSlot(29),
						manager(&packets.Money{Amount: 80}), manager(&packets.CoinsReceived{Amount: 3})))
			})
		}
	}
}

// Each of these servers is wrong about items in one way, and the client finds just that.
func TestFindingsAboutThings(t *testing.T) {
	for _, v := range []struct {
		name    string
		change  func(*fake)
		steps   []func(*bot.Client) error
		want    []bot.ViolationKind
		example string
	}{
		{"the lock is not released", instead(func(f *fake, _ *packets.TakeInHand) {}), []func(*bot.Client) error{hold},
			[]bot.ViolationKind{bot.NoReply, bot.Unreleased}, "locked since"},
		{"the lock of a drop is not released", instead(func(f *fake, _ *packets.Drop) {
			f.together(section(fakeBread, packets.ClassBread, lies(), contMan(&packets.LeaveContainer{})), f.mine(clearSlot(27)))
		}), []func(*bot.Client) error{drop}, []bot.ViolationKind{bot.Unreleased}, "locked since"},
		{"a move is not answered", instead(func(f *fake, _ *packets.MoveSlot) {}), []func(*bot.Client) error{move},
			[]bot.ViolationKind{bot.NoReply}, "move slot 27 to slot 30"},
		{"a refusal in words", instead(func(f *fake, _ *packets.MoveSlot) {
			f.own(manager(&packets.SystemMessage{Mode: 7,
				Text: "no"}))
		}),
			[]func(*bot.Client) error{move}, nil, ""},
		{"words about something else", instead(func(f *fake, _ *packets.Buy) {
			f.own(manager(&packets.SystemMessage{Mode: 7, Text: "hello"}))
			time.AfterFunc(time.Second, func() { f.thingFrames(&packets.Buy{}) })
		}), []func(*bot.Client) error{open, buy}, nil, ""},
		{"a refusal that restates the slot", instead(func(f *fake, _ *packets.MoveSlot) { f.own(fill(27, fakeBread, 80)) }),
			[]func(*bot.Client) error{move}, nil, ""},
		{"moved without leaving", instead(func(f *fake, _ *packets.MoveSlot) { f.own(fill(30, fakeBread, 80)) }),
			[]func(*bot.Client) error{move}, []bot.ViolationKind{bot.TwicePlaced}, "0x1001 in 2 slots"},
		{"dropped without leaving", instead(func(f *fake, _ *packets.Drop) {
			f.release()
			f.together(section(fakeBread, packets.ClassBread, lies(), contMan(&packets.LeaveContainer{})),
				f.mine(fill(26, fakeSword, 5000)))
		}), []func(*bot.Client) error{drop}, []bot.ViolationKind{bot.StateDiffers}, "slot 27 has 0x1001, which is in 0x0000"},
		{"picked up without coming in", instead(func(f *fake, _ *packets.PickUp) {
			f.release()
			f.own(fill(30, fakeBread, 80))
		}), []func(*bot.Client) error{drop, fetch}, []bot.ViolationKind{bot.StateDiffers}, "slot 30 has 0x1001"},
		{"moved away and nowhere", instead(func(f *fake, _ *packets.MoveSlot) { f.own(clearSlot(27)) }),
			[]func(*bot.Client) error{move}, []bot.ViolationKind{bot.StateDiffers}, "in no slot"},
		{"another weight after a move", instead(func(f *fake, _ *packets.MoveSlot) {
			f.own(clearSlot(27),
				fill(30, fakeBread, 90))
		}),
			[]func(*bot.Client) error{move}, []bot.ViolationKind{bot.WrongSum}, "10 of bread weigh 90, one has weighed 8"},
		{"a weight that no number of pieces has", instead(func(f *fake,
			_ *packets.MoveSlot) {
			f.own(clearSlot(27), fill(30, fakeBread, 81))
		}),
			[]func(*bot.Client) error{move}, []bot.ViolationKind{bot.WrongSum}, "weigh 81"},
		{"eaten without weighing less", instead(func(f *fake, _ *packets.Use) {
			f.release()
			f.together(section(fakeBread, packets.ClassBread, contMan(&packets.StackCount{Count: 9})),
				f.mine(fill(27, fakeBread, 80)))
		}), []func(*bot.Client) error{eat}, []bot.ViolationKind{bot.WrongSum}, "9 of bread weigh 80"},
		{"a slot moves by itself", unasked(func(f *fake) { f.own(clearSlot(27), fill(30, fakeBread, 80)) }), nil,
			[]bot.ViolationKind{bot.UnsolicitedChange}, "slot 27 had 0x1001, and has 0x0000"},
		{"a slot is restated as it was", unasked(func(f *fake) { f.own(fill(27, fakeBread, 80)) }), nil, nil, ""},
		{"a slot holds what never comes", unasked(func(f *fake) { f.own(fill(28, fakeGift, 8)) }), nil,
			[]bot.ViolationKind{bot.UnsolicitedChange, bot.MissingSpawn}, "slot 28"},
		{"what a slot holds is removed", unasked(func(f *fake) { f.together(packets.Removal(fakeBread)) }), nil,
			[]bot.ViolationKind{bot.StateDiffers}, "which is removed"},
		{"a mission takes its key and its parcel", paid(rules.ClassParcel), nil, nil, ""},
		{"a mission takes a bread", paid(int(packets.ClassBread)), nil, []bot.ViolationKind{bot.UnsolicitedChange},
			"slot 29 had 0x1103, and has 0x0000"},
		{"money by itself", unasked(func(f *fake) { f.own(manager(&packets.Money{Amount: 5})) }), nil,
			[]bot.ViolationKind{bot.UnsolicitedChange}, "money 77 then 5"},
		{"the same money again", unasked(func(f *fake) { f.own(manager(&packets.Money{Amount: fakeMoney})) }), nil, nil, ""},
		{"money with a notice", unasked(func(f *fake) {
			f.own(manager(&packets.Money{Amount: 80}), manager(&packets.CoinsReceived{Amount: 3}))
		}), nil, nil, ""},
		{"goods that never come", instead(func(f *fake, _ *packets.TradeWindow) {
			f.together(section(fakeTrader, packets.ClassTrader, contMan(&packets.ResetSlots{}),
				&packets.TradeMan{Command: &packets.Goods{Slot: 4, Item: fakeWare, Price: 11}}),
				f.mine(manager(&packets.TradeWindow{Trader: fakeTrader})))
		}), []func(*bot.Client) error{open}, []bot.ViolationKind{bot.MissingSpawn}, "slot 4 of 0x1100"},
		{"a price that is not that of the goods", instead(func(f *fake, _ *packets.Buy) {
			f.own(fill(28, fakeGift, 24), manager(&packets.Money{Amount: fakeMoney - 40}),
				manager(&packets.Bought{Item: fakeGift, Total: 40, Count: 3}))
			f.spawn(itemRecord{id: fakeGift, class: packets.ClassBread, count: 3})
		}), []func(*bot.Client) error{open,
			buy}, []bot.ViolationKind{bot.WrongSum}, "bought 3 for 40 in all, asked for 3 at 11 each"},
		{"other money than the price", instead(func(f *fake, _ *packets.Buy) {
			f.own(fill(28, fakeGift, 24), manager(&packets.Money{Amount: fakeMoney - 30}),
				manager(&packets.Bought{Item: fakeGift, Total: 33, Count: 3}))
			f.spawn(itemRecord{id: fakeGift, class: packets.ClassBread, count: 3})
		}), []func(*bot.Client) error{open, buy}, []bot.ViolationKind{bot.WrongSum}, "bought for 33, money 77 then 47"},
		{"a purchase that nobody has made", unasked(func(f *fake) {
			f.own(manager(&packets.Bought{Item: fakeBread, Total: 0,
				Count: 1}))
		}), nil, []bot.ViolationKind{bot.UnsolicitedChange}, "bought 0x1001"},
		{"sold for less than agreed", instead(func(f *fake, _ *packets.AcceptPrice) {
			f.together(f.mine(manager(&packets.Sold{Item: fakeSword, Price: 4, Trader: fakeTrader,
				Class: packets.ClassStartSword})),
				section(fakeSword, packets.ClassStartSword, lies(), contMan(&packets.LeaveContainer{})),
				f.mine(clearSlot(26), manager(&packets.Money{Amount: fakeMoney + 4})), packets.Removal(fakeSword))
		}), []func(*bot.Client) error{open, offer, agree}, []bot.ViolationKind{bot.WrongSum}, "for 4, agreed on 40"},
		{"sold for nothing", instead(func(f *fake, _ *packets.AcceptPrice) {
			f.together(f.mine(manager(&packets.Sold{Item: fakeSword, Price: 40, Trader: fakeTrader,
				Class: packets.ClassStartSword})),
				section(fakeSword, packets.ClassStartSword, lies(),
					contMan(&packets.LeaveContainer{})), f.mine(clearSlot(26)), packets.Removal(fakeSword))
		}), []func(*bot.Client) error{open, offer,
			agree}, []bot.ViolationKind{bot.WrongSum}, "sold for 40, money 77 then 77"},
		{"the snapshot carries another weight",
			func(f *fake) { f.snapshot = func(m *packets.WorldSnapshot) { m.Carried++ } }, nil,
			[]bot.ViolationKind{bot.WrongSum}, "carries 5081"},
		{"a bag gets heavier by itself", func(f *fake) {
			f.entered = func() {
				f.spawnTrader()
				f.own(fill(29, fakeBag, 600))
				record := itemRecord{id: fakeBag, class: packets.ClassSack, parent: f.index.ID()}
				bag := record.spawn()
				bag.Regions = append(bag.Regions, contMan(&packets.ResetSlots{Flag: 1}))
				f.together(bag)
				time.AfterFunc(8*time.Second, func() { f.own(contMan(&packets.SlotWeight{Slot: 29, Weight: 601})) })
			}
		}, nil, []bot.ViolationKind{bot.UnsolicitedChange, bot.WrongSum}, "that was 600"},
	} {
		t.Run(v.name, func(t *testing.T) {
			deal(t, v.change, asking(v.steps...), func(t *testing.T, c *bot.Client) {
				if got := kindsOf(c); !slices.Equal(got, v.want) {
					t.Errorf("found %v, expected %v: %v", got, v.want, c.Violations())
				}
				found := ""
				for _, f := range c.Violations() {
					found += f.String()
				}
				if !strings.Contains(found, v.example) {
					t.Errorf("no example says %q:\n%s", v.example, found)
				}
			})
		})
	}
}

// A character that comes back with other items finds the differences, each item by name; one with the same finds
// nothing.
func TestWhatACharacterComesBackWith(t *testing.T) {
	sword := bot.Belonging{Place: "26", Class: packets.ClassStartSword, GameID: 1, Suffix: -2, Count: 1, Weight: 5000}
	bread := bot.Belonging{Place: "27", Class: packets.ClassBread, Count: 10, Weight: 80}
	more := bread
	more.Count, more.Weight = 11, 88
	for name, v := range map[string]struct {
		had  bot.Belongings
		want []bot.ViolationKind
		text string
	}{
		"the same": {bot.Belongings{Money: fakeMoney, Items: []bot.Belonging{sword, bread}}, nil, ""},
		"less money": {bot.Belongings{Money: fakeMoney + 1, Items: []bot.Belonging{sword, bread}},
			[]bot.ViolationKind{bot.OtherBelongings}, "money 77, expected 78"},
		"fewer of a kind": {bot.Belongings{Money: fakeMoney, Items: []bot.Belonging{sword, more}},
			[]bot.ViolationKind{bot.OtherBelongings}, "expected: slot 27: 11 bread"},
		"something more": {bot.Belongings{Money: fakeMoney, Items: []bot.Belonging{bread}},
			[]bot.ViolationKind{bot.OtherBelongings}, "not expected: slot 26: 1 start_sword"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f, conn := newFake(t)
				f.start()
				defer f.stop()
				c := bot.New(conn, bot.Options{Idle: true})
				defer c.Close()
				c.ExpectSame(bot.Departure{Belongings: &v.had})
				if err := step(c); err != nil {
					t.Fatal(err)
				}
				found := ""
				for _, f := range c.Violations() {
					found += f.String()
				}
				if got := kindsOf(c); !slices.Equal(got, v.want) || !strings.Contains(found, v.text) {
					t.Errorf("found %v %s, expected %v", got, found, v.want)
				}
			})
		})
	}
}
