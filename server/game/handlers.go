package game

import (
	"sphereserver/packets"
	"sphereserver/server/session"
	"sphereserver/world"
)

// onCommand is the table of all commands that clients send in the world; those before it are in package session. A type
// that is missing here fails TestEveryClientCommandHasARow.
var onCommand = session.NewCommands(
	// Items: protocol ingame 10.
	session.Handle((*player).moveSlot, session.Locks),
	session.Handle((*player).movePart, session.Locks),
	session.Handle((*player).swapItems, session.Locks),
	session.Handle((*player).putIntoSlot, session.Locks),
	session.Ignored[*packets.PutPartIntoSlot](session.Locks), // stacks are not divided
	session.Handle((*player).pickUp, session.Locks),
	session.Handle((*player).drop, session.Locks),
	session.Handle((*player).drag, session.Locks),
	session.Handle((*player).takeInHand, session.Locks),
	session.Handle(func(s *player, about *packets.Section, _ *packets.Use) { s.use(about.Object, world.Target{}) },
		session.Locks, session.ToOthers), // of another player: its trade window follows
	session.Handle((*player).useOn, session.Locks),
	session.Handle(func(s *player, about *packets.Section, c *packets.UseOnMore) {
		s.useOn(about, &packets.UseOn{Player: c.Player, Target: c.Target})
	}, session.Locks),
	session.Handle((*player).fistBlow, session.Locks),
	session.Handle((*player).becomeUser, session.ToOthers, session.Living),
	session.Handle((*player).closeContainer, session.ToOthers),

	// Trade and points: protocol ingame 11, 12.
	session.Handle((*player).tradeWindow, session.Living),
	session.Handle((*player).buy, session.Locks),
	session.Handle((*player).offerItem, session.Locks),
	session.Handle((*player).acceptPrice, session.Locks),
	session.Handle((*player).clearOffer, session.Locks),
	session.Handle((*player).bid, session.Locks),
	session.Handle((*player).bidFor, session.Locks, session.ToOthers),
	session.Handle((*player).bidHere, session.Locks),
	session.Handle((*player).acceptOffer, session.Locks),
	session.Handle((*player).spendPoints),
	session.Handle((*player).bankQuestion, session.Living),

	session.Handle((*player).missionRequest, session.Living),

	// Chat, groups, clans: protocol ingame 15, 16.
	session.Handle((*player).Header),
	session.Handle((*player).Part),
	session.Handle((*player).console),
	session.Handle((*player).groupOperation),
	session.Handle((*player).groupName),
	session.Handle((*player).ownMark),
	session.Handle((*player).inviteToGroup, session.ToOthers),
	session.Handle(func(s *player, about *packets.Section, c *packets.AcceptInvitation) {
		s.askGroup(about, world.PartyAnswer{ID: s.id(), Token: c.Token, Accept: true})
	}),
	session.Handle(func(s *player, about *packets.Section, c *packets.DeclineInvitation) {
		s.askGroup(about, world.PartyAnswer{ID: s.id(), Token: c.Token})
	}),
	session.Handle((*player).requestCreateClan),
	session.Handle((*player).requestLeaveClan),
	session.Handle((*player).requestClanRank),
	session.Handle((*player).requestRecruit, session.ToOthers),
	session.Handle((*player).requestAdmit, session.ToOthers),
	session.Ignored[*packets.ClanRequest](), // alliances and wars of clans: there are none
	session.Ignored[*packets.ClanMemberRequest](),

	// Messages that the server has no use for yet, or never.
	session.Ignored[*packets.Animation](),
	session.Ignored[*packets.NameQuery](),
	session.Ignored[*packets.Help](),
	session.Ignored[*packets.WorldLoaded](), // Ready says it
	session.Ignored[*packets.FileCheckAnswer](),
	session.Ignored[*packets.FileCheckReport](),
	session.Ignored[*packets.AntiCheat](),
	session.Ignored[*packets.AllianceRequest](),
	session.Ignored[*packets.ForgetDungeon](),

	// What of the game is not there yet. Each of these may lock the client.
	session.Ignored[*packets.BankBuy](session.Locks),
	session.Ignored[*packets.CastleRequest](session.Locks),
	session.Ignored[*packets.MutatorBook](session.Locks),
	session.Ignored[*packets.TournamentListQuestion](session.Locks),
	session.Ignored[*packets.TournamentPrizeQuestion](session.Locks),
	session.Ignored[*packets.TournamentStateQuestion](session.Locks),
	session.Ignored[*packets.TournamentApplication](session.Locks),
	session.Ignored[*packets.TournamentGroup](session.Locks),
)
