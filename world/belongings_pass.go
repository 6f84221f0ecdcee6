package world

import (
	"time"

	"sphereserver/world/rules"
)

// passMission passes a player's mission on to another player beside it. One whose dungeon is open stays with its
// owner.
//
// Source: protocol life 4; how it is done, and its limits, are ours.
func (be *belongings) passMission(p *player, c Mission) rules.RejectReason {
	ms, q := be.missions, be.named(c.To)
	has := ms.mission(p)
	if has == nil {
		return rules.NoMission
	}
	m, key, why := *has, p.task.key, be.mayDeal(p, q)
	switch {
	case why == rules.TheyAreBusy:
		return rules.TheyCannotTake
	case why != 0:
		return why
	case q.pending != nil:
		return rules.Busy
	case ms.dungeonFor(key) != nil:
		return rules.PassedTooLate
	case be.now.Before(ms.nextMission[q.Character]):
		return rules.TheyCannotTake
	}
	if why := be.balance.Mission.MayPass(&m, q.Title, q.Degree, be.now); why != 0 {
		return why
	}
	d := be.ledger.tx(p, c)
	d.others = append(d.others, stake{p: q})
	from, to := d.Side(&p.carried), d.Side(&q.carried)
	if why := d.PassMission(from, to, key); why != 0 {
		return why
	}
	be.ledger.commit(d, nil, func() {
		be.vitals.updateEquipment(q, d)
		e := ms.endMission(p, d, key, m)
		e.News = MissionPassedOn
		be.tell(*e)
		be.tell(MissionPassed{p.ID, q.Name, false})
		given := MissionGiven{ID: q.ID, Key: d.Moved(key).Is, At: p.Position,
			Slots: d.slots(func(s *rules.Side) bool { return s == to })}
		if parcel := m.ParcelIn(&q.carried); parcel != nil {
			given.Parcel = copyOf(parcel)
		}
		be.tell(given)
		be.tell(MissionPassed{q.ID, p.Name, true})
		ms.resumeMission(q)
		be.tell(MissionShown{ID: q.ID, Mission: m, Left: time.Unix(m.Ends, 0).Sub(be.now), Parcel: given.Parcel != nil})
	})
	return 0
}
