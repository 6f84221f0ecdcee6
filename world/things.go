package world

import (
	"bytes"
	"time"

	"sphereserver/coords"
)

// An ItemID numbers a thing as the store does. Numbers are never used again.
type ItemID int64

// A Item is one thing, or one stack of things.
//
// Source: protocol ingame 10.1, 10.2.
type Item struct {
	ID            ItemID
	In            ItemID // the bag it is in; 0: in none
	Slot          int    // wire number of the slot; within a bag or a vault counted from 0
	Class         int    // class tag
	GameID        int    // row of the client's item table, 0 for classes without one
	Suffix        int    // -1: none
	Count         int    // of a stack, at least 1; of a token with charges, the charges
	Durability    int
	MaxDurability int
	Premium       int    // level, 0: none
	Bound         bool   // to its owner
	Weight        int    // of one, in the wire's units; negative for some bags
	Extra         []byte // class-dependent, protocol ingame 4.1; not to be changed
}

// same says whether two things are equal in all.
func (t *Item) same(o *Item) bool {
	return t.ID == o.ID && t.In == o.In && t.Slot == o.Slot && t.Count == o.Count && t.alike(o)
}

// alike says whether two things differ in nothing but their number, place and count.
func (t *Item) alike(o *Item) bool {
	return t.Class == o.Class && t.GameID == o.GameID && t.Suffix == o.Suffix && t.Durability == o.Durability && t.MaxDurability == o.MaxDurability &&
		t.Premium == o.Premium && t.Bound == o.Bound && t.Weight == o.Weight && bytes.Equal(t.Extra, o.Extra)
}

// A Container is what things lie in: one of these. The zero value is a player's own slots.
type Container struct {
	Object ObjectID // a bag that lies in the world
	Bag    ItemID   // a bag that is carried, is in the vault, or is in a bag that lies in the world
	Vault  bool     // the vault of the player's account
}

// A Target is something that a player wants to have: one of these.
type Target struct {
	Object ObjectID // what lies in the world
	Item   ItemID   // what is carried, in the opened vault, or in the opened bag that lies in the world
}

// StoredItem is a thing and whose it is, as a store keeps it: exactly one of Owner, Vault and Lying is there.
type StoredItem struct {
	Item
	Owner    int64     // number of the character that carries it
	Vault    int64     // number of the account in whose vault it is
	OnGround *OnGround // how it lies in the world; not to be changed
}

// OnGround is how a thing lies in the world.
type OnGround struct {
	At            coords.Position
	Expires       time.Time // zero: never
	Promised      int64     // only this character may take it; 0: everybody
	PromisedUntil time.Time
}

// A Change is what happens to belongings at once: all of it or nothing. It says what was before, and a store refuses it when it
// has something else.
type Change struct {
	Items    []ItemChange
	Money    []MoneyChange
	Progress []ProgressChange
}

type (
	// A ItemChange is what becomes of one thing. What ceases to be inside something that ceases to be comes before that.
	ItemChange struct {
		Was *StoredItem // nil: it is new, its ID is 0, and the store gives it a number
		Is  *StoredItem // nil: it is gone. Its In may be -n for the thing of the n-th ThingChange.
	}

	// A MoneyChange is what becomes of a character's money.
	MoneyChange struct {
		Character int64
		Was, Is   int64 // 0 to MaxMoney
	}

	// A ProgressChange is how a character now is. The store need not have had what was before.
	ProgressChange struct {
		Character     int64
		Title, Degree int // absolute levels less one
		Progress      Progress
		Pools         Pools // without the maxima of HP and MP, which are computed
	}
)

// MaxMoney is the most that a character can own.
const MaxMoney = 1<<31 - 1

// A ItemKind is what all things of one kind have in common.
type ItemKind struct {
	ID      int // by which operators name it
	Class   int
	GameID  int
	Slots   []int  // in which it is worn, the usual one first; wire numbers
	Hand    bool   // it may be held in the hand
	Stack   int    // how many lie in one place, at least 1
	Extra   []byte // of a new one
	Rows    int    // how many suffixes there are for it
	Premium int    // of a new one
}

// Numbers are what a thing of a kind does, with its suffix. Signs are those of the client's tables: attack and costs are negative.
type Numbers struct {
	Attack, Magic int // of the thing in hand; magic that heals is positive
	MPEffect      int
	UseHP, UseMP  int // what one use costs
	Weight        int
	Durability    int // 0: it does not wear out
	Price         int // of one
}

// Stats are the eight statistics: strength, agility, accuracy, endurance, earth, air, water, fire.
type Stats [8]int

// A Bonus is what who wears a thing gets. Attack and Magic are negative.
type Bonus struct {
	HP, MP                          int
	Attack, Magic                   int
	PhysicalDefence, MagicalDefence int
	Stats                           Stats
}

func (b *Bonus) add(o *Bonus, sign int) {
	b.HP += sign * o.HP
	b.MP += sign * o.MP
	b.Attack += sign * o.Attack
	b.Magic += sign * o.Magic
	b.PhysicalDefence += sign * o.PhysicalDefence
	b.MagicalDefence += sign * o.MagicalDefence
	for i := range b.Stats {
		b.Stats[i] += sign * o.Stats[i]
	}
}

// A Wearer is what counts of a player when it wants to use a thing.
type Wearer struct {
	Title, Degree    int // absolute levels less one
	Karma            int // type, 1 to 5
	Guild, GuildRank int
	Stats            Stats // base values plus bonuses of what is worn
}

// An Offer is one article of a trader.
type Offer struct {
	Kind   *ItemKind
	Suffix int // -1: none
	Count  int // how many are sold at once at most
	Price  int // of one
}

// Rules are what the world has to know of kinds of things and of levels, from tables which it does not have. The methods are called on the
// ticking goroutine, must be quick, and must give the same answer for the same question. What they return is not changed.
type Rules interface {
	// Of returns the kind of a thing, nil if it is not known.
	Of(t *Item) *ItemKind
	// Kind returns the kind with a number, nil if there is none.
	Kind(id int) *ItemKind
	// Numbers returns what a thing of a kind does.
	Numbers(k *ItemKind, suffix int) Numbers
	// Wear returns what a thing gives to who wears it, weakened for weak characters; false if the requirements are not met.
	Wear(k *ItemKind, suffix int, by *Wearer) (Bonus, bool)
	// Look returns how somebody looks who wears things, by their slots, and holds one, which may be nil.
	Look(worn []Item, hand *Item) Worn
	// Stock lists what a townsman sells on a day of the game, the same all day; nothing if he is no trader. The list is not changed.
	Stock(t *NPC, day uint64) []Offer
	// Token returns where a token leads; false if that is not known.
	Token(t *Item) (coords.Position, bool)
	// Maxima returns the greatest HP and MP of somebody of these levels, without things.
	Maxima(title, degree int) (hp, mp int)
	// Points returns how many points somebody of these levels has gained, spent or not.
	Points(title, degree int) (titlePoints, degreePoints int)
}
