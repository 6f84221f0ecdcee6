package world

import "fmt"

// A Refusal is why the world does not do what a player asks for.
type Refusal uint8

// The refusals.
const (
	NobodyThere     Refusal = iota + 1 // no player of that name is in the world
	Yourself                           // the request names the one who makes it
	NotAllowed                         // the role does not suffice
	UnknownChannel                     // no channel has that number
	Muted                              // for the server's own use: the world mutes nobody
	NoClan                             // who asks has no clan
	NoGroup                            // who asks has no group
	AlreadyInGroup                     // who asks has a group already
	AlreadyApplied                     // who asks waits for that group's answer already
	TheyHaveNoGroup                    // the player named has no group, or it is gone
	GroupFull                          // the group has as many members as it may have
	NotLeader                          // only the leader of the group may do this
	NotMember                          // the player named is not in the group
	NotApplied                         // the player named has not applied to the group
	Declined                           // the leader does not want the applicant
	NotInSight                         // the object named is not in sight
	TooFar                             // the object is out of reach
	NoPortal                           // the object named is not a portal
	LeadsNowhere                       // it is not known where the portal leads
)

var refusalNames = [...]string{
	NobodyThere: "nobody of that name is in the world", Yourself: "one's own name", NotAllowed: "not allowed", UnknownChannel: "unknown channel",
	Muted: "muted", NoClan: "no clan", NoGroup: "no group", AlreadyInGroup: "already in a group", AlreadyApplied: "already applied",
	TheyHaveNoGroup: "that player has no group", GroupFull: "the group is full", NotLeader: "not the leader", NotMember: "not in the group",
	NotApplied: "has not applied", Declined: "the leader declined", NotInSight: "not in sight", TooFar: "too far away", NoPortal: "not a portal",
	LeadsNowhere: "leads nowhere known",
}

// String says the refusal in English, for logs.
func (r Refusal) String() string {
	if int(r) < len(refusalNames) && refusalNames[r] != "" {
		return refusalNames[r]
	}
	return fmt.Sprintf("refusal %d", uint8(r))
}
