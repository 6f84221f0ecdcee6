package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// An Identity is the account that a client logs in to, and its character.
type Identity struct {
	Login, Password string
	Name            string // of the character that is made when the slot is empty
	Slot            int    // 0 to 2
}

// Appear logs in and enters the world with the character of the slot, which it makes first when there is none.
func (c *Client) Appear(ctx context.Context, who Identity) error {
	screen, err := c.Login(ctx, who.Login, who.Password)
	if err != nil {
		return err
	}
	if who.Slot < 0 || who.Slot >= len(screen.Characters) {
		return fmt.Errorf("bot: slot %d: expected 0 to %d", who.Slot, len(screen.Characters)-1)
	}
	if screen.Characters[who.Slot].Empty {
		c.tell("slot %d is empty: creating %q", who.Slot, who.Name)
		_, err = c.Create(ctx, who.Slot, NewCharacter{Name: who.Name})
	} else {
		_, err = c.Select(ctx, who.Slot)
	}
	if err != nil {
		return err
	}
	return c.Enter(ctx)
}

// SwarmOptions are the options of a [Swarm].
type SwarmOptions struct {
	Addr  string
	Count int
	// Rate is how many clients begin to log in per second; 200 if 0. A server that is slower than that is not
	// overrun: only so many clients are on their way at a time.
	Rate float64
	For  time.Duration // in all; 0: until the context ends
	// Stay is how long a client stays in the world on average before it logs out and comes back, expecting to stand
	// where it stood; 0: for ever.
	Stay time.Duration
	// Reconnect brings back clients that have lost their connection.
	Reconnect bool
	// Prefix begins names and logins, Latin letters; "Bot" if empty. See [SwarmName].
	Prefix   string
	Password string // "bot" if empty
	Slot     int
	Client   Options // Seed is the first client's; Tell, OnFrame and Acted are not used
	// DialAs is the dialer of the i-th client, instead of Client.Dial; nil for that.
	DialAs func(i int) Dialer

	// Watch, if not nil, sees the i-th client after each frame that it has acted on, on the client's goroutine.
	Watch func(i int, c *Client)

	// The clients know where all of them are, and compare their sights with that. Sight is how far players are to be
	// shown, in metres, 100 if 0, negative to compare nothing; Crowd is how many others one is shown at most, 256 if 0;
	// Slack is how much later than a second something may be shown because of the network, 1 s if 0.
	Sight float64
	Crowd int
	Slack time.Duration
}

const comingAtOnce = 256 // clients

func (o SwarmOptions) withDefaults() SwarmOptions {
	o.Rate = cmp.Or(max(o.Rate, 0), 200)
	o.Prefix, o.Password = cmp.Or(o.Prefix, "Bot"), cmp.Or(o.Password, "bot")
	o.Sight = cmp.Or(o.Sight, 100)
	o.Crowd = cmp.Or(max(o.Crowd, 0), 256)
	o.Slack = cmp.Or(max(o.Slack, 0), time.Second)
	o.Client.OnFrame, o.Client.Acted, o.Client.Tell = nil, nil, nil
	o.Client.Hunt = o.Client.Hunt || o.Client.Missions
	return o
}

// maxName is how many letters a name may have. Source: protocol session 6.6.
const maxName = 19

// SwarmName returns the name of the i-th client, which is its login too: the prefix and i in letters, counted a, b,
// … z, aa. It consists of letters alone, for digits and the like may not be allowed in names.
func SwarmName(prefix string, i int) string {
	letters := ""
	for i++; i > 0; i = (i - 1) / 26 {
		letters = string(rune('a'+(i-1)%26)) + letters
	}
	return prefix + letters
}

// Check returns the first mistake in the options, with what was expected and what was found, or nil.
func (o SwarmOptions) Check() error {
	o = o.withDefaults()
	if o.Count < 1 {
		return fmt.Errorf("number of clients %d: expected 1 or more", o.Count)
	}
	for _, r := range o.Prefix {
		if r < 'A' || r > 'z' || r > 'Z' && r < 'a' {
			return fmt.Errorf("prefix %q: expected Latin letters, found %q", o.Prefix, r)
		}
	}
	if last := SwarmName(o.Prefix, o.Count-1); len(last) > maxName {
		return fmt.Errorf("prefix %q: the last of %d names would be %q, expected at most %d letters", o.Prefix, o.Count,
			last, maxName)
	}
	if o.Slot < 0 || o.Slot > 2 {
		return fmt.Errorf("slot %d: expected 0 to 2", o.Slot)
	}
	return nil
}

// A Swarm is many clients at once, a goroutine each.
type Swarm struct {
	options SwarmOptions
	gate    chan struct{} // a place for each client that is on its way in
	shards  [16]Tally
	wg      sync.WaitGroup

	started, connected, inWorld atomic.Int64
	entries                     atomic.Int64 // into the world, ever
	looks                       atomic.Int64 // see live

	mu          sync.Mutex
	begin       time.Time
	peak        int64
	disconnects map[string]int
	violations  []Violation
}

// NewSwarm returns a swarm that [Swarm.Run] sets in motion.
func NewSwarm(o SwarmOptions) (*Swarm, error) {
	if err := o.Check(); err != nil {
		return nil, fmt.Errorf("bot: %w", err)
	}
	o = o.withDefaults()
	s := &Swarm{options: o, begin: time.Now(), gate: make(chan struct{}, comingAtOnce), disconnects: map[string]int{}}
	if o.Sight > 0 {
		s.options.Client.groundTruth = &groundTruth{sight: o.Sight, crowd: o.Crowd, slack: o.Slack}
	}
	return s, nil
}

// Run logs the clients in, one after the other at the rate, and runs them until the time is over or ctx ends. It
// returns when all have logged out.
func (s *Swarm) Run(ctx context.Context) {
	if s.options.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, s.options.For)
		defer cancel()
	}
	begin := time.Now()
	s.mu.Lock()
	s.begin = begin
	s.mu.Unlock()
	for i := range s.options.Count {
		pause(ctx, time.Until(begin.Add(time.Duration(float64(i)/s.options.Rate*float64(time.Second)))))
		if !s.takePlace(ctx) {
			break
		}
		s.started.Add(1)
		s.wg.Go(func() { s.live(ctx, i) })
	}
	s.wg.Wait()
}

func (s *Swarm) takePlace(ctx context.Context) bool {
	if ctx.Err() != nil {
		return false
	}
	select {
	case s.gate <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// live is the life of one client: one session, or one after the other. It has a place at the gate when it begins. A
// client that handles items or hunts comes back a last time, to see whether it still has its belongings.
func (s *Swarm) live(ctx context.Context, i int) {
	random := rand.New(rand.NewPCG(s.options.Client.Seed, uint64(i)))
	var last Departure
	for {
		err := s.session(ctx, i, random, &last, false)
		if ctx.Err() != nil || err != nil && !s.options.Reconnect {
			break
		}
		pause(ctx, time.Second+time.Duration(random.Int64N(int64(time.Second))))
		if !s.takePlace(ctx) {
			break
		}
	}
	if (s.options.Client.ItemsEvery > 0 || s.options.Client.Hunt) && last.Belongings != nil {
		ctx, cancel := context.WithTimeout(context.Background(), appearPatience)
		defer cancel()
		s.gate <- struct{}{}
		s.looks.Add(1)
		_ = s.session(ctx, i, random, &last, true) // a lost connection is counted
	}
}

// appearPatience is how long a client may take to get in; a server that hashes passwords for many needs time.
const appearPatience = 2 * time.Minute

// session is one connection of one client. nil: it ended when it was meant to.
func (s *Swarm) session(ctx context.Context, i int, random *rand.Rand, last *Departure, looks bool) error {
	coming, cancel := context.WithTimeout(ctx, appearPatience)
	defer cancel()
	c, err := s.arrive(coming, i, *last)
	<-s.gate
	*last = Departure{}
	if c != nil {
		defer s.connected.Add(-1)
		defer c.Close()
	}
	if err != nil {
		s.lost(ctx, "before the world", err)
		return err
	}
	s.entries.Add(1)
	n := s.inWorld.Add(1)
	defer s.inWorld.Add(-1)
	s.mu.Lock()
	s.peak = max(s.peak, n)
	s.mu.Unlock()
	if looks {
		return nil
	}
	if s.options.Stay > 0 {
		stay := time.Duration((0.5 + random.Float64()) * float64(s.options.Stay))
		staying, stop := context.WithTimeout(ctx, stay)
		defer stop()
		err = c.Run(staying)
	} else {
		err = c.Run(ctx)
	}
	if err != nil {
		s.lost(ctx, "in the world", err)
		return err
	}
	*last = c.Depart()
	return nil
}

// arrive connects a client and brings it into the world, as it left that the last time. The client is nil if
// there is no connection.
func (s *Swarm) arrive(ctx context.Context, i int, last Departure) (*Client, error) {
	name := SwarmName(s.options.Prefix, i)
	o := s.options.Client
	o.Seed += uint64(i)
	if s.options.DialAs != nil {
		o.Dial = s.options.DialAs(i)
	}
	if s.options.Watch != nil {
		o.Acted = func(c *Client) { s.options.Watch(i, c) }
	}
	o.tally = &s.shards[i%len(s.shards)]
	o.onViolation = func(k ViolationKind, text func() string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.violations = addViolation(s.violations, k, func() string { return name + ": " + text() })
	}
	c, err := Dial(ctx, s.options.Addr, o)
	if err != nil {
		return nil, err
	}
	s.connected.Add(1)
	c.ExpectSame(last)
	return c, c.Appear(ctx, Identity{Login: name, Password: s.options.Password, Name: name, Slot: s.options.Slot})
}

func (s *Swarm) lost(ctx context.Context, where string, err error) {
	if IsContextEnd(ctx, err) {
		return
	}
	s.mu.Lock()
	s.disconnects[reasonOf(err, where)]++
	s.mu.Unlock()
}

// IsContextEnd reports whether an error of a client comes only from the end of its context.
func IsContextEnd(ctx context.Context, err error) bool {
	if err == nil || errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return true
	}
	// A connection that is being made can notice the deadline a moment before the context does.
	const moment = 100 * time.Millisecond
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < moment && errors.Is(err, context.DeadlineExceeded)
}

// reasonOf puts an error into the few words that are counted by.
func reasonOf(err error, where string) string {
	for _, known := range []struct {
		err  error
		text string
	}{{ErrRefused, "login refused"}, {ErrExpired, "account expired"}, {ErrFull, "connection refused"},
		{ErrNameRejected, "name rejected"}, {ErrNoLink, "no link"}, {ErrStream, "broken stream"},
		{ErrClosed, "closed by the server"}, {context.DeadlineExceeded, "timed out"}} {
		if errors.Is(err, known.err) {
			text := known.text + " " + where
			var limit limitError
			if errors.As(err, &limit) {
				text += ": " + limit.sort()
			}
			return text
		}
	}
	var op *net.OpError
	if errors.As(err, &op) {
		return strings.TrimSpace("cannot " + op.Op + ": " + op.Err.Error())
	}
	return err.Error()
}

// pause waits for a time, or until ctx ends.
func pause(ctx context.Context, d time.Duration) {
	if d > 0 {
		select {
		case <-time.After(d):
		case <-ctx.Done():
		}
	}
}

const statusEvery = 10 * time.Second

// Solo is one client that tells its events in words: it connects, logs in with an identity, enters, and lives until
// ctx ends; then it logs out in order. The error says why it could not go on, nil if ctx ended it. The client is nil
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
