package api

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// maxLocalConnections bounds the commands that come at a time.
const maxLocalConnections = 16

// A local is the listener for the command line: on a free port of 127.0.0.1, whatever the settings of the page are.
// Who can read the control file of the data folder may use it, and needs no account.
type local struct {
	listener net.Listener
	token    [sha256.Size]byte // hashed, so that comparing takes the same time whatever was sent
	verbs    map[string]*route // by path
}

// listenLocal opens the listener and tells of it in the control file.
func (s *Server) listenLocal() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("control listener: %w", err)
	}
	token, err := admin.WriteControlFile(s.o.Store.Dir(), l.Addr().String())
	if err != nil {
		l.Close()
		return nil, fmt.Errorf("control listener: %w", err)
	}
	s.local = newLocal(&limitedListener{Listener: l, most: maxLocalConnections}, token)
	return s.local.listener, nil
}

func newLocal(l net.Listener, token string) *local {
	out := &local{listener: l, token: sha256.Sum256([]byte(token)), verbs: map[string]*route{}}
	for i := range routes {
		if r := &routes[i]; strings.HasPrefix(r.path, admin.VerbPath("")) {
			out.verbs[r.path] = r
		}
	}
	return out
}

type listenerKey struct{}

// isLocal says whether a request came by the listener for the command line.
func (s *Server) isLocal(r *http.Request) bool {
	return s.local != nil && r.Context().Value(listenerKey{}) == s.local.listener
}

var (
	localHostText  = text{"Нужен Host: %s без Origin.", "Expected Host: %s and no Origin."}
	localTokenText = text{"Нужен ключ из файла %s.", "Expected the token of %s."}
)

// serve answers a command: its verb is done for the owner of the machine.
func (l *local) serve(s *Server, w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sent := sha256.Sum256([]byte(token))
	route := l.verbs[r.URL.Path]
	switch {
	// A browser that was lured to another name for this address, or that a page makes speak to us, is turned away.
	case r.Host != l.listener.Addr().String() || r.Header.Get("Origin") != "":
		s.fail(w, r, refuse(http.StatusForbidden, "host", localHostText, l.listener.Addr().String()))
		return
	case subtle.ConstantTimeCompare(sent[:], l.token[:]) != 1:
		s.fail(w, r, refuse(http.StatusUnauthorized, "unauthorized", localTokenText, admin.ControlFile))
		return
	case route == nil:
		s.fail(w, r, refuse(http.StatusNotFound, "no-route", noRouteText))
		return
	case r.Method != route.method:
		w.Header().Set("Allow", route.method)
		s.fail(w, r, refuse(http.StatusMethodNotAllowed, "method", methodText, route.method))
		return
	}
	who, err := url.QueryUnescape(r.Header.Get(admin.OperatorHeader))
	if err != nil {
		who = ""
	}
	owner := ops.Owner(who)
	level := slog.LevelInfo
	if route.do.verb.Name() == ops.GetReport.Name() {
		level = slog.LevelDebug // every command begins with it, to see whether anybody answers
	}
	s.o.Log.Log(r.Context(), level, "operator", "verb", route.do.verb.Name(), "who", owner.Name)
	s.answer(route, &request{Request: r, w: w, who: caller{role: owner.Role, owner: &owner}})
}

// A limitedListener closes connections beyond a number at once: nobody waits for a place.
type limitedListener struct {
	net.Listener
	most int32
	open atomic.Int32
}

// Accept returns the next connection that there is room for.
func (l *limitedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if l.open.Add(1) <= l.most {
			return &limitedConn{Conn: c, free: sync.OnceFunc(func() { l.open.Add(-1) })}, nil
		}
		l.open.Add(-1)
		c.Close()
	}
}

// A limitedConn makes room when it is closed.
type limitedConn struct {
	net.Conn
	free func()
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	c.free()
	return c.Conn.Close()
}
