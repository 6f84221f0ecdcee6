package public

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/world"
)

// everybody lets everything be seen that can be.
func everything(c *config.Settings) {
	c.Public.Names, c.Public.PlayersOnMap, c.Public.Version = true, true, true
}

// every calls check for each path that there is.
func every(s *Server, check func(path string)) {
	for path := range s.answers {
		check(path)
	}
}

func TestNoAnswerHasSecrets(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "secret-folder")
	g := &scene{world: world.Snapshot{Players: people("Anna", "Chief")}, leaders: []data.Leader{{Name: "Berta"}}}
	g.world.Players[1].Role = world.Role(data.Administrator)
	s := g.serve(t, func(c *config.Settings) {
		everything(c)
		c.Admin.Hosts, c.Admin.Networks = []string{"secret-host.example"}, []string{"198.51.100.77"}
		c.Admin.Cert, c.Admin.Key = filepath.Join(dir, "cert"), filepath.Join(dir, "key")
		c.Log.File = filepath.Join(dir, "log")
		c.Admin.Listen = "127.0.0.1:8861"
	})
	refused := ask(s, "/nothing").Body.String()
	every(s, func(path string) {
		if strings.HasSuffix(path, ".md") || strings.HasPrefix(path, "/assets/") {
			return // files of the build, of no server
		}
		w := ask(s, path)
		all := fmt.Sprint(w.Header(), w.Body.String(), refused)
		for _, secret := range []string{"login-of-", "Chief", "77700", "88800", "secret", "198.51.100.77", "8861", "@",
			"helper", "administrator", "hash"} {
			if strings.Contains(all, secret) {
				t.Errorf("%s tells %q", path, secret)
			}
		}
	})
}

func TestOnlyGETAndHEADAreAnswered(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	every(s, func(path string) {
		for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "TRACE", "PROPFIND", "get",
			"GETX"} {
			w := ask(s, path, func(r *http.Request) { r.Method = method })
			if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
				t.Errorf("%s %s: status %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
		}
		with, without := ask(s, path), ask(s, path, func(r *http.Request) { r.Method = http.MethodHead })
		if with.Code != http.StatusOK || without.Code != http.StatusOK || without.Body.Len() != 0 ||
			with.Header().Get("ETag") != without.Header().Get("ETag") {
			t.Errorf("HEAD %s: status %d with %d bytes; GET: %d", path, without.Code, without.Body.Len(), with.Code)
		}
		w := ask(s, path, func(r *http.Request) { r.Body, r.ContentLength = io.NopCloser(strings.NewReader("x")), 1 })
		if w.Code != http.StatusBadRequest || w.Header().Get("Connection") != "close" {
			t.Errorf("%s with a body: status %d", path, w.Code)
		}
	})
}

func TestStrangePathsAreNotThere(t *testing.T) {
	s := listen(t, (&scene{}).options(nil))
	for _, path := range []string{"/index.html", "/public.html", "/../sphere.toml", "/..%2f..%2fetc/passwd",
		"//api/status", "/api/status/", "/API/STATUS", "/api", "/api/", "/.vite/manifest.json", "/assets/", "/assets/..",
		"/%00", "/api/map%00", "/debug/pprof/", "/metrics", "/healthz", "/" + strings.Repeat("a", 4000), "/\\..\\x",
		"/api/map/tiles/../../x", "*"} {
		conn := must(net.Dial("tcp", s.Addr().String()))
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", path)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("%.40s: %v", path, err)
		}
		if resp.Body.Close(); resp.StatusCode != http.StatusNotFound && resp.StatusCode != http.StatusBadRequest {
			t.Errorf("%.40s: status %d", path, resp.StatusCode)
		}
		conn.Close()
	}
	for _, query := range []string{"?", "?x=" + strings.Repeat("y", 4000), "?%zz", "?;", "?a=1&a=2"} {
		resp := must(http.Get("http://" + s.Addr().String() + "/api/status" + query))
		if resp.Body.Close(); resp.StatusCode != http.StatusOK {
			t.Errorf("%.20s: status %d, expected that it is not looked at", query, resp.StatusCode)
		}
	}
}

func TestEveryAnswerHasTheSecurityHeadersAndNoCookie(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	check := func(path string) {
		w := ask(s, path, header("Origin", "https://evil.example"), header("Cookie", "sphere_admin=x"))
		for _, name := range []string{"Content-Security-Policy", "X-Content-Type-Options", "X-Frame-Options",
			"Referrer-Policy", "Content-Type", "Cache-Control"} {
			if w.Header().Get(name) == "" {
				t.Errorf("%s has no %s", path, name)
			}
		}
		for name := range w.Header() {
			if name == "Set-Cookie" || strings.HasPrefix(name, "Access-Control-") {
				t.Errorf("%s has %s", path, name)
			}
		}
		if strings.Contains(w.Header().Get("Content-Security-Policy"), "unsafe") {
			t.Errorf("%s has the policy %s", path, w.Header().Get("Content-Security-Policy"))
		}
	}
	every(s, check)
	check("/nothing")
}

func TestAnswersAreMadeOnceHoweverManyAsk(t *testing.T) {
	g := &scene{leaders: []data.Leader{{Name: "Berta"}}}
	s := g.serve(t, nil)
	var all sync.WaitGroup
	for i := range 200 {
		all.Go(func() {
			if w := ask(s, "/api/top", from(fmt.Sprintf("192.0.2.%d:1", i))); w.Code != http.StatusOK {
				t.Errorf("status %d", w.Code)
			}
		})
	}
	all.Wait()
	if n := g.asked.Load(); n != 3 { // lists
		t.Errorf("the store was asked %d times by 200 visitors, expected once for each list", n)
	}
}

func TestWhoHasAnAnswerIsNotSentItAgain(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	every(s, func(path string) {
		first := ask(s, path)
		tag := first.Header().Get("ETag")
		if w := ask(s, path, header("If-None-Match", tag)); w.Code != http.StatusNotModified || w.Body.Len() != 0 {
			t.Errorf("%s with its tag %s: status %d, %d bytes", path, tag, w.Code, w.Body.Len())
		}
		w := ask(s, path, header("Range", "bytes=0-3,5-6"))
		if w.Code != http.StatusOK || w.Body.Len() != first.Body.Len() {
			t.Errorf("%s in pieces: status %d", path, w.Code)
		}
		for accept, zipped := range map[string]bool{"gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "": false,
			"gzip; q=0.000": false, "xgzip": false} {
			w := ask(s, path, header("Accept-Encoding", accept))
			if w.Header().Get("Vary") == "" {
				continue // too small
			}
			if is := w.Header().Get("Content-Encoding") == "gzip"; is != zipped {
				t.Errorf("%s to who accepts %q: compressed is %v", path, accept, is)
			} else if is {
				body := must(io.ReadAll(must(gzip.NewReader(w.Body))))
				if !bytes.Equal(body, first.Body.Bytes()) {
					t.Errorf("%s is not the same compressed", path)
				}
			}
		}
	})
	if w := ask(s, "/api/map", header("Accept-Encoding", "gzip")); w.Header().Get("Content-Encoding") != "gzip" {
		t.Error("the map is not compressed")
	}
}

func TestAnAddressThatAsksTooOftenIsRefused(t *testing.T) {
	s := (&scene{}).serve(t, nil)
	now := time.Now()
	s.limits.now = func() time.Time { return now }
	flood := func(n int, address string, change ...func(*http.Request)) (let int) {
		for range n {
			if w := ask(s, "/api/status", append(change, from(address))...); w.Code == http.StatusOK {
				let++
			} else if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
				t.Fatalf("status %d", w.Code)
			}
		}
		return let
	}
	if n := flood(2*burst, "192.0.2.1:5"); n != burst {
		t.Errorf("%d of one address were answered, expected %d", n, burst)
	}
	if n := flood(5, "192.0.2.2:5"); n != 5 {
		t.Errorf("%d of another address were answered", n)
	}
	now = now.Add(time.Second)
	if n := flood(2*perSecond, "192.0.2.1:6"); n != perSecond {
		t.Errorf("%d a second later, expected %d", n, perSecond)
	}
	if n := s.Counters(); n["requests"] != 4*burst/2+5+2*perSecond || n["too_many"] != burst+perSecond {
		t.Errorf("counted %v", n)
	}
	// A household's IPv6 addresses count together, and those of a rented network share four times as much.
	total := 0
	for i := range 8 {
		total += flood(burst, fmt.Sprintf("[2001:db8:1:%x::%x]:5", i, i))
	}
	if total != 4*burst {
		t.Errorf("%d of a /48 were answered, expected %d", total, 4*burst)
	}
	// X-Forwarded-For counts from a proxy on this machine only.
	if n := flood(2*burst, "127.0.0.1:5", header("X-Forwarded-For", "198.51.100.1")); n != burst {
		t.Errorf("%d through a proxy", n)
	}
	if n := flood(1, "127.0.0.1:5", header("X-Forwarded-For", "198.51.100.2")); n != 1 {
		t.Error("two visitors behind a proxy count together")
	}
	if n := flood(3, "192.0.2.1:5", header("X-Forwarded-For", "198.51.100.3")); n != 0 {
		t.Error("a stranger says that he is another")
	}
}

func TestTheMemoryAboutAddressesIsBounded(t *testing.T) {
	l := newLimiter(perSecond, burst)
	now := time.Now()
	l.now = func() time.Time { return now }
	let := 0
	for i := range maxNetworks + 10*burst {
		if l.allow(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})) {
			let++
		}
	}
	if len(l.of) != maxNetworks || let != maxNetworks+4*burst {
		t.Errorf("%d addresses are remembered and %d let in, expected %d and %d", len(l.of), let, maxNetworks,
			maxNetworks+4*burst)
	}
	now = now.Add(time.Minute)
	if !l.allow(netip.MustParseAddr("192.0.2.1")) || len(l.of) > 1 {
		t.Errorf("a minute later %d addresses are remembered", len(l.of))
	}
}

func TestSlowAndHugeRequestsAreCutOff(t *testing.T) {
	o := (&scene{}).options(nil)
	o.headerTimeout = time.Second
	s := listen(t, o)
	var all sync.WaitGroup
	for name, text := range map[string]string{"nothing": "", "first line": "GET ",
		"header": "GET / HTTP/1.1\r\nHost: x\r\nX: ",
		"body":   "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx",
		"huge":   "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 3*maxHeader) + "\r\n\r\n",
		"many":   "GET / HTTP/1.1\r\nHost: x\r\n" + strings.Repeat("X: y\r\n", maxHeader) + "\r\n"} {
		all.Go(func() {
			conn := must(net.Dial("tcp", s.Addr().String()))
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(time.Minute))
			_, _ = io.WriteString(conn, text) // it may be closed before all was sent
			for in := bufio.NewReader(conn); ; {
				resp, err := http.ReadResponse(in, nil)
				if err != nil {
					if ne, late := err.(net.Error); late && ne.Timeout() {
						t.Errorf("%s: waited on for a minute", name)
					}
					return // closed
				}
				if resp.Body.Close(); resp.StatusCode < 400 {
					t.Errorf("%s: status %d", name, resp.StatusCode)
				}
			}
		})
	}
	all.Wait()
}

func TestConnectionsThatRestKeepNobodyOut(t *testing.T) {
	s := listen(t, (&scene{}).options(nil))
	for range 2 * maxConnections {
		c := must(net.Dial("tcp", s.Addr().String()))
		defer c.Close()
		_, _ = io.WriteString(c, "GET / HTTP/1.1\r\nHost: ") // it may have made room already
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for range 3 {
		resp, err := client.Get("http://" + s.Addr().String() + "/api/status")
		if err != nil {
			t.Fatal(err)
		}
		read(t, resp)
	}
}

func TestThePageSpeaksTLSItself(t *testing.T) {
	known := httptest.NewTLSServer(nil)
	defer known.Close()
	pair, dir := known.TLS.Certificates[0], t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: pair.Certificate[0]},
		key: {Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(pair.PrivateKey))}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := listen(t, (&scene{}).options(func(c *config.Settings) { c.Public.Cert, c.Public.Key = cert, key }))
	roots := x509.NewCertPool()
	roots.AddCert(known.Certificate())
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	resp := must((&http.Client{Transport: transport}).Get("https://" + s.Addr().String() + "/api/status"))
	read(t, resp)
	if resp.ProtoMajor != 2 || resp.Header.Get("Strict-Transport-Security") == "" {
		t.Errorf("%s, %v", resp.Proto, resp.Header)
	}
	if _, err := Listen((&scene{}).options(func(c *config.Settings) { c.Public.Cert = cert })); err == nil ||
		!strings.Contains(err.Error(), "public.cert and public.key") {
		t.Errorf("a certificate without its key: %v", err)
	}
}

func FuzzRequests(f *testing.F) {
	f.Add("GET", "/", "x", "203.0.113.9:1", "1.2.3.4", "ru,en", "gzip", `W/"x"`)
	f.Add("HEAD", "/api/status", "[::1]", "127.0.0.1:1", "1.2.3.4, 127.0.0.1", "", "gzip;q=", "*")
	f.Add("", "/api/map", "", "[fe80::1%eth0]:1", "::ffff:1.2.3.4", "en;q=0", ",,;q=0", `"`)
	f.Add("POST", "\x00", "", "", ",", ",,", "", "")
	s := newServer((&scene{world: world.Snapshot{Players: people("Anna")}}).options(everything))
	f.Cleanup(s.cancel)
	known := map[int]bool{200: true, 304: true, 400: true, 404: true, 405: true, 412: true, 429: true}
	f.Fuzz(func(t *testing.T, method, path, host, peer, forwarded, language, encoding, match string) {
		s.limits = newLimiter(perSecond, burst)
		w := ask(s, "/", func(r *http.Request) {
			r.Method, r.URL.Path, r.Host, r.RemoteAddr = method, path, host, peer
			r.Header = http.Header{"X-Forwarded-For": {forwarded}, "Accept-Language": {language},
				"Accept-Encoding": {encoding}, "If-None-Match": {match}, "If-Match": {match}}
		})
		if !known[w.Code] {
			t.Fatalf("status %d", w.Code)
		}
		if w.Header().Get("Content-Security-Policy") == "" {
			t.Fatal("no policy")
		}
	})
}
