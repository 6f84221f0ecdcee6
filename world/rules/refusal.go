package rules

import (
	"fmt"
	"time"
)

// DeclineCooldown is how long a player that has declined an invitation to a party, a challenge to a duel, a trade or a
// mission hears nothing of the same from the same player. It is ours.
const DeclineCooldown = 15 * time.Second

// A RejectReason is the reason why the world refuses a request.
type RejectReason uint8

// The refusals. Their texts are in refusalNames.
const (
	NobodyThere RejectReason = iota + 1
	Yourself
	NotAllowed
	UnknownChannel
	Muted // for the server's own use: the world mutes no player
	NoClan
	NoParty
	AlreadyInParty
	AlreadyApplied
	TheyHaveNoParty
	PartyFull
	NotLeader
	NotMember
	NotApplied
	Declined
	NotInSight
	TooFar
	NoPortal
	LeadsNowhere // it is not known where the portal or token leads
	StoreFailed
	Busy
	BusyObject
	Promised
	NotYours
	NoSlot
	Occupied
	EmptySlot
	NoRoom
	Lacking
	LacksTitle
	LacksDegree
	LacksGuild
	IsBound
	TooDeep // a bag would lie in itself, or in too many others
	NotEmpty
	NoContainer // nothing can lie in it
	NotOpen
	NoUse
	Dead
	BadPlace
	TooMuchThere
	NoTrader
	NoArticle
	WrongCount
	TooPoor
	Exhausted
	TooRich
	Worthless
	NoTitlePoints
	NoDegreePoints
	NoKind
	NoLevel
	TooSoon
	Stunned
	TargetDead
	NoTarget
	NotInHand // one strikes with the item in the hand
	NoArrows
	PartyMember
	PeacefulPlace
	TheirPeacefulPlace
	TooLow
	TheyTooLow
	Protected
	HasGuild // a player that begins again must leave the guild first
	NotSixty
	Greatest
	AlreadyReset
	TitleLow // not above the level that a reset leaves
	DegreeLow
	Alive
	NoInstance
	NoCell
	NoTeleport // tokens are used on teleports
	NeedsToken
	Broken
	OtherContinent
	KarmaTooBad
	KarmaTooGood
	NotCalm
	UnderWay
	NeedsLicence
	HasLicence
	NeedsKey
	WrongKey
	InBag
	NoGiver
	HasMission
	NoMission
	MissionTooSoon
	TitleTooLow
	TitleTooHigh
	DegreeTooLow
	DegreeTooHigh
	KarmaTooLow
	NotFulfilled
	NoChallenge
	NothingSpent
	NoGuild // the player has no speciality to give up
	TheyHaveParty
	AlreadyInvited
	NoInvitation
	OnOffer
	TheyAreBusy
	Fighting
	JustChanged
	TheyCannotTake // the player named cannot take the key of a mission
	PassedTooLate
	NotItsOwner // only a player that has a mission from its giver may pass it on
	LevelsDiffer
	NoGuildMaster
	OtherGuild
	GuildTop
	IgnoresYou
	TheyHaveChallenge
	JustDeclined
	PriceTooLow
	NotTrading     // a player trades with nobody
	AlreadyTrading // with that player
	NoToken        // of those that lead there
	GoalNotOffered // by the giver of missions
	NoDungeon      // the mission is not in one
	InDungeon      // a player is there already
	NotInDungeon
	NobodyWaits // for the thing or the person of a mission
	JustApplied
	NoSmith
	NothingWorn // of what is to be repaired, nothing has lost durability
	NeverWears  // the item has no durability to lose
	TheyAreTooPoor
)

// refusalNames are the refusals in English, for logs.
var refusalNames = [...]string{
	NobodyThere: "nobody of that name is in the world", Yourself: "one's own name", NotAllowed: "not allowed",
	UnknownChannel: "unknown channel", Muted: "muted", NoClan: "no clan", NoParty: "no group",
	AlreadyInParty: "already in a group", AlreadyApplied: "already applied",
	TheyHaveNoParty: "that player has no group", PartyFull: "the group is full", NotLeader: "not the leader",
	NotMember: "not in the group", NotApplied: "has not applied", Declined: "the leader declined",
	NotInSight: "not in sight", TooFar: "too far away", NoPortal: "not a portal", LeadsNowhere: "leads nowhere known",
	StoreFailed: "could not be stored", Busy: "too many requests at once", BusyObject: "somebody else is changing it",
	Promised: "promised to somebody else", NotYours: "not one's own", NoSlot: "not a slot for it",
	Occupied: "the slot is occupied", EmptySlot: "the slot is empty", NoRoom: "no room",
	Lacking: "requirements are not met", LacksTitle: "the item wants a higher title",
	LacksDegree: "the item wants a higher degree", LacksGuild: "the item is for another guild or rank",
	IsBound: "bound to its owner", TooDeep: "bags too deep in bags", NotEmpty: "not empty",
	NoContainer: "not a container", NotOpen: "not open", NoUse: "of no use", Dead: "dead",
	BadPlace: "not a place", TooMuchThere: "too much lies there", NoTrader: "not a trader",
	NoArticle: "no such article at that price", WrongCount: "not in that number",
	TooPoor: "not enough money", Exhausted: "not enough HP or MP", TooRich: "more money than one can have",
	Worthless:     "worth nothing",
	NoTitlePoints: "not enough points of the title", NoDegreePoints: "not enough points of the degree",
	NoKind: "no such kind or suffix", NoLevel: "no such level",
	TooSoon: "too soon", Stunned: "stunned", TargetDead: "the target is dead", NoTarget: "not a target",
	NotInHand: "not in the hand", NoArrows: "no arrows", PartyMember: "of one's own group",
	PeacefulPlace: "a peaceful place", TheirPeacefulPlace: "that player is in a peaceful place",
	TooLow: "of too low a level", TheyTooLow: "that player is of too low a level", Protected: "protected for a while",
	HasGuild: "in a guild", NotSixty: "neither title nor degree is at 60", Greatest: "the limit of greatness is reached",
	AlreadyReset: "done already", TitleLow: "the title is low already", DegreeLow: "the degree is low already",
	Alive: "alive", NoInstance: "no such instance",
	NoCell:     "no room for another instance",
	NoTeleport: "not on a teleport", NeedsToken: "a token is needed", Broken: "a broken teleport",
	OtherContinent: "on another continent", KarmaTooBad: "of too bad a karma", KarmaTooGood: "of too good a karma",
	NotCalm: "hurt a moment ago", UnderWay: "trading, or teleported a moment ago", NeedsLicence: "a licence is needed",
	HasLicence: "has the licence already", NeedsKey: "a key is needed", WrongKey: "not the key of that door",
	InBag:   "in a bag",
	NoGiver: "nobody gives missions here", HasMission: "has a mission already", NoMission: "no mission",
	MissionTooSoon: "too soon after the last mission", TitleTooLow: "the title is too low",
	TitleTooHigh: "the title is too high", DegreeTooLow: "the degree is too low", DegreeTooHigh: "the degree is too high",
	KarmaTooLow: "the karma is too bad", NotFulfilled: "not fulfilled yet",
	NoChallenge: "nobody has challenged", NothingSpent: "nothing was spent", NoGuild: "in no guild",
	TheyHaveParty: "that player is in a group", AlreadyInvited: "invited already", NoInvitation: "no such invitation",
	OnOffer: "offered to another player", TheyAreBusy: "that player trades or fights", Fighting: "in a fight",
	JustChanged: "the offer has just changed", TheyCannotTake: "that player cannot take the mission",
	PassedTooLate: "too late for passing the mission on", NotItsOwner: "the mission was passed on already",
	LevelsDiffer:  "the levels are too different",
	NoGuildMaster: "no guild master is near",
	OtherGuild:    "in another guild", GuildTop: "of the last rank of the guild",
	IgnoresYou:        "ignored by that player",
	TheyHaveChallenge: "challenged by another already",
	JustDeclined:      "declined a moment ago",
	PriceTooLow:       "at too low a price",
	NotTrading:        "trades with nobody", AlreadyTrading: "trades with that player already",
	NoToken: "no such token", GoalNotOffered: "not among the goals of that giver",
	NoDungeon: "the mission is not in a dungeon", InDungeon: "in the dungeon already",
	NotInDungeon: "not in the dungeon of a mission", NobodyWaits: "nobody near waits for it",
	JustApplied: "applied a moment ago", NoSmith: "no smith is near", NothingWorn: "nothing is worn",
	NeverWears: "does not wear", TheyAreTooPoor: "that player has not enough money",
}

// String implements fmt.Stringer.
func (r RejectReason) String() string {
	if int(r) < len(refusalNames) && refusalNames[r] != "" {
		return refusalNames[r]
	}
	return fmt.Sprintf("refusal %d", uint8(r))
}
