package game

import (
	"sphereserver/packets"
)

// onCommand is the table of all commands that clients send in the world; those before it are in package session. A type that is missing here fails TestEveryClientCommandHasARow.
var onCommand = NewCommands(
	// Items: protocol ingame 10.
	Handle((*player).moveSlot),
	Handle((*player).swapItems, Locks),
	Handle((*player).putIntoSlot, Locks),
	Handle((*player).pickUp, Locks),
	Handle((*player).drop, Locks),
	Handle((*player).drag, Locks),
	Handle((*player).takeInHand, Locks),
	Handle(func(s *player, about *packets.Section, _ *packets.Use) { s.use(about.Object, packets.NoObject) }, Locks),
	Handle(func(s *player, about *packets.Section, c *packets.UseOn) { s.use(about.Object, c.Target) }, Locks),
	Handle((*player).becomeUser),
	Handle((*player).closeContainer),

	// Trade and points: protocol ingame 11, 12.
	Handle((*player).tradeWindow),
	Handle((*player).buy),
	Handle((*player).offerItem),
	Handle((*player).acceptPrice),
	Unheard[*packets.AcceptOffer](), // comes with AcceptPrice, and says nothing more
	Handle((*player).spendPoints),

	// Chat, groups, clans: protocol ingame 15, 16.
	Handle((*player).chatHeader),
	Handle((*player).chatPart),
	Handle((*player).groupOperation),
	Handle((*player).groupName),
	Handle((*player).requestCreateClan),
	Handle((*player).requestLeaveClan),
	Handle((*player).requestClanRank),
	Handle((*player).requestRecruit, ToOthers),
	Handle((*player).requestAdmit, ToOthers),
	Unheard[*packets.ClanRequest](), // alliances and wars of clans: there are none
	Unheard[*packets.ClanMemberRequest](),

	// What the server has no use for yet, or never.
	Unheard[*packets.FistBlow](Locks), // no fighting yet
	Unheard[*packets.Animation](),
	Unheard[*packets.NameQuery](),
	Unheard[*packets.Help](),
	Unheard[*packets.WorldLoaded](), // Ready says it
	Unheard[*packets.FileCheckAnswer](),
	Unheard[*packets.FileCheckReport](),
	Unheard[*packets.AntiCheat](),
)
