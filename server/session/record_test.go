package session

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
)

// recordingTo starts a recording.
func recordingTo(t *testing.T, g *stage, o ops.RecordingOrder) *Recording {
	t.Helper()
	if o.Path == "" {
		o.Path = filepath.Join(t.TempDir(), "some"+recording.Extension)
	}
	r, err := g.manager.StartRecording(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Stop() })
	return r
}

// recordsOf ends a recording and reads it.
func recordsOf(t *testing.T, r *Recording) (records []recording.Record) {
	t.Helper()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	return read(t, r.State().Path)
}

func read(t *testing.T, path string) (records []recording.Record) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for r, err := range recording.Read(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// countKinds counts the records of a session by their kinds; 0 is all sessions.
func countKinds(records []recording.Record, session uint32) map[recording.Kind]int {
	n := map[recording.Kind]int{}
	for _, r := range records {
		if session == 0 || r.Session == session {
			n[r.Kind]++
		}
	}
	return n
}

func TestSessionsAreRecordedWhole(t *testing.T) {
	g := newStage(t, nil)
	r := recordingTo(t, g, ops.RecordingOrder{All: true})
	if info, err := os.Stat(r.State().Path); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	c := g.connect().in(InWorld)
	c.ping(content.Cities()[0].Position)
	sent := bytes.Clone(c.got)
	index := c.s().Index()
	c.hangUp()
	records := recordsOf(t, r)

	var out []byte
	for _, rec := range records {
		switch rec.Kind {
		case recording.Server:
			out = append(out, rec.Data...)
		case recording.Opened:
			about, err := recording.Decode[recording.Session](rec)
			if want := (recording.Session{Index: uint16(index), Key: packets.GreetingKey, Address: "192.0.2.1:5000", Whole: true,
				State: "connected"}); err != nil || about != want {
				t.Errorf("%+v, %v", about, err)
			}
		case recording.Account:
			who, err := recording.Decode[recording.Identity](rec)
			if want := (recording.Identity{Login: "tester" + index.String(), Role: "player"}); err != nil || who != want {
				t.Errorf("%+v, %v", who, err)
			}
		case recording.Closed:
			end, err := recording.Decode[recording.End](rec)
			if want := (recording.End{Reason: PeerClosed.String(), Client: true}); err != nil || end != want {
				t.Errorf("%+v, %v", end, err)
			}
		}
	}
	if !bytes.Equal(out, sent) {
		t.Errorf("recorded %d bytes of the server, sent were %d", len(out), len(sent))
	}
	// Answer, login, creation, ready, position.
	if n := countKinds(records, 1); n[recording.Client] != 5 || n[recording.Opened] != 1 || n[recording.Account] != 1 ||
		n[recording.Closed] != 1 {
		t.Errorf("records %v", n)
	}
	last := records[len(records)-1]
	sum, err := recording.Decode[recording.Summary](last)
	if n := countKinds(records, 0); err != nil || last.Kind != recording.Ends ||
		sum != (recording.Summary{Why: "stopped", Sessions: 1, Frames: n[recording.Client] + n[recording.Server]}) {
		t.Errorf("%v %+v %v", last.Kind, sum, err)
	}
}

// logins returns the logins with their passwords that a recording holds.
func logins(t *testing.T, records []recording.Record) (out []packets.Login) {
	t.Helper()
	for _, r := range records {
		if r.Kind != recording.Client {
			continue
		}
		plain := bytes.Clone(r.Data)
		if packets.FrameChannel(plain, packets.FromClient) == packets.ChannelGameplay {
			packets.Deobfuscate(plain)
		}
		f, err := packets.DecodeFrame(plain, packets.FromClient, packets.Dialect2026)
		if err != nil {
			t.Fatalf("% X: %v", r.Data, err)
		}
		if r.Data[2] != byte(packets.Checksum(r.Data, packets.GreetingKey)) {
			t.Error("a checksum does not match")
		}
		out = append(out, values(commandsOf[*packets.Login]([]*packets.Frame{f}))...)
	}
	return out
}

func values[T any](all []*T) (out []T) {
	for _, p := range all {
		out = append(out, *p)
	}
	return out
}

func TestRecordingsHoldNoPasswords(t *testing.T) {
	g := newStage(t, nil)
	r := recordingTo(t, g, ops.RecordingOrder{All: true})
	c := g.connect().in(Handshaken)
	c.login("alice", "correct horse")
	c.login("alice", "correct horse") // out of place, and still a password
	g.until("the screen", func() bool { return c.s().State() == CharacterScreen })
	c.login("alice", "correct horse")
	records := recordsOf(t, r)
	all := logins(t, records)
	if len(all) != 3 {
		t.Fatalf("%d logins", len(all))
	}
	for _, l := range all {
		if l.Login != "alice" || l.Password != recording.BlankPassword {
			t.Errorf("%+v", l)
		}
	}
}

func TestRecordingOfOneAccount(t *testing.T) {
	g := newStage(t, nil)
	r := recordingTo(t, g, ops.RecordingOrder{Login: "ALICE"})
	var lines []*conn
	for login, name := range map[string]string{"bob": "Bob", "alice": "Alice", "carol": "Carol"} {
		lines = append(lines, g.connect().as(login, name, InWorld))
	}
	g.connect().in(Handshaken).hangUp() // its account is unknown
	for _, c := range lines {
		c.hangUp()
	}
	records := recordsOf(t, r)
	for _, rec := range records {
		if rec.Session != 0 && rec.Session != records[1].Session {
			t.Fatalf("%v of session %d", rec.Kind, rec.Session)
		}
	}
	if all := logins(t, records); len(all) != 1 || all[0].Login != "alice" {
		t.Errorf("%+v", all)
	}
	n := countKinds(records, records[1].Session)
	if n[recording.Opened] != 1 || n[recording.Client] != 4 || n[recording.Closed] != 1 {
		t.Errorf("records %v", n)
	}
	first := records[1]
	if first.Kind != recording.Opened || records[2].Kind != recording.Server ||
		packets.FrameChannel(records[2].Data, packets.FromServer) != packets.ChannelGreeting {
		t.Errorf("the recording begins with %v, %v", first.Kind, records[2].Kind)
	}
}

func TestRecordingOfASessionThatRuns(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(InWorld)
	g.connect().in(InWorld)
	r := recordingTo(t, g, ops.RecordingOrder{Session: uint16(c.s().Index())})
	c.ping(content.Cities()[0].Position)
	records := recordsOf(t, r)
	n := countKinds(records, 1)
	if len(records) != n[recording.Opened]+n[recording.Account]+n[recording.Client]+n[recording.Server]+2 ||
		n[recording.Client] != 1 || n[recording.Account] != 1 {
		t.Errorf("%d records: %v", len(records), n)
	}
	if about, err := recording.Decode[recording.Session](records[1]); err != nil || about.Whole ||
		about.State != InWorld.String() {
		t.Errorf("%+v, %v", about, err)
	}
}

func TestRecordingsThatCannotBe(t *testing.T) {
	g := newStage(t, nil)
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]ops.RecordingOrder{
		"nobody":  {Session: 1, Path: taken + "nobody"},
		"no file": {All: true},
	} {
		if r, err := g.manager.StartRecording(o); err == nil {
			t.Errorf("%s: started", name)
			_ = r.Stop()
		}
	}
	if _, err := g.manager.StartRecording(ops.RecordingOrder{All: true, Path: taken}); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if b, _ := os.ReadFile(taken); string(b) != "precious" {
		t.Errorf("the file holds %q", b)
	}
	r := recordingTo(t, g, ops.RecordingOrder{All: true})
	if _, err := g.manager.StartRecording(ops.RecordingOrder{All: true, Path: taken + "2"}); !errors.Is(err,
		ops.ErrRecording) {
		t.Error(err)
	}
	if err := errors.Join(r.Stop(), r.Stop()); err != nil {
		t.Error(err)
	}
	if s := r.State(); s.Running || s.Why != "stopped" || g.manager.Recording() != r {
		t.Errorf("%+v", s)
	}
	recordingTo(t, g, ops.RecordingOrder{All: true})
}

func TestLimitsOfRecordings(t *testing.T) {
	g := newStage(t, nil)
	g.manager.recordings.most = 1
	r := recordingTo(t, g, ops.RecordingOrder{All: true})
	g.connect()
	<-r.done
	if s := r.State(); s.Why != "the file has its full size" || s.Error != "" {
		t.Errorf("%+v", s)
	}
	g.manager.recordings.most = recordingBytes
	r = recordingTo(t, g, ops.RecordingOrder{All: true, Seconds: 0.001})
	<-r.done
	if s := r.State(); s.Why != "the time is over" || s.Error != "" {
		t.Errorf("%+v", s)
	}
	read(t, r.State().Path)
}

func TestTheRecordingOfASessionEndsWithIt(t *testing.T) {
	g := newStage(t, nil)
	c := g.connect().in(Handshaken)
	r := recordingTo(t, g, ops.RecordingOrder{Session: uint16(c.s().Index())})
	c.control(&packets.Keepalive{})
	c.hangUp()
	<-r.done
	if s := r.State(); s.Why != "the session has ended" || s.Sessions != 1 {
		t.Errorf("%+v", s)
	}
	if n := countKinds(read(t, r.State().Path), 1); n[recording.Closed] != 1 {
		t.Errorf("records %v", n)
	}
}
