package packets

// Commands of region 0 of players: login and character screen.
//
// Source: protocol ingame 4.5, session 1.4, 5 and 6.
func init() {
	s := &ownerCommands
	server(s, 1, command[LoginTime]())
	server(s, 4, command[NameAccepted]())
	server(s, 4, command[CharacterScreen]())
	client(s, 4, command[EnterWorld]())
	server(s, 5, command[CannotConnect]())
	client(s, 6, command[WorldLoaded]())
	client(s, 7, command[CreateCharacter]())
	server(s, 8, command[NameRejected]())
	client(s, 10, command[Login]())
	server(s, 11, command[CharacterRecord]())
	client(s, 12, command[ChooseSlot]())
	client(s, 12, command[DeleteSlot]())
	server(s, 14, command[AccountExpired]())
}

type (
	// LoginTime tells the game's time in the credentials.
	LoginTime struct {
		Time Time
		// Low are the two bits below the time. They belong to the count of the array, and old servers
		// wrote parts of the seconds there; 0 is right.
		Low uint8
	}

	// NameAccepted tells that a character was created.
	NameAccepted struct{}

	// CharacterScreen opens the screen of characters, whose three records follow.
	CharacterScreen struct{ Zeros [68]byte }

	// EnterWorld asks to enter with the slot of the [ChooseSlot] before it.
	EnterWorld struct{}

	// CannotConnect refuses a login, for whatever reason; the server closes after it.
	CannotConnect struct{}

	// WorldLoaded tells that the client has loaded the world.
	WorldLoaded struct{}

	// CreateCharacter asks for a new character in the slot of the [ChooseSlot] before it. The look is face, hair, hair
	// colour and tattoo, a byte each from the lowest, negated for a woman.
	//
	// Source: protocol session 6.6.
	CreateCharacter struct {
		Name string // 1 to 19 bytes
		Look int32
	}

	// NameRejected tells that a name is taken or not allowed. The client stays on its screen.
	NameRejected struct{}

	// Login is the first message of a client: it knows its index by now.
	//
	// Source: protocol session 5.1.
	Login struct {
		Lead     uint8 // 0xFF
		Login    string
		Password string
	}

	// ChooseSlot names a slot of the character screen; [EnterWorld] or [CreateCharacter] follows.
	ChooseSlot struct{ Number uint8 } // slot + 1

	// DeleteSlot asks to delete the character of a slot. What its other bytes mean is unknown.
	DeleteSlot struct {
		Number  uint8 // slot + 1
		Unknown [2]byte
	}

	// AccountExpired refuses a login. No server is known to send it.
	AccountExpired struct{}
)

// FemaleLook returns the look word as [CreateCharacter] carries it.
func FemaleLook(look uint32) int32 { return -int32(look) }

// Character returns what the look word says: the four bytes and the gender.
func (m *CreateCharacter) Character() (look uint32, female bool) {
	if m.Look < 0 {
		return uint32(-m.Look), true
	}
	return uint32(m.Look), false
}

func (m *LoginTime) fields(f *fields)       { num(f, &m.Time, 32) }
func (*NameAccepted) fields(*fields)        {}
func (m *CharacterScreen) fields(f *fields) { f.bytes(m.Zeros[:]) }
func (*EnterWorld) fields(*fields)          {}
func (*CannotConnect) fields(*fields)       {}
func (*WorldLoaded) fields(*fields)         {}
func (*NameRejected) fields(*fields)        {}
func (m *ChooseSlot) fields(f *fields)      { num(f, &m.Number, 8) }
func (*AccountExpired) fields(*fields)      {}

func (m *CreateCharacter) fields(f *fields) {
	f.untilNUL(&m.Name)
	signed(f, &m.Look, 32)
}

func (m *Login) fields(f *fields) {
	num(f, &m.Lead, 8)
	f.untilNUL(&m.Login)
	f.untilNUL(&m.Password)
}

func (m *DeleteSlot) fields(f *fields) {
	num(f, &m.Number, 8)
	f.bytes(m.Unknown[:])
}
