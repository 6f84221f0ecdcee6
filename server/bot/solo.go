package bot

import (
	"context"
	"time"
)

const statusEvery = 10 * time.Second

// Solo is one client that tells in words what happens to it: it connects, appears as who, and lives until ctx ends;
// then it logs out in order. The error is why it could not go on, nil if it was ctx that ended it. The client is nil
// if there was no connection.
func Solo(ctx context.Context, addr string, o Options, who Identity, tell func(line string)) (*Client, error) {
	o.Tell, o.AllowExternalChanges = tell, true
	c, err := Dial(ctx, addr, o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	if err := c.Appear(ctx, who); err != nil {
		return c, err
	}
	for ctx.Err() == nil {
		turn, cancel := context.WithTimeout(ctx, statusEvery)
		err := c.Run(turn)
		cancel()
		if err != nil {
			return c, err
		}
		if ctx.Err() == nil {
			tell(c.Status())
		}
	}
	tell("logging out")
	c.Depart()
	return c, nil
}
