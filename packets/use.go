package packets

// Use asks to use the object.
type Use struct{ Player ObjectID } // who asks

var _ = fromClient(&contManCommands, 7, func(m *Use, f *fields) { f.walk(&m.Player) }, turn(1))

// UseOn asks to use the object on a target.
type UseOn struct {
	Player ObjectID // who asks
	Target ObjectID
}

var _ = fromClient(&contManCommands, 7, func(m *UseOn, f *fields) { f.walk(&m.Player, &m.Target) }, turn(2))

// Used answers [Use]: the client plays it.
type Used struct{ Player ObjectID } // who asked

var _ = fromServer(&contManCommands, 8, func(m *Used, f *fields) { f.walk(&m.Player) })

// BecomeUser follows [Use] when a bag is opened or somebody is spoken to.
type BecomeUser struct{ Player ObjectID } // who asks

var _ = fromClient(&contManCommands, 10, func(m *BecomeUser, f *fields) { f.walk(&m.Player) })

// TakeInHand asks to take an item into the main hand; [EmptyHand] empties it.
type TakeInHand struct{ Item ObjectID }

var _ = fromClient(&managerCommands, 4, func(m *TakeInHand, f *fields) { f.walk(&m.Item) })

// ReleaseUse lets the client use items again. It must be the first answer to every use, attack, take, drag and swap.
// Source: protocol ingame 13.1.
type ReleaseUse struct{}

var _ = fromServer(&managerCommands, 67, func(*ReleaseUse, *fields) {})
