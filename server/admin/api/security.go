package api

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// policy lets the page load what comes from this server, and nothing else; nothing inline.
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// securityHeaders are on every answer.
var securityHeaders = map[string]string{
	"Server":                       "sphere",
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

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
	return a.IsLoopback() || slices.ContainsFunc(s.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}
