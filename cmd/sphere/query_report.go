package main

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// A reporter is a result of "sphere query": encoding/json makes JSON of it, report text for people.
type reporter interface{ report(*report) }

// printResult prints a result for people or as JSON.
func printResult(env *environment, result reporter) error {
	return env.print(result, func(w printer) { result.report(&report{w: w}) })
}

// A report writes tables and lines with an empty line between them.
type report struct {
	w     printer
	begun bool
}

// next is where the next block goes.
func (r *report) next() printer {
	if r.begun {
		fmt.Fprintln(r.w)
	}
	r.begun = true
	return r.w
}

// facts are rows of a name and a value; those without a value are left out. Foreign ones have names of their own.
func (r *report) facts(rows [][]string, foreign ...[]string) {
	rows = append(r.w.labelled(rows), foreign...)
	rows = slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" })
	table(r.next(), rows[0], rows[1:])
}

// list is a table, and nothing where it has no rows.
func (r *report) list(rows [][]string, headings ...string) {
	if len(rows) > 0 {
		table(r.next(), r.w.words(headings...), rows)
	}
}

// listUsed is a list without the columns in which no row has anything.
func (r *report) listUsed(rows [][]string, headings ...string) {
	for i := range slices.Backward(headings) {
		if !slices.ContainsFunc(rows, func(row []string) bool { return row[i] != "" }) {
			headings = slices.Delete(headings, i, i+1)
			rows = each(rows, func(row []string) []string { return slices.Delete(row, i, i+1) })
		}
	}
	r.list(rows, headings...)
}

// named says that a list of players does not name all of them. Some servers do not tell the number of players.
func (r *report) named(listed int, players any) {
	if n, ok := players.(int); ok && listed < n {
		r.next().line("%d of %d players are named in the answer.", listed, n)
	}
}

// A pair is a key and its value, as a foreign server names them.
type pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (p pair) row() []string { return []string{p.Key, p.Value} }

// playersOf is how many players there are, empty where that was not told.
func (r *report) playersOf(players, slots any) string {
	if players == nil {
		return ""
	}
	return r.w.say("%v of %v", textOf(players), textOf(slots))
}

func textOf(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func (r *report) seconds(v any) string {
	if n, ok := v.(int); ok {
		return r.w.say("%d s", n)
	}
	return textOf(v)
}

// yesNo is empty for an unknown value.
func (r *report) yesNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return r.w.say("yes")
	}
	return r.w.say("no")
}

// readable is a text of a foreign server: UTF-8, or else one character a byte, as old games write it.
func readable(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	runes := make([]rune, len(s))
	for i := range len(s) {
		runes[i] = rune(s[i])
	}
	return string(runes)
}

// numberOrText is a number where the text of one was sent, else that text, and nil for none.
func numberOrText(s string) any {
	if s == "" {
		return nil
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	return readable(s)
}
