package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// An Event is something that has happened. There are two sorts:
//
//   - Values, such as [Entered] or [PartyJoined]: plain data, which may be kept and never changes.
//   - Pointers, such as *[Appeared], *[Moved] or *[Said]: events that come many times in each tick. They, and the
//     values that they point to, are the world's own memory, which it uses again: valid and not to be changed while
//     [Sink.Happened] runs, and not after it.
//
// A *[Player] in an event is the player as it is at the end of the tick.
type Event interface{ event() }

// A Command is something that the world is to do in its next tick.
type Command interface {
	who() PlayerID // the player that it concerns; 0: none
}

// A Sink gets the events, once per tick, in order. It runs on the ticking goroutine, so it must be quick. It may keep
// the events that are values, but neither those that are pointers nor the slice.
type Sink interface {
	Happened(events []Event)
}

// Events that are values.
type (
	// Entered tells that a player is in the world. It comes before everything that this player sees.
	Entered struct {
		ID      PlayerID
		At      coords.Position
		Players int // in the world now
	}

	// EnterRefused tells that a player could not enter.
	EnterRefused struct {
		ID  PlayerID
		Why error
	}

	// Left tells that a player is out of the world, and how it was at that moment. It comes after it has vanished for all
	// others; it is itself told of nothing vanishing.
	Left struct {
		Player Player        // as it was then; empty except for its ID if it was not inside
		Inside bool          // it was in the world
		Played time.Duration // since it entered
	}

	// MoveRefused tells that a position which a client reported was refused: the player stays where it was, and
	// [Teleported] follows. If the client cannot know yet that the player was moved, Why is nil and nothing follows.
	MoveRefused struct {
		ID  PlayerID
		To  coords.Position
		At  coords.Position // where it stays
		Why error
	}

	// Teleported tells that a player was put somewhere. It comes before all that vanishes and appears by that.
	Teleported struct {
		ID PlayerID
		To coords.Position
	}

	// PoolsTick tells a player's pools once in a [rules.RegenerationPeriod].
	PoolsTick struct {
		ID        PlayerID
		Pools     rules.Pools
		HPChanged bool // by this regeneration
	}

	// Population tells the number of players when it has changed.
	Population struct{ Players int }

	// SaveDue hands over the volatile state of all players in which it has changed since the last time.
	SaveDue struct{ States []rules.LiveState }

	// GroundLearned hands over the heights of the ground that players have taught since the last time.
	GroundLearned struct{ Cells []rules.GroundCell }

	// SayRefused tells that a line reached no player.
	SayRefused struct {
		From    PlayerID
		Channel Channel
		To      string // addressee of a private line
		Why     rules.RejectReason
	}

	// PortalRefused tells that a player was not let through a portal.
	PortalRefused struct {
		ID     PlayerID
		Object EntityID
		Why    rules.RejectReason
	}
)

// Events that are pointers: valid during [Sink.Happened] only. For each viewer, appearing comes before anything else
// about an entity, vanishing after it. An entity that has appeared to a viewer in a tick is shown as it is at the end
// of the tick, so that viewer is not told of its changes in that tick.
type (
	// Appeared tells that a player now sees another.
	Appeared struct {
		Viewer PlayerID
		Player *Player
	}

	// Vanished tells that a player does not see an entity any more.
	Vanished struct {
		Viewer PlayerID
		ID     EntityID
	}

	// ObjectAppeared tells that a player now sees an object.
	ObjectAppeared struct {
		Viewer PlayerID
		Object *Object
	}

	// Moved tells where an entity has gone, in every second tick, if it is another place by more than 0.01 m on an axis,
	// or another direction in steps of a [coords.Angle8].
	Moved struct {
		ID      EntityID
		To      coords.Position
		Viewers []PlayerID // at least one
	}

	// ObjectPlaced tells that an object was teleported.
	ObjectPlaced struct {
		ID      EntityID
		To      coords.Position
		Viewers []PlayerID // those that see it before and after, at least one
	}

	// TeleportSeen tells that a player was teleported and is still seen.
	TeleportSeen struct {
		ID      PlayerID
		To      coords.Position
		Viewers []PlayerID // those that see it before and after, at least one
	}

	// AppearanceChanged tells that a player looks different.
	AppearanceChanged struct {
		Player  *Player
		Before  Appearance
		Viewers []PlayerID // at least one
	}

	// HealthSeen tells that an entity's HP or their maximum have changed.
	HealthSeen struct {
		ID        EntityID
		HP, MaxHP int
		Viewers   []PlayerID // at least one
	}

	// Said tells that something was said.
	Said struct {
		From    PlayerID // 0 for the server
		Name    string   // of the speaker, empty for the server
		Channel Channel  // [Special] for the server
		Text    string
		To      []PlayerID // the recipients, the speaker among them
	}
)

func (Entered) event()            {}
func (EnterRefused) event()       {}
func (Left) event()               {}
func (MoveRefused) event()        {}
func (Teleported) event()         {}
func (PoolsTick) event()          {}
func (Population) event()         {}
func (SaveDue) event()            {}
func (GroundLearned) event()      {}
func (SayRefused) event()         {}
func (PortalRefused) event()      {}
func (*Appeared) event()          {}
func (*Vanished) event()          {}
func (*ObjectAppeared) event()    {}
func (*Moved) event()             {}
func (*ObjectPlaced) event()      {}
func (*TeleportSeen) event()      {}
func (*AppearanceChanged) event() {}
func (*HealthSeen) event()        {}
func (*Said) event()              {}

// A Channel is a way to say something, with the numbers of the wire.
//
// Source: protocol ingame 15.2.
type Channel uint8

// The channels.
const (
	Near     Channel = 0
	Whisper  Channel = 1
	Normal   Channel = 2
	Trade    Channel = 3
	Clan     Channel = 4
	Party    Channel = 5
	ClanSay  Channel = 11
	PartySay Channel = 12
	Alliance Channel = 13
	Private  Channel = 15
	Special  Channel = 16 // game masters to all
)

// EntityFailed tells that code about an entity has panicked: a defect of ours. No player sees it any more, and it
// does nothing. For a player [Leave] has to follow, and is answered with the last known state of the player; any
// other entity is out of the world.
type EntityFailed struct {
	ID  EntityID // of a player if it is at most [MaxPlayerID]
	Err error    // with the stack
}

func (EntityFailed) event() {}

// PoolsChanged tells a player that its pools have changed, and only they. Regeneration has [PoolsTick] instead.
type PoolsChanged struct {
	ID          PlayerID
	Before, Now rules.Pools
}

func (*PoolsChanged) event() {}
