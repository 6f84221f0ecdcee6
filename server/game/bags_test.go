package game

import (
	"slices"
	"strings"
	"testing"

	"sphereserver/packets"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// ground is the id by which a client knows the one item or bag that lies there.
func (p *possessor) ground(what view.EntryKind) packets.ObjectID {
	p.g.t.Helper()
	k, ok := firstEntry(p.p(), func(k *view.IDEntry) bool { return k.Kind == what })
	if !ok {
		p.g.t.Fatal("nothing lies there")
	}
	return packets.ObjectID(k.ID)
}

// A bag goes from one player to another with its contents: its first owner forgets them, the other is told of them
// with the bag.
func TestABagChangesHandsWithWhatIsInIt(t *testing.T) {
	t.Parallel()
	g := newStage(t, crowded)
	p := g.possessing(0, sword(26), rules.Item{Slot: 28, Class: 401, Suffix: -1, Count: 1, Durability: 100,
		MaxDurability: 100, Weight: 500})
	q := g.possessing(0)
	p.hears()
	q.hears()
	blade, bag, me := p.item(26), p.item(28), p.s().ID()
	p.names[blade], p.names[bag] = "sword", "bag"

	p.say(packets.Message(0, bag, 401, contMan(&packets.PutIntoSlot{Player: me, Item: blade, Slot: 3})))
	expectTold(t, "into the bag", p.hears(), "player: ClearSlot Slot=26",
		"sword: TransformState X=1e+06 Y=0 Z=0 Angle=0 Placement=2", "sword: PutInto Parent=bag",
		"bag: FillSlot Slot=3 Item=sword Weight=5000", "player: SlotWeight Slot=28 Weight=5500")
	p.say(packets.Message(0, bag, 401, contMan(&packets.MoveSlot{Player: me, From: 3, To: 0})))
	expectTold(t, "within the bag", p.hears(), "bag: FillSlot Slot=3 Item=nothing Weight=0",
		"bag: FillSlot Slot=0 Item=sword Weight=5000")
	expectTold(t, "opened", p.asksAbout(bag, 401, &packets.Use{Player: me}, &packets.BecomeUser{Player: me}),
		"bag: ResetSlots Flag=1", "bag: FillSlot Slot=0 Item=sword Weight=5000")
	expectTold(t, "dropped", p.asks(manager(&packets.Drop{Item: bag, Player: me})), "removal of sword",
		"bag: TransformState X=12000 Y=150 Z=-9000 Angle=0 Placement=1", "bag: LeaveContainer", "player: ClearSlot Slot=28",
		"bag: TransformState X=12000 Y=149 Z=-9000 Angle=0 Placement=1")

	q.hears()
	lies, mine := q.ground(view.GroundBagEntry), q.s().ID()
	q.names[lies] = "bag"
	got := q.asksAbout(lies, 401, &packets.Use{Player: mine}, &packets.BecomeUser{Player: mine})
	if len(got) != 5 || got[0] != "bag: ResetSlots Flag=0" || !strings.HasSuffix(got[3], "PutInto Parent=bag") {
		t.Errorf("opened on the ground: %q", got)
	}
	// The first owner looks on, and sees the thefts.
	expectTold(t, "its owner opens it", p.asksAbout(bag, 401, &packets.Use{Player: me},
		&packets.BecomeUser{Player: me})[:1], "bag: ResetSlots Flag=0")
	inside := q.p().client.IDs.HeldBy(q.bagObject())
	if len(inside) != 1 {
		t.Fatalf("in the bag there are %v", inside)
	}
	q.names[packets.ObjectID(inside[0].ID)] = "sword"
	expectTold(t, "taken out", q.asks(manager(&packets.PickUp{Item: uint32(inside[0].ID)})), "bag: ClearSlot Slot=0",
		"sword: TransformState X=1e+06 Y=0 Z=0 Angle=0 Placement=2", "sword: PutInto Parent=player",
		"player: FillSlot Slot=26 Item=sword Weight=5000")
	if got := p.hears(); len(got) != 2 || got[0] != "bag: ClearSlot Slot=0" || !strings.HasPrefix(got[1], "removal") {
		t.Errorf("who looks into it is told %q", got)
	}
	q.say(packets.Message(0, lies, 401, contMan(&packets.PutIntoSlot{Player: mine, Item: packets.ObjectID(inside[0].ID),
		Slot: 5})))
	expectTold(t, "put back", q.hears(), "player: ClearSlot Slot=26",
		"sword: TransformState X=1e+06 Y=0 Z=0 Angle=0 Placement=2", "sword: PutInto Parent=bag",
		"bag: FillSlot Slot=5 Item=sword Weight=5000")
	if got := p.hears(); len(got) < 3 || !strings.HasPrefix(got[0], "bag: FillSlot Slot=5") {
		t.Errorf("who looks into it is told %q", got)
	}

	// A player that has never looked into it takes it whole.
	r := g.possessing(0)
	for _, other := range []*possessor{p, q, r} {
		other.hears()
	}
	whole := r.ground(view.GroundBagEntry)
	r.names[whole] = "bag"
	got = r.asks(manager(&packets.PickUp{Item: uint32(whole)}))
	want := []string{"bag: TransformState X=12000 Y=149 Z=-9000 Angle=0 Placement=2", "bag: PutInto Parent=player",
		"player: FillSlot Slot=26 Item=bag Weight=5500"}
	if len(got) < 6 || !slices.Equal(got[:3], want) || !strings.HasSuffix(got[4], "PutInto Parent=bag") ||
		!strings.HasPrefix(got[len(got)-1], "bag: FillSlot Slot=5") {
		t.Errorf("taken whole: %q", got)
	}
	for _, other := range []*possessor{p, q} {
		if got := other.hears(); len(got) != 2 || !strings.HasPrefix(got[1], "removal of bag") {
			t.Errorf("who has looked into it is told %q", got)
		}
		if k, ok := firstEntry(other.p(), func(k *view.IDEntry) bool {
			return k.Kind == view.GroundBagEntry ||
				k.Item != 0
		}); ok {
			t.Errorf("still known: %+v", k)
		}
	}
}

func (p *possessor) bagObject() world.EntityID {
	k, _ := firstEntry(p.p(), func(k *view.IDEntry) bool { return k.Kind == view.GroundBagEntry })
	return k.Object
}
