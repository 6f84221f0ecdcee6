package game

import (
	"time"

	"sphereserver/world"
)

// said brings a line to all who hear it; it is encoded once.
func (s *Server) said(e *world.Said) {
	entry := ChatEntry{At: time.Now(), Channel: e.Channel, Character: e.Name, Text: messageOf(e.Text)}
	if from := s.view.Client(e.From); from != nil && e.From != 0 {
		entry.Login = from.Login()
	}
	if e.Channel == world.Private {
		s.whispered(e, entry)
		return
	}
	frames, addressed := s.chatEncoder.Encode(e.Name, e.Channel, e.Text)
	s.view.ShareOut(e.To, frames, addressed)
	s.chatLog.add(entry)
}

// whispered brings a line to one player, and shows its writer that it has come there. Both are told in words of ours,
// each in his language: how the original service showed such lines is not known.
func (s *Server) whispered(e *world.Said, entry ChatEntry) {
	writer := s.playerOf(e.From)
	for _, id := range e.To {
		if id == e.From {
			continue
		}
		s.post(id, func(hearer *player) {
			hearer.tellPrivate(privateFrom, entry.Character, entry.Text)
			entry.To = hearer.character.Name
			hearer.server.chatLog.add(entry)
			if writer != nil {
				writer.post(func(s *player) { s.tellPrivate(privateTo, entry.To, entry.Text) })
			}
		})
	}
}
