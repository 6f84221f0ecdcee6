package bot

import (
	"time"

	"sphereserver/packets"
)

// begin starts the behaviour of a client that has just entered, at moments of its own.
func (c *Client) begin(now time.Time) {
	part := func(d time.Duration) time.Time { return now.Add(time.Duration(c.rand.Float64() * float64(d))) }
	c.due = behaviour{jobPing: part(c.options.PingEvery), jobKeepalive: part(c.options.KeepaliveEvery),
		jobCount: part(countEvery), jobCheck: now.Add(checkEvery)}
	c.due[jobChat], c.due[jobGroup] = c.jittered(c.options.ChatEvery, now), c.jittered(c.options.GroupEvery, now)
	c.due[jobTask] = c.jittered(c.options.ItemsEvery, now)
	c.walker.settle(c.Position, now)
	c.watch.reset(now)
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
			return c.sendPing()
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
