package mcquery

import (
	"fmt"
	"strconv"
	"strings"

	"sphereserver/packets/internal/cursor"
)

// An Answer is one of [Token], [Basic] and [Full].
type Answer interface {
	// Append appends the answer, however long it gets.
	Append(dst []byte) []byte

	fields(f *fields)
}

// Decode reads an answer into m. When it is damaged, the part before the damage is in m, and the error is a [*Damage].
//
// Minecraft's own server writes the low byte of each letter of its name, a NUL for some: an answer that is whole only
// with NULs inside of the name is read so.
func Decode(datagram []byte, m Answer) error {
	err := read(datagram, m)
	if err == nil {
		return nil
	}
	switch m := m.(type) {
	case *Basic:
		if again := (Basic{NULs: true}); read(datagram, &again) == nil {
			*m = again
			return nil
		}
	case *Full:
		if again := (Full{NULs: true}); read(datagram, &again) == nil {
			*m = again
			return nil
		}
	}
	return err
}

func read(datagram []byte, m Answer) error {
	f := reading(datagram)
	m.fields(&f)
	return f.End()
}

// A Token answers a handshake. Source: protocol minecraft-query 4.
type Token struct {
	Session uint32
	Text    string // decimal
}

// Number returns the token as it is put into requests.
func (m *Token) Number() (int32, error) {
	n, err := strconv.ParseInt(m.Text, 10, 32)
	if err != nil {
		return 0, &Damage{Offset: HeaderBytes, Field: "token",
			Reason: fmt.Sprintf("expected a decimal number of 32 bits, found %q", m.Text)}
	}
	return int32(n), nil
}

func (m *Token) fields(f *fields) {
	f.expect(Handshake)
	f.session(&m.Session)
	f.text("token", &m.Text)
}

// Append appends the answer.
func (m *Token) Append(dst []byte) []byte {
	f := writing(dst, 0)
	m.fields(&f)
	return f.Written()
}

// GameType is the text of servers in the place of a game type.
const GameType = "SMP"

// Basic is the short answer. Source: protocol minecraft-query 5.1.
type Basic struct {
	Session uint32
	MOTD    string // the server's name
	Type    string // [GameType]
	Map     string
	Players string // decimal
	Slots   string // decimal
	Port    uint16 // of the game
	IP      string
	NULs    bool // NULs are inside of MOTD
}

func (m *Basic) fields(f *fields) {
	f.inside = m.NULs
	f.expect(Status)
	f.session(&m.Session)
	f.named("server name", &m.MOTD, GameType)
	f.text("game type", &m.Type)
	f.text("map", &m.Map)
	f.text("players", &m.Players)
	f.text("slots", &m.Slots)
	f.port(&m.Port)
	f.text("host address", &m.IP)
}

// Append appends the answer.
func (m *Basic) Append(dst []byte) []byte {
	f := writing(dst, 0)
	m.fields(&f)
	return f.Written()
}

// The keys of a full answer, in the order in which they are to be sent. Source: protocol minecraft-query 5.2.
const (
	KeyName    = "hostname"
	KeyType    = "gametype"
	KeyGame    = "game_id" // [GameID]
	KeyVersion = "version"
	KeyPlugins = "plugins"
	KeyMap     = "map"
	KeyPlayers = "numplayers" // also when fewer are listed
	KeySlots   = "maxplayers"
	KeyPort    = "hostport"
	KeyIP      = "hostip"

	GameID = "MINECRAFT"
)

// A Pair is a fact about the server. Its key is not empty.
type Pair struct{ Key, Value string }

func (p *Pair) fields(f *fields) {
	switch f.text("key", &p.Key); p.Key {
	case "":
	case KeyName:
		f.named("value", &p.Value, KeyType, KeyGame, KeyVersion, KeyPlugins, KeyMap, KeyPlayers, KeySlots, KeyPort, KeyIP)
	default:
		f.text("value", &p.Value)
	}
}

// The fixed parts of a full answer. Readers of the GameSpy family take the first one as "part 0, and last".
// Source: protocol minecraft-query 5.2.
const (
	fixedLead    = "splitnum\x00\x80\x00"
	fixedPlayers = "\x01player_\x00\x00"
)

// Part is which part of an answer a datagram has, from 0: others of the GameSpy family may answer in several. Only the
// first one can be read by itself.
func Part(datagram []byte) int {
	const at = HeaderBytes + len(splitText)
	if len(datagram) <= at || string(datagram[HeaderBytes:at]) != splitText {
		return 0
	}
	return int(datagram[at] & 0x7F)
}

const splitText = "splitnum\x00"

// Full is the long answer. Source: protocol minecraft-query 5.2.
type Full struct {
	Session uint32
	Lead    string // text of the first fixed part, if not the usual
	Pairs   []Pair
	Heading string // text of the second fixed part, if not the usual
	Players []string
	NULs    bool // NULs are inside of the value of [KeyName]
}

func (m *Full) fields(f *fields) {
	f.inside = m.NULs
	f.expect(Status)
	f.session(&m.Session)
	f.fixed("first fixed part", fixedLead, &m.Lead)
	f.pairs(&m.Pairs)
	f.fixed("second fixed part", fixedPlayers, &m.Heading)
	f.players(&m.Players)
}

// pairs are keys with values up to an empty key, which has no value. All are written, even beyond the limit.
func (f *fields) pairs(p *[]Pair) {
	limit := f.Limit
	f.Limit = 0
	cursor.List(&f.Fields, "pair", p, 0, func(pair *Pair) bool {
		pair.fields(f)
		return !empty(pair.Key)
	})
	if f.Limit = limit; !f.Reading() {
		f.Append(0)
	}
}

// empty reports whether nothing of a text is written.
func empty(s string) bool { return s == "" || s[0] == 0 }

// players are names up to an empty one. Those that do not fit into the limit, with that one, are left out.
func (f *fields) players(p *[]string) {
	cursor.List(&f.Fields, "player", p, 1, func(name *string) bool {
		f.text("name", name)
		return !empty(*name)
	})
	if !f.Reading() {
		f.Append(0)
	}
}

// Append appends the answer as it is, however long.
func (m *Full) Append(dst []byte) []byte { return m.AppendWithin(dst, 0) }

// AppendWithin appends the answer with as many players as limit bytes hold, 0 for all. Its other fields are written
// in any case. Source: protocol minecraft-query 8.
func (m *Full) AppendWithin(dst []byte, limit int) []byte {
	f := writing(dst, limit)
	m.fields(&f)
	return f.Written()
}

// sectionSign begins a formatting code: it and the character behind it are not shown.
const sectionSign = '§'

// WithoutFormatting returns a text without formatting codes.
func WithoutFormatting(s string) string {
	if !strings.ContainsRune(s, sectionSign) {
		return s
	}
	var b strings.Builder
	skip := false
	for _, r := range s {
		if !skip && r != sectionSign {
			b.WriteRune(r)
		}
		skip = !skip && r == sectionSign
	}
	return b.String()
}
