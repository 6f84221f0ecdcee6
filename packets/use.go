package packets

import "math"

// Use asks to use the object that the region is about: to eat or drink it, to open it, to speak to it. Its answer is
// [Used], the end of the use lock, and whatever comes of it. Source: protocol ingame 4.1, 10.8.
type Use struct{ Player ObjectID } // the sender

var _ = fromClient(&contManCommands, 7, func(m *Use, f *fields) { f.walk(&m.Player) }, turn(1))

// UseOn asks to use the object on a target; the object of a blow is the weapon. Target 0 and 0xFFFFFF are no target.
// Source: protocol ingame 4.1, 13.2.
type UseOn struct {
	Player ObjectID // the sender
	Target ObjectID
}

var _ = fromClient(&contManCommands, 7, func(m *UseOn, f *fields) { f.walk(&m.Player, &m.Target) }, turn(2))

// UseOnMore is [UseOn] with more behind the target, of unknown meaning: a client of 2026 sends 11 bytes there with a
// blow. Whether they stand in the array or behind it is not known. Source: protocol fight 1.1, 15.
type UseOnMore struct {
	Player ObjectID // the sender
	Target ObjectID
	Rest   []byte // at least one
}

var _ = fromClient(&contManCommands, 7,
	func(m *UseOnMore, f *fields) { f.walk(&m.Player, &m.Target, &m.Rest) }, turn(3))

// AreaUse is the use of a powder that works on all around a target, as a client of 2026 asks for it. The number of its
// region is not known, so every number is taken for it that has no layout of its own. Source: protocol fight 1.1.
type AreaUse struct {
	Number  uint8    // of the region
	Unknown uint8    // 3 bits
	Player  ObjectID // the sender
	// Targets are the first target and the others that follow it, up to what cannot be an id of 16 bits.
	Targets []ObjectID
	Rest    Bits // layout unknown
}

const (
	areaLead    = 3
	areaID      = 24
	areaMinimum = areaLead + 2*areaID // bits
)

func (m *AreaUse) number() uint8 { return m.Number }
func (m *AreaUse) fields(f *fields) {
	num(f, &m.Unknown, areaLead)
	num(f, &m.Player, areaID)
	if f.mode == writing {
		each(f, m.Targets, areaID)
		writeBits(&f.w, m.Rest)
		return
	}
	m.Targets = []ObjectID{ObjectID(f.r.Uint(areaID))}
	for {
		if next, ok := f.r.Peek(areaID); !ok || next == 0 || next > math.MaxUint16 {
			break
		}
		m.Targets = append(m.Targets, ObjectID(f.r.Uint(areaID)))
	}
	m.Rest = readBits(&f.r, f.r.Left())
}

// Used answers [Use]: the client plays it.
type Used struct{ Player ObjectID } // the sender of [Use]

var _ = fromServer(&contManCommands, 8, func(m *Used, f *fields) { f.walk(&m.Player) })

// BecomeUser follows [Use] when the player opens a bag or speaks to a person.
type BecomeUser struct{ Player ObjectID } // the sender

var _ = fromClient(&contManCommands, 10, func(m *BecomeUser, f *fields) { f.walk(&m.Player) })

// TakeInHand asks to take an item into the main hand; [EmptyHand] empties it.
type TakeInHand struct{ Item ObjectID }

var _ = fromClient(&managerCommands, 4, func(m *TakeInHand, f *fields) { f.walk(&m.Item) })

// ReleaseUse lets the client use items again. It must be the first answer to every use, attack, take, drag and swap.
// Source: protocol ingame 13.1.
type ReleaseUse struct{}

var _ = fromServer(&managerCommands, 67, func(*ReleaseUse, *fields) {})
