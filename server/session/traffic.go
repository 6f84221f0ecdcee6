package session

import (
	"encoding/binary"
	"errors"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ratelimit"
	"sphereserver/server/transport"
)

// framesPerCall is how many frames of one session are handled before others on its loop have their turn.
const framesPerCall = 64

// unexpectedLimit is how many messages out of place a session may send before it has entered the world: after that it
// is no client of the game.
const unexpectedLimit = 64

// Opened greets a new connection.
func (s *Manager) Opened(c transport.Conn) bool {
	l := s.loopOf(c.Loop())
	now := time.Now()
	addr := c.RemoteAddr()
	if s.draining.Load() {
		return s.refuse(c, ServerStopping, now)
	}
	if _, banned := s.options.Store.AddressBanned(addr.Addr()); banned {
		return s.refuse(c, AddressBanned, now)
	}
	session := &Session{server: s, loop: l, conn: c, addr: addr, started: now, since: l.now, heard: l.now}
	if r, ok := s.conns.admit(addr.Addr(), now, &session.guest, session.makeRoom); !ok {
		return s.refuse(c, r, now)
	}
	index, ok := s.indexes.take()
	if !ok {
		s.conns.release(addr.Addr(), &session.guest)
		return s.refuse(c, IndexesExhausted, now)
	}
	session.index, session.deobfuscator = index, packets.NewDeobfuscator(index)
	session.deobfuscator.Share(&l.plain)
	session.generation = generation{dialect: s.options.Dialect}
	if s.options.Dialect == packets.Classic {
		session.classic = new(packets.ClassicPong)
	}
	c.SetSession(session)
	l.sessions[session] = struct{}{}
	l.visit()
	s.count.accepted.Add(1)
	s.count.sessions.Add(1)
	s.options.Log.Debug("connected", "address", addr.String(), "player", index.String())
	session.SendBytes(s.greeting)
	l.flush()
	return true
}

// refuse counts and logs a connection that is refused, and tells it why. It returns false.
func (s *Manager) refuse(c transport.Conn, r Reason, now time.Time) bool {
	s.count.refused.Add(1)
	s.ended.Add(r)
	s.refuseMu.Lock()
	logged := s.refusals.Take(ratelimit.Clock(now), 1, 1, 10)
	told := s.farewells.Take(ratelimit.Clock(now), 1, farewells, farewells)
	s.refuseMu.Unlock()
	if logged {
		about := []any{"address", c.RemoteAddr().String(), "reason", r.String()}
		if setting := r.Setting(); setting != "" {
			about = append(about, "setting", setting)
		}
		s.options.Log.Warn("connection refused", about...)
	}
	if told {
		c.Write(s.refusedFrame(r.asTold()))
	}
	return false
}

// farewells is how many refused connections a second are told why: a connection that is written to may take a second
// to close, and its descriptor with it.
const farewells = 100

// refusedFrame is the frame that says why there is no room.
func (s *Manager) refusedFrame(why string) []byte {
	out, err := packets.AppendControl(nil, &packets.Refused{Why: why}, packets.FromServer, 0, 0)
	if err != nil {
		s.options.Log.Error("cannot encode", "error", err)
	}
	return out
}

// makeRoom ends a session that has not logged in. Any goroutine may call it.
func (s *Session) makeRoom() {
	s.Post(func(s *Session) {
		s.SendBytes(s.server.refusedFrame(MadeRoom.asTold()))
		s.End(MadeRoom, "")
	})
}

// Traffic handles the frames that have arrived.
func (s *Manager) Traffic(c transport.Conn, in []byte) int {
	session, ok := c.Session().(*Session)
	if !ok || session.ending {
		return len(in)
	}
	used := session.traffic(in)
	session.loop.flush()
	return used
}

func (s *Session) traffic(in []byte) (used int) {
	for range framesPerCall {
		frame, err := packets.CutFrame(in[used:], packets.FromClient)
		if err != nil {
			s.End(NotTheProtocol, err.Error())
			return len(in)
		}
		if frame == nil {
			return used
		}
		used += len(frame)
		s.recorded(recording.Client, frame)
		s.bytesIn += uint64(len(frame))
		s.receive(frame)
		if s.ending {
			return len(in)
		}
	}
	s.conn.Again()
	return used
}

// frameCommands is how many commands a frame may hold and still count as one: more than clients send.
const frameCommands = 8

// receive handles one frame by the state's rules.
func (s *Session) receive(frame []byte) {
	count := s.server.count
	count.framesIn.Add(1)
	count.bytesIn.Add(uint64(len(frame)))
	limits := &s.server.options.Limits
	if !s.rate.Take(ratelimit.Clock(s.loop.lastReal), 1, limits.FramesPerSecond, float64(limits.FramesBurst)) {
		count.framesDropped.Add(1)
		s.warnOnce(noteRate, "too many frames")
		if s.dropped++; s.dropped > limits.FramesDropped {
			s.End(TooManyFrames, "")
		}
		return
	}
	if s.dropped > 0 {
		s.dropped--
	}
	s.heard = s.loop.now
	if got, want := binary.LittleEndian.Uint16(frame[2:]), packets.Checksum(frame, packets.GreetingKey); got != want {
		// No known server minds, and neither do we: it only shows a client of an unknown make.
		count.checksums.Add(1)
		s.warnOnce(noteChecksum, "checksum does not match", "got", got, "want", want)
	}
	if in := s.classify(frame); in != nil && s.state != Closing {
		s.rate.Spend(float64(len(in.commands) / frameCommands)) // a frame has room for hundreds
		s.apply(in)
	}
}

// Closed ends the session, and takes its player out of the world.
func (s *Manager) Closed(c transport.Conn, err error) {
	session, ok := c.Session().(*Session)
	if !ok {
		return
	}
	if !session.ending {
		session.ending = true
		session.reason = PeerClosed
		if err != nil {
			session.reason, session.detail = PeerLost, err.Error()
			if errors.Is(err, transport.ErrUnread) {
				session.reason = TooManyFrames
			}
		}
	}
	session.closed = true
	session.gone.Store(true)
	session.recordEnd()
	delete(session.loop.sessions, session)
	s.count.sessions.Add(-1)
	s.conns.release(session.addr.Addr(), &session.guest)
	s.onDisconnect(session)
}
