// Package chat is the chat of the players of one server with each other and with the server: lines on channels,
// private lines, commands with their table, mutes and limits, and the log of lines.
//
// A [Service] belongs to a server, a [Participant] to one player in the world. The package knows a player by a
// [Speaker] and the server by a [Host]; the connection and the world behind them are not its matter.
package chat

import (
	"context"
	"io"
	"log/slog"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A Speaker is the session of a player, as far as the chat needs it. Its methods are called on its loop, except Call.
type Speaker interface {
	Index() packets.PlayerIndex
	Account() data.AccountID
	Login() string
	Role() data.Role
	Character() *data.Playing
	InWorld() bool
	Dead() bool
	Here() coords.Position // where the player is
	Log() *slog.Logger
	Now() time.Duration // of the loop
	Clock() uint16      // of the wire
	Real() time.Time
	// Say shows a text to the player, in as many lines as it needs.
	Say(text string)
	SayOwn(text view.TextNumber, number int16)
	FirstHelp(page int) // opens a page of the client's first help
	// ChangePassword changes the account's password, away from the loop: see [session.Session.ChangePassword].
	ChangePassword(ctx context.Context, old, password string) error
	SendBytes(frames []byte)
	// After calls a function on the loop when d has gone by, and Call as soon as may be, from any goroutine. Neither
	// does it when the session has ended by then.
	After(d time.Duration, do func())
	Call(do func())
	// Go runs work on a goroutine of its own.
	Go(work func(ctx context.Context))
}

// A Host is the server that the chat belongs to. Any goroutine may call it, except Share and Call: they are for the
// world's.
type Host interface {
	World() *world.Snapshot
	Command(world.Command)
	// Present is a character that is in the world; false if it is not there.
	Present(account data.AccountID, id data.CharacterID) (world.PlayerView, bool)
	// Start is where new characters begin.
	Start() coords.Position
	// Participant is the participant with a player's id, nil for none.
	Participant(id world.PlayerID) *Participant
	// Call runs a function on a player's loop, behind all that its client was sent before.
	Call(id world.PlayerID, do func(*Participant))
	// Share sends frames to several players; if they are addressed, as frames about each of them.
	Share(to []world.PlayerID, frames []byte, addressed bool)
}

// A Store is the part of package data that the chat needs.
type Store interface {
	AppendAudit(ctx context.Context, e data.AuditEntry) error
	CharacterByName(ctx context.Context, name string) (data.Character, error)
	FindCharacters(ctx context.Context, like string) ([]data.Character, error)
	SetLanguage(ctx context.Context, id data.AccountID, language string) error
	Ignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error)
	Unignore(ctx context.Context, who, other data.CharacterID) (rules.Ignored, error)
	IgnoredNames(ctx context.Context, who data.CharacterID) ([]string, error)
	ClanOf(ctx context.Context, id data.CharacterID) (data.Clan, error)
	ClanMembers(ctx context.Context, id data.ClanID) ([]data.ClanMember, error)
}

// Options are the options of a chat.
type Options struct {
	Host      Host
	Store     Store
	Operators *ops.Service
	Dialect   packets.Dialect
	Clock     func() uint16 // of the wire, in the tick that is told
	Log       *slog.Logger
	Out       io.Writer     // gets a line for each line that is said, [Entry.String]; nil for none. Writing may block.
	Unstuck   time.Duration // standing still, before /unstuck takes a player away
	Page      string        // address of the administrators' page, which operators are told; empty for none
}

// A Service is the chat of one server.
type Service struct {
	Options
	said    *lineLog
	encoder view.ChatEncoder
	count   counters
}

// counters are the chat's counts since the server's start.
type counters struct {
	lines, heldBack *measure.Counter // passed on; not, because of floods, repetition or a mute
	abandoned       *measure.Counter // lines that never became whole
}

// New makes the chat of a server, and declares its counters.
func New(o Options, r *measure.Registry) *Service {
	s := &Service{Options: o, said: newLog(o.Out, o.Log), count: counters{
		lines: r.Counter("chat_lines", "sphere_chat_lines_total", "Lines of chat that were passed on."),
		heldBack: r.Counter("chat_held_back", "sphere_chat_held_back_total",
			"Lines of chat that were not passed on: floods, repetition, mutes."),
		abandoned: r.Counter("chat_abandoned", "sphere_chat_abandoned_total", "Lines of chat that never became whole."),
	}}
	r.CounterFunc("chat_log_dropped", "sphere_chat_log_dropped_total",
		"Lines of chat that the log of the chat has missed.", s.said.dropped.Load)
	s.encoder.Dialect, s.encoder.Log = o.Dialect, o.Log
	return s
}

// Announce says something to all players in the world, in the server's name.
func (s *Service) Announce(message string) {
	if message = packets.PlainText(message); message != "" {
		s.Host.Command(world.Broadcast{Text: message})
	}
}
