package world

import (
	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A Container is what things lie in: one of these. The zero value is a player's own slots.
type Container struct {
	Object EntityID     // a bag that lies in the world
	Bag    rules.ItemID // a bag that is carried, is in the vault, or is in a bag that lies in the world
	Vault  bool         // the vault of the player's account
}

// A Target is something that a player wants to have: one of these.
type Target struct {
	Object EntityID     // what lies in the world
	Item   rules.ItemID // what is carried, in the opened vault, or in the opened bag that lies in the world
}

// containerOf names where an item of an inventory lies; false for what lies in the world by itself.
func containerOf(h *rules.Inventory, in rules.ItemID) (Container, bool) {
	switch {
	case h.Ground == nil && in == 0:
		return Container{Vault: h.Vault != 0}, true
	case h.Ground != nil && in == 0:
		return Container{}, false
	case h.Object != 0 && h.Root == in:
		return Container{Object: EntityID(h.Object)}, true
	}
	return Container{Bag: in}, true
}

// Rules are what the world has to know of kinds of things and of levels, from tables which it does not have. The methods are called on the
// ticking goroutine, must be quick, and must give the same answer for the same question. What they return is not changed.
type Rules interface {
	// Of returns the kind of a thing, nil if it is not known.
	Of(t *rules.Item) *rules.ItemKind
	// Kind returns the kind with a number, nil if there is none.
	Kind(id int) *rules.ItemKind
	// Numbers returns what a thing of a kind does.
	Numbers(k *rules.ItemKind, suffix int) rules.Numbers
	// Wear returns what a thing gives to who wears it, weakened for weak characters; false if the requirements are not met.
	Wear(k *rules.ItemKind, suffix int, by *rules.Wearer) (rules.Bonus, bool)
	// Look returns how somebody looks who wears things, by their slots, and holds one, which may be nil.
	Look(worn []rules.Item, hand *rules.Item) Worn
	// Stock lists what a townsman sells on a day of the game, the same all day; nothing if he is no trader. The list is not changed.
	Stock(t *NPC, day uint64) []rules.Offer
	// Token returns where a token leads; false if that is not known.
	Token(t *rules.Item) (coords.Position, bool)
	// Maxima returns the greatest HP and MP of somebody of these levels, without things.
	Maxima(title, degree int) (hp, mp int)
	// Points returns how many points somebody of these levels has gained, spent or not.
	Points(title, degree int) (titlePoints, degreePoints int)
}

// noRules know nothing.
type noRules struct{}

func (noRules) Of(*rules.Item) *rules.ItemKind { return nil }

func (noRules) Kind(int) *rules.ItemKind { return nil }

func (noRules) Numbers(*rules.ItemKind, int) rules.Numbers { return rules.Numbers{} }

func (noRules) Wear(*rules.ItemKind, int, *rules.Wearer) (rules.Bonus, bool) {
	return rules.Bonus{}, true
}

func (noRules) Look([]rules.Item, *rules.Item) Worn { return Worn{} }

func (noRules) Stock(*NPC, uint64) []rules.Offer { return nil }

func (noRules) Token(*rules.Item) (to coords.Position, ok bool) { return to, false }

func (noRules) Maxima(int, int) (hp, mp int) { return 0, 0 }

func (noRules) Points(int, int) (title, degree int) { return 0, 0 }
