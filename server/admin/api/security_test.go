package api

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"sphereserver/data"
)

// every runs a check for each route, so that none can be forgotten.
func every(t *testing.T, fits func(*route) bool, check func(t *testing.T, r *route, path string)) {
	t.Helper()
	n := 0
	for i := range routes {
		r := &routes[i]
		if fits(r) {
			n++
			t.Run(r.method+" "+r.path, func(t *testing.T) {
				check(t, r, strings.NewReplacer("{id}", "1", "{name}", "heap", "{$}", "").Replace(r.path))
			})
		}
	}
	if n == 0 {
		t.Fatal("no route fits")
	}
}

// unhurried forgets how many requests have been made.
func (g *stage) unhurried() {
	g.api.sessions.mu.Lock()
	defer g.api.sessions.mu.Unlock()
	clear(g.api.sessions.rates)
}

func protected(r *route) bool { return !r.public }
func changes(r *route) bool   { return r.method != "GET" }
func takesBody(r *route) bool { return r.do.body != nil }

func TestStrangersAreTurnedAway(t *testing.T) {
	g := newStage(t, nil)
	every(t, protected, func(t *testing.T, r *route, path string) {
		b := g.stranger()
		b.refused(http.StatusUnauthorized, "unauthorized", b.send(r.method, path, "{}"))
		for _, token := range []string{"x", "sphere_", "sphere_1_", "sphere_1_AAAA", "sphere_9223372036854775807_A",
			"sphere_99999999999999999999_A"} {
			b.token = token
			b.refused(http.StatusUnauthorized, "unauthorized", b.send(r.method, path, "{}"))
		}
		b.token = ""
		for name, change := range map[string]func(*http.Request){
			"basic": func(r *http.Request) { r.SetBasicAuth("administrator", password) },
			"cookie": func(r *http.Request) {
				r.AddCookie(&http.Cookie{Name: g.api.cookieName(&request{Request: r}), Value: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})
			},
		} {
			if a := b.send(r.method, path, "{}", change); a.status != http.StatusUnauthorized {
				t.Errorf("%s: status %d, %s", name, a.status, a.body)
			}
		}
	})
}

func TestEachRouteNeedsItsRole(t *testing.T) {
	g := newStage(t, nil)
	g.game.Operators().DenialEvery = 1 // all attempts are written down
	by := map[data.Role]*browser{}
	for _, role := range []data.Role{data.Helper, data.GameMaster, data.Administrator} {
		by[role] = g.as(role)
	}
	every(t, protected, func(t *testing.T, r *route, path string) {
		for role, b := range by {
			if role >= r.least() {
				continue
			}
			b.refused(http.StatusForbidden, "role", b.send(r.method, path, "{}"))
			what := r.method + " " + r.path
			if r.do.verb != nil {
				what = r.do.verb.Name()
			}
			if want := role.String() + " | refused | " + role.String() + " | " + what + "\n"; !strings.HasPrefix(g.trail(),
				want) {
				t.Errorf("the audit trail begins with %.100q, expected %q", g.trail(), want)
			}
			g.unhurried()
		}
	})
}

func TestChangesNeedTheTokenOfTheSession(t *testing.T) {
	g := newStage(t, nil)
	other := g.as(data.Administrator)
	every(t, func(r *route) bool { return protected(r) && changes(r) }, func(t *testing.T, r *route, path string) {
		g.unhurried()
		b := g.as(data.Administrator)
		for _, wrong := range []string{"", "AAAA", other.csrf} {
			b.refused(http.StatusForbidden, "csrf", b.send(r.method, path, "{}", func(r *http.Request) {
				if wrong == "" {
					r.Header.Del("X-CSRF-Token")
				} else {
					r.Header.Set("X-CSRF-Token", wrong)
				}
			}))
		}
		var me meAnswer
		b.want(http.StatusOK, b.send("GET", "/api/me", nil), &me) // still logged in
	})
}

func TestForeignNamesAndSitesAreTurnedAway(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Settings.Hosts = []string{"Admin.Example"} })
	b := g.as(data.Administrator)
	every(t, func(*route) bool { return true }, func(t *testing.T, r *route, path string) {
		for _, host := range []string{"evil.example", "evil.example:8860", "", "192.0.2.1", "127.0.0.1.evil.example",
			"localhost.evil.example", "[::2]:80"} {
			a := b.send(r.method, path, "{}", func(r *http.Request) { r.Host = host })
			if host == "" {
				continue // the client then sends the address's
			}
			b.refused(http.StatusForbidden, "host", a)
		}
		if changes(r) {
			b.refused(http.StatusForbidden, "cross-site", b.send(r.method, path, "{}",
				func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }))
			b.refused(http.StatusForbidden, "cross-site", b.send(r.method, path, "{}",
				func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }))
		}
	})
	for _, host := range []string{"localhost", "LOCALHOST:1", "127.0.0.1", "127.9.9.9:80", "[::1]:8860", "admin.example",
		"admin.example.:443", g.api.Addr().String()} {
		b.want(http.StatusOK, b.send("GET", "/healthz", nil, func(r *http.Request) { r.Host = host }), nil)
	}
}

func TestBadBodiesAreRefusedAndNothingIsDone(t *testing.T) {
	g := newStage(t, nil)
	b := g.as(data.Administrator)
	g.t.Cleanup(func() {
		if n := g.api.o.Game.Counters()["panics"]; n > 0 {
			t.Errorf("%d panics", n)
		}
	})
	every(t, takesBody, func(t *testing.T, r *route, path string) {
		g.unhurried()
		b.refused(http.StatusRequestEntityTooLarge, "too-large", b.send(r.method, path, strings.Repeat(" ", int(cmp.Or(r.most, maxBody))+1)))
		for _, body := range []string{"[]", "1", `"x"`, "{", "{}{}", "{} x", "nonsense", "{\"a\":\"\xFF\"}",
			strings.Repeat("[", 10000), `{"a":1,}`} {
			a := b.send(r.method, path, body)
			if a.status != http.StatusBadRequest {
				t.Errorf("%.20q: status %d, %s; expected 400", body, a.status, a.body)
			}
		}
		e := b.refused(http.StatusBadRequest, "invalid", b.send(r.method, path, `{"noSuchField":1}`))
		if e.Fields["noSuchField"] == "" {
			t.Errorf("fields %v, expected a sentence about noSuchField", e.Fields)
		}
		for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"} {
			b.refused(http.StatusUnsupportedMediaType, "content-type", b.send(r.method, path, "{}",
				func(r *http.Request) { r.Header.Set("Content-Type", kind) }))
		}
	})
	if trail := g.trail(); strings.Count(trail, "\n") != 1 {
		t.Errorf("the audit trail has more than the login:\n%s", trail)
	}
}

func TestWrongMethodsAndUnknownAddresses(t *testing.T) {
	g := newStage(t, nil)
	b := g.as(data.Administrator)
	every(t, func(r *route) bool { return strings.HasPrefix(r.path, "/api/") }, func(t *testing.T, r *route, path string) {
		a := b.send("PATCH", path, "{}")
		b.refused(http.StatusMethodNotAllowed, "method", a)
		if !strings.Contains(a.header.Get("Allow"), r.method) {
			t.Errorf("Allow: %s, expected %s in it", a.header.Get("Allow"), r.method)
		}
	})
	for _, path := range []string{"/api/", "/api/x", "/api/players/1/x", "/debug/", "/debug/vars", "/x.js", "/../x.txt"} {
		if a := b.send("GET", path, nil); a.status != http.StatusNotFound && a.status != http.StatusMethodNotAllowed {
			t.Errorf("%s: status %d", path, a.status)
		}
	}
	b.refused(http.StatusMethodNotAllowed, "method", b.send("POST", "/", "{}"))
}

func TestNumbersInPathsThatNameNothing(t *testing.T) {
	g := newStage(t, nil)
	b := g.as(data.Administrator)
	every(t, func(r *route) bool { return strings.Contains(r.path, "{id}") }, func(t *testing.T, r *route, _ string) {
		for _, id := range []string{"0", "-1", "x", "1x", "99999999", "9223372036854775807", "9223372036854775808",
			"%31%20", "1%2F2"} {
			a := b.send(r.method, strings.Replace(r.path, "{id}", id, 1), "{}")
			if a.status != http.StatusNotFound {
				t.Errorf("%s: status %d, %s; expected 404", id, a.status, a.body)
			}
		}
		g.unhurried()
	})
}

func TestSlowRequestsAreCutOff(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		cookies := b.http.Jar.Cookies(must(http.NewRequest("GET", g.url, nil)).URL)
		var all sync.WaitGroup
		for i := range routes {
			r := &routes[i]
			path := strings.NewReplacer("{id}", "1", "{name}", "heap", "{$}", "").Replace(r.path)
			head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\nX-CSRF-Token: %s\r\nContent-Type: application/json\r\n", r.method, path, cookies[0], b.csrf)
			texts := map[string]string{"header": head, "first line": r.method + " "}
			if takesBody(r) {
				texts["body"] = head + "Content-Length: 1000\r\n\r\n{\"a\":"
			}
			for name, text := range texts {
				all.Go(func() {
					conn, err := g.dialer().Dial(t.Context(), g.api.Addr().String())
					if err != nil {
						t.Error(err)
						return
					}
					defer conn.Close()
					_ = conn.SetDeadline(time.Now().Add(2 * time.Minute))
					if _, err := io.WriteString(conn, text); err != nil {
						t.Error(err)
						return
					}
					resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
					if err != nil {
						if ne, late := err.(net.Error); late && ne.Timeout() {
							t.Errorf("%s %s, slow %s: waited on for minutes", r.method, path, name)
						}
						return // closed without an answer
					}
					resp.Body.Close()
					if resp.StatusCode < 400 || resp.StatusCode >= 500 {
						t.Errorf("%s %s, slow %s: status %d", r.method, path, name, resp.StatusCode)
					}
				})
			}
		}
		all.Wait()
		b.want(http.StatusOK, b.send("GET", "/api/me", nil), nil)
	})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestMetricsAreForThisMachineAndChosenNetworks(t *testing.T) {
	g := newStage(t, func(o *Options) { o.Settings.Networks = []string{"192.0.2.0/24", "2001:db8::1"} })
	every(t, func(r *route) bool { return r.localOnly }, func(t *testing.T, r *route, path string) {
		for from, want := range map[string]int{"127.0.0.1:9": 200, "[::1]:9": 200, "192.0.2.9:9": 200,
			"[::ffff:192.0.2.9]:9": 200, "[2001:db8::1]:9": 200,
			"[2001:db8::2]:9": 403, "198.51.100.1:9": 403} {
			q := httptest.NewRequest(r.method, "http://localhost"+path, nil)
			q.RemoteAddr = from
			if w := g.recorded(q); w.Code != want {
				t.Errorf("from %s: status %d, expected %d", from, w.Code, want)
			}
		}
		for header, want := range map[string]int{"198.51.100.1": 403, "127.0.0.1, 198.51.100.1": 403,
			"198.51.100.1, 192.0.2.7": 200, "nonsense": 403, "": 403} {
			q := httptest.NewRequest(r.method, "http://localhost"+path, nil)
			q.RemoteAddr = "127.0.0.1:9"
			q.Header.Set("X-Forwarded-For", header)
			if w := g.recorded(q); w.Code != want {
				t.Errorf("from a proxy for %q: status %d, expected %d", header, w.Code, want)
			}
		}
		q := httptest.NewRequest(r.method, "http://localhost"+path, nil)
		q.RemoteAddr = "198.51.100.1:9"
		q.Header.Set("X-Forwarded-For", "127.0.0.1")
		if w := g.recorded(q); w.Code != http.StatusForbidden {
			t.Errorf("from somebody who says that he is this machine: status %d, expected 403", w.Code)
		}
	})
}

func TestEveryAnswerHasTheSecurityHeaders(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		for _, path := range []string{"/", "/api/me", "/api/x", "/healthz", "/x.js"} {
			a := b.send("GET", path, nil)
			for _, name := range []string{"Server", "X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy",
				"Cross-Origin-Opener-Policy", "Cross-Origin-Resource-Policy", "Permissions-Policy"} {
				if a.header.Get(name) == "" {
					t.Errorf("%s has no %s", path, name)
				}
			}
			if p := a.header.Get("Content-Security-Policy"); !strings.HasPrefix(p, "default-src 'self'") || strings.Contains(p,
				"unsafe") {
				t.Errorf("%s has the policy %s", path, p)
			}
		}
	})
}
