package rules

// Stats are the eight statistics: strength, agility, accuracy, endurance, earth, air, water, fire.
type Stats [8]int

// A Bonus is what who wears an item gets. Attack and Magic are negative.
type Bonus struct {
	HP, MP                          int
	Attack, Magic                   int
	PhysicalDefence, MagicalDefence int
	Stats                           Stats
}

// Add adds the bonus of another item, sign times.
func (b *Bonus) Add(o *Bonus, sign int) {
	b.HP += sign * o.HP
	b.MP += sign * o.MP
	b.Attack += sign * o.Attack
	b.Magic += sign * o.Magic
	b.PhysicalDefence += sign * o.PhysicalDefence
	b.MagicalDefence += sign * o.MagicalDefence
	for i := range b.Stats {
		b.Stats[i] += sign * o.Stats[i]
	}
}

// A Wearer is what counts of a character when it wants to use an item.
type Wearer struct {
	Title, Degree    int // absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Stats            Stats // base values plus bonuses of what is worn
}

// A Progress is what a character has become, besides its levels.
type Progress struct {
	TitleXP, DegreeXP         uint32
	TitlePoints, DegreePoints int   // to spend
	Base                      Stats // without items
	Karma                     int   // count
}
