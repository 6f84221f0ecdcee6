package data

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestNotesAreKeptByAccount(t *testing.T) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	s := open(t, t.TempDir(), Options{})
	s.now = func() time.Time { return now }
	ctx := t.Context()
	a := must(s.CreateAccount(ctx, "a", "hash", Player))(t)
	b := must(s.CreateAccount(ctx, "b", "hash", Player))(t)
	first := must(s.AddNote(ctx, a.ID, "root", "sells swords"))(t)
	second := must(s.AddNote(ctx, b.ID, "root", "кричит"))(t)
	third := must(s.AddNote(ctx, a.ID, "helper", "again"))(t)
	if want := (Note{1, a.ID, "a", now, "root", "sells swords"}); first != want {
		t.Errorf("%+v", first)
	}
	for account, want := range map[AccountID][]Note{0: {third, second, first}, a.ID: {third, first}, 99: nil} {
		if diff := cmp.Diff(want, must(s.Notes(ctx, account, 10))(t)); diff != "" {
			t.Errorf("account %d: %s", account, diff)
		}
	}
	if all := must(s.Notes(ctx, 0, 2))(t); len(all) != 2 {
		t.Errorf("of two: %v", all)
	}
	if n := must(s.NoteByID(ctx, second.ID))(t); n != second {
		t.Errorf("%+v", n)
	}
	if err := s.DeleteNote(ctx, second.ID); err != nil {
		t.Fatal(err)
	}
	wantError(t, s.DeleteNote(ctx, second.ID), ErrNotFound)
	_, err := s.NoteByID(ctx, second.ID)
	wantError(t, err, ErrNotFound)
	_, err = s.AddNote(ctx, 99, "root", "x")
	wantError(t, err, ErrNotFound)
	for range MaxNotes {
		must(s.AddNote(ctx, b.ID, "root", "x"))(t)
	}
	_, err = s.AddNote(ctx, b.ID, "root", "x")
	wantError(t, err, ErrTooManyNotes)
	if err := s.DeleteAccount(ctx, b.ID); err != nil {
		t.Fatal(err)
	}
	if all := must(s.Notes(ctx, 0, 1000))(t); len(all) != 2 {
		t.Errorf("the notes of a deleted account stay: %d", len(all))
	}
}
