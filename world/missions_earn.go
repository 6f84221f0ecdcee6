package world

import (
	"time"

	"sphereserver/world/rules"
)

// An earning is a reward that a player is to get.
type earning struct {
	*player
	rules.Reward
	key rules.ItemID // of the mission that it fulfils, which pays beside this; 0 for none
	at  *entity      // where it was earned; the player itself if it has done it alone
}

// An earned is an earning that the player has, and has not been told of.
type earned struct {
	*player
	coins  int64
	levels bool          // it has reached one
	ended  *MissionEnded // by it, nil for none
}

// earn gives a player its earning: at once if that is volatile, else when it is durable. [Gained] tells of it. A
// store that fails is asked again for a while.
func (ms *missions) earn(e earning) {
	until := ms.now.Add(storePatience)
	if e.gone() {
		return
	}
	if ms.earnVolatile(&e) {
		return
	}
	ms.ledger.whenFree(e.player, func(p *player) { ms.earnLasting(e, until) })
}

// earnVolatile gives a player its earning and tells of it if that is volatile, and reports whether it is.
func (ms *missions) earnVolatile(e *earning) bool {
	done, some := ms.earnNow(e)
	if some {
		ms.tellEarned(&earned{player: e.player}, e.at)
	}
	return done
}

// earnLasting makes an earning of a free player durable, and gives it then. The change that was pending may have left
// it volatile: of many kills at once only the one that brings a level needs the store.
func (ms *missions) earnLasting(e earning, until time.Time) {
	if ms.earnVolatile(&e) {
		return
	}
	d := ms.ledger.tx(nil, nil)
	done := ms.stake(d, e)
	ms.ledger.commit(d, nil, func() {
		r := done()
		ms.tellEarned(&r, e.at)
	}).failed = func() {
		if ms.now.Before(until) {
			ms.after(storeRetry, &e.entity, func(at *entity) {
				ms.ledger.whenFree(at.player, func(p *player) { ms.earnLasting(e, until) })
			})
		}
	}
}

// earnNow gives a player its earning if that is volatile. done reports whether it was, some whether it has changed
// anything.
func (ms *missions) earnNow(e *earning) (done, some bool) {
	p := e.player
	if e.Money != 0 || e.key != 0 || p.pending.becomes(p) { // that may bring a level to which this does not count yet
		return false, false
	}
	is := p.Player
	ms.pay(&is, &e.Reward)
	if is.Title != p.Title || is.Degree != p.Degree || !p.Progress.Volatile(is.Progress) {
		return false, false
	}
	if is.Progress == p.Progress {
		return true, false
	}
	p.Progress = is.Progress
	ms.markUnsaved(p)
	return true, true
}

// becomes reports whether a pending transaction changes the progress of a player.
func (d *pendingTx) becomes(p *player) bool {
	if d == nil {
		return false
	}
	for s := range d.stakes() {
		if s.p == p && s.become != nil {
			return true
		}
	}
	return false
}

// stake adds the earning of a free player to a transaction. Call done when the transaction is durable.
func (ms *missions) stake(d *tx, e earning) (done func() earned) {
	p := e.player
	var pays rules.Reward
	m, fulfilled := ms.takeKey(p, d, e.key)
	if fulfilled {
		pays = ms.balance.Mission.Reward(&ms.balance.Experience, &m, 1)
	}
	s := stake{p: p, money: min(e.Money+pays.Money, rules.MaxMoney-p.Money)}
	become := func(p *Player) {
		ms.pay(p, &e.Reward)
		ms.pay(p, &pays)
	}
	is, was := p.Player, p.Player
	if become(&is); is.Progress != was.Progress || is.Title != was.Title || is.Degree != was.Degree {
		s.become = become
	}
	d.others = append(d.others, s)
	return func() earned {
		r := earned{p, s.money, is.Title != was.Title || is.Degree != was.Degree, nil}
		if fulfilled {
			r.ended = ms.endMission(p, d, e.key, m)
			ms.share(e.at, p, m)
		}
		return r
	}
}

// tellEarned tells a player of an earning, at a place or by an act of its own.
func (ms *missions) tellEarned(r *earned, at *entity) {
	g := ms.gain(r)
	if at == &r.entity {
		ms.tell(StatsChanged{g.ID, g.Was, g.Is})
		return
	}
	ms.tell(Gained{g, at.At})
}

// gain returns the event of an earning. It includes all other changes of the player's sheet until now, which are told
// once.
func (ms *missions) gain(r *earned) Gain {
	p := r.player
	g := Gain{ID: p.ID, Coins: r.coins, Mission: r.ended}
	if g.Was, g.Is = ms.vitals.grow(p); r.levels && !isDead(p) {
		p.Pools.HP, p.Pools.MP = max(p.Pools.MaxHP, p.Pools.HP), max(p.Pools.MaxMP, p.Pools.MP)
		g.Is = p.sheet()
		ms.markUnsaved(p)
		ms.places.showHealth(p)
	}
	if g.Coins != 0 {
		g.Money = p.Money
	}
	return g
}
