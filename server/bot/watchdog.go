package bot

import (
	"fmt"
	"math"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot/compare"
	"sphereserver/world/rules"
)

// Periods of the server, protocol ingame 7.5, and how much later their frames may be.
const (
	keepalivePeriod = 3 * time.Second
	keepaliveWindow = 5 * keepalivePeriod
	sixPatience     = 15 * time.Second
	timePatience    = 38 * time.Second
)

// patient is how long the client waits for a message that is due within a time.
func (c *Client) patient(d time.Duration) time.Duration { return d * time.Duration(c.options.Patience) }

func (c *Client) check(now time.Time) {
	if !c.behind(now) { // the missing message may lie unread
		c.checkMissingSpawns(now)
		c.checkGear(now)
		c.checkTalk(now)
		c.checkMonsters(now)
		c.checkDead(now)
	}
	c.checkRequests()
	c.audit(now)
	w := &c.watch
	if now.Sub(w.begin) >= keepaliveWindow {
		// One may be on its way of each.
		due := int(keepaliveWindow/keepalivePeriod) - 2
		if c.options.Dialect != packets.Classic {
			due += max(w.sent-1, 0)
		}
		if w.kept < due/c.options.Patience && !c.behind(now) {
			c.find(Missing, "%d keepalives in %v, at least %d are due: one every %v and one for each of the client's %d",
				w.kept, keepaliveWindow, due, keepalivePeriod, w.sent)
		}
		w.begin, w.kept, w.sent = now, 0, 0
	}
	if now.Sub(w.sixAt) >= c.patient(sixPatience) {
		if c.pings.answered > 0 {
			c.find(Missing, "no MP for %v: it is due every 6 s", now.Sub(w.sixAt).Round(time.Second))
		}
		w.sixAt = now
	}
	if now.Sub(w.timeAt) >= c.patient(timePatience) {
		c.find(Missing, "no time of the game for %v: it is due every 15 s", now.Sub(w.timeAt).Round(time.Second))
		w.timeAt = now
	}
}

// checkLink gives up as the client does when positions are not answered. Source: protocol session 4.7.
func (c *Client) checkLink(now time.Time) error {
	oldest, ok := c.pings.oldest()
	// Only silence counts: the answer may lie unread.
	if !ok || c.quiet.IsZero() || c.quiet.Sub(oldest.at) < c.patient(noLink) {
		return nil
	}
	c.find(Unanswered, "position message of %v ago", now.Sub(oldest.at).Round(100*time.Millisecond))
	_ = c.conn.Close()
	return c.over(fmt.Errorf("bot: %w", ErrNoLink))
}

// checkClock holds the clock of an answer against the time: the server has stamped it at some moment between question
// and answer, so two answers bound how far its clock may have gone in between. Source: protocol ingame 3.1.
func (c *Client) checkClock(clock uint16, sent, at time.Time) {
	k := &c.clock
	if !k.known {
		*k = newServerClock(clock, sent, at)
		return
	}
	if k.wentBack(clock) {
		c.find(ClockBackwards, "from %d to %d in an answer", k.latest, clock)
		*k = newServerClock(clock, sent, at)
		return
	}
	k.latest = clock
	step := int((clock - k.last) & packets.MaxClock)
	k.last, k.lastSent = clock, sent
	k.ticks += step
	least, most := sent.Sub(k.at).Seconds(), at.Sub(k.sent).Seconds()
	lo := math.Floor(least*clockPerSecond*(1-clockDrift)) - clockSlack
	hi := math.Ceil(most*clockPerSecond*(1+clockDrift)) + clockSlack
	if t := float64(k.ticks); t < lo || t > hi {
		c.find(ClockRate, "%d steps in %.1f to %.1f s: expected %d per second", k.ticks, least, most, clockPerSecond)
		*k = newServerClock(clock, sent, at)
	}
}

// frameSlack is how many ticks the clock of another frame may be ahead.
const frameSlack = 6

// checkFrameClock compares the clock of any other frame with the latest that was read, and with the one of the last
// answer, after which it was sent.
func (c *Client) checkFrameClock(clock uint16) {
	k := &c.clock
	if !k.known || c.state != stateInWorld || c.options.Dialect == packets.Classic {
		return
	}
	if k.wentBack(clock) {
		c.find(ClockBackwards, "from %d to %d in a frame", k.latest, clock)
		return
	}
	was := k.latest
	k.latest = clock
	step := int((clock - k.last) & packets.MaxClock)
	if step <= frameSlack || c.behind(time.Now()) {
		return // the common case, without looking at the time
	}
	if most := int(time.Since(k.lastSent).Seconds()*clockPerSecond*(1+clockDrift)) + frameSlack; step > most {
		c.find(ClockRate, "%d in a frame %v after %d in an answer", clock, time.Since(k.lastSent).Round(time.Millisecond),
			k.last)
		k.latest = was
	}
}

func (c *Client) checkSnapshot() {
	m := &c.Snapshot
	if err := c.Position.Check(); err != nil {
		c.find(StateDiffers, "the character enters outside of the world: %v", err)
	}
	if p := c.expected.At; p != nil && rules.AmongInstances(*p) && rules.AmongInstances(c.Position) {
		// A character that was in a dungeon of its own comes back into another.
	} else if p != nil && (!near(p.X, m.X) || !near(p.Y, m.Y) || !near(p.Z, m.Z) || !near(p.Yaw, m.Yaw)) {
		c.find(StateDiffers, "the character enters at %s, expected %s", placeText(c.Position), placeText(*p))
	}
	if e := c.expected.Entrance; e != nil && (!near(e.X, m.X) || !near(e.Z, m.Z)) {
		c.find(StateDiffers, "the character enters at %s, expected the entrance of its dungeon at (%.1f, %.1f)",
			placeText(c.Position), e.X, e.Z)
	}
	type character struct {
		Name          string
		Look          int32
		Gender, Karma uint8
		HP, Levels    int32
	}
	is := character{m.Name, m.Look, m.Gender, m.Karma, m.HP, m.Levels}
	want := is
	want.Name = c.wantedName
	if i := c.Screen.Find(m.Name); i >= 0 && c.options.Dialect != packets.Classic {
		const cycle = 60
		r := &c.Screen.Characters[i]
		want.Look, want.Gender, want.Karma, want.HP = r.Look, r.Gender, r.Karma, int32(r.HP)
		want.Levels = int32(r.Degree%cycle)*100 + int32(r.Title%cycle)
	}
	for _, d := range new(compare.Comparer).Changes(want, is) {
		c.find(StateDiffers, "%s: the character that enters has %s, expected %s", d.Field, d.Now, d.Was)
	}
}

// near allows for the rounding of coordinates that have been stored.
func near(a, b float32) bool { return math.Abs(float64(a)-float64(b)) <= 0.01 }

// checkEntry looks at the world's data as a whole.
func (c *Client) checkEntry() {
	s := &c.seen
	classic := c.options.Dialect == packets.Classic
	for _, f := range []struct {
		come bool
		what string
	}{{s.keepalive, "keepalive"}, {s.stats || classic, "statistics"}, {s.time || classic, "time of the game"},
		{s.count || classic, "number of players"}} {
		if !f.come {
			c.find(Missing, "no %s within %v of entering", f.what, entryPatience)
		}
	}
	if classic {
		return
	}
	if n, m := len(c.Snapshot.Occupied), len(c.Snapshot.Weights); n != packets.Slots || m != packets.Slots {
		c.find(StateDiffers, "the character that enters has %d slots and %d weights, expected %d", n, m, packets.Slots)
		return
	}
	for i, occupied := range c.Snapshot.Occupied {
		slot := c.Slots[i]
		switch {
		case (occupied != 0) != (slot.Item != packets.NoObject):
			c.find(StateDiffers, "slot %d: occupied %d in the character that enters, bound to %s", i, occupied, slot.Item)
		case occupied != 0 && c.Snapshot.Weights[i] != uint32(slot.Weight)&(1<<20-1):
			c.find(StateDiffers, "slot %d: weight %d in the character that enters, %d in its binding", i,
				c.Snapshot.Weights[i], slot.Weight)
		}
	}
	for stat, want := range map[packets.Stat]int32{packets.StatHP: c.Snapshot.HP,
		packets.StatBaseMaxHP: c.Snapshot.MaxHP} {
		if have, ok := c.Stats[stat]; ok && have != want {
			c.find(StateDiffers, "%s: %d in the character that enters, then %d", stat, want, have)
		}
	}
	if c.Money != c.Snapshot.Money {
		c.find(StateDiffers, "money: %d in the character that enters, then %d", c.Snapshot.Money, c.Money)
	}
	c.checkBelongings()
}

func placeText(p coords.Position) string { return fmt.Sprintf("(%.1f, %.1f, %.1f)", p.X, p.Y, p.Z) }

// entryPatience is how long the world's data may take before the rest counts as missing.
const entryPatience = 10 * time.Second
