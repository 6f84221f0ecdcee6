package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// invitationLasts is how long an invitation waits for its answer; ours.
const invitationLasts = time.Minute

// An invitation is the wish of one player that another joins its party.
type invitation struct {
	by    *player
	token uint32
}

// A wish of one character about another, by their numbers.
type wish struct {
	by, to int64
	kind   wishKind
}

// A wishKind is the kind of a proposal to another player.
type wishKind uint8

const (
	partyWish wishKind = iota
	duelWish
	tradeWish
	missionWish     // to pass one on
	applicationWish // to join its party, withdrawn by another
)

// A proposal is a wish that waits for an answer; the zero value is none.
type proposal struct {
	by    *player
	until instant
}

// proposer is the player whose proposal waits, nil if none does.
func (c *core) proposer(w proposal) *player {
	if w.by != nil && !w.by.gone() && c.instant().Before(w.until) {
		return w.by
	}
	return nil
}

// decline notes that a player has declined a wish, which cannot be repeated for [rules.DeclineCooldown].
func (c *core) decline(by, to *player, kind wishKind) {
	w := wish{by.Character, to.Character, kind}
	c.declined[w] = struct{}{}
	c.after(rules.DeclineCooldown, nil, func(_ *entity) { delete(c.declined, w) })
}

// hasDeclined reports whether a player has declined a wish a moment ago.
func (c *core) hasDeclined(by, to *player, kind wishKind) bool {
	_, has := c.declined[wish{by.Character, to.Character, kind}]
	return has
}

// PartyInvited asks a player whether it joins a party. [PartyAnswer] answers it by the token.
type PartyInvited struct {
	ID    PlayerID
	Token uint32
	By    string // name of the inviting player
}

// InvitationTold tells an inviting player of its invitation.
type InvitationTold struct {
	ID    PlayerID
	Other string // name of the invited player
	News  InvitationNews
}

// InvitationNews is a turn that an invitation takes.
type InvitationNews uint8

// The news.
const (
	InvitationSent InvitationNews = iota + 1
	InvitationAccepted
	InvitationDeclined
	InvitationExpired // it was not answered
)

// PartyInvite invites a player in sight to the party that the inviting player leads, or that begins with the two.
// [PartyInvited] and [InvitationTold], or [PartyRefused] follow.
//
// Source: protocol life 13 for the messages and the refusals; the rest is ours.
type PartyInvite struct {
	ID    PlayerID
	Other PlayerID
}

func (c PartyInvite) who() PlayerID { return c.ID }

func (c PartyInvite) arrange(w *World, p *player) rules.RejectReason {
	so, other := w.social, w.player(c.Other)
	if other != nil && other.lingers {
		other = nil
	}
	switch {
	case other == nil || other.leaving:
		return rules.NobodyThere
	case other == p:
		return rules.Yourself
	case w.ignoring(other, p):
		return rules.IgnoresYou
	case p.party != nil && p.party.leader != p:
		return rules.NotLeader
	case other.party != nil:
		return rules.TheyHaveParty
	case slices.ContainsFunc(so.invited[other.ID], func(i *invitation) bool { return i.by == p }):
		return rules.AlreadyInvited
	case w.hasDeclined(p, other, partyWish):
		return rules.JustDeclined
	case p.partySize() >= w.options.PartySize:
		return rules.PartyFull
	case p.inside != other.inside || !near(&p.entity, &other.entity, w.options.Sight*w.options.Sight):
		return rules.TooFar
	}
	so.tokens++
	asked := &invitation{p, so.tokens}
	so.invited[other.ID] = append(so.invited[other.ID], asked)
	w.after(invitationLasts, &other.entity, func(e *entity) { so.expire(e.player, asked) })
	w.tell(PartyInvited{other.ID, asked.token, p.Name})
	w.tell(InvitationTold{p.ID, other.Name, InvitationSent})
	return 0
}

// PartyAnswer accepts or declines an invitation. [InvitationTold] follows for the inviting player, and [PartyJoined]
// for all if it is accepted, behind [PartyCreated] if the party begins with it. [PartyRefused] answers a token that
// is not that of an invitation of this player.
type PartyAnswer struct {
	ID     PlayerID
	Token  uint32
	Accept bool
}

func (c PartyAnswer) who() PlayerID { return c.ID }

func (c PartyAnswer) arrange(w *World, p *player) rules.RejectReason {
	all := w.social.invited[p.ID]
	at := slices.IndexFunc(all, func(i *invitation) bool { return i.token == c.Token })
	if at < 0 {
		return rules.NoInvitation
	}
	by := all[at].by
	w.social.forgetInvitation(p, all[at])
	switch {
	case by.gone() || by.leaving:
		return rules.NoInvitation
	case !c.Accept:
		w.decline(by, p, partyWish)
		w.tell(InvitationTold{by.ID, p.Name, InvitationDeclined})
		return 0
	case p.party != nil:
		return rules.AlreadyInParty
	case by.party != nil && by.party.leader != by: // it has joined another party meanwhile
		return rules.NoInvitation
	case by.partySize() >= w.options.PartySize:
		return rules.PartyFull
	}
	w.tell(InvitationTold{by.ID, p.Name, InvitationAccepted})
	if by.party == nil {
		w.social.found(by)
	}
	w.social.join(p, by.party)
	return 0
}

// forgetInvitation ends an invitation, and reports whether there was one.
func (so *social) forgetInvitation(p *player, asked *invitation) bool {
	all := so.invited[p.ID]
	left := slices.DeleteFunc(slices.Clone(all), func(i *invitation) bool { return i == asked })
	if so.invited[p.ID] = left; len(left) == 0 {
		delete(so.invited, p.ID)
	}
	return len(left) < len(all)
}

// expire ends an invitation that was not answered.
func (so *social) expire(p *player, asked *invitation) {
	if so.forgetInvitation(p, asked) && !asked.by.gone() {
		so.tell(InvitationTold{asked.by.ID, p.Name, InvitationExpired})
	}
}

func (PartyInvited) event()   {}
func (InvitationTold) event() {}
