package world

import (
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// An aggression notes that a player has hurt another.
type aggression struct {
	by   int64 // number of the character
	last time.Time
}

// mayFight says why a player may not strike another.
func (cb *combat) mayFight(p, q *player) rules.RejectReason {
	return cb.balance.Duel.MayFight(cb.opponent(p), cb.opponent(q), rules.Bond{Duel: p.duels(q), Truce: cb.holdTruce(p, q),
		Party: p.party != nil && p.party == q.party})
}

// opponent returns a player as the rules of fights between players see it.
func (cb *combat) opponent(p *player) rules.Opponent {
	return rules.Opponent{Level: max(p.Title, p.Degree) + 1, Dead: isDead(p), AtPeace: cb.peaceful(p),
		Protected: !cb.vitals.mayBeHurt(p)}
}

// holdTruce reports whether two players have just had a duel, so that a late blow of it does not kill, or have one that
// has not begun yet.
func (cb *combat) holdTruce(p, q *player) bool {
	if p.duels(q) {
		return !cb.begun(p.duel)
	}
	t := p.had().truce
	return t.with == q.Character && cb.instant().Before(t.ends)
}

// peaceful reports whether a player is where players do not fight each other.
func (cb *combat) peaceful(p *player) bool {
	return cb.options.Zones.Peaceful(p.Position, &cb.balance.Duel)
}

// strikePlayer deals a blow that has not missed to another player, or to the attacker itself.
func (cb *combat) strikePlayer(p, q *player, b blow) (damage int) {
	damage = cb.balance.Damage.Damage(cb.random, b.attack, q.defence())
	if q != p {
		damage = max(int(float64(damage)*cb.balance.Damage.Players), 1)
		cb.meddle(q, p)
		agreed := p.duels(q)
		if !agreed {
			cb.recordAggression(q, p)
		}
		ward := cb.vitals.ward(q, damage, b.school)
		damage = ward.Damage
		cb.vitals.reflect(q, p.Number, ward.Back, b.school)
		cb.vitals.lifesteal(p, damage)
		if agreed && !p.duels(q) { // it was thrown back, and has ended the duel
			return 0
		}
	}
	cb.vitals.hurt(q, Hit{By: p.Number, HP: -damage})
	return damage
}

// recordAggression remembers that one player has hurt another.
func (cb *combat) recordAggression(p, by *player) {
	had := p.has()
	had.aggressors = slices.DeleteFunc(had.aggressors, func(g aggression) bool {
		return g.by == by.Character || !cb.balance.Karma.DefendsItself(cb.now.Sub(g.last))
	})
	had.aggressors = append(had.aggressors, aggression{by.Character, cb.now})
}

// wrong counts an act of one player against another as a blow, which it is in all but damage.
func (cb *combat) wrong(p, by *player) {
	cb.vitals.breakInvisibility(by)
	by.protected = 0
	cb.meddle(p, by)
	cb.recordAggression(p, by)
}

// defends reports whether a player has recently been hurt by another, so that it defends itself.
func (cb *combat) defends(p, against *player) bool {
	return cb.struck(p.had().aggressors, against)
}

// struck reports whether a player is among aggressors, and has struck recently.
func (cb *combat) struck(aggressors []aggression, by *player) bool {
	return slices.ContainsFunc(aggressors, func(g aggression) bool {
		return g.by == by.Character && cb.balance.Karma.DefendsItself(cb.now.Sub(g.last))
	})
}

// applyKillPenalty takes karma from the killer of a player, and tells the viewers of the kill. One that has left pays
// when it comes back, unless the server has ended meanwhile.
func (cb *combat) applyKillPenalty(p *player, h Hit) {
	var striker *player
	by := int64(0)
	if id, ok := h.By.Player(); ok {
		if striker = cb.player(id); striker != nil {
			by = striker.Character
		}
	}
	killer := rules.Killer(p.Character, by, h.Owed)
	switch a := cb.absent[killer]; {
	case killer == 0:
	case striker != nil:
		if to := cb.places.viewersBefore(&p.entity); len(to) > 0 {
			cb.tell(KillSeen{p.Name, striker.Name, slices.Clone(to)})
		}
		if change := cb.balance.Karma.Blame(p.Progress.Karma, cb.defends(striker, p)); change != 0 {
			cb.takeKarma(striker, change, p.Position)
		}
	default:
		if change := cb.balance.Karma.Blame(p.Progress.Karma, cb.struck(a.aggressors, p)); change != 0 {
			a.owes += change
			cb.absent[killer] = a
		}
	}
}

// An absence is the state kept of a character that has left: what it owes, and for a while its aggressors, when it has
// helped, that guards want it, and when it fought, since coming back makes nobody calm.
type absence struct {
	quarrels
	lastBlow, hurtAt instant
	until            instant // then only debts are kept
}

// owed reports whether there are debts.
func (q *quarrels) owed() bool { return q.owes != 0 || len(q.graves) > 0 }

// absents keeps the absence of a player that leaves. Its aggressors are part of that: effects that it leaves behind may
// still kill one of them.
func (cb *combat) absents(p *player) {
	had := p.had()
	if len(had.aggressors) == 0 && !had.owed() && had.helped.IsZero() && !cb.instant().Before(had.wanted) &&
		!cb.places.fought(p, rules.Calm) {
		return
	}
	keep := max(cb.balance.Karma.SelfDefence, cb.balance.Karma.KindEach, rules.Calm, had.wanted.Sub(cb.instant()))
	cb.absent[p.Character] = absence{lastBlow: p.lastBlow, hurtAt: p.hurtAt, until: cb.instant().Add(keep),
		quarrels: quarrels{aggressors: had.aggressors, helped: had.helped, wanted: had.wanted, owes: had.owes,
			graves: had.graves}}
	cb.after(keep, nil, func(_ *entity) {
		if a := cb.absent[p.Character]; !a.owed() && !cb.instant().Before(a.until.Add(-resolution)) {
			delete(cb.absent, p.Character)
		}
	})
}

// returns gives a player back what it has left behind, and takes what it owes.
func (cb *combat) returns(p *player) {
	a, is := cb.absent[p.Character]
	if !is {
		return
	}
	delete(cb.absent, p.Character)
	for i := range a.graves {
		a.graves[i].until = cb.now.Add(storePatience)
	}
	p.lastBlow, p.hurtAt = a.lastBlow, a.hurtAt
	*p.has() = a.quarrels
	cb.payDebt(p, p.Position)
	cb.vitals.dig(p)
}

// takeKarma changes a player's karma for a blow or a mantra at another player; at is its place. A store that fails is
// asked again, and karma that it has not taken when the player leaves is owed.
func (cb *combat) takeKarma(p *player, change int, at coords.Position) {
	if p.leaving { // it is gone before its turn comes
		p.has().owes += change
		return
	}
	cb.ledger.whenFree(p, func(p *player) {
		d := cb.ledger.tx(p, nil)
		d.become = func(p *Player) { p.Progress.Karma = rules.AddKarma(p.Progress.Karma, change) }
		cb.ledger.commit(d, nil, func() {
			was, is := cb.vitals.grow(p)
			cb.tell(Gained{Gain{ID: p.ID, Was: was, Is: is}, at})
		}).failed = func() { cb.oweKarma(p, change, at) }
	})
}

// oweKarma has a player pay karma in a moment, or when it comes back.
func (cb *combat) oweKarma(p *player, change int, at coords.Position) {
	p.has().owes += change
	cb.after(storeRetry, &p.entity, func(e *entity) { cb.payDebt(e.player, at) })
}

// payDebt takes the karma that a player owes.
func (cb *combat) payDebt(p *player, at coords.Position) {
	if owes := p.had().owes; owes != 0 {
		p.has().owes = 0
		cb.takeKarma(p, owes, at)
	}
}

// punishPeacebreaker hurts a player that has struck another in a zone of peace. The hit's cause tells it why.
func (cb *combat) punishPeacebreaker(p *player) {
	part := int(float64(p.Pools.MaxHP) * cb.balance.Duel.WrathPart)
	cb.vitals.hurt(p, Hit{Cause: Wrath, HP: -part})
}

// A duel is a fight that two players have agreed on: it ends before one of them dies, and costs neither anything.
//
// Source: protocol life 9.3, fight 12.2.
type duel struct {
	of           [2]*player
	middle       coords.Position
	begins, ends time.Time
}

// A truce keeps two players from striking each other for a while after their duel.
type truce struct {
	with int64 // number of the character
	ends instant
}

// Duel asks for, accepts or ends a duel. [DuelTold] follows for both players.
type Duel struct {
	ID   PlayerID
	Word DuelWord
	Name string // of the challenged player
}

// A DuelWord is an action of [Duel].
type DuelWord uint8

// The words.
const (
	Challenge DuelWord = iota // another player
	AcceptDuel
	EndDuel // give up a duel, or decline one
)

func (c Duel) who() PlayerID { return c.ID }

func (c Duel) act(w *World, p *player) {
	why, other := rules.RejectReason(0), w.combat.challenger(p)
	switch c.Word {
	case Challenge:
		other = w.named(c.Name)
		why = w.combat.mayDuel(p, other)
		switch {
		case why != 0:
		case w.ignoring(other, p):
			why = rules.IgnoresYou
		case w.combat.challenger(other) == p:
			why = rules.AlreadyInvited
		case w.combat.challenger(other) != nil:
			why = rules.TheyHaveChallenge
		case w.hasDeclined(p, other, duelWish):
			why = rules.JustDeclined
		default:
			c := proposal{p, w.instant().Add(w.balance.Duel.Offer)}
			other.has().challenged = c
			w.after(w.balance.Duel.Offer, &other.entity, func(e *entity) { w.combat.lapse(e.player, c) })
			w.tell(DuelTold{ID: p.ID, News: DuelAsked, Other: other.Name})
			w.tell(DuelTold{ID: other.ID, News: DuelOffered, Other: p.Name})
		}
	case AcceptDuel:
		if other == nil {
			why = rules.NoChallenge
		} else if why = w.combat.mayDuel(p, other); why == 0 {
			p.has().challenged = proposal{}
			w.combat.agreeOnDuel(p, other)
		}
	case EndDuel:
		switch {
		case p.duel != nil:
			w.combat.endDuel(p.duel, p)
		case other != nil:
			p.has().challenged = proposal{}
			w.decline(other, p, duelWish)
			w.tell(DuelTold{ID: other.ID, News: DuelRefused, Other: p.Name, Why: rules.Declined})
		default:
			why = rules.NoChallenge
		}
	}
	if why != 0 {
		w.tell(DuelTold{ID: p.ID, News: DuelRefused, Why: why})
	}
}

// challenger is the player whose challenge another has to answer, nil for none.
func (cb *combat) challenger(p *player) *player { return cb.proposer(p.had().challenged) }

// mayDuel says why two players cannot have a duel; the second may be nil.
func (cb *combat) mayDuel(p, q *player) rules.RejectReason {
	switch {
	case q == nil || q.gone() || q.leaving:
		return rules.NobodyThere
	case p == q:
		return rules.Yourself
	}
	trades := func(p *player) bool { return p.trade.deal != nil || cb.atTrader(p) }
	busy := p.duel != nil || q.duel != nil || trades(p) || trades(q)
	far := p.inside != q.inside || p.Position.Distance(q.Position) > cb.balance.Duel.Field
	return rules.MayDuel(cb.opponent(p), cb.opponent(q), busy, far)
}

// lapse ends a challenge that a player has not answered.
func (cb *combat) lapse(p *player, c proposal) {
	if p.had().challenged != c {
		return
	}
	p.has().challenged = proposal{}
	cb.decline(c.by, p, duelWish) // since one that waits keeps others off
	cb.tell(DuelTold{ID: p.ID, News: DuelExpired, Other: c.by.Name})
	if !c.by.gone() {
		cb.tell(DuelTold{ID: c.by.ID, News: DuelExpired, Other: p.Name})
	}
}

// agreeOnDuel prepares a duel: the two know of it, and strike when the countdown is over.
func (cb *combat) agreeOnDuel(p, q *player) {
	a, b := p.Position, q.Position
	begins := cb.now.Add(cb.balance.Duel.Countdown)
	d := &duel{of: [2]*player{p, q}, begins: begins, ends: begins.Add(cb.balance.Duel.Lasts),
		middle: coords.Position{X: (a.X + b.X) / 2, Y: (a.Y + b.Y) / 2, Z: (a.Z + b.Z) / 2}}
	for i, p := range d.of {
		p.duel = d
		cb.tell(DuelTold{ID: p.ID, News: DuelAgreed, Other: d.of[1-i].Name})
	}
	if cb.begun(d) {
		cb.beginDuel(d)
	} else {
		cb.after(cb.balance.Duel.Countdown, &p.entity, func(_ *entity) { cb.beginDuel(d) })
	}
	cb.watchDuel(d)
}

// beginDuel tells the two of a duel that it begins, unless it is over already.
func (cb *combat) beginDuel(d *duel) {
	for i, p := range d.of {
		if p.duel == d {
			cb.tell(DuelTold{ID: p.ID, News: DuelBegan, Other: d.of[1-i].Name})
		}
	}
}

// begun reports whether the countdown of a duel is over.
func (cb *combat) begun(d *duel) bool { return !cb.now.Before(d.begins) }

// watchDuel ends a duel, now and from time to time, when its time is up or one of the two has gone too far.
func (cb *combat) watchDuel(d *duel) {
	for _, p := range d.of {
		if p.duel == d && p.Position.Distance(d.middle) > cb.balance.Duel.Field {
			cb.endDuel(d, p)
		}
	}
	switch p := d.of[0]; {
	case p.duel != d:
	case !cb.now.Before(d.ends):
		cb.endDuel(d, nil)
	default:
		cb.after(time.Second, &p.entity, func(_ *entity) { cb.watchDuel(d) })
	}
}

// other returns the name of a player's opponent; "" for no duel.
func (d *duel) other(p *player) string {
	switch {
	case d == nil:
		return ""
	case d.of[0] == p:
		return d.of[1].Name
	}
	return d.of[0].Name
}

// duels reports whether a player has a duel with another.
func (p *player) duels(q *player) bool { return p.duel != nil && p.duel == q.duel && p != q }

// spares is how many HP a hit leaves a player: none, but in a duel those with which it is lost.
func (cb *combat) spares(p *player, h Hit) int {
	id, ok := h.By.Player()
	if !ok || p.duel == nil {
		return 0
	}
	if other := cb.player(id); other == nil || !p.duels(other) {
		return 0
	}
	return max(int(float64(p.Pools.MaxHP)*cb.balance.Duel.Lost), 1)
}

// meddle ends a player's duel, if it has begun, because a third party acts on the player.
func (cb *combat) meddle(p, by *player) {
	if p.duel != nil && cb.begun(p.duel) && by != p && !p.duels(by) {
		cb.closeDuel(p.duel, nil, DuelMeddled)
	}
}

// endDuel ends a duel, nil for none. loser is nil for a draw.
func (cb *combat) endDuel(d *duel, loser *player) {
	if d != nil {
		cb.closeDuel(d, loser, DuelOver)
	}
}

// closeDuel ends a duel. loser is nil for a draw, of which drawn is the cause. Harmful effects of the two on each
// other end with it, since poison would kill a player that the blows have spared.
func (cb *combat) closeDuel(d *duel, loser *player, drawn DuelNews) {
	for _, p := range d.of {
		p.duel = nil
	}
	for i, p := range d.of {
		other := d.of[1-i]
		news := DuelWon
		switch loser {
		case p:
			news = DuelLost
		case nil:
			news = drawn
		}
		cb.tell(DuelTold{ID: p.ID, News: news, Other: other.Name})
		p.has().truce = truce{other.Character, cb.instant().Add(cb.balance.Duel.Truce)}
		cb.vitals.endEffects(p, func(e *rules.Effect) bool { return e.Harmful() && e.Caster == other.Character })
	}
}

// DuelNews is a turn that a duel takes.
type DuelNews uint8

// The news.
const (
	DuelAsked   DuelNews = iota // the other has been challenged
	DuelOffered                 // the other challenges
	DuelAgreed                  // it begins after the countdown
	DuelBegan
	DuelWon
	DuelLost
	DuelOver    // its time was up
	DuelMeddled // a third player has hit or helped one of the two
	DuelExpired // a challenge was not answered
	DuelRefused // by Other, or by the world if that is empty
)

// DuelTold tells a player of a duel with another.
type DuelTold struct {
	ID    PlayerID
	News  DuelNews
	Other string
	Why   rules.RejectReason // of DuelRefused
}

func (DuelTold) event() {}

// breakPeace makes guards want a player that has tried to hurt another, if a zone of peace forbids it.
func (cb *combat) breakPeace(p *player, why rules.RejectReason) {
	if why == rules.PeacefulPlace || why == rules.TheirPeacefulPlace {
		p.has().wanted = cb.instant().Add(cb.balance.Duel.Wanted)
	}
}
