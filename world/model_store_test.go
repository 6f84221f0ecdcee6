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

// testKinds are a small table of kinds. Requirements and bonuses are of strength alone.
var testKinds = func() map[int]*rules.Kind {
	rings := []int{8, 9, 10, 11}
	n := func(weight, price int) rules.Columns { return rules.Columns{Weight: weight, Price: price} }
	sword, helmet, potion, powder, mantra := n(5000, 60), n(1200, 40), n(50, 8), n(1, 3), n(5, 80)
	sword.Attack, sword.Durability, sword.Need.Stats[0] = -20, 90, 5
	helmet.Need.Stats[0], helmet.Bonus = 5, rules.Bonus{HP: 50, PhysicalDefence: 4}
	potion.Magic, powder.Magic, powder.UseMP, mantra.Magic, mantra.UseMP = 60, -15, -3, 30, -12
	ring, cursed, shield := n(10, 100), n(10, 9), n(2000, 70)
	ring.Bonus, cursed.Bonus = rules.Bonus{Stats: rules.Stats{5}}, rules.Bonus{Stats: rules.Stats{-6}, Attack: -7}
	shield.Need.Title, shield.Bonus = 4, rules.Bonus{MP: 30, MagicalDefence: 2}
	out := map[int]*rules.Kind{
		kSword:    {Class: 500, GameID: 601, Hand: true, Columns: sword, Model: "sword601"},
		kRing:     {Class: 760, GameID: 701, Slots: rings, Columns: ring, Group: "A", Tier: 1},
		kHelmet:   {Class: 757, GameID: 702, Slots: []int{0}, Columns: helmet, Look: [3]string{"H"}},
		kApple:    {Class: 650, Stack: 100, Columns: n(8, 1)},
		kPotion:   {Class: 470, GameID: 801, Stack: 10, Columns: potion},
		kArrows:   {Class: 503, GameID: 802, Slots: []int{55}, Stack: 1000, Columns: n(75, 4)},
		kSmallBag: {Class: 401, Slots: []int{22}, Columns: n(500, 120)},
		kLargeBag: {Class: 400, Slots: []int{22}, Columns: n(1000, 240)},
		kToken:    {Class: rules.ClassToken, Columns: n(10, 500)},
		kCharged:  {Class: rules.ClassTokenCharges, Stack: 5, Columns: n(10, 0)},
		kPowder:   {Class: 453, GameID: 501, Stack: 1000, Columns: powder},
		kMantra:   {Class: 1000, GameID: 901, Hand: true, Columns: mantra},
		kScroll:   {Class: rules.ClassScroll, Subtype: 2, Columns: n(10, 50)},
		kBook:     {Class: 409, Slots: []int{17}, Columns: n(500, 350)},
		kCursed:   {Class: 760, GameID: 703, Slots: rings, Columns: cursed},
		kShield:   {Class: 756, GameID: 704, Slots: []int{2}, Columns: shield},
		kLost:     {Class: rules.ClassTokenStart, Columns: n(10, 0)},
		kKey:      {Class: 701, Slots: []int{23, 24}, Columns: n(20, 0)},
		kTooth:    {Class: 709, GameID: 140, Stack: 50, Columns: n(50, 6)},
	}
	for id, k := range out {
		k.ID = id
	}
	return out
}()

// testTables are those of testKinds; rings may have one of three suffixes.
var testTables = func() *rules.Tables {
	var kinds []rules.Kind
	var suffixes []rules.Suffix
	for _, k := range testKinds {
		kinds = append(kinds, *k)
	}
	for i := range 3 {
		suffixes = append(suffixes, rules.Suffix{Letter: "A", Index: i,
			Columns: rules.Columns{Price: 100 * (i + 2), Bonus: rules.Bonus{HP: 10 * (i + 1)}}})
	}
	t, err := rules.NewTables(kinds, suffixes, nil)
	if err != nil {
		panic(err)
	}
	t.Levels, t.Tokens = true, map[uint16]rules.Destination{rules.ExitToken: {Kind: rules.CityDestination, To: islet}}
	t.Stock = func(s rules.Shop) []rules.Offer {
		if s.Kind != rules.Travel {
			return nil
		}
		offer := func(kind, suffix, count, price int) rules.Offer {
			return rules.Offer{Kind: t.Kind(kind), Suffix: suffix, Count: count, Price: price}
		}
		return []rules.Offer{offer(kSmallBag, -1, 1, 120), offer(kApple, -1, 100, 2), offer(kRing, int(s.Day%3), 1, 100),
			offer(kSword, -1, 1, 60)}
	}
	return t
}()

var islet = coords.Position{X: 100, Y: 5, Z: 100}

func thing(kind int, id rules.ItemID, in rules.ItemID, slot, n int) rules.Item {
	k := testKinds[kind]
	t := rules.Item{ID: id, In: in, Slot: slot, Class: k.Class, GameID: k.GameID, Suffix: -1, Count: n, Durability: 100,
		MaxDurability: 100, Weight: k.Weight}
	if kind != kLost { // of which it is not known where it leads
		t.Extra = k.NewExtra()
	}
	if k.Durability > 0 {
		t.Durability, t.MaxDurability = k.Durability, k.Durability
	}
	return t
}

// A modelStore is a store of belongings in memory, as strict as the real one.
type modelStore struct {
	things map[rules.ItemID]rules.StoredItem
	money  map[int64]int64
	sheets map[int64]rules.ProgressChange
	last   rules.ItemID

	revisions map[int64]int64
	taken     map[itemSpot]rules.ItemID          // room for checkThings
	held      map[rules.ItemID]*rules.StoredItem // and for agrees
}

// An itemSpot is where one item may be.
type itemSpot struct {
	owner, vault int64
	in           rules.ItemID
	slot         int
}

var errConflict = errors.New("conflict")

func newModelStore() *modelStore {
	return &modelStore{things: map[rules.ItemID]rules.StoredItem{}, money: map[int64]int64{},
		sheets: map[int64]rules.ProgressChange{}, last: 1000,
		revisions: map[int64]int64{}, taken: map[itemSpot]rules.ItemID{},
		held: map[rules.ItemID]*rules.StoredItem{}}
}

func equalStored(a, b *rules.StoredItem) bool {
	return a.Item.Same(&b.Item) && bytes.Equal(a.Extra, b.Extra) && a.Owner == b.Owner && a.Vault == b.Vault &&
		(a.OnGround == nil) == (b.OnGround == nil)
}

// apply makes a change durable, or changes nothing and says why.
func (l *modelStore) apply(c rules.Change) (ids []rules.ItemID, err error) {
	things, money := l.things, l.money
	undo := func() {}
	defer func() {
		if err != nil {
			undo()
		}
	}()
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
				if t.In == ids[i] && !slices.ContainsFunc(c.Items,
					func(o rules.ItemChange) bool { return o.Was != nil && o.Was.ID == t.ID }) {
					return nil, fmt.Errorf("thing %d goes and holds %d", ids[i], t.ID)
				}
			}
			undo = restoring(things, ids[i], undo)
			delete(things, ids[i])
			continue
		}
		is := *ch.Is
		is.ID = ids[i]
		if is.In < 0 {
			is.In = ids[-is.In-1]
		}
		undo = restoring(things, is.ID, undo)
		things[is.ID] = is
	}
	for _, m := range c.Money {
		if money[m.Character] != m.Was {
			return nil, fmt.Errorf("money of %d: was said to be %d, is %d: %w", m.Character, m.Was, money[m.Character],
				errConflict)
		}
		undo = restoring(money, m.Character, undo)
		money[m.Character] = m.Is
	}
	if len(c.Items) > 0 {
		if err := l.checkThings(); err != nil {
			return nil, err
		}
	}
	for _, m := range c.Money {
		if n := money[m.Character]; n < 0 || n > rules.MaxMoney {
			return nil, fmt.Errorf("character %d has %d coins", m.Character, n)
		}
	}
	for _, s := range c.Progress {
		if s.Revision != l.revisions[s.Character]+1 {
			return nil, fmt.Errorf("character %d becomes revision %d after %d", s.Character, s.Revision,
				l.revisions[s.Character])
		}
	}
	l.last = last
	for _, s := range c.Progress {
		l.sheets[s.Character], l.revisions[s.Character] = s, s.Revision
	}
	for _, s := range c.Places {
		l.revisions[s.Character] = s.Revision
	}
	return ids, nil
}

// restoring returns a function that gives an entry of a map the value of now, and then does all that undo does.
func restoring[K comparable, V any](of map[K]V, key K, undo func()) func() {
	was, had := of[key]
	return func() {
		if of[key] = was; !had {
			delete(of, key)
		}
		undo()
	}
}

// save stores volatile states, unless they are older than a change.
func (l *modelStore) save(states []rules.LiveState) {
	for _, s := range states {
		if is, ok := l.sheets[s.Character]; ok && s.Revision == l.revisions[s.Character] {
			is.Pools, is.Progress.TitleXP, is.Progress.DegreeXP, is.Progress.Karma = s.Pools, s.TitleXP, s.DegreeXP, s.Karma
			l.sheets[s.Character] = is
		}
	}
}

// checkThings holds all items to the rules of a store: one place each, one item in a slot, counts, bags where their
// contents are.
func (l *modelStore) checkThings() error {
	things, taken := l.things, l.taken
	clear(taken)
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
		if at := (itemSpot{t.Owner, t.Vault, t.In, t.Slot}); t.OnGround == nil || t.In != 0 {
			if other := taken[at]; other != 0 {
				return fmt.Errorf("things %d and %d are both in %+v", id, other, at)
			}
			taken[at] = id
		}
		seen := 0
		for in := t.In; in != 0; in = things[in].In {
			bag, ok := things[in]
			if seen++; !ok || seen > rules.MaxNesting || bag.Owner != t.Owner || bag.Vault != t.Vault ||
				(bag.OnGround == nil) != (t.OnGround == nil) {
				return fmt.Errorf("thing %d and bag %d are apart", id, in)
			}
		}
	}
	return nil
}

// A tradeStage is a stage with rules and a store of the model, a trader and a banker at Shipstone.
type tradeStage struct {
	*stage
	*modelStore
	trader, banker EntityID
}

func newTradeStage() *tradeStage {
	m := &tradeStage{stage: newStage(Options{Tables: testTables, DespawnAfter: 10 * time.Minute}),
		modelStore: newModelStore()}
	m.trader, m.banker = m.NextEntityID(), m.NextEntityID()
	m.Do(Put{Object{m.trader, east(2), NPC{Type: 10, Key: "trader"}}})
	m.Do(Put{Object{m.banker, east(3), NPC{Type: bankerType, Key: "banker"}}})
	m.pass(TickPeriod)
	return m
}

// putTeleport puts up a teleport on which tokens are used.
func (m *tradeStage) putTeleport(at coords.Position) EntityID {
	id := m.NextEntityID()
	m.Do(Put{Object{id, at, Portal{Class: rules.ClassTeleport, Key: "teleport"}}})
	m.pass(TickPeriod)
	return id
}

// joins lets a player with belongings in, strength 5 among them.
func (m *tradeStage) joins(id PlayerID, things ...rules.Item) []Event {
	return m.admits(Player{ID: id, Items: things, Money: 1000,
		Progress: rules.Progress{TitlePoints: 4, DegreePoints: 2, Base: rules.Stats{5}}})
}

func (m *tradeStage) admits(p Player) []Event {
	p.Character, p.Vault, p.Name, p.Appearance.Karma = int64(p.ID)+1000, int64(p.ID)+2000,
		fmt.Sprintf("Герой%d", p.ID), 3
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
	m.money[p.Character], p.Revision = p.Money, m.revisions[p.Character]
	m.Do(Enter{p})
	return m.pass(TickPeriod)
}

// settles makes one change durable, and returns all that is told of it: further changes are asked for, and not made.
func (m *tradeStage) settles(t testing.TB, r CommitRequest) []Event {
	t.Helper()
	ids, err := m.apply(r.Change)
	if err != nil {
		t.Fatalf("the store refuses what the world asks: %v", err)
	}
	return m.does(Committed{r.Seq, ids, nil})
}

// asks gives commands, makes their changes durable, and returns all other events.
func (m *tradeStage) asks(t testing.TB, commands ...Command) []Event {
	t.Helper()
	var out []Event
	events := m.does(commands...)
	for len(events) > 0 {
		var more []Command
		for _, e := range events {
			if p, ok := e.(CommitRequest); ok {
				ids, err := m.apply(p.Change)
				if err != nil {
					t.Errorf("the store refuses what the world asks: %v", err)
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

// agrees holds the world to the store: both have the same items in the same places.
func (m *tradeStage) agrees(t testing.TB) {
	t.Helper()
	held := m.held
	clear(held)
	characters, vaults := map[int64]bool{}, map[int64]bool{} // of those inside
	keep := func(h *rules.Inventory) {
		for i := range h.Items {
			s := h.Stored(&h.Items[i])
			if _, twice := held[s.ID]; twice {
				t.Errorf("thing %d is in two places", s.ID)
			}
			held[s.ID] = s
		}
	}
	for _, p := range m.inside() {
		keep(&p.carried)
		keep(&p.kept)
		characters[p.Character], vaults[p.Vault] = true, true
		if m.money[p.Character] != p.Money {
			t.Errorf("player %d has %d coins, the store %d", p.ID, p.Money, m.money[p.Character])
		}
	}
	for _, o := range m.objects() {
		if o.lies() {
			keep(o.inventory)
		}
	}
	for id, is := range m.things {
		had, ok := held[id]
		if is.Owner == 0 && is.Vault == 0 || characters[is.Owner] || vaults[is.Vault] {
			if !ok || !equalStored(had, &is) {
				t.Errorf("the store has %+v, the world %+v", is, had)
			}
			delete(held, id)
		}
	}
	for id := range held {
		t.Errorf("thing %d is in the world alone", id)
	}
	for _, d := range m.ledger.pendingTxs {
		for s := range d.stakes() {
			if s.p.pending != d {
				t.Errorf("player %d has two transactions at once", s.p.ID)
			}
		}
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

// carries returns the item in a player's slot, nil for none.
func (m *tradeStage) carries(id PlayerID, in rules.ItemID, slot int) *rules.Item {
	return m.player(id).carried.At(in, slot)
}

// state is all that could have changed.
func (m *tradeStage) state() any {
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
		if o.lies() {
			ground[o.ID] = slices.Clone(o.inventory.Items)
		}
	}
	return []any{people, ground, maps.Clone(m.things), maps.Clone(m.money)}
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }
