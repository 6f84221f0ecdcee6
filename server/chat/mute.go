package chat

import (
	"time"

	"sphereserver/data"
	"sphereserver/server/ops"
)

// Silenced reports whether the player may not say anything now, and tells it so.
func (p *Participant) Silenced() bool {
	if !p.Speaker.Real().Before(p.mutedUntil) {
		return false
	}
	p.service.count.heldBack.Add(1)
	p.Hint(mutedText, mutedFor(p.Speaker.Real(), p.mutedUntil, p.Russian), p.mutedFor)
	return true
}

// Mute keeps the player from speaking, or with the zero mute lets it speak again, and says so if it is in the world.
func (p *Participant) Mute(m data.Mute) {
	spoke := !time.Now().Before(p.mutedUntil)
	p.mutedUntil, p.mutedFor = time.Time{}, m.Reason
	if !m.At.IsZero() {
		p.mutedUntil = muteEnd(m)
	}
	switch {
	case !p.Speaker.InWorld():
	case !m.At.IsZero():
		p.Tell(mutedText, ops.Until(m.Until), m.Reason)
	case !spoke:
		p.Tell(text("Вы снова можете говорить.", "You may speak again."))
	}
}

// mutedText says for how long or until when, and why.
var mutedText = text("Вам запрещено говорить %s. %s", "You may not speak %s. %s")
