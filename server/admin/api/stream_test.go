package api

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/server/ops"
	"sphereserver/world"
)

// An event of the stream as a client reads it.
type received struct {
	name string
	data json.RawMessage
}

// listen opens the stream; the events come until the test ends.
func (b *browser) listen() <-chan received {
	b.g.t.Helper()
	r, err := http.NewRequestWithContext(b.g.t.Context(), "GET", b.g.url+"/api/events", nil)
	if err != nil {
		b.g.t.Fatal(err)
	}
	if b.token != "" {
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := b.http.Do(r)
	if err != nil {
		b.g.t.Fatal(err)
	}
	b.g.t.Cleanup(func() { resp.Body.Close() })
	if kind := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || !strings.HasPrefix(kind,
		"text/event-stream") {
		b.g.t.Fatalf("status %d, %s", resp.StatusCode, kind)
	}
	events := make(chan received, 1000)
	go func() {
		defer close(events)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 10<<20)
		var e received
		for lines.Scan() {
			switch name, text, _ := strings.Cut(lines.Text(), ": "); name {
			case "event":
				e.name = text
			case "data":
				e.data = json.RawMessage(text)
				events <- e
				e = received{}
			}
		}
	}()
	return events
}

// next waits for an event of a name that fits.
func next[T any](t *testing.T, events <-chan received, name string, fits func(T) bool) T {
	t.Helper()
	deadline := time.After(2 * time.Minute)
	for {
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatalf("the stream has ended before the %s event that is waited for", name)
			}
			var v T
			if e.name != name {
				continue
			}
			if err := json.Unmarshal(e.data, &v); err != nil {
				t.Fatal(err)
			}
			if fits(v) {
				return v
			}
		case <-deadline:
			t.Fatalf("waited in vain for a %s event", name)
		}
	}
}

func TestTheStreamTellsWhereEverybodyIs(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		g.players("Anna", "Berta")
		events := g.as(data.Helper).listen()
		first := next(t, events, "players", func(playersEvent) bool { return true })
		if len(first.Added) != 2 || len(first.Positions) != 2 || len(first.Removed) != 0 {
			t.Fatalf("%+v, expected both players as added", first)
		}
		// Positions are the world's at the moment that the event tells.
		for range 3 {
			var e playersEvent
			var snapshot *world.Snapshot
			g.until("an event is of the snapshot that is still there", func() bool {
				e = next(t, events, "players", func(playersEvent) bool { return true })
				snapshot = g.game.World()
				return e.At.Equal(snapshot.At)
			})
			for i, v := range snapshot.Players {
				want := [5]float64{float64(v.ID), float64(v.Position.X), float64(v.Position.Y), float64(v.Position.Z),
					float64(v.Position.Yaw)}
				for n := range want {
					if math.Abs(e.Positions[i][n]-want[n]) > 0.0051 {
						t.Errorf("%s is told at %v, and is at %v", v.Name, e.Positions[i], want)
					}
				}
			}
		}
		anna := first.Added[0]
		kick := ops.Kick{AccountName: ops.AccountName{Login: anna.Account}}
		if _, err := ops.KickAccount.Do(t.Context(), g.api.o.Ops, ops.Owner("test"), kick); err != nil {
			t.Fatal(err)
		}
		gone := next(t, events, "players", func(e playersEvent) bool { return len(e.Removed) > 0 })
		if len(gone.Removed) != 1 || gone.Removed[0] != anna.ID || len(gone.Positions) != 1 {
			t.Errorf("%+v, expected that %d is gone", gone, anna.ID)
		}
	})
}

func TestTheStreamTellsWhatHappens(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		chief, helper := g.as(data.Administrator).listen(), g.as(data.Helper).listen()
		next(t, chief, "players", func(playersEvent) bool { return true })
		next(t, helper, "players", func(playersEvent) bool { return true })
		if s := next(t, helper, "status", func(statusAnswer) bool { return true }); s.Version != "test" {
			t.Errorf("%+v, expected the status", s)
		}
		g.log.Warn("smoke")
		g.game.Announce("Внимание")
		type line struct{ Message string }
		next(t, chief, "log", func(l line) bool { return l.Message == "smoke" })
		if err := g.store.AppendAudit(t.Context(), data.AuditEntry{Who: "me", Action: "test"}); err != nil {
			t.Fatal(err)
		}
		next(t, chief, "audit", func(e data.AuditEntry) bool { return e.Action == "test" })
		for e := range helper {
			if e.name == "log" {
				t.Errorf("a helper is told the log: %s", e.data)
			}
			if e.name == "audit" && strings.Contains(string(e.data), `"test"`) {
				break
			}
		}
	})
}

func TestSlowListenersAreCutOffAndTheOthersAreNot(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		slow, quick := g.api.stream.join(data.Helper), g.api.stream.join(data.Helper)
		for i := range streamQueue + 1 {
			g.api.stream.tell([]byte(fmt.Sprint(i)), func(l *listener) bool { return l == slow || l == quick })
			<-quick.queue
		}
		select {
		case <-slow.cut:
		default:
			t.Error("who does not read is not cut off")
		}
		select {
		case <-quick.cut:
			t.Error("who reads is cut off")
		default:
		}
		g.api.stream.leave(quick)
	})
}

func TestThereIsRoomForSomeStreams(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		b := g.as(data.Helper)
		for range maxStreams {
			if g.api.stream.join(data.Helper) == nil {
				t.Fatal("no room")
			}
		}
		b.refused(http.StatusServiceUnavailable, "streams", b.send("GET", "/api/events", nil))
	})
}

func TestAnAccountHasSomeStreams(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		first, second := g.as(data.Helper), g.as(data.GameMaster)
		for range maxStreamsOf {
			next(t, first.listen(), "players", func(playersEvent) bool { return true })
		}
		first.refused(http.StatusServiceUnavailable, "streams", first.send("GET", "/api/events", nil))
		next(t, second.listen(), "players", func(playersEvent) bool { return true })
	})
}

func TestStreamsEndWithTheServer(t *testing.T) {
	simulated(t, func(t *testing.T) {
		g := newSimulated(t, nil)
		events := g.as(data.Helper).listen()
		next(t, events, "players", func(playersEvent) bool { return true })
		g.api.stream.end()
		for range events { // until it ends
		}
		if g.api.stream.join(data.Helper) != nil {
			t.Error("a client joins after the end")
		}
	})
}

// A stream ends within a heartbeat after its listener has lost the right to it; others go on.
func TestStreamsEndWithTheRightsOfTheirListeners(t *testing.T) {
	for what, lose := range map[string]func(g *stage, b *browser, id data.AccountID) error{
		"role": func(g *stage, _ *browser, id data.AccountID) error {
			return g.store.SetRole(g.t.Context(), id, data.Player)
		},
		"password": func(g *stage, _ *browser, id data.AccountID) error {
			hash, err := data.HashPassword("another-password", datatest.Cheap)
			return errors.Join(err, g.store.SetPassword(g.t.Context(), id, hash))
		},
		"session": func(_ *stage, b *browser, _ data.AccountID) error {
			b.want(http.StatusOK, b.send("POST", "/api/logout", "{}"), nil)
			return nil
		},
		"token": func(g *stage, _ *browser, _ data.AccountID) error { return g.store.DeleteToken(g.t.Context(), 1) },
	} {
		t.Run(what, func(t *testing.T) {
			simulated(t, func(t *testing.T) {
				g := newSimulated(t, nil)
				b := g.as(data.Helper)
				if what == "token" {
					var made tokenAnswer
					chief := g.as(data.Administrator)
					chief.want(http.StatusOK, chief.send("POST", "/api/tokens", `{"name":"watch","role":"helper"}`), &made)
					b = g.stranger()
					b.token = made.Secret
				}
				loses, stays := b.listen(), g.as(data.GameMaster).listen()
				everybody := func(playersEvent) bool { return true }
				time.Sleep(3 * heartbeat)
				for len(loses) > 0 {
					<-loses
				}
				next(t, loses, "players", everybody)
				a, err := g.store.AccountByLogin(t.Context(), data.Helper.String())
				if err == nil {
					err = lose(g, b, a.ID)
				}
				if err != nil {
					t.Fatal(err)
				}
				late := time.After(heartbeat + time.Second)
				for open := true; open; {
					select {
					case _, open = <-loses:
					case <-late:
						t.Fatal("the stream goes on")
					}
				}
				for len(stays) > 0 {
					<-stays
				}
				next(t, stays, "players", everybody)
			})
		})
	}
}
