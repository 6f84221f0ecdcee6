package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/bot"
	"sphereserver/server/career"
	"sphereserver/server/config"
	"sphereserver/world/rules"
)

// balanceCommand is "sphere balance".
func balanceCommand(env *environment) *cobra.Command {
	o := career.Options{Seed: 1, Each: 20 * time.Minute, To: rules.CycleLevels}
	c := &cobra.Command{
		Use: "balance", Short: "Play the way of characters from level 1 to 60", Args: expect(0),
		Long: `Play the way of characters from level 1 to 60 on simulated time: in the server that players get, with the
settings of the data folder, its tables of items and monsters and the numbers of its balance.toml. Nothing
of the folder is changed, and nothing listens. A character of each school – sword, axe, crossbow, fists,
white mantras, black mantras – is played by a client of "sphere bot": it walks, fights, rests, dies, sells
its loot and buys better things. Each level is played for --each at most, and the rest of it follows in
proportion. It takes some minutes. The same --seed gives the same answer.`,
		RunE: func(c *cobra.Command, _ []string) error {
			if o.Each < time.Minute || o.Each > 24*time.Hour {
				return usagef(c, "--each: expected 1m to 24h, found %v", o.Each)
			}
			if o.To < 2 || o.To > rules.CycleLevels {
				return usagef(c, "--to: expected a level from 2 to %d, found %d", rules.CycleLevels, o.To)
			}
			found, err := config.Load(config.Sources{Defaults: config.Defaults(),
				File: filepath.Join(env.dataDir, config.FileName), Optional: true,
				Balance: filepath.Join(env.dataDir, config.BalanceFile)})
			if err != nil {
				return err
			}
			in := openCatalogue(env)
			o.Game = found.Settings.Game
			o.Game.World.Balance, o.Game.Catalogue = &found.Settings.Balance, in
			result, err := playCareers(o, in.Content.Source)
			if err != nil {
				return err
			}
			return env.print(result, result.show)
		},
	}
	c.Flags().Uint64Var(&o.Seed, "seed", o.Seed, "what chance begins with")
	c.Flags().DurationVar(&o.Each, "each", o.Each, "how long a level is played at most")
	c.Flags().IntVar(&o.To, "to", o.To, "the level with which careers end")
	return env.withJSON(c)
}

// playCareers plays the careers of all schools side by side.
func playCareers(o career.Options, source string) (careers, error) {
	schools := bot.Schools()
	all := careers{Seed: o.Seed, Source: source, Careers: make([]career.Career, len(schools))}
	failed := make([]error, len(schools))
	var wg sync.WaitGroup
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, school := range schools {
		wg.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			all.Careers[i], failed[i] = career.Play(school, o)
		})
	}
	wg.Wait()
	return all, errors.Join(failed...)
}

// careers are the answer of "sphere balance".
type careers struct {
	Seed    uint64          `json:"seed"`
	Source  string          `json:"source"` // of the tables
	Careers []career.Career `json:"careers"`
}

func (r careers) show(w printer) {
	for i, one := range r.Careers {
		if i > 0 {
			fmt.Fprintln(w)
		}
		w.line("%s, with the tables of: %s", word(one.School), word(r.Source))
		table(w, w.words("LEVELS", "PREY", "HOURS", "KILLS", "DEATHS", "MONEY IN", "MONEY OUT"), careerRows(w, one.Levels))
		if one.Stuck {
			w.line("stuck at level %d: nothing learned for a long time", one.Levels[len(one.Levels)-1].Level)
		}
	}
}

// levelsInRow is how many levels a row of the table tells of.
const levelsInRow = 5

func careerRows(w printer, levels []career.Level) (rows [][]string) {
	var all career.Level
	for len(levels) > 0 {
		n := min(levelsInRow-(levels[0].Level-1)%levelsInRow, len(levels))
		sum := together(levels[:n])
		add(&all, &sum)
		rows = append(rows, careerRow(fmt.Sprintf("%d–%d", levels[0].Level, levels[n-1].Level), &sum,
			strconv.FormatFloat(sum.Prey, 'f', 1, 64)))
		levels = levels[n:]
	}
	return append(rows, careerRow(w.say("all"), &all, ""))
}

func careerRow(name string, l *career.Level, prey string) []string {
	return []string{name, prey, strconv.FormatFloat(l.Hours, 'f', 1, 64), strconv.Itoa(l.Kills), strconv.Itoa(l.Deaths),
		strconv.FormatInt(l.MoneyIn, 10), strconv.FormatInt(l.MoneyOut, 10)}
}

// together sums up levels; prey is that of the last one.
func together(levels []career.Level) career.Level {
	out := levels[len(levels)-1]
	for i := range levels[:len(levels)-1] {
		add(&out, &levels[i])
	}
	return out
}

func add(to, l *career.Level) {
	to.Hours += l.Hours
	to.Kills += l.Kills
	to.Deaths += l.Deaths
	to.MoneyIn += l.MoneyIn
	to.MoneyOut += l.MoneyOut
}
