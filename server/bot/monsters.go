package bot

import (
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A Monster is a client's knowledge of a monster: as spawned, with later news.
type Monster struct {
	Type, Level int
	HP, MaxHP   int  // as the client draws them: as told, less all hits since
	Dying       bool // its death was told; the removal has to follow

	clock uint16    // of the server, when its place was told last
	ended time.Time // since when it should be dead, or gone
}

// spawnMonster looks at a monster that the client has just been shown.
func (c *Client) spawnMonster(o *Object, m *packets.SpawnSnapshot, clock uint16, frame []byte) {
	if !o.Class.Monster() {
		return
	}
	level, ok := packets.LevelOf(m.D)
	o.Monster = &Monster{Type: int(m.C), Level: level, HP: int(m.A), MaxHP: int(m.B), clock: clock}
	c.beasts = append(c.beasts, o)
	switch {
	case !ok:
		c.find(StateDiffers, "%s %s of the level code %d: %s", o.Class, o.ID, m.D, shown(frame))
	case m.A < 1 || m.A > m.B:
		c.find(HPDiffer, "%s %s appears with %d of %d HP: %s", o.Class, o.ID, m.A, m.B, shown(frame))
	}
}

const (
	ticksPerSecond = 3.0 // of the server's clock
	monsterSpeed   = 6.0 // metres per second, at most
	monsterSlack   = 2.0 // metres: places and clocks are rounded
	longestStep    = 6   // ticks: one that has stood goes no faster
)

// monsterMoved judges a movement of a monster to a place near by. Where it is put without a way is told otherwise.
// Source: protocol fight 4.4.
func (c *Client) monsterMoved(o *Object, to coords.Position, clock uint16) {
	m := o.Monster
	if m == nil || c.options.Dialect == packets.Classic {
		return
	}
	ticks := min((clock-m.clock)&packets.MaxClock, longestStep)
	m.clock = clock
	most := monsterSpeed*float64(ticks+1)/ticksPerSecond + monsterSlack
	if d := o.Position.Distance(to); d > most {
		c.find(Jumps, "%s %s goes %.1f m in %d ticks, from %s to %s", o.Class, o.ID, d, ticks, placeText(o.Position),
			placeText(to))
	}
}

// afterDeath finds messages about a monster after its death was told.
func (c *Client) afterDeath(o *Object, what string, frame []byte) {
	if o.Monster != nil && o.Monster.Dying {
		c.find(AfterDeath, "%s of %s %s, which has died: %s", what, o.Class, o.ID, shown(frame))
	}
}

// monsterCommand acts on a command about a monster in a fight, and reports whether it was one.
func (c *Client) monsterCommand(o *Object, command packets.Command, frame []byte) bool {
	switch k := command.(type) {
	case *packets.ChangeObjectHP, *packets.ObjectHP, *packets.Dies, *packets.Attack:
	case *packets.FlyingWeapon:
		c.checkNamed(o, k.Target, "flies at", frame)
		return true
	default:
		return false
	}
	m := o.Monster
	if m == nil {
		if o.Player != nil {
			c.find(WrongClass, "%s for %s %s: %s", packets.Name(command), o.Class, o.ID, shown(frame))
		}
		return true
	}
	c.afterDeath(o, packets.Name(command), frame)
	switch k := command.(type) {
	case *packets.ChangeObjectHP:
		c.checkNamed(o, k.Attacker, "is hit by", frame)
		c.update.struck = o.ID
		if k.Attacker == c.ID() && c.fight.echoes == o.ID {
			c.fight.echoes = packets.NoObject
			c.tally.Echoes.Record(time.Since(c.fight.struckAt))
		}
		m.HP = min(max(m.HP+int(k.Change)-packets.HPBias, 0), m.MaxHP)
		c.expectEnd(m)
	case *packets.ObjectHP:
		healed := k.HP == k.MaxHP && c.update.struck != o.ID // as it has come home: nothing else says so
		if int(k.HP) != m.HP && !healed || int(k.MaxHP) != m.MaxHP {
			c.find(HPDiffer, "%s %s has %d of %d HP, by the sum of its hits %d of %d: %s", o.Class, o.ID, k.HP, k.MaxHP,
				m.HP, m.MaxHP, shown(frame))
		}
		m.HP, m.MaxHP = int(k.HP), int(k.MaxHP)
		c.expectEnd(m)
	case *packets.Dies:
		c.checkNamed(o, k.Killer, "is killed by", frame)
		m.HP, m.Dying = 0, true
		c.expectEnd(m)
		c.fight.killed(c, o, k.Killer)
	}
	return true
}

// expectEnd notes since when a monster without HP has to die and vanish.
func (c *Client) expectEnd(m *Monster) {
	if m.HP > 0 {
		m.ended = time.Time{}
	} else if m.ended.IsZero() {
		m.ended = time.Now()
	}
}

// checkNamed finds a message about an object that names another one which the client does not hold: its script fails
// then. Source: protocol fight 1.1.
func (c *Client) checkNamed(o *Object, who packets.ObjectID, does string, frame []byte) {
	if who != packets.NoObject && who != c.ID() && c.Objects[who] == nil {
		c.find(UnknownObject, "%s %s %s %s, which the client does not hold: %s", o.Class, o.ID, does, who, shown(frame))
	}
}

// checkMonsters finds monsters that have no HP, or are dead, and stay. A death is told when it is stored, which may
// take.
func (c *Client) checkMonsters(now time.Time) {
	for _, o := range c.beasts {
		m := o.Monster
		if m.ended.IsZero() || now.Sub(m.ended) < c.patient(answerPatience) {
			continue
		}
		m.ended = time.Time{}
		what := "has no HP, and does not die"
		if m.Dying {
			what = "has died, and is not removed"
		}
		c.find(NotDespawned, "%s %s %s", o.Class, o.ID, what)
	}
}
