package w3gs

import (
	"fmt"

	"sphereserver/packets/internal/cursor"
)

// Settings of a game. Source: protocol w3gs 3.1.
type Settings uint32

// The settings that a host looks at; the others are the clients'.
const (
	ObserversOnDefeat Settings = 0x2000
	ObserversFull     Settings = 0x3000
	ObserversReferees Settings = 0x40000000
	RandomRaces       Settings = 0x4000000
	// UsualSettings is the settings of most games: fast, and the map's own terrain.
	UsualSettings Settings = 0x2 | 0x800
)

// JoinableObservers reports whether a player may join as an observer.
func (s Settings) JoinableObservers() bool {
	return s&ObserversReferees != 0 || s&ObserversFull == ObserversFull
}

// A Stat is a game's description of itself in the encoded stat string of its announcement. Source: protocol w3gs 3.1.
type Stat struct {
	Settings Settings
	Filler   uint8  // 0; 1 and 2 have been seen
	Width    uint16 // of the map, playable
	Height   uint16
	Check    uint32 // of the map's contents, "xoro"
	Path     string // of the map, with backslashes
	Host     string // name
	SHA1     [20]byte
	// NoSHA1 leaves the last field out, as versions before 1.23 do and some hosts still.
	NoSHA1 bool
}

const maxFiller = 2

func (m *Stat) fields(f *fields) {
	num(f, &m.Settings)
	num(f, &m.Filler)
	if m.Filler > maxFiller {
		f.failAt(f.Offset()-1, fmt.Errorf("expected 0 to %d, found %d", maxFiller, m.Filler))
	}
	num(f, &m.Width)
	num(f, &m.Height)
	num(f, &m.Check)
	f.text(&m.Path, 0, maxPlainStat)
	f.text(&m.Host, 0, maxPlainStat)
	known[uint8](f, 0)
	if f.Reading() {
		m.NoSHA1 = f.Left() == 0
		m.SHA1 = [20]byte{}
	}
	if !m.NoSHA1 {
		f.bytes(m.SHA1[:])
	}
}

// Lengths of an encoded stat string without its NUL, and of its content. Source: protocol w3gs 3.2.
const (
	minEncodedStat = 16
	maxEncodedStat = 512
	maxPlainStat   = maxEncodedStat * 7 / 8
)

// statGroup is how many bytes share a control byte.
const statGroup = 7

// AppendEncoded appends bytes so that none of them is 0, and a 0 behind them: groups of 7, before each a byte with
// bits 1 to 7 that say which of them were odd, all of them odd now. Source: protocol w3gs 3.2.
func AppendEncoded(dst, plain []byte) []byte {
	for len(plain) > 0 {
		group := plain[:min(statGroup, len(plain))]
		plain = plain[len(group):]
		encoded := [1 + statGroup]byte{1}
		for i, b := range group {
			encoded[0] |= b & 1 << (i + 1)
			encoded[1+i] = b | 1
		}
		dst = append(dst, encoded[:1+len(group)]...)
	}
	return append(dst, 0)
}

// AppendDecoded appends the content of encoded, which has no NUL. Source: protocol w3gs 3.2.
func AppendDecoded(dst, encoded []byte) ([]byte, error) {
	start := len(dst)
	var control byte
	for i, b := range encoded {
		k := i % (statGroup + 1)
		switch {
		case b&1 == 0:
			return dst[:start], &FieldError{Part: encodedPart, Offset: i, Err: fmt.Errorf("expected an odd byte, found 0x%02X",
				b)}
		case k == 0:
			control = b
			if n := len(encoded) - i - 1; n < statGroup && control>>(n+1) != 0 {
				return dst[:start], &FieldError{Part: encodedPart, Offset: i,
					Err: fmt.Errorf("expected marks for %d bytes, found 0x%02X", n, b)}
			}
		default:
			dst = append(dst, b-1+control>>k&1)
		}
	}
	if n := len(encoded); n%(statGroup+1) == 1 {
		return dst[:start], &FieldError{Part: encodedPart, Offset: n - 1,
			Err: fmt.Errorf("expected a byte behind the last control byte, found none")}
	}
	return dst, nil
}

const (
	encodedPart = "encoded stat string"
	plainPart   = "stat string"
)

// stat is the encoded form of a Stat with its NUL.
func (f *fields) stat(m *Stat) {
	if !f.Reading() {
		at := f.Offset()
		f.inside(m, cursor.Write(f.scratch[:0], 0))
		f.Appended(AppendEncoded(f.Written(), f.scratch))
		if n := f.Offset() - at - 1; n > maxEncodedStat {
			f.failAt(at, fmt.Errorf("expected a stat string of at most %d bytes, found %d", maxEncodedStat, n))
		}
		return
	}
	n := f.UntilNUL()
	if n < 0 {
		f.fail("stat string has no end")
		return
	}
	if !f.bounded("a stat string", n, minEncodedStat, maxEncodedStat) {
		return
	}
	plain, err := AppendDecoded(f.scratch[:0], f.Take(n))
	if f.Take(1); err != nil {
		f.Fail(err)
		return
	}
	f.inside(m, cursor.Read(plain, 0))
}

// inside walks over a Stat by itself. Its bytes are kept, and its failure is the packet's.
func (f *fields) inside(m *Stat, c cursor.Cursor) {
	outer := f.Cursor
	f.Cursor, f.part = c, plainPart
	m.fields(f)
	f.end()
	err := f.Err()
	f.scratch = f.Written()
	f.Cursor, f.part = outer, ""
	if err != nil {
		f.Fail(err)
	}
}
