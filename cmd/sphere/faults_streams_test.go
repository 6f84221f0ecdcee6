//go:build system && unix

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
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

// A bystander is a player who notices whether a server that others mistreat still answers.
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

// watchAs does so with a player whose i-th step leads from where it is to where step says.
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

// ends ends the watch and says what the player has felt.
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
		storm() // fills what is kept of the last sessions
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

// Fault case 2: lengths that no frame has, behind frames that are valid. The valid ones are answered, and the stream
// ends in order.
func TestFaultImpossibleLengthsCloseInOrder(t *testing.T) {
	besideOthers(t)
	valid := slices.Concat(greetingReply, control(&packets.Keepalive{}))
	answer := []byte{0x0A, 0, 0xC8, 0, 0x6C, 0x07, 0, 0, 0x40, 0x0E, 4, 0, 0xF4, 1} // greeting and keepalive
	forEachTransport(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport)
		for _, length := range []uint16{0, 1, 2, 3, 7, packets.MaxClientFrame + 1, 0xFFFF} {
			bad := binary.LittleEndian.AppendUint16(nil, length)
			bad = append(bad, bytes.Repeat([]byte{0xAA}, 300)...)
			c, err := dialRaw(p.game)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Write(append(slices.Clone(valid), bad...)); err != nil {
				t.Fatal(err)
			}
			_ = c.SetReadDeadline(time.Now().Add(patience))
			if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, answer) { // a reset would be an error
				t.Errorf("length %d: after % X: %v, want % X", length, got, err, answer)
			}
			c.Close()
		}
	})
}

// Fault case 3: however a login is cut into pieces on its way, the answers are the same.
func TestFaultPiecesOfALoginMakeNoDifference(t *testing.T) {
	besideOthers(t)
	forEachTransport(t, func(t *testing.T, transport string) {
		p := serveIn(t, t.TempDir(), "--transport", transport, "--hash-workers", "2")
		whole, want := p.loginIn(t, 0, func(frame []byte) [][]byte { return [][]byte{frame} })
		step := 1
		if testing.Short() {
			step = 7
		}
		var ways []func([]byte) [][]byte
		for at := 1; at < len(whole)-len(greetingReply); at += step {
			ways = append(ways, func(frame []byte) [][]byte {
				return [][]byte{frame[:min(at, len(frame))], frame[min(at, len(frame)):]}
			})
		}
		ways = append(ways, func(frame []byte) (pieces [][]byte) { return slices.Collect(slices.Chunk(frame, 1)) })
		crowd(len(ways), 16, func(i int) {
			if _, got := p.loginIn(t, i+1, ways[i]); got != want {
				t.Errorf("way %d: the answers are\n%s\nwant\n%s", i, got, want)
			}
		})
		figure(t, "3", "%s: %d ways to cut %d bytes, identical answers", transport, len(ways), len(whole))
	})
}

// loginIn logs in for the first time with a greeting and a login that arrive in pieces, and returns the bytes and the
// answers, in words in which the player's index stands for itself.
func (p *process) loginIn(t *testing.T, n int, cut func([]byte) [][]byte) (whole []byte, answers string) {
	c, err := dialRaw(p.game)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	send := func(frame []byte) {
		whole = append(whole, frame...)
		for _, piece := range cut(frame) {
			if len(piece) > 0 {
				if _, err := c.Write(piece); err != nil {
					t.Error(err)
				}
				time.Sleep(2 * time.Millisecond) // else the pieces become one again
			}
		}
	}
	var words strings.Builder
	var in []byte
	read := func(frames int) (last *packets.Frame) {
		_ = c.SetReadDeadline(time.Now().Add(patience))
		for frames > 0 {
			frame, err := packets.CutFrame(in, packets.FromServer)
			if err != nil {
				t.Error(err)
				return nil
			}
			if frame == nil {
				buf := make([]byte, 4096)
				n, err := c.Read(buf)
				if in = append(in, buf[:n]...); err != nil {
					t.Error(err)
					return nil
				}
				continue
			}
			if last, err = packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026); err != nil {
				t.Error(err)
				return nil
			}
			if last.Body != nil {
				for _, s := range last.Body.Sections {
					for _, r := range s.Regions {
						command, _ := packets.CommandOf(r)
						if _, ok := command.(*packets.LoginTime); !ok { // is the time
							fmt.Fprintf(&words, "%+v %+v %v\n", s.Class, command, last.Body.Clock)
						}
					}
				}
			}
			in = in[len(frame):]
			frames--
		}
		return last
	}
	read(1)
	send(greetingReply)
	credentials := read(1)
	if credentials == nil {
		return
	}
	me := credentials.Body.Sections[0].Object
	login, err := packets.AppendClient(nil, packets.Message(0, me, packets.ClassPlayer, &packets.Owner{
		Command: &packets.Login{Lead: 0xFF, Login: fmt.Sprintf("гость%03d", n), Password: password}}),
		packets.Dialect2026, packets.GreetingKey, 2)
	if err != nil {
		t.Error(err)
		return
	}
	send(login)
	read(4) // the screen and three slots
	return whole, words.String()
}

// Fault case 4: those who send half a frame and fall silent are cut off at their deadline, and cost little until then.
func TestFaultTruncatedFramesAreCutAtTheDeadline(t *testing.T) {
	besideOthers(t)
	n := size(100, 5000)
	handshake, login := time.Duration(size(15, 10))*time.Second, 20*time.Second
	p := serveIn(t, t.TempDir(), "--handshake-timeout", handshake.String(), "--login-timeout", login.String())
	b := p.watch("Свидетель")
	before := p.rest()
	half := make([]byte, 200)
	binary.LittleEndian.PutUint16(half, 400)
	begin, took := make([]time.Time, n), make([]time.Duration, n)
	var connected, over sync.WaitGroup
	connected.Add(n)
	for i := range n {
		c, err := dialRaw(p.game)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		begin[i] = time.Now()
		over.Go(func() {
			if i%2 == 1 {
				_, _ = c.Write(greetingReply)
			}
			_, _ = c.Write(half)
			connected.Done()
			if _, closed := readAll(c, login+unhurried(10*time.Second)); closed {
				took[i] = time.Since(begin[i])
			}
		})
	}
	connected.Wait()
	eventually(t, "all are connected", func() bool { return p.status().Sessions == n+1 })
	during := p.rest()
	over.Wait()
	var worst time.Duration
	for i, took := range took {
		want := handshake
		if i%2 == 1 {
			want = login
		}
		if took == 0 {
			t.Fatalf("connection %d is still open", i)
		}
		if off := (took - want).Abs(); off > worst {
			worst = off
		}
	}
	each := (during.heap - before.heap) / n
	if full && (each > 8<<10 || worst > 1500*time.Millisecond) {
		t.Errorf("%d bytes each, cut up to %v beside the deadline", each, worst)
	}
	p.settled(before, 4<<20)
	ends := p.status().Counters
	if got := int(ends["ended_handshake_timeout"] + ends["ended_login_timeout"]); got != n {
		t.Errorf("%d ended by a deadline, want %d: %v", got, n, ends)
	}
	figure(t, "4", "%d truncated frames, cut within %v of the deadline, %d bytes of heap each; a player meanwhile: %v", n,
		worst.Round(10*time.Millisecond), each, b.ends())
}

// Fault cases 5 and 6: silence and trickles fill the server only up to its cap and only up to the deadline, and make
// room for others before; players feel nothing.
func TestFaultSilenceAndTricklesAreBounded(t *testing.T) {
	besideOthers(t)
	inside, outside := size(40, 1000), size(20, 500)
	const handshake = 10 * time.Second
	every := time.Duration(size(200, 5000)) * time.Millisecond
	p := serveIn(t, t.TempDir(), "--handshake-timeout", handshake.String(), "--max-connections", fmt.Sprint(inside+1))
	b := p.watch("Свидетель")
	begin := time.Now()
	var conns []net.Conn
	for i := range inside + outside {
		c, err := dialRaw(p.game)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		conns = append(conns, c)
		if got := make([]byte, 10); i == inside-1 { // the next one finds the house full
			if _, err := c.Read(got); err != nil {
				t.Fatal(err)
			}
			eventually(t, "all are inside", func() bool { return p.status().Sessions == inside+1 })
		}
	}
	eventually(t, "the first have made room", func() bool {
		s := p.status()
		return s.Counters["ended_made_room"] == uint64(outside) && s.Sessions == inside+1
	})
	// Each connection is read until it ends, or until as many have ended as had to.
	gone, allGone := context.WithTimeout(t.Context(), patience)
	defer allGone()
	var mu sync.Mutex
	var staying []net.Conn
	ended := 0
	all(t, len(conns), func(i int) error {
		defer context.AfterFunc(gone, func() { _ = conns[i].SetReadDeadline(time.Now()) })()
		got, closed := readToEnd(conns[i])
		if closed != bytes.Contains(got, []byte("made room")) {
			return fmt.Errorf("closed %v, got % X", closed, got)
		}
		mu.Lock()
		defer mu.Unlock()
		if !closed {
			staying = append(staying, conns[i])
		} else if ended++; ended == outside {
			allGone()
		}
		return nil
	})
	if conns = staying; len(conns) != inside {
		t.Fatalf("%d stay, expected %d", len(conns), inside)
	}
	// Half of those inside send a byte now and then, of a frame of 4096.
	all(t, inside, func(i int) error {
		stop := time.After(handshake + unhurried(5*time.Second))
		tick := time.NewTicker(every)
		defer tick.Stop()
		closed := make(chan struct{})
		go func() {
			defer close(closed)
			readAll(conns[i], handshake+unhurried(5*time.Second))
			conns[i].Close()
		}()
		frame := []byte{0, 0x10, 1}
		for {
			select {
			case <-closed:
				if took := time.Since(begin); full && (took < handshake-time.Second || took > handshake+2*time.Second) {
					return fmt.Errorf("cut after %v", took)
				}
				return nil
			case <-stop:
				return fmt.Errorf("not cut after %v", time.Since(begin))
			case <-tick.C:
				if i%2 == 0 {
					_, _ = conns[i].Write(frame[:1])
					if len(frame) > 1 {
						frame = frame[1:]
					}
				}
			}
		}
	})
	eventually(t, "there is room again", func() bool { return p.status().Sessions == 1 })
	c := p.player("Новый", 0, "Новый")
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	counters := p.status().Counters
	if counters["ended_handshake_timeout"] != uint64(inside) || counters["ended_made_room"] != uint64(outside) {
		t.Errorf("ends: %v", counters)
	}
	figure(t, "5, 6", "%d silent or trickling inside cut after %v, %d made room for others at once; a player "+
		"meanwhile: %v", inside, handshake, outside, b.ends())
}
