package content

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sphereserver/world/rules"
)

// A Match is a kind that a query may mean.
type Match struct {
	Kind     *rules.Kind
	Suffix   int  // index, [rules.NoSuffix] when none was named
	Distance int  // letters that differ; 0 for an exact spelling
	Whole    bool // the words are its number or all of its name, and not only a part
}

// A searchName is one name of one kind as it is compared.
type searchName struct {
	kind  *rules.Kind
	text  string
	runes []rune
	words []string
}

// maxQuery is the longest text in runes that is searched for.
const maxQuery = 100

// fold makes texts equal that people take for the same: cases, ё and е, letters of both alphabets that look alike,
// spaces.
func fold(text string) string {
	text = strings.Map(func(r rune) rune {
		switch r {
		case 'ё', 'Ё':
			return 'е'
		case '«', '»', '"', '(', ')', ',':
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(rules.NameKey(text)), " ")
}

func (c *Catalogue) indexNames() {
	for i := range c.Kinds() {
		k := &c.Kinds()[i]
		seen := map[string]bool{"": true}
		for _, name := range k.Names {
			if text := fold(name); !seen[text] {
				seen[text] = true
				c.names = append(c.names, searchName{k, text, []rune(text), strings.Fields(text)})
			}
		}
	}
	slices.SortFunc(c.names, func(a, b searchName) int {
		return cmp.Or(cmp.Compare(a.kind.ID, b.kind.ID), cmp.Compare(a.text, b.text))
	})
	for _, n := range c.names {
		c.exact[n.text] = append(c.exact[n.text], n.kind)
	}
}

// Find returns the kinds that these words most likely mean, the likeliest first, at most limit: by id; by name in any
// language, also with a suffix ("меч урона"); by the beginning of a name or words within it; if there is none of these,
// the same with synonyms ("хлеб" is "лепёшка"); and if there is none either, by names that are nearly written so.
func (c *Catalogue) Find(words string, limit int) []Match {
	if len(words) > 16*maxQuery {
		return nil
	}
	query := fold(words)
	if query == "" || utf8.RuneCountInString(query) > maxQuery {
		return nil
	}
	out := c.findWritten(query)
	if len(out) == 0 {
		for _, other := range inOtherWords(query) {
			out = append(out, c.findWritten(other)...)
		}
	}
	if len(out) == 0 {
		out = c.findNear(query)
	}
	return firstOfEach(out, limit)
}

// findWritten finds the kinds that are written as the query is.
func (c *Catalogue) findWritten(query string) []Match {
	var out []Match
	add := func(k *rules.Kind) { out = append(out, Match{Kind: k, Suffix: rules.NoSuffix, Whole: true}) }
	if id, err := strconv.Atoi(query); err == nil && c.Kind(id) != nil {
		add(c.Kind(id))
	}
	for _, k := range c.exact[query] {
		add(k)
	}
	out = append(out, c.findWithSuffix(query)...)
	return append(out, c.findParts(query)...)
}

// synonyms are the words of names by other words for the same thing.
var synonyms = embedded("synonyms.tsv", func(_, text string) (map[string]string, error) {
	out := map[string]string{}
	for n, words := range TableLines(text, "#") {
		for _, other := range words[1:] {
			if other = fold(other); out[other] != "" {
				return nil, fmt.Errorf("synonyms.tsv:%d: %s stands there twice", n, other)
			}
			out[other] = fold(words[0])
		}
	}
	return out, nil
})

// inOtherWords are queries that mean the same: with one word of the names' own, and with all.
func inOtherWords(query string) (out []string) {
	asked := strings.Fields(query)
	all := slices.Clone(asked)
	for i, word := range asked {
		if own := synonyms()[word]; own != "" {
			one := slices.Clone(asked)
			one[i], all[i] = own, own
			out = append(out, strings.Join(one, " "))
		}
	}
	if len(out) > 1 {
		out = append(out, strings.Join(all, " "))
	}
	return out
}

// findWithSuffix tries each way to cut the words into a name and a suffix.
func (c *Catalogue) findWithSuffix(query string) []Match {
	var out []Match
	for i := len(query) - 1; i > 0; i-- {
		if query[i] != ' ' {
			continue
		}
		suffixes := c.bySuffix[query[i+1:]]
		if len(suffixes) == 0 {
			continue
		}
		named := c.exact[query[:i]]
		whole := len(named) > 0
		if !whole {
			for _, m := range c.findParts(query[:i]) {
				named = append(named, m.Kind)
			}
		}
		for _, k := range named {
			for _, s := range suffixes {
				if k.SuffixLetter() == s.letter && (s.module == "" || s.module == k.Module) {
					out = append(out, Match{Kind: k, Suffix: s.index, Whole: whole})
				}
			}
		}
	}
	return out
}

// A suffixName is a suffix that a folded text names, of the items of one module if one is given.
type suffixName struct {
	letter string
	index  int
	module string
}

// indexSuffixes lists the suffixes by name; English "of" may be left out.
func (c *Catalogue) indexSuffixes() {
	add := func(s *rules.Suffix, module, name string) {
		text := fold(name)
		for _, t := range [...]string{text, strings.TrimPrefix(text, "of ")} {
			n := suffixName{s.Letter, s.Index, module}
			if t != "" && !slices.Contains(c.bySuffix[t], n) {
				c.bySuffix[t] = append(c.bySuffix[t], n)
			}
		}
	}
	for _, letter := range c.Letters() {
		for i := range c.Suffixes(letter) {
			s := &c.Suffixes(letter)[i]
			add(s, "", s.Key)
			for _, name := range s.Names {
				add(s, "", name)
			}
			for module, names := range s.ByModule {
				for _, name := range names {
					add(s, module, name)
				}
			}
		}
	}
}

// findParts looks for names that begin with the query, and then for those which have words that begin with its words.
func (c *Catalogue) findParts(query string) []Match {
	var begin, within []Match
	asked := strings.Fields(query)
	for i := range c.names {
		n := &c.names[i]
		switch {
		case strings.HasPrefix(n.text, query):
			begin = append(begin, Match{Kind: n.kind, Suffix: rules.NoSuffix})
		case hasWords(n.words, asked):
			within = append(within, Match{Kind: n.kind, Suffix: rules.NoSuffix})
		}
	}
	return append(begin, within...)
}

func hasWords(words, asked []string) bool {
	for _, a := range asked {
		if !slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, a) }) {
			return false
		}
	}
	return true
}

// tolerance is how many wrong letters, of so many, are too many for a match: it would be a guess.
func tolerance(letters int) int { return max(2, letters/3+1) }

// findNear looks for names, first words of names, or words within them, with few letters different.
func (c *Catalogue) findNear(query string) []Match {
	key := []rune(query)
	var asked [][]rune
	for _, word := range strings.Fields(query) {
		asked = append(asked, []rune(word))
	}
	limit := tolerance(len(key))
	var out []Match
	var d rules.Distances
	for i := range c.names {
		n := &c.names[i]
		near := d.Between(key, n.runes, limit)
		if near == limit && len(n.runes) > len(key) {
			// The query may be a slip in the beginning of a longer name.
			near = d.Between(key, n.runes[:len(key)], limit-1) + 1
		}
		if near == limit {
			near = nearWords(&d, asked, n.words, limit)
		}
		if near < limit {
			out = append(out, Match{Kind: n.kind, Suffix: rules.NoSuffix, Distance: near})
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(a.Distance, b.Distance) })
	return out
}

// nearWords is how many letters are wrong in the words that were asked for if each stands for one of a name; limit
// when it is as many or more, or when one is like none of them.
func nearWords(d *rules.Distances, asked [][]rune, words []string, limit int) int {
	sum := 0
	for _, a := range asked {
		near := tolerance(len(a))
		for _, w := range words {
			near = min(near, d.Between(a, []rune(w), near))
		}
		if sum += near; near == tolerance(len(a)) || sum >= limit {
			return limit
		}
	}
	return sum
}

func firstOfEach(matches []Match, limit int) []Match {
	type key struct{ id, suffix int }
	seen := map[key]bool{}
	out := matches[:0]
	for _, m := range matches {
		if k := (key{m.Kind.ID, m.Suffix}); !seen[k] && len(out) < limit {
			seen[k] = true
			out = append(out, m)
		}
	}
	return out
}

// FindMonsters returns the monsters that these words most likely mean, at most limit: by number; by name in either
// language or words within it; and if there is none, by names that are nearly written so; near says that.
func (c *Catalogue) FindMonsters(words string, limit int) (found []*rules.Monster, near bool) {
	query := fold(words[:min(len(words), 16*maxQuery)])
	if query == "" || utf8.RuneCountInString(query) > maxQuery {
		return nil, false
	}
	id, err := strconv.Atoi(query)
	asked := strings.Fields(query)
	var d rules.Distances
	distances := map[*rules.Monster]int{}
	all := c.Monsters()
	for i := range all {
		m := &all[i]
		most := tolerance(utf8.RuneCountInString(query))
		least := most
		for _, name := range []string{fold(m.Name("ru")), fold(m.Name("en"))} {
			if hasWords(strings.Fields(name), asked) {
				least = 0
			}
			least = min(least, d.Between([]rune(query), []rune(name), most))
		}
		if err == nil && m.ID != id {
			continue
		}
		if least < most || err == nil {
			found = append(found, m)
			distances[m] = least
		}
	}
	slices.SortStableFunc(found, func(a, b *rules.Monster) int { return distances[a] - distances[b] })
	if len(found) == 0 {
		return nil, false
	}
	if near = err != nil && distances[found[0]] > 0; !near && err != nil {
		found = slices.DeleteFunc(found, func(m *rules.Monster) bool { return distances[m] > 0 })
	}
	return found[:min(len(found), limit)], near
}
