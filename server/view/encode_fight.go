package view

import (
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// This file tells players of fights. Recorded blows, kills and effects are one body each; so are ours.
//
// Source: protocol fight 1.2, 7.6, 8, 9.3, 11.1.

// monsterRegions follow the spawn of a monster.
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

// part divides viewers by is. Both lists are valid until the next call.
func (v *View) part(viewers []world.PlayerID, is func(*Client) bool) (yes, no []world.PlayerID) {
	yes, no = v.parted[0][:0], v.parted[1][:0]
	for _, id := range viewers {
		switch c := v.tells(id); {
		case c == nil:
		case is(c):
			yes = append(yes, id)
		default:
			no = append(no, id)
		}
	}
	v.parted = [2][]world.PlayerID{yes, no}
	return yes, no
}

// knows reports whether a client knows a player: its own, or one that it holds.
func (c *Client) knows(id world.PlayerID) bool { return id == c.id || c.holds(id) }

// idOf is a client's id of an entity, [packets.NoObject] if it does not know it.
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

// swing shows one of a monster's two swings, each as often as the other: which, its number and the time decide, so that
// all viewers see the same one.
func (v *View) swing(id world.EntityID) packets.Region {
	m := &packets.Attack{Animation: packets.FirstSwing}
	mixed := (uint64(id)<<16 | uint64(v.clock)) * 0x9E3779B97F4A7C15
	if mixed = (mixed ^ mixed>>32) * 0x94D049BB133111EB; mixed>>63 != 0 {
		m.Animation = packets.SecondSwing
	}
	return &packets.RegionManager{Command: m}
}

// missileOf is the set of the visual effect that flies behind hits of monsters of a type, 0 for none.
func (v *View) missileOf(monster int) int {
	if m := v.Tables.Monster(monster); m != nil {
		return m.Missile
	}
	return 0
}

func missileRegion(at packets.ObjectID, set int) packets.Region {
	return &packets.TradeMan{Command: &packets.FlyingWeapon{Target: at, EffectSet: uint16(set)}}
}

// MonsterSwung shows a monster's blow. Its victim is told of it together with the hit, in one body.
func (v *View) MonsterSwung(e *world.MonsterSwung) {
	if e.Missed {
		v.showSwing(e.Viewers, e)
		return
	}
	struck, others := v.part(e.Viewers, func(c *Client) bool { return c.id == e.Target })
	missile := v.missileOf(e.Type)
	if missile == 0 {
		v.showSwing(others, e)
	} else {
		for _, id := range others {
			if c := v.tells(id); c != nil {
				v.showShot(c, e, missile)
			}
		}
	}
	if c := v.tells(e.Target); c != nil {
		f := itemEncoder{ids: &c.IDs, me: c.ID()}
		k, seen := c.IDs.Object(e.ID)
		if seen = seen && len(struck) > 0; seen {
			f.aboutItem(k, v.swing(e.ID))
		}
		f.mine(c.hit(&e.Hit))
		if seen && missile != 0 {
			f.aboutItem(k, missileRegion(c.ID(), missile))
		}
		v.sendBody(c, f.sections)
		v.restateHP(c, &e.Hit)
	}
}

// showSwing shows a blow to viewers that see nothing else of it.
func (v *View) showSwing(viewers []world.PlayerID, e *world.MonsterSwung) {
	v.showEntity(viewers, e.ID, func(id packets.ObjectID, class packets.Class) *packets.Body {
		return packets.Message(v.clock, id, class, v.swing(e.ID))
	})
}

// showShot shows a blow at another player, and the missile that flies from the monster.
func (v *View) showShot(c *Client, e *world.MonsterSwung, missile int) {
	k, ok := c.IDs.Object(e.ID)
	if !ok {
		return
	}
	about := func(r packets.Region) []packets.Section {
		return []packets.Section{{Object: k.objectID(), Class: k.Class, Regions: []packets.Region{r}}}
	}
	v.sendBody(c, about(v.swing(e.ID)))
	if at := c.idOf(world.EntityID(e.Target)); at != packets.NoObject {
		v.sendBody(c, about(missileRegion(at, missile)))
	}
}

// trapEffect is how a trap is seen.
func trapEffect() packets.Region {
	return &packets.TradeMan{Command: &packets.ObjectEffect{Effect: packets.TrapEffect}}
}

// TrapSeen shows the viewers of a chest that its trap springs.
func (v *View) TrapSeen(e world.TrapSeen) {
	v.showEntity(e.To, e.Chest, func(id packets.ObjectID, class packets.Class) *packets.Body {
		return packets.Message(v.clock, id, class, containerRegion(&packets.ChestSprung{}), trapEffect())
	})
}

// deadlyHit is the loss of HP that a dying player is told.
//
// Source: protocol fight 8.1.
const deadlyHit = -100000

// PlayerHit tells a player the cause and the size of a hit or a healing.
func (v *View) PlayerHit(e world.PlayerHit) {
	c := v.tells(e.ID)
	if c == nil {
		return
	}
	f := itemEncoder{ids: &c.IDs, me: c.ID()}
	f.mine(c.hit(&e))
	v.sendBody(c, f.sections)
	v.restateHP(c, &e)
	if e.Hit.Cause == world.Wrath {
		text := TextWrath
		if e.Died {
			text = TextDeadlyWrath
		}
		v.encodeFor(e.ID, func(f *itemEncoder) { f.mine(OwnText(text, 0)) })
	}
}

// hit returns the message about a hit of the client's own player.
func (c *Client) hit(e *world.PlayerHit) packets.Region {
	m := &packets.ReceiveHit{Source: c.source(e.Hit), HP: int32(e.Hit.HP), MP: int32(e.Hit.MP)}
	switch {
	case e.Died && e.Hit.Cause == world.LackOfAir:
		m.MP, m.Flags = -1, packets.HitKills
	case e.Died:
		m.HP, m.MP, m.Flags = deadlyHit, 0, packets.HitKills
	}
	return m
}

// restateHP tells a client its player's HP after a hit, now and then.
func (v *View) restateHP(c *Client, e *world.PlayerHit) {
	if !e.Died && v.restate(c) {
		v.put(c, v.encode(packets.Message(v.clock, c.ID(), packets.ClassPlayer,
			&packets.SetStat{Stat: packets.StatHP, Value: health(e.Pools.HP)})))
	}
}

// causes are the numbers of damage without an attacker. Source: protocol fight 1.2.
var causes = [...]uint16{world.Wrath: 1, world.LackOfAir: 2, world.Trap: 3}

// source returns the attacker of a player, in the words of [packets.ReceiveHit].
func (c *Client) source(h world.Hit) uint16 {
	if h.By == 0 {
		return causes[h.Cause]
	}
	return uint16(c.idOf(h.By))
}

// clockSecond is how far the wire's clock goes in a second.
const clockSecond = 3

// onClock is a time on the wire's clock, as long as that can be.
func onClock(d time.Duration) uint16 {
	return uint16(min(max(clockSecond*d.Seconds(), 0), packets.MaxClock))
}

// since is how long ago, on the wire's clock, something was.
func (v *View) since(clock uint16) uint16 { return (v.clock - clock) & packets.MaxClock }

// restate reports whether a client is to be told its player's HP as they are, at most each second.
func (v *View) restate(c *Client) bool {
	if c.statedHP && v.since(c.statedAt) < clockSecond {
		return false
	}
	c.statedHP, c.statedAt = true, v.clock
	return true
}

// A hurt is the message about a blow at a monster, in memory that is used again.
type hurt struct {
	body    packets.Body
	section [1]packets.Section
	region  [2]packets.Region // the second, if there is one: the monster's HP
	held    [2]packets.ContMan
	change  packets.ChangeObjectHP
	left    packets.ObjectHP
}

// by returns the message about an attacker's blow, which its object and the clock are missing in. It is valid until the
// next.
func (m *hurt) by(attacker packets.ObjectID, change uint16) *packets.Body {
	m.change = packets.ChangeObjectHP{Attacker: attacker, Change: change}
	m.held[0].Command = &m.change
	m.region[0] = &m.held[0]
	m.section[0].Regions = m.region[:1]
	m.body.Sections = m.section[:]
	return &m.body
}

// leaves adds the monster's HP to the message.
func (m *hurt) leaves(hp, maxHP int) {
	m.left = objectHP(hp, maxHP)
	m.held[1].Command = &m.left
	m.region[1] = &m.held[1]
	m.section[0].Regions = m.region[:]
}

// MonsterHurt shows what a blow does to a monster. Clients that do not know the attacker are told of none.
func (v *View) MonsterHurt(e *world.MonsterHurt) {
	by, _ := e.By.Player()
	every := v.Balance().Blow.AbsoluteEvery
	known, unknown := v.part(e.Viewers, func(c *Client) bool { return by != 0 && c.knows(by) })
	tell := func(viewers []world.PlayerID, attacker packets.ObjectID) {
		if len(viewers) == 0 {
			return
		}
		v.showEntity(viewers, e.ID, func(id packets.ObjectID, class packets.Class) *packets.Body {
			b := v.hurt.by(attacker, packets.HPChange(-e.Damage))
			b.Clock, b.Sections[0].Object, b.Sections[0].Class = v.clock, id, class
			if every > 0 && e.Damage > 0 && e.Hits%every == 0 && e.MaxHP <= mostHP {
				v.hurt.leaves(e.HP, e.MaxHP)
			}
			return b
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
	m := objectHP(hp, maxHP)
	return containerRegion(&m)
}

func objectHP(hp, maxHP int) packets.ObjectHP {
	return packets.ObjectHP{HP: short(hp), MaxHP: short(maxHP), Constant: packets.ObjectHPConstant}
}

func short(n int) uint16 { return uint16(min(max(n, 0), math.MaxUint16)) }

// coinsColour is the colour of the line about received coins.
//
// Source: protocol fight 1.2.
const coinsColour = 0xFF32C896

// gain tells a player its gain by a kill, or by anything else.
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

// MonsterDied shows the end of a monster and the bag that it leaves, and tells each contributor its share, in one body.
//
// Source: protocol fight 4.6.
func (v *View) MonsterDied(e *world.MonsterDied) {
	for _, viewer := range e.Viewers {
		c := v.tells(viewer)
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
			c.IDs.retire(k.objectID(), v.clock, onClock(v.Balance().Mind.IDRest))
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

// Gained tells a player its gain by the death of a monster that it does not see.
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

// PlayerDied tells a player its losses by dying.
func (v *View) PlayerDied(e world.PlayerDied) {
	v.StatsChanged(world.StatsChanged{ID: e.ID, Was: e.Was, Is: e.Is})
}

// PlayerRevived tells a player that it lives again, in one body with the place where it does.
func (v *View) PlayerRevived(e world.PlayerRevived) {
	if c := v.tells(e.ID); c != nil {
		v.put(c, v.encode(packets.Message(v.clock, c.ID(), packets.ClassPlayer, placeRegion(e.To),
			&packets.SetStat{Stat: packets.StatHP, Value: health(e.Pools.HP)}, &packets.ReceiveHit{Flags: packets.HitRevives})))
	}
}

// FightRefused tells a player why its blow does not count, in a text that its client has. It reports whether that is
// all there is to tell: a client is told nothing of a target that it cannot strike, nor of a blow that comes too soon.
func (v *View) FightRefused(e world.Refused) bool {
	number := 0
	switch e.Why {
	case rules.TooLow, rules.TheyTooLow:
		number = v.Balance().Duel.FromLevel
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
