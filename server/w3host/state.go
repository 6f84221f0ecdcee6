package w3host

import "fmt"

// A State is how far a connection has come. Once it has joined it is the game's.
type State uint8

// The states, in the order in which they follow each other; Playing and Waiting alternate.
const (
	Joining   State = iota // connected, and not in a game yet; a join that succeeds moves to Lobby
	Lobby                  // choosing, until enough players are ready or the operator starts
	Countdown              // nothing can be chosen any more; time moves to Loading
	Loading                // the map; the last that has loaded moves to Playing
	Playing                // until a player is far behind
	Waiting                // for players that have fallen behind: no ticks
	Over                   // ended, connections close in a moment
	states                 // count
)

var stateNames = [states]string{"joining", "lobby", "countdown", "loading", "playing", "waiting", "over"}

// String returns the state as logs and operators see it.
func (s State) String() string {
	if s < states {
		return stateNames[s]
	}
	return fmt.Sprintf("State(%d)", uint8(s))
}
