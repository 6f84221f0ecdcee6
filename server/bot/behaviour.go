package bot

import (
	"fmt"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// A job is something that a client in the world does by itself, again and again.
type job uint8

const (
	jobCheck job = iota
	jobTask      // the next step of what it does with its items
	jobPing
	jobKeepalive
	jobCount // of frames
	jobChat
	jobGroup
	jobs // count
)

// behaviour is when each job is due; the zero time is never.
type behaviour [jobs]time.Time

const (
	countEvery = 30 * time.Second
	checkEvery = time.Second
	// noLink is how long a client goes without an answer to its position.
	//
	// Source: protocol session 4.7.
	noLink = 10 * time.Second
)

// begin starts the behaviour of a client that has just entered, at moments of its own.
func (c *Client) begin(now time.Time) {
	part := func(d time.Duration) time.Time { return now.Add(time.Duration(c.rand.Float64() * float64(d))) }
	c.due = behaviour{jobPing: part(c.options.PingEvery), jobKeepalive: part(c.options.KeepaliveEvery), jobCount: part(countEvery),
		jobCheck: now.Add(checkEvery)}
	c.due[jobChat], c.due[jobGroup] = c.jittered(c.options.ChatEvery, now), c.jittered(c.options.GroupEvery, now)
	c.due[jobTask] = c.jittered(c.options.ItemsEvery, now)
	c.walker.settle(c.Position, now)
	c.watch.reset(now)
}

// jittered is when something is done next that is done every so often on average; the zero time for never.
func (c *Client) jittered(every time.Duration, now time.Time) time.Time {
	if every <= 0 {
		return time.Time{}
	}
	return now.Add(time.Duration((0.5 + c.rand.Float64()) * float64(every)))
}

// step does what is due now, and says when something will be due next.
func (c *Client) step(now time.Time) (wake time.Time, err error) {
	if c.state != stateInWorld {
		return c.until, nil
	}
	if err := c.checkLink(now); err != nil {
		return wake, err
	}
	if c.walker.following() {
		c.Position = c.walker.move(c.Position, c.options.Speed, now)
	}
	for j := range jobs {
		if due := c.due[j]; c.does(j) && !due.IsZero() && !now.Before(due) {
			if err := c.run(j, now); err != nil {
				return wake, err
			}
		}
	}
	c.awaited = earlier(c.wakeUp(now), c.until)
	return c.awaited, nil
}

// obeys says whether the client walks at a verb's command.
func (c *Client) obeys() bool { return c.walker.following() && !c.walker.roaming }

// does says whether the client has a job now.
func (c *Client) does(j job) bool {
	manual := c.options.Manual && !c.living
	switch j {
	case jobCheck:
		return true
	case jobTask, jobChat, jobGroup:
		return c.living
	case jobPing:
		return !manual || c.obeys()
	}
	return !manual
}

// wakeUp is when the client has to do something next. Checks can wait for something else, if that is soon.
func (c *Client) wakeUp(now time.Time) time.Time {
	var wake time.Time
	for j := jobTask; j < jobs; j++ {
		if c.does(j) {
			wake = earlier(wake, c.due[j])
		}
	}
	if !c.does(jobCount) {
		wake = earlier(wake, c.due[jobCheck])
	}
	if c.obeys() {
		wake = earlier(wake, c.walker.arrival(c.Position, c.options.Speed, now))
	}
	if oldest, ok := c.pings.oldest(); ok {
		wake = earlier(wake, later(oldest.at.Add(noLink), now.Add(checkEvery/10)))
	}
	return wake
}

// run does a job, and says when it is due again.
func (c *Client) run(j job, now time.Time) error {
	switch j {
	case jobCheck:
		c.due[j] = now.Add(checkEvery)
		c.check(now)
		c.compareSightings(now)
	case jobTask:
		return c.runTask(now)
	case jobPing:
		c.due[j] = next(c.due[j], c.options.PingEvery, now)
		if c.living && !c.options.Idle {
			c.walker.roam(c.Position, now)
		}
		// The dead send no positions. Source: protocol ingame 7.3.
		if !c.dead() {
			return c.sendPing(now)
		}
	case jobKeepalive:
		c.due[j] = next(c.due[j], c.options.KeepaliveEvery, now)
		return c.sendKeepalive()
	case jobCount:
		c.due[j] = next(c.due[j], countEvery, now)
		return c.sendControl(&packets.SentCount{Frames: c.sent})
	case jobChat:
		c.due[j] = c.jittered(c.options.ChatEvery, now)
		return c.Speak(channelNormal, smallTalk[c.rand.IntN(len(smallTalk))])
	case jobGroup:
		c.due[j] = c.jittered(c.options.GroupEvery, now)
		return c.groupStep(now)
	}
	return nil
}

func (c *Client) dead() bool {
	hp, known := c.Stats.Get(packets.StatHP)
	return known && hp <= 0
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
