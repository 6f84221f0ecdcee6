package transport

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// openOne starts a server and returns it with the only connection.
func openOne(t *testing.T, network string, f funcs) (*testServer, Conn, *client) {
	t.Helper()
	opened := make(chan Conn, 1)
	f.opened = func(c Conn) bool { opened <- c; return true }
	s := start(t, network, f)
	c := s.dial()
	return s, await(t, "Opened", opened), c
}

func TestExecuteKeepsOrder(t *testing.T) {
	const callers, each = 8, 20_000 // far more than gnet keeps in order by itself
	forEachNetwork(t, func(t *testing.T, network string) {
		_, conn, _ := openOne(t, network, funcs{})
		var got [callers]int // touched on the loop only
		var all sync.WaitGroup
		for i := range callers {
			all.Go(func() {
				for j := range each {
					if err := conn.Loop().Execute(func() {
						if got[i] != j {
							t.Errorf("caller %d: function %d ran after %d others", i, j, got[i])
						}
						got[i]++
					}); err != nil {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		onLoop(t, conn, func() {
			for i, n := range got {
				if n != each {
					t.Errorf("caller %d: %d of %d functions have run", i, n, each)
				}
			}
		})
	})
}

func TestExecuteFromTheLoopComesLater(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		_, conn, _ := openOne(t, network, funcs{})
		done := make(chan string, 1)
		var order strings.Builder
		onLoop(t, conn, func() {
			_ = conn.Loop().Execute(func() { order.WriteString("b"); done <- order.String() })
			order.WriteString("a")
		})
		if got := await(t, "second function", done); got != "ab" {
			t.Errorf("order was %q", got)
		}
	})
}

// A function that Execute has accepted runs, one that it has refused does not, also in the middle of Stop.
func TestExecuteDuringStop(t *testing.T) {
	t.Parallel()
	forEachNetwork(t, func(t *testing.T, network string) {
		for range 20 {
			s, conn, _ := openOne(t, network, funcs{})
			var accepted, ran atomic.Int64
			var callers sync.WaitGroup
			for range 4 {
				callers.Go(func() {
					for {
						err := conn.Loop().Execute(func() { ran.Add(1) })
						if errors.Is(err, ErrStopped) {
							return
						}
						accepted.Add(1)
					}
				})
			}
			onLoop(t, conn, conn.(interface{ abandon() }).abandon)
			s.stop()
			callers.Wait()
			if accepted.Load() != ran.Load() {
				t.Errorf("%d functions accepted, %d run", accepted.Load(), ran.Load())
			}
		}
	})
}

// abandon closes at once, so that Stop need not wait for the peer.
func (c *conn) abandon() { c.fail(nil) }

func TestPanicInExecutedFunctionIsLogged(t *testing.T) {
	forEachNetwork(t, func(t *testing.T, network string) {
		s, conn, c := openOne(t, network, funcs{traffic: echo})
		if err := conn.Loop().Execute(func() { panic("a bug of the caller") }); err != nil {
			t.Fatal(err)
		}
		onLoop(t, conn, func() {})
		c.send("fine")
		c.expect("fine")
		if !s.logs.contains("a bug of the caller") || !s.logs.contains("TestPanicInExecutedFunctionIsLogged") {
			t.Error("the panic is not logged with its stack")
		}
	})
}

func TestPanicEndsOnlyItsConnection(t *testing.T) {
	type report struct {
		conn  Conn
		value any
		stack string
	}
	for _, where := range []string{"Opened", "Traffic", "Closed", "Panicked"} {
		t.Run(where, func(t *testing.T) {
			forEachNetwork(t, func(t *testing.T, network string) {
				var armed atomic.Bool
				reports := make(chan report, 1)
				closed := make(chan error, 10)
				failIn := func(callback string) {
					if armed.Load() && (where == callback || where == "Panicked" && callback == "Traffic") {
						armed.Store(false)
						panic("bug in " + callback)
					}
				}
				s := start(t, network, funcs{
					opened:  func(Conn) bool { failIn("Opened"); return true },
					traffic: func(c Conn, in []byte) int { failIn("Traffic"); return echo(c, in) },
					closed:  func(_ Conn, err error) { closed <- err; failIn("Closed") },
					panicked: func(c Conn, value any, stack []byte) {
						reports <- report{c, value, string(stack)}
						if where == "Panicked" {
							panic("bug in Panicked")
						}
					},
				}, oneLoop)
				good := s.dial()
				good.send("one")
				good.expect("one")

				armed.Store(true)
				bad := s.dial()
				_, _ = bad.Write([]byte("crash"))
				if where == "Closed" {
					bad.expect("crash")
					bad.Close()
				}
				r := await(t, "Panicked", reports)
				if !strings.HasPrefix(r.value.(string), "bug in ") || !strings.Contains(r.stack, "failIn") &&
					!strings.Contains(r.stack, "TestPanicEndsOnlyItsConnection") {
					t.Errorf("Panicked got %v with the stack\n%s", r.value, r.stack)
				}
				if err := await(t, "Closed", closed); errors.Is(err, ErrPanicked) != (where != "Closed") {
					t.Errorf("closed with %v", err)
				}
				_, _ = bad.Read(make([]byte, 1)) // returns: the connection has ended

				good.send("two")
				good.expect("two")
				if where == "Panicked" && !s.logs.contains("bug in Panicked") {
					t.Error("the panic of Panicked is not logged")
				}
			})
		})
	}
}
