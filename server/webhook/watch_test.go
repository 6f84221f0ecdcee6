package webhook

import (
	"context"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// A server that a test changes.
type fakeServer struct {
	mu               sync.Mutex // guards all but lines
	counters         map[string]uint64
	notReady, backup string
	planned          *ops.PlannedStop
	trail            []data.AuditEntry // newest first
	lines            chan chat.Entry
}

// change has a test change the server.
func (f *fakeServer) change(do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do()
}

// seen is a look at the server.
func seen[T any](f *fakeServer, look func() T) T {
	f.mu.Lock()
	defer f.mu.Unlock()
	return look()
}

func (f *fakeServer) watched(file string) Watched {
	return Watched{File: file, Log: slog.New(slog.DiscardHandler),
		Counters: func() map[string]uint64 { return seen(f, func() map[string]uint64 { return maps.Clone(f.counters) }) },
		NotReady: func() string { return seen(f, func() string { return f.notReady }) },
		Backup:   func() string { return seen(f, func() string { return f.backup }) },
		Planned:  func() *ops.PlannedStop { return seen(f, func() *ops.PlannedStop { return f.planned }) },
		Follow: func() ([]chat.Entry, <-chan chat.Entry, func(), bool) {
			return nil, f.lines, func() {}, true
		},
		Trail: func(context.Context, data.AuditFilter, int) ([]data.AuditEntry, error) {
			return seen(f, func() []data.AuditEntry { return f.trail }), nil
		},
		Told: func(_ data.Role, e data.AuditEntry) ops.AuditEntry {
			return ops.AuditEntry{AuditEntry: e, Sentence: ops.Text{English: e.Who + " banned " + e.Target}}
		}}
}

// watching runs a test with a watched server that has a webhook for all events.
func watching(t *testing.T, do func(f *fakeServer, a *address, file string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "webhooks.toml")
		write(t, file, `["started", "stopping", "full", "trouble", "ban", "chat"]`)
		a := &address{began: time.Now()}
		f := &fakeServer{counters: map[string]uint64{}, lines: make(chan chat.Entry)}
		s := New(slog.New(slog.DiscardHandler), func() string { return "Sphere" }, a)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { s.Watch(ctx, f.watched(file)); close(ended) }()
		synctest.Wait()
		do(f, a, file)
		stop()
		<-ended
		s.Close()
	})
}

func write(t *testing.T, file, events string) {
	t.Helper()
	if err := os.WriteFile(file, []byte("[[webhook]]\nname = \"a\"\nlanguage = \"en\"\nurl = \""+secret+"\"\nevents = "+
		events+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestWhatHappensIsToldOnce(t *testing.T) {
	watching(t, func(f *fakeServer, a *address, _ string) {
		pass := func(change func()) { f.change(change); time.Sleep(20 * time.Second) }
		time.Sleep(time.Second) // between two looks
		pass(func() { f.notReady = "starting" })
		pass(func() { f.notReady = "saving fails" })
		pass(func() { f.notReady = "" })
		pass(func() { f.backup = "disk full" })
		pass(func() { f.counters["ended_server_full"] = 3 })
		pass(func() { f.counters["ended_server_full"] = 5 })
		pass(func() { f.planned = &ops.PlannedStop{At: time.Now().Add(10 * time.Minute), Reason: "news"} })
		pass(func() { f.planned = nil })
		pass(func() {
			f.trail = []data.AuditEntry{{ID: 3, Who: "root", Action: "account ban", Target: "vasya 192.0.2.1"},
				{ID: 2, Who: "root", Action: "address ban", Target: "192.0.2.1"}}
		})
		pass(func() {})
		wantTold(t, a, "0s: The server has started.",
			"22s: What players do is not saved: look at the log of the server.", "42s: What players do is saved again.",
			"1m2s: A backup has failed: look at the log of the server.",
			"1m22s: The server is full: there was no room for somebody.",
			"2m2s: The server stops in 9 min 59 s. news", "2m22s: The server does not stop after all.",
			"2m42s: root banned vasya …")
	})
}

func TestOnlyWhatEverybodyHearsIsTold(t *testing.T) {
	watching(t, func(f *fakeServer, a *address, file string) {
		for _, e := range []chat.Entry{
			{Channel: world.Normal, Character: "Owl", Text: "hello"}, {Channel: world.Trade, Character: "Owl", Text: "bread"},
			{Channel: world.Special, Text: "a word of the server"},
			{Channel: world.Private, Character: "Owl", To: "A", Text: "x"},
			{Channel: world.Near, Character: "Owl", Text: "x"}, {Channel: world.Clan, Character: "Owl", Text: "x"},
			{Channel: world.Party, Character: "Owl", Text: "x"}, {Channel: world.Whisper, Character: "Owl", Text: "x"},
		} {
			f.lines <- e
		}
		time.Sleep(time.Minute)
		wantTold(t, a, "0s: The server has started.", "1s: Owl: hello\nOwl: bread\na word of the server")
		write(t, file, `["full"]`)
		if err := os.Chtimes(file, time.Time{}, time.Now()); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		select {
		case f.lines <- chat.Entry{Channel: world.Normal, Character: "Owl", Text: "x"}:
			t.Error("the chat is followed though no webhook wants it any more")
		default:
		}
	})
}

func TestALateWorldIsTold(t *testing.T) {
	watching(t, func(f *fakeServer, a *address, _ string) {
		time.Sleep(time.Second) // between two looks
		pass := func(seconds int, slow uint64) {
			for range seconds / 2 {
				f.change(func() {
					f.counters["ticks"] += 40
					f.counters["ticks_slow"] += slow
				})
				time.Sleep(2 * time.Second)
			}
		}
		pass(120, 1) // 2.5 percent
		pass(120, 4)
		pass(120, 0)
		time.Sleep(time.Minute) // nobody is in the world, which does not tick
		if got := a.told(); len(got) != 3 || !strings.Contains(got[1], "The world is late: 5% of the ticks of a minute") ||
			!strings.Contains(got[2], "The world is on time again.") {
			t.Errorf("told %q", got)
		}
	})
}
