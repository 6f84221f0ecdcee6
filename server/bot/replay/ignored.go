package replay

import (
	"reflect"

	"sphereserver/packets"
)

// Ignored is what may differ, in words: what docs/recordings.md lists.
var Ignored = []string{
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

// ignored says whether a kind of message is not compared at all.
func (m *message) ignored() bool {
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
var living = map[fieldName]bool{
	named[packets.WorldSnapshot]("HP"):        true,
	named[packets.PlayerSpawn]("HP"):          true,
	named[packets.CharacterRecord]("HP"):      true,
	named[packets.CharacterRecord]("MP"):      true,
	named[packets.CharacterRecord]("Satiety"): true,
}

func isLiving(s packets.Stat) bool {
	return s == packets.StatHP || s == packets.StatMP || s == packets.StatSatiety
}

// littleLife is by how much they may be different.
const littleLife = 10

// A fieldName names a field of a message.
type fieldName struct {
	in   reflect.Type
	name string
}

func named[T any](name string) fieldName { return fieldName{reflect.TypeFor[T](), name} }

// ignoredFields are not compared.
var ignoredFields = map[fieldName]bool{
	named[packets.LoginTime]("Time"):           true,
	named[packets.LoginTime]("Low"):            true,
	named[packets.Greeting]("Key"):             true,
	named[packets.PlayerCountSpawn]("Players"): true,
}

// identities are the fields that say which of several messages of a kind it is: they are never compared between different ones.
var identities = map[fieldName]bool{
	named[packets.SetStat]("Stat"):          true,
	named[packets.FillSlot]("Slot"):         true,
	named[packets.SlotWeight]("Slot"):       true,
	named[packets.ClearSlot]("Slot"):        true,
	named[packets.NameplateStat]("Stat"):    true,
	named[packets.NameplateStat32]("Stat"):  true,
	named[packets.Property]("Index"):        true,
	named[packets.Goods]("Slot"):            true,
	named[packets.ChatPart]("Index"):        true,
	named[packets.GroupMember]("Name"):      true,
	named[packets.UnknownCommand]("Number"): true,
	named[packets.UnknownRegion]("Number"):  true,
}

// idFields hold ids of objects though their type does not say so.
var idFields = map[fieldName]bool{
	named[packets.Property]("Value"):      true, // the owner of a thing
	named[packets.ReceiveHit]("Source"):   true,
	named[packets.MutatorTimer]("Caster"): true,
	named[packets.Cleansed]("Player"):     true,
	named[packets.PickUp]("Item"):         true,
	named[packets.SwapItems]("Item1"):     true,
	named[packets.SwapItems]("Item2"):     true,
}

var objectID = reflect.TypeFor[packets.ObjectID]()

// isID says whether a field holds the id of an object.
func isID(f fieldName, t reflect.Type) bool { return t == objectID || idFields[f] }

// fixed says whether an id means the same everywhere: nobody, the environment, an empty hand, an owner who is nobody.
func fixed(id packets.ObjectID) bool {
	const few = 0x10
	return id < few || id == packets.EmptyHand || id == packets.Unbound || id == packets.StatObject
}
