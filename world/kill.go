package world

import (
	"slices"

	"sphereserver/world/rules"
)

// A kill is the death of a monster that is being made durable: what everybody gains by it, each by a change of its own,
// and the bag. When all that is settled the death is told.
type kill struct {
	monster *monster
	killer  PlayerID
	open    int // changes that are not settled
	rewards []reward
	last    func() // begins what is made durable after all else: what fulfils a mission, and is told with the death
	bag     *object
	shared  []int64 // characters that may open the bag, the group of the one it is promised to
}

// A reward is what a player has gained by a kill: it is durable, and not told yet.
type reward struct {
	*player
	coins  int64
	levels bool          // it has reached one
	ended  *MissionEnded // by it, nil for none
}

// dying says whether an entity is a monster that has no HP left.
func (e *entity) dying() bool {
	return e.object != nil && e.object.monster != nil && e.object.monster.dying
}

// A hunter is somebody who has a part in a kill.
type hunter struct {
	*player
	career rules.School
}

// kill lets a monster die that has no HP left. by has struck last, nil for nobody.
func (w *World) kill(m *monster, by *player) {
	m.dying = true
	k := &kill{monster: m, open: 1}
	if by != nil {
		k.killer = by.ID
	}
	if m.worthless {
		w.settled(k)
		return
	}
	who, shares := w.hunters(m, by)
	b := &w.balance.Experience
	b.Share(b.ForKill(w.random, m.row, m.Level, m.Named()), m.Level, shares)
	b.Ease(shares)
	best := -1
	for i := range who {
		if shares[i].Damage > 0 && (best < 0 || shares[i].Damage > shares[best].Damage) {
			best = i
		}
	}
	coins := int64(0)
	if m.spawner != nil && m.spawner.Tutorial {
		s := &w.balance.Spawn
		coins = int64(s.TutorialCoinsMin + w.random.IntN(max(s.TutorialCoinsMax-s.TutorialCoinsMin, 0)+1))
	}
	w.layLoot(k, w.tables.Loot(w.random, &w.balance.Loot, m.row, m.Level), who, best)
	done := w.fulfils(m, by)
	if done != nil && w.mission(done).Kind() == rules.RegainParcel {
		w.regain(done)
		done = nil
	}
	if done != nil && !slices.ContainsFunc(who, func(h hunter) bool { return h.player == done }) {
		who, shares = append(who, hunter{player: done}), append(shares, rules.Hunter{})
	}
	for i, h := range who {
		own := int64(0)
		if h.player == by {
			own = coins
		}
		if h.player != done {
			w.reward(k, h, shares[i].XP, own, 0)
			continue
		}
		k.last = func() {
			if !h.gone {
				w.reward(k, h, shares[i].XP, own, m.spawner.mission)
			}
		}
	}
	w.settled(k)
}

// hunters are those who have a part in a monster's death: who has hurt it of late, is inside and lives, and those of
// their parties who live and are near. Source: protocol fight 9.2.
func (w *World) hunters(m *monster, by *player) (who []hunter, shares []rules.Hunter) {
	b := &w.balance.Experience
	var parties []*party
	numbered := func(g *party) uint64 {
		if g == nil {
			return 0
		}
		for i := range parties {
			if parties[i] == g {
				return uint64(i + 1)
			}
		}
		parties = append(parties, g)
		return uint64(len(parties))
	}
	add := func(p *player, damage int, career rules.School) {
		who = append(who, hunter{p, career})
		shares = append(shares, rules.Hunter{Party: numbered(p.party), Level: rules.Strength(p.Title, p.Degree),
			Damage: damage})
	}
	has := func(p *player) bool {
		for _, h := range who {
			if h.player == p {
				return true
			}
		}
		return false
	}
	for i := range m.threat {
		t := &m.threat[i]
		p := w.player(t.by)
		did := t.recently(w.now, w.balance.Mind.ThreatTime, b.MostHitsTime)
		if p == nil || p.leaving || isDead(p) || t.last.Before(p.Entered) || did.damage <= 0 ||
			w.now.Sub(t.last) > b.MostHitsTime {
			continue
		}
		add(p, did.damage, rules.Taught(did.blows, t.lastBy))
	}
	if by != nil && !by.gone && !by.leaving && !isDead(by) && !has(by) {
		add(by, 1, rules.Physical)
	}
	for i, n := 0, len(who); i < n; i++ {
		g := who[i].party
		if g == nil {
			continue
		}
		for _, p := range g.members {
			if !has(p) && !p.leaving && !isDead(p) && near(&p.entity, &m.object.entity, b.Near*b.Near) {
				add(p, 0, who[i].career)
			}
		}
	}
	return who, shares
}

// layLoot has a bag made durable that lies where the monster has died, promised to who has hurt it most and to its
// party.
func (w *World) layLoot(k *kill, things []rules.Item, who []hunter, best int) {
	if len(things) == 0 {
		return
	}
	o := k.monster.object
	at := o.Position
	at.Y = w.feet(k.monster)
	if y, known := w.groundOf(&o.entity).Height(at, nil); known {
		at.Y = y
	}
	at.Yaw = 0
	lies := w.lootLies(at)
	if best >= 0 {
		lies.Promised, lies.PromisedUntil = who[best].Character, w.now.Add(w.balance.Loot.Owner)
		if g := who[best].party; g != nil {
			for _, p := range g.members {
				k.shared = append(k.shared, p.Character)
			}
		}
	}
	d := w.tx(nil, nil)
	s := d.Ground(lies)
	s.Root = d.Add(s, lootBag)
	for i, t := range things {
		if i >= rules.ClassOf(rules.ClassLootBag).Room {
			break
		}
		t.ID, t.In, t.Slot = 0, s.Root, i
		d.Add(s, t)
	}
	k.open++
	w.commit(d, nil, func() {
		k.bag = w.bundle(s.Inventory)
		k.bag.shared = k.shared
		w.settled(k)
	}).failed = func() { w.settled(k) }
}

// reward gives somebody its part in a kill, and what the mission of a key pays, 0 for none, that it fulfils.
func (w *World) reward(k *kill, h hunter, xp int, coins int64, key rules.ItemID) {
	k.open++
	h.kills = append(h.kills, k)
	w.whenFree(h.player, func(w *World, p *player) {
		b := &w.balance.Karma
		d := w.tx(p, nil)
		xp *= rules.Licensed(&p.carried, h.career)
		karma := b.ForMonster(k.monster.row)
		var pays rules.Reward
		m, fulfilled := w.takeKey(p, d, key)
		if fulfilled {
			pays = w.balance.Mission.Reward(&w.balance.Experience, &m, 1)
		}
		become := func(p *Player) {
			p.Title, p.Degree, p.Progress = w.tables.Learn(p.Title, p.Degree, p.Progress, h.career, xp)
			p.Progress.Karma = rules.AddKarma(p.Progress.Karma, karma)
			w.pay(p, &pays)
		}
		is := p.Player
		if become(&is); is.Progress != p.Progress || is.Title != p.Title || is.Degree != p.Degree {
			d.become = become
		}
		if d.money = min(coins+pays.Money, rules.MaxMoney-p.Money); d.money == 0 && d.become == nil && !fulfilled {
			w.rewarded(k, p)
			return
		}
		levels := is.Title != p.Title || is.Degree != p.Degree
		w.commit(d, nil, func() {
			r := reward{p, d.money, levels, nil}
			if fulfilled {
				r.ended = w.endMission(p, d, key, m)
				w.share(&k.monster.object.entity, p, m)
			}
			k.rewards = append(k.rewards, r)
			w.rewarded(k, p)
		}).failed = func() { w.rewarded(k, p) }
	})
}

// gain is what a player is told of its part in a kill. What it has become meanwhile is in it, and told once.
func (w *World) gain(r *reward) Gain {
	p := r.player
	g := Gain{ID: p.ID, Coins: r.coins, Mission: r.ended}
	if g.Was, g.Is = w.grow(p); r.levels && !isDead(p) {
		p.Pools.HP, p.Pools.MP = max(p.Pools.MaxHP, p.Pools.HP), max(p.Pools.MaxMP, p.Pools.MP)
		p.known.Pools = p.Pools
		g.Is = p.sheet()
		w.markUnsaved(p)
		w.showHealth(&p.entity)
	}
	if g.Coins != 0 {
		g.Money = p.Money
	}
	return g
}

// rewarded ends that a player has to do with a kill.
func (w *World) rewarded(k *kill, p *player) {
	for i := range p.kills {
		if p.kills[i] == k {
			p.kills = append(p.kills[:i], p.kills[i+1:]...)
			w.settled(k)
			return
		}
	}
}

// leaveKills ends that of a player who has no part any more in what is not settled.
func (w *World) leaveKills(p *player) {
	kills := p.kills
	p.kills = nil
	for _, k := range kills {
		w.settled(k)
	}
}

// settled tells of a death when all that follows from it is durable or will never be. The monster vanishes for those
// who see it, and the bag takes its place.
func (w *World) settled(k *kill) {
	if k.open--; k.open > 0 {
		return
	}
	if last := k.last; last != nil {
		k.last, k.open = nil, 1
		last()
		w.settled(k)
		return
	}
	dead, s := k.monster.object, k.monster.spawner
	e := MonsterDied{ID: dead.ID, At: dead.Position, Killer: k.killer, Target: s != nil && s.mission != 0}
	for i := range k.rewards {
		if r := &k.rewards[i]; !r.gone {
			e.Gains = append(e.Gains, w.gain(r))
		}
	}
	if !dead.gone {
		from := len(w.ids)
		w.ids = append(w.ids, dead.viewers...)
		e.Viewers = w.list(from)
	}
	if k.bag != nil {
		e.Bag = &k.bag.Object
	}
	if len(e.Viewers) > 0 {
		w.tell(w.monsterDied.put(e))
	}
	for _, g := range e.Gains {
		if !slices.Contains(e.Viewers, g.ID) {
			w.tell(Gained{g, dead.Position})
		}
	}
	var sees []*entity
	for i := len(dead.links[players]) - 1; i >= 0; i-- {
		sees = append(sees, dead.unlink(players, i))
	}
	w.remove(dead)
	if k.bag != nil {
		w.layFor(k.bag, dead.inside, sees)
	}
}

// layFor puts what lies into the world for those who have been told of it, and tells all others who see it.
func (w *World) layFor(o *object, in *instance, sees []*entity) {
	w.putFor(o, in.open(), sees)
	if in.open() != in {
		w.expire(&o.entity)
		return
	}
	w.expires(o)
}
