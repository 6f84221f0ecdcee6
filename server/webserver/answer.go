package webserver

import (
	"compress/gzip"
	"net/http"
	"net/netip"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

// policy lets the page load files of this server only, and nothing inline.
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"

// securityHeaders are on every answer.
var securityHeaders = map[string]string{
	"Server":                       ServerName,
	"Content-Security-Policy":      policy,
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	"Referrer-Policy":              "no-referrer",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}

// ServerName is the value of the header Server of all answers.
const ServerName = "sphere"

// Secure puts the headers of security on an answer.
func Secure(w http.ResponseWriter, r *http.Request) {
	for name, value := range securityHeaders {
		w.Header().Set(name, value)
	}
	if Encrypted(r) {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000")
	}
}

// Compressed compresses answers of 1 KiB and more for clients that accept gzip. Only texts are worth it; the fastest
// level is enough for so few requests.
var Compressed = func() func(http.Handler) http.Handler {
	texts := []string{"application/json", "text/html", "text/css", "text/javascript", "text/markdown", "image/svg+xml"}
	wrap, err := gzhttp.NewWrapper(gzhttp.MinSize(1<<10), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.EnableZstd(false), gzhttp.ContentTypes(texts))
	if err != nil {
		panic("webserver: " + err.Error()) // the options are good
	}
	return func(h http.Handler) http.Handler { return wrap(h) }
}()

// peerOf is the address that a request comes from, and whether its headers about other clients are believed: those of
// this machine and of the proxies of the listener are.
func peerOf(r *http.Request) (a netip.Addr, believed bool) {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}, false
	}
	a = peer.Addr().Unmap().WithZone("")
	c := ConnOf(r.Context())
	return a, a.IsLoopback() || c != nil && c.proxy
}

// ClientAddr is the address of the client. X-Forwarded-For counts from a proxy on this machine, or of [NewListener]. Of
// another machine's loopback it says nothing: that is not this machine's.
func ClientAddr(r *http.Request) netip.Addr {
	a, believed := peerOf(r)
	forwarded := r.Header.Values("X-Forwarded-For")
	if !believed || len(forwarded) == 0 {
		return a
	}
	hops := strings.Split(forwarded[len(forwarded)-1], ",")
	last, err := netip.ParseAddr(strings.TrimSpace(hops[len(hops)-1]))
	if err != nil {
		return netip.Addr{} // of no network
	}
	if last = last.Unmap().WithZone(""); last.IsLoopback() && !a.IsLoopback() {
		return a
	}
	return last
}

// Encrypted reports whether the browser speaks TLS, with this server or with a proxy that is believed.
func Encrypted(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	_, believed := peerOf(r)
	return believed && r.Header.Get("X-Forwarded-Proto") == "https"
}

// SpeaksRussian reports whether the client asks for Russian before English.
func SpeaksRussian(r *http.Request) bool {
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
