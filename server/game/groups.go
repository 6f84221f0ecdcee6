package game

import (
	"encoding/binary"

	"sphereserver/packets"
	"sphereserver/server/ops"
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

// inviteToGroup invites the player that the client points at: the one that the message is about, or that its array
// ends with, as 24 or 32 bits.
//
// Source: protocol life 1.3, 13. The message was never recorded.
func (s *player) inviteToGroup(about *packets.Section, c *packets.InviteToGroup) {
	id, data := about.Object, c.Data
	if id == s.ID() {
		var long, short packets.ObjectID
		if n := len(data); n >= 4 {
			long = packets.ObjectID(binary.LittleEndian.Uint32(data[n-4:]))
		}
		if n := len(data); n >= 3 {
			short = packets.ObjectID(data[n-3]) | packets.ObjectID(data[n-2])<<8 | packets.ObjectID(data[n-1])<<16
		}
		if id = long; s.server.sessionOf(id) == nil {
			id = short
		}
	}
	var other world.PlayerID
	if of := s.server.sessionOf(id); of != nil {
		other = of.id()
	}
	s.askGroup(about, world.PartyInvite{ID: s.id(), Other: other})
}

// invitationNews are the texts about invitations; %s is the invited player. The client has texts for all of them but
// the first and the last, but how a name is put into them is not known.
var invitationNews = map[world.InvitationNews]ops.Text{
	world.InvitationSent:     text("Вы пригласили игрока %s в группу.", "You have invited %s to the group."),
	world.InvitationAccepted: text("%s принимает приглашение.", "%s accepts the invitation."),
	world.InvitationDeclined: text("%s отклоняет приглашение.", "%s declines the invitation."),
	world.InvitationExpired:  text("%s не отвечает на приглашение.", "%s has not answered the invitation."),
}

func (s *player) invitationTold(e world.InvitationTold) { s.Tell(invitationNews[e.News], e.Other) }

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
