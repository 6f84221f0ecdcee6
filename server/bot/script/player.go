package script

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/server/bot"
)

// String is the player's name.
func (p *player) String() string        { return p.name }
func (p *player) Type() string          { return "player" }
func (p *player) Freeze()               {}
func (p *player) Truth() starlark.Bool  { return true }
func (p *player) Hash() (uint32, error) { return starlark.String(p.name).Hash() }
func (p *player) AttrNames() []string {
	return append([]string{"name"}, sortedNames(p.runner.methods)...)
}

// Attr returns a verb of the player, or its name.
func (p *player) Attr(name string) (starlark.Value, error) {
	if v := p.runner.methods[name]; v != nil {
		return p.runner.builtin(v, p), nil
	}
	if name == "name" {
		return starlark.String(p.name), nil
	}
	return nil, nil
}

// logIn connects the player. Whoever calls it closes the client.
func (p *player) logIn(ctx context.Context) (c *bot.Client, screen bot.Screen, err error) {
	if p.client != nil {
		return nil, screen, fmt.Errorf("%s is in the world already", p.name)
	}
	o := p.runner.options.Client
	o.Idle, o.AllowExternalChanges = true, true
	if c, err = bot.Dial(ctx, p.runner.options.Addr, o); err == nil {
		screen, err = c.Login(ctx, p.identity.Login, p.identity.Password)
	}
	return c, screen, err
}

// entryPatience is how long coming in may take at least: the server checks passwords one by one.
const entryPatience = 20 * time.Second

// enter connects the player and brings it into the world.
func (p *player) enter(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, max(p.runner.patience, entryPatience))
	defer cancel()
	c, screen, err := p.logIn(ctx)
	if c == nil {
		return err
	}
	if err == nil {
		err = p.appear(ctx, c, screen)
	}
	if err != nil {
		p.close(c)
		return err
	}
	p.client, p.known = c, map[int]bool{}
	p.live()
	return nil
}

// close logs a client out and keeps what it has found.
func (p *player) close(c *bot.Client) error {
	err := c.Close()
	p.violations = append(p.violations, c.Violations()...)
	return err
}

// appear plays the character with the player's name, which is made when there is none.
func (p *player) appear(ctx context.Context, c *bot.Client, screen bot.Screen) (err error) {
	c.ExpectSame(p.departure)
	slot := screen.Find(p.name)
	if slot >= 0 {
		_, err = c.Select(ctx, slot)
	} else if slot = screen.Free(); slot < 0 {
		return fmt.Errorf("no character is called %s, and no slot is free", p.name)
	} else {
		_, err = c.Create(ctx, slot, bot.NewCharacter{Name: p.name})
	}
	if err != nil {
		return err
	}
	return c.Enter(ctx)
}

// live lets the client live until rest is called.
func (p *player) live() {
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan struct{})
	go func(c *bot.Client) {
		defer close(over)
		_ = c.Until(ctx, func() bool { return false }) // an error shows at the next step
	}(p.client)
	p.rest = func() {
		stop()
		<-over
	}
}

// do does something with the player's client.
func (p *player) do(what func(*bot.Client) error) error {
	if p.client == nil {
		return fmt.Errorf("%s %w", p.name, errAway)
	}
	p.rest()
	defer p.live()
	return what(p.client)
}

// leave logs the player out; inOrder or by dropping the connection.
func (p *player) leave(inOrder bool) error {
	if p.client == nil {
		return fmt.Errorf("%s %w", p.name, errAway)
	}
	p.rest()
	c := p.client
	p.client, p.departure = nil, bot.Departure{}
	if !inOrder {
		c.Abort()
	} else {
		p.departure = c.Depart()
	}
	return p.close(c)
}

// within lets the client live until something is so, but no longer than a time.
func (p *player) within(ctx context.Context, d time.Duration, so func(*bot.Client) bool) (is bool, err error) {
	err = p.do(func(c *bot.Client) error {
		ctx, cancel := context.WithTimeout(ctx, d)
		defer cancel()
		err := c.Until(ctx, func() bool { // what has been so once stays so
			is = is || so(c)
			return is
		})
		if errors.Is(err, context.DeadlineExceeded) && c.Err() == nil {
			return nil
		}
		return err
	})
	return is, err
}

// until waits until something is so; if it does not become so, the error says what is so instead.
func (p *player) until(ctx context.Context, expected string, so func(*bot.Client) bool,
	instead func(*bot.Client) string) error {
	return p.judge(expected, instead, true, func() (bool, error) { return p.within(ctx, p.runner.patience, so) })
}

// never waits for a time in which something is not to become so.
func (p *player) never(ctx context.Context, a *args, expected string, so func(*bot.Client) bool,
	instead func(*bot.Client) string) error {
	d := a.span
	if d == 0 {
		d = time.Second
	}
	return p.judge(expected, instead, false, func() (bool, error) { return p.within(ctx, d, so) })
}

// judge makes a failure of something that should be so and is not, or the other way round.
func (p *player) judge(expected string, instead func(*bot.Client) string, should bool,
	look func() (bool, error)) error {
	is, err := look()
	if is == should || p.client == nil {
		if is {
			return nil
		}
		return err
	}
	var found string
	_ = p.do(func(c *bot.Client) error {
		found = p.name + " " + instead(c)
		return nil
	})
	if err != nil {
		found += fmt.Sprintf(" (%v)", err)
	}
	return &Failure{expected, found}
}

// plain makes a step of something that the client sends.
func plain(do func(*bot.Client) error) func(context.Context, *player, *args) error {
	return func(_ context.Context, p *player, _ *args) error { return p.do(do) }
}

// about makes a step of something that the client sends about another player.
func about(do func(c *bot.Client, name string) error) func(context.Context, *player, *args) error {
	return func(_ context.Context, p *player, a *args) error {
		return p.do(func(c *bot.Client) error { return do(c, a.other()) })
	}
}
