package api

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

func TestTokensDoWhatTheyMayAndNoMore(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Administrator)
		var made tokenAnswer
		b.want(http.StatusOK, b.send("POST", "/api/tokens", `{"name":"watch","role":"helper","days":1}`), &made)
		if made.Secret == "" || made.Expires.IsZero() {
			t.Fatalf("%+v, expected a secret and an end", made)
		}
		p := g.stranger()
		p.token = made.Secret
		var who meAnswer
		p.want(http.StatusOK, p.send("GET", "/api/me", nil), &who)
		if who.Login != "administrator" || who.Role != data.Helper || who.CSRF != "" {
			t.Errorf("%+v, expected a helper without a CSRF token", who)
		}
		p.refused(http.StatusForbidden, "role", p.send("GET", "/api/config", nil))
		if !strings.Contains(g.trail(), `administrator, token "watch" | refused`) {
			t.Errorf("the audit trail does not name the token:\n%s", g.trail())
		}
		a := b.send("GET", "/api/tokens", nil)
		var all []tokenAnswer
		b.want(http.StatusOK, a, &all)
		if len(all) != 1 || all[0].LastUsed.IsZero() || strings.Contains(string(a.body), made.Secret) {
			t.Errorf("%s, expected a used token without its secret", a.body)
		}
		b.want(http.StatusOK, b.send("POST", "/api/tokens", `{"name":"all","role":"administrator"}`), &made)
		q := g.stranger()
		q.token = made.Secret
		q.want(http.StatusOK, q.send("POST", "/api/verbs/say", ops.Broadcast{Text: "by a program"}), nil) // needs no CSRF token
		q.refused(http.StatusForbidden, "token", q.send("POST", "/api/tokens", `{"name":"child","role":"helper"}`))
		b.want(http.StatusOK, b.send("DELETE", fmt.Sprintf("/api/tokens/%d", made.ID), nil), nil)
		q.refused(http.StatusUnauthorized, "unauthorized", q.send("GET", "/api/me", nil))
		b.refused(http.StatusNotFound, "not-found", b.send("DELETE", fmt.Sprintf("/api/tokens/%d", made.ID), nil))
		for body, field := range map[string]string{`{}`: "name", `{"name":"x"}`: "role",
			`{"name":"x","role":"player"}`: "role", `{"name":"x","role":"helper","days":-1}`: "days"} {
			if e := b.refused(http.StatusBadRequest, "invalid", b.send("POST", "/api/tokens", body)); e.Fields[field] == "" {
				t.Errorf("%s: fields %v, expected one about %s", body, e.Fields, field)
			}
		}
	})
}

func TestLogins(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.stranger()
		for login, c := range map[string]struct {
			password, code string
			status         int
		}{"administrator": {"wrong", "login", 401}, "nobody-of-that-name": {password, "login", 401}, "player": {password,
			"role", 403}, "": {password, "invalid", 400}} {
			b.refused(c.status, c.code, b.send("POST", "/api/login", loginBody{login, c.password}))
		}
		b.want(http.StatusOK, b.send("POST", "/api/login", loginBody{"ADMINISTRATOR", password}), nil)
		a := b.send("POST", "/api/login", loginBody{"administrator", password},
			func(r *http.Request) { r.Header.Set("X-Forwarded-Proto", "https") })
		for _, want := range []string{"HttpOnly", "SameSite=Strict", "Path=/", "Secure"} {
			if !strings.Contains(a.header.Get("Set-Cookie"), want) {
				t.Errorf("the cookie %q has no %s", a.header.Get("Set-Cookie"), want)
			}
		}
		if !strings.Contains(g.trail(), "administrator | admin login | administrator | 127.0.0.1") {
			t.Errorf("the login is not in the audit trail:\n%s", g.trail())
		}
	})
}

// Browsers send a cookie to all ports of a machine, so each server on it has one of its own.
func TestServersOfOneMachineHaveCookiesOfTheirOwn(t *testing.T) {
	for _, c := range []struct {
		port       uint16
		host, want string
	}{
		{8860, "127.0.0.1:8860", "sphere_admin_8860"}, {8861, "127.0.0.1:8861", "sphere_admin_8861"},
		{8860, "127.0.0.1:8862", "sphere_admin_8860_8862"}, {8860, "[::1]:8862", "sphere_admin_8860_8862"},
		{8860, "sphere.example", "sphere_admin_8860"}, {8860, "sphere.example:a b", "sphere_admin_8860"},
	} {
		s := &Server{addr: netip.AddrPortFrom(netip.IPv6Loopback(), c.port)}
		if got := s.cookieName(&request{Request: &http.Request{Host: c.host}}); got != c.want {
			t.Errorf("%s at %d: %s, expected %s", c.host, c.port, got, c.want)
		}
	}
}

func TestLogoutEndsTheSession(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Helper)
		cookie := b.http.Jar.Cookies(must(http.NewRequest("GET", g.url, nil)).URL)[0]
		b.want(http.StatusOK, b.send("POST", "/api/logout", "{}"), nil)
		thief := g.stranger()
		thief.refused(http.StatusUnauthorized, "unauthorized", thief.send("GET", "/api/me", nil,
			func(r *http.Request) { r.AddCookie(cookie) }))
	})
}

func TestGuessersAreSlowedDown(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil) // which exempts this machine: that is not from guessing
		b := g.stranger()
		for range 5 {
			b.refused(http.StatusUnauthorized, "login", b.send("POST", "/api/login", loginBody{"administrator", "guess"}))
		}
		b.refused(http.StatusTooManyRequests, "throttled", b.send("POST", "/api/login", loginBody{"administrator", password}))
		b.want(http.StatusOK, b.send("POST", "/api/login", loginBody{"helper", password}), nil)
	})
}

// However many guess at once, as many passwords are looked at as one after the other.
func TestGuessesAtOnceAreNoMore(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		var all sync.WaitGroup
		var looked atomic.Int32
		for range 60 {
			all.Go(func() {
				a := g.stranger().send("POST", "/api/login", loginBody{"administrator", "guess"})
				if a.status == http.StatusUnauthorized {
					looked.Add(1)
				}
			})
		}
		all.Wait()
		if n := looked.Load(); n > 5 {
			t.Errorf("%d guesses were looked at, expected 5 at most", n)
		}
	})
}

// A stranger whose password has to wait for too many others fills no log.
func TestALoginThatIsRefusedForNowIsNotLogged(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		for range hashQueue {
			g.api.hashing.queue <- struct{}{}
		}
		_, before := g.api.o.Tail.From(0)
		b := g.stranger()
		b.refused(http.StatusServiceUnavailable, "busy", b.send("POST", "/api/login", loginBody{"helper", "guess"}))
		if lines, _ := g.api.o.Tail.From(before); len(lines) > 0 {
			t.Errorf("the log has %q", lines[0].Message)
		}
	})
}

// Others' failures do not keep the owner out at an address from which the account has logged in; elsewhere they do.
func TestTheOwnerIsNotLockedOut(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		from := func(address string) func(*http.Request) {
			return func(r *http.Request) { r.Header.Set("X-Forwarded-For", address) }
		}
		try := func(word, address string) answer {
			return g.stranger().send("POST", "/api/login", loginBody{"administrator", word}, from(address))
		}
		b := g.stranger()
		b.want(http.StatusOK, try(password, "203.0.113.7"), nil)
		for i := range 120 {
			g.api.guard.Failed(netip.AddrFrom4([4]byte{10, 0, 0, byte(i)}), "administrator", time.Now())
		}
		b.refused(http.StatusTooManyRequests, "throttled", try(password, "203.0.113.8"))
		b.want(http.StatusOK, try(password, "203.0.113.7"), nil)
	})
}

func TestSessionsEnd(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		start := time.Now()
		now := start
		g.api.sessions.now = func() time.Time { return now }
		b := g.as(data.Helper)
		for now.Sub(start) < sessionLife-time.Minute {
			b.want(http.StatusOK, b.send("GET", "/api/me", nil), nil)
			now = now.Add(50 * time.Minute)
		}
		now = start.Add(sessionLife)
		b.refused(http.StatusUnauthorized, "unauthorized", b.send("GET", "/api/me", nil))

		c := g.as(data.Helper)
		now = now.Add(sessionIdle)
		c.refused(http.StatusUnauthorized, "unauthorized", c.send("GET", "/api/me", nil))
		if n := len(g.api.sessions.byKey); n != 0 {
			t.Errorf("%d sessions are left", n)
		}
		other, _ := g.api.sessions.begin(&data.Account{ID: 2})
		for range maxSessions + 10 {
			g.api.sessions.begin(&data.Account{ID: 1})
		}
		if _, ok := g.api.sessions.of(other); !ok {
			t.Error("one account has ended the session of another")
		}
		if n := len(g.api.sessions.byKey); n != maxSessions {
			t.Errorf("%d sessions, expected %d", n, maxSessions)
		}
	})
}

func TestManyRequestsAreRefused(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		now := time.Now()
		g.api.sessions.now = func() time.Time { return now }
		b := g.as(data.Helper)
		for range int(calls.burst) {
			b.want(http.StatusOK, b.send("GET", "/api/me", nil), nil)
		}
		b.refused(http.StatusTooManyRequests, "rate", b.send("GET", "/api/me", nil))
		now = now.Add(time.Second)
		for range int(calls.perSecond) {
			b.want(http.StatusOK, b.send("GET", "/api/me", nil), nil)
		}
		b.refused(http.StatusTooManyRequests, "rate", b.send("GET", "/api/me", nil))
	})
}
