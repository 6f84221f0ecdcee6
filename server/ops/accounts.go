package ops

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
)

func (c *call) addAccount(n NewAccount) (Account, error) {
	hash, err := c.hash(n.Password)
	if err != nil {
		return Account{}, err
	}
	a, err := c.Store.CreateAccount(c.audited(n.Login, n.Role.String()), n.Login, hash, n.Role)
	if errors.Is(err, data.ErrLoginTaken) {
		err = taken(data.ErrLoginTaken, "login", loginTakenText, n.Login)
	}
	return c.describe(a, nil), err
}

func (n NewAccount) check(f *Faults) {
	f.breaks("login", data.CheckLogin(n.Login), loginRule, data.MaxLoginLen)
	f.breaks("password", data.CheckPassword(n.Password), passwordRule, data.MaxPasswordLen)
}

func (c *call) hash(password string) (string, error) {
	return data.HashPassword(password, cmp.Or(c.HashParams, data.DefaultHashParams))
}

func (c *call) listAccounts(s Search) ([]Account, error) {
	done, err := c.inTurn()
	if err != nil {
		return nil, err
	}
	defer done()
	accounts, err := c.Store.Accounts(c, s.Like)
	if err != nil {
		return nil, err
	}
	byAccount, err := c.byAccount()
	if err != nil {
		return nil, err
	}
	out := make([]Account, 0, len(accounts))
	for _, a := range accounts {
		out = append(out, c.describe(a, byAccount[a.ID]))
	}
	return out, nil
}

// byAccount returns all characters by their accounts.
func (c *call) byAccount() (map[data.AccountID][]data.Character, error) {
	characters, err := c.Store.FindCharacters(c, "")
	if err != nil {
		return nil, err
	}
	all := map[data.AccountID][]data.Character{}
	for _, ch := range characters {
		all[ch.Account] = append(all[ch.Account], ch)
	}
	return all, nil
}

func (c *call) showAccount(n AccountName) (Account, error) {
	return c.changeAccount(n, func(data.Account) error { return nil })
}

// setPassword ends the sessions of the account.
func (c *call) setPassword(p Password) (Account, error) {
	hash, err := c.hash(p.Password)
	if err != nil {
		return Account{}, err
	}
	return c.changeAccount(p.AccountName, func(a data.Account) error {
		return c.alone(a.ID, notice(newPasswordText), func() error {
			return c.Store.SetPassword(c.audited(a.Login, ""), a.ID, hash)
		})
	})
}

// setRole changes the role of the account, at once.
func (c *call) setRole(r RoleChange) (Account, error) {
	return c.changeAccount(r.AccountName, func(a data.Account) error {
		err := c.Store.SetRole(c.audited(a.Login, fmt.Sprintf("from %v to %v", a.Role, *r.Role)), a.ID, *r.Role)
		if online, _ := c.online(a.ID); err == nil && online {
			c.Runtime.SetRole(a.ID, *r.Role)
			c.tell(a.ID, newRoleText, RoleNames[*r.Role])
		}
		return err
	})
}

// banAccount ends the sessions of the account, once nobody can come back.
func (c *call) banAccount(b AccountBan) (Account, error) {
	ban := c.ban(b.Penalty)
	return c.changeAccount(b.AccountName, func(a data.Account) error {
		if b.Confirm != nil && *b.Confirm != a.Login {
			shown, err := c.describeNow(a.ID)
			if err != nil {
				return err
			}
			characters := any(noCharactersText)
			if len(shown.Characters) > 0 {
				characters = strings.Join(shown.Characters, ", ")
			}
			return refuse(ErrUnconfirmed, confirmText, a.Login, characters)
		}
		if err := c.Store.Ban(c.audited(a.Login, banText(ban)), a.ID, ban); err != nil {
			return err
		}
		return c.disconnect(a.ID, notice(bannedText, Until(ban.Until), ban.Reason))
	})
}

var (
	notBannedText = Text{"Вход для %s и так открыт.", "The account %q is not banned."}
	notMuteText   = Text{"%s и так может говорить.", "The account %q is not muted."}
	confirmText   = Text{
		"Учётная запись %s потеряет вход, её сеанс прервётся. Её персонажи: %s. Чтобы подтвердить, повторите её логин.",
		"The account %s will be kept out, and its session ended. Its characters: %s. To confirm, repeat its login.",
	}
	wideText = Text{"Сеть %s очень широкая: оттуда последний раз заходили учётные записи, числом %d. " +
		"Если так и задумано, повторите с ключом --wide или выберите широкую сеть на странице.",
		"%s is a wide network, from which %d accounts have come last: if that is meant, repeat it with --wide, or choose " +
			"a wide network on the page"}
	openAddressText  = Text{"Вход с адреса %s и так открыт.", "The address %s is not banned."}
	noCharactersText = Text{"нет ни одного", "none"}
	noAccountText    = Text{"Учётной записи с номером %d нет.", "There is no account %d."}
	noCharacterText  = Text{"Персонажа с номером %d нет.", "There is no character %d."}
	awayText         = Text{"Игрока %s сейчас нет в мире.", "%s is not in the world now."}
)

func (c *call) unbanAccount(n AccountName) (Account, error) {
	return c.changeAccount(n, func(a data.Account) error {
		return orElse(c.Store.Unban(c.audited(a.Login, ""), a.ID), notBannedText, n.called(&a))
	})
}

// orElse turns the store's ErrNotFound into a refusal with its own text.
func orElse(err error, t Text, args ...any) error {
	if errors.Is(err, data.ErrNotFound) {
		return refuse(data.ErrNotFound, t, args...)
	}
	return err
}

// kickAccount tells the player why, and ends the sessions of the account.
func (c *call) kickAccount(k Kick) (Account, error) {
	return c.changeAccount(k.AccountName, func(a data.Account) error {
		if c.Runtime == nil {
			return ErrNotRunning
		}
		if online, _ := c.Runtime.Online(a.ID); !online {
			return refuse(ErrNotInWorld, awayText, k.called(&a))
		}
		k.Reason = fitted(k.Reason)
		return c.record(a.Login, k.Reason, func() error { return c.disconnect(a.ID, notice(kickedText, k.Reason)) })
	})
}

// muteAccount keeps the account from speaking, at once and after its next login.
func (c *call) muteAccount(m AccountMute) (Account, error) {
	mute := data.Mute(c.ban(m.Penalty))
	return c.changeAccount(m.AccountName, func(a data.Account) error {
		err := c.Store.Mute(c.audited(a.Login, banText(data.Ban(mute))), a.ID, mute)
		if err == nil && c.Runtime != nil {
			c.Runtime.SetMute(a.ID, mute)
		}
		return err
	})
}

func (c *call) unmuteAccount(n AccountName) (Account, error) {
	return c.changeAccount(n, func(a data.Account) error {
		err := orElse(c.Store.Unmute(c.audited(a.Login, ""), a.ID), notMuteText, n.called(&a))
		if err == nil && c.Runtime != nil {
			c.Runtime.SetMute(a.ID, data.Mute{})
		}
		return err
	})
}

// deleteAccount removes the account with its characters and their items, and returns it.
func (c *call) deleteAccount(n AccountName) (Account, error) {
	was, err := c.showAccount(n)
	if err != nil {
		return Account{}, err
	}
	detail := fmt.Sprintf("account %d with characters %q", was.ID, was.Characters)
	err = c.alone(was.ID, notice(goneAccountText), func() error {
		return c.dismissing(was.Login, func() error { return c.Store.DeleteAccount(c.audited(was.Login, detail), was.ID) })
	})
	was.Online = false
	return was, err
}

// banAddress keeps an address or a network out. Present players stay until they leave.
func (c *call) banAddress(b AddressPenalty) (AddressBan, error) {
	prefix := data.BannedPrefix(b.prefix())
	n, err := c.cameFrom(prefix)
	if err != nil {
		return AddressBan{}, err
	}
	if data.WidePrefix(prefix) && !b.Wide {
		return AddressBan{}, refuse(ErrInvalid, wideText, prefix, n)
	}
	stored := AddressBan{Prefix: prefix, Ban: c.ban(b.Penalty), Accounts: n}
	return stored, c.Store.BanAddress(c.audited(prefix.String(), banText(stored.Ban)), stored)
}

// cameFrom is how many accounts have logged in from a network last.
func (c *call) cameFrom(p netip.Prefix) (n int, err error) {
	all, err := c.Store.LastAddresses(c, math.MaxInt32)
	for _, text := range all {
		a, e := netip.ParseAddr(text)
		if at, withPort := netip.ParseAddrPort(text); withPort == nil {
			a, e = at.Addr(), nil
		}
		if e == nil && p.Contains(a.Unmap()) {
			n++
		}
	}
	return n, err
}

func (c *call) unbanAddress(n AddressName) (AddressBan, error) {
	prefix := n.prefix()
	banned := slices.ContainsFunc(c.Store.AddressBans(), func(b AddressBan) bool { return b.Prefix == prefix })
	if !banned { // by an older version, or from a file
		prefix = data.BannedPrefix(prefix)
	}
	err := orElse(c.Store.UnbanAddress(c.audited(prefix.String(), ""), prefix), openAddressText, prefix)
	return AddressBan{Prefix: prefix}, err
}

func (c *call) listAddressBans(Empty) ([]AddressBan, error) {
	return append([]AddressBan{}, c.Store.AddressBans()...), nil
}

func (n AddressName) check(f *Faults) {
	if _, err := data.ParsePrefix(strings.TrimSpace(n.Address)); err != nil {
		f.Add("address", addressText)
	}
}

// prefix is the network of a name that was checked.
func (n AddressName) prefix() netip.Prefix {
	p, _ := data.ParsePrefix(strings.TrimSpace(n.Address))
	return p
}

func (b AddressPenalty) check(f *Faults) {
	b.AddressName.check(f)
	b.Penalty.check(f)
}

var addressText = Text{"Нужен адрес или сеть, например 203.0.113.7 или 203.0.113.0/24.",
	"Expected an address or a network, like 203.0.113.7 or 203.0.113.0/24."}

var futureText = Text{"Нужен момент в будущем, а не %s.", "expected an end in the future, found %s"}

func (p Penalty) check(f *Faults) {
	f.line("reason", p.Reason)
	if !p.Until.IsZero() && (!p.Until.After(time.Now()) || p.Until.Year() > 9999) {
		f.Add("until", futureText, p.Until.Format(time.DateTime))
	}
}

func (r RoleChange) check(f *Faults) {
	if r.Role == nil {
		f.Add("role", emptyText)
	}
}

func (p Password) check(f *Faults) {
	f.breaks("password", data.CheckPassword(p.Password), passwordRule, data.MaxPasswordLen)
}

func (k Kick) check(f *Faults) { f.line("reason", k.Reason) }

func (c *call) ban(p Penalty) data.Ban {
	return data.Ban{Until: p.Until, Reason: fitted(p.Reason), By: c.by.Name, At: time.Now()}
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

// called is the name of an account in a refusal: the operator's own.
func (n AccountName) called(a *data.Account) string {
	if n.Character != "" {
		return n.Character
	}
	return a.Login
}

func (c *call) account(n AccountName) (data.Account, error) {
	a, err := c.findAccount(n)
	if err == nil {
		err = c.mayActOn(&a, n.called(&a))
	}
	return a, err
}

func (c *call) findAccount(n AccountName) (data.Account, error) {
	switch {
	case n.Character != "":
		ch, err := c.findCharacter(CharacterName{Name: n.Character})
		if err != nil {
			return data.Account{}, err
		}
		return c.Store.AccountByID(c, ch.Account)
	case n.ID != 0:
		a, err := c.Store.AccountByID(c, n.ID)
		return a, orElse(err, noAccountText, n.ID)
	}
	if err := required("login", n.Login); err != nil {
		return data.Account{}, err
	}
	a, err := c.Store.AccountByLogin(c, n.Login)
	return a, orNearest(c, err, "account", n.Login, c.Store.Accounts, func(a data.Account) string { return a.Login })
}

func (c *call) findCharacter(n CharacterName) (data.Character, error) {
	if n.ID != 0 {
		ch, err := c.Store.CharacterByID(c, n.ID)
		return ch, orElse(err, noCharacterText, n.ID)
	}
	if err := required("name", n.Name); err != nil {
		return data.Character{}, err
	}
	ch, err := c.Store.CharacterByName(c, n.Name)
	return ch, orNearest(c, err, "character", n.Name, c.Store.FindCharacters,
		func(ch data.Character) string { return ch.Name })
}

// orNearest makes of an error that says that a name is unknown one that tells the nearest of all names.
func orNearest[T any](c *call, err error, what, name string,
	all func(ctx context.Context, like string) ([]T, error), nameOf func(T) string) error {
	if !errors.Is(err, data.ErrNotFound) {
		return err
	}
	done, late := c.inTurn()
	if late != nil {
		return err
	}
	known, listErr := all(c, "")
	done()
	if listErr != nil {
		return err
	}
	names := make([]string, len(known))
	for i := range known {
		names[i] = nameOf(known[i])
	}
	return notFound(what, name, names)
}

// changeAccount finds an account, changes it and describes it as it is then.
func (c *call) changeAccount(n AccountName, change func(data.Account) error) (Account, error) {
	a, err := c.account(n)
	if err != nil {
		return Account{}, err
	}
	if err := change(a); err != nil {
		return Account{}, err
	}
	return c.describeNow(a.ID)
}

func (c *call) describeNow(id data.AccountID) (Account, error) {
	a, err := c.Store.AccountByID(c, id)
	if err != nil {
		return Account{}, err
	}
	characters, err := c.Store.Characters(c, id)
	return c.describe(a, characters), err
}

// describe returns the part of an account that the actor may see: addresses of players are for game masters.
func (c *call) describe(a data.Account, characters []data.Character) Account {
	out := Account{ID: a.ID, Login: a.Login, Role: a.Role, Created: a.Created, LastLogin: a.LastLogin, Ban: a.Ban,
		Mute: (*Ban)(a.Mute), Characters: []string{}}
	if c.by.Role >= data.GameMaster {
		out.LastAddress = a.LastAddress
	}
	slices.SortFunc(characters, func(a, b data.Character) int { return cmp.Compare(a.Slot, b.Slot) })
	for _, ch := range characters {
		out.Characters = append(out.Characters, ch.Name)
	}
	out.Online, _ = c.online(a.ID)
	if c.Runtime != nil {
		out.LockedUntil = c.Runtime.LockedUntil(a.Login)
	}
	return out
}

func (b Broadcast) check(f *Faults) { f.message(b.Text) }

// say says something in the server's name to all in the world, or to one player, and returns the message that they get.
func (c *call) say(b Broadcast) (Broadcast, error) {
	b.Text = fitted(b.Text)
	if c.Runtime == nil {
		return b, ErrNotRunning
	}
	if b.AccountName == (AccountName{}) {
		return b, c.record("", b.Text, func() error {
			c.Runtime.Announce(b.Text)
			return nil
		})
	}
	a, err := c.account(b.AccountName)
	if err != nil {
		return b, err
	}
	away := refuse(ErrNotInWorld, awayText, b.called(&a))
	if _, character := c.Runtime.Online(a.ID); character == 0 {
		return b, away
	}
	return b, c.record(a.Login, b.Text, func() error {
		if !c.Runtime.Tell(a.ID, notice(sameText, b.Text)) {
			return away
		}
		return nil
	})
}
