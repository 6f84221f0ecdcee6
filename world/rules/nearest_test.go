package rules

import (
	"testing"

	"pgregory.net/rapid"
)

func TestNearest(t *testing.T) {
	known := []string{"Вася", "Василий", "Coba", "admin", "a"}
	for word, want := range map[string]string{
		"васся": "Вася", "Вся": "Вася", "вася1": "Вася", "Сова": "Coba", "amdin": "admin",
		"Васлиий": "Василий", "b": "a",
		"совсем другое": "", "xyz": "", "": "a",
	} {
		if found, _ := Nearest(word, known); found != want {
			t.Errorf("%q: expected %q, found %q", word, want, found)
		}
	}
}

// The quick distance agrees with the definition.
func TestDistance(t *testing.T) {
	var slow func(a, b []rune) int
	slow = func(a, b []rune) int {
		if len(a) == 0 || len(b) == 0 {
			return len(a) + len(b)
		}
		x, y := a[len(a)-1], b[len(b)-1]
		d := slow(a[:len(a)-1], b[:len(b)-1])
		if x != y {
			d++
		}
		d = min(d, slow(a[:len(a)-1], b)+1, slow(a, b[:len(b)-1])+1)
		if len(a) > 1 && len(b) > 1 && x == b[len(b)-2] && y == a[len(a)-2] {
			d = min(d, slow(a[:len(a)-2], b[:len(b)-2])+1)
		}
		return d
	}
	word := rapid.StringMatching(`[абв]{0,5}`)
	var d Distances // used again and again
	rapid.Check(t, func(r *rapid.T) {
		a, b, limit := []rune(word.Draw(r, "a")), []rune(word.Draw(r, "b")), rapid.IntRange(1, 7).Draw(r, "limit")
		if found, want := d.Between(a, b, limit), min(slow(a, b), limit); found != want {
			r.Fatalf("expected %d, found %d", want, found)
		}
	})
}
