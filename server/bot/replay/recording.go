// Package replay plays the client's side of recorded sessions against a server, and compares the server's answers
// with the recorded ones: a session that was right once is a test from then on.
//
// A recording is played in the order in which it was recorded, all sessions together: a client's message is sent when
// every message that was recorded before it has come. Ids are translated: players, objects and lines of chat have
// others each time. The permitted differences are in one table, see [IgnoreRules]; docs/recordings.md explains it.
package replay

import (
	"errors"
	"fmt"
	"io"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
)

// A Recording is a recording in memory.
type Recording struct {
	Info     recording.Info
	Dialect  packets.Dialect
	Sessions []*Session // in the order in which they began
	Damage   error      // why the file could not be read to its end, nil if it could

	events []event
}

// A Session is a recorded session.
type Session struct {
	Number    uint32
	About     recording.Session
	Who       recording.Identity // zero if it did not log in
	Character string             // its name, as it entered the world
	End       *recording.End     // nil if it goes on when the recording ends
	Lost      bool               // the recording of the session ended early

	slots int  // of the character screen that have been told
	used  bool // one of them was
}

type event struct {
	session *Session
	at      time.Duration
	kind    recording.Kind // Client, Server, Closed or Lost
	frame   []byte
}

// maxFrameBytes is how many bytes of frames a recording may hold that is to be played.
const maxFrameBytes = 256 << 20

// Load reads a recording. The readable part of a damaged one is played; see [Recording.Damage].
func Load(r io.Reader) (*Recording, error) {
	t := &Recording{}
	sessions := map[uint32]*Session{}
	size := 0
	for rec, err := range recording.Read(r) {
		if err != nil {
			t.Damage = err
			break
		}
		if size += len(rec.Data); size > maxFrameBytes {
			return nil, fmt.Errorf("replay: expected at most %d bytes of frames", maxFrameBytes)
		}
		if err := t.take(sessions, rec); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
	}
	switch {
	case len(t.Sessions) == 0 && t.Damage != nil:
		return nil, fmt.Errorf("replay: %w", t.Damage)
	case len(t.Sessions) == 0:
		return nil, errors.New("replay: the recording holds no session")
	}
	return t, nil
}

func (t *Recording) take(sessions map[uint32]*Session, rec recording.Record) (err error) {
	s := sessions[rec.Session]
	switch rec.Kind {
	case recording.Begins:
		if t.Info, err = recording.Decode[recording.Info](rec); err == nil {
			t.Dialect, err = packets.ParseDialect(t.Info.Dialect)
		}
		return err
	case recording.Opened:
		s = &Session{Number: rec.Session}
		if s.About, err = recording.Decode[recording.Session](rec); err == nil {
			sessions[rec.Session] = s
			t.Sessions = append(t.Sessions, s)
		}
		return err
	}
	if s == nil {
		return nil
	}
	switch rec.Kind {
	case recording.Account:
		s.Who, err = recording.Decode[recording.Identity](rec)
		return err
	case recording.Closed:
		end, err := recording.Decode[recording.End](rec)
		if err != nil {
			return err
		}
		s.End = &end
	case recording.Lost:
		s.Lost = true
	case recording.Server:
		s.learn(rec.Data, t.Dialect)
	case recording.Client:
	default:
		return nil
	}
	t.events = append(t.events, event{s, rec.At, rec.Kind, rec.Data})
	return nil
}

// screenSlots are the slots of the character screen, as it is told first. Source: protocol session 6.1.
const screenSlots = 3

func (s *Session) learn(frame []byte, d packets.Dialect) {
	if s.Character != "" || len(frame) < packets.MinServerFrame ||
		packets.FrameChannel(frame, packets.FromServer) != packets.ChannelGameplay {
		return
	}
	f, err := packets.DecodeFrame(frame, packets.FromServer, d)
	if err != nil {
		return
	}
	for _, section := range f.Body.Sections {
		for _, r := range section.Regions {
			var body any = r
			if c, ok := packets.CommandOf(r); ok {
				body = c
			}
			switch m := body.(type) {
			case *packets.WorldSnapshot:
				s.Character = m.Name
			case *packets.CharacterRecord:
				s.used = s.used || s.slots < screenSlots && m.Name != ""
				s.slots++
			}
		}
	}
}

// Playable says why the recording cannot be played, nil if it can.
func (t *Recording) Playable() error {
	for _, s := range t.Sessions {
		if s.About.Whole {
			return nil
		}
	}
	return errors.New("replay: every session of the recording began before it: none has a login to play")
}
