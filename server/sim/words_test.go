package sim_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// Words of the server itself: to newcomers once, to everybody at entering, and in turn to all, on time.
func TestWordsOfTheServer(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{Game: func(o *game.Options) {
		o.Words = game.Words{Greeting: "Здравствуй, новичок", Motto: "Сегодня, в 20:00 — турнир",
			Announcements: []string{"раз", "два"}, Every: time.Minute + 1} // never in one moment with a tick
	}}, func(h *sim.House) {
		type line struct {
			at   time.Duration
			text string
		}
		var heard []line
		begun := time.Now()
		enter := func() *bot.Client {
			heard, begun = nil, time.Now()
			return h.Player(1, "Listener", bot.Options{Tell: func(text string) {
				heard = append(heard, line{time.Since(begun), text})
			}})
		}
		says := func(text string) (at []time.Duration) {
			for _, l := range heard {
				if strings.Contains(l.text, text) {
					at = append(at, l.at.Round(time.Second))
				}
			}
			return at
		}
		idle := func(c *bot.Client, d time.Duration) {
			if err := c.Idle(context.Background(), d); err != nil {
				h.T.Fatal(err)
			}
		}
		c := enter()
		idle(c, 2*time.Minute+10*time.Second)
		if len(says("новичок")) != 1 || len(says("турнир")) != 1 || len(says("раз"))+len(says("два")) != 2 {
			h.T.Errorf("a newcomer hears %v", heard)
		}
		if err := c.Close(); err != nil {
			h.T.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		c = enter()
		idle(c, 10*time.Second)
		if len(says("новичок")) != 0 || len(says("турнир")) != 1 {
			h.T.Errorf("no newcomer any more, it hears %v", heard)
		}
		if err := c.Close(); err != nil {
			h.T.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		h.Server.ChangeWords(game.Words{Announcements: []string{"три"}, Every: 30 * time.Second})
		c = enter()
		idle(c, 65*time.Second)
		if len(says("новичок"))+len(says("турнир"))+len(says("два")) > 0 || !slices.Equal(says("три"),
			[]time.Duration{30 * time.Second, time.Minute}) {
			h.T.Errorf("it comes back and hears %v", heard)
		}
		if v := c.Violations(); len(v) > 0 {
			h.T.Error(v)
		}
	})
}
