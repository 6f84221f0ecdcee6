package ops

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
)

// Each reason why a deleted character does not come back is a sentence of its own.
func TestUndeleteSaysWhyNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, live := made(t)
		store := s.Store.(*data.Store)
		do(t, s, DeleteCharacter, owl)
		was := state(t, s)
		refused := func(kind error, russian, english string, u Undelete) {
			t.Helper()
			_, err := by(t.Context(), s, UndeleteCharacter, u)
			var why Localized
			if !errors.Is(err, kind) || !errors.As(err, &why) || !strings.Contains(why.In(true), russian) ||
				!strings.Contains(why.In(false), english) {
				t.Errorf("expected %v, %q, %q, found %v", kind, russian, english, err)
			}
		}
		usual := Undelete{CharacterName: owl}

		live.online[1] = 0 // on the character screen
		refused(ErrRejected, "учётной записью вася как раз выбирает персонажа", "вася is choosing a character", usual)
		live.online[1] = 99 // in the world with another one; its list is read anew
		do(t, s, UndeleteCharacter, usual)
		delete(live.online, 1)
		do(t, s, DeleteCharacter, owl)
		if state(t, s) != was {
			t.Error("it was not deleted again")
		}

		create := func(slot int, name string) {
			t.Helper()
			c := data.Character{Account: 1, Slot: slot, Name: name}
			if _, _, err := store.CreateCharacter(t.Context(), data.NewCharacter{Character: c}); err != nil {
				t.Fatal(err)
			}
		}
		create(0, "Филин")
		refused(data.ErrSlotTaken, "Место 1 на учётной записи вася занято", "Slot 1 of the account вася is taken",
			Undelete{owl, new(Ordinal(0))})
		create(1, "Сова")
		refused(data.ErrNameTaken, "сначала переименуйте его", "rename that one first", usual)
		do(t, s, RenameCharacter, Rename{owl, "Сыч"})
		create(2, "Неясыть")
		refused(data.ErrAccountFull, "вася уже 3 персонажа", "вася has 3 characters already", usual)
		do(t, s, DeleteCharacter, CharacterName{Name: "Неясыть"})
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(data.DefaultKeepDeleted) // an open store looks after its files every few seconds
		store, err := data.Open(t.Context(), store.Dir(), data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		s.Store = store
		refused(data.ErrTooLate, "вернуть его уже нельзя", "it cannot come back any more", usual)
		if _, err := store.SweepDeleted(t.Context(), time.Now()); err != nil {
			t.Fatal(err)
		}
		refused(data.ErrNotFound, "не найдено", "not found", usual)
	})
}
