package w3gs

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"reflect"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// anyMessage draws a message of a kind with any values that can be sent.
func anyMessage(t *rapid.T, k *Kind) Message {
	m := k.New()
	fill(t, reflect.ValueOf(m).Elem())
	request := func(r *Request, kinds ...RequestKind) {
		if r.Kind = rapid.SampledFrom(kinds).Draw(t, "kind"); r.Kind.IsChat() {
			r.Value = 0
		} else {
			r.Scope, r.Text = 0, ""
		}
		if r.Kind != GameChat {
			r.Scope = 0
		}
	}
	all := []RequestKind{LobbyChat, ChangeTeam, ChangeColour, ChangeRace, ChangeHandicap, GameChat}
	switch m := m.(type) {
	case *Request:
		request(m, all...)
	case *PeerChat:
		request(&m.Request, all...)
	case *Chat:
		r := Request{Scope: m.Scope}
		request(&r, LobbyChat, GameChat)
		m.Kind, m.Scope = r.Kind, r.Scope
	case *Tick:
		m.Summed = m.Summed && len(m.Blocks) == 0
	case *MapRefused:
		if m.Bare {
			m.Sender, m.Receiver = 0, 0
		}
	case *MapData:
		if m.Data == nil {
			m.Data = []byte{7}
		}
	}
	return m
}

// fill draws a value of any type that messages are made of.
func fill(t *rapid.T, v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *[]PlayerID:
		for range rapid.IntRange(1, maxSlots).Draw(t, "players") {
			*p = append(*p, PlayerID(rapid.Uint8().Draw(t, "player")))
		}
		return
	case *Blocks:
		for range rapid.IntRange(0, 3).Draw(t, "blocks") {
			*p = p.Append(PlayerID(rapid.Uint8().Draw(t, "player")), rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "action"))
		}
		return
	case *[]Lagger:
		*p = make([]Lagger, rapid.IntRange(1, maxSlots).Draw(t, "laggers"))
		for i := range *p {
			fill(t, v.Index(i))
		}
		return
	case *SlotTable:
		p.Slots = make([]Slot, rapid.IntRange(1, maxSlots).Draw(t, "slots"))
		p.Short = uint8(rapid.IntRange(0, 2).Draw(t, "left out"))
		for i := range p.Slots {
			fill(t, reflect.ValueOf(&p.Slots[i]).Elem())
			if p.Short > 0 {
				p.Slots[i].Handicap = 0
			}
			if p.Short > 1 {
				p.Slots[i].Level = 0
			}
		}
		p.Seed, p.Layout, p.Starts = rapid.Uint32().Draw(t, "seed"), Layout(rapid.Uint8().Draw(t,
			"layout")), rapid.Uint8().Draw(t, "starts")
		return
	case *Stat:
		text := rapid.StringMatching(`[^\x00]{0,40}`)
		*p = Stat{Settings: Settings(rapid.Uint32().Draw(t, "settings")), Filler: uint8(rapid.IntRange(0, 2).Draw(t,
			"filler")),
			Width: rapid.Uint16().Draw(t, "width"), Height: rapid.Uint16().Draw(t, "height"),
			Check: rapid.Uint32().Draw(t, "check"),
			Path:  text.Draw(t, "path"), Host: text.Draw(t, "host"), NoSHA1: rapid.Bool().Draw(t, "no SHA-1")}
		if !p.NoSHA1 {
			copy(p.SHA1[:], rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "SHA-1"))
		}
		return
	case *netip.AddrPort:
		if rapid.Bool().Draw(t, "address") {
			*p = netip.AddrPortFrom(netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "octets"))),
				rapid.Uint16().Draw(t, "port"))
		}
		return
	case *[]byte:
		if *p = rapid.SliceOfN(rapid.Byte(), 0, 40).Draw(t, "bytes"); len(*p) == 0 {
			*p = nil
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i))
			if v.Type().Field(i).Name == "Extra" && v.Field(i).IsNil() {
				v.Field(i).SetBytes([]byte{})
			}
		}
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(rapid.Uint64Max(1<<v.Type().Bits()-1).Draw(t, "number"))
	case reflect.String:
		v.SetString(string(rapid.SliceOfN(rapid.ByteRange(1, 255), 1, MaxName).Draw(t, "text")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(t, "flag"))
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	default:
		t.Fatalf("no values of %s", v.Type())
	}
}

// allKinds are the kinds by opcode.
func allKinds() (all []*Kind) {
	for _, k := range kinds {
		if k != nil {
			all = append(all, k)
		}
	}
	return all
}

// All messages that can be sent are received as they were.
func TestMessagesSurvive(t *testing.T) {
	for _, k := range allKinds() {
		t.Run(k.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				m := anyMessage(t, k)
				packet, err := Append(nil, m)
				if err != nil {
					t.Fatalf("%+v: %v", m, err)
				}
				got, err := Decode(packet)
				if err != nil {
					t.Fatalf("%+v is sent as %x: %v", m, packet, err)
				}
				if diff := cmp.Diff(m, got, cmpAddress); diff != "" {
					t.Fatalf("%x: -sent +received\n%s", packet, diff)
				}
			})
		})
	}
}

// Protocol w3gs 12, check 2.
func TestEncodedBytesSurvive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := rapid.SliceOfN(rapid.Byte(), 36, 300).Draw(t, "plain")
		encoded := AppendEncoded(nil, plain)
		if len(encoded) != encodedLen(len(plain)) || bytes.IndexByte(encoded, 0) != len(encoded)-1 {
			t.Fatalf("%x is encoded as %x", plain, encoded)
		}
		back, err := AppendDecoded(nil, encoded[:len(encoded)-1])
		if err != nil || !bytes.Equal(back, plain) {
			t.Fatalf("%x is encoded as %x and comes back as %x, %v", plain, encoded, back, err)
		}
	})
}

// keeps fails unless a packet is refused, or encodes to the very bytes that it was.
func keeps(t *testing.T, packet []byte) {
	t.Helper()
	m, err := Decode(packet)
	if err != nil {
		var field *FieldError
		var header *HeaderError
		switch {
		case m != nil:
			t.Fatalf("%x: %v with %+v", packet, err, m)
		case errors.As(err, &field):
			if field.Offset < 0 || field.Offset > maxEncodedStat && field.Offset > len(packet) || field.Packet == "" {
				t.Fatalf("%x: %+v is nowhere in it", packet, field)
			}
		case !errors.As(err, &header):
			t.Fatalf("%x: %v (%T)", packet, err, err)
		}
		return
	}
	back, err := Append(nil, m)
	if err != nil || !bytes.Equal(back, packet) {
		t.Fatalf("%x\nreads as %+v\nwritten as %x, %v", packet, m, back, err)
	}
}

// sized sets the length field.
func sized(packet []byte) []byte {
	if len(packet) >= HeaderSize && len(packet) <= MaxPacket {
		packet[0], packet[2], packet[3] = Mark, byte(len(packet)), byte(len(packet)>>8)
	}
	return packet
}

// Each golden with each bit flipped, each byte cut or added: refused, or the same again.
func TestDamagedPackets(t *testing.T) {
	for _, g := range goldens() {
		packet := g.bytes(t)
		for i := range len(packet) * 8 {
			damaged := bytes.Clone(packet)
			damaged[i/8] ^= 1 << (i % 8)
			keeps(t, damaged)
		}
		for i := range len(packet) {
			keeps(t, packet[:i])
			keeps(t, sized(append(bytes.Clone(packet[:i]), packet[i+1:]...)))
			keeps(t, sized(append(append(bytes.Clone(packet[:i]), 0xFF), packet[i:]...)))
			keeps(t, sized(bytes.Clone(packet[:i])))
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, g := range goldens() {
		f.Add(g.bytes(f))
	}
	f.Fuzz(func(t *testing.T, packet []byte) {
		keeps(t, packet)
		keeps(t, sized(bytes.Clone(packet)))
	})
}

// A stream is cut into packets that follow each other without a gap, or refused where no packet can begin.
func FuzzCut(f *testing.F) {
	var stream []byte
	for _, g := range goldens() {
		stream = append(stream, g.bytes(f)...)
	}
	f.Add(stream)
	for _, n := range []byte{0, 1, 2, 3, 4, 255} {
		f.Add([]byte{Mark, 1, n, 0, Mark, 1, n, n, 7})
	}
	f.Fuzz(func(t *testing.T, stream []byte) {
		stream = stream[:len(stream):len(stream)]
		for at := 0; ; {
			packet, err := Cut(stream[at:], MaxFromClient)
			var bad *HeaderError
			if err != nil {
				if !errors.As(err, &bad) || packet != nil {
					t.Fatalf("at %d: %v with a packet of %d", at, err, len(packet))
				}
				return
			}
			if packet == nil {
				return
			}
			if &packet[0] != &stream[at] || cap(packet) != len(packet) || len(packet) < HeaderSize ||
				len(packet) > MaxFromClient {
				t.Fatalf("at %d: cut %d with room for %d", at, len(packet), cap(packet))
			}
			at += len(packet)
		}
	})
}

func FuzzEncodedStat(f *testing.F) {
	g := goldens()[2].value.(*GameInfo)
	f.Add(AppendEncoded(nil, []byte(g.Stat.Path)))
	f.Fuzz(func(t *testing.T, encoded []byte) {
		plain, err := AppendDecoded(nil, encoded)
		if err != nil {
			return
		}
		if back := AppendEncoded(nil, plain); !bytes.Equal(back[:len(back)-1], encoded) {
			t.Fatalf("%x stands for %x, which is encoded as %x", encoded, plain, back)
		}
	})
}

// allocated is how many bytes of memory f takes from the heap: the least of three times, as the first may fill a
// pool, and as the runtime's own work meanwhile is counted too.
func allocated(f func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// Memory is a function of the bytes received: every byte of every kind as large as can be, as counts are made of
// those.
func TestMemoryOfClaims(t *testing.T) {
	for _, k := range allKinds() {
		for n := k.Min; n <= min(k.Max, k.Min+64); n++ {
			for _, fillers := range []byte{0xFF, 24, 1, 0} {
				packet := sized(bytes.Repeat([]byte{fillers}, n))
				packet[1] = byte(k.Opcode)
				if got := allocated(func() { _, _ = Decode(packet) }); got > uint64(16*n+4096) {
					t.Errorf("%x takes %d bytes", packet, got)
				}
			}
		}
	}
}

// A host reads and writes the usual packets of a game without taking memory from the heap.
func TestPlayAllocatesNothing(t *testing.T) {
	var d Decoder
	var buffer []byte
	for _, g := range goldens() {
		switch m := g.value.(type) {
		case *Action, *TickDone, *Pong, *Tick, *TickPart, *MapTaken, *MapData, *Ping, *SlotUpdate, *WaitStarted:
			packet := g.bytes(t)
			work := func() {
				if _, err := d.Decode(packet); err != nil {
					t.Fatal(err)
				}
				var err error
				if buffer, err = Append(buffer[:0], m); err != nil {
					t.Fatal(err)
				}
			}
			work()
			if n := testing.AllocsPerRun(100, work); n > 0 {
				t.Errorf("%s: %v allocations", g.name, n)
			}
		}
	}
}

func BenchmarkTick(b *testing.B) {
	m := &Tick{Milliseconds: 100}
	for id := PlayerID(1); id <= 12; id++ {
		m.Blocks = m.Blocks.Append(id, make([]byte, 20))
	}
	var packet []byte
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			packet, _ = Append(packet[:0], m)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		var d Decoder
		for b.Loop() {
			if _, err := d.Decode(packet); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkGameInfo(b *testing.B) {
	m := goldens()[2].value
	var packet []byte
	b.Run("append", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			packet, _ = Append(packet[:0], m)
		}
	})
	b.Run("decode", func(b *testing.B) {
		b.ReportAllocs()
		var d Decoder
		for b.Loop() {
			if _, err := d.Decode(packet); err != nil {
				b.Fatal(err)
			}
		}
	})
}
