package packets

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sphereserver/coords"

	"encoding/hex"

	"github.com/google/go-cmp/cmp"
)

// hasOwnTest reports whether a golden frame is compared with the documents by a test of this file.
func hasOwnTest(g *golden) bool {
	return g.unknown > 0 || strings.HasPrefix(g.name, "session-A1-") || strings.HasPrefix(g.name, "ingame-18.3-") ||
		strings.HasPrefix(g.name, "constructed-") || controlExamples[g.name].want != nil
}

type controlExample struct {
	key, sequence uint16
	want          Control
}

var controlExamples = map[string]controlExample{
	"ingame-V1":                      {0, 0, &Keepalive{}},
	"session-4.2-greeting-2022":      {0, 0, &Greeting{1300, 0x421F}},
	"session-4.2-greeting":           {0, 0, &Greeting{GreetingNumber, GreetingKey}},
	"session-4.2-greeting-reconnect": {0, 0, &Greeting{1428, 0x642F}},
	"session-10.2-reply-421F":        {0x421F, 0x0123, &GreetingReply{GreetingReplyValue}},
	"session-10.2-reply-0E40":        {0x0E40, 0x0123, &GreetingReply{GreetingReplyValue}},
	"session-10.2-keepalive":         {0x421F, 0x012A, &Keepalive{}},
	"constructed-SentCount":          {0x421F, 0x0102, &SentCount{1000}},
	"constructed-Refused":            {0, 0, &Refused{}},
	"constructed-Refused-why":        {0, 0, &Refused{"full"}},
}

func TestControlFrames(t *testing.T) {
	for name, e := range controlExamples {
		g := goldenByName(t, name)
		f, err := DecodeFrame(g.frame, g.dir, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e.want, f.Control); diff != "" {
			t.Errorf("%s: -documented +found\n%s", name, diff)
		}
		got, err := AppendControl(nil, e.want, g.dir, e.key, e.sequence)
		if err != nil || !bytes.Equal(got, g.frame) {
			t.Errorf("%s: % X, %v, documented % X", name, got, err, g.frame)
		}
	}
}

// A known channel with another length, or in the wrong direction, is kept as it is.
func TestControlFramesOfAnotherForm(t *testing.T) {
	for _, c := range []struct {
		dir   Direction
		frame []byte
	}{
		{FromServer, []byte{5, 0, 0xF4, 1, 7}},
		{FromServer, []byte{8, 0, 0xBC, 2, 1, 2, 3, 4}},
		{FromServer, []byte{8, 0, 0x39, 0x30, 1, 2, 3, 4}},
		{FromClient, []byte{9, 0, 1, 2, 3, 4, 0xF4, 1, 7}},
		{FromClient, []byte{14, 0, 1, 2, 3, 4, 0xC8, 0, 1, 2, 3, 4, 5, 6}},
	} {
		f, err := DecodeFrame(c.frame, c.dir, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		u, ok := f.Control.(*UnknownControl)
		if !ok || u.Channel() != f.Channel {
			t.Errorf("% X is %s", c.frame, wordsOf(f.Control))
		}
		if back, err := f.Append(nil, Dialect2026); err != nil || !bytes.Equal(back, c.frame) {
			t.Errorf("% X came back as % X, %v", c.frame, back, err)
		}
	}
}

// A client's frames, with key and sequence of the documents, are those that they print: protocol session 10.3, 10.8.
func TestAppendClientExamples(t *testing.T) {
	bodies := map[string]*Body{}
	for _, e := range sessionExamples {
		bodies[e.name] = e.want
	}
	for prefix, sequence := range map[string]uint16{"session-10.3-login-": 0x0126, "session-10.8-create-": 0x012C,
		"session-10.8-select-": 0x012E} {
		for _, g := range goldens(t) {
			if !strings.HasPrefix(g.name, prefix) || g.unknown > 0 {
				continue
			}
			got, err := AppendClient([]byte{1, 2}, bodies[g.name], Dialect2026, 0x421F, sequence)
			if err != nil || !bytes.Equal(got[2:], g.wire) {
				t.Errorf("%s: %v\n got % X\nwant % X", g.name, err, got, g.wire)
			}
		}
	}
}

// The frames of protocol session A1 ask the client to check these files; behind the NULs stands the old server's
// memory.
func TestFileChecks(t *testing.T) {
	want := []string{`effects\\ *.sef`, `landscape\\ *.xxx;*.txt`, `landscape_hr\\ *.xxx`, `landscape_ph\\ *.xxx`,
		`landscape_rd\\ *.xxx`, `mbc\\ *.mbc`, `models\\ *.mdl;*.mtr;*.txt`, `models_hr\\ *.mdl;*.mtr`,
		`models_ph\\ *.mdl;*.mtr`, `models_rd\\ *.mdl;*.mtr`, `params\\ *.cfg;*.mbd`, `params\\mazes\\ *.mbd`,
		`params\\rooms\\ *.mbd`, `params\\seeds\\ *.cfg`, `xupdate\\ Sphere.exe;SphereClient.exe`}
	for i, w := range want {
		g := goldenByName(t, fmt.Sprintf("session-A1-%d", i+1))
		f, err := DecodeFrame(g.frame, g.dir, Classic)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Body.Sections[0].Regions {
			c, _ := CommandOf(r)
			check, ok := c.(*FileCheck)
			if !ok {
				continue
			}
			folder, _, _ := bytes.Cut(check.Folder[:], []byte{0})
			mask, _, _ := bytes.Cut(check.Mask[:], []byte{0})
			if got := string(folder) + " " + string(mask); got != w {
				t.Errorf("%s asks for %s, documented %s", g.name, got, w)
			}
			w = ""
		}
		if w != "" {
			t.Errorf("%s asks for nothing, documented %s", g.name, w)
		}
	}
	// The fields before the check in the first one, protocol session 8.2.
	g := goldenByName(t, "session-A1-1")
	f, err := DecodeFrame(g.frame, g.dir, Classic)
	if err != nil {
		t.Fatal(err)
	}
	before := player(512, contMan(&ResetSlots{0}), contMan(&FillSlot{58, 52764, 0}),
		contMan(&FillSlot{59, 52767, 5000000}),
		&Craft32{Craft{4, 52767}}, contMan(&ClearSlot{59}), contMan(&FillSlot{20, 52768, 100}), manager(&Money{10}),
		manager(&FileCheckBegin{}))
	f.Body.Sections[0].Regions = f.Body.Sections[0].Regions[:8]
	if diff := cmp.Diff(before, f.Body, sameBody); diff != "" {
		t.Errorf("-documented +found\n%s", diff)
	}
}

// The article prints its inventory as two packets. They are a stream of 15 frames, cut anywhere; a stray $ is an
// artefact of the printing (protocol session 8.5).
func TestArticleInventory(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(goldenDir, "article-inventory.listing"))
	if err != nil {
		t.Fatal(err)
	}
	var stream []byte
	var writes []int
	for _, line := range regexp.MustCompile(`(?m)^[0-9A-F].*$`).FindAllString(string(text), -1) {
		data, err := hex.DecodeString(strings.NewReplacer("{cliendId}", "4F6F", "$", "").Replace(line))
		if err != nil {
			t.Fatal(err)
		}
		stream = append(stream, data...)
		writes = append(writes, len(data))
	}
	if !cmp.Equal(writes, []int{1412, 357}) {
		t.Fatalf("writes of %v bytes, documented 1412 and 357", writes)
	}
	first, second := ClassicEntry(0x4F6F)
	if !bytes.Equal(first, stream[:1412]) || !bytes.Equal(second, stream[1412:]) {
		t.Error("ClassicEntry differs from the article")
	}
	for n := 1; len(stream) > 0; n++ {
		frame, err := CutFrame(stream, FromServer)
		if err != nil || frame == nil {
			t.Fatalf("frame %d: %v", n, err)
		}
		if g := goldenByName(t, fmt.Sprintf("session-A1-%d", n)); !bytes.Equal(frame, g.frame) {
			t.Errorf("frame %d differs from %s", n, g.name)
		}
		stream = stream[len(frame):]
	}
}

// The table of protocol ingame 18.3: every object of the start dungeon with its place and the regions behind its
// spawn. A frame that is full goes on in the next one with the same object.
func TestStartDungeon(t *testing.T) {
	type object struct {
		x, y, z   float64
		angle     coords.Angle8
		placement Placement
		values    [4]int32
		extra     []Region
	}
	const nothing = 1e6 // x of an object in a container
	plain, person, item := [4]int32{100, 100}, [4]int32{5, 5}, [4]int32{100, 100, 1, -2}
	inside := []Region{contMan(&PutInto{0xFE9A})}
	tutorial := func(n uint8) []Region { return []Region{contMan(&TutorialNumber{n, 0})} }
	points := func(number uint8, at ...coords.Position) []Region {
		out := []Region{contMan(&ChestModel{number, 2})}
		for _, p := range at {
			out = append(out, contMan(&ChestPlace{p.X, p.Y, p.Z}), contMan(&ChestTurn{}))
		}
		return out
	}
	want := map[ObjectID]object{
		0x2C04: {nothing, 0, 0, 0, 2, plain, append(inside, contMan(&ResetSlots{0}))},
		0x2BFE: {-1100, 4500, 1900, 0, 0, plain, []Region{contMan(&LabyrinthMap{0x59D8})}},
		0x2C01: {-1132.114, 4501.026, 1935.873, 193, 0, plain, []Region{contMan(&ChestModel{2, 1}),
			contMan(&ChestPlace{-1132.1, 4501.0, 1935.9}), contMan(&ChestTurn{-1.544, -6.283, -6.283, 0})}},
		0x0B08: {-1105.039, 4501.647, 1898.266, 203, 1, person, []Region{tradeMan(&DisplayName{0x07DE293A}),
			contMan(&Subtype{0})}},
		0x0B09: {-1130.069, 4500.922, 1900.143, 0, 1, item, []Region{unbound()}},
		0x0B15: {-1128.805, 4501.581, 1932.269, 99, 0, person, []Region{tradeMan(&DisplayName{0x000203A9})}},
		0x0B16: {-1099.602, 4501.083, 1943.164, 0, 1, plain, []Region{unbound(), contMan(&TokenDestination{0x070B, 0x0100})}},
		0x2C06: {nothing, 0, 0, 0, 2, plain, append(inside, unbound())},
		0x2BFF: {-1100, 4500, 1900, 0, 0, plain, points(1, coords.Position{X: -3901.7, Y: 1101.0, Z: -3905.9},
			coords.Position{X: -3949.6, Y: 1101.7, Z: -3879.9}, coords.Position{X: -3894.0, Y: 1101.0, Z: -3856.8})},
		0x2C00: {-1100, 4500, 1900, 0, 0, plain, points(2, coords.Position{X: -3928.0, Y: 1101.0, Z: -3864.1})},
		0x0FB9: {-1100, 4500, 1900, 0, 0, plain, points(3, coords.Position{X: -3904.8, Y: 1101.7, Z: -3896.1})},
		0x0FBA: {-1099.591, 4501.434, 1947.873, 0, 0, plain, nil},
		0x2C0C: {-1099.381, 4499.497, 1899.929, 0, 0, plain, tutorial(1)},
		0x2C02: {-1126.527, 4498.948, 1900.014, 0, 0, plain, tutorial(2)},
		0x2C03: {-1144.918, 4500.340, 1904.765, 0, 0, plain, tutorial(3)},
		0x0FC2: {-1133.195, 4499.771, 1930.558, 0, 0, plain, tutorial(4)},
		0x0A65: {-1117.497, 4498.784, 1930.088, 0, 0, plain, tutorial(5)},
		0x2BFB: {-1099.824, 4499.053, 1933.018, 0, 0, plain, tutorial(6)},
		0x2BFA: {-1099.582, 4500.100, 1945.241, 0, 0, plain, tutorial(7)},
		0x0B7A: {nothing, 0, 0, 0, 2, plain, append(inside, contMan(&ResetSlots{1}), unbound())},
	}
	found := map[ObjectID]*object{}
	for _, g := range goldens(t) {
		if !strings.HasPrefix(g.name, "ingame-18.3-") {
			continue
		}
		f, err := DecodeFrame(g.frame, g.dir, Dialect2022)
		if err != nil {
			t.Fatal(err)
		}
		if f.Body.Clock != 15619 {
			t.Errorf("%s: clock %d, documented 15619", g.name, f.Body.Clock)
		}
		for _, s := range f.Body.Sections {
			for _, r := range s.Regions {
				switch m := r.(type) {
				case *SpawnSnapshot:
					found[s.Object] = &object{float64(m.X), float64(m.Y), float64(m.Z), m.Angle, m.Placement,
						[4]int32{m.A, m.B, m.C, m.D}, nil}
				case *PlayerCountSpawn, *TransformUpdate: // below
				default:
					found[s.Object].extra = append(found[s.Object].extra, r)
				}
			}
		}
	}
	// The table is rounded.
	near := cmp.Options{cmp.AllowUnexported(object{}),
		cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 0.0006 }),
		cmp.Comparer(func(a, b float32) bool { return math.Abs(float64(a)-float64(b)) < 0.051 })}
	for id, w := range want {
		if found[id] == nil {
			t.Errorf("%s is missing", id)
		} else if diff := cmp.Diff(w, *found[id], near); diff != "" {
			t.Errorf("%s: -documented +found\n%s", id, diff)
		}
	}
	if len(found) != len(want) {
		t.Errorf("%d objects, documented %d", len(found), len(want))
	}
}

// The article's clock of 15 s is addressed to the player: read as what it was meant to be, and only if nothing else
// follows.
func TestMisaddressedClock(t *testing.T) {
	g := goldenByName(t, "ingame-7.5-fifteen-seconds")
	got, err := AppendServer(nil, ClassicFifteenSeconds(0x4F6F), Classic)
	if err != nil || !bytes.Equal(got, g.frame) {
		t.Errorf("% X, %v, documented % X", got, err, g.frame)
	}
	f, err := DecodeFrame(g.frame, g.dir, Classic)
	if err != nil || f.Body.UnknownBits() != 0 {
		t.Errorf("%v, %d bits without a meaning", err, f.Body.UnknownBits())
	}
	g.frame[15] |= 0x80
	if f, err = DecodeFrame(g.frame, g.dir, Classic); err == nil || f.Body.UnknownBits() != 35 {
		t.Errorf("with more behind it: %v, %d bits without a meaning", err, f.Body.UnknownBits())
	}
}

// The teleport of the old servers ends with the beginning of one more region, protocol ingame 18.1.
func TestTeleportOfOldServers(t *testing.T) {
	for name, want := range map[string]*SetCoordinates{
		"session-10.11-teleport":      {-1098.695068359375, 4501.61474609375, 1900.054931640625, 1.57079637},
		"session-10.11-teleport-town": {2614, 157.8, 1293, 0.75},
	} {
		g := goldenByName(t, name)
		f, _ := DecodeFrame(g.frame, g.dir, Classic)
		c, _ := CommandOf(f.Body.Sections[0].Regions[0])
		if diff := cmp.Diff(Command(want), c); diff != "" {
			t.Errorf("%s: -documented +found\n%s", name, diff)
		}
		f.Body.Sections[0].Regions = f.Body.Sections[0].Regions[:1]
		short, err := AppendServer(nil, f.Body, Classic)
		if err != nil || len(short) != 30 || !bytes.Equal(short[2:29], g.frame[2:29]) {
			t.Errorf("%s: the form of 30 bytes is % X, %v", name, short, err)
		}
	}
}
