package packets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// cutAll takes frames off a stream that arrives in the given pieces, as a receiver does, and returns them with the
// rest.
func cutAll(dir Direction, pieces ...[]byte) (frames [][]byte, buffer []byte, err error) {
	for _, p := range pieces {
		buffer = append(buffer, p...)
		for {
			frame, err := CutFrame(buffer, dir)
			if err != nil {
				return frames, buffer, err
			}
			if frame == nil {
				break
			}
			frames = append(frames, bytes.Clone(frame))
			buffer = buffer[len(frame):]
		}
	}
	return frames, buffer, nil
}

// A stream of frames comes out as the same frames however it is split: in two at every place, byte by byte, at once.
func TestCutFrameInAnyPieces(t *testing.T) {
	for dir, names := range map[Direction][]string{
		FromClient: {"session-10.3-login-1", "session-10.2-keepalive", "ingame-7.1-position", "session-10.8-select-0"},
		FromServer: {"session-4.2-greeting", "ingame-V1", "session-6.5-empty-slot", "ingame-V6", "ingame-7.2-answer"},
	} {
		var want [][]byte
		for _, name := range names {
			want = append(want, goldenByName(t, name).frame)
		}
		stream := bytes.Join(want, nil)
		check := func(pieces ...[]byte) {
			t.Helper()
			got, left, err := cutAll(dir, pieces...)
			if err != nil || len(left) > 0 || !slices.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("%s: cut into % X, left % X, %v", dir, got, left, err)
			}
		}
		for at := range stream {
			check(stream[:at], stream[at:])
		}
		var single [][]byte
		for i := range stream {
			single = append(single, stream[i:i+1])
		}
		check(single...)
	}
}

func TestCutFrameInRandomPieces(t *testing.T) {
	all := goldens(t)
	rapid.Check(t, func(t *rapid.T) {
		dir := rapid.SampledFrom([]Direction{FromServer, FromClient}).Draw(t, "direction")
		var want, pieces [][]byte
		for range rapid.IntRange(1, 8).Draw(t, "frames") {
			if g := rapid.SampledFrom(all).Draw(t, "frame"); g.dir == dir {
				want = append(want, g.frame)
			}
		}
		for rest := bytes.Join(want, nil); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "piece")
			pieces = append(pieces, rest[:n])
			rest = rest[n:]
		}
		got, left, err := cutAll(dir, pieces...)
		if err != nil || len(left) > 0 || !slices.EqualFunc(got, want, bytes.Equal) {
			t.Fatalf("cut into % X, left % X, %v", got, left, err)
		}
	})
}

// Protocol session 1.2: fewer than 4 bytes, or 8 from a client, are no frame; the most is the field's own limit, or
// for clients ours.
func TestCutFrameLengths(t *testing.T) {
	for _, c := range []struct {
		length         int
		server, client bool
	}{
		{0, false, false}, {1, false, false}, {2, false, false}, {3, false, false}, {4, true, false}, {7, true, false},
		{8, true, true}, {4096, true, true}, {4097, true, false}, {0xFFFF, true, false},
	} {
		for dir, ok := range map[Direction]bool{FromServer: c.server, FromClient: c.client} {
			stream := make([]byte, c.length+3)
			binary.LittleEndian.PutUint16(stream, uint16(c.length))
			frame, err := CutFrame(stream, dir)
			var bad *LengthError
			if ok != (err == nil) || !ok && (!errors.As(err, &bad) || bad.Length != c.length || bad.Error() == "") {
				t.Errorf("%s of %d bytes: %v", dir, c.length, err)
			}
			if ok && (len(frame) != c.length || cap(frame) != c.length || &frame[0] != &stream[0]) {
				t.Errorf("%s of %d bytes: cut %d with room for %d", dir, c.length, len(frame), cap(frame))
			}
			// The length alone decides; the rest may come later.
			if frame, err := CutFrame(stream[:2:2], dir); frame != nil || ok != (err == nil) {
				t.Errorf("%s of %d bytes, of which 2 are there: %v, %v", dir, c.length, frame, err)
			}
		}
	}
	for n := range 2 {
		if frame, err := CutFrame(make([]byte, n), FromServer); frame != nil || err != nil {
			t.Errorf("%d bytes: %v, %v", n, frame, err)
		}
	}
}

// A frame must have as many bytes as it says.
func TestDecodeFrameWithAnotherLength(t *testing.T) {
	g := goldenByName(t, "ingame-V3")
	for name, frame := range map[string][]byte{"empty": nil, "one byte": {7}, "short": g.frame[:13],
		"long": append(bytes.Clone(g.frame), 0), "of no body": {4, 0, 0x2C, 1}, "of half a header": {6, 0, 0x2C, 1, 0, 0}} {
		if f, err := DecodeFrame(frame, FromServer, Dialect2026); err == nil || f != nil {
			t.Errorf("%s: read as %v", name, f)
		}
	}
	if f, err := DecodeFrame([]byte{8, 0, 0, 0, 1, 1, 0x2C, 1}, FromClient, Dialect2026); err == nil || f != nil {
		t.Errorf("client frame without a body: read as %v", f)
	}
}

// A frame that would be too long is refused, and the bytes before it in the slice are kept.
func TestAppendTooLong(t *testing.T) {
	long := player(0)
	for range 300 {
		long.Sections[0].Regions = append(long.Sections[0].Regions, &SetStat{StatHP, 1 << 20})
	}
	before := []byte("before")
	for name, out := range map[string]func() ([]byte, error){
		"AppendServer": func() ([]byte, error) { return AppendServer(before, longer(long, 40), Dialect2026) },
		"AppendClient": func() ([]byte, error) { return AppendClient(before, longer(long, 3), Dialect2026, 0, 0) },
		"Append": func() ([]byte, error) {
			return (&Frame{Direction: FromClient, Channel: ChannelGameplay, Body: longer(long, 3)}).Append(before, Dialect2026)
		},
	} {
		if got, err := out(); err == nil || !bytes.Equal(got, before) {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

// The greatest lengths themselves are allowed.
func TestAppendOfTheGreatestLength(t *testing.T) {
	for dir, length := range map[Direction]int{FromClient: MaxClientFrame, FromServer: MaxServerFrame} {
		head := map[Direction]int{FromClient: clientHeader, FromServer: serverHeader}[dir]
		for _, n := range []int{length, length + 1} {
			bits := (n-head)*8 - 53
			b := Message(1, hero, 500, &UnknownRegion{Number: 30, Data: Bits{bits, make([]byte, (bits+7)/8)}})
			frame, err := (&Frame{Direction: dir, Channel: ChannelGameplay, Body: b}).Append(nil, Dialect2026)
			if (n == length) != (err == nil) || err == nil && len(frame) != length {
				t.Errorf("%s of %d bytes: %d, %v", dir, n, len(frame), err)
			}
		}
	}
}

// longer repeats the sections of a body.
func longer(b *Body, times int) *Body {
	out := &Body{}
	for range times {
		out.Sections = append(out.Sections, b.Sections...)
	}
	return out
}

// A body that cannot be written leaves the slice as it was.
func TestAppendRefuses(t *testing.T) {
	before := []byte("before")
	for name, b := range map[string]*Body{
		"clock":                 player(MaxClock + 1),
		"object":                Message(0, 1<<18, ClassPlayer),
		"class":                 Message(0, hero, 1<<12),
		"no command":            player(0, &Manager{}),
		"command of another":    player(0, manager(&FillSlot{})),
		"nothing for a command": player(0, &ContMan{&ReleaseUse{}}),
		"varint":                player(0, stat(StatHP, -1<<31)),
		"unknown number":        player(0, contMan(&UnknownCommand{Number: 16})),
	} {
		if got, err := AppendServer(before, b, Dialect2026); err == nil || !bytes.Equal(got, before) {
			t.Errorf("%s: % X, %v", name, got, err)
		}
		if got, err := AppendClient(before, b, Dialect2026, 0, 0); err == nil || !bytes.Equal(got, before) {
			t.Errorf("%s from a client: % X, %v", name, got, err)
		}
	}
}

// Frames are appended behind the bytes that are there, in the same memory when there is room.
func TestAppendUsesTheSlice(t *testing.T) {
	g := goldenByName(t, "ingame-V3")
	dst := make([]byte, 3, 100)
	got, err := AppendServer(dst, player(0, stat(StatHP, 104)), Dialect2026)
	if err != nil || !bytes.Equal(got[3:], g.frame) || &got[0] != &dst[0] {
		t.Errorf("% X, %v", got, err)
	}
	got, err = AppendControl(dst, &Keepalive{}, FromServer, 0, 0)
	if err != nil || !bytes.Equal(got[3:], []byte{4, 0, 0xF4, 1}) || &got[0] != &dst[0] {
		t.Errorf("% X, %v", got, err)
	}
}

func TestChannelNames(t *testing.T) {
	for c, want := range map[Channel]string{ChannelGameplay: "gameplay", ChannelKeepalive: "keepalive", 5: "channel 5"} {
		if c.String() != want {
			t.Errorf("%d is %q", uint16(c), c)
		}
	}
}

// A body may be encoded by several goroutines at once: encoding only reads it. The race detector is the judge.
func TestEncodingOnlyReads(t *testing.T) {
	for _, g := range goldens(t) {
		f, err := DecodeFrame(g.frame, g.dir, g.only[0])
		if err != nil || f.Body == nil {
			continue
		}
		done := make(chan []byte)
		for range 2 {
			go func() {
				out, _ := f.Append(nil, g.only[0])
				done <- out
			}()
		}
		if first, second := <-done, <-done; !bytes.Equal(first, second) {
			t.Errorf("%s: % X and % X", g.name, first, second)
		}
	}
}
