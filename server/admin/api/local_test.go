package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// commanded is a server without a page, and how commands reach it.
func commanded(t testing.TB) (*Server, admin.Address) {
	t.Helper()
	return commandedIn(t, t.TempDir())
}

func commandedIn(t testing.TB, dir string) (*Server, admin.Address) {
	t.Helper()
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	s, err := Listen(Options{Store: store, Ops: &ops.Service{Store: store}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close(context.Background()) })
	path := filepath.Join(store.Dir(), admin.ControlFile)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("expected mode 0600, found %o", info.Mode().Perm())
	}
	return s, controlOf(t, store.Dir())
}

// controlOf is the control file of a folder.
func controlOf(t testing.TB, dir string) (where admin.Address) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, admin.ControlFile))
	if err := errors.Join(err, json.Unmarshal(text, &where)); err != nil {
		t.Fatal(err)
	}
	return where
}

// Another user of the machine cannot even connect: its connections would take the places of operators.
func TestOnlyTheOwnerReachesTheCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there a port of 127.0.0.1 is used")
	}
	s, where := commanded(t)
	info, err := os.Stat(filepath.Join(s.o.Store.Dir(), admin.ControlSocket))
	if err != nil || where.Address != admin.ControlSocket || info.Mode() != os.ModeSocket|0o600 {
		t.Errorf("%v, %+v at %q; expected a socket of mode 0600", err, info, where.Address)
	}
}

// A path can be too long for a socket, and one may be left of a server that was killed.
func TestCommandsFindAWayWhateverTheFolder(t *testing.T) {
	long := filepath.Join(t.TempDir(), strings.Repeat("folder", 20))
	left := t.TempDir()
	if err := os.WriteFile(filepath.Join(left, admin.ControlSocket), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{long, left} {
		_, where := commandedIn(t, dir)
		c, err := admin.Dial(t.Context(), dir, "test")
		if err != nil {
			t.Errorf("at %s: %v", where.Address, err)
			continue
		}
		c.Close()
	}
}

func TestHostileControlRequestsAreTurnedAway(t *testing.T) {
	s, where := commanded(t)
	transport := &http.Transport{DialContext: where.Dialer(s.o.Store.Dir())}
	defer transport.CloseIdleConnections()
	good := `{}`
	for name, v := range map[string]struct {
		status int
		change func(r *http.Request)
	}{
		"good":     {http.StatusOK, func(*http.Request) {}},
		"no token": {http.StatusUnauthorized, func(r *http.Request) { r.Header.Del("Authorization") }},
		"wrong token": {http.StatusUnauthorized, func(r *http.Request) {
			r.Header.Set("Authorization",
				"Bearer "+where.Token+"x")
		}},
		"another host":   {http.StatusForbidden, func(r *http.Request) { r.Host = "evil.example:80" }},
		"localhost":      {http.StatusForbidden, func(r *http.Request) { r.Host = "localhost" }},
		"a web page":     {http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", "http://"+where.Host()) }},
		"GET":            {http.StatusMethodNotAllowed, func(r *http.Request) { r.Method = http.MethodGet }},
		"unknown method": {http.StatusNotFound, func(r *http.Request) { r.URL.Path = "/api/verbs/explode" }},
		"another path":   {http.StatusNotFound, func(r *http.Request) { r.URL.Path = "/api/status" }},
		"not JSON":       {http.StatusBadRequest, func(r *http.Request) { setBody(r, "nonsense") }},
		"unknown field":  {http.StatusBadRequest, func(r *http.Request) { setBody(r, `{"x":1}`) }},
		"no JSON":        {http.StatusUnsupportedMediaType, func(r *http.Request) { r.Header.Del("Content-Type") }},
		"much too large": {http.StatusRequestEntityTooLarge, func(r *http.Request) {
			setBody(r, strings.Repeat(" ",
				maxBody+1))
		}},
		"a large header": {http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request) {
			r.Header.Set("X",
				strings.Repeat("x", 64<<10))
		}},
		"token elsewhere": {http.StatusUnauthorized,
			func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + where.Token }},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+where.Host()+"/api/verbs/status", nil)
		if err != nil {
			t.Fatal(err)
		}
		setBody(r, good)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+where.Token)
		v.change(r)
		resp, err := transport.RoundTrip(r)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != v.status {
			t.Errorf("%s: expected %d, found %s: %s", name, v.status, resp.Status, text)
		}
		if v.status != http.StatusOK && strings.Contains(string(text), where.Token) {
			t.Errorf("%s: the token is in the answer", name)
		}
	}
}

func setBody(r *http.Request, text string) {
	r.Body, r.ContentLength = io.NopCloser(strings.NewReader(text)), int64(len(text))
}

func TestControlConnectionsAreBounded(t *testing.T) {
	s, where := commanded(t)
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	dial := func() net.Conn {
		c, err := where.Dialer(s.o.Store.Dir())(t.Context(), "", "")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
		return c
	}
	for range maxLocalConnections + 1 {
		dial()
	}
	open[0].SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := open[0].Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("expected the first of %d connections to make room, found %v", len(open), err)
	}
	// Resting connections keep no command waiting.
	conn, err := admin.Dial(t.Context(), s.o.Store.Dir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	conn.Close()
}

func TestControlFileGoesWithTheServer(t *testing.T) {
	s, _ := commanded(t)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Dial(t.Context(), s.o.Store.Dir(), "test"); !errors.Is(err, admin.ErrNoServer) {
		t.Errorf("found %v", err)
	}
}

// The token of the control file counts for the listener of commands only, and nothing else counts there.
func TestCommandsAndThePageHaveTheirOwnKeys(t *testing.T) {
	g := newStage(t, nil)
	where := controlOf(t, g.store.Dir())
	b := g.stranger()
	b.token = where.Token
	b.refused(http.StatusUnauthorized, "unauthorized", b.send("POST", "/api/verbs/status", "{}"))
	chief := g.as(data.Administrator)
	var report ops.Report
	chief.want(http.StatusOK, chief.send("POST", "/api/verbs/status", "{}"), &report)
	if report.Stored.Accounts != 4 {
		t.Errorf("%+v", report)
	}
	var made tokenAnswer
	chief.want(http.StatusOK, chief.send("POST", "/api/tokens", `{"name":"x","role":"administrator"}`), &made)
	elsewhere := chief.g.url
	g.url = "http://" + where.Host()
	b.http.Transport = &http.Transport{DialContext: where.Dialer(g.store.Dir())}
	defer func() { g.url = elsewhere }()
	b.want(http.StatusOK, b.send("POST", "/api/verbs/status", "{}"), nil)
	b.refused(http.StatusNotFound, "no-route", b.send("GET", "/api/me", nil))
	b.token = made.Secret
	b.refused(http.StatusUnauthorized, "unauthorized", b.send("POST", "/api/verbs/status", "{}"))
}

// FuzzControl: no request without the token is answered, and none makes the server fail.
func FuzzControl(f *testing.F) {
	f.Add("POST", "/api/verbs/account-list", true, []byte(`{"like":"вася"}`))
	f.Add("POST", "/api/verbs/character-move", true, []byte(`{"name":"Сова","position":{"x":1e38}}`))
	f.Add("POST", "/api/verbs/address-ban", true, []byte(`{"address":"::ffff:1.2.3.4/1"}`))
	f.Add("POST", "/api/verbs/account-add", true, []byte(`{"login":"\u0000","password":"x","role":"god"}`))
	f.Add("GET", "/api/verbs/", false, []byte(nil))
	s, where := commanded(f)
	token := where.Token
	f.Fuzz(func(t *testing.T, method, path string, authorised bool, body []byte) {
		if strings.HasSuffix(path, "backup") {
			return // it would fill the disk
		}
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		r = r.WithContext(context.WithValue(r.Context(), listenerKey{}, s.local.listener))
		r.Method, r.URL.Path, r.Host = method, path, where.Host()
		r.Header.Set("Content-Type", "application/json")
		if authorised {
			r.Header.Set("Authorization", "Bearer "+token)
		}
		w := httptest.NewRecorder()
		s.http.Handler.ServeHTTP(w, r)
		if !authorised && w.Code != http.StatusUnauthorized {
			t.Fatalf("expected 401, found %d", w.Code)
		}
		if w.Code == http.StatusInternalServerError {
			t.Fatalf("%s %s with %q: %s", method, path, body, w.Body)
		}
	})
}
