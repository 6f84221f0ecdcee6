package game

import (
	"sphereserver/packets"
	"sphereserver/world"
)

// Pages of first help, each opened when a character does the thing that it is named after for the first time. The
// contents of the pages are not known: they are opened in the order of a newcomer's first hour. Those from 8 on are
// opened by /firsthelp alone.
//
// Source: protocol life 13 says that there are 18, and that each is sent once; the moments are ours.
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

// helpFor returns a player and a page of help, if an event may be the first of its kind to that player.
func helpFor(e world.Event) (id world.PlayerID, page int, ok bool) {
	switch e := e.(type) {
	case world.Entered:
		return e.ID, helpEntered, true
	case world.Opened:
		return e.ID, helpOpenedBag, true
	case world.TradeOpened:
		return e.ID, helpTraded, true
	case world.PlayerTradeOpened:
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

// helpWith returns the page about a gain. The pay for a mission, or the price of a murder, is no fight won.
func helpWith(g *world.Gain) (page int, ok bool) {
	switch was, is := &g.Was, &g.Is; {
	case is.Title > was.Title, is.Degree > was.Degree:
		return helpRoseALevel, true
	case g.Mission != nil:
		return 0, false
	}
	return helpWonFight, g.Is.Progress.Karma > g.Was.Progress.Karma || g.Is.Progress.TitleXP > g.Was.Progress.TitleXP ||
		g.Is.Progress.DegreeXP > g.Was.Progress.DegreeXP || g.Coins > 0
}

// help opens pages of first help, if the server does so.
func (s *Server) help(e world.Event) {
	if !s.options.FirstHelp {
		return
	}
	open := func(id world.PlayerID, page int) { s.post(id, func(p *player) { p.helpOnce(page) }) }
	var gains []world.Gain
	switch e := e.(type) {
	case *world.MonsterDied:
		gains = e.Gains
	case world.Gained:
		gains = []world.Gain{e.Gain}
	}
	for i := range gains {
		if page, ok := helpWith(&gains[i]); ok {
			open(gains[i].ID, page)
		}
	}
	if id, page, ok := helpFor(e); ok {
		open(id, page)
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
