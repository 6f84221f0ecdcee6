package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// A kill is the death of a monster until it is told: the gains of all contributors, and the bag. The durable part of
// them is one change.
type kill struct {
	monster *monster
	killer  PlayerID
	gains   []earning // that are not settled
	told    []earned
	loot    []rules.Item
	lies    rules.OnGround // the bag
	shared  []int64        // characters that may open it, the group of the one it is promised to
	bag     *object
	until   time.Time // when it is told in any case
}

// A store that fails is asked again for a kill, a death or a reward every storeRetry, as long as storePatience.
const (
	storeRetry    = time.Second
	storePatience = time.Minute
)

// kill begins the death of a monster without HP. by dealt the last blow, nil for no player.
func (cb *combat) kill(m *monster, by *player) {
	m.dying, m.object.Hidden = true, true
	k := &kill{monster: m, until: cb.now.Add(storePatience)}
	if by != nil {
		k.killer = by.ID
	}
	if m.worthless {
		cb.settle(k)
		return
	}
	contributors, shares := cb.contributors(m, by)
	b := &cb.balance.Experience
	b.Share(b.ForKill(cb.random, m.row, m.Level, m.Named()), m.Level, shares)
	b.Ease(shares)
	best := -1
	for i := range contributors {
		if shares[i].Damage > 0 && (best < 0 || shares[i].Damage > shares[best].Damage) {
			best = i
		}
	}
	coins := cb.tutorialCoins(m)
	cb.leaveLoot(k, cb.tables.Loot(cb.random, &cb.balance.Loot, m.row, m.Level), contributors, best)
	cb.promise(k, by, contributors, shares, coins)
	cb.settle(k)
}

// tutorialCoins is the money that a monster of the newcomers' dungeon brings its killer; 0 for all others.
func (cb *combat) tutorialCoins(m *monster) int64 {
	if m.spawner == nil || !m.spawner.Tutorial {
		return 0
	}
	s := &cb.balance.Spawn
	return int64(s.TutorialCoinsMin + cb.random.IntN(max(s.TutorialCoinsMax-s.TutorialCoinsMin, 0)+1))
}

// promise notes the gains of a kill: the shares of all contributors, the coins of the killer, and the mission that the
// kill fulfils.
func (cb *combat) promise(k *kill, by *player, contributors []*player, shares []rules.Contributor, coins int64) {
	m := k.monster
	done := cb.missions.fulfils(m, by)
	if done != nil && cb.missions.mission(done).Kind() == rules.RegainParcel {
		cb.missions.regain(done)
		done = nil
	}
	if done != nil && !slices.Contains(contributors, done) {
		contributors, shares = append(contributors, done), append(shares, rules.Contributor{})
	}
	karma := cb.balance.Karma.ForMonster(m.row)
	for i, p := range contributors {
		career := shares[i].Career
		e := earning{player: p, at: &m.object.entity}
		e.Career, e.XP, e.Karma = career, shares[i].XP*rules.Licensed(&p.carried, career), karma
		if p == by {
			e.Money = coins
		}
		if p == done {
			e.key = m.spawner.mission
		}
		k.gains = append(k.gains, e)
	}
}

// contributors returns the players entitled to a share of a kill, with their shares: see
// [rules.ExperienceBalance.Contributors].
func (cb *combat) contributors(m *monster, by *player) (entitled []*player, shares []rules.Contributor) {
	b := &cb.balance.Experience
	var all []*player
	var candidates []rules.Candidate
	has, parties := map[*player]bool{nil: true}, map[*party]uint64{nil: 0}
	add := func(p *player, c rules.Candidate) {
		if has[p] {
			return
		}
		if _, known := parties[p.party]; !known {
			parties[p.party] = uint64(len(parties))
		}
		c.Party, c.Level, c.Last = parties[p.party], rules.Strength(p.Title, p.Degree), p == by
		c.Away, c.Near = p.gone() || p.leaving || isDead(p), near(&p.entity, &m.object.entity, b.Near*b.Near)
		has[p], all, candidates = true, append(all, p), append(candidates, c)
	}
	for i := range m.threat {
		var c rules.Candidate
		t := &m.threat[i]
		p := cb.player(t.by)
		if p != nil && !t.last.Before(instantOf(p.Entered)) {
			did := t.recently(cb.instant(), cb.balance.Mind.ThreatTime, b.MostHitsTime)
			c.Damage, c.Ago, c.Career = did.damage, cb.instant().Sub(t.last), rules.Taught(did.blows, t.lastBy)
		}
		add(p, c)
	}
	add(by, rules.Candidate{})
	for _, p := range all {
		if p.party != nil {
			for _, member := range p.party.members {
				add(member, rules.Candidate{})
			}
		}
	}
	shares = b.Contributors(candidates)
	for i := range shares {
		entitled = append(entitled, all[shares[i].Candidate])
	}
	return entitled, shares
}

// leaveLoot notes the loot of a dead monster: promised to the contributor with the most damage, if there is one, and
// to its party.
func (cb *combat) leaveLoot(k *kill, loot []rules.Item, contributors []*player, best int) {
	o := k.monster.object
	at := o.Position
	at.Y = cb.minds.feet(k.monster)
	if y, known := cb.groundOf(&o.entity).Height(at, nil); known {
		at.Y = y
	}
	at.Yaw = 0
	k.loot, k.lies = loot, cb.groundItems.lootLies(at)
	if best < 0 {
		return
	}
	k.lies.Promised, k.lies.PromisedUntil = contributors[best].Character, cb.now.Add(cb.balance.Loot.Owner)
	if g := contributors[best].party; g != nil {
		for _, p := range g.members {
			k.shared = append(k.shared, p.Character)
		}
	}
}

// settle gives all contributors their gains of a kill. Volatile gains are given at once; the rest, and the bag,
// becomes durable as one change, and the death is told then. Contributors with another transaction pending get their
// gains after that.
func (cb *combat) settle(k *kill) {
	d := cb.ledger.tx(nil, nil)
	var durable []earning
	var done []func() earned
	for _, e := range k.gains {
		switch {
		case e.gone() || e.leaving:
		case cb.settledNow(k, &e):
		case e.pending != nil || e.due.len() > 0:
			cb.countKill(e.player)
			cb.missions.earn(e)
		default:
			durable, done = append(durable, e), append(done, cb.missions.stake(d, e))
		}
	}
	bag := k.layBag(d)
	if len(durable) == 0 && bag == nil {
		cb.died(k)
		return
	}
	cb.ledger.commit(d, k.monster.object, func() {
		for _, become := range done {
			k.told = append(k.told, become())
		}
		if bag != nil {
			k.bag = cb.groundItems.bundle(bag.Inventory)
			k.bag.shared = k.shared
		}
		cb.died(k)
	}).failed = func() {
		if k.gains = durable; cb.now.Before(k.until) {
			cb.after(storeRetry, nil, func(_ *entity) { cb.guard(k.monster.object.ID, func() { cb.settle(k) }) })
			return
		}
		for i := range durable {
			if e := &durable[i]; !e.gone() {
				cb.tell(Refused{ID: e.ID, Why: rules.StoreFailed})
			}
		}
		cb.died(k)
	}
}

// layBag lays a bag with the loot of a kill, if there is any.
func (k *kill) layBag(d *tx) *rules.Side {
	if len(k.loot) == 0 {
		return nil
	}
	bag := d.Ground(k.lies)
	bag.Root = d.Add(bag, lootBag)
	for i, t := range k.loot[:min(len(k.loot), rules.ClassOf(rules.ClassLootBag).Room)] {
		t.ID, t.In, t.Slot = 0, bag.Root, i
		d.Add(bag, t)
	}
	return bag
}

// settledNow gives a contributor its gains of a kill at once if they are volatile, and reports whether they are.
func (cb *combat) settledNow(k *kill, e *earning) bool {
	done, some := cb.missions.earnNow(e)
	if some {
		k.told = append(k.told, earned{player: e.player})
	}
	return done
}

// countKill adds a kill to a player's tally.
func (cb *combat) countKill(p *player) {
	p.Tally.Kills++
	cb.markUnsaved(p)
}

// died tells of a death when all gains are durable or will never be. The monster vanishes for its viewers, and the
// bag takes its place.
func (cb *combat) died(k *kill) {
	dead, s := k.monster.object, k.monster.spawner
	e := MonsterDied{ID: dead.ID, At: dead.Position, Killer: k.killer, Target: s != nil && s.mission != 0}
	for i := range k.told {
		if r := &k.told[i]; !r.gone() {
			cb.countKill(r.player)
			e.Gains = append(e.Gains, cb.missions.gain(r))
		}
	}
	if !dead.gone() {
		from := len(cb.ids)
		cb.ids = append(cb.ids, dead.Viewers()...)
		e.Viewers = cb.list(from)
	}
	if k.bag != nil {
		e.Bag = &k.bag.Object
	}
	cb.tell(cb.monsterDied.put(e))
	for _, g := range e.Gains {
		if !slices.Contains(e.Viewers, g.ID) {
			cb.tell(Gained{g, dead.Position})
		}
	}
	sees := cb.places.space.Unlink(&dead.Body)
	cb.places.remove(dead)
	if k.bag != nil {
		cb.layFor(k.bag, dead.inside, sees)
	}
}

// layFor puts an item into the world that some players have been told of already, and tells all others in sight.
func (cb *combat) layFor(o *object, in *instance, sees []*body) {
	cb.places.putFor(o, in.open(), sees)
	if in.open() != in {
		cb.groundItems.expire(&o.entity)
		return
	}
	cb.groundItems.expires(o)
}
