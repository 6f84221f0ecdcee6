package sim_test

import (
	"context"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/server/bot"
	"sphereserver/server/sim"
)

// What a player was told of those that it ignores is on the disk: it survives kill -9, and counts again after the next
// start.
func TestIgnoredPlayersOutlastAKill(t *testing.T) {
	quick(t)
	sim.Run(t, sim.Options{}, func(h *sim.House) {
		var heard []string
		tell := bot.Options{Tell: func(l string) { heard = append(heard, l) }}
		says := func(c *bot.Client, line, want string) {
			h.T.Helper()
			hears(h, c, &heard, line, want)
		}
		quiet, loud := h.Player(1, "Quiet", tell), h.Player(2, "Loud", bot.Options{})
		h.Store.Fail(context.DeadlineExceeded)
		says(quiet, "/игнор Loud", "не может это сохранить")
		h.Store.Fail(nil)
		says(quiet, "/игнор", "Вы слышите всех.")
		says(quiet, "/игнор Loud", "Loud вы больше не слышите")
		h.Kill(func(s *data.Store) {
			c, err := s.CharacterByName(context.Background(), "Quiet")
			if err != nil || len(c.Ignored) != 1 {
				h.T.Errorf("on the disk it ignores %v, %v", c.Ignored, err)
			}
		})
		quiet.Abort()
		loud.Abort()
		time.Sleep(enough)
		quiet, loud = h.Player(3, "Quiet", bot.Options{}), h.Player(4, "Loud", tell)
		says(loud, "/лично Quiet слышно?", "не хочет вас слышать")
		_ = quiet.Close()
	})
}
