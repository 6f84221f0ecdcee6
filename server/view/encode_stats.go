package view

import (
	"slices"

	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// stats is how many values a client counts of its own player.
const stats = 64

// SheetValues puts the values of a sheet into v, the values of a client's own player. Others stay as they are.
//
// Source: protocol ingame 12.1.
func SheetValues(s *world.Sheet, v *[stats]int32) {
	set := func(stat packets.Stat, value int) { v[stat] = int32(value) }
	poolValues(&s.Pools, v)
	d, progress := &s.Derived, &s.Progress
	set(packets.StatBaseMaxHP, d.BaseHP)
	set(packets.StatBaseMaxMP, d.BaseMP)
	set(packets.StatBaseSatiety, s.Pools.MaxSatiety)
	for i, base := range progress.Base {
		set(packets.StatStrength+packets.Stat(i), d.Stats[i])
		set(packets.StatBaseStrength+packets.Stat(i), base)
	}
	set(packets.StatPhysicalDefence, d.PhysicalDefence)
	set(packets.StatMagicalDefence, d.MagicalDefence)
	set(packets.StatPhysicalAttack, d.Attack)
	set(packets.StatMagicalAttack, d.Magic)
	v[packets.StatGuild] = guildNumber(s.Guild)
	set(packets.StatGuildRank, s.GuildRank)
	set(packets.StatTitle, s.Title%rules.CycleLevels)
	set(packets.StatTitleRebirths, s.Title/rules.CycleLevels)
	set(packets.StatDegree, s.Degree%rules.CycleLevels)
	set(packets.StatDegreeRebirths, s.Degree/rules.CycleLevels)
	set(packets.StatKarma, s.Karma)
	set(packets.StatKarmaPoints, progress.Karma)
	set(packets.StatTitleXP, int(progress.TitleXP))
	set(packets.StatDegreeXP, int(progress.DegreeXP))
	set(packets.StatFreeTitlePoints, progress.TitlePoints)
	set(packets.StatFreeDegreePoints, progress.DegreePoints)
	set(packets.StatFreeStatPoints, progress.TitlePoints+progress.DegreePoints)
}

func poolValues(p *rules.Pools, v *[stats]int32) {
	v[packets.StatHP], v[packets.StatMaxHP] = int32(p.HP), int32(p.MaxHP)
	v[packets.StatMP], v[packets.StatMaxMP] = int32(p.MP), int32(p.MaxMP)
	v[packets.StatSatiety], v[packets.StatMaxSatiety] = int32(p.Satiety), int32(p.MaxSatiety)
}

// statOrder is in which order a client is told of values: a title clears the experience that counts for it, and levels
// and experience are announced as they come. MP come before their maximum, as they were recorded.
//
// Source: protocol ingame 12.1, fight 9.3.
var statOrder = func() (order []packets.Stat) {
	order = []packets.Stat{packets.StatTitle, packets.StatTitleXP, packets.StatDegree, packets.StatDegreeXP,
		packets.StatFreeStatPoints, packets.StatFreeTitlePoints, packets.StatFreeDegreePoints,
		packets.StatBaseMaxHP, packets.StatBaseMaxMP, packets.StatMaxHP, packets.StatHP, packets.StatMP,
		packets.StatMaxMP, packets.StatMaxSatiety}
	for i := range packets.Stat(stats) {
		if !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	return order
}()

// StatsChanged tells a player the values that have changed.
func (v *View) StatsChanged(e world.StatsChanged) {
	var was, is [stats]int32
	SheetValues(&e.Was, &was)
	SheetValues(&e.Is, &is)
	v.encodeFor(e.ID, func(f *itemEncoder) { f.changed(&was, &is) })
}

// changed tells which values of the client's own player are different.
func (f *itemEncoder) changed(was, is *[stats]int32) {
	for _, i := range statOrder {
		if was[i] != is[i] || i == packets.StatTitleXP && was[packets.StatTitle] != is[packets.StatTitle] {
			f.mine(&packets.SetStat{Stat: i, Value: is[i]})
		}
	}
}

// PoolsChanged tells a player the pools that have changed.
func (v *View) PoolsChanged(e *world.PoolsChanged) {
	var was, is [stats]int32
	poolValues(&e.Before, &was)
	poolValues(&e.Now, &is)
	v.encodeFor(e.ID, func(f *itemEncoder) { f.changed(&was, &is) })
}
