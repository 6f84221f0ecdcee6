//go:build system && unix

package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/packets"
	"sphereserver/server/bot"
)

// forEachTransport runs a test on a server of each transport.
func forEachTransport(t *testing.T, test func(t *testing.T, transport string)) {
	for _, transport := range []string{"gnet", "net"} {
		t.Run(transport, func(t *testing.T) { test(t, transport) })
	}
}

// forTransports does so in the full size; in the short one the default has to do.
func forTransports(t *testing.T, test func(t *testing.T, transport string)) {
	if full {
		forEachTransport(t, test)
		return
	}
	t.Run("gnet", func(t *testing.T) { test(t, "gnet") })
}

// A bystander is a player that notices whether a server still answers while others mistreat it.
type bystander struct {
	t         *testing.T
	client    *bot.Client
	stop      context.CancelFunc
	done      chan struct{}
	err       error
	latencies []time.Duration
}

// watch lets a player in that sends its position twenty times a second. An answer that takes as long as the original
// client waits at the most is a failure.
func (p *process) watch(login string) *bystander {
	p.t.Helper()
	return p.watchAs(login, func(at coords.Position, i int) coords.Position {
		at.X += []float32{0.25, 0.25, -0.25, -0.25}[i%4]
		return at
	})
}

// watchAs does so with a player that takes its i-th step from its place to the place that step returns.
func (p *process) watchAs(login string, step func(at coords.Position, i int) coords.Position) *bystander {
	p.t.Helper()
	c := p.player(login, 0, login)
	ctx, cancel := context.WithCancel(p.t.Context())
	b := &bystander{t: p.t, client: c, stop: cancel, done: make(chan struct{})}
	go func() {
		defer close(b.done)
		for i := 0; ctx.Err() == nil && b.err == nil; i++ {
			begin := time.Now()
			const linkLost = 10 * time.Second
			ping, stop := context.WithTimeout(p.t.Context(), unhurried(linkLost))
			_, b.err = c.Ping(ping, step(c.Position, i))
			stop()
			b.latencies = append(b.latencies, time.Since(begin))
			time.Sleep(50*time.Millisecond - min(time.Since(begin), 50*time.Millisecond))
		}
	}()
	p.t.Cleanup(func() { b.ends() })
	return b
}

// ends ends the watch and returns the player's latencies.
func (b *bystander) ends() latencies {
	b.t.Helper()
	b.stop()
	<-b.done
	if b.err != nil {
		b.t.Errorf("a bystander is gone: %v", b.err)
		b.err = nil
	}
	if n := b.client.Violations(); len(n) > 0 && b.client.Err() == nil {
		b.t.Errorf("a bystander stumbles: %v", n)
	}
	return summary(b.latencies)
}

type latencies struct{ p50, p99, max time.Duration }

func (l latencies) String() string {
	return fmt.Sprintf("p50 %v, p99 %v, worst %v", l.p50.Round(10*time.Microsecond), l.p99.Round(10*time.Microsecond),
		l.max.Round(10*time.Microsecond))
}

func summary(all []time.Duration) latencies {
	if len(all) == 0 {
		return latencies{}
	}
	all = slices.Clone(all)
	slices.Sort(all)
	return latencies{all[len(all)/2], all[len(all)*99/100], all[len(all)-1]}
}

// crowd runs work for 0 to n-1, so many at once.
func crowd(n, atOnce int, work func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(n, atOnce) {
		wg.Go(func() {
			for i := range next {
				work(i)
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	wg.Wait()
}

// Fault case 1: thousands of connections of random bytes leave nothing behind.
func TestFaultRandomBytesLeaveNothing(t *testing.T) {
	besideOthers(t)
	n := size(200, 10_000)
	forEachTransport(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport)
		b := p.watch("Свидетель")
		storm := func() {
			crowd(n, 64, func(i int) {
				r := rand.New(rand.NewPCG(uint64(i), 1))
				junk := make([]byte, 1024+r.IntN(3*1024))
				for i := range junk {
					junk[i] = byte(r.Uint32())
				}
				if i%2 == 0 { // a frame that could be one
					binary.LittleEndian.PutUint16(junk, uint16(8+r.IntN(500)))
					binary.LittleEndian.PutUint16(junk[6:], uint16(packets.ChannelGameplay))
				}
				c, err := dialRaw(p.game)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				_, _ = c.Write(junk) // the server may have had enough of it
				_ = c.CloseWrite()
				if _, closed := readAll(c, unhurried(5*time.Second)); !closed {
					t.Error("the server holds on to a connection of random bytes that is over")
				}
			})
		}
		storm() // fills the memory of the last sessions
		before := p.rest()
		storm()
		after := p.settled(before, 2<<20)
		if panics := p.status().Counters["panics"]; panics > 0 {
			t.Errorf("%d panics", panics)
		}
		figure(t, "1", "%s: %d connections of 1–4 KB, 0 panics, heap %+d KiB, %+d goroutines; a player meanwhile: %v",
			transport, n,
			(after.heap-before.heap)>>10, after.goroutines-before.goroutines, b.ends())
	})
}

// reply and keepalive are frames of the greatest simplicity.
func control(m packets.Control) []byte {
	b, err := packets.AppendControl(nil, m, packets.FromClient, packets.GreetingKey, 1)
	if err != nil {
		panic(err)
	}
	return b
}

var greetingReply = control(&packets.GreetingReply{Value: packets.GreetingReplyValue})
