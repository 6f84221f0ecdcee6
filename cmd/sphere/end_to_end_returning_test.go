//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/ops"
)

// A returningPlayer is a player of the test, and what it has to find when it comes back.
type returningPlayer struct {
	login   string
	options bot.Options
	names   [data.Slots]string
	made    [data.Slots]bool
	places  [data.Slots]coords.Position
	items   [data.Slots][]bot.Item
	client  *bot.Client
}

func newReturningPlayer(i int, d packets.Dialect) *returningPlayer {
	l := &returningPlayer{login: fmt.Sprintf("игрок %d", i),
		options: bot.Options{Dialect: d, Seed: uint64(i), PingEvery: time.Second, Manual: true}}
	for slot, n := range [...]string{"Аня", "Боря", "Вера"} {
		l.names[slot] = fmt.Sprintf("%s%d", n, i)
	}
	return l
}

// enter comes in with the character of a slot and looks whether it is as it was left.
func (l *returningPlayer) enter(ctx context.Context, addr string, slot int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := bot.Dial(ctx, addr, l.options)
	if err != nil {
		return err
	}
	l.client = c
	screen, err := c.Login(ctx, l.login, password)
	if err != nil {
		return err
	}
	for i := range screen.Characters {
		if shown, made := screen.Characters[i], l.made[i]; shown.Empty == made || made && shown.Name != l.names[i] {
			return fmt.Errorf("slot %d shows %q, empty %v; it was left with %q, empty %v", i, shown.Name, shown.Empty,
				l.names[i], !made)
		}
	}
	known := l.made[slot]
	var w bot.World
	if known {
		w, err = c.Select(ctx, slot)
	} else {
		w, err = c.Create(ctx, slot, bot.NewCharacter{Name: l.names[slot], Face: '1', Hair: '2', Female: slot == 1})
	}
	if err != nil {
		return err
	}
	if err := c.Enter(ctx); err != nil {
		return err
	}
	items := c.Items()
	for i := range items {
		items[i].ID = 0 // is one of the session
	}
	if !known {
		l.made[slot], l.items[slot], l.places[slot] = true, items, w.Position
		if len(items) != 3 && l.options.Dialect != packets.Classic {
			return fmt.Errorf("%d things at birth", len(items))
		}
		return nil
	}
	if w.Position != l.places[slot] {
		return fmt.Errorf("%s was left at %v, and is at %v", l.names[slot], l.places[slot], w.Position)
	}
	if !slices.Equal(items, l.items[slot]) {
		return fmt.Errorf("%s was left with %v, and has %v", l.names[slot], l.items[slot], items)
	}
	return nil
}

// walk goes some steps, each of which the server has to answer.
func (l *returningPlayer) walk(ctx context.Context, slot, steps int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i := range steps {
		to := near(l.client.Position, i+slot+len(l.login))
		pong, err := l.client.Ping(ctx, to)
		if err != nil {
			return err
		}
		if pong.Origin != to.Origin() {
			return fmt.Errorf("a step to %v is answered with %v", to, pong.Origin)
		}
		l.places[slot] = to
	}
	return nil
}

// leave logs out, and tells what the original client would have stumbled over.
func (l *returningPlayer) leave() error {
	findings := l.client.Violations()
	if err := l.client.Close(); err != nil {
		return err
	}
	if len(findings) > 0 {
		return fmt.Errorf("findings: %v", findings)
	}
	return nil
}

// Players come for the first time, make characters in all slots, walk, and come back: after logging out, after a
// restart of the server with them inside, and after it was killed. Where they were and what they had is there.
func TestEndToEndLivesOfPlayers(t *testing.T) {
	besideOthers(t)
	for _, v := range []struct {
		transport string
		dialect   packets.Dialect
		players   int
	}{
		{"gnet", packets.Dialect2026, size(30, 200)},
		{"net", packets.Dialect2022, size(6, 200)},
		{"gnet", packets.Classic, size(6, 100)},
		{"net", packets.Dialect2026, size(0, 200)},
		{"gnet", packets.Dialect2022, size(0, 200)},
		{"net", packets.Classic, size(0, 100)},
	} {
		if v.players > 0 {
			t.Run(v.transport+"/"+v.dialect.String(), func(t *testing.T) { liveThrough(t, v.transport, v.dialect, v.players) })
		}
	}
}

func liveThrough(t *testing.T, transport string, dialect packets.Dialect, n int) {
	saveEvery := 500 * time.Millisecond
	if full {
		saveEvery = 3 * time.Second
	}
	p := serveIn(t, t.TempDir(), "--transport", transport, "--dialect", dialect.String(), "--hash-workers", "2",
		"--save-every", saveEvery.String())
	players := make([]*returningPlayer, n)
	for i := range players {
		players[i] = newReturningPlayer(i, dialect)
	}
	t.Cleanup(func() {
		for _, l := range players {
			if l.client != nil {
				l.client.Abort()
			}
		}
	})
	// First days: a character for each slot.
	for slot := range data.Slots {
		all(t, n, func(i int) error {
			return firstError(
				func() error { return players[i].enter(t.Context(), p.game, slot) },
				func() error { return players[i].walk(t.Context(), slot, 3) },
				players[i].leave)
		})
	}
	// Back again, and the server is told to stop with everybody inside.
	slot := func(i int) int { return i % data.Slots }
	all(t, n, func(i int) error {
		return firstError(
			func() error { return players[i].enter(t.Context(), p.game, slot(i)) },
			func() error { return players[i].walk(t.Context(), slot(i), 2) })
	})
	p.stop()
	all(t, n, func(i int) error { // nobody misses the news
		err := players[i].client.Until(patient(t), func() bool { return false })
		if !errors.Is(err, bot.ErrClosed) {
			return fmt.Errorf("the connection ended with %w", err)
		}
		if lines := players[i].client.Lines; len(lines) != 1 || len(players[i].client.Violations()) > 0 {
			return fmt.Errorf("was told %v, findings %v", lines, players[i].client.Violations())
		}
		return nil
	})
	p, _ = p.again()
	all(t, n, func(i int) error {
		return firstError(
			func() error { return players[i].enter(t.Context(), p.game, slot(i)) },
			func() error { return players[i].walk(t.Context(), slot(i), 2) })
	})
	// Nobody moves until all are saved, and the server is killed.
	eventually(t, "everybody is saved where they are", func() bool {
		stored := map[string]coords.Position{}
		for _, c := range operate[[]ops.Character](p, "character", "list") {
			stored[c.Name] = c.Position
		}
		for i, l := range players {
			if stored[l.names[slot(i)]] != l.places[slot(i)] {
				return false
			}
		}
		return true
	})
	p.kill()
	for _, l := range players {
		l.client.Abort()
	}
	p, _ = p.again()
	all(t, n, func(i int) error {
		return firstError(func() error { return players[i].enter(t.Context(), p.game, slot(i)) }, players[i].leave)
	})
	p.check()

	// Some delete a character: it is gone, the others are not, and the slot and the name are free.
	all(t, n, func(i int) error {
		if i%2 == 1 {
			return nil
		}
		l, s := players[i], slot(i)
		return firstError(func() error { return deleteCharacter(t.Context(), p.game, l.options, l.login, s) }, func() error {
			l.made[s] = false
			return firstError(func() error { return l.enter(t.Context(), p.game, (s+1)%data.Slots) }, l.leave,
				func() error { return l.enter(t.Context(), p.game, s) }, l.leave)
		})
	})
	if counters := p.status().Counters; counters["frames_undecodable"] > 0 || counters["messages_outofplace"] > 0 ||
		counters["positions_refused"] > 0 ||
		counters["checksum_mismatches"] > 0 || counters["save_failures"] > 0 || counters["panics"] > 0 {
		t.Errorf("found %v", counters)
	}
	p.stop()
	r := operate[ops.Report](p, "status")
	if got, want := r.Stored, (data.Counts{Accounts: n, Characters: 3 * n, Items: 9 * n}); got != want {
		t.Errorf("%+v are stored, want %+v", got, want)
	}
	p.check()
}

func deleteCharacter(ctx context.Context, addr string, o bot.Options, login string, slot int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c, err := bot.Dial(ctx, addr, o)
	if err != nil {
		return err
	}
	defer c.Abort()
	if _, err := c.Login(ctx, login, password); err != nil {
		return err
	}
	return c.Delete(ctx, slot)
}

// firstError does one thing after the other, up to the first that fails.
func firstError(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}
