package capture

import (
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
			sessions[rec.Session] = &recordedSession{about: about,
				deobfuscator: packets.NewDeobfuscator(packets.PlayerIndex(about.Index))}
		case recording.Closed:
			delete(sessions, rec.Session)
		case recording.Lost:
			if !yield(Recorded{}, fmt.Errorf("%s: session %d is recorded no further after %v", Clean(name), rec.Session,
				rec.At)) {
				return
			}
		case recording.Client, recording.Server:
			if s == nil {
				s = &recordedSession{}
				sessions[rec.Session] = s
			}
			if !yield(s.frame(&rec), nil) {
				return
			}
		}
	}
}

// A recordedSession is what is known of a session while its frames are read.
type recordedSession struct {
	about        recording.Session
	deobfuscator packets.Deobfuscator
	memory       memory
}

func (s *recordedSession) frame(rec *recording.Record) Recorded {
	client := s.about.Address
	if client == "" {
		client = "client"
	}
	out := Recorded{Wire: rec.Data, Whole: whole(rec.Data), Time: rec.At.Round(time.Microsecond).String(),
		Connection: int(rec.Session),
		Client:     client, Server: "server", Direction: packets.FromServer, memory: &s.memory}
	if rec.Kind == recording.Client {
		out.Direction = packets.FromClient
		if s.about.Index != 0 {
			key := s.about.Key
			out.Key = &key
			if len(rec.Data) >= packets.MinClientFrame {
				if plain, certain := s.deobfuscator.Plain(rec.Data); certain {
					out.Plain = append([]byte(nil), plain...)
				}
			}
		}
	}
	return out
}
