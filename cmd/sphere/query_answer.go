package main

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"sphereserver/packets"
)

// An answer of a server has facts and lists, which are shown to people and as JSON.
type answer struct {
	kind    string
	facts   []fact
	foreign []pair    // facts whose names are the server's own
	games   []*answer // of a host that has several
	lists   []listing
	remark  sentence
}

// A fact has a name in JSON and one for people; without it, or without a value, it is left out there.
type fact struct {
	key   string
	value any
	label string
	shown any // to people, if not the value: a text or a sentence
}

// A listing is a table for people.
type listing struct {
	headings []string
	rows     [][]string
}

// A pair is a key and its value, as a foreign server names them.
type pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (p pair) row() []string { return []string{p.Key, p.Value} }

// list adds a list, without the columns in which no row has anything. Values are its rows in JSON.
func (a *answer) list(key string, values any, rows [][]string, headings ...string) {
	if len(rows) == 0 {
		return
	}
	for i := range slices.Backward(headings) {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			headings = slices.Delete(headings, i, i+1)
			rows = each(rows, func(row []string) []string { return slices.Delete(row, i, i+1) })
		}
	}
	a.facts = append(a.facts, fact{key: key, value: values})
	a.lists = append(a.lists, listing{headings, rows})
}

// named remarks that a list of players does not name all of them. Some servers do not tell the number of players.
func (a *answer) named(listed int, players any) {
	if n, ok := players.(int); ok && listed < n {
		a.remark = sentence{"%d of %d players are named in the answer.", []any{listed, n}}
	}
}

// value returns the value that a fact has in JSON, nil for none.
func (a *answer) value(key string) any {
	for _, f := range a.facts {
		if f.key == key {
			return f.value
		}
	}
	return nil
}

// cells are facts as people see them, by their labels.
func (a *answer) cells(w printer, labels ...string) []string {
	return each(labels, func(label string) string {
		i := slices.IndexFunc(a.facts, func(f fact) bool { return f.label == label })
		if i < 0 {
			return ""
		}
		return a.facts[i].text(w)
	})
}

func (f *fact) text(w printer) string {
	switch shown := f.shown.(type) {
	case nil:
		return textOf(f.value)
	case sentence:
		return shown.In(w.russian)
	default:
		return textOf(shown)
	}
}

// MarshalJSON writes the facts that have a name there.
func (a *answer) MarshalJSON() ([]byte, error) {
	told := slices.DeleteFunc(slices.Clone(a.facts), func(f fact) bool { return f.key == "" || f.value == nil })
	var b bytes.Buffer
	err := list(&b, "{}", len(told), func(i int) error { return member(&b, told[i].key, reflect.ValueOf(told[i].value)) })
	return b.Bytes(), err
}

// print shows the answer to people, with an empty line between its tables.
func (a *answer) print(w printer) {
	blocks := [][]fact{a.facts}
	for i, g := range slices.Backward(a.games) {
		blocks[0] = append(slices.Clip(g.facts), blocks[0]...)
		if i > 0 {
			blocks = slices.Insert(blocks, 0, nil)
		}
	}
	var tables []listing
	for _, facts := range blocks {
		var rows [][]string
		for _, f := range facts {
			if text := f.text(w); f.label != "" && text != "" {
				rows = append(rows, []string{w.say(f.label), text})
			}
		}
		if rows = append(rows, each(a.foreign, pair.row)...); len(rows) > 0 {
			tables = append(tables, listing{rows[0], rows[1:]})
		}
	}
	for _, l := range a.lists {
		tables = append(tables, listing{w.words(l.headings...), l.rows})
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(w)
		}
		table(w, t.headings, t.rows)
	}
	if a.remark.format != "" {
		fmt.Fprintln(w, "\n"+a.remark.In(w.russian))
	}
}

// playersOf is how many players there are, nil where that was not told.
func playersOf(players, slots any) any {
	if players == nil {
		return nil
	}
	return sentence{"%v of %v", []any{players, textOf(slots)}}
}

func textOf(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// seconds is a length of time where a number was sent.
func seconds(v any) any {
	if n, ok := v.(int); ok {
		return sentence{"%d s", []any{n}}
	}
	return v
}

// readable is a text of a foreign server: UTF-8, without a last letter that is cut, or else one character a byte, as
// old games write it. Three high letters in a row are Russian, as no Western word has them.
func readable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	for n := 1; n < min(utf8.UTFMax, len(s)); n++ {
		whole, cut := s[:len(s)-n], s[len(s)-n:]
		if utf8.ValidString(whole) && utf8.RuneCountInString(whole) < len(whole) && !utf8.FullRuneInString(cut) {
			return whole
		}
	}
	high := 0
	for i := range len(s) {
		if high++; s[i] < 0xC0 && s[i] != 0xA8 && s[i] != 0xB8 { // А to я, Ё and ё
			high = 0
		}
		if high == 3 {
			return packets.Decode1251([]byte(s))
		}
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// told is a text as [readable] has it, and nil for none.
func told(s string) any {
	if s == "" {
		return nil
	}
	return readable(s)
}

// numberOrText is a number where the text of one was sent, else what [told] has.
func numberOrText(s string) any {
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return told(s)
}
