package bitpack

import (
	"bytes"
	"errors"
	"testing"

	"pgregory.net/rapid"
)

// A number that is patched in afterwards stands where it would stand had it been known at once, whether its bits are
// still in the accumulator or have left it.
func TestPatchIsWritingLater(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type number struct {
			v uint32
			n int
		}
		numbers := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) number {
			n := rapid.IntRange(0, 32).Draw(t, "n")
			return number{uint32(rapid.Uint64Range(0, 1<<n-1).Draw(t, "v")), n}
		}), 1, 30).Draw(t, "numbers")
		late := rapid.SliceOfN(rapid.Bool(), len(numbers), len(numbers)).Draw(t, "late")

		straight, patched := NewWriter([]byte("before")), NewWriter([]byte("before"))
		at := make([]int, len(numbers))
		for i, f := range numbers {
			straight.Uint(f.v, f.n)
			at[i] = patched.Pos()
			if late[i] {
				patched.Uint(0, f.n)
			} else {
				patched.Uint(f.v, f.n)
			}
		}
		for i, f := range numbers {
			if late[i] {
				patched.Patch(at[i], f.v, f.n)
			}
		}
		want, err := straight.Finish()
		got, err2 := patched.Finish()
		if err != nil || err2 != nil || !bytes.Equal(got, want) {
			t.Fatalf("got % X, %v\nwant % X, %v", got, err2, want, err)
		}
	})
}

func TestPatchRefusesWhatDoesNotFit(t *testing.T) {
	for _, n := range []int{-1, 4, 33} {
		w := NewWriter(nil)
		w.Uint(1, 3)
		w.Uint(0, 8)
		w.Patch(3, 16, n)
		var e *Error
		if _, err := w.Finish(); !errors.Is(err, ErrRange) || !errors.As(err, &e) || e.Bit != 3 {
			t.Errorf("16 in %d bits: %v", n, err)
		}
	}
}

// Widths that no number has are refused by Uint, however much room the accumulator has.
func TestUintRefusesImpossibleWidths(t *testing.T) {
	for _, n := range []int{-1, -64, 33, 40, 64, 1 << 40} {
		w := NewWriter(nil)
		w.Uint(1, 5)
		w.Uint(0, n)
		if _, err := w.Finish(); !errors.Is(err, ErrRange) {
			t.Errorf("0 in %d bits: %v", n, err)
		}
	}
}

// Long runs of every width pass through the accumulator's end at every place.
func TestEveryWidthAtEveryPlace(t *testing.T) {
	for n := 1; n <= MaxBits; n++ {
		for lead := range 64 {
			w := NewWriter(nil)
			for range lead {
				w.Bool(true)
			}
			for i := range 70 {
				w.Uint(uint32(i*0x9E3779B1)&uint32(1<<n-1), n)
			}
			out, err := w.Finish()
			if err != nil || len(out) != (lead+70*n+7)/8 {
				t.Fatalf("width %d after %d bits: %d bytes, %v", n, lead, len(out), err)
			}
			r := NewReader(out)
			for range lead {
				if !r.Bool() {
					t.Fatalf("width %d after %d bits: a leading bit is lost", n, lead)
				}
			}
			for i := range 70 {
				if got, want := r.Uint(n), uint32(i*0x9E3779B1)&uint32(1<<n-1); got != want {
					t.Fatalf("width %d after %d bits: number %d is %#x, want %#x", n, lead, i, got, want)
				}
			}
		}
	}
}
