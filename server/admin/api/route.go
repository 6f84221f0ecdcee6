package api

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
)

// A route is one thing that can be asked for.
type route struct {
	method, path string
	need         data.Role // at least; Player: nobody has to log in
	nearby       bool      // only from this machine, or from the networks of the operator's choice
	do           work      // answers with JSON
	raw          func(s *Server, r *request)
	within       time.Duration // for the answer; 0: answerTimeout
}

// work does what a route is for. body is a pointer that the JSON of the request goes into, nil when there is none.
type work struct {
	body func() any
	do   func(s *Server, r *request, body any) (any, error)
}

// asked is work that takes no body.
func asked(do func(*Server, *request) (any, error)) work {
	return work{do: func(s *Server, r *request, _ any) (any, error) { return do(s, r) }}
}

// told is work that takes a body.
func told[B any](do func(*Server, *request, *B) (any, error)) work {
	return work{body: func() any { return new(B) }, do: func(s *Server, r *request, body any) (any, error) { return do(s, r, body.(*B)) }}
}

// A request is one that is being worked on.
type request struct {
	*http.Request
	w   http.ResponseWriter
	who caller
}

// A caller is who asks: a browser with a session, or a program with a token.
type caller struct {
	account data.Account
	role    data.Role
	session *session    // nil for a token
	token   *data.Token // nil for a session
}

// name is who it was, for the audit trail.
func (c *caller) name() string {
	if c.token != nil {
		return fmt.Sprintf("%s, token %q", c.account.Login, c.token.Name)
	}
	return c.account.Login
}

var (
	unauthorizedText = text{"Нужно войти.", "Log in first."}
	badTokenText     = text{"Ключ неверен, просрочен или отозван.", "The token is wrong, has expired or was taken back."}
	csrfText         = text{"Нужен заголовок X-CSRF-Token со значением из /api/me.", "Expected the header X-CSRF-Token with the value of /api/me."}
	roleText         = text{"Для этого нужна роль %s, а у вас %s.", "This needs the role %s, yours is %s."}
	nearbyText       = text{"Это доступно только с самой машины или из сетей admin.networks.", "This is for this machine and the networks of admin.networks."}
	tooFastText      = text{"Слишком много запросов. Подождите.", "Too many requests. Wait a while."}
)

// route answers requests of one route.
func (s *Server) route(route *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, plain *http.Request) {
		within := route.within
		if within == 0 {
			within = answerTimeout
		}
		ctx, cancel := context.WithTimeout(plain.Context(), within)
		defer cancel()
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(within + time.Second)) // not all writers can
		r := &request{Request: plain.WithContext(ctx), w: w}
		if err := s.admit(route, r); err != nil {
			s.failTo(r, err)
			return
		}
		if route.raw != nil {
			route.raw(s, r)
			return
		}
		var body any
		if route.do.body != nil {
			body = route.do.body()
			if err := readBody(w, r.Request, body); err != nil {
				s.failTo(r, err)
				return
			}
		}
		if r.who.account.ID != 0 {
			r.Request = r.WithContext(admin.As(r.Context(), r.who.name()))
		}
		answer, err := route.do.do(s, r, body)
		if err != nil {
			s.failTo(r, err)
			return
		}
		writeJSON(w, http.StatusOK, answer)
	})
}

func (s *Server) failTo(r *request, err error) {
	p := problemOf(err)
	if p.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) {
		s.o.Log.Error("admin page: request failed", "method", r.Method, "path", r.URL.Path, "login", r.who.account.Login, "error", err)
	}
	russian := speaksRussian(r.Request)
	if l := r.who.account.Language; l != "" {
		russian = l == "ru"
	}
	writeJSON(r.w, p.status, p.answer(russian))
}

// admit finds out who asks, and says whether he may.
func (s *Server) admit(route *route, r *request) error {
	if route.nearby && !s.nearby(r.Request) {
		return refuse(http.StatusForbidden, "network", nearbyText)
	}
	if route.need == data.Player {
		return nil
	}
	who, err := s.identify(r)
	if err != nil {
		return err
	}
	r.who = who
	var rated any = who.account.ID
	if who.token != nil {
		rated = who.token.ID
	}
	if !s.sessions.allow(rated) {
		return refuse(http.StatusTooManyRequests, "rate", tooFastText)
	}
	if changes := r.Method != http.MethodGet && r.Method != http.MethodHead; changes && who.session != nil {
		if subtle.ConstantTimeCompare([]byte(r.Header.Get("X-CSRF-Token")), []byte(who.session.csrf)) != 1 {
			return refuse(http.StatusForbidden, "csrf", csrfText)
		}
	}
	if who.role < route.need {
		return s.denied(r, who, r.Method+" "+r.URL.Path, refuse(http.StatusForbidden, "role", roleText, route.need, who.role))
	}
	return nil
}

// denied writes down that somebody has tried what he may not do.
func (s *Server) denied(r *request, who caller, what string, p *problem) error {
	entry := data.AuditEntry{Who: who.name(), Action: "admin refused", Target: who.account.Login, Detail: what}
	if err := s.o.Ops.Store.AppendAudit(r.Context(), entry); err != nil {
		s.o.Log.Warn("admin page: cannot write down a refusal", "login", who.account.Login, "what", what, "error", err)
	}
	return p
}

// identify finds out who asks. What an account may do counts as it is now, not as it was at the login.
func (s *Server) identify(r *request) (caller, error) {
	unauthorized := func(t text) (caller, error) {
		return caller{}, refuse(http.StatusUnauthorized, "unauthorized", t)
	}
	if header := r.Header.Get("Authorization"); header != "" {
		secret, ok := strings.CutPrefix(header, "Bearer ")
		if !ok {
			return unauthorized(badTokenText)
		}
		t, err := s.o.Ops.Store.TokenBySecret(r.Context(), secret)
		if errors.Is(err, data.ErrNotFound) {
			return unauthorized(badTokenText)
		} else if err != nil {
			return caller{}, err
		}
		who, err := s.callerOf(r.Context(), t.Account)
		if err != nil {
			return caller{}, err
		}
		who.role, who.token = min(t.Role, who.role), &t
		if who.role < data.Helper {
			return unauthorized(badTokenText)
		}
		if err := s.o.Ops.Store.TouchToken(r.Context(), t); err != nil {
			s.o.Log.Debug("admin page: cannot note the use of a token", "error", err)
		}
		return who, nil
	}
	cookie, err := r.Cookie(cookieName)
	if err != nil {
		return unauthorized(unauthorizedText)
	}
	found, ok := s.sessions.of(cookie.Value)
	if !ok {
		return unauthorized(unauthorizedText)
	}
	who, err := s.callerOf(r.Context(), found.account)
	if err != nil {
		return caller{}, err
	}
	if who.role < data.Helper || who.account.PasswordHash != found.password {
		s.sessions.end(cookie.Value)
		return unauthorized(unauthorizedText)
	}
	who.session = &found
	return who, nil
}

// callerOf is an account as it is now; without a role if it is banned or gone.
func (s *Server) callerOf(ctx context.Context, id data.AccountID) (caller, error) {
	a, err := s.o.Ops.Store.AccountByID(ctx, id)
	if errors.Is(err, data.ErrNotFound) {
		return caller{}, nil
	}
	if err != nil {
		return caller{}, err
	}
	c := caller{account: a, role: a.Role}
	if a.Ban != nil && a.Ban.Holds(time.Now()) {
		c.role = data.Player
	}
	return c, nil
}

var noSuchText = text{"Такого нет: %s", "There is no such thing: %s"}

// number reads the number in a path.
func (r *request) number(name string) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || n <= 0 {
		return 0, refuse(http.StatusNotFound, "not-found", noSuchText, r.PathValue(name))
	}
	return n, nil
}

// A query is what stands behind the ? of an address.
type query struct {
	values url.Values
	f      faults
}

func (r *request) ask(known ...string) *query {
	q := &query{values: r.URL.Query()}
	for name := range q.values {
		found := false
		for _, k := range known {
			found = found || k == name
		}
		if !found {
			q.f.add(name, unknownFieldText)
		}
	}
	return q
}

// text reads a text of the query.
func (q *query) text(name string) string {
	v := q.values.Get(name)
	q.f.line(name, v, 200, false)
	return v
}

// number reads a number of the query, usual when it is missing.
func (q *query) number(name string, usual, least, most int) int {
	v := q.values.Get(name)
	if v == "" {
		return usual
	}
	n, err := strconv.Atoi(v)
	if err != nil || n < least || n > most {
		q.f.add(name, rangeText, least, most)
		return usual
	}
	return n
}
