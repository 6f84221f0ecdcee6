package w3gs

import (
	"fmt"

	"sphereserver/packets/internal/cursor"
)

// Settings of a game.
//
// Source: protocol w3gs 3.1.
type Settings uint32

// The settings. Speed is one of three; the others are bits.
const (
	SpeedSlow   Settings = 0
	SpeedNormal Settings = 1
	SpeedFast   Settings = 2
	speedMask   Settings = 0xF

	TerrainHidden   Settings = 0x100
	TerrainExplored Settings = 0x200
	TerrainVisible  Settings = 0x400
	TerrainDefault  Settings = 0x800

	ObserversOnDefeat Settings = 0x2000
	ObserversFull     Settings = 0x3000
	ObserversReferees Settings = 0x40000000
	observersMask     Settings = 0x40003000

	TeamsTogether     Settings = 0x4000
	FixedTeams        Settings = 0x60000
	SharedUnitControl Settings = 0x1000000
	RandomHero        Settings = 0x2000000
	RandomRaces       Settings = 0x4000000

	// UsualSettings is what most games have: fast, and the map's own terrain.
	UsualSettings = SpeedFast | TerrainDefault
)

// Speed is one of the three speeds, or a number that is none.
func (s Settings) Speed() Settings { return s & speedMask }

// Observers is who may watch: ObserversOnDefeat, ObserversFull, ObserversReferees or 0 for nobody.
func (s Settings) Observers() Settings { return s & observersMask }

// JoinableObservers says whether somebody may join as an observer.
func (s Settings) JoinableObservers() bool {
	o := s.Observers()
	return o == ObserversFull || o&ObserversReferees != 0
}

// A Stat is what a game tells of itself in the encoded stat string of its announcement.
//
// Source: protocol w3gs 3.1.
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
	u32(f, &m.Settings)
	u8(f, &m.Filler)
	if m.Filler > maxFiller {
		f.failAt(f.Offset()-1, fmt.Errorf("expected 0 to %d, found %d", maxFiller, m.Filler))
	}
	u16(f, &m.Width)
	u16(f, &m.Height)
	u32(f, &m.Check)
	f.text(&m.Path, 0, maxPlainStat)
	f.text(&m.Host, 0, maxPlainStat)
	f.zero8()
	if f.Reading() {
		m.NoSHA1 = f.Left() == 0
		m.SHA1 = [20]byte{}
	}
	if !m.NoSHA1 {
		f.bytes(m.SHA1[:])
	}
}

// Lengths of an encoded stat string without its NUL, and of what it holds.
//
// Source: protocol w3gs 3.2.
const (
	minEncodedStat = 16
	maxEncodedStat = 512
	maxPlainStat   = maxEncodedStat * 7 / 8
)

// statGroup is how many bytes share a control byte.
const statGroup = 7

// AppendEncoded appends bytes so that none of them is 0, and a 0 behind them: groups of 7, before each a byte whose
// bits 1 to 7 say which of them were odd, all of them odd now.
//
// Source: protocol w3gs 3.2.
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

// AppendDecoded appends what encoded, which has no NUL, stands for.
//
// Source: protocol w3gs 3.2.
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
	inner := pool.Get().(*fields)
	defer pool.Put(inner)
	if !f.Reading() {
		inner.to(cursor.Write(inner.scratch[:0], 0), plainPart)
		m.fields(inner)
		if err := inner.Err(); err != nil {
			f.Fail(err)
		}
		at, plain := f.Offset(), inner.Written()
		f.Appended(AppendEncoded(f.Written(), plain))
		if n := f.Offset() - at - 1; n > maxEncodedStat {
			f.failAt(at, fmt.Errorf("expected a stat string of at most %d bytes, found %d", maxEncodedStat, n))
		}
		inner.scratch = plain[:0]
		inner.to(cursor.Cursor{}, "")
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
	plain, err := AppendDecoded(inner.scratch[:0], f.Take(n))
	f.Take(1)
	if err == nil {
		inner.to(cursor.Read(plain, 0), plainPart)
		m.fields(inner)
		if left := inner.Left(); left > 0 {
			inner.fail("expected the end, %d bytes are left", left)
		}
		err = inner.Err()
	}
	if err != nil {
		f.Fail(err)
	}
	inner.scratch = plain[:0]
	inner.to(cursor.Cursor{}, "")
}
