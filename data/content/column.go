package content

import "sphereserver/world/rules"

// RowColumns is how many columns a row of the client's tables has, counted from 0 (13.2).
const RowColumns = 52

// A Column is one column of a row, and where its value lies: in Number or in Text, of which the other is nil. Reading
// rows, writing them, our own tables and what is shown to people all use these lists, so they cannot differ.
type Column struct {
	At     int    // position in the row
	Name   string // as our tables and people call it
	Number *int
	Text   *string
}

// KindRow lists the columns of a kind, by position.
func KindRow(k *rules.Kind) []Column {
	out := append(make([]Column, 0, RowColumns), []Column{
		{0, "id", &k.ID, nil}, {1, "module", nil, &k.Module}, {2, "model", nil, &k.Model}, {3, "icon", nil, &k.Icon},
	}...)
	out = numbersRow(out, &k.Columns)
	return append(out,
		Column{45, "look1", nil, &k.Look[0]}, Column{46, "look2", nil, &k.Look[1]}, Column{47, "look3", nil, &k.Look[2]},
		Column{48, "effect_key", nil, &k.EffectKey}, Column{49, "tier_code", nil, &k.TierCode},
		Column{50, "group", nil, &k.Group}, Column{51, "rest", nil, &k.Rest},
	)
}

// SuffixRow lists the columns of a suffix, by position.
func SuffixRow(s *rules.Suffix) []Column {
	return numbersRow([]Column{{0, "index", &s.Index, nil}, {1, "letter", nil, &s.Letter}}, &s.Columns)
}

// numbersRow adds columns 4 to 44.
func numbersRow(out []Column, c *rules.Columns) []Column {
	add := func(at int, name string, number *int) { out = append(out, Column{at, name, number, nil}) }
	add(4, "use_hp", &c.UseHP)
	add(5, "use_mp", &c.UseMP)
	add(6, "need_title", &c.Need.Title)
	add(7, "need_degree", &c.Need.Degree)
	add(8, "karma_min", &c.Need.KarmaMin)
	add(9, "karma_max", &c.Need.KarmaMax)
	for i := range c.Need.Stats {
		add(10+i, "need_"+rules.StatNames[i], &c.Need.Stats[i])
	}
	add(18, "attack", &c.Attack)
	add(19, "magic", &c.Magic)
	add(20, "mp_effect", &c.MPEffect)
	add(21, "spread", &c.Spread)
	out = bonusRow(out, &c.Bonus)
	add(36, "weight", &c.Weight)
	add(37, "durability", &c.Durability)
	add(38, "range", &c.Range)
	add(39, "use_time", &c.UseTime)
	add(40, "price", &c.Price)
	add(41, "effect", &c.Effect)
	add(42, "effect_length", &c.EffectLength)
	add(43, "reuse", &c.Reuse)
	add(44, "chance", &c.Chance)
	return out
}

// bonusRow adds columns 22 to 35.
func bonusRow(out []Column, b *rules.Bonus) []Column {
	add := func(at int, name string, number *int) { out = append(out, Column{at, name, number, nil}) }
	add(22, "hp", &b.HP)
	add(23, "mp", &b.MP)
	add(24, "attack_bonus", &b.Attack)
	add(25, "physical_defence", &b.PhysicalDefence)
	add(26, "magical_defence", &b.MagicalDefence)
	for i := range b.Stats {
		add(27+i, rules.StatNames[i], &b.Stats[i])
	}
	add(35, "magic_bonus", &b.Magic)
	return out
}

// MonsterRow lists the columns of a monster, by position (13.3).
func MonsterRow(m *rules.Monster) []Column {
	out := []Column{
		{0, "id", &m.ID, nil}, {1, "module", nil, &m.Module}, {2, "model", nil, &m.Model}, {4, "speed", &m.Speed, nil},
		{5, "flying", &m.Flying, nil}, {6, "karma", &m.Karma, nil}, {7, "low", &m.Low, nil}, {8, "high", &m.High, nil},
		{9, "hp_base", &m.HPBase, nil}, {10, "physical_defence", &m.Physical, nil}, {11, "magical_defence", &m.Magical, nil},
		{12, "trophy1", &m.Trophies[0].Kind, nil}, {13, "chance1", &m.Trophies[0].Chance, nil},
		{14, "trophy2", &m.Trophies[1].Kind, nil}, {15, "chance2", &m.Trophies[1].Chance, nil},
		{17, "size", &m.Size, nil}, {18, "attack", &m.Attack, nil}, {19, "magic", &m.Magic, nil},
	}
	changes := bonusRow(nil, &m.Changes)
	for i := range changes {
		changes[i].Name = "change_" + changes[i].Name
	}
	return append(append(out, changes...), []Column{
		{36, "weight", &m.Weight, nil}, {38, "range", &m.Range, nil}, {39, "delay", &m.Delay, nil},
		{41, "effect", &m.Effect, nil}, {42, "effect_length", &m.Length, nil}, {44, "chance", &m.Chance, nil},
		{48, "effect_key", nil, &m.EffectKey}, {49, "habitat", nil, &m.Habitat},
	}...)
}
