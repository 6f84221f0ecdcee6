package view

import (
	"bytes"
	"testing"

	"sphereserver/packets"
	"sphereserver/world"
)

// News of groups have the bytes of the documents: V35 to V37 and the recorded sequences of protocol ingame 16.1. The
// player of the documents' vectors has the id 0x6F4F.
func TestGroupNewsBytes(t *testing.T) {
	s := newStage(t)
	s.Clock = standing(0)
	s.BeginTick()
	to := []world.PlayerID{world.PlayerID(packets.PlayerIndexOf(0x6F4F))}
	hero := &viewer{}
	s.Attach(NewClient(to[0], "", hero, emptied(s.View)))
	for what, c := range map[string]struct {
		tell func()
		want string
	}{
		"V35": {func() { s.tellParty(to, groupOperation(groupClear)) }, "0F 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 00"},
		"V36": {func() { s.tellParty(to, partyMember("Hero", true)) },
			"1C 00 2C 01 00 00 00 4F 6F 08 40 23 C3 C1 40 00 00 00 20 00 00 00 00 A9 4C EE 0D 00"},
		"V37, left alone": {func() { s.PartyLeft(world.PartyLeft{ID: to[0], Why: world.Disbanded}) },
			"0F 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 01"},
		"created": {func() { s.PartyCreated(world.PartyCreated{ID: to[0]}) },
			"13 00 2C 01 00 00 00 4F 6F 08 40 23 23 A0 A0 91 11 90 00"},
	} {
		hero.got = nil
		c.tell()
		s.EndTick()
		if want := unhex(t, c.want); !bytes.Equal(hero.got, want) {
			t.Errorf("%s: % X, want % X", what, hero.got, want)
		}
	}
	// A frame about a candidate with a name of ten letters was recorded with 30 bytes.
	for _, state := range []uint32{stateApplied, stateAccepted} {
		hero.got = nil
		s.tellParty(to, partyCandidate(state, "Abcdefghij"))
		if s.EndTick(); len(hero.got) != 30 {
			t.Errorf("state %d: %d bytes: % X", state, len(hero.got), hero.got)
		}
	}
}
