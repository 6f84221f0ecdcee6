package game

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/packets/capture/recording"
	"sphereserver/server/ops"
	"sphereserver/server/session"
)

// as brings a new line into the world with a login and a name.
func (g *stage) as(login, name string) *conn {
	g.t.Helper()
	c := g.connect().in(session.Handshaken)
	c.login(login, "secret")
	g.until("the screen", func() bool { return c.s().State() == session.CharacterScreen })
	c.choose(0, &packets.CreateCharacter{Name: name, Look: maleLook})
	g.until("the world loads", func() bool { return c.s().State() == session.Entering })
	c.say(c.own(&packets.Manager{Command: &packets.Ready{Value: 0x34}}))
	g.until("the world", func() bool { return c.s().State() == session.InWorld })
	return c
}

// Characters in an anonymous recording have other names.
func TestAnonymousRecordings(t *testing.T) {
	t.Parallel()
	g := newStage(t, nil)
	path := filepath.Join(t.TempDir(), "some"+recording.Extension)
	r, err := g.server.StartRecording(ops.RecordingOrder{Path: path, All: true, Anonymous: true})
	if err != nil {
		t.Fatal(err)
	}
	c, d := g.as("vasilij", "Василиса"), g.connect().in(session.InWorld)
	g.pass(time.Second)
	d.hangUp()
	c.hangUp()
	if err := r.Stop(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for rec, err := range recording.Read(bytes.NewReader(file)) {
		if err != nil {
			t.Fatal(err)
		}
		plain := bytes.Clone(rec.Data)
		if rec.Kind == recording.Client {
			packets.Deobfuscate(plain)
		}
		for _, name := range []string{"vasilij", "Василиса", "192.0.2.1"} {
			if bytes.Contains(plain, []byte(name)) || bytes.Contains(plain, packets.Append1251(nil, name)) {
				t.Errorf("%v holds %s", rec.Kind, name)
			}
		}
		if rec.Kind == recording.Server && packets.FrameChannel(rec.Data, packets.FromServer) == packets.ChannelGameplay {
			f, err := packets.DecodeFrame(rec.Data, packets.FromServer, packets.Dialect2026)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range regionsOf[*packets.PlayerSpawn]([]*packets.Frame{f}) {
				seen++
				if p.Name == "Василиса" || packets.Len1251(p.Name) < 5 {
					t.Errorf("%q is seen", p.Name)
				}
			}
			for _, w := range regionsOf[*packets.WorldSnapshot]([]*packets.Frame{f}) {
				if w.Name == "Василиса" {
					t.Errorf("%q enters", w.Name)
				}
			}
		}
	}
	if seen == 0 {
		t.Error("nobody has seen anybody")
	}
}
