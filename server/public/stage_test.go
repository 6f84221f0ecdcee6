package public

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/server/config"
	"sphereserver/server/tiles"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A scene is the source of the page in a test: a made-up world and store.
type scene struct {
	world    world.Snapshot
	sessions int
	closed   bool
	leaders  []data.Leader
	broken   error // of the store
	asked    atomic.Int64
}

func (s *scene) World() *world.Snapshot {
	w := s.world
	w.Balance = cmp.Or(w.Balance, rules.DefaultBalance())
	return &w
}
func (s *scene) Started() time.Time     { return time.Unix(1_700_000_000, 0) }
func (s *scene) Sessions() int          { return s.sessions }
func (s *scene) UnderMaintenance() bool { return s.closed }

func (s *scene) Leaders(_ context.Context, by data.Ranking, most int) ([]data.Leader, error) {
	s.asked.Add(1)
	time.Sleep(time.Millisecond) // others come meanwhile
	return s.leaders[:min(most, len(s.leaders))], s.broken
}

// EachGround implements [relief.Learned].
func (s *scene) EachGround(_ context.Context, _, _ [2]int32, _, _ float32, _ func(rules.GroundCell)) error {
	return s.broken
}

// people are players in the middle of the first city, with things about them that nobody is to know.
func people(names ...string) (all []world.PlayerView) {
	for i, name := range names {
		all = append(all, world.PlayerView{ID: world.PlayerID(777000 + i), Character: int64(888000 + i), Name: name,
			Account: "login-of-" + name, Clan: "Red Star 1", Title: 4, Degree: 9,
			Position: coords.Position{X: 2614.123, Y: 157.456, Z: 1293.789, Yaw: 1.2345}})
	}
	return all
}

func (s *scene) settings(change func(*config.Settings)) *config.Settings {
	set := config.Defaults()
	set.Public.Listen = "127.0.0.1:0"
	if change != nil {
		change(&set)
	}
	return &set
}

func (s *scene) options(change func(*config.Settings)) Options {
	log := slog.New(slog.DiscardHandler)
	return Options{Settings: s.settings(change), Version: "9.8.7", Game: s, Port: 25860, Store: s,
		Maps: tiles.New(tiles.Options{Learned: s, Log: log}), Log: log}
}

// serve makes a server without a socket; nobody is asked to slow down.
func (s *scene) serve(t *testing.T, change func(*config.Settings)) *Server {
	t.Helper()
	made := newServer(s.options(change))
	t.Cleanup(made.cancel)
	made.Ready()
	return made
}

// listen makes a server with a socket.
func listen(t *testing.T, o Options) *Server {
	t.Helper()
	s, err := Listen(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Ready()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return s
}

// ask asks without a socket.
func ask(s *Server, path string, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, "http://public.example"+path, nil)
	for _, c := range change {
		c(r)
	}
	w := httptest.NewRecorder()
	s.http.Handler.ServeHTTP(w, r)
	return w
}

// told reads an answer of JSON.
func told[T any](t *testing.T, s *Server, path string) (v T) {
	t.Helper()
	w := ask(s, path)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d, %s", path, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
		t.Fatalf("%s: %v in %s", path, err, w.Body)
	}
	return v
}

func from(address string) func(*http.Request) {
	return func(r *http.Request) { r.RemoteAddr = address }
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Add(name, value) }
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func read(t *testing.T, resp *http.Response) string {
	t.Helper()
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(resp.Header, string(text))
}
