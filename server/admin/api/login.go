package api

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"sphereserver/data"
)

// hashing checks passwords, one at a time and few waiting, so that nobody can keep the processors from the players.
type hashing struct {
	turn  chan struct{}
	queue chan struct{}
	decoy func() string // of no account
}

const hashQueue = 8

func newHashing() hashing {
	return hashing{turn: make(chan struct{}, 1), queue: make(chan struct{}, hashQueue),
		decoy: sync.OnceValue(func() string {
			hash, err := data.HashPassword("decoy", data.DefaultHashParams)
			if err != nil {
				panic("api: " + err.Error()) // the default parameters are good
			}
			return hash
		})}
}

var errBusy = errors.New("too many passwords are being checked")

// check says whether a password is that of a hash; "" is that of no account, which takes as long.
func (h hashing) check(ctx context.Context, hash, password string) (bool, error) {
	select {
	case h.queue <- struct{}{}:
		defer func() { <-h.queue }()
	default:
		return false, errBusy
	}
	select {
	case h.turn <- struct{}{}:
		defer func() { <-h.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	known := hash != ""
	if !known {
		hash = h.decoy()
	}
	ok, _, err := data.VerifyPassword(hash, password)
	return ok && known, err
}

type loginBody struct {
	Login    string `json:"login"`
	Password string `json:"password"`
}

func (b *loginBody) check(f *fieldErrors) {
	f.line("login", b.Login, 100, true)
	if b.Password == "" {
		f.add("password", missingText)
	}
}

var (
	loginRefusedText = text{"Неверный логин или пароль.", "Wrong login or password."}
	noOperatorText   = text{"Эта учётная запись не принадлежит ни помощнику, ни мастеру игры, ни администратору.",
		"This account is neither a helper's, nor a game master's, nor an administrator's."}
	bannedText    = text{"Вход для этой учётной записи закрыт.", "This account is banned."}
	throttledText = text{"Слишком много неудачных попыток. Подождите.",
		"Too many failed attempts. Wait a while."}
	busyText = text{"Сейчас проверяется слишком много паролей. Попробуйте ещё раз.", "Too many passwords are being checked. Try again."}
)

// login makes a session for a browser.
func login(s *Server, r *request, b *loginBody) (any, error) {
	from := clientAddr(r.Request)
	if !s.guard.Allowed(from, b.Login, time.Now()) {
		return nil, refuse(http.StatusTooManyRequests, "throttled", throttledText)
	}
	account, err := s.o.Store.AccountByLogin(r.Context(), b.Login)
	if err != nil && !errors.Is(err, data.ErrNotFound) {
		return nil, err
	}
	ok, err := s.hashing.check(r.Context(), account.PasswordHash, b.Password)
	switch {
	case errors.Is(err, errBusy):
		return nil, refuse(http.StatusServiceUnavailable, "busy", busyText)
	case err != nil:
		return nil, err
	case !ok:
		s.guard.Failed(from, b.Login, time.Now())
		s.o.Log.Warn("admin page: login refused", "login", b.Login, "address", from.String())
		return nil, refuse(http.StatusUnauthorized, "login", loginRefusedText)
	}
	who := caller{account: account, role: account.Role}
	switch {
	case account.Ban != nil && account.Ban.Holds(time.Now()):
		s.guard.Failed(from, b.Login, time.Now()) // he is not to fill the audit trail
		s.o.Ops.Denied(r.Context(), who.actor(), "login")
		return nil, refuse(http.StatusForbidden, "banned", bannedText)
	case account.Role < data.Helper:
		s.guard.Failed(from, b.Login, time.Now())
		s.o.Ops.Denied(r.Context(), who.actor(), "login")
		return nil, refuse(http.StatusForbidden, "role", noOperatorText)
	}
	s.guard.Succeeded(from, b.Login)
	entry := data.AuditEntry{Who: account.Login, Action: "admin login", Target: account.Login, Detail: from.String()}
	if err := s.o.Store.AppendAudit(r.Context(), entry); err != nil {
		// Operators are needed most when nothing can be written.
		s.o.Log.Warn("admin page: cannot write down a login", "login", account.Login, "error", err)
	}
	secret, made := s.sessions.begin(&account)
	r.setCookie(secret, int(sessionLife.Seconds()))
	who.session = &made
	r.who = who
	return s.me(r), nil
}

// setCookie gives the browser its session; maxAge -1 takes it away.
func (r *request) setCookie(secret string, maxAge int) {
	http.SetCookie(r.w, &http.Cookie{Name: cookieName, Value: secret, Path: "/", MaxAge: maxAge, HttpOnly: true,
		Secure:   encrypted(r.Request),
		SameSite: http.SameSiteStrictMode})
}

// logout ends the session of a browser. A token has none.
func logout(s *Server, r *request, _ *nothing) (any, error) {
	if c, err := r.Cookie(cookieName); err == nil {
		s.sessions.end(c.Value)
	}
	r.setCookie("", -1)
	return nothing{}, nil
}

// nothing is the answer of what has nothing to tell.
type nothing struct{}

// meAnswer is who asks.
type meAnswer struct {
	Login    string    `json:"login"`
	Role     data.Role `json:"role"`
	CSRF     string    `json:"csrf"` // empty for tokens
	Language string    `json:"language"`
	Version  string    `json:"version"`
	Name     string    `json:"name"` // of the server
}

func me(s *Server, r *request) (any, error) { return s.me(r), nil }

func (s *Server) me(r *request) meAnswer {
	m := meAnswer{Login: r.who.account.Login, Role: r.who.role, Language: r.who.account.Language, Version: s.o.Version,
		Name: s.o.Config.Settings().Name}
	if r.who.session != nil {
		m.CSRF = r.who.session.csrf
	}
	return m
}
