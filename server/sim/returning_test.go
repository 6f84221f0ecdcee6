package sim_test

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
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// A returningPlayer is a player of the test, with the values that it has to find when it comes back.
type returningPlayer struct {
	h       *sim.House
	number  int
	login   string
	options bot.Options
	names   [data.Slots]string
	made    [data.Slots]bool
	places  [data.Slots]coords.Position
	items   [data.Slots][]bot.Item
	client  *bot.Client
}

func newReturningPlayer(h *sim.House, i int, d packets.Dialect) *returningPlayer {
	o := h.Client(sim.Host(i))
	o.Dialect, o.Seed, o.PingEvery, o.Manual = d, uint64(i), time.Second, true
	l := &returningPlayer{h: h, number: i, login: fmt.Sprintf("игрок %d", i), options: o}
	for slot, n := range [...]string{"Аня", "Боря", "Вера"} {
		l.names[slot] = fmt.Sprintf("%s%d", n, i)
	}
	return l
}

// logsIn comes to the character screen and checks that it shows the characters that were left.
func (l *returningPlayer) logsIn() error {
	c, err := bot.Dial(patient(), l.h.Addr, l.options)
	if err != nil {
		return err
	}
	l.client = c
	screen, err := c.Login(patient(), l.login, "слово")
	if err != nil {
		return err
	}
	for i := range screen.Characters {
		if shown, made := screen.Characters[i], l.made[i]; shown.Empty == made || made && shown.Name != l.names[i] {
			return fmt.Errorf("slot %d shows %q, empty %v; it was left with %q, empty %v", i, shown.Name, shown.Empty,
				l.names[i], !made)
		}
	}
	return nil
}

// enter comes in with the character of a slot, which it makes if there is none, and looks whether it is as it was left.
func (l *returningPlayer) enter(slot int) error {
	err := l.logsIn()
	if err != nil {
		return err
	}
	c, known := l.client, l.made[slot]
	var w bot.World
	if known {
		w, err = c.Select(patient(), slot)
	} else {
		w, err = c.Create(patient(), slot, bot.NewCharacter{Name: l.names[slot], Face: '1', Hair: '2', Female: slot == 1})
	}
	if err == nil {
		err = c.Enter(patient())
	}
	if err != nil {
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
func (l *returningPlayer) walk(slot, steps int) error {
	for i := range steps {
		to := l.client.Position
		to.X += float32((i+slot+l.number)%4) + 0.25
		to.Z -= float32((i+l.number)%3) + 0.5
		to.Yaw = float32(i%6) + 0.125
		pong, err := l.client.Ping(patient(), to)
		if err != nil {
			return err
		}
		if pong.Origin != to.Origin() {
			return fmt.Errorf("a step to %v is answered with %v", to, pong.Origin)
		}
		l.places[slot] = to
		time.Sleep(time.Second)
	}
	return nil
}

// leave logs out, and reports faults that the original client would have stumbled over.
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

// first does one thing after the other, up to the first that fails.
func first(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Players come for the first time, make characters in all slots, walk, and come back: after logging out, after a
// restart of the server with them inside, and after it was killed. Their places and belongings are there.
func TestLivesOfPlayers(t *testing.T) {
	for _, dialect := range []packets.Dialect{packets.Dialect2026, packets.Dialect2022, packets.Classic} {
		t.Run(dialect.String(), func(t *testing.T) {
			simulated(t, func(o *game.Options) {
				together(o)
				o.Generation.Dialect, o.Generation.Auto = dialect, false
			}, func(h *sim.House) { liveThrough(h, dialect) })
		})
	}
}

func liveThrough(h *sim.House, dialect packets.Dialect) {
	const n = 12
	players := make([]*returningPlayer, n)
	for i := range players {
		players[i] = newReturningPlayer(h, i, dialect)
	}
	slot := func(i int) int { return i % data.Slots }
	comeBack := func() {
		h.T.Helper()
		all(h, n, func(i int) error {
			return first(func() error { return players[i].enter(slot(i)) }, func() error { return players[i].walk(slot(i), 2) })
		})
	}
	// First days: a character for each slot.
	for s := range data.Slots {
		all(h, n, func(i int) error {
			return first(func() error { return players[i].enter(s) }, func() error { return players[i].walk(s, 3) },
				players[i].leave)
		})
	}
	// Back again, and the server stops with everybody inside. Nobody misses the news.
	comeBack()
	h.Restart()
	all(h, n, func(i int) error {
		c := players[i].client
		if err := c.Until(patient(), func() bool { return false }); !errors.Is(err, bot.ErrClosed) {
			return fmt.Errorf("the connection ended with %w", err)
		}
		if len(c.Lines) != 1 || len(c.Violations()) > 0 {
			return fmt.Errorf("was told %v, findings %v", c.Lines, c.Violations())
		}
		return nil
	})
	// Nobody moves until all are saved, and the server is killed.
	comeBack()
	all(h, n, func(i int) error { return players[i].client.Idle(context.Background(), 5*time.Second) })
	h.Kill(func(*data.Store) {})
	for _, l := range players {
		l.client.Abort()
	}
	all(h, n, func(i int) error {
		return first(func() error { return players[i].enter(slot(i)) }, players[i].leave)
	})
	// Some delete a character: it is gone, the others are not, and the slot and the name are free.
	all(h, n, func(i int) error {
		l, s := players[i], slot(i)
		if i%2 == 1 {
			return nil
		}
		return first(l.logsIn, func() error { return l.client.Delete(patient(), s) }, l.client.Close, func() error {
			l.made[s] = false
			return first(func() error { return l.enter((s + 1) % data.Slots) }, l.leave, func() error { return l.enter(s) }, l.leave)
		})
	})
	counted(h, map[string]uint64{"frames_undecodable": 0, "messages_outofplace": 0, "positions_refused": 0,
		"checksum_mismatches": 0, "save_failures": 0})
	holds(h, data.Counts{Accounts: n, Characters: data.Slots * n, Items: data.Slots * n * (bornWith + 1)})
}
