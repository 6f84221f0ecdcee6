package packets

// PregameClock is the clock that old servers send in every frame before the world; clients do not check it. Source:
// protocol session 1.4.
const PregameClock = 512

// The greeting of the newer servers. Any key works; it goes into the client's checksums only. Source: protocol session
// 4.2.
const (
	GreetingNumber = 1900
	GreetingKey    = 0x0E40
)

// GreetingReplyValue is the client's answer.
const GreetingReplyValue = 3

// Credentials is the first gameplay frame: it tells the client its index and the time. The meaning of the values
// behind the time is unknown; every known server sends these. Source: protocol session 4.3.
func Credentials(i PlayerIndex, now Time) *Body {
	return Message(PregameClock, i.ID(), ClassPlayer,
		&Owner{&LoginTime{Time: now}},
		&Manager{&LoginValues62{Data: []byte{1, 0, 0, 0, 0, 0, 0, 0, 0}}},
		&Manager{&TournamentGroupPlaces{Group: 1, Data: [16]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF}}},
		&Manager{&TournamentGroupState{}})
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
