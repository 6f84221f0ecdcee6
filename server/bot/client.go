// Package bot is a headless client of the game over the same message types that the server uses: one to try things by
// hand and in tests, or thousands in a process to load a server.
//
// A [Client] does what the original client does from the greeting to walking about in the world, and reports faults
// that the original client would stumble over as [Violation]s. It has no goroutine of its own: its verbs send, and
// read messages until the awaited one has come. So a client belongs to one goroutine at a time, and between two verbs
// its fields may be read without a lock. A [Swarm] runs many of them, a goroutine each.
package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"time"

	"sphereserver/coords"
	"sphereserver/data/content"
	"sphereserver/data/content/wild"
	"sphereserver/packets"
	"sphereserver/world/rules"
)

// Ends of a connection. The errors of verbs wrap these: use [errors.Is].
var (
	ErrRefused      = errors.New("the server refuses the login")
	ErrExpired      = errors.New("the server keeps the account out: it is banned or has expired")
	ErrFull         = errors.New("the server refuses the connection")
	ErrNameRejected = errors.New("the server rejects the name")
	ErrClosed       = errors.New("the server has closed the connection")
	ErrNoLink       = errors.New("no link: position messages are not answered")
	ErrStream       = errors.New("the server's stream cannot be cut into frames")
	ErrPutBack      = errors.New("the server does not believe where the client says it is")
)

// A Dialer connects to the address of a server; nil uses TCP.
type Dialer func(ctx context.Context, addr string) (net.Conn, error)

// Dial connects, until ctx ends.
func (d Dialer) Dial(ctx context.Context, addr string) (net.Conn, error) {
	if d != nil {
		return d(ctx, addr)
	}
	return new(net.Dialer).DialContext(ctx, "tcp", addr)
}

// Options of a client. The zero value speaks as today's client does.
type Options struct {
	Dialect packets.Dialect
	// Plain sends bodies in clear, as sessions with some early servers did.
	Plain bool
	// Idle keeps [Client.Run] from walking.
	Idle bool
	Walk Walk // where [Client.Run] walks
	// ChatEvery and GroupEvery are how often, on average, [Client.Run] says something to all around, and does something
	// about groups; 0 for never.
	ChatEvery, GroupEvery time.Duration
	// ItemsEvery is how often, on average, [Client.Run] does something with the character's items: moves, drops, picks
	// up, wears, buys, sells; 0 for never.
	ItemsEvery time.Duration
	// Hunt makes [Client.Run] hunt monsters, in place of Walk and ItemsEvery: go out of the town, fight, loot, sell.
	Hunt bool
	// Missions makes [Client.Run] take missions and do them, and fight as a hunter does, but hunt for nothing else.
	Missions bool
	// School is how it fights then.
	School School
	// Catalogue and Balance are the items and the numbers of the server, as far as a player knows them; nil for those that
	// ship.
	Catalogue *content.Catalogue
	Balance   *rules.Balance
	// AllowExternalChanges says that others, such as operators, may give the character items and money, or take them: a
	// change without a request is no violation then.
	AllowExternalChanges bool
	// Manual sends nothing that no verb asks for. Otherwise a client in the world sends positions, keepalives and
	// counts of frames whenever a verb waits.
	Manual bool

	PingEvery      time.Duration // time between position messages; 2 s if 0
	KeepaliveEvery time.Duration // 3 s if 0
	// LoadTime is how long loading the world takes: the pause between "loaded" and "ready". The original client needs
	// about a second; 0 does not wait.
	LoadTime time.Duration
	Speed    float64 // of walking in metres per second; if 0 it is 4, and 5 from place to place
	Seed     uint64  // of everything random; equal seeds behave alike
	Dial     Dialer
	// Patience is how many times as long as the original client it waits for the server's answers, on a machine that
	// other programs want, too; 0 is once.
	Patience int

	// OnFrame sees every frame, decoded, before the client acts on it. Without it the common frames are not decoded
	// in full, and cost nothing.
	OnFrame func(*packets.Frame)
	// Acted sees the client after each frame that it has acted on, on the client's goroutine.
	Acted func(*Client)
	// Tell is told the events in words, for people.
	Tell func(line string)

	tally       *Tally       // shared with other clients
	groundTruth *groundTruth // of the swarm, nil for a client by itself
	onViolation func(k ViolationKind, text func() string)
}

func (o Options) withDefaults() Options {
	o.PingEvery = cmp.Or(max(o.PingEvery, 0), 2*time.Second)
	o.KeepaliveEvery = cmp.Or(max(o.KeepaliveEvery, 0), 3*time.Second)
	speed := 4.0
	if o.Walk == Places {
		speed = 5
	}
	o.Speed = cmp.Or(max(o.Speed, 0), speed)
	o.Patience = max(o.Patience, 1)
	o.Hunt = o.Hunt || o.Missions
	o.tally = cmp.Or(o.tally, new(Tally))
	o.Catalogue, o.Balance = cmp.Or(o.Catalogue, content.Default()), cmp.Or(o.Balance, shippedBalance())
	return o
}

// A state is how far the client has come.
type state uint8

const (
	stateConnected state = iota // no greeting yet
	stateGreeted                // no index yet
	stateLogin                  // may log in
	stateLoggingIn
	stateScreen // chooses a character
	stateChoosing
	stateLoading // has its character
	stateReady   // has told the server that the world is loaded; its data may come now
	stateInWorld
	stateClosed
)

// A Client is one connection as the original client would have it. See the package's comment about goroutines.
type Client struct {
	// Values that the server has told. The maps may be read, not changed.

	Index    packets.PlayerIndex // from the credentials
	Key      uint16              // of checksums, from the greeting
	Screen   Screen
	Snapshot packets.WorldSnapshot  // as the character entered
	Stats    map[packets.Stat]int32 // values of the own character that the server has told
	Money    uint32
	Players  int          // in the world
	Time     packets.Time // of the game
	Slots    [packets.Slots]Slot
	Objects  map[packets.ObjectID]*Object // all that the client holds, except its own character
	Lines    []Line                       // the last lines of chat and of the system, oldest first
	Group    Group                        // that the own character is in
	Clan     Clan                         // of the own character
	Trader   packets.ObjectID             // of the open trade window, [packets.NoObject] for none
	Offer    packets.PriceOffer           // the last price that a trader has named for something of the own character

	// Position is where the client stands; its position messages say it.
	Position coords.Position

	conn    net.Conn
	options Options
	rand    *rand.Rand
	tally   *Tally
	in      stream
	out     []byte
	state   state
	gone    error // why the connection is over

	order      []packets.ObjectID // see inOrder
	sequence   uint16
	sent       uint32 // frames
	clockBegin uint16
	started    time.Time
	deadline   time.Time // of reading, as set on the connection
	until      time.Time // a verb wants to be woken then
	left       time.Time // when the last verb ended
	awaited    time.Time // when the client was to wake up last
	quiet      time.Time // when the server had nothing to say, during this verb

	seen       seen
	records    int
	wantedName string
	expected   Departure // as the character left the last time

	pings        pings
	pingedAt     coords.Position // of the last position message, or of the server's put-back since
	trail        trail
	detour       error // why the walk of a verb has not led where it was to lead
	clock        serverClock
	watch        watch
	walker       walker
	due          behaviour
	fight        fight
	hunter       hunter
	spawners     []wild.Spawner // of a server with numbers of its own
	craft        craft
	quest        quest
	missingSpawn []missingSpawn
	update       update
	busy         busy
	itemsAt      time.Time                         // when something was told of items the last time
	audited      bool                              // the belongings were looked at since then
	partialLines map[packets.ObjectID]*partialLine // by chat object; of none for lines that come as header and parts
	founding     string                            // name of the clan that was asked for
	said         int                               // lines ever heard
	people       int                               // other players among the objects
	beasts       []*Object                         // monsters among them
	bags         []*Object                         // of monsters, among them
	steps        []step                            // of the last frame of movements, used again
	undressed    []*Object                         // players among them with untold equipment
	trackedBot   *trackedBot
	suspects     map[packets.ObjectID]*suspicion
	compared     int  // sightings so far
	sought       int  // items on the ground so far
	living       bool // Run: walks
	wasInWorld   bool
	violations   []Violation
}

// New returns a client of an open connection; [Client.Handshake] is to follow.
func New(conn net.Conn, o Options) *Client {
	o = o.withDefaults()
	c := &Client{conn: conn, options: o, tally: o.tally, rand: rand.New(rand.NewPCG(o.Seed, 0x5FE3E)), started: time.Now(),
		Objects: map[packets.ObjectID]*Object{}, Stats: map[packets.Stat]int32{}, Clan: noClan,
		partialLines: map[packets.ObjectID]*partialLine{}}
	c.sequence = uint16(c.rand.Uint32())
	c.clockBegin = uint16(c.rand.Uint32()) & packets.MaxClock
	c.walker.rand, c.walker.walk = c.rand, o.Walk
	return c
}

// ID is the object id of the client's character.
func (c *Client) ID() packets.ObjectID { return c.Index.ID() }

// InWorld reports whether the client is in the world.
func (c *Client) InWorld() bool { return c.state == stateInWorld }

// Err says why the connection is over, nil if it is not.
func (c *Client) Err() error { return c.gone }

// Tally has the client's counts and measurements; clients of a swarm share theirs.
func (c *Client) Tally() *Tally { return c.tally }

// clientClock is the client's clock: 24 per second. Source: protocol ingame 3.1.
func (c *Client) clientClock(now time.Time) uint16 {
	return (c.clockBegin + uint16(now.Sub(c.started)*24/time.Second)) & packets.MaxClock
}

func (c *Client) tell(format string, args ...any) {
	if c.options.Tell != nil {
		c.options.Tell(fmt.Sprintf(format, args...))
	}
}

// over ends the client's part for a reason that is told; the first one counts.
func (c *Client) over(why error) error {
	if c.gone == nil {
		c.leave(why)
		c.tell("%v", why)
	}
	return c.gone
}

const closePatience = 2 * time.Second

// Abort drops the connection without a word, as a crash of the client or a cut cable does: the server sees a reset.
func (c *Client) Abort() {
	if t, ok := c.conn.(interface{ SetLinger(seconds int) error }); ok {
		_ = t.SetLinger(0)
	}
	_ = c.conn.Close()
	c.leave(net.ErrClosed)
}

func (c *Client) find(k ViolationKind, format string, args ...any) {
	text := func() string { return fmt.Sprintf(format, args...) }
	c.violations = addViolation(c.violations, k, text)
	if c.options.onViolation != nil {
		c.options.onViolation(k, text)
	}
	if c.options.Tell != nil {
		c.tell("finding: %s: %s", k, text())
	}
}

// at says in which state a verb is possible.
func (c *Client) at(want state, verb string) error {
	switch {
	case c.gone != nil:
		return c.gone
	case c.state != want:
		return fmt.Errorf("bot: %s: not at this point (%d, not %d)", verb, c.state, want)
	}
	return nil
}

// checkReady finds messages that come too early.
func (c *Client) checkReady(what string) {
	if c.state < stateReady {
		c.find(OutOfPlace, "%s before the client is ready for the world", what)
	}
}

func (c *Client) dead() bool {
	hp, known := c.Stats[packets.StatHP]
	return known && hp <= 0
}

// jittered is when something is done next that is done every so often on average; the zero time for never.
func (c *Client) jittered(every time.Duration, now time.Time) time.Time {
	if every <= 0 {
		return time.Time{}
	}
	return now.Add(time.Duration((0.5 + c.rand.Float64()) * float64(every)))
}

// heldObject is the target of a verb that the client holds under an id: an object, or the own character.
func (c *Client) heldObject(verb string, id packets.ObjectID) (*Object, error) {
	if err := c.at(stateInWorld, verb); err != nil {
		return nil, err
	}
	switch o := c.Objects[id]; {
	case o != nil:
		return o, nil
	case id == c.ID():
		return &Object{ID: id, Class: packets.ClassPlayer}, nil
	}
	return nil, fmt.Errorf("bot: %s: the client does not hold it", id)
}

func (c *Client) leave(why error) {
	c.gone = cmp.Or(c.gone, why)
	c.state = stateClosed
	over := time.Now()
	stays := c.options.Balance.Blow.Linger
	fought := stays + attention // the server has heard of the last blow after it was struck
	if over.Sub(c.fight.hitAt) < fought || over.Sub(c.fight.struckAt) < fought || c.seesMonster() {
		over = over.Add(stays) // it is shown until then
	}
	c.trackedBot.leave(over)
}

// seesMonster reports whether the client holds a monster, which may have hit its character without being told any more.
func (c *Client) seesMonster() bool {
	for _, o := range c.Objects {
		if o.Monster != nil {
			return true
		}
	}
	return false
}

func (c *Client) holderOf(item packets.ObjectID) packets.ObjectID {
	if o := c.Objects[item]; o != nil {
		return o.Parent
	}
	return packets.NoObject
}
