package view

import (
	"bytes"
	"testing"

	"sphereserver/packets"
	"sphereserver/world"
)

// encodeNews is the frame of some news for the player of the documents' vectors.
func encodeNews(t *testing.T, n partyNews) []byte {
	t.Helper()
	frame, err := packets.AppendServer(nil, packets.Message(0, 0, packets.ClassPlayer, n.tell...), packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	AddressAll(frame, 0x6F4F)
	return frame
}

// News of groups have the bytes of the documents: V35 to V37 and the recorded sequences of protocol ingame 16.1.
func TestGroupNewsBytes(t *testing.T) {
	one := []packets.Region{groupOperation(groupClear)}
	for what, c := range map[string]struct {
		news partyNews
		want string
	}{
		"V35": {partyNews{tell: one}, "0F 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 00"},
		"V36": {partyNews{tell: []packets.Region{partyMember("Hero", true)}},
			"1C 00 2C 01 00 00 00 4F 6F 08 40 23 C3 C1 40 00 00 00 20 00 00 00 00 A9 4C EE 0D 00"},
		"V37, left alone": {partyLeft(world.PartyLeft{ID: 1, Why: world.Disbanded})[0],
			"0F 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 01"},
		"created": {partyCreated(world.PartyCreated{ID: 1}),
			"13 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 A0 91 11 90 00"},
	} {
		if got, want := encodeNews(t, c.news), unhex(t, c.want); !bytes.Equal(got, want) {
			t.Errorf("%s: % X, want % X", what, got, want)
		}
	}
}

// A frame about a candidate with a name of ten letters was recorded with 30 bytes.
func TestCandidateLength(t *testing.T) {
	for _, state := range []uint32{stateApplied, stateAccepted} {
		if frame := encodeNews(t, partyNews{tell: []packets.Region{partyCandidate(state, "Abcdefghij")}}); len(frame) != 30 {
			t.Errorf("state %d: %d bytes: % X", state, len(frame), frame)
		}
	}
}
