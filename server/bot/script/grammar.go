package script

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
)

// A form is a sentence of the language: words as they are, slots in capitals, what can be left out in brackets. A slot with "..."
// stands for one or more.
type form struct {
	pattern string
	help    string
	do      func(a *args) step
}

// args are what stood in the slots of a sentence.
type args struct {
	names           []string // NAME
	text            string   // TEXT
	login, password string   // LOGIN
	where           *where   // WHERE
	number          *float64 // NUMBER
	span            time.Duration
	channel         *channel
	stat            *stat
	key             string // PORTAL, TOWNSMAN
	thing           *thing // THING
	slots           []int  // SLOT
	ability         int    // ABILITY
}

// A where is a place of a script, known when it is needed.
type where struct {
	player string          // the place is where this player stands
	scene  bool            // the place is the scene's
	at     coords.Position // a known place
	offset [3]float64      // metres that are added
}

// slots are the kinds of slots: what people are told that they expect, and what reads them. A reader returns how many tokens it has
// taken, 0 if they are something else.
var slots = map[string]struct {
	expected string
	read     func(s *sentence, a *args, at []token) (int, error)
}{
	"NAME":     {"the name of a player", readName},
	"NEW":      {"a name", readNewName},
	"TEXT":     {"a text in quotes", readText},
	"LOGIN":    {"LOGIN/PASSWORD", readLogin},
	"WHERE":    {"a place", readWhere},
	"NUMBER":   {"a number", readNumber},
	"TIME":     {"a time like 2s or 500ms", readTime},
	"CHANNEL":  {"a channel", readChannel},
	"STAT":     {"a value", readStat},
	"PORTAL":   {"the key of a portal", readPortal},
	"TOWNSMAN": {"the key of a townsman", readTownsman},
	"THING":    {"the name of a thing", readThing},
	"SLOT":     {"the number of a slot", readSlot},
	"ABILITY":  {"an ability", readAbility},
}

// A sentence is a line that is being read.
type sentence struct {
	tokens  []token
	players []string // that are known so far
	far     int      // token up to which some form fits
	want    []string // what could stand there
	words   []string // of it: words of the language
	why     error    // why a slot there was not read
}

// expect notes what could stand at a token.
func (s *sentence) expect(at int, what string, word bool, why error) {
	if at < s.far {
		return
	}
	if at > s.far {
		s.far, s.want, s.words, s.why = at, nil, nil, nil
	}
	if !slices.Contains(s.want, what) {
		s.want = append(s.want, what)
	}
	if word {
		s.words = append(s.words, what)
	}
	if s.why == nil {
		s.why = why
	}
}

// fits reads the tokens from at on as the rest of a form.
func (s *sentence) fits(parts []string, a *args, at int) (end int, ok bool) {
	for len(parts) > 0 {
		part := parts[0]
		parts = parts[1:]
		if part == "[" {
			inner, rest := bracketed(parts)
			parts = rest
			tried := *a
			tried.names, tried.slots = slices.Clone(a.names), slices.Clone(a.slots)
			if next, fit := s.fits(inner, &tried, at); fit {
				*a, at = tried, next
			}
			continue
		}
		name, many := strings.CutSuffix(part, "...")
		n := s.take(name, a, at)
		if n == 0 {
			return 0, false
		}
		for at += n; many && at < len(s.tokens); at += n {
			if n = s.take(name, a, at); n == 0 {
				break
			}
		}
	}
	return at, true
}

// bracketed cuts the parts behind an opening bracket at the closing one.
func bracketed(parts []string) (inner, rest []string) {
	end := slices.Index(parts, "]")
	return parts[:end], parts[end+1:]
}

// take reads one word or slot and says how many tokens it takes, 0 for another.
func (s *sentence) take(part string, a *args, at int) int {
	slot, isSlot := slots[part]
	if !isSlot {
		if at < len(s.tokens) && s.tokens[at] == (token{text: part}) {
			return 1
		}
		s.expect(at, part, true, nil)
		return 0
	}
	if at < len(s.tokens) {
		n, err := slot.read(s, a, s.tokens[at:])
		if n > 0 && err == nil {
			return n
		}
		s.expect(at, slot.expected, false, err)
		return 0
	}
	s.expect(at, slot.expected, false, nil)
	return 0
}

// parts cuts a pattern into words, slots and brackets.
func parts(pattern string) []string {
	return strings.Fields(strings.NewReplacer("[", "[ ", "]", " ]").Replace(pattern))
}

// formParts are the parts of the patterns of all forms, in their order.
var formParts = sync.OnceValue(func() (all [][]string) {
	for i := range forms {
		all = append(all, parts(forms[i].pattern))
	}
	return all
})

// parse reads a line as one of the forms.
func (s *sentence) parse() (step, *args, error) {
	for i, parts := range formParts() {
		a := new(args)
		if end, ok := s.fits(parts, a, 0); ok {
			if end == len(s.tokens) {
				return forms[i].do(a), a, nil
			}
			s.expect(end, "the end of the line", false, nil)
		}
	}
	return nil, nil, s.mistake()
}

// mistake says what was expected where no form fits any further.
func (s *sentence) mistake() error {
	found := "the end of the line"
	if s.far < len(s.tokens) {
		found = s.tokens[s.far].String()
	}
	if s.why != nil && len(s.want) == 1 {
		return s.why
	}
	want := s.want
	const shown = 8
	if s.far < len(s.tokens) && !s.tokens[s.far].quoted {
		if near, ok := data.Nearest(cut(found), append(s.words, s.names()...)); ok {
			return fmt.Errorf("expected %s, found %s; did you mean %s?", either(want, shown), cut(found), near)
		}
	}
	return fmt.Errorf("expected %s, found %s", either(want, shown), cut(found))
}

// names are the names of players, if one could stand where the sentence is wrong.
func (s *sentence) names() []string {
	if slices.Contains(s.want, slots["NAME"].expected) {
		return s.players
	}
	return nil
}

// either lists what could stand somewhere.
func either(want []string, most int) string {
	if len(want) > most {
		want = append(slices.Clone(want[:most]), "…")
	}
	return strings.Join(want, " or ")
}

// cut shortens what somebody has written so that it fits an error.
func cut(s string) string {
	const most = 60
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

func readName(s *sentence, a *args, at []token) (int, error) {
	if !slices.Contains(s.players, at[0].text) {
		return 0, nil
	}
	a.names = append(a.names, at[0].text)
	return 1, nil
}

// firstWords begin lines that are about no player: nobody can be called so.
var firstWords = []string{"player", "scene", "wait", "patience"}

func readNewName(s *sentence, a *args, at []token) (int, error) {
	name := at[0].text
	switch {
	case at[0].quoted || slices.Contains(firstWords, name):
		return 0, fmt.Errorf("expected a name, found %s", cut(at[0].String()))
	case slices.Contains(s.players, name):
		return 0, fmt.Errorf("expected another name, found %s a second time", cut(name))
	}
	a.names = append(a.names, name)
	return 1, nil
}

func readText(_ *sentence, a *args, at []token) (int, error) {
	if !at[0].quoted {
		return 0, nil
	}
	a.text = at[0].text
	return 1, nil
}

func readLogin(_ *sentence, a *args, at []token) (int, error) {
	var ok bool
	if a.login, a.password, ok = strings.Cut(at[0].text, "/"); !ok || a.login == "" || a.password == "" {
		return 0, nil
	}
	return 1, nil
}

// farthest is the greatest number that a script may have.
const farthest = 1e6

func number(word string) (float64, bool) {
	v, err := strconv.ParseFloat(word, 64)
	return v, err == nil && math.Abs(v) <= farthest
}

func readNumber(_ *sentence, a *args, at []token) (int, error) {
	v, ok := number(at[0].text)
	if at[0].quoted || !ok {
		return 0, nil
	}
	a.number = &v
	return 1, nil
}

// longest is the longest time that a script may name.
const longest = time.Hour

// readTime reads "2s", "500ms", or "2 s".
func readTime(_ *sentence, a *args, at []token) (int, error) {
	word, n := at[0].text, 1
	if _, plain := number(word); plain && len(at) > 1 && (at[1].text == "s" || at[1].text == "ms" || at[1].text == "min") {
		word, n = word+strings.TrimSuffix(at[1].text, "in"), 2
	}
	d, err := time.ParseDuration(word)
	if err != nil || d <= 0 || at[0].quoted {
		return 0, nil
	}
	if d > longest {
		return 0, fmt.Errorf("expected a time of at most %v, found %s", longest, word)
	}
	a.span = d
	return n, nil
}

// three reads three numbers.
func three(at []token) (v [3]float64, ok bool) {
	if len(at) < 3 {
		return v, false
	}
	for i := range v {
		if v[i], ok = number(at[i].text); !ok || at[i].quoted {
			return v, false
		}
	}
	return v, true
}

// readWhere reads a place: coordinates, an offset from the scene that begins with "+", or the name of a place, of a player or "scene",
// each with an offset or without.
func readWhere(s *sentence, a *args, at []token) (int, error) {
	word := at[0].text
	if v, ok := three(at); ok {
		a.where = &where{at: coords.Position{X: float32(v[0]), Y: float32(v[1]), Z: float32(v[2])}}
		if strings.HasPrefix(word, "+") {
			a.where = &where{scene: true, offset: v}
			return 3, nil
		}
		if err := a.where.at.Check(); err != nil {
			return 0, fmt.Errorf("expected a place in the world: %w", err)
		}
		return 3, nil
	}
	w := &where{}
	switch {
	case word == "scene" && !at[0].quoted:
		w.scene = true
	case slices.Contains(s.players, word):
		w.player = word
	default:
		p, ok := data.FindPlace(word)
		if !ok {
			return 0, noPlace(word)
		}
		w.at = p.Position
	}
	a.where = w
	if v, ok := three(at[1:]); ok {
		w.offset = v
		return 4, nil
	}
	return 1, nil
}

func noPlace(word string) error {
	if _, near, ok := data.NearestPlace(cut(word)); ok {
		return fmt.Errorf("expected a place, found %s; did you mean %q?", cut(word), near)
	}
	return fmt.Errorf("expected the key or name of a place, a player, \"scene\", or X Y Z, found %s", cut(word))
}

func readChannel(_ *sentence, a *args, at []token) (int, error) {
	var names []string
	for i := range channels {
		if channels[i].name == at[0].text {
			a.channel = &channels[i]
			return 1, nil
		}
		names = append(names, channels[i].name)
	}
	return 0, fmt.Errorf("expected one of the channels %s, found %s", strings.Join(names, ", "), cut(at[0].text))
}

func readStat(_ *sentence, a *args, at []token) (int, error) {
	var names []string
	for i := range stats {
		if stats[i].name == at[0].text {
			a.stat = &stats[i]
			return 1, nil
		}
		names = append(names, stats[i].name)
	}
	return 0, fmt.Errorf("expected one of %s, found %s", strings.Join(names, ", "), cut(at[0].text))
}

func readPortal(_ *sentence, a *args, at []token) (int, error) {
	var known []string
	for _, p := range data.Portals() {
		if p.Key == at[0].text {
			a.key = p.Key
			return 1, nil
		}
		known = append(known, p.Key)
	}
	return 0, noKey("portal", at[0].text, known)
}

func readTownsman(_ *sentence, a *args, at []token) (int, error) {
	if _, ok := data.TownsmanByKey(at[0].text); ok {
		a.key = at[0].text
		return 1, nil
	}
	var known []string
	for _, t := range data.Townsfolk() {
		known = append(known, t.Key)
	}
	return 0, noKey("townsman", at[0].text, known)
}

func noKey(what, word string, known []string) error {
	if near, ok := data.Nearest(cut(word), known); ok {
		return fmt.Errorf("expected the key of a %s, found %s; did you mean %s?", what, cut(word), near)
	}
	return fmt.Errorf("expected the key of a %s, found %s", what, cut(word))
}
