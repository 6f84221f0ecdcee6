package capture

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

// readRecording yields the frames of recorded sessions.
func readRecording(name string, r io.Reader, yield emit) {
	sessions := map[uint32]*recordedSession{}
	for rec, err := range recording.Read(r) {
		if err != nil {
			yield(Recorded{}, fmt.Errorf("%s: %w", Clean(name), err))
			return
		}
		s := sessions[rec.Session]
		switch rec.Kind {
		case recording.Opened:
			about, err := recording.Decode[recording.Session](rec)
			if err != nil {
				if !yield(Recorded{}, fmt.Errorf("%s: session %d: %w", Clean(name), rec.Session, err)) {
					return
				}
			}
			sessions[rec.Session] = newRecordedSession(about)
		case recording.Closed:
			delete(sessions, rec.Session)
		case recording.Lost:
			if !yield(Recorded{}, fmt.Errorf("%s: session %d is recorded no further after %v", Clean(name), rec.Session,
				rec.At)) {
				return
			}
		case recording.Client, recording.Server:
			if s == nil {
				s = newRecordedSession(recording.Session{})
				sessions[rec.Session] = s
			}
			if !yield(s.frame(&rec), nil) {
				return
			}
		}
	}
}

// A client is the state of the client of a connection while its frames are read.
type client struct {
	key          *uint16 // of its checksums
	index        bool    // is known, and so the deobfuscator good for anything
	deobfuscator packets.Deobfuscator
	memory       memory
}

// record makes a record of a frame as it travelled.
func (c *client) record(frame []byte, dir packets.Direction) Recorded {
	r := Recorded{Direction: dir, Wire: frame, Whole: whole(frame), memory: &c.memory}
	if dir == packets.FromClient {
		r.Key = c.key
		if c.index && len(frame) >= packets.MinClientFrame {
			if plain, certain := c.deobfuscator.Plain(frame); certain {
				r.Plain = bytes.Clone(plain)
			}
		}
	}
	return r
}

// A recordedSession is the state of a session while its frames are read.
type recordedSession struct {
	client
	address string
}

func newRecordedSession(about recording.Session) *recordedSession {
	s := &recordedSession{address: cmp.Or(about.Address, "client")}
	if about.Index != 0 {
		s.key, s.index = &about.Key, true
		s.deobfuscator = packets.NewDeobfuscator(packets.PlayerIndex(about.Index))
	}
	return s
}

func (s *recordedSession) frame(rec *recording.Record) Recorded {
	dir := packets.FromServer
	if rec.Kind == recording.Client {
		dir = packets.FromClient
	}
	out := s.record(rec.Data, dir)
	out.Time, out.Connection = rec.At.Round(time.Microsecond).String(), int(rec.Session)
	out.Client, out.Server = s.address, "server"
	return out
}
