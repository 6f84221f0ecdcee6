package packets

import "math"

// HPBias is the zero of HP changes inside commands.
const HPBias = 30000

// ChangeHP changes a player's own HP without the animation of a hit. Other servers are known to send it, nobody has
// recorded it. Source: protocol ingame 4.1, 13.5.
type ChangeHP struct {
	Source ObjectID
	Change uint16 // [HPBias] and the addition
}

var _ = fromServer(&contManCommands, 9, func(m *ChangeHP, f *fields) { f.walk(&m.Source, &m.Change) }, of(ClassPlayer))

// ChangeObjectHP changes the HP of a monster or object by a blow; a change of 0 shows a miss. Source: protocol ingame
// 13.3.
type ChangeObjectHP struct {
	Attacker ObjectID
	Change   uint16 // [HPBias] and the addition
}

var _ = fromServer(&contManCommands, 13, func(m *ChangeObjectHP, f *fields) { f.walk(&m.Attacker, &m.Change) }, turn(1))

// HPChange is a change of HP as commands have it, cut to their range.
func HPChange(added int) uint16 { return uint16(min(max(HPBias+added, 0), math.MaxUint16)) }

// Dies plays the death of a monster; its removal follows. Nothing may be told of it afterwards. Source: protocol
// ingame 13.4.
type Dies struct {
	Killer  ObjectID
	Mission uint8 // 0, or [MissionTargetDies]
}

// MissionTargetDies is the last byte of the one recorded death that fulfilled a mission; that of the four others is
// 0. Its meaning is inferred. Source: protocol life 4.2, fight 1.2.
const MissionTargetDies = 0xFF

var _ = fromServer(&contManCommands, 13, func(m *Dies, f *fields) { f.walk(&m.Killer, &m.Mission) }, turn(2))

// ObjectHP sets the HP of a monster after a hit, every second time on the live service.
type ObjectHP struct {
	HP, MaxHP uint16
	Constant  uint16 // [ObjectHPConstant]
}

// ObjectHPConstant ends every recorded [ObjectHP]; its meaning is unknown.
const ObjectHPConstant = 0x0075

var _ = fromServer(&contManCommands, 13, func(m *ObjectHP, f *fields) { f.walk(&m.HP, &m.MaxHP, &m.Constant) }, turn(3))

// ReceiveHit changes the HP or MP of a player, with the animation and the text of its cause. Source: protocol ingame
// 13.5.
type ReceiveHit struct {
	Source uint16 // 0 none, 1 environment, 2 lack of air, 3 trap, else the id of the attacker
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

// Attack plays a monster's attack. Without a [ReceiveHit] behind it, it has missed. Source: protocol fight 4.5.
type Attack struct{ Animation uint32 } // [FirstSwing] or [SecondSwing], used alike

// The two animations of [Attack].
const (
	FirstSwing  = 0x1D
	SecondSwing = 0x1E
)

var _ = fromServer(&regionManagerCommands, 3, func(m *Attack, f *fields) { f.walk(&m.Animation) })

// AimPoint is where a monster aims; known by its number alone. Source: protocol ingame 4.4.
type AimPoint struct{ Data []byte } // layout unknown

var _ = fromServer(&regionManagerCommands, 1, func(m *AimPoint, f *fields) { f.walk(&m.Data) })

// FlyingWeapon flies from a monster behind a hit. Recorded; the name is that of the client's scripts. Source:
// protocol fight 4.5.
type FlyingWeapon struct {
	Target    ObjectID // of the hit
	EffectSet uint16   // number of the visual effect
}

var _ = fromServer(&tradeManCommands, 8, func(m *FlyingWeapon, f *fields) { f.walk(&m.Target, &m.EffectSet) })

// FistBlow is the client's blow at a target with the fist; blows with weapons are [UseOn].
type FistBlow struct{ Target ObjectID }

var _ = fromClient(&managerCommands, 10, func(m *FistBlow, f *fields) { f.walk(&m.Target) })

// Animation is a movement of the player's body, as its client tells.
//
// Number is 0x08 draw, 0x0C sheathe, 0x16 fists ready, 0x17 and 0x18 blows of fists, 0x09 and 0x0A of weapons.
type Animation struct{ Number uint8 }

var _ = fromClient(&managerCommands, 5, func(m *Animation, f *fields) { f.walk(&m.Number) })

// An AnimationState starts an animation of the object.
type AnimationState struct{ Animation uint8 } // 7 bits

var _ = region[AnimationState](everyClass, ClassPlayer)

func (*AnimationState) number() uint8      { return 3 }
func (m *AnimationState) fields(f *fields) { num(f, &m.Animation, 7) }
