package bot_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// However often a client says that it is farther away, it gets no farther than by saying so once; and then its own
// client, its viewers, the world and the database agree where it is.
func TestNobodyOutrunsWhatTheServerBelieves(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		other := enter(t, s, "Olga", bot.Options{})
		c := enter(t, s, "Runner", bot.Options{})
		start, entered := c.Position, time.Now().Add(-time.Second)
		at := start
		for range 40 {
			at.X += 20
			if err := c.Send(packets.PingBody(c.ID(), 0, at)); err != nil {
				t.Fatal(err)
			}
		}
		c.Position = at
		if err := c.Confirm(short(t)); !errors.Is(err, bot.ErrPutBack) {
			t.Fatalf("800 m at once: %v", err)
		}
		if err := c.Confirm(short(t)); err != nil {
			t.Errorf("where it was put back: %v", err)
		}
		at = c.Position
		if d, most := at.Distance(start), 30+12*time.Since(entered).Seconds(); d > most {
			t.Errorf("it got %.0f m far, at most %.0f m are plausible", d, most)
		}
		if n := c.Tally().PutBack.Load(); n == 0 {
			t.Error("nobody counts that it was put back")
		}
		shown := func() bool {
			o := other.Objects[c.ID()]
			return o != nil && o.Position.Distance(at) < 0.1
		}
		if err := other.Until(short(t), shown); err != nil {
			t.Errorf("who sees it has it elsewhere than at %v: %v", at, err)
		}
		c.Close()
		account, err := s.Store.AccountByLogin(context.Background(), "Runner")
		if err != nil {
			t.Fatal(err)
		}
		again := login(t, s, "Runner", bot.Options{}) // waits until it is saved
		defer again.Close()
		all, err := s.Store.Characters(context.Background(), account.ID)
		if err != nil || len(all) != 1 || all[0].Position.Distance(at) > 0.01 {
			t.Errorf("saved as %+v, %v, want %v", all, err, at)
		}
	})
}

// A walk that the server does not believe is an error, and not an arrival.
func TestAWalkThatIsNotBelievedFails(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		c := enter(t, s, "Hasty", bot.Options{PingEvery: 100 * time.Millisecond, Speed: 400})
		to := c.Position
		to.X += 2000
		if err := c.Walk(short(t), to); !errors.Is(err, bot.ErrPutBack) {
			t.Errorf("400 m/s: %v", err)
		}
		up := c.Position
		up.Y = 4501
		if _, err := c.Ping(short(t), up); err != nil {
			t.Fatal(err)
		}
		if err := c.Confirm(short(t)); !errors.Is(err, bot.ErrPutBack) || c.Position.Y == up.Y {
			t.Errorf("up into another part of the world: %v, at %v", err, c.Position)
		}
	})
}

// A player that comes to a place full of things is not cut off for that, and is shown the nearest of them.
func TestAPlaceFullOfThingsLetsEverybodyIn(t *testing.T) {
	onAServer(t, func(t *testing.T, s *running) {
		const n = 16_000
		start := game.DefaultOptions().Start
		for i := range n {
			at := start
			at.X += float32(i%126) - 63
			at.Z += float32(i/126) - 63
			s.Command(world.RestoreGroundItem{Lying: rules.OnGround{At: at}, Things: []rules.Item{{ID: rules.ItemID(1<<40 + i),
				Class: int(packets.ClassBread), Suffix: -1, Count: 1, Durability: 100, MaxDurability: 100, Weight: 8}}})
		}
		c := enter(t, s, "Digger", bot.Options{})
		near := func() (lie int) {
			for _, o := range c.Objects {
				if o.OnGround() && o.Position.Distance(coords.Position{X: start.X, Y: start.Y, Z: start.Z}) < 20 {
					lie++
				}
			}
			return lie
		}
		const around = 1200 // within 20 m lie 20² · π of them
		if err := c.Until(short(t), func() bool { return near() > around }); err != nil {
			t.Fatalf("%d things are shown within 20 m: %v", near(), err)
		}
		if err := c.Idle(short(t), 2*time.Second); err != nil {
			t.Errorf("afterwards: %v", err)
		}
		if _, err := c.Ping(short(t), c.Position); err != nil {
			t.Error(err)
		}
		if len(c.Objects) > 5000 {
			t.Errorf("it is shown %d objects", len(c.Objects))
		}
	})
}
