package w3host

import (
	"errors"
	"strconv"
	"time"

	"sphereserver/packets/w3gs"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
)

// packetsPerCall is how many packets of one connection are handled before others on its loop have their turn.
const packetsPerCall = 64

// admit takes a new connection in, or says why not: connections that have not joined are limited. Source: protocol
// w3gs 8.
func (h *Host) admit(s *session) (Reason, bool) {
	h.sessionsMu.Lock()
	defer h.sessionsMu.Unlock()
	strangers, neighbours := 0, 0
	for other := range h.sessions {
		if other.joined.Load() {
			continue
		}
		strangers++
		if other.source == s.source {
			neighbours++
		}
	}
	switch {
	case strangers >= h.options.Limits.Strangers:
		return NoRoom, false
	case neighbours >= h.options.Limits.StrangersPerAddress:
		return AddressFull, false
	}
	h.sessions[s] = struct{}{}
	return 0, true
}

// Opened implements [transport.Handler].
func (h *Host) Opened(c transport.Conn) bool {
	addr := c.RemoteAddr()
	refuse := func(r Reason) bool {
		h.count.refused.Add(1)
		h.ended.Add(r)
		h.options.Log.Debug("connection refused", "address", addr.String(), "reason", r.String())
		return false
	}
	if h.stopping.Load() {
		return refuse(HostStopping)
	}
	s := &session{host: h, conn: c, addr: addr, source: ratelimit.Source(addr.Addr()), real: time.Now()}
	s.player = &player{address: addr, session: s}
	if r, ok := h.admit(s); !ok {
		return refuse(r)
	}
	c.SetSession(s)
	h.count.accepted.Add(1)
	return true
}

// Traffic implements [transport.Handler].
func (h *Host) Traffic(c transport.Conn, in []byte) int {
	s, ok := c.Session().(*session)
	if !ok || s.ending {
		return len(in)
	}
	used := 0
	for range packetsPerCall {
		limit := w3gs.MaxFromClient
		if s.room == nil {
			limit = w3gs.MaxJoin
		}
		packet, err := w3gs.Cut(in[used:], limit)
		if err != nil {
			s.end(NotTheProtocol, err.Error())
			return len(in)
		}
		if packet == nil {
			return used
		}
		used += len(packet)
		s.receive(packet)
		if s.ending {
			return len(in)
		}
	}
	c.Again()
	return used
}

// receive takes a packet to the game; the first one tells which.
func (s *session) receive(packet []byte) {
	h := s.host
	s.in += uint64(len(packet))
	h.count.packetsIn.Add(1)
	h.count.bytesIn.Add(uint64(len(packet)))
	if n := h.options.Limits.Packets; !s.packets.Take(s.lasted, 1, n, n) {
		s.end(TooManyPackets, "")
		return
	}
	first := s.room == nil
	if first && !s.first(packet) {
		return
	}
	switch err := s.room.mail.put(mail{from: s.player}, packet); {
	case errors.Is(err, errMailboxFull):
		s.end(GameBusy, "")
	case err != nil && first:
		s.refuse(err.Error())
	}
	// Later messages to a game that is over are dropped: the end of their connections is on its way.
}

// first finds the game that a client wants to join. It reports whether the packet goes on to that game.
// Source: protocol w3gs 4.11, 6.
func (s *session) first(packet []byte) bool {
	m, err := w3gs.Decode(packet)
	if err != nil {
		s.end(NotTheProtocol, err.Error())
		return false
	}
	join, ok := m.(*w3gs.Join)
	if !ok {
		if s.strange++; s.strange > s.host.options.Limits.Strange {
			s.end(StrangePackets, w3gs.OpcodeOf(m).String()+" in state "+Joining.String())
		}
		return false
	}
	s.name = join.Name
	if s.room = s.host.room(join.Game); s.room == nil {
		s.refuse("no game " + strconv.FormatUint(uint64(join.Game), 10))
		return false
	}
	return true
}

// refuse closes the connection of a client that wants to join an unknown game.
func (s *session) refuse(detail string) {
	if refusal, err := w3gs.Append(nil, &w3gs.JoinRefused{Reason: w3gs.RefusedInvalid}); err == nil {
		s.conn.Write(refusal)
	}
	s.end(Refused, detail)
}

// deliver sends the game's packets to the client, and closes when the game says so.
func (s *session) deliver(d delivery) {
	if !s.ending && len(d.out) > 0 {
		if s.conn.Pending() > s.host.options.Limits.Pending {
			s.end(SlowReader, "")
		} else {
			s.conn.Write(d.out)
			s.wrote += len(d.out)
			s.out += uint64(len(d.out))
			s.host.count.bytesOut.Add(uint64(len(d.out)))
		}
	}
	if d.end {
		s.end(d.reason, d.detail)
	}
}

// end closes the connection for a reason. Written bytes are still sent.
func (s *session) end(r Reason, detail string) {
	if !s.ending {
		s.ending = true
		s.reason, s.detail = r, detail
		s.conn.Close()
	}
}

// Closed implements [transport.Handler].
func (h *Host) Closed(c transport.Conn, err error) {
	s, ok := c.Session().(*session)
	if !ok {
		return
	}
	if !s.ending {
		s.ending, s.reason = true, PeerClosed
		if err != nil {
			s.reason, s.detail = PeerLost, err.Error()
		}
	}
	h.sessionsMu.Lock()
	delete(h.sessions, s)
	h.sessionsMu.Unlock()
	e := end{address: s.addr.String(), name: s.name, reason: s.reason, detail: s.detail, lasted: s.lasted, in: s.in,
		out: s.out}
	if s.room != nil {
		e.game = s.room.counter
		if s.room.mail.put(mail{do: func(*game) { s.gone(e) }}, nil) == nil {
			return // the game notes the end, since it may know better why
		}
	}
	h.noteEnd(e)
}

// gone notes the end in the game's goroutine. If it was the game that ended the connection, or the player's own Leave,
// that is why.
func (s *session) gone(e end) {
	s.room.game.gone(s.player, e.reason, e.detail)
	e.reason, e.detail = s.player.reason, s.player.detail
	s.host.noteEnd(e)
}

// noteEnd counts and logs the end of a connection.
func (h *Host) noteEnd(e end) {
	h.ended.Add(e.reason)
	h.options.Log.Info("disconnected", "address", e.address, "player", e.name, "game", e.game,
		"reason", e.reason.String(), "detail", e.detail, "lasted", e.lasted.Round(time.Millisecond).String(),
		"in", e.in, "out", e.out)
}

// Panicked implements [transport.Handler].
func (h *Host) Panicked(c transport.Conn, value any, stack []byte) {
	h.count.panics.Add(1)
	if s, ok := c.Session().(*session); ok && !s.ending {
		s.ending, s.reason = true, GamePanicked
	}
	h.options.Log.Error("connection panicked", "panic", value, "stack", string(stack))
}

// turn lets time go by, and looks whether the client never joins, or takes nothing.
func (s *session) turn(real time.Time) {
	s.lasted += min(max(real.Sub(s.real), 0), maxStep)
	s.real = real
	if s.ending {
		return
	}
	owed := s.conn.Pending()
	if owed == 0 || owed < s.owed+s.wrote { // some of it was taken
		s.stuck = s.lasted
	}
	s.owed, s.wrote = owed, 0
	switch {
	case !s.joined.Load() && s.lasted >= joinWithin:
		s.end(NeverJoined, "")
	case owed > 0 && s.lasted-s.stuck >= unwritable:
		s.end(SlowReader, "took nothing for "+unwritable.String())
	}
}
