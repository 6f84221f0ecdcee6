package replay

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/data"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/ops"
	"sphereserver/server/sim"
)

// remake makes the recordings anew, with the server of today. `make recordings` sets it.
var remake = flag.Bool("remake", false, "record the scenes anew")

const (
	folder   = "../../../testdata/recordings"
	password = "secret"
)

// A scene is the play of our own clients for a recording.
type scene struct {
	name  string
	roles map[string]data.Role // of logins that are no plain players
	play  func(t *testing.T, h *sim.House)
}

var scenes = []scene{
	{name: "walk", play: walkScene},
	{name: "meeting", play: meetingScene},
	{name: "townsfolk", roles: map[string]data.Role{"merlin": data.GameMaster}, play: townsfolkScene},
}

// enter brings a client into the world, with a new character if the login has none.
func enter(t *testing.T, h *sim.House, login, name string, seed uint64) *bot.Client {
	t.Helper()
	ctx := patient(t)
	o := h.Client(sim.Host(int(seed)))
	o.Manual, o.Seed = true, seed
	c, err := bot.Dial(ctx, h.Addr, o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Login(ctx, login, password); err != nil {
		t.Fatal(err)
	}
	if slot := c.Screen.Find(name); slot >= 0 {
		_, err = c.Select(ctx, slot)
	} else {
		_, err = c.Create(ctx, c.Screen.Free(), bot.NewCharacter{Name: name})
	}
	if err == nil {
		err = c.Enter(ctx)
	}
	if err == nil {
		err = c.Idle(ctx, 400*time.Millisecond) // all that stands around is told
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func patient(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// walk goes some steps of some metres along x and z, each in a time.
func walk(t *testing.T, c *bot.Client, steps int, dx, dz float32, each ...time.Duration) {
	t.Helper()
	for range steps {
		at := c.Position
		at.X, at.Z, at.Yaw = at.X+dx, at.Z+dz, 1.5
		if _, err := c.Ping(patient(t), at); err != nil {
			t.Fatal(err)
		}
		idle(t, append(each, 150*time.Millisecond)[0], c)
	}
}

func idle(t *testing.T, d time.Duration, all ...*bot.Client) {
	t.Helper()
	for _, c := range all {
		if err := c.Idle(patient(t), d); err != nil {
			t.Fatal(err)
		}
	}
}

func say(t *testing.T, c *bot.Client, text string, others ...*bot.Client) {
	t.Helper()
	if err := c.Say(1, text); err != nil {
		t.Fatal(err)
	}
	idle(t, 300*time.Millisecond, append(others, c)...)
}

// walkScene: a player makes a character, walks, leaves, and comes back to where it stood.
func walkScene(t *testing.T, h *sim.House) {
	c := enter(t, h, "alice", "Alice", 1)
	walk(t, c, 8, 2, 1)
	if err := c.Keepalive(patient(t)); err != nil {
		t.Fatal(err)
	}
	idle(t, 200*time.Millisecond, c)
	c.Close()
	c = enter(t, h, "alice", "Alice", 2)
	walk(t, c, 2, -2, 0)
	c.Close()
}

// meetingScene: two see each other, talk, part and meet again.
func meetingScene(t *testing.T, h *sim.House) {
	a := enter(t, h, "alice", "Alice", 1)
	walk(t, a, 1, 3, 0)
	b := enter(t, h, "boris", "Борис", 2)
	idle(t, 300*time.Millisecond, a, b)
	say(t, a, "Добрый день!", b)
	say(t, b, "Good day to you too.", a)
	walk(t, b, 3, 0, 2, time.Second) // a step that follows sooner may be told together with the one before
	idle(t, 300*time.Millisecond, a, b)
	walk(t, b, 12, 0, 10, time.Second) // out of sight
	idle(t, 300*time.Millisecond, a, b)
	walk(t, b, 12, 0, -10, time.Second)
	idle(t, 300*time.Millisecond, a, b)
	b.Close()
	idle(t, 500*time.Millisecond, a)
	a.Close()
}

// townsfolkScene: a game master looks at the NPCs of a town, goes to another one by command, and comes back.
func townsfolkScene(t *testing.T, h *sim.House) {
	c := enter(t, h, "merlin", "Merlin", 1)
	say(t, c, "/tp bangville")
	idle(t, 700*time.Millisecond, c)
	if _, err := c.Ping(patient(t), c.Position); err != nil {
		t.Fatal(err)
	}
	walk(t, c, 3, 3, 0)
	say(t, c, "/tp shipstone")
	idle(t, 700*time.Millisecond, c)
	walk(t, c, 1, 1, 1)
	c.Close()
}

// serve begins the server that ships, but that nobody else is there, and new characters begin in Shipstone.
func serve(t *testing.T, roles map[string]data.Role, change func(*game.Options)) *sim.House {
	t.Helper()
	return sim.Start(t, sim.Options{Game: func(o *game.Options) {
		o.Monsters, o.NewcomersDungeon = false, false
		if change != nil {
			change(o)
		}
	}, Prepare: func(store *data.Store) {
		hash, err := data.HashPassword(password, data.DefaultHashParams)
		if err != nil {
			t.Fatal(err)
		}
		for login, role := range roles {
			if _, err := store.CreateAccount(context.Background(), login, hash, role); err != nil {
				t.Fatal(err)
			}
		}
	}})
}

// record plays a scene and returns its recording.
func record(t *testing.T, s scene) []byte { return recordAs(t, s, ops.RecordingOrder{All: true}) }

func recordAs(t *testing.T, s scene, o ops.RecordingOrder) []byte {
	t.Helper()
	h := serve(t, s.roles, nil)
	path := filepath.Join(t.TempDir(), s.name+recording.Extension)
	o.Path = path
	r, err := h.Server.StartRecording(o)
	if err != nil {
		t.Fatal(err)
	}
	s.play(t, h)
	for deadline := time.Now().Add(time.Minute); h.Server.Sessions() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("sessions do not end")
		}
	}
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// simulated runs a test on simulated time, beside others.
func simulated(t *testing.T, test func(t *testing.T)) {
	t.Parallel()
	synctest.Test(t, test)
}

// load reads a recording of the repository.
func load(t testing.TB, path string) *Recording {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./server/bot/replay -remake makes it)", err)
	}
	rec, err := Load(bytes.NewReader(file))
	if err == nil {
		err = rec.Damage
	}
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return rec
}

// rolesOf are the roles that the logins of a recording had.
func rolesOf(t testing.TB, rec *Recording) map[string]data.Role {
	t.Helper()
	roles := map[string]data.Role{}
	for _, s := range rec.Sessions {
		if s.Who.Login == "" {
			continue // did not log in
		}
		role, err := data.ParseRole(s.Who.Role)
		if err != nil {
			t.Fatal(err)
		}
		if role != data.Player {
			roles[s.Who.Login] = role
		}
	}
	return roles
}

// replayed plays a recording against a new server.
func replayed(t *testing.T, rec *Recording, o Options, change func(*game.Options)) *Report {
	t.Helper()
	h := serve(t, rolesOf(t, rec), change)
	o.Addr, o.Dial, o.Password = h.Addr, h.Net.From(sim.Host(1)), password
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	r, err := rec.Replay(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const maxRecording = 50 << 10 // bytes of a recording in the repository

// With -remake the recordings are made anew; they hold the present behaviour of the server.
func TestMakeRecordings(t *testing.T) {
	if !*remake {
		t.Skip("without -remake")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, s := range scenes {
		var file []byte
		synctest.Test(t, func(t *testing.T) { file = record(t, s) })
		if len(file) > maxRecording {
			t.Errorf("%s: %d bytes, at most %d", s.name, len(file), maxRecording)
		}
		if err := os.WriteFile(filepath.Join(folder, s.name+recording.Extension), file, 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s: %d bytes\n", s.name, len(file))
	}
}

// Every recording of the repository is answered by the server of today as it was by the one that made it.
func TestRecordingsReplay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(folder, "*"+recording.Extension))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < len(scenes) {
		t.Fatalf("%d recordings in %s, expected %d", len(files), folder, len(scenes))
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			simulated(t, func(t *testing.T) {
				rec := load(t, file)
				r := replayed(t, rec, Options{}, nil)
				if !r.Same() {
					t.Errorf("the server does something else than when this was recorded; if it should, make the recordings anew (make recordings):\n%s", r.Words())
				}
				if r.Compared == 0 || r.Sent == 0 {
					t.Errorf("%+v", r)
				}
			})
		})
	}
}
