package admin_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"sphereserver/data"
	"sphereserver/server/admin"
	"sphereserver/server/admin/api"
	"sphereserver/server/ops"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, goleak.IgnoreCurrent()) }

func TestConnectFindsTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ctx := t.Context()
	var warnings []string
	o := admin.Options{Who: "test", Patience: 1, Warn: func(s string) {
		warnings = append(warnings,
			s)
	}}

	// No database: only a command that creates one makes one.
	if _, err := admin.Connect(ctx, dir, o); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("found %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("expected no folder to be made, found %v", err)
	}
	o.Create = true
	c, err := admin.Connect(ctx, dir, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Do(ctx, c, ops.ListAccounts, ops.Search{}); err != nil {
		t.Error(err)
	}

	// A process has the folder and takes no commands.
	var busy *data.LockedError
	if _, err := admin.Connect(ctx, dir, o); !errors.As(err, &busy) || !strings.Contains(err.Error(),
		fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("found %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	// A server that was killed has left its control file.
	path := filepath.Join(dir, admin.ControlFile)
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err = admin.Connect(ctx, dir, o)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "was stale") {
		t.Fatalf("%v, %v", err, warnings)
	}
	if r, err := admin.Do(ctx, c, ops.GetReport, ops.Empty{}); err != nil || r.Running {
		t.Errorf("%+v, %v; expected the work to be done here", r, err)
	}
	// The same while another process has the folder.
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := admin.Connect(ctx, dir, o); !errors.As(err, &busy) || !strings.Contains(err.Error(),
		"is stale: process 77") {
		t.Errorf("found %v", err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}

	// A server runs, started while the command was waiting.
	lock, err := data.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	store, err := data.Open(ctx, dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	o.Patience = time.Minute
	started := make(chan *api.Server, 1)
	start := sync.OnceFunc(func() {
		does := &ops.Service{Store: store, Status: func() ops.Status { return ops.Status{Players: 3} }}
		s, err := api.Listen(api.Options{Store: store, Ops: does, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Error(err)
		}
		started <- s
	})
	c, err = admin.Connect(waiter{ctx, start}, dir, o)
	s := <-started
	defer s.Close(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if r, err := admin.Do(ctx, c, ops.GetReport, ops.Empty{}); err != nil || !r.Running || r.Status.Players != 3 {
		t.Errorf("%+v, %v; expected a server to be asked", r, err)
	}
}

// waiter is a context that tells when it is waited for.
type waiter struct {
	context.Context
	waits func()
}

func (w waiter) Done() <-chan struct{} {
	w.waits()
	return w.Context.Done()
}

// A server that runs and does not answer is not said to be gone: an operator that believed it might remove its lock.
func TestASilentServerIsNotStale(t *testing.T) {
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() { // as a full server does
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Close()
		}
	}()
	if _, err := admin.WriteControlFile(dir, l.Addr().String()); err != nil {
		t.Fatal(err)
	}
	lock, err := data.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock()
	var silent *admin.SilentError
	_, err = admin.Connect(t.Context(), dir, admin.Options{Who: "test", Create: true, Patience: time.Minute})
	if !errors.As(err, &silent) || silent.PID != os.Getpid() || strings.Contains(err.Error(), "stale") ||
		!strings.Contains(err.Error(), "runs but does not answer") {
		t.Errorf("found %v", err)
	}
}

// answered is a folder with a control file that leads to a server with one answer to the verb show; the probe
// succeeds.
func answered(t *testing.T, answer http.HandlerFunc) (c *admin.Conn, dir string) {
	t.Helper()
	dir = t.TempDir()
	var token string
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/verbs/status", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+token || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Write([]byte("{}"))
	})
	mux.HandleFunc("POST /api/verbs/account-show", answer)
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	var err error
	if token, err = admin.WriteControlFile(dir, s.Listener.Addr().String()); err != nil {
		t.Fatal(err)
	}
	if c, err = admin.Dial(t.Context(), dir, "Ёж & co"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, dir
}

// TestErrorsTravel: a refusal of a server keeps its kind; a text that is no answer is told as it came.
func TestErrorsTravel(t *testing.T) {
	for name, v := range map[string]struct {
		status       int
		answer, want string
		kind         error // nil: of none
	}{
		"done": {http.StatusOK, `{"login":"вася"}`, "", nil},
		"refused": {http.StatusNotFound, `{"error":"account \"x\" not found","code":"not-found"}`,
			`account "x" not found`, data.ErrNotFound},
		"not allowed":   {http.StatusForbidden, `{"error":"no","code":"role","fields":{"x":"y"}}`, "no", ops.ErrForbidden},
		"unknown code":  {http.StatusTeapot, `{"error":"odd","code":"odd"}`, "odd", nil},
		"another shape": {http.StatusInternalServerError, `{}`, "expected JSON, found 500", nil},
		"a web page":    {http.StatusOK, "<html>", `expected JSON, found 200 OK: "<html>"`, nil},
		"a long page":   {http.StatusBadGateway, strings.Repeat("x", 1000), strings.Repeat("x", 200) + `"`, nil},
	} {
		var who string
		c, _ := answered(t, func(w http.ResponseWriter, r *http.Request) {
			who, _ = url.QueryUnescape(r.Header.Get(admin.OperatorHeader))
			w.WriteHeader(v.status)
			w.Write([]byte(v.answer))
		})
		a, err := admin.Do(t.Context(), c, ops.ShowAccount, ops.AccountName{Login: "вася"})
		if who != "Ёж & co" {
			t.Errorf("%s: the server is told of %q", name, who)
		}
		if v.want == "" {
			if err != nil || a.Login != "вася" {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), v.want) || len(err.Error()) > 300 {
			t.Errorf("%s: found %v, expected %s", name, err, v.want)
		}
		for _, kind := range []error{data.ErrNotFound, ops.ErrForbidden} {
			if errors.Is(err, kind) != (kind == v.kind) {
				t.Errorf("%s: of the kind %v: %v", name, kind, kind != v.kind)
			}
		}
	}
}

// TestAnswersThatEndEarly: a server that goes away while it answers, or that nobody waits for any more.
func TestAnswersThatEndEarly(t *testing.T) {
	c, dir := answered(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("{"))
	})
	if _, err := admin.Do(t.Context(), c, ops.ShowAccount, ops.AccountName{}); err == nil ||
		!strings.Contains(err.Error(), "ended early") {
		t.Errorf("found %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := admin.Dial(gone, dir, "test"); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, expected that nobody waits", err)
	}
	if err := os.WriteFile(filepath.Join(dir, admin.ControlFile), []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	var stale *admin.StaleError
	if _, err := admin.Dial(t.Context(), dir, "test"); !errors.As(err, &stale) || stale.Unwrap() == nil || stale.PID != 0 {
		t.Errorf("found %v, expected a broken file", err)
	}
	for range 2 {
		if err := admin.RemoveControlFile(dir); err != nil {
			t.Error(err)
		}
	}
	if _, err := admin.Dial(t.Context(), dir, "test"); !errors.Is(err, admin.ErrNoServer) {
		t.Errorf("found %v", err)
	}
}
