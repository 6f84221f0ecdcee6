package packets

import (
	"encoding/binary"

	"sphereserver/coords"
)

// PutInto tells that the object is now in a player, bag or trader.
type PutInto struct{ Parent ObjectID }

var _ = fromServer(&contManCommands, 0, func(m *PutInto, f *fields) { f.walk(&m.Parent) })

// SetParent is PutInto for guild emblems and abilities.
type SetParent struct{ Parent ObjectID }

var _ = fromServer(&contManCommands, 11, func(m *SetParent, f *fields) { f.walk(&m.Parent) })

// LeaveContainer tells that the object is no longer in its container.
type LeaveContainer struct{}

var _ = fromServer(&contManCommands, 1, func(*LeaveContainer, *fields) {})

// FillSlot puts an item into a slot of a container or of the player.
type FillSlot struct {
	Slot   uint8
	Item   ObjectID // 0 clears the slot
	Weight int32    // of the whole stack, in units of which a sword has 5000; negative for backpacks
}

var _ = fromServer(&contManCommands, 2, func(m *FillSlot, f *fields) { f.walk(&m.Slot, &m.Item, &m.Weight) }, turn(1))

// SlotWeight changes only the weight of a slot, after a part of a stack has been used, bought or sold. Source:
// protocol ingame 4.1.
type SlotWeight struct {
	Slot   uint8
	Weight int32 // as in FillSlot
}

var _ = fromServer(&contManCommands, 2, func(m *SlotWeight, f *fields) { f.walk(&m.Slot, &m.Weight) }, turn(2))

// ClearSlot empties a slot of a container or of the player, 0 to 59; what lay there stays known to the client. A
// [FillSlot] of item 0 does the same. Source: protocol ingame 4.1.
type ClearSlot struct{ Slot uint8 }

var _ = fromServer(&contManCommands, 2, func(m *ClearSlot, f *fields) { f.walk(&m.Slot) }, turn(3))

// ResetSlots clears all slots of a container before it is filled.
type ResetSlots struct{ Flag uint8 } // 0 for players, workshops, goods and loot, 1 for bags, sacks and books

var _ = fromServer(&contManCommands, 3, func(m *ResetSlots, f *fields) { f.walk(&m.Flag) })

// MoveSlot asks to move an item between two slots of the object.
type MoveSlot struct {
	Player   ObjectID // the sender
	Reserved uint8    // 0
	To, From uint8    // slots
}

var _ = fromClient(&contManCommands, 4,
	func(m *MoveSlot, f *fields) { f.walk(&m.Player, &m.Reserved, &m.To, &m.From) }, turn(1))

// MovePart is [MoveSlot] for a part of a stack. Source: protocol life 1.5.
type MovePart struct {
	Player   ObjectID // the sender
	Reserved uint8    // 0
	To, From uint8    // slots
	Count    uint32
}

var _ = fromClient(&contManCommands, 4,
	func(m *MovePart, f *fields) { f.walk(&m.Player, &m.Reserved, &m.To, &m.From, &m.Count) }, turn(2))

// PutIntoSlot asks to put an item from the world or from a bag into a slot.
type PutIntoSlot struct {
	Player   ObjectID // the sender
	Reserved uint8    // 0
	Item     ObjectID
	Slot     uint8
}

var _ = fromClient(&contManCommands, 6,
	func(m *PutIntoSlot, f *fields) { f.walk(&m.Player, &m.Reserved, &m.Item, &m.Slot) }, turn(1))

// PutPartIntoSlot is [PutIntoSlot] for a part of a stack. Source: protocol life 1.5.
type PutPartIntoSlot struct {
	Player   ObjectID // the sender
	Reserved uint8    // 0
	Item     ObjectID
	Slot     uint8
	Count    uint32
}

var _ = fromClient(&contManCommands, 6,
	func(m *PutPartIntoSlot, f *fields) { f.walk(&m.Player, &m.Reserved, &m.Item, &m.Slot, &m.Count) }, turn(2))

// SwapItems asks to exchange two items. Its command number is assumed: only 5 modulo 8 is known.
type SwapItems struct {
	Item1, Item2 uint32 // object ids
	Slot1, Slot2 uint32 // where they are
	Value        uint32 // 0xFFFFFFFF
}

var _ = fromClient(&managerCommands, 53,
	func(m *SwapItems, f *fields) { f.walk(&m.Item1, &m.Item2, &m.Slot1, &m.Slot2, &m.Value) })

// SwapOf reads a Manager command of a client as a swap if only its number differs, which it returns, too: 5 modulo 8,
// which is all that is known of it, with an array of 20 bytes, which no other request has. Source: protocol ingame
// 10.5, 17.
func SwapOf(r Region, dir Direction) (swap *SwapItems, number uint32, ok bool) {
	m, ok := r.(*Manager)
	if !ok || dir != FromClient {
		return nil, 0, false
	}
	u, ok := m.Command.(*UnknownCommand)
	if !ok || u.Number%8 != 5 || len(u.Data) != 20 {
		return nil, 0, false
	}
	field := func(i int) uint32 { return binary.LittleEndian.Uint32(u.Data[4*i:]) }
	return &SwapItems{Item1: field(0), Item2: field(1), Slot1: field(2), Slot2: field(3), Value: field(4)}, u.Number, true
}

// PickUp asks to take an item into the first free slot.
type PickUp struct{ Item uint32 } // object id

var _ = fromClient(&managerCommands, 49, func(m *PickUp, f *fields) { f.walk(&m.Item) })

// Drop asks to put an item on the ground, at a place in metres. The answer may put it elsewhere: the recorded server
// moved it down to the ground. Source: protocol ingame 10.6.
type Drop struct {
	Item    ObjectID
	X, Y, Z float32
	Zero    float32 // 0
	Unknown uint32
	Player  ObjectID // the sender
	Angle   coords.Angle8
}

var _ = fromClient(&managerCommands, 3,
	func(m *Drop, f *fields) { f.walk(&m.Item, &m.X, &m.Y, &m.Z, &m.Zero, &m.Unknown, &m.Player, &m.Angle) }, turn(1))

// Drag asks to move an item that lies on the ground to another place, in metres. It is [Drop] with a shorter array.
// Source: protocol ingame 10.6.
type Drag struct {
	Item    ObjectID
	X, Y, Z float32
	Unknown uint32
}

var _ = fromClient(&managerCommands, 3,
	func(m *Drag, f *fields) { f.walk(&m.Item, &m.X, &m.Y, &m.Z, &m.Unknown) }, turn(2))

// CloseContainer ends a trade or closes a container.
type CloseContainer struct{ Player ObjectID } // that asks

var _ = eitherWay(&contManCommands, 14, func(m *CloseContainer, f *fields) { f.walk(&m.Player) }, turn(1))
