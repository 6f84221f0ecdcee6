package replay

import (
	"reflect"

	"sphereserver/packets"
	"sphereserver/server/bot/compare"
)

// IgnoreRules is what may differ, in words: what docs/recordings.md lists.
var IgnoreRules = []string{
	"the clock of every body, the game's time, and the time in the credentials",
	"the server's keepalives: how many there are and when",
	"HP and MP as they are told every six seconds, and HP of other players",
	"up to 10 of HP, MP and satiety elsewhere, which change by themselves",
	"how many players there are, and the message that tells it has changed",
	"the key of the greeting",
	"players who are in no session of the recording, and what they say",
	"movements that lead to where something stands already",
	"which messages share a frame, and the order of messages about different things",
}

// isIgnored says whether a kind of message is not compared at all.
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

// living are the fields of what changes by itself while time goes by, and may be a little different; living stats too.
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
	compare.FieldOf[packets.Cleansed]("Player"):     true,
	compare.FieldOf[packets.PickUp]("Item"):         true,
	compare.FieldOf[packets.SwapItems]("Item1"):     true,
	compare.FieldOf[packets.SwapItems]("Item2"):     true,
}

var objectID = reflect.TypeFor[packets.ObjectID]()

func isID(f compare.Field, t reflect.Type) bool { return t == objectID || idFields[f] }

// fixed says whether an id means the same everywhere: nobody, the environment, an empty hand, an owner who is nobody.
func fixed(id packets.ObjectID) bool {
	const few = 0x10
	return id < few || id == packets.EmptyHand || id == packets.Unbound || id == packets.StatObject
}
