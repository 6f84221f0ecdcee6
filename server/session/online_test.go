package session

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"sphereserver/data"
)

// Of sessions that wait for an account each gets it in its turn; one that has given up is passed over.
func TestWaitingLoginsGetTheirAccountInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const account data.AccountID = 1
		o := newOnline(nil)
		ending := func() *Session {
			s := new(Session)
			s.gone.Store(true)
			return s
		}
		ctx, stop := context.WithCancel(t.Context())
		claim := func(ctx context.Context, s *Session) <-chan error {
			done := make(chan error, 1)
			go func() { done <- o.claim(ctx, account, s, false) }()
			synctest.Wait()
			return done
		}
		first, second, third, fourth := ending(), ending(), ending(), ending()
		if err := <-claim(ctx, first); err != nil {
			t.Fatal(err)
		}
		claims := []<-chan error{claim(t.Context(), second), claim(ctx, third), claim(t.Context(), fourth)}
		stop()
		if err := <-claims[1]; !errors.Is(err, context.Canceled) {
			t.Errorf("a login that is given up: %v", err)
		}
		for i, s := range []*Session{second, fourth} {
			o.release(account, []*Session{first, second}[i])
			if err := <-claims[2*i]; err != nil || o.of(account).Session != s {
				t.Errorf("%d: %v, the account is another one's: %t", i, err, o.of(account).Session != s)
			}
		}
		o.release(account, fourth)
		if o.len() != 0 || len(o.waiting) != 0 {
			t.Errorf("%d accounts in use, %d waited for", o.len(), len(o.waiting))
		}
	})
}

// No other session has the account before what is done to a character that was not chosen is done.
func TestAnAccountIsNotFreeWhileItsCharacterIsChanged(t *testing.T) {
	g := newStage(t, nil)
	first := g.connect().in(Entering)
	id, login := first.s().Character().ID, first.s().Login()
	first.hangUp()
	g.until("the account is free", func() bool { return g.manager.AccountsOnline() == 0 })
	c := g.connect().in(Handshaken)
	c.login(login, "secret")
	g.until("the screen is there", func() bool { return c.s().State() == CharacterScreen })
	account := c.s().Account()
	if !c.s().Unchosen(id, func() {
		c.hangUp()
		if p := g.manager.Presence(account); p == nil || p.Session != c.s() {
			t.Error("another session could have the account")
		}
	}) {
		t.Error("the character was not to be changed")
	}
	if g.manager.Presence(account) != nil {
		t.Error("the account is not free afterwards")
	}
	if c.s().Unchosen(id, func() {}) {
		t.Error("a character of a free account was changed")
	}
}
