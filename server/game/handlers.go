package game

import (
	"reflect"

	"sphereserver/packets"
)

// A commandRow is what the server does with one type of command of the client.
type commandRow struct {
	of reflect.Type
	// kind is how the states tell a frame apart that has the command.
	kind message
	// request notes what the command asks for; of the login phase.
	request func(*request, packets.Command)
	// do does what a player in the world asks for; nil for nothing. The section says which object the command is about; both are valid
	// during the call.
	do func(*Session, *packets.Section, packets.Command)
	// toOthers: clients send the command about another player's object, too; do has to check whether that is in order.
	toOthers bool
}

// handle is the row of a command that players in the world send.
func handle[C packets.Command](do func(*Session, *packets.Section, C), change ...func(*commandRow)) commandRow {
	r := commandRow{of: reflect.TypeFor[C](), kind: otherMessage,
		do: func(s *Session, about *packets.Section, c packets.Command) { do(s, about, c.(C)) }}
	for _, f := range change {
		f(&r)
	}
	return r
}

// locks says that the client is locked from sending the command until it is answered.
func locks(r *commandRow) { r.kind = useMessage }

// toOthers says that clients send the command about another player's object.
func toOthers(r *commandRow) { r.toOthers = true }

// unheard is the row of a command with which nothing is done, on purpose.
func unheard[C packets.Command](change ...func(*commandRow)) commandRow {
	r := commandRow{of: reflect.TypeFor[C](), kind: otherMessage}
	for _, f := range change {
		f(&r)
	}
	return r
}

// loginPhase is the row of a command of the login phase.
func loginPhase[C packets.Command](kind message, note func(*request, C)) commandRow {
	return commandRow{of: reflect.TypeFor[C](), kind: kind, request: func(r *request, c packets.Command) { note(r, c.(C)) }}
}

// onCommand is the table of all commands that clients send. A type that is missing here fails TestEveryClientCommandHasARow.
var onCommand = commandsByType(
	// Login and character screen: protocol session 4 to 6.
	loginPhase(loginMessage, func(r *request, c *packets.Login) { r.login, r.password = c.Login, c.Password }),
	loginPhase(otherMessage, func(r *request, c *packets.ChooseSlot) { r.slot = int(c.Number) - 1 }),
	loginPhase(selectMessage, func(*request, *packets.EnterWorld) {}),
	loginPhase(createMessage, func(r *request, c *packets.CreateCharacter) {
		r.name = c.Name
		r.look, r.female = c.Character()
	}),
	loginPhase(deleteMessage, func(r *request, c *packets.DeleteSlot) { r.slot = int(c.Number) - 1 }),
	loginPhase(readyMessage, func(*request, *packets.Ready) {}),

	// Items: protocol ingame 10.
	handle((*Session).moveSlot),
	handle((*Session).swapItems, locks),
	handle((*Session).putIntoSlot, locks),
	handle((*Session).pickUp, locks),
	handle((*Session).drop, locks),
	handle((*Session).drag, locks),
	handle((*Session).takeInHand, locks),
	handle(func(s *Session, about *packets.Section, _ *packets.Use) { s.use(about.Object, packets.NoObject) }, locks),
	handle(func(s *Session, about *packets.Section, c *packets.UseOn) { s.use(about.Object, c.Target) }, locks),
	handle((*Session).becomeUser),
	handle((*Session).closeContainer),

	// Trade and points: protocol ingame 11, 12.
	handle((*Session).tradeWindow),
	handle((*Session).buy),
	handle((*Session).offerItem),
	handle((*Session).acceptPrice),
	unheard[*packets.AcceptOffer](), // comes with AcceptPrice, and says nothing more
	handle((*Session).spendPoints),

	// Chat, groups, clans: protocol ingame 15, 16.
	handle((*Session).chatHeader),
	handle((*Session).chatPart),
	handle((*Session).groupOperation),
	handle((*Session).groupName),
	handle((*Session).requestCreateClan),
	handle((*Session).requestLeaveClan),
	handle((*Session).requestClanRank),
	handle((*Session).requestRecruit, toOthers),
	handle((*Session).requestAdmit, toOthers),
	unheard[*packets.ClanRequest](), // alliances and wars of clans: there are none
	unheard[*packets.ClanMemberRequest](),

	// What the server has no use for yet, or never.
	unheard[*packets.FistBlow](locks), // no fighting yet
	unheard[*packets.Animation](),
	unheard[*packets.NameQuery](),
	unheard[*packets.Help](),
	unheard[*packets.WorldLoaded](), // Ready says it
	unheard[*packets.FileCheckAnswer](),
	unheard[*packets.FileCheckReport](),
	unheard[*packets.AntiCheat](),
)

func commandsByType(rows ...commandRow) map[reflect.Type]*commandRow {
	table := make(map[reflect.Type]*commandRow, len(rows))
	for i := range rows {
		table[rows[i].of] = &rows[i]
	}
	return table
}

// A receivedCommand is a command of the frame that is being handled, with what it is about.
type receivedCommand struct {
	about   *packets.Section
	command packets.Command
	row     *commandRow
}

// act does what a frame asks for, in its order. A command that locks the client frees it first, whatever comes of it.
//
// Source: protocol ingame 13.1, 23.
func (s *Session) act(in *incoming) {
	if in.kind == useMessage {
		s.releaseUse(in)
	}
	for _, c := range in.commands {
		if c.row.do != nil {
			c.row.do(s, c.about, c.command)
		}
	}
}
