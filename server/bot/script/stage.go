package script

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"sphereserver/coords"
	"sphereserver/server/bot"
)

// Options of a run.
type Options struct {
	Addr   string      // of the server, HOST:PORT
	Client bot.Options // of each player
	// Patience is how long a line waits for what it expects; 5 s if 0. A script can say otherwise.
	Patience time.Duration
	// KeepGoing goes on with the next line when one has failed.
	KeepGoing bool
	// Tell is told of each line when it is over.
	Tell func(Outcome)
}

// An Outcome is what has become of a line.
type Outcome struct {
	Line
	Err  error // what is so instead; nil if the line is as it says
	Took time.Duration
}

// A Result is what has become of a script.
type Result struct {
	OK, Failed int
	// Findings are what the original client would have stumbled over, each with the name of its player.
	Findings []string
}

// Clean says whether all is as the script says, and the server made no mistake.
func (r *Result) Clean() bool { return r.Failed == 0 && len(r.Findings) == 0 }

// defaultPatience is how long a line waits for what it expects.
const defaultPatience = 5 * time.Second

// Run plays a script. It returns when all players have left.
func Run(ctx context.Context, script *Script, o Options) *Result {
	if o.Patience <= 0 {
		o.Patience = defaultPatience
	}
	if o.Client.PingEvery <= 0 {
		o.Client.PingEvery = 500 * time.Millisecond
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &stage{options: o, patience: o.Patience, players: map[string]*player{}}
	r := new(Result)
	for _, line := range script.Lines {
		begin := time.Now()
		err := line.do(ctx, s)
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		if o.Tell != nil {
			o.Tell(Outcome{line, err, time.Since(begin)})
		}
		if err == nil {
			r.OK++
			continue
		}
		r.Failed++
		if !o.KeepGoing || ctx.Err() != nil {
			break
		}
	}
	for _, p := range s.order {
		_ = p.leave(ctx, true)
		for _, f := range p.findings {
			r.Findings = append(r.Findings, p.name+": "+f.String())
		}
	}
	return r
}

// A stage is where a script is played.
type stage struct {
	options  Options
	patience time.Duration
	scene    *coords.Position // what offsets count from, nil before the first place was named
	players  map[string]*player
	order    []*player
}

// A player is one client. Between its own lines a goroutine of its own lets it live: it reads, and sends what a standing client
// sends.
type player struct {
	stage    *stage
	name     string
	identity bot.Identity

	orders   chan order    // nil while the player is not in the world
	over     chan struct{} // closed when the goroutine has ended
	known    map[int]bool  // lines of chat that a line of the script has spoken of
	findings []bot.Finding
	last     *coords.Position // where it left in order
	things   *bot.Belongings  // what it had then
}

// An order is something to be done with a player's client.
type order struct {
	do   func(*bot.Client) error
	done chan error
}

var errAway = errors.New("is not in the world")

// player finds one by its name.
func (s *stage) player(name string) (*player, error) {
	p := s.players[name]
	if p == nil || p.orders == nil {
		return nil, fmt.Errorf("%s %w", name, errAway)
	}
	return p, nil
}

// enter connects the player and brings it into the world.
func (p *player) enter(ctx context.Context) error {
	if p.orders != nil {
		return fmt.Errorf("%s is in the world already", p.name)
	}
	ready, cancel := context.WithTimeout(ctx, max(p.stage.patience, 20*time.Second)) // the server checks passwords one by one
	defer cancel()
	o := p.stage.options.Client
	o.Stand, o.Gifts = true, true
	c, err := bot.Dial(ready, p.stage.options.Addr, o)
	if err != nil {
		return err
	}
	if err := p.appear(ready, c); err != nil {
		c.Close()
		p.keep(c)
		return err
	}
	p.orders, p.over, p.known = make(chan order), make(chan struct{}), map[int]bool{}
	go p.live(context.WithoutCancel(ctx), c, p.orders) // until it is told to leave
	return nil
}

// appear logs in, and plays the character with the player's name, which is made when there is none.
func (p *player) appear(ctx context.Context, c *bot.Client) error {
	screen, err := c.Login(ctx, p.identity.Login, p.identity.Password)
	if err != nil {
		return err
	}
	if p.last != nil {
		c.ExpectAt(*p.last)
	}
	if p.things != nil {
		c.ExpectThings(*p.things)
	}
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

// live lets the client live, but for the time in which an order is carried out.
func (p *player) live(ctx context.Context, c *bot.Client, orders chan order) {
	defer close(p.over)
	for {
		idle, stop := context.WithCancel(ctx)
		next := make(chan order, 1)
		go func() {
			defer stop()
			select {
			case o, ok := <-orders:
				if ok {
					next <- o
				}
			case <-ctx.Done():
			}
		}()
		_ = c.Until(idle, func() bool { return false }) // an error shows at the next order
		<-idle.Done()
		select {
		case o := <-next:
			o.done <- o.do(c)
		default: // the player is to leave
			p.keep(c)
			return
		}
	}
}

// keep remembers what the client has found.
func (p *player) keep(c *bot.Client) { p.findings = append(p.findings, c.Findings()...) }

// do has something done with the player's client.
func (p *player) do(ctx context.Context, what func(*bot.Client) error) error {
	o := order{what, make(chan error, 1)}
	select {
	case p.orders <- o:
		return <-o.done
	case <-ctx.Done():
		return ctx.Err()
	}
}

// leave logs the player out; inOrder or by dropping the connection.
func (p *player) leave(ctx context.Context, inOrder bool) error {
	if p.orders == nil {
		return fmt.Errorf("%s %w", p.name, errAway)
	}
	p.last, p.things = nil, nil
	// The script may be over: then the player leaves all the same.
	err := p.do(context.WithoutCancel(ctx), func(c *bot.Client) error {
		if !inOrder {
			c.Abort()
			return nil
		}
		if b, ok := c.LastThings(); ok {
			p.things = &b
		}
		if at, ok := c.LastWord(); ok {
			p.last = &at
		}
		return c.Close()
	})
	close(p.orders)
	<-p.over
	p.orders = nil
	return err
}

// within lets the client live until something is so, but no longer than a time.
func (p *player) within(ctx context.Context, d time.Duration, so func(*bot.Client) bool) (is bool, err error) {
	err = p.do(ctx, func(c *bot.Client) error {
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
func (p *player) until(ctx context.Context, so func(*bot.Client) bool, instead func(*bot.Client) string) error {
	is, err := p.within(ctx, p.stage.patience, so)
	if is {
		return nil
	}
	var found string
	_ = p.do(ctx, func(c *bot.Client) error {
		found = instead(c)
		return nil
	})
	if err != nil {
		return fmt.Errorf("%w; %s %s", err, p.name, found)
	}
	return fmt.Errorf("%s %s", p.name, found)
}

// never waits for a time in which something is not to become so.
func (p *player) never(ctx context.Context, d time.Duration, so func(*bot.Client) bool, what func(*bot.Client) string) error {
	is, err := p.within(ctx, d, so)
	if !is {
		return err
	}
	var found string
	_ = p.do(ctx, func(c *bot.Client) error {
		found = what(c)
		return nil
	})
	return fmt.Errorf("%s %s", p.name, found)
}

// resolve finds where a place of the script is.
func (s *stage) resolve(ctx context.Context, w *where) (coords.Position, error) {
	at := w.at
	switch {
	case w.scene && s.scene == nil:
		return at, errors.New(`no place was named yet that offsets count from: expected "scene WHERE" or "player … at WHERE" before`)
	case w.scene:
		at = *s.scene
	case w.player != "":
		p, err := s.player(w.player)
		if err != nil {
			return at, err
		}
		if err := p.do(ctx, func(c *bot.Client) error {
			at = c.Position
			return nil
		}); err != nil {
			return at, err
		}
	}
	at.X += float32(w.offset[0])
	at.Y += float32(w.offset[1])
	at.Z += float32(w.offset[2])
	return at, at.Check()
}

// setScene makes the first place that is named the scene.
func (s *stage) setScene(w *where) {
	if s.scene == nil && !w.scene && w.player == "" {
		at := w.at
		s.scene = &at
	}
}

// pointText shows a place to people.
func pointText(p coords.Position) string {
	return fmt.Sprintf("%.2f %.2f %.2f", p.X, p.Y, p.Z)
}

// list names some things, "nobody" if there are none.
func list(what []string, none string) string {
	const most = 10
	switch n := len(what); {
	case n == 0:
		return none
	case n > most:
		return strings.Join(what[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(what, ", ")
}

// like says whether a text is as a pattern says, in which * stands for anything.
func like(text, pattern string) bool {
	pieces := strings.Split(pattern, "*")
	if len(pieces) == 1 {
		return text == pattern
	}
	text, ok := strings.CutPrefix(text, pieces[0])
	if !ok {
		return false
	}
	last := pieces[len(pieces)-1]
	for _, piece := range pieces[1 : len(pieces)-1] {
		i := strings.Index(text, piece)
		if i < 0 {
			return false
		}
		text = text[i+len(piece):]
	}
	return strings.HasSuffix(text, last)
}
