package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
)

// A payment is the money that an operator sets, as far as the operator and the character were told.
type payment struct {
	given   int64 // told to the operator, and not to the character yet; valid if done
	done    bool
	next    int64 // on its way; valid if pending
	pending bool
}

// Pays says that an operator asks to set the money of a character.
func (l *Ledger) Pays(name string, sum int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pay := &l.byName[name].pay
	pay.next, pay.pending = sum, true
}

// Paid says that the operator was told the outcome.
func (l *Ledger) Paid(name string, done bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	pay := &l.byName[name].pay
	if pay.pending && done {
		pay.given, pay.done = pay.next, true
	}
	pay.pending = false
}

// arrives notes that a character was told of its new money.
func (l *Ledger) arrives(p *holder) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch money := p.told.progress.Money; {
	case p.pay.pending && money == p.pay.next:
		p.pay = payment{}
	case p.pay.done && money == p.pay.given:
		p.pay.done = false
	}
}

// auditPay compares the stored money with the payments that the character was not told of, after which it counts as
// told.
func (l *Ledger) auditPay(p *holder, stored int64) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	pay := p.pay
	p.pay = payment{}
	switch {
	case pay.pending && stored == pay.next, pay.done && stored == pay.given:
		p.told.progress.Money = stored
	case pay.done:
		l.t.Errorf("%v: %s was given %d coins, and a crash leaves %d", time.Since(l.begun), p.name, pay.given, stored)
	}
}

// A home is the slots of an account, as far as its player was told of them.
type home [data.Slots]slot

// A slot is a place for a character. What was asked for and not answered may be done or not.
type slot struct {
	name    string    // of the character, "" for none
	present bool      // its name was accepted, or the screen has shown it
	deleted time.Time // when the connection ended after a deletion
}

// AccountsCompared is how much of what was told was looked for after crashes.
type AccountsCompared struct{ Accounts, Characters, Deletions int }

// ErrLost says that a character screen does not show what was told.
var ErrLost = errors.New("sim: told, and lost")

// Admitted says that the character screen of an account has come. It is an [ErrLost] if it does not show what its
// player knows.
func (l *Ledger) Admitted(login string, screen *bot.Screen) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.homes[login]
	if h == nil {
		h = new(home)
		l.homes[login] = h
	}
	for i := range h {
		s, shown := &h[i], &screen.Characters[i]
		if s.present && shown.Name != s.name || s.name == "" && !shown.Empty {
			return fmt.Errorf("%s: slot %d has %q and shows %q: %w", login, i, s.name, shown.Name, ErrLost)
		}
	}
	return nil
}

// Slots returns the slots of an account in which there is a character, and those in which there is none; neither of one
// that was not admitted yet.
func (l *Ledger) Slots(login string) (have, free []int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.homes[login]
	if h == nil {
		return nil, nil
	}
	for i, s := range h {
		switch {
		case s.present:
			have = append(have, i)
		case s.name == "":
			free = append(free, i)
		}
	}
	return have, free
}

// Changes says that a character is asked for, or is to be deleted: it is there or not until that is answered.
func (l *Ledger) Changes(login string, i int, name string) { l.setSlot(login, i, slot{name: name}) }

// Created says that the name of a new character was accepted.
func (l *Ledger) Created(login string, i int, name string) {
	l.setSlot(login, i, slot{name: name, present: true})
}

// Deleted says that the connection has ended after a deletion, which is the answer to it.
func (l *Ledger) Deleted(login string, i int, name string) {
	l.setSlot(login, i, slot{name: name, deleted: time.Now()})
}

func (l *Ledger) setSlot(login string, i int, is slot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.homes[login][i] = is
}

// auditHomes compares the accounts that a crash has left with those that were told, and takes what was asked for and
// not answered for done or not.
func (l *Ledger) auditHomes(s *data.Store, there map[string]*data.Character) {
	l.t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.homes) == 0 {
		return
	}
	accounts, err := s.Accounts(context.Background(), "")
	if err != nil {
		l.t.Fatal(err)
	}
	for login, h := range l.homes {
		l.Accounts.Accounts++
		i := slices.IndexFunc(accounts, func(a data.Account) bool { return a.Login == login })
		if i < 0 {
			l.t.Errorf("%v: account %s was let in, and a crash leaves nothing of it", time.Since(l.begun), login)
			continue
		}
		for n := range h {
			if h[n].name != "" {
				l.auditSlot(&h[n], there[h[n].name], accounts[i].ID, n)
			}
		}
	}
}

func (l *Ledger) auditSlot(s *slot, c *data.Character, account data.AccountID, n int) {
	l.t.Helper()
	if c != nil && (c.Slot != n || c.Account != account) {
		l.t.Errorf("%v: a crash leaves %s in slot %d of account %d, not in slot %d of %d", time.Since(l.begun), s.name,
			c.Slot, c.Account, n, account)
	}
	switch {
	case s.present:
		l.Accounts.Characters++
		if c == nil {
			l.t.Errorf("%v: %s was created, and a crash leaves nothing of it", time.Since(l.begun), s.name)
		}
	case !s.deleted.IsZero() && (l.Killed.IsZero() || s.deleted.Before(l.Killed)):
		l.Accounts.Deletions++
		if c != nil {
			l.t.Errorf("%v: %s was deleted, and is back after a crash", time.Since(l.begun), s.name)
		}
	}
	if c == nil {
		*s = slot{}
	} else {
		*s = slot{name: s.name, present: true}
	}
}
