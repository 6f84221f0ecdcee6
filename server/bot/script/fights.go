package script

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// A quarry says which monsters a call is about: all, named ones, the target of the mission, or those of some types.
type quarry struct {
	words  Text // as a call expects them
	named  bool
	target bool
	kinds  []int // empty: of any type
}

// quarries are the types of monsters by their names in both languages, in lower case. Several may have one name.
var quarries = sync.OnceValue(func() map[string][]int {
	all := map[string][]int{}
	for _, m := range content.Default().Monsters() {
		for _, name := range m.Names {
			if word := strings.ToLower(name); !slices.Contains(all[word], m.ID) {
				all[word] = append(all[word], m.ID)
			}
		}
	}
	return all
})

func readQuarry(a *args, v starlark.Value) error {
	const what = `a monster: "any", "named", "target", or the name or number of a type`
	if n, err := starlark.AsInt32(v); err == nil && n > 0 {
		a.quarry = &quarry{words: say("a monster of type %s", "монстр вида %s", monsterText(n)), kinds: []int{n}}
		return nil
	}
	switch word, _ := starlark.AsString(v); word {
	case "any":
		a.quarry = &quarry{words: say("a monster", "монстр")}
	case "named":
		a.quarry = &quarry{words: say("a monster with a name", "именной монстр"), named: true}
	case "target":
		a.quarry = &quarry{words: say("the target of the mission", "цель задания"), target: true}
	default:
		word = strings.ToLower(word)
		kinds := quarries()[word]
		if len(kinds) == 0 {
			return fmt.Errorf("%w%s", expected(what, v), didYouMean(word, slices.Sorted(maps.Keys(quarries()))))
		}
		a.quarry = &quarry{words: say("a monster of type %s", "монстр вида %s", monsterText(kinds[0])), kinds: kinds}
	}
	return nil
}

// nearest finds the nearest such monster, nil if there is none.
func (q *quarry) nearest(c *bot.Client) *bot.Object {
	return c.Nearest(func(o *bot.Object) bool {
		m := o.Monster
		return m != nil && !m.Dying && (!q.named || o.Name != 0) && (len(q.kinds) == 0 || slices.Contains(q.kinds, m.Type)) &&
			(!q.target || isTarget(c, o))
	})
}

func monsters(c *bot.Client) Text {
	return say("sees %s", "видит: %s", objects(c, say("no monsters", "ни одного монстра"), func(o *bot.Object) Text {
		if o.Monster == nil {
			return Text{}
		}
		m := o.Monster
		return say("%s of level %d with %d of %d HP %.1f m away", "%s уровня %d, здоровье %d из %d, в %.1f м",
			monsterText(m.Type), m.Level, m.HP, m.MaxHP, c.Position.Distance(o.Position))
	}))
}

func seesMonster(p *player, a *args) error {
	expected := sight(a.quarry.words)
	if a.number != nil {
		expected = expected.and(notFar(*a.number))
	}
	return p.until(expected, func(c *bot.Client) bool {
		o := a.quarry.nearest(c)
		return o != nil && (a.number == nil || c.Position.Distance(o.Position) <= *a.number)
	}, monsters)
}

func seesNoMonster(p *player, a *args) error {
	return p.until(noSight(a.quarry.words), func(c *bot.Client) bool { return a.quarry.nearest(c) == nil }, monsters)
}

// fightTime is how long a fight may take at least.
const fightTime = time.Minute

// setUpon begins to strike at a monster.
func setUpon(p *player, a *args) error {
	return p.reach(sight(a.quarry.words), a.quarry.nearest, monsters,
		func(c *bot.Client, o *bot.Object) error { return c.SetUpon(o.ID) })
}

// attack strikes at a monster until it, or the player, is dead.
func attack(p *player, a *args) error {
	if err := setUpon(p, a); err != nil {
		return err
	}
	over, err := p.within(max(p.runner.patience, fightTime), func(c *bot.Client) bool { return c.Dead() || !c.SetsUpon() })
	if over && err == nil {
		return nil
	}
	return p.failure(say("the fight to be over", "конец боя"), monsters, err)
}

func strike(p *player, a *args) error {
	return p.reach(sight(a.other()), func(c *bot.Client) *bot.Object { return other(c, a.other(), true) }, others,
		func(c *bot.Client, o *bot.Object) error { return c.Strike(o.ID) })
}

// huntFor hunts for a time, or until something is so.
func (p *player) huntFor(d time.Duration, so func(*bot.Client) bool) (is bool, err error) {
	return p.run((*bot.Client).Hunt, d, so)
}

func hunt(p *player, a *args) error {
	_, err := p.huntFor(cmp.Or(a.span, time.Minute), func(*bot.Client) bool { return false })
	return err
}

func huntUntil(p *player, a *args) error {
	reached := func(c *bot.Client) bool {
		for _, w := range a.values {
			if w.stat.own(c) < w.value {
				return false
			}
		}
		return true
	}
	is, err := p.huntFor(max(p.runner.patience, fightTime), reached)
	if is && err == nil {
		return nil
	}
	return p.failure(say("at least %s", "не меньше: %s", valuesText(a.values, asWanted)), func(c *bot.Client) Text {
		return say("has %s after %d kills and %d deaths, and %s", "имеет %s после побед %d и смертей %d и %s",
			valuesText(a.values, func(w wanted) int { return w.stat.own(c) }), c.Kills(), c.Deaths(), monsters(c))
	}, err)
}

// bag finds the nearest bag that a monster has left, or chest of a dungeon; nil if there is none.
func bag(c *bot.Client) *bot.Object {
	return c.Nearest(func(o *bot.Object) bool { return o.Class == packets.ClassLootBag || o.Class == packets.ClassChest })
}

// bags gives how many bags that monsters have left are in sight.
func bags(c *bot.Client, _ *args) starlark.Value {
	n := 0
	for _, o := range c.Objects {
		if o.Class == packets.ClassLootBag {
			n++
		}
	}
	return starlark.MakeInt(n)
}

func loot(p *player, _ *args) error {
	what := say("a bag that a monster has left", "мешок с добычей")
	return p.reach(what, bag, ground, func(c *bot.Client, o *bot.Object) error {
		ctx, cancel := context.WithTimeout(p.runner.context, max(p.runner.patience, fightTime))
		defer cancel()
		return c.Loot(ctx, o.ID)
	})
}

func waitDead(p *player, _ *args) error {
	return p.until(say("to be dead", "быть мёртвым"), (*bot.Client).Dead, life)
}

func waitAlive(p *player, _ *args) error {
	return p.until(say("to live", "быть живым"), func(c *bot.Client) bool { return !c.Dead() }, life)
}

func life(c *bot.Client) Text {
	return say("has %d of %d HP, and %s", "имеет здоровья %d из %d и %s",
		c.Stats[packets.StatHP], c.Stats[packets.StatMaxHP], monsters(c))
}
