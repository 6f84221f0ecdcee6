package game

import (
	"sphereserver/packets"
	"sphereserver/world"
)

// Pages of first help, each opened when a character does for the first time what it is named after. What is on which
// page is not known: they are opened in the order of a newcomer's first hour. Those from 8 on are opened by /firsthelp
// alone.
//
// Source: protocol life 13 says that there are 18, and that each is sent once; when is ours.
const (
	helpEntered = iota
	helpWonFight
	helpOpenedBag
	helpTraded
	helpRoseALevel
	helpDied
	helpJoinedGroup
	helpTookMission
)

// helpFor says to whom an event may be the first of its kind, and which page is about it.
func helpFor(e world.Event) (id world.PlayerID, page int, ok bool) {
	switch e := e.(type) {
	case world.Entered:
		return e.ID, helpEntered, true
	case world.Gained:
		if g := &e.Gain; g.Is.Title > g.Was.Title || g.Is.Degree > g.Was.Degree {
			return g.ID, helpRoseALevel, true
		}
		return e.Gain.ID, helpWonFight, true
	case world.Opened:
		return e.ID, helpOpenedBag, true
	case world.TradeOpened:
		return e.ID, helpTraded, true
	case world.PlayerDied:
		return e.ID, helpDied, true
	case world.PartyCreated:
		return e.ID, helpJoinedGroup, true
	case world.PartyJoined:
		return e.ID, helpJoinedGroup, true
	case world.MissionGiven:
		return e.ID, helpTookMission, true
	}
	return 0, 0, false
}

// help opens pages of first help, if the server does so.
func (s *Server) help(e world.Event) {
	if !s.options.FirstHelp {
		return
	}
	if id, page, ok := helpFor(e); ok {
		s.post(id, func(p *player) { p.helpOnce(page) })
	}
}

// helpOnce opens a page that the character has not been shown yet. It is remembered with the character: a server that
// is killed may show a page again.
func (p *player) helpOnce(page int) {
	bit := uint32(1) << page
	if p.character.FirstHelp&bit != 0 || p.Dialect() == packets.Classic {
		return
	}
	p.character.FirstHelp |= bit
	p.FirstHelp(page)
}
