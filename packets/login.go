package packets

// Owner is a command of login and character screen: command of 5 bits. Source: protocol ingame 4.5, session 1.4, 5 and
// 6.
type Owner struct{ Command Command }

var _ = region[Owner](ClassPlayer)

func (*Owner) number() uint8   { return 0 }
func (m *Owner) held() Command { return m.Command }

const (
	ownerBits      = 5 // of the command's number
	ownerCountBits = 8
	ownerTime      = 1  // the number of LoginTime
	ownerRecord    = 11 // and that of CharacterRecord

	timeArray    = 4 // bytes
	timeLowShift = 6 // where a count has [LoginTime].Low
)

func (m *Owner) fields(f *fields) {
	if m.oddCount(f) {
		return
	}
	ownerCommands.walk(f, &m.Command, ownerBits, ownerCountBits)
}

// oddCount walks over the two commands with a count that does not say how many bytes follow.
func (m *Owner) oddCount(f *fields) bool {
	if f.mode == reading {
		head, _ := f.r.Peek(ownerBits + ownerCountBits)
		left := f.r.Left() - ownerBits - ownerCountBits
		var c interface{ fields(*fields) }
		switch number, count := head&(1<<ownerBits-1), head>>ownerBits; {
		case number == ownerRecord && count == recordQueued && left >= recordArray*8:
			c = &CharacterRecord{Queued: true}
		case number == ownerTime && count != timeArray && count&(1<<timeLowShift-1) == timeArray && uint32(left) < count*8:
			c = &LoginTime{Low: uint8(count >> timeLowShift)}
		default:
			return false
		}
		f.r.Uint(ownerBits + ownerCountBits)
		c.fields(f)
		m.Command = c
		return true
	}
	switch c := m.Command.(type) {
	case *CharacterRecord:
		if c.Queued {
			f.w.Uint(ownerRecord|recordQueued<<ownerBits, ownerBits+ownerCountBits)
			c.fields(f)
			return true
		}
	case *LoginTime:
		if c.Low != 0 {
			f.w.Uint(ownerTime|(timeArray|uint32(c.Low)<<timeLowShift)<<ownerBits, ownerBits+ownerCountBits)
			c.fields(f)
			return true
		}
	}
	return false
}

// LoginTime tells the game's time in the credentials.
type LoginTime struct {
	Time Time
	// Low are the two bits below the time. They belong to the count of the array, and old servers
	// wrote parts of the seconds there; 0 is right.
	Low uint8
}

var _ = fromServer(&ownerCommands, ownerTime, (*LoginTime).fields)

func (m *LoginTime) fields(f *fields) { num(f, &m.Time, 32) }

// LoginValues62 stands in the credentials.
type LoginValues62 struct{ Data []byte } // meaning unknown

var _ = fromServer(&managerCommands, 62, func(m *LoginValues62, f *fields) { f.walk(&m.Data) })

// Login is the first message of a client: it knows its index by now. Source: protocol session 5.1.
type Login struct {
	Lead     uint8 // 0xFF
	Login    string
	Password string
}

var _ = fromClient(&ownerCommands, 10, func(m *Login, f *fields) {
	num(f, &m.Lead, 8)
	f.untilNUL(&m.Login)
	f.untilNUL(&m.Password)
})

// LoginError is known by its number alone. Source: protocol ingame 4.5.
type LoginError struct{ Data []byte } // layout unknown

var _ = fromServer(&ownerCommands, 3, func(m *LoginError, f *fields) { f.walk(&m.Data) })

// CannotConnect refuses a login, for any reason; the server closes after it.
type CannotConnect struct{}

var _ = fromServer(&ownerCommands, 5, func(*CannotConnect, *fields) {})

// AccountExpired refuses a login. No server is known to send it.
type AccountExpired struct{}

var _ = fromServer(&ownerCommands, 14, func(*AccountExpired, *fields) {})

// CharacterScreen opens the screen of characters; their three records follow.
type CharacterScreen struct{ Zeros [68]byte }

var _ = fromServer(&ownerCommands, 4, func(m *CharacterScreen, f *fields) { f.bytes(m.Zeros[:]) }, turn(2))

// ChooseSlot names a slot of the character screen; [EnterWorld] or [CreateCharacter] follows.
type ChooseSlot struct{ Number uint8 } // slot + 1

var _ = fromClient(&ownerCommands, 12, func(m *ChooseSlot, f *fields) { f.walk(&m.Number) }, turn(1))

// DeleteSlot asks to delete the character of a slot. The meaning of its other bytes is unknown.
type DeleteSlot struct {
	Number  uint8 // slot + 1
	Unknown [2]byte
}

var _ = fromClient(&ownerCommands, 12, func(m *DeleteSlot, f *fields) {
	f.walk(&m.Number)
	f.bytes(m.Unknown[:])
}, turn(2))

// CreateCharacter asks for a new character in the slot of the [ChooseSlot] before it. Source: protocol session 6.6.
type CreateCharacter struct {
	Name string // 1 to 19 bytes
	Look int32  // face, hair, hair colour and tattoo, a byte each from the lowest; negated for a woman
}

var _ = fromClient(&ownerCommands, 7, func(m *CreateCharacter, f *fields) {
	f.untilNUL(&m.Name)
	signed(f, &m.Look, 32)
})

// FemaleLook returns the look word as [CreateCharacter] carries it.
func FemaleLook(look uint32) int32 { return -int32(look) }

// Character returns the parts of the look word: the four bytes and the gender.
func (m *CreateCharacter) Character() (look uint32, female bool) {
	if m.Look < 0 {
		return uint32(-m.Look), true
	}
	return uint32(m.Look), false
}

// NameAccepted tells that a character was created.
type NameAccepted struct{}

var _ = fromServer(&ownerCommands, 4, func(*NameAccepted, *fields) {}, turn(1))

// NameRejected tells that a name is taken or not allowed. The client stays on its screen.
type NameRejected struct{}

var _ = fromServer(&ownerCommands, 8, func(*NameRejected, *fields) {})

// EnterWorld asks to enter with the slot of the [ChooseSlot] before it.
type EnterWorld struct{}

var _ = fromClient(&ownerCommands, 4, func(*EnterWorld, *fields) {})

// WorldLoaded tells that the client has loaded the world.
type WorldLoaded struct{}

var _ = fromClient(&ownerCommands, 6, func(*WorldLoaded, *fields) {})
