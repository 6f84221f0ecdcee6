package api

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"sphereserver/server/webserver"
)

// hostKey is a host as names are compared.
func hostKey(host string) string {
	return strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
}

// knows reports whether a request may call the server by this name: the name of this machine, the address that it
// listens on or that it was reached at, or one of the operator's names. A name that a stranger has pointed here is
// none of these.
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

// isNear reports whether a request comes from this machine or from one of the networks that may read metrics.
func (s *Server) isNear(r *http.Request) bool {
	a := webserver.ClientAddr(r)
	return a.IsLoopback() || slices.ContainsFunc(s.networks, func(n netip.Prefix) bool { return n.Contains(a) })
}
