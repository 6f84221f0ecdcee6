package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data/content"
	"sphereserver/world/rules"
)

// catalogueCommand is "sphere catalogue" with all below it.
func catalogueCommand(env *environment) *cobra.Command {
	return env.withJSON(group("catalogue", "Look up kinds of items and monsters",
		catalogueList(env), catalogueFind(env), catalogueShow(env), catalogueCheck(env)))
}

// openCatalogue opens the catalogue of the data folder; an unreadable one costs a note.
func openCatalogue(env *environment) *content.Catalogue {
	c, err := content.Open(env.dataDir)
	if err != nil {
		env.note("%v; the built-in catalogue is used", err)
	}
	return c
}

// A foundKind is one line of "sphere catalogue find".
type foundKind struct {
	ID       int         `json:"id"`
	Suffix   *int        `json:"suffix,omitempty"` // index, if one was named
	Names    rules.Names `json:"names"`
	Class    int         `json:"class"`
	Module   string      `json:"module"`
	Tier     int         `json:"tier"`
	Price    int         `json:"price"`
	Distance int         `json:"distance"` // letters that differ from the query
}

// A foundMonster is one line of a list of monsters.
type foundMonster struct {
	ID      int         `json:"id"`
	Monster bool        `json:"monster"` // true, so that programs tell it from an item
	Names   rules.Names `json:"names"`
	Low     int         `json:"low"` // levels, from 1
	High    int         `json:"high"`
	Habitat string      `json:"habitat,omitempty"`
}

func newFoundMonster(m *rules.Monster) foundMonster {
	return foundMonster{m.ID, true, rules.Names{"ru": m.Name("ru"), "en": m.Name("en")}, m.Low + 1, m.High + 1, m.Habitat}
}

// habitats are the letters of a monster's habitat in words.
var habitats = map[rune]string{'P': "plains", 'F': "forests", 'M': "mountains", 'C': "cemeteries", 'D': "dungeons",
	'H': "Haron", 'N': "Phoebe", 'R': "Rodos", 'B': "boss", 'T': "towns", 'U': "elsewhere"}

// habitat is where a monster lives.
func (w printer) habitat(letters string) string {
	var out []string
	for _, letter := range letters {
		if where, known := habitats[letter]; known {
			out = append(out, w.say(where))
		}
	}
	if len(out) == 0 {
		return "-"
	}
	return strings.Join(out, ", ")
}

func printMonsters(w printer, found []foundMonster) {
	table(w, w.words("TYPE", "MONSTER", "ENGLISH", "LEVELS", "LIVES IN"), each(found, func(f foundMonster) []string {
		return []string{strconv.Itoa(f.ID), f.Names["ru"], f.Names["en"], fmt.Sprintf("%d–%d", f.Low, f.High),
			w.habitat(f.Habitat)}
	}))
}

// nameOrNumber checks that a command line names something, in any number of words.
func nameOrNumber(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usagef(c, "expected a name or a number, found nothing")
	}
	return nil
}

func catalogueFind(env *environment) *cobra.Command {
	limit := 20
	c := &cobra.Command{
		Use: "find WORDS", Short: "Find kinds and monsters by name or number, also when a letter is wrong",
		Example: "  sphere catalogue find меч\n  sphere catalogue find крыса\n" +
			"  sphere catalogue find железный меч урона\n  sphere catalogue find 15001",
		Args: nameOrNumber,
		RunE: func(c *cobra.Command, args []string) error {
			if limit < 1 {
				return usagef(c, "--limit: expected 1 or more, found %d", limit)
			}
			words := strings.Join(args, " ")
			in := openCatalogue(env)
			found := each(in.Find(words, limit), func(m content.Match) foundKind { return newFound(in, m) })
			monsters, near := in.FindMonsters(words, limit)
			switch guessed := len(found) > 0 && found[0].Distance > 0; {
			case len(found) == 0 && len(monsters) == 0:
				return noSuchKind(in, words)
			case guessed && len(monsters) > 0 && !near:
				found = nil
			case len(found) > 0 && !guessed && near:
				monsters = nil
			}
			live := each(monsters[:min(len(monsters), limit-len(found))], newFoundMonster)
			return env.print(listed(found, live), func(w printer) {
				if len(found) > 0 {
					printFound(w, found)
				} else if near {
					w.line("nothing is called so; near it are")
				}
				if len(live) > 0 {
					printMonsters(w, live)
				}
			})
		},
	}
	c.Flags().IntVar(&limit, "limit", limit, "how many kinds to list at most")
	return c
}

// listed is a list of items and monsters.
func listed(items []foundKind, monsters []foundMonster) []any {
	out := []any{}
	for _, f := range items {
		out = append(out, f)
	}
	for _, m := range monsters {
		out = append(out, m)
	}
	return out
}

func noSuchKind(in *content.Catalogue, words string) error {
	return failf("no kind is called %q or nearly so (catalogue: %s)", words, word(in.Content.Source))
}

func catalogueList(env *environment) *cobra.Command {
	monsters := false
	c := &cobra.Command{
		Use: "list", Short: "List all kinds, or all monsters", Args: expect(0),
		RunE: func(*cobra.Command, []string) error {
			in := openCatalogue(env)
			if monsters {
				all := in.Monsters()
				live := make([]foundMonster, len(all))
				for i := range all {
					live[i] = newFoundMonster(&all[i])
				}
				return env.print(live, func(w printer) { printMonsters(w, live) })
			}
			all := each(in.Kinds(), func(k rules.Kind) foundKind {
				return newFound(in, content.Match{Kind: &k, Suffix: rules.NoSuffix})
			})
			return env.print(all, func(w printer) { printFound(w, all) })
		},
	}
	c.Flags().BoolVar(&monsters, "monsters", false, "list the types of monsters")
	return c
}

func newFound(in *content.Catalogue, m content.Match) foundKind {
	s := in.Suffix(m.Kind, m.Suffix)
	f := foundKind{
		ID: m.Kind.ID, Class: m.Kind.Class, Module: m.Kind.Module, Tier: m.Kind.Tier, Price: m.Kind.With(s).Price,
		Distance: m.Distance,
		Names:    rules.Names{"ru": m.Kind.FullName(s, "ru"), "en": m.Kind.FullName(s, "en")},
	}
	if s != nil {
		f.Suffix = &s.Index
	}
	return f
}

func printFound(w printer, found []foundKind) {
	if found[0].Distance > 0 {
		w.line("nothing is called so; near it are")
	}
	table(w, w.words("ID", "SUFFIX", "NAME", "ENGLISH", "MODULE", "TIER", "PRICE"),
		each(found, func(f foundKind) []string {
			suffix := "-"
			if f.Suffix != nil {
				suffix = strconv.Itoa(*f.Suffix)
			}
			return []string{strconv.Itoa(f.ID), suffix, f.Names["ru"], f.Names["en"], f.Module,
				strconv.Itoa(f.Tier), strconv.Itoa(f.Price)}
		}))
}

// A shownKind is the output of "sphere catalogue show".
type shownKind struct {
	rules.Kind
	Suffix *rules.Suffix `json:"suffix,omitempty"`
	Source string        `json:"source"`
}

func catalogueShow(env *environment) *cobra.Command {
	suffix := rules.NoSuffix
	c := &cobra.Command{
		Use: "show NAME | NUMBER", Short: "Show all that is known of a kind, with a suffix if one is named",
		Example: "  sphere catalogue show Малая сумка\n" +
			"  sphere catalogue show железный меч урона\n" +
			"  sphere catalogue show 15002 --suffix 2",
		Args: nameOrNumber,
		RunE: func(c *cobra.Command, args []string) error {
			in := openCatalogue(env)
			k, named, err := theKind(in, strings.Join(args, " "))
			if err != nil {
				return err
			}
			if !c.Flags().Changed("suffix") {
				suffix = named
			}
			s := in.Suffix(k, suffix)
			if s == nil && suffix != rules.NoSuffix {
				return failf("kind %d: expected a suffix from 0 to %d, found %d", k.ID,
					len(in.Suffixes(k.SuffixLetter()))-1, suffix)
			}
			shown := shownKind{*k, s, in.Content.Source}
			shown.Columns = k.With(s)
			return env.print(shown, func(w printer) { printKind(w, &shown) })
		},
	}
	c.Flags().IntVar(&suffix, "suffix", suffix, "index of a suffix within the group of the kind")
	return c
}

// theKind is the one kind that words name, and the suffix in them.
func theKind(in *content.Catalogue, words string) (k *rules.Kind, suffix int, err error) {
	const most = 8 // that are named when it could be several
	found := in.Find(words, most)
	_, notNumber := strconv.Atoi(words)
	switch {
	case len(found) == 0 && notNumber == nil:
		return nil, 0, failf("no kind has the number %s (catalogue: %s)", words, word(in.Content.Source))
	case len(found) == 0:
		return nil, 0, noSuchKind(in, words)
	case found[0].Whole || len(found) == 1 && found[0].Distance == 0:
		return found[0].Kind, found[0].Suffix, nil
	}
	names := each(found, func(m content.Match) string {
		return fmt.Sprintf("%q (%d)", m.Kind.FullName(in.Suffix(m.Kind, m.Suffix), "ru"), m.Kind.ID)
	})
	return nil, 0, failf("expected the name or number of one kind, found %q; did you mean %s?", words,
		strings.Join(names, ", "))
}

// printKind writes a kind line by line: its class, then every column that is not empty.
func printKind(w printer, k *shownKind) {
	fmt.Fprintf(w, "%d  %s", k.ID, visible(k.FullName(k.Suffix, "ru")))
	if en := k.FullName(k.Suffix, "en"); en != k.FullName(k.Suffix, "ru") {
		fmt.Fprintf(w, " / %s", visible(en))
	}
	fmt.Fprintln(w)
	var rows [][]string
	row := func(name, value string) {
		if value != "" && value != "0" {
			rows = append(rows, []string{"  " + w.say(name), value})
		}
	}
	row("catalogue", w.told(k.Source))
	row("class", strconv.Itoa(k.Class))
	row("game id", strconv.Itoa(k.GameID))
	row("made up by us", map[bool]string{true: w.say("yes, the original client has no row for it")}[k.Ours])
	row("worn in", w.slots(&k.Kind))
	row("in one place", strconv.Itoa(k.Stack))
	row("tier", strconv.Itoa(k.Tier))
	row("table", k.Table)
	for _, c := range content.KindRow(&k.Kind)[1:] {
		if c.Number != nil {
			row(strings.ReplaceAll(c.Name, "_", " "), strconv.Itoa(*c.Number))
		} else {
			row(strings.ReplaceAll(c.Name, "_", " "), *c.Text)
		}
	}
	if seconds := k.EffectSeconds(); seconds > 0 {
		row("effect lasts", w.say("%d s", seconds))
	}
	table(w, rows[0], rows[1:])
}

// slots names where a kind may be worn.
func (w printer) slots(k *rules.Kind) string {
	var out []string
	if k.Hand {
		out = append(out, w.say("main hand"))
	}
	for _, s := range k.Slots {
		out = append(out, fmt.Sprintf("%s (%d)", w.say(rules.SlotName(s)), s))
	}
	return strings.Join(out, ", ")
}

// A checkedCatalogue is the output of "sphere catalogue check".
type checkedCatalogue struct {
	Source   string `json:"source"`
	Kinds    int    `json:"kinds"`
	Monsters int    `json:"monsters"`
	Missions int    `json:"missions"`
}

func catalogueCheck(env *environment) *cobra.Command {
	return &cobra.Command{
		Use: "check", Short: "Say what is wrong with what the data folder adds to the catalogue",
		Long: "Read the imported catalogue and missions.tsv of the data folder, and say what is wrong with them.",
		Args: expect(0),
		RunE: func(*cobra.Command, []string) error {
			in, err := content.Open(env.dataDir)
			missions, wrong := content.OpenMissions(env.dataDir)
			if err = errors.Join(append(content.CheckMissions(missions, in.Tables), err, wrong)...); err != nil {
				return failf("%v", err)
			}
			found := checkedCatalogue{in.Content.Source, len(in.Kinds()), len(in.Monsters()), len(missions)}
			return env.print(found, func(w printer) {
				w.line("nothing is wrong: %d kinds, %d monsters, %d missions", found.Kinds, found.Monsters, found.Missions)
			})
		},
	}
}
