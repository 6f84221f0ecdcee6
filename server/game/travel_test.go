package game

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
	"sphereserver/world/rules/rulestest"
)

// A traveller is a player that tokens are given to.
type traveller struct{ *possessor }

// receives gives the traveller a thing, and returns the slot in which it is.
func (p traveller) receives(class, count int, extra []byte) (slot int) {
	p.g.t.Helper()
	p.frames()
	p.g.server.world.Do(world.Give{To: p.pid(), Kind: content.ThingBase + 10*class, Suffix: rules.NoSuffix, Count: count,
		Extra: extra})
	p.g.pass(200 * time.Millisecond)
	for _, m := range commandsOf[*packets.FillSlot](p.frames()) {
		slot = int(m.Slot)
	}
	if slot == 0 {
		p.g.t.Fatalf("class %d is not given", class)
	}
	return slot
}

// stands puts the traveller somewhere, and has its client say so.
func (p traveller) stands(at coords.Position) {
	p.g.server.world.Do(world.Teleport{ID: p.pid(), To: at})
	p.g.pass(200 * time.Millisecond)
	p.ping(at)
	p.g.pass(2200 * time.Millisecond)
	p.frames()
}

// uses uses the item in a slot on an object of a class in sight, 0 for none, and returns the answer.
func (p traveller) uses(slot, class int) []*packets.Frame {
	var target packets.ObjectID
	if class != 0 {
		target = p.known(packets.Class(class))
	}
	k, _ := p.p().client.IDs.Lookup(p.item(slot))
	p.frames()
	p.say(packets.Message(0, packets.ObjectID(k.ID), k.Class, contMan(&packets.UseOn{Player: p.s().ID(), Target: target})))
	p.g.pass(300 * time.Millisecond)
	return p.atOnce()
}

// arrival is where frames tell a client that it is; false where they do not.
func arrival(frames []*packets.Frame) (at coords.Position, told bool) {
	for _, m := range commandsOf[*packets.SetCoordinates](frames) {
		at, told = coords.Position{X: m.X, Y: m.Y, Z: m.Z, Yaw: m.Yaw}, true
	}
	return at, told
}

// TestLifeCheck1_2AllTokenNumbers uses a token of each number on a teleport of the continent on which it leads somewhere.
func TestLifeCheck1_2AllTokenNumbers(t *testing.T) {
	t.Parallel()
	_, rows := rulestest.Table(t, "life-tokens.tsv")
	if len(rows) != 74 || len(rows) != len(content.Destinations()) {
		t.Fatalf("there are %d numbers, and %d of ours", len(rows), len(content.Destinations()))
	}
	g := newStage(t, func(o *Options) { crowded(o); o.Monsters = false })
	p := traveller{g.possessing(0)}
	from := map[string]string{"hyperion": "shipstone", "haron": "nomrad", "phoebe": "umrad", "rodos": "anhelm"}
	known := 0
	for _, row := range rows {
		number, err := strconv.Atoi(row[0])
		if err != nil {
			t.Fatal(err)
		}
		begin, place := "shipstone", strings.Fields(row[3])
		var want coords.Position
		if leads := len(place) == 4; leads {
			known++
			for i, v := range []*float32{&want.X, &want.Y, &want.Z} {
				f, err := strconv.ParseFloat(place[i], 32)
				if err != nil {
					t.Fatal(err)
				}
				*v = float32(f)
			}
			area, _ := content.ContinentOf(want)
			begin = from[area.Key]
		}
		at, _ := content.PlaceByKey(begin)
		p.stands(at.Position)
		slot := p.receives(rules.ClassToken, 1, rules.TokenExtra(uint16(number)))
		to, told := arrival(p.uses(slot, rules.ClassTeleport))
		items, err := g.store.Items(t.Context(), p.s().Character().ID)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case len(place) != 4:
			if told || len(items) != 1 {
				t.Errorf("%d leads to %v, left are %d", number, to, len(items))
			}
			g.server.world.Do(world.Clear{ID: p.pid(), All: true})
			g.pass(200 * time.Millisecond)
		case !told || to.Distance(want) > 1 || len(items) != 0:
			t.Errorf("%d leads to %v, expected %v; left are %d", number, to, want, len(items))
		}
	}
	if known != 53 {
		t.Errorf("%d have a place", known)
	}
}

// TestLifeCheck1_1RecordedTokens has our server answer the use of a token with charges in a bag in a bag, and of one that
// is used up, and compares that with the recorded answers: the same messages about the same things in the same order.
func TestLifeCheck1_1RecordedTokens(t *testing.T) {
	t.Parallel()
	recorded := map[int]*packets.Body{}
	for _, f := range originals(t) {
		if f.row == 859 || f.row == 860 {
			recorded[f.row] = f.body
		}
	}
	if len(recorded) != 2 {
		t.Skip("the rows are not in the recordings")
	}
	g := newStage(t, func(o *Options) { crowded(o); o.Monsters = false; o.Dialect = packets.Dialect2022 })
	shipstone, _ := content.PlaceByKey("shipstone")
	thing := func(class, slot, count int, extra []byte) rules.Item {
		return rules.Item{Class: class, Slot: slot, Suffix: -1, Count: count, Durability: 100, MaxDurability: 100, Weight: 1,
			Extra: extra}
	}
	const exit, bag, sack = rules.ExitToken, 400, 405
	full := thing(sack, 30, 1, nil)
	full.Weight = 73 // with its other items
	p := traveller{g.possessing(0, thing(bag, rules.SlotBackpack, 1, nil), full,
		thing(rules.ClassTokenCharges, 31, 15, rules.TokenExtra(exit)),
		thing(rules.ClassTokenStart, 35, 1, []byte{exit & 0xFF, exit >> 8, 0, 1}))}
	items, err := g.store.Items(t.Context(), p.s().Character().ID)
	if err != nil {
		t.Fatal(err)
	}
	id := map[int]rules.ItemID{}
	for _, it := range items {
		id[it.Class] = rules.ItemID(it.ID)
	}
	for _, into := range [][2]int{{sack, bag}, {rules.ClassTokenCharges, sack}} {
		g.server.world.Do(world.PutInto{ID: p.pid(), What: world.Target{Item: id[into[0]]},
			Into: world.Container{Bag: id[into[1]]}, Slot: 1})
		g.pass(200 * time.Millisecond)
	}
	const others = `(X|Y|Z|Yaw|Angle)=\S+|Slot=22 Weight=\S+` // the place of the player, and the other items in its bags
	for row, class := range map[int]packets.Class{859: rules.ClassTokenCharges, 860: rules.ClassTokenStart} {
		p.stands(shipstone.Position)
		p.frames()
		p.say(packets.Message(0, p.known(class), class, contMan(&packets.UseOn{Player: p.s().ID(),
			Target: p.known(rules.ClassTeleport)})))
		g.pass(300 * time.Millisecond)
		var ours *packets.Body
		for _, f := range p.frames() {
			if f.Body != nil && len(commandsOf[*packets.SetCoordinates]([]*packets.Frame{f})) > 0 {
				ours = f.Body
			}
		}
		if ours == nil {
			t.Fatalf("row %d: not answered", row)
		}
		ours.Sections = ours.Sections[:len(recorded[row].Sections)] // objects that vanish from sight follow
		theirs := recorded[row].Sections[1].Object
		was := fightWords(recorded[row].Sections, map[packets.ObjectID]string{theirs: "player"}, others)
		is := fightWords(ours.Sections, map[packets.ObjectID]string{p.s().ID(): "player"}, others)
		if !slices.Equal(was, is) {
			t.Errorf("row %d\n  recorded\n    %s\n  ours\n    %s", row, strings.Join(was, "\n    "), strings.Join(is, "\n    "))
		}
		frame := func(b *packets.Body) []*packets.Frame { return []*packets.Frame{{Body: b}} }
		have, _ := arrival(frame(ours))
		want, _ := arrival(frame(recorded[row]))
		if d := have.Distance(want); d > 0.01 {
			t.Errorf("row %d: recorded at %v, ours at %v", row, want, have)
		}
		if class == rules.ClassTokenCharges {
			if n := commandsOf[*packets.StackCount](frame(ours)); len(n) != 1 || n[0].Count != 14 {
				t.Errorf("row %d: %+v are left", row, n)
			}
		}
	}
}

// TestLifeCheck1_5TokensOfOtherContinents uses a token to a city of each continent in a city of each: it leads
// somewhere on its own continent, and is refused, whole and in words, on the three others.
func TestLifeCheck1_5TokensOfOtherContinents(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { crowded(o); o.Monsters = false })
	p := traveller{g.possessing(0)}
	cities := []struct {
		key    string
		number uint16 // of a token to another point of the same continent
	}{{"shipstone", 1801}, {"nomrad", 1811}, {"umrad", 1812}, {"anhelm", 1813}}
	for _, from := range cities {
		for _, to := range cities {
			at, _ := content.PlaceByKey(from.key)
			p.stands(at.Position)
			slot := p.receives(rules.ClassToken, 1, rules.TokenExtra(to.number))
			frames := p.uses(slot, rules.ClassTeleport)
			items, err := g.store.Items(t.Context(), p.s().Character().ID)
			if err != nil {
				t.Fatal(err)
			}
			led, told := arrival(frames)
			area, _ := content.ContinentOf(led)
			here, _ := content.ContinentOf(at.Position)
			if same := from == to; told != same || same && area.Key != here.Key || (len(items) == 0) != same {
				t.Errorf("%s: token %d leads to %v, %t; left are %d", from.key, to.number, led, told, len(items))
			}
			if words := commandsOf[*packets.SystemMessage](frames); from != to && (len(words) != 1 ||
				words[0].Text != thingRefusals[rules.OtherContinent].Russian) {
				t.Errorf("%s: token %d is refused by %+v", from.key, to.number, words)
			}
			g.server.world.Do(world.Clear{ID: p.pid(), All: true})
			g.pass(200 * time.Millisecond)
		}
	}
}

// TestLifeCheck1_8TheLicenceLasts makes a player use a great teleport without a licence and with it, and leave.
func TestLifeCheck1_8TheLicenceLasts(t *testing.T) {
	t.Parallel()
	g := newStage(t, func(o *Options) { crowded(o); o.Monsters = false })
	p := traveller{g.possessing(0)}
	portals := map[string]content.Portal{}
	for _, portal := range content.Portals() {
		portals[portal.Key] = portal
	}
	great := portals["haron-great-teleport"]
	p.stands(great.Position)
	enter := func() []*packets.Frame {
		p.frames()
		p.say(packets.Message(0, p.known(rules.ClassTeleportGreat), rules.ClassTeleportGreat,
			contMan(&packets.Use{Player: p.s().ID()})))
		g.pass(300 * time.Millisecond)
		return p.atOnce()
	}
	if at, told := arrival(enter()); told {
		t.Errorf("without a licence it leads to %v", at)
	}
	if _, told := arrival(p.uses(p.receives(117, 1, nil), 0)); told {
		t.Error("a licence leads somewhere")
	}
	if at, told := arrival(enter()); !told || at.Distance(great.To) > 1 {
		t.Errorf("with the licence it leads to %v, %v", at, told)
	}
	id := p.s().Character().ID
	p.hangUp()
	g.until("it is saved", func() bool {
		ch, err := g.store.CharacterByID(t.Context(), id)
		return err == nil && ch.Licences.Has(rules.LicenceHaron) && ch.Position.Distance(great.To) < 1
	})

	// A server that begins with what is stored lets the character through.
	ch, err := g.store.CharacterByID(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	later := newStage(t, func(o *Options) { crowded(o); o.Monsters = false })
	again := traveller{later.living(func(n *data.NewCharacter) { n.Licences, n.Position = ch.Licences, great.Position })}
	again.stands(great.Position)
	again.say(packets.Message(0, again.known(rules.ClassTeleportGreat), rules.ClassTeleportGreat,
		contMan(&packets.Use{Player: again.s().ID()})))
	later.pass(300 * time.Millisecond)
	if at, told := arrival(again.atOnce()); !told || at.Distance(great.To) > 1 {
		t.Errorf("with the stored licence it leads to %v, %v", at, told)
	}
}

// TestLifeCheck1_9TextsOfTravel says the refusals of travelling by the client's own texts.
func TestLifeCheck1_9TextsOfTravel(t *testing.T) {
	t.Parallel()
	for why, text := range map[rules.RejectReason]view.TextNumber{rules.WrongKey: 76, rules.InBag: 102,
		rules.KarmaTooBad: 112, rules.NeedsKey: 10032, rules.UnderWay: 10475, rules.NotCalm: 10475, rules.TooFar: 10563} {
		if got := view.RefusalText(why, nil); got != text {
			t.Errorf("%v is told by text %d, expected %d", why, got, text)
		}
		if _, ok := thingRefusals[why]; !ok {
			t.Errorf("%v has no words of ours", why)
		}
	}
}

// TestLifeChecks1_3And1_7WrongUsesAreRefusedInWords: wrong uses of tokens, keys, portals and entrances are refused, in
// the client's words where it has some. The client may use things again, and nobody has lost anything or moved, also
// when a request comes twice in one tick.
func TestLifeChecks1_3And1_7WrongUsesAreRefusedInWords(t *testing.T) {
	t.Parallel()
	const (
		city, wild, abroad, nowhere, key, apple, sack, other = 26, 27, 28, 29, 30, 31, 32, 33

		near, far = 3, 30
	)
	g := newStage(t, func(o *Options) { crowded(o); o.Monsters = false })
	thing := func(class, slot, count int, extra []byte) rules.Item {
		return rules.Item{Class: class, Slot: slot, Suffix: -1, Count: count, Durability: 100, MaxDurability: 100, Weight: 1,
			Extra: extra}
	}
	shipstone, _ := content.PlaceByKey("shipstone")
	begin := shipstone.Position
	begin.X += 20 // where there is no teleport of the town in reach
	p := traveller{g.living(func(n *data.NewCharacter) {
		n.Position, n.Karma = begin, -1_000_000
		n.Items = []rules.Item{thing(rules.ClassTokenCharges, city, 5, rules.TokenExtra(1801)),
			thing(rules.ClassTokenCharges, wild, 5, rules.TokenExtra(1853)),
			thing(rules.ClassToken, abroad, 1, rules.TokenExtra(1810)),
			thing(rules.ClassToken, nowhere, 1, rules.TokenExtra(1885)),
			thing(rules.ClassKey, key, 1, rules.KeyExtra(5016)), thing(653, apple, 2, nil), thing(405, sack, 1, nil),
			thing(rules.ClassKey, other, 1, rules.KeyExtra(5015))}
	})}
	p.ping(begin)
	id := p.s().Character().ID
	put := func(east float32, kind world.Kind) world.EntityID {
		at := begin
		at.X += east
		o := g.server.world.NextEntityID()
		g.server.world.Do(world.Put{Object: world.Object{ID: o, Position: at, Kind: kind}})
		return o
	}
	teleport := put(far, world.Portal{Class: rules.ClassTeleportWild, Key: "far"})
	broken := put(near, world.Portal{Class: rules.ClassTeleportBroken, Key: "broken"})
	great := put(near, world.Portal{Class: rules.ClassTeleportGreat, Number: rules.GreatToHaron, Place: "nomrad",
		To: shipstone.Position, Key: "great"})
	door := put(near, world.Portal{Class: rules.ClassDoor, Number: 5015, Key: "room"})
	lair := put(near, world.Portal{Class: rules.ClassMissionEntrance, Number: 2000, Key: "lair"})
	man := put(near, world.NPC{Class: int(packets.ClassTrader), Type: content.OccupationTavern})
	g.pass(time.Second)
	of := func(o world.EntityID) packets.ObjectID {
		k, ok := p.p().client.IDs.Object(o)
		if !ok {
			t.Fatalf("object %d is not shown", o)
		}
		return packets.ObjectID(k.ID)
	}
	use := func(slot int, on packets.ObjectID) func() *packets.Body {
		return func() *packets.Body {
			k, _ := p.p().client.IDs.Lookup(p.item(slot))
			return packets.Message(0, packets.ObjectID(k.ID), k.Class, contMan(&packets.UseOn{Player: p.s().ID(), Target: on}))
		}
	}
	enter := func(o world.EntityID) func() *packets.Body {
		return func() *packets.Body {
			k, _ := p.p().client.IDs.Lookup(of(o))
			return packets.Message(0, packets.ObjectID(k.ID), k.Class, contMan(&packets.Use{Player: p.s().ID()}))
		}
	}
	state := func() (rules.Progress, coords.Position, []rules.Item) {
		g.server.world.Do(world.Publish{})
		g.pass(100 * time.Millisecond)
		items, err := g.store.Items(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		c, err := g.store.CharacterByID(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return c.Progress, g.server.placeOf(p.pid()), items
	}
	refuse := func(what string, why rules.RejectReason, say func() *packets.Body) {
		t.Helper()
		p.frames()
		progress, at, items := state()
		p.say(say())
		p.say(say())
		g.pass(300 * time.Millisecond)
		frames := p.frames()
		if n := len(commandsOf[*packets.ReleaseUse](frames)); n != 2 {
			t.Errorf("%s: released %d times", what, n)
		}
		want, told := view.RefusalText(why, nil), 0
		for _, m := range commandsOf[*packets.SystemText](frames) {
			if want != 0 && int(m.Text) == int(want) {
				told++
			}
		}
		for _, m := range commandsOf[*packets.SystemMessage](frames) {
			if want == 0 && m.Text == thingRefusals[why].Russian {
				told++
			}
		}
		if told != 2 {
			t.Errorf("%s: %v is told %d times: %v, %v", what, why, told, commandsOf[*packets.SystemText](frames),
				commandsOf[*packets.SystemMessage](frames))
		}
		if p2, at2, items2 := state(); p2 != progress || at2 != at || !slices.EqualFunc(items, items2,
			func(a, b rules.Item) bool { return a.Same(&b) && a.Slot == b.Slot }) {
			t.Errorf("%s: something has changed", what)
		}
	}
	refuse("a token from afar", rules.TooFar, use(wild, of(teleport)))
	refuse("a token on a broken teleport", rules.NoTeleport, use(wild, of(broken)))
	refuse("a token on a great teleport", rules.NoTeleport, use(wild, of(great)))
	refuse("a token on a door", rules.NoTeleport, use(wild, of(door)))
	refuse("a token on a townsman", rules.NoTeleport, use(wild, of(man)))
	refuse("a token on a thing", rules.NoTeleport, use(wild, p.item(apple)))
	refuse("a token on nothing", rules.NoTeleport, use(wild, 0))
	refuse("a token on oneself", rules.NoTeleport, use(wild, p.s().ID()))
	refuse("a key on a townsman without rooms", rules.NoUse, use(key, of(man)))
	refuse("a key on a teleport", rules.NoUse, use(key, of(broken)))
	refuse("a key without a door", rules.NeedsKey, use(key, 0))
	refuse("a key on a thing", rules.NeedsKey, use(key, p.item(apple)))
	refuse("another key on a door", rules.WrongKey, use(key, of(door)))
	right := map[int]rules.ItemID{}
	_, _, carried := state()
	for _, it := range carried {
		right[it.Slot] = it.ID
	}
	g.server.world.Do(world.PutInto{ID: p.pid(), What: world.Target{Item: right[other]},
		Into: world.Container{Bag: right[sack]}, Slot: 1})
	g.pass(200 * time.Millisecond)
	refuse("a door whose key is in a bag", rules.InBag, enter(door))
	refuse("a broken teleport", rules.Broken, enter(broken))
	refuse("a great teleport", rules.NeedsLicence, enter(great))
	refuse("a dungeon without its mission", rules.WrongKey, enter(lair))
	put(-near, world.Portal{Class: rules.ClassTeleport, Key: "near"})
	g.pass(time.Second)
	refuse("a token that leads nowhere", rules.LeadsNowhere, use(nowhere, 0))
	refuse("a token to another continent", rules.OtherContinent, use(abroad, 0))
	refuse("a token to a city with a very bad karma", rules.KarmaTooBad, use(city, 0))

	// The right use comes twice, too: it takes one charge.
	p.frames()
	p.say(use(wild, 0)())
	p.say(use(wild, 0)())
	g.pass(300 * time.Millisecond)
	_, at, items := state()
	left := slices.IndexFunc(items, func(i rules.Item) bool { return i.Slot == wild })
	if far := at.Distance(begin); left < 0 || items[left].Count != 4 || far < 100 {
		t.Errorf("used twice in one moment it has %+v, %.0f m away", items, far)
	}
}

// journeysPage is the part of docs/fidelity.md about journeys; TestLifeCheck1_1RecordedTokens holds it.
const journeysPage = `
## Journeys

| what | recorded rows | what differs |
|---|---|---|
| the last charge of a token, on the teleport of the newcomers' dungeon | 860, and 170 in the table above | The place: the table of places has it with two decimals; where it was used. |
| a charge of a token in a bag in a bag | 859 | The weight of all that was carried; the place as above. |

The answers are the same in all other fields (` + "`" + `TestLifeCheck1_1RecordedTokens` + "`" + `). All 74 numbers are used on a teleport each (` + "`" + `TestLifeCheck1_2AllTokenNumbers` + "`" + `): 53 lead to within a
metre of where they are known to lead, the other 21 are refused and stay whole.
`
