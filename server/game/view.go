package game

import (
	"slices"

	"sphereserver/world"
)

// A View is what the server knows of what one client has been shown. It belongs to the world's goroutine. Every message about
// somebody or something else passes through it: a spawn only for what the client does not hold, changes and the removal only
// of what it does. A client that is told of what it does not know crashes.
//
// The objects that the client holds are in [things], by the ids that it calls them.
type View struct {
	box     *outbox          // of this tick, nil before the first message of it
	players []world.PlayerID // that the client holds, sorted
	maxHP   int              // of the session's own player, that others were told by a change; 0 for none
}

// holds says whether the client holds a player.
func (v *View) holds(id world.PlayerID) bool {
	_, found := slices.BinarySearch(v.players, id)
	return found
}

// hold notes that the client is given a player; false says that it holds it already.
func (v *View) hold(id world.PlayerID) bool {
	at, found := slices.BinarySearch(v.players, id)
	if found {
		return false
	}
	v.players = slices.Insert(v.players, at, id)
	return true
}

// drop notes that a player is taken from the client; false says that it does not hold it.
func (v *View) drop(id world.PlayerID) bool {
	at, found := slices.BinarySearch(v.players, id)
	if found {
		v.players = slices.Delete(v.players, at, at+1)
	}
	return found
}
