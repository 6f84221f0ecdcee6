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
	groupRemoved   = 10 // name of who is not a member any more
	groupYouAreOut = 11
	groupDestroyed = 13

	stateMember, stateLeader           = 1, 2 // of a member
	stateApplied, stateAccepted        = 0, 1 // of a candidate
	memberOnline                uint32 = 1
)

// A partyNews is what one or several players are told of their group, in one body.
type partyNews struct {
	to   []world.PlayerID
	tell []packets.Region
}

func groupOperation(n uint8) packets.Region {
	return managerRegion(&packets.GroupOperation{Operation: n})
}

func partyCandidate(state uint32, name string) packets.Region {
	return managerRegion(&packets.GroupCandidate{State: state, Name: name})
}

// partyList is the whole list of members: cleared, then each.
func partyList(group []world.PartyMember) []packets.Region {
	list := []packets.Region{groupOperation(groupClear)}
	for _, m := range group {
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

// What is told of each event, to whom.
//
// Source: protocol ingame 16.1.

func partyCreated(e world.PartyCreated) partyNews {
	return partyNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupClear), groupOperation(groupIsNew)}}
}

func partyApplied(e world.PartyApplied) partyNews {
	return partyNews{[]world.PlayerID{e.Leader}, []packets.Region{partyCandidate(stateApplied, e.Name)}}
}

// partyLed gives everybody the list anew: no message is known that changes the leader alone.
func partyLed(e world.PartyLeader) partyNews { return partyNews{e.Members, partyList(e.Party)} }

// partyJoined: the leader has the candidate accepted, who joined gets the list and is accepted, the others get a member
// more.
func partyJoined(e world.PartyJoined) []partyNews {
	var others []world.PlayerID
	accepted := partyCandidate(stateAccepted, e.Name)
	news := []partyNews{{[]world.PlayerID{e.ID}, append(partyList(e.Party), accepted)}}
	for _, m := range e.Party {
		switch {
		case m.ID == e.ID:
		case m.Leader:
			news = append(news, partyNews{[]world.PlayerID{m.ID}, []packets.Region{accepted}})
		default:
			others = append(others, m.ID)
		}
	}
	if len(others) > 0 {
		news = append(news, partyNews{others, []packets.Region{partyMember(e.Name, false)}})
	}
	return news
}

// partyLeft: who was thrown out and who left hear of it in different words, the others that he is no member any more.
// Who has left the world hears nothing.
func partyLeft(e world.PartyLeft) []partyNews {
	var news []partyNews
	switch e.Why {
	case world.Expelled:
		news = append(news, partyNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupYouAreOut)}})
	case world.PartedByChoice, world.Disbanded:
		news = append(news, partyNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupDestroyed)}})
	}
	if len(e.Remaining) > 0 {
		news = append(news, partyNews{e.Remaining, []packets.Region{managerRegion(&packets.GroupName{Operation: groupRemoved,
			Name: e.Name})}})
	}
	return news
}

func (v *View) PartyCreated(e world.PartyCreated) { v.partyNews(partyCreated(e)) }
func (v *View) PartyApplied(e world.PartyApplied) { v.partyNews(partyApplied(e)) }
func (v *View) PartyJoined(e world.PartyJoined)   { v.partyNews(partyJoined(e)...) }
func (v *View) PartyLeft(e world.PartyLeft)       { v.partyNews(partyLeft(e)...) }
func (v *View) PartyLeader(e world.PartyLeader)   { v.partyNews(partyLed(e)) }

// partyNews tells players of their groups, each piece in one frame.
func (v *View) partyNews(all ...partyNews) {
	for _, news := range all {
		v.ShareOut(news.to, v.encode(packets.Message(v.clock, 0, packets.ClassPlayer, news.tell...)), true)
	}
}
