package ops

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"sphereserver/data"
	"sphereserver/data/datatest"
)

// fresh is a service without an administrator.
func fresh(t *testing.T) *Service {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s := &Service{Store: store, HashParams: datatest.Cheap}
	s.Status = func() Status { return Status{Page: "http://127.0.0.1:8860"} }
	return s
}

// firstLink is the link that the owner of the machine sees.
func firstLink(t *testing.T, s *Service, by Actor) string {
	t.Helper()
	r, err := GetReport.Do(t.Context(), s, by, Empty{})
	if err != nil {
		t.Fatal(err)
	}
	return r.FirstLink
}

func TestTheFirstAdministratorIsMadeOnceByAKey(t *testing.T) {
	s := fresh(t)
	link := firstLink(t, s, Owner(""))
	key, ok := strings.CutPrefix(link, "http://127.0.0.1:8860/#/first/")
	if !ok || len(key) < 26 || link != firstLink(t, s, Owner("")) {
		t.Fatalf("the link is %q", link)
	}
	if link := firstLink(t, s, Actor{Account: 1, Role: data.GameMaster}); link != "" {
		t.Errorf("a game master sees %q", link)
	}
	for _, wrong := range []string{"", key[1:], strings.ToLower(key)} {
		if err := s.MakeFirst(t.Context(), First{wrong, "chief", "long enough"}); !errors.Is(err, ErrKey) {
			t.Errorf("with the key %q: %v", wrong, err)
		}
	}
	if err := s.MakeFirst(t.Context(), First{key, "", "x"}); !errors.Is(err, ErrInvalid) {
		t.Errorf("with a wrong login: %v", err)
	}
	var made sync.WaitGroup
	errs := make([]error, 4)
	for i, login := range []string{"a1", "b2", "c3", "d4"} {
		made.Go(func() { errs[i] = s.MakeFirst(t.Context(), First{key, login, "long enough"}) })
	}
	made.Wait()
	done := 0
	for _, err := range errs {
		if err == nil {
			done++
		} else if !errors.Is(err, ErrKey) {
			t.Error(err)
		}
	}
	if all, _ := s.Store.Accounts(t.Context(), ""); done != 1 || len(all) != 1 || all[0].Role != data.Administrator {
		t.Errorf("made %d administrators, found %v", done, all)
	}
	if link := firstLink(t, s, Owner("")); link != "" {
		t.Errorf("there is an administrator, and the link %q", link)
	}
}

func TestAnAccountBecomesTheFirstAdministratorByItsPassword(t *testing.T) {
	s := fresh(t)
	hash, err := data.HashPassword("secret", s.HashParams)
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Store.CreateAccount(t.Context(), "Vasya", hash, data.Player)
	if err != nil {
		t.Fatal(err)
	}
	key, err := s.FirstKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := s.MakeFirst(t.Context(), First{key, "vasya", "guessed"}); !errors.Is(err, data.ErrLoginTaken) {
		t.Errorf("with another password: %v", err)
	}
	if err := s.MakeFirst(t.Context(), First{key, "vasya", "secret"}); err != nil {
		t.Error(err)
	}
	if a, err = s.Store.AccountByID(t.Context(), a.ID); err != nil || a.Role != data.Administrator {
		t.Errorf("found %v, %v", a.Role, err)
	}
}

func TestTheKeyEndsWithAnAdministratorThatCameOtherwise(t *testing.T) {
	s := fresh(t)
	key, err := s.FirstKey(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := NewAccount{Login: "chief", Password: "long enough", Role: data.Administrator}
	made, err := AddAccount.Do(t.Context(), s, Owner(""), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.MakeFirst(t.Context(), First{key, "thief", "long enough"}); !errors.Is(err, ErrKey) {
		t.Errorf("a second one was made, with %v", err)
	}
	role := data.Player
	r := RoleChange{AccountName: AccountName{ID: made.ID}, Role: &role}
	if _, err := SetRole.Do(t.Context(), s, Owner(""), r); err != nil {
		t.Fatal(err)
	}
	if key, err := s.FirstKey(t.Context()); key != "" || err != nil {
		t.Errorf("the key is back: %q, %v", key, err)
	}
}
