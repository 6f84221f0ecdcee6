package world

import (
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"sphereserver/world/rules"
)

// Invitations that are accepted, declined, not answered; and each refusal. Players 1 to 3 are a party, 4 and 5 alone.
//
// Source: protocol life 13, checks 5.1 and 5.2.
func TestInvitations(t *testing.T) {
	type step struct {
		do   Command
		told []Event
	}
	refused := func(id PlayerID, why rules.RejectReason) []Event { return []Event{PartyRefused{id, why}} }
	invited := func(by, id PlayerID, token uint32) []Event {
		return []Event{PartyInvited{id, token, name(by)}, InvitationTold{by, name(id), InvitationSent}}
	}
	news := func(by, id PlayerID, what InvitationNews) Event { return InvitationTold{by, name(id), what} }
	far := shipstone
	far.X += 101
	for what, steps := range map[string][]step{
		"into a party": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{PartyAnswer{4, 1, true}, []Event{news(1, 4, InvitationAccepted),
				PartyJoined{4, name(4), members(1, 2, 3, 4)}}},
			{PartyAnswer{4, 1, true}, refused(4, rules.NoInvitation)},
		},
		"into a new party": {
			{PartyInvite{4, 5}, invited(4, 5, 1)},
			{PartyAnswer{5, 1, true}, []Event{news(4, 5, InvitationAccepted), PartyCreated{4},
				PartyJoined{5, name(5), members(4, 5)}}},
		},
		"an applicant elsewhere": {
			{PartyApply{4, name(1)}, []Event{PartyApplied{1, name(4)}}},
			{PartyInvite{5, 4}, invited(5, 4, 1)},
			{PartyAnswer{4, 1, true}, []Event{news(5, 4, InvitationAccepted), PartyCreated{5},
				PartyJoined{4, name(4), members(5, 4)}}},
			{PartyAccept{1, name(4)}, refused(1, rules.NotApplied)},
		},
		"declined, and again": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{PartyAnswer{4, 1, false}, []Event{news(1, 4, InvitationDeclined)}},
			{PartyAnswer{4, 1, false}, refused(4, rules.NoInvitation)},
			{PartyInvite{1, 4}, refused(1, rules.JustDeclined)},
			{PartyInvite{5, 4}, invited(5, 4, 2)},
			{PartyAnswer{4, 1, true}, refused(4, rules.NoInvitation)},
		},
		"only the invited answers": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{PartyAnswer{5, 1, true}, refused(5, rules.NoInvitation)},
			{PartyAnswer{1, 1, true}, refused(1, rules.NoInvitation)},
			{PartyAnswer{4, 0, true}, refused(4, rules.NoInvitation)},
		},
		"nobody": {
			{PartyInvite{1, 9}, refused(1, rules.NobodyThere)},
			{PartyInvite{1, 0}, refused(1, rules.NobodyThere)},
		},
		"oneself":         {{PartyInvite{1, 1}, refused(1, rules.Yourself)}},
		"not the leader":  {{PartyInvite{2, 4}, refused(2, rules.NotLeader)}},
		"a member":        {{PartyInvite{1, 2}, refused(1, rules.TheyHaveParty)}},
		"invited already": {{PartyInvite{1, 4}, invited(1, 4, 1)}, {PartyInvite{1, 4}, refused(1, rules.AlreadyInvited)}},
		"two at once": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{PartyInvite{5, 4}, invited(5, 4, 2)},
			{PartyInvite{4, 5}, invited(4, 5, 3)},
			{PartyAnswer{4, 2, false}, []Event{news(5, 4, InvitationDeclined)}},
			{PartyAnswer{4, 1, true}, []Event{news(1, 4, InvitationAccepted),
				PartyJoined{4, name(4), members(1, 2, 3, 4)}}},
		},
		"too far away": {{Teleport{4, far}, nil}, {PartyInvite{1, 4}, refused(1, rules.TooFar)}},
		"the answer comes too late": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{Leave{ID: 1}, nil},
			{PartyAnswer{4, 1, true}, refused(4, rules.NoInvitation)},
		},
		"the inviting player is gone": {
			{PartyInvite{5, 4}, invited(5, 4, 1)},
			{Leave{ID: 5}, nil},
			{PartyInvite{1, 4}, invited(1, 4, 2)},
		},
		"in another party meanwhile": {
			{PartyInvite{4, 5}, invited(4, 5, 1)},
			{PartyApply{4, name(1)}, nil},
			{PartyAccept{1, name(4)}, nil},
			{PartyAnswer{5, 1, true}, refused(5, rules.NoInvitation)},
		},
		"the invited in a party meanwhile": {
			{PartyInvite{4, 5}, invited(4, 5, 1)},
			{PartyCreate{5}, nil},
			{PartyAnswer{5, 1, true}, refused(5, rules.AlreadyInParty)},
		},
		"full": {
			{PartyInvite{1, 4}, invited(1, 4, 1)},
			{PartyApply{5, name(1)}, nil},
			{PartyAccept{1, name(5)}, nil},
			{PartyAnswer{4, 1, true}, refused(4, rules.PartyFull)},
			{PartyInvite{1, 4}, refused(1, rules.PartyFull)},
		},
	} {
		s := five(Options{PartySize: 4})
		for _, step := range steps {
			if got := s.does(step.do); step.told != nil && !reflect.DeepEqual(got, step.told) {
				t.Errorf("%s: %#v is told as\n%+v, want\n%+v", what, step.do, got, step.told)
			}
		}
		s.sound(t)
	}
}

// An invitation that is not answered ends after a minute, and its end does not touch the next one.
func TestInvitationsExpire(t *testing.T) {
	s := five(Options{})
	s.does(PartyInvite{1, 4})
	s.pass(invitationLasts / 2)
	s.does(PartyAnswer{4, 1, false})
	s.pass(rules.DeclineCooldown)
	s.does(PartyInvite{1, 4})
	if got := of[InvitationTold](s.pass(invitationLasts * 3 / 4)); len(got) != 0 {
		t.Errorf("the second is told as %+v at the end of the first", got)
	}
	got := of[InvitationTold](s.pass(invitationLasts / 2))
	if want := (InvitationTold{1, name(4), InvitationExpired}); len(got) != 1 || got[0] != want {
		t.Errorf("the end is told as %+v, want %+v", got, want)
	}
	if got := s.does(PartyAnswer{4, 2, true}); !reflect.DeepEqual(got, []Event{PartyRefused{4, rules.NoInvitation}}) {
		t.Errorf("an answer behind it is told as %+v", got)
	}
	s.does(PartyInvite{1, 4}, Leave{ID: 1})
	if got := of[InvitationTold](s.pass(2 * invitationLasts)); len(got) != 0 {
		t.Errorf("the end is told to a player that has left: %+v", got)
	}
}

// A player that has declined hears nothing of the same from the same player until the cooldown is over, also when that
// has left and come back.
func TestADeclinedWishIsNotRepeatedAtOnce(t *testing.T) {
	m := newFight(Options{})
	for id := range PlayerID(3) {
		m.fighter(t, id+1, 0, 0)
	}
	m.does(PartyInvite{1, 2}, PartyAnswer{2, 1, false}, Duel{ID: 1, Name: name(2)}, Duel{ID: 2, Word: EndDuel})
	m.asks(t, Leave{ID: 1})
	m.asks(t, Enter{m.returning(1)})
	asks := func(by PlayerID) (party, duel rules.RejectReason) {
		for _, e := range of[PartyRefused](m.does(PartyInvite{by, 2})) {
			party = e.Why
		}
		for _, e := range of[DuelTold](m.does(Duel{ID: by, Name: name(2)})) {
			duel = max(duel, e.Why)
		}
		return party, duel
	}
	m.pass(rules.DeclineCooldown - time.Second)
	if party, duel := asks(1); party != rules.JustDeclined || duel != rules.JustDeclined {
		t.Errorf("within the cooldown: %v, %v", party, duel)
	}
	m.pass(2 * time.Second)
	if party, duel := asks(1); party != 0 || duel != 0 || len(m.declined) != 0 {
		t.Errorf("behind it: %v, %v", party, duel)
	}
	m.pass(m.balance.Duel.Offer)
	if party, duel := asks(3); party != 0 || duel != 0 {
		t.Errorf("another: %v, %v", party, duel)
	}
}

// Whatever players ask for by chance, each is in one party at the most, each party has its leader and no more members than
// it may have.
func TestInvitationsKeepPartiesWhole(t *testing.T) {
	const players, limit = 7, 3
	joined := 0
	for seed := range uint64(10) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := newStage(Options{PartySize: limit})
		for step := range 1000 {
			id, other := PlayerID(r.IntN(players)+1), PlayerID(r.IntN(players)+1)
			if s.player(id) == nil {
				s.in(shipstone, id)
			}
			token := s.social.tokens - uint32(r.IntN(3))
			if asked := s.social.invited[id]; r.IntN(2) == 0 && len(asked) > 0 {
				token = asked[r.IntN(len(asked))].token
			}
			do := []Command{PartyInvite{id, other}, PartyInvite{id, other}, PartyAnswer{id, token, true},
				PartyAnswer{id, token, r.IntN(3) > 0}, PartyApply{id, name(other)}, PartyAccept{id, name(other)},
				PartyExpel{id, name(other)}, PartyLeave{id}, Leave{ID: id}}[r.IntN(9)]
			joined += len(of[PartyJoined](s.does(do)))
			if r.IntN(50) == 0 {
				s.pass(time.Minute / 4)
			}
			for id := PlayerID(1); id <= players; id++ {
				p := s.player(id)
				if p == nil || p.party == nil {
					continue
				}
				leads, there := 0, 0
				for _, q := range p.party.members {
					if q == p {
						there++
					}
					if q == p.party.leader {
						leads++
					}
					if q.party != p.party || q.gone() {
						t.Fatalf("seed %d, step %d: %#v leaves a member of two parties, or one that is gone", seed, step, do)
					}
				}
				if leads != 1 || there != 1 || len(p.party.members) > limit {
					t.Fatalf("seed %d, step %d: %#v leaves the party %v", seed, step, do, p.party.ids())
				}
			}
		}
		s.sound(t)
		for id := PlayerID(1); id <= players; id++ {
			s.does(Leave{ID: id})
		}
		if n := len(s.social.invited); n != 0 {
			t.Errorf("seed %d: %d invitations of players that have left", seed, n)
		}
	}
	if joined < 200 {
		t.Errorf("only %d have joined", joined)
	}
}
