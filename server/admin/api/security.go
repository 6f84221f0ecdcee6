package api

import (
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// policy lets the page load what comes from this server, and nothing else; nothing inline.
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// securityHeaders are on every answer.
var securityHeaders = map[string]string{
	"Server":                       serverHeader,
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

var (
	wrongHostText = text{"Под этим именем страница не открывается. Добавьте его в admin.hosts.",
		"The page is not known by this name. Add it to admin.hosts."}
	crossSiteText = text{"Запрос пришёл с другого сайта.", "The request comes from another site."}
	noRouteText   = text{"Такого адреса нет.", "There is nothing at this address."}
	methodText    = text{"Здесь нужен другой метод: %s.", "Expected the method %s here."}
)

// hostKey is a host as names are compared.
func hostKey(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// knows says whether a request may call the server by this name: that of this machine, the address that it listens on
// or that it was reached at, or one of the operator's. A name that somebody else has made lead here is none of these.
func (s *Server) knows(r *http.Request) bool {
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	host = hostKey(host)
	if host == "localhost" || s.hosts[host] {
		return true
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	if a = a.Unmap(); a.IsLoopback() || a == s.addr.Addr() {
		return true
	}
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	at, err := netip.ParseAddrPort(local.String())
	return err == nil && at.Addr().Unmap().WithZone("") == a
}

// clientAddr is who asks. A proxy on this machine is believed who asked it; nobody else is.
func clientAddr(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	a := peer.Addr().Unmap().WithZone("")
	if !a.IsLoopback() {
		return a
	}
	forwarded := r.Header.Values("X-Forwarded-For")
	if len(forwarded) == 0 {
		return a
	}
	hops := strings.Split(forwarded[len(forwarded)-1], ",")
	last, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
	if err != nil {
		return netip.Addr{} // of no network
	}
	return last.Unmap().WithZone("")
}

// encrypted says whether the browser speaks TLS, with this server or with a proxy on this machine.
func encrypted(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && peer.Addr().Unmap().IsLoopback() && r.Header.Get("X-Forwarded-Proto") == "https"
}

// isNear says whether a request comes from this machine or from one of the networks that may read metrics.
func (s *Server) isNear(r *http.Request) bool {
	a := clientAddr(r)
	if a.IsLoopback() {
		return true
	}
	for _, n := range s.networks {
		if n.Contains(a) {
			return true
		}
	}
	return false
}

// handler answers all requests.
func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	for i := range routes {
		r := &routes[i]
		mux.Handle(r.method+" "+r.path, s.route(r))
	}
	mux.Handle("/", http.HandlerFunc(s.page))
	mux.Handle("/api/", http.HandlerFunc(s.noRoute))
	mux.Handle("/debug/", http.HandlerFunc(s.noRoute))
	cross := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range securityHeaders {
			w.Header().Set(name, value)
		}
		if encrypted(r) {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		switch {
		case s.isLocal(r):
			s.local.serve(s, w, r)
		case !s.knows(r):
			s.fail(w, r, refuse(http.StatusForbidden, "host", wrongHostText))
		case cross.Check(r) != nil:
			s.fail(w, r, refuse(http.StatusForbidden, "cross-site", crossSiteText))
		default:
			mux.ServeHTTP(w, r)
		}
	})
}

// noRoute answers what is in no route.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	var methods []string
	for i := range routes {
		if routes[i].method != r.Method && pathFits(routes[i].path, r.URL.Path) {
			methods = append(methods, routes[i].method)
		}
	}
	if len(methods) > 0 {
		w.Header().Set("Allow", strings.Join(methods, ", "))
		s.fail(w, r, refuse(http.StatusMethodNotAllowed, "method", methodText, strings.Join(methods, ", ")))
		return
	}
	s.fail(w, r, refuse(http.StatusNotFound, "no-route", noRouteText))
}

// pathFits says whether a path is one of a pattern.
func pathFits(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && !strings.HasPrefix(want[i], "{") {
			return false
		}
	}
	return true
}

// fail answers with a problem, in the language that the client asks for.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, p *apiError) {
	if p.status >= http.StatusInternalServerError {
		s.o.Log.Error("admin page: request failed", "method", r.Method, "path", r.URL.Path, "error", p.Error())
	}
	writeJSON(w, p.status, p.answer(speaksRussian(r)))
}

// speaksRussian says whether the client asks for Russian before English.
func speaksRussian(r *http.Request) bool {
	for lang := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		switch lang = strings.ToLower(strings.TrimSpace(lang)); {
		case strings.HasPrefix(lang, "ru"):
			return true
		case strings.HasPrefix(lang, "en"):
			return false
		}
	}
	return false
}
