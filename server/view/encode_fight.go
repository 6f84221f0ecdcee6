package view

import (
	"math"
	"slices"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of fights. Recorded blows, kills and effects are one body each; so are ours.
//
// Source: protocol fight 1.2, 7.6, 8, 9.3, 11.1.

// monsterRegions are what follows the spawn of a monster.
//
// Source: protocol fight 4.1.
func monsterRegions(spawn *packets.SpawnSnapshot, m *world.Monster, d packets.Dialect) (regions []packets.Region) {
	spawn.Placement = packets.Lying
	spawn.A, spawn.B, spawn.C, spawn.D = health(m.HP), health(m.MaxHP), int32(m.Type), packets.LevelCode(m.Level)
	if m.Named() {
		regions = append(regions, &packets.TradeMan{Command: &packets.DisplayName{Code: m.Name}})
	}
	if d == packets.Dialect2026 {
		regions = append(regions, containerRegion(&packets.MonsterValue{}))
	}
	return regions
}

// part divides viewers in those of whom is says so, and the others. Both are valid until the next call.
func (v *View) part(viewers []world.PlayerID, is func(*Client) bool) (yes, no []world.PlayerID) {
	v.apart = v.apart[:0]
	gather := func(want bool) {
		for _, id := range viewers {
			if c := v.Client(id); c != nil && is(c) == want {
				v.apart = append(v.apart, id)
			}
		}
	}
	gather(true)
	n := len(v.apart)
	gather(false)
	return v.apart[:n], v.apart[n:]
}

// knows says whether a client knows a player: its own, or one that it holds.
func (c *Client) knows(id world.PlayerID) bool { return id == c.id || c.holds(id) }

// idOf is what a client calls an entity, [packets.NoObject] if it does not know it.
func (c *Client) idOf(id world.EntityID) packets.ObjectID {
	if p, ok := id.Player(); ok {
		if p != 0 && c.knows(p) {
			return playerID(p)
		}
		return packets.NoObject
	}
	k, _ := c.IDs.Object(id)
	return k.objectID()
}

// A swing is a blow of a monster whose outcome is still to be told to whom it hits.
type swing struct {
	at      world.PlayerID
	by      world.EntityID
	second  bool
	missile int
}

func attackRegion(second bool) packets.Region {
	m := &packets.Attack{Animation: packets.FirstSwing}
	if second {
		m.Animation = packets.SecondSwing
	}
	return &packets.RegionManager{Command: m}
}

func missileRegion(at packets.ObjectID, set int) packets.Region {
	return &packets.TradeMan{Command: &packets.FlyingWeapon{Target: at, EffectSet: uint16(set)}}
}

// MonsterSwung shows a monster's blow. Whom it hits is told of it together with the hit.
func (v *View) MonsterSwung(e *world.MonsterSwung) {
	viewers := e.Viewers
	if !e.Missed {
		var struck []world.PlayerID
		struck, viewers = v.part(viewers, func(c *Client) bool { return c.id == e.Target })
		if len(struck) > 0 {
			v.swings = append(v.swings, swing{e.Target, e.ID, e.Second, e.Missile})
		}
	}
	if e.Missed || e.Missile == 0 {
		v.showEntity(viewers, e.ID, func(id packets.ObjectID, class packets.Class) *packets.Body {
			return packets.Message(v.clock, id, class, attackRegion(e.Second))
		})
		return
	}
	for _, id := range viewers {
		if c := v.Client(id); c != nil {
			v.tellSwing(c, swing{id, e.ID, e.Second, 0}, nil)
			if at := c.idOf(world.EntityID(e.Target)); at != packets.NoObject {
				v.fly(c, e.ID, at, e.Missile)
			}
		}
	}
}

// fly shows what flies from a monster.
func (v *View) fly(c *Client, from world.EntityID, at packets.ObjectID, set int) {
	if k, ok := c.IDs.Object(from); ok {
		v.sendBody(c, []packets.Section{{Object: k.objectID(), Class: k.Class,
			Regions: []packets.Region{missileRegion(at, set)}}})
	}
}

// tellSwing shows a client a blow, with what it does to the client's player, in one body.
func (v *View) tellSwing(c *Client, s swing, hit packets.Region) {
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	k, ok := c.IDs.Object(s.by)
	if ok {
		f.aboutItem(k, attackRegion(s.second))
	}
	if hit != nil {
		f.mine(hit)
	}
	if ok && s.missile != 0 {
		f.aboutItem(k, missileRegion(c.ID(), s.missile))
	}
	v.sendBody(c, f.sections)
}

// takeSwing is the blow that belongs to a hit, which is told with it.
func (v *View) takeSwing(at world.PlayerID, by world.EntityID) (s swing, ok bool) {
	i := slices.IndexFunc(v.swings, func(s swing) bool { return s.at == at && s.by == by })
	if i < 0 {
		return s, false
	}
	s = v.swings[i]
	v.swings = slices.Delete(v.swings, i, i+1)
	return s, true
}

// endSwings shows blows of which nothing has come.
func (v *View) endSwings() {
	for _, s := range v.swings {
		if c := v.Client(s.at); c != nil {
			s.missile = 0
			v.tellSwing(c, s, nil)
		}
	}
	v.swings = v.swings[:0]
}

// A trap is what is told of a chest that was opened, whose hit is still to come.
type trap struct {
	at       world.PlayerID
	by       world.EntityID
	sections []packets.Section
	records  []packets.Section
}

// trapEffect is how a trap is seen.
func trapEffect() packets.Region {
	return &packets.TradeMan{Command: &packets.ObjectEffect{Effect: packets.TrapEffect}}
}

// endTrap tells a player of the chest that it has opened, with what the trap does to it, nil for nothing; false if it has
// opened none.
//
// Source: protocol life 4.4.
func (v *View) endTrap(at world.PlayerID, by world.EntityID, hit packets.Region) bool {
	i := slices.IndexFunc(v.traps, func(t trap) bool { return t.at == at && t.by == by })
	if i < 0 {
		return false
	}
	t := v.traps[i]
	v.traps = slices.Delete(v.traps, i, i+1)
	v.encodeFor(at, func(f *itemEncoder) {
		f.sections, f.records = t.sections, t.records
		if hit != nil {
			f.mine(hit)
		}
		if k, ok := f.ids.Object(by); ok {
			f.aboutItem(k, trapEffect())
		}
	})
	return true
}

// endTraps tells of traps that have hurt nobody.
func (v *View) endTraps() {
	for len(v.traps) > 0 {
		v.endTrap(v.traps[0].at, v.traps[0].by, nil)
	}
}

// TrapSeen shows those who see a chest that its trap springs.
func (v *View) TrapSeen(e world.TrapSeen) {
	v.showEntity(e.To, e.Chest, func(id packets.ObjectID, class packets.Class) *packets.Body {
		return packets.Message(v.clock, id, class, containerRegion(&packets.ChestSprung{}), trapEffect())
	})
}

// deadlyHit is what a dying player is told to lose.
//
// Source: protocol fight 8.1.
const deadlyHit = -100000

// PlayerHit tells a player what has hurt or healed it.
func (v *View) PlayerHit(e world.PlayerHit) {
	c := v.Client(e.ID)
	if c == nil {
		return
	}
	m := &packets.ReceiveHit{Source: c.source(e.Hit), HP: int32(e.Hit.HP), MP: int32(e.Hit.MP)}
	switch {
	case e.Died && e.Hit.Cause == world.LackOfAir:
		m.MP, m.Flags = -1, packets.HitKills
	case e.Died:
		m.HP, m.MP, m.Flags = deadlyHit, 0, packets.HitKills
	}
	c.dead = e.Died
	if !v.endTrap(e.ID, e.Hit.By, m) {
		s, _ := v.takeSwing(e.ID, e.Hit.By)
		v.tellSwing(c, s, m)
	}
	if !e.Died && v.restate(c) {
		v.put(c, v.encode(packets.Message(v.clock, c.ID(), packets.ClassPlayer,
			&packets.SetStat{Stat: packets.StatHP, Value: health(e.Pools.HP)})))
	}
}

// source is who has hurt a player, in the words of [packets.ReceiveHit].
func (c *Client) source(h world.Hit) uint16 {
	if h.By == 0 {
		return uint16(h.Cause)
	}
	return uint16(c.idOf(h.By))
}

// clockSecond is how far the wire's clock goes in a second.
const clockSecond = 3

// since is how long ago, on the wire's clock, something was.
func (v *View) since(clock uint16) uint16 { return (v.clock - clock) & packets.MaxClock }

// restate says whether a client is to be told its player's HP as they are, at most each second.
func (v *View) restate(c *Client) bool {
	if c.statedHP && v.since(c.statedAt) < clockSecond {
		return false
	}
	c.statedHP, c.statedAt = true, v.clock
	return true
}

// MonsterHurt shows what a blow does to a monster. Who does not know the attacker is told of nobody.
func (v *View) MonsterHurt(e *world.MonsterHurt) {
	by, _ := e.By.Player()
	known, unknown := v.part(e.Viewers, func(c *Client) bool { return by != 0 && c.knows(by) })
	tell := func(viewers []world.PlayerID, attacker packets.ObjectID) {
		if len(viewers) == 0 {
			return
		}
		v.showEntity(viewers, e.ID, func(id packets.ObjectID, class packets.Class) *packets.Body {
			regions := []packets.Region{containerRegion(&packets.ChangeObjectHP{Attacker: attacker,
				Change: packets.HPChange(-e.Damage)})}
			if e.Absolute && e.MaxHP <= mostHP {
				regions = append(regions, monsterHP(e.HP, e.MaxHP))
			}
			return packets.Message(v.clock, id, class, regions...)
		})
	}
	tell(known, playerID(by))
	tell(unknown, packets.NoObject)
}

// mostHP is the most that can be told of a monster's HP after it has appeared. More is not told: the client
// counts hits by itself.
const mostHP = math.MaxUint16

// monsterHP sets the HP of a monster.
func monsterHP(hp, maxHP int) packets.Region {
	return containerRegion(&packets.ObjectHP{HP: short(hp), MaxHP: short(maxHP), Constant: packets.ObjectHPConstant})
}

func short(n int) uint16 { return uint16(min(max(n, 0), math.MaxUint16)) }

// coinsColour is that of the line which says how many coins were received.
//
// Source: protocol fight 1.2.
const coinsColour = 0xFF32C896

// gain tells a player what a kill, or anything else, has given it.
//
// Source: protocol fight 9.3, rows of its 1.3.
func (f *itemEncoder) gain(g *world.Gain, at coords.Position) {
	if g.Mission != nil {
		f.endMission(g.Mission, at)
	}
	if g.Coins != 0 {
		f.mine(moneyRegion(g.Money), managerRegion(&packets.CoinsReceived{Amount: uint32(g.Coins), Colour: coinsColour}))
	}
	var was, is [stats]int32
	SheetValues(&g.Was, &was)
	SheetValues(&g.Is, &is)
	for _, karma := range [...]packets.Stat{packets.StatKarmaPoints, packets.StatKarma} {
		if was[karma] != is[karma] {
			f.mine(&packets.SetStat{Stat: karma, Value: is[karma]})
			was[karma] = is[karma]
		}
	}
	f.changed(&was, &is)
}

// MonsterDied shows the end of a monster and the bag that it leaves, and tells those who gain by it what they gain, in
// one body.
//
// Source: protocol fight 4.6.
func (v *View) MonsterDied(e *world.MonsterDied) {
	for _, viewer := range e.Viewers {
		c := v.Client(viewer)
		if c == nil {
			continue
		}
		f := itemEncoder{tables: v.Tables, ids: &c.IDs, me: c.ID()}
		k, ok := c.IDs.Object(e.ID)
		if ok {
			death := &packets.Dies{Killer: c.idOf(world.EntityID(e.Killer))}
			if e.Target {
				death.Mission = packets.MissionTargetDies
			}
			f.aboutItem(k, containerRegion(death))
		}
		for i := range e.Gains {
			if e.Gains[i].ID == viewer {
				f.gain(&e.Gains[i], v.whereabouts(viewer))
			}
		}
		if ok {
			f.sections = append(f.sections, packets.Removal(k.objectID()))
			c.IDs.retire(k.objectID(), v.clock)
		}
		if section, ok := f.appear(e.Bag, v.dialectOf(c)); ok {
			f.sections = append(f.sections, section)
		}
		v.sendBody(c, f.sections)
	}
}

// appear gives the client an object, which is told in a body that is being made; false if there is none to tell.
func (f *itemEncoder) appear(o *world.Object, d packets.Dialect) (section packets.Section, ok bool) {
	if o == nil {
		return section, false
	}
	if _, held := f.ids.Object(o.ID); held {
		return section, false
	}
	kind, section, err := spawnObject(o, f.tables, d)
	if err != nil {
		return section, false
	}
	section.Object, ok = f.ids.add(IDEntry{Kind: kind, Class: section.Class, Object: o.ID, At: o.Position})
	return section, ok
}

// Gained tells a player what the death of a monster has given it that it does not see.
func (v *View) Gained(e world.Gained) {
	v.encodeFor(e.Gain.ID, func(f *itemEncoder) { f.gain(&e.Gain, v.whereabouts(e.Gain.ID)) })
}

// Shot tells a player that an arrow is gone.
//
// Source: protocol fight 7.5.
func (v *View) Shot(e world.Shot) {
	v.encodeFor(e.ID, func(f *itemEncoder) {
		it, ok := f.ids.Item(e.Item.ID)
		if !ok {
			return
		}
		if e.Left > 0 {
			f.count(&e.Item, e.Left)
			f.filled(e.Slots)
			return
		}
		f.cleared(e.Slots)
		f.filled(e.Slots)
		f.remove(it)
	})
}

// PlayerDied tells a player what it has lost by dying.
func (v *View) PlayerDied(e world.PlayerDied) {
	v.StatsChanged(world.StatsChanged{ID: e.ID, Was: e.Was, Is: e.Is})
}

// PlayerRevived tells a player that it lives again, in one body with the place where it does.
func (v *View) PlayerRevived(e world.PlayerRevived) {
	c := v.Client(e.ID)
	if c == nil {
		return
	}
	c.dead = false
	regions := []packets.Region{&packets.SetStat{Stat: packets.StatHP, Value: health(e.Pools.HP)},
		&packets.ReceiveHit{Flags: packets.HitRevives}}
	if r := c.rising; r != nil {
		c.rising = nil
		regions = append([]packets.Region{r.place}, regions...)
		v.insert(c, r, regions)
		return
	}
	v.put(c, v.encode(packets.Message(v.clock, c.ID(), packets.ClassPlayer, regions...)))
}

// A rising is a dead player's way to where it will live again, of which it is told when it does: the place in the
// outbox at which that has to be, before everything that is seen there.
type rising struct {
	place    packets.Region
	at, call int
}

// rise notes where a dead player is put.
func (v *View) rise(c *Client, place packets.Region) {
	v.endRising(c)
	b := v.box(c)
	c.rising = &rising{place, len(b.frames), len(b.calls)}
	v.rises = append(v.rises, c)
}

// endRising tells a dead player where it is, if it goes on being dead.
func (v *View) endRising(c *Client) {
	if r := c.rising; r != nil {
		c.rising = nil
		v.insert(c, r, []packets.Region{r.place})
	}
}

func (v *View) endRises() {
	for _, c := range v.rises {
		v.endRising(c)
	}
	v.rises = v.rises[:0]
}

// insert puts a message about the client's own player where it belongs in the outbox.
func (v *View) insert(c *Client, r *rising, regions []packets.Region) {
	b := v.box(c)
	frame := v.encode(packets.Message(v.clock, c.ID(), packets.ClassPlayer, regions...))
	b.frames = slices.Insert(b.frames, r.at, frame...)
	for i := r.call; i < len(b.calls); i++ {
		b.calls[i].at += len(frame)
	}
}

// WrathFelt tells a player why it was struck by nobody.
func (v *View) WrathFelt(e world.WrathFelt) {
	text := TextWrath
	if e.Died {
		text = TextDeadlyWrath
	}
	v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(OwnText(text, 0)) })
}

// FightRefused tells a player why its blow does not count, in a text that its client has. It reports whether that is
// all there is to tell: of what a client cannot strike it is told nothing, nor of a blow that comes too soon.
func (v *View) FightRefused(e world.Refused) bool {
	number := 0
	switch e.Why {
	case rules.TooLow, rules.TheyTooLow:
		number = v.DuelLevel()
	case rules.NoArrows, rules.PeacefulPlace, rules.TheirPeacefulPlace, rules.Promised:
	case rules.TooSoon, rules.Stunned, rules.TargetDead, rules.NoTarget, rules.NotInHand, rules.PartyMember,
		rules.Protected:
		return true
	case rules.NotInSight, rules.TooFar, rules.NotYours, rules.NoUse, rules.Dead:
		_, blow := e.Command.(world.Strike)
		return blow
	default:
		return false
	}
	v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(OwnText(refusalTexts[e.Why], int16(number))) })
	return true
}
