package bot

import (
	"fmt"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// habits are what a client in the world sends by itself, and when next.
type behaviour struct {
	pingAt, keepaliveAt, countAt, checkAt time.Time
	chatAt, groupAt                       time.Time // zero: never
}

const (
	countEvery = 30 * time.Second // of the counts of frames
	checkEvery = time.Second
	// noLink is how long a client goes without an answer to its position.
	//
	// Source: protocol session 4.7.
	noLink = 10 * time.Second
)

// begin starts the habits of a client that has just entered, at moments of its own.
func (c *Client) begin(now time.Time) {
	part := func(d time.Duration) time.Time { return now.Add(time.Duration(c.rand.Float64() * float64(d))) }
	c.behaviour = behaviour{pingAt: part(c.options.PingEvery), keepaliveAt: part(c.options.KeepaliveEvery), countAt: part(countEvery), checkAt: now.Add(checkEvery)}
	c.behaviour.chatAt, c.behaviour.groupAt = c.jittered(c.options.ChatEvery, now), c.jittered(c.options.GroupEvery, now)
	c.task = task{at: c.jittered(c.options.ItemsEvery, now)}
	c.walker.settle(c.Position, now)
	c.watch.reset(now)
}

// live does what is due now, and says when something will be due next.
func (c *Client) step(now time.Time) (wake time.Time, err error) {
	if c.state != stateInWorld {
		return c.until, nil
	}
	if !now.Before(c.behaviour.checkAt) {
		c.behaviour.checkAt = now.Add(checkEvery)
		c.check(now)
		c.compare(now)
	}
	if err := c.checkLink(now); err != nil {
		return wake, err
	}
	if c.walker.following() {
		c.Position = c.walker.move(c.Position, c.options.Speed, now)
	}
	if c.living {
		if err := c.runTask(now); err != nil {
			return wake, err
		}
	}
	walking := c.walker.following() && !c.walker.roaming // at a verb's command
	manual := c.options.Manual && !c.living
	if !manual || walking {
		if err := c.tellPlace(now); err != nil {
			return wake, err
		}
	}
	wake = c.behaviour.checkAt
	if !manual {
		if err := c.tellAlive(now); err != nil {
			return wake, err
		}
		// Checks can wait for the next item to do, which is soon.
		wake = earlier(earlier(c.behaviour.pingAt, c.behaviour.keepaliveAt), c.behaviour.countAt)
	}
	if c.living {
		if err := c.mingle(now); err != nil {
			return wake, err
		}
		wake = earlier(earlier(wake, c.behaviour.chatAt), earlier(c.behaviour.groupAt, c.task.at))
	}
	if walking {
		wake = earlier(earlier(wake, c.behaviour.pingAt), c.walker.arrival(c.Position, c.options.Speed, now))
	}
	if oldest, ok := c.pings.oldest(); ok {
		wake = earlier(wake, later(oldest.at.Add(noLink), now.Add(checkEvery/10)))
	}
	c.awaited = earlier(wake, c.until)
	return c.awaited, nil
}

// tellPlace sends the position when it is time for it.
func (c *Client) tellPlace(now time.Time) error {
	if now.Before(c.behaviour.pingAt) {
		return nil
	}
	c.behaviour.pingAt = next(c.behaviour.pingAt, c.options.PingEvery, now)
	if c.living && !c.options.Idle {
		c.walker.roam(c.Position, now)
	}
	// The dead send no positions. Source: protocol ingame 7.3.
	if hp, known := c.Stats.Get(packets.StatHP); known && hp <= 0 {
		return nil
	}
	return c.sendPing(now)
}

// tellAlive sends keepalives and counts when it is time for them.
func (c *Client) tellAlive(now time.Time) error {
	if !now.Before(c.behaviour.keepaliveAt) {
		c.behaviour.keepaliveAt = next(c.behaviour.keepaliveAt, c.options.KeepaliveEvery, now)
		if err := c.sendKeepalive(); err != nil {
			return err
		}
	}
	if !now.Before(c.behaviour.countAt) {
		c.behaviour.countAt = next(c.behaviour.countAt, countEvery, now)
		return c.sendControl(&packets.SentCount{Frames: c.sent})
	}
	return nil
}

func (c *Client) sendPing(now time.Time) error {
	c.out = appendPing(c.out[:0], c.ID(), c.clientClock(now), c.nextSequence(), c.Position)
	if len(c.out) == 0 {
		return fmt.Errorf("bot: position %v is outside of the world", c.Position)
	}
	seal(c.out, c.Key, !c.options.Plain)
	c.pingedAt = c.Position
	c.pingSent(c.Position.Origin(), now)
	c.trackedBot.sent(c.Position, now)
	return c.write(c.out)
}

func (c *Client) pingSent(origin coords.Origin, now time.Time) {
	if c.pings.add(origin, now) {
		c.find(Unanswered, "%d position messages without an answer", outstanding)
	}
	c.tally.Pings.Add(1)
}

// noticePing remembers a position message that was sent as a body.
func (c *Client) noticePing(b *packets.Body, now time.Time) {
	for i := range b.Sections {
		for _, r := range b.Sections[i].Regions {
			if m, ok := r.(*packets.PositionStream); ok && m.Count == 4 && b.Sections[i].Object == c.ID() {
				c.pingSent(b.Origin, now)
			}
		}
	}
}

func (c *Client) sendKeepalive() error {
	c.watch.sent++
	return c.sendControl(&packets.Keepalive{})
}

// next is the time after at in steps of every that is not over.
func next(at time.Time, every time.Duration, now time.Time) time.Time {
	if at = at.Add(every); at.Before(now) {
		return now.Add(every)
	}
	return at
}

// earlier returns the earlier of two times; the zero time is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// outstanding is how many position messages can wait for their answers.
const outstanding = 8

// pings are the position messages that have not been answered, oldest first.
type pings struct {
	waiting        [outstanding]sentPing
	count          int
	sent, answered int
	last           Pong
}

type sentPing struct {
	origin coords.Origin
	at     time.Time
}

// add remembers one; lost says that the oldest had to be forgotten.
func (p *pings) add(origin coords.Origin, now time.Time) (lost bool) {
	if p.count == outstanding {
		p.drop(1)
		lost = true
	}
	p.waiting[p.count] = sentPing{origin, now}
	p.count++
	p.sent++
	return lost
}

func (p *pings) drop(n int) {
	copy(p.waiting[:], p.waiting[n:p.count])
	p.count -= n
	p.answered += n
}

// answer returns the message that an answer with this origin is for: the oldest, unless that has another origin and a later
// one has not.
func (p *pings) answer(origin coords.Origin) (ping sentPing, skipped int, ok bool) {
	if p.count == 0 {
		return ping, 0, false
	}
	at := 0
	for i := range p.count {
		if p.waiting[i].origin == origin {
			at = i
			break
		}
	}
	ping = p.waiting[at]
	p.drop(at + 1)
	return ping, at, true
}

func (p *pings) oldest() (sentPing, bool) { return p.waiting[0], p.count > 0 }
