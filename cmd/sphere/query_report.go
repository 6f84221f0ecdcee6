package main

import (
	"encoding/json"
	"fmt"
	"io"
)

// A report is a result of "sphere query" for people: blocks, each a table or a line, with an empty line between them.
type report []block

type block struct {
	rows [][]string // the first are headings, or a fact like the others
	line string
}

// facts are rows of a name and a value; those without a value are left out.
func (r *report) facts(rows ...[]string) {
	var some [][]string
	for _, row := range rows {
		if row[1] != "" {
			some = append(some, row)
		}
	}
	*r = append(*r, block{rows: some})
}

// list is a table, and nothing where it has no rows.
func (r *report) list(rows [][]string, headings ...string) {
	if len(rows) > 0 {
		*r = append(*r, block{rows: append([][]string{headings}, rows...)})
	}
}

// named says that a list of players does not name all of them. What players there are is no number for some servers.
func (r *report) named(listed int, players any) {
	if n, ok := players.(int); ok && listed < n {
		*r = append(*r, block{line: fmt.Sprintf("%d of %d players are named in the answer.", listed, n)})
	}
}

func (r report) print(w io.Writer) {
	for i, b := range r {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if b.line != "" {
			fmt.Fprintln(w, b.line)
		} else {
			table(w, b.rows[0], b.rows[1:])
		}
	}
}

// A reporter is a result: encoding/json makes JSON of it, report what people read.
type reporter interface{ report() report }

// printResult prints a result for people or as JSON.
func printResult(w io.Writer, result reporter, asJSON bool) error {
	if !asJSON {
		result.report().print(w)
		return nil
	}
	return printJSON(w, result)
}

// printJSON prints indented JSON for people and programs.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// usedColumns leaves out the columns of a list in which no row has anything.
func usedColumns(rows [][]string, headings ...string) ([][]string, []string) {
	used := make([]bool, len(headings))
	for _, row := range rows {
		for i, cell := range row {
			used[i] = used[i] || cell != ""
		}
	}
	pick := func(row []string) (out []string) {
		for i, cell := range row {
			if used[i] {
				out = append(out, cell)
			}
		}
		return out
	}
	for i := range rows {
		rows[i] = pick(rows[i])
	}
	return rows, pick(headings)
}

// playersOf is how many players there are, empty where that was not told.
func playersOf(players, slots any) string {
	if players == nil {
		return ""
	}
	return textOf(players) + " of " + textOf(slots)
}

func textOf(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

func secondsText(v any) string {
	if n, ok := v.(int); ok {
		return fmt.Sprintf("%d s", n)
	}
	return textOf(v)
}

// yesNo is empty for what is not known.
func yesNo(b *bool) string {
	switch {
	case b == nil:
		return ""
	case *b:
		return "yes"
	}
	return "no"
}
