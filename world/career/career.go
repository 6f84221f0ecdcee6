// Package career lives the way of characters from level 1 to 60, by the rules of the game alone: it fights blow by
// blow, rests, dies, sells its loot, and buys equipment. So an operator sees the consequences of a change of the
// balance.
//
// It is simpler than the world: one monster at a time, without names, effects, groups and other players. Way and rest are
// counted as times.
package career

import (
	"math/rand/v2"
	"time"

	"sphereserver/world/rules"
)

// Choices of the simulation, not of the game.
const (
	search    = 15 * time.Second // from one monster to the next
	wayBack   = 2 * time.Minute  // from the place of revival
	gulp      = 2 * time.Second  // a potion
	longest   = 10 * time.Minute // of a fight
	fought    = 200              // fights of a level that are fought; the rest follow in proportion
	shopEach  = 25               // kills between two visits to a trader
	bold      = 0.6              // part of its HP that a character risks
	rested    = 0.85             // part of its HP with which it goes on
	satiety   = 50
	startHand = 1 // id of the item in the hand
)

// A School is how a character fights.
type School struct {
	Name    string
	classes []int // of its weapons, besides the sword that newcomers are given
	magic   bool
}

// Schools are all, in order.
func Schools() []School {
	return []School{{Name: "sword", classes: []int{500}}, {Name: "axe", classes: []int{501}},
		{Name: "crossbow", classes: []int{502}}, {Name: "mantra", classes: []int{1001}, magic: true}}
}

// A Level is the time and the cost of a level.
type Level struct {
	Level    int     `json:"level"` // the one that ends, from 1
	Prey     int     `json:"prey"`  // level of the monsters at its end
	Hours    float64 `json:"hours"`
	Kills    int     `json:"kills"`
	Deaths   int     `json:"deaths"`
	MoneyIn  int64   `json:"moneyIn"`
	MoneyOut int64   `json:"moneyOut"`
	ToKill   float64 `json:"secondsToKill"` // a monster, on the average
	ToDie    float64 `json:"secondsToDie"`  // from full HP at the pace of these fights; 0: nothing was lost
}

// A Career is the way of one character.
type Career struct {
	School string  `json:"school"`
	Levels []Level `json:"levels"`
	// Stuck says that the character could not go on from its last level.
	Stuck bool `json:"stuck"`
}

// Simulate lives a character of a school: the same tables, balance, part of prices that traders pay, and seed give the
// same career.
func Simulate(tables *rules.Tables, b *rules.Balance, sell float64, school School, seed uint64) Career {
	h := &hunter{tables: tables, b: b, sell: sell, school: school, r: rand.New(rand.NewPCG(seed, 0))}
	h.prey = byLevel(tables)
	h.begin()
	out := Career{School: school.Name}
	for h.level() < rules.CycleLevels {
		l, ok := h.live()
		out.Levels = append(out.Levels, l)
		if !ok {
			out.Stuck = true
			break
		}
	}
	return out
}

// byLevel are the ordinary monsters that a level has.
func byLevel(tables *rules.Tables) (all [rules.CycleLevels + ahead + 1][]*rules.Monster) {
	for i := range tables.Monsters() {
		m := &tables.Monsters()[i]
		if m.ID < rules.FirstType || m.ID > rules.LastType || m.ID == rules.PracticeTarget || m.ID == rules.NewcomersMonster ||
			m.HPBase <= 0 {
			continue
		}
		for level := m.Low + 1; level <= m.High+1 && level < len(all); level++ {
			if level > 0 {
				all[level] = append(all[level], m)
			}
		}
	}
	return all
}

// ahead is how many levels above its own a character looks for prey.
const ahead = 5

type hunter struct {
	tables *rules.Tables
	b      *rules.Balance
	sell   float64
	school School
	r      *rand.Rand
	prey   [rules.CycleLevels + ahead + 1][]*rules.Monster

	title, degree int // less one
	progress      rules.Progress
	pools         rules.Pools
	gear
	money  int64
	target int // level of its prey

	clock, regenerated, fed time.Duration
	now                     Level
	fighting                time.Duration // at this level
	lost                    int           // HP
}

// level is that of the career of the school, from 1.
func (h *hunter) level() int {
	if h.school.magic {
		return h.degree + 1
	}
	return h.title + 1
}

func (h *hunter) begin() {
	h.progress.TitlePoints, h.progress.DegreePoints = h.tables.Points(0, 0)
	h.pools = rules.Pools{HP: 1, MaxHP: 100, MaxMP: 100, Satiety: satiety, MaxSatiety: 100}
	h.welcome()
	h.derive()
	h.pools.HP, h.pools.MP = h.pools.MaxHP, h.pools.MaxMP
	h.shop()
}

// live goes on until the next level; false if there is no way to it.
func (h *hunter) live() (Level, bool) {
	level, began := h.level(), h.clock
	h.now, h.fighting, h.lost = Level{Level: level}, 0, 0
	had, before, gained := h.money, h.xp(), 0
	h.choose()
	for h.level() == level {
		if h.now.Kills+h.now.Deaths == fought {
			if gained = int(h.xp()) - int(before); gained <= 0 || h.now.Kills == 0 {
				h.average(began)
				return h.now, false
			}
			h.inProportion(began, had, before, gained)
			break
		}
		if h.target == 0 || !h.hunt() {
			h.average(began)
			return h.now, false
		}
		if h.now.Kills%shopEach == 0 {
			h.shop()
			h.choose()
		}
	}
	h.average(began)
	h.shop()
	return h.now, true
}

func (h *hunter) xp() uint32 {
	if h.school.magic {
		return h.progress.DegreeXP
	}
	return h.progress.TitleXP
}

func (h *hunter) career() rules.School {
	if h.school.magic {
		return rules.Magical
	}
	return rules.Physical
}

// inProportion reaches the next level as the kills of this one have gone so far.
func (h *hunter) inProportion(began time.Duration, had int64, before uint32, gained int) {
	missing := int(rules.NeededXP(h.title, h.degree)) - int(h.xp())
	more := float64(missing) / float64(gained)
	h.clock += time.Duration(min(more*float64(h.clock-began), 1e18))
	h.now.Kills += int(more * float64(h.now.Kills))
	h.now.Deaths += int(more * float64(h.now.Deaths))
	in, out := int64(more*float64(h.now.MoneyIn)), int64(more*float64(h.now.MoneyOut))
	h.now.MoneyIn, h.now.MoneyOut = h.now.MoneyIn+in, h.now.MoneyOut+out
	h.money = min(max(h.money+in-out, 0), rules.MaxMoney)
	h.regenerated, h.fed = h.clock, h.clock // these are within the proportion
	h.learn(missing, h.career())
}

func (h *hunter) average(began time.Duration) {
	h.now.Prey, h.now.Hours = h.target, (h.clock - began).Hours()
	if n := min(h.now.Kills+h.now.Deaths, fought); n > 0 {
		h.now.ToKill = h.fighting.Seconds() / float64(n)
	}
	if h.lost > 0 {
		h.now.ToDie = h.fighting.Seconds() * float64(h.pools.MaxHP) / float64(h.lost)
	}
}

func (h *hunter) learn(xp int, career rules.School) {
	was := rules.Strength(h.title, h.degree)
	h.title, h.degree, h.progress = h.tables.Learn(h.title, h.degree, h.progress, career, xp)
	if rules.Strength(h.title, h.degree) != was || h.level() > h.now.Level {
		h.derive()
		h.pools.HP, h.pools.MP = h.pools.MaxHP, h.pools.MaxMP
	}
}

func (h *hunter) pay(price int64) {
	h.money -= price
	h.now.MoneyOut += price
}

// wait lets time go by, with regeneration and hunger.
func (h *hunter) wait(d time.Duration) {
	h.clock += d
	for h.clock-h.regenerated >= rules.RegenerationPeriod {
		h.regenerated += rules.RegenerationPeriod
		h.pools.Regenerate()
	}
	if each := h.b.Effect.Hunger(true); h.clock-h.fed >= each {
		points := int64((h.clock - h.fed) / each)
		h.fed += time.Duration(points) * each
		if price := h.foodPrice(points); price <= h.money { // else it begs
			h.pay(price)
		}
	}
}
