//go:build system && unix

package main

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/data/content"
	"sphereserver/server/bot"
	"sphereserver/server/query"
	"sphereserver/world"
)

// numbersMatch accepts any number where that is wanted.
var numbersMatch = cmp.FilterValues(func(x, y any) bool { return x == any(aNumber) || y == any(aNumber) },
	cmp.Comparer(func(x, y any) bool {
		if x == any(aNumber) {
			x = y
		}
		switch v := x.(type) {
		case float64:
			return true
		case string:
			_, err := strconv.Atoi(v)
			return err == nil
		}
		return false
	}))

// show compares the words of every foreigner with the known values.
func show(t *testing.T, k *known, which func(*foreigner) bool) {
	for _, f := range foreigners {
		if !which(&f) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.shows(t, k, f.want(k))
		})
	}
}

// shows makes a foreigner ask, and compares its output with the wanted one.
func (f *foreigner) shows(t *testing.T, k *known, want any) {
	t.Helper()
	got := f.ask(t, k)
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(fromJSON(t, string(text)), got, numbersMatch); diff != "" {
		t.Errorf("-the server knows +it shows\n%s", diff)
	}
}

// somePort is where a game might listen. It is below 32768, since some clients take a port in two bytes for a signed
// number: mcquery and minequery show a negative one then, and minequery refuses the whole of a full answer.
func somePort() int { return 10000 + rand.IntN(20000) }

// serveBrowsers starts a server with the usual query port, where foreigners look for it.
func serveBrowsers(t *testing.T, args ...string) (p *process, eye int) {
	t.Helper()
	for range 50 {
		port := somePort()
		p = launch(t, "", t.TempDir(), append([]string{"--listen", onLoopback(port), "--browser-exempt-loopback"}, args...))
		select {
		case line := <-p.lines:
			var minecraft string
			_, err := fmt.Sscanf(line, "ready game=%s ase=127.0.0.1:%d minecraft=%s", &p.game, &eye, &minecraft)
			if err == nil && p.game == onLoopback(port) && eye == port+123 && minecraft == p.game {
				return p, eye
			}
			p.stop()
		case <-p.done: // another program has the port
		case <-time.After(patience):
			t.Fatalf("the server is not ready:\n%s", p.logs)
		}
	}
	t.Fatal("no free ports are found")
	return nil, 0
}

// Protocol ase 15, check 8, and minecraft-query 13, check 10: unrelated clients read every field, of a server with real
// players.
func TestForeignClientsSeeRealPlayers(t *testing.T) {
	for _, names := range [][]string{{}, {"Женя"}, {"Ann", "Вася", "Игрок", "Lev", "АБВГ", "Щука"}} {
		t.Run(fmt.Sprintf("%d players", len(names)), func(t *testing.T) {
			t.Parallel()
			p, eye := serveBrowsers(t, "--name", "Сфера для всех", "--max-connections", "321")
			for i, name := range names {
				stay(t, p.player(fmt.Sprintf("login%d", i), 0, name))
			}
			k := &known{name: "Сфера для всех", version: version, place: "Hyperion", eye: eye, slots: 321,
				eyeList: len(names), fullList: len(names)}
			k.game = int(netip.MustParseAddrPort(p.game).Port())
			eventually(t, "the server tells of all", func() bool {
				return strings.Contains(answers(t, "minecraft", p.game, "--kind", "basic"), fmt.Sprintf("%d of 321", len(names)))
			})
			s := p.status()
			if s.Players != len(names) {
				t.Fatalf("%d players are in the world: %+v", s.Players, s.Characters)
			}
			for _, c := range s.Characters {
				k.players = append(k.players, knownPlayer{c.Name, 1, aNumber})
			}
			t.Run("shown", func(t *testing.T) { show(t, k, func(f *foreigner) bool { return !f.many }) })
			checkCounters(t, p)
			p.stop()
		})
	}
}

// stay makes a player live in the world, until the test ends.
func stay(t *testing.T, c *bot.Client) {
	ctx, cancel := context.WithCancel(t.Context())
	var done sync.WaitGroup
	done.Go(func() { _ = c.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		done.Wait()
	})
}

// checkCounters finds the answers and refusals to browsers in the server's own figures.
func checkCounters(t *testing.T, p *process) {
	t.Helper()
	before := p.status().Counters
	if before["query_minecraft_answers"] == 0 || before["query_minecraft_bytes_out"] == 0 ||
		before["query_ase_panics"]+before["query_minecraft_panics"] > 0 {
		t.Errorf("%v", before)
	}
	c, err := net.Dial("udp", p.game)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, nonsense := range []string{"", "?", "\xFE\xFD\x07\x00\x00\x00\x01",
		"\xFE\xFD\x00\x00\x00\x00\x01\x01\x02\x03\x04"} {
		if _, err := c.Write([]byte(nonsense)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "what is met with silence is counted", func() bool {
		after := p.status().Counters
		return after["query_minecraft_dropped_malformed"] == before["query_minecraft_dropped_malformed"]+3 &&
			after["query_minecraft_dropped_token"] == before["query_minecraft_dropped_token"]+1 &&
			after["query_minecraft_answers"] == before["query_minecraft_answers"]
	})
}

// A thousand players do not fit into an answer: all clients show how many there are, and the named ones.
func TestForeignClientsSeeACrowd(t *testing.T) {
	const crowd = 1000
	k := &known{name: "Сфера", version: "1.2.3", place: "Hyperion", slots: 10000}
	s := &world.Snapshot{At: time.Now()}
	for i := range crowd {
		p := world.PlayerView{ID: world.PlayerID(i), Name: fmt.Sprintf("Игрок%d", i), Title: i % 60,
			Position: content.Cities()[0].Position,
			Entered:  s.At.Add(-time.Duration(i) * time.Minute)}
		s.Players = append(s.Players, p)
		k.players = append(k.players, knownPlayer{p.Name, i%60 + 1, i})
	}
	o := query.DefaultOptions()
	o.ExemptLoopback = true
	var q *query.Server
	for range 50 {
		at := netip.MustParseAddrPort(onLoopback(somePort()))
		source := &query.Game{Name: k.name, Version: k.version, Slots: k.slots, Port: at.Port(),
			Started: s.At.Add(-time.Hour), Start: content.Cities()[0].Position,
			World: func() *world.Snapshot { return s }}
		var err error
		if q, err = query.Listen(at, o, source); err != nil {
			continue // another program has the port
		}
		t.Cleanup(func() {
			if err := q.Close(); err != nil {
				t.Error(err)
			}
		})
		if k.game, k.eye = int(at.Port()), int(q.ASE().Port()); k.eye == k.game+123 {
			break
		}
	}
	// The room is measured by the lengths of the answers, which do not come near another player's.
	k.eyeList, k.fullList = named(t, 1350, "ase", onLoopback(k.eye)), named(t, 1400, "minecraft", onLoopback(k.game))
	show(t, k, func(f *foreigner) bool { return !f.few })
}

// named is how many players an answer names that may have so many bytes: as many as there is room for.
func named(t *testing.T, most int, args ...string) int {
	t.Helper()
	var r struct {
		Bytes, Players int
		List           []any
	}
	if err := json.Unmarshal([]byte(answers(t, append([]string{args[0], args[1], "--json"}, args[2:]...)...)),
		&r); err != nil {
		t.Fatal(err)
	}
	const another = 40 // bytes at most
	if r.Players != 1000 || r.Bytes > most || r.Bytes < most-another || len(r.List) < 50 {
		t.Errorf("%q: %d bytes, %d of %d players", args, r.Bytes, len(r.List), r.Players)
	}
	return len(r.List)
}

// Protocol ase 15, check 8, to the letter: the golden answer, read by foreigners.
func TestForeignClientsReadTheGoldenEYE1(t *testing.T) {
	golden, err := hex.DecodeString("45594531046d74610632323030330c5465737420736572766572057261636506" +
		"446f636b7304312e36023002320333320673706565640566617374013f04416e" +
		"6e0101033132033435013f09d096d0b5d0bdd18f0472656401032d3302300237")
	if err != nil {
		t.Fatal(err)
	}
	at := netip.MustParseAddrPort(always(t, golden))
	k := &known{eye: int(at.Port()), game: int(at.Port()) - 123}
	server := object{"name": "Test server", "map": "Docks", "password": false, "version": "1.6", "numplayers": 2,
		"maxplayers": 32, "bots": []any{},
		"raw": object{"gamename": "mta", "gametype": "race", "speed": "fast"}, "queryPort": k.eye,
		"connect": onLoopback(22003), "ping": aNumber,
		"players": []any{
			object{"name": "Ann", "raw": object{"team": "", "skin": "", "score": 12, "ping": 45, "time": nil}},
			object{"name": "Женя", "raw": object{"team": "red", "skin": "", "score": -3, "ping": 0, "time": 7}}}}
	quake := object{"server": row("EYE", onLoopback(k.game), "Test server", "Docks", "32", "2", aNumber, aNumber),
		"rules": object{"gamename": "mta", "hostport": "22003", "gametype": "race", "_version": "1.6", "_password": "0",
			"speed": "fast"},
		"players": []any{row("Ann", "12", "45", "", "", "0"), row("Женя", "-3", "0", "red", "", "7")}}
	for _, f := range foreigners {
		if !f.eye || strings.Contains(f.name, "without") {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			if strings.HasPrefix(f.name, "gamedig") {
				f.shows(t, k, server)
			} else {
				f.shows(t, k, quake)
			}
		})
	}
}
