package api

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"sphereserver/server/admin"
	"sphereserver/server/admin/web"
	"sphereserver/server/ops"
	"sphereserver/server/webserver"
)

func (s *Server) handler() http.Handler {
	page := s.serveRoutes(routes, func(*route, *http.Request) (nobody caller) { return nobody })
	page.Handle("/", webserver.Compressed(http.HandlerFunc(s.page)))
	page.HandleFunc("/api/", s.noRoute(page))
	page.HandleFunc("/debug/", s.noRoute(page))
	commands := s.serveRoutes(verbRoutes, s.ownerOf)
	commands.HandleFunc("/", s.noRoute(commands))
	s.local.verbs = commands
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := webserver.ConnOf(r.Context())
		c.Begin()
		defer c.End()
		webserver.Secure(w, r)
		switch {
		case s.local.listener != nil && r.Context().Value(listenerKey{}) == s.local.listener:
			s.serveCommand(w, r)
		case !s.knows(r):
			s.fail(&request{Request: r, w: w}, errHost)
		case cross.Check(r) != nil:
			s.fail(&request{Request: r, w: w}, errCrossSite)
		default:
			page.ServeHTTP(w, r)
		}
	})
}

// serveRoutes answers requests of a table of routes; the function returns the caller as far as it is known at first.
func (s *Server) serveRoutes(table []route, who func(*route, *http.Request) caller) *http.ServeMux {
	mux := http.NewServeMux()
	for i := range table {
		route := &table[i]
		var answer http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			s.answer(route, &request{Request: r, w: w, who: who(route, r)})
		})
		if route.raw == nil { // a stream, or a large answer, goes as it is
			answer = webserver.Compressed(answer)
		}
		mux.Handle(route.method+" "+route.path, answer)
	}
	return mux
}

func (s *Server) noRoute(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var methods []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			other := *r
			other.Method = method
			if _, pattern := mux.Handler(&other); strings.HasPrefix(pattern, method+" ") {
				methods = append(methods, method)
			}
		}
		if methods == nil {
			s.fail(&request{Request: r, w: w}, errNoRoute)
			return
		}
		w.Header().Set("Allow", strings.Join(methods, ", "))
		s.fail(&request{Request: r, w: w}, errMethod.with(strings.Join(methods, ", ")))
	}
}

// serveCommand does a verb for the owner of the machine, which shows the token of the control file.
func (s *Server) serveCommand(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sent, at := sha256.Sum256([]byte(token)), s.local.host
	switch {
	// A browser that was lured to another name for this address, or that a page makes speak to us, is turned away.
	case r.Host != at || r.Header.Get("Origin") != "":
		s.fail(&request{Request: r, w: w}, errLocalHost.with(at))
	case subtle.ConstantTimeCompare(sent[:], s.local.token[:]) != 1:
		s.fail(&request{Request: r, w: w}, errLocalToken.with(admin.ControlFile))
	default:
		webserver.ConnOf(r.Context()).Vouch()
		s.local.verbs.ServeHTTP(w, r)
	}
}

// ownerOf is the owner of the machine, as the author of a command.
func (s *Server) ownerOf(route *route, r *http.Request) caller {
	who, _ := url.QueryUnescape(r.Header.Get(admin.OperatorHeader)) // "" of an unreadable one
	owner := ops.Owner(who)
	level := slog.LevelInfo
	if !ops.IsAudited(route.do.verb) { // a state that is asked for is no event
		level = slog.LevelDebug
	}
	s.o.Log.Log(r.Context(), level, "operator", "verb", route.do.verb.Name(), "who", owner.Name)
	return caller{role: owner.Role, owner: &owner}
}

var pageFiles, _ = web.Page()

// page serves the files of the page. A path without a file is the page itself, which finds its way by the address.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		s.fail(&request{Request: r, w: w}, errMethod.with("GET"))
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	if name == "" || path.Ext(name) == "" {
		name = "index.html"
	}
	body, err := fs.ReadFile(pageFiles, name)
	if err != nil {
		s.fail(&request{Request: r, w: w}, errNoRoute)
		return
	}
	w.Header().Set("Cache-Control", "no-cache")
	if strings.HasPrefix(name, "assets/") { // their names change with their contents
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
