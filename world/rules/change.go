package rules

import "sphereserver/coords"

// MaxMoney is the most that a character can own.
const MaxMoney = 1<<31 - 1

// A Change is a change at once of characters and their belongings: all of it or nothing. It has the state before, and
// a store refuses it in another state: so no error of a program doubles or loses an item.
type Change struct {
	Items    []ItemChange
	Money    []MoneyChange
	Progress []ProgressChange
	Places   []PlaceChange
}

type (
	// ItemChange is the change of one item. An item that ends inside another one that ends comes before that.
	ItemChange struct {
		Was *StoredItem // nil: it is new, its ID is 0, and the store gives it a number
		Is  *StoredItem // nil: it is gone. Its In may be -n for the item of the n-th ItemChange.
	}

	// A MoneyChange is the change of a character's money.
	MoneyChange struct {
		Character int64
		Was, Is   int64 // 0 to MaxMoney
	}

	// A ProgressChange is the new progress of a character. The store need not have had the state before.
	ProgressChange struct {
		Character     int64
		Revision      int64 // of the character from now on
		Title, Degree int   // absolute levels less one
		Progress      Progress
		Pools         Pools // without the maxima of HP and MP, which are computed
	}

	// A PlaceChange is the new place of a character: together with the cost of a journey. The store need not have had
	// another place before.
	PlaceChange struct {
		Character int64
		Revision  int64 // of the character from now on
		Is        coords.Position
	}
)
