package content

import (
	"slices"
	"strings"

	"sphereserver/world/rules"
)

// RowColumns is how many columns a row of the client's tables has, counted from 0 (13.2).
const RowColumns = 52

// A Column is one column of a row, and where its value lies: in Number or in Text; the other is nil. Readers and
// writers of rows, our own tables and texts for people all use these lists, so they cannot differ.
type Column struct {
	At     int    // position in the row
	Name   string // as our tables and people call it
	Number *int
	Text   *string
}

// numbers names columns that follow each other and hold numbers.
func numbers(at int, names string, to ...*int) []Column {
	out := make([]Column, len(to))
	for i, name := range strings.Fields(names) {
		out[i] = Column{At: at + i, Name: name, Number: to[i]}
	}
	return out
}

// texts names columns that follow each other and hold texts.
func texts(at int, names string, to ...*string) []Column {
	out := make([]Column, len(to))
	for i, name := range strings.Fields(names) {
		out[i] = Column{At: at + i, Name: name, Text: to[i]}
	}
	return out
}

// KindRow lists the columns of a kind, by position.
func KindRow(k *rules.Kind) []Column {
	return slices.Concat(numbers(0, "id", &k.ID), texts(1, "module model icon", &k.Module, &k.Model, &k.Icon),
		numbersRow(&k.Columns), texts(45, "look1 look2 look3 effect_key tier_code group rest", &k.Look[0], &k.Look[1],
			&k.Look[2], &k.EffectKey, &k.TierCode, &k.Group, &k.Rest))
}

// SuffixRow lists the columns of a suffix, by position.
func SuffixRow(s *rules.Suffix) []Column {
	return slices.Concat(numbers(0, "index", &s.Index), texts(1, "letter", &s.Letter), numbersRow(&s.Columns))
}

// numbersRow lists columns 4 to 44.
func numbersRow(c *rules.Columns) []Column {
	return slices.Concat(
		numbers(4, "use_hp use_mp need_title need_degree karma_min karma_max", &c.UseHP, &c.UseMP, &c.Need.Title,
			&c.Need.Degree, &c.Need.KarmaMin, &c.Need.KarmaMax),
		statsRow(10, "need_", &c.Need.Stats),
		numbers(18, "attack magic mp_effect spread", &c.Attack, &c.Magic, &c.MPEffect, &c.Spread),
		bonusRow("", &c.Bonus),
		numbers(36, "weight durability range use_time price effect effect_length reuse chance", &c.Weight, &c.Durability,
			&c.Range, &c.UseTime, &c.Price, &c.Effect, &c.EffectLength, &c.Reuse, &c.Chance))
}

func statsRow(at int, prefix string, s *rules.Stats) []Column {
	out := make([]Column, len(s))
	for i := range s {
		out[i] = Column{At: at + i, Name: prefix + rules.StatNames[i], Number: &s[i]}
	}
	return out
}

// bonusRow lists columns 22 to 35.
func bonusRow(prefix string, b *rules.Bonus) []Column {
	out := slices.Concat(
		numbers(22, "hp mp attack_bonus physical_defence magical_defence", &b.HP, &b.MP, &b.Attack, &b.PhysicalDefence,
			&b.MagicalDefence),
		statsRow(27, "", &b.Stats), numbers(35, "magic_bonus", &b.Magic))
	for i := range out {
		out[i].Name = prefix + out[i].Name
	}
	return out
}

// MonsterRow lists the columns of a monster, by position (13.3).
func MonsterRow(m *rules.Monster) []Column {
	return slices.Concat(
		numbers(0, "id", &m.ID), texts(1, "module model", &m.Module, &m.Model),
		numbers(4, "speed flying karma low high hp_base physical_defence magical_defence trophy1 chance1 trophy2 chance2",
			&m.Speed, &m.Flying, &m.Karma, &m.Low, &m.High, &m.HPBase, &m.Physical, &m.Magical, &m.Trophies[0].Kind,
			&m.Trophies[0].Chance, &m.Trophies[1].Kind, &m.Trophies[1].Chance),
		numbers(17, "size attack magic", &m.Size, &m.Attack, &m.Magic),
		bonusRow("change_", &m.Changes),
		numbers(36, "weight", &m.Weight), numbers(38, "range delay", &m.Range, &m.Delay),
		numbers(41, "effect effect_length", &m.Effect, &m.Length), numbers(44, "chance", &m.Chance),
		texts(48, "effect_key habitat", &m.EffectKey, &m.Habitat))
}
