package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/measure"
	"sphereserver/server/oplog"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
	"sphereserver/server/sim/memnet"
	"sphereserver/server/tiles"
)

// A stage is a whole server with operators of every role and clients that walk in its world.
type stage struct {
	t     *testing.T
	store *data.Store
	game  *game.Server
	api   *Server
	log   *oplog.Log
	url   string
	net   *memnet.Network // nil for the machine's
	file  string          // of the configuration
}

const password = "a-long-password"

// newStage makes one over real sockets, in real time.
func newStage(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	var writes measure.Histogram
	store, err := data.Open(t.Context(), dir, data.Options{Wrote: writes.Record})
	if err != nil {
		t.Fatal(err)
	}
	g := &stage{t: t, store: store, log: oplog.New(io.Discard, slog.LevelInfo, false)}
	tail := oplog.Keep(g.log)
	o := config.Defaults().Game
	o.Listen = "127.0.0.1:0"
	beside(&o, g.log)
	if g.game, err = game.New(o, store); err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- g.game.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(g.game.Stop(ctx), <-served, store.Close()); err != nil {
			t.Error(err)
		}
	})
	g.open(tail, &writes, change)
	return g
}

// beside are the settings of a game that has players beside each other and nobody else.
func beside(o *game.Options, log *oplog.Log) {
	o.Log, o.Monsters, o.NewcomersDungeon = log.Logger, false, false
}

// simulated runs a test on simulated time, beside others.
func simulated(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, test)
}

// newSimulated makes a stage over a network in memory, for a test that is [simulated].
func newSimulated(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	g := &stage{t: t, log: oplog.New(io.Discard, slog.LevelInfo, false)}
	tail := oplog.Keep(g.log)
	h := sim.Start(t, sim.Options{Game: func(o *game.Options) { beside(o, g.log) }})
	g.store, g.game, g.net = h.Store.Store, h.Server, h.Net
	g.open(tail, new(measure.Histogram), func(o *Options) {
		o.listen = func(network, address string) (net.Listener, error) {
			if network != "tcp" {
				return nil, errors.ErrUnsupported
			}
			return h.Net.Listen(address)
		}
		if change != nil {
			change(o)
		}
	})
	return g
}

// open begins to answer for the game.
func (g *stage) open(tail *oplog.Tail, writes *measure.Histogram, change func(*Options)) {
	t := g.t
	t.Helper()
	g.file = filepath.Join(g.store.Dir(), config.FileName)
	set := config.Defaults()
	set.Admin.Listen = "127.0.0.1:0"
	from := config.Sources{Defaults: set, File: g.file, Optional: true}
	loaded, err := config.Load(from)
	if err != nil {
		t.Fatal(err)
	}
	g.game.Operators().Reload = func(bool) ([]ops.SettingChange, error) { return nil, nil }
	g.game.Operators().HashParams, g.game.Operators().Recorder = datatest.Cheap, g.game
	o := Options{Settings: set.Admin, Version: "test", Store: g.store, Ops: g.game.Operators(), Game: g.game,
		Config:  config.Running(loaded, from, g.log.Logger),
		Backups: data.NewBackupSchedule(g.store, data.BackupPlan{}, g.log.Logger), Tail: tail, Log: g.log.Logger,
		Maps:      tiles.New(tiles.Options{Learned: g.store, Log: g.log.Logger}),
		Listeners: map[string]string{"game": g.game.Addr().String()}, Writes: writes,
		Queries: func() map[string]uint64 {
			return map[string]uint64{"ase_answers": 3, "minecraft_bytes_in": 4, "ase_dropped_reach": 1}
		}}
	if change != nil {
		change(&o)
	}
	if g.api, err = Listen(o); err != nil {
		t.Fatal(err)
	}
	g.url = "http://" + g.api.Addr().String()
	g.api.Ready()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := errors.Join(g.api.Close(ctx), o.Maps.Close()); err != nil {
			t.Error(err)
		}
		g.log.Close()
	})
	for _, role := range []data.Role{data.Player, data.Helper, data.GameMaster, data.Administrator} {
		g.account(role.String(), role)
	}
}

// dialer connects clients of this machine with the stage.
func (g *stage) dialer() bot.Dialer {
	if g.net == nil {
		return nil
	}
	return g.net.From(netip.MustParseAddr("127.0.0.1"))
}

// account makes an account.
func (g *stage) account(login string, role data.Role) data.Account {
	g.t.Helper()
	hash, err := data.HashPassword(password, datatest.Cheap)
	if err != nil {
		g.t.Fatal(err)
	}
	a, err := g.store.CreateAccount(g.t.Context(), login, hash, role)
	if err != nil {
		g.t.Fatal(err)
	}
	return a
}

// A browser is one that may have logged in.
type browser struct {
	g     *stage
	http  *http.Client
	csrf  string
	token string // of a program
}

func (g *stage) stranger() *browser {
	jar, err := cookiejar.New(nil)
	if err != nil {
		g.t.Fatal(err)
	}
	dial := g.dialer()
	b := &browser{g: g, http: &http.Client{Jar: jar, Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) { return dial.Dial(ctx, addr) }}}}
	g.t.Cleanup(b.http.CloseIdleConnections)
	return b
}

// as logs in with the account of a role.
func (g *stage) as(role data.Role) *browser {
	g.t.Helper()
	b := g.stranger()
	var who meAnswer
	b.want(http.StatusOK, b.send("POST", "/api/login", loginBody{role.String(), password}), &who)
	b.csrf = who.CSRF
	return b
}

// An answer is the response to a request.
type answer struct {
	status int
	header http.Header
	body   []byte
	what   string
}

// send makes a request. A body that is a string or nil goes as it is.
func (b *browser) send(method, path string, body any, change ...func(*http.Request)) answer {
	b.g.t.Helper()
	var content io.Reader
	switch v := body.(type) {
	case nil:
	case string:
		content = strings.NewReader(v)
	default:
		text, err := json.Marshal(v)
		if err != nil {
			b.g.t.Fatal(err)
		}
		content = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(b.g.t.Context(), method, b.g.url+path, content)
	if err != nil {
		b.g.t.Fatal(err)
	}
	if method != "GET" {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-CSRF-Token", b.csrf)
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	for _, c := range change {
		c(r)
	}
	resp, err := b.http.Do(r)
	if err != nil {
		b.g.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		b.g.t.Fatalf("%s %s: %v", method, path, err)
	}
	return answer{resp.StatusCode, resp.Header, text, method + " " + path}
}

// want expects a status, and reads the JSON of the answer into v unless it is nil.
func (b *browser) want(status int, a answer, v any) {
	b.g.t.Helper()
	if a.status != status {
		b.g.t.Fatalf("%s: status %d, %s; expected %d", a.what, a.status, a.body, status)
	}
	if v != nil {
		if err := json.Unmarshal(a.body, v); err != nil {
			b.g.t.Fatalf("%s: %v in %s", a.what, err, a.body)
		}
	}
}

// refused expects a status with a code.
func (b *browser) refused(status int, code string, a answer) errorAnswer {
	b.g.t.Helper()
	var e errorAnswer
	b.want(status, a, &e)
	if e.Code != code || e.Error == "" {
		b.g.t.Fatalf("%s: code %q, error %q; expected code %q and a sentence", a.what, e.Code, e.Error, code)
	}
	return e
}

// players makes some clients of the game walk in the world, until the test ends, and waits until they are there.
func (g *stage) players(names ...string) {
	g.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var walking sync.WaitGroup
	g.t.Cleanup(func() { cancel(); walking.Wait() })
	for i, name := range names {
		walking.Go(func() {
			who := bot.Identity{Login: "player-" + strings.ToLower(name), Password: password, Name: name}
			if _, err := bot.Solo(ctx, g.game.Addr().String(), bot.Options{Seed: uint64(i + 1), Dial: g.dialer()}, who,
				func(string) {}); err != nil && ctx.Err() == nil {
				g.log.Info("a client is out of the world", "name", name, "error", err)
			}
		})
	}
	g.until(fmt.Sprint(len(names), " players are in the world"),
		func() bool { return len(g.game.World().Players) == len(names) })
}

// until waits for something.
func (g *stage) until(what string, so func() bool) {
	g.t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); !so(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			g.t.Fatalf("waited in vain until %s", what)
		}
	}
}

// trail is the audit trail as text, newest first.
func (g *stage) trail() string {
	g.t.Helper()
	all, err := g.store.AuditTrail(g.t.Context(), data.AuditFilter{}, 1000)
	if err != nil {
		g.t.Fatal(err)
	}
	var out strings.Builder
	for _, e := range all {
		fmt.Fprintf(&out, "%s | %s | %s | %s\n", e.Who, e.Action, e.Target, e.Detail)
	}
	return out.String()
}

// recorded asks the handler without a socket.
func (g *stage) recorded(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	g.api.http.Handler.ServeHTTP(w, r)
	return w
}

// accountsList is the answer of the list of accounts.
type accountsList []ops.Account
