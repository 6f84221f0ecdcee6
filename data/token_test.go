package data

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestATokenIsFoundByItsSecretOnly(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "Chief", "hash", Administrator))(t)
	made, secret, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "watch", Role: Helper,
		Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	got := must(s.TokenBySecret(t.Context(), secret))(t)
	if got.ID != made.ID || got.Login != "Chief" || got.Role != Helper || got.Name != "watch" || !got.LastUsed.IsZero() {
		t.Errorf("%+v, expected %+v", got, made)
	}
	_, other, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "other", Role: Helper})
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{"", "x", secret[:len(secret)-1], secret + "A", strings.ToLower(secret),
		strings.Replace(secret, "_1_", "_2_", 1),
		strings.Replace(other, "_2_", "_1_", 1), "sphere_1_", "sphere__", "sphere_-1_A", "sphere_1"} {
		if _, err := s.TokenBySecret(t.Context(), wrong); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q: %v, expected ErrNotFound", wrong, err)
		}
	}
	if err := s.TouchToken(t.Context(), got); err != nil {
		t.Fatal(err)
	}
	if all := must(s.Tokens(t.Context()))(t); len(all) != 2 || all[0].LastUsed.IsZero() || !all[1].LastUsed.IsZero() {
		t.Errorf("%+v, expected two tokens, the first of them used", all)
	}
	s.now = func() time.Time { return time.Now().Add(2 * time.Hour) }
	if _, err := s.TokenBySecret(t.Context(), secret); !errors.Is(err, ErrNotFound) {
		t.Errorf("an expired token: %v, expected ErrNotFound", err)
	}
}

func TestTokensGoWithTheirAccountAndWhenTheyAreDeleted(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "Chief", "hash", Administrator))(t)
	one, secret, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "1", Role: Helper})
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "2", Role: Helper})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteToken(t.Context(), one.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteToken(t.Context(), one.ID); !errors.Is(err, ErrNotFound) {
		t.Errorf("deleting it again: %v, expected ErrNotFound", err)
	}
	if err := s.DeleteAccount(t.Context(), a.ID); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{secret, second} {
		if _, err := s.TokenBySecret(t.Context(), gone); !errors.Is(err, ErrNotFound) {
			t.Errorf("%v, expected ErrNotFound", err)
		}
	}
}

func TestTokensThatCannotBe(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	a := must(s.CreateAccount(t.Context(), "Chief", "hash", Administrator))(t)
	for _, role := range []Role{Player, Administrator + 1} {
		if _, _, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "x", Role: role}); err == nil {
			t.Errorf("a token with the role %v was made", role)
		}
	}
	if _, _, err := s.CreateToken(t.Context(), Token{Account: 99, Name: "x", Role: Helper}); !errors.Is(err, ErrNotFound) {
		t.Errorf("a token of nobody: %v, expected ErrNotFound", err)
	}
	for range maxTokens {
		if _, _, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "x", Role: Helper}); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := s.CreateToken(t.Context(), Token{Account: a.ID, Name: "x", Role: Helper}); !errors.Is(err,
		ErrTooManyTokens) {
		t.Errorf("one more than there may be: %v, expected ErrTooManyTokens", err)
	}
}
