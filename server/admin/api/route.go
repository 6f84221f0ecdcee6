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
	"sphereserver/server/ops"
)

// A route is one thing that can be asked for.
type route struct {
	method, path string
	public       bool      // nobody has to log in
	need         data.Role // at least, where no verb says so
	localOnly    bool      // only from this machine, or from the networks of the operator's choice
	do           work      // answers with JSON
	raw          func(s *Server, r *request)
	within       time.Duration // for the answer; 0: answerTimeout
}

// least is the role that the route takes at least; [data.Player] for one that is public.
func (r *route) least() data.Role {
	switch {
	case r.public:
		return data.Player
	case r.do.verb != nil:
		return r.do.verb.Least()
	}
	return max(data.Helper, r.need)
}

// work does what a route is for. body is a pointer that the JSON of the request goes into, nil when there is none.
type work struct {
	verb ops.Any // nil for what is no operator's verb
	body func() any
	do   func(s *Server, r *request, body any) (any, error)
}

// noBody is work that takes no body.
func noBody(do func(*Server, *request) (any, error)) work {
	return work{do: func(s *Server, r *request, _ any) (any, error) { return do(s, r) }}
}

// withBody is work that takes a body.
func withBody[B any](do func(*Server, *request, *B) (any, error)) work {
	return work{body: func() any { return new(B) }, do: func(s *Server, r *request, body any) (any, error) {
		return do(s, r, body.(*B))
	}}
}

// byVerb is work that an operator's verb does: of the path and the body of the request, ask makes that of the verb,
// and answer shows what has come of it.
func byVerb[B, R, A any](
	v ops.Verb[R, A], ask func(*Server, *request, *B) (R, error), answer func(*Server, *request, A) (any, error),
) work {
	w := withBody(func(s *Server, r *request, b *B) (any, error) {
		asked, err := ask(s, r, b)
		if err != nil {
			return nil, err
		}
		done, err := v.Do(r.Context(), s.o.Ops, r.who.actor(), asked)
		if err != nil {
			return nil, err
		}
		return answer(s, r, done)
	})
	w.verb = v
	return w
}

// named is a request that names whom it is about.
type named[Request, Name any] interface {
	*Request
	Named() bool
	Of(Name)
}

// about is work that an operator's verb does to whom the path names; the body is the rest of the verb's request.
func about[R, A, N any, P named[R, N]](
	v ops.Verb[R, A], whom func(*Server, *request) (N, error), answer func(*Server, *request, A) (any, error),
) work {
	return byVerb(v, func(s *Server, r *request, b *R) (R, error) {
		if P(b).Named() {
			var f fieldErrors
			f.add("login", unknownFieldText)
			return *b, f.err()
		}
		name, err := whom(s, r)
		P(b).Of(name)
		return *b, err
	}, answer)
}

// asIs answers with what the verb does.
func asIs[A any](_ *Server, _ *request, a A) (any, error) { return a, nil }

// quiet answers that it is done.
func quiet[A any](*Server, *request, A) (any, error) { return nothing{}, nil }

// perform does an operator's verb that is a part of other work.
func perform[R, A any](s *Server, r *request, v ops.Verb[R, A], asked R) (A, error) {
	return v.Do(r.Context(), s.o.Ops, r.who.actor(), asked)
}

// verbRoutes are one route for each verb. The command line uses these, and programs may.
func verbRoutes() []route {
	var out []route
	for _, v := range ops.Verbs() {
		out = append(out, route{method: "POST", path: admin.VerbPath(v.Name()), within: longWork, do: work{
			verb: v, body: v.NewRequest, do: func(s *Server, r *request, body any) (any, error) {
				return v.DoAny(r.Context(), s.o.Ops, r.who.actor(), body)
			}}})
	}
	return out
}

// A request is one that is being worked on.
type request struct {
	*http.Request
	w   http.ResponseWriter
	who caller
}

// A caller is who asks: a browser with a session, a program with a token, or a command of the machine's owner.
type caller struct {
	account data.Account
	role    data.Role
	session *session    // nil for a token
	token   *data.Token // nil for a session
	owner   *ops.Actor  // nil for those two
}

// actor is who it was, for verbs and the audit trail.
func (c *caller) actor() ops.Actor {
	a := ops.Actor{Account: c.account.ID, Name: c.account.Login, Role: c.role}
	switch {
	case c.owner != nil:
		return *c.owner
	case c.token != nil:
		a.Name = fmt.Sprintf("%s, token %q", c.account.Login, c.token.Name)
	}
	return a
}

var (
	unauthorizedText = text{"Нужно войти.", "Log in first."}
	badTokenText     = text{"Ключ неверен, просрочен или отозван.",
		"The token is wrong, has expired or was taken back."}
	csrfText = text{"Нужен заголовок X-CSRF-Token со значением из /api/me.",
		"Expected the header X-CSRF-Token with the value of /api/me."}
	localOnlyText = text{"Это доступно только с самой машины или из сетей admin.networks.", "This is for this machine and the networks of admin.networks."}
	tooFastText   = text{"Слишком много запросов. Подождите.",
		"Too many requests. Wait a while."}
)

// route answers requests of one route.
func (s *Server) route(route *route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.answer(route, &request{Request: r, w: w}) })
}

// answer does what a request of a route asks for.
func (s *Server) answer(route *route, r *request) {
	within := route.within
	if within == 0 {
		within = answerTimeout
	}
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	_ = http.NewResponseController(r.w).SetWriteDeadline(time.Now().Add(within + time.Second)) // not all writers can
	r.Request = r.WithContext(ctx)
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
		if err := readBody(r.w, r.Request, body); err != nil {
			s.failTo(r, err)
			return
		}
	}
	answer, err := route.do.do(s, r, body)
	if err != nil {
		s.failTo(r, err)
		return
	}
	writeJSON(r.w, http.StatusOK, answer)
}

func (s *Server) failTo(r *request, err error) {
	e := errorOf(err)
	if e.status >= http.StatusInternalServerError && !errors.Is(err, context.Canceled) {
		s.o.Log.Error("admin: request failed", "method", r.Method, "path", r.URL.Path, "login", r.who.account.Login,
			"error", err)
	}
	russian := speaksRussian(r.Request)
	if l := r.who.account.Language; l != "" {
		russian = l == "ru"
	}
	answer := e.answer(russian)
	if r.who.owner != nil && !errors.As(err, new(*apiError)) { // one line of a terminal, with the fields that are wrong
		var inBoth ops.Localized
		if answer.Error = err.Error(); errors.As(err, &inBoth) {
			answer.Error = inBoth.In(russian)
		}
	}
	writeJSON(r.w, e.status, answer)
}

// admit finds out who asks, and says whether he may.
func (s *Server) admit(route *route, r *request) error {
	if route.localOnly && !s.isNear(r.Request) {
		return refuse(http.StatusForbidden, "network", localOnlyText)
	}
	if route.public || r.who.owner != nil {
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
	switch {
	case who.role >= route.least():
		return nil
	case route.do.verb != nil:
		return s.o.Ops.Deny(r.Context(), who.actor(), route.do.verb)
	}
	s.o.Ops.Denied(r.Context(), who.actor(), r.Method+" "+r.URL.Path)
	return ops.RoleRefusal(route.least(), who.role)
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
		t, err := s.o.Store.TokenBySecret(r.Context(), secret)
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
		if err := s.o.Store.TouchToken(r.Context(), t); err != nil {
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
	a, err := s.o.Store.AccountByID(ctx, id)
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
	f      fieldErrors
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
