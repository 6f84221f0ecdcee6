package session

import (
	"context"
	"errors"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// The reasons for which a player's password is not changed.
var (
	oldPasswordText = ops.Text{Russian: "Старый пароль не подходит, новый не записан.",
		English: "The old password is not right; nothing is changed."}
	passwordWaitsText = ops.Text{Russian: "Слишком много неверных паролей: попробуйте позже.",
		English: "Too many wrong passwords: try again later."}
)

// ChangePassword gives the account of the session another password if old is the present one: the limits of logins
// count, and it waits for its turn among logins. A reason for the player is an [ops.Refusal]; the password is safe on
// disk when there is no error. Any goroutine but a loop may call it.
func (s *Session) ChangePassword(ctx context.Context, old, password string) error {
	srv := s.server
	if err := data.CheckPassword(password); err != nil {
		return err
	}
	login := s.Login()
	account, err := srv.options.Store.AccountByLogin(ctx, login)
	if err != nil {
		return err
	}
	ok, err := srv.verify(ctx, s, request{login: login, password: old}, &account)
	switch {
	case errors.As(err, new(throttleError)):
		return &ops.Refusal{Kind: ops.ErrInvalid, Text: passwordWaitsText}
	case err != nil:
		return err
	case !ok:
		return &ops.Refusal{Kind: ops.ErrInvalid, Text: oldPasswordText}
	}
	srv.guesses.Succeeded(s.addr.Addr(), login)
	var hash string
	err = srv.hashes.run(ctx, &srv.hashes.known, s, func() (err error) {
		hash, err = srv.options.Passwords.Hash(ctx, password)
		return err
	})
	if err == nil {
		err = srv.options.Store.SetPassword(ctx, account.ID, hash)
	}
	if err == nil {
		s.Log().Info("password changed by its player", "login", login)
	}
	return err
}
