package world

import (
	"time"

	"sphereserver/world/rules"
)

// Strike is a blow: at a monster, a player or oneself, with what is in the hand, or with fists. What happens is told by
// *[MonsterHurt], [PlayerHit] and what follows from them; a blow that does not count is told by [Refused].
type Strike struct {
	ID     PlayerID
	With   rules.ItemID // 0: fists
	Target EntityID
}

func (c Strike) who() PlayerID { return c.ID }

func (c Strike) ask(w *World, p *player) rules.RejectReason { return rules.NoUse }

// A blow is one attack at one target.
type blow struct {
	attack rules.Attack
	school rules.School // as which it counts
	reach  float64      // metres beyond which it does not reach; 0: it always does
}

// mayStrike finds whom a player strikes, whatever with, and says why it may not. It asks neither how far away that is
// nor when the player has struck last.
func (w *World) mayStrike(p *player, id EntityID) (*entity, rules.RejectReason) {
	return nil, rules.NoTarget
}

// strikeWith lets a blow fall at what [World.mayStrike] has found: chance is asked, whom it hits is hurt, and all that is
// told. It returns the damage, 0 if it has missed; the target may be dead or gone after it.
func (w *World) strikeWith(p *player, at *entity, b blow) (damage int) { return 0 }

// tooSoon says whether a player struck so short a time ago that something of a use time does not count yet, and
// otherwise that it strikes now.
func (w *World) tooSoon(p *player, use time.Duration) bool { return false }

// swing is a monster's blow at a player. It is the one way from minds into blows.
func (w *World) swing(m *monster, at *player) {}

// A Cause is who or what hurts or heals a player, when it is nobody with an [EntityID].
type Cause uint8

// The causes, with the numbers of the wire. Source: protocol fight 1.2.
const (
	NoCause     Cause = 0
	Environment Cause = 1
	LackOfAir   Cause = 2
	Trap        Cause = 3
)

// A Hit is what hurts or heals a player.
type Hit struct {
	By     EntityID // 0: Cause says it
	Cause  Cause
	HP, MP int // added; HP below 0 hurts
}

// hurt lets a player lose HP or MP, and die of it; it is the one way in which HP are lost. It reports whether the player
// died.
func (w *World) hurt(p *player, h Hit) bool { return false }

// mayBeHurt says whether a player lives, is inside, and is not protected.
func (w *World) mayBeHurt(p *player) bool { return p != nil && !p.gone && p.Pools.HP > 0 }

// mayBeNoticed is the same for what monsters go after: nobody who is invisible.
func (w *World) mayBeNoticed(p *player) bool { return w.mayBeHurt(p) }

// Events of fights that are pointers. Viewers are those who see it, at least one, and include the player whom it is
// about if it is one of them.
type (
	// MonsterSwung tells that a monster has struck, or struck and missed. A hit is told by [PlayerHit] of that player in
	// the same tick, behind it.
	MonsterSwung struct {
		ID      EntityID
		Second  bool // the other one of the two swings
		Target  PlayerID
		Missed  bool
		Missile int // set of the visual effect that flies behind a hit, 0: none
		Viewers []PlayerID
	}

	// MonsterHurt tells that somebody has hit a monster, for 0 if it was missed or out of reach.
	MonsterHurt struct {
		ID       EntityID
		By       EntityID // a player
		Damage   int
		HP       int  // now
		MaxHP    int  //
		Absolute bool // clients are told HP and MaxHP with it
		Viewers  []PlayerID
	}

	// MonsterDied tells that a monster is dead; it comes when that is durable, in one with what follows: who gained what,
	// and the bag. It vanishes for its viewers without [Vanished], and the bag appears to them without
	// [ObjectAppeared].
	MonsterDied struct {
		ID      EntityID
		Killer  PlayerID // 0: nobody's
		Gains   []Gain
		Bag     *Object // nil: none
		Viewers []PlayerID
	}
)

// A Gain is what a kill, or anything else, gives a player.
type Gain struct {
	ID      PlayerID
	Was, Is Sheet
	Coins   int64
	Money   int64 // of the player now, if Coins is not 0
}

// Events of fights that are values.
type (
	// PlayerHit tells that a player was hurt or healed by somebody or something.
	PlayerHit struct {
		ID    PlayerID
		Hit   Hit
		Died  bool
		Pools rules.Pools // now
	}

	// Gained tells a player that a kill has given it something, when it is not among the viewers of the dead.
	Gained struct{ Gain Gain }

	// Shot tells that a player has used up an arrow. The blow is told after it.
	Shot struct {
		ID    PlayerID
		Item  rules.Item // as it was before
		Left  int        // of the count; 0: it is no more
		Slots []SlotNow
	}

	// WrathFelt tells that a player has struck another in a peaceful place, and was struck for it. [PlayerHit] has come
	// before.
	WrathFelt struct {
		ID   PlayerID
		Died bool
	}

	// PlayerDied tells that a player is dead, after the [PlayerHit] of which it died; Is is its sheet with what it has
	// lost.
	PlayerDied struct {
		ID      PlayerID
		By      EntityID
		Was, Is Sheet
	}

	// PlayerRevived tells that a player lives again. [Teleported] of it has come before.
	PlayerRevived struct {
		ID    PlayerID
		Pools rules.Pools
	}

	// EffectBegan tells that an effect lies on a player now.
	EffectBegan struct {
		ID     PlayerID
		Effect rules.Effect
		Caster PlayerID // 0: not in the world
	}

	// EffectEnded tells that it does not any more.
	EffectEnded struct {
		ID     PlayerID
		Effect rules.Effect
	}

	// Healed tells that a spell or a potion has healed, or has given MP: it passes through a slot of effects.
	Healed struct {
		ID     PlayerID
		By     PlayerID
		HP, MP int // added
		Pools  rules.Pools
		Slot   int // of effects, without one; 0: all have one
	}
)

func (*MonsterSwung) event() {}
func (*MonsterHurt) event()  {}
func (*MonsterDied) event()  {}
func (PlayerHit) event()     {}
func (Gained) event()        {}
func (Shot) event()          {}
func (WrathFelt) event()     {}
func (PlayerDied) event()    {}
func (PlayerRevived) event() {}
func (EffectBegan) event()   {}
func (EffectEnded) event()   {}
func (Healed) event()        {}

// SetBalance changes the chosen numbers of fights. They are not to be changed afterwards.
type SetBalance struct{ Balance *rules.Balance }

func (SetBalance) who() PlayerID { return 0 }

func (c SetBalance) do(w *World) { w.balance = c.Balance }
