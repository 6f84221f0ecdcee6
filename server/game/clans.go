package game

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/chat"
	"sphereserver/server/ops"
	"sphereserver/server/session"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A ClanStore is the part of package data that clans need.
type ClanStore interface {
	CreateClan(ctx context.Context, founder data.CharacterID, name string) (data.ClanChange, error)
	JoinClan(ctx context.Context, by, who data.CharacterID) (data.ClanChange, error)
	LeaveClan(ctx context.Context, who data.CharacterID) (data.ClanChange, error)
	ExpelFromClan(ctx context.Context, by, who data.CharacterID) (data.ClanChange, error)
	SetClanRank(ctx context.Context, by, who data.CharacterID, rank data.ClanRank) (data.ClanChange, error)
	ClanOf(ctx context.Context, id data.CharacterID) (data.Clan, error)
	ClanMembers(ctx context.Context, id data.ClanID) ([]data.ClanMember, error)
}

// clans knows which members of clans are in the world. Changes of clans happen in turn, and the messages about one
// are on their way to the members' loops before the next: so all members hear the same, in the same order.
type clans struct {
	mu      sync.Mutex
	last    chan struct{}                 // closed at the end of the turn that was given last, nil before the first
	present map[data.CharacterID]clansman // belongs to the turn
}

// queue gives the next turn without waiting for it, so players that enter in one tick have theirs in the order of their
// entering. begin waits for the turn, which may take as long as the store does, and returns its end.
func (c *clans) queue() (begin func() (end func())) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, mine := c.last, make(chan struct{})
	c.last = mine
	return func() func() {
		if before != nil {
			<-before
		}
		return func() { close(mine) }
	}
}

// A clansman is a member of a clan that is in the world.
type clansman struct {
	session *player
	clan    data.ClanID
	rank    data.ClanRank // that all have been told
}

// Limits of applications, all ours.
const (
	applicationsKept = 16              // of one player, and requests of its own; more push out the oldest
	applicationLasts = 2 * time.Minute // after which it has to be made again
	applicationPause = 3 * time.Second // between two of one player
)

// clanRetry is how long a player waits for its clan once the store has failed.
const clanRetry = 10 * time.Second

// enterClans shows the player to the members of its clan in the world, and them to it. It is called when the player
// is in the world. A store that fails is asked again: a session goes on without it, but not without its clan for good.
func (s *player) enterClans() {
	if s.character.ClanName == "" {
		return
	}
	id, was, rank := s.character.ID, s.character.ClanName, s.character.ClanRank
	s.clanWork(func(ctx context.Context) {
		srv := s.server
		clan, err := srv.store.ClanOf(ctx, id)
		var members []data.ClanMember
		if err == nil {
			members, err = srv.store.ClanMembers(ctx, clan.ID)
		}
		switch {
		case errors.Is(err, data.ErrNoClan): // expelled since the character was read
			s.wear("", 0)
			s.hearOfClan(clanMembership(packets.ClanLeft, was))
			return
		case err != nil:
			s.Log().Error("cannot read a clan; will try again", "error", err)
			s.post(func(s *player) { s.After(clanRetry, s.enterClans) })
			return
		}
		for _, m := range members {
			if m.Character != id {
				continue
			}
			if m.Rank != rank {
				s.wear(clan.Name, m.Rank)
			}
			if srv.clans.add(s, clan.ID, m) {
				s.hearOfClan(srv.clans.list(clan.ID, members)...)
				srv.clans.tell(clan.ID, id, clanMember(s, m))
			}
		}
	})
}

// leaveClans takes a leaving player from the lists of the others.
func (s *player) leaveClans() {
	if !s.clan.listed.Load() {
		return
	}
	id := s.character.ID
	s.clanWork(func(context.Context) {
		if m, ok := s.server.clans.present[id]; ok && m.session == s {
			delete(s.server.clans.present, id)
			s.server.clans.tell(m.clan, id, clanRemoved(s))
		}
	})
}

// clanWork has work done in turn, away from the loop.
func (s *player) clanWork(work func(ctx context.Context)) {
	begin := s.server.clans.queue()
	s.Go(func(ctx context.Context) {
		defer begin()()
		work(ctx)
	})
}

// add lists a session as a member in the world; false if it is ending already.
func (c *clans) add(s *player, clan data.ClanID, m data.ClanMember) bool {
	s.clan.listed.Store(true)
	if s.Gone() { // set before the session looks whether it is listed
		return false
	}
	c.present[m.Character] = clansman{s, clan, m.Rank}
	return true
}

// list is the list of members that clients get: those in the world.
func (c *clans) list(clan data.ClanID, members []data.ClanMember) (regions []packets.Region) {
	for _, m := range members {
		if p, ok := c.present[m.Character]; ok && p.clan == clan {
			regions = append(regions, clanMember(p.session, m))
		}
	}
	return regions
}

// tell sends a line to the members of a clan in the world, except one.
func (c *clans) tell(clan data.ClanID, but data.CharacterID, regions ...packets.Region) {
	for id, p := range c.present {
		if p.clan == clan && id != but {
			p.session.hearOfClan(regions...)
		}
	}
}

// hearOfClan sends the client something about its clan.
func (s *player) hearOfClan(regions ...packets.Region) {
	s.post(func(s *player) { s.tellMe(regions...) })
}

func clanRegion(c packets.Command) packets.Region { return &packets.Manager{Command: c} }

func clanMember(s *player, m data.ClanMember) packets.Region {
	return clanRegion(&packets.ClanMember{Rank: uint8(m.Rank), Player: s.ID(), Name: m.Name})
}

func clanRemoved(s *player) packets.Region {
	return clanRegion(&packets.ClanMemberRemoved{Player: s.ID()})
}

func clanMembership(rank uint8, clan string) packets.Region {
	return clanRegion(&packets.ClanMembership{Rank: rank, Clan: clan})
}

// noAllies follows when a member has joined: the list of the clan's allies, of which there are none.
func noAllies() packets.Region { return clanRegion(&packets.AllianceList{Allies: []byte{0, 0, 0}}) }

// wear shows the player's clan over its head, or none.
func (s *player) wear(clan string, rank data.ClanRank) {
	s.post(func(s *player) {
		s.character.ClanName, s.character.ClanRank = clan, rank
		s.showLook()
	})
}

// founded tells the founder of a clan.
func (c *clans) founded(s *player, ch *data.ClanChange) {
	if c.add(s, ch.Clan.ID, ch.Who) {
		s.wear(ch.Clan.Name, ch.Who.Rank)
		s.hearOfClan(clanRegion(&packets.ClanCreated{}), clanMember(s, ch.Who), noAllies())
	}
}

// joined tells the members of a new one, and the new one of all. The client wants the news in one body with the list.
func (c *clans) joined(s *player, ch *data.ClanChange) {
	if !c.add(s, ch.Clan.ID, ch.Who) {
		return
	}
	c.tell(ch.Clan.ID, ch.Who.Character, clanMember(s, ch.Who))
	s.wear(ch.Clan.Name, ch.Who.Rank)
	s.hearOfClan(append(c.list(ch.Clan.ID, ch.Members), noAllies(), clanMembership(packets.ClanJoined, ch.Clan.Name))...)
}

// left tells the members of one less, and the former member, if it is in the world.
func (c *clans) left(ch *data.ClanChange) {
	if p, ok := c.present[ch.Who.Character]; ok {
		delete(c.present, ch.Who.Character)
		p.session.wear("", 0)
		p.session.hearOfClan(clanMembership(packets.ClanLeft, ch.Clan.Name))
		c.tell(ch.Clan.ID, ch.Who.Character, clanRemoved(p.session))
	}
	c.ranked(&ch.Clan, ch.Members) // the lead may have passed
}

// ranked tells the members about ranks that differ from those told before.
func (c *clans) ranked(clan *data.Clan, members []data.ClanMember) {
	for _, m := range members {
		p, present := c.present[m.Character]
		if !present || p.rank == m.Rank {
			continue
		}
		p.rank = m.Rank
		c.present[m.Character] = p
		news := clanRegion(&packets.ClanMemberRank{Rank: uint8(m.Rank), Player: p.session.ID()})
		p.session.wear(clan.Name, m.Rank)
		p.session.hearOfClan(news, clanMembership(uint8(m.Rank), clan.Name))
		c.tell(clan.ID, m.Character, news)
	}
}

// changeClan makes a change in turn, and tells the outcome to the player; a refusal, too.
func (s *player) changeClan(what string,
	change func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error)) {
	me := s.character.ID
	s.Aside(func(ctx context.Context) func() {
		defer s.server.clans.queue()()()
		done, args, err := change(ctx, me)
		return func() {
			if err != nil {
				s.Answer("", clanRefusal(err))
				return
			}
			s.Log().Info(what, "login", s.Login(), "character", s.character.Name, "outcome", done.In(false, args...))
			s.Tell(done, args...)
		}
	})
}

// createClan founds a clan.
func (s *player) createClan(name string) {
	name = strings.TrimSpace(name)
	switch {
	case s.Silenced():
		return
	case s.character.ClanName != "":
		s.Tell(clanOwnText)
		return
	case data.CheckClanName(name) != nil:
		s.Tell(clanNameText, data.MaxClanNameLen)
		return
	case s.Role() == data.Player && rules.ClaimsAuthority(name):
		s.Tell(clanKeptText)
		return
	}
	s.changeClan("clan founded", func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error) {
		ch, err := s.server.store.CreateClan(ctx, me, name)
		if err == nil {
			s.server.clans.founded(s, &ch)
		}
		return clanFoundedText, []any{name}, err
	})
}

// leaveClan leaves the clan, if it or the player itself is named, and otherwise expels the named member.
func (s *player) leaveClan(name string) {
	key := rules.FoldWord(name)
	if key != rules.FoldWord(s.character.ClanName) && key != rules.FoldWord(s.character.Name) {
		s.expelFromClan(name)
		return
	}
	s.changeClan("clan left", func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error) {
		ch, err := s.server.store.LeaveClan(ctx, me)
		if err == nil {
			s.server.clans.left(&ch)
		}
		return clanLeftText, []any{ch.Clan.Name}, err
	})
}

// expelFromClan expels a member, in the world or not.
func (s *player) expelFromClan(name string) {
	s.changeClan("clan member expelled", func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error) {
		who, err := s.server.store.CharacterByName(ctx, name)
		if err != nil {
			return ops.Text{}, nil, err
		}
		ch, err := s.server.store.ExpelFromClan(ctx, me, who.ID)
		if err == nil {
			s.server.clans.left(&ch)
		}
		return clanExpelledText, []any{who.Name}, err
	})
}

// rankInClan gives a member another rank; to says which, from the present one.
func (s *player) rankInClan(name string, to func(data.ClanRank) data.ClanRank) {
	s.changeClan("clan rank changed", func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error) {
		who, err := s.server.store.CharacterByName(ctx, name)
		if err != nil {
			return ops.Text{}, nil, err
		}
		if who.ClanName == "" {
			return ops.Text{}, nil, data.ErrNotFound
		}
		ch, err := s.server.store.SetClanRank(ctx, me, who.ID, to(who.ClanRank))
		if err == nil {
			s.server.clans.ranked(&ch.Clan, ch.Members)
		}
		return clanRankText, []any{who.Name, chat.ClanRanks[ch.Who.Rank]}, err
	})
}

// applyTo asks a member of a clan to be taken in; a member of one recruits by the same message.
func (s *player) applyTo(member *player) {
	now := s.Now()
	switch {
	case s.character.ClanName != "":
		s.recruit(member)
		return
	case s.clan.applied != 0 && now-s.clan.applied < applicationPause:
		s.Hint(hasteText)
		return
	}
	s.clan.applied = now
	me := applicant{session: s, name: s.character.Name, who: s.character.ID, master: s.Role() >= data.GameMaster}
	member.post(func(member *player) { member.hearApplicant(me) })
}

// hearApplicant tells the player about an applicant, or the applicant why it asks in vain. While an application waits
// for its answer, the player hears of it no second time.
func (s *player) hearApplicant(a applicant) {
	if s.State() != session.InWorld || s.character.ClanName == "" {
		a.session.post(func(s *player) { s.Tell(clanNoneText) })
		return
	}
	if s.character.Ignored.Refuses(int64(a.who), a.master) {
		a.session.post(func(s *player) { s.Refuse(rules.IgnoresYou) })
		return
	}
	if s.character.ClanRank > data.Seneschal {
		a.session.post(func(s *player) { s.Tell(clanAskAboveText) })
		return
	}
	if at := s.recruited(a.session); at >= 0 {
		s.clan.recruits = slices.Delete(s.clan.recruits, at, at+1)
		s.takeIn(a)
		return
	}
	now, clan := s.Now(), s.character.ClanName
	s.clan.applicants = slices.DeleteFunc(s.clan.applicants, func(other applicant) bool {
		return other.until <= now || other.clan != clan
	})
	if slices.ContainsFunc(s.clan.applicants, func(other applicant) bool { return other.session == a.session }) {
		a.session.post(func(s *player) { s.Tell(clanWaitsText) })
		return
	}
	a.until, a.clan = now+applicationLasts, clan
	if len(s.clan.applicants) == applicationsKept {
		s.clan.applicants = slices.Delete(s.clan.applicants, 0, 1)
	}
	s.clan.applicants = append(s.clan.applicants, a)
	s.tellMe(clanRegion(&packets.ClanApplicant{Player: a.session.ID()}))
	s.Tell(clanApplicantText, a.name)
	a.session.post(func(s *player) { s.Tell(clanAppliedText) })
}

// recruited finds a player among those that this one has asked to join its clan, as long as they may; -1 if it is none
// of them.
func (s *player) recruited(other *player) int {
	now, clan := s.Now(), s.character.ClanName
	s.clan.recruits = slices.DeleteFunc(s.clan.recruits, func(r recruit) bool { return r.until <= now || r.clan != clan })
	return slices.IndexFunc(s.clan.recruits, func(r recruit) bool { return r.who == other })
}

// recruit asks a player without a clan to join this player's. The other joins by its application, or by accepting as
// members accept applicants. While a request waits for its answer, it is not made again.
func (s *player) recruit(other *player) {
	now := s.Now()
	switch {
	case s.character.ClanRank > data.Seneschal:
		s.Tell(clanAskAboveText)
		return
	case s.recruited(other) >= 0:
		s.Tell(clanWaitsText)
		return
	case s.clan.applied != 0 && now-s.clan.applied < applicationPause:
		s.Hint(hasteText)
		return
	}
	id, name, clan := s.ID(), s.character.Name, s.character.ClanName
	who, master := int64(s.character.ID), s.Role() >= data.GameMaster
	if len(s.clan.recruits) == applicationsKept {
		s.clan.recruits = slices.Delete(s.clan.recruits, 0, 1)
	}
	s.clan.applied, s.clan.recruits = now, append(s.clan.recruits, recruit{other, clan, now + applicationLasts})
	inVain := func(tell func(s *player)) {
		s.post(func(s *player) {
			s.clan.recruits = slices.DeleteFunc(s.clan.recruits, func(r recruit) bool { return r.who == other })
			tell(s)
		})
	}
	other.post(func(other *player) {
		switch {
		case other.State() != session.InWorld:
			inVain(func(s *player) { s.Tell(clanNobodyText) })
			return
		case other.character.Ignored.Refuses(who, master):
			inVain(func(s *player) { s.Refuse(rules.IgnoresYou) })
			return
		case other.character.ClanName != "":
			theirs := other.character.Name
			inVain(func(s *player) { s.Tell(clanTheirsText, theirs) })
			return
		}
		other.tellMe(clanRegion(&packets.ClanApplicant{Player: id}))
		other.Tell(clanRecruitText, name, clan)
		theirs := other.character.Name
		s.post(func(s *player) { s.Tell(clanRecruitedText, theirs) })
	})
}

// admit takes an applicant in. A player without a clan accepts a recruiter by the same message.
func (s *player) admit(who *player) {
	if s.character.ClanName == "" {
		s.applyTo(who)
		return
	}
	for i, a := range s.clan.applicants {
		if a.session != who {
			continue
		}
		if a.until < s.Now() || a.clan != s.character.ClanName || who.Gone() {
			s.clan.applicants = slices.Delete(s.clan.applicants, i, i+1)
			break
		}
		s.takeIn(a)
		return
	}
	s.Tell(clanNoApplicantText)
}

// takeIn makes a player that wants to join a member of the clan.
func (s *player) takeIn(a applicant) {
	s.clan.applicants = slices.DeleteFunc(s.clan.applicants, func(b applicant) bool { return b.session == a.session })
	s.changeClan("clan joined", func(ctx context.Context, me data.CharacterID) (ops.Text, []any, error) {
		ch, err := s.server.store.JoinClan(ctx, me, a.who)
		if errors.Is(err, data.ErrInClan) {
			err = chat.UserError(clanTheirsText, a.name)
		}
		if err == nil {
			s.server.clans.joined(a.session, &ch)
		}
		return clanTakenInText, []any{a.name}, err
	})
}

// sessionOf is the session of a player that a client names; nil if there is none in the world. A client that has it may
// be told so, since all clients know players by the same ids.
func (s *Server) sessionOf(id packets.ObjectID) *player {
	if id > 0xFFFF {
		return nil
	}
	if other := s.playerOf(world.PlayerID(packets.PlayerIndexOf(id))); other != nil && other.entered.Load() {
		return other
	}
	return nil
}
