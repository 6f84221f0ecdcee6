package world

import (
	"slices"
	"time"
)

// The documents say nothing of how large a group may be, of what happens when its leader is disconnected, or of who may apply to several; what
// is here is ours.
//
// Source of the rest: protocol ingame 16.1.

type (
	// GroupCreate makes a new group that the player leads. [GroupCreated] or [GroupRefused] follows, as for all of these.
	GroupCreate struct{ ID PlayerID }

	// GroupApply asks a group to be let in; an application elsewhere is withdrawn by it. [GroupApplied] follows.
	GroupApply struct {
		ID     PlayerID
		Leader string // name of the leader, or of any other in the group
	}

	// GroupAccept lets somebody in who has applied. [GroupJoined] follows.
	GroupAccept struct {
		ID   PlayerID // the leader
		Name string   // of the applicant
	}

	// GroupRefuse tells somebody no who has applied. [GroupRefused] for the applicant follows.
	GroupRefuse struct {
		ID   PlayerID // the leader
		Name string   // of the applicant
	}

	// GroupExpel throws a member out. [GroupLeft] follows.
	GroupExpel struct {
		ID   PlayerID // the leader
		Name string   // of the member
	}

	// GroupLeave leaves the group; if the leader does it, the group ends. [GroupLeft] follows.
	GroupLeave struct{ ID PlayerID }

	// GroupLead makes another member the leader. [GroupLeader] follows.
	GroupLead struct {
		ID   PlayerID // the leader
		Name string   // of the member
	}
)

// A group is some players who belong together.
type group struct {
	leader     *player
	members    []*player // the leader among them; who is longest in it comes first
	applicants []*player // who has waited longest comes first
}

// membership is what a player has to do with groups: it is in one, or may have applied to one.
type membership struct {
	group   *group
	applied *group
}

func (c GroupCreate) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		if p.group != nil {
			return AlreadyInGroup
		}
		p.withdraw()
		p.group = &group{leader: p, members: []*player{p}}
		w.tell(GroupCreated(c))
		return 0
	})
}

func (c GroupApply) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		other := w.named(c.Leader)
		switch {
		case p.group != nil:
			return AlreadyInGroup
		case other == nil:
			return NobodyThere
		case other == p:
			return Yourself
		case other.group == nil:
			return TheyHaveNoGroup
		case other.group == p.applied:
			return AlreadyApplied
		case len(other.group.members) >= w.options.GroupSize:
			return GroupFull
		}
		p.withdraw()
		p.applied = other.group
		p.applied.applicants = append(p.applied.applicants, p)
		w.tell(GroupApplied{p.applied.leader.ID, p.ID, p.Name})
		return 0
	})
}

func (c GroupAccept) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		other, why := w.applicant(p, c.Name)
		switch {
		case why != 0:
			return why
		case len(p.group.members) >= w.options.GroupSize:
			return GroupFull
		}
		other.withdraw()
		other.group = p.group
		p.group.members = append(p.group.members, other)
		w.tell(GroupJoined{other.ID, other.Name, p.group.list(), p.group.ids()})
		return 0
	})
}

func (c GroupRefuse) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		other, why := w.applicant(p, c.Name)
		if why != 0 {
			return why
		}
		other.withdraw()
		w.tell(GroupRefused{other.ID, Declined})
		return 0
	})
}

func (c GroupExpel) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		other, why := w.member(p, c.Name)
		if why != 0 {
			return why
		}
		w.quit(other, Expelled)
		return 0
	})
}

func (c GroupLeave) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		switch {
		case p.group == nil:
			return NoGroup
		case p.group.leader == p:
			w.disband(p.group)
		default:
			w.quit(p, PartedByChoice)
		}
		return 0
	})
}

func (c GroupLead) do(w *World, _ time.Time) {
	w.asked(c.ID, func(p *player) Refusal {
		other, why := w.member(p, c.Name)
		if why != 0 {
			return why
		}
		w.follow(other)
		return 0
	})
}

// asked does what a player asks for, and tells the player if that is refused. Who is not inside asks for nothing.
func (w *World) asked(id PlayerID, do func(*player) Refusal) {
	if p := w.players[id]; p != nil {
		if why := do(p); why != 0 {
			w.tell(GroupRefused{id, why})
		}
	}
}

// led returns the player of a name to whom p, as the leader of a group, wants to do something.
func (w *World) led(p *player, name string) (*player, Refusal) {
	other := w.named(name)
	switch {
	case p.group == nil:
		return nil, NoGroup
	case p.group.leader != p:
		return nil, NotLeader
	case other == nil:
		return nil, NobodyThere
	case other == p:
		return nil, Yourself
	}
	return other, 0
}

// applicant is led for somebody who has applied.
func (w *World) applicant(p *player, name string) (*player, Refusal) {
	other, why := w.led(p, name)
	if why == 0 && other.applied != p.group {
		why = NotApplied
	}
	return other, why
}

// member is led for somebody in the group.
func (w *World) member(p *player, name string) (*player, Refusal) {
	other, why := w.led(p, name)
	if why == 0 && other.group != p.group {
		why = NotMember
	}
	return other, why
}

// withdraw takes back what p has applied for, if anything.
func (p *player) withdraw() {
	if g := p.applied; g != nil {
		g.applicants = slices.DeleteFunc(g.applicants, func(q *player) bool { return q == p })
		p.applied = nil
	}
}

// quit takes p out of its group and tells it and the others.
func (w *World) quit(p *player, why Parting) {
	g := p.group
	p.group = nil
	g.members = slices.DeleteFunc(g.members, func(q *player) bool { return q == p })
	w.tell(GroupLeft{p.ID, p.Name, why, g.ids()})
}

// follow makes p the leader of its group.
func (w *World) follow(p *player) {
	g := p.group
	g.leader = p
	w.tell(GroupLeader{p.ID, p.Name, g.list(), g.ids()})
	for _, q := range g.applicants {
		w.tell(GroupApplied{p.ID, q.ID, q.Name})
	}
}

// disband ends a group.
func (w *World) disband(g *group) {
	for _, p := range g.members {
		p.group = nil
		if p != g.leader {
			w.tell(GroupLeft{p.ID, p.Name, Disbanded, nil})
		}
	}
	w.tell(GroupLeft{g.leader.ID, g.leader.Name, Disbanded, nil})
	w.turnAway(g)
}

// turnAway tells those who have applied to a group that it is gone.
func (w *World) turnAway(g *group) {
	for _, p := range g.applicants {
		p.applied = nil
		w.tell(GroupRefused{p.ID, TheyHaveNoGroup})
	}
	g.applicants = nil
}

// leaveGroups ends all that a player who leaves the world has to do with groups. If it leads one, who is longest in it leads it
// from now on.
func (w *World) leaveGroups(p *player) {
	p.withdraw()
	g := p.group
	if g == nil {
		return
	}
	w.quit(p, Disconnected)
	switch {
	case len(g.members) == 0:
		w.turnAway(g)
	case g.leader == p:
		w.follow(g.members[0])
	}
}

// ids lists the members, the leader first.
func (g *group) ids() []PlayerID {
	var out []PlayerID
	for _, m := range g.list() {
		out = append(out, m.ID)
	}
	return out
}

// list lists the members, the leader first. Without its leader, whom it has just lost, it lists the others.
func (g *group) list() []GroupMember {
	out := make([]GroupMember, 0, len(g.members))
	for _, lead := range []bool{true, false} {
		for _, p := range g.members {
			if (p == g.leader) == lead {
				out = append(out, GroupMember{p.ID, p.Name, lead})
			}
		}
	}
	return out
}

func (p *player) groupSize() int {
	if p.group == nil {
		return 0
	}
	return len(p.group.members)
}
