package world

import (
	"slices"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// social is parties, and the recipients of chat.
type social struct {
	*core
	places  *places
	invited map[PlayerID][]*invitation // those that wait for an answer, by the invited player, oldest first
	tokens  uint32                     // given to invitations so far
}

// A party is a group of players.
type party struct {
	leader     *player
	members    []*player // the leader among them; longest member first
	applicants []*player // longest waiting first
}

// partyState is a player's party, and its application to one.
type partyState struct {
	party   *party
	applied *party
}

// The documents say nothing of how large a party may be, of what happens when its leader is disconnected, or whether
// a player may apply to several; these rules are ours.
//
// Source of the rest: protocol ingame 16.1.

// PartyCreated tells that a player leads a new party, alone.
type PartyCreated struct{ ID PlayerID }

// PartyApplied tells the leader of a party that a player wants to join. A new leader is told of all applicants.
type PartyApplied struct {
	Leader PlayerID
	Name   string // of the applicant
}

// PartyJoined tells that a player is in a party.
type PartyJoined struct {
	ID    PlayerID      // the new member
	Name  string        // of the new member
	Party []PartyMember // all of it, leader first, then from the oldest member to the new one; each is told
}

// PartyLeft tells that a player has left its party. When a party ends, each member is told by one of these,
// the leader last, and Remaining is empty.
type PartyLeft struct {
	ID        PlayerID
	Name      string
	Why       Parting
	Remaining []PlayerID // the others, which are to be told
}

// PartyLeader tells that a party has another leader.
type PartyLeader struct {
	Party   []PartyMember // all of it, leader first, then from the oldest member on
	Members []PlayerID    // the same: all that are to be told
}

// PartyRefused tells a player that its request about a party is not done.
type PartyRefused struct {
	ID  PlayerID
	Why rules.RejectReason
}

// A PartyMember is a player in a party.
type PartyMember struct {
	ID     PlayerID
	Name   string
	Leader bool
}

// A Parting is the way in which a player left its party.
type Parting uint8

// The partings.
const (
	PartedByChoice Parting = iota + 1 // it left
	Expelled                          // the leader threw it out
	Disconnected                      // it left the world
	Disbanded                         // the party has ended
)

// PartyCreate makes a new party that the player leads. [PartyCreated] or [PartyRefused] follows, as for all of these.
type PartyCreate struct{ ID PlayerID }

func (c PartyCreate) who() PlayerID { return c.ID }

func (c PartyCreate) arrange(w *World, p *player) rules.RejectReason {
	if p.party != nil {
		return rules.AlreadyInParty
	}
	w.social.found(p)
	return 0
}

// PartyApply asks to join a party; it withdraws an application elsewhere. [PartyApplied] follows.
type PartyApply struct {
	ID     PlayerID
	Leader string // name of the leader, or of any other in the party
}

func (c PartyApply) who() PlayerID { return c.ID }

func (c PartyApply) arrange(w *World, p *player) rules.RejectReason {
	other := w.named(c.Leader)
	switch {
	case p.party != nil:
		return rules.AlreadyInParty
	case other == nil:
		return rules.NobodyThere
	case other == p:
		return rules.Yourself
	case other.party == nil:
		return rules.TheyHaveNoParty
	case w.ignoring(other.party.leader, p):
		return rules.IgnoresYou
	case other.party == p.applied:
		return rules.AlreadyApplied
	case len(other.party.members) >= w.options.PartySize:
		return rules.PartyFull
	case w.hasDeclined(p, other.party.leader, applicationWish):
		return rules.JustApplied
	}
	if p.applied != nil { // or applying to two parties in turn would call their leaders each time
		w.decline(p, p.applied.leader, applicationWish)
	}
	p.withdraw()
	p.applied = other.party
	p.applied.applicants = append(p.applied.applicants, p)
	w.tell(PartyApplied{p.applied.leader.ID, p.Name})
	return 0
}

// PartyAccept accepts an applicant. [PartyJoined] follows.
type PartyAccept struct {
	ID   PlayerID // the leader
	Name string   // of the applicant
}

func (c PartyAccept) who() PlayerID { return c.ID }

func (c PartyAccept) arrange(w *World, p *player) rules.RejectReason {
	other, why := w.social.led(p, c.Name, func(q *player) *party { return q.applied }, rules.NotApplied)
	switch {
	case why != 0:
		return why
	case len(p.party.members) >= w.options.PartySize:
		return rules.PartyFull
	}
	w.social.join(other, p.party)
	return 0
}

// PartyExpel throws a member out. [PartyLeft] follows.
type PartyExpel struct {
	ID   PlayerID // the leader
	Name string   // of the member
}

func (c PartyExpel) who() PlayerID { return c.ID }

func (c PartyExpel) arrange(w *World, p *player) rules.RejectReason {
	other, why := w.social.led(p, c.Name, func(q *player) *party { return q.party }, rules.NotMember)
	if why == 0 {
		w.social.removeMember(other, Expelled)
	}
	return why
}

// PartyLeave leaves the party; if the leader does it, the party ends. [PartyLeft] follows.
type PartyLeave struct{ ID PlayerID }

func (c PartyLeave) who() PlayerID { return c.ID }

func (c PartyLeave) arrange(w *World, p *player) rules.RejectReason {
	switch {
	case p.party == nil:
		return rules.NoParty
	case p.party.leader == p:
		w.social.disband(p.party)
	default:
		w.social.removeMember(p, PartedByChoice)
	}
	return 0
}

// PartyMark marks a place on the maps of the others in the party, and on the leader's own if it is asked for by chat.
// [PlaceMarked] follows for each of them.
//
// Source: protocol life 13.
type PartyMark struct {
	ID    PlayerID // the leader
	At    coords.Position
	Aloud bool // a player that leads no party is told so
}

func (c PartyMark) who() PlayerID { return c.ID }

func (c PartyMark) arrange(w *World, p *player) rules.RejectReason {
	switch {
	case p.party != nil && p.party.leader == p:
	case !c.Aloud:
		return 0
	case p.party == nil:
		return rules.NoParty
	default:
		return rules.NotLeader
	}
	for _, q := range p.party.members {
		if q != p || c.Aloud { // else its client has marked its own map
			w.tell(PlaceMarked{q.ID, c.At})
		}
	}
	return 0
}

// arrange does a player's request about parties, or refuses it.
func (w *World) arrange(p *player, c arrangement) {
	if why := c.arrange(w, p); why != 0 {
		w.tell(PartyRefused{p.ID, why})
	}
}

// led returns the player of a name for an act of p as the leader of a party. The party that of returns for the player
// must be p's; if not, led returns wrong.
func (so *social) led(p *player, name string, of func(*player) *party, wrong rules.RejectReason) (*player,
	rules.RejectReason) {
	other := so.named(name)
	switch {
	case p.party == nil:
		return nil, rules.NoParty
	case p.party.leader != p:
		return nil, rules.NotLeader
	case other == nil:
		return nil, rules.NobodyThere
	case other == p:
		return nil, rules.Yourself
	case of(other) != p.party:
		return nil, wrong
	}
	return other, 0
}

// found makes a new party that p leads.
func (so *social) found(p *player) {
	if p.applied != nil { // see PartyApply
		so.decline(p, p.applied.leader, applicationWish)
	}
	p.withdraw()
	p.party = &party{leader: p, members: []*player{p}}
	so.tell(PartyCreated{p.ID})
}

// join makes p a member of a party that has room.
func (so *social) join(p *player, g *party) {
	p.withdraw()
	p.party = g
	g.members = append(g.members, p)
	so.tell(PartyJoined{p.ID, p.Name, g.list()})
}

// withdraw withdraws p's application, if any.
func (p *player) withdraw() {
	if g := p.applied; g != nil {
		g.applicants = slices.DeleteFunc(g.applicants, func(q *player) bool { return q == p })
		p.applied = nil
	}
}

func (so *social) removeMember(p *player, why Parting) {
	g := p.party
	p.party = nil
	g.members = slices.DeleteFunc(g.members, func(q *player) bool { return q == p })
	so.tell(PartyLeft{p.ID, p.Name, why, g.ids()})
}

func (so *social) setLeader(p *player) {
	g := p.party
	g.leader = p
	so.tell(PartyLeader{g.list(), g.ids()})
	for _, q := range g.applicants {
		so.tell(PartyApplied{p.ID, q.Name})
	}
}

func (so *social) disband(g *party) {
	for _, p := range g.members {
		p.party = nil
		if p != g.leader {
			so.tell(PartyLeft{p.ID, p.Name, Disbanded, nil})
		}
	}
	so.tell(PartyLeft{g.leader.ID, g.leader.Name, Disbanded, nil})
	so.turnAway(g)
}

func (so *social) turnAway(g *party) {
	for _, p := range g.applicants {
		p.applied = nil
		so.tell(PartyRefused{p.ID, rules.TheyHaveNoParty})
	}
	g.applicants = nil
}

// leaveParty takes a player that leaves the world out of its party, and withdraws its application and its invitations.
// If it leads the party, the longest member leads it from now on.
func (so *social) leaveParty(p *player) {
	p.withdraw()
	delete(so.invited, p.ID)
	g := p.party
	if g == nil {
		return
	}
	so.removeMember(p, Disconnected)
	switch {
	case len(g.members) == 0:
		so.turnAway(g)
	case g.leader == p:
		so.setLeader(g.members[0])
	}
}

// ids lists the members, the leader first.
func (g *party) ids() []PlayerID {
	var out []PlayerID
	for _, m := range g.list() {
		out = append(out, m.ID)
	}
	return out
}

// list lists the members, the leader first. Without its leader, when it has just left, it lists the others.
func (g *party) list() []PartyMember {
	out := make([]PartyMember, 0, len(g.members))
	for _, lead := range []bool{true, false} {
		for _, p := range g.members {
			if (p == g.leader) == lead {
				out = append(out, PartyMember{p.ID, p.Name, lead})
			}
		}
	}
	return out
}

func (p *player) partySize() int {
	if p.party == nil {
		return 0
	}
	return len(p.party.members)
}

func (PartyCreated) event() {}
func (PartyApplied) event() {}
func (PartyJoined) event()  {}
func (PartyLeft) event()    {}
func (PartyLeader) event()  {}
func (PartyRefused) event() {}
