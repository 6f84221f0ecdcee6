package chat

import (
	"strings"
	"time"

	"sphereserver/data"
)

// Mute keeps the player from speaking, or with the zero mute lets it speak again, and says so if it is in the world.
func (p *Participant) Mute(m data.Mute) {
	spoke := !time.Now().Before(p.mutedUntil)
	p.mutedUntil = time.Time{}
	if !m.At.IsZero() {
		p.mutedUntil = muteEnd(m)
	}
	switch {
	case !p.Speaker.InWorld():
	case !m.At.IsZero():
		p.Speaker.Say(strings.TrimSpace(text("Вам запрещено говорить %s. %s",
			"You may not speak %s. %s").In(p.Russian,
			until(m.Until, p.Russian), m.Reason)))
	case !spoke:
		p.Tell(text("Вы снова можете говорить.", "You may speak again."))
	}
}
