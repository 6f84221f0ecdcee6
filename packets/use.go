package packets

import "sphereserver/bitpack"

// Use asks to use the object.
type Use struct{ Player ObjectID } // the sender

var _ = fromClient(&contManCommands, 7, func(m *Use, f *fields) { f.walk(&m.Player) }, turn(1))

// UseOn asks to use the object on a target.
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

// AreaUse reads the message of a client of 2026 for the use of a powder that works on all around a target. The number
// of its region is not known; the player stands in it behind 3 bits, and then the first target. Source: protocol
// fight 1.1.
func AreaUse(class Class, region Region) (*UseOn, bool) {
	const lead = 3
	u, ok := region.(*UnknownRegion)
	if !ok || class != ClassAreaPowder || u.Data.Len < lead+2*24 {
		return nil, false
	}
	r := bitpack.NewReader(u.Data.Data)
	r.Seek(lead)
	m := &UseOn{Player: ObjectID(r.Uint(24))}
	m.Target = ObjectID(r.Uint(24))
	return m, true
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
