package script

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/world/rules"
)

// A reader reads the value of a parameter.
type reader func(a *args, v starlark.Value) error

// readers read the values of parameters with these names.
var readers map[string]reader

func init() { // they refer to players, and players to them
	text := textReader(fmt.Sprintf("a text of at most %d bytes", maxText), func(a *args, s string) bool {
		a.text = s
		return true
	})
	offset := func(axis int) reader {
		return numberReader("a number", -farthest, func(a *args, n float64) { a.offset[axis] = n })
	}
	metres := numberReader("a number of metres", 0, func(a *args, n float64) { a.number = &n })
	slot := func(i int) reader {
		return wholeReader(fmt.Sprintf("the number of a slot, 0 to %d", packets.Slots-1), 0, packets.Slots-1,
			func(a *args, n int) {
				for len(a.slots) <= i { // keywords may come in any order
					a.slots = append(a.slots, 0)
				}
				a.slots[i] = n
			})
	}
	readers = map[string]reader{
		"name": text, "text": text, "other": readPlayer, "others": readPlayer, "at": readPlace, "time": readTime,
		"during": readTime, "dx": offset(0), "dy": offset(1), "dz": offset(2), "within": metres, "metres": metres,
		"slot": slot(0), "to_slot": slot(1), "with_slot": slot(1), "item": readItem,
		"portal": landmarkReader("the key of a portal", content.Portals, func(p *content.Portal) landmark {
			return landmark{p.Key, packets.Class(p.Class), p.Position}
		}),
		"npc": landmarkReader("the key of an NPC", content.NPCs, func(n *content.NPC) landmark {
			return landmark{n.Key, packets.Class(n.Class), n.Position}
		}),
		"clan": textReader("the name of a clan", func(a *args, s string) bool {
			a.clan = &s
			return true
		}),
		"monster": readQuarry,
		"login": textReader(`"LOGIN/PASSWORD"`, func(a *args, s string) (ok bool) {
			a.login, a.password, ok = strings.Cut(s, "/")
			return ok && a.login != "" && a.password != ""
		}),
		"degrees": numberReader("a number", -farthest, func(a *args, n float64) { a.number = &n }),
		"count":   wholeReader("how many, 0 or more", 0, farthest, func(a *args, n int) { a.count = &n }),
		"points":  wholeReader("a number of points", -farthest, farthest, func(a *args, n int) { a.count = &n }),
		"on": choiceReader("a channel", channels, func(c *channel) string { return c.name },
			func(a *args, c *channel) { a.channel = c }),
		"goal": choiceReader("a goal", missionGoals[:], func(g *rules.MissionGoal) string { return g.Name("en") },
			func(a *args, g *rules.MissionGoal) { a.goal = *g }),
		"stat": choiceReader("a value", stats, func(s *stat) string { return s.name },
			func(a *args, s *stat) { a.stat = s }),
	}
}

const (
	maxText  = 4096      // bytes of a text
	farthest = 1_000_000 // the greatest number that a scenario may have
	longest  = time.Hour // the longest time
)

func textReader(what string, set func(a *args, s string) bool) reader {
	return func(a *args, v starlark.Value) error {
		if text, ok := starlark.AsString(v); !ok || len(text) > maxText || !set(a, text) {
			return expected(what, v)
		}
		return nil
	}
}

func numberReader(what string, least float64, set func(a *args, n float64)) reader {
	return func(a *args, v starlark.Value) error {
		n, ok := starlark.AsFloat(v)
		if !ok || !(n >= least && n <= farthest) {
			return expected(what, v)
		}
		set(a, n)
		return nil
	}
}

func wholeReader(what string, least, most int, set func(a *args, n int)) reader {
	return func(a *args, v starlark.Value) error {
		n, err := starlark.AsInt32(v)
		if err != nil || n < least || n > most {
			return expected(what, v)
		}
		set(a, n)
		return nil
	}
}

func landmarkReader[T any](what string, all func() []T, of func(*T) landmark) reader {
	return func(a *args, v starlark.Value) error {
		found, err := oneOf(v, what, all(), func(t *T) string { return of(t).key })
		if err == nil {
			a.landmark = of(found)
		}
		return err
	}
}

// An unpacker hands an argument to its reader.
type unpacker struct {
	a    *args
	name string
}

// Unpack implements [starlark.Unpacker].
func (u unpacker) Unpack(v starlark.Value) error {
	if v == starlark.None && u.a.runner.reading {
		return nil // an expression without a value before play
	}
	return readers[u.name](u.a, v)
}

func choiceReader[T any](what string, all []T, nameOf func(*T) string, set func(*args, *T)) reader {
	return func(a *args, v starlark.Value) error {
		one, err := oneOf(v, what, all, nameOf)
		if err == nil {
			set(a, one)
		}
		return err
	}
}

// oneOf finds a word in a list.
func oneOf[T any](v starlark.Value, what string, all []T, nameOf func(*T) string) (*T, error) {
	word, ok := starlark.AsString(v)
	var names []string
	for i := range all {
		if ok && nameOf(&all[i]) == word {
			return &all[i], nil
		}
		names = append(names, nameOf(&all[i]))
	}
	const few = 20
	if near := didYouMean(word, names); near != "" || len(names) > few {
		return nil, fmt.Errorf("expected %s, found %s%s", what, shown(v), near)
	}
	return nil, fmt.Errorf("expected %s (%s), found %s", what, strings.Join(names, ", "), shown(v))
}

func readPlayer(a *args, v starlark.Value) error {
	p, ok := v.(*player)
	if !ok {
		return expected("a player", v)
	}
	a.others = append(a.others, p)
	return nil
}

func readTime(a *args, v starlark.Value) error {
	seconds, isNumber := starlark.AsFloat(v)
	a.span = time.Duration(min(seconds, 2*longest.Seconds()) * float64(time.Second))
	if text, ok := starlark.AsString(v); ok {
		a.span, _ = time.ParseDuration(text)
		isNumber = true
	}
	switch {
	case !isNumber || a.span <= 0:
		return expected(`a time, like 2 (seconds) or "500ms"`, v)
	case a.span > longest:
		return expected(fmt.Sprintf("a time of at most %gh", longest.Hours()), v)
	}
	return nil
}

// readPlace reads the key or name of a place, a player, or (x, y, z). The first place that has a name
// is the scene, unless the scenario says otherwise.
func readPlace(a *args, v starlark.Value) error {
	at := new(coords.Position)
	switch v := v.(type) {
	case *player:
		a.at = at
		return v.do(func(c *bot.Client) error {
			*at = c.Position
			return nil
		})
	case starlark.String:
		found, ok := content.FindPlace(string(v))
		if !ok {
			if _, near, likely := content.NearestPlace(cut(string(v))); likely {
				return fmt.Errorf("expected a place, found %s; did you mean %q?", shown(v), near)
			}
			return expected("the key or name of a place, a player, or (X, Y, Z)", v)
		}
		if *at = found.Position; a.runner.scene == nil {
			a.runner.scene = at
		}
	case starlark.Tuple:
		var axes [3]float64
		for i := range v {
			n, ok := starlark.AsFloat(v[i])
			if len(v) != len(axes) || !ok || !(math.Abs(n) <= farthest) {
				return expected("a place: (X, Y, Z)", v)
			}
			axes[i] = n
		}
		*at = coords.Position{X: float32(axes[0]), Y: float32(axes[1]), Z: float32(axes[2])}
	default:
		return expected("the key or name of a place, a player, or (X, Y, Z)", v)
	}
	a.at = at
	if err := at.Check(); err != nil {
		return fmt.Errorf("expected a place in the world: %w", err)
	}
	return nil
}

// readValue reads a value that is named as a keyword.
func (a *args) readValue(name string, v starlark.Value) error {
	if v == starlark.None && a.runner.reading {
		return nil
	}
	n, err := starlark.AsInt32(v)
	if err != nil {
		return fmt.Errorf("%s: %w", name, expected("a whole number", v))
	}
	a.values = append(a.values, wanted{&stats[slices.Index(statNames(), name)], n})
	return nil
}

var itemNames = sync.OnceValue(func() map[string]item {
	all := map[string]item{}
	for _, k := range content.Default().Kinds() {
		for _, name := range k.Names {
			if _, twice := all[strings.ToLower(name)]; !twice {
				all[strings.ToLower(name)] = item{name, packets.Class(k.Class), k.GameID}
			}
		}
	}
	const lastClass = 4095
	for c := packets.Class(1); c <= lastClass; c++ {
		all[c.String()] = item{c.String(), c, 0}
	}
	return all
})

func readItem(a *args, v starlark.Value) error {
	word, ok := starlark.AsString(v)
	for _, key := range []string{word, strings.ToLower(word)} {
		if found, known := itemNames()[key]; known && ok {
			a.item = &found
			return nil
		}
	}
	return fmt.Errorf("expected the name of an item, found %s%s", shown(v),
		didYouMean(strings.ToLower(word), slices.Sorted(maps.Keys(itemNames()))))
}
