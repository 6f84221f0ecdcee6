package api

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
	gamesession "sphereserver/server/session"
	"sphereserver/server/webserver"
)

type loginBody struct {
	Login    string `json:"login"`
	Password string `json:"password"`
}

func (b *loginBody) check(f *fieldErrors) {
	f.line("login", b.Login, 100, true)
	if b.Password == "" {
		f.Add("password", missingText)
	}
}

func login(s *Server, r *request, b *loginBody) (any, error) {
	from := webserver.ClientAddr(r.Request)
	account, err := s.o.Store.AccountByLogin(r.Context(), b.Login)
	if err != nil && !errors.Is(err, data.ErrNotFound) {
		return nil, err
	}
	ok, err := s.passwordFits(r, b, &account)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		s.o.Log.Warn("admin page: login refused", "login", b.Login, "address", from.String())
		return nil, errLogin
	}
	who := caller{account: account, role: account.Role}
	banned := account.Ban != nil && account.Ban.Holds(time.Now())
	if banned || account.Role < data.Helper {
		s.guard.Failed(from, b.Login, time.Now()) // nobody is to fill the audit trail
		s.o.Ops.Denied(r.Context(), who.actor(), "login", "")
		if banned {
			return nil, errBanned
		}
		return nil, errNoOperator
	}
	s.guard.Succeeded(from, b.Login)
	entry := data.AuditEntry{Who: account.Login, Action: ops.PageLogin, Target: account.Login, Detail: from.String()}
	if err := s.o.Store.AppendAudit(r.Context(), entry); err != nil {
		// Operators are needed most when nothing can be written.
		s.o.Log.Warn("admin page: cannot write down a login", "login", account.Login, "error", err)
	}
	secret, made := s.sessions.begin(&account)
	s.setCookie(r, secret, int(sessionLife.Seconds()))
	who.session = &made
	r.who = who
	return me(s, r)
}

// passwordFits reports whether a password is that of an account. The guard is asked again when the turn has come, since
// others may have failed meanwhile; those are counted before the next turn.
func (s *Server) passwordFits(r *request, b *loginBody, account *data.Account) (ok bool, err error) {
	from := webserver.ClientAddr(r.Request)
	mayTry := func() error {
		if s.guard.Check(from, b.Login, account.LastAddress, time.Now()).Of != gamesession.Unlocked {
			return errThrottled
		}
		return nil
	}
	if err := mayTry(); err != nil {
		return false, err
	}
	err = s.hashing.inTurn(r.Context(), func() (err error) {
		if err = mayTry(); err != nil {
			return err
		}
		ok, err = s.hashing.verify(r.Context(), account.PasswordHash, b.Password)
		if err == nil && !ok {
			s.guard.Failed(from, b.Login, time.Now())
		}
		return err
	})
	return ok, err
}

// cookieName is the name of a session's cookie. It has the ports by which the server is reached, since browsers send a
// cookie to all ports of a machine: two servers on one would log each other out.
func (s *Server) cookieName(r *request) string {
	name := fmt.Sprintf("%s_%d", cookieName, s.addr.Port())
	_, port, _ := net.SplitHostPort(r.Host)
	if n, err := strconv.ParseUint(port, 10, 16); err == nil && uint16(n) != s.addr.Port() {
		name += fmt.Sprintf("_%d", n)
	}
	return name
}

// setCookie gives the browser its session; maxAge -1 takes it away.
func (s *Server) setCookie(r *request, secret string, maxAge int) {
	http.SetCookie(r.w, &http.Cookie{Name: s.cookieName(r), Value: secret, Path: "/", MaxAge: maxAge, HttpOnly: true,
		Secure: webserver.Encrypted(r.Request), SameSite: http.SameSiteStrictMode})
}

// logout ends the session of a browser. A token has none.
func logout(s *Server, r *request, _ *nothing) (any, error) {
	if c, err := r.Cookie(s.cookieName(r)); err == nil {
		s.sessions.end(c.Value)
	}
	s.setCookie(r, "", -1)
	return nothing{}, nil
}

type meAnswer struct {
	Login    string    `json:"login"`
	Role     data.Role `json:"role"`
	CSRF     string    `json:"csrf"` // empty for tokens
	Language string    `json:"language"`
	Version  string    `json:"version"`
	Name     string    `json:"name"` // of the server
}

func me(s *Server, r *request) (any, error) {
	m := meAnswer{Login: r.who.account.Login, Role: r.who.role, Language: r.who.account.Language, Version: s.o.Version,
		Name: s.o.Config.Settings().Name}
	if r.who.session != nil {
		m.CSRF = r.who.session.csrf
	}
	return m, nil
}
