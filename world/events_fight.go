package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Cause is the damage source of a [Hit] that no entity deals.
type Cause uint8

// The causes. Source: protocol fight 1.2.
const (
	NoCause Cause = iota
	Wrath         // of a zone of peace: the player has struck another there
	LackOfAir
	Trap
)

// A Hit is a loss or a gain of HP and MP of a player.
type Hit struct {
	By     EntityID // 0: Cause says it
	Owed   int64    // if By is 0: the character that has cast the effect and left
	Cause  Cause
	HP, MP int // added; HP below 0 hurts
}

// Events of fights that are pointers. Viewers are at least one, and include the player that an event is about if it
// is one of them.
type (
	// MonsterSwung tells that a monster has struck, or struck and missed. The target may be no viewer; a miss is
	// told only if there is a viewer.
	MonsterSwung struct {
		ID      EntityID
		Type    int // of the monster
		Target  PlayerID
		Missed  bool
		Hit     PlayerHit // of the target, unless it was missed
		Viewers []PlayerID
	}

	// MonsterHurt tells that a player has hit a monster, for 0 if it was missed or out of reach.
	MonsterHurt struct {
		ID      EntityID
		By      EntityID // a player
		Damage  int
		HP      int // now
		MaxHP   int
		Hits    int // that it has taken so far, this one among them if it is one
		Viewers []PlayerID
	}

	// MonsterDied tells that a monster is dead; it comes when the gains and the bag are durable, in one change, or the
	// store has failed for too long. The monster vanishes for its viewers without [Vanished], and the bag appears to
	// them without [ObjectAppeared].
	MonsterDied struct {
		ID      EntityID
		At      coords.Position
		Killer  PlayerID // 0: none
		Target  bool     // of a mission
		Gains   []Gain
		Bag     *Object // nil: none
		Viewers []PlayerID
	}
)

// A Gain is a player's gain of a kill, or of anything else.
type Gain struct {
	ID      PlayerID
	Was, Is Sheet
	Coins   int64
	Money   int64         // of the player now, if Coins is not 0
	Mission *MissionEnded // that it has fulfilled by it; nil: none
}

// Events of fights that are values.
type (
	// PlayerHit tells that a player was hurt or healed.
	PlayerHit struct {
		ID    PlayerID
		Hit   Hit
		Died  bool
		Pools rules.Pools // now
	}

	// Gained tells a player of a gain for which it sees no [MonsterDied].
	Gained struct {
		Gain Gain
		At   coords.Position // where it was earned
	}

	// Shot tells that a player has used up arrows: one, or more if the store was slow. The blows are told before it.
	Shot struct {
		ID    PlayerID
		Item  rules.Item // as it was before
		Left  int        // of the count; 0: it is no more
		Slots []SlotNow
	}

	// PlayerDied tells that a player is dead, after the deadly [PlayerHit]; Is is its sheet after its losses.
	PlayerDied struct {
		ID      PlayerID
		At      coords.Position
		By      EntityID
		Was, Is Sheet
	}

	// KillSeen tells viewers that a player has killed another.
	KillSeen struct {
		Victim, Killer string
		To             []PlayerID // at least one, the victim not among them
	}

	// PlayerRevived tells that a player lives again, and where. Its surroundings are told after it.
	PlayerRevived struct {
		ID    PlayerID
		To    coords.Position
		Pools rules.Pools
	}

	// EffectBegan tells that an effect on a player has begun.
	EffectBegan struct {
		ID     PlayerID
		Effect rules.Effect
		Caster PlayerID // 0: not in the world
	}

	// EffectEnded tells that an effect on a player has ended.
	EffectEnded struct {
		ID     PlayerID
		Effect rules.Effect
	}

	// Healed tells that a spell or a potion has healed, or has given MP.
	Healed struct {
		ID     PlayerID
		By     PlayerID
		HP, MP int // added
	}
)

func (*MonsterSwung) event() {}
func (*MonsterHurt) event()  {}
func (*MonsterDied) event()  {}
func (PlayerHit) event()     {}
func (Gained) event()        {}
func (Shot) event()          {}
func (PlayerDied) event()    {}
func (KillSeen) event()      {}
func (PlayerRevived) event() {}
func (EffectBegan) event()   {}
func (EffectEnded) event()   {}
func (Healed) event()        {}
