package bot

import (
	"bytes"
	"encoding/json"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/world/rules"
)

func drawPlace(t *rapid.T) coords.Position {
	axis := func(name string, lo, hi float32) float32 { return rapid.Float32Range(lo, hi).Draw(t, name) }
	return coords.Position{X: axis("x", coords.MinX, coords.MaxX), Y: axis("y", coords.MinY, coords.MaxY),
		Z:   axis("z", coords.MinX, coords.MaxX),
		Yaw: axis("yaw", -10, 10)}
}

// The short way to read an answer gives the server's values, and takes nothing else for an answer.
func TestPongsAreRecognised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := packets.Ping{Origin: drawPlace(t).Origin(), Player: packets.ObjectID(rapid.Uint16().Draw(t, "id"))}
		clock := rapid.Uint16Max(packets.MaxClock).Draw(t, "clock")
		frame := packets.AppendPong(nil, p, clock)
		origin, c, id, ok := readPong(frame)
		if !ok || origin != p.Origin || c != clock || id != p.Player {
			t.Fatalf("%v %d %v %v", origin, c, id, ok)
		}
		bit := rapid.IntRange(16, len(frame)*8-1).Draw(t, "bit") // behind the length, which cutting has checked
		frame[bit/8] ^= 1 << (bit % 8)
		inside := bit > bodyBit && bit < bodyBit+1+45+clockBits+objectBits // origin, clock and id may be anything
		if _, _, _, ok := readPong(frame); ok != inside {
			t.Fatalf("bit %d turned: %v", bit, ok)
		}
	})
}

func TestStreamCutsFramesWhereverReadsEnd(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all, want []byte
		n := rapid.IntRange(1, 20).Draw(t, "frames")
		for range n {
			size := rapid.SampledFrom([]int{4, 18, 108, 331, 1023, 1024, 1025, 5000, 65535}).Draw(t, "size")
			frame := bytes.Repeat([]byte{byte(len(all))}, size)
			frame[0], frame[1] = byte(size), byte(size>>8)
			all = append(all, frame...)
		}
		var s stream
		for rest := all; len(rest) > 0; {
			k := min(rapid.IntRange(1, 3000).Draw(t, "read"), len(rest))
			space := s.space()
			k = copy(space, rest[:k])
			s.got(k)
			rest = rest[k:]
			for {
				frame, err := s.next()
				if err != nil {
					t.Fatal(err)
				}
				if frame == nil {
					break
				}
				want = append(want, frame...)
			}
		}
		if !bytes.Equal(all, want) || s.left() != 0 {
			t.Fatalf("%d bytes in, %d out, %d left", len(all), len(want), s.left())
		}
		if s.space(); len(s.buf) != streamBytes {
			t.Fatalf("keeps a buffer of %d bytes", len(s.buf))
		}
	})
}

// Every name of a swarm is one that a server accepts for a character, and no two are alike.
func TestSwarmNames(t *testing.T) {
	seen := map[string]bool{}
	for i := range 20000 {
		name := SwarmName("Bot", i)
		if err := rules.CheckName(name); err != nil {
			t.Fatal(err)
		}
		if key := rules.NameKey(name); seen[key] {
			t.Fatalf("%q is there already", name)
		} else {
			seen[key] = true
		}
	}
	for i, want := range map[int]string{0: "a", 25: "z", 26: "aa", 27: "ab", 701: "zz", 702: "aaa"} {
		if got := SwarmName("", i); got != want {
			t.Errorf("name %d is %q, expected %q", i, got, want)
		}
	}
	for _, o := range []SwarmOptions{{}, {Count: 1, Prefix: "Bot1"}, {Count: 1, Prefix: "Бот"},
		{Count: 100, Prefix: strings.Repeat("x", 18)},
		{Count: 1, Slot: 3}} {
		if o.Check() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if err := (SwarmOptions{Count: 26, Prefix: strings.Repeat("x", 18)}).Check(); err != nil {
		t.Error(err)
	}
}

// A walker keeps its speed, faces where it goes and stays near its home.
func TestWalkerWalks(t *testing.T) {
	const speed = 4.0
	home := coords.Position{X: 100, Y: 150, Z: -100}
	w := walker{rand: rand.New(rand.NewPCG(1, 2))}
	now := time.Unix(1000, 0)
	w.settle(home, now)
	at, moved := home, 0
	for range 3000 {
		now = now.Add(500 * time.Millisecond)
		w.roam(at, now)
		next := w.move(at, speed, now)
		if d := at.Distance(next); d > speed*0.5+0.01 {
			t.Fatalf("%.2f m in half a second", d)
		} else if d > 0.5 {
			moved++
			if want := heading(next.X-at.X, next.Z-at.Z); math.Abs(float64(want-next.Yaw)) > 0.5 && w.following() {
				t.Fatalf("faces %.2f, goes to %.2f", next.Yaw, want)
			}
		}
		if d := next.Distance(home); d > roamRadius+0.01 || next.Y != home.Y {
			t.Fatalf("%.1f m away from home", d)
		}
		at = next
	}
	if moved < 1000 {
		t.Errorf("moved in %d of 3000 steps", moved)
	}
	for _, c := range []struct {
		dx, dz float32
		want   float64
	}{{0, 1, 0}, {1, 0, math.Pi / 2}, {0, -1, math.Pi}, {-1, 0, 3 * math.Pi / 2}} {
		if got := float64(heading(c.dx, c.dz)); math.Abs(got-c.want) > 1e-6 {
			t.Errorf("toward (%v, %v) is %v, expected %v", c.dx, c.dz, got, c.want)
		}
	}
}

func TestTableAndSummary(t *testing.T) {
	var h measure.Histogram
	h.Record(3 * time.Millisecond)
	f := &Figures{Elapsed: 65 * time.Second, Wanted: 10, Started: 9, Connected: 8, InWorld: 7, Entries: 7, Peak: 7,
		Counts: Counts{counts: counts[uint64]{Pings: 650, Pongs: 649, FramesIn: 100, BytesIn: 3 << 20, FramesOut: 99,
			BytesOut: 2048}}, Answers: new(measure.Distribution), Disconnects: map[string]int{"no link in the world": 2},
		Violations: []Violation{{UnknownObject, 3, []string{"Bota: 0x1234"}}}}
	h.AddTo(f.Answers)

	var line strings.Builder
	NewTable(&line, false, nil).Show(f)
	if want := "1:05  connected 8  in world 7  pings/s 10  answers p50 3.00 ms p99 3.00 ms max 3.00 ms  disconnects 2  findings 3\n"; line.String() != want {
		t.Errorf("line %q\nexpected %q", line.String(), want)
	}

	var drawn strings.Builder
	table := NewTable(&drawn, true, nil)
	table.Show(f)
	first := drawn.Len()
	table.Show(f)
	if again := drawn.String()[first:]; !strings.HasPrefix(again,
		"\x1b[7A1:05  9 of 10 started, 8 connected, 7 in the world\x1b[K\n") {
		t.Errorf("drawn again as %q", again)
	}
	table.Finish(f)

	summary := Summary(f, nil)
	for _, want := range []string{"1:05  9 clients, 7 entries", "650, answered 649, 10 /s", "3.0 MiB", "2.0 KiB",
		"no link in the world × 2",
		"unknown object × 3\n      Bota: 0x1234\n"} {
		if !strings.Contains(summary, want) {
			t.Errorf("the summary does not say %q:\n%s", want, summary)
		}
	}
	var out map[string]any
	text, err := json.Marshal(f)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	if out["clean"] != false || out["in_world"] != 7.0 || out["answers"].(map[string]any)["max_ms"] != 3.0 {
		t.Errorf("JSON %s", text)
	}
	if f.Clean() || (&Figures{}).Clean() || !(&Figures{Entries: 1}).Clean() {
		t.Error("clean is not what it should be")
	}
}

// Every count of a tally comes into the figures, and is added up.
func TestFiguresHaveEveryCount(t *testing.T) {
	var tally Tally
	for i, n := range tally.all() {
		n.Store(uint64(i + 1))
	}
	f := &Figures{Answers: new(measure.Distribution)}
	f.add(&tally)
	f.add(&tally)
	for i, n := range f.all() {
		if want := 2 * uint64(i+1); *n != want {
			t.Errorf("count %d is %d, expected %d", i, *n, want)
		}
	}
	if f.Pings != 2 || f.Prey != 2*uint64(len(f.all())) {
		t.Errorf("%d pings first, %d levels of prey last of %d", f.Pings, f.Prey, len(f.all()))
	}
}

// Nothing is left behind by the frames that come all the time.
func TestCommonFramesLeaveNoGarbage(t *testing.T) {
	c := New(nil, Options{})
	c.state, c.Index = stateInWorld, 0x5A21
	c.Objects[0x3000] = &Object{ID: 0x3000, Class: packets.ClassMonster}
	at := coords.Position{X: 10, Y: 20, Z: 30}
	origin, update := packets.MoveTo(at)
	b := &packets.Body{HasOrigin: true, Origin: origin, Sections: []packets.Section{{Object: 0x3000,
		Class: packets.ClassMonster, Regions: []packets.Region{update}}}}
	moved, err := packets.AppendServer(nil, b, packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	pong := packets.AppendPong(nil, packets.Ping{Origin: origin, Player: c.ID()}, 0)
	keepalive := []byte{4, 0, 0xF4, 1}
	now := time.Now()
	allocs := testing.AllocsPerRun(100, func() {
		c.pings.add(origin, now)
		c.clock.known = false
		c.receive(pong)
		c.receive(keepalive)
		c.receive(moved)
	})
	if allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
	if len(c.violations) > 0 || c.Objects[0x3000].Position.Distance(at) > 0.03 {
		t.Errorf("%v, %v", c.violations, c.Objects[0x3000])
	}
}

func BenchmarkAnswer(b *testing.B) {
	c := New(nil, Options{})
	c.state, c.Index = stateInWorld, 0x5A21
	pong := packets.AppendPong(nil, packets.Ping{Player: c.ID()}, 0)
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		c.pings.add(coords.Origin{}, now)
		c.clock.known = false
		c.receive(pong)
	}
}
