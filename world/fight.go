package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// fightState is what a player has to do with fights.
type fightState struct {
	lastBlow   time.Time
	lastUse    int64        // when it has struck or cast a spell last, Unix nanoseconds
	protected  time.Time    // until then nobody hurts it
	revival    time.Time    // of one that is dead
	blowsWorn  int          // of its own that have hit since its weapon wore
	hitsWorn   int          // on it since what it wears wore
	aggressors []aggression // players that have hurt it of late
	wanted     time.Time    // until then, since it has broken the peace
	duel       *duel
	truce      truce // after the last one
	challenged challenge
}

// Strike is a blow: at a monster, a player or oneself, with what is in the hand, or with fists. What happens is told by
// *[MonsterHurt], [PlayerHit] and what follows from them; a blow that does not count is told by [Refused].
type Strike struct {
	ID     PlayerID
	With   rules.ItemID // 0: fists
	Target EntityID
}

func (c Strike) who() PlayerID { return c.ID }

// free is a blow that costs no arrow.
func (c Strike) free(w *World, p *player) bool {
	_, arrow, _, why := w.armed(p, c.With)
	return arrow == 0 && why == 0
}

func (c Strike) ask(w *World, p *player) rules.RejectReason {
	if p.stunned() {
		return rules.Stunned
	}
	at, why := w.mayStrike(p, c.Target)
	w.breakPeace(p, why)
	if why != 0 && why != rules.PeacefulPlace {
		return why
	}
	b, arrow, use, missing := w.armed(p, c.With)
	switch {
	case missing != 0:
		return missing
	case why != 0 && !w.balance.Duel.Wrath:
		return why
	case w.tooSoon(p, use):
		return rules.TooSoon
	case why != 0:
		w.punishPeacebreaker(p)
		return 0
	case arrow == 0:
		w.strikeWith(p, at, b)
		return 0
	}
	d := w.tx(p, c)
	s := d.Side(&p.carried)
	was := *s.Find(arrow)
	left := d.UseUp(s, arrow)
	w.commit(d, nil, func() {
		w.tell(Shot{p.ID, was, left, d.slots(all)})
		if at, why := w.mayStrike(p, c.Target); why == 0 && !isDead(p) {
			w.strikeWith(p, at, b)
		}
	})
	return 0
}

// armed is how a player strikes with something, which costs an arrow if that is not 0, and its use time. Nothing is
// fists.
func (w *World) armed(p *player, with rules.ItemID) (b blow, arrow rules.ItemID, use time.Duration,
	why rules.RejectReason) {
	d, blows := &w.balance.Damage, &w.balance.Blow
	if with == 0 {
		b.attack, b.reach = d.AttackWith(&p.derived, nil, nil), blows.Within(nil)
		return b, 0, blows.UseTime(nil), 0
	}
	t := p.carried.Find(with)
	if t == nil {
		return b, 0, 0, rules.NotYours
	}
	k := w.tables.KindOf(t)
	switch {
	case p.hand != with || k == nil:
		return b, 0, 0, rules.NotInHand
	case rules.ClassOf(k.Class).Held == 0:
		return b, 0, 0, rules.NoUse
	case !p.derived.Holds:
		return b, 0, 0, rules.Lacking
	}
	n := w.tables.Numbers(k, t.Suffix)
	b.attack, b.reach, b.weapon = d.AttackWith(&p.derived, k, &n), blows.Within(&n), with
	if rules.ClassOf(k.Class).Held == rules.Crossbow {
		ammunition := p.carried.At(0, rules.SlotAmmunition)
		if ammunition == nil {
			return b, 0, 0, rules.NoArrows
		}
		arrow = ammunition.ID
	}
	return b, arrow, blows.UseTime(&n), 0
}

// A blow is one attack at one target.
type blow struct {
	attack rules.Attack
	school rules.School // as which it counts
	reach  float64      // metres beyond which it does not hit; 0: it always does
	weapon rules.ItemID // which wears out, 0: none
}

// mayStrike returns the target of a blow, or the reason why there is none. It asks neither how far away that is
// nor when the player has struck last.
func (w *World) mayStrike(p *player, id EntityID) (*entity, rules.RejectReason) {
	if id == p.id {
		return &p.entity, 0
	}
	at := w.entities[id]
	switch {
	case at == nil || at.gone || !linked(at, &p.entity):
		return nil, rules.NotInSight
	case at.player != nil:
		return at, w.mayFight(p, at.player)
	case at.object.monster == nil:
		return nil, rules.NoTarget
	case at.object.monster.dying:
		return nil, rules.TargetDead
	}
	return at, 0
}

// linked says whether a player sees an entity: it looks at that end of the link at which there are fewer.
func linked(e, viewer *entity) bool {
	if len(viewer.links[e.sort]) < len(e.links[viewer.sort]) {
		return e.seenBy(viewer)
	}
	return viewer.seenBy(e)
}

// tooSoon says whether a player struck so short a time ago that something of a use time does not count yet, and
// otherwise that it strikes now.
func (w *World) tooSoon(p *player, use time.Duration) bool {
	if !p.lastBlow.IsZero() && !w.balance.Blow.Counts(use, w.now.Sub(p.lastBlow)) {
		return true
	}
	p.lastBlow, p.lastUse = w.now, w.now.UnixNano()
	return false
}

// usedJustNow is tooSoon for what does no harm: it has to wait for blows, and no blow for it.
func (w *World) usedJustNow(p *player, use time.Duration) bool {
	if p.lastUse != 0 && !w.balance.Blow.Counts(use, time.Duration(w.now.UnixNano()-p.lastUse)) {
		return true
	}
	p.lastUse = w.now.UnixNano()
	return false
}

// strikesAt says whether a blow over so many metres reaches somebody.
func (w *World) strikesAt(p *player, at *entity, reach float64) bool {
	feet := at.at.Y
	if at.object != nil && at.object.monster != nil {
		feet = w.feet(at.object.monster)
	}
	return w.reachable(p.at, at.at, feet, reach)
}

// strikeWith deals a blow to the target that [World.mayStrike] has found: it rolls the chance, hurts the target, and
// tells all that. It returns the damage, 0 for a miss; the target may be dead or gone after it.
func (w *World) strikeWith(p *player, at *entity, b blow) (damage int) {
	w.breakInvisibility(p)
	p.protected = time.Time{}
	missed := b.reach > 0 && !w.strikesAt(p, at, b.reach) || rules.Missed(w.random, w.balance.Damage.MissPlayer)
	if !missed {
		w.wearWeapon(p, b.weapon)
	}
	if q := at.player; q != nil {
		if missed {
			return 0
		}
		return w.strikePlayer(p, q, b)
	}
	m := at.object.monster
	if !missed {
		damage = w.balance.Damage.Damage(w.random, b.attack, m.defence(&w.balance.Damage))
	}
	took := w.hurtMonster(m, p, damage, b.school)
	w.lifesteal(p, took)
	return took
}

// hurtMonster deals damage of a player to a monster, which may die of it, and returns how many HP it has lost. A
// damage of 0 is a miss; what is more than it has left counts for nothing.
func (w *World) hurtMonster(m *monster, by *player, damage int, school rules.School) (took int) {
	if m.dying || m.ended {
		return 0
	}
	if m.mind.evading() {
		damage = 0
	}
	took = min(damage, m.HP)
	hit := MonsterHurt{ID: m.object.ID, By: by.id, Damage: damage, HP: max(m.HP-damage, 0), MaxHP: m.MaxHP}
	if damage > 0 {
		m.hits++
	}
	hit.Hits = m.hits
	w.setHP(m, hit.HP)
	if hit.Viewers = w.viewersBefore(&m.object.entity); len(hit.Viewers) > 0 {
		w.tell(w.monsterHurt.put(hit))
	}
	if damage > 0 {
		w.addThreat(m, by, took, school)
	}
	if m.HP == 0 {
		w.kill(m, by)
	}
	return took
}

// swing is a monster's blow at a player. It is the one way from minds into blows.
func (w *World) swing(m *monster, at *player) {
	if m.dying || m.ended || w.now.Before(m.mind.stunned) || !w.mayBeHurt(at) {
		return
	}
	b, r := &w.balance.Damage, m.random
	e := MonsterSwung{ID: m.object.ID, Target: at.ID, Second: r.IntN(2) == 1, Missed: rules.Missed(r, b.MissMonster)}
	if m.any((*rules.Effect).Confuses) {
		e.Missed = rules.Missed(r, w.balance.Effect.MonsterMiss) || e.Missed
	}
	if e.Missed {
		if e.Viewers = w.viewersBefore(&m.object.entity); len(e.Viewers) > 0 {
			w.tell(w.monsterSwung.put(e))
		}
		return
	}
	attack := m.attack(b)
	damage := b.OfMonster(b.Damage(r, attack, at.defence()), rules.Strength(at.Title, at.Degree))
	ward := w.ward(at, w.balance.Strength.Hurts(damage), attack.School())
	hit, _ := w.wound(at, Hit{By: m.object.ID, HP: -ward.Damage})
	e.Hit, e.Missile, e.Viewers = hit.PlayerHit, m.row.Missile, w.viewersBefore(&m.object.entity)
	w.tell(w.monsterSwung.put(e))
	w.afterHit(at, &hit)
	w.reflect(at, m.object.ID, ward.Back, attack.School())
	if m.row.Effect != 0 && r.IntN(1000) < m.row.Chance && w.mayBeHurt(at) {
		if e, ok := rules.EffectOfMonster(m.row, m.Level, &w.balance.Effect); ok {
			w.addEffect(at, e, nil)
		}
	}
}

// defence is what takes away from hits on a player.
func (p *player) defence() rules.Defence {
	return rules.Defence{Physical: p.derived.PhysicalDefence, Magical: p.derived.MagicalDefence}
}

// A Cause is what hurts or heals a player, if that is no entity.
type Cause uint8

// The causes. Source: protocol fight 1.2.
const (
	NoCause Cause = iota
	Environment
	LackOfAir
	Trap
)

// A Hit is what hurts or heals a player.
type Hit struct {
	By     EntityID // 0: Cause says it
	Owed   int64    // if By is 0: the character that has cast the effect and left
	Cause  Cause
	HP, MP int // added; HP below 0 hurts
}

// Events of fights that are pointers. Viewers are those who see it, at least one, and include the player whom it is
// about if it is one of them.
type (
	// MonsterSwung tells that a monster has struck, or struck and missed. The target may be no viewer; a miss is
	// told only if there is a viewer.
	MonsterSwung struct {
		ID      EntityID
		Second  bool // the other one of the two swings
		Target  PlayerID
		Missed  bool
		Hit     PlayerHit // of the target, unless it was missed
		Missile int       // set of the visual effect that flies behind a hit, 0: none
		Viewers []PlayerID
	}

	// MonsterHurt tells that somebody has hit a monster, for 0 if it was missed or out of reach.
	MonsterHurt struct {
		ID      EntityID
		By      EntityID // a player
		Damage  int
		HP      int // now
		MaxHP   int
		Hits    int // that it has taken so far, this one among them if it is one
		Viewers []PlayerID
	}

	// MonsterDied tells that a monster is dead; it comes when that is durable, in one with what follows: who gained what,
	// and the bag. It vanishes for its viewers without [Vanished], and the bag appears to them without
	// [ObjectAppeared].
	MonsterDied struct {
		ID      EntityID
		At      coords.Position
		Killer  PlayerID // 0: nobody's
		Target  bool     // of a mission
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
	Money   int64         // of the player now, if Coins is not 0
	Mission *MissionEnded // that it has fulfilled by it; nil: none
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
	Gained struct {
		Gain Gain
		At   coords.Position // of the dead
	}

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
		At      coords.Position
		By      EntityID
		Was, Is Sheet
	}

	// KillSeen tells those who see it that a player has killed another.
	KillSeen struct {
		Victim, Killer string
		To             []PlayerID // at least one, the victim not among them
	}

	// PlayerRevived tells that a player lives again, and where. What it sees there is told after it.
	PlayerRevived struct {
		ID    PlayerID
		To    coords.Position
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
func (KillSeen) event()      {}
func (PlayerRevived) event() {}
func (EffectBegan) event()   {}
func (EffectEnded) event()   {}
func (Healed) event()        {}

// SetBalance changes the chosen numbers of fights. They are not to be changed afterwards.
type SetBalance struct{ Balance *rules.Balance }

func (SetBalance) who() PlayerID { return 0 }

// Balance is the chosen numbers of fights that are in force. It is for the [Sink] while that is told, and not to be
// changed.
func (w *World) Balance() *rules.Balance { return w.balance }

func (c SetBalance) do(w *World) {
	w.balance = c.Balance
	w.refill()
}
