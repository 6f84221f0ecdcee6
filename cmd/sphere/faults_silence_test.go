//go:build system && unix

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
	"testing"
	"time"

	"sphereserver/coords"
	"sphereserver/server/bot"
	"sphereserver/server/measure"
)

// Fault case 31: who falls silent without closing, in the world or on the way there, is let go of in time and saved
// where it was; who is silent for less stays.
func TestFaultSilentPeersAreLetGo(t *testing.T) {
	besideOthers(t)
	n, limit := size(6, 50), time.Minute
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2", "--silence-timeout", limit.String(),
			"--screen-timeout", limit.String(), "--entering-timeout", limit.String(), "--login-timeout", limit.String())
		ways := []func(ctx context.Context, c *bot.Client, login string) error{
			func(context.Context, *bot.Client, string) error { return nil },
			func(ctx context.Context, c *bot.Client, login string) error {
				_, err := c.Login(ctx, login, password)
				return err
			},
			func(ctx context.Context, c *bot.Client, login string) error {
				_, err := c.Login(ctx, login, password)
				return firstError(func() error { return err }, func() error {
					_, err := c.Create(ctx, 0, bot.NewCharacter{Name: login})
					return err
				})
			},
			func(ctx context.Context, c *bot.Client, login string) error {
				return firstError(func() error { return settleIn(ctx, c, login, 0, login) }, func() error {
					_, err := c.Ping(ctx, near(c.Position, 3))
					return err
				})
			},
		}
		clients, since, took := make([]*bot.Client, n*len(ways)), make([]time.Time, n*len(ways)),
			make([]time.Duration, n*len(ways))
		places := make([]coords.Position, len(clients))
		all(t, len(clients), func(i int) (err error) {
			if clients[i], err = connect(t.Context(), p.game, bot.Options{Manual: true}); err != nil {
				return err
			}
			err = ways[i%len(ways)](patient(t), clients[i], fmt.Sprint("Немой", i))
			since[i], places[i] = time.Now(), clients[i].Position
			return err
		})
		patientOne := p.player("Терпеливый", 0, "Терпеливый")
		silent := time.Now()
		all(t, len(clients), func(i int) error {
			ctx, cancel := context.WithTimeout(t.Context(), limit+unhurried(45*time.Second))
			defer cancel()
			err := clients[i].Until(ctx, func() bool { return false })
			took[i] = time.Since(since[i])
			clients[i].Abort()
			if !errors.Is(err, bot.ErrClosed) {
				return fmt.Errorf("way %d: ended with %w after %v", i%len(ways), err, took[i])
			}
			if i == 0 { // a while before the limit is over for the patient one, it speaks
				time.Sleep(time.Until(silent.Add(limit * 9 / 10)))
				if err := patientOne.Keepalive(patient(t)); err != nil {
					return fmt.Errorf("who was silent for %v is gone: %w", limit*9/10, err)
				}
			}
			return nil
		})
		worst := latencies{max: 0, p50: time.Hour}
		for _, d := range took {
			worst.max, worst.p50 = max(worst.max, d), min(worst.p50, d)
		}
		if full && (worst.p50 < limit-time.Second || worst.max > limit+30*time.Second) {
			t.Errorf("let go between %v and %v", worst.p50, worst.max)
		}
		if err := patientOne.Close(); err != nil {
			t.Error(err)
		}
		p.stop()
		for i := len(ways) - 1; i < len(clients); i += len(ways) {
			if c := stored(t, p.dir, fmt.Sprint("Немой", i)); coords.Position(c.Position) != places[i] {
				t.Errorf("Немой%d was at %v, saved at %v", i, places[i], c.Position)
			}
		}
		figure(t, "31", "%s: %d silent peers in 4 states, limit %v: let go after %v to %v, those in the world saved where "+
			"they were", transport, len(clients), limit,
			worst.p50.Round(10*time.Millisecond), worst.max.Round(10*time.Millisecond))
	})
}

// relay passes bytes on in both ways, each chunk as much later as delay says, in order. It is what delay and loss look
// like to those above TCP. The listener ends with the test.
func relay(t *testing.T, to string, delay func() time.Duration) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	type chunk struct {
		bytes []byte
		due   time.Time
	}
	pass := func(from, to net.Conn) {
		chunks := make(chan chunk, 1024)
		go func() {
			defer to.Close()
			for c := range chunks {
				time.Sleep(time.Until(c.due))
				if _, err := to.Write(c.bytes); err != nil {
					from.Close()
				}
			}
		}()
		defer close(chunks)
		var due time.Time
		for {
			buf := make([]byte, 4096)
			n, err := from.Read(buf)
			if n > 0 {
				if at := time.Now().Add(delay()); at.After(due) {
					due = at
				}
				chunks <- chunk{buf[:n], due}
			}
			if err != nil {
				return
			}
		}
	}
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", to)
			if err != nil {
				near.Close()
				continue
			}
			go pass(near, far)
			go pass(far, near)
		}
	}()
	return l.Addr().String()
}

// Fault case 31, about bad lines: with a quarter of a second of delay and stalls of up to four seconds, as lost packets
// make them, everybody gets in, plays and stays.
func TestFaultDelayAndStallsLoseNobody(t *testing.T) {
	besideOthers(t)
	n, while := size(8, 100), time.Duration(size(2, 60))*time.Second
	forTransports(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2")
		addr := relay(t, p.game, func() time.Duration {
			if rand.IntN(50) == 0 {
				return time.Second + rand.N(3*time.Second)
			}
			return 150*time.Millisecond + rand.N(100*time.Millisecond)
		})
		var worst latencies
		var mu sync.Mutex
		all(t, n, func(i int) error {
			name := fmt.Sprint("Дальний", i)
			c, err := comeIn(t.Context(), addr, bot.Options{Seed: uint64(i)}, name, 0, name)
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(t.Context(), while)
			defer cancel()
			if err := c.Run(ctx); err != nil {
				return err
			}
			for _, f := range c.Violations() {
				if f.Kind != bot.Missing { // late is no defect here
					return fmt.Errorf("stumbles: %v", f)
				}
			}
			var d measure.Distribution
			c.Tally().Answers.AddTo(&d)
			mu.Lock()
			defer mu.Unlock()
			worst.max = max(worst.max, d.Max)
			return c.Close()
		})
		eventually(t, "all have left by themselves", func() bool {
			ends := p.status().Counters // a farewell that stalls ends as a reset
			return ends["ended_closed_by_client"]+ends["ended_connection_lost"] == uint64(n)
		})
		figure(t, "31", "%s: %d players for %v behind 150–250 ms of delay each way and stalls of 1–4 s: 0 "+
			"disconnected, worst answer %v", transport, n, while,
			worst.max.Round(10*time.Millisecond))
	})
}
