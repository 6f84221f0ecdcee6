package rules

import "testing"

func TestWhatOfProgressIsVolatile(t *testing.T) {
	was := Progress{TitleXP: 10, DegreeXP: 20, TitlePoints: 4, Karma: 5}
	for what, c := range map[string]struct {
		change   func(*Progress)
		volatile bool
	}{
		"nothing":             {func(*Progress) {}, true},
		"experience":          {func(p *Progress) { p.TitleXP, p.DegreeXP = 11, 19 }, true},
		"karma of its band":   {func(p *Progress) { p.Karma = -100 }, true},
		"karma of the next":   {func(p *Progress) { p.Karma = -101 }, false},
		"points":              {func(p *Progress) { p.TitlePoints-- }, false},
		"base values":         {func(p *Progress) { p.Base[3]++ }, false},
		"licences":            {func(p *Progress) { p.Licences = 2 }, false},
		"resets":              {func(p *Progress) { p.Resets++ }, false},
		"both kinds together": {func(p *Progress) { p.TitleXP++; p.DegreePoints++ }, false},
	} {
		is := was
		if c.change(&is); was.Volatile(is) != c.volatile || is.Volatile(was) != c.volatile {
			t.Errorf("%s: volatile %v", what, !c.volatile)
		}
	}
}
