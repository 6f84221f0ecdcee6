package bot

import (
	"slices"

	"sphereserver/packets"
)

// A Group is the group of the own character, as far as the server has told. Without members there is none.
//
// Source: protocol ingame 16.1.
type Group struct {
	Members    []GroupMember // in the order in which they were told, the own character among them
	Applicants []string      // who wants to join, told to the leader alone
}

// A GroupMember is somebody in a [Group].
type GroupMember struct {
	Name   string
	Leader bool
}

// Has says whether somebody is a member.
func (g *Group) Has(name string) bool { return g.find(name) >= 0 }

// Leads says whether somebody is the leader.
func (g *Group) Leads(name string) bool {
	i := g.find(name)
	return i >= 0 && g.Members[i].Leader
}

func (g *Group) find(name string) int {
	return slices.IndexFunc(g.Members, func(m GroupMember) bool { return m.Name == name })
}

// Operations on groups. Source: protocol ingame 16.1.
const (
	groupCreate       = 0 // from the client
	groupApply        = 1
	groupAccept       = 2
	groupExpel        = 3
	groupLeave        = 4
	groupClear        = 5 // from the server
	groupIsNew        = 9
	groupGone         = 10
	groupYouAreOut    = 11
	groupDestroyed    = 13
	groupLeader       = 2 // state of a member
	candidateAccepted = 1 // state of a candidate
)

// groupCommand acts on a command about the group, and says whether it was one.
func (c *Client) groupCommand(command packets.Command) bool {
	switch m := command.(type) {
	case *packets.GroupOperation:
		c.groupOperation(m.Operation)
	case *packets.GroupName:
		if m.Operation == groupGone {
			c.groupMemberGone(m.Name)
		}
	case *packets.GroupMember:
		c.groupMember(GroupMember{m.Name, m.State == groupLeader})
	case *packets.GroupCandidate:
		c.groupCandidate(m)
	default:
		return false
	}
	return true
}

func (c *Client) groupOperation(operation uint8) {
	switch operation {
	case groupClear:
		c.Group = Group{}
	case groupIsNew:
		if len(c.Group.Members) > 0 {
			c.find(StateDiffers, "a new group with members in it")
		}
		c.Group = Group{Members: []GroupMember{{c.Snapshot.Name, true}}}
		c.tell("leads a new group")
	case groupYouAreOut, groupDestroyed:
		if len(c.Group.Members) == 0 {
			c.find(OutOfPlace, "operation %d on a group, but there is none", operation)
		}
		c.Group = Group{}
		c.tell("is in no group any more")
	}
}

func (c *Client) groupMember(m GroupMember) {
	if c.Group.Has(m.Name) {
		c.find(StateDiffers, "%q becomes a member of the group a second time", m.Name)
		return
	}
	c.Group.Members = append(c.Group.Members, m)
	c.tell("%s is in the group", m.Name)
}

func (c *Client) groupMemberGone(name string) {
	i := c.Group.find(name)
	if i < 0 {
		c.find(StateDiffers, "%q leaves the group and was no member", name)
		return
	}
	c.Group.Members = slices.Delete(c.Group.Members, i, i+1)
	c.tell("%s is in the group no more", name)
}

// groupCandidate acts on news of somebody who has applied, or was accepted: of the own character to itself too.
func (c *Client) groupCandidate(m *packets.GroupCandidate) {
	own := c.Snapshot.Name
	switch {
	case m.State == candidateAccepted && m.Name == own:
		if !c.Group.Has(own) {
			c.find(StateDiffers, "accepted into a group without being its member")
		}
	case !c.Group.Leads(own):
		c.find(OutOfPlace, "a candidate for a group that is another's: %q", m.Name)
	case m.State == candidateAccepted:
		c.Group.Applicants = slices.DeleteFunc(c.Group.Applicants, func(name string) bool { return name == m.Name })
		c.groupMember(GroupMember{Name: m.Name})
	case !slices.Contains(c.Group.Applicants, m.Name):
		c.Group.Applicants = append(c.Group.Applicants, m.Name)
		c.tell("%s wants to join the group", m.Name)
	}
}

// A Clan is the clan of the own character, as far as the server has told.
//
// Source: protocol ingame 16.2.
type Clan struct {
	Name       string // "" for none
	Rank       int    // 0 senior to 3 neophyte, -1 none
	Members    []ClanMember
	Applicants []packets.ObjectID // players who want to join
}

// A ClanMember is a member who is in the world.
type ClanMember struct {
	ID   packets.ObjectID
	Name string
	Rank int
}

var noClan = Clan{Rank: -1}

func (n *Clan) find(id packets.ObjectID) int {
	return slices.IndexFunc(n.Members, func(m ClanMember) bool { return m.ID == id })
}

// Ranks that are only told. Source: protocol ingame 16.2.
const (
	clanParted = 5
	clanJoined = 6
)

// clanCommand acts on a command about the clan.
func (c *Client) clanCommand(command packets.Command) {
	n := &c.Clan
	switch m := command.(type) {
	case *packets.ClanCreated:
		*n = Clan{Name: c.founding}
		c.tell("has founded the clan %s", n.Name)
	case *packets.ClanMembership:
		c.clanMembership(m)
	case *packets.ClanMember:
		if n.find(m.Player) >= 0 {
			c.find(StateDiffers, "%q becomes a member of the clan's list a second time", m.Name)
			return
		}
		n.Members = append(n.Members, ClanMember{m.Player, m.Name, int(m.Rank)})
		if m.Player == c.ID() {
			n.Rank = int(m.Rank)
		}
	case *packets.ClanMemberRemoved:
		i := n.find(m.Player)
		if i < 0 {
			c.find(UnknownObject, "%s leaves the clan's list and was not in it", m.Player)
			return
		}
		n.Members = slices.Delete(n.Members, i, i+1)
	case *packets.ClanMemberRank:
		i := n.find(m.Player)
		if i < 0 {
			c.find(UnknownObject, "%s has a new rank in the clan and is not in its list", m.Player)
			return
		}
		n.Members[i].Rank = int(m.Rank)
	case *packets.ClanApplicant:
		n.Applicants = append(slices.DeleteFunc(n.Applicants, func(id packets.ObjectID) bool { return id == m.Player }), m.Player)
	}
}

func (c *Client) clanMembership(m *packets.ClanMembership) {
	switch m.Rank {
	case clanParted:
		c.Clan = noClan
		c.tell("is in the clan %s no more", m.Clan)
	case clanJoined:
		c.Clan.Name = m.Clan
		c.tell("has joined the clan %s", m.Clan)
	default:
		c.Clan.Name, c.Clan.Rank = m.Clan, int(m.Rank)
	}
}

// request sends a command about the own character, in the world.
func (c *Client) request(verb string, command packets.Command) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	return c.SendCommands(&packets.Manager{Command: command})
}

// CreateGroup asks for a new group that the own character leads.
func (c *Client) CreateGroup() error {
	return c.request("create a group", &packets.GroupOperation{Operation: groupCreate})
}

// ApplyToGroup asks to join the group of a player.
func (c *Client) ApplyToGroup(leader string) error {
	return c.request("apply", &packets.GroupName{Operation: groupApply, Name: leader})
}

// AcceptIntoGroup lets somebody in who has applied to the own group.
func (c *Client) AcceptIntoGroup(name string) error {
	return c.request("accept", &packets.GroupName{Operation: groupAccept, Name: name})
}

// ExpelFromGroup throws a member out of the own group.
func (c *Client) ExpelFromGroup(name string) error {
	return c.request("expel", &packets.GroupName{Operation: groupExpel, Name: name})
}

// LeaveGroup leaves the group; if the own character leads it, it ends.
func (c *Client) LeaveGroup() error {
	return c.request("leave the group", &packets.GroupOperation{Operation: groupLeave})
}

// FoundClan asks for a new clan.
func (c *Client) FoundClan(name string) error {
	c.founding = name
	return c.request("found a clan", &packets.CreateClan{Clan: name})
}

// ApplyToClan asks a player to be taken into its clan: the message is about that player and names the own character.
//
// Source: recorded traffic of May 2023.
func (c *Client) ApplyToClan(member packets.ObjectID) error {
	return c.toOther("apply to a clan", member, &packets.RecruitToClan{Player: c.ID()})
}

// AcceptIntoClan takes a player into the own clan who has applied.
func (c *Client) AcceptIntoClan(applicant packets.ObjectID) error {
	return c.toOther("accept into the clan", applicant, &packets.AcceptApplicant{Player: c.ID()})
}

func (c *Client) toOther(verb string, other packets.ObjectID, command packets.Command) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	return c.Send(packets.Message(0, other, packets.ClassPlayer, &packets.Manager{Command: command}))
}

// LeaveClan leaves the clan, or expels a member if another name than that of the own character is given.
func (c *Client) LeaveClan(name string) error {
	return c.request("leave the clan", &packets.LeaveClan{Name: name})
}

// Use uses something that the client holds: a door, a teleport, a token.
//
// Source: protocol ingame 4.1, command 7.
func (c *Client) Use(id packets.ObjectID) error {
	if err := c.at(stateInWorld, "use"); err != nil {
		return err
	}
	o := c.Objects[id]
	if o == nil {
		return errNotHeld(id)
	}
	return c.Send(packets.Message(0, id, o.Class, &packets.ContMan{Command: &packets.Use{Player: c.ID()}}))
}
