package ase

import "strings"

// An EYE2 is the answer for Multi Theft Auto's own server browser: names only of the players. Source: protocol ase 5.
type EYE2 struct {
	Game        string
	Port        string // decimal
	Name        string
	Type        string
	Map         MapBlock
	Version     string
	Password    byte // 1 if one is needed
	SerialCheck byte // 1 if the numbers of clients are verified
	Players     byte // at most 255, see Counts
	Slots       byte // at most 255
	// Names has one for each player; those for which there was no room are empty.
	Names []string
}

// An EYE3 is the shortest answer. Source: protocol ase 6.
type EYE3 struct {
	Game     string
	Name     string
	Type     string
	Map      MapBlock
	Version  string
	Password byte // 1 if one is needed
	Players  byte // at most 255, see Counts
	Slots    byte // at most 255
}

// A MapBlock is the name of the map with facts behind it in the same text. Source: protocol ase 5.1.
type MapBlock struct {
	Map   string
	Facts []string // at index [Counts] and so on; older servers send fewer
}

// A Fact is the index of a fact in a map block.
type Fact int

// The facts. EYE3 has the first one only.
const (
	Counts      Fact = iota // "10/15": players and slots, which may be above 255
	BuildType               // one of the builds, "1" if absent
	BuildNumber             // "0" if unknown or absent
	PingStatus              // opaque; empty when we write it
	Route                   // opaque; empty when we write it
	Uptime                  // seconds
	HTTPPort                // of the download service, "0" if there is none
)

// ReleaseBuild is the build type of a release.
const ReleaseBuild = "9"

const (
	// maxBlock is the longest text of a block that is written.
	maxBlock = 250
	maxCount = 65535
	// browserLimit keeps an EYE2 from being fragmented. Source: protocol ase 5.2.
	browserLimit = 1340
)

// Fact returns a fact; false when the block has none.
func (b *MapBlock) Fact(i Fact) (text string, ok bool) {
	if int(i) >= len(b.Facts) {
		return "", false
	}
	return b.Facts[i], true
}

// counts returns the counts of the block where it has good ones, and else those of the bytes.
func (b *MapBlock) counts(players, slots byte) (int, int, bool) {
	text, _ := b.Fact(Counts)
	have, of, _ := strings.Cut(text, "/")
	p, ok1 := number(have)
	s, ok2 := number(of)
	if ok1 && ok2 && p >= 0 && p <= maxCount && s >= 0 && s <= maxCount {
		return p, s, true
	}
	return int(players), int(slots), true
}

// Header is "EYE2".
func (m *EYE2) Header() string { return "EYE2" }

// Header is "EYE3".
func (m *EYE3) Header() string { return "EYE3" }

// Counts implements [Answer].
func (m *EYE2) Counts() (players, slots int, ok bool) { return m.Map.counts(m.Players, m.Slots) }

// Counts implements [Answer].
func (m *EYE3) Counts() (players, slots int, ok bool) { return m.Map.counts(m.Players, m.Slots) }

func (m *EYE2) fields(f *fields) {
	f.text("game", &m.Game)
	f.text("game port", &m.Port)
	f.text("server name", &m.Name)
	f.text("game type", &m.Type)
	f.block(&m.Map)
	f.text("version", &m.Version)
	f.byte("password", &m.Password)
	f.byte("serial check", &m.SerialCheck)
	f.byte("players", &m.Players)
	f.byte("slots", &m.Slots)
	f.names(&m.Names)
}

func (m *EYE3) fields(f *fields) {
	f.text("game", &m.Game)
	f.text("server name", &m.Name)
	f.text("game type", &m.Type)
	f.block(&m.Map)
	f.text("version", &m.Version)
	f.byte("password", &m.Password)
	f.byte("players", &m.Players)
	f.byte("slots", &m.Slots)
}

// separator stands between the parts of a map block.
const separator = "\x00"

// block is a map block: texts joined by NUL in one text. Source: protocol ase 5.1.
func (f *fields) block(p *MapBlock) {
	if f.Reading() {
		var text string
		if f.text("map block", &text); f.Err() == nil {
			parts := strings.Split(text, separator)
			p.Map, p.Facts = parts[0], parts[1:]
		}
		return
	}
	facts, room := p.Facts, maxBlock
	for i, fact := range facts {
		if room -= len(fact) + 1; room < 0 {
			room += len(fact) + 1
			facts = facts[:i]
			break
		}
	}
	text := withoutNUL(cut(p.Map, room))
	for _, fact := range facts {
		text += separator + withoutNUL(fact)
	}
	f.text("map block", &text)
}

func withoutNUL(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// names are texts up to the end of the datagram. Under a limit the later ones become empty, and when even that is too
// much they end. Source: protocol ase 5.2.
func (f *fields) names(p *[]string) {
	left, budget := len(*p), f.Limit-f.Offset()
	players(f, p, "name", func(name *string) {
		if budget -= len(cut(*name, maxText)) + 1; f.Limit > 0 && budget < left {
			name = new(string)
		}
		left--
		f.text("name", name)
	})
}

// Append appends the answer as it is, however long.
func (m *EYE2) Append(dst []byte) []byte { return m.append(dst, 0) }

// AppendWithin appends the answer in at most 1,340 bytes: there is an entry for each player, but an empty one if
// there is no room for the name. Of more players than there are bytes the last have no entry.
func (m *EYE2) AppendWithin(dst []byte) []byte { return m.append(dst, browserLimit) }

func (m *EYE2) append(dst []byte, limit int) []byte {
	f := writing(dst, "EYE2", limit)
	m.fields(&f)
	return f.Written()
}

// Append appends the answer.
func (m *EYE3) Append(dst []byte) []byte {
	f := writing(dst, "EYE3", 0)
	m.fields(&f)
	return f.Written()
}
