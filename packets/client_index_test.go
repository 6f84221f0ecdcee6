package packets

import (
	"bytes"
	"strings"
	"testing"
)

// The index of client messages, protocol ingame 17 and 10.7: lengths, and the bytes from 13 on, by which older
// servers told the messages apart. Frames that no document prints are made here.
func TestIndexOfClientMessages(t *testing.T) {
	trade := func(long bool) *Body {
		b := sections(0,
			section(hero, ClassPlayer, manager(&Help{7})),
			section(inn, ClassTrader, contMan(&Use{hero}), contMan(&BecomeUser{hero})),
			section(hero, ClassPlayer, manager(&TradeWindow{inn})))
		if long {
			b.Sections[2].Regions = append(b.Sections[2].Regions, contMan(&BecomeUser{hero}))
		}
		return b
	}
	take := func(id ObjectID) Region { return manager(&TakeInHand{id}) }
	move := func(n uint8) Region { return manager(&Animation{n}) }
	for _, c := range []struct {
		what   string
		golden string // or
		body   *Body
		d      Dialect
		length int
		at13   []byte
	}{
		{"position", "ingame-7.1-position", nil, 0, 0x26, nil},
		{"keepalive", "session-10.2-keepalive", nil, 0, 0x08, nil},
		{"sent count", "constructed-SentCount", nil, 0, 0x0C, nil},
		{"character selected", "session-10.8-select-0", nil, 0, 0x15, []byte{0x08, 0x40, 0x80, 0x05, 0x04, 0x04, 0x08, 0x00}},
		{"world loaded", "ingame-8.1-loaded", nil, 0, 0x12, []byte{0x08, 0x40, 0xC0}},
		{"ready", "ingame-8.1-ready", nil, 0, 0x13, []byte{0x08, 0x40, 0x23, 0x24}},
		{"bank loaded", "constructed-Bank", nil, 0, 0x13, []byte{0x88, 0x43, 0xE3}},
		{"anti-cheat report", "constructed-AntiCheat", nil, 0, 0x1E, []byte{0x08, 0x40, 0x43, 0x84}},
		{"file check answer", "constructed-FileCheckAnswer", nil, 0, 0x69, []byte{0x08, 0x40, 0x63, 0x83}},
		{"pick up, free slot", "ingame-C1", nil, 0, 0x16, []byte{0x08, 0x40, 0x23}},
		{"pick up to slot", "ingame-C2", nil, 0, 0x1A, []byte{0x08, 0x40, 0xC1}},
		{"move", "ingame-C3", nil, 0, 0x18, []byte{0x08, 0x40, 0x81}},
		{"swap", "constructed-SwapItems", nil, 0, 0x26, []byte{0x08, 0x40, 0xA3}},
		{"drop", "constructed-Drop", nil, 0, 0x2D, []byte{0x08, 0x40, 0x63}},
		{"drag on ground", "ingame-C14", nil, 0, 0x25, []byte{0x08, 0x40, 0x63}},
		{"use item", "ingame-C4b", nil, 0, 0x15, []byte{0x14, 0x47, 0xE1}},
		{"use item on target", "", Message(0, sword, 453, contMan(&UseOn{hero, beast})), Dialect2022, 0x18,
			[]byte{0x14, 0x47, 0xE1}},
		{"open loot bag, 2022", "ingame-C5b", nil, 0, 0x1A, []byte{0x5C, 0x46, 0xE1}},
		{"open loot bag, 2026", "ingame-C5", nil, 0, 0x1B, []byte{0x5C, 0x46, 0xE1}},
		{"hand: take", "ingame-C11", nil, 0, 0x15, []byte{0x08, 0x40, 0x83}},
		{"hand: draw and take", "ingame-C12", nil, 0, 0x19, []byte{0x08, 0x40, 0xA3}},
		{"hand: take and draw", "", player(0, take(sword), move(8)), Dialect2026, 0x19, []byte{0x08, 0x40, 0x83}},
		{"hand: empty and take", "", player(0, take(EmptyHand), take(sword)), Dialect2026, 0x1B, []byte{0x08, 0x40, 0x83}},
		{"hand: three", "", player(0, move(8), take(EmptyHand), take(sword)), Dialect2026, 0x1F, []byte{0x08, 0x40, 0xA3}},
		{"hand: four", "", player(0, move(12), take(EmptyHand), move(8), take(sword)), Dialect2026, 0x23,
			[]byte{0x08, 0x40, 0xA3}},
		{"fist attack", "ingame-C6", nil, 0, 0x19, []byte{0x08, 0x40, 0xA3}},
		{"weapon attack, 2022", "ingame-C7b", nil, 0, 0x20, []byte{0x08, 0x40, 0xA3}},
		{"buy", "ingame-C8", nil, 0, 0x20, []byte{0x08, 0x40, 0x03}},
		{"offer for sale", "constructed-OfferItem", nil, 0, 0x1E, []byte{0x08, 0x40, 0xC3}},
		{"accept price", "constructed-AcceptPrice", nil, 0, 0x22, []byte{0x08, 0x40, 0xC3}},
		{"open trade, 2022", "", trade(false), Dialect2022, 0x30, []byte{0x08, 0x40, 0xA3}},
		{"open trade, 2022, longer", "", trade(true), Dialect2022, 0x35, []byte{0x08, 0x40, 0xA3}},
		{"open trade, 2026", "", trade(false), Dialect2026, 0x31, []byte{0x08, 0x40, 0xA3}},
		{"open trade, 2026, longer", "", trade(true), Dialect2026, 0x36, []byte{0x08, 0x40, 0xA3}},
		{"close trade", "ingame-C15", nil, 0, 0x1F, []byte{0x54, 0x43, 0xC1}},
		{"chat header", "ingame-C9", nil, 0, 0x1A, []byte{0x08, 0x40, 0x43}},
		{"chat chunk", "", player(0, manager(&ChatPart{2, 0, strings.Repeat("a", 250) + "\x00"})), Dialect2026, 0x111,
			[]byte{0x08, 0x40, 0x43}},
		{"group", "ingame-C10", nil, 0, 0x13, []byte{0x08, 0x40, 0x23, 0x23}},
		{"clan", "constructed-RecruitToClan", nil, 0, 0x16, []byte{0x08, 0x40, 0xC3}},
		{"stat points", "ingame-C13", nil, 0, 0x32, []byte{0x08, 0x40, 0x23, 0x02}},
	} {
		var frame []byte
		if c.golden != "" {
			frame = goldenByName(t, c.golden).frame
		} else {
			var err error
			f := Frame{Direction: FromClient, Channel: ChannelGameplay, Body: c.body}
			if frame, err = f.Append(nil, c.d); err != nil {
				t.Errorf("%s: %v", c.what, err)
				continue
			}
		}
		if len(frame) != c.length || len(c.at13) > 0 && !bytes.HasPrefix(frame[13:], c.at13) {
			t.Errorf("%s has %#x bytes: % X, documented %#x with % X at 13", c.what, len(frame), frame, c.length, c.at13)
		}
	}
	// The rank frame of protocol ingame 16.2.
	rank := goldenByName(t, "constructed-ClanMemberRank").frame
	if len(rank) != 24+len("Star") || !bytes.Equal(rank[9:15], []byte{0x08, 0x40, 0xE3, 0xA2, 0xA0, 2 << 5}) {
		t.Errorf("rank frame % X", rank)
	}
}

// Protocol ingame 15.4: the server returns lines of clan and group in frames 4 bytes shorter than the client's.
func TestChatEchoes(t *testing.T) {
	for _, c := range []struct {
		b      *Body
		length int
	}{
		{player(0, manager(&ChatHeader{4, 464, 2})), 0x16},
		{player(0, manager(&ChatPart{4, 0, strings.Repeat("a", 250) + "\x00"})), 0x10D},
	} {
		if frame, err := AppendServer(nil, c.b, Dialect2026); err != nil || len(frame) != c.length {
			t.Errorf("%d bytes, %v, documented %d", len(frame), err, c.length)
		}
	}
}
