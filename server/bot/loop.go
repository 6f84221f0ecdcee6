package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"sphereserver/packets"
)

var past = time.Unix(1, 0)

// pump reads and lives until done says so, ctx ends, or the connection does.
func (c *Client) pump(ctx context.Context, done func() bool) error {
	if c.gone != nil {
		return c.gone
	}
	resume := c.interruptible(ctx)
	defer resume()
	now := time.Now()
	c.quiet = time.Time{}
	if now.Sub(c.left) > inattention {
		c.watch.reset(now)
	}
	for {
		if err := c.receiveAll(done); err != nil {
			return err
		}
		if done() {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("bot: %w", err)
		}
		wake, err := c.step(time.Now())
		if err != nil || done() {
			return err
		}
		if err := c.read(ctx, wake); err != nil {
			return err
		}
	}
}

// interruptible makes the end of a context wake up the reader; resume ends that.
func (c *Client) interruptible(ctx context.Context) (resume func()) {
	interrupted := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		_ = c.conn.SetReadDeadline(past)
		// A frame that is being written is not torn, unless the server does not take it.
		_ = c.conn.SetWriteDeadline(time.Now().Add(closePatience))
		close(interrupted)
	})
	return func() {
		if !stop() {
			<-interrupted
			_ = c.conn.SetDeadline(time.Time{})
			c.deadline = time.Time{}
		}
		c.left = time.Now()
	}
}

// receiveAll acts on the frames that have arrived, until done says so.
func (c *Client) receiveAll(done func() bool) error {
	for !done() {
		frame, err := c.in.next()
		if err != nil {
			c.find(BrokenStream, "%v", err)
			return c.over(fmt.Errorf("bot: %w: %w", ErrStream, err))
		}
		if frame == nil {
			return nil
		}
		c.receive(frame)
		if c.options.Acted != nil {
			c.options.Acted(c)
		}
		if c.gone != nil {
			return c.gone
		}
	}
	return nil
}

// read waits until something arrives, but no longer than wake.
func (c *Client) read(ctx context.Context, wake time.Time) error {
	if !wake.Equal(c.deadline) {
		_ = c.conn.SetReadDeadline(wake)
		c.deadline = wake
	}
	// Only now: an end of ctx after this line sets a deadline that is not overwritten.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("bot: %w", err)
	}
	n, err := c.conn.Read(c.in.space())
	c.in.got(n)
	c.tally.BytesIn.Add(uint64(n))
	switch {
	case err == nil:
	case !errors.Is(err, os.ErrDeadlineExceeded): // a system that gives up the peer says "timeout", too
		return c.ended(err)
	default:
		if woken := time.Now(); woken.Sub(wake) < inattention {
			c.quiet = woken
		} else {
			c.watch.reset(woken) // the machine was busy elsewhere: lateness now is not the server's fault
		}
	}
	return nil
}

// ended handles frames that have come before the server has closed.
func (c *Client) ended(err error) error {
	if e := c.receiveAll(never); e != nil {
		return e
	}
	if n := c.in.left(); n > 0 {
		c.find(BrokenStream, "the connection ends %d bytes into a frame", n)
	}
	if errors.Is(err, io.EOF) {
		return c.over(fmt.Errorf("bot: %w", ErrClosed))
	}
	return c.over(fmt.Errorf("bot: %w: %w", ErrClosed, err))
}

// inattention is how late a client may be by itself before it blames the server for nothing late.
const inattention = time.Second

// begin starts the behaviour of a client that has just entered, at moments of its own.
func (c *Client) begin(now time.Time) {
	part := func(d time.Duration) time.Time { return now.Add(time.Duration(c.rand.Float64() * float64(d))) }
	c.due = behaviour{jobPing: part(c.options.PingEvery), jobKeepalive: part(c.options.KeepaliveEvery),
		jobCount: part(countEvery), jobCheck: now.Add(checkEvery)}
	c.due[jobChat], c.due[jobGroup] = c.jittered(c.options.ChatEvery, now), c.jittered(c.options.GroupEvery, now)
	c.due[jobTask] = c.jittered(c.options.ItemsEvery, now)
	if c.options.Hunt || c.inDungeon() {
		c.due[jobTask] = part(huntEvery)
	}
	c.walker.settle(c.Position, now)
	c.watch.reset(now)
}

// step does the due work, and says when something will be due next.
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

// obeys reports whether the client walks at a verb's command.
func (c *Client) obeys() bool { return c.walker.following() && !c.walker.roaming }

func (c *Client) does(j job) bool {
	manual := c.options.Manual && !c.living
	switch j {
	case jobCheck:
		return true
	case jobTask:
		return c.living || c.hunter.bid
	case jobChat, jobGroup:
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
		wake = earlier(wake, later(oldest.at.Add(c.patient(noLink)), now.Add(checkEvery/10)))
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
		switch {
		case c.living && c.inDungeon():
			return c.leaveDungeon(now)
		case c.hunts():
			return c.hunt(now)
		case c.options.ItemsEvery == 0 && c.busy.task == nil: // it has come out of a dungeon
			c.due[j] = time.Time{}
			return nil
		}
		return c.runTask(now)
	case jobPing:
		c.due[j] = next(c.due[j], c.options.PingEvery, now)
		if c.living && !c.options.Idle && !c.options.Hunt {
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
