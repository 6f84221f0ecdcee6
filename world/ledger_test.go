package world

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// testRules are a small table of kinds. Requirements and bonuses are of strength alone.
type testRules struct{}

type testKind struct {
	rules.ItemKind
	rules.Numbers
	needs int // strength
	title int // level less one
	bonus rules.Bonus
}

// The kinds of the tests.
const (
	kSword = iota + 1
	kRing
	kHelmet
	kApple
	kPotion
	kArrows
	kSmallBag
	kLargeBag
	kToken
	kCharged
	kPowder
	kMantra
	kScroll
	kBook
	kCursed
	kShield
	kLost
	kKey
	kTooth
)

var testKinds = func() map[int]*testKind {
	rings := []int{8, 9, 10, 11}
	out := map[int]*testKind{
		kSword:    {ItemKind: rules.ItemKind{Class: 500, GameID: 601, Hand: true}, Numbers: rules.Numbers{Attack: -20, Weight: 5000, Durability: 90, Price: 60}, needs: 5},
		kRing:     {ItemKind: rules.ItemKind{Class: 760, GameID: 701, Slots: rings, Rows: 3}, Numbers: rules.Numbers{Weight: 10, Price: 100}, bonus: rules.Bonus{Stats: rules.Stats{5}}},
		kHelmet:   {ItemKind: rules.ItemKind{Class: 757, GameID: 702, Slots: []int{0}}, Numbers: rules.Numbers{Weight: 1200, Price: 40}, needs: 5, bonus: rules.Bonus{HP: 50, PhysicalDefence: 4}},
		kApple:    {ItemKind: rules.ItemKind{Class: 650, Stack: 100}, Numbers: rules.Numbers{Weight: 8, Price: 1}},
		kPotion:   {ItemKind: rules.ItemKind{Class: 470, GameID: 801, Stack: 10}, Numbers: rules.Numbers{Magic: 60, Weight: 50, Price: 8}},
		kArrows:   {ItemKind: rules.ItemKind{Class: 503, GameID: 802, Slots: []int{55}, Stack: 1000}, Numbers: rules.Numbers{Weight: 75, Price: 4}},
		kSmallBag: {ItemKind: rules.ItemKind{Class: 401, Slots: []int{22}}, Numbers: rules.Numbers{Weight: 500, Price: 120}},
		kLargeBag: {ItemKind: rules.ItemKind{Class: 400, Slots: []int{22}}, Numbers: rules.Numbers{Weight: 1000, Price: 240}},
		kToken:    {ItemKind: rules.ItemKind{Class: 66}, Numbers: rules.Numbers{Weight: 10, Price: 500}},
		kCharged:  {ItemKind: rules.ItemKind{Class: 3080, Stack: 5}, Numbers: rules.Numbers{Weight: 10}},
		kPowder:   {ItemKind: rules.ItemKind{Class: 453, GameID: 501, Stack: 1000}, Numbers: rules.Numbers{Magic: -15, UseMP: -3, Weight: 1, Price: 3}},
		kMantra:   {ItemKind: rules.ItemKind{Class: 1000, GameID: 901, Hand: true}, Numbers: rules.Numbers{Magic: 30, UseMP: -12, Weight: 5, Price: 80}},
		kScroll:   {ItemKind: rules.ItemKind{Class: 90, Extra: []byte{2, 0}}, Numbers: rules.Numbers{Weight: 10, Price: 50}},
		kBook:     {ItemKind: rules.ItemKind{Class: 409, Slots: []int{17}}, Numbers: rules.Numbers{Weight: 500, Price: 350}},
		kCursed:   {ItemKind: rules.ItemKind{Class: 760, GameID: 703, Slots: rings}, Numbers: rules.Numbers{Weight: 10, Price: 9}, bonus: rules.Bonus{Stats: rules.Stats{-6}, Attack: -7}},
		kShield:   {ItemKind: rules.ItemKind{Class: 756, GameID: 704, Slots: []int{2}}, Numbers: rules.Numbers{Weight: 2000, Price: 70}, title: 4, bonus: rules.Bonus{MP: 30, MagicalDefence: 2}},
		kLost:     {ItemKind: rules.ItemKind{Class: 127}, Numbers: rules.Numbers{Weight: 10}},
		kKey:      {ItemKind: rules.ItemKind{Class: 701, Slots: []int{23, 24}}, Numbers: rules.Numbers{Weight: 20}},
		kTooth:    {ItemKind: rules.ItemKind{Class: 709, GameID: 140, Stack: 50}, Numbers: rules.Numbers{Weight: 50, Price: 6}},
	}
	for id, k := range out {
		k.ID, k.ItemKind.Stack = id, max(k.ItemKind.Stack, 1)
	}
	return out
}()

func (testRules) Of(t *rules.Item) *rules.ItemKind {
	for _, k := range testKinds {
		if k.Class == t.Class && k.GameID == t.GameID {
			return &k.ItemKind
		}
	}
	return nil
}

func (testRules) Kind(id int) *rules.ItemKind {
	if k := testKinds[id]; k != nil {
		return &k.ItemKind
	}
	return nil
}

func (testRules) Numbers(k *rules.ItemKind, suffix int) rules.Numbers {
	n := testKinds[k.ID].Numbers
	n.Price *= suffix + 2
	return n
}

func (testRules) Wear(k *rules.ItemKind, suffix int, by *rules.Wearer) (rules.Bonus, bool) {
	kind := testKinds[k.ID]
	b := kind.bonus
	b.HP += 10 * (suffix + 1)
	return b, (kind.needs == 0 || by.Stats[0] >= kind.needs) && by.Title >= kind.title
}

func (testRules) Look(worn []rules.Item, hand *rules.Item) (out Worn) {
	for i := range worn {
		if worn[i].Slot == 0 {
			out.Helmet = byte(worn[i].GameID % 256)
		}
	}
	if hand != nil {
		out.Sword = fmt.Sprint("sword", hand.GameID)
	}
	return out
}

func (testRules) Stock(t *NPC, day uint64) []rules.Offer {
	if t.Type != 10 {
		return nil
	}
	offer := func(kind, suffix, count, price int) rules.Offer {
		return rules.Offer{Kind: testRules{}.Kind(kind), Suffix: suffix, Count: count, Price: price}
	}
	out := []rules.Offer{offer(kSmallBag, -1, 1, 120), offer(kApple, -1, 100, 2), offer(kRing, int(day%3), 1, 100), offer(kSword, -1, 1, 60)}
	return out
}

var islet = coords.Position{X: 100, Y: 5, Z: 100}

func (testRules) Token(t *rules.Item) (coords.Position, bool) { return islet, t.Class != 127 }

func (testRules) Maxima(title, degree int) (hp, mp int) { return 100 + 50*title, 100 + 75*degree }
func (testRules) Points(title, degree int) (int, int)   { return 4 + 4*title, 4 + 4*degree }
func thing(kind int, id rules.ItemID, in rules.ItemID, slot, n int) rules.Item {
	k := testKinds[kind]
	t := rules.Item{ID: id, In: in, Slot: slot, Class: k.Class, GameID: k.GameID, Suffix: -1, Count: n, Durability: 100, MaxDurability: 100, Weight: k.Weight, Extra: k.Extra}
	if k.Durability > 0 {
		t.Durability, t.MaxDurability = k.Durability, k.Durability
	}
	return t
}

// A ledger is a store of belongings in memory, as strict as the real one.
type ledger struct {
	things map[rules.ItemID]rules.StoredItem
	money  map[int64]int64
	sheets map[int64]rules.ProgressChange
	last   rules.ItemID
}

var errConflict = errors.New("conflict")

func newLedger() *ledger {
	return &ledger{things: map[rules.ItemID]rules.StoredItem{}, money: map[int64]int64{}, sheets: map[int64]rules.ProgressChange{}, last: 1000}
}

func equalStored(a, b *rules.StoredItem) bool {
	return a.Item.Same(&b.Item) && bytes.Equal(a.Extra, b.Extra) && a.Owner == b.Owner && a.Vault == b.Vault && (a.OnGround == nil) == (b.OnGround == nil)
}

func (l *ledger) apply(c rules.Change) ([]rules.ItemID, error) {
	things, money := maps.Clone(l.things), maps.Clone(l.money)
	ids, last := make([]rules.ItemID, len(c.Items)), l.last
	for i, ch := range c.Items {
		switch {
		case ch.Was == nil && ch.Is == nil:
			return nil, fmt.Errorf("change %d says nothing", i)
		case ch.Was != nil:
			is, ok := things[ch.Was.ID]
			if !ok || !equalStored(&is, ch.Was) {
				return nil, fmt.Errorf("thing %d: was said to be %+v, is %+v: %w", ch.Was.ID, *ch.Was, is, errConflict)
			}
			if ch.Is != nil && ch.Is.ID != ch.Was.ID {
				return nil, fmt.Errorf("change %d is of two things", i)
			}
			ids[i] = ch.Was.ID
		default:
			if ch.Is.ID != 0 {
				return nil, fmt.Errorf("new thing has the number %d", ch.Is.ID)
			}
			last++
			ids[i] = last
		}
	}
	for i, ch := range c.Items {
		if ch.Is == nil {
			for _, t := range things {
				if t.In == ids[i] && !slices.ContainsFunc(c.Items, func(o rules.ItemChange) bool { return o.Was != nil && o.Was.ID == t.ID }) {
					return nil, fmt.Errorf("thing %d goes and holds %d", ids[i], t.ID)
				}
			}
			delete(things, ids[i])
			continue
		}
		is := *ch.Is
		is.ID = ids[i]
		if is.In < 0 {
			is.In = ids[-is.In-1]
		}
		things[is.ID] = is
	}
	for _, m := range c.Money {
		if money[m.Character] != m.Was {
			return nil, fmt.Errorf("money of %d: was said to be %d, is %d: %w", m.Character, m.Was, money[m.Character], errConflict)
		}
		money[m.Character] = m.Is
	}
	if err := checkThings(things); err != nil {
		return nil, err
	}
	for id, n := range money {
		if n < 0 || n > rules.MaxMoney {
			return nil, fmt.Errorf("character %d has %d coins", id, n)
		}
	}
	l.things, l.money, l.last = things, money, last
	for _, s := range c.Progress {
		l.sheets[s.Character] = s
	}
	return ids, nil
}

// checkThings holds all things to what a store demands: one place each, one thing in a slot, counts, bags where their contents are.
func checkThings(things map[rules.ItemID]rules.StoredItem) error {
	type spot struct {
		owner, vault int64
		in           rules.ItemID
		slot         int
	}
	taken := map[spot]rules.ItemID{}
	for id, t := range things {
		places := 0
		for _, there := range []bool{t.Owner != 0, t.Vault != 0, t.OnGround != nil} {
			if there {
				places++
			}
		}
		if places != 1 || t.Count < 1 || t.Slot < 0 || t.Slot > 255 || id != t.ID {
			return fmt.Errorf("thing %d is in %d places: %+v", id, places, t)
		}
		if at := (spot{t.Owner, t.Vault, t.In, t.Slot}); t.OnGround == nil || t.In != 0 {
			if other := taken[at]; other != 0 {
				return fmt.Errorf("things %d and %d are both in %+v", id, other, at)
			}
			taken[at] = id
		}
		seen := 0
		for in := t.In; in != 0; in = things[in].In {
			bag, ok := things[in]
			if seen++; !ok || seen > rules.MaxNesting || bag.Owner != t.Owner || bag.Vault != t.Vault || (bag.OnGround == nil) != (t.OnGround == nil) {
				return fmt.Errorf("thing %d and bag %d are apart", id, in)
			}
		}
	}
	return nil
}

// A market is a stage with rules and a ledger, a trader and a banker at Shipstone.
type market struct {
	*stage
	*ledger
	trader, banker EntityID
}

func newMarket() *market {
	m := &market{stage: newStage(Options{Rules: testRules{}, DespawnAfter: 10 * time.Minute}), ledger: newLedger()}
	m.trader, m.banker = m.NextEntityID(), m.NextEntityID()
	m.Do(Put{Object{m.trader, east(2), NPC{Type: 10, Key: "trader"}}})
	m.Do(Put{Object{m.banker, east(3), NPC{Type: bankerType, Key: "banker"}}})
	m.pass(TickPeriod)
	return m
}

// joins lets a player with belongings in, strength 5 among them.
func (m *market) joins(id PlayerID, things ...rules.Item) []Event {
	return m.admits(Player{ID: id, Items: things, Money: 1000, Progress: rules.Progress{TitlePoints: 4, DegreePoints: 2, Base: rules.Stats{5}}})
}

func (m *market) admits(p Player) []Event {
	p.Character, p.Vault, p.Name, p.Appearance.Karma = int64(p.ID)+1000, int64(p.ID)+2000, fmt.Sprintf("Герой%d", p.ID), 3
	if p.Position == (coords.Position{}) {
		p.Position = shipstone
	}
	p.Pools = rules.Pools{HP: 50, MP: 40, Satiety: 50, MaxSatiety: 100}
	for _, t := range p.Items {
		m.things[t.ID] = rules.StoredItem{Item: t, Owner: p.Character}
	}
	for _, t := range p.VaultItems {
		m.things[t.ID] = rules.StoredItem{Item: t, Vault: p.Vault}
	}
	m.money[p.Character] = p.Money
	m.Do(Enter{p})
	return m.pass(TickPeriod)
}

// asks gives commands and has all made durable that they need, and returns what happened but for that.
func (m *market) asks(t testing.TB, commands ...Command) []Event {
	t.Helper()
	var out []Event
	events := m.does(commands...)
	for len(events) > 0 {
		var more []Command
		for _, e := range events {
			if p, ok := e.(CommitRequest); ok {
				ids, err := m.apply(p.Change)
				if err != nil {
					t.Errorf("the ledger refuses what the world asks: %v", err)
				}
				more = append(more, Committed{p.Seq, ids, err})
				continue
			}
			out = append(out, e)
		}
		if len(more) == 0 {
			break
		}
		events = m.does(more...)
	}
	m.sound(t)
	m.agrees(t)
	return out
}

// agrees holds the world to the ledger: both have the same things in the same places.
func (m *market) agrees(t testing.TB) {
	t.Helper()
	held := map[rules.ItemID]rules.StoredItem{}
	keep := func(h *rules.Inventory) {
		for i := range h.Items {
			s := *h.Stored(&h.Items[i])
			if _, twice := held[s.ID]; twice {
				t.Errorf("thing %d is in two places", s.ID)
			}
			held[s.ID] = s
		}
	}
	for _, p := range m.inside() {
		keep(&p.carried)
		keep(&p.kept)
		if m.money[p.Character] != p.Money {
			t.Errorf("player %d has %d coins, the ledger %d", p.ID, p.Money, m.money[p.Character])
		}
	}
	for _, o := range m.objects() {
		if o.inventory != nil {
			keep(o.inventory)
		}
	}
	for id, is := range m.things {
		had, ok := held[id]
		if inside := is.Owner == 0 && is.Vault == 0 || slices.ContainsFunc(m.inside(), func(p *player) bool { return p.Character == is.Owner || p.Vault == is.Vault }); !inside {
			continue
		}
		if !ok || !equalStored(&had, &is) {
			t.Errorf("the ledger has %+v, the world %+v", is, had)
		}
		delete(held, id)
	}
	for id := range held {
		t.Errorf("thing %d is in the world alone", id)
	}
}

// only returns the single event of a type.
func only[E Event](t testing.TB, events []Event) E {
	t.Helper()
	found := of[E](events)
	if len(found) != 1 {
		var e E
		t.Fatalf("expected one %T, found %d in %s", e, len(found), describe(events))
	}
	return found[0]
}

func describe(events []Event) (out string) {
	for _, e := range events {
		out += fmt.Sprintf("\n  %T%+v", e, e)
	}
	return out
}

// refused fails unless all that happened is a refusal with this reason.
func refused(t testing.TB, events []Event, why rules.RejectReason) {
	t.Helper()
	for _, e := range events {
		switch e := e.(type) {
		case Refused:
			if e.Why == why {
				return
			}
			t.Fatalf("refused with %q, expected %q", e.Why, why)
		case PoolsTick, Population, *Said:
		}
	}
	t.Fatalf("not refused with %q: %s", why, describe(events))
}

// carries returns what a player has in a slot, nil for nothing.
func (m *market) carries(id PlayerID, in rules.ItemID, slot int) *rules.Item {
	return m.player(id).carried.At(in, slot)
}

// state is all that could have changed.
func (m *market) state() any {
	type person struct {
		Carried, Kept []rules.Item
		Player        Player
		Hand          rules.ItemID
	}
	people := map[PlayerID]person{}
	for _, p := range m.inside() {
		player := p.Player
		player.Pools = rules.Pools{}
		people[p.ID] = person{slices.Clone(p.carried.Items), slices.Clone(p.kept.Items), player, p.hand}
	}
	ground := map[EntityID][]rules.Item{}
	for _, o := range m.objects() {
		if o.inventory != nil {
			ground[o.ID] = slices.Clone(o.inventory.Items)
		}
	}
	return []any{people, ground, maps.Clone(m.things), maps.Clone(m.money)}
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
