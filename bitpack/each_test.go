package bitpack

import (
	"bytes"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Many at once are the same as one after the other: bits, positions and errors.
func TestEachIsOneAfterTheOther(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 32).Draw(t, "n")
		before := rapid.IntRange(0, 32).Draw(t, "before")
		most := uint32(1<<n - 1)
		if rapid.IntRange(0, 9).Draw(t, "too large") == 0 {
			most = 1<<32 - 1
		}
		values := rapid.SliceOfN(rapid.Uint32Range(0, most), 0, 70).Draw(t, "values")
		one, all := NewWriter(nil), NewWriter(nil)
		one.Uint(0, before)
		all.Uint(0, before)
		for _, v := range values {
			one.Uint(v, n)
		}
		WriteEach(&all, values, n)
		if one.Pos() != all.Pos() || (one.Err() == nil) != (all.Err() == nil) {
			t.Fatalf("at %d and %d, %v and %v", one.Pos(), all.Pos(), one.Err(), all.Err())
		}
		if one.Err() != nil {
			if one.Err().Error() != all.Err().Error() {
				t.Fatalf("%v, but %v", one.Err(), all.Err())
			}
			return
		}
		want, _ := one.Finish()
		got, _ := all.Finish()
		if !bytes.Equal(got, want) {
			t.Fatalf("% X, want % X", got, want)
		}
		cut := rapid.IntRange(0, len(want)).Draw(t, "cut")
		short := NewReader(want[:cut])
		many := NewReader(want[:cut])
		short.Uint(before)
		many.Uint(before)
		a, b := make([]uint32, len(values)), make([]uint32, len(values))
		for i := range a {
			a[i] = short.Uint(n)
		}
		ReadEach(&many, b, n)
		if !slices.Equal(a, b) || short.Pos() != many.Pos() || (short.Err() == nil) != (many.Err() == nil) {
			t.Fatalf("%v, want %v; at %d, want %d; %v, want %v", b, a, many.Pos(), short.Pos(), many.Err(), short.Err())
		}
	})
}
