package admin

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"

	"sphereserver/data"
)

// AddAccount creates an account.
func (o *Ops) AddAccount(ctx context.Context, n NewAccount) (Account, error) {
	if err := data.CheckLogin(n.Login); err != nil {
		return Account{}, invalid(err)
	}
	hash, err := o.hash(n.Password)
	if err != nil {
		return Account{}, err
	}
	a, err := o.Store.CreateAccount(o.audited(ctx, "account add", n.Login, n.Role.String()), n.Login, hash, n.Role)
	if err != nil {
		return Account{}, err
	}
	return o.describe(a, nil), nil
}

func (o *Ops) hash(password string) (string, error) {
	if err := data.CheckPassword(password); err != nil {
		return "", invalid(err)
	}
	hp := o.HashParams
	if hp == (data.HashParams{}) {
		hp = data.DefaultHashParams
	}
	return data.HashPassword(password, hp)
}

// Accounts lists accounts in alphabetical order.
func (o *Ops) Accounts(ctx context.Context, s Search) ([]Account, error) {
	accounts, err := o.Store.Accounts(ctx, s.Like)
	if err != nil {
		return nil, err
	}
	characters, err := o.Store.FindCharacters(ctx, "")
	if err != nil {
		return nil, err
	}
	byAccount := map[data.AccountID][]data.Character{}
	for _, c := range characters {
		byAccount[c.Account] = append(byAccount[c.Account], c)
	}
	out := make([]Account, 0, len(accounts))
	for _, a := range accounts {
		out = append(out, o.describe(a, byAccount[a.ID]))
	}
	return out, nil
}

// Account tells of one account.
func (o *Ops) Account(ctx context.Context, n AccountName) (Account, error) {
	return o.changeAccount(ctx, n.Login, func(data.Account) error { return nil })
}

// SetPassword changes the password and ends the sessions of the account.
func (o *Ops) SetPassword(ctx context.Context, p Password) (Account, error) {
	hash, err := o.hash(p.Password)
	if err != nil {
		return Account{}, err
	}
	return o.changeAccount(ctx, p.Login, func(a data.Account) error {
		return o.alone(ctx, a.ID, "the password was changed", func() error {
			return o.Store.SetPassword(o.audited(ctx, "account passwd", a.Login, ""), a.ID, hash)
		})
	})
}

// SetRole changes what the account may do. A session learns of it at its next login.
func (o *Ops) SetRole(ctx context.Context, r RoleChange) (Account, error) {
	return o.changeAccount(ctx, r.Login, func(a data.Account) error {
		return o.Store.SetRole(o.audited(ctx, "account role", a.Login, fmt.Sprintf("from %v to %v", a.Role, r.Role)), a.ID, r.Role)
	})
}

// BanAccount keeps the account out and ends its sessions.
func (o *Ops) BanAccount(ctx context.Context, b AccountBan) (Account, error) {
	ban, err := o.ban(ctx, b.Until, b.Reason)
	if err != nil {
		return Account{}, err
	}
	return o.changeAccount(ctx, b.Login, func(a data.Account) error {
		return o.alone(ctx, a.ID, "the account was banned", func() error {
			return o.Store.Ban(o.audited(ctx, "account ban", a.Login, banText(ban)), a.ID, ban)
		})
	})
}

// UnbanAccount lets the account in again.
func (o *Ops) UnbanAccount(ctx context.Context, n AccountName) (Account, error) {
	return o.changeAccount(ctx, n.Login, func(a data.Account) error {
		err := o.Store.Unban(o.audited(ctx, "account unban", a.Login, ""), a.ID)
		if errors.Is(err, data.ErrNotFound) {
			return fmt.Errorf("account %q is not banned: %w", a.Login, data.ErrNotFound)
		}
		return err
	})
}

// DeleteAccount removes the account with its characters and their items.
func (o *Ops) DeleteAccount(ctx context.Context, n AccountName) (Account, error) {
	was, err := o.Account(ctx, n)
	if err != nil {
		return Account{}, err
	}
	detail := fmt.Sprintf("account %d with characters %q", was.ID, was.Characters)
	err = o.alone(ctx, was.ID, "the account was deleted", func() error {
		return o.Store.DeleteAccount(o.audited(ctx, "account delete", was.Login, detail), was.ID)
	})
	if err != nil {
		return Account{}, err
	}
	was.Online = false
	return was, nil
}

// BanAddress keeps an address or a network out. Who is in already stays until they leave.
func (o *Ops) BanAddress(ctx context.Context, b AddressBan) (AddressBan, error) {
	ban, err := o.ban(ctx, b.Until, b.Reason)
	if err != nil {
		return AddressBan{}, err
	}
	prefix, err := data.ParsePrefix(b.Prefix.String())
	if err != nil {
		return AddressBan{}, invalid(err)
	}
	stored := data.AddressBan{Prefix: prefix, Ban: ban}
	if err := o.Store.BanAddress(o.audited(ctx, "address ban", prefix.String(), banText(ban)), stored); err != nil {
		return AddressBan{}, err
	}
	return AddressBan{Prefix: prefix, Ban: describeBan(ban)}, nil
}

// UnbanAddress lets an address or a network in again.
func (o *Ops) UnbanAddress(ctx context.Context, b AddressBan) (AddressBan, error) {
	prefix, err := data.ParsePrefix(b.Prefix.String())
	if err != nil {
		return AddressBan{}, invalid(err)
	}
	err = o.Store.UnbanAddress(o.audited(ctx, "address unban", prefix.String(), ""), prefix)
	if errors.Is(err, data.ErrNotFound) {
		return AddressBan{}, fmt.Errorf("address %s is not banned: %w", prefix, data.ErrNotFound)
	}
	return AddressBan{Prefix: prefix}, err
}

// AddressBans lists the bans of addresses and networks that still hold.
func (o *Ops) AddressBans(context.Context, Nothing) ([]AddressBan, error) {
	out := []AddressBan{}
	for _, b := range o.Store.AddressBans() {
		out = append(out, AddressBan{Prefix: b.Prefix, Ban: describeBan(b.Ban)})
	}
	return out, nil
}

func (o *Ops) ban(ctx context.Context, until time.Time, reason string) (data.Ban, error) {
	now := time.Now()
	if !until.IsZero() && !until.After(now) {
		return data.Ban{}, invalid(fmt.Errorf("expected an end in the future, found %s", until.Format(time.DateTime)))
	}
	if err := checkText("a reason", reason); err != nil {
		return data.Ban{}, err
	}
	return data.Ban{Until: until, Reason: reason, By: o.who(ctx), At: now}, nil
}

// checkText says what is wrong with a text that operators write for people.
func checkText(what, text string) error {
	if n := utf8.RuneCountInString(text); n > maxReasonLen {
		return invalid(fmt.Errorf("expected %s of at most %d characters, found %d", what, maxReasonLen, n))
	}
	for _, r := range text {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return invalid(fmt.Errorf("expected %s without control characters, found %q", what, text))
		}
	}
	return nil
}

func banText(b data.Ban) string {
	end := "for ever"
	if !b.Until.IsZero() {
		end = "until " + b.Until.UTC().Format(time.RFC3339)
	}
	if b.Reason == "" {
		return end
	}
	return end + ": " + b.Reason
}

// findAccount finds an account, or the nearest login for the error.
func (o *Ops) findAccount(ctx context.Context, login string) (data.Account, error) {
	a, err := o.Store.AccountByLogin(ctx, login)
	if !errors.Is(err, data.ErrNotFound) {
		return a, err
	}
	all, listErr := o.Store.Accounts(ctx, "")
	if listErr != nil {
		return a, err
	}
	logins := make([]string, len(all))
	for i := range all {
		logins[i] = all[i].Login
	}
	return a, notFound("account", login, logins)
}

// notFound is an error of the kind data.ErrNotFound that helps.
func notFound(what, name string, known []string) error {
	if near, ok := data.Nearest(name, known); ok {
		return fmt.Errorf("%s %q %w; did you mean %q?", what, name, data.ErrNotFound, near)
	}
	return fmt.Errorf("%s %q %w", what, name, data.ErrNotFound)
}

// changeAccount finds an account, changes it and describes it as it is then.
func (o *Ops) changeAccount(ctx context.Context, login string, change func(data.Account) error) (Account, error) {
	a, err := o.findAccount(ctx, login)
	if err != nil {
		return Account{}, err
	}
	if err := change(a); err != nil {
		return Account{}, err
	}
	return o.describeNow(ctx, a.ID)
}

func (o *Ops) describeNow(ctx context.Context, id data.AccountID) (Account, error) {
	a, err := o.Store.AccountByID(ctx, id)
	if err != nil {
		return Account{}, err
	}
	characters, err := o.Store.Characters(ctx, id)
	if err != nil {
		return Account{}, err
	}
	return o.describe(a, characters), nil
}

// describe says of an account what operators see.
func (o *Ops) describe(a data.Account, characters []data.Character) Account {
	out := Account{ID: a.ID, Login: a.Login, Role: a.Role, Created: a.Created, LastLogin: a.LastLogin, LastAddress: a.LastAddress, Characters: []string{}}
	if a.Ban != nil {
		b := describeBan(*a.Ban)
		out.Ban = &b
	}
	if a.Mute != nil {
		m := describeBan(data.Ban(*a.Mute))
		out.Mute = &m
	}
	for slot := range data.Slots {
		for _, c := range characters {
			if c.Slot == slot {
				out.Characters = append(out.Characters, c.Name)
			}
		}
	}
	if o.Live != nil {
		out.Online, _ = o.Live.Online(a.ID)
	}
	return out
}

func describeBan(b data.Ban) Ban {
	return Ban{Until: b.Until, Reason: b.Reason, By: b.By, At: b.At}
}
