package clientfiles

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// A collection has all that has been read so far.
type collection struct {
	report         *Report
	out            content.Content
	kinds          map[int]int // index in out by id
	monsters       map[int]bool
	suffixes       map[suffixKey]bool
	unknownModules map[string]int
	modules        map[string]*moduleNames // of language files
	texts          map[string]map[textKey]rules.Names
}

type suffixKey struct {
	letter string
	index  int
}

// moduleNames are the names in the language files of one module.
type moduleNames struct {
	names    map[int]rules.Names // of items, by the number of the section
	own      rules.Names         // the first name of all, for modules with items without rows
	suffixes map[int]rules.Names // by index
}

// A textKey names a line of one of the special files.
type textKey struct {
	section string
	number  int
}

func newCollection(r *Report) *collection {
	return &collection{
		report: r, kinds: map[int]int{}, monsters: map[int]bool{}, suffixes: map[suffixKey]bool{},
		unknownModules: map[string]int{}, modules: map[string]*moduleNames{}, texts: map[string]map[textKey]rules.Names{},
	}
}

// model keeps how fast a model moves (13.4).
func (c *collection) model(f file, raw []byte) {
	var m content.Model
	for _, l := range lines(raw) {
		fields := strings.Fields(strings.ReplaceAll(l.text, "=", " "))
		if len(fields) < 2 {
			continue
		}
		speed, err := strconv.ParseFloat(fields[1], 64)
		if err != nil || math.IsNaN(speed) || speed < 0 || speed > 1000 {
			continue // most lines are of other things
		}
		switch strings.ToUpper(fields[0]) {
		case "SPDWALK":
			m.Walk = speed
		case "SPDRUN":
			m.Run = speed
		}
	}
	if m == (content.Model{}) {
		c.report.problem(f.path, "", "not used: expected a line SPDWALK or SPDRUN, found none")
		return
	}
	set(&c.out.Models, f.name, m)
}

// set puts something into a map, which it makes if there is none.
func set[K comparable, V any](m *map[K]V, key K, v V) {
	if *m == nil {
		*m = map[K]V{}
	}
	(*m)[key] = v
}

// module returns the names of a module in the language files, in any case of its name.
func (c *collection) module(name string) *moduleNames {
	name = strings.ToLower(name)
	if c.modules[name] == nil {
		c.modules[name] = &moduleNames{map[int]rules.Names{}, rules.Names{}, map[int]rules.Names{}}
	}
	return c.modules[name]
}

func (c *collection) placement(f file, raw []byte) {
	places, bad, err := ParsePlacements(raw)
	for i := range places {
		places[i].File = f.path
	}
	c.out.Placements = append(c.out.Placements, places...)
	for _, n := range bad {
		c.report.problem(f.path, fmt.Sprintf("byte %d", placementHeader+n*placementRecord),
			"record skipped: a coordinate is no number")
	}
	if err != nil {
		c.report.problem(f.path, "", "%v", err)
	}
}

// renameRowless renames the kinds that have no row, where a language file has one name for their module.
func (c *collection) renameRowless() {
	for _, k := range content.Default().Kinds() {
		if k.GameID != 0 || k.Subtype != 0 {
			continue
		}
		if k.Names = c.module(k.Module).own; len(k.Names) > 0 {
			c.out.Kinds = append(c.out.Kinds, k)
		}
	}
}

// orderSuffixes counts the index of each group from 0. A gap is filled with a suffix that does nothing, so that the
// others keep their numbers.
func (c *collection) orderSuffixes() {
	groups := map[string][]rules.Suffix{}
	for _, s := range c.out.Suffixes {
		groups[s.Letter] = append(groups[s.Letter], s)
	}
	c.out.Suffixes = nil
	for _, letter := range slices.Sorted(maps.Keys(groups)) {
		group := groups[letter]
		slices.SortFunc(group, func(a, b rules.Suffix) int { return cmp.Compare(a.Index, b.Index) })
		first, last := group[0].Index, group[len(group)-1].Index
		if last-first >= 2*len(group)+8 {
			c.report.problem(c.report.table("pref").File, "",
				"group %s not used: %d rows with indexes from %d to %d",
				letter, len(group), first, last)
			continue
		}
		for index := first; index <= last; index++ {
			s := rules.Suffix{Letter: letter}
			if group[0].Index == index {
				s, group = group[0], group[1:]
			} else {
				c.report.problem(c.report.table("pref").File, "", "group %s: no row with index %d", letter, index)
			}
			s.Index = index - first
			c.out.Suffixes = append(c.out.Suffixes, s)
		}
	}
}

// nameSuffixes takes the names of suffixes from the language files of the modules with items that may have them. The
// name that most modules have is the suffix's; the others stay with their modules. A suffix that no file names has
// the name of the default catalogue.
func (c *collection) nameSuffixes() {
	letters := map[string]string{} // of modules
	for i := range c.out.Kinds {
		if l := c.out.Kinds[i].SuffixLetter(); l != "" {
			letters[c.out.Kinds[i].Module] = l
		}
	}
	for i := range c.out.Suffixes {
		s := &c.out.Suffixes[i]
		for _, module := range slices.Sorted(maps.Keys(letters)) {
			if names := c.module(module).suffixes[s.Index]; letters[module] == s.Letter && len(names) > 0 {
				set(&s.ByModule, module, names)
			}
		}
		s.Names = mostCommon(s.ByModule)
		maps.DeleteFunc(s.ByModule, func(_ string, n rules.Names) bool { return maps.Equal(n, s.Names) })
		if known := content.Default().Suffixes(s.Letter); s.Index < len(known) {
			s.Key = known[s.Index].Key
			if len(s.Names) == 0 {
				s.Names = known[s.Index].Names
			}
		}
	}
}

// mostCommon is the value that most modules have; of several the one of the first module.
func mostCommon(by map[string]rules.Names) rules.Names {
	var best rules.Names
	most := 0
	for _, module := range slices.Sorted(maps.Keys(by)) {
		n := 0
		for _, other := range by {
			if maps.Equal(other, by[module]) {
				n++
			}
		}
		if n > most {
			best, most = by[module], n
		}
	}
	return best
}
