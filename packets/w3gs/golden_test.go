package w3gs

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A golden is a packet with its meaning.
type golden struct {
	name  string
	hex   string
	value Message
	// constructed from a description: no such packet was recorded or checked.
	constructed bool
}

func (g golden) bytes(t testing.TB) []byte {
	t.Helper()
	b, err := hex.DecodeString(g.hex)
	if err != nil {
		t.Fatalf("%s: %v", g.name, err)
	}
	return b
}

// address is an address of the kind that documents use.
var address = netip.MustParseAddrPort("192.0.2.10:6112")

const (
	plainTiny = "020800000040004000efbeadde4d6170735c546573745c28322954696e792e77" +
		"337800486f737400000000000000000000000000000000000000000000"
	encodedTiny = "0103090101014101a94101efbfaddf4dcb6171735d556573a1755d2933295569" +
		"356f792f773379010d496f737501010101010101010101010101010101010101" +
		"01010101010100"
)

var tiny = Stat{Settings: UsualSettings, Width: 64, Height: 64, Check: 0xDEADBEEF, Path: `Maps\Test\(2)Tiny.w3x`,
	Host: "Host"}

// threeSlots are those of the documents: a player; open; an insane computer.
func threeSlots() SlotTable {
	return SlotTable{Slots: []Slot{
		{Player: 1, Download: 100, State: SlotTaken, Race: Random | RaceSelectable, Level: NormalComputer, Handicap: 100},
		{Download: UnknownDownload, Team: 1, Colour: 1, Race: Random | RaceSelectable, Level: NormalComputer, Handicap: 100},
		{Download: 100, State: SlotTaken, Computer: 1, Team: 1, Colour: 2, Race: Orc | RaceSelectable, Level: InsaneComputer,
			Handicap: 80},
	}, Seed: 0x01020304, Layout: 0, Starts: 2}
}

var (
	fourBytes  = []byte{1, 2, 3, 4}
	shortTable = SlotTable{Slots: []Slot{{Player: 1, Download: 100, State: SlotTaken, Race: Human}}, Seed: 1, Starts: 1,
		Short: 2}
)

// goldens are the packets of protocol w3gs 10, and, marked so, some of kinds and forms that it has none of.
func goldens() []golden {
	action := []byte{0x10, 0x42, 0, 0x03, 0, 0x0d, 0}
	return []golden{
		{name: "search any game", hex: "f72f1000505833571a00000000000000", value: &Search{FrozenThrone, 26, 0}},
		{name: "search game 7", hex: "f72f1000505833571a00000007000000", value: &Search{FrozenThrone, 26, 7}},
		{name: "game information", hex: "f7307c00505833571a00000001000000cdab341266616b652067616d650000" + encodedTiny +
			"040000000100000001000000040000003d000000e117",
			value: &GameInfo{FrozenThrone, 26, 1, 0x1234ABCD, "fake game", tiny, 4, CustomGame, 1, 4, 61, 6113}},
		{name: "game created", hex: "f7311000505833571a00000001000000", value: &GameCreated{FrozenThrone, 26, 1}},
		{name: "game refreshed, 2 of 4", hex: "f7321000010000000200000004000000", value: &GameRefreshed{1, 2, 4}},
		{name: "game cancelled", hex: "f733080001000000", value: &GameCancelled{1}},
		{name: "ping", hex: "f701080045230100", value: &Ping{0x12345}},
		{name: "pong", hex: "f746080045230100", value: &Pong{0x12345}},
		{name: "join, one extra byte",
			hex: "f71e2b0001000000cdab341200e017010000004772756e74000100020017e0c000020a0000000000000000",
			value: &Join{Game: 1, EntryKey: 0x1234ABCD, Port: 6112, Counter: 1, Name: "Grunt", Extra: []byte{0},
				Address: address}},
		{name: "join, two extra bytes",
			hex: "f71e2c0001000000cdab341200e017010000004772756e7400020000020017e0c000020a0000000000000000",
			value: &Join{Game: 1, EntryKey: 0x1234ABCD, Port: 6112, Counter: 1, Name: "Grunt", Extra: []byte{0, 0},
				Address: address}},
		{name: "welcome, three slots",
			hex: "f704390022000301640200000060016400ff0000010160016400640201010242025004030201000202020017e0c000020a000000" +
				"0000000000",
			value: &Welcome{threeSlots(), 2, address}},
		{name: "join refused, full", hex: "f705080009000000", value: &JoinRefused{RefusedFull}},
		{name: "player, no addresses",
			hex:   "f706310002000000024772756e740001000000000000000000000000000000000000000000000000000000000000000000",
			value: &Player{Counter: UsualCounter, Player: 2, Name: "Grunt", Extra: []byte{0}}},
		{name: "player left the lobby", hex: "f7070900020d000000", value: &PlayerLeft{2, LeftLobby}},
		{name: "player has loaded", hex: "f708050002", value: &PlayerLoaded{2}},
		{name: "slots", hex: "f709280022000301640200000060016400ff00000101600164006402010102420250040302010002",
			value: &SlotUpdate{threeSlots()}},
		{name: "countdown started", hex: "f70a0400", value: &CountdownStarted{}},
		{name: "countdown ended", hex: "f70b0400", value: &CountdownEnded{}},
		{name: "empty tick", hex: "f70c06006400", value: &Tick{Milliseconds: 100}},
		{name: "empty tick with CRC", hex: "f70c080064000000", value: &Tick{Milliseconds: 100, Summed: true},
			constructed: true},
		{name: "tick", hex: "f70c12006400883302070010420003000d00", value: &Tick{Milliseconds: 100,
			Blocks: Blocks(nil).Append(2, action)}},
		{name: "part of a tick", hex: "f74812000000883302070010420003000d00", value: &TickPart{Blocks(nil).Append(2,
			action)}},
		{name: "action", hex: "f7260f007439391f10420003000d00", value: &Action{action}},
		{name: "tick done", hex: "f727090000d4c3b2a1", value: &TickDone{0, 0xA1B2C3D4}},
		{name: "lobby chat to 1 and 2", hex: "f70f0f00020102021068656c6c6f00",
			value: &Chat{Receivers: []PlayerID{1, 2}, Sender: 2, Kind: LobbyChat, Text: "hello"}},
		{name: "game chat to an ally", hex: "f70f1200010102200100000068656c6c6f00",
			value: &Chat{Receivers: []PlayerID{1}, Sender: 2, Kind: GameChat, Scope: ToAllies, Text: "hello"}},
		{name: "request of lobby chat", hex: "f7280f00020102021068656c6c6f00",
			value: &Request{Receivers: []PlayerID{1, 2}, Sender: 2, Kind: LobbyChat, Text: "hello"}},
		{name: "request of game chat", hex: "f728130002010202200000000068656c6c6f00",
			value: &Request{Receivers: []PlayerID{1, 2}, Sender: 2, Kind: GameChat, Scope: ToAll, Text: "hello"}},
		{name: "request of team 1", hex: "f72809000101021101", value: change(ChangeTeam, 1)},
		{name: "request of colour 5", hex: "f72809000101021205", value: change(ChangeColour, 5)},
		{name: "request of race orc", hex: "f72809000101021302", value: change(ChangeRace, uint8(Orc))},
		{name: "request of handicap 80", hex: "f72809000101021450", value: change(ChangeHandicap, 80)},
		{name: "waiting screen on", hex: "f7100a000102fa000000", value: &WaitStarted{[]Lagger{{2, 250}}}},
		{name: "waiting screen off", hex: "f711090002fa000000", value: &WaitEnded{Lagger{2, 250}}},
		{name: "game over", hex: "f714050002", value: &GameOver{2}},
		{name: "leave accepted", hex: "f71b0400", value: &LeaveAccepted{}},
		{name: "kicked from the lobby", hex: "f71c08000d000000", value: &Kicked{LeftLobby}},
		{name: "leave the lobby", hex: "f72108000d000000", value: &Leave{LeftLobby}},
		{name: "I have loaded", hex: "f7230400", value: &Loaded{}},
		{name: "vote to drop", hex: "f7290400", value: &DropVote{}},
		{name: "map check", hex: "f73d3e00010000004d6170735c546573745c28322954696e792e7733780000100000bebafecaefbeadde" +
			"abababababababababababababababababababab",
			value: &MapCheck{`Maps\Test\(2)Tiny.w3x`, 4096, 0xCAFEBABE, 0xDEADBEEF, [20]byte(bytes.Repeat([]byte{0xAB}, 20))}},
		{name: "start map download", hex: "f73f09000100000001", value: &MapStart{1}},
		{name: "map complete", hex: "f7420d00010000000100100000", value: &MapState{MapHave, 4096}},
		{name: "no map", hex: "f7420d00010000000100000000", value: &MapState{MapHave, 0}},
		{name: "map progress 1442", hex: "f7420d000100000003a2050000", value: &MapState{MapDownloading, 1442}},
		{name: "map data", hex: "f74322000201010000000000000033f0c46830313233343536373839616263646566",
			value: &MapData{2, 1, 0, []byte("0123456789abcdef")}},
		{name: "map data taken", hex: "f7440e0001020100000010000000", value: &MapTaken{1, 2, 16}},
		{name: "map data refused", hex: "f7450a00010201000000", value: &MapRefused{1, 2, false}},
		{name: "map data refused, bare", hex: "f7450400", value: &MapRefused{Bare: true}},

		{name: "slots of an old version", hex: "f70914000e000101640200000001010000000001", value: &SlotUpdate{shortTable},
			constructed: true},
		{name: "map question", hex: "f73e080001020304", value: &MapQuestion{fourBytes}, constructed: true},
		{name: "check value notice", hex: "f70d1000010000000402000000020102", value: &CheckNotice{1, 4, 2, []PlayerID{1, 2}},
			constructed: true},
		{name: "desync notice", hex: "f70e080001020304", value: &DesyncNotice{fourBytes}, constructed: true},
		{name: "chat between clients", hex: "f7340f00020102021068656c6c6f00",
			value:       &PeerChat{Request{Receivers: []PlayerID{1, 2}, Sender: 2, Kind: LobbyChat, Text: "hello"}},
			constructed: true},
		{name: "ping between clients", hex: "f7351000010000000600000010270000", value: &PeerPing{1, 6, 10000},
			constructed: true},
		{name: "pong between clients", hex: "f736080001000000", value: &PeerPong{1}, constructed: true},
		{name: "hello between clients", hex: "f737120001000000cdab341202ff06000000", value: &PeerHello{1, 0x1234ABCD, 2, 255,
			6}, constructed: true},
		{name: "connected clients", hex: "f73b06000600", value: &PeerSet{6}, constructed: true},
		{name: "extension", hex: "f7590d00030400000001020304", value: &Extension{3, fourBytes}, constructed: true},
		{name: "unknown", hex: "f777080001020304", value: &Unknown{0x77, fourBytes}, constructed: true},
	}
}

func change(kind RequestKind, value uint8) *Request {
	return &Request{Receivers: []PlayerID{1}, Sender: 2, Kind: kind, Value: value}
}

var cmpAddress = cmp.Comparer(func(a, b netip.AddrPort) bool { return a == b })

// Every golden packet decodes to its values, and they encode to its bytes.
func TestGolden(t *testing.T) {
	var kept Decoder
	for _, g := range goldens() {
		t.Run(g.name, func(t *testing.T) {
			packet := g.bytes(t)
			got, err := Decode(packet)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(g.value, got, cmpAddress); diff != "" {
				t.Errorf("-expected +decoded\n%s", diff)
			}
			again, err := kept.Decode(packet)
			if diff := cmp.Diff(g.value, again, cmpAddress); err != nil || diff != "" {
				t.Errorf("a decoder says otherwise: %v\n%s", err, diff)
			}
			for _, m := range []Message{g.value, got, again} {
				out, err := Append([]byte("before"), m)
				if want := append([]byte("before"), packet...); err != nil || !bytes.Equal(out, want) {
					t.Errorf("encoded %x, %v,\nexpected %x", out, err, want)
				}
			}
		})
	}
}

// A kind without an example would be an invention; and where the document prints bytes, none is constructed.
func TestEveryKindHasAGolden(t *testing.T) {
	seen := map[Opcode]bool{}
	printed := map[Opcode]bool{}
	sub := map[string]bool{}
	for _, g := range goldens() {
		o := OpcodeOf(g.value)
		seen[o] = true
		printed[o] = printed[o] || !g.constructed
		switch m := g.value.(type) {
		case *Request:
			sub[fmt.Sprintf("request 0x%02X", m.Kind)] = true
		case *Chat:
			sub[fmt.Sprintf("chat 0x%02X", m.Kind)] = true
		case *MapState:
			sub["map state "+string('0'+rune(m.Kind))] = true
		}
	}
	for _, k := range allKinds() {
		if !seen[k.Opcode] {
			t.Errorf("no golden of %s", k.Opcode)
		}
	}
	// Packets without bytes in protocol w3gs 10, and the kinds of which there are several.
	for _, o := range []Opcode{0x0D, 0x0E, 0x34, 0x35, 0x36, 0x37, 0x3B, 0x3E, 0x59, 0x77} {
		if printed[o] {
			t.Errorf("%s is not printed in the document", o)
		}
		delete(printed, o)
	}
	for o, ok := range printed {
		if !ok {
			t.Errorf("%s is printed in the document and only constructed here", o)
		}
	}
	for _, name := range []string{"request 0x10", "request 0x11", "request 0x12", "request 0x13", "request 0x14",
		"request 0x20", "chat 0x10", "chat 0x20", "map state 1", "map state 3"} {
		if !sub[name] {
			t.Errorf("no golden of %s", name)
		}
	}
}

// The table of protocol w3gs 4 and 2: opcode, way, length, phases.
func TestKindsAreAsDocumented(t *testing.T) {
	const lobby, loading, game = Lobby, Loading, Playing
	type row struct {
		o      Opcode
		way    Way
		lo, hi int
		phase  Phase
	}
	rows := []row{
		{0x2F, Searching, 16, 16, 0}, {0x30, Announcing, 62, 588, 0}, {0x31, Announcing, 16, 16, 0},
		{0x32, Announcing, 16, 16, 0},
		{0x33, Announcing, 8, 8, 0},
		{0x01, ToClient, 8, 8, lobby | loading | game}, {0x04, ToClient, 30 + 7, 30 + 9*24, lobby},
		{0x05, ToClient, 8, 8, lobby},
		{0x06, ToClient, 44, 44 + 15 + 255, lobby}, {0x07, ToClient, 9, 9, lobby | loading | game},
		{0x08, ToClient, 5, 5, loading},
		{0x09, ToClient, 13 + 7, 13 + 9*24, lobby}, {0x0A, ToClient, 4, 4, lobby}, {0x0B, ToClient, 4, 4, lobby},
		{0x0C, ToClient, 6, 65535, game}, {0x0D, ToClient, 14, 14 + 24, game}, {0x0E, ToClient, 4, 65535, game},
		{0x0F, ToClient, 10, 286, lobby | game}, {0x10, ToClient, 5, 5 + 5*24, loading | game},
		{0x11, ToClient, 9, 9, loading | game},
		{0x14, ToClient, 5, 5, game}, {0x1B, ToClient, 4, 4, lobby | loading | game},
		{0x1C, ToClient, 8, 8, lobby | loading | game},
		{0x1E, ToHost, 37, 128, lobby}, {0x21, ToHost, 8, 8, lobby | loading | game}, {0x23, ToHost, 4, 4, loading},
		{0x26, ToHost, 8, 8 + 1024, game}, {0x27, ToHost, 9, 9, game}, {0x28, ToHost, 8, 286, lobby | game},
		{0x29, ToHost, 4, 4, game},
		{0x34, Between, 8, 286, lobby | game}, {0x35, Between, 16, 16, lobby | loading | game},
		{0x36, Between, 8, 8, lobby | loading | game},
		{0x37, Between, 18, 18, lobby}, {0x3B, ToHost, 6, 6, lobby | loading | game}, {0x3D, ToClient, 42, 41 + 255, lobby},
		{0x3E, ToHost | Between, 4, 65535, lobby}, {0x3F, ToClient | ToHost | Between, 9, 9, lobby},
		{0x42, ToHost, 13, 13, lobby},
		{0x43, ToClient | Between, 19, 1460, lobby}, {0x44, ToHost | Between, 14, 14, lobby},
		{0x45, ToHost | Between, 4, 10, lobby},
		{0x46, ToHost, 8, 8, lobby | loading | game}, {0x48, ToClient, 8, 65535, game},
		{0x59, ToHost | ToClient, 9, 65535, lobby | loading | game},
	}
	documented := map[Opcode]bool{}
	for _, r := range rows {
		documented[r.o] = true
		k := KindOf(r.o)
		if k == nil {
			t.Errorf("%s is not registered", r.o)
			continue
		}
		if got := (row{k.Opcode, k.Way, k.Min, k.Max, k.Phase}); got != r {
			t.Errorf("%s: registered %+v, documented %+v", r.o, got, r)
		}
	}
	for _, k := range allKinds() {
		if !documented[k.Opcode] {
			t.Errorf("%s is registered and not documented", k.Opcode)
		}
		if m := k.New(); OpcodeOf(m) != k.Opcode {
			t.Errorf("%s makes a %T", k.Opcode, m)
		}
	}
}
