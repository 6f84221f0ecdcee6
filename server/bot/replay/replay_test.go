package replay

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
)

func walkRecording(t testing.TB) *Recording {
	return load(t, filepath.Join(folder, "walk"+recording.Extension))
}

// rewritten changes the first frame of the server for which change says that it has changed something.
func rewritten(t *testing.T, rec *Recording, change func(b *packets.Body) bool) {
	t.Helper()
	for i := range rec.events {
		e := &rec.events[i]
		if e.kind != recording.Server || packets.FrameChannel(e.frame, packets.FromServer) != packets.ChannelGameplay {
			continue
		}
		f, err := packets.DecodeFrame(e.frame, packets.FromServer, rec.Dialect)
		if err != nil {
			t.Fatal(err)
		}
		if change(f.Body) {
			if e.frame, err = f.Append(nil, rec.Dialect); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("nothing to change")
}

// regionIn finds a region of a type in a body.
func regionIn[R packets.Region](b *packets.Body) (section, at int, found R) {
	for s := range b.Sections {
		for i, r := range b.Sections[s].Regions {
			if m, ok := r.(R); ok {
				return s, i, m
			}
		}
	}
	return 0, -1, found
}

// Every deviation of the server from the recording is found, and told in words. Here the recording is changed.
func TestChangedAnswersAreFound(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(b *packets.Body) bool
		want   []string // parts of the lines
	}{
		{"a value", func(b *packets.Body) bool {
			_, at, w := regionIn[*packets.WorldSnapshot](b)
			if at >= 0 {
				w.Money += 5
			}
			return at >= 0
		}, []string{"WorldSnapshot of the own character: money: recorded 5, now 0"}},
		{"an additional message", func(b *packets.Body) bool { // that is missing in the recording
			s, at, m := regionIn[*packets.SetStat](b)
			if at < 0 || m.Stat != packets.StatHP {
				return false
			}
			for i, r := range b.Sections[s].Regions {
				if m, ok := r.(*packets.SetStat); ok && m.Stat == packets.StatStrength {
					b.Sections[s].Regions = slices.Delete(b.Sections[s].Regions, i, i+1)
					return true
				}
			}
			return false
		}, []string{"additional: SetStat of the own character: SetStat  stat strength"}},
		{"a missing message", func(b *packets.Body) bool { // that is too much in the recording
			s, at, _ := regionIn[*packets.SetStat](b)
			if at >= 0 {
				b.Sections[s].Regions = append(b.Sections[s].Regions, &packets.Manager{Command: &packets.CoinsReceived{}})
			}
			return at >= 0
		}, []string{"missing: Manager CoinsReceived of the own character"}},
		{"a thing", func(b *packets.Body) bool {
			_, at, m := regionIn[*packets.SpawnSnapshot](b)
			if at >= 0 {
				m.D++
			}
			return at >= 0
		}, []string{"SpawnSnapshot of ", ": d: recorded "}},
		{"where somebody stands", func(b *packets.Body) bool {
			_, at, m := regionIn[*packets.PositionStream](b)
			if at >= 0 && m.Count == 0 {
				b.Origin.X += 7
				return true
			}
			return false
		}, []string{"PositionStream of the own character: origin: recorded "}},
	} {
		t.Run(c.name, func(t *testing.T) {
			simulated(t, func(t *testing.T) {
				rec := walkRecording(t)
				rewritten(t, rec, c.change)
				r := replayed(t, rec, Options{}, nil)
				words := r.Words()
				if len(r.Differences) != 1 {
					t.Errorf("%d differences:\n%s", len(r.Differences), words)
				}
				for _, want := range c.want {
					if !strings.Contains(words, want) {
						t.Errorf("expected %q, found\n%s", want, words)
					}
				}
			})
		})
	}
}

// A server that does something else is found out.
func TestAChangedServerIsFound(t *testing.T) {
	simulated(t, func(t *testing.T) {
		r := replayed(t, walkRecording(t), Options{}, func(o *game.Options) { o.Start.X++ })
		if words := r.Words(); r.Same() ||
			!strings.Contains(words, "WorldSnapshot of the own character: x: recorded 2614, now 2615") {
			t.Error(words)
		}
	})
}

func TestARefusedLoginIsFound(t *testing.T) {
	simulated(t, func(t *testing.T) {
		r := replayed(t, walkRecording(t), Options{Password: "-"},
			func(o *game.Options) { o.CreateAccounts = false })
		words := r.Words()
		if !strings.Contains(words, "additional: Owner CannotConnect of the own character") ||
			!strings.Contains(words, "the server has refused the login: the password is another") {
			t.Error(words)
		}
		if r.Seconds <= 0 || r.Seconds != r.Took.Seconds() {
			t.Errorf("took %v, told as %v s", r.Took, r.Seconds)
		}
		if len(r.Differences) != 4 { // two for each session
			t.Errorf("%d differences:\n%s", len(r.Differences), words)
		}
	})
}

// On a server that has the characters already, other ones with other names do the same; at any speed, and with
// strangers around.
func TestRenamedAmongStrangers(t *testing.T) {
	simulated(t, func(t *testing.T) {
		rec := load(t, filepath.Join(folder, "meeting"+recording.Extension))
		h := serve(t, rolesOf(t, rec), nil)
		stranger := enter(t, h, "stranger", "Stranger", 9)
		defer stranger.Abort()
		done := make(chan struct{})
		talking, stop := context.WithCancel(context.Background())
		go func() { // it lives, walks and talks in the middle of everything
			defer close(done)
			for n := 0; talking.Err() == nil; n++ {
				_ = stranger.Say(1, "I do not belong here.")
				at := stranger.Position
				at.Z += float32(n%2*2 - 1)
				_, _ = stranger.Ping(talking, at)
				_ = stranger.Idle(talking, 600*time.Millisecond)
			}
		}()
		for i, o := range []Options{{Speed: 2}, {Rename: true, Seed: 1, Logins: []string{"second", "third"}}} {
			o.Addr, o.Dial, o.Password = h.Addr, h.Net.From(sim.Host(1)), password
			r, err := rec.Replay(patient(t), o)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Same() {
				t.Errorf("%s", r.Words())
			}
			if i == 1 && (r.Sessions[0].Login != "second" || r.Sessions[0].Character == "Alice" ||
				len(r.Sessions[0].Character) != 5) {
				t.Errorf("%+v", r.Sessions)
			}
		}
		stop()
		<-done
	})
}

// The same recording is played again and again where accounts are made at the first login, as --rename promises.
func TestRenamedAgainAndAgain(t *testing.T) {
	simulated(t, func(t *testing.T) {
		rec := walkRecording(t)
		h := serve(t, nil, nil)
		o := Options{Addr: h.Addr, Dial: h.Net.From(sim.Host(1)), Password: password, Rename: true}
		logins := map[string]bool{}
		for range 2 {
			o.Seed++
			r, err := rec.Replay(patient(t), o)
			if err != nil {
				t.Fatal(err)
			}
			if !r.Same() {
				t.Errorf("%s", r.Words())
			}
			login := r.Sessions[0].Login
			if logins[login] || !strings.HasPrefix(login, "alice-") || r.Sessions[1].Login != login {
				t.Errorf("%+v, expected that both sessions have a login of their own", r.Sessions)
			}
			logins[login] = true
		}
	})
}

// An account that has a character where it had none: that is one difference, told once, and nothing is played on it.
func TestAccountsWithOtherCharactersAreNotPlayed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		rec := walkRecording(t)
		h := serve(t, nil, nil)
		enter(t, h, "alice", "Somebody", 1).Close()
		var found []Difference
		o := Options{Addr: h.Addr, Dial: h.Net.From(sim.Host(1)), Password: password, Found: func(d Difference) { found = append(found, d) }}
		r, err := rec.Replay(patient(t), o)
		if err != nil {
			t.Fatal(err)
		}
		words := r.Words()
		if len(r.Differences) != 1 || !slices.Equal(found, r.Differences) || r.Sessions[1].Skipped == "" ||
			!strings.Contains(words, "the account alice has the character Somebody in a slot that was empty") {
			t.Errorf("found %d, %+v:\n%s", len(found), r.Sessions, words)
		}
	})
}

// The characters of a recording exist already: that is told, and not more than it means.
func TestCharactersThatExist(t *testing.T) {
	simulated(t, func(t *testing.T) {
		rec := walkRecording(t)
		h := serve(t, nil, nil)
		c := enter(t, h, "other", "Alice", 1)
		c.Close()
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		r, err := rec.Replay(ctx, Options{Addr: h.Addr, Dial: h.Net.From(sim.Host(1)), Password: password, Patience: 500 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		if words := r.Words(); !strings.Contains(words, "missing: Owner NameAccepted") ||
			!strings.Contains(words, "additional: Owner NameRejected") ||
			!strings.Contains(words, "5 messages in a row are missing: the rest of the session is not played") {
			t.Error(words)
		}
	})
}

// The part of a file before its damage is played.
func TestDamagedTapesArePlayed(t *testing.T) {
	simulated(t, func(t *testing.T) {
		file, err := os.ReadFile(filepath.Join(folder, "walk"+recording.Extension))
		if err != nil {
			t.Fatal(err)
		}
		rec, err := Load(bytes.NewReader(file[:len(file)*3/4]))
		if err != nil || rec.Damage == nil || len(rec.Sessions) == 0 {
			t.Fatalf("%v, %+v", err, rec)
		}
		if r := replayed(t, rec, Options{}, nil); !r.Same() || r.Sent == 0 {
			t.Error(r.Words())
		}
	})
}

func TestTapesThatCannotBePlayed(t *testing.T) {
	if _, err := Load(strings.NewReader("nothing of the kind")); err == nil ||
		!strings.Contains(err.Error(), "no recording") {
		t.Error(err)
	}
	var file bytes.Buffer
	w, err := recording.NewWriter(&file, recording.Info{Dialect: "2026"})
	if err != nil {
		t.Fatal(err)
	}
	end := func() (*Recording, error) {
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return Load(bytes.NewReader(file.Bytes()))
	}
	if err := w.Note(recording.Opened, 1, 0, recording.Session{Index: 0x4F6F}); err != nil {
		t.Fatal(err)
	}
	rec, err := end()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rec.Replay(t.Context(), Options{Addr: "127.0.0.1:1"}); err == nil ||
		!strings.Contains(err.Error(), "began before it") {
		t.Error(err)
	}
	if _, err := walkRecording(t).Replay(t.Context(), Options{Addr: "127.0.0.1:1"}); err == nil {
		t.Error("no server, no error")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := walkRecording(t).Replay(ctx, Options{Addr: "127.0.0.1:1"}); err == nil {
		t.Error("not interrupted")
	}
}

// The server closes a session that it had closed then: by a deletion.
func TestSessionsThatTheServerCloses(t *testing.T) {
	simulated(t, func(t *testing.T) {
		file := record(t, scene{name: "deletion", play: func(t *testing.T, h *sim.House) {
			c := enter(t, h, "dora", "Dora", 1)
			c.Close()
			o := h.Client(sim.Host(1))
			o.Manual = true
			c, err := bot.Dial(patient(t), h.Addr, o)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Login(patient(t), "dora", password); err != nil {
				t.Fatal(err)
			}
			if err := c.Delete(patient(t), 0); err != nil {
				t.Fatal(err)
			}
		}})
		rec, err := Load(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if end := rec.Sessions[1].End; end == nil || end.Client {
			t.Fatalf("%+v", end)
		}
		if r := replayed(t, rec, Options{}, nil); !r.Same() {
			t.Error(r.Words())
		}
		rec.events = slices.DeleteFunc(rec.events, func(e event) bool { // the deletion itself is left out
			return e.kind == recording.Client && e.session == rec.Sessions[1] && len(e.frame) == 42
		})
		r := replayed(t, rec, Options{}, nil)
		if words := r.Words(); len(r.Differences) != 1 || !strings.Contains(words,
			"the server does not close the connection: recorded, it did: character deleted") {
			t.Error(words)
		}
	})
}

// A recording with other names, or of one account, is played like any other.
func TestRecordingsOfOtherKinds(t *testing.T) {
	simulated(t, func(t *testing.T) {
		rec, err := Load(bytes.NewReader(recordAs(t, scenes[0], ops.RecordingOrder{Login: "Alice", Anonymous: true})))
		if err != nil {
			t.Fatal(err)
		}
		if len(rec.Sessions) != 2 || rec.Sessions[0].Who.Login == "alice" || rec.Sessions[0].Who != rec.Sessions[1].Who ||
			rec.Sessions[0].Character == "Alice" {
			t.Errorf("%+v, %+v", rec.Sessions[0], rec.Sessions[1])
		}
		logins := []string{"one", "one"} // the recorded ones are not the same in any two recordings
		if r := replayed(t, rec, Options{Rename: true, Seed: 1, Logins: logins}, nil); !r.Same() || r.Compared < 100 {
			t.Error(r.Words())
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, s := range scenes {
		if file, err := os.ReadFile(filepath.Join(folder, s.name+recording.Extension)); err == nil {
			f.Add(file)
		}
	}
	f.Add([]byte("SPHREC\x01\x00"))
	f.Fuzz(func(t *testing.T, file []byte) {
		rec, err := Load(bytes.NewReader(file))
		if err != nil {
			return
		}
		for _, e := range rec.events {
			p := &player{play: &play{rec: rec, people: newIDMap(), begun: time.Now()}, s: e.session, objects: newIDMap(),
				was: places{}, now: places{},
				deobfuscator: packets.NewDeobfuscator(packets.PlayerIndex(e.session.About.Index))}
			switch e.kind {
			case recording.Server:
				for _, m := range messages(e.frame, rec.Dialect, e.at) {
					_ = m.words()
					if c := p.match(m, m); c == nil {
						t.Fatal("no pairing")
					}
				}
			case recording.Client:
				p.translate(e.frame)
			}
		}
	})
}
