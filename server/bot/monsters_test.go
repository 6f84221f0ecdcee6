package bot_test

import (
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

const (
	rat     packets.ObjectID = 0x3CC9
	nobody  packets.ObjectID = 0x3CCA
	lootBag packets.ObjectID = 0x2000
)

func tradeMan(c packets.Command) packets.Region { return &packets.TradeMan{Command: c} }

// ratSpawn is a monster of level 13 beside the client.
func ratSpawn() *packets.SpawnSnapshot {
	return &packets.SpawnSnapshot{X: fakePlace.X + 4, Y: fakePlace.Y, Z: fakePlace.Z, Placement: packets.Lying, A: 64,
		B: 64, C: 1069, D: 12 * 4001}
}

func (f *fake) rat(regions ...packets.Region) { f.about(rat, packets.ClassMonster, regions...) }

func (f *fake) ratGoes(dx float32) {
	f.send(movement(coords.Position{X: fakePlace.X + dx, Y: fakePlace.Y, Z: fakePlace.Z},
		map[packets.ObjectID]packets.Class{rat: packets.ClassMonster}))
}

func ratLoses(damage int, by packets.ObjectID) packets.Region {
	return contMan(&packets.ChangeObjectHP{Attacker: by, Change: uint16(packets.HPBias - damage)})
}

func ratHas(hp, most uint16) packets.Region {
	return contMan(&packets.ObjectHP{HP: hp, MaxHP: most, Constant: packets.ObjectHPConstant})
}

func ratDies(by packets.ObjectID) packets.Region { return contMan(&packets.Dies{Killer: by}) }

func stat(s packets.Stat, value int32) packets.Region { return &packets.SetStat{Stat: s, Value: value} }

// lootSpawn is a bag where the rat was.
func lootSpawn() packets.Section {
	return section(lootBag, packets.ClassLootBag, &packets.SpawnSnapshot{X: fakePlace.X + 4, Y: fakePlace.Y,
		Z: fakePlace.Z, Placement: packets.Lying, A: 100, B: 100})
}

// A fight that goes as the recorded ones leaves no violations, and the client has its gains.
func TestAFightIsKnownToTheClient(t *testing.T) {
	after(t, func(f *fake) {
		me := f.index.ID()
		f.rat(ratSpawn(), contMan(&packets.MonsterValue{}))
		f.rat(tradeMan(&packets.DisplayName{Code: -5}))
		f.own(stat(packets.StatTitle, 0), stat(packets.StatTitleXP, 40), stat(packets.StatDegree, 0),
			stat(packets.StatDegreeXP, 7))
		f.ratGoes(2)
		f.rat(ratLoses(13, me))
		f.rat(ratLoses(15, me), ratHas(36, 64))
		f.rat(&packets.RegionManager{Command: &packets.Attack{Animation: 0x1D}})
		f.together(section(rat, packets.ClassMonster, &packets.RegionManager{Command: &packets.Attack{Animation: 0x1E}}),
			f.mine(&packets.ReceiveHit{Source: uint16(rat), HP: -6}),
			section(rat, packets.ClassMonster, tradeMan(&packets.FlyingWeapon{Target: me, EffectSet: 153})))
		f.own(stat(packets.StatHP, fakeHP-6))
		f.send(packets.Regenerated(me, 0, fakeHP-4))
		f.together(section(rat, packets.ClassMonster, ratLoses(40, me), ratDies(me)),
			f.mine(stat(packets.StatKarmaPoints, 1), stat(packets.StatTitleXP, 45)), packets.Removal(rat), lootSpawn())
		f.own(stat(packets.StatTitle, 1), stat(packets.StatTitleXP, 0), stat(packets.StatBaseMaxHP, 150),
			stat(packets.StatMaxHP, 150), stat(packets.StatHP, 150))
	}, func(t *testing.T, c *bot.Client) {
		if c.Kills() != 1 || c.Objects[rat] != nil || c.Objects[lootBag] == nil || c.Dead() ||
			c.Stats[packets.StatKarmaPoints] != 1 || c.Tally().Kills.Load() != 1 || c.Tally().Levels.Load() != 1 ||
			c.Tally().Experience.Load() != 10 {
			t.Errorf("%d kills, %d levels, %d experience, %v", c.Kills(), c.Tally().Levels.Load(),
				c.Tally().Experience.Load(), c.Stats)
		}
	})
	after(t, func(f *fake) {
		f.rat(ratSpawn())
		f.rat(tradeMan(&packets.DisplayName{Code: -5}), ratLoses(10, 0))
		f.rat(ratHas(64, 64)) // it has come home
		f.rat(ratLoses(20, 0))
	}, func(t *testing.T, c *bot.Client) {
		o := c.Objects[rat]
		m := o.Monster
		if m == nil || m.Type != 1069 || m.Level != 13 || o.Name != -5 || m.HP != 44 || m.MaxHP != 64 || m.Dying {
			t.Errorf("%+v", m)
		}
	})
}

// A death and its costs, the answers that the dead get, and a revival elsewhere.
func TestADeathIsKnownToTheClient(t *testing.T) {
	away := coords.Position{X: 2292, Y: 155.3, Z: -2386}
	after(t, func(f *fake) {
		me := f.index.ID()
		f.rat(ratSpawn())
		f.own(stat(packets.StatTitle, 12), stat(packets.StatTitleXP, 1000), stat(packets.StatDegree, 0),
			stat(packets.StatDegreeXP, 7))
		f.own(&packets.ReceiveHit{Source: uint16(rat), HP: -100000, Flags: packets.HitKills})
		f.own(stat(packets.StatTitleXP, 875), stat(packets.StatDegreeXP, 6))
		f.raw(packets.AppendPong(nil, packets.Ping{Player: me, Origin: fakePlace.Origin()}, f.now()))
		time.AfterFunc(5*time.Second, func() {
			f.own(manager(&packets.SetCoordinates{X: away.X, Y: away.Y, Z: away.Z}), stat(packets.StatHP, 100),
				&packets.ReceiveHit{Flags: packets.HitRevives})
		})
	}, func(t *testing.T, c *bot.Client) {
		if c.Deaths() != 1 || c.Dead() || c.Stats[packets.StatHP] != 100 || c.Position.Distance(away) > 1 {
			t.Errorf("%d deaths, dead %v, HP %d, at %v", c.Deaths(), c.Dead(), c.Stats[packets.StatHP], c.Position)
		}
	})
}

// Each of these servers misbehaves in a fight in one way, and the client finds just that.
func TestViolationsOfFights(t *testing.T) {
	for _, v := range []struct {
		name string
		tell func(*fake)
		want bot.ViolationKind
	}{
		{"a hit by somebody unknown", func(f *fake) { f.rat(ratLoses(5, nobody)) }, bot.UnknownObject},
		{"a hit on somebody unknown", func(f *fake) { f.about(nobody, packets.ClassMonster, ratLoses(5, 0)) },
			bot.UnknownObject},
		{"hit by somebody unknown", func(f *fake) { f.own(&packets.ReceiveHit{Source: uint16(nobody), HP: -5}) },
			bot.UnknownObject},
		{"a missile at somebody unknown", func(f *fake) { f.rat(tradeMan(&packets.FlyingWeapon{Target: nobody})) },
			bot.UnknownObject},
		{"absolute HP that are not the sum", func(f *fake) { f.rat(ratLoses(5, 0), ratHas(60, 64)) }, bot.HPDiffer},
		{"more HP than there can be", func(f *fake) {
			m := ratSpawn()
			m.A = 65
			f.about(nobody, packets.ClassMonster, m)
		}, bot.HPDiffer},
		{"a level code that is none", func(f *fake) {
			m := ratSpawn()
			m.D = 12
			f.about(nobody, packets.ClassMonster, m)
		}, bot.StateDiffers},
		{"a jump", func(f *fake) { f.ratGoes(40) }, bot.Jumps},
		{"a movement after death", func(f *fake) {
			f.rat(ratDies(f.index.ID()))
			f.ratGoes(3)
			f.together(packets.Removal(rat))
		}, bot.AfterDeath},
		{"a swing after death", func(f *fake) {
			f.rat(ratDies(0), &packets.RegionManager{Command: &packets.Attack{Animation: 0x1D}})
			f.together(packets.Removal(rat))
		}, bot.AfterDeath},
		{"dead, and still there", func(f *fake) { f.rat(ratDies(0)) }, bot.NotDespawned},
		{"without HP, and alive", func(f *fake) { f.rat(ratLoses(64, 0)) }, bot.NotDespawned},
		{"own HP that are not the sum", func(f *fake) {
			f.own(&packets.ReceiveHit{Source: uint16(rat), HP: -5})
			f.own(stat(packets.StatHP, fakeHP-9))
		}, bot.HPDiffer},
		{"HP out of nothing", func(f *fake) { f.own(stat(packets.StatHP, fakeHP+3)) }, bot.HPDiffer},
		{"no HP, and alive", func(f *fake) {
			f.own(&packets.ReceiveHit{Source: uint16(rat), HP: -fakeHP})
			f.own(&packets.ReceiveHit{HP: fakeHP})
		}, bot.HPDiffer},
		{"lives again without having died", func(f *fake) { f.own(&packets.ReceiveHit{Flags: packets.HitRevives}) },
			bot.StateDiffers},
		{"flags that are none", func(f *fake) { f.own(&packets.ReceiveHit{Flags: 3}) }, bot.StateDiffers},
		{"experience that falls", func(f *fake) { f.own(stat(packets.StatTitleXP, 39)) }, bot.ExperienceLost},
		{"a level that falls", func(f *fake) { f.own(stat(packets.StatTitle, 1)) }, bot.ExperienceLost},
		{"the dead told nothing", func(f *fake) {
			f.own(&packets.ReceiveHit{Source: uint16(rat), HP: -100000, Flags: packets.HitKills})
		}, bot.Unanswered},
	} {
		t.Run(v.name, func(t *testing.T) {
			play(t, func(f *fake) {
				f.entered = func() {
					f.rat(ratSpawn())
					f.own(stat(packets.StatTitle, 2), stat(packets.StatTitleXP, 40), stat(packets.StatDegree, 0),
						stat(packets.StatDegreeXP, 7))
					v.tell(f)
				}
			}, bot.Options{Idle: true}, func(t *testing.T, s story) {
				all := s.client.Violations()
				if len(all) != 1 || all[0].Kind != v.want {
					t.Errorf("%v", all)
				}
			})
		})
	}
}
