package packets

import (
	"reflect"
	"testing"
)

// Encoding into a slice with room allocates nothing, for any message: the body of every golden frame.
func TestEncodingAllocatesNothing(t *testing.T) {
	dst := make([]byte, 0, 2048)
	for _, g := range goldens(t) {
		d := g.only[0]
		f, err := DecodeFrame(g.frame, g.dir, d)
		if err != nil || f.Body == nil {
			continue
		}
		if n := testing.AllocsPerRun(50, func() {
			if _, err := AppendServer(dst, f.Body, d); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: AppendServer allocates %v times", g.name, n)
		}
		if n := testing.AllocsPerRun(50, func() {
			if _, err := AppendClient(dst, f.Body, d, 0x421F, 7); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: AppendClient allocates %v times", g.name, n)
		}
	}
}

// The server's work for every position message allocates nothing either.
func TestPingsAllocateNothing(t *testing.T) {
	stream := append(goldenByName(t, "ingame-7.1-position").wire, 0)
	u := NewDeobfuscator(PlayerIndexOf(hero))
	dst := make([]byte, 0, 64)
	var classic ClassicPong
	if n := testing.AllocsPerRun(50, func() {
		frame, _ := CutFrame(stream, FromClient)
		plain, _ := u.Plain(frame)
		p, ok := ReadPing(plain)
		if !ok {
			t.Fatal("no position message")
		}
		dst = AppendPong(dst[:0], p, 5)
		dst = classic.Append(dst[:0], plain, p.Player)
	}); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestKeepalivesAllocateNothing(t *testing.T) {
	dst := make([]byte, 0, 64)
	for _, c := range []Control{&Keepalive{}, &Greeting{GreetingNumber, GreetingKey}} {
		if n := testing.AllocsPerRun(50, func() {
			if _, err := AppendControl(dst, c, FromServer, 0, 0); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%s: %v allocations", c.Channel(), n)
		}
	}
}

// The frame with which a character enters is read into the same frame again without allocations, and one with fewer slots
// leaves nothing of the one before.
func TestEnteringIsReadAgain(t *testing.T) {
	full, short := enteringStrannik(), enteringBob()
	short.Occupied, short.Weights = []uint16{1, 0}, []uint32{7}
	wire := func(s WorldSnapshot) []byte {
		frame, err := AppendServer(nil, entering(s), Dialect2026)
		if err != nil {
			t.Fatal(err)
		}
		return frame
	}
	var again Frame
	read := func(frame []byte) {
		if err := again.Decode(frame, FromServer, Dialect2026); err != nil {
			t.Fatal(err)
		}
	}
	frames := [][]byte{wire(full), wire(short)}
	read(frames[0])
	if n := testing.AllocsPerRun(50, func() { read(frames[0]) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	read(frames[1])
	if got := again.Body.Sections[0].Regions[0]; !reflect.DeepEqual(got, &short) {
		t.Errorf("read %+v, want %+v", got, &short)
	}
}

// clientFrame is a plain frame of a client with messages about an item.
func clientFrame(t *testing.T, about ...Region) []byte {
	f := Frame{Direction: FromClient, Channel: ChannelGameplay, Body: Message(5, 3, ClassStartSword, about...)}
	frame, err := f.Append(nil, Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	return frame
}

// A command that is read into one of its type leaves nothing of that, and no two regions share a command.
func TestCommandsAreReadAgain(t *testing.T) {
	var again Frame
	for _, want := range [][]Command{
		{&UseOn{Player: 1, Target: 2}, &Use{Player: 3}},
		{&UseOn{Player: 4, Target: 5}, &UseOn{Player: 6, Target: 7}},
		{&UseOnMore{Player: 4, Target: 5, Rest: []byte{1, 2}}, &UseOn{Player: 8, Target: 9}},
		{&Use{Player: 1}, &UseOnMore{Player: 6, Target: 7, Rest: []byte{3}}},
		{&Use{Player: 2}, &UseOnMore{Player: 8, Target: 9, Rest: []byte{4, 5}}},
		{&UseOn{Player: 10, Target: 11}, &Use{Player: 12}},
	} {
		frame := clientFrame(t, &ContMan{want[0]}, &ContMan{want[1]})
		if err := again.Decode(frame, FromClient, Dialect2026); err != nil {
			t.Fatal(err)
		}
		for i, r := range again.Body.Sections[0].Regions {
			if c, _ := CommandOf(r); !reflect.DeepEqual(c, want[i]) {
				t.Errorf("read %+v, want %+v", c, want[i])
			}
		}
	}
}
