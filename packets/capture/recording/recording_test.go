package recording

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"sphereserver/packets"
)

// some are records of all kinds.
func some(t testing.TB) (file []byte, want []Record) {
	t.Helper()
	var out bytes.Buffer
	w, err := NewWriter(&out, Info{Started: time.Unix(1_700_000_000, 0).UTC(), Dialect: "2026"})
	if err != nil {
		t.Fatal(err)
	}
	notes := []struct {
		k     Kind
		value any
	}{{Opened, Session{Index: 0x4F6F, Key: 0x0E40, Whole: true, State: "connected"}}, {Account,
		Identity{"alice", "player"}},
		{Closed, End{"closed by client", true}}, {Lost, Loss{"the queue is full"}}}
	for i, n := range notes {
		if err := w.Note(n.k, 1, time.Duration(i)*time.Millisecond, n.value); err != nil {
			t.Fatal(err)
		}
	}
	for i, frame := range [][]byte{{4, 0, 0xF4, 1}, {8, 0, 0, 0, 1, 0, 0xF4, 1}} {
		if err := w.Write(Record{Server - Kind(i), 1, time.Second + 1500*time.Nanosecond, frame}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Note(Ends, 0, 2*time.Second, Summary{Why: "stopped", Sessions: 1, Frames: 2}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	want, err = all(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), want
}

func all(file []byte) (records []Record, err error) {
	for r, e := range Read(bytes.NewReader(file)) {
		if e != nil {
			return records, e
		}
		records = append(records, r)
	}
	return records, nil
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	_, records := some(t)
	var kinds []Kind
	for _, r := range records {
		kinds = append(kinds, r.Kind)
	}
	if want := []Kind{Begins, Opened, Account, Closed, Lost, Server, Client, Ends}; !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, expected %v", kinds, want)
	}
	about, err := Decode[Info](records[0])
	if err != nil || about.Dialect != "2026" || about.Started.Unix() != 1_700_000_000 {
		t.Errorf("%+v, %v", about, err)
	}
	if s, err := Decode[Session](records[1]); err != nil || s != (Session{Index: 0x4F6F, Key: 0x0E40, Whole: true,
		State: "connected"}) {
		t.Errorf("%+v, %v", s, err)
	}
	if want := (Record{Server, 1, time.Second + time.Microsecond, []byte{4, 0, 0xF4, 1}}); cmp.Diff(records[5],
		want) != "" {
		t.Error(cmp.Diff(records[5], want))
	}
	if _, err := Decode[Info](records[5]); err == nil {
		t.Error("a frame was read as JSON")
	}
}

func plain(t testing.TB, file []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A recording that breaks off anywhere says where, and gives all that stands before.
func TestCutRecordings(t *testing.T) {
	file, whole := some(t)
	for n := range file {
		records, err := all(file[:n])
		var damage *DamageError
		if !errors.As(err, &damage) {
			t.Fatalf("cut at %d of %d: %v", n, len(file), err)
		}
		if len(records) > len(whole) || cmp.Diff(records, whole[:len(records)]) != "" && len(records) > 0 {
			t.Fatalf("cut at %d: other records", n)
		}
	}
	clear := plain(t, file)
	for n := headBytes; n < len(clear); n++ {
		records, err := all(clear[:n])
		var damage *DamageError
		switch {
		case !errors.As(err, &damage):
			t.Fatalf("cut at %d of %d: %v", n, len(clear), err)
		case damage.Offset != int64(n):
			t.Errorf("cut at %d: the error says %v", n, err)
		case damage.Record != len(records)+1:
			t.Errorf("cut at %d, %d records: %v", n, len(records), err)
		}
	}
	if records, err := all(clear); err != nil || len(records) != len(whole) {
		t.Errorf("uncompressed: %d records, %v", len(records), err)
	}
}

// After a change of any byte the records before it are whole, and the error names the record.
func TestDamagedRecordings(t *testing.T) {
	file, whole := some(t)
	clear := plain(t, file)
	for at := range clear {
		damaged := bytes.Clone(clear)
		damaged[at] ^= 0x10
		records, err := all(damaged)
		var damage *DamageError
		if !errors.As(err, &damage) {
			t.Fatalf("byte %d changed: %d records, %v", at, len(records), err)
		}
		if damage.Record > 0 && damage.Record != len(records)+1 || damage.Offset > int64(len(clear)) {
			t.Errorf("byte %d changed: %d records, %v", at, len(records), err)
		}
		if len(records) > 0 && cmp.Diff(records, whole[:len(records)]) != "" {
			t.Errorf("byte %d changed: other records", at)
		}
	}
}

func TestWhatIsNoRecording(t *testing.T) {
	for _, c := range []struct {
		file, err string
	}{
		{"", "head at byte 0 (uncompressed): this is no recording of sessions"},
		{"some text that is long enough", "this is no recording of sessions"},
		{"\x1F\x8Bx", "this is no recording of sessions"},
		{"SPHREC\x02\x00", "head at byte 6 (uncompressed): version 2, expected 1"},
		{"SPHREC\x01", "head at byte 7 (uncompressed): the file is cut off"},
		{"SPHREC\x01\x00", "record 1 at byte 8 (uncompressed): the file has no last record"},
		{"SPHREC\x01\x00" + strings.Repeat("\x00", 13) + "\xFF\xFF\xFF\xFF",
			"record 1 at byte 21 (uncompressed): a length of 4294967295 bytes, at most 131072"},
	} {
		if _, err := all([]byte(c.file)); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %v, expected %q", c.file, err, c.err)
		}
	}
}

func TestTooMuchForARecord(t *testing.T) {
	w, err := NewWriter(io.Discard, Info{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(Record{Kind: Server, Data: make([]byte, MaxData+1)}); err == nil {
		t.Error("written")
	}
	if err := w.Write(Record{Kind: Server, Data: make([]byte, MaxData)}); err != nil {
		t.Error(err)
	}
}

func FuzzRead(f *testing.F) {
	file, _ := some(f)
	f.Add(file)
	f.Add(plain(f, file))
	f.Add([]byte("SPHREC\x01\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		records, err := all(file)
		var damage *DamageError
		if err != nil && !errors.As(err, &damage) {
			t.Fatalf("%T: %v", err, err)
		}
		if err != nil {
			return
		}
		// A file that reads without an error is written again to one that says the same.
		var out bytes.Buffer
		w, err := NewWriter(&out, Info{})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			if err := w.Write(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if again, err := all(out.Bytes()); err != nil || cmp.Diff(again[1:], records) != "" {
			t.Fatalf("written again: %v", err)
		}
	})
}

const secret = "pA55w0rd-сезам"

func loginFrame(t testing.TB, masked bool, login packets.Login, more ...packets.Region) []byte {
	t.Helper()
	b := packets.Message(7, 0x215A, packets.ClassPlayer, append([]packets.Region{&packets.Owner{Command: &login}},
		more...)...)
	frame, err := packets.AppendClient(nil, b, packets.Dialect2026, packets.GreetingKey, 0x1234)
	if err != nil {
		t.Fatal(err)
	}
	if !masked {
		packets.Deobfuscate(frame)
	}
	return frame
}

// holds reports whether a frame has a text in it at any bit, obfuscated or not.
func holds(frame []byte, text string) bool {
	clear := bytes.Clone(frame)
	packets.Deobfuscate(clear)
	want := packets.Append1251(nil, text)
	for _, form := range [][]byte{frame, clear} {
		for shift := range 8 {
			shifted := make([]byte, len(form))
			for i := range form {
				shifted[i] = form[i] >> shift
				if i+1 < len(form) {
					shifted[i] |= form[i+1] << (8 - shift)
				}
			}
			if bytes.Contains(shifted, want) {
				return true
			}
		}
	}
	return false
}

func TestPasswordsAreBlanked(t *testing.T) {
	for _, masked := range []bool{true, false} {
		for _, loggedIn := range []bool{true, false} {
			wire := loginFrame(t, masked, packets.Login{Lead: 0xFF, Login: "alice", Password: secret})
			if !holds(wire, secret) {
				t.Fatal("the test does not find the password where it is")
			}
			b := Blanker{Key: packets.GreetingKey, LoggedIn: loggedIn}
			out := b.Frame(wire)
			if holds(out, secret) || holds(out, secret[:4]) {
				t.Errorf("masked %t, logged in %t: the password is still there", masked, loggedIn)
			}
			if sum := packets.Checksum(out, packets.GreetingKey); sum != uint16(out[2])|uint16(out[3])<<8 {
				t.Error("the checksum does not match")
			}
			if masked {
				packets.Deobfuscate(out)
			}
			f, err := packets.DecodeFrame(out, packets.FromClient, packets.Dialect2026)
			if err != nil {
				t.Fatal(err)
			}
			c, _ := packets.CommandOf(f.Body.Sections[0].Regions[0])
			if want := (packets.Login{Lead: 0xFF, Login: "alice", Password: BlankPassword}); *c.(*packets.Login) != want ||
				f.Header.Sequence != 0x1234 {
				t.Errorf("%+v", c)
			}
		}
	}
}

// A login that no grammar reads may be a password all the same.
func TestDamagedLoginsAreEmptied(t *testing.T) {
	whole := loginFrame(t, false, packets.Login{Lead: 0xFF, Login: "alice", Password: secret})
	for _, masked := range []bool{true, false} {
		for at := 9; at < len(whole); at++ {
			for bit := range 8 {
				wire := bytes.Clone(whole)
				wire[at] ^= 1 << bit
				text := secret
				if !holds(wire, text) {
					text = secret[:5]
				}
				if masked {
					packets.Obfuscate(wire)
				}
				b := Blanker{Key: packets.GreetingKey}
				if out := b.Frame(wire); holds(out, text) {
					t.Fatalf("byte %d, bit %d: the password is still there: % X", at, bit, out)
				}
			}
		}
	}
	strange := append([]byte{byte(8 + len(secret)), 0, 0, 0, 1, 0, 0x99, 9}, packets.Append1251(nil, secret)...)
	strange[0] = byte(len(strange))
	b := Blanker{Key: packets.GreetingKey}
	if out := b.Frame(strange); holds(out, secret) || len(out) != len(strange) {
		t.Errorf("an unknown channel: % X", out)
	}
}

func TestOtherFramesStayAsTheyAre(t *testing.T) {
	keepalive, err := packets.AppendControl(nil, &packets.Keepalive{}, packets.FromClient, packets.GreetingKey, 3)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := packets.AppendClient(nil, packets.Message(1, 0x215A, packets.ClassPlayer,
		&packets.Manager{Command: &packets.Ready{Value: 0x34}}),
		packets.Dialect2026, packets.GreetingKey, 4)
	if err != nil {
		t.Fatal(err)
	}
	b := Blanker{Key: packets.GreetingKey}
	if out := b.Frame(keepalive); !bytes.Equal(out, keepalive) {
		t.Error("a keepalive has changed")
	}
	b.LoggedIn = true
	for _, frame := range [][]byte{keepalive, ready, ready[:12:12]} {
		if out := b.Frame(frame); !bytes.Equal(out, frame) {
			t.Errorf("% X has become % X", frame, out)
		}
	}
}

func FuzzBlank(f *testing.F) {
	f.Add(loginFrame(f, true, packets.Login{Lead: 0xFF, Login: "a", Password: secret}), false)
	f.Add(loginFrame(f, false, packets.Login{Lead: 0xFF, Login: "a", Password: secret}), true)
	f.Fuzz(func(t *testing.T, frame []byte, loggedIn bool) {
		before := bytes.Clone(frame)
		b := Blanker{Key: 1, LoggedIn: loggedIn}
		out := b.Frame(frame)
		if !bytes.Equal(before, frame) {
			t.Error("the frame itself was changed")
		}
		if len(frame) > 0 && len(out) == 0 {
			t.Error("nothing is left")
		}
	})
}
