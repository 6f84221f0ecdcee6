package memnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

var (
	home  = netip.MustParseAddr("10.1.0.1")
	other = netip.MustParseAddr("10.1.0.2")
)

const serverAddr = "10.0.0.1:25860"

// connected runs a test in a bubble with both ends of a connection.
func connected(t *testing.T, o Options, play func(t *testing.T, near, far *Conn)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		n := New(o)
		l, err := n.Listen(serverAddr)
		if err != nil {
			t.Fatal(err)
		}
		near, err := n.From(home)(t.Context(), serverAddr)
		if err != nil {
			t.Fatal(err)
		}
		far, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		play(t, near.(*Conn), far.(*Conn))
	})
}

func write(t *testing.T, c *Conn, text string) {
	t.Helper()
	if n, err := c.Write([]byte(text)); n != len(text) || err != nil {
		t.Errorf("writing %q: %d, %v", text, n, err)
	}
}

// wantRead reads once and wants this text.
func wantRead(t *testing.T, c *Conn, want string) {
	t.Helper()
	p := make([]byte, 100)
	if n, err := c.Read(p); string(p[:n]) != want || err != nil {
		t.Errorf("read %q, %v, expected %q", p[:n], err, want)
	}
}

// wantEnd reads and wants this error.
func wantEnd(t *testing.T, c *Conn, want error) {
	t.Helper()
	if n, err := c.Read(make([]byte, 100)); n != 0 || !errors.Is(err, want) {
		t.Errorf("read %d bytes, %v, expected %v", n, err, want)
	}
}

func TestBytesArriveAfterTheLatency(t *testing.T) {
	connected(t, Options{Latency: 20 * time.Millisecond}, func(t *testing.T, near, far *Conn) {
		sent := time.Now()
		write(t, near, "one ")
		write(t, near, "moment")
		wantRead(t, far, "one moment")
		if took := time.Since(sent); took < 20*time.Millisecond || took > 22*time.Millisecond {
			t.Errorf("it took %v", took)
		}
		write(t, far, "back")
		wantRead(t, near, "back")
		near.Close()
		far.Close()
	})
}

// Bytes that are written in any parts, and read at any speed, come out as they went in.
func TestBytesKeepTheirOrder(t *testing.T) {
	for seed := range uint64(20) {
		o := Options{Seed: seed, Latency: 5 * time.Millisecond, Jitter: 30 * time.Millisecond, Window: 200}
		if seed%2 == 0 {
			o.Split = 1
		}
		connected(t, o, func(t *testing.T, near, far *Conn) {
			random := rand.New(rand.NewPCG(seed, 0))
			sent := make([]byte, 3000)
			for i := range sent {
				sent[i] = byte(random.Uint32())
			}
			go func() {
				for rest := sent; len(rest) > 0; {
					n := min(len(rest), 1+random.IntN(500))
					if _, err := near.Write(rest[:n]); err != nil {
						t.Error(err)
					}
					rest = rest[n:]
					time.Sleep(time.Duration(random.IntN(10)) * time.Millisecond)
				}
				near.CloseWrite()
			}()
			slow := rand.New(rand.NewPCG(seed, 1))
			var got []byte
			for p := make([]byte, 64); ; time.Sleep(time.Duration(slow.IntN(10)) * time.Millisecond) {
				n, err := far.Read(p)
				if got = append(got, p[:n]...); err == io.EOF {
					break
				} else if err != nil {
					t.Fatal(err)
				} else if o.Split > 0 && n > o.Split {
					t.Fatalf("a read returned %d bytes", n)
				}
			}
			if !bytes.Equal(got, sent) {
				t.Errorf("seed %d: other bytes came out than went in", seed)
			}
		})
	}
}

func TestAWriterWaitsForASlowReader(t *testing.T) {
	connected(t, Options{Window: 10}, func(t *testing.T, near, far *Conn) {
		if n := near.TryWrite(make([]byte, 15)); n != 10 {
			t.Errorf("%d bytes fitted, expected 10", n)
		}
		near.SetWriteDeadline(time.Now().Add(time.Second))
		if n, err := near.Write(make([]byte, 5)); n != 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("writing beyond the window: %d, %v", n, err)
		}
		near.SetWriteDeadline(time.Time{})
		began := time.Now()
		time.AfterFunc(time.Hour, func() { far.Read(make([]byte, 10)) })
		if n, err := near.Write(make([]byte, 5)); n != 5 || err != nil || time.Since(began) != time.Hour {
			t.Errorf("writing took %v: %d, %v", time.Since(began), n, err)
		}
	})
}

func TestEndsOfConnections(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(near *Conn)
		want error // of the peer's reads behind the sent bytes
	}{
		"closed":               {func(c *Conn) { c.Close() }, io.EOF},
		"closed for writing":   {func(c *Conn) { c.CloseWrite() }, io.EOF},
		"closed with linger 0": {func(c *Conn) { c.SetLinger(0); c.Close() }, syscall.ECONNRESET},
	} {
		t.Run(name, func(t *testing.T) {
			connected(t, Options{}, func(t *testing.T, near, far *Conn) {
				write(t, near, "last words")
				c.end(near)
				wantRead(t, far, "last words")
				wantEnd(t, far, c.want)
				time.Sleep(time.Minute)
			})
		})
	}
}

func TestClosingWithUnreadBytesResets(t *testing.T) {
	connected(t, Options{}, func(t *testing.T, near, far *Conn) {
		write(t, near, "nobody reads this")
		time.Sleep(time.Second)
		far.Close()
		wantEnd(t, near, syscall.ECONNRESET)
		wantEnd(t, far, net.ErrClosed)
	})
}

func TestBytesForAClosedPeerResetLater(t *testing.T) {
	connected(t, Options{}, func(t *testing.T, near, far *Conn) {
		far.Close()
		wantEnd(t, near, io.EOF)
		write(t, near, "too late")
		time.Sleep(time.Second)
		if _, err := near.Write([]byte("again")); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("writing to a closed peer: %v", err)
		}
	})
}

func TestResetLosesWhatIsOnItsWay(t *testing.T) {
	connected(t, Options{Latency: time.Second}, func(t *testing.T, near, far *Conn) {
		write(t, near, "lost")
		near.Reset()
		wantEnd(t, far, syscall.ECONNRESET)
		wantEnd(t, near, syscall.ECONNRESET)
	})
}

func TestAPulledCable(t *testing.T) {
	connected(t, Options{}, func(t *testing.T, near, far *Conn) {
		write(t, near, "arrived")
		time.Sleep(time.Second)
		near.Pull()
		write(t, near, "held up")
		wantRead(t, far, "arrived")
		far.SetReadDeadline(time.Now().Add(79 * time.Second))
		wantEnd(t, far, os.ErrDeadlineExceeded)
		far.SetReadDeadline(time.Time{})
		near.Plug()
		wantRead(t, far, "held up")

		pulled := time.Now()
		near.Pull()
		wantEnd(t, far, syscall.ETIMEDOUT)
		wantEnd(t, near, syscall.ETIMEDOUT)
		if took := time.Since(pulled); took != deadAfter {
			t.Errorf("a dead peer was given up after %v", took)
		}
	})
}

func TestClosingWakesTheReader(t *testing.T) {
	connected(t, Options{}, func(t *testing.T, near, far *Conn) {
		time.AfterFunc(time.Second, func() { near.Close() })
		wantEnd(t, near, net.ErrClosed)
		if err := near.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("closing twice: %v", err)
		}
		if err := near.SetDeadline(time.Now()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a deadline after closing: %v", err)
		}
		wantEnd(t, far, io.EOF)
	})
}

func TestDialling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := New(Options{Latency: time.Second})
		dial := n.From(home)
		for _, addr := range []string{serverAddr, "10.0.0.9:1"} {
			if _, err := dial(t.Context(), addr); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("nobody listens on %s: %v", addr, err)
			}
		}
		if _, err := dial(t.Context(), "nowhere"); err == nil {
			t.Error("dialled an address that is none")
		}
		l, err := n.Listen(serverAddr)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := n.Listen(serverAddr); !errors.Is(err, syscall.EADDRINUSE) {
			t.Errorf("listening twice: %v", err)
		}
		if free, err := n.Listen("10.0.0.1:0"); err != nil || free.Addr().String() != "10.0.0.1:25861" {
			t.Errorf("a free port: %v", err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, err := dial(ctx, serverAddr); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("dialling for too short: %v", err)
		}
		waiting, err := dial(t.Context(), serverAddr)
		if err != nil {
			t.Fatal(err)
		}
		if host, _, _ := net.SplitHostPort(waiting.LocalAddr().String()); host != home.String() {
			t.Errorf("it comes from %v", host)
		}
		l.Close()
		if _, err := waiting.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a connection that nobody has accepted: %v", err)
		}
		if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("accepting after the end: %v", err)
		}
	})
}

// talk has several clients send by chance and the server answer all of them, and returns the trace.
func talk(t *testing.T, seed uint64) (trace string) {
	synctest.Test(t, func(t *testing.T) {
		n := New(Options{Seed: seed, Jitter: 10 * time.Millisecond})
		l, err := n.Listen(serverAddr)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		shared := make(chan byte, 1) // the answers follow from the order in which questions of all came in
		shared <- 0
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				all.Go(func() {
					for p := make([]byte, 10); ; {
						k, err := c.Read(p)
						if err != nil {
							c.Close()
							return
						}
						count := <-shared
						c.Write(append(p[:k], count))
						shared <- count + 1
					}
				})
			}
		}()
		var clients sync.WaitGroup
		for i, from := range []netip.Addr{home, other, home} {
			dial := n.From(from)
			clients.Go(func() {
				time.Sleep(time.Duration(i) * time.Nanosecond)
				c, err := dial(t.Context(), serverAddr)
				if err != nil {
					t.Error(err)
					return
				}
				for range 50 {
					c.Write([]byte{byte(i)})
					c.Read(make([]byte, 10))
				}
				c.Close()
			})
		}
		clients.Wait()
		l.Close()
		all.Wait()
		if len(n.Conns(home)) != 2 || len(n.Conns(other)) != 1 {
			t.Error("the network does not know its connections")
		}
		sum := n.Trace()
		trace = string(sum[:])
	})
	return trace
}

func TestEqualSeedsGiveEqualTraces(t *testing.T) {
	first := talk(t, 1)
	for range 10 {
		if talk(t, 1) != first {
			t.Fatal("two runs of one seed differ")
		}
	}
	if talk(t, 2) == first {
		t.Error("another seed changes nothing")
	}
}
