//go:build system

package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/server/game"
	"sphereserver/world/rules"
)

// gameForBots serves until the test ends and returns its address.
func gameForBots(t *testing.T, changes ...func(*game.Options)) string {
	t.Helper()
	store, err := data.Open(t.Context(), t.TempDir(), data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := shippedOptions()
	o.Listen = "127.0.0.1:0"
	for _, change := range changes {
		change(&o)
	}
	return serveGame(t, store, o)
}

// runBot executes "sphere bot" with these arguments.
func runBot(args ...string) (out, progress string, err error) { return runBotWith("", args...) }

// comesInWithin is how long a bot has to play to have been in the world for a while, on this machine as busy as it is
// now.
func comesInWithin(t *testing.T, addr string) string {
	t.Helper()
	for last := 2 * time.Second; ; last *= 2 {
		out, progress, err := runBot("--addr", addr, "--for", last.String(), "--load-time", "0s", "--login", "first")
		if strings.Contains(out+progress, "logging out") || last > time.Minute {
			return (2 * last).String()
		}
		t.Log(last, err)
	}
}

func TestOneBotTellsInWords(t *testing.T) {
	t.Parallel()
	addr := gameForBots(t)
	out, _, err := runBot("--addr", addr, "--for", comesInWithin(t, addr), "--load-time", "0s", "--login", "vasya",
		"--name", "Вася", "--slot", "1", "--ping-every", "200ms")
	if err != nil {
		t.Error(err)
	}
	for _, want := range []string{"connected to " + addr, `logged in as "vasya"`, "slot 1: empty", `creating "Вася"`,
		"in the world as Вася at (", "    HP 1",
		"slot 27: bread", "logging out", "1 client, 1 entry into the world", "disconnects 0, findings 0"} {
		if !strings.Contains(out, want) {
			t.Errorf("does not say %q:\n%s", want, out)
		}
	}
	out, _, err = runBot("--addr", addr, "--login", "vasya", "--password", "other")
	if err == nil || !strings.Contains(err.Error(), "refuses the login") || strings.Contains(out, "entries") {
		t.Errorf("wrong password: %v\n%s", err, out)
	}
}

// botsUntil runs bots for some seconds and reads their figures, and again for twice as long while they have not come as
// far as they should: how long that takes is the machine's matter.
func botsUntil(t *testing.T, figures any, enough func() bool, args ...string) (progress string) {
	t.Helper()
	for last := 4 * time.Second; ; last *= 2 {
		out, progress, err := runBot(append(args, "--addr", gameForBots(t), "--for", last.String(), "--load-time", "0s",
			"--json")...)
		if err != nil {
			t.Error(err)
		}
		if err := json.Unmarshal([]byte(out), figures); err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
		if enough() || last > time.Minute {
			return progress
		}
	}
}

func TestManyBotsAsJSON(t *testing.T) {
	t.Parallel()
	var got struct {
		Entries, Pings, Pongs int
		Clean                 bool
	}
	progress := botsUntil(t, &got, func() bool { return got.Entries == 5 && got.Pings > 0 },
		"--count", "5", "--ping-every", "300ms", "--stand")
	if got.Entries != 5 || got.Pings == 0 || got.Pings != got.Pongs || !got.Clean {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(progress, "5 clients, 5 entries") {
		t.Errorf("progress %q", progress)
	}
}

// Bots gather, talk, form groups, and see each other as they are.
func TestBotsAmongEachOther(t *testing.T) {
	t.Parallel()
	var got struct {
		Said     int `json:"lines_said"`
		Heard    int `json:"lines_heard"`
		Compared int `json:"sightings_compared"`
		Clean    bool
	}
	progress := botsUntil(t, &got, func() bool { return got.Heard > 0 && got.Compared > 0 }, "--count", "12",
		"--ping-every", "200ms", "--walk", "square", "--chat-every", "1s", "--group-every", "300ms", "--stay", "4s")
	if got.Said == 0 || got.Heard == 0 || got.Compared == 0 || !got.Clean {
		t.Errorf("%+v", got)
	}
	if !strings.Contains(progress, "sightings with where the clients are") || !strings.Contains(progress, "lines said") {
		t.Errorf("progress %q", progress)
	}
}

// Hunters kill, loot and gain, and come back with all of it; none of it would make the original client stumble.
func TestHuntingBots(t *testing.T) {
	t.Parallel()
	start := weakestMonsters(t, "shipstone")
	for last := 40 * time.Second; ; last *= 2 {
		var got struct {
			Entries, Looks, Kills, Looted int
			Experience                    int `json:"experience_gained"`
			Clean                         bool
		}
		out, progress, err := runBot("--addr", gameForBots(t, func(o *game.Options) {
			o.Start, o.NewcomersDungeon = start, false
		}), "--count", "4", "--hunt", "--for", last.String(), "--ping-every", "300ms", "--load-time", "0s", "--json")
		if err != nil {
			t.Fatalf("%v\n%s", err, progress)
		}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			t.Fatalf("%v:\n%s", err, out)
		}
		enough := got.Kills > 0 && got.Looted > 0 && got.Experience > 0 && got.Looks > 0
		if enough || last > 2*time.Minute {
			if !enough || !got.Clean || got.Entries != 4+got.Looks {
				t.Errorf("%+v\n%s", got, progress)
			}
			return
		}
	}
}

// weakestMonsters is the nearest place to a city where the weakest monsters come from.
func weakestMonsters(t *testing.T, city string) coords.Position {
	t.Helper()
	place, ok := content.PlaceByKey(city)
	if !ok {
		t.Fatalf("no place %s", city)
	}
	var best *wild.Spawner
	all := wild.Spawners(content.Default().Tables, &rules.DefaultBalance().Spawn)
	for i := range all {
		s := &all[i]
		if s.Area != place.Area || s.Level > 1 || slices.Contains(s.Types, rules.PracticeTarget) {
			continue
		}
		if best == nil || place.Position.Distance(s.Position) < place.Position.Distance(best.Position) {
			best = s
		}
	}
	if best == nil {
		t.Fatalf("no monsters around %s", city)
	}
	return best.Position
}

func TestBotFailures(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"--count", "0"}, {"--slot", "3"}, {"--dialect", "1998"}, {"--rate", "0"},
		{"--rate", "NaN"}, {"--rate", "1e-300"}, {"--stay", "2000000h"},
		{"--for", "-1s"}, {"--ping-every", "0s"},
		{"--count", "2", "--prefix", "Бот"}, {"--hunt", "--stand"}, {"--hunt", "--walk", "square"},
		{"--hunt", "--things-every", "5s"}, {"--missions", "--stand"}, {"--hunt", "--missions"}, {"--walk", "--stand"}, {"--walk", "square", "--stand"}, {"--walk", "home"},
		{"--speed", "-1"}, {"--sight", "NaN"}, {"--crowd", "0"}, {"--slack", "-1s"}, {"--chat-every",
			"-1s"}, {"--group-every", "-1s"}, {"--things-every", "-1s"}, {"--cout", "3"}, {"there"}} {
		if _, _, err := runBot(args...); err == nil {
			t.Errorf("%q is accepted", args)
		} else if mistake := (*usageError)(nil); !errors.As(err, &mistake) {
			t.Errorf("%q: %v is no mistake in the command line", args, err)
		}
	}
	// Nobody listens there.
	if _, _, err := runBot("--addr", "127.0.0.1:1", "--count", "3", "--for", "1m"); err == nil ||
		!strings.Contains(err.Error(), "3 connections lost") {
		t.Errorf("no server: %v", err)
	}
}
