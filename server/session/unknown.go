package session

import (
	"encoding/hex"
	"fmt"

	"sphereserver/packets"
	"sphereserver/server/ratelimit"
)

// Bounds of the kept requests of unknown form: few of each session and few a second of all, so that no session takes
// the room of all.
const (
	unknownBytes      = 256 // of one request
	unknownPerSession = 16
	unknownPerSecond  = 1.0 // of all
	unknownBurst      = 32
)

// Unknown keeps a request of unknown form, for a person that can make sense of it: the class of its object, its
// command, and its bytes. The sender is not kept.
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

// unknownRegion keeps a request of a player in the world in a form that the grammar does not have. Requests about
// players are left out: clients put people's own words there.
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
