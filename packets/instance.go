package packets

// What ContMan 15 says of doors, keys, tokens and instances: the object's class decides how it is read.
//
// Source: protocol ingame 4.1.

// afterClasses is the turn of forms that any class can have: those of a class come first.
const afterClasses = 10

// DoorNumber is the number of a door, or of the key that it needs.
type DoorNumber struct{ Number uint32 }

var _ = fromServer(&contManCommands, 15, command[DoorNumber](), of(ClassDoorIn, ClassDoorOut), turn(1))

func (m *DoorNumber) fields(f *fields) { num(f, &m.Number, 32) }

// DoorYaw is the direction in which somebody stands behind a door; [DoorTarget] follows.
type DoorYaw struct {
	Unknown uint32  // 0xFFFFFFFF
	Yaw     float32 // radians
}

var _ = fromServer(&contManCommands, 15, command[DoorYaw](), of(ClassDoorIn, ClassDoorOut), turn(2))

func (m *DoorYaw) fields(f *fields) {
	num(f, &m.Unknown, 32)
	f.float(&m.Yaw)
}

// DoorTarget is where a door leads.
type DoorTarget struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15, command[DoorTarget](), of(ClassDoorIn, ClassDoorOut), turn(3))

func (m *DoorTarget) fields(f *fields) { f.xyz(&m.X, &m.Y, &m.Z) }

// KeyNumber is the number of a key.
type KeyNumber struct {
	Number  uint16
	Unknown [7]byte
}

var _ = fromServer(&contManCommands, 15, command[KeyNumber](), of(ClassKey))

func (m *KeyNumber) fields(f *fields) {
	num(f, &m.Number, 16)
	f.bytes(m.Unknown[:])
}

// TutorialNumber is the number of a tutorial message.
type TutorialNumber struct {
	Number   uint8 // 1 to 7
	Reserved uint8 // 0
}

var _ = fromServer(&contManCommands, 15, command[TutorialNumber](), of(ClassTutorial))

func (m *TutorialNumber) fields(f *fields) {
	num(f, &m.Number, 8)
	num(f, &m.Reserved, 8)
}

// LabyrinthMap is the map of an instance.
type LabyrinthMap struct{ Map uint16 } // 0x59D8 is the newcomers' dungeon

var _ = fromServer(&contManCommands, 15, command[LabyrinthMap](), of(ClassLabyrinth))

func (m *LabyrinthMap) fields(f *fields) { num(f, &m.Map, 16) }

// StartPointHeader precedes the start points of an instance.
type StartPointHeader struct{ Number, Unknown uint8 }

var _ = fromServer(&contManCommands, 15, command[StartPointHeader](), of(ClassStartPoints), turn(1))

func (m *StartPointHeader) fields(f *fields) {
	num(f, &m.Number, 8)
	num(f, &m.Unknown, 8)
}

// StartPoint is a start point of an instance.
type StartPoint struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15, command[StartPoint](), of(ClassStartPoints), turn(2))

func (m *StartPoint) fields(f *fields) { f.xyz(&m.X, &m.Y, &m.Z) }

// StartPointTurn follows each [StartPoint]; what its numbers mean is unknown.
type StartPointTurn struct {
	X, Y, Z float32
	Unknown uint8 // 0
}

var _ = fromServer(&contManCommands, 15, command[StartPointTurn](), of(ClassStartPoints), turn(3))

func (m *StartPointTurn) fields(f *fields) {
	f.xyz(&m.X, &m.Y, &m.Z)
	num(f, &m.Unknown, 8)
}

// ChestItem is an item in a chest with a trap, which has the class of start points. Recorded, not in the documents.
type ChestItem struct {
	Item   ObjectID
	Weight uint8
}

var _ = fromServer(&contManCommands, 15, command[ChestItem](), of(ClassStartPoints), turn(4))

func (m *ChestItem) fields(f *fields) {
	constant(f, uint8(1), 8)
	f.id24(&m.Item)
	num(f, &m.Weight, 8)
}

// TokenDestination is where a token leads.
type TokenDestination struct{ Destination, Unknown uint16 }

var _ = fromServer(&contManCommands, 15, command[TokenDestination](),
	of(ClassToken, ClassTokenStart, ClassTokenCharges, 104, 105, 128))

func (m *TokenDestination) fields(f *fields) {
	num(f, &m.Destination, 16)
	num(f, &m.Unknown, 16)
}
