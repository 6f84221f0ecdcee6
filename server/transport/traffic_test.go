package transport

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEcho(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s := start(t, network, funcs{traffic: echo})
		var clients sync.WaitGroup
		for i := range 20 {
			c := s.dial()
			clients.Go(func() {
				for j := range 50 {
					msg := strings.Repeat(fmt.Sprintf("%d-%d ", i, j), 1+rand.IntN(50))
					c.send(msg)
					c.expect(msg)
				}
			})
		}
		clients.Wait()
	})
}

// frame is a message with its length in front.
func frame(body string) string {
	return string(binary.LittleEndian.AppendUint16(nil, uint16(len(body)))) + body
}

// cut returns the body of the first frame of in and the length of the frame, or 0 when it is not complete.
func cut(in []byte) (body []byte, n int) {
	if len(in) < 2 {
		return nil, 0
	}
	n = 2 + int(binary.LittleEndian.Uint16(in))
	if len(in) < n {
		return nil, 0
	}
	return in[2:n], n
}

// shout answers each frame in capitals.
func shout(c Conn, in []byte) (used int) {
	for {
		body, n := cut(in[used:])
		if n == 0 {
			return used
		}
		c.Write(bytes.ToUpper(body))
		used += n
	}
}

func TestSplitAndCoalescedFrames(t *testing.T) {
	stream := frame("") + frame("login anna") + frame("a") + frame("walk north, then east") + frame("bye")
	const answers = "LOGIN ANNAAWALK NORTH, THEN EASTBYE"

	forEachNetwork(t, func(t *testing.T, network string) {
		arrived := make(chan int, 1000)
		s := start(t, network, funcs{traffic: func(c Conn, in []byte) int {
			left, _ := c.Session().(int)
			used := shout(c, in)
			c.SetSession(len(in) - used)
			arrived <- len(in) - left
			return used
		}})
		// part sends bytes, and waits for them so that they come by themselves.
		part := func(c *client, p string) {
			c.send(p)
			for n := 0; n < len(p); {
				n += await(t, "Traffic", arrived)
			}
		}
		for i := range len(stream) { // 0: all at once
			c := s.dial()
			part(c, stream[:i])
			part(c, stream[i:])
			c.expect(answers)
			c.Close()
		}
		c := s.dial()
		for _, b := range []byte(stream) {
			part(c, string(b))
		}
		c.expect(answers)
	})
}

func TestUnreadBytesAreOfferedAgain(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		offers := make(chan string)
		use := make(chan int)
		s := start(t, network, funcs{traffic: func(_ Conn, in []byte) int {
			offers <- string(in)
			return <-use
		}})
		c := s.dial()
		c.send("abcdef")
		for _, step := range []struct {
			offer string
			use   int
			send  string
		}{
			{"abcdef", 0, "gh"},
			{"abcdefgh", 3, "i"},
			{"defghi", 5, "j"},
			{"ij", 2, "k"},
			{"k", 1, ""},
		} {
			if got := await(t, "Traffic", offers); got != step.offer {
				t.Errorf("Traffic got %q, expected %q", got, step.offer)
			}
			use <- step.use
			c.send(step.send)
		}
	})
}

// With any portions of the sender and the handler nothing is lost, doubled or out of order.
func TestStreamIsExact(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		type receiver struct {
			got     []byte
			portion func() int
			done    chan []byte
		}
		current := make(chan *receiver, 1)
		s := start(t, network, funcs{
			opened: func(c Conn) bool { c.SetSession(<-current); return true },
			traffic: func(c Conn, in []byte) int {
				r := c.Session().(*receiver)
				n := min(len(in), r.portion())
				r.got = append(r.got, in[:n]...)
				if n < len(in) {
					c.Again()
				}
				return n
			},
			closed: func(c Conn, err error) {
				if err != nil {
					t.Error(err)
				}
				r := c.Session().(*receiver)
				r.done <- r.got
			},
		})
		rapid.Check(t, func(rt *rapid.T) {
			parts := rapid.SliceOfN(rapid.SliceOfN(rapid.Byte(), 1, 3000), 1, 8).Draw(rt, "parts")
			portions := rapid.SliceOfN(rapid.IntRange(1, 1000), 1, 8).Draw(rt, "portions")
			turn := 0
			r := &receiver{done: make(chan []byte, 1), portion: func() int {
				turn++
				return portions[turn%len(portions)]
			}}
			current <- r
			c := s.dial()
			for _, p := range parts {
				c.send(string(p))
			}
			c.Close()
			if want, got := bytes.Join(parts, nil), await(t, "Closed", r.done); !bytes.Equal(got, want) {
				rt.Fatalf("sent %d bytes, the handler consumed %d others", len(want), len(got))
			}
		})
	})
}

func TestAgain(t *testing.T) {
	const n = 300
	forEachNetwork(t, func(t *testing.T, network string) {
		var calls atomic.Int32
		s := start(t, network, funcs{traffic: func(c Conn, in []byte) int {
			calls.Add(1)
			c.Again() // also when nothing will be left
			c.Again()
			c.Write(in[:1])
			return 1
		}})
		c := s.dial()
		msg := strings.Repeat("0123456789", n/10)
		c.send(msg)
		c.expect(msg)
		if got := calls.Load(); got != n {
			t.Errorf("%d calls of Traffic for %d bytes, one by one", got, n)
		}
	})
}

func oneLoop(o *Options) { o.Loops = 1 }

// A connection that asks for its next turn all the time must not keep the others of its loop waiting.
func TestGreedyConnectionLetsOthersRun(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		var fed atomic.Bool
		s := start(t, network, funcs{traffic: func(c Conn, in []byte) int {
			if in[0] == 'g' && !fed.Load() {
				c.Again()
				return 0
			}
			return echo(c, in)
		}}, oneLoop)
		greedy, modest := s.dial(), s.dial()
		greedy.send("greedy")
		for range 100 {
			modest.send("modest")
			modest.expect("modest")
		}
		fed.Store(true)
		greedy.expect("greedy")
	})
}

// Nor may a function that queues itself.
func TestGreedyFunctionLetsOthersRun(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		var enough atomic.Bool
		s := start(t, network, funcs{
			traffic: echo,
			opened: func(c Conn) bool {
				var again func()
				again = func() {
					if !enough.Load() {
						_ = c.Loop().Execute(again)
					}
				}
				again()
				return true
			},
		}, oneLoop)
		c := s.dial()
		for range 100 {
			c.send("modest")
			c.expect("modest")
		}
		enough.Store(true)
	})
}

func TestFramesBeforeThePeerClosesAreRead(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		got := make(chan string, 1)
		s := start(t, network, funcs{
			opened: func(c Conn) bool { c.SetSession(new(strings.Builder)); return true },
			traffic: func(c Conn, in []byte) int { // one byte a turn
				c.Session().(*strings.Builder).WriteByte(in[0])
				c.Again()
				return 1
			},
			closed: func(c Conn, err error) { got <- fmt.Sprint(c.Session(), " ", err) },
		})
		c := s.dial()
		c.send("walk and log out")
		c.Close()
		if got := await(t, "Closed", got); got != "walk and log out <nil>" {
			t.Errorf("handler got %q", got)
		}
	})
}

func TestAnswersReachPeerThatHasClosedItsSide(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s := start(t, network, funcs{traffic: shout})
		c := s.dial()
		c.send(frame("what time is it?"))
		_ = c.CloseWrite()
		c.expect("WHAT TIME IS IT?")
		c.expectEnd()
	})
}

func TestMaxUnread(t *testing.T) {
	t.Parallel()
	const limit = 8 << 10
	limited := func(o *Options) { o.MaxUnread = limit }

	t.Run("net stops reading", func(t *testing.T) {
		simulated(t, func(t *testing.T, start starter) {
			const total = 1 << 20 // more than the network holds
			paused, greatest, consumed := true, 0, 0
			opened := make(chan Conn, 1)
			s := start(funcs{
				opened: func(c Conn) bool { opened <- c; return true },
				traffic: func(_ Conn, in []byte) int {
					greatest = max(greatest, len(in))
					if paused {
						return 0
					}
					consumed += len(in)
					return len(in)
				},
			}, limited)
			c := s.dial()
			sent := make(chan error, 1)
			go func() {
				_, err := c.Write(make([]byte, total))
				sent <- err
			}()
			conn := await(t, "Opened", opened)
			time.Sleep(patience / 2)
			onLoop(t, conn, func() {
				if greatest < limit || greatest >= limit+netReadSize {
					t.Errorf("%d bytes were read, the limit is %d", greatest, limit)
				}
				paused = false
				conn.Again()
			})
			if err := await(t, "end of the sender", sent); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
			onLoop(t, conn, func() {
				if consumed != total {
					t.Errorf("%d of %d bytes are consumed", consumed, total)
				}
			})
		})
	})

	t.Run("net closes while it has stopped reading", func(t *testing.T) {
		simulated(t, func(t *testing.T, start starter) {
			closed := make(chan error, 1)
			s := start(funcs{
				traffic: func(c Conn, in []byte) int {
					if len(in) >= limit {
						_ = c.Loop().Execute(c.Close)
					}
					return 0
				},
				closed: func(_ Conn, err error) { closed <- err },
			}, limited, briefly)
			c := s.dial()
			go func() { _, _ = c.Write(make([]byte, 16<<20)) }()
			if err := await(t, "Closed", closed); err != nil {
				t.Error(err)
			}
		})
	})

	t.Run("gnet closes", func(t *testing.T) {
		if defaultNetwork != "gnet" {
			t.Skip("no gnet here")
		}
		closed := make(chan error, 1)
		s := start(t, "gnet", funcs{
			traffic: func(_ Conn, in []byte) int {
				if len(in) > limit+64<<10 {
					t.Errorf("%d bytes are offered", len(in))
				}
				return 0
			},
			closed: func(_ Conn, err error) { closed <- err },
		}, limited)
		c := s.dial()
		_, _ = c.Write(make([]byte, 16<<20))
		if err := await(t, "Closed", closed); !errors.Is(err, ErrUnread) {
			t.Errorf("closed with %v, expected ErrUnread", err)
		}
	})
}

func TestConsumingMoreThanThereIsEndsTheConnection(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		for _, wrong := range []int{-1, 4, 1 << 30} {
			closed := make(chan error, 1)
			s := start(t, network, funcs{
				traffic: func(Conn, []byte) int { return wrong },
				closed:  func(_ Conn, err error) { closed <- err },
			})
			c := s.dial()
			c.send("abc")
			want := fmt.Sprintf("transport: Traffic says that it consumed %d of 3 bytes", wrong)
			if err := await(t, "Closed", closed); err == nil || err.Error() != want {
				t.Errorf("closed with %v, expected %s", err, want)
			}
			if _, err := io.ReadAll(c); err != nil {
				t.Log(err)
			}
		}
	})
}
