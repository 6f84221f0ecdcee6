package world

import (
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A mission is the key that its owner carries: with it the mission comes and goes, in the world and in the store. All
// other state here can be rebuilt from the key.

// missions gives, watches and rewards missions. It pays all other rewards of players, too.
type missions struct {
	*core
	places    *places
	ledger    *ledger
	vitals    *vitals
	spawners  *spawners
	instances *instances

	nextMission map[int64]time.Time   // before then a character is given none
	opened      map[rules.ItemID]bool // keys of dungeons that were opened, which the store does not know yet
}

// task is the state of a player's mission besides its key.
type task struct {
	key     rules.ItemID
	mission rules.Mission
	sound   bool     // the key holds a valid mission
	lair    *spawner // of its target in the open, nil for none
	ward    *object  // to be led, nil for none
}

// mission returns a player's mission, nil for none.
func (ms *missions) mission(p *player) *rules.Mission {
	t := p.carried.At(0, rules.SlotMission)
	if t == nil {
		return nil
	}
	if p.task == nil || p.task.key != t.ID {
		ms.dismiss(p)
		m, ok := rules.MissionOf(t)
		p.task = &task{key: t.ID, mission: m, sound: ok}
	}
	if !p.task.sound {
		return nil
	}
	return &p.task.mission
}

// resumeMission goes on with the mission of a player that enters, or has just got it.
func (ms *missions) resumeMission(p *player) {
	m := ms.mission(p)
	if m == nil {
		return
	}
	key := p.task.key
	// A timer may fire half a tick early, and the mission would not be over then.
	ms.after(max(time.Unix(m.Ends, 0).Sub(ms.now), 0)+TickPeriod, &p.entity, func(e *entity) {
		ms.expire(e.player, key)
	})
	at := m.At
	if m.ParcelIn(&p.carried) != nil && m.Returns() {
		at = m.Back
	} else if m.Hunts() && ms.tables.Monster(m.Type) != nil {
		const lairs = 1 << 8 // as many numbers as an instance has
		ms.instances.openings++
		p.task.lair = &spawner{Spawner: Spawner{Key: "mission", At: m.At, Level: m.Level, Types: []int{m.Type}, Alone: true,
			Name: m.Target}, id: ms.NextEntityID(), index: -2 - ms.instances.openings*lairs, mission: key}
		ms.spawners.fill(p.task.lair, false)
	} else if m.Kind() == rules.GuidePerson {
		ms.putWard(p, nil, m.At)
	}
	ms.tell(PlaceMarked{p.ID, at})
}

// dismiss takes the target of a player's mission out of the open world.
func (ms *missions) dismiss(p *player) {
	if p.task != nil && p.task.lair != nil {
		s := p.task.lair
		p.task.lair = nil
		s.gone = true
		ms.spawners.turn(s)
	}
	if p.task != nil && p.task.ward != nil {
		o := p.task.ward
		p.task.ward = nil
		ms.places.remove(o)
	}
}

// takeKey takes the key of a mission from its owner in a transaction, and gives the emblem of a guild if the mission
// brings a rank; else the mission that it returns has no guild. False if the owner has it no more, or too late.
func (ms *missions) takeKey(p *player, d *tx, key rules.ItemID) (m rules.Mission, ok bool) {
	has := ms.mission(p)
	if has == nil || key == 0 || p.task.key != key || has.Over(ms.now) {
		return m, false
	}
	m = *has
	s := d.Side(&p.carried)
	d.EndMission(s, key)
	if next, why := rules.NextRank(m.Guild, p.Title, p.Degree, &p.Progress); m.Guild != 0 && why == 0 && next == m.Rank {
		ms.tables.Enrol(&d.InventoryTx, s, m.Guild, m.Rank)
	} else {
		m.Guild = 0
	}
	return m, true
}

// endMission ends a mission after a transaction has taken its key, and returns the event.
func (ms *missions) endMission(p *player, d *tx, key rules.ItemID, m rules.Mission) *MissionEnded {
	ms.dismiss(p)
	if in := ms.dungeonFor(key); in != nil {
		for _, s := range in.lairs {
			s.gone = s.gone || s.Name != 0
		}
	}
	p.task = nil
	if m.Guild != 0 && m.Guild == p.Progress.Guild && m.Rank == p.Progress.GuildRank { // not one that was lost
		tellGuild(ms.core, p, d)
	}
	ms.waitForMission(p.Character)
	own := func(s *rules.Side) bool { return s != nil && s.Was == &p.carried }
	e := &MissionEnded{ID: p.ID, News: MissionFulfilled, Key: d.Moved(key).Was, Mission: m,
		Slots: slices.DeleteFunc(d.slots(own), guildSlot)}
	for _, move := range d.Moves {
		switch {
		case move.TxID == key, !own(move.From) && !own(move.To), guildMove(&move):
		case !own(move.To):
			e.Gone = append(e.Gone, move.Was)
		default:
			e.Left = append(e.Left, move.Is)
		}
	}
	return e
}

// waitForMission keeps a character from getting another mission for a while.
func (ms *missions) waitForMission(character int64) {
	wait := ms.balance.Mission.Wait
	if wait <= 0 {
		return
	}
	if ms.nextMission == nil {
		ms.nextMission = map[int64]time.Time{}
	}
	until := ms.now.Add(wait)
	ms.nextMission[character] = until
	ms.after(wait, nil, func(_ *entity) {
		if ms.nextMission[character].Equal(until) {
			delete(ms.nextMission, character)
		}
	})
}

// loseMission takes a mission from a player without a reward.
func (ms *missions) loseMission(p *player, c Command, news MissionNews) {
	t := p.carried.At(0, rules.SlotMission)
	d := ms.ledger.tx(p, c)
	key, m := t.ID, p.task.mission
	d.EndMission(d.Side(&p.carried), key)
	ms.ledger.commit(d, nil, func() {
		e := ms.endMission(p, d, key, m)
		e.News = news
		ms.tell(*e)
		ms.granted(p, c)
	}).failed = func() {
		if c == nil { // its time is over, whatever the store says
			ms.after(storeRetry, &p.entity, func(e *entity) { ms.expire(e.player, key) })
		}
	}
}

// expire takes a mission from a player whose time for it is over, when the player is free.
func (ms *missions) expire(p *player, key rules.ItemID) {
	ms.ledger.whenFree(p, func(p *player) {
		if m := ms.mission(p); m != nil && p.task.key == key && m.Over(ms.now) {
			ms.loseMission(p, nil, MissionOver)
		}
	})
}

// pay gives a player a reward, except its money.
func (ms *missions) pay(p *Player, r *rules.Reward) {
	if r.XP > 0 {
		p.Title, p.Degree, p.Progress = ms.tables.Learn(p.Title, p.Degree, p.Progress, r.Career, r.XP)
	}
	p.Progress.Karma = rules.AddKarma(p.Progress.Karma, r.Karma)
	if r.Guild != 0 {
		p.Progress.Guild, p.Progress.GuildRank = r.Guild, r.Rank
	}
}

// fulfils returns the player that owns the mission that the death of a monster fulfils: the killer or a member of its
// party, alive and near. nil: none.
//
// Source: protocol life 4.1, 4.4.
func (ms *missions) fulfils(m *monster, by *player) *player {
	if m.spawner == nil || m.spawner.mission == 0 || by == nil || by.gone() {
		return nil
	}
	group := []*player{by}
	if by.party != nil {
		group = by.party.members
	}
	for _, p := range group {
		if has := ms.mission(p); has != nil && p.task.key == m.spawner.mission && ms.takesPart(p, &m.object.entity) {
			return p
		}
	}
	return nil
}

// takesPart reports whether a player is alive, and near enough to have a part in a mission that is fulfilled at an
// entity.
func (ms *missions) takesPart(p *player, at *entity) bool {
	far := ms.balance.Mission.Near
	return !p.gone() && !p.leaving && !isDead(p) && near(&p.entity, at, far*far)
}

// share gives the party members of its level near an entity their part of the reward of a mission that was fulfilled
// there. Each is told when its own is durable.
func (ms *missions) share(at *entity, owner *player, m rules.Mission) {
	if owner.party == nil {
		return
	}
	pays := ms.balance.Mission.Reward(&ms.balance.Experience, &m, ms.balance.Mission.Group)
	pays.Guild, pays.Rank = 0, 0
	for _, p := range owner.party.members {
		if p == owner || !ms.takesPart(p, at) || pays == (rules.Reward{Career: pays.Career}) ||
			!ms.balance.Experience.Shares(&m, p.Title, p.Degree) {
			continue
		}
		ms.earn(earning{player: p, Reward: pays, at: at})
	}
}

// Mission shows, takes, gives up or fulfils a mission.
type Mission struct {
	ID    PlayerID
	Word  MissionWord
	Giver EntityID // 0: the nearest
	Goal  rules.MissionGoal
	Exact bool // no mission for another goal
	Place rules.MissionPlace
	Aloud bool   // [MissionShown] tells of the mission taken, too
	To    string // name of the player to which it is to be passed
}

// A MissionWord is an action of [Mission].
type MissionWord uint8

// The words.
const (
	ShowMission   MissionWord = iota // the player's, or if it has none the giver's offer: [MissionShown]
	TakeMission                      // [MissionGiven]
	GiveUpMission                    // [MissionEnded]
	EnterDungeon                     // of the mission: [Teleported]
	LeaveDungeon                     // the same
	HandOver                         // to a person nearby that waits for it: [Gained]; or lead the person
	PassMission                      // to another player, which is asked: [MissionPassed] for both
	AcceptMission                    // that another player would pass on
	DeclineMission
)

func (c Mission) who() PlayerID { return c.ID }

func (c Mission) ask(w *World, p *player) rules.RejectReason {
	m := w.missions.mission(p)
	switch c.Word {
	case TakeMission:
		return w.missions.giveMission(p, c)
	case GiveUpMission:
		if t := p.carried.At(0, rules.SlotMission); t == nil || t.Class != rules.ClassMission {
			return rules.NoMission
		}
		w.missions.loseMission(p, c, MissionGivenUp)
		return 0
	case EnterDungeon:
		return w.missions.sendInto(p)
	case LeaveDungeon:
		return w.missions.sendOut(p)
	case HandOver:
		return w.missions.deliverNearby(p)
	case PassMission:
		return w.belongings.offerMission(p, w.named(c.To))
	case AcceptMission:
		return w.belongings.acceptMission(p, c)
	case DeclineMission:
		return w.belongings.declineMission(p)
	}
	if m != nil {
		w.tell(MissionShown{ID: p.ID, Mission: *m, Left: time.Unix(m.Ends, 0).Sub(w.now),
			Parcel: m.ParcelIn(&p.carried) != nil})
		return 0
	}
	_, g, why := w.missions.giver(p, c.Giver)
	if why == 0 {
		w.tell(MissionShown{ID: p.ID, Giver: g})
	}
	return why
}

// giver returns the mission giver that a player names, with 0 the nearest that it sees, if it is within reach.
func (ms *missions) giver(p *player, id EntityID) (o *object, g *rules.MissionGiver, why rules.RejectReason) {
	if id == 0 {
		return ms.nearestGiver(p, rules.NoGiver, func(g *rules.MissionGiver) bool { return g.Guild == 0 })
	}
	o, npc, why := reach[NPC](ms.core, p, id, rules.NoGiver)
	if why == 0 && npc.Giver == nil {
		why = rules.NoGiver
	}
	return o, npc.Giver, why
}

// nearestGiver returns the nearest giver of a sort that a player sees, if it is within reach. none is the reason if
// there is none.
func (ms *missions) nearestGiver(p *player, none rules.RejectReason, fits func(*rules.MissionGiver) bool) (o *object,
	g *rules.MissionGiver, why rules.RejectReason) {
	o, npc, why := nearestNPC(ms.core, p, none, func(npc *NPC) bool { return npc.Giver != nil && fits(npc.Giver) })
	return o, npc.Giver, why
}

// giveMission gives a player a mission, if it may have one.
func (ms *missions) giveMission(p *player, c Mission) rules.RejectReason {
	o, g, why := ms.giver(p, c.Giver)
	switch {
	case why != 0:
		return why
	case g.Guild != 0:
		return ms.rise(p, c, o)
	case p.carried.At(0, rules.SlotMission) != nil:
		return rules.HasMission
	case ms.now.Before(ms.nextMission[p.Character]):
		return rules.MissionTooSoon
	}
	if why := g.MayTake(p.Title, p.Degree, p.Progress.Karma); why != 0 {
		return why
	}
	if c.Exact && !g.Goals[c.Goal] {
		return rules.GoalNotOffered
	}
	goal, place, ok := g.Choose(c.Goal, c.Place)
	if !ok {
		return rules.NoMission
	}
	return ms.makeMission(p, c, o, goal, place, 0)
}

// limit returns the limit of level at which a giver has refused a mission, 0 for none.
func (c Mission) limit(w *World, p *player, why rules.RejectReason) int {
	if c.Word == TakeMission {
		if _, g, wrong := w.missions.giver(p, c.Giver); wrong == 0 && g.Guild != 0 {
			return guildLimit(p, g, why)
		} else if wrong == 0 {
			return g.Limit(why)
		}
	}
	return 0
}

// makeMission gives a player a mission of a giver; of one of a guild it is the task for a rank.
func (ms *missions) makeMission(p *player, c Command, giver *object, goal rules.MissionGoal, place rules.MissionPlace,
	rank int) rules.RejectReason {
	npc := giver.Kind.(NPC)
	all := slices.DeleteFunc(slices.Clone(ms.options.Missions), func(t rules.MissionTemplate) bool {
		m := rules.Mission{Template: t.Key}
		return npc.Giver.Guild != 0 && !m.IsTask() || m.Inside() && ms.options.MissionDungeon == nil
	})
	level := rules.MissionLevel(goal, p.Title, p.Degree)
	if c, ok := c.(OrderMission); ok && c.Template != "" {
		all, level = onlyTemplate(all, c.Template, goal, level)
	}
	m, ok := ms.tables.NewMission(ms.random, ms.balance, all, npc.Giver, goal, place, level, land{ms.core, giver})
	for m.Kind() != rules.BringParcel && ms.isSought(m.Target) {
		m.Target = rules.MonsterName(ms.random)
	}
	m.Ends = ms.now.Add(ms.balance.Mission.Lasts).Unix()
	m.From, m.Back, m.Guild, m.Rank = npc.Name, giver.Position, npc.Giver.Guild, rank
	if m.Kind() == rules.Collect {
		m.At = m.Back
	}
	key, sound := m.Key()
	if !ok || !sound {
		return rules.NoMission
	}
	d := ms.ledger.tx(p, c)
	s := d.Side(&p.carried)
	id, parcel := d.Add(s, key), rules.ItemID(0)
	if t, has := m.Parcel(); has && m.Kind() == rules.BringParcel {
		var why rules.RejectReason
		if parcel, _, why = ms.tables.Pocket(&d.InventoryTx, s, t); why != 0 {
			return why
		}
	}
	ms.ledger.commit(d, nil, func() {
		e := MissionGiven{ID: p.ID, Key: d.Moved(id).Is, At: giver.Position, Slots: d.slots(notGround)}
		if parcel != 0 {
			e.Parcel = copyOf(&d.Moved(parcel).Is)
		}
		ms.tell(e)
		ms.resumeMission(p)
		if c, ok := c.(Mission); ok && c.Aloud || m.Guild != 0 {
			ms.tell(MissionShown{ID: p.ID, Mission: m, Left: ms.balance.Mission.Lasts, Parcel: parcel != 0})
		}
		ms.granted(p, c)
	})
	return 0
}

// isSought reports whether a player inside has a mission about a name. Two targets of one name would be taken for each
// other.
func (ms *missions) isSought(name int32) bool {
	return slices.ContainsFunc(ms.all[players], func(e *entity) bool {
		return e.player.task != nil && e.player.task.mission.Target == name
	})
}

// spotTries is how often a place for a target is drawn.
const spotTries = 16

// land is the open world as the missions of a giver are made from it.
type land struct {
	*core
	giver *object
}

// Person draws an NPC with a name around a landmark.
func (l land) Person(landmark coords.Position) (name int32, at coords.Position, ok bool) {
	b, n := &l.balance.Mission, 0
	for _, e := range l.all[others] {
		npc, is := e.object.Kind.(NPC)
		if !is || npc.Name == 0 || e.inside != nil || e.object == l.giver || e.object.isWard() {
			continue
		}
		if d := landmark.Distance(e.At); d < b.PersonNear || d > b.PersonFar {
			continue
		}
		if n++; l.random.IntN(n) == 0 {
			name, at, ok = npc.Name, e.At, true
		}
	}
	return name, at, ok
}

// Spot draws a place outside for a target, around a landmark: in no city and not in deep water.
func (l land) Spot(landmark coords.Position) (coords.Position, bool) {
	b := &l.balance.Mission
	for range spotTries {
		at := landmark
		angle, d := 2*math.Pi*l.random.Float64(), b.SpotNear+max(b.SpotFar-b.SpotNear, 0)*l.random.Float64()
		at.X += float32(d * math.Sin(angle))
		at.Z += float32(d * math.Cos(angle))
		y, dry, known := l.options.Ground.Land(at)
		if known {
			at.Y = y
		}
		if at.Check() == nil && !l.inTown(at) && (dry || !known) {
			return at, true
		}
	}
	return landmark, false
}

// MissionNews is how a mission has ended.
type MissionNews uint8

// The news.
const (
	MissionFulfilled MissionNews = iota
	MissionGivenUp
	MissionOver      // its time was
	MissionPassedOn  // to another player
	MissionCancelled // by an operator
)

type (
	// MissionGiven tells a player that it has a mission, from a giver at a place.
	MissionGiven struct {
		ID     PlayerID
		Key    rules.Item
		Parcel *rules.Item // that is to be delivered; nil: none
		At     coords.Position
		Slots  []SlotNow
	}

	// MissionThing tells a player that it has got the item of its mission.
	MissionThing struct {
		ID    PlayerID
		Item  rules.Item
		Slots []SlotNow
	}

	// MissionLacks tells a player why its mission does not go on: [rules.NotFulfilled] yet, or [rules.NoRoom] for its
	// item.
	MissionLacks struct {
		ID  PlayerID
		Why rules.RejectReason
	}

	// MissionEnded tells a player that its mission has ended.
	MissionEnded struct {
		ID      PlayerID
		News    MissionNews
		Key     rules.Item   // as it was
		Gone    []rules.Item // that went with it
		Left    []rules.Item // of which there are fewer
		Mission rules.Mission
		Slots   []SlotNow
	}

	// MissionPassed tells a player how the passing on of a mission goes.
	MissionPassed struct {
		ID      PlayerID
		Name    string // of the other
		News    PassNews
		Mission rules.Mission // of PassAsked
		Left    time.Duration // of it
	}

	// PlaceMarked tells a player of a place to mark on its map: that of its mission, or one that the leader of its party
	// points at.
	PlaceMarked struct {
		ID PlayerID
		At coords.Position
	}

	// MissionShown tells a player its mission, or the missions that a giver offers.
	MissionShown struct {
		ID      PlayerID
		Mission rules.Mission
		Left    time.Duration
		Parcel  bool                // the player has it
		Giver   *rules.MissionGiver // nil: it has the mission
	}
)

// PassNews is a turn that the passing on of a mission takes.
type PassNews uint8

// The news.
const (
	PassOffered  PassNews = iota // the other is asked
	PassAsked                    // the other asks
	PassDone                     // the other has it
	PassGot                      // from the other
	PassDeclined                 // by the other
	PassExpired                  // it was not answered
)

func (MissionGiven) event()  {}
func (MissionEnded) event()  {}
func (MissionPassed) event() {}
func (PlaceMarked) event()   {}
func (MissionThing) event()  {}
func (MissionLacks) event()  {}
func (MissionShown) event()  {}
