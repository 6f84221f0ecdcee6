package view

import (
	"testing"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

func TestPoolsAndStatsAreToldWhereTheyDiffer(t *testing.T) {
	s := newStage(t)
	pools := rules.Pools{HP: 50, MaxHP: 100, MP: 20, MaxMP: 30, Satiety: 40, MaxSatiety: 100}
	now := pools
	now.HP, now.MaxHP, now.Satiety = 60, 110, 45
	s.PoolsChanged(&world.PoolsChanged{ID: me, Before: pools, Now: now})
	s.expect("pools", me, "player: SetStat Stat=max HP Value=110", "player: SetStat Value=60",
		"player: SetStat Stat=satiety Value=45")
	s.PoolsChanged(&world.PoolsChanged{ID: me, Before: now, Now: now})
	s.expect("the same pools", me)

	was := world.Sheet{Title: 59, Pools: pools, Progress: rules.Progress{TitleXP: 7}}
	is := was
	is.Title, is.Derived.Attack, is.Guild = 61, -12, 2
	s.StatsChanged(world.StatsChanged{ID: me, Was: was, Is: is})
	s.expect("a rebirth clears the experience, and is told first", me, "player: SetStat Stat=title Value=1",
		"player: SetStat Stat=title XP Value=7", "player: SetStat Stat=physical attack Value=-12",
		"player: SetStat Stat=guild Value=66", "player: SetStat Stat=title rebirths Value=1")
}

func TestAllValuesAreToldOnEntering(t *testing.T) {
	var values [stats]int32
	SheetValues(&world.Sheet{Pools: rules.Pools{HP: 9}, Progress: rules.Progress{Base: rules.Stats{1, 2, 3, 4, 5, 6, 7, 8},
		TitlePoints: 2, DegreePoints: 3}}, &values)
	if values[packets.StatHP] != 9 || values[packets.StatBaseStrength+7] != 8 || values[packets.StatFreeStatPoints] != 5 {
		t.Errorf("values %v", values)
	}
	told := map[packets.Stat]int32{}
	last := packets.Stat(0)
	for i, r := range StatsRegions(&values, true) {
		m := r.(*packets.SetStat)
		if i > 0 && m.Stat <= last {
			t.Errorf("%v comes after %v", m.Stat, last)
		}
		last, told[m.Stat] = m.Stat, m.Value
	}
	if told[packets.StatHP] != 9 || told[packets.StatGender] != 1 || told[packets.StatUnknown54] != 1 {
		t.Errorf("told %v", told)
	}
}
