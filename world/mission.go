package world

import (
	"math"
	"slices"
	"time"

	"sphereserver/coords"
	"sphereserver/world/rules"
)

// A mission is the key that its owner carries: with it the mission comes and goes, in the world and in the store. What
// is here besides can be made anew from that.

// missions are what the world has to do with all of them.
type missions struct {
	nextMission map[int64]time.Time // before then a character is given none
}

// task is what the world knows of a player's mission besides its key.
type task struct {
	key     rules.ItemID
	mission rules.Mission
	sound   bool     // the key says what the mission is
	lair    *spawner // of its target in the open, nil for none
	ward    *object  // who is to be led, nil for nobody
}

// mission is what a player has to do, nil for nothing.
func (w *World) mission(p *player) *rules.Mission {
	t := p.carried.At(0, rules.SlotMission)
	if t == nil {
		return nil
	}
	if p.task == nil || p.task.key != t.ID {
		w.dismiss(p)
		m, ok := rules.MissionOf(t)
		p.task = &task{key: t.ID, mission: m, sound: ok}
	}
	if !p.task.sound {
		return nil
	}
	return &p.task.mission
}

// resumeMission has the mission of a player who enters, or has just been given it, go on.
func (w *World) resumeMission(p *player) {
	m := w.mission(p)
	if m == nil {
		return
	}
	key := p.task.key
	// A timer may fire half a tick early, and the mission would not be over then.
	w.after(max(time.Unix(m.Ends, 0).Sub(w.now), 0)+TickPeriod, &p.entity, func(w *World, e *entity) {
		w.whenFree(e.player, func(w *World, p *player) {
			if m := w.mission(p); m != nil && p.task.key == key && m.Over(w.now) {
				w.loseMission(p, nil, MissionOver)
			}
		})
	})
	at := m.At
	if m.ParcelIn(&p.carried) != nil && m.Returns() {
		at = m.Back
	} else if m.Hunts() && w.tables.Monster(m.Type) != nil {
		const lairs = 1 << 8 // as many numbers as an instance has
		w.instances.openings++
		p.task.lair = &spawner{Spawner: Spawner{Key: "mission", At: m.At, Level: m.Level, Types: []int{m.Type}, Alone: true,
			Name: m.Target}, id: w.NextEntityID(), index: -2 - w.instances.openings*lairs, mission: key}
		w.fill(p.task.lair, false)
	} else if m.Kind() == rules.GuidePerson {
		w.putWard(p, nil, m.At)
	}
	w.tell(PlaceMarked{p.ID, at})
}

// dismiss takes the target of a player's mission out of the open world.
func (w *World) dismiss(p *player) {
	if p.task != nil && p.task.lair != nil {
		s := p.task.lair
		p.task.lair = nil
		s.gone = true
		w.turn(s)
	}
	if p.task != nil && p.task.ward != nil {
		o := p.task.ward
		p.task.ward = nil
		w.remove(o)
	}
}

// takeKey has a transaction take the key of a mission from its owner; false if it has it no more.
func (w *World) takeKey(p *player, d *tx, key rules.ItemID) (m rules.Mission, ok bool) {
	has := w.mission(p)
	if has == nil || key == 0 || p.task.key != key || has.Over(w.now) {
		return m, false
	}
	m = *has
	d.EndMission(d.Side(&p.carried), key)
	return m, true
}

// endMission notes that a mission is over, whose key a transaction has taken.
func (w *World) endMission(p *player, d *tx, key rules.ItemID, m rules.Mission) *MissionEnded {
	w.dismiss(p)
	if in := w.dungeonFor(key); in != nil {
		for _, s := range in.lairs {
			s.gone = s.gone || s.Name != 0
		}
	}
	p.task = nil
	w.waitForMission(p.Character)
	own := func(s *rules.Side) bool { return s != nil && s.Was == &p.carried }
	e := &MissionEnded{ID: p.ID, News: MissionFulfilled, Key: d.Moved(key).Was, Mission: m, Slots: d.slots(own)}
	for _, move := range d.Moves {
		switch {
		case move.TxID == key, !own(move.From) && !own(move.To):
		case move.To == nil:
			e.Gone = append(e.Gone, move.Was)
		default:
			e.Left = append(e.Left, move.Is)
		}
	}
	return e
}

// waitForMission has a character get no mission for a while.
func (w *World) waitForMission(character int64) {
	wait := w.balance.Mission.Wait
	if wait <= 0 {
		return
	}
	if w.nextMission == nil {
		w.nextMission = map[int64]time.Time{}
	}
	until := w.now.Add(wait)
	w.nextMission[character] = until
	w.after(wait, nil, func(w *World, _ *entity) {
		if w.nextMission[character].Equal(until) {
			delete(w.nextMission, character)
		}
	})
}

// loseMission takes a mission from a player without a reward.
func (w *World) loseMission(p *player, c Command, news MissionNews) {
	t := p.carried.At(0, rules.SlotMission)
	d := w.tx(p, c)
	key, m := t.ID, p.task.mission
	d.EndMission(d.Side(&p.carried), key)
	w.commit(d, nil, func() {
		e := w.endMission(p, d, key, m)
		e.News = news
		w.tell(*e)
		w.granted(p, c)
	})
}

// pay gives a player what a mission pays, but for money.
func (w *World) pay(p *Player, r *rules.Reward) {
	if r.XP > 0 {
		p.Title, p.Degree, p.Progress = w.tables.Learn(p.Title, p.Degree, p.Progress, r.Career, r.XP)
	}
	p.Progress.Karma = rules.AddKarma(p.Progress.Karma, r.Karma)
}

// fulfils is the player whose mission the death of a monster fulfils, if somebody has killed it who may: the owner, or
// one of its party who is near. Nil for nobody.
//
// Source: protocol life 4.1, 4.4.
func (w *World) fulfils(m *monster, by *player) *player {
	if m.spawner == nil || m.spawner.mission == 0 || by == nil || by.gone {
		return nil
	}
	group := []*player{by}
	if by.party != nil {
		group = by.party.members
	}
	for _, p := range group {
		if has := w.mission(p); has != nil && p.task.key == m.spawner.mission && w.takesPart(p, &m.object.entity) {
			return p
		}
	}
	return nil
}

// takesPart says whether a player is so near to where a mission is fulfilled that it has a part in it.
func (w *World) takesPart(p *player, at *entity) bool {
	far := w.balance.Mission.Near
	return !p.gone && !p.leaving && !isDead(p) && near(&p.entity, at, far*far)
}

// share gives the others of a party their part of what a mission pays that was fulfilled at an entity. Each is told when its
// own is durable.
func (w *World) share(at *entity, owner *player, m rules.Mission) {
	if owner.party == nil {
		return
	}
	pays := w.balance.Mission.Reward(&w.balance.Experience, &m, w.balance.Mission.Group)
	for _, p := range owner.party.members {
		if p == owner || !w.takesPart(p, at) || pays == (rules.Reward{Career: pays.Career}) {
			continue
		}
		w.earn(earning{player: p, Reward: pays, at: at})
	}
}

// Mission is what a player does about missions.
type Mission struct {
	ID    PlayerID
	Word  MissionWord
	Giver EntityID // 0: the nearest
	Goal  rules.MissionGoal
	Place rules.MissionPlace
	Aloud bool // [MissionShown] tells what was given, too
}

// A MissionWord is one of the things that can be done about missions.
type MissionWord uint8

// The words.
const (
	ShowMission   MissionWord = iota // what one has, or what the giver has: [MissionShown]
	TakeMission                      // [MissionGiven]
	GiveUpMission                    // [MissionEnded]
	EnterDungeon                     // in which it is done, or leave it: [Teleported]
	HandOver                         // what somebody near is to be brought: [Gained]; or lead him
)

func (c Mission) who() PlayerID { return c.ID }

func (c Mission) ask(w *World, p *player) rules.RejectReason {
	m := w.mission(p)
	switch c.Word {
	case TakeMission:
		return w.giveMission(p, c)
	case GiveUpMission:
		if t := p.carried.At(0, rules.SlotMission); t == nil || t.Class != rules.ClassMission {
			return rules.NoMission
		}
		w.loseMission(p, c, MissionGivenUp)
		return 0
	case EnterDungeon:
		return w.sendInto(p)
	case HandOver:
		return w.deliverNearby(p)
	}
	if m != nil {
		w.tell(MissionShown{ID: p.ID, Mission: *m, Left: time.Unix(m.Ends, 0).Sub(w.now),
			Parcel: m.ParcelIn(&p.carried) != nil})
		return 0
	}
	_, g, why := w.giver(p, c.Giver)
	if why == 0 {
		w.tell(MissionShown{ID: p.ID, Giver: g})
	}
	return why
}

// giver is who gives missions and is named by a player, or is the nearest whom it sees within reach.
func (w *World) giver(p *player, id EntityID) (o *object, g *rules.MissionGiver, why rules.RejectReason) {
	if id == 0 {
		least := math.Inf(1)
		for _, l := range p.links[others] {
			npc, ok := l.other.object.Kind.(NPC)
			if d := p.Position.Distance(l.other.at); ok && npc.Giver != nil && d < least {
				id, least = l.other.id, d
			}
		}
	}
	if id == 0 {
		return nil, nil, rules.NoGiver
	}
	o, npc, why := reach[NPC](w, p, id, rules.NoGiver)
	if why == 0 && npc.Giver == nil {
		why = rules.NoGiver
	}
	return o, npc.Giver, why
}

// giveMission gives a player a mission, if it may have one.
func (w *World) giveMission(p *player, c Mission) rules.RejectReason {
	o, g, why := w.giver(p, c.Giver)
	switch {
	case why != 0:
		return why
	case p.carried.At(0, rules.SlotMission) != nil:
		return rules.HasMission
	case w.now.Before(w.nextMission[p.Character]):
		return rules.MissionTooSoon
	}
	if why := g.MayTake(p.Title, p.Degree, p.Progress.Karma); why != 0 {
		return why
	}
	return w.makeMission(p, c, o, c.Goal, c.Place)
}

// limit is the level that the refusal of a request names, 0 for none.
func (w *World) limit(p *player, c Command, why rules.RejectReason) int {
	if c, ok := c.(Mission); ok && c.Word == TakeMission {
		if _, g, wrong := w.giver(p, c.Giver); wrong == 0 {
			return g.Limit(why)
		}
	}
	return 0
}

// makeMission gives a player a mission of a giver.
func (w *World) makeMission(p *player, c Command, giver *object, goal rules.MissionGoal,
	place rules.MissionPlace) rules.RejectReason {
	npc := giver.Kind.(NPC)
	g := npc.Giver
	goal, place, ok := g.Choose(goal, place)
	if !ok {
		return rules.NoMission
	}
	all := w.options.Missions
	if w.options.MissionDungeon == nil {
		all = slices.DeleteFunc(slices.Clone(all), func(t rules.MissionTemplate) bool {
			return (&rules.Mission{Template: t.Key}).Inside()
		})
	}
	level := rules.MissionLevel(goal, p.Title, p.Degree)
	m, ok := w.tables.NewMission(w.random, w.balance, all, g, goal, place, level, land{w, giver})
	m.Ends = w.now.Add(w.balance.Mission.Lasts).Unix()
	m.From, m.Back = npc.Name, giver.Position
	if m.Kind() == rules.Collect {
		m.At = m.Back
	}
	key, sound := m.Key()
	if !ok || !sound {
		return rules.NoMission
	}
	d := w.tx(p, c)
	s := d.Side(&p.carried)
	id, parcel := d.Add(s, key), rules.ItemID(0)
	if t, has := m.Parcel(); has && m.Kind() == rules.BringParcel {
		var why rules.RejectReason
		if parcel, _, why = w.tables.Pocket(&d.InventoryTx, s, t); why != 0 {
			return why
		}
	}
	w.commit(d, nil, func() {
		e := MissionGiven{ID: p.ID, Key: d.Moved(id).Is, At: giver.Position, Slots: d.slots(notGround)}
		if parcel != 0 {
			e.Parcel = copyOf(&d.Moved(parcel).Is)
		}
		w.tell(e)
		w.resumeMission(p)
		if c, ok := c.(Mission); ok && c.Aloud {
			w.tell(MissionShown{ID: p.ID, Mission: m, Left: w.balance.Mission.Lasts, Parcel: parcel != 0})
		}
		w.granted(p, c)
	})
	return 0
}

// spotTries is how often a place for a target is drawn.
const spotTries = 16

// land is the open world as the missions of a giver are made from it.
type land struct {
	*World
	giver *object
}

// Person draws somebody with a name around a landmark.
func (l land) Person(landmark coords.Position) (name int32, at coords.Position, ok bool) {
	w := l.World
	b, n := &w.balance.Mission, 0
	for _, e := range w.all[others] {
		npc, is := e.object.Kind.(NPC)
		if !is || npc.Name == 0 || e.inside != nil || e.object == l.giver || e.object.ward != nil {
			continue
		}
		if d := landmark.Distance(e.at); d < b.PersonNear || d > b.PersonFar {
			continue
		}
		if n++; w.random.IntN(n) == 0 {
			name, at, ok = npc.Name, e.at, true
		}
	}
	return name, at, ok
}

// Spot draws a place outside for a target, around a landmark: in no city and not in deep water.
func (l land) Spot(landmark coords.Position) (coords.Position, bool) {
	w := l.World
	b := &w.balance.Mission
	for range spotTries {
		at := landmark
		angle, d := 2*math.Pi*w.random.Float64(), b.SpotNear+max(b.SpotFar-b.SpotNear, 0)*w.random.Float64()
		at.X += float32(d * math.Sin(angle))
		at.Z += float32(d * math.Cos(angle))
		y, dry, known := w.options.Ground.Land(at)
		if known {
			at.Y = y
		}
		if at.Check() == nil && !w.inTown(at) && (dry || !known) {
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
	MissionOver // its time was
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

	// MissionThing tells a player that it has got what its mission is about.
	MissionThing struct {
		ID    PlayerID
		Item  rules.Item
		Slots []SlotNow
	}

	// MissionLacks tells a player why its mission does not go on: [rules.NotFulfilled] yet, or [rules.NoRoom] for what it
	// is about.
	MissionLacks struct {
		ID  PlayerID
		Why rules.RejectReason
	}

	// MissionEnded tells a player that its mission is no more.
	MissionEnded struct {
		ID      PlayerID
		News    MissionNews
		Key     rules.Item   // as it was
		Gone    []rules.Item // that went with it
		Left    []rules.Item // of which there are fewer
		Mission rules.Mission
		Slots   []SlotNow
	}

	// PlaceMarked tells a player of a place to mark on its map: where its mission leads, or what the leader of its party
	// points at.
	PlaceMarked struct {
		ID PlayerID
		At coords.Position
	}

	// MissionShown tells a player which mission it has, or what a giver offers.
	MissionShown struct {
		ID      PlayerID
		Mission rules.Mission
		Left    time.Duration
		Parcel  bool                // the player has it
		Giver   *rules.MissionGiver // nil: it has the mission
	}
)

func (MissionGiven) event() {}
func (MissionEnded) event() {}
func (PlaceMarked) event()  {}
func (MissionThing) event() {}
func (MissionLacks) event() {}
func (MissionShown) event() {}
