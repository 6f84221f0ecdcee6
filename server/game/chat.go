package game

import (
	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/server/view"
	"sphereserver/world"
)

// A chatHost is the server as the chat knows it.
type chatHost struct{ *Server }

// Participant implements [chat.Host].
func (h chatHost) Participant(id world.PlayerID) *chat.Participant {
	if p := h.playerOf(id); p != nil {
		return p.Participant
	}
	return nil
}

// Call implements [chat.Host].
func (h chatHost) Call(id world.PlayerID, do func(*chat.Participant)) {
	h.post(id, func(p *player) { do(p.Participant) })
}

// Share implements [chat.Host].
func (h chatHost) Share(to []world.PlayerID, frames []byte, addressed bool) {
	h.view.ShareOut(to, frames, addressed)
}

// Chat is the server's chat.
func (s *Server) Chat() *chat.Service { return s.chat }

// InWorld implements [chat.Speaker].
func (p *player) InWorld() bool { return p.State() == session.InWorld }

// Call implements [chat.Speaker].
func (p *player) Call(do func()) { p.post(func(*player) { do() }) }

// Here is where the player is in the world, as far as its client knows.
func (p *player) Here() coords.Position {
	at, _ := p.client.Standpoint.Get()
	return at
}

// console does a command of the client's console.
func (p *player) console(about *packets.Section, c *packets.Console) {
	if p.own(about) {
		p.Console(c.Command, c.Arguments)
	}
}

// SetMute tells the session of an account, if it has one, of a mute that has been stored; the zero mute lets it speak
// again.
func (s *Server) SetMute(account data.AccountID, m data.Mute) {
	s.onSession(account, func(of *session.Session) {
		of.SetMute(m)
		if p, ok := of.Player().(*player); ok {
			p.Mute(m)
		}
	})
}

// onSession calls a function on the loop of the session of an account, if it has one.
func (s *Server) onSession(account data.AccountID, do func(*session.Session)) {
	if p := s.Presence(account); p != nil {
		p.Session.Post(do)
	}
}

// text is a sentence for players in both languages.
func text(russian, english string) ops.Text { return ops.Text{Russian: russian, English: english} }

var _ view.Owner = (*player)(nil)
