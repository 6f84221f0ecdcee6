package chat

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/data/datatest"
	"sphereserver/packets"
	"sphereserver/server/measure"
	"sphereserver/server/ops"
	"sphereserver/server/view"
	"sphereserver/world"
	"sphereserver/world/rules"
)

// A room is a chat with a world and a store, and without connections: work of sessions is done when the test says so.
// It is the host of the chat, and the server that operators reach.
type room struct {
	t     *testing.T
	chat  *Service
	store *data.Store
	world *world.World
	now   time.Duration // of all loops
	stop  *ops.PlannedStop
	all   []*talker
	later []func() // work aside, and calls on loops
	duels []world.DuelTold
	asked []world.Command // of journeys

	ordered []world.OrderMission // that give one

	timers []timer
}

type timer struct {
	due time.Duration
	do  func()
}

// A talker is a player of a room, as its session would be.
type talker struct {
	*Participant
	room      *room
	account   data.Account
	character data.Character
	index     packets.PlayerIndex
	dead      bool
	inWorld   bool
	ping      *coords.Position // where its client says that it is
	frames    []byte           // sent
	said      []string         // by the server
}

var begin = time.Now()

// newRoom has so many players, beside each other in Shipstone.
func newRoom(t *testing.T, players int) *room {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	r := &room{t: t, store: store}
	log := slog.New(slog.DiscardHandler)
	r.world = world.New(world.Options{Tables: content.Default().Tables, MaxSpeed: -1,
		Layouts: []*world.Layout{{Key: content.Newcomers}}}, r)
	r.chat = New(Options{Host: r, Store: store, Operators: &ops.Service{Store: store, Runtime: r, Log: log},
		Dialect: packets.Dialect2026, Clock: func() uint16 { return 1 }, Log: log, Unstuck: 10 * time.Second},
		new(measure.Registry))
	for i := range players {
		r.enter(string(rune('A'+i)) + "hero")
	}
	r.pass(time.Second)
	r.forget()
	return r
}

// newCrew is a room of a player, a helper, a game master and an administrator.
func newCrew(t *testing.T) (r *room, player, helper, master, administrator *talker) {
	r = newRoom(t, 4)
	for i, p := range r.all {
		p.account.Role = data.Role(i)
		if err := r.store.SetRole(t.Context(), p.account.ID, p.account.Role); err != nil {
			t.Fatal(err)
		}
	}
	return r, r.all[0], r.all[1], r.all[2], r.all[3]
}

// enter brings a new player into the room.
func (r *room) enter(name string) *talker {
	r.t.Helper()
	account, err := r.store.CreateAccount(r.t.Context(), "login"+name, "hash", data.Player)
	if err != nil {
		r.t.Fatal(err)
	}
	title, degree := rules.TotalPoints(0, 0)
	c, _, err := r.store.CreateCharacter(r.t.Context(), data.NewCharacter{Character: data.Character{Account: account.ID,
		Name: name, Face: '0', Hair: '0', HairColour: '0', Tattoo: '0', HP: 100, MP: 100, MaxSatiety: 100,
		Progress: rules.Progress{TitlePoints: title, DegreePoints: degree}, Position: r.Start()}})
	if err != nil {
		r.t.Fatal(err)
	}
	p := &talker{room: r, account: account, character: c, inWorld: true,
		index: packets.FirstPlayerIndex + packets.PlayerIndex(len(r.all))}
	p.Participant = r.chat.Join(p, p.account.Language, p.account.Mute)
	r.all = append(r.all, p)
	r.world.Do(world.Enter{Player: world.Player{ID: p.id(), Character: int64(c.ID), Name: name, Account: account.Login,
		Position: r.Start(), Pools: rules.Pools{HP: 100, MP: 100, MaxHP: 100, MaxMP: 100}}})
	return p
}

// leave takes a player out of the room.
func (p *talker) leave() {
	p.inWorld = false
	p.room.world.Do(world.Leave{ID: p.id()})
	p.room.pass(time.Second)
}

// run runs waiting work.
func (r *room) run() {
	for len(r.later) > 0 {
		do := r.later[0]
		r.later = r.later[1:]
		do()
	}
}

// pass lets time go by, in ticks of the world.
func (r *room) pass(d time.Duration) {
	for end := r.now + d; r.now < end; {
		r.run()
		r.now += world.TickPeriod
		r.timers = slices.DeleteFunc(r.timers, func(t timer) bool {
			if t.due <= r.now {
				r.later = append(r.later, t.do)
			}
			return t.due <= r.now
		})
		r.world.Tick(begin.Add(r.now))
	}
	r.run()
}

// forget forgets the lines that players have heard.
func (r *room) forget() {
	for _, p := range r.all {
		p.frames, p.said = nil, nil
	}
}

// Happened implements [world.Sink].
func (r *room) Happened(events []world.Event) {
	for _, e := range events {
		switch e := e.(type) {
		case *world.Said:
			r.chat.Said(e)
		case world.SayRefused:
			r.Call(e.From, func(p *Participant) { p.SayRefused(e) })
		case world.Teleported:
			r.talker(e.ID).ping = nil
		case world.DuelTold:
			r.duels = append(r.duels, e)
		case world.PartyRefused:
			r.Call(e.ID, func(p *Participant) { p.Refuse(e.Why) })
		}
	}
}

// World has the caller's clock: the room's own stands still unless a test moves it.
func (r *room) World() *world.Snapshot {
	s := *r.world.Snapshot()
	s.At = time.Now()
	return &s
}

func (r *room) Command(c world.Command) {
	if travel, ok := c.(world.Travel); ok {
		r.asked = append(r.asked, travel)
	}
	r.world.Do(c)
}
func (r *room) Start() coords.Position { return content.Cities()[0].Position }

func (r *room) talker(id world.PlayerID) *talker {
	if i := slices.IndexFunc(r.all, func(p *talker) bool { return p.id() == id && p.inWorld }); i >= 0 {
		return r.all[i]
	}
	return nil
}

func (r *room) Participant(id world.PlayerID) *Participant {
	if p := r.talker(id); p != nil {
		return p.Participant
	}
	return nil
}

func (r *room) Call(id world.PlayerID, do func(*Participant)) {
	if p := r.talker(id); p != nil {
		r.later = append(r.later, func() { do(p.Participant) })
	}
}

func (r *room) Share(to []world.PlayerID, frames []byte, addressed bool) {
	for _, id := range to {
		if p := r.talker(id); p != nil {
			own := slices.Clone(frames)
			if addressed {
				view.AddressAll(own, p.index.ID())
			}
			p.frames = append(p.frames, own...)
		}
	}
}

// The part of a server that operators reach.

func (r *room) of(account data.AccountID) *talker {
	if i := slices.IndexFunc(r.all, func(p *talker) bool { return p.account.ID == account && p.inWorld }); i >= 0 {
		return r.all[i]
	}
	return nil
}

func (r *room) Disconnect(_ context.Context, account data.AccountID, _ ops.Notice) error {
	if p := r.of(account); p != nil {
		p.inWorld = false
	}
	return nil
}

func (r *room) SetRole(account data.AccountID, role data.Role) {
	if p := r.of(account); p != nil {
		p.Call(func() { p.account.Role = role })
	}
}

// Present returns a player in the room, also one that the snapshot of its world does not have.
func (r *room) Present(account data.AccountID, id data.CharacterID) (world.PlayerView, bool) {
	p := r.of(account)
	if p == nil || p.character.ID != id {
		return world.PlayerView{}, false
	}
	at := p.place()
	if at == (coords.Position{}) {
		at = p.Here()
	}
	return world.PlayerView{ID: p.id(), Character: int64(id), Name: p.name(), Position: at}, true
}

func (r *room) SetMute(account data.AccountID, m data.Mute) {
	if p := r.of(account); p != nil {
		p.Call(func() { p.Mute(m) })
	}
}

func (r *room) Announce(message string) { r.chat.Announce(message) }

func (r *room) PlanStop(p *ops.PlannedStop) (before *ops.PlannedStop) {
	before, r.stop = r.stop, p
	return before
}

func (r *room) RatesChanged() {}

func (r *room) FileRates() (p rules.RatePlans) {
	p[rules.DropRate] = rules.RatePlan{{Factor: 1.5}}
	return p
}

func (r *room) ChangeOrder(data.OrderKey, *data.Order) {}

func (r *room) FileOrders() ops.ServerOrders { return ops.ServerOrders{Maintenance: true} }

func (r *room) Tell(account data.AccountID, n ops.Notice) bool {
	p := r.of(account)
	if p != nil {
		p.Call(func() { p.Say(n.In(p.Russian)) })
	}
	return p != nil
}

func (r *room) LockedUntil(string) time.Time { return time.Time{} }

func (r *room) Online(account data.AccountID) (bool, data.CharacterID) {
	if p := r.of(account); p != nil {
		return true, p.character.ID
	}
	return false, 0
}

func (r *room) NextEntityID() world.EntityID { return r.world.NextEntityID() }
func (r *room) Kinds() *content.Catalogue    { return content.Default() }

func (r *room) Missions() []rules.MissionTemplate { return content.Missions() }

func (r *room) Change(ctx context.Context, id data.CharacterID, d ops.Deed) (int64, error) {
	switch c := d.InWorld(r.playing(id), 0).(type) {
	case world.EnterInstance:
		r.world.Do(c)
		return 0, nil
	case world.OrderMission:
		if c.What == world.OrderToGive && r.playing(id) != 0 {
			r.ordered = append(r.ordered, c)
			return 0, nil
		}
	}
	return d.Apply(ctx, r.store, id)
}

// playing is the player of a character, 0 for none.
func (r *room) playing(id data.CharacterID) world.PlayerID {
	if i := slices.IndexFunc(r.all, func(p *talker) bool { return p.character.ID == id && p.inWorld }); i >= 0 {
		return r.all[i].id()
	}
	return 0
}

// The part of a session that the chat needs.

func (p *talker) Index() packets.PlayerIndex { return p.index }
func (p *talker) Account() data.AccountID    { return p.account.ID }
func (p *talker) Login() string              { return p.account.Login }
func (p *talker) Role() data.Role            { return p.account.Role }
func (p *talker) Character() *data.Playing   { return p.character.Playing() }
func (p *talker) InWorld() bool              { return p.inWorld }
func (p *talker) Dead() bool                 { return p.dead }
func (p *talker) Log() *slog.Logger          { return slog.New(slog.DiscardHandler) }
func (p *talker) Clock() uint16              { return 1 }
func (p *talker) Now() time.Duration         { return p.room.now }
func (p *talker) Real() time.Time            { return begin.Add(p.room.now) }
func (p *talker) Say(text string)            { p.said = append(p.said, text) }
func (p *talker) SayOwn(text view.TextNumber, number int16) {
	p.said = append(p.said, fmt.Sprintf("#%d", text))
}
func (p *talker) FirstHelp(page int) { p.said = append(p.said, fmt.Sprintf("help %d", page)) }
func (p *talker) ChangePassword(_ context.Context, old, password string) error {
	if old != "old" {
		return UserError(text("нет", "no"))
	}
	p.said = append(p.said, "password "+password)
	return nil
}
func (p *talker) SendBytes(frames []byte) { p.frames = append(p.frames, frames...) }

func (p *talker) Here() coords.Position {
	if p.ping != nil {
		return *p.ping
	}
	return p.place()
}

// place is where the world has the player.
func (p *talker) place() coords.Position {
	for _, v := range p.room.World().Players {
		if v.ID == p.id() {
			return v.Position
		}
	}
	return coords.Position{}
}

func (p *talker) Call(do func()) {
	p.room.later = append(p.room.later, func() {
		if p.inWorld {
			do()
		}
	})
}

func (p *talker) After(d time.Duration, do func()) {
	p.room.timers = append(p.room.timers, timer{p.room.now + d, func() { p.Call(do) }})
}

func (p *talker) Go(work func(ctx context.Context)) {
	p.room.later = append(p.room.later, func() { work(p.room.t.Context()) })
}

func (p *talker) name() string { return p.character.Name }

// at puts a player somewhere.
func (p *talker) at(to coords.Position) {
	p.room.world.Do(world.Teleport{ID: p.id(), To: to})
	p.room.pass(time.Second)
}

// moves is the client saying where it is.
func (p *talker) moves(to coords.Position) {
	p.ping = &to
	p.room.world.Move(p.id(), to)
}

// write sends a line of chat as a client does, frame by frame.
func (p *talker) write(channel world.Channel, text string) {
	own := &packets.Section{Class: packets.ClassPlayer, Object: p.index.ID()}
	h, parts := sentLine(uint8(channel), text)
	p.Header(own, h)
	for _, part := range parts {
		p.Part(own, part)
	}
}

// speaks writes the line that the client composes of a message.
func (p *talker) speaks(channel world.Channel, message string) {
	p.write(channel, written(p.name(), message))
}

// hears are the lines that have come, and the system messages.
func (p *talker) hears() (lines []heardLine, system []string) {
	p.room.t.Helper()
	lines, system = readChat(p.room.t, p.frames, packets.Dialect2026), append(readSystem(p.room.t, p.frames), p.said...)
	p.frames, p.said = nil, nil
	return lines, system
}

// commands gives a command, and returns the lines that come back.
func (p *talker) commands(format string, args ...any) []string {
	p.room.t.Helper()
	p.room.pass(time.Second)
	p.room.forget()
	p.Command(fmt.Sprintf(format, args...))
	p.room.pass(time.Second)
	return p.said
}

func (p *talker) wantLine(want, format string, args ...any) {
	p.room.t.Helper()
	command := fmt.Sprintf(format, args...)
	if have := strings.Join(p.commands("%s", command), "\n"); !strings.Contains(have, want) {
		p.room.t.Errorf("%s: %s was answered %q, want %q", p.Login(), command, have, want)
	}
}
