package view

import (
	"sphereserver/packets"
	"sphereserver/world"
)

// Operations on groups that clients are told, the first byte of Manager 25.
//
// Source: protocol ingame 16.1.
const (
	groupClear     = 5 // the list of members is empty now
	groupIsNew     = 9
	groupRemoved   = 10 // name of a former member
	groupYouAreOut = 11
	groupDestroyed = 13

	stateMember, stateLeader           = 1, 2 // of a member
	stateApplied, stateAccepted        = 0, 1 // of a candidate
	memberOnline                uint32 = 1
)

func groupOperation(n uint8) packets.Region {
	return managerRegion(&packets.GroupOperation{Operation: n})
}

func partyCandidate(state uint32, name string) packets.Region {
	return managerRegion(&packets.GroupCandidate{State: state, Name: name})
}

// partyList is the whole list of members: cleared, then each.
func partyList(party []world.PartyMember) []packets.Region {
	list := []packets.Region{groupOperation(groupClear)}
	for _, m := range party {
		list = append(list, partyMember(m.Name, m.Leader))
	}
	return list
}

func partyMember(name string, leader bool) packets.Region {
	state := uint32(stateMember)
	if leader {
		state = stateLeader
	}
	return managerRegion(&packets.GroupMember{State: state, Online: memberOnline, Name: name})
}

// Each event, and the players that it is told to.

// PartyCreated tells the leader that its party is new and empty.
func (v *View) PartyCreated(e world.PartyCreated) {
	v.tellParty([]world.PlayerID{e.ID}, groupOperation(groupClear), groupOperation(groupIsNew))
}

// PartyApplied tells the leader of a candidate.
func (v *View) PartyApplied(e world.PartyApplied) {
	v.tellParty([]world.PlayerID{e.Leader}, partyCandidate(stateApplied, e.Name))
}

// PartyLeader sends every member the whole list: no message is known that changes the leader alone.
func (v *View) PartyLeader(e world.PartyLeader) { v.tellParty(e.Members, partyList(e.Party)...) }

// PartyJoined has the leader accept the candidate; the new member gets the list and is accepted, the others get a
// member more.
func (v *View) PartyJoined(e world.PartyJoined) {
	var others []world.PlayerID
	accepted := partyCandidate(stateAccepted, e.Name)
	v.tellParty([]world.PlayerID{e.ID}, append(partyList(e.Party), accepted)...)
	for _, m := range e.Party {
		switch {
		case m.ID == e.ID:
		case m.Leader:
			v.tellParty([]world.PlayerID{m.ID}, accepted)
		default:
			others = append(others, m.ID)
		}
	}
	v.tellParty(others, partyMember(e.Name, false))
}

// PartyLeft tells a former member that it has left or was thrown out, and the others that it is gone. A player that
// has left the world is told nothing.
func (v *View) PartyLeft(e world.PartyLeft) {
	switch e.Why {
	case world.Expelled:
		v.tellParty([]world.PlayerID{e.ID}, groupOperation(groupYouAreOut))
	case world.PartedByChoice, world.Disbanded:
		v.tellParty([]world.PlayerID{e.ID}, groupOperation(groupDestroyed))
	}
	v.tellParty(e.Remaining, managerRegion(&packets.GroupName{Operation: groupRemoved, Name: e.Name}))
}

// PartyInvited asks a player in a window of its client.
//
// Source: protocol life 1.3, 13; it was never recorded.
func (v *View) PartyInvited(e world.PartyInvited) {
	v.tellParty([]world.PlayerID{e.ID}, managerRegion(&packets.Invitation{Token: e.Token, Name: e.By}))
}

func (v *View) tellParty(to []world.PlayerID, tell ...packets.Region) {
	if len(to) > 0 {
		v.ShareOut(to, v.encode(packets.Message(v.clock, 0, packets.ClassPlayer, tell...)), true)
	}
}
