package rules

import "sphereserver/coords"

// MaxMoney is the most that a character can own.
const MaxMoney = 1<<31 - 1

// A Change is what happens at once to what characters own and are: all of it or nothing. It says what was before, and a
// store refuses it when it has something else: whatever a program gets wrong, nothing is doubled or lost.
type Change struct {
	Items    []ItemChange
	Money    []MoneyChange
	Progress []ProgressChange
	Places   []PlaceChange
}

type (
	// ItemChange is what becomes of one item. What ceases to be inside something that ceases to be comes before that.
	ItemChange struct {
		Was *StoredItem // nil: it is new, its ID is 0, and the store gives it a number
		Is  *StoredItem // nil: it is gone. Its In may be -n for the item of the n-th ItemChange.
	}

	// A MoneyChange is what becomes of a character's money.
	MoneyChange struct {
		Character int64
		Was, Is   int64 // 0 to MaxMoney
	}

	// A ProgressChange is how a character now is. The store need not have had what was before.
	ProgressChange struct {
		Character     int64
		Revision      int64 // of the character from now on
		Title, Degree int   // absolute levels less one
		Progress      Progress
		Pools         Pools // without the maxima of HP and MP, which are computed
	}

	// A PlaceChange is where a character now is: together with what a journey has cost. The store need not have had
	// another place before.
	PlaceChange struct {
		Character int64
		Revision  int64 // of the character from now on
		Is        coords.Position
	}
)
