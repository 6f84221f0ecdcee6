package rules

import "slices"

// Ignored are the numbers of the characters that a character ignores. A slice of them is never changed.
type Ignored []int64

// Has reports whether a character is among them.
func (l Ignored) Has(character int64) bool { return slices.Contains(l, character) }

// Refuses reports whether the lines of a character do not reach the list's owner, and its wishes for a trade, a
// party, a clan, a mission or a duel are refused. Game masters are heard by all.
//
// Source: protocol life 13; that wishes are refused, too, is ours.
func (l Ignored) Refuses(character int64, gameMaster bool) bool {
	return !gameMaster && l.Has(character)
}
