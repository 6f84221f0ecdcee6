package sim_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
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
	"sphereserver/data"
	"sphereserver/packets"
	"sphereserver/server/bot"
	"sphereserver/server/game"
	"sphereserver/server/sim"
	"sphereserver/server/sim/memnet"
)

// simulated plays a fault case: the server has the settings that ship, with the changes of change.
func simulated(t *testing.T, change func(*game.Options), play func(h *sim.House)) {
	t.Helper()
	quick(t)
	sim.Run(t, sim.Options{Game: change, Net: many}, play)
}

// many is a network on which a crowd of addresses can act in one moment.
var many = memnet.Options{Hosts: 1024}

// quick leaves a case out where the race detector makes it slow: TestEvenings has the races.
func quick(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("a long time for the race detector")
	}
	t.Parallel()
}

// enough is the time for events that have to come at some time.
const enough = time.Minute

// patient is a context for that.
func patient() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), enough)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// all does something for 0 to n-1 at once, a nanosecond after each other so that their order is no chance, and reports
// failures.
func all(h *sim.House, n int, do func(i int) error) {
	h.T.Helper()
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			time.Sleep(time.Duration(i))
			if err := do(i); err != nil {
				h.T.Errorf("%d: %v", i, err)
			}
		})
	}
	wg.Wait()
}

// raw opens a connection from the n-th address that speaks as the test wants.
func raw(h *sim.House, n int) *memnet.Conn {
	h.T.Helper()
	c, err := h.Net.From(sim.Host(n))(context.Background(), h.Addr)
	if err != nil {
		h.T.Fatal(err)
	}
	return c.(*memnet.Conn)
}

// untilEnd reads until the connection ends, and says when that was.
func untilEnd(h *sim.House, c net.Conn) (got []byte, took time.Duration) {
	begin := time.Now()
	_ = c.SetReadDeadline(begin.Add(10 * enough))
	got, err := io.ReadAll(c)
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() {
		h.T.Error("the server holds on to a connection for ever")
	}
	return got, time.Since(begin)
}

// counted compares the server's counts with the wanted ones, and checks that no code has panicked.
func counted(h *sim.House, want map[string]uint64) {
	h.T.Helper()
	time.Sleep(time.Second)
	counters := h.Server.Counters()
	if n := counters["panics"]; n > 0 {
		h.T.Errorf("%d panics", n)
	}
	for name, n := range want {
		if counters[name] != n {
			h.T.Errorf("%s is %d, want %d: %v", name, counters[name], n, counters)
		}
	}
}

// A bystander is a player that notices whether the server answers while others mistreat it.
type bystander struct {
	client *bot.Client
	stop   context.CancelFunc
	ended  chan struct{}
}

func watch(h *sim.House) *bystander {
	h.T.Helper()
	c := h.Player(9999, "Свидетель", bot.Options{})
	ctx, stop := context.WithCancel(context.Background())
	b := &bystander{c, stop, make(chan struct{})}
	go func() {
		defer close(b.ended)
		for i := 0; ctx.Err() == nil; i++ {
			at := c.Position
			at.X += []float32{0.25, 0.25, -0.25, -0.25}[i%4]
			const lag = time.Second // simulated: nothing but the server itself can hold an answer up
			ping, cancel := context.WithTimeout(context.Background(), lag)
			_, err := c.Ping(ping, at)
			if cancel(); err != nil {
				h.T.Errorf("a bystander has no answer: %v", err)
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
	return b
}

// ends ends the watch: the bystander is still in, and has stumbled over nothing.
func (b *bystander) ends(h *sim.House) {
	h.T.Helper()
	b.stop()
	<-b.ended
	if v := b.client.Violations(); len(v) > 0 {
		h.T.Errorf("a bystander stumbles: %v", v)
	}
	if err := b.client.Close(); err != nil {
		h.T.Errorf("a bystander: %v", err)
	}
}

func control(m packets.Control) []byte {
	b, err := packets.AppendControl(nil, m, packets.FromClient, packets.GreetingKey, 1)
	if err != nil {
		panic(err)
	}
	return b
}

var greetingReply = control(&packets.GreetingReply{Value: packets.GreetingReplyValue})

// Fault case 1: connections of random bytes leave nothing behind.
func TestFaultRandomBytesLeaveNothing(t *testing.T) {
	simulated(t, func(o *game.Options) { o.Limits.New = 1e6 }, func(h *sim.House) {
		b := watch(h)
		const n = 500
		all(h, n, func(i int) error {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			junk := make([]byte, 1024+r.IntN(3*1024))
			for i := range junk {
				junk[i] = byte(r.Uint32())
			}
			if i%2 == 0 { // a frame that could be one
				binary.LittleEndian.PutUint16(junk, uint16(8+r.IntN(500)))
				binary.LittleEndian.PutUint16(junk[6:], uint16(packets.ChannelGameplay))
			}
			c := raw(h, i)
			defer c.Close()
			_, _ = c.Write(junk) // the server may have had enough of it
			_ = c.CloseWrite()
			if _, took := untilEnd(h, c); took > time.Second {
				return fmt.Errorf("a connection that is over is held for %v", took)
			}
			return nil
		})
		b.ends(h)
		counted(h, map[string]uint64{"connections_accepted": n + 1})
	})
}

// Fault case 2: lengths that no frame has, behind frames that are valid. The valid ones are answered, and the stream
// ends in order.
func TestFaultImpossibleLengthsCloseInOrder(t *testing.T) {
	simulated(t, nil, func(h *sim.House) {
		valid := slices.Concat(greetingReply, control(&packets.Keepalive{}))
		answer := []byte{0x0A, 0, 0xC8, 0, 0x6C, 0x07, 0, 0, 0x40, 0x0E, 4, 0, 0xF4, 1} // greeting and keepalive
		for i, length := range []uint16{0, 1, 2, 3, 7, packets.MaxClientFrame + 1, 0xFFFF} {
			bad := binary.LittleEndian.AppendUint16(nil, length)
			bad = append(bad, bytes.Repeat([]byte{0xAA}, 300)...)
			c := raw(h, i)
			if _, err := c.Write(append(slices.Clone(valid), bad...)); err != nil {
				h.T.Fatal(err)
			}
			if got, err := io.ReadAll(c); err != nil || !bytes.Equal(got, answer) { // a reset would be an error
				h.T.Errorf("length %d: after % X: %v, want % X", length, got, err, answer)
			}
			c.Close()
		}
	})
}

// Fault case 3: however a login is cut into pieces on its way, the answers are the same.
func TestFaultPiecesOfALoginMakeNoDifference(t *testing.T) {
	simulated(t, nil, func(h *sim.House) {
		whole, want := loginInPieces(h, 0, func(frame []byte) [][]byte { return [][]byte{frame} })
		ways := []func([]byte) [][]byte{
			func(frame []byte) [][]byte { return slices.Collect(slices.Chunk(frame, 1)) },
		}
		for at := 1; at < len(whole)-len(greetingReply); at++ {
			ways = append(ways, func(frame []byte) [][]byte {
				return [][]byte{frame[:min(at, len(frame))], frame[min(at, len(frame)):]}
			})
		}
		for i, way := range ways {
			if _, got := loginInPieces(h, i+1, way); got != want {
				h.T.Errorf("way %d: the answers are\n%s\nwant\n%s", i, got, want)
			}
		}
	})
}

// loginInPieces logs in for the first time with a greeting and a login that arrive in pieces, and returns the bytes and
// the answers, in words in which the player's index stands for itself.
func loginInPieces(h *sim.House, n int, cut func([]byte) [][]byte) (whole []byte, answers string) {
	h.T.Helper()
	c := raw(h, n)
	defer c.Close()
	send := func(frame []byte) {
		whole = append(whole, frame...)
		for _, piece := range cut(frame) {
			if _, err := c.Write(piece); err != nil {
				h.T.Fatal(err)
			}
			time.Sleep(2 * time.Millisecond) // else the pieces become one again
		}
	}
	var words strings.Builder
	var in []byte
	read := func(frames int) (last *packets.Frame) {
		_ = c.SetReadDeadline(time.Now().Add(enough))
		for frames > 0 {
			frame, err := packets.CutFrame(in, packets.FromServer)
			if err != nil {
				h.T.Fatal(err)
			}
			if frame == nil {
				buf := make([]byte, 4096)
				n, err := c.Read(buf)
				if in = append(in, buf[:n]...); err != nil {
					h.T.Fatal(err)
				}
				continue
			}
			if last, err = packets.DecodeFrame(frame, packets.FromServer, packets.Dialect2026); err != nil {
				h.T.Fatal(err)
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
	me := read(1).Body.Sections[0].Object
	login, err := packets.AppendClient(nil, packets.Message(0, me, packets.ClassPlayer, &packets.Owner{
		Command: &packets.Login{Lead: 0xFF, Login: fmt.Sprintf("гость%03d", n), Password: "pass"}}),
		packets.Dialect2026, packets.GreetingKey, 2)
	if err != nil {
		h.T.Fatal(err)
	}
	send(login)
	read(4) // the screen and three slots
	return whole, words.String()
}

// Fault case 4: clients that send half a frame and fall silent are cut off at their deadline.
func TestFaultTruncatedFramesAreCutAtTheDeadline(t *testing.T) {
	simulated(t, func(o *game.Options) { o.Limits.New = 1e6 }, func(h *sim.House) {
		b := watch(h)
		limits := h.Game.Timeouts
		half := make([]byte, 200)
		binary.LittleEndian.PutUint16(half, 400)
		const n = 300
		all(h, n, func(i int) error {
			c := raw(h, i)
			defer c.Close()
			want := limits.Handshake
			if i%2 == 1 {
				want = limits.Login
				_, _ = c.Write(greetingReply)
			}
			_, _ = c.Write(half)
			if _, took := untilEnd(h, c); took < want-time.Second || took > want+time.Second {
				return fmt.Errorf("cut after %v, want %v", took, want)
			}
			return nil
		})
		b.ends(h)
		counted(h, map[string]uint64{"ended_handshake_timeout": n / 2, "ended_login_timeout": n / 2})
	})
}

// Fault cases 5 and 6: silence and trickles fill the server only up to its cap and only up to the deadline, and make
// room for others before; players feel nothing.
func TestFaultSilenceAndTricklesAreBounded(t *testing.T) {
	const inside, outside = 40, 20
	room := func(o *game.Options) { o.Limits.Connections = (inside + 1) * 5 / 4 } // a fifth is for friends
	simulated(t, room, func(h *sim.House) {
		b := watch(h)
		limit := h.Game.Timeouts.Handshake
		conns := make([]net.Conn, inside+outside)
		for i := range conns {
			conns[i] = raw(h, i)
			time.Sleep(10 * time.Millisecond)
		}
		all(h, len(conns), func(i int) error {
			defer conns[i].Close()
			trickle, stop := context.WithCancel(context.Background())
			defer stop()
			if i%2 == 0 { // a byte now and then, of a frame of 4096
				go func() {
					for frame := []byte{0, 0x10, 1}; trickle.Err() == nil; time.Sleep(200 * time.Millisecond) {
						_, _ = conns[i].Write(frame[:1])
						if len(frame) > 1 {
							frame = frame[1:]
						}
					}
				}()
			}
			got, took := untilEnd(h, conns[i])
			if !bytes.Contains(got, []byte("made room")) && (took < limit-time.Second || took > limit+time.Second) {
				return fmt.Errorf("cut after %v, want %v", took, limit)
			}
			return nil
		})
		late := h.Player(1, "Новый", bot.Options{})
		if err := late.Close(); err != nil {
			h.T.Error(err)
		}
		b.ends(h)
		counted(h, map[string]uint64{"ended_handshake_timeout": inside, "ended_made_room": outside})
	})
}

// Fault case 31: clients that fall silent without closing, in the world or on the way there, are removed in time and
// saved where they were; a player that speaks now and then stays. Nothing can be told through a pulled cable.
func TestFaultSilentPeersAreLetGo(t *testing.T) {
	for _, pulled := range []bool{false, true} {
		t.Run(fmt.Sprintf("pulled %v", pulled), func(t *testing.T) {
			limit := time.Minute
			all60 := func(o *game.Options) {
				o.Timeouts.Handshake, o.Timeouts.Login, o.Timeouts.Screen = limit, limit, limit
				o.Timeouts.Entering, o.Timeouts.Silence = limit, limit
			}
			simulated(t, all60, func(h *sim.House) { silence(h, limit, pulled) })
		})
	}
}

func silence(h *sim.House, limit time.Duration, pulled bool) {
	ways := []func(c *bot.Client, login string) error{
		func(*bot.Client, string) error { return nil },
		func(c *bot.Client, login string) error {
			_, err := c.Login(patient(), login, login)
			return err
		},
		func(c *bot.Client, login string) error {
			_, err := c.Login(patient(), login, login)
			if err == nil {
				_, err = c.Create(patient(), 0, bot.NewCharacter{Name: login})
			}
			return err
		},
		func(c *bot.Client, login string) error {
			err := c.Appear(patient(), bot.Identity{Login: login, Password: login, Name: login})
			if err == nil {
				at := c.Position
				at.X += 2
				_, err = c.Ping(patient(), at)
			}
			return err
		},
	}
	places := make([]coords.Position, 5*len(ways))
	patientOne := h.Player(9998, "Терпеливый", bot.Options{Manual: true})
	speaks := make(chan error, 1)
	go func() {
		var err error
		for i := 0; i < 3 && err == nil; i++ {
			if err = patientOne.Idle(context.Background(), limit*9/10); err == nil {
				err = patientOne.Keepalive(patient())
			}
		}
		speaks <- err
	}()
	all(h, len(places), func(i int) error {
		name := fmt.Sprint("Немой", i)
		o := h.Client(sim.Host(i))
		o.Manual = true
		c, err := bot.Dial(patient(), h.Addr, o)
		if err != nil {
			return err
		}
		if err := ways[i%len(ways)](c, name); err != nil {
			return err
		}
		since := time.Now()
		places[i] = c.Position
		if pulled {
			h.Net.Conns(sim.Host(i))[0].Pull()
		}
		ctx, cancel := context.WithTimeout(context.Background(), 3*limit)
		defer cancel()
		err = c.Until(ctx, func() bool { return false })
		took := time.Since(since)
		c.Abort()
		most := limit + time.Second
		if pulled {
			most = 81 * time.Second // its own system gives up then
		}
		if errors.Is(err, context.DeadlineExceeded) || err == nil || took < limit-time.Second || took > most {
			return fmt.Errorf("way %d: ended with %v after %v", i%len(ways), err, took)
		}
		return nil
	})
	if err := <-speaks; err != nil {
		h.T.Errorf("a player who speaks every %v is gone: %v", limit*9/10, err)
	}
	if err := patientOne.Close(); err != nil {
		h.T.Error(err)
	}
	h.Opened(h.Crash(), func(s *data.Store) {
		for i := len(ways) - 1; i < len(places); i += len(ways) {
			c, err := s.CharacterByName(context.Background(), fmt.Sprint("Немой", i))
			if err != nil || coords.Position(c.Position) != places[i] {
				h.T.Errorf("Немой%d was at %v, saved at %v: %v", i, places[i], c.Position, err)
			}
		}
	})
}

// Fault case 31, about bad lines: with a quarter of a second of delay and stalls of up to four seconds, as lost packets
// make them, everybody gets in, plays and stays.
func TestFaultDelayAndStallsLoseNobody(t *testing.T) {
	t.Parallel()
	o := sim.Options{Net: memnet.Options{Latency: 150 * time.Millisecond, Jitter: 100 * time.Millisecond}}
	sim.Run(t, o, func(h *sim.House) {
		const n, while = 30, 2 * time.Minute
		end := time.Now().Add(while)
		random := rand.New(rand.NewPCG(h.Seed, 31))
		go func() {
			for time.Now().Before(end) {
				time.Sleep(time.Duration(random.Int64N(int64(time.Second))))
				if conns := h.Net.Conns(sim.Host(1 + random.IntN(n))); len(conns) > 0 {
					c := conns[len(conns)-1]
					c.Pull()
					time.AfterFunc(time.Second+time.Duration(random.Int64N(int64(3*time.Second))), c.Plug)
				}
			}
		}()
		f := h.Swarm(bot.SwarmOptions{Count: n, For: while, Rate: 5, Sight: -1,
			Client: bot.Options{Walk: bot.Square, Patience: 8}})
		if f.Entries != n || f.DisconnectCount() > 0 || len(f.Violations) > 0 {
			h.T.Errorf("%d of %d came in; lost %v; found %v", f.Entries, n, f.Disconnects, f.Violations)
		}
	})
}
