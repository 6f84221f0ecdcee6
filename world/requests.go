package world

import (
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// Requests are commands of players and operators that concern belongings. Each is checked; what is not allowed is answered by [Refused] and changes
// nothing. What changes what lasts is told by [CommitRequest] first, and done when [Committed] says that it is durable. Until then further requests of the
// player wait, [Options].Waiting at most. A request of a player who is not inside is dropped; one of an operator for such a player is refused.
type (
	// MoveItem moves a thing between slots of one container; onto a stack of the same it is added to that. [ItemMoved] follows.
	MoveItem struct {
		ID       PlayerID
		In       Container
		From, To int
	}

	// SwapItems lets two things in one container trade places, or adds the first to the second if they are stacks of the
	// same. [ItemMoved] follows.
	SwapItems struct {
		ID                    PlayerID
		First, Second         rules.ItemID
		FirstSlot, SecondSlot int
	}

	// PutInto puts something into a given slot of a container, from wherever it is; onto a stack of the same it is added to that.
	// [TookUp] follows if it comes to the player, otherwise [PutAway].
	PutInto struct {
		ID   PlayerID
		What Target
		Into Container
		Slot int
	}

	// PickUp takes something into the player's inventory: onto a stack of the same if it fits, otherwise into the first free slot.
	// [TookUp] follows.
	PickUp struct {
		ID   PlayerID
		What Target
	}

	// TakeAll takes all that fits from a bag that lies in the world. [TookUp] follows.
	TakeAll struct {
		ID  PlayerID
		Bag ObjectID
	}

	// Drop puts a carried thing, with all that is in it, on the ground. [ItemDropped] follows.
	Drop struct {
		ID   PlayerID
		Item rules.ItemID
		At   coords.Position
	}

	// Drag moves what lies on the ground. [Dragged] follows.
	Drag struct {
		ID     PlayerID
		Object ObjectID
		To     coords.Position
	}

	// TakeInHand takes a thing that lies in an inventory slot into the hand, where it stays in its slot; 0 empties the hand. [HandChanged] follows.
	TakeInHand struct {
		ID    PlayerID
		Item  rules.ItemID
		Fists bool // with Item 0: fists and not the empty hand
	}

	// UseItem uses a carried thing: what is worn is put on or taken off ([ItemMoved] follows), a bag is opened ([Opened]),
	// anything else is [Used].
	UseItem struct {
		ID     PlayerID
		Item   rules.ItemID
		Target Target // the zero value: none
	}

	// Open shows a player what is in a container. [Opened] follows.
	Open struct {
		ID   PlayerID
		What Container
	}

	// Close ends what [Open] has begun. [Closed] follows if it was open. It is always allowed.
	Close struct {
		ID   PlayerID
		What Container
	}

	// OpenTrade begins to trade: with a trader [TradeOpened] follows, with a banker [Opened] for the vault.
	OpenTrade struct {
		ID     PlayerID
		Trader ObjectID
	}

	// CloseTrade ends that. [TradeClosed] follows if there was a trade. It is always allowed.
	CloseTrade struct{ ID PlayerID }

	// Buy buys from the trader with whom the player trades. [Bought] follows.
	Buy struct {
		ID     PlayerID
		Trader ObjectID
		Slot   int // index in the goods, from 0
		Price  int // of one, as the player knows it
		Count  int
	}

	// OfferForSale asks the trader what he pays. [Offered] follows.
	OfferForSale struct {
		ID        PlayerID
		TradeSlot int // 0 to 31
		Item      rules.ItemID
	}

	// AcceptPrice sells what was offered. [Sold] follows.
	AcceptPrice struct {
		ID        PlayerID
		TradeSlot int
		Price     int64
	}

	// SpendPoints raises base values, in the order of [rules.Stats]; what is negative counts as 0. The first four cost points of the title, the others
	// points of the degree. [StatsChanged] follows.
	SpendPoints struct {
		ID    PlayerID
		Spend rules.Stats
	}

	// Give makes new things in a player's inventory. [Granted] follows, as for all that operators do.
	Give struct {
		To     PlayerID
		Kind   int // number of the kind
		Suffix int // -1: none
		Count  int // of things that do not stack, at most 10
		Extra  []byte
		Tag    uint64 // for who asks, to know the answer; as in all that operators do
	}

	// Clear takes what a player carries out of existence.
	Clear struct {
		ID  PlayerID
		All bool // also what it wears; otherwise only what is in its inventory, bags there with their contents
		Tag uint64
	}

	// GiveMoney changes a player's money.
	GiveMoney struct {
		To     PlayerID
		Amount int64 // negative: taken
		Tag    uint64
	}

	// SetLevels sets a player's levels, without experience for the next. Points that it has spent stay spent.
	SetLevels struct {
		ID            PlayerID
		Title, Degree int // absolute levels less one, 0 to 239
		Tag           uint64
	}

	// Committed answers [CommitRequest]: the change is durable, or it has not been made and never will. There is exactly one answer to
	// each Persist.
	Committed struct {
		Seq uint64
		IDs []rules.ItemID // of the things in Change.Things, in order
		Err error
	}

	// RestoreGroundItem puts into the world what lies there when the server starts: Things[0] lies, all others are in it, bags before contents.
	RestoreGroundItem struct {
		Things []rules.Item
		Lying  rules.OnGround
	}

	// DropLoot makes new things that lie in the world, such as what a monster leaves. Nothing is told but [CommitRequest], and what appears.
	DropLoot struct {
		Things []rules.Item // without numbers; In does not count. A count of 0 counts as 1.
		Bag    *rules.Item  // in which they lie, in slots from 0; nil: each by itself
		Lying  rules.OnGround
	}
)

// A request is a command that a player's belongings have to be free for.
type request interface {
	Command
	who() PlayerID
	// ask checks what is asked, and does it or begins to.
	ask(w *World, p *player, now time.Time) rules.RejectReason
}

func (c MoveItem) who() PlayerID     { return c.ID }
func (c SwapItems) who() PlayerID    { return c.ID }
func (c PutInto) who() PlayerID      { return c.ID }
func (c PickUp) who() PlayerID       { return c.ID }
func (c TakeAll) who() PlayerID      { return c.ID }
func (c Drop) who() PlayerID         { return c.ID }
func (c Drag) who() PlayerID         { return c.ID }
func (c TakeInHand) who() PlayerID   { return c.ID }
func (c UseItem) who() PlayerID      { return c.ID }
func (c Open) who() PlayerID         { return c.ID }
func (c Close) who() PlayerID        { return c.ID }
func (c OpenTrade) who() PlayerID    { return c.ID }
func (c CloseTrade) who() PlayerID   { return c.ID }
func (c Buy) who() PlayerID          { return c.ID }
func (c OfferForSale) who() PlayerID { return c.ID }
func (c AcceptPrice) who() PlayerID  { return c.ID }
func (c SpendPoints) who() PlayerID  { return c.ID }
func (c Give) who() PlayerID         { return c.To }
func (c Clear) who() PlayerID        { return c.ID }
func (c GiveMoney) who() PlayerID    { return c.To }
func (c SetLevels) who() PlayerID    { return c.ID }
