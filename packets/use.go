package packets

// Use asks to use the object.
type Use struct{ Player ObjectID } // who asks

var _ = fromClient(&contManCommands, 7, command[Use](), turn(1))

func (m *Use) fields(f *fields) { f.id24(&m.Player) }

// UseOn asks to use the object on a target.
type UseOn struct {
	Player ObjectID // who asks
	Target ObjectID
}

var _ = fromClient(&contManCommands, 7, command[UseOn](), turn(2))

func (m *UseOn) fields(f *fields) {
	f.id24(&m.Player)
	f.id24(&m.Target)
}

// Used answers [Use]: the client plays it.
type Used struct{ Player ObjectID } // who asked

var _ = fromServer(&contManCommands, 8, command[Used]())

func (m *Used) fields(f *fields) { f.id24(&m.Player) }

// BecomeUser follows [Use] when a bag is opened or somebody is spoken to.
type BecomeUser struct{ Player ObjectID } // who asks

var _ = fromClient(&contManCommands, 10, command[BecomeUser]())

func (m *BecomeUser) fields(f *fields) { f.id24(&m.Player) }

// TakeInHand asks to take an item into the main hand; [EmptyHand] empties it.
type TakeInHand struct{ Item ObjectID }

var _ = fromClient(&managerCommands, 4, command[TakeInHand]())

func (m *TakeInHand) fields(f *fields) { f.id24(&m.Item) }

// ReleaseUse lets the client use items again. It must be the first answer to every use, attack, take, drag and swap.
//
// Source: protocol ingame 13.1.
type ReleaseUse struct{}

var _ = fromServer(&managerCommands, 67, command[ReleaseUse]())

func (*ReleaseUse) fields(*fields) {}
