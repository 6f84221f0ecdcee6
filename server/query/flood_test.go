package query_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"sphereserver/data"
	"sphereserver/data/datatest"
	"sphereserver/packets/mcquery"
	"sphereserver/server/bot"
	"sphereserver/server/config"
	"sphereserver/server/game"
	"sphereserver/server/query"
)

func size(short, whole int) int {
	if full {
		return whole
	}
	return short
}

// flooded is a game with its queries.
type flooded struct {
	*game.Server
	queries *query.Server
	addr    netip.AddrPort
}

func serveFlooded(t *testing.T) *flooded {
	t.Helper()
	dir := t.TempDir()
	datatest.Fill(t, dir)
	store, err := data.Open(t.Context(), dir, data.Options{})
	if err != nil {
		t.Fatal(err)
	}
	o := config.Defaults().Game
	o.Listen, o.Limits.ExemptLoopback = "127.0.0.1:0", true
	g, err := game.New(o, store)
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- g.Serve() }()
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := g.Stop(ctx); err != nil {
			t.Errorf("stop: %v", err)
		}
		if err := <-served; err != nil {
			t.Errorf("serve: %v", err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	source := &query.Game{Name: "Сфера", Version: "test", Slots: o.Limits.Connections, Port: g.Addr().Port(),
		Started: g.Started(), Start: o.Start, World: g.World}
	q, err := query.Listen(g.Addr(), query.DefaultOptions(), source)
	if err != nil {
		t.Skip(err) // another program has the game's port over UDP
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return &flooded{g, q, g.Addr()}
}

// pinging are players that send their positions all the time.
type pinging struct {
	phase     atomic.Int64 // of the latencies that are noted
	mu        sync.Mutex
	latencies map[int64][]time.Duration
	noted     *sync.Cond
	ctx       context.Context // ends when the test does, or a player fails
	stop      func()
}

// players come into the world and ping until the test ends.
func (f *flooded) players(t *testing.T, n int, every time.Duration) *pinging {
	t.Helper()
	p := &pinging{latencies: map[int64][]time.Duration{}}
	p.noted = sync.NewCond(&p.mu)
	ctx, cancel := context.WithCancel(t.Context())
	p.ctx = ctx
	context.AfterFunc(ctx, func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.noted.Broadcast()
	})
	var done sync.WaitGroup
	p.stop = sync.OnceFunc(func() {
		cancel()
		done.Wait()
	})
	t.Cleanup(p.stop)
	for i := range n {
		c, err := bot.Dial(ctx, f.addr.String(), bot.Options{Manual: true, Seed: uint64(i)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.Abort)
		name := bot.SwarmName("Flood", i)
		if err := c.Appear(ctx, bot.Identity{Login: name, Password: "secret", Name: name}); err != nil {
			t.Fatal(err)
		}
		done.Go(func() {
			for pause := time.NewTicker(every); ctx.Err() == nil; {
				pong, err := c.Ping(ctx, c.Position)
				if err != nil {
					if ctx.Err() == nil {
						t.Errorf("player %d: %v", i, err)
					}
					cancel() // nobody is to wait for it
					return
				}
				p.note(pong.Latency)
				select {
				case <-pause.C:
				case <-ctx.Done():
				}
			}
		})
	}
	return p
}

func (p *pinging) note(d time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.phase.Load()
	p.latencies[n] = append(p.latencies[n], d)
	p.noted.Signal()
}

// await waits until so many pings of the present phase are answered, or a player has failed.
func (p *pinging) await(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.latencies[p.phase.Load()]) < n && p.ctx.Err() == nil {
		p.noted.Wait()
	}
}

// p99 is the latency that one ping of a hundred exceeds, in a phase.
func (p *pinging) p99(phase int64) (d time.Duration, count int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	all := slices.Clone(p.latencies[phase])
	slices.Sort(all)
	if len(all) == 0 {
		return 0, 0
	}
	return all[len(all)*99/100], len(all)
}

// floodSettings has the orders of the flooding process.
var floodSettings = flag.String("query.flood", "", "the flood of TestFloodProcess")

// A flood sends queries from some addresses to some ports. It does so from a process of its own: within this one it would
// compete with the game for the scheduler, as no stranger can.
type flood struct {
	From           []netip.Addr
	ASE, Minecraft netip.AddrPort
	Datagrams      int
	PerSecond      int // 0: as quickly as may be
}

// run returns how many datagrams were sent.
func (f flood) run(t *testing.T) (sent int) {
	t.Helper()
	settings, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, "-test.run=^TestFloodProcess$", "-query.flood="+string(settings))
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := fmt.Sscanf(string(out), "sent %d", &sent); err != nil {
		t.Skipf("no flood on this system: %s", out)
	}
	return sent
}

// TestFloodProcess is that process.
func TestFloodProcess(t *testing.T) {
	if *floodSettings == "" {
		t.Skip("this is the flood of another test")
	}
	var f flood
	if err := json.Unmarshal([]byte(*floodSettings), &f); err != nil {
		t.Fatal(err)
	}
	var sockets []*net.UDPConn
	for _, a := range f.From {
		c, err := net.ListenUDP("udp4", net.UDPAddrFromAddrPort(netip.AddrPortFrom(a, 0)))
		if err != nil {
			fmt.Println(err) // there is one loopback address on some systems
			return
		}
		defer c.Close()
		sockets = append(sockets, c)
	}
	datagrams := []struct {
		to    netip.AddrPort
		bytes []byte
	}{
		{f.ASE, []byte("s")}, {f.ASE, []byte("r mtasa")}, {f.Minecraft, mcquery.AskToken(1).Append(nil)},
		{f.ASE, []byte("?")},
		{f.Minecraft, mcquery.AskFull(1, 123456789).Append(nil)}, {f.Minecraft, []byte("\xFE\xFD\x00?")},
	}
	const step = time.Millisecond
	sent := 0
	for begin := time.Now(); sent < f.Datagrams; {
		due := f.Datagrams
		if f.PerSecond > 0 {
			time.Sleep(step)
			due = min(due, int(time.Since(begin).Seconds()*float64(f.PerSecond)))
		}
		for ; sent < due; sent++ {
			d := &datagrams[sent%len(datagrams)]
			_, _ = sockets[sent%len(sockets)].WriteToUDPAddrPort(d.bytes, d.to)
		}
	}
	fmt.Println("sent", sent)
}

// deaf is an address from which nobody reads.
func deaf(t *testing.T) netip.AddrPort {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c.LocalAddr().(*net.UDPAddr).AddrPort()
}

// A phase is a part of the test, with its figures of each round.
type phase struct {
	name string
	run  func(t *testing.T) (sent int)
	p99  []time.Duration
}

// median is the median of the rounds.
func (p *phase) median() time.Duration {
	all := slices.Sorted(slices.Values(p.p99))
	if len(all) == 0 {
		return 0
	}
	return all[len(all)/2]
}

// Fault case 28: a flood of queries from one address, and from many, is answered within the limits, and players do
// not feel it. The cost of the flood itself to the machine shows in the phase in which it goes to ports from which
// nobody reads.
func TestFaultFloodOfQueries(t *testing.T) {
	f := serveFlooded(t)
	p := f.players(t, size(4, 100), 50*time.Millisecond)
	datagrams, perSecond := size(1_500, 500_000), size(0, 50_000)

	one := []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1})}
	var many []netip.Addr
	for i := range 250 {
		many = append(many, netip.AddrFrom4([4]byte{127, 1, byte(i), 1}))
	}
	ase, minecraft := f.queries.ASE(), f.queries.Minecraft()
	phases := []*phase{
		{name: "no flood", run: func(*testing.T) int { p.await(size(20, 20_000)); return 0 }},
		{name: "flood to deaf ports", run: func(t *testing.T) int {
			return flood{one, deaf(t), deaf(t), datagrams, perSecond}.run(t)
		}},
		{name: "flood from one address", run: func(t *testing.T) int {
			return flood{one, ase, minecraft, datagrams, perSecond}.run(t)
		}},
		{name: "flood from 250 addresses", run: func(t *testing.T) int {
			return flood{many, ase, minecraft, datagrams, perSecond}.run(t)
		}},
	}
	number := int64(0)
	for range size(1, 3) {
		for _, phase := range phases {
			t.Run(phase.name, func(t *testing.T) {
				number++
				before, began := f.queries.Counters(), time.Now()
				p.phase.Store(number)
				sent := phase.run(t)
				p.phase.Store(0)
				after, passed := f.queries.Counters(), time.Since(began)
				grown := func(name string) float64 { return float64(after[name] - before[name]) }
				// A second's worth may be there at the beginning, and one more be on its way.
				seconds := passed.Seconds() + 2
				for name, perSecond := range map[string]float64{"ase_answers": 100, "ase_bytes_out": 64 << 10,
					"minecraft_answers":   700,
					"minecraft_bytes_out": 512<<10 + 200*16} {
					if n := grown(name); n > perSecond*seconds {
						t.Errorf("%s: %v in %v", name, n, passed)
					}
				}
				if n := after["ase_panics"] + after["minecraft_panics"]; n > 0 {
					t.Errorf("%d panics", n)
				}
				p99, pings := p.p99(number)
				phase.p99 = append(phase.p99, p99)
				t.Logf("FIGURE case 28: %s: %d datagrams, %v of them looked at, %v answers of %v bytes; p99 of %d pings %v",
					phase.name, sent,
					looked(after)-looked(before), grown("ase_answers")+grown("minecraft_answers"),
					grown("ase_bytes_out")+grown("minecraft_bytes_out"),
					pings, p99)
			})
		}
	}
	p.stop()
	quiet := phases[0].median()
	for _, phase := range phases {
		t.Logf("FIGURE case 28: %s: p99 %v, median of %d, %.2f x that without a flood", phase.name, phase.median(),
			len(phase.p99),
			float64(phase.median())/float64(quiet))
	}
}

// looked is how many datagrams a server has looked at.
func looked(counters map[string]uint64) (n uint64) {
	for name, v := range counters {
		switch name {
		case "ase_bytes_in", "ase_bytes_out", "ase_read_failures", "minecraft_bytes_in", "minecraft_bytes_out",
			"minecraft_read_failures":
		default:
			n += v
		}
	}
	return n
}
