package session

import (
	"reflect"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A CommandRow has the handler of one type of command of the client.
type CommandRow struct {
	of reflect.Type
	// kind is how the states tell a frame apart that has the command.
	kind Message
	// request notes the arguments of a command of the login phase.
	request func(*request, packets.Command)
	// Do does the request of a player in the world; nil: it does nothing. The section says which object the command is
	// about; both are valid during the call.
	Do func(Player, *packets.Section, packets.Command)
	// toOthers: clients send the command about another player's object, too; do has to check whether that is in order.
	toOthers bool
	// living: the command of a dead player does nothing.
	living bool
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

// Locks says that the client is locked from sending the command until it is answered. It is for the living.
func Locks(r *CommandRow) { r.kind, r.living = UseMessage, true }

// Living says that the command of a dead player does nothing.
func Living(r *CommandRow) { r.living = true }

// ToOthers says that clients send the command about another player's object.
func ToOthers(r *CommandRow) { r.toOthers = true }

// Ignored is the row of a command that is ignored on purpose.
func Ignored[C packets.Command](change ...func(*CommandRow)) CommandRow {
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

// NewCommands makes the table of commands in the world and in the login phase.
func NewCommands(rows ...CommandRow) Commands {
	rows = append(rows, loginCommands()...)
	table := make(Commands, len(rows))
	for i := range rows {
		table[rows[i].of] = &rows[i]
	}
	return table
}

// loginCommands are the commands of login and character screen.
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

// A receivedCommand is a command of the frame that is being handled, with its section.
type receivedCommand struct {
	about   *packets.Section
	command packets.Command
	row     *CommandRow
}

// A request is the request of a frame of the login phase.
type request struct {
	slot     int // 0 to 2, else the client's number less one
	login    string
	password string
	name     string
	look     uint32
	female   bool
}

// An incoming is a frame that a handler is given.
type incoming struct {
	kind     Message
	plain    []byte // valid during the call
	ping     packets.Ping
	body     *packets.Body     // of a gameplay frame that the grammar reads; valid during the call
	commands []receivedCommand // of the body, those that count; valid during the call
	request  request           // of the login phase
	asked    bool              // request is one for login or character screen
	unknown  bool              // something in the body has no row
}

// A Player is the player behind a session, from the choice of a character on. Its methods are called on the session's
// loop.
type Player interface {
	// Introduce sends the player's belongings, when its client has loaded the world.
	Introduce()
	// Enter brings the player into the world.
	Enter()
	// Recognised says that the client is of another generation than it was taken for until now.
	Recognised(d packets.Dialect)
	// Moved says where the client is; it is called in the state InWorld.
	Moved(at coords.Position)
	// Owes says how many bytes the client has not read yet: once a second, and when the world has sent it something.
	Owes(bytes int)
	// Leave takes the player out of the world; true says that it calls [Session.Release] when its character is saved,
	// false that there is nothing to save.
	Leave() bool
}
