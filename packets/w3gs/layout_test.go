package w3gs

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// layouts are the packets with fields that do not depend on each other, as protocol w3gs has them, written down a
// second time: a number is so many bytes of a number, =N one of that many bytes with a known value, t a text, a an
// address, xN bytes of an array. A word behind a colon is the field.
var layouts = map[Opcode]string{
	0x2F: "4:Product 4:Version 4:Game",
	0x31: "4:Product 4:Version 4:Game",
	0x32: "4:Game 4:Players 4:Seats",
	0x33: "4:Game",
	0x01: "4:Clock",
	0x46: "4:Clock",
	0x05: "4:Reason",
	0x06: "4:Counter 1:Player t:Name =1:1 =1:0 a:Outside a:Inside",
	0x07: "1:Player 4:Reason",
	0x08: "1:Player",
	0x11: "1:Player 4:Milliseconds",
	0x14: "1:Player",
	0x1C: "4:Reason",
	0x1E: "4:Game 4:EntryKey =1:0 2:Port 4:Counter t:Name =1:1 =1:0 a:Address",
	0x21: "4:Reason",
	0x27: "1:Unknown 4:Check",
	0x3B: "2:Connected",
	0x3D: "=4:1 t:Path 4:Size 4:CRC 4:Check x20:SHA1",
	0x3F: "=4:1 1:Player",
	0x42: "=4:1 1:Kind 4:Size",
	0x44: "1:Sender 1:Receiver =4:1 4:Size",
	0x45: "1:Sender 1:Receiver =4:1",
	0x35: "4:Value 4:Connected 4:GameTime",
	0x36: "4:Value",
	0x37: "4:Counter 4:EntryKey 1:Player 1:Filler 4:Connected",
}

// Bytes that another hand has written down read as the fields that it names, and are written as the same bytes.
func TestLayouts(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for o, layout := range layouts {
		for range 20 {
			packet := []byte{Mark, byte(o), 0, 0}
			want := map[string]any{}
			for _, word := range strings.Fields(layout) {
				kind, name, _ := strings.Cut(word, ":")
				n, _ := strconv.Atoi(strings.Trim(kind, "=x"))
				switch kind[0] {
				case '=':
					v, _ := strconv.Atoi(name)
					packet = append(packet, binary.LittleEndian.AppendUint32(nil, uint32(v))[:n]...)
				case 't':
					text := "text"[:1+random.IntN(4)]
					packet = append(append(packet, text...), 0)
					want[name] = text
				case 'a':
					a := []byte{2, 0, 0x17, 0xE0, 192, 0, 2, byte(random.IntN(256)), 0, 0, 0, 0, 0, 0, 0, 0}
					packet = append(packet, a...)
					want[name] = a[4:8]
				case 'x':
					b := make([]byte, n)
					for i := range b {
						b[i] = byte(random.Uint32())
					}
					packet = append(packet, b...)
					want[name] = b
				default:
					v := random.Uint32()
					if n < 4 {
						v &= 1<<(8*n) - 1
					}
					packet = append(packet, binary.LittleEndian.AppendUint32(nil, v)[:n]...)
					want[name] = uint64(v)
				}
			}
			sized(packet)
			m, err := Decode(packet)
			if err != nil {
				t.Fatalf("%s: %x: %v", o, packet, err)
			}
			fields := reflect.ValueOf(m).Elem()
			for name, v := range want {
				f := fields.FieldByName(name)
				var ok bool
				switch v := v.(type) {
				case uint64:
					ok = f.Uint() == v
				case string:
					ok = f.String() == v
				case []byte:
					if f.Kind() == reflect.Array {
						ok = bytes.Equal(f.Slice(0, f.Len()).Bytes(), v)
					} else {
						ip := f.MethodByName("Addr").Call(nil)[0].MethodByName("AsSlice").Call(nil)[0].Bytes()
						ok = bytes.Equal(ip, v) && f.MethodByName("Port").Call(nil)[0].Uint() == 6112
					}
				}
				if !ok {
					t.Errorf("%s: %s of %x is %v, expected %v", o, name, packet, f, v)
				}
			}
			if out, err := Append(nil, m); err != nil || !bytes.Equal(out, packet) {
				t.Errorf("%s: %x is written as %x, %v", o, packet, out, err)
			}
		}
	}
}

// slotRecord is a record in which every byte differs from the others.
func slotRecord(b byte) []byte {
	return []byte{b, b + 1, b + 2, b + 3, b + 4, b + 5, b + 6, b + 7, b + 8}
}

// Protocol w3gs 4.2: records of 7, 8 and 9 bytes, told apart by the length of the block.
func TestSlotBlocks(t *testing.T) {
	for _, size := range []int{7, 8, 9} {
		for n := 1; n <= 24; n++ {
			packet := []byte{Mark, 0x09, 0, 0, byte(7 + size*n), byte((7 + size*n) >> 8), byte(n)}
			for i := range n {
				packet = append(packet, slotRecord(byte(10 * i))[:size]...)
			}
			packet = sized(append(packet, 1, 2, 3, 4, 3, byte(n)))
			m, err := Decode(packet)
			if err != nil {
				t.Fatalf("%d slots of %d bytes: %v", n, size, err)
			}
			table := m.(*SlotUpdate)
			if len(table.Slots) != n || table.Seed != 0x04030201 || table.Layout != EverythingFixed || int(table.Starts) != n {
				t.Errorf("%d slots of %d bytes: %+v", n, size, table)
			}
			last, b := table.Slots[n-1], byte(10*(n-1))
			want := Slot{PlayerID(b), b + 1, SlotState(b + 2), b + 3, b + 4, b + 5, Race(b + 6), 0, 0}
			if size > 7 {
				want.Level = ComputerLevel(b + 7)
			}
			if size > 8 {
				want.Handicap = b + 8
			}
			if last != want {
				t.Errorf("%d slots of %d bytes: the last is %+v, expected %+v", n, size, last, want)
			}
			if out, err := Append(nil, table); err != nil || !bytes.Equal(out, packet) {
				t.Errorf("%x is written as %x, %v", packet, out, err)
			}
		}
	}
}

// Blocks are read in their order and each with its data, up to the length of a packet.
func TestBlocks(t *testing.T) {
	var blocks Blocks
	var want []byte
	for i := range 200 {
		data := bytes.Repeat([]byte{byte(i)}, i%37)
		blocks = blocks.Append(PlayerID(i%12+1), data)
		want = append(append(want, byte(i%12+1)), data...)
	}
	packet, err := Append(nil, &Tick{Milliseconds: 250, Blocks: blocks})
	if err != nil {
		t.Fatal(err)
	}
	m, err := Decode(packet)
	if err != nil {
		t.Fatal(err)
	}
	var got []byte
	for id, data := range m.(*Tick).Blocks.All() {
		got = append(append(got, byte(id)), data...)
		if cap(data) != len(data) {
			t.Fatal("the data of a block can be appended to")
		}
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes came, %d were sent", len(got), len(want))
	}
	for range m.(*Tick).Blocks.All() {
		break // one may stop early
	}
	for range (Blocks{1, 5, 0, 1}).All() {
		t.Error("a block that is not whole was given")
	}
	if n := BlockLen(900); n != 903 {
		t.Errorf("a block of 900 bytes takes %d", n)
	}
	if _, err := Append(nil, &Tick{Blocks: make(Blocks, MaxPacket)}); err == nil {
		t.Error("a tick longer than a packet was written")
	}
}

// encodedLen is how long n bytes are encoded, with the NUL at the end.
func encodedLen(n int) int { return n + (n+6)/7 + 1 }

// Protocol w3gs 3.2, the length formula and the meaning of the first bytes.
func TestEncodingByHand(t *testing.T) {
	for _, v := range []struct{ plain, encoded []byte }{
		{nil, []byte{0}},
		{[]byte{0}, []byte{0x01, 0x01, 0}},
		{[]byte{1}, []byte{0x03, 0x01, 0}},
		{[]byte{2, 3, 0xFF, 0xFE}, []byte{0x01 | 1<<2 | 1<<3, 3, 3, 0xFF, 0xFF, 0}},
		{[]byte{1, 1, 1, 1, 1, 1, 1, 0}, []byte{0xFF, 1, 1, 1, 1, 1, 1, 1, 0x01, 1, 0}},
	} {
		got := AppendEncoded(nil, v.plain)
		if !bytes.Equal(got, v.encoded) || len(got) != encodedLen(len(v.plain)) {
			t.Errorf("%x is encoded as %x, expected %x", v.plain, got, v.encoded)
		}
		back, err := AppendDecoded([]byte("before"), v.encoded[:len(v.encoded)-1])
		if err != nil || string(back) != "before"+string(v.plain) {
			t.Errorf("%x is decoded as %x, %v", v.encoded, back, err)
		}
	}
	if got := encodedLen(61); got != 71 {
		t.Errorf("61 bytes are encoded as %d", got)
	}
}

// The result of Decode is the packet's own and stays, that of a Decoder is used again.
func TestDecodersKeepTheirMessages(t *testing.T) {
	one, two := []byte{Mark, 0x01, 8, 0, 1, 0, 0, 0}, []byte{Mark, 0x01, 8, 0, 2, 0, 0, 0}
	a, _ := Decode(one)
	b, _ := Decode(two)
	if a == b || a.(*Ping).Clock != 1 {
		t.Error("Decode uses a message again")
	}
	var d Decoder
	a, _ = d.Decode(one)
	b, _ = d.Decode(two)
	if a != b || a.(*Ping).Clock != 2 {
		t.Error("a Decoder makes a new message")
	}
	// Nothing of the packet before shows through.
	for _, order := range [][]Message{
		{&Chat{Receivers: []PlayerID{1, 2, 3}, Kind: GameChat, Scope: 7, Text: "x"}, &Chat{Receivers: []PlayerID{1},
			Kind: LobbyChat, Text: "y"}},
		{&Request{Kind: ChangeRace, Value: 5}, &Request{Kind: LobbyChat, Text: "y"}, &Request{Kind: ChangeTeam}},
		{&Tick{Blocks: Blocks{1, 0, 0}}, &Tick{}, &Tick{Summed: true}, &Tick{Milliseconds: 1}},
		{&MapRefused{Sender: 1, Receiver: 2}, &MapRefused{Bare: true}, &MapRefused{}},
		{&WaitStarted{[]Lagger{{1, 2}, {3, 4}}}, &WaitStarted{[]Lagger{{5, 6}}}},
		{&SlotUpdate{SlotTable{Slots: make([]Slot, 12), Starts: 9}}, &SlotUpdate{SlotTable{Slots: make([]Slot, 1),
			Short: 2}}},
		{&GameInfo{Name: "x", Stat: Stat{SHA1: [20]byte{1}}}, &GameInfo{Name: "x", Stat: Stat{NoSHA1: true}}},
	} {
		for _, m := range order {
			packet, err := Append(nil, m)
			if err != nil {
				t.Fatalf("%+v: %v", m, err)
			}
			got, err := d.Decode(packet)
			if err != nil {
				t.Fatal(err)
			}
			if again, err := Append(nil, got); err != nil || !bytes.Equal(again, packet) {
				t.Errorf("%+v was read as %+v", m, got)
			}
		}
	}
}
