package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/ops"
	"sphereserver/world/rules"
)

// rateCommand is "sphere rate" with all below it.
func rateCommand(env *environment) *cobra.Command {
	return env.withJSON(group("rate", "Make more of experience, drops and money, and monsters come more often",
		rateSet(env), rateEnd(env), rateList(env)))
}

func rateSet(env *environment) *cobra.Command {
	var lasts span
	var from moment
	c := &cobra.Command{
		Use: "set WHAT FACTOR", Short: "Set a rate, at once or from a day on",
		Args: expect(0, "experience, drops, money or respawn", "a factor"),
		Long: `Set a rate of experience, drops, money or respawn, at once or from a day on, for a while or until it is
ended. It holds after a restart, too. Players are told when it begins and ends. As long as it counts the
rates of balance.toml do not.`,
		Example: "  sphere rate set xp 2 --for 2d\n  sphere rate set drops 1.5 --from \"2026-12-31 18:00\" --for 12h",
		RunE: func(c *cobra.Command, args []string) error {
			factor, ok := rules.ParseFactor(args[1])
			if _, swapped := rules.ParseFactor(args[0]); !ok && swapped {
				return usagef(c, "expected what is to change before the factor, did you mean \"%s %s\"?", args[1], args[0])
			}
			if !ok || !(factor >= rules.LeastRate && factor <= rules.MostRate) {
				return usagef(c, "expected a factor from %v to %v, found %q", rules.LeastRate, rules.MostRate, args[1])
			}
			o := ops.RateOrder{Rate: args[0], Factor: factor, From: time.Time(from),
				Seconds: int(time.Duration(lasts).Round(time.Second) / time.Second)}
			return verb(c.Context(), env, ops.OrderRate, o, func(w printer, r ops.SetRate) { showSetRate(w, r) })
		},
	}
	c.Flags().Var(&lasts, "for", "how long it lasts, up to 366d; without it until it is ended")
	c.Flags().Var(&from, "from", "when it begins, a day or a day and a time")
	return c
}

// A moment is the value of a flag: a day, or a day and a time.
type moment time.Time

// String implements pflag.Value.
func (m *moment) String() string {
	if time.Time(*m).IsZero() {
		return ""
	}
	return when(time.Time(*m))
}

// Type implements pflag.Value.
func (m *moment) Type() string { return "DAY" }

// Set implements pflag.Value.
func (m *moment) Set(text string) error {
	t, ok := rules.ParseMoment(text, time.Local)
	if !ok {
		return failf("expected a day like 2026-12-31, or with its time \"2026-12-31 18:00\"")
	}
	*m = moment(t)
	return nil
}

// rateSpan is when a rate that was set counts.
func rateSpan(r ops.SetRate) ops.Text {
	from, until, comma := ops.Since(r.From), ops.Text{Russian: "пока не отменят", English: "until it is ended"}, ", "
	if !r.Until.IsZero() {
		until, comma = ops.Until(r.Until), " "
	}
	return text(from.Russian+comma+until.Russian, from.English+" "+until.English)
}

func showSetRate(w printer, r ops.SetRate) {
	w.line("%s x%v %s", word(r.Rate), r.Factor, rateSpan(r))
}

func rateEnd(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "end WHAT", Short: "End a rate that was set, or call it off",
		Args: expect(0, "experience, drops, money or respawn"),
		RunE: does(env, ops.EndRate, func(args []string) ops.RateName { return ops.RateName{Rate: args[0]} },
			func(w printer, ended []ops.SetRate) {
				for _, r := range ended {
					w.line("ended: %s x%v %s", word(r.Rate), r.Factor, rateSpan(r))
				}
			}),
	}
}

func rateList(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List the rates that count, were set and stand in balance.toml", Args: expect(0),
		RunE: does(env, ops.ListRates, noRequest,
			func(w printer, all []ops.RateState) {
				table(w, w.words("WHAT", "NOW", "UNTIL", "THEN", "WAS SET", "IN THE FILE"),
					each(all, func(r ops.RateState) []string {
						until, then := "", ""
						if !r.Changes.IsZero() {
							until, then = when(r.Changes), "x"+strconv.FormatFloat(r.Then, 'g', -1, 64)
						}
						return []string{w.say(r.Rate), "x" + strconv.FormatFloat(r.Factor, 'g', -1, 64), until, then,
							strings.Join(each(r.Set, func(s ops.SetRate) string {
								return w.say("x%v %s by %s", s.Factor, rateSpan(s), ops.Author(s.By))
							}), "; "), strings.Join(each(r.File, func(t ops.Text) string { return t.In(w.russian) }), "; ")}
					}))
			}),
	}
}
