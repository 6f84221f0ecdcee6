//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/content"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/sim"
	"sphereserver/world/rules"
)

// A trader is a player among others that trade: it founds clans and leaves them, puts things down and picks up
// others', and talks; or it is a buyer, and buys bread of the townsman there. The ledger keeps account of the outcomes
// that the server has told it.
type trader struct {
	login    string // and its character's name
	number   int    // in the ledger
	rand     *rand.Rand
	ledger   *sim.Ledger
	treasury *treasury
	buyer    bool

	price atomic.Uint32 // of bread, for a buyer
	clans int           // ever asked for
	done  map[sim.Request]int
}

// purse is the money that a buyer is given, once.
const purse = 1_000_000

// A treasury is the trader that gives commands to change the others' belongings.
type treasury struct {
	names  []string
	buyers []string        // that are paid first
	paid   map[string]bool // as acknowledged
	count  int
}

// live plays until the connection ends, or with nil until ctx does.
func (h *trader) live(ctx context.Context, addr string) error {
	o := bot.Options{Seed: h.rand.Uint64(), Idle: true, Acted: func(c *bot.Client) { h.ledger.Watch(h.number, c) }}
	c, err := comeIn(ctx, addr, o, h.login, 0, h.login)
	if err != nil {
		return err
	}
	defer c.Abort()
	if err := c.Idle(ctx, 100*time.Millisecond); err != nil { // of what lies around it is told, too
		return err
	}
	h.ledger.Answered(h.number)
	act := h.act
	switch {
	case h.treasury != nil:
		act = h.pay
	case h.buyer:
		act = h.buy
	}
	for ctx.Err() == nil {
		if err := act(ctx, c); err != nil {
			return err
		}
		if err := c.Idle(ctx, time.Duration(20+h.rand.IntN(120))*time.Millisecond); err != nil {
			return err
		}
	}
	return nil
}

// act does one thing and waits for its answer.
func (h *trader) act(ctx context.Context, c *bot.Client) error {
	switch n := h.rand.IntN(10); {
	case n < 3 && c.Clan.Name == "":
		h.clans++
		name := bot.SwarmName("Clan", h.number*10_000+h.clans)
		return h.ask(ctx, c, sim.AboutClan, func() error { return c.FoundClan(name) },
			func() bool { return c.Clan.Name == name })
	case n < 3:
		return h.ask(ctx, c, sim.AboutClan, func() error { return c.LeaveClan(c.Clan.Name) },
			func() bool { return c.Clan.Name == "" })
	case n < 6 && len(c.Items()) > 0:
		has := c.Items()
		slot := has[h.rand.IntN(len(has))].Slot
		drop := &packets.Drop{Item: c.Slots[slot].Item, X: packets.ContainedX, Player: c.ID()}
		return h.ask(ctx, c, sim.AboutThings, func() error { return c.SendCommands(&packets.Manager{Command: drop}) },
			func() bool { return c.Slots[slot].Item == packets.NoObject })
	case n < 9:
		for id, o := range c.Objects {
			if o.Spawn == nil || o.Parent != packets.NoObject || o.Class != packets.ClassBread &&
				o.Class != packets.ClassStartSword || o.Position.X == packets.ContainedX {
				continue
			}
			return h.ask(ctx, c, sim.AboutThings, func() error { return c.PickUp(id) },
				// another trader may have been quicker
				func() bool { return c.Objects[id] == nil || c.Objects[id].Parent != packets.NoObject })
		}
	}
	const normal = 2 // channel
	return c.Speak(normal, "Куплю всё!")
}

// buy opens the trade with the townsman that sells bread, and buys a piece.
func (h *trader) buy(ctx context.Context, c *bot.Client) error {
	if c.Trader == packets.NoObject {
		for id, o := range c.Objects {
			if o.Occupation == 50_000+content.OccupationTavern {
				return firstError(func() error { return c.OpenTrade(id) },
					func() error { return c.Until(ctx, func() bool { return c.Trader == id }) })
			}
		}
		return nil // comes into sight soon
	}
	for slot, goods := range c.Objects[c.Trader].Goods {
		if o := c.Objects[goods.Item]; o == nil || o.Class != packets.ClassBread || h.price.Load() != 0 &&
			goods.Price != h.price.Load() || c.Money < goods.Price {
			continue
		}
		h.price.Store(goods.Price)
		before := c.Money
		return h.ask(ctx, c, sim.AboutTrade, func() error { return c.Buy(slot, 1) },
			func() bool { return c.Money != before })
	}
	return nil
}

// ask sends a request and waits until it is done or refused in words.
func (h *trader) ask(ctx context.Context, c *bot.Client, what sim.Request, send func() error, done func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	said := lastOfSystem(c)
	h.ledger.Asks(h.number, what)
	err := firstError(send, func() error { return c.Until(ctx, func() bool { return done() || lastOfSystem(c) > said }) },
		func() error { return c.Idle(ctx, 60*time.Millisecond) }) // until all of the answer is there
	if err != nil {
		return err
	}
	h.ledger.Answered(h.number)
	h.done[what]++
	return nil
}

// pay sets the money of another trader by the command for that.
func (h *trader) pay(ctx context.Context, c *bot.Client) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	y := h.treasury
	y.count++
	to, sum := y.names[y.count%len(y.names)], int64(y.count)
	for _, name := range y.buyers {
		if !y.paid[name] {
			to, sum = name, purse
		}
	}
	said := lastOfSystem(c)
	h.ledger.Pays(to, sum)
	const normal = 2 // channel
	err := firstError(func() error { return c.Speak(normal, fmt.Sprintf("/money %s %d", to, sum)) },
		func() error { return c.Until(ctx, func() bool { return lastOfSystem(c) > said }) })
	if err != nil {
		return err
	}
	answer := c.Lines[slices.IndexFunc(c.Lines, func(l bot.Line) bool { return l.Number == lastOfSystem(c) })].Text
	done := strings.Contains(answer, fmt.Sprintf("%s: денег теперь %d.", to, sum))
	h.ledger.Paid(to, done)
	y.paid[to] = y.paid[to] || done
	return c.Idle(ctx, 250*time.Millisecond) // four lines a second are allowed
}

// unasked are the beginnings of lines that the server says to players without a request.
var unasked = []string{"Ваши деньги изменены", "Сервер останавливается", "Добро пожаловать"}

// lastOfSystem is the number of the last line that came from nobody and may be an answer.
func lastOfSystem(c *bot.Client) int {
	for _, l := range slices.Backward(c.Lines) {
		if l.Sender == "" && !slices.ContainsFunc(unasked, func(s string) bool { return strings.HasPrefix(l.Text, s) }) {
			return l.Number
		}
	}
	return 0
}

// A tradeRun is the traders around a townsman that sells bread.
type tradeRun struct {
	t        *testing.T
	ledger   *sim.Ledger
	traders  []*trader
	treasury *treasury
}

const treasurer = "Treasurer"

// newTradeRun makes traders for a server on an empty folder; one of them may give commands.
func newTradeRun(t *testing.T, dir string, n int) *tradeRun {
	t.Helper()
	commandLine{t, dir}.must("account", "add", treasurer, "--password", password, "--role", "administrator")
	y := &treasury{paid: map[string]bool{}}
	for i := range n {
		y.names = append(y.names, bot.SwarmName("Citizen", i))
	}
	for i := range 1 + n/4 {
		y.buyers = append(y.buyers, bot.SwarmName("Buyer", i))
	}
	all := slices.Concat(y.names, y.buyers, []string{treasurer})
	m := &tradeRun{t: t, ledger: sim.NewLedgerOf(t, all...), treasury: y}
	m.ledger.OwnClans = true
	for i, name := range all {
		h := &trader{login: name, number: i, ledger: m.ledger, rand: rand.New(rand.NewPCG(uint64(i), 77)),
			buyer: slices.Contains(y.buyers, name), done: map[sim.Request]int{}}
		if name == treasurer {
			h.treasury = y
		}
		m.traders = append(m.traders, h)
	}
	return m
}

// serve starts the server.
func (m *tradeRun) serve(dir string, args ...string) *process {
	m.t.Helper()
	i := slices.IndexFunc(content.NPCs(), func(t content.NPC) bool { return t.Type == content.OccupationTavern })
	at := content.NPCs()[i].Position
	return serveIn(m.t, dir, append([]string{"--hash-workers", "2", "--litter", "24h", "--start",
		fmt.Sprint(at.X, at.Y, at.Z)}, args...)...)
}

// run makes everybody play until ctx ends, over and over when connections end.
func (m *tradeRun) run(ctx context.Context, addr string) (wait func()) {
	var wg sync.WaitGroup
	for _, h := range m.traders {
		wg.Go(func() {
			for ctx.Err() == nil {
				if err := h.live(ctx, addr); errors.Is(err, bot.ErrRefused) {
					m.t.Errorf("%s: %v", h.login, err)
					return
				} else if err != nil {
					time.Sleep(20 * time.Millisecond)
				}
			}
		})
	}
	return wg.Wait
}

// busy waits until everybody is there and much is done.
func (m *tradeRun) busy(p *process) {
	m.t.Helper()
	eventually(m.t, "all traders are in the world", func() bool { return p.status().Players == len(m.traders) })
}

// audit compares what an ended server has left with the words to the traders.
func (m *tradeRun) audit(p *process) {
	m.t.Helper()
	p.left(func(s *data.Store) {
		m.ledger.Audit(s, true)
		m.count(s)
		for _, name := range m.treasury.buyers { // one that was paid and not told of it is not paid again
			c, err := s.CharacterByName(m.t.Context(), name)
			if err != nil && !errors.Is(err, data.ErrNotFound) {
				m.t.Fatal(err)
			}
			m.treasury.paid[name] = m.treasury.paid[name] || c.Money > 0
		}
	})
}

// count compares all things there are, carried or on the ground, with the starter items of characters and the paid
// goods.
func (m *tradeRun) count(s *data.Store) {
	t := m.t
	t.Helper()
	lying, err := s.Lying(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all := rules.Bare(lying)
	characters, err := s.FindCharacters(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	price, bought := uint32(0), 0
	for _, h := range m.traders {
		price = max(price, h.price.Load())
	}
	for _, c := range characters {
		if slices.Contains(m.treasury.buyers, c.Name) && c.Money > 0 && c.Money < purse {
			spent := int(purse - c.Money)
			if bought += spent / int(price); spent%int(price) != 0 {
				t.Errorf("%s has spent %d coins on bread for %d", c.Name, spent, price)
			}
		}
		items, err := s.Items(t.Context(), c.ID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, items...)
	}
	count := map[packets.Class]int{}
	for _, it := range all {
		count[packets.Class(it.Class)] += it.Count
	}
	if n := len(characters); count[packets.ClassStartSword] != n || count[packets.ClassBread] != 10*n+bought {
		t.Errorf("%d characters began with a sword and 10 pieces of bread each, and have bought %d; there are %v", n, bought,
			count)
	}
}

func (m *tradeRun) String() string {
	done := map[sim.Request]int{}
	for _, h := range m.traders {
		for what, n := range h.done {
			done[what] += n
		}
	}
	return fmt.Sprintf("%d changes of clans, %d things put down and picked up, %d purchases, %d payments by command, %d "+
		"characters compared", done[sim.AboutClan], done[sim.AboutThings], done[sim.AboutTrade], m.treasury.count,
		m.ledger.Compared)
}

// Fault case 20, for all that players make: kill -9 again and again while players trade. Clans, things and money are as
// the server had acknowledged them, nothing is doubled or lost.
func TestFaultKilledServerKeepsWhatWasMade(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	m := newTradeRun(t, dir, size(8, 50))
	p := m.serve(dir)
	kills := size(3, 50)
	var worst time.Duration
	for i := 0; i < kills && !t.Failed(); i++ {
		ctx, cancel := context.WithCancel(t.Context())
		wait := m.run(ctx, p.game)
		m.busy(p)
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Millisecond)
		p.kill()
		cancel()
		wait()
		m.audit(p)
		p.check()
		var took time.Duration
		p, took = p.again()
		worst = max(worst, took)
	}
	p.stop()
	p.check()
	figure(t, "20", "%d kills under %d players who trade: %v; nothing acknowledged was lost, nothing doubled; ready "+
		"again after %v at most", kills, len(m.traders), m,
		worst.Round(time.Millisecond))
}

// Fault case 27, for all that players make: SIGTERM while they talk, trade and found clans.
func TestFaultSIGTERMWhileTradingSavesEverything(t *testing.T) {
	besideOthers(t)
	rounds := size(1, 8)
	forTransports(t, func(t *testing.T, transport string) {
		dir := t.TempDir()
		m := newTradeRun(t, dir, size(8, 100))
		p := m.serve(dir, "--transport", transport)
		var worst time.Duration
		for range rounds {
			ctx, cancel := context.WithCancel(t.Context())
			wait := m.run(ctx, p.game)
			m.busy(p)
			time.Sleep(500*time.Millisecond + time.Duration(rand.IntN(500))*time.Millisecond)
			begin := time.Now()
			p.signal(syscall.SIGTERM)
			if code := p.ends(unhurried(20 * time.Second)); code != 0 {
				t.Errorf("exit code %d", code)
			}
			worst = max(worst, p.ended.Sub(begin))
			cancel()
			wait()
			m.audit(p)
			p.check()
			p, _ = p.again()
		}
		p.stop()
		if full && worst > 5*time.Second {
			t.Errorf("stopping took %v", worst)
		}
		figure(t, "27", "%s: %d times SIGTERM under %d players who trade: %v; exit code 0 after %v at most, all as it was "+
			"told", transport, rounds, len(m.traders), m,
			worst.Round(10*time.Millisecond))
	})
}

// Fault case 21: copies of the database and its log at any instant of trading are whole, and a server runs on them.
func TestFaultCopiesOfARunningFolderAreWhole(t *testing.T) {
	besideOthers(t)
	dir := t.TempDir()
	m := newTradeRun(t, dir, size(8, 50))
	p := m.serve(dir)
	ctx, cancel := context.WithCancel(t.Context())
	wait := m.run(ctx, p.game)
	defer func() { cancel(); wait() }()
	m.busy(p)
	copies := size(4, 50)
	var last string
	for range copies {
		time.Sleep(time.Duration(rand.IntN(300)) * time.Millisecond)
		last = t.TempDir()
		p.signal(syscall.SIGSTOP) // as a snapshot of the disk is one instant
		copyDatabase(t, dir, last)
		p.signal(syscall.SIGCONT)
		s, err := data.Open(t.Context(), last, data.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if problems, err := s.Check(t.Context()); len(problems) > 0 || err != nil {
			t.Errorf("a copy has problems: %v, %v", problems, err)
		}
		m.count(s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	q := serveIn(t, last)
	q.player(m.traders[0].login, 0, "")
	q.stop()
	figure(t, "21", "%d copies of database and log while %d players trade: each opens, is sound, and nothing is doubled "+
		"or lost; a server runs on the last", copies, len(m.traders))
}
