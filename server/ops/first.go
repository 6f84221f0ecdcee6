package ops

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"strings"

	"sphereserver/data"
)

// Only an administrator makes administrators, and a fresh server has none. The owner of its machine reads a key where
// the server runs, and makes the first one with it. The key is kept in memory alone, and ends with the server or as
// soon as there is an administrator, however it came to be.

// FirstPage is the page's own address for the first administrator; the key follows it.
const FirstPage = "/#/first/"

// A First makes the first administrator: an account of that login, or the one that there is, if the password is its
// own.
type First struct {
	Key      string `json:"key"`
	Login    string `json:"login"`
	Password string `json:"password"`
}

// FirstKey is the key that makes the first administrator; "" when there is an administrator, or has been one.
func (s *Service) FirstKey(ctx context.Context) (string, error) {
	s.first.mu.Lock()
	defer s.first.mu.Unlock()
	return s.firstKey(ctx)
}

func (s *Service) firstKey(ctx context.Context) (string, error) {
	if s.first.done {
		return "", nil
	}
	stored, err := s.Store.Counts(ctx)
	if err != nil {
		return "", err
	}
	if s.first.done = stored.Administrators > 0; s.first.done {
		s.first.key = ""
	} else if s.first.key == "" {
		s.first.key = rand.Text()
	}
	return s.first.key, nil
}

var (
	firstKeyText = Text{
		"Ссылка не подходит: она действует до перезапуска сервера. Новую покажет «sphere doctor».",
		"The link is not valid: each start of the server makes another. \"sphere doctor\" shows it.",
	}
	firstDoneText = Text{
		"Администратор уже есть: войдите или попросите его о роли.",
		"There is an administrator already: log in, or ask for a role.",
	}
	firstPasswordText = Text{
		"Учётная запись %s уже есть, и пароль у неё другой.",
		"There is an account %s already, and its password is another.",
	}
)

// MakeFirst makes the first administrator.
func (s *Service) MakeFirst(ctx context.Context, f First) error {
	s.first.mu.Lock()
	defer s.first.mu.Unlock()
	key, err := s.firstKey(ctx)
	switch {
	case err != nil:
		return err
	case key == "":
		return refuse(ErrKey, firstDoneText)
	case subtle.ConstantTimeCompare([]byte(key), []byte(f.Key)) != 1:
		return refuse(ErrKey, firstKeyText)
	}
	owner, role := Owner(firstOwner), data.Administrator
	a, err := s.Store.AccountByLogin(ctx, f.Login)
	switch {
	case errors.Is(err, data.ErrNotFound):
		_, err = AddAccount.Do(ctx, s, owner, NewAccount{Login: f.Login, Password: f.Password, Role: role})
	case err == nil:
		var own bool
		if own, _, err = data.VerifyPassword(a.PasswordHash, f.Password); err == nil && !own {
			return refuse(data.ErrLoginTaken, firstPasswordText, a.Login)
		} else if err == nil {
			_, err = SetRole.Do(ctx, s, owner, RoleChange{AccountName: AccountName{ID: a.ID}, Role: &role})
		}
	}
	return err
}

// firstLink is the address that makes the first administrator, "" when there is one already or no page.
func (c *call) firstLink(page string) (string, error) {
	if c.by.Role < data.Administrator || page == "" {
		return "", nil
	}
	key, err := c.FirstKey(c)
	if key == "" {
		return "", err
	}
	return strings.TrimSuffix(page, "/") + FirstPage + key, nil
}
