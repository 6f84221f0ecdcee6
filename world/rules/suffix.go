package rules

import "strconv"

// A Suffix is a variant of some kinds of items: a sword "of damage" (7.3).
type Suffix struct {
	Letter   string           `json:"letter"` // of the group
	Index    int              `json:"index"`  // within the group, from 0: as on the wire
	Key      string           `json:"key,omitempty"`
	Columns                   // added to those of the kind; see [Kind.With]
	Names    Names            `json:"names,omitempty"`
	ByModule map[string]Names `json:"by_module,omitempty"` // names beside things of a module, where they differ
}

func (s *Suffix) name(module, language string) string {
	if n := s.ByModule[module].In(language); n != "" {
		return n
	}
	return s.Name(language)
}

// Name is the name of the suffix, or its key, or its letter and index when the files give none.
func (s *Suffix) Name(language string) string {
	if n := s.Names.In(language); n != "" {
		return n
	}
	if s.Key != "" {
		return s.Key
	}
	return s.Letter + strconv.Itoa(s.Index)
}

// scale are the factors of the numbers of a suffix, by the tier of the item (7.3).
var scale = [...]int{0, 1, 2, 3, 5, 7, 9, 12, 15, 18, 23, 28, 34, 37, 42, 48}

// MaxTier is the highest tier that suffixes know; higher ones count as this.
const MaxTier = len(scale) - 1

// Scale is the factor of a tier.
func Scale(tier int) int { return scale[min(max(tier, 0), MaxTier)] }

// With returns the numbers of a kind with a suffix; s may be nil. Some are scaled, some are a percentage, and some
// are replaced:
//
//	requirements of level and stats, attack, magic, bonuses   base + row × Scale(tier); requirements never below 0
//	weight, durability, use time, price                       base × row / 100, rounded down; 0 leaves the base
//	spread, range, cool-down                                  base + row
//	effect, its length and its chance                         those of the row, if it names an effect
//	all else                                                  base
//
// Source: 7.3. A negative percentage is taken as the part missing of 100.
func (k *Kind) With(s *Suffix) Columns {
	out := k.Columns
	if s == nil {
		return out
	}
	f := Scale(k.Tier)
	onlyRaise := s.UseHP == 1 && (s.Letter == "C" || s.Letter == "I")
	need := &out.Need
	need.Title = max(need.Title+s.Need.Title*f, 0)
	need.Degree = max(need.Degree+s.Need.Degree*f, 0)
	for i, v := range s.Need.Stats {
		if !onlyRaise || need.Stats[i] != 0 {
			need.Stats[i] = max(need.Stats[i]+v*f, 0)
		}
	}
	out.Attack += s.Attack * f
	out.Magic += s.Magic * f
	out.Bonus.Add(&s.Bonus, f)
	out.Weight = percent(out.Weight, s.Weight)
	out.Durability = percent(out.Durability, s.Durability)
	out.UseTime = percent(out.UseTime, s.UseTime)
	out.Price = percent(out.Price, s.Price)
	out.Spread += s.Spread
	out.Range += s.Range
	out.Reuse += s.Reuse
	if s.Effect != 0 {
		out.Effect, out.EffectLength, out.Chance = s.Effect, s.EffectLength, s.Chance
	}
	return out
}

func percent(base, p int) int {
	switch {
	case p == 0:
		return base
	case p < 0:
		return max(base*(100+p)/100, 0)
	}
	return base * p / 100
}
