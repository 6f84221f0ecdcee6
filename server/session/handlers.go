package session

import (
	"reflect"

	"sphereserver/packets"
)

// A CommandRow is what the server does with one type of command of the client.
type CommandRow struct {
	of reflect.Type
	// kind is how the states tell a frame apart that has the command.
	kind Message
	// request notes what the command asks for; of the login phase.
	request func(*request, packets.Command)
	// Do does what a player in the world asks for; nil for nothing. The section says which object the command is about;
	// both are valid during the call.
	Do func(Player, *packets.Section, packets.Command)
	// toOthers: clients send the command about another player's object, too; do has to check whether that is in order.
	toOthers bool
}

// Handle is the row of a command that players in the world send.
func Handle[P Player, C packets.Command](do func(P, *packets.Section, C), change ...func(*CommandRow)) CommandRow {
	r := CommandRow{of: reflect.TypeFor[C](), kind: OtherMessage,
		Do: func(p Player, about *packets.Section, c packets.Command) { do(p.(P), about, c.(C)) }}
	for _, f := range change {
		f(&r)
	}
	return r
}

// Locks says that the client is locked from sending the command until it is answered.
func Locks(r *CommandRow) { r.kind = UseMessage }

// ToOthers says that clients send the command about another player's object.
func ToOthers(r *CommandRow) { r.toOthers = true }

// Unheard is the row of a command with which nothing is done, on purpose.
func Unheard[C packets.Command](change ...func(*CommandRow)) CommandRow {
	r := CommandRow{of: reflect.TypeFor[C](), kind: OtherMessage}
	for _, f := range change {
		f(&r)
	}
	return r
}

// loginPhase is the row of a command of the login phase.
func loginPhase[C packets.Command](kind Message, note func(*request, C)) CommandRow {
	return CommandRow{of: reflect.TypeFor[C](), kind: kind,
		request: func(r *request, c packets.Command) { note(r, c.(C)) }}
}

// Commands are all commands that clients send, by their type.
type Commands map[reflect.Type]*CommandRow

// NewCommands makes the table of what players send in the world and of what the login phase has.
func NewCommands(rows ...CommandRow) Commands {
	rows = append(rows, loginCommands()...)
	table := make(Commands, len(rows))
	for i := range rows {
		table[rows[i].of] = &rows[i]
	}
	return table
}

// loginCommands are those of login and character screen.
//
// Source: protocol session 4 to 6.
func loginCommands() []CommandRow {
	return []CommandRow{
		loginPhase(LoginMessage, func(r *request, c *packets.Login) { r.login, r.password = c.Login, c.Password }),
		loginPhase(OtherMessage, func(r *request, c *packets.ChooseSlot) { r.slot = int(c.Number) - 1 }),
		loginPhase(SelectMessage, func(*request, *packets.EnterWorld) {}),
		loginPhase(CreateMessage, func(r *request, c *packets.CreateCharacter) {
			r.name = c.Name
			r.look, r.female = c.Character()
		}),
		loginPhase(DeleteMessage, func(r *request, c *packets.DeleteSlot) { r.slot = int(c.Number) - 1 }),
		loginPhase(ReadyMessage, func(*request, *packets.Ready) {}),
	}
}

// A receivedCommand is a command of the frame that is being handled, with what it is about.
type receivedCommand struct {
	about   *packets.Section
	command packets.Command
	row     *CommandRow
}

// act does what a frame asks for, in its order. A command that locks the client frees it first, whatever comes of it.
//
// Source: protocol ingame 13.1, 23.
func (s *Session) act(in *incoming) {
	if in.kind == UseMessage {
		s.releaseUse(in)
	}
	for _, c := range in.commands {
		if c.row.Do != nil {
			c.row.Do(s.player, c.about, c.command)
		}
	}
}

// LastOfItsType says whether the frame that is being handled has no other command of the same type behind one.
func (s *Session) LastOfItsType(c packets.Command) bool {
	last := c
	for _, in := range s.loop.in.commands {
		if reflect.TypeOf(in.command) == reflect.TypeOf(c) {
			last = in.command
		}
	}
	return last == c
}
