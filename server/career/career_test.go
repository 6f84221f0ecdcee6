package career

import (
	"flag"
	"reflect"
	"sync"
	"testing"
	"time"

	"sphereserver/data/content"
	_ "sphereserver/data/datatest"
	"sphereserver/server/bot"
	"sphereserver/server/config"
)

var to = flag.Int("career.to", 6, "the level to which TestEachSchoolGoesOn plays, 60 at most")

func options(seed uint64) Options {
	s := config.Defaults()
	o := Options{Game: s.Game, Seed: seed, Each: 2 * time.Minute, To: 3}
	o.Game.World.Balance = &s.Balance
	return o
}

func play(t *testing.T, school bot.School, o Options) Career {
	t.Helper()
	c, err := Play(school, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestEachSchoolGoesOn plays careers in short looks: with the numbers and tables that ship each school finds gear and
// attacks, up to the last level if it is asked to, and the sums are plausible. The same seed gives the same career.
func TestEachSchoolGoesOn(t *testing.T) {
	long, short := *to, options(1).To
	if testing.Short() {
		long = short // hours of simulated time are too much for the race detector
	}
	once, twice := make([]Career, len(bot.Schools())), make([]Career, len(bot.Schools()))
	t.Cleanup(func() { // when all have been played
		for i, school := range bot.Schools() {
			one, two := once[i].Levels, twice[i].Levels
			if len(one) >= short-1 && len(two) > 0 && !reflect.DeepEqual(two, one[:short-1]) { // else -run has left one out
				t.Errorf("%v: two careers of one seed differ: %+v, %+v", school, one, two)
			}
		}
	})
	for i, school := range bot.Schools() {
		t.Run(school.String()+" again", func(t *testing.T) {
			t.Parallel()
			twice[i] = play(t, school, options(1))
		})
		t.Run(school.String(), func(t *testing.T) {
			t.Parallel()
			o := options(1)
			o.To = long
			c := play(t, school, o)
			once[i] = c
			if c.Stuck || len(c.Levels) != o.To-1 {
				t.Fatalf("%d levels, stuck %v", len(c.Levels), c.Stuck)
			}
			spent := int64(0)
			for _, l := range c.Levels {
				spent += l.MoneyOut
				if l.Hours < l.Played || l.Played <= 0 || l.Kills <= 0 || l.Prey < 1 || min(l.MoneyIn, l.MoneyOut) < 0 {
					t.Errorf("%+v", l)
				}
			}
			if spent <= 0 && school != bot.Fists { // fists cost nothing
				t.Errorf("it has spent %d coins on the whole way", spent)
			}
		})
	}
}

// What an operator changes is to be seen: ten times the experience takes fewer kills, none leads nowhere.
func TestTheBalanceChangesCareers(t *testing.T) {
	t.Parallel()
	kills := func(factor float64) (n int, stuck bool) {
		o := options(1)
		o.vain = 20 * time.Minute // no way leads to other grounds
		o.Game.World.Balance.Experience.Factor = factor
		c, err := Play(bot.Swords, o)
		if err != nil {
			t.Error(err)
		}
		for _, l := range c.Levels {
			n += l.Kills
		}
		return n, c.Stuck
	}
	var usual, many, n int
	var stuck bool
	var all sync.WaitGroup
	all.Go(func() { usual, _ = kills(1) })
	all.Go(func() { many, _ = kills(10) })
	n, stuck = kills(0)
	all.Wait()
	if many >= usual {
		t.Errorf("%d kills, and %d with ten times the experience", usual, many)
	}
	if n == 0 || !stuck {
		t.Errorf("without experience: %d kills, stuck %v", n, stuck)
	}
}

// In the tables of an original client white mantras heal and strengthen, and none of them attacks. A white mage learns
// its degree all the same, by black attacks.
func TestWhiteMagesGoOnWithoutWhiteAttacks(t *testing.T) {
	t.Parallel()
	def := content.Default()
	var c content.Content
	for _, k := range def.Kinds() {
		if k.Class != 1000 || min(k.Attack, k.Magic) >= 0 {
			c.Kinds = append(c.Kinds, k)
		}
	}
	if len(c.Kinds) == len(def.Kinds()) {
		t.Fatal("no white mantra attacks among ours")
	}
	c.Monsters = def.Monsters()
	tables, err := content.Compose(&c)
	if err != nil {
		t.Fatal(err)
	}
	o := options(1)
	o.Game.Catalogue = tables
	if c := play(t, bot.White, o); c.Stuck || len(c.Levels) != o.To-1 {
		t.Errorf("%d levels, stuck %v", len(c.Levels), c.Stuck)
	}
}
