package packets

// What ContMan 15 says of doors, keys, tokens and instances: the object's class decides how it is read. Source:
// protocol ingame 4.1.

// afterClasses is the turn of forms that any class can have: those of a class come first.
const afterClasses = 10

// DoorNumber is the number of a door, or of the key that it needs.
type DoorNumber struct{ Number uint32 }

var _ = fromServer(&contManCommands, 15,
	func(m *DoorNumber, f *fields) { f.walk(&m.Number) }, of(ClassDoorIn, ClassDoorOut), turn(1))

// DoorYaw is the direction in which somebody stands behind a door; [DoorTarget] follows.
type DoorYaw struct {
	Unknown uint32  // 0xFFFFFFFF
	Yaw     float32 // radians
}

var _ = fromServer(&contManCommands, 15,
	func(m *DoorYaw, f *fields) { f.walk(&m.Unknown, &m.Yaw) }, of(ClassDoorIn, ClassDoorOut), turn(2))

// DoorTarget is where a door leads.
type DoorTarget struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15,
	func(m *DoorTarget, f *fields) { f.walk(&m.X, &m.Y, &m.Z) }, of(ClassDoorIn, ClassDoorOut), turn(3))

// KeyNumber is the number of a key.
type KeyNumber struct {
	Number  uint16
	Unknown [7]byte
}

var _ = fromServer(&contManCommands, 15, func(m *KeyNumber, f *fields) {
	f.walk(&m.Number)
	f.bytes(m.Unknown[:])
}, of(ClassKey))

// TutorialNumber is the number of a tutorial message.
type TutorialNumber struct {
	Number   uint8 // 1 to 7
	Reserved uint8 // 0
}

var _ = fromServer(&contManCommands, 15,
	func(m *TutorialNumber, f *fields) { f.walk(&m.Number, &m.Reserved) }, of(ClassTutorial))

// LabyrinthMap is the map of an instance.
type LabyrinthMap struct{ Map uint16 } // 0x59D8 is the newcomers' dungeon

var _ = fromServer(&contManCommands, 15, func(m *LabyrinthMap, f *fields) { f.walk(&m.Map) }, of(ClassLabyrinth))

// StartPointHeader precedes the start points of an instance.
type StartPointHeader struct{ Number, Unknown uint8 }

var _ = fromServer(&contManCommands, 15,
	func(m *StartPointHeader, f *fields) { f.walk(&m.Number, &m.Unknown) }, of(ClassStartPoints), turn(1))

// StartPoint is a start point of an instance.
type StartPoint struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15,
	func(m *StartPoint, f *fields) { f.walk(&m.X, &m.Y, &m.Z) }, of(ClassStartPoints), turn(2))

// StartPointTurn follows each [StartPoint]; what its numbers mean is unknown.
type StartPointTurn struct {
	X, Y, Z float32
	Unknown uint8 // 0
}

var _ = fromServer(&contManCommands, 15,
	func(m *StartPointTurn, f *fields) { f.walk(&m.X, &m.Y, &m.Z, &m.Unknown) }, of(ClassStartPoints), turn(3))

// ChestItem is an item in a chest with a trap, which has the class of start points. Recorded, not in the documents.
type ChestItem struct {
	Item   ObjectID
	Weight uint8
}

var _ = fromServer(&contManCommands, 15,
	func(m *ChestItem, f *fields) { f.walk(opcode(1), &m.Item, &m.Weight) }, of(ClassStartPoints), turn(4))

// TokenDestination is where a token leads.
type TokenDestination struct{ Destination, Unknown uint16 }

var _ = fromServer(&contManCommands, 15, func(m *TokenDestination, f *fields) { f.walk(&m.Destination, &m.Unknown) },
	of(ClassToken, ClassTokenStart, ClassTokenCharges, 104, 105, 128))
