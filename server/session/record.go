package session

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
)

// Bounds of a recording.
const (
	recordingBytes      = 1 << 30 // of the file, at the most
	recordingQueue      = 8192    // events on their way to the file
	recordingQueueBytes = 8 << 20 // of these events
	recordingFlush      = time.Second
)

// A Recording writes the traffic of sessions to a file, in the format of package recording. It costs the players
// nothing but the copying of their frames: when the file cannot be written as fast as they come, the recording of the
// session that comes first then ends with a mark in the file. A file that cannot be written at all ends the
// recording, and nothing else.
type Recording struct {
	server  *Manager
	order   ops.RecordingOrder
	started time.Time
	file    *os.File
	size    counted
	to      *recording.Writer

	queue    chan recorded
	queued   atomic.Int64  // bytes
	numbered atomic.Uint32 // sessions
	frames   atomic.Uint64 // written
	kept     atomic.Int64  // sessions written

	lostMu sync.Mutex
	lost   []recorded // marks to be written
	losses atomic.Int64

	sessions map[uint32]*recordedSession // of the writing goroutine
	held     int                         // bytes of all of them; of the same
	names    recording.Names             // of the same

	halt chan struct{} // closed when it is to end
	why  atomic.Pointer[string]
	once sync.Once
	done chan struct{} // closed when it has ended
	err  error         // after done
}

// A recorded is one event on its way to the file.
type recorded struct {
	recording.Record
	note any // instead of the record's data
}

// A recordedSession is a session as the writing goroutine knows it.
type recordedSession struct {
	blanker recording.Blanker
	stream  []byte             // of the server, less than a frame
	held    []recording.Record // until the session's account is known
	heldFor bool               // an account: it is not known yet whether it is this session's
	bytes   int                // held
	opened  recorded
}

// Bounds of the frames held for sessions without a known account: of each, where logins are far shorter, and of all.
// A session that would need more is not recorded.
const (
	maxHeldRecords = 256
	maxHeldBytes   = 32 << 20
)

// A tap is a session's part in a recording.
type tap struct {
	in      *Recording
	number  uint32
	over    bool // not, or no longer, recorded
	account bool // told
}

// recordings are the recordings of a server.
type recordings struct {
	mu   sync.Mutex
	now  atomic.Pointer[Recording] // nil for none
	last *Recording
	most int64 // bytes of a file
}

// Recording returns the recording that goes on, or the last one; nil if there was none.
func (s *Manager) Recording() *Recording {
	s.recordings.mu.Lock()
	defer s.recordings.mu.Unlock()
	return s.recordings.last
}

// stopRecording ends the recording, if there is one.
func (s *Manager) stopRecording(why string) {
	if r := s.recordings.now.Load(); r != nil {
		r.end(why)
		<-r.done
	}
}

// Stop ends the recording and returns when its file is closed. The error is the first one in all its time.
func (r *Recording) Stop() error {
	r.end("stopped")
	<-r.done
	return r.err
}

// State says how the recording goes.
func (r *Recording) State() ops.Recording {
	s := ops.Recording{Path: r.order.Path, Running: true, Started: r.started, Sessions: int(r.kept.Load()),
		Frames: int(r.frames.Load()), Bytes: r.size.n.Load(), Lost: int(r.losses.Load())}
	select {
	case <-r.done:
		s.Running = false
		s.Why = *r.why.Load()
		if r.err != nil {
			s.Error = r.err.Error()
		}
	default:
	}
	return s
}

// end makes the recording end; the first reason counts.
func (r *Recording) end(why string) {
	r.once.Do(func() {
		r.why.Store(&why)
		r.server.recordings.now.CompareAndSwap(r, nil)
		close(r.halt)
	})
}

// recorded gives received or sent bytes to the session's recording, if there is one. Without one it costs an atomic
// load.
func (s *Session) recorded(k recording.Kind, data []byte) {
	if r := s.server.recordings.now.Load(); r != nil {
		r.take(s, k, data)
	}
}

// recordEnd tells a recording that the session has ended.
func (s *Session) recordEnd() {
	r := s.server.recordings.now.Load()
	if r == nil || s.tap.in != r {
		return
	}
	r.put(s, recorded{Record: recording.Record{Kind: recording.Closed},
		note: recording.End{Reason: s.reason.String(), Client: s.reason == PeerClosed || s.reason == PeerLost}})
	s.tap.over = true
	if r.order.Session != 0 {
		r.end("the session has ended")
	}
}

// take runs on the session's loop.
func (r *Recording) take(s *Session, k recording.Kind, data []byte) {
	t := &s.tap
	if t.in != r {
		r.open(s)
	}
	if t.over {
		return
	}
	if s.account != 0 && !t.account {
		t.account = true
		if r.order.Login != "" && !strings.EqualFold(r.order.Login, s.user) {
			r.put(s, recorded{note: dropped{}})
			t.over = true
			return
		}
		r.put(s, recorded{Record: recording.Record{Kind: recording.Account},
			note: recording.Identity{Login: s.user, Role: s.record.Role.String()}})
	}
	r.put(s, recorded{Record: recording.Record{Kind: k, Data: append([]byte(nil), data...)}})
}

// dropped takes back a session that turned out to be of another account.
type dropped struct{}

// open decides whether a session is recorded.
func (r *Recording) open(s *Session) {
	s.tap = tap{in: r}
	switch o := &r.order; {
	case o.Session != 0 && uint16(s.index) != o.Session,
		o.Login != "" && s.account != 0 && !strings.EqualFold(o.Login, s.user):
		s.tap.over = true
		return
	}
	s.tap.number = r.numbered.Add(1)
	about := recording.Session{Index: uint16(s.index), Key: packets.GreetingKey, Whole: s.bytesIn == 0 && s.bytesOut == 0,
		State:   s.state.String(),
		Address: s.addr.String()}
	r.put(s, recorded{Record: recording.Record{Kind: recording.Opened}, note: about})
}

// put hands an event to the writing goroutine. Where there is no room the session is recorded no further.
func (r *Recording) put(s *Session, e recorded) {
	if s.tap.over {
		return
	}
	e.Session, e.At = s.tap.number, time.Since(r.started)
	n := int64(len(e.Data))
	if r.queued.Add(n) <= recordingQueueBytes {
		select {
		case r.queue <- e:
			return
		default:
		}
	}
	r.queued.Add(-n)
	s.tap.over = true
	s.server.count.recordingsLost.Add(1)
	r.losses.Add(1)
	mark := recorded{Record: recording.Record{Kind: recording.Lost, Session: e.Session, At: e.At},
		note: recording.Loss{Why: "the file is written too slowly"}}
	r.lostMu.Lock()
	r.lost = append(r.lost, mark)
	r.lostMu.Unlock()
}

// counted counts written bytes.
type counted struct {
	to io.Writer
	n  atomic.Int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n.Add(int64(n))
	return n, err
}

// base is the file's name for the log.
func (r *Recording) base() string { return filepath.Base(r.order.Path) }
