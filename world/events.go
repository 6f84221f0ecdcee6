package world

import (
	"time"

	"sphereserver/coords"
)

// An Event is something that has happened. It is plain data and stays true whatever happens next.
type Event interface{ event() }

// A Sink is told what has happened, once per tick, in order. It runs on the ticking goroutine, so it must be quick, and
// it may keep the events but not the slice.
type Sink interface {
	Happened(events []Event)
}

type (
	// Entered tells that a player is in the world.
	Entered struct {
		ID      PlayerID
		Players int // in the world now
	}

	// EnterRefused tells that a player could not enter.
	EnterRefused struct {
		ID  PlayerID
		Why error
	}

	// Left tells that a player is out of the world, and how it was at that moment.
	Left struct {
		Player Player        // as it was then; but for its ID empty if it was not inside
		Inside bool          // it was in the world
		Played time.Duration // since it entered
	}

	// MoveRefused tells that a player's own position was not believed. It stays where it was.
	MoveRefused struct {
		ID  PlayerID
		To  coords.Position
		Why error
	}

	// Teleported tells that a player was put somewhere.
	Teleported struct {
		ID PlayerID
		To coords.Position
	}

	// VitalsTick tells a player's vitals once in a [RegenerationPeriod].
	VitalsTick struct {
		ID        PlayerID
		Vitals    Vitals
		HPChanged bool
	}

	// Population tells the number of players when it has changed.
	Population struct{ Players int }

	// Moved hands over the places of all who have moved since the last time, to be saved.
	Moved struct{ Places []Place }

	// A Place is where a character is.
	Place struct {
		Character int64
		Position  coords.Position
	}
)

func (Entered) event()      {}
func (EnterRefused) event() {}
func (Left) event()         {}
func (MoveRefused) event()  {}
func (Teleported) event()   {}
func (VitalsTick) event()   {}
func (Population) event()   {}
func (Moved) event()        {}
