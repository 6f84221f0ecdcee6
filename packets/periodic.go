package packets

// Frames that the server sends by itself while a character is in the world. Source: protocol ingame 7.5.

// StatObject is the object under which the number of players is told.
const StatObject ObjectID = 0xC00

// PlayerCountSpawn tells the number of players once to each client that has entered. Source: protocol ingame 7.6.
type PlayerCountSpawn struct{ Players uint16 } // 10 bits

var _ = region[PlayerCountSpawn](ClassStat)

func (*PlayerCountSpawn) number() uint8      { return 61 }
func (m *PlayerCountSpawn) fields(f *fields) { num(f, &m.Players, 10) }

// PlayerCount tells the number of players when it has changed.
type PlayerCount struct{ Players uint16 } // 10 bits

var _ = region[PlayerCount](ClassStat)

func (*PlayerCount) number() uint8      { return 0 }
func (m *PlayerCount) fields(f *fields) { num(f, &m.Players, 10) }

// MaxPlayerCount is the most that 10 bits can tell.
const MaxPlayerCount = 1023

// GameTime tells the time of the world. It stands under object 0 of class _main. Source: protocol ingame 2.4, 3.3.
type GameTime struct{ Time Time }

var _ = region[GameTime](ClassMain)

func (*GameTime) number() uint8      { return 4 }
func (m *GameTime) fields(f *fields) { num(f, &m.Time, 32) }

// RegenerationEffect is the sparkle of HP that grow by rest. Source: protocol ingame 7.5.
const RegenerationEffect = 0x2F6

// Regenerated tells a player that its HP have grown by rest. Source: protocol fight 9.5, recorded.
func Regenerated(player ObjectID, clock uint16, hp int32) *Body {
	return Message(clock, player, ClassPlayer, &SetStat{StatHP, hp}, &Manager{&PlayEffect{RegenerationEffect}})
}

// SixSeconds tells the true MP, in 14 bits as the newest known server does, with the sparkle of regeneration in one
// byte. Source: protocol session 9.1, ingame 7.5.
func SixSeconds(player ObjectID, clock uint16, mp int32) *Body {
	b := Message(clock, player, ClassPlayer, &SetStat{StatMP, mp}, &Manager{&PlayEffect8{RegenerationEffect & 0xFF}})
	if mp >= 0 && mp < 1<<7 {
		b.forms = []form{{ordinal: 0, code: 2 << 1}}
	}
	return b
}

// Clock tells the time of the game, addressed to the server itself.
func Clock(clock uint16, t Time) *Body {
	return Message(clock, NoObject, ClassMain, &GameTime{t})
}

// Players tells the number of players: first once to a client that has entered, then with every change.
func Players(clock uint16, n int, first bool) *Body {
	count := uint16(max(0, min(n, MaxPlayerCount)))
	if first {
		return Message(clock, StatObject, ClassStat, &PlayerCountSpawn{count})
	}
	return Message(clock, StatObject, ClassStat, &PlayerCount{count})
}
