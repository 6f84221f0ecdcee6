package ops

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"

	"sphereserver/data"
)

// unread is a store whose orders can be written, and not read.
type unread struct{ Store }

func (unread) Orders(context.Context) (map[data.OrderKey]data.Order, error) {
	return nil, errors.New("the disk is slow")
}

// An order that is stored is answered as done, whatever the store can read after that.
func TestStoredOrdersAreAnsweredAsDone(t *testing.T) {
	s, _ := made(t)
	s.Store = unread{s.Store}
	if m, err := by(t.Context(), s, SetMotd, MotdText{"a"}); err != nil || m.Text != "a" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := by(t.Context(), s, EndMotd, Empty{}); err != nil || m.Text != "of the file" || m.By != "" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := by(t.Context(), s, BeginMaintenance, MaintenanceOrder{}); err != nil || !m.On || m.By != "test" {
		t.Errorf("%+v, %v", m, err)
	}
	if m, err := by(t.Context(), s, EndMaintenance, Empty{}); err != nil || m.On || m.By != "" {
		t.Errorf("%+v, %v", m, err)
	}
}

// A login is admitted once, and no more when its account is deleted.
func TestAdmittedLogins(t *testing.T) {
	s, live := made(t)
	for _, login := range []string{"Friend", "petya"} {
		do(t, s, AddAccount, NewAccount{Login: login, Password: "secret"})
	}
	admitted := func(want ...string) {
		t.Helper()
		m, err := by(t.Context(), s, ShowMaintenance, Empty{})
		if diff := cmp.Diff(want, m.Admit); diff != "" || err != nil {
			t.Error(diff, err)
		}
	}
	do(t, s, BeginMaintenance, MaintenanceOrder{[]string{"friend", "petya", "вася"}})
	admitted("friend", "petya", "вася") // the file has named the first
	live.log()
	do(t, s, DeleteAccount, named("PETYA"))
	admitted("friend", "вася")
	if log, want := live.log(), `order maintenance: "Friend\nвася"`; log != want {
		t.Errorf("found %s, expected %s", log, want)
	}
}

// A free text that begins as a failure does in the audit trail is none.
func TestATextIsNoFailure(t *testing.T) {
	s, _ := made(t)
	text := notDone + "the world fell down"
	do(t, s, SetMotd, MotdText{text})
	do(t, s, Say, Broadcast{Text: text})
	trail, err := by(t.Context(), s, Audit, AuditSearch{Limit: 2})
	if err != nil || len(trail) != 2 {
		t.Fatalf("%+v, %v", trail, err)
	}
	for i, want := range []string{`test announced: "` + text + `"`, `test set the message of the day: "` + text + `"`} {
		if trail[i].Sentence.English != want {
			t.Errorf("%q, expected %q", trail[i].Sentence.English, want)
		}
	}
}

// A keeping store deletes no accounts.
type keeping struct{ Store }

func (keeping) DeleteAccount(context.Context, data.AccountID) error { return errors.New("disk full") }

// An account that could not be deleted gets in under maintenance as before.
func TestAnAccountThatStaysIsStillAdmitted(t *testing.T) {
	s, _ := made(t)
	do(t, s, BeginMaintenance, MaintenanceOrder{Admit: []string{"вася"}})
	store := s.Store
	s.Store = keeping{store}
	if _, err := by(t.Context(), s, DeleteAccount, AccountName{Login: "вася"}); err == nil {
		t.Error("the account is deleted")
	}
	for _, want := range []string{"вася", ""} {
		all, err := store.Orders(t.Context())
		if got := all[data.MaintenanceOrder].Value; err != nil || got != want {
			t.Errorf("%q gets in, expected %q, %v", got, want, err)
		}
		if s.Store = store; want != "" {
			do(t, s, DeleteAccount, AccountName{Login: "вася"})
		}
	}
}

// An order that waits for another ends with its request.
func TestATurnEndsWithItsRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var held turn
		done, err := held.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		late := make(chan error)
		go func() {
			_, err := held.take(ctx)
			late <- err
		}()
		synctest.Wait()
		cancel()
		if err := <-late; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		done()
		if done, err = held.take(t.Context()); err != nil {
			t.Fatal(err)
		}
		done()
	})
}
