package rules

import (
	"math"
	"time"
)

// A RateKind is a kind of numbers that a rate changes.
type RateKind uint8

// The kinds of rates.
const (
	ExperienceRate RateKind = iota // of kills and missions
	DropRate                       // things that monsters leave
	MoneyRate                      // of missions and of the newcomers' monster
	RespawnRate                    // how often monsters come again
	RateKinds
)

// rateKinds are the names of the kinds, the name in files first.
var rateKinds = [RateKinds]struct{ english, russian []string }{
	{[]string{"experience", "xp", "exp"}, []string{"опыт"}},
	{[]string{"drops", "drop", "loot"}, []string{"добыча", "дроп"}},
	{[]string{"money", "coins"}, []string{"деньги"}},
	{[]string{"respawn", "spawn"}, []string{"монстры", "респаун"}},
}

// Name is the name of a kind in a language; files and requests use the English one.
func (k RateKind) Name(language string) string {
	if language == "ru" {
		return rateKinds[k%RateKinds].russian[0]
	}
	return rateKinds[k%RateKinds].english[0]
}

// RateKindOf is the kind of a name in either language; if there is none, near is the nearest name, "" where none is
// near.
func RateKindOf(word string) (k RateKind, near string, ok bool) {
	var known []string
	for k, names := range rateKinds {
		for _, name := range append(names.english[:len(names.english):len(names.english)], names.russian...) {
			if FoldWord(name) == FoldWord(word) {
				return RateKind(k), "", true
			}
			known = append(known, name)
		}
	}
	near, _ = Nearest(word, known)
	return 0, near, false
}

// LeastRate and MostRate bound the factor of a rate.
const (
	LeastRate = 0.1
	MostRate  = 100
)

// Rates are the factors of all kinds, 1 for the numbers of the rest of the balance.
type Rates [RateKinds]float64

// Apply returns a balance with the rates in it. All numbers that rates change are changed here.
func (r Rates) Apply(b *Balance) *Balance {
	out := *b
	out.Experience.Factor *= r[ExperienceRate]
	out.Mission.Kills *= r[ExperienceRate]
	out.Mission.LeastXP = times(out.Mission.LeastXP, r[ExperienceRate])
	out.Loot.Factor *= r[DropRate]
	out.Mission.Money *= r[MoneyRate]
	out.Mission.MoneyLevel *= r[MoneyRate]
	out.Spawn.TutorialCoinsMin = times(out.Spawn.TutorialCoinsMin, r[MoneyRate])
	out.Spawn.TutorialCoinsMax = times(out.Spawn.TutorialCoinsMax, r[MoneyRate])
	out.Spawn.Respawn = oftener(out.Spawn.Respawn, r[RespawnRate])
	out.Spawn.TutorialRespawn = oftener(out.Spawn.TutorialRespawn, r[RespawnRate])
	return &out
}

func times(n int, rate float64) int { return int(math.Round(float64(n) * rate)) }

// oftener is how long something takes that comes so many times as often, at least a second, or less if it took less.
func oftener(d time.Duration, rate float64) time.Duration {
	return max(time.Duration(float64(d)/rate), min(d, time.Second))
}

// Days are days of the week, a bit for each [time.Weekday].
type Days uint8

// Days that have a word of their own.
const (
	EveryDay = Days(1<<7 - 1)
	Weekend  = Days(1<<time.Saturday | 1<<time.Sunday)
	Workdays = EveryDay &^ Weekend
)

// A Rate is a factor and when it holds: at times, once or each week, or whenever no other does.
type Rate struct {
	Factor   float64
	From, To time.Time // once, To being the first moment after it; the zero time is no bound on its side
	// Each week on these days, from Begin to End after midnight by the clock of the place; an End beyond 24 hours is on
	// the next day.
	Days       Days
	Begin, End time.Duration
}

// usual reports whether a rate holds whenever no other does.
func (r *Rate) usual() bool { return r.Days == 0 && r.From.IsZero() && r.To.IsZero() }

// Holds reports whether a rate holds at a moment. Its weeks are those of the moment's location.
func (r *Rate) Holds(t time.Time) bool {
	if r.Days == 0 {
		return !t.Before(r.From) && (r.To.IsZero() || t.Before(r.To))
	}
	for day := -1; day <= 0; day++ {
		if from, to, ok := r.on(t, day); ok && !t.Before(from) && t.Before(to) {
			return true
		}
	}
	return false
}

// on is when a rate of each week holds that begins some days after a moment's.
func (r *Rate) on(t time.Time, days int) (from, to time.Time, ok bool) {
	y, m, d := t.Date()
	at := func(since time.Duration) time.Time {
		return time.Date(y, m, d+days, 0, int(since/time.Minute), 0, 0, t.Location())
	}
	return at(r.Begin), at(r.End), r.Days&(1<<at(0).Weekday()) != 0
}

// edge is the next moment after t at which a rate begins or ends, the zero time for none.
func (r *Rate) edge(t time.Time) (next time.Time) {
	note := func(at time.Time) {
		if at.After(t) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	if r.Days == 0 {
		note(r.From)
		note(r.To)
		return next
	}
	for day := -1; day <= 7; day++ {
		if from, to, ok := r.on(t, day); ok {
			note(from)
			note(to)
		}
	}
	return next
}

// overlaps reports whether two rates hold at one moment.
func (r *Rate) overlaps(o *Rate) bool {
	switch {
	case r.usual() || o.usual():
		return r.usual() && o.usual()
	case r.Days == 0 && o.Days == 0:
		return (r.To.IsZero() || o.From.Before(r.To)) && (o.To.IsZero() || r.From.Before(o.To))
	case r.Days != 0 && o.Days != 0:
		return r.meets(o)
	case r.Days == 0:
		r, o = o, r
	}
	if o.From.IsZero() || o.To.IsZero() {
		return true
	}
	return r.Holds(o.From) || r.edge(o.From).Before(o.To)
}

// meets reports whether two rates of each week hold at one moment of it.
func (r *Rate) meets(o *Rate) bool {
	const day, week = 24 * time.Hour, 7 * 24 * time.Hour
	for a := range 7 {
		for b := range 7 {
			if r.Days&(1<<a) == 0 || o.Days&(1<<b) == 0 {
				continue
			}
			for _, shift := range []time.Duration{-week, 0, week} {
				gap := time.Duration(b-a)*day + shift
				if r.Begin < gap+o.End && gap+o.Begin < r.End {
					return true
				}
			}
		}
	}
	return false
}

// A RatePlan is all rates of one kind. Of two that hold at one moment the first counts, and one without times only
// where no other does.
type RatePlan []Rate

// At is the rate that counts at a moment, nil for none.
func (p RatePlan) At(t time.Time) (usual *Rate) {
	for i := range p {
		switch r := &p[i]; {
		case r.usual() && usual == nil:
			usual = r
		case !r.usual() && r.Holds(t):
			return r
		}
	}
	return usual
}

// Factor is the factor that counts at a moment.
func (p RatePlan) Factor(t time.Time) float64 {
	if r := p.At(t); r != nil {
		return r.Factor
	}
	return 1
}

// Change is the next moment after t at which another factor counts, the zero time for never.
func (p RatePlan) Change(t time.Time) time.Time {
	last := t
	for i := range p {
		for _, at := range []time.Time{p[i].From, p[i].To} {
			if at.After(last) {
				last = at
			}
		}
	}
	last = last.AddDate(0, 0, 9) // a week, and an hour by which a day may be longer: from there on all is as it was
	for now, at := p.Factor(t), p.edge(t); !at.IsZero() && at.Before(last); at = p.edge(at) {
		if p.Factor(at) != now {
			return at
		}
	}
	return time.Time{}
}

// Until is when the rate that counts at a moment does not any more: the zero time for never, and for a rate without
// times.
func (p RatePlan) Until(t time.Time) time.Time {
	if r := p.At(t); r == nil || r.usual() {
		return time.Time{}
	}
	return p.Change(t)
}

// edge is the next moment after t at which a rate of the plan begins or ends, in the location of t.
func (p RatePlan) edge(t time.Time) (next time.Time) {
	for i := range p {
		if at := p[i].edge(t); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at.In(t.Location())
		}
	}
	return next
}

// Clash is the first rate of a plan that overlaps another one, and that; nil for none.
func (p RatePlan) Clash() (one, other *Rate) {
	for i := range p {
		for j := range i {
			if p[i].overlaps(&p[j]) {
				return &p[j], &p[i]
			}
		}
	}
	return nil, nil
}

// RatePlans are the plans of all kinds.
type RatePlans [RateKinds]RatePlan

// Over puts plans before others, which count where these have no rate.
func (p RatePlans) Over(others RatePlans) RatePlans {
	for k := range p {
		p[k] = append(p[k][:len(p[k]):len(p[k])], others[k]...)
	}
	return p
}

// At are the factors that count at a moment.
func (p *RatePlans) At(t time.Time) (r Rates) {
	for k := range p {
		r[k] = p[k].Factor(t)
	}
	return r
}

// Change is the next moment after t at which another factor counts, the zero time for never.
func (p *RatePlans) Change(t time.Time) (next time.Time) {
	for k := range p {
		if at := p[k].Change(t); !at.IsZero() && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
