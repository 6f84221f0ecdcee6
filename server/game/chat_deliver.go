package game

import (
	"time"

	"sphereserver/world"
)

// said brings a line to all who hear it; it is encoded once.
func (k *sink) said(e *world.Said) {
	entry := ChatEntry{At: time.Now(), Channel: e.Channel, Character: e.Name, Text: messageOf(e.Text)}
	if from := k.session(e.From); from != nil && e.From != 0 {
		entry.Login = from.user
	}
	if e.Channel == world.Private {
		k.whispered(e, entry)
		return
	}
	frames, addressed := k.voice(e.Name, e.Channel, e.Text)
	k.shareOut(e.To, frames, addressed)
	k.chronicle.add(entry)
}

// shareOut puts frames into the outboxes of several players; if they are addressed, as frames about each of them.
func (k *sink) shareOut(to []world.PlayerID, frames []byte, addressed bool) {
	for _, id := range to {
		s := k.session(id)
		if s == nil {
			continue
		}
		b := k.box(s)
		at := len(b.frames)
		b.frames = append(b.frames, frames...)
		if addressed {
			addressAll(b.frames[at:], s.id())
		}
	}
}

// whispered brings a line to one player, and shows its writer that it has come there. Both are told in words of ours, each in
// his language: how the original service showed such lines is not known.
func (k *sink) whispered(e *world.Said, entry ChatEntry) {
	writer := k.session(e.From)
	for _, id := range e.To {
		if id == e.From {
			continue
		}
		k.do(id, func(hearer *Session) {
			hearer.tellPrivate(privateFrom, entry.Character, entry.Text)
			entry.To = hearer.playing.Name
			hearer.server.chronicle.add(entry)
			if writer != nil {
				writer.later(func(s *Session) { s.tellPrivate(privateTo, entry.To, entry.Text) })
			}
		})
	}
}
