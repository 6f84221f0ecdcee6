package view

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

const beast world.EntityID = world.MaxPlayerID + 300

// wild is a monster of the newcomers.
func wild(hp int) *world.Object {
	return &world.Object{ID: beast, Position: here,
		Kind: &world.Monster{Type: 1069, Class: 210, Level: 1, HP: hp, MaxHP: 64}}
}

// fight is a stage on which me and friend, in sight of each other, look at a monster, and so does a stranger.
func fight(t *testing.T) *stage {
	s := newStage(t)
	for viewer, other := range map[world.PlayerID]world.PlayerID{me: friend, friend: me} {
		s.Appeared(&world.Appeared{Viewer: viewer, Player: &world.Player{ID: other, Name: "Hero", Position: here}})
		s.viewers[viewer].names[playerID(other)] = "other"
	}
	for _, id := range []world.PlayerID{me, friend, stranger} {
		s.hears(id)
		s.sees(id, "monster", wild(64))
	}
	return s
}

var all = []world.PlayerID{me, friend, stranger}

// A monster looks as it is now, in the words of each generation.
func TestMonstersAppear(t *testing.T) {
	s := newStage(t)
	m := &world.Monster{Type: 1080, Class: 211, Level: 30, Name: -1090213, HP: 2830, MaxHP: 2830}
	o := &world.Object{ID: beast, Position: here, Kind: m}
	s.viewers[friend].SetDialect(packets.Dialect2022)
	for _, hp := range []int{2830, 2000} {
		m.HP = hp
		o.Position.X++
		spawn := fmt.Sprintf("item 1: SpawnSnapshot X=%v Y=20 Z=30 Placement=1 A=%d B=2830 C=1080 D=116029", o.Position.X, hp)
		for _, viewer := range []world.PlayerID{me, me, friend} { // a second time it is there already
			s.ObjectAppeared(&world.ObjectAppeared{Viewer: viewer, Object: o})
		}
		s.expect("2026", me, spawn, "item 1: DisplayName Code=-1090213", "item 1: MonsterValue")
		c := s.viewers[friend]
		f, err := packets.DecodeFrame(c.got, packets.FromServer, packets.Dialect2022)
		if err != nil || len(f.Body.Sections[0].Regions) != 2 || f.Body.Sections[0].Class != packets.ClassMonsterFlying {
			t.Errorf("2022: %v, %+v", err, f)
		}
		c.got = nil
		for _, id := range []world.PlayerID{me, friend} {
			s.Vanished(&world.Vanished{Viewer: id, ID: beast})
		}
		s.EndTick()
		s.viewers[me].got, s.viewers[friend].got, s.viewers[me].names = nil, nil, map[packets.ObjectID]string{0: ""}
	}
}

// Swing, hit and missile are one body for the victim; others see the swing, and the missile if they see the victim.
func TestVectorsF4ToF6Swings(t *testing.T) {
	s := fight(t)
	const shooter = 7
	s.Tables, _ = rules.NewTables(nil, nil, []rules.Monster{{ID: shooter, Missile: 153}})
	clock := uint64(0)
	s.Clock = NewClock(func() uint64 { return clock })
	animation := func(want uint32) { // waits for a moment with it
		for s.BeginTick(); swingOf(s) != want; s.BeginTick() {
			clock++
		}
	}
	animation(packets.SecondSwing)
	s.MonsterSwung(&world.MonsterSwung{ID: beast, Target: me, Missed: true, Viewers: all})
	for _, id := range all {
		s.expect("a miss", id, "monster: Attack Animation=30")
	}
	animation(packets.FirstSwing)
	swung := &world.MonsterSwung{ID: beast, Type: shooter, Target: me, Viewers: all,
		Hit: world.PlayerHit{ID: me, Hit: world.Hit{By: beast, HP: -2}, Pools: rules.Pools{HP: 104}}}
	s.MonsterSwung(swung)
	id, _ := s.viewers[me].IDs.Object(beast)
	got := s.hears(me)
	want := []string{"monster: Attack Animation=29", fmt.Sprintf("player: ReceiveHit Source=%d HP=-2", id.ID),
		"monster: FlyingWeapon Target=player EffectSet=153", "|", "player: SetStat Value=104"}
	if !slices.Equal(got, want) {
		t.Errorf("who is hit is told\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
	s.expect("who sees at whom it flies", friend, "monster: Attack Animation=29", "|",
		"monster: FlyingWeapon Target=other EffectSet=153")
	s.expect("who does not", stranger, "monster: Attack Animation=29")
	swung.Viewers = nil
	s.MonsterSwung(swung)
	s.expect("who is hit by what it does not see", me, fmt.Sprintf("player: ReceiveHit Source=%d HP=-2", id.ID))
}

func swingOf(s *stage) uint32 {
	return s.swing(beast).(*packets.RegionManager).Command.(*packets.Attack).Animation
}

// Both swings are seen, each as often as the other, whatever the time between two.
func TestBothSwingsAreSeen(t *testing.T) {
	s := fight(t)
	for _, each := range []uint16{1, 3, 6, 7, 9} {
		second := 0
		for range 1000 {
			s.clock += each
			if swingOf(s) == packets.SecondSwing {
				second++
			}
		}
		if second < 400 || second > 600 {
			t.Errorf("every %d steps of the clock: %d of 1000 are the second", each, second)
		}
	}
}

// The HP are told as they are at most each second.
func TestHPAreRestatedOncePerSecond(t *testing.T) {
	s := fight(t)
	clock := uint64(packets.MaxClock)
	s.Clock = NewClock(func() uint64 { return clock })
	s.BeginTick()
	told := 0
	for range 12 {
		s.PlayerHit(world.PlayerHit{ID: me, Hit: world.Hit{Cause: world.Trap, HP: -1}, Pools: rules.Pools{HP: 50}})
		clock++
		for _, words := range s.hears(me) {
			if strings.HasPrefix(words, "player: SetStat") {
				told++
			}
		}
	}
	if told != 4 {
		t.Errorf("told %d times in 4 s", told)
	}
}

// A hit names the attacker to clients that know it, and nobody to the others; the absolute HP come with each second
// one, as the balance says. Attack A23: those of a giant are never told, since the wire has no room for them.
func TestVectorF7MonsterHurt(t *testing.T) {
	s := fight(t)
	e := &world.MonsterHurt{ID: beast, By: world.EntityID(me), Damage: 13, HP: 36, MaxHP: 64, Hits: 2, Viewers: all}
	s.MonsterHurt(e)
	absolute := "monster: ObjectHP HP=36 MaxHP=64 Constant=117"
	s.expect("the attacker", me, "monster: ChangeObjectHP Attacker=player Change=29987", absolute)
	s.expect("who knows him", friend, "monster: ChangeObjectHP Attacker=other Change=29987", absolute)
	s.expect("who does not", stranger, "monster: ChangeObjectHP Change=29987", absolute)
	e.MaxHP = 90_500 // more than the wire can say
	s.MonsterHurt(e)
	s.expect("of a giant", me, "monster: ChangeObjectHP Attacker=player Change=29987")
	e.MaxHP = 64
	e.Hits = 3
	s.MonsterHurt(e)
	s.expect("the next one", me, "monster: ChangeObjectHP Attacker=player Change=29987")
	e.Damage, e.Hits = 0, 2
	s.MonsterHurt(e)
	s.expect("a miss", me, "monster: ChangeObjectHP Attacker=player Change=30000")
}

// The frame is the vector's to the byte, but for the ids.
func TestVectorF7IsOneFrame(t *testing.T) {
	s := fight(t)
	s.Clock = standing(0)
	s.BeginTick()
	s.viewers[me].got = nil
	s.MonsterHurt(&world.MonsterHurt{ID: beast, By: world.EntityID(me), Damage: 13, HP: 36, MaxHP: 64, Hits: 2,
		Viewers: all})
	s.EndTick()
	k, _ := s.viewers[me].IDs.Object(beast)
	want, err := packets.AppendServer(nil, packets.Message(0, k.objectID(), packets.ClassMonster,
		containerRegion(&packets.ChangeObjectHP{Attacker: s.viewers[me].ID(), Change: 29987}),
		containerRegion(&packets.ObjectHP{HP: 36, MaxHP: 64, Constant: 0x75})), packets.Dialect2026)
	if err != nil || !bytes.Equal(s.viewers[me].got, want) {
		t.Errorf("% X, want % X, %v", s.viewers[me].got, want, err)
	}
}

func lootBagAt(at coords.Position) *world.Object {
	return &world.Object{ID: beast + 1, Position: at, Kind: world.GroundItem{Item: rules.Item{Class: rules.ClassLootBag,
		Suffix: rules.NoSuffix, Count: 1}}}
}

// A kill is one body: death, what the killer gains, removal, bag. Others are told of no gain, and nobody is told of the
// monster afterwards.
func TestCheck11VectorF9AKillIsOneBody(t *testing.T) {
	s := fight(t)
	was := world.Sheet{Karma: 3, Progress: rules.Progress{Karma: 100, TitleXP: 10}}
	is := was
	is.Karma, is.Progress.Karma, is.Progress.TitleXP = 4, 101, 30
	dead := &world.MonsterDied{ID: beast, Killer: me, Gains: []world.Gain{{ID: me, Was: was, Is: is, Coins: 14,
		Money: 86}},
		Bag: lootBagAt(here), Viewers: all}
	// a step in the same tick must not follow the death
	s.Moved(&world.Moved{ID: beast, To: here, Viewers: all})
	s.MonsterDied(dead)
	s.MonsterHurt(&world.MonsterHurt{ID: beast, By: world.EntityID(me), Damage: 1, Viewers: all})
	bag := "SpawnSnapshot X=10 Y=20 Z=30 Placement=1 A=100 B=100"
	want := map[world.PlayerID][]string{
		me: {"monster: Dies Killer=player", "player: Money Amount=86", "player: CoinsReceived Amount=14 Colour=4281518230",
			"player: SetStat Stat=karma points Value=101", "player: SetStat Stat=karma Value=4",
			"player: SetStat Stat=title XP Value=30", "removal of monster", bag},
		friend:   {"monster: Dies Killer=other", "removal of monster", bag},
		stranger: {"monster: Dies", "removal of monster", bag},
	}
	s.EndTick()
	for _, id := range all {
		got := s.hears(id)
		if n := len(got) - 1; n >= 0 {
			_, got[n], _ = strings.Cut(got[n], ": ")
		}
		if !slices.Equal(got, want[id]) {
			t.Errorf("%d is told\n  %s\nwant\n  %s", id, strings.Join(got, "\n  "), strings.Join(want[id], "\n  "))
		}
	}
}

// Nothing else gets the id of the dead for 30 s.
func TestIDsOfTheDeadRest(t *testing.T) {
	s := fight(t)
	c := s.viewers[me]
	k, _ := c.IDs.Object(beast)
	s.MonsterDied(&world.MonsterDied{ID: beast, Viewers: all})
	if e, ok := c.IDs.Lookup(k.objectID()); !ok || e.Kind != retiredEntry || e.Object != 0 {
		t.Errorf("the id of the dead is that of %+v, %v", e, ok)
	}
	given := func() (again bool) {
		for range int(idCount) {
			id, ok := c.IDs.add(IDEntry{Kind: GroundItemEntry, Object: beast + 9})
			if !ok {
				t.Fatal("no id is free")
			}
			c.IDs.remove(id)
			again = again || id == k.objectID()
		}
		return again
	}
	if given() {
		t.Error("its id is given again at once")
	}
	other, _ := c.IDs.add(IDEntry{Kind: MonsterEntry, Object: beast + 8})
	rest := onClock(s.Balance().Mind.IDRest)
	c.IDs.retire(other, s.clock+rest-1, rest)
	if given() {
		t.Error("its id is given again before 30 s")
	}
	c.IDs.retire(other, s.clock+rest, rest)
	if !given() {
		t.Error("its id is never given again")
	}
}

// A level is told in the recorded order, each value once, as it is in the end.
func TestCheck31VectorF10LevelUp(t *testing.T) {
	s := fight(t)
	was := world.Sheet{Pools: rules.Pools{HP: 40, MaxHP: 100, MP: 10, MaxMP: 100}, Progress: rules.Progress{TitleXP: 45}}
	was.Derived.BaseHP = 100
	is := was
	is.Title, is.Progress.TitleXP, is.Progress.TitlePoints, is.Derived.BaseHP = 1, 0, 4, 150
	is.Pools = rules.Pools{HP: 150, MaxHP: 150, MP: 100, MaxMP: 100}
	s.Gained(world.Gained{Gain: world.Gain{ID: me, Was: was, Is: is}})
	s.expect("a level", me, "player: SetStat Stat=title Value=1", "player: SetStat Stat=title XP",
		"player: SetStat Stat=free stat points Value=4", "player: SetStat Stat=free title points Value=4",
		"player: SetStat Stat=base max HP Value=150", "player: SetStat Stat=max HP Value=150",
		"player: SetStat Value=150", "player: SetStat Stat=MP Value=100")
}

// Attack A13: a gain hides no change of the greatest HP, though no level is gained.
func TestAGainTellsOfTheGreatestHP(t *testing.T) {
	s := fight(t)
	was := world.Sheet{Pools: rules.Pools{HP: 107, MaxHP: 110, MP: 10, MaxMP: 100}}
	is := was
	is.Pools.HP, is.Pools.MaxHP, is.Progress.TitleXP = 105, 105, 3
	s.Gained(world.Gained{Gain: world.Gain{ID: me, Was: was, Is: is}})
	s.expect("a kill of the hungry", me, "player: SetStat Stat=title XP Value=3",
		"player: SetStat Stat=max HP Value=105", "player: SetStat Value=105")
}

func TestVectorsF11ToF13DeathAndRevival(t *testing.T) {
	s := fight(t)
	k, _ := s.viewers[me].IDs.Object(beast)
	s.MonsterSwung(&world.MonsterSwung{ID: beast, Target: me, Viewers: []world.PlayerID{me},
		Hit: world.PlayerHit{ID: me, Hit: world.Hit{By: beast, HP: -7}, Died: true}})
	was := world.Sheet{Progress: rules.Progress{TitleXP: 1424017, DegreeXP: 255402}}
	is := was
	is.Progress.TitleXP, is.Progress.DegreeXP = 1246962, 223647
	s.PlayerDied(world.PlayerDied{ID: me, By: beast, Was: was, Is: is})
	s.expect("death", me, fmt.Sprintf("monster: Attack Animation=%d", swingOf(s)),
		fmt.Sprintf("player: ReceiveHit Source=%d HP=-100000 Flags=7", k.ID), "|",
		"player: SetStat Stat=title XP Value=1246962", "player: SetStat Stat=degree XP Value=223647")
	s.PlayerHit(world.PlayerHit{ID: friend, Hit: world.Hit{Cause: world.LackOfAir, HP: -9}, Died: true})
	s.expect("death by air", friend, "player: ReceiveHit Source=2 HP=-9 MP=-1 Flags=7")

	// The place and the life are one body, before the sight of things there.
	s.PlayerRevived(world.PlayerRevived{ID: me, To: coords.Position{X: 2292, Y: 155, Z: -2386},
		Pools: rules.Pools{HP: 100}})
	s.Vanished(&world.Vanished{Viewer: me, ID: beast})
	s.expect("revival", me, "player: SetCoordinates X=2292 Y=155 Z=-2386", "player: SetStat Value=100",
		"player: ReceiveHit Flags=6", "|", "removal of monster")
	s.Teleported(world.Teleported{ID: friend, To: here})
	s.expect("a place of the dead", friend, "player: SetCoordinates X=10 Y=20 Z=30")
}

func TestVectorsF16ToF18Effects(t *testing.T) {
	s := fight(t)
	s.EffectBegan(world.EffectBegan{ID: me, Effect: rules.SatedEffect()})
	s.expect("what no client knows", me)
	s.EffectBegan(world.EffectBegan{ID: me, Effect: rules.Effect{ID: 7}})
	s.hears(me)
	e := rules.Effect{ID: 901, Key: "mgss", Length: 3, Left: 900 * time.Second, Tier: 14,
		Bonus: rules.Bonus{HP: 1, Attack: -2, PhysicalDefence: 15, Stats: rules.Stats{4}, Magic: -5}}
	s.EffectBegan(world.EffectBegan{ID: me, Effect: e, Caster: me})
	id := s.viewers[me].effects[1].object
	s.viewers[me].names[id] = "effect"
	s.expect("an effect", me, "player: FillSlot Slot=37 Item=effect Weight=1",
		"effect: SpawnSnapshot X=1e+06 Placement=2 A=100 B=100", "effect: PutInto Parent=player",
		"effect: Mutator Modifiers=[1 0 -2 15 0 4 0 0 0 0 0 0 0 -5] Icon=mgss Group=260 Tier=11",
		fmt.Sprintf("effect: MutatorTimer Mutator=901 Length=3 Seconds=900 Caster=%d", s.viewers[me].ID()))
	e.Kind, e.Left = rules.BadEffect, 1500*time.Millisecond
	s.EffectBegan(world.EffectBegan{ID: me, Effect: e})
	got := s.hears(me)
	if len(got) < 10 || got[3] != "removal of effect" || !strings.Contains(got[8], "Kind=1 Icon=mgss Group=261") ||
		!strings.HasSuffix(got[9], "Seconds=2") {
		t.Errorf("renewed:\n  %s", strings.Join(got, "\n  "))
	}
	s.viewers[me].names[s.viewers[me].effects[1].object] = "renewed"
	for range 2 { // a second time it is gone already
		s.EffectEnded(world.EffectEnded{ID: me, Effect: e})
	}
	s.expect("its end", me, fmt.Sprintf("renewed: TransformState X=%v Y=%v Z=%v Placement=1", spot.X, spot.Y, spot.Z),
		"renewed: LeaveContainer", "player: ClearSlot Slot=37", "removal of renewed")
	s.EffectEnded(world.EffectEnded{ID: me, Effect: rules.Effect{ID: 7}})
	s.hears(me)
	s.Healed(world.Healed{ID: me, By: me, HP: 540})
	got = s.hears(me)
	if len(got) != 3 || got[0] != fmt.Sprintf("player: ReceiveHit Source=%d HP=540", s.viewers[me].ID()) ||
		!strings.HasPrefix(got[1], "player: FillSlot Slot=36 Item=item") || got[2] != "player: ClearSlot Slot=36" {
		t.Errorf("healed:\n  %s", strings.Join(got, "\n  "))
	}
	for i := range rules.MaxEffects {
		s.EffectBegan(world.EffectBegan{ID: me, Effect: rules.Effect{ID: 1 + i}})
	}
	s.hears(me)
	s.EffectBegan(world.EffectBegan{ID: me, Effect: rules.Effect{ID: 901}})
	s.expect("no free slot", me)
	s.Healed(world.Healed{ID: me, By: me, HP: 540})
	s.expect("no free slot", me, fmt.Sprintf("player: ReceiveHit Source=%d HP=540", s.viewers[me].ID()))
}

// All that walks in one client's sight is one body in a tick, from the place of its own player; nothing is farther
// than 120 m from that, and an object that was put somewhere does not walk.
func TestCheck24OneMovementBodyForEachViewer(t *testing.T) {
	s := newStage(t)
	origin := spot.Origin()
	place := func(i int) coords.Position {
		return coords.Position{X: spot.X - 100 + float32(i), Y: spot.Y, Z: spot.Z + float32(i%7), Yaw: 1}
	}
	const many = 200
	for i := range many {
		o := wild(64)
		o.ID += world.EntityID(i)
		o.Position = place(i)
		s.sees(me, fmt.Sprint("monster ", i), o)
	}
	bodies := func(move func(i int) coords.Position, n int) (out []*packets.Body) {
		for i := range n {
			s.Moved(&world.Moved{ID: beast + world.EntityID(i), To: move(i), Viewers: []world.PlayerID{me, 99}})
		}
		s.EndTick()
		for got := s.viewers[me].got; len(got) > 0; {
			frame, _ := packets.CutFrame(got, packets.FromServer)
			f, err := packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026)
			if err != nil || f.Body.UnknownBits() > 0 {
				t.Fatalf("% X: %v", frame, err)
			}
			again, err := packets.AppendServer(nil, f.Body, packets.Dialect2026)
			if err != nil || !bytes.Equal(again, frame) {
				t.Errorf("% X is otherwise written as % X", frame, again)
			}
			out = append(out, f.Body)
			got = got[len(frame):]
		}
		s.viewers[me].got = nil
		s.BeginTick()
		return out
	}
	told := bodies(func(i int) coords.Position {
		at := place(i)
		at.X += 0.5
		return at
	}, 90)
	if len(told) != 1 || told[0].Origin != origin || len(told[0].Sections) != 90 {
		t.Fatalf("%d bodies", len(told))
	}
	for i, section := range told[0].Sections {
		u := section.Regions[0].(*packets.TransformUpdate)
		want := place(i)
		if x := u.X.Decode(origin.X); x < want.X+0.2 || x > want.X+0.8 || u.Angle != coords.EncodeAngle8(1) {
			t.Errorf("monster %d is at %v, %v", i, x, u.Angle)
		}
	}
	if told = bodies(place, many); len(told) != 2 {
		t.Errorf("%d steps are %d bodies", many, len(told))
	}
	put := coords.Position{X: spot.X + 119, Y: spot.Y, Z: spot.Z}
	if told = bodies(func(int) coords.Position { return put }, 1); len(told) != 1 || told[0].HasOrigin {
		t.Errorf("what was put somewhere: %+v", told)
	}
	far := coords.Position{X: spot.X + 122, Y: spot.Y, Z: spot.Z}
	if told = bodies(func(int) coords.Position { return far }, 1); len(told) != 1 || told[0].Origin != far.Origin() {
		t.Errorf("what is far: %+v", told)
	}
}

func TestChecks7And37RefusedBlows(t *testing.T) {
	s := fight(t)
	for why, want := range map[rules.RejectReason]string{
		rules.PeacefulPlace:      "player: SystemText Text=10302 Colour=4281518230",
		rules.TheirPeacefulPlace: "player: SystemText Text=10303 Colour=4281518230",
		rules.TooLow:             "player: SystemTextNumber Text=10300 Colour=4281518230 Argument=10",
		rules.TheyTooLow:         "player: SystemTextNumber Text=10301 Colour=4281518230 Argument=10",
		rules.NoArrows:           "player: SystemText Text=185 Colour=4281518230",
	} {
		if !s.FightRefused(world.Refused{ID: me, Command: world.Strike{}, Why: why}) {
			t.Errorf("%v needs other words", why)
		}
		s.expect(why.String(), me, want)
	}
	for _, why := range []rules.RejectReason{rules.TooSoon, rules.Stunned, rules.TargetDead, rules.NoTarget, rules.Dead,
		rules.NotInSight} {
		if !s.FightRefused(world.Refused{ID: me, Command: world.Strike{}, Why: why}) {
			t.Errorf("%v is told in words", why)
		}
		s.expect(why.String(), me)
	}
	if s.FightRefused(world.Refused{ID: me, Command: world.Drop{}, Why: rules.Dead}) {
		t.Error("the dead are not told that they cannot drop anything")
	}
	s.viewers[me].statedHP, s.viewers[me].statedAt = true, s.clock
	for _, died := range []bool{false, true} {
		s.PlayerHit(world.PlayerHit{ID: me, Hit: world.Hit{Cause: world.Wrath, HP: -25}, Died: died})
	}
	s.expect("wrath", me, "player: ReceiveHit Source=1 HP=-25", "|", "player: SystemText Text=755 Colour=4281518230", "|",
		"player: ReceiveHit Source=1 HP=-100000 Flags=7", "|", "player: SystemText Text=754 Colour=4281518230")
}

func TestAnArrowIsGone(t *testing.T) {
	s := fight(t)
	arrows := thing(7, rules.SlotAmmunition, 2)
	s.carries(me, map[string]rules.Item{"arrows": arrows})
	s.Shot(world.Shot{ID: me, Item: arrows, Left: 1,
		Slots: []world.SlotNow{{Slot: arrows.Slot, Item: 7, Weight: 8, WeightOnly: true}}})
	s.expect("one is left", me, "arrows: StackCount Count=1",
		fmt.Sprintf("player: SlotWeight Slot=%d Weight=8", arrows.Slot))
	s.Shot(world.Shot{ID: me, Item: arrows, Slots: []world.SlotNow{{Slot: arrows.Slot}}})
	s.expect("none is left", me, fmt.Sprintf("player: ClearSlot Slot=%d", arrows.Slot), "removal of arrows")
}

// A trap is seen by those who see its chest, and by nobody else.
func TestTrapsAreSeen(t *testing.T) {
	s := newStage(t)
	chest := &world.Object{ID: beast, Position: here, Kind: world.GroundItem{Item: rules.Item{Class: rules.ClassChest,
		Suffix: rules.NoSuffix, Count: 1}}}
	for _, id := range all {
		s.sees(id, "chest", chest)
	}
	s.TrapSeen(world.TrapSeen{Chest: beast, To: []world.PlayerID{me, friend}})
	for _, id := range []world.PlayerID{me, friend} {
		s.expect("the trap springs", id, "chest: ChestSprung", "chest: ObjectEffect Effect=50")
	}
	s.expect("who is not near", stranger)
	s.TrapSeen(world.TrapSeen{Chest: beast + 5, To: []world.PlayerID{me}})
	s.expect("a chest that is not shown", me)
}

// A player is told in the client's own words why its mission does not go on.
func TestMissionsThatLackSomething(t *testing.T) {
	s := newStage(t)
	for why, text := range map[rules.RejectReason]TextNumber{rules.NoRoom: TextNoRoomForThing, rules.NoMission: TextNotFulfilled} {
		s.MissionLacks(world.MissionLacks{ID: me, Why: why})
		s.expect("a mission", me, fmt.Sprintf("player: SystemText Text=%d Colour=%d", text, uint32(textColour)))
		s.expect("another's", friend)
	}
}
