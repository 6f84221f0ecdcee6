package bot

import (
	"slices"

	"sphereserver/packets"
)

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

func (c *Client) groupCommand(command packets.Command) bool {
	g := &c.Group
	switch m := command.(type) {
	case *packets.GroupOperation:
		switch m.Operation {
		case groupClear:
			*g = Group{}
		case groupIsNew:
			if len(g.Members) > 0 {
				c.find(StateDiffers, "a new group with members in it")
			}
			*g = Group{Members: []GroupMember{{c.Snapshot.Name, true}}}
			c.tell("leads a new group")
		case groupYouAreOut, groupDestroyed:
			if len(g.Members) == 0 {
				c.find(OutOfPlace, "operation %d on a group, but there is none", m.Operation)
			}
			*g = Group{}
			c.tell("is in no group any more")
		}
	case *packets.GroupName:
		switch i := g.find(m.Name); {
		case m.Operation != groupGone:
		case i < 0:
			c.find(StateDiffers, "%q leaves the group and was no member", m.Name)
		default:
			g.Members = slices.Delete(g.Members, i, i+1)
			c.tell("%s is in the group no more", m.Name)
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

func (c *Client) groupMember(m GroupMember) {
	if c.Group.Has(m.Name) {
		c.find(StateDiffers, "%q becomes a member of the group a second time", m.Name)
		return
	}
	c.Group.Members = append(c.Group.Members, m)
	c.tell("%s is in the group", m.Name)
}

// groupCandidate acts on news of a player that has applied, or was accepted: of the own character to itself, too.
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

func (c *Client) clanCommand(command packets.Command) bool {
	n := &c.Clan
	switch m := command.(type) {
	case *packets.ClanCreated:
		*n = Clan{Name: c.founding}
		c.tell("has founded the clan %s", n.Name)
	case *packets.ClanMembership:
		switch m.Rank {
		case packets.ClanLeft:
			*n = noClan
			c.tell("is in the clan %s no more", m.Clan)
		case packets.ClanJoined:
			n.Name = m.Clan
			c.tell("has joined the clan %s", m.Clan)
		default:
			n.Name, n.Rank = m.Clan, int(m.Rank)
		}
	case *packets.ClanMember:
		if n.find(m.Player) >= 0 {
			c.find(StateDiffers, "%q becomes a member of the clan's list a second time", m.Name)
			break
		}
		n.Members = append(n.Members, ClanMember{m.Player, m.Name, int(m.Rank)})
		if m.Player == c.ID() {
			n.Rank = int(m.Rank)
		}
	case *packets.ClanMemberRemoved:
		if i := n.find(m.Player); i >= 0 {
			n.Members = slices.Delete(n.Members, i, i+1)
		} else {
			c.find(UnknownObject, "%s leaves the clan's list and was not in it", m.Player)
		}
	case *packets.ClanMemberRank:
		if i := n.find(m.Player); i >= 0 {
			n.Members[i].Rank = int(m.Rank)
		} else {
			c.find(UnknownObject, "%s has a new rank in the clan and is not in its list", m.Player)
		}
	case *packets.ClanApplicant:
		n.Applicants = append(slices.DeleteFunc(n.Applicants, func(id packets.ObjectID) bool { return id == m.Player }),
			m.Player)
	default:
		return false
	}
	return true
}
