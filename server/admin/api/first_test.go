package api

import (
	"bytes"
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"sphereserver/data"
	"sphereserver/server/ops"
)

func TestTheFirstAdministratorComesInFromThisMachineOnly(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		a, err := g.store.AccountByLogin(t.Context(), data.Administrator.String())
		if err == nil {
			err = g.store.SetRole(t.Context(), a.ID, data.Player)
		}
		if err != nil {
			t.Fatal(err)
		}
		key, err := g.game.Operators().FirstKey(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		first := ops.First{Key: key, Login: "chief", Password: password}
		body, err := json.Marshal(first)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []struct{ name, peer, here, forwarded string }{
			{"from elsewhere", "203.0.113.5:4711", "192.0.2.1:8860", ""},
			{"through a proxy", "127.0.0.1:4711", "127.0.0.1:8860", "203.0.113.5"},
		} {
			r := httptest.NewRequest("POST", "http://127.0.0.1/api/first", bytes.NewReader(body))
			at := net.TCPAddr{IP: net.ParseIP(strings.Split(v.here, ":")[0]), Port: 8860}
			r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, &at))
			r.RemoteAddr = v.peer
			r.Header.Set("Content-Type", "application/json")
			if v.forwarded != "" {
				r.Header.Set("X-Forwarded-For", v.forwarded)
			}
			if w := g.recorded(r); w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), `"network"`) {
				t.Errorf("%s: %d %s", v.name, w.Code, w.Body)
			}
		}
		b := g.stranger()
		var state firstState
		if b.want(http.StatusOK, b.send("GET", "/api/first", nil), &state); !state.Open {
			t.Error("nobody is told that the first administrator can be made")
		}
		b.refused(http.StatusForbidden, "key", b.send("POST", "/api/first",
			ops.First{Key: "x", Login: "y", Password: password}))
		var who meAnswer
		if b.want(http.StatusOK, b.send("POST", "/api/first", first), &who); who.Role != data.Administrator || who.CSRF == "" {
			t.Errorf("came in as %+v", who)
		}
		b.csrf = who.CSRF
		b.want(http.StatusOK, b.send("GET", "/api/config", nil), nil)
		other := g.stranger()
		other.refused(http.StatusForbidden, "key", other.send("POST", "/api/first", first))
		if other.want(http.StatusOK, other.send("GET", "/api/first", nil), &state); state.Open {
			t.Error("the way is open still")
		}
		if !strings.Contains(g.trail(), "first administrator | account add | chief | administrator") {
			t.Errorf("the audit trail has\n%s", g.trail())
		}
	})
}
