package session

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/ops"
)

// greeted answers the client's answer with its index and the time. Next state: Handshaken.
func (s *Session) greeted(*incoming) {
	s.setState(Handshaken)
	s.loop.after(s.server.options.Delays.Credentials, s, func(s *Session) {
		s.Send(packets.Credentials(s.index, s.server.gameTime()))
	})
}

// login looks the account up, elsewhere. Next state: LoggingIn, then CharacterScreen or the end.
func (s *Session) login(in *incoming) {
	r := in.request
	s.setState(LoggingIn)
	if n := s.server.logins.Add(1); !s.server.mayQueue(int(n), s.guest.friend) {
		s.server.logins.Add(-1)
		s.refuseLogin(refusal{reason: LoginsBusy})
		return
	}
	s.Go(func(context.Context) {
		defer s.server.logins.Add(-1)
		account, characters, refusal := s.server.authenticate(s, r)
		if refusal.reason != ReasonUnknown {
			s.Post(func(s *Session) { s.refuseLogin(refusal) })
			return
		}
		// The end of the session releases the claim on the account, so it must not be lost here.
		if err := s.loop.at.Execute(func() {
			s.account, s.user = account.ID, account.Login
			s.record = Record{account.Role, account.Language, account.Dialect, account.Mute}
			for _, change := range s.early {
				change(&s.record)
			}
			s.early = nil
			if s.closed {
				s.server.online.release(account.ID, s)
				return
			}
			if !s.ending {
				s.server.conns.loggedIn(s.addr.Addr(), &s.guest)
				s.loop.safely(s, func(s *Session) { s.loggedIn(characters) })
			}
			s.loop.flush()
		}); err != nil {
			s.server.online.release(account.ID, s)
		}
	})
}

// mayQueue reports whether there is room for the n-th login under way: the last fifth is for friends.
func (srv *Manager) mayQueue(n int, friend bool) bool {
	most := srv.options.Limits.LoginQueue
	if !friend {
		most = strangersShare(most)
	}
	return n <= most
}

// A refusal is why a login does not succeed.
type refusal struct {
	reason Reason
	detail string
}

// A loginError is why a login is refused, for the log: the client is told no more than that it is.
type loginError string

// Error implements error.
func (e loginError) Error() string { return string(e) }

const (
	errUnknownLogin  = loginError("unknown login")
	errWrongPassword = loginError("wrong password")
)

// notAdmitted is the error of a login that is refused whatever its password is: Maintenance or ServerStopping.
type notAdmitted Reason

func (c notAdmitted) Error() string { return Reason(c).String() }

// A throttleError is a limit that a login has met. Our own clients are told of it.
type throttleError string

// Error implements error.
func (e throttleError) Error() string { return string(e) }

const errNewAccounts = throttleError("too many new accounts from this address")

// mayTry reports whether a password may be looked at.
func (srv *Manager) mayTry(a netip.Addr, login, lastAddress string) error {
	now := time.Now()
	l := srv.guesses.Check(a, login, lastAddress, now)
	if l.Of == Unlocked {
		return nil
	}
	return throttleError(fmt.Sprintf("%v: locked for %v", l.Of, max(time.Second, l.Until.Sub(now).Round(time.Second))))
}

// A bannedError refuses the login of an account that an operator keeps out.
type bannedError struct{ *data.Ban }

// Error says until when and why.
func (e bannedError) Error() string {
	return strings.TrimSpace("banned " + ops.Until(e.Until).English + " " + e.Reason)
}

// loginWork is how long a login may take: with thousands at once its turn comes late.
const loginWork = 2 * time.Minute

// authenticate does the steps of a login: limits, the account, the password, the claim, the characters.
func (srv *Manager) authenticate(s *Session, r request) (data.Account, []listed, refusal) {
	ctx, cancel := context.WithTimeout(srv.ctx, loginWork)
	defer cancel()
	account, err := srv.identify(ctx, s, r)
	var characters []listed
	if err == nil {
		characters, err = srv.claim(ctx, s, &account)
	}
	var refused loginError
	var banned bannedError
	var throttled throttleError
	var closed notAdmitted
	switch {
	case err == nil:
		srv.count.logins.Add(1)
		return account, characters, refusal{}
	case errors.As(err, &banned):
		srv.count.loginsFailed.Add(1)
		return data.Account{}, nil, refusal{LoginRefused, banned.Error()}
	case errors.As(err, &closed):
		srv.count.loginsFailed.Add(1)
		return data.Account{}, nil, refusal{reason: Reason(closed)}
	case errors.As(err, &refused):
		srv.count.loginsFailed.Add(1)
		return data.Account{}, nil, refusal{reason: LoginRefused, detail: string(refused)}
	case errors.As(err, &throttled):
		srv.count.loginsFailed.Add(1)
		srv.count.loginsThrottled.Add(1)
		return data.Account{}, nil, refusal{reason: LoginThrottled, detail: string(throttled)}
	case ctx.Err() != nil && srv.ctx.Err() != nil:
		return data.Account{}, nil, refusal{reason: ServerStopping}
	}
	return data.Account{}, nil, refusal{reason: StoreFailed, detail: err.Error()}
}

// identify finds the account of a login, or makes it, and verifies the password.
func (srv *Manager) identify(ctx context.Context, s *Session, r request) (data.Account, error) {
	if err := data.CheckLogin(r.login); err != nil {
		return data.Account{}, loginError(err.Error())
	}
	if err := data.CheckPassword(r.password); err != nil {
		return data.Account{}, loginError(err.Error())
	}
	addr := s.addr.Addr()
	account, err := srv.options.Store.AccountByLogin(ctx, r.login)
	if locked := srv.mayTry(addr, r.login, account.LastAddress); locked != nil {
		return data.Account{}, locked
	}
	if errors.Is(err, data.ErrNotFound) && srv.createAccounts.Load() {
		if closed := srv.mayEnter(&data.Account{Login: r.login}); closed != nil {
			return account, closed
		}
		if !s.guest.exempt && !srv.guesses.mayCreate(addr, time.Now()) {
			return account, errNewAccounts
		}
		if account, err = srv.register(ctx, s, r); !errors.Is(err, data.ErrLoginTaken) {
			return account, err
		}
		// Another connection has made the account in the meantime: this one has to know its password.
		if account, err = srv.options.Store.AccountByLogin(ctx, r.login); err != nil {
			return account, err
		}
	}
	unknown := errors.Is(err, data.ErrNotFound)
	if err != nil && !unknown {
		return account, err
	}
	// For an unknown login the same work is done, so that the time of the answer tells nothing.
	ok, err := srv.verify(ctx, s, r, &account)
	switch {
	case err != nil:
		return account, err
	case unknown:
		return account, errUnknownLogin
	case !ok:
		return account, errWrongPassword
	}
	srv.guesses.Succeeded(addr, r.login)
	return account, nil
}

// mayEnter says why an account does not get in now. Operators always do; under maintenance logins that are named do,
// too, in the last minute before a planned stop nobody else.
func (srv *Manager) mayEnter(a *data.Account) error {
	named := func(login string) bool { return strings.EqualFold(login, a.Login) }
	switch closed := srv.closed.Load(); {
	case a.Role > data.Player:
		return nil
	case srv.ending.Load():
		return notAdmitted(ServerStopping)
	case closed != nil && !slices.ContainsFunc(*closed, named):
		return notAdmitted(Maintenance)
	}
	return nil
}

// claim takes the account for the session, unless it is banned, and reads its characters.
func (srv *Manager) claim(ctx context.Context, s *Session, account *data.Account) ([]listed, error) {
	if account.Ban != nil {
		return nil, bannedError{account.Ban}
	}
	if err := srv.mayEnter(account); err != nil {
		return nil, err
	}
	if err := srv.online.claim(ctx, account.ID, s, srv.takeOver.Load()); err != nil {
		return nil, loginError(err.Error())
	}
	read := false
	defer func() {
		if !read { // also after a panic: the session does not know its account yet, so its end would not release it
			srv.online.release(account.ID, s)
		}
	}()
	characters, err := srv.readClaimed(ctx, account)
	if err != nil {
		return nil, err
	}
	read = true
	if err := srv.options.Store.TouchLogin(ctx, account.ID, time.Now(), s.addr.String()); err != nil {
		// Players in the world go on while nothing can be written, so a returning player may come in.
		s.Log().Warn("cannot note the login", "login", account.Login, "error", err)
	}
	return characters, nil
}

// readClaimed reads the account once more, since no session was told of operators' changes before the claim, and its
// characters.
func (srv *Manager) readClaimed(ctx context.Context, account *data.Account) ([]listed, error) {
	now, err := srv.options.Store.AccountByID(ctx, account.ID)
	switch {
	case errors.Is(err, data.ErrNotFound):
		return nil, errUnknownLogin
	case err != nil:
		return nil, err
	case now.Ban != nil:
		return nil, bannedError{now.Ban}
	case now.PasswordHash != account.PasswordHash:
		return nil, errWrongPassword
	}
	*account = now
	return srv.list(ctx, account.ID)
}

// verify checks the password of a login against that of an account, the zero value for none. The limiter is asked once
// more when the turn of this attempt has come, since others may have failed while it waited, and is told of a failure
// before the next one's turn.
func (srv *Manager) verify(ctx context.Context, s *Session, r request, account *data.Account) (ok bool, err error) {
	addr, hash, known := s.addr.Addr(), account.PasswordHash, account.ID != 0
	if !known {
		hash = srv.decoy
	}
	err = srv.hashes.run(ctx, &srv.hashes.known, s, func() (err error) {
		if err := srv.mayTry(addr, r.login, account.LastAddress); err != nil {
			return err
		}
		ok, err = srv.options.Passwords.Verify(ctx, hash, r.password)
		if ok = ok && known; err == nil && !ok {
			srv.guesses.Failed(addr, r.login, time.Now())
		}
		return err
	})
	return ok, err
}

// register makes the account of a first login.
func (srv *Manager) register(ctx context.Context, s *Session, r request) (data.Account, error) {
	var hash string
	err := srv.hashes.run(ctx, &srv.hashes.fresh, s, func() (err error) {
		hash, err = srv.options.Passwords.Hash(ctx, r.password)
		return err
	})
	if err != nil {
		return data.Account{}, err
	}
	account, err := srv.options.Store.CreateAccount(ctx, r.login, hash, data.Player)
	if err == nil {
		srv.count.accountsMade.Add(1)
		srv.options.Log.Info("account created", "login", account.Login, "address", s.addr.String())
	}
	return account, err
}

// refuseLogin sends the one refusal that servers are known to send, and closes. A limit is named after that, for our
// own clients.
//
// Source: protocol session 4.4, 5.4.
func (s *Session) refuseLogin(why refusal) {
	s.Send(packets.OwnerMessage(s.index, &packets.CannotConnect{}))
	switch why.reason {
	case LoginThrottled:
		s.SendBytes(s.server.refusedFrame(why.detail))
	case LoginsBusy, Maintenance, ServerStopping:
		s.SendBytes(s.server.refusedFrame(why.reason.asTold()))
	}
	s.End(why.reason, why.detail)
}

// longestShort is the greatest length in bytes of frames that are never a login.
const longestShort = 12

// refuseOddLogin refuses the login of a client that writes it in a form of its own, as test clients do: servers take
// the first long frame for a login, and a client waits for its answer.
//
// Source: protocol session 4.1, 4.7, 5.1.
func (s *Session) refuseOddLogin(in *incoming) {
	if len(in.plain) <= longestShort {
		if in.kind == StrangeMessage {
			s.End(NotTheProtocol, in.kind.String()+" message "+s.state.String())
		}
		return
	}
	s.Log().Warn("login of an unknown form", "message", in.kind.String(), "length", len(in.plain))
	s.server.count.loginsFailed.Add(1)
	s.refuseLogin(refusal{reason: LoginRefused, detail: "a login of an unknown form"})
}
