package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/config"
	"sphereserver/world/career"
)

// balanceCommand is "sphere balance".
func balanceCommand(env *environment) *cobra.Command {
	seed := uint64(1)
	c := &cobra.Command{
		Use: "balance", Short: "Simulate the way of characters from level 1 to 60", Args: expect(0),
		Long: "Simulate the way of characters from level 1 to 60 without a server, by the tables of items and " +
			"monsters of the " +
			"data folder and the numbers of its balance.toml. A character of each school – sword, axe, crossbow, mantras – " +
			"fights one common monster at a time, blow by blow, rests, dies, sells what it finds and buys what it can wear; " +
			"there are no groups, effects, and monsters with names. The times to kill and to die are those of a fight on the " +
			"average. The same --seed gives the same answer.",
		RunE: func(c *cobra.Command, _ []string) error {
			found, err := config.Load(config.Sources{Defaults: config.Defaults(),
				File: filepath.Join(env.dataDir, config.FileName), Optional: true,
				Balance: filepath.Join(env.dataDir, config.BalanceFile)})
			if err != nil {
				return err
			}
			in := openCatalogue(env)
			s := &found.Settings
			result := careers{Seed: seed, Source: in.Content.Source, Careers: each(career.Schools(),
				func(school career.School) career.Career {
					return career.Simulate(in.Tables, &s.Balance, s.Game.World.SellFraction, school, seed)
				})}
			return env.print(result, result.show)
		},
	}
	c.Flags().Uint64Var(&seed, "seed", seed, "what chance begins with")
	env.addJSONFlag(c)
	return c
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
		table(w, w.words("LEVELS", "PREY", "HOURS", "KILLS", "DEATHS", "MONEY IN", "MONEY OUT", "TO KILL", "TO DIE"),
			careerRows(w, one.Levels))
		if one.Stuck {
			w.line("stuck at level %d: no prey that it can kill", one.Levels[len(one.Levels)-1].Level)
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
			strconv.Itoa(sum.Prey), seconds(sum.ToKill), seconds(sum.ToDie)))
		levels = levels[n:]
	}
	return append(rows, careerRow(w.say("all"), &all, "", "", ""))
}

func careerRow(name string, l *career.Level, prey, kill, die string) []string {
	return []string{name, prey, strconv.FormatFloat(l.Hours, 'f', 1, 64), strconv.Itoa(l.Kills), strconv.Itoa(l.Deaths),
		strconv.FormatInt(l.MoneyIn, 10), strconv.FormatInt(l.MoneyOut, 10), kill, die}
}

// together are some levels as one: sums, and times of fights and prey as at their end.
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

// seconds is a time as people read it; zero, or an hour and more, is not worth telling.
func seconds(s float64) string {
	if s <= 0 || s >= time.Hour.Seconds() {
		return "–"
	}
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond).String()
}
