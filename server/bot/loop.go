package bot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
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

// interruptible makes the end of a context wake up whoever reads; what it returns ends that.
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
		if c.receive(frame); c.gone != nil {
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
	// Only now: whoever ends ctx after this line sets a deadline that is not overwritten.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("bot: %w", err)
	}
	n, err := c.conn.Read(c.in.space())
	c.in.got(n)
	c.tally.BytesIn.Add(uint64(n))
	var timeout net.Error
	switch {
	case err == nil:
	case !errors.As(err, &timeout) || !timeout.Timeout():
		return c.ended(err)
	default:
		if woken := time.Now(); woken.Sub(wake) < inattention {
			c.quiet = woken
		} else {
			c.watch.reset(woken) // the machine was busy elsewhere: what is late now is not the server's fault
		}
	}
	return nil
}

// ended handles what has come before the server has closed.
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

// inattention is how late a client may be by itself before it blames nobody for what is late.
const inattention = time.Second
