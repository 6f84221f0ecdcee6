package w3host

import (
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"sphereserver/packets/w3gs"
)

// A listener hears what a host sends by UDP.
func listen(t testing.TB) *net.UDPConn {
	t.Helper()
	conn, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return conn
}

// next is the next message that is heard.
func next(t *testing.T, conn *net.UDPConn) w3gs.Message {
	t.Helper()
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	b := make([]byte, 1500)
	n, err := conn.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	m, err := w3gs.Decode(b[:n])
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Protocol w3gs 2.3: only to addresses that the operator has named.
func TestAnnouncements(t *testing.T) {
	conn := listen(t)
	o := hostOptions("", 2)
	o.Announce = []netip.AddrPort{conn.LocalAddr().(*net.UDPAddr).AddrPort()}
	network := listen(t)
	o.Networks = func() []netip.AddrPort { return []netip.AddrPort{network.LocalAddr().(*net.UDPAddr).AddrPort()} }
	h := startHost(t, o)
	if m, ok := next(t, network).(*w3gs.GameCreated); !ok || m.Game != 1 {
		t.Errorf("on another network first %+v", m)
	}
	if m, ok := next(t, conn).(*w3gs.GameCreated); !ok || m.Game != 1 || m.Product != w3gs.FrozenThrone ||
		m.Version != 26 {
		t.Errorf("first %+v", m)
	}
	h.join("Grunt")
	if m, ok := next(t, conn).(*w3gs.GameRefreshed); !ok || *m != (w3gs.GameRefreshed{Game: 1, Players: 2, Seats: 3}) {
		t.Errorf("then %+v", m)
	}
	h.start(1)
	if m, ok := next(t, conn).(*w3gs.GameCancelled); !ok || m.Game != 1 {
		t.Errorf("at last %+v", m)
	}
	if n := h.Counters()["announcements"]; n != 6 {
		t.Errorf("%d announcements", n)
	}
}

// Protocol w3gs 2.1: silence for searches that are not meant for us.
func TestSearches(t *testing.T) {
	o := hostOptions("", 2)
	o.Limits = DefaultOptions().Limits
	h := startHost(t, o)
	if got := h.search(1, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26, Game: 1}); got[0].Port != h.Addr().Port() {
		t.Fatalf("found %+v", got)
	}
	for _, m := range []*w3gs.Search{{Product: w3gs.ReignOfChaos, Version: 26}, {Product: w3gs.FrozenThrone, Version: 27},
		{Product: w3gs.FrozenThrone, Version: 26, Game: 2}} {
		h.search(0, m)
	}
	c := h.Counters()
	if c["searches"]-c["searches_strange"] != 4 || c["searches_answered"] != 1 || c["searches_other_version"] != 2 {
		t.Errorf("counted %v", c)
	}
}

// direct gives searches to a host without a socket for them, from any source, and counts the answers that would go out.
func direct(t *testing.T, games int, change func(*Options)) (*searches, func(from string, datagram []byte) int) {
	t.Helper()
	o := hostOptions("", 2)
	o.Limits = DefaultOptions().Limits
	for i := range games - 1 {
		g := o.Games[0]
		g.Name = fmt.Sprint("game ", i)
		o.Games = append(o.Games, g)
	}
	if change != nil {
		change(&o)
	}
	h := startHost(t, o)
	s := newSearches(h.Host)
	return s, func(from string, datagram []byte) int {
		limited, answered := h.count.searchesLimited.Load(), h.count.answers.Load()
		tried := s.turn
		s.handle(datagram, netip.MustParseAddrPort(from), netip.Addr{})
		switch {
		case h.count.answers.Load() > answered:
			return int(h.count.answers.Load() - answered)
		case h.count.searchesLimited.Load() > limited:
			return -1
		case s.turn > tried:
			return -2 // meant for us, and no game is
		}
		return 0
	}
}

func searchPacket(t *testing.T, game uint32) []byte {
	packet, err := w3gs.Append(nil, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26, Game: game})
	if err != nil {
		t.Fatal(err)
	}
	return packet
}

// Only local sources are answered, each a few times a second.
func TestWhoIsAnswered(t *testing.T) {
	_, search := direct(t, 1, nil)
	packet := searchPacket(t, 0)
	for _, from := range []string{"8.8.8.8:6112", "192.0.2.1:6112", "203.0.113.7:6112", "127.0.0.1:0"} {
		if n := search(from, packet); n != 0 {
			t.Errorf("%s gets %d answers", from, n)
		}
	}
	for _, datagram := range [][]byte{nil, {0xF7}, packet[:15], append(packet, 0), []byte("0123456789abcdef"),
		make([]byte, 513)} {
		if n := search("127.0.0.1:9", datagram); n != 0 {
			t.Errorf("%x gets %d answers", datagram, n)
		}
	}
	other := []byte{0xF7, 0x31, 16, 0, 0x50, 0x58, 0x33, 0x57, 26, 0, 0, 0, 1, 0, 0, 0}
	if n := search("127.0.0.1:9", other); n != 0 {
		t.Errorf("another packet gets %d answers", n)
	}
	sink := listen(t).LocalAddr().String()
	for i := range 7 {
		want := 1
		if i >= 5 {
			want = -1
		}
		if n := search(sink, packet); n != want {
			t.Errorf("search %d: %d answers, expected %d", i, n, want)
		}
	}
}

func TestAnswersInAll(t *testing.T) {
	s, search := direct(t, 1, func(o *Options) { o.Limits.Answers = 12 })
	packet := searchPacket(t, 0)
	answered := 0
	for i := range 30 { // from different addresses of this machine
		if search(fmt.Sprintf("127.0.0.%d:9", i+1), packet) > 0 {
			answered++
		}
	}
	if answered < 12 || answered > 13 {
		t.Errorf("%d answers at once", answered)
	}
	for i := range 10_000 { // the memory about sources is bounded
		s.mayAnswer(netip.AddrFrom4([4]byte{10, 0, byte(i >> 8), byte(i)}), time.Second)
	}
	if len(s.source) > maxSources {
		t.Errorf("%d sources are remembered", len(s.source))
	}
}

// With more games than answers, every game has its turn.
func TestManyGamesTakeTurns(t *testing.T) {
	s, search := direct(t, 8, nil)
	packet := searchPacket(t, 0)
	sink := listen(t).LocalAddr().String()
	if n := search(sink, packet); n != 5 {
		t.Errorf("%d answers to one search of 8 games", n)
	}
	first := s.turn
	if search(sink, packet); s.turn == first {
		t.Error("the same games come first")
	}
	if n := search(sink, searchPacket(t, 99)); n != -2 && n != -1 {
		t.Errorf("%d answers for a game that is not there", n)
	}
}

// BenchmarkSearch is a search and its answer over loopback, beside an echo of the same sizes: bar P10.
func BenchmarkSearch(b *testing.B) {
	o := hostOptions("", 4)
	o.Limits.Answers, o.Limits.AnswersPerSource = 1e9, 1e9
	h, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	go func() { _ = h.Serve() }()
	defer func() { _ = h.Stop(b.Context()) }()
	for len(h.allRooms()) == 0 || h.allRooms()[0].open.Load() == nil {
		time.Sleep(time.Millisecond)
	}
	answer := len(*h.allRooms()[0].open.Load())
	echo := listen(b)
	go func() {
		in, out := make([]byte, 512), make([]byte, answer)
		for {
			_, from, err := echo.ReadFromUDPAddrPort(in)
			if err != nil {
				return
			}
			_, _ = echo.WriteToUDPAddrPort(out, from)
		}
	}()
	for _, v := range []struct {
		name string
		addr netip.AddrPort
	}{{"echo", echo.LocalAddr().(*net.UDPAddr).AddrPort()}, {"search", h.SearchAddr()}} {
		b.Run(v.name, func(b *testing.B) {
			conn, err := net.DialUDP("udp4", nil, net.UDPAddrFromAddrPort(v.addr))
			if err != nil {
				b.Fatal(err)
			}
			defer conn.Close()
			packet, _ := w3gs.Append(nil, &w3gs.Search{Product: w3gs.FrozenThrone, Version: 26})
			in := make([]byte, 1500)
			b.ReportAllocs()
			for range 32 { // under way at any time
				if _, err := conn.Write(packet); err != nil {
					b.Fatal(err)
				}
			}
			for b.Loop() {
				_ = conn.SetReadDeadline(time.Now().Add(time.Second))
				if _, err := conn.Read(in); err != nil {
					b.Fatal(err)
				}
				if _, err := conn.Write(packet); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "answers/s")
		})
	}
}
