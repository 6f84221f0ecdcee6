package session

import (
	"errors"
	"fmt"
	"os"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
)

// StartRecording begins to record by an order that was checked: see [ops.StartRecording]. There is one recording at a
// time.
func (s *Manager) StartRecording(o ops.RecordingOrder) (*Recording, error) {
	s.recordings.mu.Lock()
	defer s.recordings.mu.Unlock()
	if err := s.MayRecord(o); err != nil {
		return nil, err
	}
	r, err := newRecording(s, o)
	if err != nil {
		return nil, fmt.Errorf("game: recording: %w", err)
	}
	s.recordings.now.Store(r)
	s.recordings.last = r
	s.options.Log.Info("recording", "file", o.Path, "all", o.All, "account", o.Login, "for", seconds(o.Seconds).String())
	go r.run()
	return r, nil
}

// MayRecord implements [ops.Recorder].
func (s *Manager) MayRecord(o ops.RecordingOrder) error {
	if r := s.recordings.now.Load(); r != nil {
		return fmt.Errorf("game: %w, to %s", ops.ErrRecording, r.order.Path)
	}
	if s.draining.Load() {
		return errors.New("game: recording: the server is stopping")
	}
	if o.Session != 0 && !s.indexes.taken(packets.PlayerIndex(o.Session)) {
		return fmt.Errorf("game: recording: %w", ops.NoSession(o.Session))
	}
	return nil
}

// newRecording makes the file and writes its head.
func newRecording(s *Manager, o ops.RecordingOrder) (*Recording, error) {
	file, err := os.OpenFile(o.Path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	r := &Recording{server: s, order: o, started: time.Now(), file: file, queue: make(chan recorded, recordingQueue),
		sessions: map[uint32]*recordedSession{}, halt: make(chan struct{}), done: make(chan struct{})}
	r.size.to = file
	r.to, err = recording.NewWriter(&r.size, recording.Info{Started: r.started.UTC(), Dialect: s.usualDialect().String(),
		Anonymous: o.Anonymous})
	if err != nil {
		return nil, errors.Join(err, file.Close(), os.Remove(o.Path))
	}
	return r, nil
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

// BeginRecording implements [ops.Recorder].
func (s *Manager) BeginRecording(o ops.RecordingOrder) (ops.Recording, error) {
	r, err := s.StartRecording(o)
	if err != nil {
		return ops.Recording{}, err
	}
	return r.State(), nil
}

// EndRecording implements [ops.Recorder].
func (s *Manager) EndRecording() (ops.Recording, error) {
	r := s.Recording()
	if r == nil || !r.State().Running {
		return ops.Recording{}, ops.ErrNoRecording
	}
	_ = r.Stop() // the state has the error
	return r.State(), nil
}

// LastRecording implements [ops.Recorder].
func (s *Manager) LastRecording() (ops.Recording, bool) {
	r := s.Recording()
	if r == nil {
		return ops.Recording{}, false
	}
	return r.State(), true
}
