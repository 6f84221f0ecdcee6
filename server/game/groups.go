package game

import (
	"sphereserver/packets"
	"sphereserver/server/ratelimit"
	"sphereserver/world"
)

// Operations on groups that clients ask for, the first byte of Manager 25.
//
// Source: protocol ingame 16.1.
const (
	groupCreate = 0
	groupApply  = 1 // name of the leader
	groupAccept = 2 // name of the candidate
	groupExpel  = 3 // name of the member
	groupLeave  = 4
)

var hasteText = text("Не так быстро, пожалуйста.", "Not so fast, please.")

// Requests about groups of one session: each of them sends a message to another player.
const (
	groupsPerSecond = 2
	groupsBurst     = 10
)

func (s *player) groupOperation(about *packets.Section, c *packets.GroupOperation) {
	switch id := s.id(); c.Operation {
	case groupCreate:
		s.askGroup(about, world.PartyCreate{ID: id})
	case groupLeave:
		s.askGroup(about, world.PartyLeave{ID: id})
	}
}

func (s *player) groupName(about *packets.Section, c *packets.GroupName) {
	switch id := s.id(); c.Operation {
	case groupApply:
		s.askGroup(about, world.PartyApply{ID: id, Leader: c.Name})
	case groupAccept:
		s.askGroup(about, world.PartyAccept{ID: id, Name: c.Name})
	case groupExpel:
		s.askGroup(about, world.PartyExpel{ID: id, Name: c.Name})
	}
}

// ownMark passes a place on to the group, if the player leads one: any other player has marked it for itself alone.
//
// Source: protocol life 13.
func (s *player) ownMark(about *packets.Section, c *packets.OwnMark) {
	at := s.Here()
	at.X, at.Z = c.X, c.Z
	if at.Check() == nil {
		s.askGroup(about, world.PartyMark{ID: s.id(), At: at})
	}
}

// askGroup passes a request on to the world, if the client makes it for its own player and not too often.
func (s *player) askGroup(about *packets.Section, request world.Command) {
	switch {
	case about.Class != packets.ClassPlayer:
	case !s.groupRate.Take(ratelimit.Clock(s.Real()), 1, groupsPerSecond, groupsBurst):
		s.Hint(hasteText)
	default:
		s.server.world.Do(request)
	}
}
