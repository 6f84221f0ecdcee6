// Package mcquery is the Minecraft Query protocol: a server browser asks a game server over UDP for its name, map,
// version and players. A handshake comes first and brings a token, which proves that the client can receive at its
// address.
//
// Every message is a type with fields that are declared once, for reading and for writing. Texts are kept as the bytes
// that travel, and numbers in texts as those texts, so a message that was read is written as the same bytes again.
package mcquery

import (
	"slices"
	"strings"

	"sphereserver/packets/internal/cursor"
)

// A Kind is the subject of a message. Source: protocol minecraft-query 2.
type Kind byte

// The known kinds.
const (
	Handshake Kind = 9
	Status    Kind = 0
)

// SessionMask keeps the bits of a session number that every server copies into its answers. Others damage some of the
// rest. Source: protocol minecraft-query 6.
const SessionMask = 0x0F0F0F0F

// Lengths of requests in bytes. Source: protocol minecraft-query 2.
const (
	handshakeBytes = 7 // or more
	statusBytes    = 11
	fullBytes      = 15 // a status request of any other length is for the basic answer
	// HeaderBytes is the length of the head of every answer: its kind and session.
	HeaderBytes = 5
)

// A Damage is the place where a message stops to make sense.
type Damage = cursor.Damage

const magic0, magic1 = 0xFE, 0xFD

// fields is the cursor that walks over the fields of a message, declared once for both ways.
type fields struct {
	cursor.Fields
	inside bool // NULs are inside of the server's name
}

func reading(datagram []byte) fields {
	return fields{Fields: cursor.Fields{Cursor: cursor.Read(datagram, 0)}}
}

func writing(dst []byte, limit int) fields {
	return fields{Fields: cursor.Fields{Cursor: cursor.Write(dst, 0), Limit: limit}}
}

// had names the fault of a field of n bytes that is not there.
func (f *fields) had(field string, n int, ok bool) {
	if !ok {
		f.Damaged(field, "%d bytes expected, %d left", n, f.Left())
	}
}

// magic begins every request.
func (f *fields) magic() {
	if !f.Reading() {
		f.Append(magic0, magic1)
		return
	}
	f.Take(2) // the caller has looked at it
}

func (f *fields) kind(p *Kind)      { f.had("kind", 1, cursor.Little(&f.Cursor, p)) }
func (f *fields) session(p *uint32) { f.had("session", 4, cursor.Big32(&f.Cursor, p)) }
func (f *fields) token(p *int32)    { f.had("token", 4, cursor.Big32(&f.Cursor, p)) }

// port is the one little-endian number. Source: protocol minecraft-query 1.
func (f *fields) port(p *uint16) { f.had("host port", 2, cursor.Little(&f.Cursor, p)) }

// expect is a kind that is known before.
func (f *fields) expect(k Kind) {
	found := k
	if f.kind(&found); found != k {
		f.DamagedAt(0, "kind", "expected %d, found %d", byte(k), byte(found))
	}
}

// rest is all that is left.
func (f *fields) rest(p *[]byte) {
	if !f.Reading() {
		f.Append(*p...)
	} else if n := f.Left(); n > 0 {
		*p = f.Take(n)
	}
}

// text is bytes up to a NUL. One with a NUL inside is written up to that.
func (f *fields) text(name string, p *string) {
	if !f.Reading() {
		s, _, _ := strings.Cut(*p, "\x00")
		f.AppendNUL(s)
		return
	}
	n := f.UntilNUL()
	if n < 0 {
		f.Damaged(name, "no NUL in the %d bytes that are left", f.Left())
		return
	}
	*p = string(f.Take(n))
	f.Take(1)
}

// named is the server's name. With NULs inside it goes up to a NUL behind which a text of next comes.
func (f *fields) named(name string, p *string, next ...string) {
	if !f.inside {
		f.text(name, p)
		return
	}
	if !f.Reading() {
		f.AppendNUL(*p)
		return
	}
	for start := f.Offset(); ; {
		n := f.UntilNUL()
		if n < 0 {
			f.Damaged(name, "no end of a text with NULs inside")
			return
		}
		f.Take(n + 1)
		end := f.Offset()
		known := slices.Contains(next, string(f.Take(max(f.UntilNUL(), 0))))
		if f.Seek(end); known {
			f.Seek(start)
			*p = string(f.Take(end - 1 - start))
			f.Seek(end)
			return
		}
	}
}

// fixed is a text of fixed length. Other servers write something else than the usual one there: that is kept, and the
// empty text stands for the usual one.
func (f *fields) fixed(name, usual string, p *string) {
	if f.Reading() {
		b := f.Take(len(usual))
		if f.had(name, len(usual), b != nil); b != nil && string(b) != usual {
			*p = string(b)
		}
		return
	}
	if len(*p) == len(usual) {
		usual = *p
	}
	f.AppendText(usual)
}
