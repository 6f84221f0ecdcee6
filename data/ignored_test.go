package data

import (
	"slices"
	"strconv"
	"testing"

	"sphereserver/world/rules"
)

// Whom a character ignores lasts, in order and within the limit; a deleted character falls out of all lists, and its own
// list goes with it.
func TestIgnoredCharactersLast(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	s := open(t, dir, Options{})
	all := people(t, s, "Ann", "Ben", "Cid")
	a, b, c := all[0].ID, all[1].ID, all[2].ID
	for _, other := range []CharacterID{c, b, c} {
		must(s.Ignore(ctx, a, other))(t)
	}
	must(s.Ignore(ctx, b, a))(t)
	_, err := s.Ignore(ctx, a, 99)
	wantError(t, err, ErrNotFound)
	_, err = s.Ignore(ctx, 99, a)
	wantError(t, err, ErrNotFound)
	holds := func(want rules.Ignored, names ...string) {
		t.Helper()
		has := must(s.CharacterByID(ctx, a))(t)
		if got := must(s.IgnoredNames(ctx, a))(t); !slices.Equal(got, names) || len(has.Ignored) != len(want) {
			t.Errorf("it ignores %v, %v", got, has.Ignored)
		}
		for _, other := range want {
			if !has.Ignored.Has(other) || !has.Playing().Ignored.Has(other) {
				t.Errorf("it does not ignore %d, but %v", other, has.Ignored)
			}
		}
	}
	holds(rules.Ignored{int64(b), int64(c)}, "Cid", "Ben")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = open(t, dir, Options{})
	holds(rules.Ignored{int64(b), int64(c)}, "Cid", "Ben")
	must(s.DeleteCharacter(ctx, c))(t)
	holds(rules.Ignored{int64(b)}, "Ben")
	must(s.UndeleteCharacter(ctx, c, -1))(t)
	holds(rules.Ignored{int64(b)}, "Ben")
	_, err = s.Unignore(ctx, a, c)
	wantError(t, err, ErrNotFound)
	if left := must(s.Unignore(ctx, a, b))(t); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	must(s.Unignore(ctx, a, 0))(t)
	holds(nil)

	names := make([]string, MaxIgnored)
	for i := range names {
		names[i] = "Name" + strconv.Itoa(i)
	}
	for i, other := range people(t, s, names...) {
		if got := must(s.Ignore(ctx, a, other.ID))(t); len(got) != i+1 {
			t.Fatalf("of %d it ignores %d", i+1, len(got))
		}
	}
	_, err = s.Ignore(ctx, a, b)
	wantError(t, err, ErrTooManyIgnored)
	if left := must(s.Unignore(ctx, a, 0))(t); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}
