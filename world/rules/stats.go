package rules

// StatNames are the eight statistics in English.
var StatNames = [8]string{"strength", "agility", "accuracy", "endurance", "earth", "air", "water", "fire"}

// Stats are the eight statistics: strength, agility, accuracy, endurance, earth, air, water, fire.
type Stats [8]int

// A Bonus is the bonus of an item for its wearer (columns 22–35).
type Bonus struct {
	HP              int   `json:"hp,omitzero"`               // 22: greatest HP
	MP              int   `json:"mp,omitzero"`               // 23: greatest MP
	Attack          int   `json:"attack,omitzero"`           // 24: physical, negative
	PhysicalDefence int   `json:"physical_defence,omitzero"` // 25
	MagicalDefence  int   `json:"magical_defence,omitzero"`  // 26
	Stats           Stats `json:"stats,omitzero"`            // 27–34
	Magic           int   `json:"magic,omitzero"`            // 35: magical attack, negative
}

// Add adds another bonus, so many times.
func (b *Bonus) Add(o *Bonus, times int) {
	b.HP += times * o.HP
	b.MP += times * o.MP
	b.Attack += times * o.Attack
	b.Magic += times * o.Magic
	b.PhysicalDefence += times * o.PhysicalDefence
	b.MagicalDefence += times * o.MagicalDefence
	for i := range b.Stats {
		b.Stats[i] += times * o.Stats[i]
	}
}

// within reports whether no number of a bonus is farther from 0 than a limit.
func (b *Bonus) within(limit int) bool {
	for _, v := range [...]int{b.HP, b.MP, b.Attack, b.PhysicalDefence, b.MagicalDefence, b.Magic} {
		if v < -limit || v > limit {
			return false
		}
	}
	for _, v := range b.Stats {
		if v < -limit || v > limit {
			return false
		}
	}
	return true
}

// Weaken returns the bonuses that an item gives to a character of a rank: an item with a mutator that is more than two
// ranks above a character below rank 10 gives (character + 1) / (item − 1) of them, without fractions (7.4).
func Weaken(b Bonus, mutator bool, item, character int) Bonus {
	if !mutator || character >= 10 || item-character <= 2 {
		return b
	}
	part := func(v *int) { *v = *v * (character + 1) / (item - 1) }
	for _, v := range [...]*int{&b.HP, &b.MP, &b.Attack, &b.PhysicalDefence, &b.MagicalDefence, &b.Magic} {
		part(v)
	}
	for i := range b.Stats {
		part(&b.Stats[i])
	}
	return b
}

// MaxPoints is how many points to spend a character can have of a ladder: the record of a character has 16 bits for
// them.
const MaxPoints = 1<<16 - 1

// A Progress is the progress of a character besides its levels.
type Progress struct {
	TitleXP, DegreeXP         uint32
	TitlePoints, DegreePoints int   // to spend
	Base                      Stats // without items
	Karma                     int   // count
	Resets                    Resets
	Licences                  Licences
	Guild, GuildRank          int // 1 to 14, 0: none; 0 to 5
}

// Volatile reports whether a change of progress, with which no level comes, need not be durable before it is told: of
// experience, and of karma within its band. Like HP it is saved every few seconds.
func (p Progress) Volatile(is Progress) bool {
	if KarmaType(p.Karma) != KarmaType(is.Karma) {
		return false
	}
	p.TitleXP, p.DegreeXP, p.Karma = is.TitleXP, is.DegreeXP, is.Karma
	return p == is
}
