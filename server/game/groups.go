package game

import (
	"sphereserver/packets"
	"sphereserver/server/ratelimit"
	"sphereserver/world"
)

// Operations on groups, the first byte of Manager 25.
//
// Source: protocol ingame 16.1.
const (
	groupCreate    = 0 // client
	groupApply     = 1 // client, name of the leader
	groupAccept    = 2 // client, name of the candidate
	groupExpel     = 3 // client, name of the member
	groupLeave     = 4 // client
	groupClear     = 5 // server: the list of members is empty now
	groupIsNew     = 9
	groupRemoved   = 10 // name of who is not a member any more
	groupYouAreOut = 11
	groupDestroyed = 13

	stateMember, stateLeader           = 1, 2 // of a member
	stateApplied, stateAccepted        = 0, 1 // of a candidate
	memberOnline                uint32 = 1
)

// Requests about groups of one session: each of them tells somebody something.
const (
	groupsPerSecond = 2
	groupsBurst     = 10
)

func (s *Session) groupOperation(about *packets.Section, c *packets.GroupOperation) {
	switch id := s.player(); c.Operation {
	case groupCreate:
		s.askGroup(about, world.PartyCreate{ID: id})
	case groupLeave:
		s.askGroup(about, world.PartyLeave{ID: id})
	}
}

func (s *Session) groupName(about *packets.Section, c *packets.GroupName) {
	switch id := s.player(); c.Operation {
	case groupApply:
		s.askGroup(about, world.PartyApply{ID: id, Leader: c.Name})
	case groupAccept:
		s.askGroup(about, world.PartyAccept{ID: id, Name: c.Name})
	case groupExpel:
		s.askGroup(about, world.PartyExpel{ID: id, Name: c.Name})
	}
}

// askGroup passes a request on to the world, if the client makes it for its own player and not too often.
func (s *Session) askGroup(about *packets.Section, request world.Command) {
	switch {
	case about.Class != packets.ClassPlayer:
	case !s.groupRate.Take(ratelimit.Clock(s.loop.lastReal), 1, groupsPerSecond, groupsBurst):
		s.hint(hasteText)
	default:
		s.server.world.Do(request)
	}
}

// A groupNews is what one or several players are told of their group, in one body.
type groupNews struct {
	to   []world.PlayerID
	tell []packets.Region
}

func groupRegion(c packets.Command) packets.Region { return &packets.Manager{Command: c} }

func groupOperation(n uint8) packets.Region {
	return groupRegion(&packets.GroupOperation{Operation: n})
}

func groupCandidate(state uint32, name string) packets.Region {
	return groupRegion(&packets.GroupCandidate{State: state, Name: name})
}

// groupList is the whole list of members: cleared, then each.
func groupList(group []world.PartyMember) []packets.Region {
	list := []packets.Region{groupOperation(groupClear)}
	for _, m := range group {
		list = append(list, groupMember(m.Name, m.Leader))
	}
	return list
}

func groupMember(name string, leader bool) packets.Region {
	state := uint32(stateMember)
	if leader {
		state = stateLeader
	}
	return groupRegion(&packets.GroupMember{State: state, Online: memberOnline, Name: name})
}

// What is told of each event, to whom.
//
// Source: protocol ingame 16.1.

func groupCreated(e world.PartyCreated) groupNews {
	return groupNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupClear), groupOperation(groupIsNew)}}
}

func groupApplied(e world.PartyApplied) groupNews {
	return groupNews{[]world.PlayerID{e.Leader}, []packets.Region{groupCandidate(stateApplied, e.Name)}}
}

// groupLed gives everybody the list anew: no message is known that changes the leader alone.
func groupLed(e world.PartyLeader) groupNews { return groupNews{e.Members, groupList(e.Party)} }

// groupJoined: the leader has the candidate accepted, who joined gets the list and is accepted, the others get a member more.
func groupJoined(e world.PartyJoined) []groupNews {
	var others []world.PlayerID
	accepted := groupCandidate(stateAccepted, e.Name)
	news := []groupNews{{[]world.PlayerID{e.ID}, append(groupList(e.Party), accepted)}}
	for _, m := range e.Party {
		switch {
		case m.ID == e.ID:
		case m.Leader:
			news = append(news, groupNews{[]world.PlayerID{m.ID}, []packets.Region{accepted}})
		default:
			others = append(others, m.ID)
		}
	}
	if len(others) > 0 {
		news = append(news, groupNews{others, []packets.Region{groupMember(e.Name, false)}})
	}
	return news
}

// groupLeft: who was thrown out and who left hear of it in different words, the others that he is no member any more. Who has
// left the world hears nothing.
func groupLeft(e world.PartyLeft) []groupNews {
	var news []groupNews
	switch e.Why {
	case world.Expelled:
		news = append(news, groupNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupYouAreOut)}})
	case world.PartedByChoice, world.Disbanded:
		news = append(news, groupNews{[]world.PlayerID{e.ID}, []packets.Region{groupOperation(groupDestroyed)}})
	}
	if len(e.Remaining) > 0 {
		news = append(news, groupNews{e.Remaining, []packets.Region{groupRegion(&packets.GroupName{Operation: groupRemoved, Name: e.Name})}})
	}
	return news
}

// groupNews tells players of their groups, each piece in one frame.
func (k *sink) groupNews(all ...groupNews) {
	for _, news := range all {
		k.shareOut(news.to, k.encode(packets.Message(k.clock, 0, packets.ClassPlayer, news.tell...)), true)
	}
}
