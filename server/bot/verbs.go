package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
)

// Handshake waits for the greeting, answers it, and waits for the credentials. Source: protocol session 4.1 to 4.3.
func (c *Client) Handshake(ctx context.Context) error {
	return c.pump(ctx, func() bool { return c.state >= stateLogin || c.seen.refusal != nil })
}

// wordPatience is how long a refused client waits for a server's word for it. Servers that have none close at once.
const wordPatience = time.Second

// Login sends login and password and waits for the character screen. The error is [ErrRefused] for any refusal of the
// server: clients are not told more. Source: protocol session 5.1, 6.1.
func (c *Client) Login(ctx context.Context, login, password string) (Screen, error) {
	const lead = 0xFF
	if err := c.forward(ctx, "log in", stateLogin, stateLoggingIn,
		func() bool { return c.seen.refusal != nil || c.records == len(c.Screen.Characters) },
		&packets.Owner{Command: &packets.Login{Lead: lead, Login: login, Password: password}}); err != nil {
		return Screen{}, withReason(err, c.seen.limit)
	}
	if c.seen.refusal != nil {
		word, cancel := context.WithTimeout(ctx, wordPatience)
		_ = c.pump(word, func() bool { return c.seen.limit != "" })
		cancel()
		if errors.Is(c.seen.refusal, ErrRefused) {
			c.seen.refusal = withReason(ErrRefused, cmp.Or(c.seen.limit, untoldRefusal))
		}
		return Screen{}, fmt.Errorf("bot: %w", c.seen.refusal)
	}
	c.state = stateScreen
	c.tellScreen(login)
	return c.Screen, nil
}

// Create makes a character in a slot, 0 to 2, and waits for it to enter the world; [Client.Enter] is to follow. After
// [ErrNameRejected] the client is still on the character screen. Source: protocol session 6.6.
func (c *Client) Create(ctx context.Context, slot int, n NewCharacter) (World, error) {
	w, err := c.choose(ctx, "create", slot, n.Name, &packets.CreateCharacter{Name: n.Name, Look: n.look()})
	if err == nil && !c.seen.accepted {
		c.find(OutOfPlace, "enter world without the name being accepted")
	}
	return w, err
}

// Select enters with the character in a slot, 0 to 2, and waits for its snapshot; [Client.Enter] is to follow.
// Source: protocol session 6.3, ingame 8.1.
func (c *Client) Select(ctx context.Context, slot int) (World, error) {
	name := ""
	if slot >= 0 && slot < len(c.Screen.Characters) {
		name = c.Screen.Characters[slot].Name
	}
	return c.choose(ctx, "select", slot, name, &packets.EnterWorld{})
}

// Delete deletes the character in a slot, 0 to 2. The server's answer is to close, so the connection is over after it.
// Source: protocol session 6.3, 6.4.
func (c *Client) Delete(ctx context.Context, slot int) error {
	if err := c.at(stateScreen, "delete"); err != nil {
		return err
	}
	b := packets.Message(0, c.ID(), packets.ClassPlayer,
		&packets.Owner{Command: &packets.DeleteSlot{Number: uint8(slot + 1)}})
	// The recorded frame has 42 bytes, by which old servers know it. The bytes behind the slot are unknown.
	const (
		frameBits = 42 * 8
		usedBits  = 162
	)
	b.Tail = packets.Bits{Len: frameBits - usedBits, Data: make([]byte, (frameBits-usedBits+7)/8)}
	if err := c.Send(b); err != nil {
		return err
	}
	c.state = stateChoosing
	if err := c.pump(ctx, never); !errors.Is(err, ErrClosed) {
		return err
	}
	return nil
}

// introduced reports whether all has come that a client is told of the character that enters.
func (c *Client) introduced() bool {
	s := &c.seen
	return s.keepalive && (c.options.Dialect == packets.Classic || s.stats && s.time && s.count)
}

// Enter tells the server that the world is loaded and waits until the client is in it: until statistics, game time,
// number of players and a keepalive have come (with a server of the classic dialect a keepalive alone).
// Source: protocol ingame 8.1, session 8.
func (c *Client) Enter(ctx context.Context) error {
	// A server may go on after the first of these, without waiting for the rest.
	if err := c.forward(ctx, "enter", stateLoading, stateReady, func() bool { return true },
		&packets.Owner{Command: &packets.WorldLoaded{}}); err != nil {
		return err
	}
	// The belongings of the entering character are compared as soon as all have come: they may change while the world
	// loads.
	loaded, checked := time.Now().Add(c.options.LoadTime), false
	if err := c.wait(ctx, c.options.LoadTime, c.introduced); err != nil {
		return err
	}
	if checked = c.introduced(); checked {
		c.checkEntry()
	}
	if err := c.wait(ctx, time.Until(loaded), never); err != nil {
		return err
	}
	if err := c.showGeneration(); err != nil {
		return err
	}
	const ready = 0x34
	if err := c.SendCommands(&packets.Manager{Command: &packets.Ready{Value: ready}}); err != nil {
		return err
	}
	if err := c.wait(ctx, entryPatience, c.introduced); err != nil {
		return err
	}
	c.state, c.wasInWorld = stateInWorld, true
	c.trail.add(c.Position)
	if c.options.groundTruth != nil {
		c.trackedBot = c.options.groundTruth.enter(c.ID(), &c.Snapshot, c.Position, time.Now())
	}
	if !checked {
		c.checkEntry()
	}
	if err := c.SendCommands(&packets.Manager{Command: &packets.AntiCheat{Code: antiCheatCode, Value: 3}}); err != nil {
		return err
	}
	c.begin(time.Now())
	c.tellWorld()
	return nil
}

// antiCheatCode is the code of recorded clients. Source: protocol ingame 4.2.
var antiCheatCode = [8]byte{0x35, 0xCA, 0xB4, 0xA4, 0x8D, 0x9C, 0x53, 0x24}

// wait pumps for a time, or until done.
func (c *Client) wait(ctx context.Context, d time.Duration, done func() bool) error {
	if d <= 0 {
		return nil
	}
	until := time.Now().Add(d)
	c.until = until
	defer func() { c.until = time.Time{} }()
	return c.pump(ctx, func() bool { return done() || !time.Now().Before(until) })
}

// Ping moves the character to a place at once, tells the server so, and waits for the answer.
// Source: protocol ingame 7.1, 7.2.
func (c *Client) Ping(ctx context.Context, at coords.Position) (Pong, error) {
	if err := c.canStand("ping", at); err != nil {
		return Pong{}, err
	}
	c.Position = at
	err := c.pingAndWait(ctx)
	return c.pings.last, err
}

// Walk walks from point to point at walking speed, with a position message every two seconds and at the end, and
// waits for the answer to the last. The character faces where it goes. It is an error to be put somewhere on the way:
// [ErrPutBack] if the server does not believe the walk. Whether it believes the last step, [Client.Confirm] finds out.
func (c *Client) Walk(ctx context.Context, to ...coords.Position) error {
	if err := c.SetOut(to...); err != nil {
		return err
	}
	if err := c.pump(ctx, func() bool { return !c.walker.following() }); err != nil {
		c.walker.follow(nil, time.Now())
		return err
	}
	if c.detour == nil {
		if err := c.pingAndWait(ctx); err != nil {
			return err
		}
	}
	return c.detour
}

// Confirm asks the server whether the character is where the client has it: if the server does not believe it, the
// character has been put back when Confirm returns, with [ErrPutBack]. The answer to a position message alone says
// nothing, for it comes before the server has checked it; the answer to a request about an item, which changes
// nothing, comes after.
func (c *Client) Confirm(ctx context.Context) error {
	if err := c.at(stateInWorld, "confirm"); err != nil {
		return err
	}
	c.detour = nil
	if err := c.pingAndWait(ctx); err != nil || c.options.Dialect == packets.Classic {
		return err
	}
	if err := c.settle(ctx); err != nil {
		return err
	}
	return c.detour
}

// SetOut begins to walk from point to point; the character goes on while verbs wait, or [Client.Until] does.
func (c *Client) SetOut(to ...coords.Position) error {
	err := c.canStand("walk", to...)
	if err == nil {
		c.detour = nil
		c.walker.follow(to, time.Now())
	}
	return err
}

// Stop ends a walk where the character is, and tells the server so.
func (c *Client) Stop() error {
	if err := c.at(stateInWorld, "stop"); err != nil {
		return err
	}
	now := time.Now()
	c.Position = c.walker.move(c.Position, c.options.Speed, now)
	c.walker.follow(nil, now)
	return c.sendPing()
}

// SetSpeed changes how fast the character walks, in metres per second.
func (c *Client) SetSpeed(metresPerSecond float64) error {
	if !(metresPerSecond > 0) {
		return fmt.Errorf("bot: speed %v: expected more than 0", metresPerSecond)
	}
	c.options.Speed = metresPerSecond
	return nil
}

// Speed is how fast the character walks, in metres per second.
func (c *Client) Speed() float64 { return c.options.Speed }

// TimeTo is how long the character walks to a place.
func (c *Client) TimeTo(to coords.Position) time.Duration {
	return time.Duration(c.Position.Distance(to) / c.options.Speed * float64(time.Second))
}

// Keepalive sends a keepalive and waits for one from the server, or for the message that the article's server sends
// in its place. Source: protocol ingame 7.4.
func (c *Client) Keepalive(ctx context.Context) error {
	want := c.watch.heard + 1
	if err := c.sendKeepalive(); err != nil {
		return err
	}
	return c.pump(ctx, func() bool { return c.watch.heard >= want })
}

// Expect waits for a frame that match accepts. Frames that came before are not looked at again.
func (c *Client) Expect(ctx context.Context, match func(*packets.Frame) bool) (caught *packets.Frame, err error) {
	each := c.options.OnFrame
	defer func() { c.options.OnFrame = each }()
	c.options.OnFrame = func(f *packets.Frame) {
		if each != nil {
			each(f)
		}
		if caught == nil && match(f) {
			caught = f
		}
	}
	err = c.pump(ctx, func() bool { return caught != nil })
	return caught, err
}

// Until lives until a condition on the client's fields holds.
func (c *Client) Until(ctx context.Context, done func() bool) error { return c.pump(ctx, done) }

// Idle lives for a time: reads, and sends the messages of a standing client.
func (c *Client) Idle(ctx context.Context, d time.Duration) error { return c.wait(ctx, d, never) }

// Run lives by itself until ctx ends, and returns nil then: it walks about, unless the options say that it stands.
func (c *Client) Run(ctx context.Context) error {
	if err := c.at(stateInWorld, "run"); err != nil {
		return err
	}
	c.living = true
	defer func() { c.living = false }()
	err := c.pump(ctx, never)
	if c.gone == nil && ctx.Err() != nil {
		return nil
	}
	return err
}

// Dial connects to a server and waits for greeting and credentials: the client can log in then.
func Dial(ctx context.Context, addr string, o Options) (*Client, error) {
	conn, err := o.Dial.Dial(ctx, addr)
	if err != nil {
		return nil, fmt.Errorf("bot: %w", err)
	}
	c := New(conn, o)
	c.tell("connected to %s", conn.RemoteAddr())
	if err := c.Handshake(ctx); err != nil {
		c.Abort()
		return nil, err
	}
	return c, nil
}

// Close ends the connection in order: it says that nothing more will come, and reads on until the server has closed
// too, but at most two seconds.
func (c *Client) Close() error {
	c.checkMissingSpawns(time.Now())
	c.trackedBot.part()
	c.partWithBags()
	defer c.conn.Close()
	if c.state == stateClosed {
		return nil
	}
	if h, ok := c.conn.(interface{ CloseWrite() error }); ok && h.CloseWrite() == nil {
		_ = c.conn.SetReadDeadline(time.Now().Add(closePatience))
		for buf := c.in.space(); ; {
			if _, err := c.conn.Read(buf); err != nil {
				break
			}
		}
	}
	c.leave(net.ErrClosed)
	return nil
}

// Release hands over the connection, and the bytes that were read from it and not acted on: the client is done with
// both.
func (c *Client) Release() (conn net.Conn, rest []byte) {
	c.state, c.gone = stateClosed, net.ErrClosed
	return c.conn, c.in.buf[c.in.r:c.in.w]
}

// Violations returns the findings of the client, by kind in the order of their first appearance.
func (c *Client) Violations() []Violation {
	if c.gone == nil {
		c.checkMissingSpawns(c.left)
	}
	return copyViolations(c.violations)
}

// SettleRequests waits until all requests about items are answered. The last is one that changes nothing: servers
// answer it after those before it.
func (c *Client) SettleRequests(ctx context.Context) error {
	if c.busy.asked.IsZero() || c.options.Dialect == packets.Classic {
		return nil
	}
	return c.settle(ctx)
}

func (c *Client) settle(ctx context.Context) error {
	answered := func() bool { return len(c.busy.requests) == 0 }
	if err := c.pump(ctx, answered); err != nil {
		return err
	}
	slot, full := FirstInventorySlot, false // if there is an item in one, the server need not say that there is none
	for i := range c.Slots {
		if c.Slots[i].Item != packets.NoObject {
			slot, full = i, true
			break
		}
	}
	if err := c.Move(c.ID(), slot, slot); err != nil {
		return err
	}
	if n := len(c.busy.requests); full && n > 0 {
		c.busy.requests[n-1].stays = slot + 1
	}
	return c.pump(ctx, answered)
}

// A Departure is how a client has left the world in order; nil values are not known.
type Departure struct {
	At         *coords.Position
	Entrance   *packets.MapMark // of the dungeon of a mission in which it was
	Belongings *Belongings
	Ledger     Ledger
}

// Depart waits for the last answers of the server before the client leaves, and returns how it does: with which
// belongings, when all requests about items are answered in the time that the server may take for that, and where, when
// all position messages are within a second. A client that is to come back as it left calls it before [Client.Close].
func (c *Client) Depart() (d Departure) {
	ctx, cancel := context.WithTimeout(context.Background(), answerPatience+time.Second)
	defer cancel()
	living, manual := c.living, c.options.Manual
	defer func() { c.living, c.options.Manual = living, manual }()
	c.living = false                                                 // nothing new
	if since := time.Since(c.fight.struckAt); since < killPatience { // the gains of a blow are still on their way
		_ = c.wait(ctx, killPatience-since, never)
	}
	// Kills of others may bring gains to the last moment to a client that has struck the monster, or is in their group;
	// and the person that it leads may arrive.
	alone := len(c.Group.Members) < 2 && time.Since(c.fight.struckAt) > calm && c.quest.led == escort{}
	if c.state == stateInWorld && c.SettleRequests(ctx) == nil && alone {
		d.Belongings, d.Ledger = new(c.Belongings()), c.ledger()
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	c.options.Manual = true
	if c.pump(ctx, c.allAnswered) == nil && c.pings.sent > 0 && !c.fought() {
		if d.At = new(c.pingedAt); c.quest.inside { // it comes back to the entrance
			d.At, d.Entrance = nil, new(c.quest.entrance)
		}
	}
	d.Ledger.fought = c.fought()
	return d
}

// ExpectSame tells the client that its character enters as it has left: anything else is a violation.
func (c *Client) ExpectSame(d Departure) { c.expected = d }

// showGeneration shows the client's generation to a server that finds it out by itself, before the server tells of
// things. No original client does so: they show it by the first thing that they do with an object.
func (c *Client) showGeneration() error {
	if c.options.Dialect == packets.Classic {
		return nil
	}
	const nothing = 1 // that no server has told of
	return c.Send(packets.Message(0, nothing, packets.ClassBackpack,
		&packets.ContMan{Command: &packets.CloseContainer{Player: c.ID()}}))
}

// forward sends commands about the own character in one state, goes on to the next one, and waits.
func (c *Client) forward(ctx context.Context, verb string, from, to state, done func() bool,
	regions ...packets.Region) error {
	if err := c.at(from, verb); err != nil {
		return err
	}
	if err := c.SendCommands(regions...); err != nil {
		return err
	}
	c.state = to
	return c.pump(ctx, done)
}

// choose ends the character screen: it does something with a slot, and waits for the snapshot of the character.
func (c *Client) choose(ctx context.Context, verb string, slot int, name string, act packets.Command) (World, error) {
	c.seen.accepted, c.seen.rejected = false, false
	if err := c.forward(ctx, verb, stateScreen, stateChoosing, func() bool { return c.seen.rejected || c.seen.snapshot },
		&packets.Owner{Command: &packets.ChooseSlot{Number: uint8(slot + 1)}}, &packets.Owner{Command: act}); err != nil {
		return World{}, err
	}
	if c.seen.rejected {
		c.state = stateScreen
		return World{}, fmt.Errorf("bot: %q: %w", name, ErrNameRejected)
	}
	c.state, c.wantedName = stateLoading, name
	c.checkSnapshot()
	return World{c.Snapshot, c.Position}, nil
}

func never() bool { return false }

// canStand says why a verb is not possible now, or at one of the places that it is about.
func (c *Client) canStand(verb string, places ...coords.Position) error {
	if err := c.at(stateInWorld, verb); err != nil {
		return err
	}
	for _, p := range places {
		if err := p.Check(); err != nil {
			return fmt.Errorf("bot: %w", err)
		}
	}
	return nil
}

// pingAndWait tells the server where the character is, and waits until all position messages are answered.
func (c *Client) pingAndWait(ctx context.Context) error {
	if err := c.sendPing(); err != nil {
		return err
	}
	return c.pump(ctx, c.allAnswered)
}

func (c *Client) allAnswered() bool { return c.pings.answered >= c.pings.sent }
