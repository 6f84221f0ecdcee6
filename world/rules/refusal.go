package rules

import (
	"fmt"
	"time"
)

// DeclineCooldown is how long a player that has declined an invitation to a party or a challenge to a duel hears
// nothing of the same from the same player. It is ours.
const DeclineCooldown = 15 * time.Second

// A RejectReason is the reason why the world refuses a request.
type RejectReason uint8

// The refusals.
const (
	NobodyThere        RejectReason = iota + 1 // no player of that name is in the world
	Yourself                                   // the request names its own player
	NotAllowed                                 // the role does not suffice
	UnknownChannel                             // no channel has that number
	Muted                                      // for the server's own use: the world mutes no player
	NoClan                                     // the player has no clan
	NoParty                                    // the player has no party
	AlreadyInParty                             // the player has a party already
	AlreadyApplied                             // the player waits for that party's answer already
	TheyHaveNoParty                            // the player named has no party, or it is gone
	PartyFull                                  // the party has as many members as it may have
	NotLeader                                  // only the leader of the party may do this
	NotMember                                  // the player named is not in the party
	NotApplied                                 // the player named has not applied to the party
	Declined                                   // the leader does not want the applicant
	NotInSight                                 // the object named is not in sight
	TooFar                                     // the object is out of reach
	NoPortal                                   // the object named is not a portal
	LeadsNowhere                               // it is not known where the portal or token leads
	StoreFailed                                // the change could not be made durable
	Busy                                       // too many requests wait for an answer
	BusyObject                                 // another player is changing the object
	Promised                                   // it is promised to another player for a while
	NotYours                                   // the player has no such item, or may not take it from where it is
	NoSlot                                     // no such slot, or nothing of this kind may lie there
	Occupied                                   // something else lies there
	EmptySlot                                  // nothing lies there
	NoRoom                                     // no slot is free
	Lacking                                    // the requirements of the item are not met
	LacksTitle                                 // the item wants a higher title
	LacksDegree                                // the item wants a higher degree
	LacksGuild                                 // the item is for another guild, or a higher rank of it
	IsBound                                    // bound items stay with their owner
	TooDeep                                    // a bag would lie in itself, or in too many others
	NotEmpty                                   // something is in it
	NoContainer                                // nothing can lie in it
	NotOpen                                    // the container or trade is not open
	NoUse                                      // no use of it is known
	Dead                                       // the dead do nothing
	BadPlace                                   // not a place in the world
	TooMuchThere                               // too many items lie there already
	NoTrader                                   // the object named does not trade
	NoArticle                                  // the trader has no such article, or at another price
	WrongCount                                 // so many are not to be had at once, or none
	TooPoor                                    // not enough money
	Exhausted                                  // not enough HP or MP
	TooRich                                    // more money than a character can have
	Worthless                                  // the trader pays nothing for it
	NoTitlePoints                              // not enough points of the title
	NoDegreePoints                             // not enough points of the degree
	NoKind                                     // no such kind or suffix
	NoLevel                                    // no such level
	TooSoon                                    // the last blow was not long enough ago
	Stunned                                    // a stunned player does not strike
	TargetDead                                 // dead or dying targets cannot be struck
	NoTarget                                   // the object named cannot be struck
	NotInHand                                  // one strikes with the item in the hand
	NoArrows                                   // a crossbow needs arrows
	PartyMember                                // the player named is of one's own party
	PeacefulPlace                              // the player is in a place where players do not fight each other
	TheirPeacefulPlace                         // the player named is
	TooLow                                     // the player has not the level to fight players
	TheyTooLow                                 // the player named has not
	Protected                                  // the player named has just come back to life
	HasGuild                                   // a player that begins again must leave the guild first
	NotSixty                                   // neither title nor degree is at 60
	Greatest                                   // there is no cycle beyond the one that is reached
	AlreadyReset                               // that can be done once, and has been
	LowAlready                                 // the level is not above the one that it would become
	Alive                                      // only the dead are revived
	NoInstance                                 // there is no instance of that number
	NoCell                                     // there are as many instances as there can be
	NoTeleport                                 // tokens are used on teleports
	NeedsToken                                 // the teleport wants a token to be used on it
	Broken                                     // the teleport does not work
	OtherContinent                             // no token leads from one continent to another
	KarmaTooBad                                // the player has too bad a karma
	KarmaTooGood                               // the player has not karma bad enough
	NotCalm                                    // the player has been hurt a moment ago
	UnderWay                                   // the player trades, or was teleported a moment ago
	NeedsLicence                               // the great teleport wants a licence
	HasLicence                                 // the player has it already
	NeedsKey                                   // the door wants its key
	WrongKey                                   // the key is that of another door
	InBag                                      // an item to be used must lie in the inventory, not in a bag
	NoGiver                                    // no giver of missions is near
	HasMission                                 // the player has a mission already
	NoMission                                  // the player has none, or there is none to be had
	MissionTooSoon                             // the last mission was not long enough ago
	TitleTooLow                                // the player has too low a title
	TitleTooHigh                               // the player has too high a title
	DegreeTooLow                               // the player has too low a degree
	DegreeTooHigh                              // the player has too high a degree
	KarmaTooLow                                // the player has too bad a karma for a mission
	NotFulfilled                               // the mission is not fulfilled yet
	NoChallenge                                // there is no challenge to answer
	NothingSpent                               // there is nothing to get back
	NoGuild                                    // the player has no speciality to give up
	TheyHaveParty                              // the player named has a party already
	AlreadyInvited                             // the player named has an invitation to answer
	NoInvitation                               // there is no such invitation, or it is over
	OnOffer                                    // the item is offered to another player
	TheyAreBusy                                // the player named trades or fights
	Fighting                                   // the player fights
	JustChanged                                // the offer has changed a moment ago
	TheyCannotTake                             // the player named cannot take the key of a mission
	PassedTooLate                              // the time for passing the mission on is over
	NotItsOwner                                // only a player that has a mission from its giver may pass it on
	LevelsDiffer                               // the mission is not for the level of the player named
	NoGuildMaster                              // nobody of a guild is near
	OtherGuild                                 // the player is in another guild
	GuildTop                                   // the player has the last rank of its guild
	IgnoresYou                                 // the player named ignores this one
	NotIgnored                                 // the player does not ignore the one named
	TooManyIgnored                             // the player ignores as many others as it may
	TheyHaveChallenge                          // the player named has a challenge of another one to answer
	JustDeclined                               // the player named has declined the same a moment ago
	PriceTooLow                                // a price is below the lowest, which is one coin where nothing is for free
)

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
	LacksDegree: "the item wants a higher degree", LacksGuild: "the item is for another guild or rank", IsBound: "bound to its owner", TooDeep: "bags too deep in bags",
	NotEmpty: "not empty", NoContainer: "not a container", NotOpen: "not open", NoUse: "of no use", Dead: "dead",
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
	AlreadyReset: "done already", LowAlready: "the level is low already", Alive: "alive", NoInstance: "no such instance",
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
	IgnoresYou: "ignored by that player", NotIgnored: "not ignored", TooManyIgnored: "too many ignored",
	TheyHaveChallenge: "challenged by another already", JustDeclined: "declined a moment ago", PriceTooLow: "at too low a price",
}

// String says the refusal in English, for logs.
func (r RejectReason) String() string {
	if int(r) < len(refusalNames) && refusalNames[r] != "" {
		return refusalNames[r]
	}
	return fmt.Sprintf("refusal %d", uint8(r))
}
