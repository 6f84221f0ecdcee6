package ase

import "sphereserver/packets/internal/cursor"

// splitSize is the length that marks a part of a split answer in the original scheme: an answer of this length is
// lost on the clients that know the scheme. Source: protocol ase 9.
const splitSize = 1364

// An EYE1 is the full answer, which every general server browser asks for. Source: protocol ase 4.
type EYE1 struct {
	Game     string // short name, "farcry"
	Port     string // decimal, where players join
	Name     string
	Type     string // of the game
	Map      string
	Version  string
	Password string // "1" if one is needed, else "0"
	Players  string // decimal: in the game now, also when fewer are listed
	Slots    string // decimal
	// WithoutRules is an answer that goes from the slots straight to the players, as one description has it. Known
	// servers always send the end of the rules, and known clients need it.
	WithoutRules bool
	Rules        []Rule
	List         []Player
}

// A Rule is a setting that the server tells. Its key is not empty.
type Rule struct{ Key, Value string }

// Flags say which texts a player's record has.
type Flags byte

// The flags, in the order of the texts. Other bits mean nothing.
const (
	HasName Flags = 1 << iota
	HasTeam
	HasSkin
	HasScore
	HasPing
	HasTime

	AllFlags = HasName | HasTeam | HasSkin | HasScore | HasPing | HasTime
)

// A Player is one record of the list. Source: protocol ase 4.1.
type Player struct {
	Flags Flags // 0 is written as [AllFlags]
	Name  string
	Team  string
	Skin  string
	Score string // usually decimal
	Ping  string // usually decimal, milliseconds
	Time  string // free text: "8m", "120"
}

// Header is "EYE1".
func (m *EYE1) Header() string { return "EYE1" }

// Locked reports whether a password is needed.
func (m *EYE1) Locked() bool { return m.Password != "" && m.Password != "0" }

// Counts implements [Answer].
func (m *EYE1) Counts() (players, slots int, ok bool) {
	players, ok1 := number(m.Players)
	slots, ok2 := number(m.Slots)
	return players, slots, ok1 && ok2
}

func (m *EYE1) fields(f *fields) {
	f.text("game", &m.Game)
	f.text("game port", &m.Port)
	f.text("server name", &m.Name)
	f.text("game type", &m.Type)
	f.text("map", &m.Map)
	f.text("version", &m.Version)
	f.text("password", &m.Password)
	f.text("players", &m.Players)
	f.text("slots", &m.Slots)
	if !m.WithoutRules {
		f.rules(&m.Rules)
	}
	players(f, &m.List, "flags", func(p *Player) { p.fields(f) })
}

func (r *Rule) fields(f *fields) {
	f.text("key", &r.Key)
	if r.Key != "" { // an empty key ends the rules, and has no value
		f.text("value", &r.Value)
	}
}

func (p *Player) fields(f *fields) {
	at, flags := f.Offset(), p.Flags
	if !f.Reading() && flags == 0 {
		flags = AllFlags
	}
	if f.byte("flags", (*byte)(&flags)); f.Reading() {
		p.Flags = flags
	}
	names := [...]string{"name", "team", "skin", "score", "ping", "time"}
	for i, text := range [...]*string{&p.Name, &p.Team, &p.Skin, &p.Score, &p.Ping, &p.Time} {
		if flags&(1<<i) != 0 {
			f.text(names[i], text)
		}
	}
	if f.Reading() && flags&AllFlags == 0 {
		f.DamagedAt(at, "flags", "%02X names no text", byte(flags))
	}
}

// rules are keys with values up to an empty key. Those that do not fit into the limit are left out.
func (f *fields) rules(p *[]Rule) {
	cursor.List(&f.Fields, "rule", p, 1, func(r *Rule) bool {
		r.fields(f)
		return r.Key != ""
	})
	if !f.Reading() {
		new(Rule).fields(f)
	}
}

// maxRecords bounds the records read of one answer: more players than any known server has.
const maxRecords = 1 << 14

// players is a list of players up to the end of the datagram, or of the limit. The first field of a record is named.
func players[T any](f *fields, p *[]T, first string, record func(*T)) {
	cursor.List(&f.Fields, "player", p, 0, func(player *T) bool {
		if f.Reading() && f.Left() == 0 {
			return false
		}
		at := f.Offset()
		if record(player); f.Reading() && len(*p) == maxRecords {
			f.DamagedAt(at, first, "more than %d players", maxRecords)
		}
		return true
	})
}

// Append appends the answer as it is, however long.
func (m *EYE1) Append(dst []byte) []byte { return m.append(dst, 0) }

func (m *EYE1) append(dst []byte, limit int) []byte {
	f := writing(dst, "EYE1", limit)
	m.fields(&f)
	return f.Written()
}

// AppendWithin appends the answer with as many rules and then players as limit bytes hold. Its other fields are
// written in any case. Its length is never the one that clients take for a part of an answer. Source: protocol ase 9.
func (m *EYE1) AppendWithin(dst []byte, limit int) []byte {
	out := m.append(dst, limit)
	if len(out)-len(dst) == splitSize {
		out = m.append(dst, splitSize-1)
	}
	return out
}
