package world

import (
	"reflect"
	"testing"

	"sphereserver/world/rules"
)

// Indexes of a client's values of its own player: short names for expectations of tests.
const (
	statHP = iota
	statMaxHP
	statMP
	statMaxMP
	statSatiety
	statMaxSatiety
	statStats         // to 13
	statPhysical      = 16
	statMagical       = 17
	statAttack        = 18
	statMagic         = 19
	statGuild         = 21
	statGuildRank     = 22
	statBaseHP        = 24
	statBaseMP        = 25
	statBaseSatiety   = 26
	statBase          = 27 // to 34
	statTitle         = 37
	statDegree        = 38
	statKarma         = 39
	statKarmaPoints   = 40
	statTitleXP       = 41
	statDegreeXP      = 42
	statPoints        = 43
	statTitlePoints   = 44
	statDegreePoints  = 45
	statTitleRebirths = 52
	statDegreeRebirth = 53

	statCount = 64
)

// valuesIn are the values of a sheet as a client counts them.
func valuesIn(p Sheet) (v [statCount]int) {
	d := &p.Derived
	v[statBaseHP], v[statBaseMP] = d.BaseHP, d.BaseMP
	v[statHP], v[statMaxHP], v[statMP], v[statMaxMP] = p.Pools.HP, p.Pools.MaxHP, p.Pools.MP, p.Pools.MaxMP
	v[statSatiety], v[statMaxSatiety], v[statBaseSatiety] = p.Pools.Satiety, p.Pools.MaxSatiety, p.Pools.MaxSatiety
	for i, base := range p.Progress.Base {
		v[statStats+i], v[statBase+i] = d.Stats[i], base
	}
	v[statPhysical], v[statMagical] = d.PhysicalDefence, d.MagicalDefence
	v[statAttack], v[statMagic] = d.Attack, d.Magic
	if p.Guild != 0 {
		v[statGuild] = p.Guild + 64
	}
	v[statGuildRank] = p.GuildRank
	v[statTitle], v[statTitleRebirths] = p.Title%rules.CycleLevels, p.Title/rules.CycleLevels
	v[statDegree], v[statDegreeRebirth] = p.Degree%rules.CycleLevels, p.Degree/rules.CycleLevels
	v[statKarma], v[statKarmaPoints] = p.Karma, p.Progress.Karma
	v[statTitleXP], v[statDegreeXP] = int(p.Progress.TitleXP), int(p.Progress.DegreeXP)
	v[statTitlePoints], v[statDegreePoints] = p.Progress.TitlePoints, p.Progress.DegreePoints
	v[statPoints] = p.Progress.TitlePoints + p.Progress.DegreePoints
	return v
}

// valuesOf returns the values told, by index.
func valuesOf(e StatsChanged) map[int]int {
	out, was, is := map[int]int{}, valuesIn(e.Was), valuesIn(e.Is)
	for i := range is {
		if was[i] != is[i] || i == statTitleXP && was[statTitle] != is[statTitle] {
			out[i] = is[i]
		}
	}
	return out
}

// Nothing is lost in what the world remembers of a sheet, whatever fields it will have.
func TestASheetIsRememberedWhole(t *testing.T) {
	var p player
	n := int64(0)
	var number func(v reflect.Value)
	number = func(v reflect.Value) {
		switch {
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				number(v.Field(i))
			}
		case v.Kind() == reflect.Array:
			for i := range v.Len() {
				number(v.Index(i))
			}
		case v.CanInt():
			n++
			v.SetInt(n)
		case v.CanUint():
			n++
			v.SetUint(uint64(n))
		default:
			t.Fatalf("a %v in a sheet", v.Type())
		}
	}
	number(reflect.ValueOf(&p.Progress).Elem())
	number(reflect.ValueOf(&p.Pools).Elem())
	p.Title, p.Degree, p.Appearance.Karma, p.Appearance.Guild, p.Appearance.GuildRank = 101, 102, 103, 104, 105
	p.known = p.told()
	if got, want := p.sheet(), (Sheet{101, 102, 103, 104, 105, p.Progress, p.Pools, p.derived}); got != want {
		t.Errorf("%+v is remembered as %+v", want, got)
	}
}
