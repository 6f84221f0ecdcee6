package world

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// The kinds of the tests of spells, with the numbers that the client has.
const (
	cWall    = 501  // powder: PD +15
	cHeal    = 2323 // mantra: HP +540
	cPrana   = 2346
	cBerserk = 2336 // of oneself only
	cWeak    = 2401 // PA worse
	cDrain   = 2452
	cBolt    = 2459
	cFlames  = 15303 // all around
	cPoison  = 636
	cBread   = 9001
	cRare    = 9002 // an effect that seldom holds
	cLess    = 2455 // the greatest HP fall
	cRests   = 2340 // prana, not oftener than each two minutes
	cSteady  = 9051 // nothing stuns
	cStun    = 9040
	cRuin    = 9077 // called good, and takes PD
)

var castTables = func() *rules.Tables {
	kinds := []rules.Kind{
		{ID: cWall, Class: 453, EffectKey: "mgss", Columns: rules.Columns{UseMP: -20, Range: 5, UseTime: 2, Effect: 901,
			EffectLength: 3, Chance: 1000, Bonus: rules.Bonus{PhysicalDefence: 15}}},
		{ID: cHeal, Class: 1000, Columns: rules.Columns{UseMP: -32, Magic: 540, Range: 2, UseTime: 200}},
		{ID: cPrana, Class: 1000, Columns: rules.Columns{UseHP: -55, MPEffect: 1050, Range: 2, UseTime: 450}},
		{ID: cBerserk, Class: 1000, EffectKey: "msbm",
			Columns: rules.Columns{UseHP: -15, UseMP: -15, UseTime: 180, Effect: 1001,
				EffectLength: 148, Chance: 1000, Bonus: rules.Bonus{Attack: -73}}},
		{ID: cWeak, Class: 1001, EffectKey: "mbdn", Columns: rules.Columns{UseMP: -20, Range: 7, UseTime: 230, Effect: 868,
			EffectLength: 140, Chance: 1000, Bonus: rules.Bonus{Attack: 15}}},
		{ID: cDrain, Class: 1001, Columns: rules.Columns{UseMP: -20, MPEffect: -30, Range: 4, UseTime: 370}},
		{ID: cBolt, Class: 1001, Columns: rules.Columns{UseMP: -20, Attack: -9, Magic: -54, Range: 15, UseTime: 530,
			Need: rules.Need{Stats: rules.Stats{0, 0, 0, 0, 0, 0, 0, 0}}}},
		{ID: cFlames, Class: 455, Columns: rules.Columns{UseMP: -10, Magic: -10, Range: 315, UseTime: 300}},
		{ID: cPoison, Class: 453, EffectKey: "mbps", Columns: rules.Columns{UseMP: -6, Range: 12, UseTime: 280, Effect: 1005,
			EffectLength: 1, Chance: 1000, Bonus: rules.Bonus{Stats: rules.Stats{-600}}}},
		{ID: cBread, Class: 653},
		{ID: cLess, Class: 1001, EffectKey: "mbds",
			Columns: rules.Columns{Range: 7, Effect: 882, EffectLength: 101, Chance: 1000,
				Bonus: rules.Bonus{HP: -40}}},
		{ID: cRests, Class: 1000, Columns: rules.Columns{MPEffect: 5, Range: 2, Reuse: 2, UseTime: 100}},
		{ID: cSteady, Class: 1000, Columns: rules.Columns{Range: 5, Effect: 1051, EffectLength: 102, Chance: 1000}},
		{ID: cStun, Class: 1001, Columns: rules.Columns{Range: 5, Effect: 1040, EffectLength: 102, Chance: 1000}},
		{ID: cRuin, Class: 1000, EffectKey: "mnbs", Columns: rules.Columns{Range: 5, Effect: 1077, EffectLength: 102, Chance: 1000,
			Bonus: rules.Bonus{PhysicalDefence: -720}}},
		{ID: cRare, Class: 1000, EffectKey: "mgss",
			Columns: rules.Columns{Range: 5, Effect: 856, EffectLength: 2, Chance: 300,
				Need: rules.Need{Title: 3}}},
	}
	for i := range kinds {
		kinds[i].GameID = kinds[i].ID
		kinds[i].Complete()
	}
	t, err := rules.NewTables(kinds, nil, []rules.Monster{
		{ID: mTarget, Class: 210, Karma: 5, Range: 3, Delay: 5, HPBase: 64, High: 59},
		{ID: mBiter, Class: 210, Karma: 5, Range: 3, Delay: 7, HPBase: 64, Attack: -60, Physical: 20, High: 59}})
	if err != nil {
		panic(err)
	}
	t.Levels = true
	return t
}()

// newCastStage has players that carry one of each item, in the order of the kinds, from slot 26 on, and the rest in a
// bag.
func newCastStage(players ...PlayerID) *tradeStage {
	m := newTradeStage()
	m.tables, m.balance = castTables, sharp()
	for _, id := range players {
		var things []rules.Item
		slot := 0
		for _, k := range castTables.Kinds() {
			if k.ID != cRare {
				t := rules.Item{ID: magic(id, k.ID), Slot: 26 + slot, Class: k.Class, GameID: k.GameID, Suffix: -1, Count: 3,
					Durability: 100, MaxDurability: 100}
				if t.Slot >= rules.EndOfInventory {
					t.In, t.Slot = magic(id, 1), t.Slot-rules.EndOfInventory
				}
				things = append(things, t)
				slot++
			}
		}
		bag := rules.Item{ID: magic(id, 1), Slot: 22, Class: 401, Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100}
		m.joins(id, append(things, bag)...)
	}
	return m
}

// magic is the number of a player's thing of a kind.
func magic(id PlayerID, kind int) rules.ItemID { return rules.ItemID(100000*int(id) + kind) }

// on is a player's use of an item on a target, 0 for none.
func on(who PlayerID, kind int, target EntityID) UseItem {
	return UseItem{ID: who, Item: magic(who, kind), Target: Target{Object: target}}
}

func TestCheck35APowderOfDefence(t *testing.T) {
	m := newCastStage(1)
	events := m.asks(t, on(1, cWall, 0))
	if e := only[Used](t, events); e.Left != 2 || len(e.Slots) != 1 {
		t.Errorf("told %+v", e)
	}
	if changed := told[PoolsChanged](events); len(changed) != 1 || changed[0].Before.MP-changed[0].Now.MP != 20 {
		t.Errorf("the cost is told as %+v", changed)
	}
	began := only[EffectBegan](t, events)
	if e := began.Effect; e.ID != 901 || e.Key != "mgss" || e.Kind != rules.GoodEffect || e.Length != 3 ||
		e.Left != 900*time.Second || e.Bonus.PhysicalDefence != 15 || began.Caster != 1 {
		t.Errorf("began %+v", began)
	}
	if v := valuesOf(only[StatsChanged](t, events)); v[statPhysical] != 15 {
		t.Errorf("changed %v", v)
	}
	events = m.pass(900*time.Second + TickPeriod)
	if e := only[EffectEnded](t, events); e.Effect.ID != 901 {
		t.Errorf("ended %+v", e)
	}
	if v := valuesOf(only[StatsChanged](t, events)); v[statPhysical] != 0 || m.player(1).derived.PhysicalDefence != 0 {
		t.Errorf("changed %v", v)
	}
}

func TestCheck36AMantraOfHealing(t *testing.T) {
	m := newCastStage(1)
	p := m.player(1)
	m.asks(t, setPools{1, rules.Pools{HP: 10, MP: 60, Satiety: 50, MaxSatiety: 100}})
	events := m.asks(t, on(1, cHeal, 0))
	if p.Pools.MP != 28 || p.Pools.HP != p.Pools.MaxHP {
		t.Errorf("MP %d, HP %d of %d", p.Pools.MP, p.Pools.HP, p.Pools.MaxHP)
	}
	if e := only[Healed](t, events); e.HP != p.Pools.MaxHP-10 || e.MP != 0 || e.By != 1 {
		t.Errorf("healed %+v", e)
	}
	if changed := told[PoolsChanged](events); len(changed) != 1 || changed[0].Now.MP != 28 || changed[0].Now.HP != 10 {
		t.Errorf("the cost is told as %+v", changed)
	}
	if e := only[Used](t, events); e.Left != 3 {
		t.Errorf("used %+v", e)
	}
}

func TestSpellsAreCastAtWhomTheyAreFor(t *testing.T) {
	for name, c := range map[string]struct {
		use    UseItem
		pools  rules.Pools // of the caster; none: HP 50, MP 40
		target float32     // metres to the other
		why    rules.RejectReason
		healed PlayerID
		effect PlayerID
	}{
		"healing oneself":              {use: on(1, cHeal, 0), healed: 1},
		"healing oneself by number":    {use: on(1, cHeal, 1), healed: 1},
		"healing oneself by the thing": {use: UseItem{1, magic(1, cHeal), Target{Item: magic(1, cHeal)}}, healed: 1},
		"on another thing": {use: UseItem{1, magic(1, cHeal), Target{Item: magic(1, cWall)}},
			why: rules.NoUse},
		"healing another":                 {use: on(1, cHeal, 2), target: 4, healed: 2},
		"healing too far away":            {use: on(1, cHeal, 2), target: 6, why: rules.TooFar},
		"healing nobody":                  {use: on(1, cHeal, 99), why: rules.NoUse},
		"healing the dead":                {use: on(1, cHeal, 3), why: rules.TargetDead},
		"without MP":                      {use: on(1, cHeal, 0), pools: rules.Pools{HP: 50, MP: 31}, why: rules.Exhausted},
		"prana for HP":                    {use: on(1, cPrana, 0), pools: rules.Pools{HP: 56, MP: 31}, healed: 1},
		"nobody dies of casting":          {use: on(1, cPrana, 0), pools: rules.Pools{HP: 55, MP: 31}, why: rules.Exhausted},
		"a powder on another":             {use: on(1, cWall, 2), target: 7, effect: 2},
		"berserk":                         {use: on(1, cBerserk, 0), effect: 1},
		"nobody makes others go berserk":  {use: on(1, cBerserk, 2), why: rules.NoUse},
		"bread is not given to others":    {use: on(1, cBread, 2), why: rules.NoUse},
		"harm needs somebody to be done":  {use: on(1, cWeak, 0), why: rules.NoUse},
		"nobody harms itself":             {use: on(1, cBolt, 1), why: rules.NoUse},
		"while nothing is in the pockets": {use: on(1, 77, 0), why: rules.NotYours},
	} {
		t.Run(name, func(t *testing.T) {
			m := newCastStage(1)
			at := shipstone
			at.X += c.target
			m.admits(Player{ID: 2, Position: at})
			m.joins(3)
			m.asks(t, setPools{3, rules.Pools{MaxSatiety: 100}})
			if c.pools == (rules.Pools{}) {
				c.pools = rules.Pools{HP: 50, MP: 40}
			}
			c.pools.MaxSatiety = 100
			m.asks(t, setPools{1, c.pools})
			before := m.state()
			events := m.asks(t, c.use)
			if c.why != 0 {
				refused(t, events, c.why)
				if !same(before, m.state()) {
					t.Error("something has changed")
				}
				return
			}
			if healed := of[Healed](events); c.healed == 0 && len(healed) > 0 || c.healed != 0 &&
				(len(healed) != 1 || healed[0].ID != c.healed || healed[0].By != 1) {
				t.Errorf("healed %+v", healed)
			}
			if began := of[EffectBegan](events); c.effect == 0 && len(began) > 0 || c.effect != 0 &&
				(len(began) != 1 || began[0].ID != c.effect || began[0].Caster != 1) {
				t.Errorf("began %+v", began)
			}
		})
	}
}

func TestKindnessIsSeenOnceAMinute(t *testing.T) {
	m := newCastStage(1)
	m.joins(2)
	rich := setPools{1, rules.Pools{HP: 50, MP: 90, MaxSatiety: 100}}
	heals := func() []Event {
		return m.asks(t, rich, setPools{2, rules.Pools{HP: 50, MaxSatiety: 100}}, on(1, cHeal, 2))
	}
	m.asks(t, rich, on(1, cHeal, 0))
	if m.player(1).Progress.Karma != 0 {
		t.Error("it is kind to oneself")
	}
	m.pass(5 * time.Second)
	if v := valuesOf(of[StatsChanged](heals())[0]); v[statKarmaPoints] != 1 {
		t.Errorf("changed %v", v)
	}
	for range 5 {
		m.pass(10 * time.Second)
		heals()
	}
	if m.player(1).Progress.Karma != 1 {
		t.Errorf("karma %d within a minute", m.player(1).Progress.Karma)
	}
	m.pass(11 * time.Second)
	heals()
	if m.player(1).Progress.Karma != 2 {
		t.Errorf("karma %d after it", m.player(1).Progress.Karma)
	}
}

// Leaving and coming back does not make a mantra earn karma sooner; nor is it kept for longer than it matters.
func TestKarmaOfMantrasIsNotForgottenByLeaving(t *testing.T) {
	m := newCastStage(1)
	m.joins(2)
	heal := deedOf(func(w *World) { w.spells.rewardMantra(&cast{by: w.player(1)}) })
	m.asks(t, heal)
	for _, then := range []struct {
		after time.Duration
		want  int
	}{{20 * time.Second, 1}, {20 * time.Second, 1}, {21 * time.Second, 2}} {
		back := only[Left](t, m.asks(t, Leave{ID: 1})).Player
		m.pass(then.after)
		m.asks(t, Enter{back})
		m.asks(t, heal)
		if karma := m.player(1).Progress.Karma; karma != then.want {
			t.Errorf("karma %d, want %d", karma, then.want)
		}
	}
	m.asks(t, Leave{ID: 1})
	m.pass(max(m.balance.Karma.KindEach, m.balance.Karma.SelfDefence) - time.Second)
	if len(m.combat.absent) != 1 {
		t.Errorf("too early %v is kept", m.combat.absent)
	}
	if m.pass(2 * time.Second); len(m.combat.absent) > 0 {
		t.Errorf("kept %v", m.combat.absent)
	}
}

// What a powder costs is spent when it is thrown, even if the store is slow: no mantra is cast for the same prana.
func TestNoPranaIsSpentTwice(t *testing.T) {
	m := newCastStage(1, 2)
	p := m.player(1)
	p.Pools.HP, p.Pools.MP, m.player(2).Pools.HP = 50, 40, 10
	events := m.does(on(1, cWall, 0))
	thrown := only[CommitRequest](t, events)
	if events = m.does(on(1, cHeal, 2)); len(of[Used](events)) > 0 || p.Pools.MP != 40 {
		t.Errorf("%s", describe(events))
	}
	ids, err := m.apply(thrown.Change)
	if err != nil {
		t.Fatal(err)
	}
	refused(t, m.asks(t, Committed{thrown.Seq, ids, nil}), rules.Exhausted)
	if p.Pools.MP != 20 {
		t.Errorf("%d prana are left", p.Pools.MP)
	}
}

func TestRequirementsOfSpells(t *testing.T) {
	m := newCastStage()
	m.joins(1, rules.Item{ID: 1, Slot: 26, Class: 1000, GameID: cRare, Suffix: -1, Count: 1, Durability: 100,
		MaxDurability: 100})
	refused(t, m.asks(t, UseItem{ID: 1, Item: 1}), rules.LacksTitle)
	m.player(1).Title = 3
	held := 0
	for range 200 {
		if len(of[EffectBegan](m.asks(t, UseItem{ID: 1, Item: 1}))) > 0 {
			held++
		}
	}
	if held < 40 || held > 80 {
		t.Errorf("an effect with a chance of 300 in 1000 has held %d times of 200", held)
	}
	m.does(lays{1, 1, rules.Effect{ID: 1040, Key: "msog", Length: 101}})
	refused(t, m.asks(t, UseItem{ID: 1, Item: 1}), rules.Stunned)
}

func TestAttackSpellsHurtMonsters(t *testing.T) {
	m := newCastStage(1)
	b := m.beast(mTarget, 1, 14)
	cast := on(1, cBolt, b.object.ID)
	events := m.asks(t, cast)
	e := only[*MonsterHurt](t, events)
	if e.Damage < 40 || e.Damage > 73 || e.By != 1 || b.HP != 64-min(e.Damage, 64) {
		t.Errorf("hurt %+v", *e)
	}
	if changed := told[PoolsChanged](events); len(changed) != 1 || changed[0].Now.MP != 20 {
		t.Errorf("the cost is told as %+v", changed)
	}
	refused(t, m.asks(t, cast), rules.TooSoon)
	if m.player(1).Pools.MP != 20 {
		t.Error("what is too soon costs something")
	}
	m.asks(t, setPools{1, rules.Pools{HP: 50, MP: 90, MaxSatiety: 100}})
	m.pass(6 * time.Second)
	far := m.beast(mTarget, 1, 30)
	if e := only[*MonsterHurt](t, m.asks(t, on(1, cBolt, far.object.ID))); e.Damage != 0 || far.HP != 64 {
		t.Errorf("from too far away %+v", *e)
	}
	m.pass(6 * time.Second)
	if why := only[Refused](t, m.asks(t, on(1, cWeak, far.object.ID))).Why; why != rules.TooFar {
		t.Errorf("refused with %v", why)
	}
	if why := only[Refused](t, m.asks(t, on(1, cHeal, far.object.ID))).Why; why != rules.NoUse {
		t.Errorf("healing a monster is refused with %v", why)
	}
	if why := only[Refused](t, m.asks(t, on(1, cBolt, 4711))).Why; why != rules.NotInSight {
		t.Errorf("refused with %v", why)
	}
}

func TestFlamesBurnAllAround(t *testing.T) {
	m := newCastStage(1)
	var near, far []*monster
	for i := range 4 {
		near = append(near, m.beast(mTarget, 1, 10+float32(i)))
	}
	far = append(far, m.beast(mTarget, 1, 14.5), m.beast(mTarget, 1, 4))
	events := m.asks(t, on(1, cFlames, near[0].object.ID))
	if hits := of[*MonsterHurt](events); len(hits) != 4 || hits[0].ID != near[0].object.ID {
		t.Errorf("%d are hurt", len(hits))
	}
	for _, b := range far {
		if b.HP != 64 {
			t.Error("what is farther away is hurt")
		}
	}
	if m.player(1).Pools.HP != 50 {
		t.Error("who casts it is hurt")
	}
	m.pass(5 * time.Second)
	m.balance.Blow.AreaTargets = 2
	if hits := of[*MonsterHurt](m.asks(t, on(1, cFlames, near[3].object.ID))); len(hits) != 2 ||
		hits[0].ID != near[3].object.ID {
		t.Errorf("%d are hurt", len(hits))
	}
	m.pass(5 * time.Second)
	m.balance.Blow.AreaTargets, m.balance.Blow.SplashSelf = 30, true
	events = m.asks(t, on(1, cFlames, 0))
	if hits := of[PlayerHit](events); len(hits) != 1 || hits[0].ID != 1 || hits[0].Hit.By != 1 {
		t.Errorf("with splashes on oneself %+v", hits)
	}
}

func TestSpellsOnPlayersFollowTheRulesOfTheirFights(t *testing.T) {
	m := newCastStage()
	for id := PlayerID(1); id <= 3; id++ {
		level := 9
		if id == 3 {
			level = 0
		}
		m.admits(Player{ID: id, Title: level, Items: []rules.Item{
			{ID: magic(id, cDrain), Slot: 26, Class: 1001, GameID: cDrain, Suffix: -1, Count: 1, Durability: 100,
				MaxDurability: 100},
			{ID: magic(id, cWeak), Slot: 27, Class: 1001, GameID: cWeak, Suffix: -1, Count: 1, Durability: 100,
				MaxDurability: 100}}})
	}
	refused(t, m.asks(t, on(1, cWeak, 3)), rules.TheyTooLow)
	events := m.asks(t, on(1, cDrain, 2))
	if v := m.player(2).Pools; v.MP != 10 {
		t.Errorf("MP %d, %v", v.MP, events)
	}
	m.pass(5 * time.Second)
	began := only[EffectBegan](t, m.asks(t, on(1, cWeak, 2)))
	if began.ID != 2 || began.Caster != 1 || m.player(2).derived.Attack != 15 {
		t.Errorf("began %+v, attack %d", began, m.player(2).derived.Attack)
	}
}

// asksAfter lets time go by, and then answers the requests for commits.
func (m *tradeStage) asksAfter(t testing.TB, d time.Duration) []Event {
	t.Helper()
	var out []Event
	for _, e := range m.pass(d) {
		if c, ok := e.(CommitRequest); ok {
			ids, err := m.apply(c.Change)
			out = append(out, m.asks(t, Committed{c.Seq, ids, err})...)
			continue
		}
		out = append(out, e)
	}
	return out
}

func TestSpellsRest(t *testing.T) {
	m := newCastStage(1, 2)
	cast := on(1, cRests, 0)
	only[Used](t, m.asks(t, cast))
	m.pass(119 * time.Second)
	used := m.player(1).lastUse
	refused(t, m.asks(t, cast), rules.TooSoon)
	if m.player(1).lastUse != used {
		t.Error("a spell that still cools down puts off the next one")
	}
	only[Used](t, m.asks(t, on(2, cRests, 0))) // another rests by itself
	only[Used](t, m.asks(t, on(1, cHeal, 0)))
	m.pass(2 * time.Second)
	only[Used](t, m.asks(t, cast))

	// It is not forgotten by leaving.
	left := only[Left](t, m.asks(t, Leave{ID: 1})).Player
	m.Do(Enter{left})
	m.pass(10 * time.Second)
	refused(t, m.asks(t, cast), rules.TooSoon)
	m.pass(2 * time.Minute)
	if len(m.player(1).Cooldowns) != 1 {
		t.Errorf("kept %v", m.player(1).Cooldowns)
	}
	// A new one takes the place of those that are over, and is stored.
	m.player(1).Cooldowns = rules.Cooldowns{1: left.Cooldowns[cRests], cHeal: left.Cooldowns[cRests]}
	only[Used](t, m.asks(t, cast))
	if until := m.player(1).Cooldowns; len(until) != 1 || !until[cRests].Equal(m.now.Add(2*time.Minute)) {
		t.Errorf("kept %v", until)
	}
	saved := of[SaveDue](m.pass(4 * time.Second))
	if len(saved) == 0 || len(saved[0].States[0].Cooldowns) != 1 {
		t.Errorf("stored %+v", saved)
	}
	m.pass(2 * time.Minute)
	m.balance.Effect.Reuse = 0
	only[Used](t, m.asks(t, cast))
	m.pass(time.Second)
	only[Used](t, m.asks(t, cast))
}

func TestSteadinessKeepsStunsAway(t *testing.T) {
	m := newCastStage(1, 2)
	p := m.player(2)
	for _, p := range m.inside() {
		p.Title = 29
	}
	m.asks(t, on(1, cStun, 2))
	if !p.stunned() {
		t.Fatal("it is not stunned")
	}
	events := m.asks(t, on(1, cSteady, 2))
	if e := only[EffectEnded](t, events); e.Effect.ID != 1040 || p.stunned() {
		t.Errorf("ended %+v", e)
	}
	m.asks(t, on(1, cStun, 2))
	if p.stunned() {
		t.Error("it is stunned again")
	}
	m.pass(11 * time.Second)
	m.asks(t, on(1, cStun, 2))
	if !p.stunned() {
		t.Error("it is steady for ever")
	}
}

// Review D8: all around hurts strangers, and spares its caster's clan.
func TestAreaDamageSparesTheClan(t *testing.T) {
	m := newCastStage(1, 2, 3)
	for id := PlayerID(1); id <= 3; id++ {
		p := m.player(id)
		p.Title, p.Pools = 29, rules.Pools{HP: 90, MaxHP: 100, MP: 40, MaxMP: 100}
	}
	m.asks(t, ChangeClan{ID: 1, Clan: "Волки"}, ChangeClan{ID: 2, Clan: "Волки"})
	m.asks(t, on(1, cFlames, 1))
	if m.player(2).Pools.HP < 90 || m.player(3).Pools.HP >= 90 {
		t.Errorf("the clan has %d HP of 90, a stranger %d", m.player(2).Pools.HP, m.player(3).Pools.HP)
	}
}

// All around hurts strangers, and spares its caster's party. Source: protocol fight 12.2.
func TestAreaDamageSparesTheParty(t *testing.T) {
	m := newCastStage(1, 2, 3)
	for id := PlayerID(1); id <= 3; id++ {
		p := m.player(id)
		p.Title, p.Pools = 29, rules.Pools{HP: 90, MaxHP: 100, MP: 40, MaxMP: 100}
	}
	m.asks(t, PartyCreate{1}, PartyApply{2, m.player(1).Name}, PartyAccept{1, m.player(2).Name})
	m.asks(t, on(1, cFlames, 1))
	if m.player(1).Pools.HP < 90 || m.player(2).Pools.HP < 90 || m.player(3).Pools.HP >= 90 {
		t.Errorf("of 90 HP the caster has %d, its party %d, a stranger %d", m.player(1).Pools.HP, m.player(2).Pools.HP,
			m.player(3).Pools.HP)
	}
}

// Review D8: where players are struck for striking each other, spells count as blows.
func TestWrathIsForSpellsToo(t *testing.T) {
	m := newCastStage(1, 2)
	m.balance.Duel.Wrath = true
	m.options.Zones = peaceWhere(func(coords.Position) bool { return true })
	p, q := m.player(1), m.player(2)
	p.Title, q.Title, p.Pools = 29, 29, rules.Pools{HP: 100, MaxHP: 100, MP: 40, MaxMP: 100}
	hp := q.Pools.HP
	if hit := only[PlayerHit](t, m.asks(t, on(1, cWeak, 2))); hit.Hit.Cause != Wrath {
		t.Errorf("it is struck by %+v", hit.Hit)
	}
	if p.Pools.HP >= 100 || p.Pools.MP != 40 || q.Pools.HP < hp || len(q.effects) > 0 {
		t.Errorf("caster %+v, the other %+v with %d effects", p.Pools, q.Pools, len(q.effects))
	}
}
