package world

import (
	"maps"
	"slices"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// The kinds of fights, and the types of monsters.
const (
	kStartSword = 30 + iota
	kCrossbow
	kTrophy
	kCap
	kBolt
	kVenom
	kLess

	mTarget = 1 + iota // hits no player and stands still
	mBiter
	mRich  // leaves something, teaches much
	mGood  // of good karma
	mHoard // leaves two things
)

// fightTables are testTables with weapons and monsters.
var fightTables = func() *rules.Tables {
	kinds := maps.Clone(testKinds)
	kinds[kStartSword] = &rules.Kind{ID: kStartSword, Class: 506, GameID: 1, Hand: true,
		Columns: rules.Columns{Attack: -15, Range: 2, UseTime: 150, Spread: 2, Durability: 3650, Price: 101}}
	kinds[kCrossbow] = &rules.Kind{ID: kCrossbow, Class: 502, GameID: 2, Hand: true,
		Columns: rules.Columns{Attack: -30, Range: 30, UseTime: 340, Spread: 2}}
	kinds[kTrophy] = &rules.Kind{ID: kTrophy, Class: 709, GameID: 150, Stack: 50}
	kinds[kCap] = &rules.Kind{ID: kCap, Class: 757, GameID: 3, Slots: []int{rules.SlotHelmet},
		Columns: rules.Columns{Bonus: rules.Bonus{PhysicalDefence: 7}, Durability: 500, Price: 30}}
	kinds[kBolt] = &rules.Kind{ID: kBolt, Class: 1001, GameID: 2459, Columns: rules.Columns{Magic: -20, Range: 15}}
	kinds[kVenom] = &rules.Kind{ID: kVenom, Class: 1001, GameID: 2420, EffectKey: "mbps", Columns: rules.Columns{Range: 15,
		Effect: 1005, EffectLength: 104, Chance: 1000, Bonus: rules.Bonus{Stats: rules.Stats{-60, -10}}}}
	kinds[kLess] = &rules.Kind{ID: kLess, Class: 1001, GameID: 2455, EffectKey: "mbds", Columns: rules.Columns{Range: 15,
		Effect: 882, EffectLength: 102, Chance: 1000, Bonus: rules.Bonus{HP: -40, MP: -20}}}
	for rank := range rules.GuildRanks { // of the crusaders, with an ability
		emblem, shield := 5600+rank, 5620+rank
		kinds[emblem] = &rules.Kind{ID: emblem, GameID: emblem, Class: 2000, Slots: []int{rules.SlotGuild},
			Columns: rules.Columns{Bonus: rules.Bonus{Stats: rules.Stats{3: 14 * (rank + 1)}}}}
		kinds[shield] = &rules.Kind{ID: shield, GameID: shield, Class: 2001, Slots: []int{46, 47, 48}, EffectKey: "mgss",
			Columns: rules.Columns{Effect: 1046, EffectLength: 110, Reuse: 6 - rank, Chance: 1000,
				Bonus: rules.Bonus{HP: 500}}}
	}
	for id, class := range map[int]int{5619: 2004, 5719: 2005, 5919: 2006, 6210: 2003, 6215: 2003, 6319: 2002,
		6339: 2009} {
		kinds[id] = &rules.Kind{ID: id, GameID: id, Class: class, Slots: []int{46}, Columns: rules.Columns{Range: 50, Reuse: 3}}
	}
	kinds[6729] = &rules.Kind{ID: 6729, GameID: 6729, Class: 2011, Slots: []int{46},
		Columns: rules.Columns{Range: 6, Reuse: 3, UseHP: -5, UseMP: -20}}
	kinds[6819] = &rules.Kind{ID: 6819, GameID: 6819, Class: 2013, Slots: []int{46}, EffectKey: "mgss",
		Columns: rules.Columns{Range: 20, Reuse: 3, Effect: 1111, EffectLength: 160, Chance: 1000, Bonus: rules.Bonus{PhysicalDefence: 60}}}
	kinds[6839] = &rules.Kind{ID: 6839, GameID: 6839, Class: 2015, Slots: []int{46}, EffectKey: "mgss",
		Columns: rules.Columns{Reuse: 3, Effect: 1011, EffectLength: 102, Chance: 1000, Bonus: rules.Bonus{PhysicalDefence: 1000}}}
	var all []rules.Kind
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		all = append(all, *kinds[id])
	}
	t, err := rules.NewTables(all, nil, []rules.Monster{
		{ID: mTarget, Class: 210, Karma: 5, Range: 3, Delay: 5, HPBase: 64, High: 59},
		{ID: mBiter, Class: 210, Karma: 5, Range: 3, Delay: 7, HPBase: 64, Attack: -6, High: 59},
		{ID: mRich, Class: 210, Karma: 1, Range: 3, Delay: 5, HPBase: 64, High: 59,
			Trophies: [2]rules.Trophy{{Kind: kTrophy, Chance: 1000}}},
		{ID: mGood, Class: 210, Karma: 4, Range: 3, Delay: 5, HPBase: 64, High: 59},
		{ID: mHoard, Class: 210, Karma: 1, Range: 3, Delay: 5, HPBase: 64, High: 59,
			Trophies: [2]rules.Trophy{{Kind: kTrophy, Chance: 1000}, {Kind: kTooth, Chance: 1000}}},
		{ID: rules.NewcomersMonster, Class: 210, Karma: 1, Range: 3, Delay: 7, HPBase: 64, Attack: -6, High: 59},
	})
	if err != nil {
		panic(err)
	}
	t.Levels, t.Stock = true, testTables.Stock
	return t
}()

// sharp is the balance of the tests: no blow misses, and bags hold trophies alone.
func sharp() *rules.Balance {
	b := grown()
	b.Damage.MissPlayer, b.Damage.MissMonster, b.Loot.Bag = 0, 0, 0
	return b
}

// grown is the balance that ships without the ease for beginners.
func grown() *rules.Balance {
	b := rules.DefaultBalance()
	b.Damage.EasyLevel, b.Experience.EasyLevel, b.Spawn.EasyLevel, b.Effect.EasyLevel = 1, 1, 0, 1
	b.Blow.Linger = 0
	return b
}

func newFight(o Options) *tradeStage {
	if o.Tables = fightTables; o.Balance == nil {
		o.Balance = sharp()
	}
	return &tradeStage{stage: newStage(o), modelStore: newModelStore()}
}

// weapon is one of the kinds of fights.
func weapon(kind int, id rules.ItemID, slot int) rules.Item {
	i := fightTables.NewItem(fightTables.Kind(kind), rules.NoSuffix, 1, nil)
	i.ID, i.Slot = id, slot
	return i
}

// deedOf has the world do something.
type deedOf func(w *World)

func (deedOf) who() PlayerID { return 0 }
func (c deedOf) do(w *World) { c(w) }

// beast puts a monster to the east of Shipstone.
func (m *tradeStage) beast(kind, level int, d float32) *monster {
	var out *monster
	m.does(deedOf(func(w *World) {
		out = w.spawners.newMonster(w.tables.Monster(kind), level, w.spawners.chanceOf(-1, kind))
		w.spawners.putMonsterInto(out, 0, east(d), nil)
	}))
	return out
}

// fighter lets a player with a sword in its hand in, with all its HP.
func (m *tradeStage) fighter(t testing.TB, id PlayerID, title, degree int) *player {
	t.Helper()
	sword := rules.ItemID(id)*100 + 1
	m.admits(Player{ID: id, Title: title, Degree: degree, Items: []rules.Item{weapon(kStartSword, sword, 26)},
		Money: 1000})
	m.asks(t, TakeInHand{ID: id, Item: sword})
	p := m.player(id)
	m.asks(t, setPools{id, rules.Pools{HP: p.Pools.MaxHP, MaxHP: p.Pools.MaxHP, MP: 40, MaxMP: p.Pools.MaxMP, Satiety: 50,
		MaxSatiety: 100}})
	return p
}

func (p *player) blowAt(id EntityID) Strike { return Strike{ID: p.ID, With: p.hand, Target: id} }

// die kills a monster with given threats.
func (m *tradeStage) die(t testing.TB, b *monster, by *player, threats ...threat) []Event {
	return m.asks(t, deedOf(func(w *World) {
		b.threat = threats
		for i := range b.threat {
			b.threat[i].last, b.threat[i].turned = w.instant(), w.instant()
		}
		w.setHP(b, 0)
		w.combat.kill(b, by)
	}))
}

func hurtBy(p *player, damage int, school rules.School) threat {
	th := threat{by: p.ID, lastBy: school}
	th.recent[0].damage, th.recent[0].blows[school] = damage, 1
	return th
}

func TestCheck5To7SwordAtMonster(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mTarget, 1, 1)
	b.MaxHP, b.HP = 6400, 6400
	sum, seen := 0, map[int]bool{}
	for i := range 100 {
		events := m.asks(t, p.blowAt(b.object.ID))
		e := only[*MonsterHurt](t, events)
		sum += e.Damage
		seen[e.Damage] = true
		if e.Damage < 10 || e.Damage > 18 || e.By != p.Number || e.HP != 6400-sum || b.HP != e.HP ||
			e.Hits != i+1 || !slices.Equal(e.Viewers, []PlayerID{1}) {
			t.Fatalf("hit %d is %+v", i, *e)
		}
		m.pass(1500 * time.Millisecond)
	}
	if len(seen) < 7 {
		t.Errorf("the damages are %v", seen)
	}
	for _, id := range []EntityID{0, 0xFFFF, 0xFFFFFF, 2, b.object.ID + 1} {
		refused(t, m.asks(t, p.blowAt(id)), rules.NotInSight)
	}
	if b.HP != 6400-sum {
		t.Error("a refused blow has hurt")
	}
}

func TestFistsHitAlike(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mTarget, 1, 1)
	m.asks(t, TakeInHand{ID: 1, Fists: true})
	for range 5 {
		if e := only[*MonsterHurt](t, m.asks(t, Strike{ID: 1, Target: b.object.ID})); e.Damage != 2 {
			t.Errorf("fists do %d", e.Damage)
		}
		m.pass(2 * time.Second)
	}
	refused(t, m.asks(t, Strike{ID: 1, With: 101, Target: b.object.ID}), rules.NotInHand)
	if p.hand != 0 || b.HP != 64-10 {
		t.Errorf("%d HP", b.HP)
	}
}

func TestCheck9TooSoonChangesNothing(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mTarget, 1, 1)
	only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID)))
	hp := b.HP
	for range 23 { // 1.15 s of 1.2 s
		refused(t, m.asks(t, p.blowAt(b.object.ID)), rules.TooSoon)
	}
	if b.HP != hp {
		t.Errorf("HP are %d, were %d", b.HP, hp)
	}
	only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID)))
}

func TestCheck10OutOfReach(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	for d, hits := range map[float32]bool{4.9: true, 5.1: false, 30: false} {
		b := m.beast(mTarget, 1, d)
		m.pass(2 * time.Second)
		if e := only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID))); (e.Damage > 0) != hits || (b.HP < 64) != hits {
			t.Errorf("from %v m the damage is %d", d, e.Damage)
		}
	}
}

func TestMissIsDamageZero(t *testing.T) {
	balance := sharp()
	balance.Damage.MissPlayer = 1
	m := newFight(Options{Balance: balance})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mTarget, 1, 1)
	e := only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID)))
	if e.Damage != 0 || e.HP != 64 || e.Hits != 0 || b.hits != 0 {
		t.Errorf("told %+v", *e)
	}
}

func TestBlowsRefused(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	npc := m.NextEntityID()
	m.does(Put{Object{npc, east(2), NPC{Type: 10}}})
	b := m.beast(mTarget, 1, 1)
	for name, c := range map[string]struct {
		strike Strike
		why    rules.RejectReason
	}{
		"townsfolk":       {p.blowAt(npc), rules.NoTarget},
		"somebody unseen": {p.blowAt(9), rules.NotInSight},
		"another's":       {Strike{1, 999, b.object.ID}, rules.NotYours},
	} {
		before := m.state()
		refused(t, m.asks(t, c.strike), c.why)
		if !same(before, m.state()) || !p.lastBlow.IsZero() {
			t.Errorf("%s: something has changed", name)
		}
	}
	m.asks(t, setPools{1, rules.Pools{HP: 0, MP: 40, Satiety: 50, MaxSatiety: 100}})
	refused(t, m.asks(t, p.blowAt(b.object.ID)), rules.Dead)
}

func TestCrossbowUsesArrows(t *testing.T) {
	m := newFight(Options{})
	m.admits(Player{ID: 1, Items: []rules.Item{weapon(kCrossbow, 1, 26), thing(kArrows, 2, 0, 55, 2)}})
	m.asks(t, TakeInHand{ID: 1, Item: 1})
	p, b := m.player(1), m.beast(mTarget, 20, 25)
	for left := 1; left >= 0; left-- {
		events := m.asks(t, p.blowAt(b.object.ID))
		if e := only[Shot](t, events); e.Left != left || e.Item.Count != left+1 || len(e.Slots) != 1 {
			t.Errorf("shot %+v", e)
		}
		if e := only[*MonsterHurt](t, events); e.Damage < 20 {
			t.Errorf("hit %+v", *e)
		}
		m.pass(4 * time.Second)
	}
	refused(t, m.asks(t, p.blowAt(b.object.ID)), rules.NoArrows)
	if len(m.things) != 1 {
		t.Errorf("the store has %+v", m.things)
	}
}

// archer lets in a player with a crossbow in its hand and some arrows.
func (m *tradeStage) archer(t *testing.T, arrows int) *player {
	t.Helper()
	m.admits(Player{ID: 1, Items: []rules.Item{weapon(kCrossbow, 1, 26), thing(kArrows, 2, 0, 55, arrows)}})
	m.asks(t, TakeInHand{ID: 1, Item: 1})
	return m.player(1)
}

// Shots wait for no store: all arrows shot meanwhile are paid as one change, and there are no more shots than arrows.
func TestShotsDoNotWaitForTheStore(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 4), m.beast(mTarget, 20, 25)
	shoot := func() []Event {
		m.pass(4 * time.Second)
		return m.does(p.blowAt(b.object.ID))
	}
	first := only[CommitRequest](t, shoot())
	for range 3 {
		events := shoot()
		if only[*MonsterHurt](t, events); len(of[CommitRequest](events))+len(of[Shot](events)) > 0 {
			t.Fatalf("a change is asked for or told: %v", describe(events))
		}
	}
	if events := shoot(); len(of[*MonsterHurt](events)) > 0 || len(of[Refused](events)) > 0 {
		t.Fatalf("a fifth shot with four arrows: %v", describe(events))
	}
	events := m.settles(t, first)
	if e := only[Shot](t, events); e.Item.Count != 4 || e.Left != 3 {
		t.Errorf("told of the first %+v", e)
	}
	events = m.settles(t, only[CommitRequest](t, events))
	if e := only[Shot](t, events); e.Item.Count != 3 || e.Left != 0 {
		t.Errorf("told of the others %+v", e)
	}
	if refused(t, events, rules.NoArrows); len(m.things) != 1 || p.owesArrows > 0 {
		t.Errorf("the store has %+v, %d are owed", m.things, p.owesArrows)
	}
}

// Arrows that are about to leave their slot are not shot, however long the store takes.
func TestArrowsOnTheirWayAreNotShot(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 4), m.beast(mTarget, 20, 25)
	r := only[CommitRequest](t, m.does(MoveItem{ID: 1, From: rules.SlotAmmunition, To: 27}))
	if events := m.does(p.blowAt(b.object.ID)); len(of[*MonsterHurt](events)) > 0 {
		t.Errorf("an arrow is shot that is being put away: %v", describe(events))
	}
	if refused(t, m.settles(t, r), rules.NoArrows); p.owesArrows > 0 {
		t.Errorf("%d arrows are owed", p.owesArrows)
	}
}

// Arrows that have left while the store failed are not owed any more: those put there later can be shot.
func TestArrowsThatAreGoneAreNotOwed(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 1), m.beast(mTarget, 20, 25)
	r := only[CommitRequest](t, m.does(p.blowAt(b.object.ID)))
	m.does(Committed{Seq: r.Seq, Err: errConflict})
	m.asks(t, MoveItem{ID: 1, From: rules.SlotAmmunition, To: 27})
	m.pass(storeRetry + 4*time.Second)
	m.asks(t, MoveItem{ID: 1, From: 27, To: rules.SlotAmmunition})
	if only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID))); p.owesArrows > 0 {
		t.Errorf("%d are owed", p.owesArrows)
	}
}

// A shot that does not count costs no arrow.
func TestShotsThatDoNotCountCostNothing(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 2), m.beast(mTarget, 20, 25)
	m.asks(t, p.blowAt(b.object.ID))
	for name, c := range map[string]struct {
		target EntityID
		why    rules.RejectReason
	}{"too soon": {b.object.ID, rules.TooSoon}, "nothing there": {999999, rules.NotInSight}} {
		before := m.state()
		if refused(t, m.asks(t, p.blowAt(c.target)), c.why); !same(before, m.state()) {
			t.Errorf("%s: something has changed", name)
		}
	}
	if left := p.carried.At(0, 55).Count; left != 1 || p.owesArrows > 0 {
		t.Errorf("%d arrows are left, %d are owed", left, p.owesArrows)
	}
}

// A store that fails is asked again for an arrow, and the player is told nothing before it has taken it.
func TestArrowsArePaidWhenTheStoreHasFailed(t *testing.T) {
	m := newFight(Options{})
	p, b := m.archer(t, 2), m.beast(mTarget, 20, 25)
	r := only[CommitRequest](t, m.does(p.blowAt(b.object.ID)))
	if events := m.does(Committed{Seq: r.Seq, Err: errConflict}); len(events) > 0 || b.HP == b.MaxHP {
		t.Errorf("%d HP of %d are left, told %v", b.HP, b.MaxHP, describe(events))
	}
	r = only[CommitRequest](t, m.pass(storeRetry+TickPeriod))
	if e := only[Shot](t, m.settles(t, r)); e.Left != 1 || p.owesArrows > 0 {
		t.Errorf("told %+v, %d are owed", e, p.owesArrows)
	}
}

func TestCheck27MonsterHits(t *testing.T) {
	m := newFight(Options{})
	p := m.fighter(t, 1, 0, 0)
	m.fighter(t, 2, 0, 0)
	b := m.beast(mBiter, 1, 1)
	seen, hp := map[int]bool{}, p.Pools.HP
	for range 15 {
		events := m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))
		swung := only[*MonsterSwung](t, events)
		hit := swung.Hit
		if swung.Missed || swung.Target != 1 || len(swung.Viewers) != 2 || hit.Hit.By != b.object.ID ||
			hit.Died || len(of[PlayerHit](events)) > 0 {
			t.Errorf("told %+v and %+v", *swung, hit)
		}
		if health := only[*HealthSeen](t, events); health.HP != p.Pools.HP || !slices.Equal(health.Viewers, []PlayerID{2}) {
			t.Errorf("seen %+v", *health)
		}
		seen[-hit.Hit.HP] = true
		hp += hit.Hit.HP
		if p.Pools.HP != hp || hit.Pools.HP != hp {
			t.Fatalf("HP are %d, told %+v, expected %d", p.Pools.HP, hit, hp)
		}
	}
	if len(seen) != 2 || !seen[5] || !seen[6] {
		t.Errorf("the damages are %v", seen)
	}
}

// Check 26 in the world: a new character of 110 HP is hit for 6, 5 and 6, has 104, 99 and 93, and gets 2 back in the 6 s
// after the fight. The first seed with these hits is taken.
func TestCheck26ThreeHitsAndARest(t *testing.T) {
	for seed := 1; seed <= 100; seed++ {
		m := newFight(Options{Seed: seed})
		p := m.fighter(t, 1, 0, 0)
		if p.heard = true; p.Pools.HP != 110 || p.Pools.MaxHP != 110 {
			t.Fatalf("a new character has %+v", p.Pools)
		}
		b := m.beast(rules.NewcomersMonster, 1, 1)
		var hits, left []int
		for range 3 {
			hit := only[*MonsterSwung](t, m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))).Hit
			hits, left = append(hits, hit.Hit.HP), append(left, hit.Pools.HP)
		}
		if !slices.Equal(hits, []int{-6, -5, -6}) {
			continue
		}
		if !slices.Equal(left, []int{104, 99, 93}) {
			t.Errorf("hits %v leave %v", hits, left)
		}
		m.does(Remove{b.object.ID})
		m.asksAfter(t, rules.RegenerationPeriod)
		if p.Pools.HP != 95 {
			t.Errorf("after a rest of %v it has %d HP", rules.RegenerationPeriod, p.Pools.HP)
		}
		return
	}
	t.Error("no seed has these hits")
}

func TestMonsterMisses(t *testing.T) {
	balance := sharp()
	balance.Damage.MissMonster = 1
	m := newFight(Options{Balance: balance})
	p := m.fighter(t, 1, 0, 0)
	b := m.beast(mBiter, 1, 1)
	events := m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))
	if e := only[*MonsterSwung](t, events); !e.Missed || len(of[PlayerHit](events)) > 0 {
		t.Errorf("told %s", describe(events))
	}
}

// With two numbers an operator makes all monsters weaker or stronger.
func TestStrengthOfMonsters(t *testing.T) {
	for _, v := range []struct {
		hp, damage float64
		maxHP      int
		hurts      bool
	}{{1, 1, 64, true}, {0.5, 0.001, 32, true}, {3, 0, 192, false}} {
		balance := sharp()
		balance.Strength = rules.StrengthBalance{HP: v.hp, Damage: v.damage}
		m := newFight(Options{Balance: balance})
		p, b := m.fighter(t, 1, 0, 0), m.beast(mBiter, 1, 1)
		hp := p.Pools.HP
		m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))
		if b.MaxHP != v.maxHP || b.HP != v.maxHP || (p.Pools.HP < hp) != v.hurts {
			t.Errorf("%+v: it has %d of %d HP, and hurts by %d", v, b.HP, b.MaxHP, hp-p.Pools.HP)
		}
	}
}

// Effects of both work on blows between players, and on those of monsters. Source: protocol fight 11.2.
func TestWardsWorkInFights(t *testing.T) {
	const prana, vampire, mirror, circle = 1046, 1047, 1049, 1009
	for name, c := range map[string]struct {
		p, q  int                                   // the effects of the attacker and the victim
		check func(lost, mp, healed, back int) bool // of the victim HP and MP, of the attacker
	}{
		"none":         {0, 0, func(lost, mp, healed, back int) bool { return lost >= 5 && mp == 0 && healed == 0 && back == 0 }},
		"prana shield": {0, prana, func(lost, mp, _, _ int) bool { return lost > 0 && mp > 0 && lost+mp >= 5 && lost-mp <= 1 }},
		"circle":       {0, circle, func(lost, mp, healed, back int) bool { return lost+mp+healed+back == 0 }},
		"vampire":      {vampire, 0, func(lost, _, healed, _ int) bool { return lost > 0 && healed == lost/5 }},
		"mirror":       {0, mirror, func(lost, _, _, back int) bool { return lost > 0 && back == lost*3/10 }},
	} {
		m := newFight(Options{})
		p, q := m.fighter(t, 1, 29, 29), m.fighter(t, 2, 29, 29)
		for on, id := range map[PlayerID]int{1: c.p, 2: c.q} {
			if id != 0 {
				m.does(lays{on, on, rules.Effect{ID: id, Kind: rules.SpecialEffect, Length: 101}})
			}
		}
		p.Pools.HP -= 50
		before, was := q.Pools, p.Pools.HP
		m.asks(t, p.blowAt(q.Number))
		if c.check(before.HP-q.Pools.HP, before.MP-q.Pools.MP, max(p.Pools.HP-was, 0), max(was-p.Pools.HP, 0)) {
			continue
		}
		t.Errorf("%s: the victim has %+v of %+v, the attacker %d HP of %d", name, q.Pools, before, p.Pools.HP, was)
	}
	m := newFight(Options{})
	p, b := m.fighter(t, 1, 29, 29), m.beast(mBiter, 20, 1)
	for _, id := range []int{vampire, mirror} {
		m.does(lays{1, 1, rules.Effect{ID: id, Kind: rules.SpecialEffect, Length: 101}})
	}
	p.Pools.HP -= 50
	was := p.Pools.HP
	e := only[*MonsterHurt](t, m.asks(t, p.blowAt(b.object.ID)))
	if p.Pools.HP != was+e.Damage/5 {
		t.Errorf("of %d damage a vampire has drunk %d", e.Damage, p.Pools.HP-was)
	}
	hp := b.HP
	hit := only[*MonsterSwung](t, m.asks(t, deedOf(func(w *World) { w.combat.swing(b, p) }))).Hit
	if hit.Hit.HP >= 0 || hp-b.HP != -hit.Hit.HP*3/10 {
		t.Errorf("of %d a mirror throws %d back", -hit.Hit.HP, hp-b.HP)
	}
}

// A hit of a monster leaves its effect as often as its row says, a miss never. Source: protocol fight 6.3.
func TestHitsOfMonstersLeaveEffects(t *testing.T) {
	for _, c := range []struct {
		effect, chance int
		miss           float64
		most, least    int
	}{{502, 1000, 0, 200, 200}, {502, 0, 0, 0, 0}, {0, 1000, 0, 0, 0}, {502, 1000, 1, 0, 0}, {502, 250, 0, 80, 20}} {
		balance := sharp()
		balance.Damage.MissMonster = c.miss
		m := newFight(Options{Balance: balance})
		p, b := m.fighter(t, 1, 29, 29), m.beast(mBiter, 1, 1)
		row := *b.row
		row.Effect, row.Chance, row.Length, row.EffectKey, row.Changes = c.effect, c.chance, 1, "mmph", rules.Bonus{HP: -10}
		b.row = &row
		n := 0
		for range 200 {
			m.does(deedOf(func(w *World) {
				p.Pools.HP = p.Pools.MaxHP
				w.combat.swing(b, p)
			}))
			if n += len(p.effects); len(p.effects) > 0 && p.effects[0].Kind != rules.BadEffect {
				t.Errorf("it leaves %+v", p.effects[0])
			}
			m.does(deedOf(func(w *World) { w.vitals.endEffects(p, func(*rules.Effect) bool { return true }) }))
		}
		if n < c.least || n > c.most {
			t.Errorf("%+v: %d effects of 200 swings", c, n)
		}
	}
}
