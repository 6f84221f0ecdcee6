package sim_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
)

// A player changes its password in the chat: with the old one only, within the limits of logins, and no line of it goes
// to others or into the log of the chat.
func TestPlayersChangeTheirPasswords(t *testing.T) {
	quick(t)
	var said strings.Builder
	sim.Run(t, sim.Options{Game: func(o *game.Options) { o.ChatLog = &said }}, func(h *sim.House) {
		var heard, others []string
		c := h.Player(1, "Secret", bot.Options{Tell: func(l string) { heard = append(heard, l) }})
		other := h.Player(2, "Neighbour", bot.Options{Tell: func(l string) { others = append(others, l) }})
		says := func(line, want string) {
			h.T.Helper()
			hears(h, c, &heard, line, want)
		}
		says("/password Secret fresh1 fresh2", "не так же")
		says("/password wrong fresh1 fresh1", "не подходит")
		says("/пароль Secret fresh1 fresh1", "Пароль изменён")
		if err := other.Idle(context.Background(), time.Second); err != nil {
			h.T.Fatal(err)
		}
		if all := strings.Join(others, "\n") + said.String(); strings.Contains(all, "fresh1") {
			h.T.Errorf("others hear %q, the log has %q", others, said.String())
		}
		if err := c.Close(); err != nil {
			h.T.Fatal(err)
		}
		time.Sleep(enough)
		for _, password := range []string{"Secret", "fresh1"} {
			in := password == "fresh1"
			c, err := comesIn(h, 1, bot.Identity{Login: "Secret", Password: password, Name: "Secret"})
			if (err == nil) != in {
				h.T.Errorf("with %q: %v", password, err)
			}
			if err == nil {
				_ = c.Close()
			}
			time.Sleep(enough)
		}
		d := h.Player(3, "Guesser", bot.Options{Tell: func(l string) { heard = append(heard, l) }})
		for range 12 {
			_ = d.Speak(2, "/password wrong fresh1 fresh1")
			_ = d.Idle(context.Background(), time.Second)
		}
		if !strings.Contains(strings.Join(heard, "\n"), "Слишком много") {
			h.T.Errorf("a guesser hears %q", heard)
		}
	})
}

// hears makes a client say a line to all around, and fails unless what it hears then, of which heard is told, has the wanted
// words.
func hears(h *sim.House, c *bot.Client, heard *[]string, line, want string) {
	h.T.Helper()
	*heard = nil
	if err := c.Speak(2, line); err != nil {
		h.T.Fatal(err)
	}
	if err := c.Idle(context.Background(), 2*time.Second); err != nil {
		h.T.Fatal(err)
	}
	if !strings.Contains(strings.Join(*heard, "\n"), want) {
		h.T.Errorf("%q: heard %q, want %q", line, *heard, want)
	}
}
