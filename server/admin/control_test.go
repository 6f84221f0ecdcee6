package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
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
)

func controlled(t testing.TB) (*Ops, controlAddress) {
	t.Helper()
	ops, _ := made(t)
	c, err := ListenControl(ops.Store.Dir(), ops, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close(t.Context()) })
	path := filepath.Join(ops.Store.Dir(), ControlFile)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("expected mode 0600, found %o", info.Mode().Perm())
	}
	text, err := os.ReadFile(path)
	var where controlAddress
	if err := errors.Join(err, json.Unmarshal(text, &where)); err != nil {
		t.Fatal(err)
	}
	return ops, where
}

func TestHostileControlRequestsAreTurnedAway(t *testing.T) {
	_, where := controlled(t)
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	good := `{"who":"x","request":{}}`
	for name, v := range map[string]struct {
		status int
		change func(r *http.Request)
	}{
		"good":            {http.StatusOK, func(*http.Request) {}},
		"no token":        {http.StatusUnauthorized, func(r *http.Request) { r.Header.Del("Authorization") }},
		"wrong token":     {http.StatusUnauthorized, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+where.Token+"x") }},
		"another host":    {http.StatusForbidden, func(r *http.Request) { r.Host = "evil.example:80" }},
		"localhost":       {http.StatusForbidden, func(r *http.Request) { r.Host = "localhost" }},
		"a web page":      {http.StatusForbidden, func(r *http.Request) { r.Header.Set("Origin", "http://"+where.Address) }},
		"GET":             {http.StatusMethodNotAllowed, func(r *http.Request) { r.Method = http.MethodGet }},
		"unknown method":  {http.StatusNotFound, func(r *http.Request) { r.URL.Path = "/v1/Explode" }},
		"another path":    {http.StatusNotFound, func(r *http.Request) { r.URL.Path = "/Report" }},
		"not JSON":        {http.StatusBadRequest, func(r *http.Request) { setBody(r, "nonsense") }},
		"unknown field":   {http.StatusBadRequest, func(r *http.Request) { setBody(r, `{"request":{"x":1}}`) }},
		"no request":      {http.StatusBadRequest, func(r *http.Request) { setBody(r, `{}`) }},
		"much too large":  {http.StatusRequestEntityTooLarge, func(r *http.Request) { setBody(r, strings.Repeat(" ", controlBody+1)) }},
		"a large header":  {http.StatusRequestHeaderFieldsTooLarge, func(r *http.Request) { r.Header.Set("X", strings.Repeat("x", 20<<10)) }},
		"token elsewhere": {http.StatusUnauthorized, func(r *http.Request) { r.Header.Del("Authorization"); r.URL.RawQuery = "token=" + where.Token }},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+where.Address+"/v1/Report", nil)
		if err != nil {
			t.Fatal(err)
		}
		setBody(r, good)
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
	ops, where := controlled(t)
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", where.Address)
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, c)
		return c
	}
	for range controlConnections {
		dial()
	}
	refused := dial()
	refused.SetReadDeadline(time.Now().Add(time.Minute))
	if _, err := refused.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("expected connection %d to be closed, found %v", len(open), err)
	}
	for _, c := range open {
		c.Close()
	}
	var err error
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); { // until the server has noticed
		var client *Client
		if client, err = Connect(t.Context(), ops.Store.Dir()); err == nil {
			client.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("expected room for others afterwards, found %v", err)
}

func TestControlFileGoesWithTheServer(t *testing.T) {
	ops, _ := made(t)
	dir := ops.Store.Dir()
	c, err := ListenControl(dir, ops, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := Connect(t.Context(), dir); !errors.Is(err, ErrNoServer) {
		t.Errorf("found %v", err)
	}
}

func TestReachFindsTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	ctx := t.Context()
	var warnings []string
	way := Way{Who: "test", Patience: 100 * time.Millisecond, Warn: func(s string) { warnings = append(warnings, s) }}

	// No database: only a command that creates one makes one.
	if _, _, err := Reach(ctx, dir, way); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("found %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("expected no folder to be made, found %v", err)
	}
	way.Create = true
	o, done, err := Reach(ctx, dir, way)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Accounts(ctx, Search{}); err != nil {
		t.Error(err)
	}

	// Somebody has the folder and takes no commands.
	var busy *data.LockedError
	if _, _, err := Reach(ctx, dir, way); !errors.As(err, &busy) || !strings.Contains(err.Error(), fmt.Sprintf("process %d", os.Getpid())) {
		t.Errorf("found %v", err)
	}
	if err := done(); err != nil {
		t.Fatal(err)
	}

	// A server that was killed has left its control file.
	path := filepath.Join(dir, ControlFile)
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	o, done, err = Reach(ctx, dir, way)
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "was stale") {
		t.Fatalf("%v, %v", err, warnings)
	}
	if _, here := o.(*Ops); !here {
		t.Errorf("expected the work to be done here, found %T", o)
	}
	// The same while somebody else has the folder.
	if err := os.WriteFile(path, []byte(`{"address":"127.0.0.1:1","token":"x","pid":77}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Reach(ctx, dir, way); !errors.As(err, &busy) || !strings.Contains(err.Error(), "is stale: process 77") {
		t.Errorf("found %v", err)
	}
	if err := done(); err != nil {
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
	way.Patience = time.Minute
	control := make(chan *Control, 1)
	time.AfterFunc(100*time.Millisecond, func() {
		c, err := ListenControl(dir, &Ops{Store: store}, nil)
		if err != nil {
			t.Error(err)
		}
		control <- c
	})
	o, done, err = Reach(ctx, dir, way)
	c := <-control
	defer c.Close(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if _, remote := o.(*Client); !remote {
		t.Errorf("expected a server to be asked, found %T", o)
	}
	if _, err := o.Report(ctx, Nothing{}); err != nil {
		t.Error(err)
	}
}

// FuzzControl: no request without the token is answered, and none makes the server fail.
func FuzzControl(f *testing.F) {
	f.Add("POST", "/v1/Accounts", true, []byte(`{"who":"x","request":{"like":"вася"}}`))
	f.Add("POST", "/v1/MoveCharacter", true, []byte(`{"request":{"name":"Сова","position":{"x":1e38}}}`))
	f.Add("POST", "/v1/BanAddress", true, []byte(`{"request":{"prefix":"::ffff:1.2.3.4/1"}}`))
	f.Add("POST", "/v1/AddAccount", true, []byte(`{"request":{"login":"\u0000","password":"x","role":"god"}}`))
	f.Add("GET", "/v1/", false, []byte(nil))
	ops, _ := made(f)
	handler := &controlHandler{operator: ops, address: "127.0.0.1:1", token: tokenSum("token"), log: slog.New(slog.DiscardHandler)}
	f.Fuzz(func(t *testing.T, method, path string, authorised bool, body []byte) {
		if strings.HasSuffix(path, "Backup") {
			return // it would fill the disk
		}
		r := httptest.NewRequest("POST", "/", bytes.NewReader(body))
		r.Method, r.URL.Path, r.Host = method, path, "127.0.0.1:1"
		if authorised {
			r.Header.Set("Authorization", "Bearer token")
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if !authorised && w.Code != http.StatusUnauthorized {
			t.Fatalf("expected 401, found %d", w.Code)
		}
		if w.Code == http.StatusInternalServerError {
			t.Fatalf("%s %s with %q: %s", method, path, body, w.Body)
		}
	})
}
