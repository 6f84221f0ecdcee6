package packets

// ContMan 15 for doors, teleports, keys, tokens and instances: the object's class decides how it is read. Source:
// protocol ingame 4.1.

// afterClasses is the turn of forms that any class can have: those of a class come first.
const afterClasses = 10

// ofPortal limits a form to doors, teleports and entrances. Source: protocol ingame 9.1.
var ofPortal = of(ClassDoorIn, ClassDoorOut, ClassTeleport, 63, 64, 65, 67, 69, 71, 98, 101, 102, 103, 107, 132)

// DoorNumber is the number of a door, or of the key that it needs. Source: protocol life 1.1.
type DoorNumber struct{ Number uint32 }

var _ = fromServer(&contManCommands, 15, func(m *DoorNumber, f *fields) { f.walk(&m.Number) }, ofPortal, turn(1))

// TeleportTexts are the numbers of the texts of a teleport with a target: its name, and its target, which is 1000 more.
// Source: protocol life 1.1.
type TeleportTexts struct{ Name, Target uint16 }

var _ = fromServer(&contManCommands, 15, func(m *TeleportTexts, f *fields) { f.walk(&m.Name, &m.Target) },
	of(ClassTeleport))

// DoorYaw is the direction in which a player stands behind a door; [DoorTarget] follows.
type DoorYaw struct {
	Number uint32  // where [DoorNumber] has its number; 0xFFFFFFFF, none
	Yaw    float32 // radians
}

var _ = fromServer(&contManCommands, 15, func(m *DoorYaw, f *fields) { f.walk(&m.Number, &m.Yaw) }, ofPortal, turn(2))

// DoorTarget is where a door leads, in metres; it follows [DoorYaw]. Source: protocol ingame 4.1.
type DoorTarget struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15, func(m *DoorTarget, f *fields) { f.walk(&m.X, &m.Y, &m.Z) }, ofPortal, turn(3))

// KeyNumber is the number of a key, that which the door has as its [DoorNumber]. Source: protocol ingame 4.1. All
// behind the number is inferred from the eight recorded keys: those of rooms beside each other have ids one after the
// other, and a kind comes always with the same value: 0 with 30, 1 with 90, 2 with 20.
type KeyNumber struct {
	Number   uint16
	Reserved uint8 // 0
	Room     ObjectID
	Kind     uint8
	Value    uint16
}

var _ = fromServer(&contManCommands, 15,
	func(m *KeyNumber, f *fields) { f.walk(&m.Number, &m.Reserved, &m.Room, &m.Kind, &m.Value) }, of(ClassKey))

// TutorialNumber is the number of a tutorial message, which the client has as text. Source: protocol ingame 4.1.
type TutorialNumber struct {
	Number   uint8 // 1 to 7
	Reserved uint8 // 0
}

var _ = fromServer(&contManCommands, 15,
	func(m *TutorialNumber, f *fields) { f.walk(&m.Number, &m.Reserved) }, of(ClassTutorial))

// LabyrinthMap is the number of the map of an instance. Source: protocol ingame 4.1.
type LabyrinthMap struct{ Map uint16 } // 0x59D8 is the newcomers' dungeon

var _ = fromServer(&contManCommands, 15, func(m *LabyrinthMap, f *fields) { f.walk(&m.Map) }, of(ClassLabyrinth))

// ChestModel begins the messages about a chest, a coffin or a barrel of a dungeon. Source: protocol life 1.1.
type ChestModel struct {
	Number  uint8 // of the model, 2 was recorded
	Unknown uint8 // 1, or 2 for those of a tavern's hall
}

var _ = fromServer(&contManCommands, 15,
	func(m *ChestModel, f *fields) { f.walk(&m.Number, &m.Unknown) }, of(ClassChest), turn(1))

// ChestPlace is where its model stands.
type ChestPlace struct{ X, Y, Z float32 }

var _ = fromServer(&contManCommands, 15,
	func(m *ChestPlace, f *fields) { f.walk(&m.X, &m.Y, &m.Z) }, of(ClassChest), turn(2))

// ChestTurn follows each [ChestPlace]: how the model is turned, in radians.
type ChestTurn struct {
	Yaw, Pitch, Roll float32
	Reserved         uint8 // 0
}

var _ = fromServer(&contManCommands, 15,
	func(m *ChestTurn, f *fields) { f.walk(&m.Yaw, &m.Pitch, &m.Roll, &m.Reserved) }, of(ClassChest), turn(3))

// ChestSprung tells that the trap of a chest has sprung. The bytes behind the number were left over from other
// messages. Source: protocol life 1.1.
type ChestSprung struct{ Rest [4]byte }

var _ = fromServer(&contManCommands, 15,
	func(m *ChestSprung, f *fields) { f.walk(opcode(1)); f.bytes(m.Rest[:]) }, of(ClassChest), turn(4))

// ObjectEffect shows an effect on an object. Recorded on chests with a trap that springs. Source: protocol life 1.2.
type ObjectEffect struct{ Effect uint16 }

// TrapEffect is the effect of a trap that springs. Source: protocol life 1.2.
const TrapEffect = 50

var _ = fromServer(&tradeManCommands, 6, func(m *ObjectEffect, f *fields) { f.walk(&m.Effect) })

// TokenDestination is where a token leads, by the client's number: docs/world.md lists the 74. Unknown was 0 and
// 0x0100. Source: protocol ingame 4.1, life 3.
type TokenDestination struct{ Destination, Unknown uint16 }

var _ = fromServer(&contManCommands, 15, func(m *TokenDestination, f *fields) { f.walk(&m.Destination, &m.Unknown) },
	of(ClassToken, ClassTokenStart, ClassTokenCharges, 104, 105, 128, 441))

// ForgetDungeon has the number of the dungeon forgotten.
type ForgetDungeon struct{}

var _ = fromClient(&managerCommands, 40, func(*ForgetDungeon, *fields) {})

// DungeonNumber is the number of the dungeon.
type DungeonNumber struct{ Number uint32 }

var _ = fromServer(&managerCommands, 43, func(m *DungeonNumber, f *fields) { f.walk(&m.Number) })
