package ops

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/world/rules"
)

// rateNames are the names of rates in sentences.
var rateNames = [rules.RateKinds]Text{rules.ExperienceRate: {"опыт", "experience"},
	rules.DropRate: {"добыча", "drops"}, rules.MoneyRate: {"деньги", "money"},
	rules.RespawnRate: {"возвращение монстров", "respawn of monsters"}}

var (
	rateText      = Text{"%s x%s", "%s x%s"}
	rateUntilText = Text{"%s x%s %s", "%s x%s %s"}
)

// RateText tells which rate of a kind counts, and until when: "experience x2 until 2026-11-28 12:00 UTC".
func RateText(k rules.RateKind, p rules.RatePlan, now time.Time) Text {
	factor := strconv.FormatFloat(p.Factor(now), 'g', -1, 64)
	if until := p.Until(now); !until.IsZero() {
		return told(rateUntilText, rateNames[k], factor, Until(until))
	}
	return told(rateText, rateNames[k], factor)
}

// RatesText names the rates in effect that are not 1; false if there are none.
func RatesText(p rules.RatePlans, now time.Time) (t Text, ok bool) {
	var russian, english []string
	for k := range rules.RateKinds {
		if p[k].Factor(now) != 1 {
			one := RateText(k, p[k], now)
			russian, english = append(russian, one.Russian), append(english, one.English)
		}
	}
	return Text{strings.Join(russian, ", "), strings.Join(english, ", ")}, len(russian) > 0
}

// longestRate is how far ahead a rate may begin, and end if it has an end.
const longestRate = 366 * 24 * time.Hour

var (
	rateKindText = Text{"Нужно опыт, добыча, деньги или монстры, а не «%s».",
		"expected experience, drops, money or respawn, found %q"}
	rateNearText = Text{"Нужно опыт, добыча, деньги или монстры, а не «%s»; может быть, «%s»?",
		"expected experience, drops, money or respawn, found %q; did you mean %q?"}
	rateFactorText = Text{"Нужен множитель от %v до %v, а не %v.", "expected a factor from %v to %v, found %v"}
	rateSpanText   = Text{"Множитель действует не дольше чем %v, а не %v.", "expected a rate of at most %v, found %v"}
	rateFromText   = Text{"Начало должно быть впереди, не дальше чем через 366 дней, а не %s.",
		"expected a beginning within the next 366 days, found %s"}
	rateTakenText = Text{"На это время уже задано: %s x%s %s. Сначала отмените его.",
		"That time has a rate already: %s x%s %s. End it first."}
	rateFileText = Text{"Множитель (%s) задан не командой, а в balance.toml: измените его там.",
		"The rate of %s was not set by command but in balance.toml: change it there."}
	noRateText = Text{"Множитель (%s) не задан.", "No rate of %s is set."}
)

// rateKind checks the name of a kind of rates.
func (f *Faults) rateKind(field, name string) {
	_, near, ok := rules.RateKindOf(name)
	switch {
	case ok:
	case near == "":
		f.Add(field, rateKindText, shortName(name))
	default:
		f.Add(field, rateNearText, shortName(name), near)
	}
}

func (r RateName) check(f *Faults) { f.rateKind("rate", r.Rate) }

func (o RateOrder) check(f *Faults) {
	f.rateKind("rate", o.Rate)
	if !(o.Factor >= rules.LeastRate && o.Factor <= rules.MostRate) {
		f.Add("factor", rateFactorText, rules.LeastRate, rules.MostRate, o.Factor)
	}
	if o.Seconds < 0 || o.Seconds > int(longestRate/time.Second) {
		f.Add("seconds", rateSpanText, Span(longestRate), secondsText(o.Seconds))
	}
	now := time.Now()
	if !o.From.IsZero() && (o.From.Before(now.Add(-time.Minute)) || o.From.After(now.Add(longestRate))) {
		f.Add("from", rateFromText, o.From.Local().Format("2006-01-02 15:04"))
	}
}

// setRates are the rates that operators have set.
func (c *call) setRates() (plans rules.RatePlans, all []data.Rate, err error) {
	all, err = c.Store.Rates(c)
	for _, r := range all {
		plans[r.Kind] = append(plans[r.Kind], r.Rate)
	}
	return plans, all, err
}

// setRate sets a rate, which holds after a restart too.
func (c *call) setRate(o RateOrder) (SetRate, error) {
	k, _, _ := rules.RateKindOf(o.Rate)
	r, now := data.Rate{Kind: k, By: c.by.Name}, time.Now()
	r.Factor, r.From = o.Factor, now.Truncate(time.Millisecond)
	detail := k.Name("en") + " " + strconv.FormatFloat(o.Factor, 'g', -1, 64)
	if o.From.After(now) {
		r.From = o.From.Local().Truncate(time.Millisecond)
		detail += " from " + r.From.Format(time.RFC3339)
	}
	if o.Seconds > 0 {
		r.To = r.From.Add(time.Duration(o.Seconds) * time.Second)
		detail += " until " + r.To.Format(time.RFC3339)
	}
	err := c.Store.SetRate(c.audited("", detail), r)
	if errors.Is(err, data.ErrRateTaken) {
		plans, _, _ := c.setRates()
		if other, _ := append(plans[k], r.Rate).Clash(); other != nil {
			when := Until(other.To)
			if other.From.After(now) {
				when = told(Text{"%s %s", "%s %s"}, Since(other.From), when)
			}
			err = refuse(ErrInvalid, rateTakenText, rateNames[k], strconv.FormatFloat(other.Factor, 'g', -1, 64), when)
		}
	}
	if err != nil {
		return SetRate{}, err
	}
	c.ratesChanged()
	return shownRate(r), nil
}

func (c *call) ratesChanged() {
	if c.Runtime != nil {
		c.Runtime.RatesChanged()
	}
}

func shownRate(r data.Rate) SetRate {
	return SetRate{Rate: r.Kind.Name("en"), Factor: r.Factor, From: r.From, Until: r.To, By: r.By}
}

// endRate ends all rates that operators have set for a kind, also future ones, and returns them.
func (c *call) endRate(n RateName) ([]SetRate, error) {
	k, _, _ := rules.RateKindOf(n.Rate)
	_, all, err := c.setRates()
	if err != nil {
		return nil, err
	}
	var ended []SetRate
	for _, r := range all {
		if r.Kind == k {
			ended = append(ended, shownRate(r))
		}
	}
	err = c.Store.EndRates(c.audited("", k.Name("en")), k)
	switch {
	case err == nil:
		c.ratesChanged()
		return ended, nil
	case errors.Is(err, data.ErrNotFound) && c.Runtime != nil && len(c.Runtime.FileRates()[k]) > 0:
		return nil, refuse(data.ErrNotFound, rateFileText, rateNames[k])
	}
	return nil, orElse(err, noRateText, rateNames[k])
}

// listRates tells of each kind which rate counts, the rates set, and those of the balance file.
func (c *call) listRates(Empty) ([]RateState, error) {
	plans, all, err := c.setRates()
	if err != nil {
		return nil, err
	}
	var file rules.RatePlans
	if c.Runtime != nil {
		file = c.Runtime.FileRates()
	}
	now, counting := time.Now(), plans.Over(file)
	out := make([]RateState, rules.RateKinds)
	for k := range rules.RateKinds {
		p := counting[k]
		s := RateState{Rate: k.Name("en"), Name: rateNames[k], Factor: p.Factor(now), Changes: p.Change(now),
			Set: []SetRate{}, File: []Text{}}
		if !s.Changes.IsZero() {
			s.Then = p.Factor(s.Changes)
		}
		for _, r := range all {
			if r.Kind == k {
				s.Set = append(s.Set, shownRate(r))
			}
		}
		for i := range file[k] {
			s.File = append(s.File, Text{file[k][i].Text("ru"), file[k][i].Text("en")})
		}
		out[k] = s
	}
	return out, nil
}
