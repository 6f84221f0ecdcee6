package replay

import (
	"fmt"
	"math"
	"reflect"

	"sphereserver/packets"
	"sphereserver/packets/capture"
	"sphereserver/server/bot/compare"
)

type matcher struct {
	p       *player
	changes []compare.Change
	bound   [][2]packets.ObjectID // ids that are the same if the messages are
	other   bool                  // they are not about the same: one of the fields that tell them apart differs
}

func (p *player) match(was, now *message) *matcher {
	c := &matcher{p: p}
	if was.kind != now.kind || was.class != now.class || !c.objects(was, now) {
		c.other = true
		return c
	}
	if _, pong := was.body.(*packets.PositionStream); pong && was.origin != nil && now.origin != nil &&
		*was.origin != *now.origin {
		c.differ("origin", fmt.Sprint(*was.origin), fmt.Sprint(*now.origin))
	}
	if t, ok := was.body.(*packets.TransformUpdate); ok && was.origin != nil && now.origin != nil {
		c.movement(t, now.body.(*packets.TransformUpdate), was, now)
		return c
	}
	if a, ok := was.body.(*packets.SetStat); ok && isLiving(a.Stat) {
		if b := now.body.(*packets.SetStat); a.Stat == b.Stat && alive(int64(a.Value), int64(b.Value)) {
			return c
		}
	}
	if was.body != nil {
		c.changes = append(c.changes, c.comparer().Changes(was.body, now.body)...)
	}
	if spawn, ok := was.body.(*packets.SpawnSnapshot); ok && len(c.changes) > 0 {
		// Something of the same class elsewhere is something else.
		at := now.body.(*packets.SpawnSnapshot)
		if d := math.Hypot(float64(spawn.X-at.X), float64(spawn.Z-at.Z)); d > sameSpot || math.IsNaN(d) {
			c.other = true
		}
	}
	return c
}

// sameSpot is how many metres apart two spawns can be that are of the same thing.
const sameSpot = 5

// comparer knows the permitted differences between then and now, and the ids and names of now.
func (c *matcher) comparer() *compare.Comparer {
	return &compare.Comparer{
		Skip: func(f compare.Field, a, b reflect.Value) bool {
			return ignoredFields[f] || living[f] && alive(whole(a), whole(b))
		},
		Same: func(f compare.Field, a, b reflect.Value) (same, handled bool) {
			if !a.CanUint() || !isID(f, a.Type()) {
				return false, false
			}
			return c.bind(packets.ObjectID(a.Uint()), packets.ObjectID(b.Uint()), true), true
		},
		Show: func(a, b reflect.Value) (was, now string) {
			return c.p.recordedName(packets.ObjectID(a.Uint())), c.p.presentName(packets.ObjectID(b.Uint()))
		},
		Text:    c.p.play.options.names.Text,
		Name:    capture.FieldName,
		Differs: func(f compare.Field) { c.other = c.other || identities[f] },
	}
}

func (c *matcher) objects(was, now *message) bool {
	if _, line := was.body.(*packets.ChatLine); line { // their ids go round, and nothing ever frees them
		c.bound = append(c.bound, [2]packets.ObjectID{was.object, now.object})
		return true
	}
	return c.bind(was.object, now.object, was.creates())
}

// bind compares two ids. One that is new in both is the same from now on, if it may be new.
func (c *matcher) bind(was, now packets.ObjectID, mayBeNew bool) bool {
	want, known := c.p.toNow(was)
	switch {
	case known:
		return want == now
	case !mayBeNew || c.p.taken(now):
		return false
	}
	c.bound = append(c.bound, [2]packets.ObjectID{was, now})
	return true
}

func (c *matcher) differ(field, was, now string) {
	c.changes = append(c.changes, compare.Change{Field: field, Was: was, Now: now})
}

// movement compares the places that two movements lead to: their codes count from an origin.
func (c *matcher) movement(a, b *packets.TransformUpdate, was, now *message) {
	axis := func(field string, x, y float32) {
		if !compare.SameAxis(x, y) {
			c.differ(field, compare.Number(float64(x)), compare.Number(float64(y)))
		}
	}
	axis("x", a.X.Decode(was.origin.X), b.X.Decode(now.origin.X))
	axis("y", a.Y.Decode(was.origin.Y), b.Y.Decode(now.origin.Y))
	axis("z", a.Z.Decode(was.origin.Z), b.Z.Decode(now.origin.Z))
	if a.Angle != b.Angle {
		c.differ("angle", fmt.Sprint(a.Angle), fmt.Sprint(b.Angle))
	}
}

// alive reports whether two values differ by no more than they change by themselves.
func alive(a, b int64) bool { return max(a-b, b-a) <= littleLife }

func whole(v reflect.Value) int64 {
	if v.CanUint() {
		return int64(v.Uint())
	}
	return v.Int()
}

// IgnoreRules are the permitted differences, in words, as docs/recordings.md lists them.
var IgnoreRules = []string{
	"the clock of every body, the game's time, and the time in the credentials",
	"the server's keepalives: how many there are and when",
	"HP and MP as they are told every six seconds, and HP of other players",
	"up to 10 of HP, MP and satiety elsewhere, which change by themselves",
	"how many players there are, and the message that tells it has changed",
	"the key of the greeting",
	"players who are in no session of the recording, and what they say",
	"monsters: which are there, where they go, and what they do",
	"movements that lead to where something stands already",
	"which messages share a frame, and the order of messages about different things",
}

// isIgnored reports whether a kind of message is not compared at all.
func (m *message) isIgnored() bool {
	switch body := m.body.(type) {
	case *packets.Keepalive, *packets.GameTime, *packets.PlayerCount:
		return true
	case *packets.NameplateStat:
		return body.Stat <= packets.StatMaxHP
	case *packets.NameplateStat32:
		return body.Stat <= packets.StatMaxHP
	}
	return false
}

// living are the fields that change by themselves while time goes by, and may be a little different; living stats, too.
var living = map[compare.Field]bool{
	compare.FieldOf[packets.WorldSnapshot]("HP"):        true,
	compare.FieldOf[packets.PlayerSpawn]("HP"):          true,
	compare.FieldOf[packets.CharacterRecord]("HP"):      true,
	compare.FieldOf[packets.CharacterRecord]("MP"):      true,
	compare.FieldOf[packets.CharacterRecord]("Satiety"): true,
}

func isLiving(s packets.Stat) bool {
	return s == packets.StatHP || s == packets.StatMP || s == packets.StatSatiety
}

const littleLife = 10

var ignoredFields = map[compare.Field]bool{
	compare.FieldOf[packets.LoginTime]("Time"):           true,
	compare.FieldOf[packets.LoginTime]("Low"):            true,
	compare.FieldOf[packets.Greeting]("Key"):             true,
	compare.FieldOf[packets.PlayerCountSpawn]("Players"): true,
}

// identities are the fields that say which of several messages of a kind it is: they are never compared between
// different ones.
var identities = map[compare.Field]bool{
	compare.FieldOf[packets.SetStat]("Stat"):          true,
	compare.FieldOf[packets.FillSlot]("Slot"):         true,
	compare.FieldOf[packets.SlotWeight]("Slot"):       true,
	compare.FieldOf[packets.ClearSlot]("Slot"):        true,
	compare.FieldOf[packets.NameplateStat]("Stat"):    true,
	compare.FieldOf[packets.NameplateStat32]("Stat"):  true,
	compare.FieldOf[packets.Property]("Index"):        true,
	compare.FieldOf[packets.Goods]("Slot"):            true,
	compare.FieldOf[packets.ChatPart]("Index"):        true,
	compare.FieldOf[packets.GroupMember]("Name"):      true,
	compare.FieldOf[packets.UnknownCommand]("Number"): true,
	compare.FieldOf[packets.UnknownRegion]("Number"):  true,
}

// idFields hold ids of objects though their type does not say so.
var idFields = map[compare.Field]bool{
	compare.FieldOf[packets.Property]("Value"):      true, // the owner of a thing
	compare.FieldOf[packets.ReceiveHit]("Source"):   true,
	compare.FieldOf[packets.MutatorTimer]("Caster"): true,
	compare.FieldOf[packets.PickUp]("Item"):         true,
	compare.FieldOf[packets.SwapItems]("Item1"):     true,
	compare.FieldOf[packets.SwapItems]("Item2"):     true,
}

var objectID = reflect.TypeFor[packets.ObjectID]()

func isID(f compare.Field, t reflect.Type) bool { return t == objectID || idFields[f] }

// fixed reports whether an id means the same everywhere: nobody, the environment, an empty hand, no owner.
func fixed(id packets.ObjectID) bool {
	const few = 0x10
	return id < few || id == packets.EmptyHand || id == packets.Unbound || id == packets.StatObject
}
