package script

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"go.starlark.net/starlark"

	"sphereserver/packets"
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

// entryPatience is how long coming in may take at least: the server checks passwords one by one.
const entryPatience = 20 * time.Second

// logIn connects the player and goes on with its client on the character screen. A client that has not become the
// player's then is closed.
func (p *player) logIn(then func(ctx context.Context, c *bot.Client, screen bot.Screen) error) error {
	if p.client != nil && isSentAway(p, nil) != nil { // the server may have ended the connection unannounced
		return fmt.Errorf("%s is in the world already", p.name)
	}
	ctx, cancel := context.WithTimeout(p.runner.context, max(p.runner.patience, entryPatience))
	defer cancel()
	o := p.runner.options.Client
	o.Idle, o.AllowExternalChanges = true, true
	c, err := bot.Dial(ctx, p.runner.options.Addr, o)
	if err != nil {
		return err
	}
	screen, err := c.Login(ctx, p.login, p.password)
	if err == nil {
		err = then(ctx, c, screen)
	}
	if p.client == nil {
		p.close(c)
	}
	return err
}

// enter connects the player and brings it into the world with the character of its name, which is made when there is
// none.
func (p *player) enter() error {
	return p.logIn(func(ctx context.Context, c *bot.Client, screen bot.Screen) (err error) {
		c.ExpectSame(p.departure)
		slot := screen.Find(p.name)
		if slot >= 0 {
			_, err = c.Select(ctx, slot)
		} else if slot = screen.Free(); slot < 0 {
			return fmt.Errorf("no character is called %s, and no slot is free", p.name)
		} else {
			_, err = c.Create(ctx, slot, bot.NewCharacter{Name: p.name})
		}
		if err == nil {
			err = c.Enter(ctx)
		}
		if err == nil {
			p.client, p.known = c, map[int]bool{}
			p.live()
		}
		return err
	})
}

// close logs a client out and keeps its violations.
func (p *player) close(c *bot.Client) {
	_ = c.Close()
	p.violations = append(p.violations, c.Violations()...)
}

// live runs the client until rest is called.
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

func (p *player) do(what func(*bot.Client) error) error {
	if p.client == nil {
		return fmt.Errorf("%s is not in the world", p.name)
	}
	p.rest()
	defer p.live()
	return what(p.client)
}

// leave logs the player out; inOrder or by dropping the connection.
func (p *player) leave(inOrder bool) error {
	if p.client == nil {
		return fmt.Errorf("%s is not in the world", p.name)
	}
	p.rest()
	c := p.client
	p.client, p.departure = nil, bot.Departure{}
	if !inOrder {
		c.Abort()
	} else {
		p.departure = c.Depart()
	}
	p.close(c)
	return nil
}

// within runs the client until a condition holds, but no longer than a time.
func (p *player) within(d time.Duration, so func(*bot.Client) bool) (is bool, err error) {
	return p.run((*bot.Client).Until, d, so)
}

// run lets the client do something until a condition holds, but no longer than a time.
func (p *player) run(act func(*bot.Client, context.Context, func() bool) error, d time.Duration,
	so func(*bot.Client) bool) (is bool, err error) {
	err = p.do(func(c *bot.Client) error {
		ctx, cancel := context.WithTimeout(p.runner.context, d)
		defer cancel()
		err := act(c, ctx, func() bool { // a condition that has held once stays true
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

// until waits until a condition holds; if it never does, the error says what holds instead.
func (p *player) until(expected Text, so func(*bot.Client) bool, instead func(*bot.Client) Text) error {
	is, err := p.within(p.runner.patience, so)
	if is {
		return nil
	}
	return p.failure(expected, instead, err)
}

// never waits for the time that a call names, a second if it names none, in which something is not to become so.
func (p *player) never(a *args, expected Text, so func(*bot.Client) bool, instead func(*bot.Client) Text) error {
	is, err := p.within(cmp.Or(a.span, time.Second), so)
	if !is {
		return err
	}
	return p.failure(expected, instead, err)
}

// failure says the expected condition and the present state; err is why that could not be seen, nil if it could.
func (p *player) failure(expected Text, instead func(*bot.Client) Text, err error) error {
	if p.client == nil {
		return err
	}
	var found Text
	_ = p.do(func(c *bot.Client) error {
		found = named(p.name + " ").and(instead(c))
		return nil
	})
	if err != nil {
		found = found.and(named(fmt.Sprintf(" (%v)", err)))
	}
	return &Failure{expected, found}
}

// reach waits until the client holds an object, and does something about it.
func (p *player) reach(expected Text, find func(*bot.Client) *bot.Object, instead func(*bot.Client) Text,
	do func(*bot.Client, *bot.Object) error) error {
	if err := p.until(expected, func(c *bot.Client) bool { return find(c) != nil }, instead); err != nil {
		return err
	}
	return p.do(func(c *bot.Client) error {
		if o := find(c); o != nil {
			return do(c, o)
		}
		return &Failure{expected, named(p.name + " ").and(instead(c))}
	})
}

// answered waits for any answer of the server to a request; sent is the error of sending it.
func (p *player) answered(sent error) error {
	if sent != nil {
		return sent
	}
	return p.until(say("an answer of the server", "ответ сервера"), func(c *bot.Client) bool { return !c.Waits() },
		func(*bot.Client) Text { return say("has no answer", "не получает ответа") })
}

// does makes a step of something that the client sends.
func does(do func(c *bot.Client, a *args) error) action {
	return func(p *player, a *args) error { return p.do(func(c *bot.Client) error { return do(c, a) }) }
}

// plain makes a step of a message that does not depend on the call.
func plain(do func(*bot.Client) error) action {
	return does(func(c *bot.Client, _ *args) error { return do(c) })
}

// about makes a step of something that the client sends about another player.
func about(do func(c *bot.Client, name string) error) action {
	return does(func(c *bot.Client, a *args) error { return do(c, a.other()) })
}

func gives(value func(c *bot.Client, a *args) starlark.Value) action {
	return does(func(c *bot.Client, a *args) error {
		a.result = value(c, a)
		return nil
	})
}

// request makes a step of a request about items, and waits for its answer.
func request(do func(c *bot.Client, a *args) error) action {
	return func(p *player, a *args) error { return p.answered(does(do)(p, a)) }
}

// withSlot makes a step of a request about the item in the slot that the call names.
func withSlot(do func(c *bot.Client, id packets.ObjectID) error) action {
	return request(func(c *bot.Client, a *args) error {
		o, err := inSlot(c, a)
		if err != nil {
			return err
		}
		return do(c, o.ID)
	})
}

func inSlot(c *bot.Client, a *args) (*bot.Object, error) {
	if o := c.Objects[c.Slots[a.slots[0]].Item]; o != nil {
		return o, nil
	}
	return nil, fmt.Errorf("nothing lies in slot %d", a.slots[0])
}
