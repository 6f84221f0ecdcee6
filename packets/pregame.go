package packets

// PregameClock is what old servers send as the clock of every frame before the world; clients do not check it.
//
// Source: protocol session 1.4.
const PregameClock = 512

// The greeting of the newer servers. Any key works; it goes into the client's checksums only.
//
// Source: protocol session 4.2.
const (
	GreetingNumber = 1900
	GreetingKey    = 0x0E40
)

// GreetingReplyValue is what a client answers.
const GreetingReplyValue = 3

// Credentials is the first gameplay frame: it tells the client its index and the time. What the values behind the time
// mean is unknown; every known server sends these.
//
// Source: protocol session 4.3.
func Credentials(i PlayerIndex, now Time) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer,
		&Owner{&LoginTime{Time: now}},
		&Manager{&LoginValues62{Data: []byte{1, 0, 0, 0, 0, 0, 0, 0, 0}}},
		&Manager{&LoginValues59{Data: []byte{1, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0}}},
		&Manager{&LoginValues59{Data: []byte{0, 0, 0}}})
}

// OwnerMessage is a frame of the login phase with one command: [CharacterScreen], [CharacterRecord], [CannotConnect],
// [NameAccepted], [NameRejected].
func OwnerMessage(i PlayerIndex, c Command) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer, &Owner{c})
}

// EnterWorldFrame is the own character, with which the client begins to load the world.
func EnterWorldFrame(i PlayerIndex, clock uint16, m *WorldSnapshot) *Body {
	return Message(clock, i.ID(), ClassPlayer, m)
}

// An ItemRecord is what a client is told of one item.
//
// Source: protocol ingame 10.2.
type ItemRecord struct {
	ID                        ObjectID
	Class                     Class
	GameID                    int // number in the client's item table, 0 for classes without
	Suffix                    int // negative: none
	Count                     int // 0 for what does not stack
	Durability, MaxDurability int
	Premium                   int
	Owner                     uint32 // id of a player, or Unbound
	Extra                     Command
	// Parent is what holds the item.
	Parent ObjectID
}

// NoSuffix is the suffix of items that have none, as the live service sent it.
const NoSuffix = -2

// Spawn returns the section that makes a client create the item inside its parent.
func (i *ItemRecord) Spawn() Section {
	suffix := i.Suffix
	if suffix < 0 {
		suffix = NoSuffix
	}
	spawn := &SpawnSnapshot{X: ContainedX, Placement: Contained, A: int32(i.Durability), B: int32(i.MaxDurability),
		C: int32(i.GameID), D: int32(suffix)}
	if i.GameID == 0 {
		spawn.A, spawn.B, spawn.D = 100, 100, 0
	}
	s := Section{i.ID, i.Class, []Region{spawn, &ContMan{&PutInto{i.Parent}}, &ContMan{&Property{Value: i.Owner}}}}
	if i.Count > 0 {
		s.Regions = append(s.Regions, &ContMan{&StackCount{uint16(min(i.Count, 0xFFFF))}})
	}
	if i.Premium > 0 {
		s.Regions = append(s.Regions, &ContMan{&PremiumLevel{uint8(min(i.Premium, 0xFF))}})
	}
	if i.Extra != nil {
		s.Regions = append(s.Regions, &ContMan{i.Extra})
	}
	return s
}
