package config

import (
	"strconv"
	"strings"
	"time"

	"sphereserver/world/rules"
)

// BalanceFile is the balance file in a data folder.
const BalanceFile = "balance.toml"

func ratesText(p rules.RatePlan) string {
	words := make([]string, len(p))
	for i := range p {
		words[i] = p[i].Text("en")
	}
	return strings.Join(words, ",")
}

func parseRates(text string) (p rules.RatePlan, err error) {
	parts, err := values(text)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		r, ok := rules.ParseRate(part, time.Local)
		if !ok {
			return nil, wrong(`expected a factor from %v to %v and perhaps when it counts, like "2", "2 every weekend", "2 `+
				`every friday 18:00-23:00" or "2 from 2026-12-31 18:00 to 2027-01-02", found %q`,
				"нужен множитель от %v до %v и, может быть, когда он действует, например «2», «2 every weekend», «2 every friday "+
					"18:00-23:00» или «2 from 2026-12-31 18:00 to 2027-01-02», а не %q", rules.LeastRate, rules.MostRate, part)
		}
		if p = append(p, r); len(p) > maxRates {
			return nil, wrong("expected at most %d rates", "нужно не больше %d множителей", maxRates)
		}
	}
	if one, other := p.Clash(); one != nil {
		return nil, wrong("expected rates that do not overlap, unlike %q and %q",
			"нужны множители, которые не пересекаются, а не %q и %q", one.Text("en"), other.Text("en"))
	}
	return p, nil
}

// maxRates is how many rates of a kind the file may have.
const maxRates = 100

// typesText writes factors of types as a flag would have them: "1000-1009 1.1039,1085 1.414".
func typesText(types []rules.TypeFactor) string {
	words := make([]string, len(types))
	for i, t := range types {
		words[i] = strconv.Itoa(t.From)
		if t.To != t.From {
			words[i] += "-" + strconv.Itoa(t.To)
		}
		words[i] += " " + strconv.FormatFloat(t.Factor, 'g', -1, 64)
	}
	return strings.Join(words, ",")
}

func parseTypes(text string) (types []rules.TypeFactor, err error) {
	parts, err := values(text)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		t, ok := parseType(part)
		if !ok {
			return nil, wrong(`expected types and a factor from 0 to %d, like "1000-1009 1.1", found %q`,
				"нужны типы и множитель от 0 до %d, например «1000-1009 1.1», а не %q", maxFactor, part)
		}
		if types = append(types, t); len(types) > maxList {
			return nil, wrong("expected at most %d factors", "нужно не больше %d множителей", maxList)
		}
	}
	return types, nil
}

const maxFactor = 1000

func parseType(text string) (t rules.TypeFactor, ok bool) {
	span, factor, _ := strings.Cut(text, " ")
	from, to, ranged := strings.Cut(span, "-")
	if !ranged {
		to = from
	}
	var errs [3]error
	t.From, errs[0] = strconv.Atoi(from)
	t.To, errs[1] = strconv.Atoi(to)
	t.Factor, errs[2] = parseNumber(strings.TrimSpace(factor))
	return t, errs == [3]error{} && 0 <= t.From && t.From <= t.To && 0 <= t.Factor && t.Factor <= maxFactor
}
