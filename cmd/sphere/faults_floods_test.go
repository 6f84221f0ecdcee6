//go:build system && unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"sphereserver/packets"
	"sphereserver/server/bot"
)

// crowdInside lets players in that stand about and live, and returns a function that ends that: it says how many were
// lost.
func (p *process) crowdInside(n int) (leave func() (lost int)) {
	p.t.Helper()
	ctx, cancel := context.WithCancel(p.t.Context())
	clients := make([]*bot.Client, n)
	errs := make([]error, n)
	crowd(n, 64, func(i int) {
		clients[i], errs[i] = comeIn(ctx, p.game, bot.Options{Seed: uint64(i), Idle: i%2 == 0},
			fmt.Sprintf("житель%d", i), 0, fmt.Sprintf("Житель%d", i))
	})
	var wg sync.WaitGroup
	for i, c := range clients {
		if errs[i] != nil {
			p.t.Errorf("player %d: %v", i, errs[i])
			continue
		}
		p.t.Cleanup(c.Abort)
		wg.Go(func() { errs[i] = c.Run(ctx) })
	}
	return func() (lost int) {
		cancel()
		wg.Wait()
		for i, c := range clients {
			if c == nil {
				continue
			}
			if errs[i] != nil {
				lost++
			}
			c.Abort()
		}
		return lost
	}
}

// pings are position messages as they travel, many of them.
func pings(c *bot.Client, n int) []byte {
	frame, err := packets.AppendClient(nil, packets.PingBody(c.ID(), 100, c.Position), packets.Dialect2026, c.Key, 7)
	if err != nil {
		panic(err)
	}
	return bytes.Repeat(frame, n)
}

// Fault case 12: a client that sends ten thousand frames a second is thrown out, and the others play on.
func TestFaultFloodsAreCutAndOthersPlayOn(t *testing.T) {
	besideOthers(t)
	rounds, calm := size(1, 10), time.Duration(size(300, 10_000))*time.Millisecond
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport)
		leave := p.crowdInside(size(5, 200))
		floods := make([]*bot.Client, rounds)
		for i := range floods {
			floods[i] = p.player(fmt.Sprint("поток", i), 0, fmt.Sprint("Поток", i))
		}
		b := p.watch("Спокойный")
		time.Sleep(calm)
		before := b.ends()
		b = p.watch("Свидетель")
		var worst time.Duration
		for _, c := range floods {
			const perSecond, step = 10_000, 10 * time.Millisecond
			batch := pings(c, int(perSecond*step/time.Second))
			begin := time.Now()
			for c.SendRaw(batch) == nil {
				if time.Since(begin) > patience {
					t.Fatal("the flood is let in")
				}
				time.Sleep(step)
			}
			worst = max(worst, time.Since(begin))
			c.Abort()
		}
		during := b.ends()
		eventually(t, "all floods are counted", func() bool { return p.status().Counters["ended_too_many_frames"] == uint64(rounds) })
		if lost := leave(); lost > 0 {
			t.Errorf("%d players were lost", lost)
		}
		if full && worst > 2*time.Second {
			t.Errorf("cut after %v", worst)
		}
		figure(t, "12", "%s: %d floods of 10,000 frames/s, cut within %v; players before: %v; meanwhile: %v", transport,
			rounds,
			worst.Round(10*time.Millisecond), before, during)
	})
}

// dialSmall connects with the smallest receive buffer there is, so that unread bytes stay with the server.
func dialSmall(ctx context.Context, addr string) (net.Conn, error) {
	d := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		if e := raw.Control(func(fd uintptr) {
			err = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF,
				4096)
		}); e != nil {
			return e
		}
		return err
	}}
	return d.DialContext(ctx, "tcp", addr)
}

// Fault case 13: clients that never read are dropped when they owe too much, and the server's memory stays bounded.
func TestFaultPeersThatNeverReadAreDropped(t *testing.T) {
	besideOthers(t)
	n, others := size(4, 100), size(5, 1000)
	const owed = 256 << 10
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2", "--frames-per-second", "1000000",
			"--frames-burst", "1000000")
		leave := p.crowdInside(others)
		b := p.watch("Свидетель")
		deaf := make([]*bot.Client, n)
		all(t, n, func(i int) error {
			conn, err := dialSmall(t.Context(), p.game)
			if err != nil {
				return err
			}
			deaf[i] = bot.New(conn, bot.Options{Manual: true})
			t.Cleanup(deaf[i].Abort)
			return firstError(
				func() error { return deaf[i].Handshake(patient(t)) },
				func() error {
					return settleIn(patient(t), deaf[i], fmt.Sprint("глухой", i), 0, fmt.Sprint("Глухой", i))
				})
		})
		before := p.rest()
		var most atomic.Int64
		done := make(chan struct{})
		var sampled sync.WaitGroup
		sampled.Go(func() {
			for {
				select {
				case <-done:
					return
				case <-time.After(50 * time.Millisecond):
					most.Store(max(most.Load(), int64(p.status().HeapBytes)))
				}
			}
		})
		begin := time.Now()
		crowd(n, n, func(i int) {
			// At a pace that the server can answer, or it would be a flood.
			const batch, perSecond = 50, 50_000
			for frames := pings(deaf[i], batch); deaf[i].SendRaw(frames) == nil; time.Sleep(time.Duration(n) * batch * time.Second / perSecond) {
				if time.Since(begin) > 3*patience {
					t.Errorf("client %d is never dropped", i)
					return
				}
			}
		})
		took := time.Since(begin)
		close(done)
		sampled.Wait()
		for _, c := range deaf {
			c.Abort()
		}
		eventually(t, "all are counted", func() bool {
			ends := p.status().Counters
			if !full { // on a machine that is busy with other tests, the pace may be a flood after all
				ends["ended_slow_reader"] += ends["ended_too_many_frames"]
			}
			return ends["ended_slow_reader"] == uint64(n)
		})
		if lost := leave(); lost > 0 {
			t.Errorf("%d of the players who read were lost", lost)
		}
		grown := most.Load() - int64(before.heap)
		if limit := int64(n)*owed*3 + 32<<20; grown > limit { // with garbage
			t.Errorf("the heap grew by %d KiB, at most %d are allowed", grown>>10, limit>>10)
		}
		figure(t, "13", "%s: %d that never read among %d, all dropped within %v for what they owed; heap at most %+d KiB "+
			"(%d each, garbage included); a player meanwhile: %v",
			transport, n, others, took.Round(100*time.Millisecond), grown>>10, grown>>10/int64(n), b.ends())
	})
}

// Fault case 14: connections that come and are reset at any moment of their way leave nothing behind.
func TestFaultStormOfResetsLeavesNothing(t *testing.T) {
	besideOthers(t)
	const perSecond = 1000
	n := perSecond * size(1, 30) / size(2, 1)
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport)
		b := p.watch("Свидетель")
		storm := func() (took time.Duration) {
			begin := time.Now()
			var wg sync.WaitGroup
			for i := range n {
				time.Sleep(time.Until(begin.Add(time.Duration(i) * time.Second / perSecond)))
				wg.Go(func() { comeAndReset(t, p.game, i) })
			}
			wg.Wait()
			return time.Since(begin)
		}
		storm()
		eventually(t, "the first storm is over", func() bool { return p.status().Sessions == 1 })
		before := p.rest()
		took := storm()
		after := p.settled(before, 2<<20)
		figure(t, "14", "%s: %d connects and resets in %v: %+d goroutines, %+d descriptors, %+d KiB of heap; a player "+
			"meanwhile: %v", transport, n,
			took.Round(100*time.Millisecond), after.goroutines-before.goroutines, after.files-before.files,
			(after.heap-before.heap)>>10, b.ends())
	})
}

// comeAndReset connects and breaks off: at once, in the middle of the greeting, while the login is looked up, or on the
// character screen.
func comeAndReset(t *testing.T, addr string, i int) {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	conn, err := dialRaw(addr)
	if err != nil {
		t.Error(err)
		return
	}
	c := bot.New(conn, bot.Options{Seed: uint64(i)})
	defer c.Abort()
	switch {
	case i%2 == 0:
	case i%4 == 1:
		_ = c.SendRaw(greetingReply[:1+i%8])
	case i%25 == 3 && c.Handshake(ctx) == nil: // few, for a password is many milliseconds of work
		hasty, cancel := context.WithTimeout(ctx, rand.N(60*time.Millisecond))
		defer cancel()
		_, _ = c.Login(hasty, "буря"+strconv.Itoa(i), password)
	default:
		_ = c.Handshake(ctx)
	}
}

// Fault case 15: with hardly any descriptors and thousands of connects, those inside are served, and when the crowd has
// gone there is room again.
func TestFaultOutOfDescriptorsServesThoseInside(t *testing.T) {
	besideOthers(t)
	const files = 256
	n := size(600, 6000)
	forTransports(t, func(t *testing.T, transport string) {
		p := start(t, fmt.Sprintf("files=%d", files), t.TempDir(),
			[]string{"--listen", "127.0.0.1:0", "--transport", transport})
		leave := p.crowdInside(20)
		b := p.watch("Свидетель")
		conns := make([]net.Conn, n)
		var refused, open atomic.Int64
		begin := time.Now()
		crowd(n, 200, func(i int) {
			c, err := net.DialTimeout("tcp", p.game, unhurried(5*time.Second))
			if err != nil {
				refused.Add(1)
				return
			}
			conns[i] = c
			if _, closed := readAll(c, 300*time.Millisecond); !closed {
				open.Add(1)
			}
		})
		took := time.Since(begin)
		lost := leave()
		if lost > 0 {
			t.Errorf("%d players were lost", lost)
		}
		for _, c := range conns {
			if c != nil {
				c.Close()
			}
		}
		closed := time.Now()
		var back time.Duration
		eventually(t, "a player gets in again", func() bool {
			c, err := comeIn(t.Context(), p.game, bot.Options{}, "Новый", 0, "Новый")
			if err != nil {
				return false
			}
			back = time.Since(closed)
			return c.Close() == nil
		})
		figure(t, "15", "%s: %d files, %d connects in %v (%d found no answer, %d stayed open, the others were closed at "+
			"once): %d of 20 players lost, room again after %v; a player meanwhile: %v",
			transport, files, n, took.Round(100*time.Millisecond), refused.Load(), open.Load(), lost,
			back.Round(10*time.Millisecond), b.ends())
		p.stop()
	})
}
