package world

import (
	"slices"
	"time"

	"sphereserver/world/rules"
)

// sendInto brings a player into the dungeon of its mission, or of one of its party, if it is near the entrance or the
// giver that sends it.
func (ms *missions) sendInto(p *player) rules.RejectReason {
	if p.inside != nil && p.inside.mission != 0 {
		return rules.InDungeon
	}
	why := rules.NoMission
	if ms.mission(p) != nil {
		why = rules.NoDungeon
	}
	for _, q := range ms.keyHolders(p) {
		m := ms.mission(q)
		if p.Position.Distance(m.At) <= ms.balance.Mission.Sends {
			return ms.enterWith(p, q)
		}
		why = rules.TooFar
	}
	return why
}

// sendOut brings a player out of the dungeon of a mission if it is calm, as a stone of return would: the door needs no
// calm.
func (ms *missions) sendOut(p *player) rules.RejectReason {
	in := p.inside
	switch {
	case in == nil || in.mission == 0:
		return rules.NotInDungeon
	case p.stunned():
		return rules.Stunned
	case !ms.unhurt(p):
		return rules.NotCalm
	}
	ms.places.teleportInto(p, nil, in.layout.Leave)
	return 0
}

// keyHolders returns the players with a key that opens a dungeon for a player: itself, and members of its party that
// have theirs open.
func (ms *missions) keyHolders(p *player) (out []*player) {
	if m := ms.mission(p); m != nil && m.Inside() {
		out = append(out, p)
	}
	if p.party == nil {
		return out
	}
	for _, q := range p.party.members {
		if m := ms.mission(q); q != p && m != nil && m.Inside() && ms.dungeonOf(q) != nil {
			out = append(out, q)
		}
	}
	return out
}

// enterDungeon brings a player through the entrance of a number, if it or a member of its party has the key.
//
// Source: protocol life 4: only the key opens the entrance.
func (ms *missions) enterDungeon(p *player, number int) rules.RejectReason {
	for _, q := range ms.keyHolders(p) {
		if ms.mission(q).Entrance == number {
			return ms.enterWith(p, q)
		}
	}
	return rules.WrongKey
}

// dungeonOf returns the instance of a player's mission, nil before a player has entered it.
func (ms *missions) dungeonOf(p *player) *instance {
	if p.task == nil {
		return nil
	}
	return ms.dungeonFor(p.task.key)
}

// dungeonFor is dungeonOf for the key of a mission. The instance stays while it is open, even if the owner leaves the
// world.
func (ms *missions) dungeonFor(key rules.ItemID) *instance {
	at := slices.IndexFunc(ms.instances.byID, func(in *instance) bool { return in.open() != nil && in.mission == key })
	if at < 0 {
		return nil
	}
	return ms.instances.byID[at]
}

// enterWith brings a player into the dungeon of the mission of another, or of its own.
func (ms *missions) enterWith(p, owner *player) rules.RejectReason {
	in := ms.dungeonOf(owner)
	if in == nil {
		key := owner.task.key
		m := &owner.task.mission
		m.Opened = m.Opened || ms.opened[key]
		in = ms.instances.openInstance(ms.missionLayout(m), &owner.Player)
		if in == nil {
			return rules.NoCell
		}
		in.mission = key
		if !m.Opened {
			m.Opened = true
			ms.rememberOpened(key, m.Ends)
		}
		ms.noteOpened(owner, key)
		for _, s := range in.lairs {
			if s.Name != 0 {
				s.mission = in.mission
			}
		}
	}
	// A ward is gone if its owner has left the world since, or its dungeon has ended, and waits again when the owner comes
	// back.
	ward, n := owner.task.ward, len(in.lairs)
	if (ward == nil || ward.gone()) && owner.task.mission.Kind() == rules.FreePerson && n > 0 {
		ms.putWard(owner, in, in.lairs[n-1].At)
	}
	ms.places.teleportInto(p, in, in.place(in.layout.Start))
	return 0
}

// rememberOpened keeps in memory that the dungeon of a key was opened, until the store has it or the mission ends, in
// Unix seconds: the owner may leave while the store fails.
func (ms *missions) rememberOpened(key rules.ItemID, ends int64) {
	if ms.opened == nil {
		ms.opened = map[rules.ItemID]bool{}
	}
	ms.opened[key] = true
	ms.after(max(time.Unix(ends, 0).Sub(ms.now), 0)+TickPeriod, nil, func(_ *entity) { delete(ms.opened, key) })
}

// noteOpened stores in the key of a mission that its dungeon was opened.
func (ms *missions) noteOpened(owner *player, key rules.ItemID) {
	ms.ledger.whenFree(owner, func(p *player) {
		t := p.carried.Find(key)
		m, ok := rules.MissionOf(t)
		if !ok || m.Opened || p.gone() {
			return
		}
		m.Opened = true
		opened, _ := m.Key()
		d := ms.ledger.tx(p, nil)
		d.Edit(d.Side(&p.carried), key).Extra = opened.Extra
		ms.ledger.commit(d, nil, func() { delete(ms.opened, key) }).failed = func() {
			ms.after(storeRetry, &p.entity, func(e *entity) { ms.noteOpened(e.player, key) })
		}
	})
}

// missionLayout returns the dungeon of a mission. Only the first has chests: else one key would fill them as often as
// its owner waits for the end of a dungeon.
func (ms *missions) missionLayout(m *rules.Mission) *Layout {
	l := *ms.options.MissionDungeon
	l.Leave = m.At
	l.Lairs = slices.Clone(l.Lairs)
	l.Pieces = slices.DeleteFunc(slices.Clone(l.Pieces), func(p Piece) bool {
		t, is := p.Kind.(GroundItem)
		return m.Opened && is && t.IsBag()
	})
	for i := range l.Lairs {
		s := &l.Lairs[i]
		s.Level, s.Types, s.Alone, s.Tutorial = m.Level, []int{m.Type}, true, false
		if i == len(l.Lairs)-1 && m.Kind() == rules.KillInside {
			s.Name = m.Target
		}
	}
	if t, has := m.Parcel(); has && len(l.Lairs) > 0 {
		at := l.Lairs[len(l.Lairs)-1].At
		l.Pieces = append(l.Pieces, Piece{At: at, Kind: GroundItem{Item: t}})
	}
	for i := range l.Pieces {
		p := &l.Pieces[i]
		if t, ok := p.Kind.(GroundItem); ok && t.IsBag() {
			p.Things = ms.tables.Chest(ms.random, ms.balance, m.Level)
			p.Trap = ms.balance.Chest.Trap(ms.random, m.Level)
			if called := ms.tables.Called(ms.random, ms.balance, m.Level); called != 0 {
				p.Calls = &Summon{Type: called, Level: m.Level}
			}
		}
	}
	return &l
}
