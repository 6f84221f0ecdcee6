package api

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
	"sphereserver/server/webserver"
)

// A route is one thing that can be asked for.
type route struct {
	method, path string
	public       bool      // nobody has to log in
	need         data.Role // at least, where no verb says so; at least a helper
	localOnly    bool      // only from this machine, or from the networks of the operator's choice
	query        []param   // parameters that may stand behind the ? of the address; nil: it is not looked at
	do           work      // answers with JSON
	raw          func(s *Server, r *request)
	within       time.Duration // for the answer; 0: answerTimeout
	rate         *rate         // of its own; nil: the one of all others
	most         int64         // bytes of the request's body; 0: maxBody
}

// A rate is how often an account or a token may ask.
type rate struct{ perSecond, burst float64 }

// calls is the rate of nearly all requests, tileRate the rate of pictures, of which a map takes dozens at a time.
var (
	calls    = &rate{20, 100}
	tileRate = &rate{100, 1000}
)

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

// work does the work of a route. body is a pointer that the JSON of the request goes into, nil when there is none.
type work struct {
	verb ops.Any // nil for work that is no operator's verb
	body func() any
	do   func(s *Server, r *request, body any) (any, error)
}

func noBody(do func(*Server, *request) (any, error)) work {
	return work{do: func(s *Server, r *request, _ any) (any, error) { return do(s, r) }}
}

func withBody[B any](do func(*Server, *request, *B) (any, error)) work {
	return work{body: func() any { return new(B) }, do: func(s *Server, r *request, body any) (any, error) {
		return do(s, r, body.(*B))
	}}
}

func perform[R, A any](s *Server, r *request, v ops.Verb[R, A], asked R) (A, error) {
	return v.Do(r.Context(), s.o.Ops, r.who.actor(), asked)
}

// asked is work that shows what an operator's verb answers; the verb asks for nothing else.
func asked[A any](v ops.Verb[ops.Empty, A]) work {
	w := noBody(func(s *Server, r *request) (any, error) { return perform(s, r, v, ops.Empty{}) })
	w.verb = v
	return w
}

// nothing is the answer of a route with nothing to tell.
type nothing struct{}

type request struct {
	*http.Request
	w     http.ResponseWriter
	who   caller
	asked query
}

// A caller is a browser with a session, a program with a token, or a command of the machine's owner.
type caller struct {
	account data.Account
	role    data.Role
	session *session    // nil for a token
	token   *data.Token // nil for a session
	owner   *ops.Actor  // nil for those two
}

// actor is the caller as verbs and the audit trail know it.
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

func (s *Server) answer(route *route, r *request) {
	within := route.within
	if within == 0 {
		within = answerTimeout
	}
	ctx, cancel := context.WithTimeout(r.Context(), within)
	defer cancel()
	_ = http.NewResponseController(r.w).SetWriteDeadline(time.Now().Add(within + time.Second)) // not all writers can
	r.Request = r.WithContext(ctx)
	err := s.admit(route, r)
	if err == nil && route.raw != nil {
		route.raw(s, r)
		return
	}
	var answer any
	if err == nil {
		answer, err = s.work(route, r)
	}
	if err != nil {
		s.fail(r, err)
		return
	}
	if r.Method == http.MethodGet {
		r.writeIfNew(answer)
		return
	}
	writeJSON(r.w, http.StatusOK, answer)
}

// work reads the arguments of a request, and does it.
func (s *Server) work(route *route, r *request) (answer any, err error) {
	if route.query != nil {
		if r.asked, err = readQuery(r.URL.Query(), route.query); err != nil {
			return nil, err
		}
	}
	var body any
	if route.do.body != nil {
		body = route.do.body()
		if err := readBody(r.w, r.Request, body, cmp.Or(route.most, maxBody)); err != nil {
			return nil, err
		}
	}
	return route.do.do(s, r, body)
}

// fail answers with an error, in the caller's language.
func (s *Server) fail(r *request, err error) {
	e := errorOf(err)
	own := errors.As(err, new(*apiError)) // a refusal, of which strangers can make many
	if e.status >= http.StatusInternalServerError && !own && !errors.Is(err, context.Canceled) {
		s.o.Log.Error("admin: request failed", "method", r.Method, "path", r.URL.Path, "login", r.who.account.Login,
			"error", err)
	}
	russian := webserver.SpeaksRussian(r.Request)
	if l := r.who.account.Language; l != "" {
		russian = l == "ru"
	}
	answer := e.answer(russian)
	if r.who.owner != nil && !own { // one line of a terminal, with the fields that are wrong
		var inBoth ops.Localized
		if answer.Error = err.Error(); errors.As(err, &inBoth) {
			answer.Error = inBoth.In(russian)
		}
	}
	writeJSON(r.w, e.status, answer)
}

// admit finds the caller of a request, and reports whether it may ask.
func (s *Server) admit(route *route, r *request) (err error) {
	if route.localOnly && !s.isNear(r.Request) {
		return errNetwork
	}
	if route.public || r.who.owner != nil {
		return nil
	}
	if r.who, err = s.identify(r); err != nil {
		return err
	}
	webserver.ConnOf(r.Context()).Vouch()
	who := &r.who
	var rated any = who.account.ID
	if who.token != nil {
		rated = who.token.ID
	}
	if !s.sessions.allow(rated, cmp.Or(route.rate, calls)) {
		return errRate
	}
	if changes := r.Method != http.MethodGet && r.Method != http.MethodHead; changes && who.session != nil &&
		subtle.ConstantTimeCompare([]byte(r.Header.Get("X-CSRF-Token")), []byte(who.session.csrf)) != 1 {
		return errCSRF
	}
	switch {
	case who.role >= route.least():
		return nil
	case route.do.verb != nil:
		return s.o.Ops.Deny(r.Context(), who.actor(), route.do.verb)
	}
	s.o.Ops.Denied(r.Context(), who.actor(), route.method+" "+route.path, "")
	return ops.RoleRefusal(route.least(), who.role)
}

// identify finds the caller of a request. Its rights are the account's present ones, not those at the login.
func (s *Server) identify(r *request) (caller, error) {
	if header := r.Header.Get("Authorization"); header != "" {
		return s.program(r.Context(), header)
	}
	cookie, err := r.Cookie(s.cookieName(r))
	if err != nil {
		return caller{}, errUnauthorized
	}
	found, ok := s.sessions.of(cookie.Value)
	if !ok {
		return caller{}, errUnauthorized
	}
	who, err := s.callerOf(r.Context(), found.account)
	if err != nil {
		return caller{}, err
	}
	if who.role < data.Helper || who.account.PasswordHash != found.password {
		s.sessions.end(cookie.Value)
		return caller{}, errUnauthorized
	}
	who.session = &found
	return who, nil
}

// program finds the account of the token that a program shows.
func (s *Server) program(ctx context.Context, header string) (caller, error) {
	secret, ok := strings.CutPrefix(header, "Bearer ")
	if !ok {
		return caller{}, errBadToken
	}
	t, err := s.o.Store.TokenBySecret(ctx, secret)
	if errors.Is(err, data.ErrNotFound) {
		return caller{}, errBadToken
	} else if err != nil {
		return caller{}, err
	}
	who, err := s.callerOf(ctx, t.Account)
	if err != nil {
		return caller{}, err
	}
	if who.role, who.token = min(t.Role, who.role), &t; who.role < data.Helper {
		return caller{}, errBadToken
	}
	if err := s.o.Store.TouchToken(ctx, t); err != nil {
		s.o.Log.Debug("admin page: cannot note the use of a token", "error", err)
	}
	return who, nil
}

// callerOf is an account as it is now; without a role if it is banned or gone.
func (s *Server) callerOf(ctx context.Context, id data.AccountID) (caller, error) {
	a, err := s.o.Store.AccountByID(ctx, id)
	if errors.Is(err, data.ErrNotFound) {
		return caller{}, nil
	}
	c := caller{account: a, role: a.Role}
	if a.Ban != nil && a.Ban.Holds(time.Now()) {
		c.role = data.Player
	}
	return c, err
}

// id is the number in the path.
func (r *request) id() (int64, error) {
	text := r.PathValue("id")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n <= 0 {
		return 0, errNoSuch.with(text)
	}
	return n, nil
}

// A param is one word that may stand behind the ? of an address: a number from 1 to most, or a text.
type param struct {
	name        string
	usual, most int      // most is 0 for a text
	oneOf       []string // nil: any text
}

var search = param{name: "search"}

func limit(usual, most int) param { return param{name: "limit", usual: usual, most: most} }

// A query is the part of an address behind the ?.
type query struct {
	text   map[string]string
	number map[string]int
}

func readQuery(values url.Values, known []param) (query, error) {
	q := query{map[string]string{}, map[string]int{}}
	var f fieldErrors
	for _, p := range known {
		value := values.Get(p.name)
		values.Del(p.name)
		switch n, err := strconv.Atoi(value); {
		case p.most > 0 && value == "":
			q.number[p.name] = p.usual
		case p.most > 0 && (err != nil || n < 1 || n > p.most):
			f.Add(p.name, rangeText, 1, p.most)
		case p.most > 0:
			q.number[p.name] = n
		default:
			q.text[p.name] = value
			if f.line(p.name, value, 200, false); p.oneOf != nil && !slices.Contains(p.oneOf, value) {
				f.Add(p.name, oneOfText, strings.Join(p.oneOf, ", "))
			}
		}
	}
	for name := range values {
		f.Add(name, unknownFieldText)
	}
	return q, f.err()
}
