package packets

// Commands of region 4. Numbers, lengths and ways: protocol ingame 4.1.
func init() {
	s := &contManCommands
	server(s, 0, command[PutInto]())
	server(s, 1, command[LeaveContainer]())
	server(s, 2, command[FillSlot]())
	server(s, 2, command[SlotWeight]())
	server(s, 2, command[ClearSlot]())
	server(s, 3, command[ResetSlots]())
	client(s, 4, command[MoveSlot]())
	client(s, 6, command[PutIntoSlot]())
	client(s, 7, command[Use]())
	client(s, 7, command[UseOn]())
	server(s, 8, command[Used]())
	s.add(9, FromServer, isPlayer, command[ChangeHP]())
	s.add(9, FromServer, notPlayer, command[Property]())
	client(s, 9, command[NameQuery]())
	client(s, 10, command[BecomeUser]())
	server(s, 11, command[SetParent]())
	server(s, 12, command[StackCount]())
	server(s, 12, command[StackCount8]())
	server(s, 12, command[StackCount32]())
	server(s, 13, command[ChangeObjectHP]())
	server(s, 13, command[Dies]())
	server(s, 13, command[ObjectHP]())
	either(s, 14, command[CloseContainer]())
	server(s, 14, command[PremiumLevel]())
	server(s, 16, command[MonsterValue]())

	extra := func(construct func() Command, classes ...Class) {
		s.add(15, FromServer, oneOf(classes...), construct)
	}
	extra(command[MutatorTimer](), ClassVirus)
	extra(command[DoorNumber](), ClassDoorIn, ClassDoorOut)
	extra(command[DoorYaw](), ClassDoorIn, ClassDoorOut)
	extra(command[DoorTarget](), ClassDoorIn, ClassDoorOut)
	extra(command[KeyNumber](), ClassKey)
	extra(command[TutorialNumber](), ClassTutorial)
	extra(command[LabyrinthMap](), ClassLabyrinth)
	extra(command[StartPointHeader](), ClassStartPoints)
	extra(command[StartPoint](), ClassStartPoints)
	extra(command[StartPointTurn](), ClassStartPoints)
	extra(command[ChestItem](), ClassStartPoints)
	extra(command[TokenDestination](), ClassToken, ClassTokenStart, ClassTokenCharges, 104, 105, 128)
	server(s, 15, command[Subtype]())
	server(s, 15, command[Model]())
}

func isPlayer(c Class) bool  { return c == ClassPlayer }
func notPlayer(c Class) bool { return c != ClassPlayer }

func oneOf(classes ...Class) func(Class) bool {
	return func(c Class) bool {
		for _, k := range classes {
			if c == k {
				return true
			}
		}
		return false
	}
}

type (
	// PutInto puts the object into a player, bag or trader.
	PutInto struct{ Parent ObjectID }

	// LeaveContainer takes the object out of what it was in.
	LeaveContainer struct{}

	// FillSlot puts an item into a slot of a container or of the player. The weight is that of the whole stack, in
	// units of which a sword has 5000; negative for backpacks. An item of 0 clears the slot.
	FillSlot struct {
		Slot   uint8
		Item   ObjectID
		Weight int32
	}

	// SlotWeight changes only the weight of a slot.
	SlotWeight struct {
		Slot   uint8
		Weight int32
	}

	// ClearSlot empties a slot.
	ClearSlot struct{ Slot uint8 }

	// ResetSlots clears all slots of a container before it is filled: 0 for players, workshops, goods and loot,
	// 1 for bags, sacks and books.
	ResetSlots struct{ Flag uint8 }

	// MoveSlot asks to move an item between two slots of the object.
	MoveSlot struct {
		Player   ObjectID
		Reserved uint8
		To, From uint8
	}

	// PutIntoSlot asks to put an item from the world or from a bag into a slot.
	PutIntoSlot struct {
		Player   ObjectID
		Reserved uint8
		Item     ObjectID
		Slot     uint8
	}

	// Use asks to use the object.
	Use struct{ Player ObjectID }

	// UseOn asks to use the object on a target.
	UseOn struct{ Player, Target ObjectID }

	// Used answers [Use]: the client plays it.
	Used struct{ Player ObjectID }

	// Property sets a property of an item. 0 is its owner: 0xFFFFFFFF nobody, else a player's id.
	Property struct {
		Index uint8
		Value uint32
	}

	// ChangeHP adds Change - 30000 to a player's own HP without a hit.
	ChangeHP struct {
		Source ObjectID
		Change uint16
	}

	// NameQuery asks for a name; known from the client's scripts alone.
	NameQuery struct{ Data [6]byte }

	// BecomeUser follows [Use] when a bag is opened or somebody is spoken to.
	BecomeUser struct{ Player ObjectID }

	// SetParent is PutInto for guild emblems and abilities.
	SetParent struct{ Parent ObjectID }

	// StackCount is the number of things in a stack; 0 is not sent.
	StackCount struct{ Count uint16 }

	// StackCount8 and StackCount32 are other widths of StackCount.
	StackCount8  struct{ Count uint8 }
	StackCount32 struct{ Count uint32 }

	// ChangeObjectHP adds Change - 30000 to the HP of a monster or object.
	ChangeObjectHP struct {
		Attacker ObjectID
		Change   uint16
	}

	// Dies plays the death of a monster.
	Dies struct {
		Killer  ObjectID
		Unknown uint8 // 0 on the live service
	}

	// ObjectHP sets the HP of a monster after a hit.
	ObjectHP struct {
		HP, MaxHP uint16
		Unknown   uint16 // 0x0075
	}

	// CloseContainer ends a trade or closes a container.
	CloseContainer struct{ Player ObjectID }

	// PremiumLevel is the premium level of an item; only 1 is known.
	PremiumLevel struct{ Level uint8 }

	// MonsterValue stands in spawns of monsters since 2026, with 0; meaning unknown.
	MonsterValue struct{ Value uint32 }

	// Model is the model or icon of a person, sack or ring.
	Model struct{ Name string }

	// Subtype is the kind of a scroll and of other things of many kinds.
	Subtype struct{ Number uint16 }

	// MutatorTimer tells what a mutator is and how long it lasts.
	MutatorTimer struct {
		Mutator uint16
		Unknown uint8
		Seconds uint16
		Caster  uint16 // id of a player
	}

	// DoorNumber is the number of a door, or of the key that it needs.
	DoorNumber struct{ Number uint32 }

	// DoorYaw and DoorTarget are where a door leads.
	DoorYaw struct {
		Unknown uint32 // 0xFFFFFFFF
		Yaw     float32
	}
	DoorTarget struct{ X, Y, Z float32 }

	// KeyNumber is the number of a key.
	KeyNumber struct {
		Number  uint16
		Unknown [7]byte
	}

	// TutorialNumber is the number of a tutorial message, 1 to 7.
	TutorialNumber struct{ Number, Reserved uint8 }

	// LabyrinthMap is the map of an instance; 0x59D8 is the newcomers' dungeon.
	LabyrinthMap struct{ Map uint16 }

	// StartPointHeader, StartPoint and StartPointTurn are the start points of an instance.
	StartPointHeader struct{ Number, Unknown uint8 }
	StartPoint       struct{ X, Y, Z float32 }
	StartPointTurn   struct {
		X, Y, Z float32
		Unknown uint8
	}

	// ChestItem is a thing in a chest with a trap, which has the class of start points. Recorded, not in the documents.
	ChestItem struct {
		Item   ObjectID
		Weight uint8
	}

	// TokenDestination is where a token leads.
	TokenDestination struct{ Destination, Unknown uint16 }
)

// Unbound is the owner of an item that everybody may use.
const Unbound = 0xFFFFFFFF

// HPBias is what HP changes inside commands are counted from.
const HPBias = 30000

func (m *PutInto) fields(f *fields)        { f.id24(&m.Parent) }
func (*LeaveContainer) fields(*fields)     {}
func (m *ClearSlot) fields(f *fields)      { num(f, &m.Slot, 8) }
func (m *ResetSlots) fields(f *fields)     { num(f, &m.Flag, 8) }
func (m *Use) fields(f *fields)            { f.id24(&m.Player) }
func (m *Used) fields(f *fields)           { f.id24(&m.Player) }
func (m *NameQuery) fields(f *fields)      { f.bytes(m.Data[:]) }
func (m *BecomeUser) fields(f *fields)     { f.id24(&m.Player) }
func (m *SetParent) fields(f *fields)      { f.id24(&m.Parent) }
func (m *StackCount) fields(f *fields)     { num(f, &m.Count, 16) }
func (m *StackCount8) fields(f *fields)    { num(f, &m.Count, 8) }
func (m *StackCount32) fields(f *fields)   { num(f, &m.Count, 32) }
func (m *CloseContainer) fields(f *fields) { f.id24(&m.Player) }
func (m *PremiumLevel) fields(f *fields)   { num(f, &m.Level, 8) }
func (m *MonsterValue) fields(f *fields)   { num(f, &m.Value, 32) }
func (m *Subtype) fields(f *fields)        { num(f, &m.Number, 16) }
func (m *DoorNumber) fields(f *fields)     { num(f, &m.Number, 32) }
func (m *DoorTarget) fields(f *fields)     { f.xyz(&m.X, &m.Y, &m.Z) }
func (m *LabyrinthMap) fields(f *fields)   { num(f, &m.Map, 16) }
func (m *StartPoint) fields(f *fields)     { f.xyz(&m.X, &m.Y, &m.Z) }

func (m *Model) fields(f *fields) {
	f.restNUL(&m.Name)
	for _, r := range m.Name {
		if r < ' ' {
			f.fail("a model has a name of printable characters, found %q", m.Name)
			return
		}
	}
}

func (m *FillSlot) fields(f *fields) {
	num(f, &m.Slot, 8)
	f.id24(&m.Item)
	signed(f, &m.Weight, 32)
}

func (m *SlotWeight) fields(f *fields) {
	num(f, &m.Slot, 8)
	signed(f, &m.Weight, 32)
}

func (m *MoveSlot) fields(f *fields) {
	f.id24(&m.Player)
	num(f, &m.Reserved, 8)
	num(f, &m.To, 8)
	num(f, &m.From, 8)
}

func (m *PutIntoSlot) fields(f *fields) {
	f.id24(&m.Player)
	num(f, &m.Reserved, 8)
	f.id24(&m.Item)
	num(f, &m.Slot, 8)
}

func (m *UseOn) fields(f *fields) {
	f.id24(&m.Player)
	f.id24(&m.Target)
}

func (m *Property) fields(f *fields) {
	num(f, &m.Index, 8)
	num(f, &m.Value, 32)
}

func (m *ChangeHP) fields(f *fields) {
	f.id24(&m.Source)
	num(f, &m.Change, 16)
}

func (m *ChangeObjectHP) fields(f *fields) {
	f.id24(&m.Attacker)
	num(f, &m.Change, 16)
}

func (m *Dies) fields(f *fields) {
	f.id24(&m.Killer)
	num(f, &m.Unknown, 8)
}

func (m *ObjectHP) fields(f *fields) {
	num(f, &m.HP, 16)
	num(f, &m.MaxHP, 16)
	num(f, &m.Unknown, 16)
}

func (m *MutatorTimer) fields(f *fields) {
	num(f, &m.Mutator, 16)
	num(f, &m.Unknown, 8)
	num(f, &m.Seconds, 16)
	num(f, &m.Caster, 16)
}

func (m *DoorYaw) fields(f *fields) {
	num(f, &m.Unknown, 32)
	f.float(&m.Yaw)
}

func (m *KeyNumber) fields(f *fields) {
	num(f, &m.Number, 16)
	f.bytes(m.Unknown[:])
}

func (m *TutorialNumber) fields(f *fields) {
	num(f, &m.Number, 8)
	num(f, &m.Reserved, 8)
}

func (m *StartPointHeader) fields(f *fields) {
	num(f, &m.Number, 8)
	num(f, &m.Unknown, 8)
}

func (m *StartPointTurn) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Unknown, 8)
}

func (m *ChestItem) fields(f *fields) {
	constant(f, uint8(1), 8)
	f.id24(&m.Item)
	num(f, &m.Weight, 8)
}

func (m *TokenDestination) fields(f *fields) {
	num(f, &m.Destination, 16)
	num(f, &m.Unknown, 16)
}
