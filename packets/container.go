package packets

import "sphereserver/coords"

// PutInto tells that the object is now in a player, bag or trader.
type PutInto struct{ Parent ObjectID }

var _ = fromServer(&contManCommands, 0, command[PutInto]())

func (m *PutInto) fields(f *fields) { f.id24(&m.Parent) }

// SetParent is PutInto for guild emblems and abilities.
type SetParent struct{ Parent ObjectID }

var _ = fromServer(&contManCommands, 11, command[SetParent]())

func (m *SetParent) fields(f *fields) { f.id24(&m.Parent) }

// LeaveContainer tells that the object is no longer in what it was in.
type LeaveContainer struct{}

var _ = fromServer(&contManCommands, 1, command[LeaveContainer]())

func (*LeaveContainer) fields(*fields) {}

// FillSlot puts an item into a slot of a container or of the player.
type FillSlot struct {
	Slot   uint8
	Item   ObjectID // 0 clears the slot
	Weight int32    // of the whole stack, in units of which a sword has 5000; negative for backpacks
}

var _ = fromServer(&contManCommands, 2, command[FillSlot](), turn(1))

func (m *FillSlot) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	signed(f, &m.Weight, 32)
}

// SlotWeight changes only the weight of a slot.
type SlotWeight struct {
	Slot   uint8
	Weight int32 // as in FillSlot
}

var _ = fromServer(&contManCommands, 2, command[SlotWeight](), turn(2))

func (m *SlotWeight) fields(f *fields) {
	num(f, &m.Slot, 8)
	signed(f, &m.Weight, 32)
}

// ClearSlot empties a slot.
type ClearSlot struct{ Slot uint8 }

var _ = fromServer(&contManCommands, 2, command[ClearSlot](), turn(3))

func (m *ClearSlot) fields(f *fields) { num(f, &m.Slot, 8) }

// ResetSlots clears all slots of a container before it is filled.
type ResetSlots struct{ Flag uint8 } // 0 for players, workshops, goods and loot, 1 for bags, sacks and books

var _ = fromServer(&contManCommands, 3, command[ResetSlots]())

func (m *ResetSlots) fields(f *fields) { num(f, &m.Flag, 8) }

// MoveSlot asks to move an item between two slots of the object.
type MoveSlot struct {
	Player   ObjectID // who asks
	Reserved uint8    // 0
	To, From uint8    // slots
}

var _ = fromClient(&contManCommands, 4, command[MoveSlot]())

func (m *MoveSlot) fields(f *fields) {
	f.id24(&m.Player)
	num(f, &m.Reserved, 8)
	num(f, &m.To, 8)
	num(f, &m.From, 8)
}

// PutIntoSlot asks to put an item from the world or from a bag into a slot.
type PutIntoSlot struct {
	Player   ObjectID // who asks
	Reserved uint8    // 0
	Item     ObjectID
	Slot     uint8
}

var _ = fromClient(&contManCommands, 6, command[PutIntoSlot]())

func (m *PutIntoSlot) fields(f *fields) {
	f.id24(&m.Player)
	num(f, &m.Reserved, 8)
	f.id24(&m.Item)
	num(f, &m.Slot, 8)
}

// SwapItems asks to exchange two items. Its command number is assumed: 5 modulo 8 is what is known.
type SwapItems struct {
	Item1, Item2 uint32 // object ids
	Slot1, Slot2 uint32 // where they are
	Value        uint32 // 0xFFFFFFFF
}

var _ = fromClient(&managerCommands, 53, command[SwapItems]())

func (m *SwapItems) fields(f *fields) {
	num(f, &m.Item1, 32)
	num(f, &m.Item2, 32)
	num(f, &m.Slot1, 32)
	num(f, &m.Slot2, 32)
	num(f, &m.Value, 32)
}

// PickUp asks to take an item into the first free slot.
type PickUp struct{ Item uint32 } // object id

var _ = fromClient(&managerCommands, 49, command[PickUp]())

func (m *PickUp) fields(f *fields) { num(f, &m.Item, 32) }

// Drop asks to put an item on the ground.
type Drop struct {
	Item    ObjectID
	X, Y, Z float32
	Zero    float32 // 0
	Unknown uint32
	Player  ObjectID // who asks
	Angle   coords.Angle8
}

var _ = fromClient(&managerCommands, 3, command[Drop](), turn(1))

func (m *Drop) fields(f *fields) {
	f.id24(&m.Item)
	f.xyz(&m.X, &m.Y, &m.Z)
	f.float(&m.Zero)
	num(f, &m.Unknown, 32)
	f.id24(&m.Player)
	num(f, &m.Angle, 8)
}

// Drag asks to move an item on the ground.
type Drag struct {
	Item    ObjectID
	X, Y, Z float32
	Unknown uint32
}

var _ = fromClient(&managerCommands, 3, command[Drag](), turn(2))

func (m *Drag) fields(f *fields) {
	f.id24(&m.Item)
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Unknown, 32)
}

// CloseContainer ends a trade or closes a container.
type CloseContainer struct{ Player ObjectID } // who asks

var _ = eitherWay(&contManCommands, 14, command[CloseContainer](), turn(1))

func (m *CloseContainer) fields(f *fields) { f.id24(&m.Player) }
