package ops

import (
	"strconv"
	"strings"
	"time"

	"sphereserver/world/rules"
)

// rateNames are what rates are called in sentences.
var rateNames = [rules.RateKinds]Text{rules.ExperienceRate: {"опыт", "experience"}, rules.DropRate: {"добыча", "drops"},
	rules.MoneyRate: {"деньги", "money"}, rules.RespawnRate: {"возвращение монстров", "respawn of monsters"}}

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

// RatesText tells which rates count that are not as usual; false for none.
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
