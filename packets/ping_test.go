package packets

import (
	"bytes"
	"fmt"
	"testing"

	"sphereserver/coords"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// positionOf is the place of the documented position message.
func positionOf(testing.TB) coords.Position {
	return coords.Position{X: 669, Y: 4602, Z: 931, Yaw: 0.00048828125}
}

// Protocol ingame 7.1 and 7.2: the sample, and its answer at four clocks.
func TestPingAndItsAnswer(t *testing.T) {
	g := goldenByName(t, "ingame-7.1-position")
	p, ok := ReadPing(g.frame)
	want := Ping{coords.Origin{X: 669, Y: 4602, Z: 931}, 19776, hero, positionOf(t)}
	if !ok || p != want {
		t.Fatalf("%+v, %v, documented %+v", p, ok, want)
	}
	for _, clock := range []uint16{0, 512, 2472, 2478} {
		want := goldenByName(t, fmt.Sprintf("ingame-7.2-clock-%d", clock)).frame
		if got := AppendPong(nil, p, clock); !bytes.Equal(got, want) {
			t.Errorf("clock %d: % X, documented % X", clock, got, want)
		}
		if got := AppendPong(nil, p, clock+MaxClock+1); !bytes.Equal(got, want) {
			t.Errorf("clock %d after a turn: % X, documented % X", clock, got, want)
		}
	}
}

// The article's own answers, with their counter.
func TestClassicPong(t *testing.T) {
	g := goldenByName(t, "ingame-7.1-position")
	var c ClassicPong
	for n := 1; n <= 4; n++ {
		want := goldenByName(t, fmt.Sprintf("ingame-7.2-article-%d", n)).frame
		if got := c.Append([]byte{1}, g.frame, hero); !bytes.Equal(got[1:], want) {
			t.Errorf("answer %d: % X, documented % X", n, got, want)
		}
	}
}

// For any player the article's answer keeps his id: only the clock is changed, also where the counter turns over.
func TestClassicPongKeepsThePlayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := ObjectID(rapid.Uint16().Draw(t, "id"))
		at := anywhere(t)
		ping, err := (&Frame{Direction: FromClient, Channel: ChannelGameplay,
			Body: PingBody(id, rapid.Uint16Range(0, MaxClock).Draw(t, "clock"), at)}).Append(nil, Classic)
		if err != nil {
			t.Fatal(err)
		}
		c := ClassicPong{counter: rapid.Uint16Range(0, 0x1FFF).Draw(t, "counter")}
		for range 3 {
			f, err := DecodeFrame(c.Append(nil, ping, id), FromServer, Classic)
			if err != nil {
				t.Fatal(err)
			}
			want := moving(f.Body.Clock, at.Origin(), section(id, ClassPlayer, &PositionStream{}))
			if diff := cmp.Diff(want, f.Body, sameBody); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

// anywhere draws a place in the world.
func anywhere(t *rapid.T) coords.Position {
	return coords.Position{
		X:   rapid.Float32Range(-32768, 32767).Draw(t, "x"),
		Y:   rapid.Float32Range(-1200, 6991).Draw(t, "y"),
		Z:   rapid.Float32Range(-32768, 32767).Draw(t, "z"),
		Yaw: rapid.Float32Range(-10, 10).Draw(t, "yaw"),
	}
}

// The short ways and the grammar agree: ReadPing reads the same as DecodeFrame, and its answer is the grammar's.
func TestPingIsTheGrammar(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := anywhere(t)
		want := Ping{at.Origin(), rapid.Uint16Range(0, MaxClock).Draw(t, "clock"),
			ObjectID(rapid.Uint32Range(0, 1<<18-1).Draw(t, "player")), at}
		frame, err := (&Frame{Direction: FromClient, Channel: ChannelGameplay,
			Body: PingBody(want.Player, want.Clock, at)}).Append(nil, Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := ReadPing(frame); !ok || got != want {
			t.Fatalf("% X: %+v, %v, want %+v", frame, got, ok, want)
		}
		f, err := DecodeFrame(frame, FromClient, Dialect2026)
		if err != nil || f.Body.Sections[0].Regions[0].(*PositionStream).Position() != at {
			t.Fatalf("%v, %v", words(f), err)
		}
		clock := rapid.Uint16Range(0, MaxClock).Draw(t, "server clock")
		grammar, err := AppendServer(nil, moving(clock, want.Origin, section(want.Player, ClassPlayer, &PositionStream{})),
			Dialect2026)
		if got := AppendPong(nil, want, clock); err != nil || !bytes.Equal(got, grammar) {
			t.Fatalf("% X, the grammar says % X, %v", got, grammar, err)
		}
	})
}

// Nothing else is a position message, not even a frame of the same length: protocol ingame 7.1.
func TestReadPingRefuses(t *testing.T) {
	for _, g := range goldens(t) {
		if _, ok := ReadPing(g.frame); ok != (g.name == "ingame-7.1-position") {
			t.Errorf("%s: %v", g.name, ok)
		}
	}
	sample := goldenByName(t, "ingame-7.1-position").frame
	for name, change := range map[string]func([]byte) []byte{
		"without a place":    func(b []byte) []byte { b[9] &^= 1; return b },
		"another channel":    func(b []byte) []byte { b[6] = 0xF4; return b },
		"another class":      func(b []byte) []byte { b[19] ^= 1; return b },
		"another region":     func(b []byte) []byte { b[20] ^= 0x20; return b },
		"another count":      func(b []byte) []byte { b[21] ^= 4; return b },
		"one byte more":      func(b []byte) []byte { return append(b, 0) },
		"one byte less":      func(b []byte) []byte { return b[:37] },
		"nothing":            func([]byte) []byte { return nil },
		"obfuscated":         func(b []byte) []byte { return obfuscated(b) },
		"a swap of 38 bytes": func([]byte) []byte { return swapFrame() },
	} {
		if p, ok := ReadPing(change(bytes.Clone(sample))); ok {
			t.Errorf("%s: read as %+v", name, p)
		}
	}
}

func swapFrame() []byte {
	f := Frame{Direction: FromClient, Channel: ChannelGameplay, Body: player(1, manager(&SwapItems{1, 2, 26, 27,
		0xFFFFFFFF}))}
	out, err := f.Append(nil, Dialect2026)
	if err != nil || len(out) != 38 {
		panic(fmt.Sprint(len(out), err))
	}
	return out
}
