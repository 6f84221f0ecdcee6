package main

import (
	"bytes"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"sphereserver/packets"
)

// Answers are counted however the stream is cut, and nothing else is taken for one.
func TestCountFrames(t *testing.T) {
	if !isPong(bareAnswer) || isUpdate(bareAnswer) || !isUpdate(bareUpdate) || isPong(bareUpdate) {
		t.Error("an answer and an update are mistaken for each other")
	}
	vitals, err := packets.AppendServer(nil, packets.Regenerated(7, 100, 110), packets.Dialect2026)
	if err != nil {
		t.Fatal(err)
	}
	keepalive := []byte{4, 0, 0xF4, 1}
	stream := bytes.Join([][]byte{bareAnswer, keepalive, bareUpdate, bareAnswer, vitals, bareUpdate, bareAnswer}, nil)
	for cut := range len(stream) + 1 {
		n, u, rest, err := countFrames(stream[:cut])
		if err != nil {
			t.Fatal(err)
		}
		m, v, rest, err := countFrames(append(bytes.Clone(rest), stream[cut:]...))
		if err != nil || n+m != 3 || u+v != 2 || len(rest) != 0 {
			t.Errorf("cut at %d: %d and %d answers, %d and %d updates, %d bytes left, %v", cut, n, m, u, v, len(rest), err)
		}
	}
	if _, _, _, err := countFrames([]byte{3, 0, 1}); err == nil {
		t.Error("a frame of 3 bytes is taken for one")
	}
}

// dialled is a connection to a server for the time of a test, and for a minute at most.
func dialled(t *testing.T, addr string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	return c
}

// The reference answers each ping, however the stream is cut, and sends nothing else.
func TestTheReferenceAnswersPings(t *testing.T) {
	s := serving(t, serveBare, bareSettings{})
	c := dialled(t, s.addr.String())
	frames, err := pings(1, 0, place())
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range [][]byte{frames[0][:7], frames[0][7:], append(frames[1], frames[0]...)} {
		if _, err := c.Write(piece); err != nil {
			t.Fatal(err)
		}
	}
	in := make([]byte, 3*len(bareAnswer))
	if _, err := io.ReadFull(c, in); err != nil {
		t.Fatal(err)
	}
	if n, _, rest, err := countFrames(in); n != 3 || len(rest) > 0 || err != nil {
		t.Errorf("%d answers, %d bytes left, %v", n, len(rest), err)
	}
}

// The reference for movement tells each client of so many others at once, for any messages of the clients.
func TestTheReferenceTellsOfOthers(t *testing.T) {
	s := serving(t, serveBare, bareSettings{Others: 7, Rate: 50})
	for range 3 {
		c := dialled(t, s.addr.String())
		if _, err := c.Write(make([]byte, pingBytes)); err != nil {
			t.Fatal(err)
		}
		in := make([]byte, 2*7*len(bareUpdate))
		if _, err := io.ReadFull(c, in); err != nil {
			t.Fatal(err)
		}
		if answers, updates, _, err := countFrames(in); answers != 0 || updates != 14 || err != nil {
			t.Errorf("%d answers, %d updates, %v", answers, updates, err)
		}
	}
}

// pairOfConns returns both ends of a connection over the loopback interface.
func pairOfConns(t *testing.T) (client, server net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	client, err = net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	server, err = l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	if err := server.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	return client, server
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if holds() {
			return
		}
	}
	t.Fatalf("never: %s", what)
}

// In a closed loop the next ping follows the answer, in turn; before that and afterwards nothing is sent.
func TestClosedLoop(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	client, server := pairOfConns(t)
	frames, err := pings(7, 0, place())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.take(client, frames, bareAnswer[:5]); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Write(bareAnswer[5:]); err != nil { // the rest of one that nobody has asked for
		t.Fatal(err)
	}
	eventually(t, "the split answer is counted", func() bool { return l.counts().answers == 1 })
	if sent := l.counts().sent; sent != 0 {
		t.Errorf("an idle client has sent %d pings", sent)
	}
	l.set(pace{closed: true})
	in := make([]byte, pingBytes)
	for i := range 10 {
		if _, err := io.ReadFull(server, in); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(in, frames[i%2]) {
			t.Fatalf("ping %d is % X", i, in)
		}
		plain := bytes.Clone(in)
		packets.Deobfuscate(plain)
		if p, ok := packets.ReadPing(plain); !ok || p.Player != 7 {
			t.Fatalf("ping %d reads as %+v, %v", i, p, ok)
		}
		if i == 9 {
			l.set(pace{})
			eventually(t, "the order is noticed", func() bool {
				return !slices.ContainsFunc(l.threads, func(t *loadThread) bool { return t.noticed.Load() != t.pace.Load() })
			})
		}
		if _, err := server.Write(bareAnswer); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "all answers are counted", func() bool { return l.counts().answers == 11 })
	if sent := l.counts().sent; sent != 10 {
		t.Errorf("%d pings were sent, expected 10", sent)
	}
	if err := l.err(); err != nil {
		t.Error(err)
	}
}

// In an open loop pings come at their rate whether they are answered or not.
func TestOpenLoop(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	frames, err := pings(7, 0, place())
	if err != nil {
		t.Fatal(err)
	}
	for range len(l.threads) {
		client, server := pairOfConns(t)
		go func() { _, _ = io.Copy(io.Discard, server) }()
		if err := l.take(client, frames, nil); err != nil {
			t.Fatal(err)
		}
	}
	l.set(pace{rate: 1000})
	eventually(t, "pings are sent", func() bool { return l.counts().sent >= 50 })
}

// A client that is thrown out is a failure, not a smaller figure.
func TestLostClient(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	client, server := pairOfConns(t)
	if err := l.take(client, [2][]byte{}, nil); err != nil {
		t.Fatal(err)
	}
	server.Close()
	eventually(t, "the loss is noticed", func() bool { return l.err() != nil })
	if err := l.err(); !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
}

// Clients that stand send the same ping again and again; those that walk take turns.
func TestStandingClientsSendTheSamePing(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	client, server := pairOfConns(t)
	frames, err := pings(7, 0, place())
	if err != nil {
		t.Fatal(err)
	}
	if err := l.take(client, frames, nil); err != nil {
		t.Fatal(err)
	}
	l.set(pace{rate: 500, still: true})
	in := make([]byte, pingBytes)
	for range 5 {
		if _, err := io.ReadFull(server, in); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(in, frames[0]) {
			t.Fatalf("a client that stands has sent % X", in)
		}
	}
	l.set(pace{rate: 500})
	eventually(t, "it walks", func() bool {
		_, err := io.ReadFull(server, in)
		return err != nil || bytes.Equal(in, frames[1])
	})
	if n := l.counts(); n.answers != 0 || n.sent < 6 {
		t.Errorf("counted %+v", n)
	}
}

// Messages to clients about others are counted, also while the clients are silent.
func TestUpdatesAreCounted(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	for range 3 {
		client, server := pairOfConns(t)
		if err := l.take(client, [2][]byte{}, bareUpdate[:9]); err != nil {
			t.Fatal(err)
		}
		if _, err := server.Write(append(bytes.Clone(bareUpdate[9:]), bareUpdate...)); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "six are counted", func() bool { return l.counts().updates == 6 })
	if n := l.counts(); n.answers != 0 || n.sent != 0 {
		t.Errorf("counted %+v", n)
	}
}

// A frame that no server sends is a failure of its client.
func TestAFrameThatIsNone(t *testing.T) {
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	client, server := pairOfConns(t)
	if err := l.take(client, [2][]byte{}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := server.Write([]byte{1, 0, 0, 0}); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is noticed", func() bool { return l.err() != nil })
	if err := l.err(); !strings.Contains(err.Error(), "frame length 1, expected") {
		t.Error(err)
	}
	if n := descriptors(); n < 10 {
		t.Errorf("%d descriptors", n)
	}
}

// Clients get as far as the server lets them: through handshake and login into the world, where pings are answered.
func TestClientsComeIntoTheWorld(t *testing.T) {
	b := newTestBench(t)
	dir, err := b.prepared(t.Context(), apart, 3, cheapHash)
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, serveGame, gameSettings{Dir: dir, Connections: 10, Hashes: 1, WarmStore: true})
	if err := s.save(50); err != nil {
		t.Fatal(err)
	}
	l, err := newLoad()
	if err != nil {
		t.Fatal(err)
	}
	defer l.close()
	c := &crowd{&child{addr: s.addr.String()}, l, b, apart}
	if err := c.enter(t.Context(), 1, 2); err != nil {
		t.Fatal(err)
	}
	l.set(pace{closed: true})
	eventually(t, "two pings are answered", func() bool { return l.counts().answers >= 2 })
	var st status
	s.fill(&st)
	if st.Counters["logins"] != 1 || st.Counters["pings"] == 0 || st.Ticks.Count == 0 {
		t.Errorf("counted %d logins, %d pings, %d ticks", st.Counters["logins"], st.Counters["pings"], st.Ticks.Count)
	}
}

func TestClientsThatAreTurnedAway(t *testing.T) {
	b := newTestBench(t)
	dir, err := b.prepared(t.Context(), apart, 1, cheapHash)
	if err != nil {
		t.Fatal(err)
	}
	s := serving(t, serveGame, gameSettings{Dir: dir, Connections: 10, Hashes: 1})
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	go func() {
		if c, err := silent.Accept(); err == nil {
			_ = c.Close()
		}
	}()
	for why, addr := range map[string]string{"an unknown account": s.addr.String(), "nobody": "127.0.0.1:1",
		"a server without a greeting": silent.Addr().String()} {
		c := &crowd{&child{addr: addr}, nil, b, apart}
		if err := c.enter(t.Context(), 5, 6); err == nil || !strings.Contains(err.Error(), "client 5: bot: ") {
			t.Errorf("%s: %v", why, err)
		}
	}
}
