package bot

import (
	"fmt"
	"time"

	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// A fight is the client's knowledge of its own life and its own blows.
type fight struct {
	Kills, Deaths int

	dead     bool
	died     time.Time // the last death
	revived  time.Time
	levelled time.Time // the last level gained
	answered time.Time // an answer to no position message, as the dead get them
	hitAt    time.Time // the last hit on the own character
	hitBy    packets.ObjectID
	struckAt time.Time        // the last blow of its own
	echoes   packets.ObjectID // the target of that blow, until it is told
}

// killed notes the death of a monster.
func (f *fight) killed(c *Client, o *Object, by packets.ObjectID) {
	if by != c.ID() {
		return
	}
	f.Kills++
	c.missionSlain(o)
	c.tally.Kills.Add(1)
	c.tally.Prey.Add(uint64(o.Monster.Level))
	name := fmt.Sprintf("%s %d", o.Class, o.Monster.Type)
	if row := content.Default().Monster(o.Monster.Type); row != nil {
		name = row.Name("en")
	}
	c.tell("killed %s, level %d", name, o.Monster.Level)
}

// A vitals has the messages of one body about the own life; it is judged when the body is over.
type vitals struct {
	hp         int32 // the value before, if the server told it again
	told       bool  // the server told HP again
	toldMP     bool
	maxTold    bool
	regained   bool // by rest, or by waking up
	lives      bool
	was        [careers]career // before the body
	toldCareer bool
}

// A career is a level less one and its experience.
type career struct {
	level, xp int32
	known     bool
}

const careers = 2

var careerStats = [careers][2]packets.Stat{{packets.StatTitle, packets.StatTitleXP},
	{packets.StatDegree, packets.StatDegreeXP}}

func (c *Client) careerNow(n int) (k career) {
	var known bool
	k.level, known = c.Stats[careerStats[n][0]]
	k.xp, k.known = c.Stats[careerStats[n][1]]
	k.known = k.known && known
	return k
}

// vitalStat notes a value of the own life before it is changed.
func (c *Client) vitalStat(m *packets.SetStat) {
	v := &c.update.vitals
	switch m.Stat {
	case packets.StatHP:
		if !v.told {
			v.hp, v.told = c.Stats[packets.StatHP], c.knows(packets.StatHP)
		}
	case packets.StatMP:
		v.toldMP = true
	case packets.StatMaxHP, packets.StatBaseMaxHP, packets.StatMaxMP:
		v.maxTold = true
	case packets.StatTitle, packets.StatTitleXP, packets.StatDegree, packets.StatDegreeXP:
		if !v.toldCareer {
			v.toldCareer = true
			for n := range careers {
				v.was[n] = c.careerNow(n)
			}
		}
	}
}

func (c *Client) knows(stat packets.Stat) bool {
	_, known := c.Stats[stat]
	return known
}

// Causes of hits that are no objects. Source: protocol fight 1.2.
const lastCause = 3

// receiveHit acts on a message that hurts, heals, kills or revives the own character. Source: protocol ingame 13.5,
// fight 8.
func (c *Client) receiveHit(m *packets.ReceiveHit, frame []byte) {
	f, now := &c.fight, time.Now()
	if by := packets.ObjectID(m.Source); by > lastCause && by != c.ID() {
		if o := c.Objects[by]; o == nil {
			c.find(UnknownObject, "the own character is hit by %s, which the client does not hold: %s", by, shown(frame))
		} else if o.Class == packets.ClassChest {
			c.tally.Traps.Add(1)
		}
		if m.HP < 0 {
			f.hitBy = by
		}
	}
	hp := c.Stats[packets.StatHP] + m.HP
	c.Stats[packets.StatMP] = max(c.Stats[packets.StatMP]+m.MP, 0)
	c.craft.mp += m.MP
	if m.HP < 0 {
		f.hitAt = now
	}
	switch {
	case m.Flags == packets.HitRevives:
		c.revive(now, frame)
	case m.Flags == packets.HitKills && f.dead:
		c.find(StateDiffers, "the own character, which is dead, dies: %s", shown(frame))
	case m.Flags == packets.HitKills:
		c.die(now)
		hp = 0
	case m.Flags != 0:
		c.find(StateDiffers, "a hit with the flags %d: %s", m.Flags, shown(frame))
	case f.dead && m.HP < 0:
		c.find(AfterDeath, "a hit on the own character, which is dead: %s", shown(frame))
	case hp <= 0 && c.state == stateInWorld:
		c.find(HPDiffer, "the own character has %d HP after a hit, and does not die: %s", hp, shown(frame))
	}
	c.Stats[packets.StatHP] = max(hp, 0)
}

func (c *Client) die(now time.Time) {
	f := &c.fight
	f.dead, f.died, f.answered = true, now, now
	for i := range c.busy.requests {
		c.busy.requests[i].ofDead = true
	}
	f.Deaths++
	c.quest.failures++
	c.quest.asked = time.Time{}
	c.tally.Deaths.Add(1)
	c.walker.follow(nil, now)
	c.keepAway()
	c.trackedBot.dies(true)
	c.tell("died at %s", placeText(c.Position))
}

// keepAway has a hunter keep away from where it is for a while.
func (c *Client) keepAway() {
	c.hunter.bad = append(c.hunter.bad[max(0, len(c.hunter.bad)-mostBad+1):], c.Position)
}

func (c *Client) revive(now time.Time, frame []byte) {
	f := &c.fight
	if !f.dead {
		c.find(StateDiffers, "the own character, which lives, is revived: %s", shown(frame))
	}
	f.dead, f.revived, c.update.vitals.lives = false, now, true
	c.due[jobPing] = now
	c.trackedBot.put(c.Position, now)
	c.trackedBot.dies(false)
	c.tell("lives again at %s", placeText(c.Position))
}

// Dead reports whether the own character is dead.
func (c *Client) Dead() bool { return c.dead() }

// Kills is how many monsters the own character has killed since the client connected.
func (c *Client) Kills() int { return c.fight.Kills }

// Deaths is how often the own character has died since the client connected.
func (c *Client) Deaths() int { return c.fight.Deaths }

// deathPatience is how long after a death its costs may be told.
const deathPatience = 5 * time.Second

// endVitals judges the messages of a body about the own life.
func (c *Client) endVitals(frame []byte) {
	v, f, now := &c.update.vitals, &c.fight, time.Now()
	if c.state != stateInWorld || c.options.Dialect == packets.Classic {
		return
	}
	c.endUse(frame)
	if v.told && c.craft.hp > 0 {
		v.hp, c.craft.hp = v.hp-c.craft.hp, 0
	}
	outside := c.options.AllowExternalChanges
	hp := c.Stats[packets.StatHP]
	switch {
	case !v.told:
	case f.dead && hp > 0:
		c.find(HPDiffer, "%d HP of the own character, which is dead: %s", hp, shown(frame))
	case v.maxTold || v.lives || f.dead || outside:
	case hp < v.hp, hp > v.hp && !v.regained && now.Sub(f.levelled) > killPatience: // a level heals
		c.find(HPDiffer, "the own character has %d HP, by the sum of its hits %d: %s", hp, v.hp, shown(frame))
	}
	if most, known := c.Stats[packets.StatMaxHP]; known && (v.told || v.maxTold) && hp > most {
		c.find(HPDiffer, "the own character has %d of %d HP: %s", hp, most, shown(frame))
	}
	if !v.toldCareer {
		return
	}
	for n := range careers {
		c.judgeCareer(v.was[n], c.careerNow(n), int(v.was[careers-1-n].level), outside || !f.died.IsZero() &&
			now.Sub(f.died) < deathPatience, frame)
	}
}

// judgeCareer looks at the change of a level and its experience; other is the level of the other career.
func (c *Client) judgeCareer(was, is career, other int, mayFall bool, frame []byte) {
	switch {
	case !was.known || !is.known:
	case is.level < was.level && !c.options.AllowExternalChanges:
		c.find(ExperienceLost, "level %d then %d: %s", was.level+1, is.level+1, shown(frame))
	case is.level == was.level && is.xp < was.xp && !mayFall:
		c.find(ExperienceLost, "experience %d then %d: %s", was.xp, is.xp, shown(frame))
	case is.level > was.level:
		c.fight.levelled = time.Now()
		c.tally.Levels.Add(uint64(is.level - was.level))
		gained := int64(is.xp) - int64(was.xp)
		for l := was.level; l < is.level; l++ {
			gained += int64(rules.NeededXP(int(l), other))
		}
		c.tally.Experience.Add(uint64(max(gained, 0)))
		c.tell("level %d", is.level+1)
	case is.xp > was.xp:
		c.tally.Experience.Add(uint64(is.xp - was.xp))
	}
}

// checkDead finds that the dead are not answered: their clients give up as others do. Source: protocol fight 8.1.
func (c *Client) checkDead(now time.Time) {
	f := &c.fight
	if f.dead && !c.quiet.IsZero() && c.quiet.Sub(f.answered) >= c.patient(noLink) {
		c.find(Unanswered, "the dead was told no position for %v", now.Sub(f.answered).Round(time.Second))
		f.answered = now
	}
}

// unasked takes an answer to no position message that waits for one, as the dead get them, and reports whether it may
// be.
func (c *Client) unasked(now time.Time) bool {
	f := &c.fight
	if !f.dead && now.Sub(f.revived) > deathPatience {
		return false
	}
	f.answered = now
	return true
}
