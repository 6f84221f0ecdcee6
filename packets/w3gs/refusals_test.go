package w3gs

import (
	"encoding/hex"
	"errors"
	"net/netip"
	"strings"
	"testing"
)

// A packet that cannot be read is refused with a sentence that names the place.
func TestRefusedPackets(t *testing.T) {
	for _, v := range []struct{ hex, text string }{
		{"", "packet: byte 0: expected a header of 4 bytes, found 0"},
		{"ff01080000000000", "byte 0: expected the mark 0xF7, found 0xFF"},
		{"f70108", "byte 3: expected a header of 4 bytes, found 3"},
		{"f7010900" + "00000000", "ping (0x01): byte 2: expected the packet's length 8, found 9"},
		{"f7010700" + "000000", "ping (0x01): byte 2: expected a length of 8, found 7"},
		{"f71e0500" + "00", "join (0x1E): byte 2: expected a length of 37 to 128, found 5"},
		{"f75a0300", "unknown packet (0x5A): byte 2: expected the packet's length 4, found 3"},
		{"f70f0a000002107a7a00", "chat (0x0F): byte 4: expected a list of players of 1 to 24, found 0"},
		{"f70f0a00010102107a7a", "chat (0x0F): byte 8: text has no end"},
		{"f70f0a00010102107a00", ""},
		{"f70f0a00010102100000", "chat (0x0F): byte 8: expected a text of 1 to 254, found 0"},
		{"f70f0b00010102107a0000", "chat (0x0F): byte 10: expected the end, 1 bytes are left"},
		{"f70f0a00010102117a00", "chat (0x0F): byte 7: expected lobby chat 0x10 or game chat 0x20, found 0x11"},
		{"f70f0a00ff0102107a00", "chat (0x0F): byte 4: expected a list of players of 1 to 24, found 255"},
		{"f70f0a00090102107a00", "chat (0x0F): byte 5: expected 9 bytes, 5 are left"},
		{"f72809000101021550",
			"chat or slot change (0x28): byte 7: expected chat 0x10 or 0x20 or a change 0x11 to 0x14, found 0x15"},
		{"f7260f007539391f10420003000d00",
			"action (0x26): byte 4: wrong checksum: expected 0x1F393974 for 7 bytes, found 0x1F393975"},
		{"f70c12006400893302070010420003000d00",
			"tick (0x0C): byte 6: wrong checksum: expected 0x3388 for 10 bytes, found 0x3389"},
		{"f70c0700640000", "tick (0x0C): byte 6: expected 2 bytes, 1 are left"},
		{"f748080001000000", "part of a tick (0x48): byte 4: expected 0, found 1"},
		{"f73f09000200000001", "start map download (0x3F): byte 4: expected 1, found 2"},
		{"f70905000c", "slots (0x09): byte 2: expected a length of 20 to 229, found 5"},
		{"f7091400" + "110001" + "01640200000001" + "010000000001",
			"slots (0x09): byte 4: expected a block of 1 slots of 7 to 9 bytes each, found a length of 17"},
		{"f7091400" + "0f0003" + "01640200000001" + "010000000001", "slots (0x09): byte 4: expected a block of 3 slots"},
		{"f7091400" + "0e0000" + "01640200000001" + "010000000001", "expected a number of slots of 1 to 24, found 0"},
		{"f710050019", "waiting screen on (0x10): byte 4: expected a list of players of 0 to 24, found 25"},
		{"f710050002", "byte 5: expected 2 players of 5 bytes, 0 are left"},
		{"f7450600" + "0102", "map data refused (0x45): byte 6: expected 4 bytes, 0 are left"},
		{"f7590d00030500000001020304", "extension (0x59): byte 13: expected 5 bytes, found 4"},
		{"f71e2b0001000000cdab341200e017010000004772756e74000100030017e0c000020a0000000000000000",
			"join (0x1E): byte 27: expected an address of family 2 or none, found family 3"},
		{"f71e2b0001000000cdab341200e017010000004772756e74000100020017e0c000020a0000010000000000",
			"join (0x1E): byte 37: expected 0 in an address of family 2, found 1"},
		{"f71e2b0001000000cdab341200e017010000004772756e74000100000017e0c000020a0000000000000000",
			"join (0x1E): byte 29: expected 0 in an address of family 0, found 23"},
	} {
		packet, err := hex.DecodeString(v.hex)
		if err != nil {
			t.Fatal(err)
		}
		m, err := Decode(packet)
		if v.text == "" {
			if err != nil {
				t.Errorf("%s: %v", v.hex, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), v.text) {
			t.Errorf("%s: expected %q, found %v with %+v", v.hex, v.text, err, m)
		}
		if strings.Contains(v.text, "checksum") != errors.Is(err, ErrChecksum) {
			t.Errorf("%s: %v is or is not a checksum", v.hex, err)
		}
	}
}

func TestRefusedStatStrings(t *testing.T) {
	good := goldens()[2].bytes(t)
	at := strings.Index(goldens()[2].hex, encodedTiny) / 2
	for _, v := range []struct {
		text   string
		change func(packet []byte)
	}{
		{"encoded stat string, byte 9: expected an odd byte, found 0x02", func(p []byte) { p[at+9] = 2 }},
		{"encoded stat string, byte 8: expected an odd byte, found 0xA8", func(p []byte) { p[at+8] = 0xA8 }},
		{"encoded stat string, byte 64: expected marks for 5 bytes, found 0x81", func(p []byte) { p[at+64] = 0x81 }},
		{"stat string, byte 4: expected 0 to 2, found 4", func(p []byte) { p[at+5] = 5 }},
		{"byte 31: expected a stat string of 16 to 512, found 3", func(p []byte) { p[at+3] = 0 }},
	} {
		packet := append([]byte(nil), good...)
		v.change(packet)
		if _, err := Decode(packet); err == nil || !strings.Contains(err.Error(), "game information (0x30): "+v.text) {
			t.Errorf("expected %q, found %v", v.text, err)
		}
	}
	// The last two fields are the host's name, its NUL included, and the SHA-1: without these the text ends early.
	if _, err := AppendDecoded(nil, []byte{1}); err == nil {
		t.Error("expected that a control byte alone is refused")
	}
}

// A message that cannot be sent is refused before a byte of it is, and dst stays as it was.
func TestRefusedMessages(t *testing.T) {
	long := strings.Repeat("x", 300)
	for _, v := range []struct {
		text string
		m    Message
	}{
		{"byte 6: expected a number of slots of 1 to 24, found 0", &SlotUpdate{}},
		{"found 25", &SlotUpdate{SlotTable{Slots: make([]Slot, 25)}}},
		{"expected at most 2 fields left out, found 3", &SlotUpdate{SlotTable{Slots: make([]Slot, 1), Short: 3}}},
		{"expected a text of 1 to 15, found 16", &Player{Name: long[:16]}},
		{`text "a\x00b" has a NUL inside`, &Player{Name: "a\x00b"}},
		{"expected a text of 1 to 31, found 300", &GameInfo{Name: long}},
		{"expected a stat string of at most 512 bytes, found", &GameInfo{Name: "x", Stat: Stat{Path: long, Host: long}}},
		{"expected a text of 0 to 448, found 600", &GameInfo{Name: "x", Stat: Stat{Path: long + long}}},
		{"expected 0 to 2, found 3", &GameInfo{Name: "x", Stat: Stat{Filler: 3}}},
		{"expected an IPv4 address, found [::1]:1", &Join{Address: netip.MustParseAddrPort("[::1]:1")}},
		{"expected a length of at most 128, found", &Join{Name: long[:120]}},
		{"expected data of 0 to 1024, found 1025", &Action{make([]byte, 1025)}},
		{"expected data of 1 to 1442, found 0", &MapData{}},
		{"expected a block of at least 3 bytes, 1 are left", &Tick{Blocks: Blocks{1}}},
		{"expected a block of at most 0 bytes, found 9", &TickPart{Blocks: Blocks{1, 9, 0}}},
		{"expected no blocks with Summed", &Tick{Summed: true, Blocks: Blocks{1, 0, 0}}},
		{"expected a list of players of 0 to 24, found 25", &WaitStarted{make([]Lagger, 25)}},
		{"expected a list of players of 0 to 24, found 255", &Request{Receivers: make([]PlayerID, 300), Kind: ChangeTeam}},
		{"expected a text of 1 to 127, found 300", &Chat{Receivers: make([]PlayerID, 1), Kind: GameChat, Text: long}},
		{"found 0x00", &Request{}},
		{"expected data of 0 to 65531, found 65536", &Unknown{Code: 0x77, Body: make([]byte, 65536)}},
	} {
		dst, err := Append([]byte("before"), v.m)
		if err == nil || !strings.Contains(err.Error(), v.text) || string(dst) != "before" {
			t.Errorf("%T: expected %q, found %v with %q", v.m, v.text, err, dst)
		}
	}
}

// A stream gives packets one by one, or shows that it is none.
func TestCut(t *testing.T) {
	for _, v := range []struct {
		hex    string
		length int
		text   string
	}{
		{"", 0, ""},
		{"f7", 0, ""},
		{"f70a04", 0, ""},
		{"f70a0400", 4, ""},
		{"f70a0400f7", 4, ""},
		{"f7010800000000", 0, ""},
		{"f6", 0, "byte 0: expected the mark 0xF7, found 0xF6"},
		{"f7010000", 0, "byte 2: expected a length of 4 to 2048, found 0"},
		{"f7010300", 0, "found 3"},
		{"f7010108", 0, "found 2049"},
		{"f701ffff", 0, "found 65535"},
	} {
		stream, _ := hex.DecodeString(v.hex)
		packet, err := Cut(stream, MaxFromClient)
		if len(packet) != v.length || (err == nil) != (v.text == "") || err != nil && !strings.Contains(err.Error(), v.text) {
			t.Errorf("%s: found a packet of %d and %v", v.hex, len(packet), err)
		}
	}
}

func TestWords(t *testing.T) {
	for _, v := range []struct{ got, want string }{
		{FrozenThrone.String(), "W3XP"}, {ReignOfChaos.String(), "WAR3"}, {Demonstration.String(), "W3DM"},
		{FrozenThrone.Title(), "The Frozen Throne"}, {ReignOfChaos.Title(), "Reign of Chaos"},
		{Demonstration.Title(), "demo"},
		{Product(0x41424344).Title(), `product "ABCD"`},
		{Version(26).String(), "1.26"}, {Version(7).String(), "1.07"}, {Version(10032).String(), "1.32"},
		{Opcode(0x2F).String(), "search (0x2F)"}, {Opcode(0).String(), "unknown packet (0x00)"},
	} {
		if v.got != v.want {
			t.Errorf("found %q, expected %q", v.got, v.want)
		}
	}
	for _, v := range []struct {
		version Version
		slots   int
	}{{26, 12}, {28, 12}, {29, 24}, {10032, 24}} {
		if v.version.MaxSlots() != v.slots || int(v.version.ObserverTeam()) != v.slots {
			t.Errorf("%s: found %d slots, expected %d", v.version, v.version.MaxSlots(), v.slots)
		}
	}
	if !ObserversFull.JoinableObservers() || !ObserversReferees.JoinableObservers() ||
		ObserversOnDefeat.JoinableObservers() || UsualSettings.JoinableObservers() {
		t.Error("wrong observers can join")
	}
	if UsualSettings != 0x802 {
		t.Errorf("the usual settings are %x", uint32(UsualSettings))
	}
}
