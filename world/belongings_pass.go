package world

import (
	"time"

	"sphereserver/world/rules"
)

// A missionOffer is the wish of one player to pass its mission on to another.
type missionOffer struct {
	proposal
	key rules.ItemID
}

// offerMission asks another player beside a player whether it takes the player's mission. [MissionPassed] follows for
// both.
//
// Source: protocol life 4; how it is done, and its limits, are ours.
func (be *belongings) offerMission(p, q *player) rules.RejectReason {
	m, why := be.mayPass(p, q)
	switch {
	case why != 0:
		return why
	case be.hasDeclined(p, q, missionWish):
		return rules.JustDeclined
	case be.proposer(q.had().offered.proposal) == p:
		return rules.AlreadyInvited
	case be.proposer(q.had().offered.proposal) != nil:
		return rules.TheyCannotTake
	}
	o := missionOffer{proposal{p, be.instant().Add(invitationLasts)}, p.task.key}
	q.has().offered = o
	be.after(invitationLasts, &q.entity, func(e *entity) {
		if e.player.had().offered == o {
			be.dropOffer(e.player, PassExpired)
		}
	})
	be.tell(MissionPassed{ID: p.ID, Name: q.Name, News: PassOffered})
	be.tell(MissionPassed{ID: q.ID, Name: p.Name, News: PassAsked, Mission: m, Left: time.Unix(m.Ends, 0).Sub(be.now)})
	return 0
}

// mayPass returns the mission of a player, or says why it cannot be passed on to another. One whose dungeon is open
// stays with its owner.
func (be *belongings) mayPass(p, q *player) (m rules.Mission, why rules.RejectReason) {
	ms := be.missions
	has := ms.mission(p)
	if has == nil {
		return m, rules.NoMission
	}
	switch why := be.mayDeal(p, q); {
	case why == rules.TheyAreBusy:
		return m, rules.TheyCannotTake
	case why != 0:
		return m, why
	case ms.dungeonFor(p.task.key) != nil:
		return m, rules.PassedTooLate
	case be.now.Before(ms.nextMission[q.Character]), q.carried.At(0, rules.SlotMission) != nil:
		return m, rules.TheyCannotTake
	}
	return *has, be.balance.Mission.MayPass(has, q.Title, q.Degree, be.now)
}

// dropOffer ends the offer of a mission to a player, which counts as declined.
func (be *belongings) dropOffer(p *player, news PassNews) {
	by := p.had().offered.by
	p.has().offered = missionOffer{}
	be.decline(by, p, missionWish)
	if !by.gone() {
		be.tell(MissionPassed{ID: by.ID, Name: p.Name, News: news})
	}
}

func (be *belongings) declineMission(p *player) rules.RejectReason {
	if be.proposer(p.had().offered.proposal) == nil {
		return rules.NoInvitation
	}
	be.dropOffer(p, PassDeclined)
	return 0
}

// mayAccept returns the mission that p has offered to q, or says why q cannot take it.
func (be *belongings) mayAccept(p, q *player) (m rules.Mission, why rules.RejectReason) {
	m, why = be.mayPass(p, q)
	switch key := q.had().offered.key; {
	case q.carried.At(0, rules.SlotMission) != nil:
		why = rules.HasMission
	case why == rules.NoMission, why == 0 && p.task.key != key: // it has another one by now
		why = rules.NoInvitation
	case why == rules.TheyCannotTake:
		why = rules.MissionTooSoon
	case why == 0 && p.pending != nil:
		why = rules.Busy
	}
	return m, why
}

// acceptMission passes the mission on that a player is offered.
func (be *belongings) acceptMission(q *player, c Mission) rules.RejectReason {
	ms, p := be.missions, be.proposer(q.had().offered.proposal)
	if p == nil {
		return rules.NoInvitation
	}
	if why := be.mayDeal(q, p); why != 0 {
		return why
	}
	m, why := be.mayAccept(p, q)
	if why != 0 {
		return why
	}
	key := p.task.key
	d := be.ledger.tx(q, c)
	d.others = append(d.others, stake{p: p})
	from, to := d.Side(&p.carried), d.Side(&q.carried)
	if why := d.PassMission(from, to, key); why == rules.TheyCannotTake {
		return rules.NoRoom
	} else if why != 0 {
		return why
	}
	q.has().offered = missionOffer{}
	be.ledger.commit(d, nil, func() {
		be.vitals.updateEquipment(p, d)
		e := ms.endMission(p, d, key, m)
		e.News = MissionPassedOn
		be.tell(*e)
		be.tell(MissionPassed{ID: p.ID, Name: q.Name, News: PassDone})
		given := MissionGiven{ID: q.ID, Key: d.Moved(key).Is, At: p.Position, Slots: d.slots(exactly(to))}
		if parcel := m.ParcelIn(&q.carried); parcel != nil {
			given.Parcel = copyOf(parcel)
		}
		be.tell(given)
		be.tell(MissionPassed{ID: q.ID, Name: p.Name, News: PassGot})
		ms.resumeMission(q)
		be.tell(MissionShown{ID: q.ID, Mission: m, Left: time.Unix(m.Ends, 0).Sub(be.now), Parcel: given.Parcel != nil})
	})
	return 0
}
