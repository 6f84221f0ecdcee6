package bot_test

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// A fake is a server of one client that does everything right, but for the changes of a test.
type fake struct {
	t     *testing.T
	conn  net.Conn
	begin time.Time
	index packets.PlayerIndex
	in    *sync.WaitGroup

	mu   sync.Mutex
	chat string // that the client has said
	out  [][]byte
	has  chan struct{} // something is in out

	// Behaviour that tests change. nil or false is right.
	clock     func(time.Duration) uint16        // of the server, by the time gone by
	pong      func(packets.Ping, uint16) []byte // answer to a ping
	snapshot  func(*packets.WorldSnapshot)
	entry     func()                // instead of the messages that follow the acknowledgement
	entered   func()                // after all that has followed the acknowledgement
	asked     func(packets.Command) // for all other messages of the client
	sixSilent bool
	mute      bool // no keepalive by itself
	deaf      bool // no answer to keepalives
	timeless  bool // no time of the game but the first
	refuse    bool // logins
	limit     string
	taken     bool // names
	began     bool
	bytes     int              // of the frame in which a command has come
	object    packets.ObjectID // of the section of the client's command
}

const (
	fakeSword packets.ObjectID = 0x1000
	fakeBread packets.ObjectID = 0x1001
	fakeHP                     = 90
	fakeMaxHP                  = 100
	fakeMoney                  = 77
)

var fakePlace = coords.Position{X: 2614, Y: 157.8, Z: 1293, Yaw: 1}

// newFake returns a fake and the client's end of its connection.
func newFake(t *testing.T) (*fake, net.Conn) {
	near, far := net.Pipe()
	f := &fake{t: t, conn: near, begin: time.Now(), index: 0x5A21, in: new(sync.WaitGroup), has: make(chan struct{}, 1)}
	f.clock = func(d time.Duration) uint16 { return uint16(d*3/time.Second) & packets.MaxClock }
	f.pong = func(p packets.Ping, clock uint16) []byte { return packets.AppendPong(nil, p, clock) }
	f.entry = f.sendEntry
	return f, far
}

// start serves until the connection ends.
func (f *fake) start() {
	f.control(&packets.Greeting{Number: packets.GreetingNumber, Key: packets.GreetingKey})
	done := make(chan struct{})
	f.in.Add(2)
	go func() {
		defer f.in.Done()
		defer close(done)
		f.read()
	}()
	go func() {
		defer f.in.Done()
		for {
			f.mu.Lock()
			out := f.out
			f.out = nil
			f.mu.Unlock()
			for _, p := range out {
				if _, err := f.conn.Write(p); err != nil {
					return
				}
			}
			if len(out) > 0 {
				continue
			}
			select {
			case <-f.has:
			case <-done:
				return
			}
		}
	}()
}

// stop ends the connection and waits for the fake's goroutines.
func (f *fake) stop() {
	f.conn.Close()
	f.in.Wait()
}

func (f *fake) raw(p []byte) {
	f.mu.Lock()
	f.out = append(f.out, p)
	f.mu.Unlock()
	select {
	case f.has <- struct{}{}:
	default:
	}
}

func (f *fake) control(m packets.Control) {
	p, err := packets.AppendControl(nil, m, packets.FromServer, 0, 0)
	if err != nil {
		f.t.Error(err)
	}
	f.raw(p)
}

// send sends a body with the clock of now.
func (f *fake) send(b *packets.Body) {
	b.Clock = f.now()
	f.raw(f.encode(b))
}

func (f *fake) encode(b *packets.Body) []byte {
	p, err := packets.AppendServer(nil, b, packets.Dialect2026)
	if err != nil {
		f.t.Error(err)
	}
	return p
}

func (f *fake) now() uint16 { return f.clock(time.Since(f.begin)) }

// about sends one section.
func (f *fake) about(id packets.ObjectID, class packets.Class, regions ...packets.Region) {
	f.send(packets.Message(0, id, class, regions...))
}

// own sends regions of the client's own character.
func (f *fake) own(regions ...packets.Region) { f.about(f.index.ID(), packets.ClassPlayer, regions...) }

func (f *fake) read() {
	var in []byte
	buf := make([]byte, 4096)
	deobfuscator := packets.NewDeobfuscator(f.index)
	var sequence uint16
	for {
		n, err := f.conn.Read(buf)
		if err != nil {
			return
		}
		in = append(in, buf[:n]...)
		for {
			frame, err := packets.CutFrame(in, packets.FromClient)
			if err != nil {
				f.t.Error(err)
				return
			}
			if frame == nil {
				break
			}
			f.header(frame, &sequence)
			plain, certain := deobfuscator.Plain(slices.Clone(frame))
			if !certain {
				f.t.Errorf("cannot tell whether % X is obfuscated", frame)
			}
			f.receive(plain)
			in = in[len(frame):]
		}
	}
}

// header checks the fields that old servers do not look at.
func (f *fake) header(frame []byte, last *uint16) {
	sum := uint16(frame[2]) | uint16(frame[3])<<8
	if want := packets.Checksum(frame, packets.GreetingKey); sum != want {
		f.t.Errorf("checksum %04X, expected %04X: % X", sum, want, frame)
	}
	sequence := uint16(frame[4]) | uint16(frame[5])<<8
	if step := sequence - *last; f.began && (step < 1 || step > 4) {
		f.t.Errorf("sequence grows by %d", step)
	}
	f.began, *last = true, sequence
}

func (f *fake) receive(plain []byte) {
	if ping, ok := packets.ReadPing(plain); ok {
		if p := f.pong(ping, f.now()); p != nil {
			f.raw(p)
		}
		return
	}
	frame, err := packets.DecodeFrame(plain, packets.FromClient, packets.Dialect2026)
	if err != nil {
		f.t.Errorf("client frame % X: %v", plain, err)
		return
	}
	switch m := frame.Control.(type) {
	case *packets.GreetingReply:
		if m.Value != packets.GreetingReplyValue {
			f.t.Errorf("answer to the greeting: %d", m.Value)
		}
		f.send(packets.Credentials(f.index, 0))
		return
	case *packets.Keepalive:
		if !f.deaf {
			f.control(&packets.Keepalive{})
		}
		return
	case *packets.SentCount:
		return
	case nil:
	default:
		f.t.Errorf("unexpected %T", m)
	}
	f.bytes = len(plain)
	for _, s := range frame.Body.Sections {
		for _, r := range s.Regions {
			if c, ok := packets.CommandOf(r); ok {
				f.object = s.Object
				f.command(c)
			}
		}
	}
}

func (f *fake) owner(c packets.Command) { f.send(packets.OwnerMessage(f.index, c)) }

func (f *fake) command(c packets.Command) {
	switch c := c.(type) {
	case *packets.Login:
		if f.refuse {
			if f.limit != "" {
				f.control(&packets.Refused{Why: f.limit})
			}
			f.owner(&packets.CannotConnect{})
			return
		}
		f.owner(&packets.CharacterScreen{})
		for range 3 {
			f.owner(packets.EmptyRecord())
		}
	case *packets.CreateCharacter:
		if f.taken {
			f.owner(&packets.NameRejected{})
			return
		}
		f.owner(&packets.NameAccepted{})
		m := packets.WorldSnapshot{Name: c.Name, ClanRank: -1, Look: c.Look, X: fakePlace.X, Y: fakePlace.Y, Z: fakePlace.Z,
			Yaw: fakePlace.Yaw,
			HP:  fakeHP, MaxHP: fakeMaxHP, Karma: 3, Money: fakeMoney, Carried: 5080,
			Occupied: make([]uint16, packets.Slots), Weights: make([]uint32, packets.Slots)}
		m.Occupied[26], m.Weights[26] = 1, 5000
		m.Occupied[27], m.Weights[27] = 1, 80
		if f.snapshot != nil {
			f.snapshot(&m)
		}
		f.send(packets.EnterWorldFrame(f.index, 0, &m))
	case *packets.ChatPart:
		f.mu.Lock()
		f.chat += strings.TrimRight(c.Text, "\x00")
		f.mu.Unlock()
	case *packets.Ready:
		f.entry()
		f.sendTimers()
		if f.entered != nil {
			f.entered()
		}
	default:
		if f.asked != nil {
			f.asked(c)
		}
	}
}

func (f *fake) said() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.chat
}

// An itemRecord is one item, as a client is told of it.
type itemRecord struct {
	id, parent    packets.ObjectID
	class         packets.Class
	gameID, count int // 0 for classes without a number, for items that do not stack
	durability    int
}

// spawn is the section that makes a client create the item inside its parent.
func (i itemRecord) spawn() packets.Section {
	spawn := &packets.SpawnSnapshot{X: packets.ContainedX, Placement: packets.Contained, A: 100, B: 100}
	if i.gameID != 0 {
		d := int32(i.durability)
		spawn.A, spawn.B, spawn.C, spawn.D = d, d, int32(i.gameID), packets.NoSuffix
	}
	s := packets.Section{Object: i.id, Class: i.class, Regions: []packets.Region{spawn,
		&packets.ContMan{Command: &packets.PutInto{Parent: i.parent}},
		&packets.ContMan{Command: &packets.Property{Value: packets.Unbound}}}}
	if i.count > 0 {
		s.Regions = append(s.Regions, &packets.ContMan{Command: &packets.StackCount{Count: uint16(i.count)}})
	}
	return s
}

var (
	swordRecord = itemRecord{id: fakeSword, class: packets.ClassStartSword, gameID: 1, durability: 100}
	breadRecord = itemRecord{id: fakeBread, class: packets.ClassBread, count: 10}
)

func (f *fake) spawn(i itemRecord) {
	i.parent = f.index.ID()
	f.send(&packets.Body{Sections: []packets.Section{i.spawn()}})
}

// sendEntry sends the world's data.
func (f *fake) sendEntry() {
	f.sendBindings()
	f.spawn(swordRecord)
	f.spawn(breadRecord)
	f.enter()
}

// enter sends the world's data but the items.
func (f *fake) enter() {
	f.sendStats()
	f.sendTime()
	f.about(packets.StatObject, packets.ClassStat, &packets.PlayerCountSpawn{Players: 5})
	f.control(&packets.Keepalive{})
}

func (f *fake) sendBindings() {
	f.own(&packets.ContMan{Command: &packets.ResetSlots{}},
		&packets.ContMan{Command: &packets.FillSlot{Slot: 26, Item: fakeSword, Weight: 5000}},
		&packets.ContMan{Command: &packets.FillSlot{Slot: 27, Item: fakeBread, Weight: 80}},
		&packets.Manager{Command: &packets.Money{Amount: fakeMoney}})
}

func (f *fake) sendStats() {
	f.own(&packets.SetStat{Stat: packets.StatHP, Value: fakeHP},
		&packets.SetStat{Stat: packets.StatMaxHP, Value: fakeMaxHP},
		&packets.SetStat{Stat: packets.StatMP, Value: 100}, &packets.SetStat{Stat: packets.StatBaseMaxHP, Value: fakeMaxHP})
}

func (f *fake) sendTime() {
	f.about(packets.NoObject, packets.ClassMain, &packets.GameTime{Time: 1234})
}

// sendTimers begins the messages that a server sends by itself.
func (f *fake) sendTimers() {
	f.every(3*time.Second, func() {
		if !f.mute {
			f.control(&packets.Keepalive{})
		}
	})
	f.every(6*time.Second, func() {
		if !f.sixSilent {
			f.send(packets.SixSeconds(f.index.ID(), 0, 100))
		}
	})
	f.every(15*time.Second, func() {
		if !f.timeless {
			f.sendTime()
		}
	})
}

// every does something again and again, up to a minute.
func (f *fake) every(d time.Duration, do func()) {
	f.in.Add(1)
	go func() {
		defer f.in.Done()
		for at := d; at <= 2*time.Minute; at += d {
			time.Sleep(d)
			do()
		}
	}()
}

// A story is a client's life with a fake, up to its end.
type story struct {
	client *bot.Client
	err    error // of its end
}

// played is how long stories go on in the world.
const played = 50 * time.Second

// play makes a client enter the world of a fake and live there, all in a time of its own.
func play(t *testing.T, change func(*fake), o bot.Options, tell func(*testing.T, story)) {
	synctest.Test(t, func(t *testing.T) {
		f, conn := newFake(t)
		if change != nil {
			change(f)
		}
		f.start()
		c := bot.New(conn, o)
		err := step(c)
		tell(t, story{c, err})
		c.Close()
		f.stop()
	})
}

func step(c *bot.Client) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.Handshake(ctx); err != nil {
		return err
	}
	if _, err := c.Login(ctx, "login", "password"); err != nil {
		return err
	}
	if _, err := c.Create(ctx, 1, bot.NewCharacter{Name: "Hero", Female: true}); err != nil {
		return err
	}
	if err := c.Enter(ctx); err != nil {
		return err
	}
	living, stop := context.WithTimeout(context.Background(), played)
	defer stop()
	return c.Run(living)
}

// kindsOf are the kinds that a client has found, in their order.
func kindsOf(c *bot.Client) []bot.ViolationKind {
	var out []bot.ViolationKind
	for _, f := range c.Violations() {
		out = append(out, f.Kind)
	}
	slices.Sort(out)
	return out
}

func TestAFaultlessServerGivesNoFindings(t *testing.T) {
	for _, o := range []bot.Options{{}, {Plain: true}, {Idle: true, LoadTime: time.Second},
		{Seed: 5, PingEvery: 500 * time.Millisecond}} {
		play(t, nil, o, func(t *testing.T, s story) {
			if s.err != nil {
				t.Error(s.err)
			}
			c := s.client
			for _, f := range c.Violations() {
				t.Error(f)
			}
			if c.Index != 0x5A21 || c.ID() != 0x215A || c.Key != packets.GreetingKey {
				t.Errorf("index %s, key %04X", c.Index, c.Key)
			}
			if c.Snapshot.Name != "Hero" || c.Snapshot.Look != packets.FemaleLook(0x30303030) || c.Money != fakeMoney ||
				c.Players != 5 || c.Time != 1234 {
				t.Errorf("%q, look %#x, money %d, %d players, time %d", c.Snapshot.Name, c.Snapshot.Look, c.Money, c.Players,
					c.Time)
			}
			if hp, ok := c.Stats[packets.StatHP]; hp != fakeHP || !ok || c.Stats[packets.StatMaxHP] != fakeMaxHP {
				t.Errorf("HP %d of %d", hp, c.Stats[packets.StatMaxHP])
			}
			items := c.Items()
			if len(items) != 2 || items[0] != (bot.Item{Slot: 26, ID: fakeSword, Class: packets.ClassStartSword, GameID: 1,
				Suffix: -2, Count: 1, Weight: 5000}) ||
				items[1] != (bot.Item{Slot: 27, ID: fakeBread, Class: packets.ClassBread, Count: 10, Weight: 80}) {
				t.Errorf("items %+v", items)
			}
			if moved := c.Position.Distance(fakePlace); (moved > 0) == o.Idle || moved > 25 {
				t.Errorf("stands %.1f m from where it entered", moved)
			}
			every := o.PingEvery
			if every == 0 {
				every = 2 * time.Second
			}
			if pings, want := int(c.Tally().Pings.Load()), int(played/every); pings < want-1 || pings > want+1 {
				t.Errorf("%d positions sent, expected %d", pings, want)
			}
		})
	}
}

func TestLoginsAndNamesThatAreRefused(t *testing.T) {
	play(t, func(f *fake) { f.refuse = true }, bot.Options{}, func(t *testing.T, s story) {
		if !errors.Is(s.err, bot.ErrRefused) {
			t.Error(s.err)
		}
	})
	play(t, func(f *fake) { f.refuse, f.limit = true, "too many attempts" }, bot.Options{}, func(t *testing.T, s story) {
		if !errors.Is(s.err, bot.ErrRefused) || !strings.Contains(s.err.Error(), "too many attempts") {
			t.Error(s.err)
		}
	})
	play(t, func(f *fake) { f.taken = true }, bot.Options{}, func(t *testing.T, s story) {
		if !errors.Is(s.err, bot.ErrNameRejected) {
			t.Error(s.err)
		}
	})
	for why, said := range map[string]bool{"": false, "full (limits.max-connections)": true, "\x1b[2J": false} {
		play(t, func(f *fake) { f.begin = time.Now(); f.control(&packets.Refused{Why: why}) }, bot.Options{},
			func(t *testing.T, s story) {
				if !errors.Is(s.err, bot.ErrFull) || strings.HasSuffix(s.err.Error(), ": "+why) != said {
					t.Errorf("%q: %v", why, s.err)
				}
			})
	}
}
