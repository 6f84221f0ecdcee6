package session

import (
	"encoding/hex"
	"fmt"

	"sphereserver/packets"
	"sphereserver/server/ratelimit"
)

// What is kept of requests whose form is not known: few of each session and few a second of all, so that nobody fills
// what is for all.
const (
	unknownBytes      = 256 // of one request
	unknownPerSession = 16
	unknownPerSecond  = 1.0 // of all
	unknownBurst      = 32
)

// Unknown keeps a request whose form is not known, for whoever can make sense of it: of which class the object is that
// it is about, which command it is, and its bytes. Who has sent it is not kept.
func (s *Session) Unknown(about packets.Class, command string, data []byte) {
	m := s.server
	if m.options.Unknown == nil || s.unknown >= unknownPerSession {
		return
	}
	m.unknownMu.Lock()
	kept := m.unknown.Take(ratelimit.Clock(s.loop.lastReal), 1, unknownPerSecond, unknownBurst)
	m.unknownMu.Unlock()
	if !kept {
		return
	}
	s.unknown++
	m.options.Unknown.Info("request of an unknown form", "client", s.Dialect().String(), "class", int(about),
		"command", command, "length", len(data), "bytes", hex.EncodeToString(data[:min(len(data), unknownBytes)]))
}

// unknownRegion keeps what a player in the world asks for in a form that the grammar does not have. What is about a
// player is left out: there clients say what people have written.
func (s *Session) unknownRegion(about packets.Class, r packets.Region, c packets.Command) {
	if s.state != InWorld || about == packets.ClassPlayer {
		return
	}
	if u, ok := c.(*packets.UnknownCommand); ok {
		s.Unknown(about, fmt.Sprintf("%s %d", packets.Name(r), u.Number), u.Data)
	} else if u, ok := r.(*packets.UnknownRegion); ok {
		s.Unknown(about, fmt.Sprintf("region %d", u.Number), u.Data.Data)
	}
}
