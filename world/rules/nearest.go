package rules

import (
	"slices"
)

// Nearest finds the known word that is most likely meant by a mistyped one; false when none is near. Letters that
// look alike in the Latin and the Cyrillic alphabet count as equal, and so do cases.
func Nearest(word string, known []string) (string, bool) {
	key := []rune(NameKey(word))
	best, nearest := max(2, len(key)/3+1), "" // a word farther away would be a guess
	var from Distances
	for _, k := range known {
		if d := from.Between(key, []rune(NameKey(k)), best); d < best {
			best, nearest = d, k
		}
	}
	return nearest, nearest != ""
}

// Distances counts how far words are from each other. It keeps three rows of the table that this takes, of the letter
// before last, the last one and this one, to be used again; the zero value is ready.
type Distances struct{ older, last, row []int }

// Between counts the letters to insert, to remove, to replace or to swap with their neighbour to make b of a. It gives
// up when the answer is not below limit.
func (d *Distances) Between(a, b []rune, limit int) int {
	if diff := len(a) - len(b); diff >= limit || -diff >= limit {
		return limit
	}
	n := len(b) + 1
	older, last, row := slices.Grow(d.older[:0], n)[:n], slices.Grow(d.last[:0], n)[:n], slices.Grow(d.row[:0], n)[:n]
	for j := range row {
		row[j] = j
	}
	for i := range a {
		older, last, row = last, row, older
		row[0] = i + 1
		least := row[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], older[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least >= limit {
			d.older, d.last, d.row = older, last, row
			return limit
		}
	}
	d.older, d.last, d.row = older, last, row
	return min(row[len(b)], limit)
}
