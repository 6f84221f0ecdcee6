package catalogue

import "fmt"

// A Wearer is what counts of a character when it wants to use a thing.
type Wearer struct {
	Title, Degree int   // levels within the cycle, 1 to 60
	Karma         int   // band, 1 very bad … 5 benign
	Stats         Stats // bought with points, plus bonuses of what is worn
	Guild         int   // 1 to 14, 0: none
	GuildRank     int   // 0 to 5
}

// A Lack is one requirement that is not met.
type Lack struct {
	What      string // English: "strength", "title level"
	Need      int    // for levels: the level, from 1
	Has       int
	NeedAtMax bool // Need is a greatest value, not a least
}

func (l Lack) String() string {
	if l.NeedAtMax {
		return fmt.Sprintf("%s at most %d, has %d", l.What, l.Need, l.Has)
	}
	return fmt.Sprintf("%s %d, has %d", l.What, l.Need, l.Has)
}

// StatNames are the eight statistics in English.
var StatNames = [8]string{"strength", "agility", "accuracy", "endurance", "earth", "air", "water", "fire"}

// Lacks lists what a character lacks to use something with these requirements, nothing when it may (7.2). The
// requirements of several things do not add up: each is asked for itself. Guild items have one more, see [GuildLack].
func (n *Need) Lacks(w Wearer) []Lack {
	var out []Lack
	least := func(what string, need, has int) {
		if has < need {
			out = append(out, Lack{What: what, Need: need, Has: has})
		}
	}
	if n.Title > 0 {
		least("title level", n.Title+1, w.Title)
	}
	if n.Degree > 0 {
		least("degree level", n.Degree+1, w.Degree)
	}
	if n.KarmaMin > 0 {
		least("karma", n.KarmaMin, w.Karma)
	}
	if n.KarmaMax > 0 && w.Karma > n.KarmaMax {
		out = append(out, Lack{What: "karma", Need: n.KarmaMax, Has: w.Karma, NeedAtMax: true})
	}
	for i, need := range n.Stats {
		if need > 0 {
			least(StatNames[i], need, w.Stats[i])
		}
	}
	return out
}

// GuildLack says what a character lacks to wear a guild's emblem; nil for other kinds and for those who may (7.2).
func (k *Kind) GuildLack(w Wearer) *Lack {
	guild, rank, ok := GuildOf(k.GameID)
	switch {
	case k.Class != classGuild || !ok:
		return nil
	case w.Guild != guild:
		return &Lack{What: "guild", Need: guild, Has: w.Guild}
	case w.GuildRank < rank:
		return &Lack{What: "guild rank", Need: rank, Has: w.GuildRank}
	}
	return nil
}

// CharacterRank is the rank of a character for [Weaken]: 1 to 12. Levels are those within the cycle (7.4).
func CharacterRank(title, degree int) int { return 1 + max(title-1, degree-1, 0)/5 }

// Rank is the rank of a thing for [Weaken]: of a guild item the guild rank, of others the tier (7.4).
func (k *Kind) Rank() int {
	if _, rank, ok := GuildOf(k.GameID); ok && k.Class == classGuild {
		return rank
	}
	return k.Tier
}

// Weaken returns the bonuses that a thing gives to a character of a rank: a thing with a mutator that is more than two
// ranks above a character below rank 10 gives (character + 1) / (thing − 1) of them, without fractions (7.4).
func Weaken(b Bonus, mutator bool, thing, character int) Bonus {
	if !mutator || character >= 10 || thing-character <= 2 {
		return b
	}
	for _, v := range b.all() {
		*v = *v * (character + 1) / (thing - 1)
	}
	return b
}

// all are the numbers of a bonus.
func (b *Bonus) all() []*int {
	out := []*int{&b.HP, &b.MP, &b.Attack, &b.PhysicalDefence, &b.MagicalDefence, &b.Magic}
	for i := range b.Stats {
		out = append(out, &b.Stats[i])
	}
	return out
}

// Plus adds the bonuses of two things.
func (b Bonus) Plus(other Bonus) Bonus {
	add := other.all()
	for i, v := range b.all() {
		*v += *add[i]
	}
	return b
}
