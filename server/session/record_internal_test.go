package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
)

// bareSession is a session in a state, with a message that its client sends.
func bareSession(t *testing.T, m *Manager, number packets.PlayerIndex, state State, frame []byte) (s *Session,
	sends func()) {
	t.Helper()
	m.options.Limits.FramesPerSecond, m.options.Limits.FramesBurst = 1e12, 1<<40
	index := packets.FirstPlayerIndex + number
	s = &Session{server: m, loop: newLoop(m, immediate{}, m.start), conn: &deaf{}, index: index, player: idler{},
		state:        state,
		deobfuscator: packets.NewDeobfuscator(index)}
	if frame == nil {
		var err error
		frame, err = packets.AppendClient(nil, packets.PingBody(index.ID(), 1, somewhere), packets.Dialect2026,
			packets.GreetingKey, 1)
		if err != nil {
			t.Fatal(err)
		}
	}
	return s, func() {
		s.traffic(frame)
		s.loop.flush()
	}
}

// kinds counts the records of a file by session and kind.
func kinds(t *testing.T, path string) (n map[uint32]map[recording.Kind]int, all []recording.Record) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	n = map[uint32]map[recording.Kind]int{}
	for r, err := range recording.Read(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		if n[r.Session] == nil {
			n[r.Session] = map[recording.Kind]int{}
		}
		n[r.Session][r.Kind]++
		all = append(all, r)
	}
	return n, all
}

// A writer that is too slow costs the recording of a session and never the session.
func TestAFullQueueEndsTheRecordingOfASession(t *testing.T) {
	m := bareManager()
	path := filepath.Join(t.TempDir(), "slow")
	r, err := newRecording(m, ops.RecordingOrder{All: true, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	r.queue = make(chan recorded, 64)
	m.recordings.now.Store(r)
	c, sends := bareSession(t, m, 0, InWorld, nil) // nothing is written meanwhile
	for !c.tap.over {
		sends()
	}
	sent := c.bytesOut
	if sends(); c.bytesOut == sent || c.ending {
		t.Fatal("the session is not answered any more")
	}
	if m.count.recordingsLost.Load() != 1 {
		t.Error("not counted")
	}
	go r.run()
	for len(r.queue) > 0 {
		time.Sleep(time.Millisecond)
	}
	d, other := bareSession(t, m, 1, InWorld, nil)
	other()
	d.recordEnd()
	c.recordEnd()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	n, records := kinds(t, path)
	if n[1][recording.Lost] != 1 || n[1][recording.Closed] != 0 || n[2][recording.Lost] != 0 ||
		n[2][recording.Closed] != 1 {
		t.Errorf("records %v", n)
	}
	lost := false
	for _, rec := range records {
		if rec.Session == 1 {
			if lost {
				t.Fatalf("%v after the mark", rec.Kind)
			}
			lost = rec.Kind == recording.Lost
		}
	}
	if s := r.State(); s.Lost != 1 || s.Sessions != 2 {
		t.Errorf("%+v", s)
	}
}

// fullDisk takes some bytes and then no more.
type fullDisk struct{ left int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(p []byte) (int, error) {
	if len(p) > d.left {
		return 0, errFull
	}
	d.left -= len(p)
	return len(p), nil
}

func TestAFullDiskEndsTheRecordingOnly(t *testing.T) {
	m := bareManager()
	r, err := newRecording(m, ops.RecordingOrder{All: true, Path: filepath.Join(t.TempDir(), "full")})
	if err != nil {
		t.Fatal(err)
	}
	r.size.to = &fullDisk{left: 2000}
	m.recordings.now.Store(r)
	go r.run()
	c, sends := bareSession(t, m, 0, InWorld, nil)
	for ended := false; !ended; time.Sleep(time.Millisecond) {
		sends()
		select {
		case <-r.done:
			ended = true
		default:
		}
	}
	if err := r.Stop(); !errors.Is(err, errFull) {
		t.Error(err)
	}
	if s := r.State(); s.Running || s.Why != "the file cannot be written" || !strings.Contains(s.Error, errFull.Error()) {
		t.Errorf("%+v", s)
	}
	if c.ending {
		t.Error("the session has ended")
	}
	again, err := m.StartRecording(ops.RecordingOrder{All: true, Path: filepath.Join(t.TempDir(), "again")})
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
	if s := again.State(); s.Running || s.Why != "the server stops" {
		t.Errorf("%+v", s)
	}
}

// With an account to look for, sessions that do not log in cost no more than a bound.
func TestWhatIsHeldIsBounded(t *testing.T) {
	m := bareManager()
	path := filepath.Join(t.TempDir(), "alice")
	r, err := m.StartRecording(ops.RecordingOrder{Login: "alice", Path: path})
	if err != nil {
		t.Fatal(err)
	}
	keepalive, err := packets.AppendControl(nil, &packets.Keepalive{}, packets.FromClient, packets.GreetingKey, 1)
	if err != nil {
		t.Fatal(err)
	}
	c, sends := bareSession(t, m, 0, Handshaken, keepalive)
	for range 2 * maxHeldRecords {
		sends()
	}
	for len(r.queue) > 0 {
		time.Sleep(time.Millisecond)
	}
	c.account, c.user = 1, "alice"
	sends()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	if n, _ := kinds(t, path); len(n) != 1 || len(n[0]) != 2 || r.held != 0 || len(r.sessions) != 0 {
		t.Errorf("records %v, %d bytes and %d sessions held", n, r.held, len(r.sessions))
	}
}
