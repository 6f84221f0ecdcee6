package packets

// HPBias is what HP changes inside commands are counted from.
const HPBias = 30000

// ChangeHP changes a player's own HP without a hit.
type ChangeHP struct {
	Source ObjectID
	Change uint16 // [HPBias] and what is added
}

var _ = fromServer(&contManCommands, 9, func(m *ChangeHP, f *fields) { f.walk(&m.Source, &m.Change) }, of(ClassPlayer))

// ChangeObjectHP changes the HP of a monster or object.
type ChangeObjectHP struct {
	Attacker ObjectID
	Change   uint16 // [HPBias] and what is added
}

var _ = fromServer(&contManCommands, 13, func(m *ChangeObjectHP, f *fields) { f.walk(&m.Attacker, &m.Change) }, turn(1))

// Dies plays the death of a monster.
type Dies struct {
	Killer  ObjectID
	Unknown uint8 // 0 on the live service
}

var _ = fromServer(&contManCommands, 13, func(m *Dies, f *fields) { f.walk(&m.Killer, &m.Unknown) }, turn(2))

// ObjectHP sets the HP of a monster after a hit.
type ObjectHP struct {
	HP, MaxHP uint16
	Unknown   uint16 // 0x0075
}

var _ = fromServer(&contManCommands, 13, func(m *ObjectHP, f *fields) { f.walk(&m.HP, &m.MaxHP, &m.Unknown) }, turn(3))

// ReceiveHit changes the HP or MP of a player, with the animation and the text of its cause. Source: protocol ingame
// 13.5.
type ReceiveHit struct {
	Source uint16 // 0 nobody, 1 environment, 2 lack of air, 3 trap, else the id of the attacker
	HP     int32  // varint, added to HP
	MP     int32  // varint, added to MP
	Flags  uint8  // 3 bits: 0 normal, 7 dies, 6 revived
}

var _ = region[ReceiveHit](ClassPlayer)

// Flags of [ReceiveHit].
const (
	HitRevives = 6
	HitKills   = 7
)

func (*ReceiveHit) number() uint8 { return 8 }
func (m *ReceiveHit) fields(f *fields) {
	num(f, &m.Source, 16)
	f.varint(&m.HP)
	f.varint(&m.MP)
	num(f, &m.Flags, 3)
}

// Attack plays a monster's attack.
type Attack struct{ Animation uint32 } // 0x1D or 0x1E

var _ = fromServer(&regionManagerCommands, 3, func(m *Attack, f *fields) { f.walk(&m.Animation) })

// FlyingWeapon follows a hit of a monster on a player. Recorded; the name is that of the client's scripts.
type FlyingWeapon struct {
	Player  ObjectID // who is hit
	Unknown uint16
}

var _ = fromServer(&tradeManCommands, 8, func(m *FlyingWeapon, f *fields) { f.walk(&m.Player, &m.Unknown) })

// FistBlow is the client's blow at a target with the fist; blows with weapons are [UseOn].
type FistBlow struct{ Target ObjectID }

var _ = fromClient(&managerCommands, 10, func(m *FistBlow, f *fields) { f.walk(&m.Target) })

// Animation is what the player's body does, as its client tells.
//
// Number is 0x08 draw, 0x0C sheathe, 0x16 fists ready, 0x17 and 0x18 blows of fists, 0x09 and 0x0A of weapons.
type Animation struct{ Number uint8 }

var _ = fromClient(&managerCommands, 5, func(m *Animation, f *fields) { f.walk(&m.Number) })

// An AnimationState starts an animation of the object.
type AnimationState struct{ Animation uint8 } // 7 bits

var _ = region[AnimationState](everyClass, ClassPlayer)

func (*AnimationState) number() uint8      { return 3 }
func (m *AnimationState) fields(f *fields) { num(f, &m.Animation, 7) }
