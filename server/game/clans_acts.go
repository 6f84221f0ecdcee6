package game

import (
	"sphereserver/data"
	"sphereserver/packets"
)

// Clients speak of clans in two ways. About themselves they found, leave, expel and rank. To another player they
// apply, and accept applicants: then the message is about that player's object, and names the sender.
//
// Source: recorded traffic of May 2023; protocol ingame 16.2 has the payloads. docs/protocol/clans.md tells the whole.

func (s *player) requestCreateClan(about *packets.Section, c *packets.CreateClan) {
	if s.own(about) {
		s.createClan(c.Clan)
	}
}

func (s *player) requestLeaveClan(about *packets.Section, c *packets.LeaveClan) {
	if s.own(about) {
		s.leaveClan(c.Name)
	}
}

// Operations of ChangeClanRank, as recorded; a rank that lasts is taken for the rank wanted.
const (
	clanExpel = 5
	clanRaise = 7
	clanLower = 8
)

func (s *player) requestClanRank(about *packets.Section, c *packets.ChangeClanRank) {
	switch {
	case !s.own(about):
	case c.Rank == clanExpel:
		s.expelFromClan(c.Name)
	case c.Rank == clanRaise:
		// Never to senior: the lead is handed over on purpose only.
		s.rankInClan(c.Name, func(r data.ClanRank) data.ClanRank { return max(r, data.Vassal) - 1 })
	case c.Rank == clanLower:
		s.rankInClan(c.Name, func(r data.ClanRank) data.ClanRank { return min(r+1, data.Neophyte) })
	case c.Rank <= uint8(data.Neophyte):
		rank := data.ClanRank(c.Rank) // the command is read into again before this is done
		s.rankInClan(c.Name, func(data.ClanRank) data.ClanRank { return rank })
	}
}

func (s *player) requestRecruit(about *packets.Section, c *packets.RecruitToClan) {
	if other := s.other(about, c.Player); other != nil {
		s.applyTo(other)
	}
}

func (s *player) requestAdmit(about *packets.Section, c *packets.AcceptApplicant) {
	if other := s.other(about, c.Player); other != nil {
		s.admit(other)
	}
}

// own reports whether a request is about the player itself.
func (s *player) own(about *packets.Section) bool {
	return about.Class == packets.ClassPlayer && about.Object == s.ID()
}

// other is the addressee of a request that names its sender, which has to be this player. A request about the own
// player that names another one is understood, too: the documents have it so.
func (s *player) other(about *packets.Section, named packets.ObjectID) *player {
	if about.Class != packets.ClassPlayer || (about.Object == s.ID()) == (named == s.ID()) {
		return nil
	}
	id := about.Object
	if id == s.ID() {
		id = named
	}
	other := s.server.sessionOf(id)
	if other == nil {
		s.Tell(clanNobodyText)
	}
	return other
}
