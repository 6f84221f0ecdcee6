package public

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strings"
	"time"

	"sphereserver/server/admin/web"
	"sphereserver/server/geography"
	"sphereserver/server/ops"
	"sphereserver/server/webserver"
)

// How long answers hold.
const (
	statusLife = 2 * time.Second
	onlineLife = 3 * time.Second
	topLife    = time.Minute
)

// table is all that can be asked for, by path.
func (s *Server) table() map[string]*cached {
	all := map[string]*cached{
		"/api/status": {life: statusLife, cache: "public, max-age=2", make: asJSON(s.status)},
		"/api/online": {life: onlineLife, cache: "public, max-age=3", make: asJSON(s.online)},
		"/api/top":    {life: topLife, cache: "public, max-age=60", make: asJSON(s.top)},
		"/api/map":    {cache: "public, max-age=3600", make: asJSON(s.geography)},
	}
	for _, c := range all {
		c.kind = "application/json; charset=utf-8"
	}
	for name, body := range web.Public() {
		c := &cached{kind: kinds[path.Ext(name)], cache: "no-cache",
			make: func(context.Context) ([]byte, error) { return body, nil }}
		if path.Dir(name) == "assets" { // their names change with their content
			c.cache = "public, max-age=31536000, immutable"
		}
		if name == web.PublicPage {
			name = ""
		}
		all["/"+name] = c
	}
	for _, c := range all {
		c.log = s.o.Log
	}
	return all
}

// kinds are the types of the page's files.
var kinds = map[string]string{".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".md": "text/markdown; charset=utf-8",
	".png": "image/png"}

// asJSON encodes an answer as JSON. Text of players in it cannot be taken for HTML.
func asJSON[T any](tell func(context.Context) (T, error)) func(context.Context) ([]byte, error) {
	return func(ctx context.Context) ([]byte, error) {
		v, err := tell(ctx)
		if err != nil {
			return nil, err
		}
		return json.Marshal(v)
	}
}

func (s *Server) geography(context.Context) (geography.World, error) {
	w := geography.Whole(s.o.Game.World().Balance)
	s.o.Maps.Describe(&w)
	return w, nil
}

// A refusal is why a request is not answered.
type refusal struct {
	status int
	code   string // for programs
	text   ops.Text
}

var (
	refusedMethod = refusal{http.StatusMethodNotAllowed, "method",
		ops.Text{Russian: "Здесь можно только смотреть: GET и HEAD.", English: "Here one can only look: GET and HEAD."}}
	refusedBody = refusal{http.StatusBadRequest, "body",
		ops.Text{Russian: "В запросе не должно быть тела.", English: "A request must have no body."}}
	refusedRate = refusal{http.StatusTooManyRequests, "rate",
		ops.Text{Russian: "Слишком много запросов, подождите немного.", English: "Too many requests, wait a little."}}
	refusedPath = refusal{http.StatusNotFound, "not-found",
		ops.Text{Russian: "Здесь ничего нет.", English: "There is nothing here."}}
	refusedNow = refusal{http.StatusServiceUnavailable, "unavailable",
		ops.Text{Russian: "Сервер сейчас не может ответить.", English: "The server cannot answer now."}}
)

// refuse answers with the reason. A request with a body, which is not read here, loses its connection, so that the
// server does not wait for the rest of the body.
func refuse(w http.ResponseWriter, r *http.Request, why refusal) {
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	if r.ContentLength != 0 {
		h.Set("Connection", "close")
	}
	w.WriteHeader(why.status)
	_ = json.NewEncoder(w).Encode(struct { // a client that has gone
		Error string `json:"error"`
		Code  string `json:"code"`
	}{why.text.In(webserver.SpeaksRussian(r)), why.code})
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	conn := webserver.ConnOf(r.Context())
	conn.Begin()
	defer conn.End()
	webserver.Secure(w, r)
	s.requests.Add(1)
	switch {
	case !s.limits.allow(webserver.ClientAddr(r)):
		s.tooMany.Add(1)
		w.Header().Set("Retry-After", "5")
		refuse(w, r, refusedRate)
		return
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, refusedMethod)
		return
	case r.ContentLength != 0:
		refuse(w, r, refusedBody)
		return
	}
	if name, is := strings.CutPrefix(r.URL.Path, tilePath); is {
		s.tile(w, r, name)
		return
	}
	c := s.answers[r.URL.Path]
	if c == nil {
		refuse(w, r, refusedPath)
		return
	}
	a := c.get(r.Context(), time.Now)
	switch {
	case a.err == nil:
		a.send(w, r, c)
	case errors.Is(a.err, errOff):
		refuse(w, r, refusedPath)
	default:
		refuse(w, r, refusedNow)
	}
}
