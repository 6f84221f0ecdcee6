// Package ase is the All-Seeing Eye protocol, by which a server browser asks a game server for its name, map, rules and
// players: one datagram of a byte or more there, one datagram back.
//
// Every kind of answer is a type with fields that are declared once, for reading and for writing. Texts are kept as
// the bytes that travel, and numbers as the texts that they are on the wire, so an answer that was read is written as
// the same bytes again.
package ase

import (
	"fmt"
	"regexp"

	"sphereserver/packets/internal/cursor"
)

// DefaultPortOffset is added to a game's port to get the port of its queries. Source: protocol ase 1.
const DefaultPortOffset = 123

// A Query is the first byte of a request, which says which answer it wants. The rest of a request means nothing.
// Source: protocol ase 3.
type Query byte

// The known queries.
const (
	AskEYE1    Query = 's' // everything
	AskEYE2    Query = 'r' // as Multi Theft Auto's own browser shows it
	AskEYE2Old Query = 'b' // the same, an older alias
	AskEYE3    Query = 'x' // least of all
	AskVersion Query = 'v' // the bare text of the version
)

// ParseQuery returns the query of a request; false for anything else. The letters' case matters.
func ParseQuery(datagram []byte) (q Query, ok bool) {
	if len(datagram) == 0 {
		return 0, false
	}
	switch q = Query(datagram[0]); q {
	case AskEYE1, AskEYE2, AskEYE2Old, AskEYE3, AskVersion:
		return q, true
	}
	return q, false
}

// Append appends the request.
func (q Query) Append(dst []byte) []byte { return append(dst, byte(q)) }

// An Answer is one of [EYE1], [EYE2] and [EYE3]. The answer to [AskVersion] has no structure: it is the text.
type Answer interface {
	// Header is the name in the first four bytes.
	Header() string
	// Append appends the answer, however long it gets.
	Append(dst []byte) []byte
	// Counts returns the players in the game and the slots; false when one of them is not a number.
	Counts() (players, slots int, ok bool)

	fields(f *fields)
}

// Decode reads an answer. When it is damaged, the part before the damage comes with the error, a [*Damage]. Without a
// known header there is no answer at all. Source: protocol ase 10.
func Decode(datagram []byte) (Answer, error) {
	least, header := headerBytes, string(datagram[:min(len(datagram), headerBytes)])
	if header == "EYE2" {
		least = minEYE2
	}
	if n := len(datagram); n < least {
		return nil, &Damage{Offset: n, Field: "header", Reason: fmt.Sprintf("%d bytes, at least %d expected", n, least)}
	}
	var m Answer
	switch header {
	case "EYE1":
		return decodeEYE1(datagram)
	case "EYE2":
		m = new(EYE2)
	case "EYE3":
		m = new(EYE3)
	default:
		return nil, &Damage{Field: "header", Reason: fmt.Sprintf("expected EYE1, EYE2 or EYE3, found %q", header)}
	}
	return m, read(datagram, m)
}

// minEYE2 is the length under which no EYE2 is worth reading. Source: protocol ase 10.
const minEYE2 = 15

// A Damage is the place where an answer stops to make sense.
type Damage = cursor.Damage

// decodeEYE1 reads an answer, if need be as one without rules.
func decodeEYE1(datagram []byte) (*EYE1, error) {
	m := new(EYE1)
	err := read(datagram, m)
	if err == nil {
		return m, nil
	}
	bare := &EYE1{WithoutRules: true}
	if read(datagram, bare) == nil && len(bare.List) > 0 {
		return bare, nil
	}
	return m, err
}

func read(datagram []byte, m Answer) error {
	// The caller has looked at the header.
	f := fields{cursor.Fields{Cursor: cursor.Read(datagram, headerBytes)}, string(datagram)}
	m.fields(&f)
	return f.End()
}

// colours are the codes for colours in the names of games that have them: "#RRGGBB" in Multi Theft Auto, "$" and a
// digit in Far Cry. Source: protocol ase 8.
var colours = map[string]*regexp.Regexp{
	"mta":    regexp.MustCompile(`#[0-9A-Fa-f]{6}`),
	"farcry": regexp.MustCompile(`\$[0-9]`),
}

// WithoutColours returns a name of a game without that game's codes for colours, or the name itself when nothing else
// is in it. Names of other games are returned as they are.
func WithoutColours(game, name string) string {
	if codes := colours[game]; codes != nil {
		if plain := codes.ReplaceAllLiteralString(name, ""); plain != "" {
			return plain
		}
	}
	return name
}
